//! Searching on the network: a playout in every lane.
//!
//! Each lane is a searcher of its own: it goes down the tree to a move that has not been made (a leaf), starts from the position
//! before it, adds the position after it to the tree and plays on to the end. All lanes take their steps together, in
//! one evaluation of the network; those that are done go down the tree again at once. Playouts on their way count
//! as lost (virtual loss: Chaslot, Winands and van den Herik 2008), so that lanes spread.
//!
//! Moves in playouts are drawn with a preference for those that went well before (MAST: Finnsson and Björnsson 2008):
//! a few are drawn, and the one with the best mean reward is made.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use counterplay_base::{Budget, Id};
use counterplay_ground::game::{FluentId, Game, MoveId};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::oracle::Oracle;
use super::settings::UctSettings;
use super::tree::{Descent, Position, Rewards, TreePath, UctTree};
use crate::lanes::{Lanes, transpose};
use crate::legal::LegalMoves;
use crate::propnet::{Part, Propnet};

/// A playout is cut after so many moves; its rewards are those of the position then.
const LONGEST: usize = 3000;

/// What a lane is doing.
#[derive(Clone, Debug)]
enum Doing {
    /// It has been given a position to start from, and makes the last move of its path next.
    Starts,
    /// The move of its path is made; the position is to be added to the tree.
    Arrives,
    Plays,
    /// Nothing is left to do.
    Rests,
}

#[derive(Debug)]
struct Lane {
    doing: Doing,
    path: TreePath,
    /// The joint move that the path ends with.
    joint: Vec<u32>,
    /// Joint moves after the path.
    later: Vec<u32>,
    /// The position to be loaded before the next step.
    load: Option<Position>,
}

/// How often a move was made in playouts, and what came of it.
#[derive(Clone, Copy, Debug, Default)]
struct Mast {
    visits: f32,
    sum: f32,
}

/// A searcher with `64 * W` lanes.
#[derive(Debug)]
pub struct Batch<const W: usize> {
    game: Arc<Game>,
    network: Propnet<W>,
    lanes: Vec<Lane>,
    random: Pcg64Mcg,
    settings: UctSettings,
    /// Moves that are made in some lane.
    made: Vec<MoveId>,
    mast: Vec<Mast>,
    /// Of each role, in the lanes of the word that was read last.
    legal: Vec<LegalMoves>,
    fresh: Vec<Lanes<W>>,
    oracle: Option<Arc<dyn Oracle>>,
}

/// Locks the tree; a thread that died while it held it left nothing worse than a lost playout.
pub(super) fn lock(tree: &Mutex<UctTree>) -> MutexGuard<'_, UctTree> {
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<const W: usize> Batch<W> {
    /// A searcher; different numbers draw different moves.
    pub fn new(game: &Arc<Game>, settings: &UctSettings, number: u64) -> Batch<W> {
        let lane = || Lane {
            doing: Doing::Rests,
            path: TreePath::default(),
            joint: Vec::new(),
            later: Vec::new(),
            load: None,
        };
        Batch {
            network: Propnet::new(game),
            lanes: (0..64 * W).map(|_| lane()).collect(),
            random: Pcg64Mcg::seed_from_u64(settings.seed ^ (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            settings: settings.clone(),
            made: Vec::new(),
            mast: vec![Mast::default(); game.moves.len()],
            legal: game.roles.ids().map(|role| LegalMoves::new(game, role)).collect(),
            fresh: Vec::new(),
            game: Arc::clone(game),
            oracle: None,
        }
    }

    /// Lets solved positions end playouts where they enter the tree.
    pub fn set_oracle(&mut self, oracle: Option<Arc<dyn Oracle>>) {
        self.oracle = oracle;
    }

    /// Begins at a new root: playouts on their way are forgotten.
    pub fn restart(&mut self, tree: &Mutex<UctTree>) {
        let mut tree = lock(tree);
        for lane in &mut self.lanes {
            if !matches!(lane.doing, Doing::Rests) {
                tree.abandon(&lane.path);
            }
            lane.path.clear();
            lane.later.clear();
            lane.doing = Doing::Rests;
            lane.load = None;
        }
    }

    /// Searches until the budget ends or nothing is left to search; the next run goes on where this one stops.
    pub fn run(&mut self, tree: &Mutex<UctTree>, budget: &Budget) {
        let mut steps = 0u32;
        while budget.check().is_ok() {
            self.step(tree);
            steps += 1;
            if steps.is_multiple_of(16) && lock(tree).is_settled() {
                break;
            }
        }
    }

    /// Sends a lane down the tree until there is something to evaluate.
    fn descend(&mut self, number: usize, tree: &mut UctTree, from: Option<super::tree::UctNodeId>) {
        let lane = &mut self.lanes[number];
        let mut from = from;
        // Ways that end at once are counted, and another one is taken; not for ever.
        for _ in 0..64 {
            if tree.is_settled() {
                break;
            }
            if from.is_none() {
                lane.path.clear();
                lane.later.clear();
            }
            match tree.descend(from.take(), &mut lane.path, &mut self.random) {
                Descent::Leaf(position) => {
                    tree.last_moves(&lane.path, &mut lane.joint);
                    lane.load = Some(position);
                    lane.doing = Doing::Starts;
                    return;
                }
                Descent::Proved(rewards) => tree.back_up(&lane.path, &rewards, &[]),
                Descent::Cycle => tree.abandon(&lane.path),
            }
        }
        if from.is_some() {
            tree.abandon(&lane.path);
        }
        lane.path.clear();
        lane.doing = Doing::Rests;
    }

    /// One move in every lane.
    fn step(&mut self, tree: &Mutex<UctTree>) {
        self.network.evaluate(Part::State);
        for a_move in std::mem::take(&mut self.made) {
            self.network.set_move(a_move, [0; W]);
        }
        let over = self.network.terminal();
        let mut goals_ready = false;
        for (word, over) in over.into_iter().enumerate() {
            self.legal.iter_mut().for_each(|legal| legal.read(&self.network, word));
            // First what needs no tree, so that other threads need not wait for it.
            let mut waiting = 0u64;
            for bit in 0..64 {
                let number = 64 * word + bit;
                let goes_on = match self.lanes[number].doing {
                    Doing::Rests | Doing::Arrives => false,
                    Doing::Starts => {
                        for at in 0..self.legal.len() {
                            let a_move = MoveId::new(self.lanes[number].joint[at] as usize);
                            self.network.add_move(a_move, word, bit as u32);
                            self.made.push(a_move);
                        }
                        self.lanes[number].doing = Doing::Arrives;
                        true
                    }
                    Doing::Plays => over >> bit & 1 == 0 && self.play(word, bit),
                };
                waiting |= u64::from(!goes_on) << bit;
            }
            if waiting == 0 {
                continue;
            }
            if !goals_ready {
                self.network.evaluate(Part::Goals);
                goals_ready = true;
            }
            self.meet_tree(word, waiting, over, &mut lock(tree));
        }
        self.made.sort_unstable();
        self.made.dedup();
        self.network.evaluate(Part::Moves);
        self.advance();
    }

    /// Brings back what lanes of a word have found, and sends them out again.
    fn meet_tree(&mut self, word: usize, waiting: u64, over: u64, tree: &mut UctTree) {
        let positions = self.arrivals(word, waiting);
        let mut left = waiting;
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let number = 64 * word + bit;
            match self.lanes[number].doing {
                Doing::Plays => {
                    let rewards = self.rewards(word, bit);
                    self.learn(number, &rewards);
                    let lane = &self.lanes[number];
                    tree.back_up(&lane.path, &rewards, &lane.later);
                    self.descend(number, tree, None);
                }
                Doing::Arrives => {
                    let position = positions[bit].as_ref().expect("positions of arrivals are read");
                    self.arrive(word, bit, position, over >> bit & 1 == 1, tree);
                }
                Doing::Rests | Doing::Starts => self.descend(number, tree, None),
            }
        }
    }

    /// Adds the position of a lane to the tree, or goes on from there if it is known.
    fn arrive(&mut self, word: usize, bit: usize, position: &Position, is_over: bool, tree: &mut UctTree) {
        let number = 64 * word + bit;
        if let Some(known) = tree.find(position) {
            tree.grow(&self.lanes[number].path, position, &[], None);
            self.descend(number, tree, Some(known));
            return;
        }
        let legal: Vec<Vec<u32>> = self.legal.iter().map(|legal| legal.list(bit)).collect();
        let proved = match is_over || legal.iter().any(Vec::is_empty) {
            true => Some(self.rewards(word, bit)),
            false => self.oracle.as_ref().and_then(|oracle| oracle.rewards(position)),
        };
        tree.grow(&self.lanes[number].path, position, &legal, proved.clone());
        match proved {
            Some(rewards) => {
                tree.back_up(&self.lanes[number].path, &rewards, &[]);
                self.descend(number, tree, None);
            }
            None => {
                self.lanes[number].doing = Doing::Plays;
                self.play(word, bit);
            }
        }
    }

    /// The positions of those waiting lanes of a word that have arrived somewhere.
    fn arrivals(&self, word: usize, waiting: u64) -> Vec<Option<Position>> {
        let own = &self.lanes[64 * word..64 * (word + 1)];
        let mut positions: Vec<Option<Position>> = vec![None; 64];
        let has_arrived = |bit: usize| waiting >> bit & 1 == 1 && matches!(own[bit].doing, Doing::Arrives);
        if !(0..64).any(has_arrived) {
            return positions;
        }
        let fluents = self.game.fluents.len();
        let words = fluents.div_ceil(64).max(1);
        let mut rows = vec![0u64; 64 * words];
        for part in 0..words {
            let mut block = [0u64; 64];
            for (bit, value) in block.iter_mut().enumerate().take(fluents.saturating_sub(64 * part)) {
                *value = self.network.fluent(FluentId::new(64 * part + bit))[word];
            }
            transpose(&mut block);
            for (bit, value) in block.into_iter().enumerate() {
                rows[bit * words + part] = value;
            }
        }
        for bit in (0..64).filter(|&bit| has_arrived(bit)) {
            positions[bit] = Some(rows[bit * words..(bit + 1) * words].into());
        }
        positions
    }

    /// Draws a move for every role in a lane; `false` if some role has none, or the playout is too long.
    fn play(&mut self, word: usize, bit: usize) -> bool {
        let start = self.made.len();
        let length = self.lanes[64 * word + bit].later.len();
        if length >= LONGEST * self.legal.len() {
            return false;
        }
        for role in 0..self.legal.len() {
            let count = self.legal[role].count(bit);
            if count == 0 {
                self.made.truncate(start);
                self.lanes[64 * word + bit].later.truncate(length);
                return false;
            }
            let a_move = self.draw(role, bit, count);
            self.made.push(MoveId::new(a_move));
            self.lanes[64 * word + bit].later.push(a_move as u32);
        }
        for at in start..self.made.len() {
            self.network.add_move(self.made[at], word, bit as u32);
        }
        true
    }

    /// Draws one of so many legal moves.
    fn draw(&mut self, role: usize, bit: usize, count: u32) -> usize {
        let first = self.draw_one(role, bit, count);
        if count == 1 {
            return first;
        }
        let value = |mast: Mast| (mast.sum + 0.5) / (mast.visits + 1.0);
        let mut best = first;
        for _ in 1..self.settings.draw {
            let other = self.draw_one(role, bit, count);
            if value(self.mast[other]) > value(self.mast[best]) {
                best = other;
            }
        }
        best
    }

    fn draw_one(&mut self, role: usize, bit: usize, count: u32) -> usize {
        let rank = ((u64::from(self.random.next_u32()) * u64::from(count)) >> 32) as u32;
        self.legal[role].nth(bit, rank).index()
    }

    /// The rewards in a lane; the greatest of several, and nothing if there is none.
    fn rewards(&self, word: usize, bit: usize) -> Rewards {
        let mut rewards = vec![0.0f32; self.legal.len()];
        for (number, goal) in self.game.goals.iter().enumerate() {
            if self.network.goal(number)[word] >> bit & 1 == 1 {
                let place = &mut rewards[goal.role.index()];
                *place = place.max(goal.value as f32 / 100.0);
            }
        }
        rewards.into()
    }

    /// Remembers how the moves of a playout went.
    fn learn(&mut self, number: usize, rewards: &[f32]) {
        if self.settings.draw < 2 {
            return;
        }
        let roles = self.legal.len();
        for (at, &a_move) in self.lanes[number].later.iter().enumerate() {
            let mast = &mut self.mast[a_move as usize];
            if mast.visits > 4000.0 {
                // Old playouts fade, since better ones are played now.
                mast.visits *= 0.5;
                mast.sum *= 0.5;
            }
            mast.visits += 1.0;
            mast.sum += rewards[at % roles];
        }
    }

    /// Goes to the next position in every lane, or to the one that is to be loaded.
    fn advance(&mut self) {
        let fluents = self.game.fluents.len();
        self.fresh.clear();
        self.fresh.extend((0..fluents).map(|at| self.network.next(FluentId::new(at))));
        self.apply_loads();
        for at in 0..fluents {
            self.network.set_fluent(FluentId::new(at), self.fresh[at]);
        }
    }

    fn apply_loads(&mut self) {
        let fluents = self.fresh.len();
        for word in 0..W {
            let mut mask = 0u64;
            let own = &mut self.lanes[64 * word..64 * (word + 1)];
            let loads: Vec<Option<Position>> = own.iter_mut().map(|lane| lane.load.take()).collect();
            for (bit, load) in loads.iter().enumerate() {
                mask |= u64::from(load.is_some()) << bit;
            }
            if mask == 0 {
                continue;
            }
            for part in 0..fluents.div_ceil(64) {
                let mut block = [0u64; 64];
                for (row, load) in block.iter_mut().zip(&loads) {
                    *row = load.as_ref().map_or(0, |position| position[part]);
                }
                transpose(&mut block);
                let fresh = self.fresh[64 * part..].iter_mut();
                for (value, loaded) in fresh.zip(block) {
                    value[word] = value[word] & !mask | loaded;
                }
            }
        }
    }
}
