//! Playing from a solution.
//!
//! A move that keeps the value is never hard to find; among those we take one after which the others can go wrong.
//! Kissmann 2012, section 11.3.4, keeps away from the end of the game for that; we count how many replies would be
//! mistakes, and what they would bring.

use super::oracle::Oracle;
use super::propnet_search::MoveEstimate;
use super::walk::{View, Walker};

/// At most so many positions are looked at for one choice.
const LOOKS: usize = 4000;

/// A move out of a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolvedMove {
    pub a_move: u32,
    /// What it is worth against the best play of the others, from 0 to 1.
    pub value: f32,
    /// What it is worth on average if the others reply at random.
    pub hope: f32,
}

/// The best move of a role in a position that the oracle knows; `None` if it does not know enough.
pub fn choose(
    walker: &mut Walker,
    oracle: &dyn Oracle,
    position: &[u64],
    role: usize,
    estimates: &[MoveEstimate],
) -> Option<SolvedMove> {
    let view = walker.view(position);
    if view.is_over {
        return None;
    }
    let most = walker.most()[role];
    let mut looks = 0;
    let mut best: Option<(SolvedMove, bool, f32)> = None;
    for &own in &view.legal[role] {
        let mut value = f32::INFINITY;
        let mut hope = 0.0;
        let mut count = 0.0;
        let mut all_end = true;
        for joint in joint_moves(&view, Some((role, own))) {
            let next = walker.next(position, &joint);
            let worth = oracle.rewards(&next)?[role];
            value = value.min(worth);
            let after = walker.view(&next);
            all_end &= after.is_over;
            count += 1.0;
            looks += 1;
            hope += match after.is_over || worth >= most || looks > LOOKS {
                true => worth,
                false => mean_reply(walker, oracle, &next, &after, role, &mut looks).unwrap_or(worth),
            };
        }
        let found = SolvedMove { a_move: own, value, hope: hope / count };
        // What is won is ended, everything else is drawn out.
        let ends_well = all_end == (value >= most);
        let estimate =
            estimates.iter().find(|estimate| estimate.a_move == own).and_then(|estimate| estimate.mean);
        let candidate = (found, ends_well, estimate.unwrap_or(0.0));
        let key = |&(found, ends_well, estimate): &(SolvedMove, bool, f32)| {
            (found.value, found.hope, f32::from(u8::from(ends_well)), estimate)
        };
        if best.as_ref().is_none_or(|best| key(&candidate) > key(best)) {
            best = Some(candidate);
        }
    }
    best.map(|(found, ..)| found)
}

/// What a position is worth if all roles move at random, and the solution is played afterwards.
fn mean_reply(
    walker: &mut Walker,
    oracle: &dyn Oracle,
    position: &[u64],
    view: &View,
    role: usize,
    looks: &mut usize,
) -> Option<f32> {
    if view.legal.iter().enumerate().all(|(other, own)| other == role || own.len() == 1) {
        // It is our own turn again: no opponent can go wrong.
        return None;
    }
    let mut sum = 0.0;
    let mut count = 0.0;
    for joint in joint_moves(view, None) {
        *looks += 1;
        if *looks > LOOKS {
            break;
        }
        let next = walker.next(position, &joint);
        sum += oracle.rewards(&next)?[role];
        count += 1.0;
    }
    (count > 0.0).then(|| sum / count)
}

/// All joint moves, with the move of one role fixed or not.
fn joint_moves(view: &View, fixed: Option<(usize, u32)>) -> Vec<Vec<u32>> {
    let mut joint: Vec<Vec<u32>> = vec![Vec::new()];
    for (role, own) in view.legal.iter().enumerate() {
        let own = match fixed {
            Some((fixed, a_move)) if fixed == role => vec![a_move],
            _ => own.clone(),
        };
        joint = joint
            .iter()
            .flat_map(|begun| own.iter().map(move |&next| [begun.as_slice(), &[next]].concat()))
            .take(LOOKS)
            .collect();
    }
    joint
}
