//! Values on disk, and how they are found.

use counterplay_ggp::layered::Words;
use counterplay_ground::game::FluentId;
use rustc_hash::FxHashMap;

use crate::blocks::BlockReader;
use crate::error::ClusterError;
use crate::store::{Kind, Store, part_of};
use crate::work::Figures;

/// Values of all reachable states, in files.
pub struct Solution {
    pub(crate) words: Words,
    pub(crate) store: Store,
    pub(crate) hands: Vec<Option<FluentId>>,
    pub(crate) index: FxHashMap<(usize, usize), Vec<Place>>,
    /// The distinct outcomes, sorted: a reward for each role.
    pub outcomes: Vec<Vec<u32>>,
    /// Number of states with each outcome.
    pub outcome_states: Vec<u64>,
    /// Number of states in each layer.
    pub layer_states: Vec<u64>,
    /// For each layer the sum of [`digest`](counterplay_ggp::layered::digest) over states and outcomes: equal for equal solutions.
    pub layer_digests: Vec<u64>,
    /// The outcome of the initial state.
    pub value: usize,
    /// States in which the game is over.
    pub terminal: u64,
    /// States that are not over and in which some role has no move.
    pub stuck: u64,
    /// Ends at which some role has no reward, or several.
    pub odd_rewards: u64,
    /// What keeps the layers apart.
    pub measure: String,
    /// How many symmetries of the rules were used, the one that changes nothing included.
    pub symmetries: usize,
    /// Bytes that went from worker to worker.
    pub sent: u64,
    /// Bytes of sorted runs that memory had no room for.
    pub spilled: u64,
    /// Bytes of all files.
    pub disk: u64,
}

/// Where a block begins: its first word, and its places in the files of states and of values.
pub(crate) struct Place {
    first: u64,
    states: u64,
    values: u64,
}

impl Solution {
    pub(crate) fn new(figures: Figures, words: Words, store: Store) -> Solution {
        let sizes =
            (0..figures.layer_states.len()).flat_map(|layer| (0..store.parts).map(move |part| (layer, part)));
        let bytes = |kind: Kind, layer: usize, part: usize| {
            std::fs::metadata(store.path(kind, layer, part)).map_or(0, |file| file.len())
        };
        let disk = sizes.map(|(layer, part)| {
            [Kind::States, Kind::Ends, Kind::Values].map(|kind| bytes(kind, layer, part)).iter().sum::<u64>()
        });
        let disk = disk.sum();
        Solution {
            words,
            store,
            hands: figures.hands,
            index: FxHashMap::default(),
            outcomes: figures.outcomes,
            outcome_states: figures.outcome_states,
            layer_states: figures.layer_states,
            layer_digests: figures.layer_digests,
            value: figures.value,
            terminal: figures.terminal,
            stuck: figures.stuck,
            odd_rewards: figures.odd_rewards,
            measure: figures.measure,
            symmetries: figures.symmetries,
            sent: figures.sent,
            spilled: figures.spilled,
            disk,
        }
    }

    /// Whether all parts are in this folder; other processes may have theirs elsewhere.
    pub fn is_whole(&self) -> bool {
        let layers = 0..self.layer_states.len();
        layers.flat_map(|layer| (0..self.store.parts).map(move |part| (layer, part))).all(|(layer, part)| {
            [Kind::States, Kind::Values].iter().all(|&kind| self.store.path(kind, layer, part).exists())
        })
    }

    /// The outcome from a state on that was reached by so many joint moves; `None` if it cannot be reached.
    pub fn outcome(&mut self, state: &[FluentId], made: usize) -> Result<Option<usize>, ClusterError> {
        let Some(&hand) = self.hands.get(made) else { return Ok(None) };
        let Some(word) = self.words.word(state) else { return Ok(None) };
        if hand.is_some_and(|hand| !state.contains(&hand)) {
            return Ok(None);
        }
        let part = part_of(word, self.store.parts);
        if !self.index.contains_key(&(made, part)) {
            let places = self.places(made, part)?;
            self.index.insert((made, part), places);
        }
        let places = &self.index[&(made, part)];
        let Some(place) = places[..places.partition_point(|place| place.first <= word)].last() else {
            return Ok(None);
        };
        let mut words = Vec::new();
        let mut reader = self.store.read(Kind::States, made, part)?;
        reader.seek(place.states)?;
        reader.words(&mut words)?;
        let Ok(at) = words.binary_search(&word) else { return Ok(None) };
        let mut values = Vec::new();
        let mut reader = self.store.read(Kind::Values, made, part)?;
        reader.seek(place.values)?;
        reader.values(&mut values)?;
        match values.get(at) {
            Some(&value) if usize::from(value) < self.outcomes.len() => Ok(Some(usize::from(value))),
            _ => Err(reader.damaged("it has not as many values as there are states")),
        }
    }

    /// Where the blocks of a part begin.
    fn places(&self, layer: usize, part: usize) -> Result<Vec<Place>, ClusterError> {
        let begin = |reader: &mut BlockReader| -> Result<Vec<(u64, u64)>, ClusterError> {
            let mut all = Vec::new();
            while let Some(head) = reader.head()? {
                all.push((head.first, reader.skip(&head)?));
            }
            Ok(all)
        };
        let states = begin(&mut self.store.read(Kind::States, layer, part)?)?;
        let values = begin(&mut self.store.read(Kind::Values, layer, part)?)?;
        if states.len() != values.len() {
            let path = self.store.path(Kind::Values, layer, part);
            return Err(ClusterError::damaged(&path, "it has not as many blocks as there are of states"));
        }
        let places = states.into_iter().zip(values);
        Ok(places.map(|((first, states), (_, values))| Place { first, states, values }).collect())
    }
}
