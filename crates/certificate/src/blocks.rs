//! Closed states in blocks of variables.
//!
//! Many closed states agree on most of their variables. So the variables are cut into blocks, and what the states have in a block, a
//! *pattern*, gets a name of its own: a state is then a handful of patterns instead of a long list of facts, and what a step does to a pattern is proved once
//! for all states that have it.

use counterplay_base::IdVec;
use counterplay_task::{Task, Value, VarId};
use rustc_hash::FxHashMap;

use crate::invariant::Invariant;

/// The variables in blocks, and the patterns of the closed states.
#[derive(Debug)]
pub(crate) struct Blocks {
    pub(crate) members: Vec<Vec<VarId>>,
    pub(crate) of: IdVec<VarId, usize>,
    pub(crate) patterns: Vec<Pattern>,
    /// The patterns of all states one after the other, one for each block.
    in_states: Vec<u32>,
}

/// Values for the variables of a block.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) block: usize,
    pub(crate) values: Vec<Value>,
}

/// Fewer states are written one by one.
const FEW_STATES: usize = 64;
/// A block ends before there is a pattern for each so many states.
const STATES_PER_PATTERN: usize = 16;
/// The most variables of a block.
const MOST_MEMBERS: usize = 16;

impl Blocks {
    /// Cuts the variables into blocks, unless that is of no use: few states, or states that have little in common. Effects with conditions
    /// could look at other blocks; there are none for them.
    pub(crate) fn new(task: &Task, invariant: &Invariant) -> Option<Blocks> {
        let states = &invariant.states;
        if states.len() < FEW_STATES || task.has_conditional_effects() {
            return None;
        }
        let most = states.len() / STATES_PER_PATTERN;
        let mut members: Vec<Vec<VarId>> = Vec::new();
        let mut classes: Vec<Vec<u32>> = Vec::new();
        for var in task.variables.ids() {
            let values = || states.iter().map(|state| state.values[var]);
            let longer = members.last().zip(classes.last()).filter(|(block, _)| block.len() < MOST_MEMBERS);
            let longer = longer.map(|(_, class)| refine(class.iter().copied().zip(values())));
            match longer {
                Some((class, count)) if count <= most => {
                    members.last_mut()?.push(var);
                    *classes.last_mut()? = class;
                }
                _ => {
                    members.push(vec![var]);
                    classes.push(refine(std::iter::repeat(0).zip(values())).0);
                }
            }
        }
        if members.len() * 2 > task.variables.len() {
            return None;
        }
        let mut blocks = Blocks {
            of: IdVec::filled(0, task.variables.len()),
            in_states: vec![0; states.len() * members.len()],
            patterns: Vec::new(),
            members,
        };
        for (block, class) in classes.into_iter().enumerate() {
            blocks.add(block, &class, invariant);
        }
        Some(blocks)
    }

    /// Adds the patterns of a block, for states by their class.
    fn add(&mut self, block: usize, class: &[u32], invariant: &Invariant) {
        let (first, count) = (self.patterns.len(), self.members.len());
        for &var in &self.members[block] {
            self.of[var] = block;
        }
        for (i, (state, &class)) in invariant.states.iter().zip(class).enumerate() {
            // Classes are numbered in the order in which they come first.
            let number = first + class as usize;
            if number == self.patterns.len() {
                let values = self.members[block].iter().map(|&var| state.values[var]).collect();
                self.patterns.push(Pattern { block, values });
            }
            self.in_states[i * count + block] = number as u32;
        }
    }

    /// The patterns of a closed state, one for each block.
    pub(crate) fn of_state(&self, state: usize) -> &[u32] {
        &self.in_states[state * self.members.len()..][..self.members.len()]
    }

    /// The facts of a pattern.
    pub(crate) fn facts(&self, pattern: u32) -> impl Iterator<Item = counterplay_task::Fact> + '_ {
        let Pattern { block, values } = &self.patterns[pattern as usize];
        self.members[*block].iter().zip(values).map(|(&var, &value)| counterplay_task::Fact { var, value })
    }
}

/// Numbers pairs in the order in which they come first; also how many there are.
fn refine(pairs: impl Iterator<Item = (u32, Value)>) -> (Vec<u32>, usize) {
    let mut numbers: FxHashMap<(u32, Value), u32> = FxHashMap::default();
    let class = pairs
        .map(|pair| {
            let next = numbers.len() as u32;
            *numbers.entry(pair).or_insert(next)
        })
        .collect();
    (class, numbers.len())
}
