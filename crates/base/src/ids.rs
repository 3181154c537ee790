//! Ids and tables that only their own id can index.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};

/// A small number that names one thing of one kind. Made with [`id!`](crate::id).
pub trait Id: Copy + Eq + 'static {
    /// The id with this position.
    fn new(index: usize) -> Self;
    /// Its position in a table.
    fn index(self) -> usize;
}

/// Declares id types: `id! { /// One operator. pub struct OpId; }`.
#[macro_export]
macro_rules! id {
    ($($(#[$meta:meta])* pub struct $name:ident;)*) => {$(
        $(#[$meta])*
        #[allow(unreachable_pub, reason = "tests declare ids of their own")]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $crate::Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                debug_assert!(index <= u32::MAX as usize);
                $name(index as u32)
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )*};
}

/// A vector that only `I` can index: `cost[op]` compiles, `cost[fact]` does not.
pub struct IdVec<I, T> {
    items: Vec<T>,
    key: PhantomData<fn(I)>,
}

impl<I, T> IdVec<I, T> {
    pub(crate) fn items(&self) -> &Vec<T> {
        &self.items
    }
}

impl<I: Id, T> IdVec<I, T> {
    /// An empty table.
    pub const fn new() -> Self {
        IdVec { items: Vec::new(), key: PhantomData }
    }

    /// `len` copies of `item`.
    pub fn filled(item: T, len: usize) -> Self
    where
        T: Clone,
    {
        vec![item; len].into()
    }

    /// Appends an item and returns its id.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::new(self.items.len() - 1)
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The item of an id, if the table reaches so far.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::new)
    }

    /// All items, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// All items, in order, to change.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// Ids with their items, in order.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, item)| (I::new(i), item))
    }

    /// The items without their key.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<I, T: std::hash::Hash> std::hash::Hash for IdVec<I, T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.items.hash(state);
    }
}

impl<I, T> From<Vec<T>> for IdVec<I, T> {
    fn from(items: Vec<T>) -> Self {
        IdVec { items, key: PhantomData }
    }
}

impl<I, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<'a, I, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<I, T> IntoIterator for IdVec<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<I: Id, T> Default for IdVec<I, T> {
    fn default() -> Self {
        IdVec::new()
    }
}

impl<I, T: Clone> Clone for IdVec<I, T> {
    fn clone(&self) -> Self {
        self.items.clone().into()
    }
}

impl<I, T: PartialEq> PartialEq for IdVec<I, T> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

impl<I, T: Eq> Eq for IdVec<I, T> {}

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.items.fmt(f)
    }
}

/// One short list per id, stored back to back: list `i` is `items[start[i]..start[i + 1]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdLists<I, T> {
    start: Vec<u32>,
    items: Vec<T>,
    key: PhantomData<fn(I)>,
}

impl<I: Id, T> IdLists<I, T> {
    /// No lists yet.
    pub fn new() -> Self {
        IdLists { start: vec![0], items: Vec::new(), key: PhantomData }
    }

    /// Appends a list and returns its id.
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) -> I {
        self.items.extend(list);
        self.start.push(self.items.len() as u32);
        I::new(self.start.len() - 2)
    }

    /// Sorts pairs into `len` lists by their id; within a list the order of the pairs is kept.
    pub fn from_pairs(len: usize, pairs: &[(I, T)]) -> Self
    where
        T: Clone,
    {
        let mut start = vec![0u32; len + 1];
        for (id, _) in pairs {
            start[id.index() + 1] += 1;
        }
        for i in 0..len {
            start[i + 1] += start[i];
        }
        let mut order = vec![0u32; pairs.len()];
        let mut next = start.clone();
        for (i, (id, _)) in pairs.iter().enumerate() {
            order[next[id.index()] as usize] = i as u32;
            next[id.index()] += 1;
        }
        let items = order.iter().map(|&i| pairs[i as usize].1.clone()).collect();
        IdLists { start, items, key: PhantomData }
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    fn range(&self, id: I) -> Range<usize> {
        self.start[id.index()] as usize..self.start[id.index() + 1] as usize
    }

    /// All lists, in order of their ids.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        self.start.windows(2).map(|w| &self.items[w[0] as usize..w[1] as usize])
    }
}

impl<I: Id, T> Default for IdLists<I, T> {
    fn default() -> Self {
        IdLists::new()
    }
}

impl<I: Id, T> Index<I> for IdLists<I, T> {
    type Output = [T];
    #[inline]
    fn index(&self, id: I) -> &[T] {
        &self.items[self.range(id)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    id! {
        /// For the tests.
        pub struct Key;
    }

    #[test]
    fn lists_from_pairs_keep_order() {
        let key = Key::new;
        let lists = IdLists::from_pairs(3, &[(key(2), 'a'), (key(0), 'b'), (key(2), 'c')]);
        assert_eq!(&lists[key(0)], &['b']);
        assert!(lists[key(1)].is_empty());
        assert_eq!(&lists[key(2)], &['a', 'c']);
        assert_eq!(lists.len(), 3);
    }

    #[test]
    fn pushed_lists_come_back() {
        let mut lists = IdLists::new();
        let a: Key = lists.push([1, 2]);
        let b = lists.push([]);
        assert_eq!(&lists[a], &[1, 2]);
        assert!(lists[b].is_empty());
        assert_eq!(lists.iter().map(<[i32]>::len).collect::<Vec<_>>(), [2, 0]);
    }

    #[test]
    fn ids_index_their_table() {
        let mut table: IdVec<Key, &str> = IdVec::new();
        let id = table.push("x");
        assert_eq!(table[id], "x");
        assert_eq!(table.ids().collect::<Vec<_>>(), [id]);
    }
}
