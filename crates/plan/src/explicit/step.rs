//! From a state to the next, in packed form and up to symmetry.

use counterplay_base::IdVec;
use counterplay_task::{OpId, Task, Value, VarId, holds};

use super::packed::Layout;
use super::symmetry::Symmetries;

/// Computes successors of states of one task. The last one stays here until the next is asked for.
#[derive(Debug)]
pub(super) struct Stepper<'t> {
    task: &'t Task,
    symmetries: Option<Symmetries>,
    values: IdVec<VarId, Value>,
    words: Vec<u64>,
    applied: Vec<u32>,
}

impl<'t> Stepper<'t> {
    /// Prepares steps between the states of a task, without regard to symmetries.
    pub(super) fn new(task: &'t Task, layout: &Layout) -> Stepper<'t> {
        Stepper {
            task,
            symmetries: None,
            values: task.initial.clone(),
            words: vec![0; layout.words()],
            applied: Vec::new(),
        }
    }

    /// From now on, successors are replaced by states that are symmetric to them.
    pub(super) fn use_symmetries(&mut self, symmetries: Symmetries) {
        self.symmetries = Some(symmetries);
    }

    /// The symmetries in use.
    pub(super) fn symmetries(&self) -> Option<&Symmetries> {
        self.symmetries.as_ref()
    }

    /// Computes the successor of a state, given both unpacked and packed.
    pub(super) fn step(&mut self, layout: &Layout, state: &IdVec<VarId, Value>, packed: &[u64], op: OpId) {
        self.applied.clear();
        let effects = self.task.operators[op].effects.iter();
        let firing = effects.filter(|effect| holds(state, &effect.condition)).map(|effect| effect.fact);
        match &self.symmetries {
            None => {
                self.words.copy_from_slice(packed);
                firing.for_each(|fact| layout.set(&mut self.words, fact.var, fact.value));
            }
            Some(symmetries) => {
                self.values.clone_from(state);
                firing.for_each(|fact| self.values[fact.var] = fact.value);
                symmetries.canonicalize(&mut self.values, &mut self.applied);
                layout.pack(&self.values, &mut self.words);
            }
        }
    }

    pub(super) fn successor(&self) -> &[u64] {
        &self.words
    }

    /// The generators whose composition maps what the operator really leads to onto the last successor.
    pub(super) fn applied(&self) -> &[u32] {
        &self.applied
    }
}
