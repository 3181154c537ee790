//! Joint moves as relations, and who chooses where.

use counterplay_base::{Budget, Id, Limit};
use counterplay_ground::game::{Game, MoveId, Structure};
use counterplay_symbolic::{Partition, Relation, Space, StateSet, merge, union};
use counterplay_task::VarId;

use super::Refusal;
use super::layout::Layout;
use super::values::Values;

const MOST_JOINT_MOVES: usize = 2_000_000;
/// Relations are merged while they have at most so many nodes.
const MERGED_NODES: usize = 4_000;
/// Work that merging may take, for each relation.
const MERGE_WORK: u64 = 200_000;

/// A joint move and where it is legal.
pub(crate) struct Step {
    pub(crate) moves: Vec<MoveId>,
    pub(crate) relation: Relation,
    legal: StateSet,
}

/// All joint moves of a game.
pub(crate) struct Steps {
    /// One by one.
    pub(crate) single: Vec<Step>,
    /// Few relations for all of them.
    pub(crate) merged: Partition,
    /// States in which a role has a choice.
    choosing: Vec<StateSet>,
    /// Whether it is proved that never two roles have one.
    takes_turns: bool,
    /// States in which every role has a move.
    pub(crate) movable: StateSet,
}

impl Steps {
    pub(crate) fn new(
        game: &Game,
        structure: &Structure,
        layout: &Layout,
        space: &Space,
        values: &mut Values<'_>,
        budget: &Budget,
    ) -> Result<Steps, Refusal> {
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
                    return Err(Refusal::JointMoves(more.len()));
                }
            }
            joint = more;
        }
        let guards = joint.iter().map(|(_, guard)| guard.clone()).collect();
        let movable = union(guards)?.unwrap_or_else(|| space.none());
        let mut single = Vec::with_capacity(joint.len());
        for (moves, legal) in joint {
            budget.check()?;
            let next = values.next(&moves)?;
            let mut updates: Vec<(VarId, Vec<StateSet>)> = Vec::new();
            for (var, fluents) in layout.variables.enumerate() {
                let mut changes = false;
                let mut becomes = vec![space.all()];
                for &fluent in fluents {
                    let next = &next[fluent.index()];
                    let now = layout.holds(space, fluent)?;
                    changes = changes || now.intersect(&legal)? != next.intersect(&legal)?;
                    becomes[0] = becomes[0].minus(next)?;
                    becomes.push(next.clone());
                }
                if changes {
                    updates.push((var, becomes));
                }
            }
            let relation = Relation::from_updates(space, &legal, &updates)?;
            single.push(Step { moves, relation, legal });
        }
        let relations: Vec<Relation> = single.iter().map(|step| step.relation.clone()).collect();
        let work = MERGE_WORK * relations.len() as u64;
        let merged = merge(space, relations, MERGED_NODES, work)?;
        Ok(Steps { single, merged, choosing, takes_turns: structure.takes_turns, movable })
    }

    /// The states by the role that has a choice in them, those in which nobody has one among them; and, apart, the
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

    /// The single joint moves that are legal somewhere in a set.
    pub(crate) fn legal_in(&self, states: &StateSet) -> Result<Vec<usize>, Limit> {
        let mut found = Vec::new();
        for (number, step) in self.single.iter().enumerate() {
            if !step.legal.intersect(states)?.is_empty() {
                found.push(number);
            }
        }
        Ok(found)
    }

    /// The states of a set in which a joint move is legal.
    pub(crate) fn legal(&self, step: usize, states: &StateSet) -> Result<StateSet, Limit> {
        self.single[step].legal.intersect(states)
    }
}

/// States in which each role has a choice. Where it is proved that the players take turns, those in which it has
/// something to do: that is easier to tell.
fn choosing(
    game: &Game,
    structure: &Structure,
    space: &Space,
    legal: &[StateSet],
) -> Result<Vec<StateSet>, Limit> {
    let mut choosing = Vec::new();
    for role in game.roles.ids() {
        let (mut one, mut two) = (space.none(), space.none());
        for a_move in game.moves_of(role).filter(|own| !structure.noops[role].contains(own)) {
            let own = &legal[a_move.index()];
            if !structure.takes_turns {
                two = two.union(&one.intersect(own)?)?;
            }
            one = one.union(own)?;
        }
        choosing.push(if structure.takes_turns { one } else { two });
    }
    Ok(choosing)
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
