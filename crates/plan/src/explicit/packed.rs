//! States as packed words.
//!
//! Each plain variable takes as few bits as its domain needs and never straddles two words. Derived variables
//! are not stored: they follow from the others.

use counterplay_base::IdVec;
use counterplay_task::{Fact, Task, Value, VarId};

/// Where each variable lies within the words of a state; derived and constant ones lie nowhere.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    slots: IdVec<VarId, Option<Slot>>,
    words: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    word: u32,
    shift: u32,
    mask: u64,
}

impl Layout {
    /// Places the variables of a task, the widest first.
    pub(super) fn new(task: &Task) -> Layout {
        let width = |var: VarId| Value::BITS - (task.domain_size(var).max(1) - 1).leading_zeros();
        // A variable with a single value needs no place either.
        let is_stored = |&var: &VarId| task.variables[var].derived.is_none() && width(var) > 0;
        let mut order: Vec<VarId> = task.variables.ids().filter(is_stored).collect();
        order.sort_by_key(|&var| std::cmp::Reverse(width(var)));
        let mut slots = IdVec::filled(None, task.variables.len());
        let mut free: Vec<u32> = Vec::new();
        // Words before this one are full but for a few bits: looking at them for each of many thousand
        // variables would be quadratic.
        let mut first = 0;
        for var in order {
            let width = width(var);
            let word = match (first..free.len()).find(|&word| free[word] >= width) {
                Some(word) => word,
                None => {
                    free.push(u64::BITS);
                    free.len() - 1
                }
            };
            free[word] -= width;
            slots[var] = Some(Slot { word: word as u32, shift: free[word], mask: (1u64 << width) - 1 });
            first = first.max(free.len().saturating_sub(8));
        }
        Layout { slots, words: free.len().max(1) }
    }

    /// Number of words of a state.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Gives a variable its value, if it is stored.
    #[inline]
    pub(super) fn set(&self, words: &mut [u64], var: VarId, value: Value) {
        if let Some(slot) = self.slots[var] {
            let word = &mut words[slot.word as usize];
            *word = (*word & !(slot.mask << slot.shift)) | (u64::from(value) << slot.shift);
        }
    }

    /// Packs a whole state.
    pub(super) fn pack(&self, values: &IdVec<VarId, Value>, words: &mut [u64]) {
        words.fill(0);
        for (var, &value) in values.enumerate() {
            self.set(words, var, value);
        }
    }

    /// Unpacks the stored variables; the others keep whatever value they have.
    pub(super) fn unpack(&self, words: &[u64], values: &mut IdVec<VarId, Value>) {
        for (slot, value) in self.slots.iter().zip(values.iter_mut()) {
            if let Some(slot) = slot {
                *value = ((words[slot.word as usize] >> slot.shift) & slot.mask) as Value;
            }
        }
    }
}

/// A condition over packed states.
#[derive(Debug)]
pub(super) struct PackedCondition {
    /// Words with the bits that matter in them, and what these must be.
    words: Vec<(usize, u64, u64)>,
}

impl PackedCondition {
    /// Packs a condition. Facts about derived variables are left out: the packed condition is necessary, and
    /// sufficient if there are none.
    pub(super) fn new(layout: &Layout, facts: &[Fact]) -> PackedCondition {
        let (mut mask, mut bits) = (vec![0; layout.words], vec![0; layout.words]);
        for fact in facts {
            layout.set(&mut bits, fact.var, fact.value);
            if let Some(slot) = layout.slots[fact.var] {
                mask[slot.word as usize] |= slot.mask << slot.shift;
            }
        }
        let words = (0..layout.words).filter(|&i| mask[i] != 0).map(|i| (i, mask[i], bits[i])).collect();
        PackedCondition { words }
    }

    /// Whether the condition may hold in a state.
    #[inline]
    pub(super) fn holds(&self, state: &[u64]) -> bool {
        self.words.iter().all(|&(i, mask, bits)| state[i] & mask == bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::Id;
    use counterplay_testkit::{random_task, reachable};

    #[test]
    fn unpacking_undoes_packing() {
        for seed in 0..100 {
            let task = random_task(seed);
            let layout = Layout::new(&task);
            let mut words = vec![0; layout.words()];
            for state in reachable(&task) {
                layout.pack(&state, &mut words);
                let mut back = state.clone();
                for (var, variable) in task.variables.enumerate() {
                    if variable.derived.is_none() {
                        back[var] = Value::MAX;
                    }
                }
                layout.unpack(&words, &mut back);
                assert_eq!(back, state, "seed {seed}");
            }
        }
    }

    #[test]
    fn packed_goals_agree_with_plain_ones() {
        for seed in 0..100 {
            let task = random_task(seed);
            let layout = Layout::new(&task);
            let goal = PackedCondition::new(&layout, &task.goal);
            let mut words = vec![0; layout.words()];
            let plain: Vec<Fact> =
                task.goal.iter().copied().filter(|fact| task.variables[fact.var].derived.is_none()).collect();
            for state in reachable(&task) {
                layout.pack(&state, &mut words);
                assert_eq!(goal.holds(&words), counterplay_task::holds(&state, &plain), "seed {seed}");
            }
        }
    }

    #[test]
    fn constants_take_no_room() {
        let mut task = random_task(0);
        for (variable, value) in task.variables.iter_mut().zip(task.initial.iter_mut()) {
            variable.values.truncate(1);
            *value = 0;
        }
        let layout = Layout::new(&task);
        let mut words = vec![0; layout.words()];
        layout.pack(&task.initial, &mut words);
        let mut back = task.initial.clone();
        layout.unpack(&words, &mut back);
        assert_eq!(back, task.initial);
    }

    #[test]
    fn wide_states_take_several_words() {
        let mut task = random_task(0);
        for i in 0..100 {
            let mut variable = task.variables[VarId::new(0)].clone();
            variable.derived = None;
            variable.values = (0..=i).map(|value| value.to_string()).collect();
            task.variables.push(variable);
            task.initial.push(i);
        }
        let layout = Layout::new(&task);
        assert!(layout.words() > 5);
        let mut words = vec![0; layout.words()];
        layout.pack(&task.initial, &mut words);
        let mut back = task.initial.clone();
        back.iter_mut().for_each(|value| *value = 0);
        layout.unpack(&words, &mut back);
        for (var, variable) in task.variables.enumerate() {
            if variable.derived.is_none() {
                assert_eq!(back[var], task.initial[var]);
            }
        }
    }
}
