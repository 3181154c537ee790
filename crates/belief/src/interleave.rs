//! State estimation and search at the same time.
//!
//! The states come one by one from a depth-first estimation and are added to the proof tree of GL-DBU as they come. Once
//! the states so far admit no plan, neither does the whole belief state, and the rest of it need not be known (Russell
//! and Wolfe 2005, section 7).

use counterplay_base::{Budget, Verdict};

use crate::algorithm::Answer;
use crate::incremental::{Breadth, search_stream};
use crate::world::HiddenWorld;

/// Looks for a plan for all states of a stream, and counts those that were needed.
pub fn solve_while_estimating<W: HiddenWorld>(
    world: &W,
    states: impl Iterator<Item = W::State>,
    depth: usize,
    budget: &Budget,
) -> (Answer<W>, usize) {
    let mut needed = 0;
    let counted = states.inspect(|_| needed += 1);
    let (found, effort) = search_stream(world, counted, depth, (Breadth::Second, true, true), budget);
    let verdict = match found {
        Ok(Some(plan)) => Verdict::Solved(plan),
        Ok(None) => Verdict::Unsolvable,
        Err(limit) => Verdict::Stopped(limit),
    };
    (Answer { verdict, effort }, needed)
}
