//! Joint moves as relations, and who chooses where.

use counterplay_base::{Budget, Id, Limit};
use counterplay_ground::game::{Game, MoveId, RoleId, Structure};
use counterplay_symbolic::{Partition, Relation, Space, StateSet, merge, union};
use counterplay_task::{Fact, VarId};

use super::layout::Layout;
use super::values::Values;
use super::{Halt, Refusal};

const MOST_JOINT_MOVES: usize = 2_000_000;
/// Relations are merged while they have at most so many nodes.
const MERGED_NODES: usize = 4_000;
/// Work that merging may take, for each relation.
const MERGE_WORK: u64 = 20_000;
/// Work that one relation may take before it is divided.
const RELATION_WORK: u64 = 200_000;
/// Relations that change fewer variables are never divided.
const FEW_UPDATES: usize = 6;
/// Variables that are tried to divide a relation.
const DIVISIONS: usize = 4;
/// Sets are united while they have at most so many nodes.
const UNITED_NODES: usize = 2_000;

/// All joint moves of a game.
pub(crate) struct Steps {
    /// Few relations for all of them.
    pub(crate) merged: Partition,
    /// States in which a role has a choice.
    choosing: Vec<StateSet>,
    /// Whether it is proved that never two roles have one.
    takes_turns: bool,
    /// States in which every role has a move: some of these sets has them.
    movable: Vec<StateSet>,
}

impl Steps {
    pub(crate) fn new(
        game: &Game,
        structure: &Structure,
        layout: &Layout,
        space: &Space,
        values: &mut Values<'_>,
        budget: &Budget,
    ) -> Result<Steps, Halt> {
        let mut legal: Vec<StateSet> = Vec::with_capacity(game.moves.len());
        for &signal in game.legal.iter() {
            legal.push(values.signal(signal)?);
        }
        let choosing = choosing(game, structure, space, &legal)?;
        // Relations do not say that the game is not over: steps are taken from such states only, and the end is often
        // much harder to tell than a move.
        let mut joint: Vec<(Vec<MoveId>, StateSet)> = vec![(Vec::new(), space.all())];
        for role in game.roles.ids() {
            let mut more = Vec::new();
            for (moves, guard) in &joint {
                for a_move in game.moves_of(role) {
                    let guard = guard.intersect(&legal[a_move.index()])?;
                    if !guard.is_empty() {
                        more.push(([moves.as_slice(), &[a_move]].concat(), guard));
                    }
                }
                if more.len() > MOST_JOINT_MOVES {
                    return Err(Refusal::JointMoves(more.len()).into());
                }
            }
            joint = more;
        }
        let movable = united(space, joint.iter().map(|(_, guard)| guard.clone()))?;
        let mut relations = Vec::with_capacity(joint.len());
        for (moves, legal) in joint {
            budget.check()?;
            let next = values.next(&moves)?;
            JointMove { layout, space, next: &next }.relations(&legal, &mut Vec::new(), &mut relations)?;
        }
        let work = MERGE_WORK * relations.len() as u64;
        let merged = merge(space, relations, MERGED_NODES, work)?;
        Ok(Steps { merged, choosing, takes_turns: structure.takes_turns, movable })
    }

    /// The states by the role that has a choice in them, those in which no role has one among them; and, apart, the
    /// states in which several roles have a choice.
    pub(crate) fn movers(&self, states: &StateSet) -> Result<(Vec<(usize, StateSet)>, StateSet), Limit> {
        let mut rest = states.clone();
        let mut several = Vec::new();
        let mut movers = Vec::new();
        for role in (0..self.choosing.len()).rev() {
            let mut own = rest.intersect(&self.choosing[role])?;
            if role == 0 {
                own = rest.clone();
            }
            rest = rest.minus(&own)?;
            for other in (0..role).filter(|_| !self.takes_turns) {
                let both = own.intersect(&self.choosing[other])?;
                own = own.minus(&both)?;
                several.push(both);
            }
            if !own.is_empty() {
                movers.push((role, own));
            }
        }
        let none = states.minus(states)?;
        Ok((movers, union(several)?.unwrap_or(none)))
    }

    /// The roles that have a choice somewhere in a set.
    pub(crate) fn choosing_in(&self, states: &StateSet) -> Result<Vec<RoleId>, Limit> {
        let mut found = Vec::new();
        for (role, choosing) in self.choosing.iter().enumerate() {
            if !choosing.intersect(states)?.is_empty() {
                found.push(RoleId::new(role));
            }
        }
        Ok(found)
    }

    /// The states of a set in which some role has no move.
    pub(crate) fn stuck(&self, states: &StateSet) -> Result<StateSet, Limit> {
        let mut left = states.clone();
        for part in &self.movable {
            if left.is_empty() {
                break;
            }
            left = left.minus(part)?;
        }
        Ok(left)
    }
}

/// A joint move that becomes one relation, or one for each value of a variable that its effect depends on.
struct JointMove<'a> {
    layout: &'a Layout,
    space: &'a Space,
    /// Where each fluent holds after it.
    next: &'a [StateSet],
}

/// For each variable that changes, where it takes each value.
type Updates = Vec<(VarId, Vec<StateSet>)>;

impl JointMove<'_> {
    /// What changes where a guard holds.
    fn updates(&self, guard: &StateSet) -> Result<Updates, Limit> {
        let mut updates: Updates = Vec::new();
        for (var, fluents) in self.layout.variables.enumerate() {
            let mut changes = false;
            let mut becomes = vec![self.space.all()];
            for &fluent in fluents {
                let next = &self.next[fluent.index()];
                let now = self.layout.holds(self.space, fluent)?;
                changes = changes || now.intersect(guard)? != next.intersect(guard)?;
                becomes[0] = becomes[0].minus(next)?;
                becomes.push(next.clone());
            }
            if changes {
                updates.push((var, becomes));
            }
        }
        Ok(updates)
    }

    /// Writes the relations where a guard holds. A move that changes one of many variables, and a counter says which, needs
    /// a diagram that remembers which of them can have been meant: where one relation takes much work, the values of
    /// the counter are taken apart.
    fn relations(
        &self,
        guard: &StateSet,
        divided: &mut Vec<VarId>,
        out: &mut Vec<Relation>,
    ) -> Result<(), Limit> {
        let updates = self.updates(guard)?;
        let build = || Relation::from_updates(self.space, guard, &updates);
        if updates.len() < FEW_UPDATES {
            out.push(build()?);
            return Ok(());
        }
        match self.space.with_allowance(RELATION_WORK, build) {
            Ok(relation) => out.push(relation),
            Err(Limit::Nodes(_)) => match self.division(guard, updates.len(), divided)? {
                Some((var, parts)) => {
                    divided.push(var);
                    for part in parts {
                        self.relations(&part, divided, out)?;
                    }
                    divided.pop();
                }
                None => out.push(build()?),
            },
            Err(limit) => return Err(limit),
        }
        Ok(())
    }

    /// A variable by whose values a guard can be divided so that much less changes in each part, and the parts.
    fn division(
        &self,
        guard: &StateSet,
        updates: usize,
        divided: &[VarId],
    ) -> Result<Option<(VarId, Vec<StateSet>)>, Limit> {
        let variables = self.layout.variables.enumerate();
        let mut wide: Vec<(VarId, usize)> = variables
            .filter(|(var, fluents)| fluents.len() > 2 && !divided.contains(var))
            .map(|(var, fluents)| (var, fluents.len()))
            .collect();
        wide.sort_by_key(|&(_, values)| std::cmp::Reverse(values));
        for (var, values) in wide.into_iter().take(DIVISIONS) {
            let mut parts = Vec::new();
            let mut most = 0;
            for value in 0..=values as u32 {
                let part = guard.intersect(&self.space.facts(&[Fact { var, value }])?)?;
                if !part.is_empty() {
                    most = most.max(self.updates(&part)?.len());
                    parts.push(part);
                }
            }
            if 2 * most <= updates && parts.len() > 1 {
                return Ok(Some((var, parts)));
            }
        }
        Ok(None)
    }
}

/// States in which each role has a choice. Where it is proved that the players take turns, those in which it is not
/// bound to wait: that is easier to tell.
fn choosing(
    game: &Game,
    structure: &Structure,
    space: &Space,
    legal: &[StateSet],
) -> Result<Vec<StateSet>, Limit> {
    let mut choosing = Vec::new();
    for role in game.roles.ids() {
        if game.roles.len() == 1 {
            choosing.push(space.all());
            continue;
        }
        if structure.takes_turns && !structure.noops[role].is_empty() {
            let mut free = space.all();
            for noop in &structure.noops[role] {
                free = free.minus(&legal[noop.index()])?;
            }
            choosing.push(free);
            continue;
        }
        let (mut one, mut two) = (space.none(), space.none());
        for a_move in game.moves_of(role) {
            let own = &legal[a_move.index()];
            two = two.union(&one.intersect(own)?)?;
            one = one.union(own)?;
        }
        choosing.push(two);
    }
    Ok(choosing)
}

/// The union of sets, in parts that are not too large.
fn united(space: &Space, sets: impl Iterator<Item = StateSet>) -> Result<Vec<StateSet>, Limit> {
    let mut parts: Vec<StateSet> = Vec::new();
    for set in sets {
        let joined = match parts.last() {
            Some(last) if last.nodes() < UNITED_NODES => {
                match space.with_allowance(10 * UNITED_NODES as u64, || last.union(&set)) {
                    Ok(joined) => Some(joined),
                    Err(Limit::Nodes(_)) => None,
                    Err(limit) => return Err(limit),
                }
            }
            _ => None,
        };
        match joined {
            Some(joined) => *parts.last_mut().expect("joined to it") = joined,
            None => parts.push(set),
        }
    }
    Ok(parts)
}

/// The order in which roles like the outcomes: for each role, outcomes from best to worst.
pub(crate) fn preferences(
    outcomes: &[Vec<u32>],
    roles: usize,
    order: crate::explicit::Order,
) -> Vec<Vec<usize>> {
    let by_rank = |role| {
        let ranks = crate::explicit::ranks(outcomes, role, order);
        let mut list: Vec<usize> = (0..outcomes.len()).collect();
        list.sort_by_key(|&outcome| std::cmp::Reverse(ranks[outcome]));
        list
    };
    (0..roles).map(by_rank).collect()
}
