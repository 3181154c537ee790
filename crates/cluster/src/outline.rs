//! What a folder of layers holds, for those who read it without solving anything.

use std::fs;
use std::path::{Path, PathBuf};

use counterplay_base::{Budget, Id};
use counterplay_ggp::explicit::Order;
use counterplay_ggp::layered::{Kernel, Words, symmetry_group};
use counterplay_ground::game::{FluentId, Game, Structure};

use crate::error::ClusterError;
use crate::store::{EndsTail, Kind, StatesTail, Store, part_of};
use crate::work::possible_outcomes;

/// A folder of layers in which all values are found.
pub struct Outline {
    store: Store,
    /// How states are written as words.
    pub words: Words,
    /// Number of layers.
    pub layers: usize,
    /// What the clock shows in each layer, if there is one.
    pub hands: Vec<Option<FluentId>>,
    /// The outcomes by number: a reward for each role.
    pub outcomes: Vec<Vec<u32>>,
}

impl Outline {
    /// Looks at a folder; nothing in it is changed. `None` if it has no layers in files.
    ///
    /// # Errors
    /// A game that cannot be solved in this way, or files that are damaged, missing or of another game.
    pub fn read(
        game: &Game,
        structure: &Structure,
        order: Order,
        folder: &Path,
        budget: &Budget,
    ) -> Result<Option<Outline>, ClusterError> {
        let mut store = Store { folder: folder.to_owned(), key: crate::key(game, order), parts: 0 };
        while store.path(Kind::States, 0, store.parts).exists() {
            store.parts += 1;
        }
        if store.parts == 0 {
            return Ok(None);
        }
        let group = symmetry_group(game, structure, budget)?;
        let words = Kernel::new(game, structure, &group)?.into_words();
        let possible = possible_outcomes(game)?;
        let mut occurs = vec![false; possible.len()];
        let mut hands = Vec::new();
        while store.path(Kind::States, hands.len(), 0).exists() {
            budget.check().map_err(ClusterError::Stopped)?;
            let layer = hands.len();
            let (mut hand, mut count) = (None, 0);
            for part in 0..store.parts {
                let tail: StatesTail = store.read(Kind::States, layer, part)?.tail()?;
                let own = tail.hand.filter(|&hand| hand < game.fluents.len());
                hand = hand.or(own.map(FluentId::new));
                count += tail.words;
                if !store.path(Kind::Ends, layer, part).exists() {
                    continue;
                }
                let tail: EndsTail = store.read(Kind::Ends, layer, part)?.tail()?;
                for outcome in tail.outcomes {
                    if let Some(occurs) = occurs.get_mut(usize::from(outcome)) {
                        *occurs = true;
                    }
                }
            }
            // Behind the last layer there may be an empty one.
            if count == 0 {
                break;
            }
            hands.push(hand);
        }
        let outcomes = possible.into_iter().zip(occurs).filter(|(_, occurs)| *occurs);
        let outcomes = outcomes.map(|(outcome, _)| outcome).collect();
        Ok(Some(Outline { layers: hands.len(), store, words, hands, outcomes }))
    }

    /// How files call the game.
    pub fn key(&self) -> &str {
        &self.store.key
    }

    /// Into how many parts a layer is cut.
    pub fn parts(&self) -> usize {
        self.store.parts
    }

    /// The part that a word belongs to.
    pub fn part_of(&self, word: u64) -> usize {
        part_of(word, self.store.parts)
    }

    /// The file of the states of a part, or of their values.
    pub fn path(&self, is_states: bool, layer: usize, part: usize) -> PathBuf {
        self.store.path(if is_states { Kind::States } else { Kind::Values }, layer, part)
    }

    /// Whether a folder has layers in files.
    pub fn is_there(folder: &Path) -> bool {
        fs::metadata(folder.join("states-0000-0000")).is_ok()
    }
}
