//! Landmarks that the search remembers.
//!
//! A landmark is stored once however many states know it: the list of a state names landmarks by number, and a
//! child's list repeats those of its parent that the step between them leaves valid.

use std::num::NonZeroU32;
use std::ops::Range;

use counterplay_base::{Id, id};

use super::relaxed::GroupId;

id! {
    pub struct LandmarkId;
}

/// The landmarks of one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ListId(NonZeroU32);

/// All landmarks and all lists of them.
#[derive(Debug)]
pub(super) struct Landmarks {
    /// The groups of landmark `i` are `groups[start[i]..start[i + 1]]`.
    start: Vec<u32>,
    groups: Vec<GroupId>,
    cost: Vec<u32>,
    /// The landmarks of list `i` are `entries[list_start[i - 1]..list_start[i]]`.
    list_start: Vec<u32>,
    entries: Vec<LandmarkId>,
}

impl Landmarks {
    pub(super) fn new() -> Landmarks {
        Landmarks {
            start: vec![0],
            groups: Vec::new(),
            cost: Vec::new(),
            list_start: vec![0],
            entries: Vec::new(),
        }
    }

    /// Stores a landmark and appends it to the list under construction.
    pub(super) fn append_new(&mut self, groups: &[GroupId], cost: u32) {
        self.groups.extend_from_slice(groups);
        self.start.push(self.groups.len() as u32);
        self.cost.push(cost);
        self.entries.push(LandmarkId::new(self.cost.len() - 1));
    }

    /// Appends a known landmark to the list under construction.
    pub(super) fn append_known(&mut self, landmark: LandmarkId) {
        self.entries.push(landmark);
    }

    /// Forgets the list under construction, though not its landmarks.
    pub(super) fn abandon_list(&mut self) {
        self.entries.truncate(self.list_start[self.list_start.len() - 1] as usize);
    }

    /// Ends the list under construction.
    pub(super) fn finish_list(&mut self) -> ListId {
        self.list_start.push(self.entries.len() as u32);
        let number = NonZeroU32::new(self.list_start.len() as u32 - 1);
        ListId(number.expect("the first list has number one"))
    }

    /// The landmarks of a list, as positions in the store.
    pub(super) fn range(&self, list: ListId) -> Range<usize> {
        let list = list.0.get() as usize;
        self.list_start[list - 1] as usize..self.list_start[list] as usize
    }

    /// The landmark at a position of some list.
    pub(super) fn entry(&self, position: usize) -> LandmarkId {
        self.entries[position]
    }

    /// The groups and the cost of a landmark.
    pub(super) fn get(&self, landmark: LandmarkId) -> (&[GroupId], u32) {
        let i = landmark.index();
        (&self.groups[self.start[i] as usize..self.start[i + 1] as usize], self.cost[i])
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        let words = self.start.len() + self.groups.len() + self.cost.len();
        (words + self.list_start.len() + self.entries.len()) * size_of::<u32>()
    }
}
