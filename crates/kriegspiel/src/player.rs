//! Players: what to try next.
//!
//! [`Careful`] estimates the state, plays a guaranteed mate when it finds one, and else takes the try with the best average
//! over a sample of positions, by a static look two plies ahead. [`Rash`] keeps a few positions only and likes captures
//! and checks; it is the weak opponent of the database. [`RandomPlayer`] tries at random.

use counterplay_base::{Budget, Verdict};
use counterplay_belief::{Algorithm, solve};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::chess::{Board, Color, Move};
use crate::evaluate;
use crate::history::KriegEvent;
use crate::knowledge::Knowledge;
use crate::rules::Extras;
use crate::world::Kriegspiel;

/// A player of one side.
pub trait Player {
    /// Picks one of the tries that are left on this turn; there is at least one.
    fn choose(&mut self, tries: &[Move], budget: &Budget) -> Move;

    /// Hears what happened, the own tries included.
    fn hear(&mut self, event: KriegEvent);

    /// Hears what happened with what other rule sets announce beyond it. A player that knows only the rules of the paper ignores the rest.
    fn hear_all(&mut self, event: KriegEvent, _: Extras) {
        self.hear(event);
    }
}

/// Estimates exactly as long as possible; mates when it can.
#[derive(Debug)]
pub struct Careful {
    knowledge: Knowledge,
    random: ChaCha8Rng,
    /// How deep to look for a guaranteed mate.
    mate_depth: usize,
}

/// Looks for guaranteed mates in belief states up to this size.
const MATE_SEARCH: usize = 400;
/// Positions that are looked at to compare tries.
const SAMPLE: usize = 24;

impl Careful {
    /// A player of one side from a position.
    pub fn new(root: Board, color: Color, seed: u64) -> Careful {
        let random = ChaCha8Rng::seed_from_u64(seed);
        Careful { knowledge: Knowledge::new(root, color, 10_000), random, mate_depth: 3 }
    }

    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    fn mate(&self, budget: &Budget) -> Option<Move> {
        let positions = self.knowledge.positions();
        if !self.knowledge.is_exact() || positions.is_empty() || positions.len() > MATE_SEARCH {
            return None;
        }
        match solve(&Kriegspiel::default(), positions, self.mate_depth, Algorithm::Auto, budget).verdict {
            Verdict::Solved(plan) => Some(plan.attempt),
            _ => None,
        }
    }
}

impl Player for Careful {
    fn choose(&mut self, tries: &[Move], budget: &Budget) -> Move {
        if let Some(mv) = self.mate(budget).filter(|mv| tries.contains(mv)) {
            return mv;
        }
        let sample: Vec<Board> =
            self.knowledge.positions().sample(&mut self.random, SAMPLE).copied().collect();
        evaluate::best_try(&sample, tries)
            .or_else(|| tries.choose(&mut self.random).copied())
            .expect("there is a try left")
    }

    fn hear(&mut self, event: KriegEvent) {
        self.knowledge.hear(event, &mut self.random);
    }
}

/// Knows little, and likes captures and checks.
#[derive(Debug)]
pub struct Rash {
    knowledge: Knowledge,
    random: ChaCha8Rng,
}

impl Rash {
    /// A player of one side from a position.
    pub fn new(root: Board, color: Color, seed: u64) -> Rash {
        Rash { knowledge: Knowledge::new(root, color, 24), random: ChaCha8Rng::seed_from_u64(seed) }
    }
}

impl Player for Rash {
    fn choose(&mut self, tries: &[Move], _: &Budget) -> Move {
        let positions = self.knowledge.positions();
        let excitement = |mv: Move| {
            positions.iter().filter(move |board| board.is_legal(mv)).map(move |board| {
                let (after, capture) = board.play(mv);
                2 * usize::from(capture.is_some()) + usize::from(after.in_check())
            })
        };
        let scored: Vec<(usize, Move)> = tries.iter().map(|&mv| (excitement(mv).sum(), mv)).collect();
        let most = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
        let best: Vec<Move> = scored.iter().filter(|(score, _)| *score == most).map(|(_, mv)| *mv).collect();
        *best.choose(&mut self.random).expect("there is a try left")
    }

    fn hear(&mut self, event: KriegEvent) {
        self.knowledge.hear(event, &mut self.random);
    }
}

#[derive(Debug)]
pub struct RandomPlayer {
    random: ChaCha8Rng,
}

impl RandomPlayer {
    /// A player that knows nothing.
    pub fn new(seed: u64) -> RandomPlayer {
        RandomPlayer { random: ChaCha8Rng::seed_from_u64(seed) }
    }
}

impl Player for RandomPlayer {
    fn choose(&mut self, tries: &[Move], _: &Budget) -> Move {
        *tries.choose(&mut self.random).expect("there is a try left")
    }

    fn hear(&mut self, _: KriegEvent) {}
}
