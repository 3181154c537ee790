//! Databases of problems: rows that are written as JSON lines, and the generator that makes them from games or asks them again.
//!
//! The seed and the recipe decide everything, and each game has a seed of its own. So a database that was begun can be
//! continued: the generator is told the rows that exist, and goes on with the last game.

use std::collections::HashSet;

use counterplay_base::{Budget, Limit};
use serde::{Deserialize, Serialize};

use crate::chess::{Board, FenError};
use crate::database::{Instance, Kind, Recipe, classify, play_game};
use crate::steps::{self, Step};

/// A problem of a database. The fields that `solve` and `estimate` read have the names they expect.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DatabaseRow {
    /// A name that no other row of the database has.
    pub id: String,
    /// The number of the game that the problem comes from, from zero.
    pub game: u64,
    /// `mate` or `near-miss`.
    pub kind: String,
    /// Where the history begins.
    pub root_fen: String,
    /// What White tried and heard.
    pub history: Vec<Step>,
    /// The positions that agree with the history, sorted.
    pub belief: Vec<String>,
    /// The number of these positions.
    pub size: usize,
    /// Within how many plies to mate.
    pub depth: usize,
    /// Whether a plan mates in all positions.
    pub mate: bool,
    /// What that plan tries first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_try: Option<String>,
    /// In how many positions a plan mates, if none mates in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winnable: Option<usize>,
    /// The position in which the game really was.
    pub true_state: String,
}

impl DatabaseRow {
    /// The row of a problem that was found in a game.
    pub fn new(root: &Board, instance: &Instance, game: u64, depth: usize, number: usize) -> DatabaseRow {
        let mut belief: Vec<String> = instance.belief.iter().map(Board::to_string).collect();
        belief.sort_unstable();
        let row = DatabaseRow {
            id: format!("g{depth}-{number:04}"),
            game,
            kind: String::new(),
            root_fen: root.to_string(),
            history: steps::history(root, &instance.events),
            size: belief.len(),
            belief,
            depth,
            mate: false,
            first_try: None,
            winnable: None,
            true_state: instance.truth.to_string(),
        };
        row.classified(instance.kind)
    }

    fn classified(self, kind: Kind) -> DatabaseRow {
        let (kind, mate, first_try, winnable) = match kind {
            Kind::Mate { first_try } => ("mate", true, Some(first_try.to_string()), None),
            Kind::NearMiss { winnable } => ("near-miss", false, None, Some(winnable)),
        };
        DatabaseRow { kind: kind.to_owned(), mate, first_try, winnable, ..self }
    }
}

/// How many problems a database has, and from how many games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DatabaseCounts {
    /// Problems with a guaranteed mate.
    pub mates: usize,
    /// Problems in which a plan mates in at least half of the positions, but none in all.
    pub near_misses: usize,
    /// Games that were played.
    pub games: u64,
}

/// Makes problems until there are enough of them.
#[derive(Debug)]
pub struct Generator {
    recipe: Recipe,
    wanted: DatabaseCounts,
    seed: u64,
    root: Board,
    counts: DatabaseCounts,
    /// The belief states of all rows.
    seen: HashSet<Vec<String>>,
}

/// Where games begin.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Generator {
    /// A generator for so many mates and near misses.
    pub fn new(recipe: Recipe, mates: usize, near_misses: usize, seed: u64) -> Generator {
        let root = START.parse().expect("the start position is sound");
        let wanted = DatabaseCounts { mates, near_misses, games: 0 };
        Generator { recipe, wanted, seed, root, counts: DatabaseCounts::default(), seen: HashSet::new() }
    }

    /// What there is so far.
    pub fn counts(&self) -> DatabaseCounts {
        self.counts
    }

    /// Takes a row of an earlier run into account. The game that it comes from will be played again, since it may have a second
    /// problem; rows that are known are not made twice.
    pub fn resume(&mut self, row: &DatabaseRow) {
        self.add(row);
        self.counts.games = self.counts.games.max(row.game);
    }

    /// Counts a row; `false` if it was there before.
    fn add(&mut self, row: &DatabaseRow) -> bool {
        let mut belief = row.belief.clone();
        belief.sort_unstable();
        if !self.seen.insert(belief) {
            return false;
        }
        *(if row.mate { &mut self.counts.mates } else { &mut self.counts.near_misses }) += 1;
        true
    }

    /// Plays one more game and returns its new problems; `None` if there are enough.
    ///
    /// # Errors
    /// The limit that was reached. The game is then played again at the next call.
    pub fn next_game(&mut self, budget: &Budget) -> Result<Option<Vec<DatabaseRow>>, Limit> {
        if self.counts.mates >= self.wanted.mates && self.counts.near_misses >= self.wanted.near_misses {
            return Ok(None);
        }
        let game = self.counts.games;
        let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(game);
        let mut rows = Vec::new();
        for instance in play_game(self.root, &self.recipe, seed, budget)? {
            let number = self.counts.mates + self.counts.near_misses;
            let row = DatabaseRow::new(&self.root, &instance, game, self.recipe.depth, number);
            let is_wanted = if row.mate {
                self.counts.mates < self.wanted.mates
            } else {
                self.counts.near_misses < self.wanted.near_misses
            };
            if is_wanted && self.add(&row) {
                rows.push(row);
            }
        }
        self.counts.games = game + 1;
        Ok(Some(rows))
    }

    /// Asks a near miss of another database at the depth of the recipe. `None` if it is a mate already, is no problem at that depth,
    /// or is known.
    ///
    /// # Errors
    /// A position that cannot be read.
    pub fn ask_again(
        &mut self,
        row: DatabaseRow,
        budget: &Budget,
    ) -> Result<Result<Option<DatabaseRow>, Limit>, FenError> {
        if row.mate {
            return Ok(Ok(None));
        }
        let belief = row.belief.iter().map(|fen| fen.parse()).collect::<Result<Vec<Board>, _>>()?;
        Ok(classify(&belief, &self.recipe, budget).map(|kind| {
            let depth = self.recipe.depth;
            let id = format!("{}-{depth}ply", row.id);
            let row = DatabaseRow { id, depth, ..row }.classified(kind?);
            self.add(&row).then_some(row)
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_gives_the_same_problems_again() {
        let rows = || {
            let recipe = Recipe { moves: 30, ..Recipe::default() };
            let mut generator = Generator::new(recipe, 10, 10, 7);
            let rows = generator.next_game(&Budget::unlimited()).expect("there is no limit");
            assert_eq!(generator.counts().games, 1);
            rows.unwrap().iter().map(|row| serde_json::to_string(row).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(rows(), rows());
    }

    #[test]
    fn enough_is_enough() {
        let mut generator = Generator::new(Recipe::default(), 0, 0, 7);
        assert!(generator.next_game(&Budget::unlimited()).unwrap().is_none());
    }
}
