//! All facts of a task, numbered from 0 on: for tables with an entry for each fact.

use counterplay_base::{Id, IdVec};

use crate::{Fact, Task, Value, VarId};

/// The facts of a task, numbered by variable and then by value.
#[derive(Clone, Debug)]
pub struct FactNumbers {
    /// The number of each variable's first value.
    first: IdVec<VarId, u32>,
    count: u32,
}

impl FactNumbers {
    pub fn new(task: &Task) -> FactNumbers {
        let mut count = 0;
        let first = task.variables.ids().map(|var| {
            count += task.domain_size(var);
            count - task.domain_size(var)
        });
        let first = first.collect();
        FactNumbers { first, count }
    }

    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// The number of a fact.
    #[inline]
    pub fn of(&self, fact: Fact) -> usize {
        (self.first[fact.var] + fact.value) as usize
    }

    /// The fact with this number.
    pub fn fact(&self, number: usize) -> Fact {
        // The last variable that starts at or before the number; no variable is without values.
        let var = self.first.as_slice().partition_point(|&first| first as usize <= number) - 1;
        let var = VarId::new(var);
        Fact { var, value: number as Value - self.first[var] }
    }
}
