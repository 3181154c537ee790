//! The baseline: a small sample of positions, and the try that wins most at once.

use counterplay_base::Budget;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::chess::{Board, Color, Move};
use crate::evaluate;
use crate::history::KriegEvent;
use crate::knowledge::Knowledge;
use crate::player::Player;

/// Takes the try with the best balance of what it wins at once and what it may lose to the next move, over a sample of positions. It
/// never searches, and does not care what a try would teach it.
#[derive(Debug)]
pub struct Greedy {
    knowledge: Knowledge,
    random: ChaCha8Rng,
}

/// Positions that it keeps.
const KEPT: usize = 256;
/// Positions that it looks at.
const SAMPLE: usize = 16;

impl Greedy {
    /// A player of one side from a position.
    pub fn new(root: Board, color: Color, seed: u64) -> Greedy {
        Greedy { knowledge: Knowledge::new(root, color, KEPT), random: ChaCha8Rng::seed_from_u64(seed) }
    }
}

impl Player for Greedy {
    fn choose(&mut self, tries: &[Move], _: &Budget) -> Move {
        let positions = self.knowledge.positions();
        let sample: Vec<Board> = positions.sample(&mut self.random, SAMPLE).copied().collect();
        let score = |mv: Move| -> i64 {
            let legal = sample.iter().filter(|board| board.is_legal(mv));
            legal.map(|board| i64::from(evaluate::exchange(board, mv))).sum()
        };
        let scored: Vec<(i64, Move)> = tries.iter().map(|&mv| (score(mv), mv)).collect();
        let most = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
        let best: Vec<Move> = scored.iter().filter(|(score, _)| *score == most).map(|(_, mv)| *mv).collect();
        *best.choose(&mut self.random).expect("there is a try left")
    }

    fn hear(&mut self, event: KriegEvent) {
        self.knowledge.hear(event, &mut self.random);
    }
}
