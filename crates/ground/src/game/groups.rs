//! Groups of fluents of which at most one holds in any state that can be reached: proved by induction.
//!
//! The candidates are families: the fluents of one functor that differ in one or two arguments only, such as the
//! marks of a cell or the places of a piece. All are assumed at first. A group stays if at most one of its fluents holds
//! at the beginning and no two of them can hold after a joint move of legal moves in a state in which all assumptions
//! hold and the game is not over; a family with a group that fails is dropped, until no more fail. What is left is
//! proved, all together. Kissmann 2012, section 10.1, takes such groups from random play, without a proof.

use counterplay_base::{Budget, Id, Limit};
use rustc_hash::{FxHashMap, FxHashSet};

use super::model::{FluentId, Game};
use super::refute::Refuter;

/// Literals that the proof of all groups may look at in one round.
const MOST_WORK: u64 = 30_000_000;
/// Literals that all rounds together may look at before the proof gives up.
const MOST_WORK_IN_ALL: u64 = 150_000_000;
/// Larger groups are not tried: their pairs take too long.
const MOST_FLUENTS: usize = 2000;

/// A group of candidates, and the family that stands and falls with it.
struct Candidate {
    fluents: Vec<FluentId>,
    family: usize,
}

/// All groups that are proved, greatest first; none is part of another.
pub(super) fn prove(game: &Game, budget: &Budget) -> Result<Vec<Vec<FluentId>>, Limit> {
    let candidates = candidates(game);
    let families = candidates.iter().map(|candidate| candidate.family + 1).max().unwrap_or(0);
    let mut is_dropped = vec![false; families];
    let family: Vec<usize> = candidates.iter().map(|candidate| candidate.family).collect();
    let mut refuter = Refuter::new(game, candidates.into_iter().map(|candidate| candidate.fluents).collect());
    let allowed = MOST_WORK / families.max(1) as u64;
    let mut is_stable = false;
    while !is_stable && refuter.work < MOST_WORK_IN_ALL {
        is_stable = true;
        let mut used = vec![0u64; families];
        if !refuter.reset(&[(game.terminal, false)]) {
            // There is no state in which the game goes on, so nothing ever changes.
            break;
        }
        for number in 0..family.len() {
            let own = family[number];
            if is_dropped[own] {
                continue;
            }
            budget.check()?;
            let before = refuter.work;
            refuter.limit = before + allowed - used[own].min(allowed);
            let stays = is_kept(game, &mut refuter, number);
            refuter.limit = u64::MAX;
            used[own] += refuter.work - before;
            if !stays || used[own] > allowed {
                is_dropped[own] = true;
                is_stable = false;
                for other in (0..family.len()).filter(|&other| family[other] == own) {
                    refuter.drop_group(other);
                }
            }
        }
    }
    if !is_stable {
        return Ok(Vec::new());
    }
    let mut groups: Vec<Vec<FluentId>> = (0..family.len())
        .filter(|&number| refuter.is_alive(number))
        .map(|number| refuter.group(number).to_vec())
        .collect();
    groups.sort_by_key(|group| (std::cmp::Reverse(group.len()), group[0]));
    Ok(without_parts(groups))
}

/// Whether at most one fluent of a group holds after any move.
fn is_kept(game: &Game, refuter: &mut Refuter<'_>, number: usize) -> bool {
    let fluents = refuter.group(number).to_vec();
    let start = refuter.mark();
    for (at, &first) in fluents.iter().enumerate() {
        if refuter.work > refuter.limit {
            return false;
        }
        if refuter.suppose(game.next[first]) {
            for &second in &fluents[at + 1..] {
                let next = game.next[second];
                if !refuter.is_false(next) && !refuter.is_impossible(&[(next, true)], start) {
                    refuter.undo(start);
                    return false;
                }
            }
        }
        refuter.undo(start);
    }
    true
}

/// Fluents that differ in one or two arguments, or in all of them, at most one of which holds at the beginning.
fn candidates(game: &Game) -> Vec<Candidate> {
    let mut found = Vec::new();
    let mut families: FxHashMap<(u32, usize, u32), usize> = FxHashMap::default();
    let mut places: FxHashMap<(usize, Vec<u32>), usize> = FxHashMap::default();
    for fluent in game.fluents.ids() {
        let (&functor, arguments) = game.terms[fluent].split_first().expect("a fluent has a name");
        let arity = arguments.len();
        let masks = (1u32..1 << arity.min(16)).filter(|mask| {
            let counted = mask.count_ones() as usize;
            counted <= 2 || counted == arity
        });
        // Fluents without arguments, such as `xcontrol` and `ocontrol`, make one family.
        let masks = masks.chain((arity == 0).then_some(0));
        for mask in masks {
            let name = if arity == 0 { 0 } else { functor };
            let number = families.len();
            let family = *families.entry((name, arity, mask)).or_insert(number);
            let rest = arguments.iter().enumerate().filter(|&(at, _)| at >= 16 || mask >> at & 1 == 0);
            let key = (family, rest.map(|(_, &term)| term).collect());
            let place = *places.entry(key).or_insert_with(|| {
                found.push(Candidate { fluents: Vec::new(), family });
                found.len() - 1
            });
            found[place].fluents.push(fluent);
        }
    }
    let initial: FxHashSet<FluentId> = game.initial.iter().copied().collect();
    found.retain(|candidate| {
        let held = candidate.fluents.iter().filter(|fluent| initial.contains(fluent)).count();
        held <= 1 && (2..=MOST_FLUENTS).contains(&candidate.fluents.len())
    });
    found
}

/// Drops groups that are part of a greater one. Groups come greatest first.
fn without_parts(groups: Vec<Vec<FluentId>>) -> Vec<Vec<FluentId>> {
    let mut kept: Vec<Vec<FluentId>> = Vec::new();
    let mut of: FxHashMap<FluentId, Vec<usize>> = FxHashMap::default();
    for group in groups {
        let is_part = of.get(&group[0]).is_some_and(|numbers| {
            numbers
                .iter()
                .any(|&number| group.iter().all(|fluent| kept[number].binary_search(fluent).is_ok()))
        });
        if !is_part {
            group.iter().for_each(|&fluent| of.entry(fluent).or_default().push(kept.len()));
            kept.push(group);
        }
    }
    kept
}

/// Whether some fluents take their turn, each in the state after the one before and in no other: a clock.
pub(super) fn clock(game: &Game, groups: &[Vec<FluentId>]) -> Option<Vec<FluentId>> {
    use super::model::{Literal, Signal};
    let before = |fluent: FluentId| match game.next[fluent] {
        Signal::Literal(literal) if literal.is_positive() && literal.atom().index() < game.fluents.len() => {
            Some(FluentId::new(literal.atom().index()))
        }
        _ => None,
    };
    groups.iter().find_map(|group| {
        let first = *game.initial.iter().find(|fluent| group.contains(fluent))?;
        let mut ticks = vec![first];
        while let Some(&last) = ticks.last() {
            let next = group.iter().copied().filter(|&fluent| before(fluent) == Some(last));
            match next.collect::<Vec<_>>()[..] {
                [next] if !ticks.contains(&next) => ticks.push(next),
                [] => break,
                _ => return None,
            }
        }
        // The first comes again after none of them, so no state is reached at two times.
        let never = |fluent: FluentId| {
            game.next[fluent] == Signal::Constant(false)
                || matches!(game.next[fluent], Signal::Literal(own)
                    if own == Literal::new(game.fluent(fluent), false))
        };
        let rest_is_off = group.iter().all(|&fluent| ticks[1..].contains(&fluent) || never(fluent));
        (ticks.len() == group.len() && ticks.len() > 2 && rest_is_off).then_some(ticks)
    })
}
