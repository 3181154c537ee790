//! New states of a layer: sorted, freed of duplicates, merged; on disk where memory does not suffice.
//!
//! Delayed duplicate detection with external sorting (Korf 2003): a buffer of new words is sorted and merged into the words known so far. When these
//! take more than they may, they are written as a run; at the end the runs of a part are merged into its file.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs;
use std::path::PathBuf;

use counterplay_base::{Budget, Limit};

use crate::blocks::{BlockReader, BlockWriter, WordWriter};
use crate::error::ClusterError;
use crate::store::{Store, part_of};

/// New words that are sorted together, at least and at most; in between, half as many as are known.
const SMALLEST_CHUNK: usize = 1 << 16;
const LARGEST_CHUNK: usize = 1 << 23;
/// Words that are held at least, however small the memory is.
const LEAST_HELD: usize = 1 << 12;
/// Words of a block of a run.
const RUN_BLOCK: usize = 1 << 12;

/// The states of the next layer that a worker gets.
pub(crate) struct Collector {
    store: Store,
    budget: Budget,
    /// Which part of its own a part is: its number divided by the number of workers.
    workers: usize,
    new: Vec<u64>,
    known: Vec<Vec<u64>>,
    held: usize,
    /// Words that may be held.
    most: usize,
    runs: Vec<Vec<PathBuf>>,
    numbers: usize,
    worker: usize,
    /// Bytes of runs.
    pub(crate) spilled: u64,
}

impl Collector {
    pub(crate) fn new(
        store: &Store,
        worker: usize,
        workers: usize,
        most: usize,
        budget: &Budget,
    ) -> Collector {
        let own = (worker..store.parts).step_by(workers).count();
        Collector {
            store: store.clone(),
            budget: budget.clone(),
            workers,
            new: Vec::new(),
            known: vec![Vec::new(); own],
            held: 0,
            most: most.max(LEAST_HELD),
            runs: vec![Vec::new(); own],
            numbers: 0,
            worker,
            spilled: 0,
        }
    }

    /// Adds words of this worker.
    pub(crate) fn add(&mut self, words: &[u64]) -> Result<(), ClusterError> {
        self.new.extend_from_slice(words);
        let chunk = (self.held / 2).clamp(SMALLEST_CHUNK, LARGEST_CHUNK).min(self.most / 2);
        if self.new.len() >= chunk { self.merge() } else { Ok(()) }
    }

    /// Merges the new words with those known.
    fn merge(&mut self) -> Result<(), ClusterError> {
        self.new.sort_unstable();
        self.new.dedup();
        let parts = self.store.parts;
        let mut fresh: Vec<Vec<u64>> = vec![Vec::new(); self.known.len()];
        for &word in &self.new {
            fresh[part_of(word, parts) / self.workers].push(word);
        }
        self.new.clear();
        self.held = 0;
        for (known, fresh) in self.known.iter_mut().zip(fresh) {
            *known = merged(std::mem::take(known), fresh, &self.budget)?;
            self.held += known.len();
        }
        if self.held > self.most { self.spill() } else { Ok(()) }
    }

    /// Writes what is known as runs.
    fn spill(&mut self) -> Result<(), ClusterError> {
        for own in 0..self.known.len() {
            let words = std::mem::take(&mut self.known[own]);
            if words.is_empty() {
                continue;
            }
            let part = own * self.workers + self.worker;
            let path = self.store.run_path(part, self.numbers);
            self.numbers += 1;
            let writer = BlockWriter::create(&path, &self.store.run_head(part))?;
            let mut writer = WordWriter::new(writer, RUN_BLOCK);
            words.iter().try_for_each(|&word| writer.push(word))?;
            self.spilled += writer.finish(&())?;
            self.runs[own].push(path);
        }
        self.held = 0;
        Ok(())
    }

    /// Tells all words of an own part in ascending order, each once, and forgets them.
    pub(crate) fn finish(
        &mut self,
        own: usize,
        mut tell: impl FnMut(u64) -> Result<(), ClusterError>,
    ) -> Result<(), ClusterError> {
        if !self.new.is_empty() {
            self.merge()?;
        }
        let known = std::mem::take(&mut self.known[own]);
        let paths = std::mem::take(&mut self.runs[own]);
        if paths.is_empty() {
            return known.into_iter().try_for_each(tell);
        }
        let part = own * self.workers + self.worker;
        let mut runs = vec![Run { reader: None, words: known, at: 0 }];
        for path in &paths {
            let reader = BlockReader::open(path, &self.store.run_head(part))?;
            let reader = reader.ok_or_else(|| ClusterError::damaged(path, "it is missing"))?;
            runs.push(Run { reader: Some(reader), words: Vec::new(), at: 0 });
        }
        merge_runs(&mut runs, &self.budget, &mut tell)?;
        for path in &paths {
            fs::remove_file(path).map_err(|error| ClusterError::file("cannot remove", path, error))?;
        }
        Ok(())
    }
}

/// Words of a run, a block at a time.
struct Run {
    reader: Option<BlockReader>,
    words: Vec<u64>,
    at: usize,
}

impl Run {
    fn next(&mut self) -> Result<Option<u64>, ClusterError> {
        if self.at == self.words.len() {
            let Some(reader) = &mut self.reader else { return Ok(None) };
            if !reader.words(&mut self.words)? {
                self.reader = None;
                return Ok(None);
            }
            self.at = 0;
        }
        self.at += 1;
        Ok(Some(self.words[self.at - 1]))
    }
}

/// Merges sorted runs.
fn merge_runs(
    runs: &mut [Run],
    budget: &Budget,
    tell: &mut impl FnMut(u64) -> Result<(), ClusterError>,
) -> Result<(), ClusterError> {
    let mut heap = BinaryHeap::new();
    for (number, run) in runs.iter_mut().enumerate() {
        if let Some(word) = run.next()? {
            heap.push(Reverse((word, number)));
        }
    }
    let mut last = None;
    let mut poll = counterplay_base::BudgetPoll::every(1 << 16);
    while let Some(mut top) = heap.peek_mut() {
        poll.step(budget)?;
        let Reverse((word, number)) = *top;
        if last.replace(word) != Some(word) {
            tell(word)?;
        }
        match runs[number].next()? {
            Some(next) => *top = Reverse((next, number)),
            None => _ = std::collections::binary_heap::PeekMut::pop(top),
        }
    }
    Ok(())
}

/// Merges two ascending lists, each word once.
fn merged(known: Vec<u64>, new: Vec<u64>, budget: &Budget) -> Result<Vec<u64>, Limit> {
    if known.is_empty() || new.is_empty() {
        return Ok(if known.is_empty() { new } else { known });
    }
    budget.allow_bytes(8 * (known.len() + new.len()))?;
    let mut all = Vec::with_capacity(known.len() + new.len());
    let mut rest = new.into_iter().peekable();
    for state in known {
        while let Some(other) = rest.next_if(|&other| other < state) {
            all.push(other);
        }
        rest.next_if_eq(&state);
        all.push(state);
    }
    all.extend(rest);
    Ok(all)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn runs_on_disk_give_the_same_set() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store { folder: folder.path().to_owned(), key: "game".to_owned(), parts: 3 };
        let mut collector = Collector::new(&store, 0, 1, 0, &Budget::unlimited());
        let mut expected = BTreeSet::new();
        let mut word = 1u64;
        for _ in 0..40 {
            let words: Vec<u64> = (0..20_000)
                .map(|_| {
                    word = word.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    word >> 45
                })
                .collect();
            expected.extend(&words);
            collector.add(&words).expect("there is room");
        }
        assert!(collector.spilled > 0, "the test is about runs");
        let mut found = BTreeSet::new();
        for own in 0..3 {
            let mut last = None;
            let tell = |word| {
                assert!(last.replace(word) < Some(word) && part_of(word, 3) == own);
                found.insert(word);
                Ok(())
            };
            collector.finish(own, tell).expect("readable");
        }
        assert_eq!(found, expected);
        assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 0, "runs are removed");
    }
}
