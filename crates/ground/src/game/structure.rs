//! What can be proved about a game from its ground rules.
//!
//! Nothing here is guessed: what is not proved is left out.

use counterplay_base::{Budget, Id, IdVec, Limit};

use super::groups;
use super::model::{FluentId, Game, MoveId, RoleId, Signal};
use super::refute::Refuter;

/// Proved properties of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// Groups of fluents of which at most one holds in any state that can be reached; greatest first, none part of
    /// another.
    pub groups: Vec<Vec<FluentId>>,
    /// For each role the moves that, whenever they are legal, are the role's only one.
    pub noops: IdVec<RoleId, Vec<MoveId>>,
    /// Whether no two roles ever have something else to do than their `noops` in the same state.
    pub takes_turns: bool,
    /// The sum of all rewards, if it is the same at every end at which each role has one.
    pub constant_sum: Option<u32>,
    /// Fluents that hold one after the other, each for one state: no state is reached at two times.
    pub clock: Option<Vec<FluentId>>,
}

impl Structure {
    /// What is known without any proof.
    pub fn unproved(game: &Game) -> Structure {
        let noops = game.roles.ids().map(|_| Vec::new()).collect();
        Structure { groups: Vec::new(), noops, takes_turns: false, constant_sum: None, clock: None }
    }
}

/// Literals that may be looked at for each property.
const MOST_WORK: u64 = 10_000_000;

/// Proves what it can.
pub fn prove_structure(game: &Game, budget: &Budget) -> Result<Structure, Limit> {
    let groups = groups::prove(game, budget)?;
    let mut refuter = Refuter::new(game, groups.clone());
    let clock = groups::clock(game, &groups);
    let mut structure = Structure { groups, clock, ..Structure::unproved(game) };
    if refuter.reset(&[(game.terminal, false)]) {
        let moves: IdVec<RoleId, Vec<MoveId>> =
            game.roles.ids().map(|role| game.moves_of(role).collect()).collect();
        for own in moves.iter().enumerate() {
            structure.noops[RoleId::new(own.0)] = noops_of(game, &mut refuter, own.1, budget)?;
        }
        structure.takes_turns = takes_turns(game, &mut refuter, &moves, &structure.noops, budget)?;
    }
    structure.constant_sum = constant_sum(game, &mut refuter);
    Ok(structure)
}

/// The moves that exclude all others of their role.
fn noops_of(
    game: &Game,
    refuter: &mut Refuter<'_>,
    own: &[MoveId],
    budget: &Budget,
) -> Result<Vec<MoveId>, Limit> {
    refuter.limit = refuter.work + MOST_WORK;
    let mark = refuter.mark();
    let mut found = Vec::new();
    // The last ones first: that is where rule sheets tend to have it.
    for &candidate in own.iter().rev() {
        budget.check()?;
        if refuter.work > refuter.limit {
            break;
        }
        // A move that is never legal is no way to wait.
        if refuter.suppose(game.legal[candidate]) {
            let alone = own.iter().filter(|&&other| other != candidate).all(|&other| {
                refuter.is_false(game.legal[other])
                    || refuter.is_impossible(&[(game.legal[other], true)], mark)
            });
            if alone && own.len() > 1 {
                found.push(candidate);
            }
        }
        refuter.undo(mark);
    }
    refuter.limit = u64::MAX;
    found.reverse();
    Ok(found)
}

fn takes_turns(
    game: &Game,
    refuter: &mut Refuter<'_>,
    moves: &IdVec<RoleId, Vec<MoveId>>,
    noops: &IdVec<RoleId, Vec<MoveId>>,
    budget: &Budget,
) -> Result<bool, Limit> {
    refuter.limit = refuter.work + 2 * MOST_WORK;
    let mark = refuter.mark();
    // A role whose moves exclude nothing has a choice whenever it has two of them.
    let real = |role: RoleId| moves[role].iter().copied().filter(move |own| !noops[role].contains(own));
    for role in moves.ids() {
        for own in real(role) {
            budget.check()?;
            let possible = refuter.suppose(game.legal[own]);
            let alone = !possible
                || moves.ids().filter(|&other| other > role).flat_map(real).all(|other| {
                    let legal = game.legal[other];
                    refuter.is_false(legal) || refuter.is_impossible(&[(legal, true)], mark)
                });
            refuter.undo(mark);
            if !alone || refuter.work > refuter.limit {
                refuter.limit = u64::MAX;
                return Ok(false);
            }
        }
    }
    refuter.limit = u64::MAX;
    Ok(true)
}

/// The sum of one reward for each of two roles at the end, if no other sum is possible.
fn constant_sum(game: &Game, refuter: &mut Refuter<'_>) -> Option<u32> {
    let roles: Vec<RoleId> = game.roles.ids().collect();
    let [first, second] = roles[..] else { return None };
    if !refuter.reset(&[(game.terminal, true)]) {
        return None;
    }
    refuter.limit = refuter.work + MOST_WORK;
    let mark = refuter.mark();
    let given = |role: RoleId| game.goals.iter().filter(move |goal| goal.role == role);
    let mut sum = None;
    for one in given(first) {
        for two in given(second) {
            let both: [(Signal, bool); 2] = [(one.when, true), (two.when, true)];
            if refuter.is_impossible(&both, mark) {
                continue;
            }
            let own = one.value + two.value;
            if *sum.get_or_insert(own) != own {
                return None;
            }
        }
    }
    sum
}

/// Disjoint groups, those that save most first; what is left stands alone.
pub fn cover(game: &Game, structure: &Structure) -> Vec<Vec<FluentId>> {
    let mut is_taken: IdVec<FluentId, bool> = IdVec::filled(false, game.fluents.len());
    let mut cover: Vec<Vec<FluentId>> = Vec::new();
    let mut left: Vec<Vec<FluentId>> = structure.groups.clone();
    loop {
        left.iter_mut().for_each(|group| group.retain(|&fluent| !is_taken[fluent]));
        left.retain(|group| group.len() > 1);
        // Bits saved; ties go to the group that comes first.
        let saved = |group: &Vec<FluentId>| group.len() - (group.len().ilog2() as usize + 1);
        let Some(best) = (0..left.len()).rev().max_by_key(|&at| saved(&left[at])) else { break };
        let group = left.swap_remove(best);
        group.iter().for_each(|&fluent| is_taken[fluent] = true);
        cover.push(group);
    }
    cover.extend(game.fluents.ids().filter(|&fluent| !is_taken[fluent]).map(|fluent| vec![fluent]));
    cover.sort_by_key(|group| group[0]);
    cover
}
