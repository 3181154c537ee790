//! Fluents as variables, and the order of these.
//!
//! A group of fluents of which at most one holds becomes one variable, whose value 0 says that none does. What changes
//! in the same way whatever is moved, such as whose turn it is, comes first: below it, a move changes a few neighbours
//! only, and images stop there. The rest is ordered by names, numbers by value: neighbours on a board tend to stay
//! neighbours.

use counterplay_base::{Budget, Id, IdVec, Limit};
use counterplay_ground::game::{FluentId, Game, RuleId, Signal, Structure, cover};
use counterplay_symbolic::{Coding, Space, StateSet};
use counterplay_task::{Fact, VarId};

/// Which variable and value each fluent is.
pub(crate) struct Layout {
    /// The fluents of each variable: the first is value 1, and so on.
    pub(crate) variables: IdVec<VarId, Vec<FluentId>>,
    pub(crate) place: IdVec<FluentId, Fact>,
    /// The variables from top to bottom.
    pub(crate) order: Vec<VarId>,
}

impl Layout {
    pub(crate) fn new(game: &Game, structure: &Structure) -> Layout {
        let mut variables: IdVec<VarId, Vec<FluentId>> = IdVec::new();
        let mut place: IdVec<FluentId, Option<Fact>> = IdVec::filled(None, game.fluents.len());
        for group in cover(game, structure) {
            let var = VarId::new(variables.len());
            for (at, &fluent) in group.iter().enumerate() {
                place[fluent] = Some(Fact { var, value: at as u32 + 1 });
            }
            variables.push(group);
        }
        let place = place.iter().map(|place| place.expect("the cover has every fluent")).collect();
        let depends = depends_on_moves(game);
        let is_free = |var: VarId| variables[var].iter().all(|&fluent| !depends(game.next[fluent]));
        let mut order: Vec<VarId> = variables.ids().collect();
        order.sort_by_cached_key(|&var| {
            let first = variables[var].iter().map(|&fluent| words(&game.fluents[fluent])).min();
            (!is_free(var), first)
        });
        Layout { variables, place, order }
    }

    /// A space for these variables.
    pub(crate) fn space(&self, budget: &Budget) -> Result<Space, Limit> {
        let sizes = self.variables.iter().map(|fluents| fluents.len() as u32 + 1).collect();
        Space::with_coding(sizes, &self.order, Coding::Prefixes, budget)
    }

    /// The only state in which exactly these fluents hold.
    pub(crate) fn state(&self, space: &Space, fluents: &[FluentId]) -> Result<StateSet, Limit> {
        let values = self.values(fluents);
        let facts: Vec<Fact> = values.enumerate().map(|(var, &value)| Fact { var, value }).collect();
        space.facts(&facts)
    }

    /// The values of all variables when exactly these fluents hold.
    pub(crate) fn values(&self, fluents: &[FluentId]) -> IdVec<VarId, u32> {
        let mut values = IdVec::filled(0, self.variables.len());
        for &fluent in fluents {
            values[self.place[fluent].var] = self.place[fluent].value;
        }
        values
    }

    /// The fluents that hold when the variables have these values.
    pub(crate) fn fluents(&self, values: &IdVec<VarId, u32>) -> Vec<FluentId> {
        let held = values.enumerate().filter(|(_, value)| **value > 0);
        let mut fluents: Vec<FluentId> =
            held.map(|(var, &value)| self.variables[var][value as usize - 1]).collect();
        fluents.sort_unstable();
        fluents
    }

    /// Whether two of these fluents share a variable: no such state can be reached.
    pub(crate) fn clash(&self, fluents: &[FluentId]) -> bool {
        let mut taken = IdVec::filled(false, self.variables.len());
        fluents.iter().any(|&fluent| std::mem::replace(&mut taken[self.place[fluent].var], true))
    }

    /// The states in which a fluent holds.
    pub(crate) fn holds(&self, space: &Space, fluent: FluentId) -> Result<StateSet, Limit> {
        space.facts(&[self.place[fluent]])
    }
}

/// Tells of signals whether they depend on a move.
fn depends_on_moves(game: &Game) -> impl Fn(Signal) -> bool {
    let is_move = game.fluents.len()..game.first_derived();
    let mut depends: Vec<bool> = (0..game.atoms).map(|atom| is_move.contains(&atom)).collect();
    let mut rules: Vec<Vec<RuleId>> = vec![Vec::new(); game.atoms];
    for (rule, head) in game.heads.enumerate() {
        rules[head.index()].push(rule);
    }
    for component in &game.components {
        let own = component.iter().flat_map(|atom| &rules[atom.index()]);
        let any = own.flat_map(|&rule| &game.bodies[rule]).any(|literal| depends[literal.atom().index()]);
        component.iter().for_each(|atom| depends[atom.index()] = any);
    }
    move |signal| match signal {
        Signal::Constant(_) => false,
        Signal::Literal(literal) => depends[literal.atom().index()],
    }
}

/// The words of a name; numbers come first, by value.
pub(crate) fn words(name: &str) -> Vec<(u64, String)> {
    let words =
        name.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|word| !word.is_empty());
    words.map(|word| (word.parse().unwrap_or(u64::MAX), word.to_lowercase())).collect()
}
