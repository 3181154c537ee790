//! Fluents as variables of a task, and everything over them.
//!
//! A group of fluents of which at most one holds is one variable, whose value 0 says that none does. A fluent stays a variable of its own
//! where its negation would have to be written as a long list of the other values, or where it is not plain that two
//! effects on the group exclude each other.

use counterplay_base::{Id, IdVec};
use counterplay_task::{Axiom, Derived, Effect, Fact, OpId, Operator, Task, VarId, Variable};
use num_rational::Ratio;
use rustc_hash::FxHashSet;

use super::formula::{Conditions, Dnf, Groups, Lit, Term, reduced};
use super::operators::{MOVABLE, RawMoves, RawOperator};
use super::{SingleError, Subject};
use crate::game::{FluentId, MoveId};

/// A conjunction with negations becomes at most so many conjunctions of facts.
const MOST_WAYS: usize = 16;
/// Effects of all operators together.
const MOST_EFFECTS: usize = 20_000_000;

type Moves = IdVec<OpId, Option<MoveId>>;

/// Fluents that must be variables of their own.
struct Alone(Vec<FluentId>);

/// Writes the task.
pub(super) fn write(
    subject: &Subject<'_>,
    conditions: &Conditions<'_>,
    raw: &RawMoves,
    goal: &Dnf,
    is_forgotten: &dyn Fn(FluentId) -> bool,
) -> Result<(Task, Moves), SingleError> {
    let mut alone: FxHashSet<FluentId> = FxHashSet::default();
    loop {
        let groups = subject.cover.iter().flat_map(|group| {
            let (own, rest): (Vec<FluentId>, Vec<FluentId>) = group
                .iter()
                .copied()
                .filter(|&fluent| !is_forgotten(fluent))
                .partition(|fluent| alone.contains(fluent));
            own.into_iter().map(|fluent| vec![fluent]).chain((!rest.is_empty()).then_some(rest))
        });
        let variables = Variables::new(subject, conditions, groups.collect());
        let mut writer = Writer { subject, groups: &conditions.groups, variables, effects: 0 };
        match writer.task(raw, goal) {
            Ok(Some(found)) => return Ok(found),
            Ok(None) => return Err(SingleError::TooLarge),
            Err(Alone(more)) => {
                let before = alone.len();
                alone.extend(more);
                assert!(alone.len() > before, "fluents that are alone already have a plain negation");
            }
        }
    }
}

/// Which variable and value each node is.
struct Variables {
    /// The fluents of each variable; none for derived ones.
    groups: IdVec<VarId, Vec<FluentId>>,
    place: Vec<Option<Fact>>,
    /// The variable of the first derived node.
    first_derived: usize,
    fluents: usize,
    derived: usize,
}

impl Variables {
    fn new(subject: &Subject<'_>, conditions: &Conditions<'_>, groups: Vec<Vec<FluentId>>) -> Variables {
        let fluents = subject.game.fluents.len();
        let mut place = vec![None; fluents];
        let groups: IdVec<VarId, Vec<FluentId>> = groups.into();
        for (var, group) in groups.enumerate() {
            for (value, fluent) in (1..).zip(group) {
                place[fluent.index()] = Some(Fact { var, value });
            }
        }
        let first_derived = groups.len();
        Variables { groups, place, first_derived, fluents, derived: conditions.nodes.len() }
    }

    /// The variable of a derived node.
    fn of_node(&self, node: usize) -> VarId {
        let number = if node == MOVABLE { self.derived } else { node - self.fluents };
        VarId::new(self.first_derived + number)
    }

    /// Where a positive literal holds, or a negative one of a variable with two values.
    fn fact(&self, literal: Lit) -> Fact {
        match literal.node() < self.fluents {
            true => {
                let place = self.place[literal.node()].expect("what is forgotten is in no condition");
                Fact { value: if literal.is_positive() { place.value } else { 0 }, ..place }
            }
            false => Fact { var: self.of_node(literal.node()), value: u32::from(literal.is_positive()) },
        }
    }

    /// A conjunction as conjunctions of facts, of which one has to hold.
    fn facts(&self, term: &[Lit]) -> Result<Vec<Vec<Fact>>, Alone> {
        let is_wide = |literal: &&Lit| {
            !literal.is_positive()
                && literal.node() < self.fluents
                && self.groups[self.fact(**literal).var].len() > 1
        };
        let mut all: Vec<Fact> =
            term.iter().filter(|own| !is_wide(own)).map(|&literal| self.fact(literal)).collect();
        let mut denied: Vec<(VarId, Vec<u32>)> = Vec::new();
        for &literal in term.iter().filter(is_wide) {
            let place = self.place[literal.node()].expect("what is forgotten is in no condition");
            // A positive literal of the same group decides it.
            if all.iter().any(|fact| fact.var == place.var) {
                continue;
            }
            match denied.iter_mut().find(|(var, _)| *var == place.var) {
                Some((_, values)) => values.push(place.value),
                None => denied.push((place.var, vec![place.value])),
            }
        }
        all.sort_unstable();
        let mut ways = vec![all];
        for (var, values) in &denied {
            let left: Vec<u32> =
                (0..=self.groups[*var].len() as u32).filter(|value| !values.contains(value)).collect();
            if ways.len() * left.len() > MOST_WAYS {
                let fluents = values.iter().map(|&value| self.groups[*var][value as usize - 1]);
                return Err(Alone(fluents.collect()));
            }
            ways = ways
                .iter()
                .flat_map(|way| {
                    left.iter().map(move |&value| {
                        let mut way = way.clone();
                        way.push(Fact { var: *var, value });
                        way.sort_unstable();
                        way
                    })
                })
                .collect();
        }
        Ok(ways)
    }
}

struct Writer<'a> {
    subject: &'a Subject<'a>,
    groups: &'a Groups,
    variables: Variables,
    effects: usize,
}

impl Writer<'_> {
    /// The task; `None` if it would be too large.
    fn task(&mut self, raw: &RawMoves, goal: &Dnf) -> Result<Option<(Task, Moves)>, Alone> {
        let mut operators: IdVec<OpId, Operator> = IdVec::new();
        let mut moves: Moves = IdVec::new();
        for own in &raw.operators {
            let effects = self.effects_of(own)?;
            for precondition in self.variables.facts(&own.pre)? {
                self.effects += effects.len() + 1;
                if self.effects > MOST_EFFECTS {
                    return Ok(None);
                }
                let name = self.subject.game.moves[own.a_move].name.clone();
                operators.push(Operator { name, precondition, effects: effects.clone(), cost: 1 });
                moves.push(Some(own.a_move));
            }
        }
        let axioms = self.axioms(raw)?;
        let mut ends: Vec<Vec<Fact>> = Vec::new();
        for term in goal {
            ends.extend(self.variables.facts(term)?);
        }
        let mut variables = self.declare(raw);
        let mut initial: IdVec<VarId, u32> = variables.iter().map(|_| 0).collect();
        for fluent in self.subject.question.from {
            if let Some(Fact { var, value }) = self.variables.place[fluent.index()] {
                initial[var] = value;
            }
        }
        // One of several ends is claimed by an operator that costs nothing.
        let has_claims = ends.len() > 1;
        let goal = if has_claims {
            let done = Fact { var: VarId::new(variables.len()), value: 1 };
            variables.push(boolean("claimed".to_owned(), None));
            initial.push(0);
            for precondition in ends {
                let effects = vec![Effect { condition: Vec::new(), fact: done }];
                operators.push(Operator { name: "claim".to_owned(), precondition, effects, cost: 0 });
                moves.push(None);
            }
            vec![done]
        } else {
            ends.swap_remove(0)
        };
        let mutex_groups = self.mutex_groups();
        let task = Task {
            variables,
            initial,
            goal,
            soft: Vec::new(),
            operators,
            axioms,
            mutex_groups,
            mutex_pairs: Vec::new(),
            has_metric: has_claims,
            cost_unit: Ratio::from_integer(1),
        };
        Ok(Some((task, moves)))
    }

    fn declare(&self, raw: &RawMoves) -> IdVec<VarId, Variable> {
        let game = self.subject.game;
        let mut variables: IdVec<VarId, Variable> = IdVec::new();
        for group in self.variables.groups.iter() {
            let names = group.iter().map(|&fluent| game.fluents[fluent].clone());
            let values = std::iter::once("<none of those>".to_owned()).chain(names).collect();
            let name = game.fluents[group[0]].clone();
            variables.push(Variable { name, values, derived: None });
        }
        let layers = self.layers(raw);
        for (number, layer) in layers.into_iter().enumerate() {
            variables.push(boolean(format!("derived {number}"), Some(Derived { layer, default: 0 })));
        }
        variables
    }

    /// The stratum of each derived variable, in the order of the axioms.
    fn layers(&self, raw: &RawMoves) -> Vec<u32> {
        // Rules are stratified, so this ends: a stratum is at most the number of nodes.
        let mut layers = vec![0u32; raw.axioms.len()];
        let first = self.variables.first_derived;
        loop {
            let mut grows = false;
            for (at, axiom) in raw.axioms.iter().enumerate() {
                for &literal in
                    axiom.bodies.iter().flatten().filter(|own| own.node() >= self.variables.fluents)
                {
                    let below = layers[self.variables.of_node(literal.node()).index() - first];
                    let least = below + u32::from(!literal.is_positive());
                    if layers[at] < least {
                        layers[at] = least;
                        grows = true;
                    }
                }
            }
            if !grows {
                return layers;
            }
        }
    }

    fn axioms(&self, raw: &RawMoves) -> Result<Vec<Axiom>, Alone> {
        let mut axioms = Vec::new();
        for axiom in &raw.axioms {
            let head = Fact { var: self.variables.of_node(axiom.node), value: 1 };
            for body in &axiom.bodies {
                let ways = self.variables.facts(body)?;
                axioms.extend(ways.into_iter().map(|condition| Axiom { condition, head }));
            }
        }
        Ok(axioms)
    }

    /// Groups of which at most one holds, beyond the variables.
    fn mutex_groups(&self) -> Vec<Vec<Fact>> {
        let groups = self.subject.structure.groups.iter().map(|group| {
            let mut facts: Vec<Fact> =
                group.iter().filter_map(|fluent| self.variables.place[fluent.index()]).collect();
            facts.sort_unstable();
            facts
        });
        groups.filter(|facts| facts.iter().any(|fact| fact.var != facts[0].var)).collect()
    }

    /// What an operator changes, variable by variable.
    fn effects_of(&self, raw: &RawOperator) -> Result<Vec<Effect>, Alone> {
        let mut changed: Vec<VarId> = raw.changes.iter().map(|(fluent, _)| self.var(*fluent)).collect();
        changed.sort_unstable();
        changed.dedup();
        let mut effects = Vec::new();
        for var in changed {
            let mut own = self.changes_of(raw, var)?;
            let are_apart = own.iter().enumerate().all(|(at, one)| {
                own[..at]
                    .iter()
                    .all(|other| one.fact == other.fact || excludes(&one.condition, &other.condition))
            });
            let group = &self.variables.groups[var];
            if !are_apart && group.len() > 1 {
                return Err(Alone(group.clone()));
            }
            if !are_apart {
                // Only a group tells that they exclude each other; to become what it is changes nothing.
                for effect in own.iter_mut().filter(|effect| effect.fact.value == 1) {
                    if effect.condition.iter().all(|fact| fact.var != var) {
                        effect.condition.push(Fact { var, value: 0 });
                        effect.condition.sort_unstable();
                    }
                }
            }
            effects.extend(own);
        }
        Ok(effects)
    }

    fn var(&self, fluent: FluentId) -> VarId {
        self.variables.place[fluent.index()].expect("what is forgotten does not change").var
    }

    fn changes_of(&self, raw: &RawOperator, var: VarId) -> Result<Vec<Effect>, Alone> {
        let groups = self.groups;
        let fluents = &self.variables.groups[var];
        // When each fluent of the variable holds afterwards.
        let after: Vec<Dnf> = fluents
            .iter()
            .map(|fluent| match raw.changes.iter().find(|(own, _)| own == fluent) {
                Some((_, after)) => after.clone(),
                None => groups.given(&[vec![Lit::new(fluent.index(), true)]], &raw.pre),
            })
            .collect();
        let always = |value: u32| Ok(vec![Effect { condition: Vec::new(), fact: Fact { var, value } }]);
        if after.iter().all(Vec::is_empty) {
            return always(0);
        }
        if let Some(value) = after.iter().position(|after| after[..] == [Term::new()]) {
            return always(value as u32 + 1);
        }
        let mut effects = Vec::new();
        let mut add = |term: &Term, value: u32| -> Result<(), Alone> {
            for condition in self.variables.facts(term)? {
                effects.push(Effect { condition, fact: Fact { var, value } });
            }
            Ok(())
        };
        for ((value, fluent), after) in (1..).zip(fluents).zip(&after) {
            let own = Lit::new(fluent.index(), true);
            for term in after.iter().filter(|term| !term.contains(&own)) {
                add(term, value)?;
            }
        }
        // From each value to none.
        for fluent in fluents {
            let own = Lit::new(fluent.index(), true);
            let before = groups.given(&[vec![own]], &raw.pre);
            let Some(now) = before.first() else { continue };
            let known = groups.both(&raw.pre, &[own]).expect("it may hold");
            let some: Dnf = after.iter().flat_map(|after| groups.given(after, &known)).collect();
            let Some(none) = groups.negation(&reduced(some)) else {
                return Err(Alone(fluents.clone()));
            };
            for term in none {
                let term = groups.both(&term, now);
                if let Some(term) = term {
                    add(&term, 0)?;
                }
            }
        }
        Ok(effects)
    }
}

fn boolean(name: String, derived: Option<Derived>) -> Variable {
    let values = vec![format!("not {name}"), name.clone()];
    Variable { name, values, derived }
}

/// Whether two sorted conjunctions of facts cannot hold together.
fn excludes(one: &[Fact], other: &[Fact]) -> bool {
    one.iter().any(|fact| other.iter().any(|own| own.var == fact.var && own.value != fact.value))
}
