//! Checks the archive of a solved game on all of its positions, one after the other.
//!
//! An archive claims an outcome for each of its entries, layer by layer: layer *n* is about positions after *n* joint moves. An entry stands for one
//! position, or for several that the archive takes to be alike. If the first position of the game is in layer 0, if at every end the outcome is what the
//! rules say, and if everywhere else all successors are in the next layer and the outcome is the one that the only role with a choice likes best
//! among theirs, then all outcomes are right: by induction from the last layer back.
//!
//! Nothing is remembered of positions that have been looked at. What entries stand for is asked of the caller, in both directions, and it is looked at
//! for every position and every successor that both directions agree. So a successor that is found in the archive is one that has its own turn,
//! and the caller need not be believed. The work is done in batches: expand some entries, sort what follows them, look it up in the next layer in one pass. A
//! [`Checkpoint`] between two batches is all that is needed to go on later.

mod blocks;
mod diagrams;

use counterplay_base::{Budget, Limit};

use crate::solution::{Ahead, Liking, Rulebook, joint};

pub use blocks::{ArchiveFile, WordShelf};
pub use diagrams::{DiagramShelf, LayerRecord, Variables, read_end};

/// The entries of an archive, by layer.
pub trait Shelf {
    /// What stands for a position, or for several.
    type Key: Ord + Clone;

    /// Up to `most` entries of a layer with the numbers of their outcomes, from the one of number `from` on; none at its end.
    ///
    /// # Errors
    /// What is wrong with the archive, with its place.
    fn entries(
        &mut self,
        layer: usize,
        from: u64,
        most: usize,
    ) -> Result<Vec<(Self::Key, usize)>, ShelfError>;

    /// The numbers of the outcomes of entries of a layer, if they are there. The keys ascend.
    ///
    /// # Errors
    /// What is wrong with the archive, with its place.
    fn outcomes(&mut self, layer: usize, keys: &[Self::Key]) -> Result<Vec<Option<usize>>, ShelfError>;
}

/// Why an archive has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShelfError {
    /// It is damaged or cannot be read.
    Damaged(String),
    /// A limit came first.
    Stopped(Limit),
}

/// What entries stand for.
pub trait Naming<K>: Rulebook {
    /// The positions that an entry of a layer stands for.
    fn positions(&mut self, key: &K, layer: usize) -> Result<Vec<Self::State>, Self::Trouble>;
    /// The entry that a position after so many joint moves would have.
    fn key(&mut self, state: &Self::State, layer: usize) -> Result<Option<K>, Self::Trouble>;
    /// A position for messages.
    fn show(&mut self, state: &Self::State) -> String;
}

/// How far a check has come: all layers before this one are done, and so many entries of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// The layer that is being looked at.
    pub layer: usize,
    /// Entries of it that are done.
    pub entries: u64,
    /// Positions that have been looked at so far, in all layers.
    pub positions: u64,
}

/// What a check is told.
pub struct ArchiveCheck<'a> {
    /// The outcomes by number: a reward for each role.
    pub outcomes: &'a [Vec<u32>],
    /// Number of layers.
    pub layers: usize,
    /// What players want.
    pub likes: Liking,
    /// So many entries are expanded at once; memory grows with it.
    pub batch: usize,
    /// Where to begin.
    pub from: Checkpoint,
    /// Is told how far the check has come, after every batch.
    pub note: &'a mut dyn FnMut(Checkpoint),
    /// Is told each position as it is looked at: its layer, its outcome and itself.
    pub list: Option<PositionList<'a>>,
}

/// What is told each position: its layer, what each role gets, and the position.
pub type PositionList<'a> = &'a dyn Fn(usize, &[u32], &str);

/// What a check has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedArchive {
    /// The value of the first position: a reward for each role.
    pub value: Vec<u32>,
    /// Positions that were looked at, those of earlier runs included.
    pub positions: u64,
}

/// Why an archive does not hold, or was not looked at to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveFlaw<T> {
    /// A position does not have the outcome that it should have.
    Wrong {
        /// The layer of the position.
        layer: usize,
        /// The entry, counted from 0 in its layer.
        entry: u64,
        /// What is wrong.
        why: String,
    },
    /// The first position is not in the archive.
    NoBeginning,
    /// The archive cannot be read.
    Damaged(String),
    /// The rules have no answer.
    Trouble(T),
    /// A limit came first.
    Stopped(Limit),
}

impl<T> From<ShelfError> for ArchiveFlaw<T> {
    fn from(error: ShelfError) -> ArchiveFlaw<T> {
        match error {
            ShelfError::Damaged(why) => ArchiveFlaw::Damaged(why),
            ShelfError::Stopped(limit) => ArchiveFlaw::Stopped(limit),
        }
    }
}

/// Looks at all positions of an archive.
///
/// # Errors
/// The first thing that is wrong, or the limit that was reached.
pub fn check_archive<S: Shelf, N: Naming<S::Key>>(
    shelf: &mut S,
    game: &mut N,
    check: ArchiveCheck<'_>,
    budget: &Budget,
) -> Result<CheckedArchive, ArchiveFlaw<N::Trouble>> {
    let ArchiveCheck { outcomes, layers, likes, batch, from, note, list } = check;
    let value = beginning(shelf, game, outcomes)?;
    let mut at = from;
    while at.layer < layers {
        budget.check().map_err(ArchiveFlaw::Stopped)?;
        let entries = shelf.entries(at.layer, at.entries, batch.max(1))?;
        if entries.is_empty() {
            at = Checkpoint { layer: at.layer + 1, entries: 0, ..at };
            continue;
        }
        let mut looking = Batch { game, outcomes, layer: at.layer, first: at.entries, budget };
        let mut open = Vec::new();
        for (number, (key, outcome)) in entries.iter().enumerate() {
            at.positions += looking.expand(number, key, *outcome, &mut open)?;
            if let Some(list) = list {
                for state in looking.game.positions(key, at.layer).map_err(ArchiveFlaw::Trouble)? {
                    list(at.layer, &outcomes[*outcome], &looking.game.show(&state));
                }
            }
        }
        looking.decide(shelf, open, likes)?;
        at.entries += entries.len() as u64;
        note(at);
    }
    Ok(CheckedArchive { value, positions: at.positions })
}

/// The value of the first position.
fn beginning<S: Shelf, N: Naming<S::Key>>(
    shelf: &mut S,
    game: &mut N,
    outcomes: &[Vec<u32>],
) -> Result<Vec<u32>, ArchiveFlaw<N::Trouble>> {
    let first = game.initial().map_err(ArchiveFlaw::Trouble)?;
    let key = game.key(&first, 0).map_err(ArchiveFlaw::Trouble)?.ok_or(ArchiveFlaw::NoBeginning)?;
    if !game.positions(&key, 0).map_err(ArchiveFlaw::Trouble)?.contains(&first) {
        return Err(ArchiveFlaw::NoBeginning);
    }
    let found = shelf.outcomes(0, std::slice::from_ref(&key))?;
    let value = found.first().copied().flatten().and_then(|number| outcomes.get(number));
    value.cloned().ok_or(ArchiveFlaw::NoBeginning)
}

/// A position in which the game goes on: what follows it, to be looked up.
struct OpenPosition<S, M, K> {
    number: usize,
    state: S,
    outcome: usize,
    moves: Vec<Vec<M>>,
    next: Vec<K>,
}

type OpenIn<N, K> = OpenPosition<<N as Rulebook>::State, <N as Rulebook>::Move, K>;

/// Entries that are looked at together.
struct Batch<'a, N> {
    game: &'a mut N,
    outcomes: &'a [Vec<u32>],
    layer: usize,
    /// The number of the first one in its layer.
    first: u64,
    budget: &'a Budget,
}

impl<N: Rulebook> Batch<'_, N> {
    fn wrong(&self, number: usize, why: String) -> ArchiveFlaw<N::Trouble> {
        ArchiveFlaw::Wrong { layer: self.layer, entry: self.first + number as u64, why }
    }

    /// Checks what can be told of an entry without the next layer, and notes what follows it. Returns for how many positions it stands.
    fn expand<K: Ord + Clone>(
        &mut self,
        number: usize,
        key: &K,
        outcome: usize,
        open: &mut Vec<OpenIn<N, K>>,
    ) -> Result<u64, ArchiveFlaw<N::Trouble>>
    where
        N: Naming<K>,
    {
        let Some(claimed) = self.outcomes.get(outcome) else {
            return Err(self.wrong(number, format!("there is no outcome {outcome}")));
        };
        let positions = self.game.positions(key, self.layer).map_err(ArchiveFlaw::Trouble)?;
        let count = positions.len() as u64;
        if positions.is_empty() {
            return Err(self.wrong(number, "the entry stands for no position".to_owned()));
        }
        for state in positions {
            self.budget.check().map_err(ArchiveFlaw::Stopped)?;
            if self.game.key(&state, self.layer).map_err(ArchiveFlaw::Trouble)?.as_ref() != Some(key) {
                let shown = self.game.show(&state);
                return Err(self.wrong(number, format!("another entry stands for the position {shown}")));
            }
            let mut moves = Vec::new();
            let mut is_over = self.game.is_over(&state).map_err(ArchiveFlaw::Trouble)?;
            if !is_over {
                for role in 0..self.game.roles() {
                    moves.push(self.game.moves(&state, role).map_err(ArchiveFlaw::Trouble)?);
                }
                // The game cannot go on from where a role has no move.
                is_over = moves.iter().any(Vec::is_empty);
            }
            if is_over {
                let rewards = self.game.rewards(&state).map_err(ArchiveFlaw::Trouble)?;
                if rewards != *claimed {
                    let shown = self.game.show(&state);
                    let why =
                        format!("{claimed:?} is claimed at the end {shown}, and the rules say {rewards:?}");
                    return Err(self.wrong(number, why));
                }
                continue;
            }
            let next = self.successors(number, &state, &moves)?;
            open.push(OpenPosition { number, state, outcome, moves, next });
        }
        Ok(count)
    }

    /// The entries of all positions one joint move later.
    fn successors<K: Ord + Clone>(
        &mut self,
        number: usize,
        state: &N::State,
        moves: &[Vec<N::Move>],
    ) -> Result<Vec<K>, ArchiveFlaw<N::Trouble>>
    where
        N: Naming<K>,
    {
        if moves.iter().filter(|own| own.len() > 1).count() > 1 {
            let shown = self.game.show(state);
            return Err(self.wrong(number, format!("several roles choose at once in the position {shown}")));
        }
        let mut keys = Vec::new();
        for row in 0..moves.iter().map(Vec::len).product() {
            let next = self.game.next(state, &joint(moves, row)).map_err(ArchiveFlaw::Trouble)?;
            let key = self.game.key(&next, self.layer + 1).map_err(ArchiveFlaw::Trouble)?;
            let stands_for = match &key {
                Some(key) => {
                    let named = self.game.positions(key, self.layer + 1).map_err(ArchiveFlaw::Trouble)?;
                    named.contains(&next)
                }
                None => false,
            };
            match key.filter(|_| stands_for) {
                Some(key) => keys.push(key),
                None => {
                    let shown = self.game.show(&next);
                    return Err(self.wrong(number, format!("no entry of the next layer stands for {shown}")));
                }
            }
        }
        Ok(keys)
    }

    /// Looks up what follows, and compares.
    fn decide<S: Shelf>(
        &mut self,
        shelf: &mut S,
        open: Vec<OpenIn<N, S::Key>>,
        likes: Liking,
    ) -> Result<(), ArchiveFlaw<N::Trouble>>
    where
        N: Naming<S::Key>,
    {
        let mut keys: Vec<S::Key> = open.iter().flat_map(|own| own.next.iter().cloned()).collect();
        keys.sort_unstable();
        keys.dedup();
        // Behind a layer of ends there need be none.
        if keys.is_empty() {
            return Ok(());
        }
        let found = shelf.outcomes(self.layer + 1, &keys)?;
        for OpenPosition { number, state, outcome, moves, next } in open {
            let mut values = Vec::with_capacity(next.len());
            for key in &next {
                let at = keys.binary_search(key).expect("it is among them");
                let value = found[at].and_then(|number| self.outcomes.get(number));
                let Some(value) = value else {
                    let shown = self.game.show(&state);
                    let why = format!("a position that follows {shown} is not in the next layer");
                    return Err(self.wrong(number, why));
                };
                values.push(Some(value.clone()));
            }
            let ahead = Ahead { over: None, moves, values };
            let expected = ahead.combined(likes);
            let claimed = &self.outcomes[outcome];
            if expected.as_ref() != Some(claimed) {
                let shown = self.game.show(&state);
                let expected = expected.unwrap_or_default();
                let why =
                    format!("{claimed:?} is claimed for {shown}, and what follows makes it {expected:?}");
                return Err(self.wrong(number, why));
            }
        }
        Ok(())
    }
}
