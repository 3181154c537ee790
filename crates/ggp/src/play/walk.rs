//! One position at a time on the network: for roots, solutions and everything that is not in a hurry.

use std::sync::Arc;

use counterplay_base::Id;
use counterplay_ground::game::{FluentId, Game, MoveId};

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rustc_hash::FxHashMap;

use super::tree::{Position, Rewards};
use crate::propnet::{Part, Propnet};

/// Positions that are looked at for idle moves.
const IDLE_STEPS: usize = 60;

/// What the rules say about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Whether the game is over: by the rules, or since a role has no move.
    pub is_over: bool,
    /// The moves of each role, sorted.
    pub legal: Vec<Vec<u32>>,
    /// What the position is worth to each role, from 0 to 1.
    pub rewards: Rewards,
}

/// A network for single positions.
#[derive(Clone, Debug)]
pub struct Walker {
    game: Arc<Game>,
    network: Propnet<1>,
}

impl Walker {
    /// A walker through a game.
    pub fn new(game: &Arc<Game>) -> Walker {
        Walker { game: Arc::clone(game), network: Propnet::new(game) }
    }

    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The position in which the game begins.
    pub fn initial(&self) -> Position {
        let mut words = vec![0u64; self.game.fluents.len().div_ceil(64).max(1)];
        for fluent in &self.game.initial {
            words[fluent.index() / 64] |= 1 << (fluent.index() % 64);
        }
        words.into()
    }

    fn load(&mut self, position: &[u64]) {
        for at in 0..self.game.fluents.len() {
            self.network.set_fluent(FluentId::new(at), [position[at / 64] >> (at % 64) & 1]);
        }
    }

    /// What the rules say about a position.
    pub fn view(&mut self, position: &[u64]) -> View {
        self.load(position);
        self.network.evaluate(Part::State);
        self.network.evaluate(Part::Goals);
        let mut legal = vec![Vec::new(); self.game.roles.len()];
        for (id, own) in self.game.moves.enumerate() {
            if self.network.legal(id)[0] & 1 == 1 {
                legal[own.role.index()].push(id.index() as u32);
            }
        }
        let mut rewards = vec![0.0f32; self.game.roles.len()];
        for (number, goal) in self.game.goals.iter().enumerate() {
            if self.network.goal(number)[0] & 1 == 1 {
                let place = &mut rewards[goal.role.index()];
                *place = place.max(goal.value as f32 / 100.0);
            }
        }
        let is_over = self.network.terminal()[0] & 1 == 1 || legal.iter().any(Vec::is_empty);
        View { is_over, legal, rewards: rewards.into() }
    }

    /// The position after a joint move.
    pub fn next(&mut self, position: &[u64], joint: &[u32]) -> Position {
        self.load(position);
        for &a_move in joint {
            self.network.set_move(MoveId::new(a_move as usize), [1]);
        }
        self.network.evaluate(Part::State);
        self.network.evaluate(Part::Moves);
        let mut words = vec![0u64; position.len()];
        for at in 0..self.game.fluents.len() {
            words[at / 64] |= (self.network.next(FluentId::new(at))[0] & 1) << (at % 64);
        }
        for &a_move in joint {
            self.network.set_move(MoveId::new(a_move as usize), [0]);
        }
        words.into()
    }

    /// The move that each role makes when it is not its turn: the only one that it has where another role has a choice, most
    /// often in a few random games.
    pub fn idle_moves(&mut self, seed: u64) -> Vec<Option<MoveId>> {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut counts: Vec<FxHashMap<u32, usize>> = vec![FxHashMap::default(); self.game.roles.len()];
        let mut position = self.initial();
        for _ in 0..IDLE_STEPS {
            let view = self.view(&position);
            if view.is_over {
                position = self.initial();
                continue;
            }
            if view.legal.iter().any(|own| own.len() > 1) {
                for (counts, own) in counts.iter_mut().zip(&view.legal) {
                    if let [only] = own[..] {
                        *counts.entry(only).or_default() += 1;
                    }
                }
            }
            let draw =
                |own: &Vec<u32>| own[((u64::from(random.next_u32()) * own.len() as u64) >> 32) as usize];
            let joint: Vec<u32> = view.legal.iter().map(draw).collect();
            position = self.next(&position, &joint);
        }
        let most = |counts: &FxHashMap<u32, usize>| {
            let most = counts.iter().max_by_key(|&(&a_move, &count)| (count, a_move));
            most.map(|(&a_move, _)| MoveId::new(a_move as usize))
        };
        counts.iter().map(most).collect()
    }

    /// The greatest reward of each role, from 0 to 1.
    pub fn most(&self) -> Vec<f32> {
        let mut most = vec![0.0f32; self.game.roles.len()];
        for goal in &self.game.goals {
            let place = &mut most[goal.role.index()];
            *place = place.max(goal.value as f32 / 100.0);
        }
        most
    }
}
