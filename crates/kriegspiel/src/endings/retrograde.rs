//! Solved belief states of king and one man against a hidden king, from the mates backwards.
//!
//! An entry says: if the hidden king is on one of these squares, this move leads to mate within so many moves, whatever is heard. It is
//! made of a move and, for each announcement, of an entry that covers what is possible then; so its set of squares is as large as those
//! entries allow, and it holds for all subsets. Mates within `n` moves are built from those within `n - 1`. Not every such set
//! is kept: for each pair of squares and each `n` only some of the largest. What is kept is proved, and it is enough: see the tests.
//!
//! A rejected move leaves the turn where it is. The rest is then covered by another entry for the same squares, which may take as many
//! moves but does not begin with a move that was rejected; entries that others rest on in this way are never dropped.

use counterplay_base::{Budget, Limit};

use super::chart::{Chart, Pair, SYMMETRIES, turned_set};
use crate::chess::attacks::squares;

/// A solved belief state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Where the hidden king may be.
    pub(crate) lone: u64,
    /// Mate within so many own moves.
    pub(crate) moves: u8,
    /// Where king and man stand after the move to try.
    pub(crate) to: Pair,
}

impl Entry {
    fn covers(&self, lone: u64) -> bool {
        lone & !self.lone == 0
    }

    fn turned(&self, symmetry: u8) -> Entry {
        let Entry { lone, moves, to } = *self;
        Entry { lone: turned_set(lone, symmetry), moves, to: to.turned(symmetry) }
    }
}

/// How many entries are kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Width {
    /// Ways to go on after a move without check.
    pub(crate) silent: usize,
    /// New entries for each pair and number of moves, without those that they rest on.
    pub(crate) kept: usize,
}

/// No ending needs so many moves.
const MOST_MOVES: u8 = 60;
/// Ways to go on after a rejected move.
const RESTS: usize = 8;

/// Entries for each pair that comes first among those that the symmetries exchange, by the index of the pair.
pub(crate) fn solve(chart: &Chart, width: Width, budget: &Budget) -> Result<Vec<Vec<Entry>>, Limit> {
    let firsts: Vec<Pair> = Pair::all().filter(|pair| pair.king != pair.man && pair.is_first()).collect();
    let mut entries: Vec<Vec<Entry>> = vec![Vec::new(); 64 * 64];
    for moves in 1..=MOST_MOVES {
        let mut fresh = Vec::new();
        for &pair in &firsts {
            budget.check()?;
            let layer = Layer::of(chart, &entries, pair, moves, width);
            fresh.extend(layer.selected(width.kept).into_iter().map(|entry| (pair, entry)));
        }
        if fresh.is_empty() {
            break;
        }
        // All images are kept while the table grows, so that nothing has to be turned to be looked up.
        for (pair, entry) in fresh {
            let mut images = Vec::new();
            for symmetry in 0..SYMMETRIES {
                let image = (pair.turned(symmetry), entry.turned(symmetry));
                if !images.contains(&image) {
                    entries[image.0.index()].push(image.1);
                    images.push(image);
                }
            }
        }
    }
    for pair in Pair::all().filter(|pair| !pair.is_first()) {
        entries[pair.index()] = Vec::new();
    }
    Ok(entries)
}

/// The entries of one pair that mate in exactly so many moves.
struct Layer<'a> {
    known: &'a [Entry],
    found: Vec<Found>,
}

/// A new entry, and the one among the new ones that it rests on if its move is rejected.
#[derive(Clone, Copy)]
struct Found {
    entry: Entry,
    rest: Option<usize>,
}

/// A king's move that may be rejected, with what it mates if it is accepted.
struct Probe {
    to: Pair,
    rejecting: u64,
    accepted: Vec<u64>,
}

impl Layer<'_> {
    fn of<'a>(chart: &Chart, entries: &'a [Vec<Entry>], pair: Pair, moves: u8, width: Width) -> Layer<'a> {
        let possible = chart.possible(pair);
        let mut layer = Layer { known: &entries[pair.index()], found: Vec::new() };
        let mut probes = Vec::new();
        for to in chart.moves(pair) {
            let rejecting = Chart::rejecting(pair, to) & possible;
            let accepted = accepted(chart, &entries[to.index()], to, possible & !rejecting, width);
            for &lone in &accepted {
                layer.add(Entry { lone, moves, to }, None);
            }
            if rejecting != 0 {
                probes.push(Probe { to, rejecting, accepted });
            }
        }
        // Entries that rest on entries that rest on others: a few rounds find nearly all.
        for _ in 0..4 {
            if !layer.probe(&probes, moves) {
                break;
            }
        }
        layer
    }

    fn is_covered(&self, lone: u64) -> bool {
        self.known.iter().chain(self.found.iter().map(|found| &found.entry)).any(|entry| entry.covers(lone))
    }

    fn add(&mut self, entry: Entry, rest: Option<usize>) -> bool {
        let is_new = entry.lone != 0 && !self.is_covered(entry.lone);
        if is_new {
            self.found.push(Found { entry, rest });
        }
        is_new
    }

    /// Adds moves that may be rejected because the rest is covered, too.
    fn probe(&mut self, probes: &[Probe], moves: u8) -> bool {
        let mut grew = false;
        let known = self.known.iter().map(|entry| (entry.lone, None));
        let found = self.found.iter().enumerate().map(|(i, found)| (found.entry.lone, Some(i)));
        let rests: Vec<(u64, Option<usize>)> = known.chain(found).collect();
        for Probe { to, rejecting, accepted } in probes {
            let parts = rests.iter().map(|&(lone, from)| (lone & rejecting, from));
            let parts = largest(parts.filter(|(lone, _)| *lone != 0).collect(), RESTS);
            for (&part, &(rest, from)) in
                accepted.iter().flat_map(|part| parts.iter().map(move |rest| (part, rest)))
            {
                grew |= self.add(Entry { lone: part | rest, moves, to: *to }, from);
            }
        }
        grew
    }

    /// The largest new entries and those that they rest on, each after those.
    fn selected(&self, kept: usize) -> Vec<Entry> {
        let sets = self.found.iter().enumerate().map(|(i, found)| (found.entry.lone, i)).collect();
        let mut wanted = vec![false; self.found.len()];
        for (_, index) in largest(sets, kept) {
            let mut next = Some(index);
            while let Some(index) = next {
                next =
                    if std::mem::replace(&mut wanted[index], true) { None } else { self.found[index].rest };
            }
        }
        let chosen = self.found.iter().zip(wanted).filter(|(_, wanted)| *wanted);
        chosen.map(|(found, _)| found.entry).collect()
    }
}

/// Where the hidden king may be so that an accepted move leads on to known entries, whatever is heard: the largest such sets.
fn accepted(chart: &Chart, next: &[Entry], to: Pair, legal: u64, width: Width) -> Vec<u64> {
    let heard = chart.heard(to);
    let mut parts = vec![heard.mate & legal];
    for (class, &set) in heard.classes.iter().enumerate().filter(|(_, set)| *set & legal != 0) {
        let covered = |entry: &Entry| {
            let safe = squares(set & legal).filter(|&lone| entry.covers(chart.replies_of(to, lone)));
            (safe.fold(0, |all, lone| all | lone.bit()), ())
        };
        let best = largest(
            next.iter().map(covered).filter(|(set, ())| *set != 0).collect(),
            if class == 0 { width.silent } else { 1 },
        );
        if !best.is_empty() {
            parts = parts.iter().flat_map(|&part| best.iter().map(move |(more, ())| part | more)).collect();
        }
    }
    parts.retain(|&part| part != 0);
    parts
}

/// Some of the largest sets, none of them part of another.
fn largest<T: Copy>(mut sets: Vec<(u64, T)>, count: usize) -> Vec<(u64, T)> {
    sets.sort_by_key(|(set, _)| std::cmp::Reverse(set.count_ones()));
    let mut kept: Vec<(u64, T)> = Vec::new();
    for (set, what) in sets {
        if kept.len() == count {
            break;
        }
        if !kept.iter().any(|(other, _)| set & !other == 0) {
            kept.push((set, what));
        }
    }
    kept
}
