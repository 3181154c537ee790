//! What the figures about Kriegspiel share: the problems.

use counterplay_base::{Budget, Limit};
use counterplay_kriegspiel::chess::Board;
use counterplay_kriegspiel::database::{Instance, Kind, Recipe, classify, play_game};

/// The problems of a figure.
pub(crate) struct Problems {
    /// Where all games begin.
    pub(crate) root: Board,
    /// A plan mates in all positions.
    pub(crate) mates: Vec<Instance>,
    /// A plan mates in at least half of the positions.
    pub(crate) near_misses: Vec<Instance>,
}

/// Plays games until there are enough problems of both kinds at a depth of three plies.
pub(crate) fn three_ply(size: usize, seed: u64, budget: &Budget) -> Result<Problems, Limit> {
    let root: Board =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse().expect("a sound position");
    let mut problems = Problems { root, mates: Vec::new(), near_misses: Vec::new() };
    let mut game = 0;
    while problems.mates.len() < size || problems.near_misses.len() < size {
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(game);
        for instance in play_game(root, &Recipe::default(), seed, budget)? {
            let list = match instance.kind {
                Kind::Mate { .. } => &mut problems.mates,
                Kind::NearMiss { .. } => &mut problems.near_misses,
            };
            if list.len() < size {
                list.push(instance);
            }
        }
        game += 1;
    }
    Ok(problems)
}

/// Asks the near misses of three plies again at five, as the paper does, until there are enough of both kinds or the games
/// are used up.
pub(crate) fn five_ply(size: usize, seed: u64, budget: &Budget) -> Result<Problems, Limit> {
    let recipe = Recipe { depth: 5, ..Recipe::default() };
    let shallow = three_ply(2 * size, seed, budget)?;
    let mut problems = Problems { root: shallow.root, mates: Vec::new(), near_misses: Vec::new() };
    for instance in shallow.near_misses {
        let list = match classify(&instance.belief, &recipe, budget)? {
            Some(Kind::Mate { .. }) => &mut problems.mates,
            Some(Kind::NearMiss { .. }) => &mut problems.near_misses,
            None => continue,
        };
        if list.len() < size {
            list.push(instance);
        }
    }
    Ok(problems)
}
