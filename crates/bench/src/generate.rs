//! Problems of any size, for growth curves.
//!
//! The same size and seed give the same text on every machine.

use std::fmt::Write;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A domain and a problem as texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pddl {
    /// The domain.
    pub domain: String,
    /// The problem.
    pub problem: String,
}

/// A robot with two hands and `balls` balls to carry to the other room. The optimal cost is
/// [`gripper_cost`].
pub fn gripper(balls: usize) -> Pddl {
    let list = |text: fn(usize) -> String| (1..=balls).map(text).collect::<Vec<_>>().join(" ");
    let problem = format!(
        "(define (problem gripper-{balls})\n  (:domain gripper)\n  (:objects kitchen hall - room left right - hand\n    \
         {} - ball)\n  (:init (robot-in kitchen) (empty left) (empty right)\n    {})\n  (:goal (and {})))\n",
        list(|i| format!("b{i}")),
        list(|i| format!("(ball-in b{i} kitchen)")),
        list(|i| format!("(ball-in b{i} hall)")),
    );
    Pddl { domain: include_str!("../../../examples/gripper/domain.pddl").to_owned(), problem }
}

/// The optimal cost of [`gripper`]: a grasp and a release for each ball, and a walk there for each pair, back
/// again but for the last.
pub fn gripper_cost(balls: usize) -> usize {
    let trips = balls.div_ceil(2);
    2 * balls + (2 * trips).saturating_sub(1)
}

/// `blocks` blocks in random towers that are to become other random towers.
pub fn blocks(blocks: usize, seed: u64) -> Pddl {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ (blocks as u64) << 32);
    let (start, goal) = (towers(blocks, &mut rng), towers(blocks, &mut rng));
    let mut problem = format!("(define (problem blocks-{blocks}-{seed})\n  (:domain blocks)\n  (:objects");
    for block in 1..=blocks {
        let _ = write!(problem, " b{block}");
    }
    problem.push_str(")\n  (:init (hand-free)");
    for tower in &start {
        let _ = write!(problem, "\n    {}", stacked(tower));
        if let Some(top) = tower.last() {
            let _ = write!(problem, " (clear b{top})");
        }
    }
    problem.push_str(")\n  (:goal (and");
    for tower in &goal {
        let _ = write!(problem, "\n    {}", stacked(tower));
    }
    problem.push_str(")))\n");
    Pddl { domain: include_str!("../../../examples/blocks/domain.pddl").to_owned(), problem }
}

/// Splits a random order of the blocks at random places; each tower from the bottom.
fn towers(blocks: usize, rng: &mut ChaCha8Rng) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (1..=blocks).collect();
    order.shuffle(rng);
    let mut towers: Vec<Vec<usize>> = Vec::new();
    for block in order {
        match towers.last_mut() {
            // Towers of three on average: tall enough to cover blocks that are needed, short enough to leave choices.
            Some(tower) if rng.random_ratio(2, 3) => tower.push(block),
            _ => towers.push(vec![block]),
        }
    }
    towers
}

/// The facts that make up one tower.
fn stacked(tower: &[usize]) -> String {
    let mut text = tower.first().map(|bottom| format!("(on-table b{bottom})")).unwrap_or_default();
    for pair in tower.windows(2) {
        let _ = write!(text, " (on b{} b{})", pair[1], pair[0]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gripper_costs_follow_the_formula() {
        assert_eq!([1, 2, 3, 4, 8, 10].map(gripper_cost), [3, 5, 9, 11, 23, 29]);
        assert!(gripper(2).problem.contains("(ball-in b2 kitchen)"));
    }

    #[test]
    fn the_same_seed_gives_the_same_blocks() {
        assert_eq!(blocks(9, 3), blocks(9, 3));
        assert_ne!(blocks(9, 3), blocks(9, 4));
    }

    #[test]
    fn every_block_stands_once_in_each_state() {
        for seed in 0..50 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut all: Vec<usize> = towers(12, &mut rng).concat();
            all.sort_unstable();
            assert_eq!(all, (1..=12).collect::<Vec<_>>());
        }
    }
}
