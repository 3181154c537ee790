//! Databases of mates and near misses from games.

use counterplay_base::Verdict;
use counterplay_kriegspiel::database::Recipe;
use counterplay_kriegspiel::generator::{DatabaseCounts, Generator};
use serde::{Deserialize, Serialize};

use crate::verdict;

/// Which problems to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct GenerateRequest {
    /// How many mates to find.
    pub mates: usize,
    /// How many near misses to find.
    pub near_misses: usize,
    /// Within how many plies to mate: an odd number from 1 to 199.
    pub depth: usize,
    /// Hints (rejected tries) that White gets on each turn.
    pub hints: usize,
    /// Whether known material wins count as mates.
    pub material_wins: bool,
    /// The same seed gives the same problems.
    pub seed: u64,
}

impl Default for GenerateRequest {
    fn default() -> GenerateRequest {
        let Recipe { depth, hints, material_wins, .. } = Recipe::default();
        GenerateRequest { mates: 500, near_misses: 500, depth, hints, material_wins, seed: 0 }
    }
}

impl GenerateRequest {
    /// A generator of these problems. [`Generator::resume`] tells it the rows that exist, [`Generator::next_game`] makes more.
    pub fn generator(&self) -> Generator {
        let GenerateRequest { mates, near_misses, depth, hints, material_wins, seed } = *self;
        let recipe = Recipe { depth, hints, material_wins, ..Recipe::default() };
        Generator::new(recipe, mates, near_misses, seed)
    }
}

/// What a generator has made. Its JSON form is what `counterplay kriegspiel generate --json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Generation {
    /// `solved` if there are enough problems, `stopped` if a limit came first.
    #[serde(serialize_with = "verdict::word")]
    #[cfg_attr(feature = "schema", schemars(with = "verdict::Word"))]
    pub verdict: Verdict<()>,
    /// Problems with a guaranteed mate.
    pub mates: usize,
    /// Problems in which a plan mates in at least half of the positions, but none in all.
    pub near_misses: usize,
    /// Games that were played.
    pub games: u64,
}

impl Generation {
    /// What there is when the work ends with a verdict.
    pub fn new(verdict: Verdict<()>, counts: DatabaseCounts) -> Generation {
        let DatabaseCounts { mates, near_misses, games } = counts;
        Generation { verdict, mates, near_misses, games }
    }

    /// One line for people.
    pub fn text(&self) -> String {
        let Generation { mates, near_misses, games, .. } = self;
        let plural = |number: u64, one: &str, many: &str| {
            if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
        };
        format!(
            "{} and {} from {}\n",
            plural(*mates as u64, "mate", "mates"),
            plural(*near_misses as u64, "near miss", "near misses"),
            plural(*games, "game", "games")
        )
    }
}
