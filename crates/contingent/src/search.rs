//! Finding a strong plan: greedy dives and exhaustive expansion in turn.
//!
//! A *dive* is a greedy best-first search from one belief state over actions that tell nothing new. An action that splits the
//! belief state is a candidate beside the belief states, as good as its worst part; when its turn comes, a dive is made
//! into each part. A dive into a part is given up when its estimates have not improved for a number of steps, which grows each time the
//! same part fails; all dives together have a number of steps to spend. Beside them the graph is expanded breadth first with
//! the same number of steps: when nothing is left to expand, every label is final.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use counterplay_base::{Limit, Progress, Report};
use rustc_hash::FxHashSet;

use crate::graph::Graph;
use crate::space::BeliefSpace;

/// The steps of all dives in the first round.
const FIRST: u64 = 5000;
/// The steps without progress after which a first dive into a part is given up.
const PATIENCE: u64 = 200;
/// So many steps without progress a part that failed counts.
const FAILURE: u64 = 20;
/// Parts of parts are followed down to this depth.
const DEEPEST: usize = 2000;

/// What may be looked at next in a dive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Candidate {
    /// A belief state; the edges before `from` have been taken up.
    Node { node: u32, from: u32 },
    /// An edge with several parts, and how often dives into them have failed.
    Split { node: u32, edge: u32, failures: u32 },
}

/// Estimate, size of the belief state, order of discovery.
type Priority = (u64, u64, u64);

pub(crate) struct Search<'g, 't, S: BeliefSpace> {
    pub(crate) graph: &'g mut Graph<'t, S>,
    /// Where dives are under way.
    active: FxHashSet<u32>,
    discovered: u64,
    progress: &'g dyn Progress,
}

impl<'g, 't, S: BeliefSpace> Search<'g, 't, S> {
    pub(crate) fn new(graph: &'g mut Graph<'t, S>, progress: &'g dyn Progress) -> Self {
        Search { graph, active: FxHashSet::default(), discovered: 0, progress }
    }

    /// Whether the initial belief state has a strong plan.
    pub(crate) fn strong(&mut self) -> Result<bool, Limit> {
        let mut steps = FIRST;
        let mut next = 0;
        loop {
            let mut left = steps;
            self.dive(0, &mut left, u64::MAX, 0)?;
            if self.graph.is_solved(0) {
                return Ok(true);
            }
            self.report();
            for _ in 0..steps {
                if next == self.graph.nodes.len() || self.graph.is_solved(0) {
                    return Ok(self.graph.is_solved(0));
                }
                self.graph.expand(next as u32)?;
                next += 1;
            }
            steps *= 2;
        }
    }

    /// Expands everything that can be met.
    pub(crate) fn exhaust(&mut self) -> Result<(), Limit> {
        let mut next = 0;
        while next < self.graph.nodes.len() {
            self.graph.expand(next as u32)?;
            next += 1;
        }
        Ok(())
    }

    fn report(&self) {
        let counts =
            [("belief states", self.graph.nodes.len() as f64), ("expanded", self.graph.expanded as f64)];
        self.progress.report(Report { phase: "belief states", counts: &counts });
    }

    /// Looks for a plan from a belief state, with so many steps at most and so many without progress.
    fn dive(&mut self, start: u32, steps: &mut u64, patience: u64, depth: usize) -> Result<(), Limit> {
        if self.graph.is_solved(start) || self.graph.is_dead(start) || depth > DEEPEST {
            return Ok(());
        }
        self.active.insert(start);
        let result = self.best_first(start, steps, patience, depth);
        self.active.remove(&start);
        result
    }

    fn best_first(&mut self, start: u32, steps: &mut u64, patience: u64, depth: usize) -> Result<(), Limit> {
        let mut open: BinaryHeap<Reverse<(Priority, Candidate)>> = BinaryHeap::new();
        let mut met = FxHashSet::default();
        let estimate = self.graph.nodes[start as usize].estimate.unwrap_or(u32::MAX);
        open.push(Reverse(((u64::from(estimate), 0, 0), Candidate::Node { node: start, from: 0 })));
        met.insert(start);
        let (mut best, mut idle) = (u64::MAX, 0);
        while let Some(Reverse(((estimate, ..), candidate))) = open.pop() {
            if *steps == 0 || idle > patience || self.graph.is_solved(start) {
                return Ok(());
            }
            *steps -= 1;
            idle += 1;
            if estimate < best {
                (best, idle) = (estimate, 0);
            }
            match candidate {
                Candidate::Node { node, from } => {
                    let has_more = self.graph.expand_some(node)?;
                    let own = &self.graph.nodes[node as usize];
                    let (edges, estimate, size) = (own.edges.len() as u32, own.estimate, own.size);
                    for edge in from..edges {
                        if let Some(entry) = self.candidate(node, edge, &mut met) {
                            open.push(Reverse(entry));
                        }
                    }
                    if has_more {
                        self.discovered += 1;
                        let priority = (u64::from(estimate.unwrap_or(u32::MAX)), size, self.discovered);
                        open.push(Reverse((priority, Candidate::Node { node, from: edges })));
                    }
                }
                Candidate::Split { node, edge, failures } => {
                    if !self.parts(node, edge, failures, steps, depth)? {
                        idle += FAILURE;
                        let failures = failures + 1;
                        let (estimate, size) = self.worst(node, edge);
                        self.discovered += 1;
                        let priority = ((estimate + 1) << failures.min(20), size, self.discovered);
                        open.push(Reverse((priority, Candidate::Split { node, edge, failures })));
                    }
                }
            }
        }
        Ok(())
    }

    /// The candidate that an edge gives; `None` if there is nothing new in it.
    fn candidate(&mut self, node: u32, edge: u32, met: &mut FxHashSet<u32>) -> Option<(Priority, Candidate)> {
        let next = &self.graph.nodes[node as usize].edges[edge as usize].next;
        if next.iter().any(|(_, part)| self.active.contains(part)) {
            return None;
        }
        let candidate = match next[..] {
            [(_, only)] if met.insert(only) => Candidate::Node { node: only, from: 0 },
            [_] => return None,
            _ => Candidate::Split { node, edge, failures: 0 },
        };
        let (estimate, size) = self.worst(node, edge);
        self.discovered += 1;
        Some(((estimate, size, self.discovered), candidate))
    }

    /// Estimate and size of the worst part of an edge that is not solved.
    fn worst(&self, node: u32, edge: u32) -> (u64, u64) {
        let parts = &self.graph.nodes[node as usize].edges[edge as usize].next;
        let open = parts.iter().map(|&(_, part)| &self.graph.nodes[part as usize]);
        let open = open.filter(|part| part.label == crate::graph::Label::Open);
        open.map(|part| (u64::from(part.estimate.unwrap_or(u32::MAX)), part.size)).max().unwrap_or((0, 0))
    }

    /// Dives into the parts of an edge; whether all are solved.
    fn parts(
        &mut self,
        node: u32,
        edge: u32,
        failures: u32,
        steps: &mut u64,
        depth: usize,
    ) -> Result<bool, Limit> {
        let edge = &self.graph.nodes[node as usize].edges[edge as usize];
        let mut parts: Vec<u32> = edge.next.iter().map(|&(_, part)| part).collect();
        // The part that looks best is cheap to try, and labels met on the way help the others.
        parts.sort_by_key(|&part| (self.graph.nodes[part as usize].estimate, part));
        for part in parts {
            if self.active.contains(&part) {
                return Ok(false);
            }
            self.dive(part, steps, PATIENCE << failures.min(40), depth + 1)?;
            if !self.graph.is_solved(part) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
