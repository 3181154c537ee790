//! What is still to be done, as a persistent list.
//!
//! Decomposition takes the first task off and puts its subtasks in front. With shared tails this costs no copy,
//! so an agenda can be kept at every choice point, in every branch of a policy, and by each of two players.
//! Searches that ask whether they have seen a state with the same agenda before use [`Networks`](crate::Networks),
//! which gives equal lists equal ids.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

/// Tasks to be done in this order. Cloning it is cheap; putting a task in front leaves clones as they were.
pub struct Agenda<T> {
    first: Option<Arc<Item<T>>>,
}

struct Item<T> {
    task: T,
    /// Number of items from this one on.
    len: usize,
    rest: Agenda<T>,
}

impl<T> Agenda<T> {
    pub const fn empty() -> Agenda<T> {
        Agenda { first: None }
    }

    /// Whether nothing is left to do.
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    pub fn len(&self) -> usize {
        self.first.as_ref().map_or(0, |item| item.len)
    }

    /// This agenda with one more task in front.
    pub fn then_after(&self, task: T) -> Agenda<T> {
        Agenda { first: Some(Arc::new(Item { task, len: self.len() + 1, rest: self.clone() })) }
    }

    /// This agenda with these tasks in front, the first of them foremost.
    pub fn after<I>(&self, tasks: I) -> Agenda<T>
    where
        I: IntoIterator<Item = T>,
        I::IntoIter: DoubleEndedIterator,
    {
        tasks.into_iter().rev().fold(self.clone(), |agenda, task| agenda.then_after(task))
    }

    /// The foremost task and what follows it.
    pub fn split_first(&self) -> Option<(&T, &Agenda<T>)> {
        self.first.as_deref().map(|item| (&item.task, &item.rest))
    }

    /// All tasks, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let (task, next) = rest.split_first()?;
            rest = next;
            Some(task)
        })
    }
}

impl<T> Clone for Agenda<T> {
    fn clone(&self) -> Self {
        Agenda { first: self.first.clone() }
    }
}

impl<T> Default for Agenda<T> {
    fn default() -> Self {
        Agenda::empty()
    }
}

impl<T> FromIterator<T> for Agenda<T> {
    fn from_iter<I: IntoIterator<Item = T>>(tasks: I) -> Self {
        Agenda::empty().after(Vec::from_iter(tasks))
    }
}

impl<T: PartialEq> PartialEq for Agenda<T> {
    fn eq(&self, other: &Self) -> bool {
        let (mut a, mut b) = (self, other);
        loop {
            match (&a.first, &b.first) {
                (None, None) => return true,
                // Shared tails need no further look.
                (Some(x), Some(y)) if Arc::ptr_eq(x, y) => return true,
                (Some(x), Some(y)) if x.len == y.len && x.task == y.task => (a, b) = (&x.rest, &y.rest),
                _ => return false,
            }
        }
    }
}

impl<T: Eq> Eq for Agenda<T> {}

impl<T: Hash> Hash for Agenda<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.iter().for_each(|task| task.hash(state));
    }
}

impl<T: fmt::Debug> fmt::Debug for Agenda<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Items without another owner are taken apart in a loop: the derived drop would recurse once per task.
impl<T> Drop for Agenda<T> {
    fn drop(&mut self) {
        let mut next = self.first.take();
        while let Some(item) = next {
            next = Arc::into_inner(item).and_then(|mut item| item.rest.first.take());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_come_off_in_order_and_clones_stay() {
        let whole = Agenda::from_iter([1, 2, 3]);
        let (first, rest) = whole.split_first().expect("three tasks");
        assert_eq!(*first, 1);
        let longer = rest.after([7, 8]);
        assert_eq!(longer.iter().copied().collect::<Vec<_>>(), [7, 8, 2, 3]);
        assert_eq!(whole.iter().copied().collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!((longer.len(), whole.len()), (4, 3));
        assert_eq!(longer, Agenda::from_iter([7, 8, 2, 3]));
        assert_ne!(longer, whole);
    }

    #[test]
    fn a_million_tasks_are_built_compared_and_dropped_without_recursion() {
        let one = Agenda::from_iter(0..1_000_000);
        let other = Agenda::from_iter(0..1_000_000);
        assert_eq!(one.len(), 1_000_000);
        assert!(one == other);
        let tail = one.split_first().map(|(_, rest)| rest.clone()).expect("not empty");
        drop(one);
        assert_eq!(tail.len(), 999_999);
    }
}
