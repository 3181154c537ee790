//! The player with technique.
//!
//! In this order: a guaranteed mate from the tables of [`endings`](crate::endings) or by proof search, as deep as the belief state is
//! small; against a lone king a look ahead over the whole belief state; and else the try with the best mean over a sample of positions,
//! where a try that may be rejected counts what is learned by it.

mod judge;
mod lone_king;
mod particles;

use counterplay_base::{Budget, Verdict};
use counterplay_belief::{Algorithm, Event, solve};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use self::particles::Particles;
use crate::chess::{Board, Color, Move, Piece};
use crate::endings::EndingTable;
use crate::history::KriegEvent;
use crate::player::Player;
use crate::rules::{Extras, RuleSet};
use crate::world::Kriegspiel;

/// Estimates, proves where it can, knows endings, and samples elsewhere.
#[derive(Debug)]
pub struct Expert {
    particles: Particles,
    random: ChaCha8Rng,
    /// How often the own men stood as they do after a move, to get on where nothing else tells what progress is.
    stood: FxHashMap<u64, u32>,
}

/// Positions that are looked at to compare tries.
const SAMPLE: usize = 64;
/// Looks for guaranteed mates in belief states up to this size.
const MATE_SEARCH: usize = 300;
/// Nodes of a proof search by its depth: deeper ones are worth more, and the first to meet its limit is the last.
const PROOF_NODES: [(usize, u64); 4] = [(1, 2_000), (3, 2_000), (5, 4_000), (7, 6_000)];

impl Expert {
    /// A player of one side from a position under a rule set.
    pub fn new(root: Board, color: Color, rules: RuleSet, seed: u64) -> Expert {
        Expert {
            particles: Particles::new(root, color, rules),
            random: ChaCha8Rng::seed_from_u64(seed),
            stood: FxHashMap::default(),
        }
    }

    /// The positions it holds possible, and whether none is missing.
    pub fn positions(&self) -> (&[Board], bool) {
        (self.particles.positions(), self.particles.is_exact())
    }

    /// A guaranteed mate, if the belief state is known and small enough to find one.
    fn mate(&self, budget: &Budget) -> Option<Move> {
        let positions = self.particles.positions();
        if !self.particles.is_exact() || positions.is_empty() || positions.len() > MATE_SEARCH {
            return None;
        }
        if let Some(mv) = self.known_ending(positions, budget) {
            return Some(mv);
        }
        // The more positions, the less deep.
        let most = match positions.len() {
            0..=4 => 4,
            5..=40 => 3,
            _ => 2,
        };
        for &(depth, nodes) in &PROOF_NODES[..most] {
            let limited = budget.clone().with_nodes(nodes);
            match solve(&Kriegspiel::default(), positions, depth, Algorithm::Auto, &limited).verdict {
                Verdict::Solved(plan) => return Some(plan.attempt),
                Verdict::Unsolvable => {}
                Verdict::Stopped(_) => return None,
            }
        }
        None
    }

    fn known_ending(&self, positions: &[Board], budget: &Budget) -> Option<Move> {
        let first = positions.first()?;
        let own = first.of(first.turn());
        if own.count_ones() != 2 || !self.particles.is_lone_king() {
            return None;
        }
        let piece = [Piece::Queen, Piece::Rook].into_iter().find(|&piece| first.kind(piece) & own != 0)?;
        let table = EndingTable::of(piece, budget).ok()?;
        table.mate(positions, self.particles.view().rejected()).map(|mate| mate.attempt)
    }

    /// How often the own men stood as after a move; only the square of one man changes, which is enough to tell placements apart.
    fn times_stood(&self, mv: Move) -> u32 {
        self.stood.get(&self.particles.placement_after(mv)).copied().unwrap_or(0)
    }
}

impl Player for Expert {
    fn choose(&mut self, tries: &[Move], budget: &Budget) -> Move {
        if let [only] = tries {
            return *only;
        }
        if let Some(mv) = self.mate(budget).filter(|mv| tries.contains(mv)) {
            return mv;
        }
        let chosen = if self.particles.is_lone_king() {
            lone_king::best_try(self.particles.positions(), tries, |mv| self.times_stood(mv), budget)
        } else {
            let sample: Vec<Board> =
                self.particles.positions().sample(&mut self.random, SAMPLE).copied().collect();
            judge::best_try(&sample, tries, |mv| self.times_stood(mv))
        };
        chosen.or_else(|| tries.choose(&mut self.random).copied()).expect("there is a try left")
    }

    fn hear(&mut self, event: KriegEvent) {
        self.hear_all(event, Extras::default());
    }

    fn hear_all(&mut self, event: KriegEvent, extras: Extras) {
        if let Event::Own { attempt, heard: Some(_) } = event {
            *self.stood.entry(self.particles.placement_after(attempt)).or_insert(0) += 1;
        }
        self.particles.hear(event, extras, &mut self.random);
    }
}
