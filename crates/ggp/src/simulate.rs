//! Random play, many games side by side.
//!
//! Each lane plays a game of its own; a lane whose game is over begins again in the same step, so none is ever idle.
//! Moves are drawn uniformly from the legal ones of each role.

use counterplay_base::{Budget, Id, Limit};
use counterplay_gdl::Rules;
use counterplay_gdl::interpret::{InterpretError, Interpreter};
use counterplay_ground::game::{FluentId, Game, MoveId};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::legal::LegalMoves;
use crate::propnet::{Part, Propnet};

/// What random play came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Simulation {
    /// Games that ended.
    pub playouts: u64,
    /// Games in which a role had no legal move before the end.
    pub stuck: u64,
    /// Positions that were left by a joint move.
    pub states: u64,
    /// The mean reward of each role.
    pub means: Vec<f64>,
}

/// Plays until `go_on`, which is asked every few steps, says no.
pub fn simulate(
    game: &Game,
    seed: u64,
    budget: &Budget,
    go_on: impl FnMut() -> bool,
) -> Result<Simulation, Limit> {
    // Large networks would fall out of the cache with many lanes.
    match game.atoms {
        0..4000 => RandomPlay::<8>::new(game, seed).run(budget, go_on),
        4000..20_000 => RandomPlay::<4>::new(game, seed).run(budget, go_on),
        _ => RandomPlay::<2>::new(game, seed).run(budget, go_on),
    }
}

/// What random play by the plain reading of the rules came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RulesSimulation {
    /// Games that ended, or in which a role had no legal move.
    pub playouts: u64,
    /// Positions that were looked at.
    pub states: u64,
}

/// Plays on the interpreter of the rules, without grounding, until `go_on` says no.
///
/// # Errors
/// Rules that cannot be followed, or the limit that was reached.
pub fn simulate_rules(
    rules: &Rules,
    seed: u64,
    budget: &Budget,
    mut go_on: impl FnMut() -> bool,
) -> Result<RulesSimulation, InterpretError> {
    let mut interpreter = Interpreter::new(rules.clone())?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let first = interpreter.initial(budget)?;
    let mut state = first.clone();
    let mut played = RulesSimulation::default();
    while go_on() {
        let mut joint = Vec::new();
        if !interpreter.is_terminal(&state, budget)? {
            for role in 0..interpreter.roles().len() {
                let moves = interpreter.legal(&state, role, budget)?;
                if !moves.is_empty() {
                    joint.push(moves[random.random_range(0..moves.len())]);
                }
            }
        }
        played.states += 1;
        if joint.len() < interpreter.roles().len() {
            played.playouts += 1;
            state = first.clone();
        } else {
            state = interpreter.next(&state, &joint, budget)?;
        }
    }
    Ok(played)
}

/// Games side by side.
struct RandomPlay<'g, const W: usize> {
    game: &'g Game,
    network: Propnet<W>,
    random: ChaCha8Rng,
    initial: Vec<bool>,
    /// Moves that are made in some lane.
    made: Vec<MoveId>,
    /// Of each role, in the lanes of the word that was read last.
    legal: Vec<LegalMoves>,
    result: Simulation,
    sums: Vec<f64>,
}

impl<'g, const W: usize> RandomPlay<'g, W> {
    fn new(game: &'g Game, seed: u64) -> RandomPlay<'g, W> {
        let mut initial = vec![false; game.fluents.len()];
        game.initial.iter().for_each(|fluent| initial[fluent.index()] = true);
        let mut network = Propnet::new(game);
        for fluent in game.fluents.ids() {
            let value = if initial[fluent.index()] { !0 } else { 0 };
            network.set_fluent(fluent, [value; W]);
        }
        RandomPlay {
            game,
            network,
            random: ChaCha8Rng::seed_from_u64(seed),
            initial,
            made: Vec::new(),
            legal: game.roles.ids().map(|role| LegalMoves::new(game, role)).collect(),
            result: Simulation::default(),
            sums: vec![0.0; game.roles.len()],
        }
    }

    fn run(mut self, budget: &Budget, mut go_on: impl FnMut() -> bool) -> Result<Simulation, Limit> {
        let mut steps = 0u32;
        loop {
            self.step();
            steps += 1;
            if steps.is_multiple_of(8) {
                budget.check()?;
                if !go_on() {
                    break;
                }
            }
        }
        let games = self.result.playouts.max(1) as f64;
        self.result.means = self.sums.iter().map(|sum| sum / games).collect();
        Ok(self.result)
    }

    /// One move in every lane, or a new game.
    fn step(&mut self) {
        self.network.evaluate(Part::State);
        let over = self.network.terminal();
        self.score(over);
        for a_move in std::mem::take(&mut self.made) {
            self.network.set_move(a_move, [0; W]);
        }
        let mut again = over;
        for role in 0..self.legal.len() {
            for (word, again) in again.iter_mut().enumerate() {
                let stuck = self.choose(role, word, !*again);
                self.result.stuck += u64::from(stuck.count_ones());
                *again |= stuck;
            }
        }
        self.made.sort_unstable();
        self.made.dedup();
        self.network.evaluate(Part::Moves);
        let lanes = 64 * W as u64;
        self.result.states += lanes - again.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        // All next values are read before any fluent changes, since they may be fluents themselves.
        let mut fresh = Vec::with_capacity(self.initial.len());
        for (at, &initial) in self.initial.iter().enumerate() {
            let mut value = self.network.next(FluentId::new(at));
            for (value, again) in value.iter_mut().zip(&again) {
                *value = *value & !again | if initial { *again } else { 0 };
            }
            fresh.push(value);
        }
        for (at, value) in fresh.into_iter().enumerate() {
            self.network.set_fluent(FluentId::new(at), value);
        }
    }

    /// Counts games that are over, and their rewards.
    fn score(&mut self, over: [u64; W]) {
        let ended: u64 = over.iter().map(|word| u64::from(word.count_ones())).sum();
        if ended == 0 {
            return;
        }
        self.result.playouts += ended;
        self.network.evaluate(Part::Goals);
        for (number, goal) in self.game.goals.iter().enumerate() {
            let given = self.network.goal(number);
            let count: u32 = given.iter().zip(&over).map(|(given, over)| (given & over).count_ones()).sum();
            self.sums[goal.role.index()] += f64::from(goal.value) * f64::from(count);
        }
    }

    /// Draws a legal move for a role in the given lanes of a word; returns those in which there is none.
    fn choose(&mut self, role: usize, word: usize, wanted: u64) -> u64 {
        if wanted == 0 {
            return 0;
        }
        self.legal[role].read(&self.network, word);
        let legal = &self.legal[role];
        let mut stuck = 0;
        let mut left = wanted;
        while left != 0 {
            let lane = left.trailing_zeros();
            left &= left - 1;
            let count = legal.count(lane as usize);
            if count == 0 {
                stuck |= 1 << lane;
                continue;
            }
            let rank = ((u64::from(self.random.next_u32()) * u64::from(count)) >> 32) as u32;
            let a_move = legal.nth(lane as usize, rank);
            self.network.add_move(a_move, word, lane);
            self.made.push(a_move);
        }
        stuck
    }
}
