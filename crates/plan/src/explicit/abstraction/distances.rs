//! Goal distances in an abstraction, and what they need of the operator costs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use counterplay_base::IdVec;
use counterplay_task::OpId;

use super::{Abstraction, UNREACHABLE};

impl Abstraction {
    /// The cost of the cheapest way from each abstract state to a goal (Dijkstra 1959).
    pub(super) fn distances(&self, costs: &IdVec<OpId, u32>) -> Vec<u32> {
        let class_costs: Vec<u32> =
            self.classes.iter().map(|ops| ops.iter().map(|&op| costs[op]).min().unwrap_or(0)).collect();
        let mut distances = vec![UNREACHABLE; self.states as usize];
        let mut queue: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        for &goal in &self.goals {
            distances[goal as usize] = 0;
            queue.push(Reverse((0, goal)));
        }
        while let Some(Reverse((distance, state))) = queue.pop() {
            if distance > distances[state as usize] {
                continue;
            }
            for transition in self.into(state) {
                let via = distance + class_costs[transition.class as usize];
                if via < distances[transition.from as usize] {
                    distances[transition.from as usize] = via;
                    queue.push(Reverse((via, transition.from)));
                }
            }
        }
        distances
    }

    /// Takes from the costs what the distances need: for each operator the most by which one of its transitions comes closer to the goal.
    pub(super) fn saturate(&self, distances: &[u32], costs: &mut IdVec<OpId, u32>) {
        let needed = self.needed(distances);
        for (ops, &needed) in self.classes.iter().zip(&needed) {
            for &op in ops {
                costs[op] -= needed;
            }
        }
    }

    /// What the distances need of the costs of all operators together.
    pub(super) fn stolen(&self, distances: &[u32]) -> u64 {
        let needed = self.needed(distances);
        self.classes.iter().zip(&needed).map(|(ops, &needed)| ops.len() as u64 * u64::from(needed)).sum()
    }

    fn needed(&self, distances: &[u32]) -> Vec<u32> {
        let mut needed = vec![0u32; self.classes.len()];
        for transition in &self.transitions {
            let (from, to) = (distances[transition.from as usize], distances[transition.to as usize]);
            if to != UNREACHABLE && from != UNREACHABLE {
                let own = &mut needed[transition.class as usize];
                *own = from.saturating_sub(to).max(*own);
            }
        }
        needed
    }
}
