//! Searching on the network: a playout in every lane.
//!
//! Each lane is a searcher of its own: it goes down the tree to a move that has not been made (a leaf), starts from the position
//! before it, tells the tree about the position after it and plays on to the end. All lanes take their steps together, in
//! one evaluation of the network; those that are done go down the tree again at once. Playouts on their way count
//! as lost (virtual loss: Chaslot, Winands and van den Herik 2008), so that lanes spread.
//!
//! Moves in playouts are drawn with a preference for those that went well before (MAST: Finnsson and Björnsson 2008):
//! a few are drawn, and the one with the best mean reward is made. A move that wins at once is made before all others, and
//! a move after which the opponent has one is taken back (decisive and anti-decisive moves: Teytaud and Teytaud 2010).

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use counterplay_base::{Budget, Id};
use counterplay_ground::game::{FluentId, Game, MoveId};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::decisive::DecisiveRules;
use super::lane::{Doing, Lane};
use super::oracle::Oracle;
use super::settings::UctSettings;
use super::tree::{Arrival, Descent, UctNodeId, UctTree};
use super::wins::Wins;
use crate::lanes::{Lanes, transpose};
use crate::legal::LegalMoves;
use crate::propnet::{Part, Propnet};

/// A playout is cut after so many moves; its rewards are those of the position then.
const LONGEST: usize = 3000;
/// Of the playouts through a move, those of the last so many count.
const MEMORY: f32 = 4000.0;

/// How often a move was made in playouts, and what came of it.
#[derive(Clone, Copy, Debug, Default)]
struct Mast {
    visits: f32,
    sum: f32,
}

impl Mast {
    #[inline]
    fn value(self) -> f32 {
        (self.sum + 0.5) / (self.visits + 1.0)
    }
}

/// What a search needs of those who grow its tree, however many lanes they have.
pub(super) trait Searcher: Send + std::fmt::Debug {
    /// Lets solved positions end playouts where they enter the tree.
    fn set_oracle(&mut self, oracle: Option<Arc<dyn Oracle>>);
    /// Begins at a new root: playouts on their way are forgotten.
    fn restart(&mut self, tree: &Mutex<UctTree>);
    /// Searches until the budget ends or nothing is left to search; the next run goes on where this one stops.
    fn run(&mut self, tree: &Mutex<UctTree>, budget: &Budget);
}

/// A searcher with `64 * W` lanes.
#[derive(Debug)]
pub(super) struct Batch<const W: usize> {
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
    wins: Option<Wins>,
    fresh: Vec<Lanes<W>>,
    /// The positions before the last moves.
    before: Vec<Lanes<W>>,
    /// Lanes that go back there.
    taken_back: Lanes<W>,
    /// Positions of the lanes of a word, one after the other.
    rows: Vec<u64>,
    /// The rewards that were read last.
    rewards: Vec<f32>,
    oracle: Option<Arc<dyn Oracle>>,
}

/// The rewards in a lane; the greatest of several, and nothing if there is none.
fn read_rewards<const W: usize>(network: &Propnet<W>, game: &Game, word: usize, bit: usize, out: &mut [f32]) {
    out.fill(0.0);
    for (number, goal) in game.goals.iter().enumerate() {
        if network.goal(number)[word] >> bit & 1 == 1 {
            let place = &mut out[goal.role.index()];
            *place = place.max(goal.value as f32 / 100.0);
        }
    }
}

/// Locks the tree; a thread that died while it held it left nothing worse than a lost playout.
pub(super) fn lock(tree: &Mutex<UctTree>) -> MutexGuard<'_, UctTree> {
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<const W: usize> Searcher for Batch<W> {
    fn set_oracle(&mut self, oracle: Option<Arc<dyn Oracle>>) {
        self.oracle = oracle;
    }

    fn restart(&mut self, tree: &Mutex<UctTree>) {
        let mut tree = lock(tree);
        for lane in &mut self.lanes {
            if !matches!(lane.doing, Doing::Rests) {
                tree.abandon(&lane.path);
            }
            lane.rest();
        }
    }

    fn run(&mut self, tree: &Mutex<UctTree>, budget: &Budget) {
        let mut steps = 0u32;
        while budget.check().is_ok() {
            self.step(tree);
            steps += 1;
            if steps.is_multiple_of(16) && lock(tree).is_settled() {
                break;
            }
        }
    }
}

impl<const W: usize> Batch<W> {
    /// A searcher; different numbers draw different moves.
    pub(super) fn new(
        game: &Arc<Game>,
        decisive: Option<&DecisiveRules>,
        settings: &UctSettings,
        number: u64,
    ) -> Batch<W> {
        let network = match decisive {
            Some(rules) => Propnet::with_added(&rules.game, rules.first),
            None => Propnet::new(game),
        };
        Batch {
            network,
            lanes: vec![Lane::default(); 64 * W],
            random: Pcg64Mcg::seed_from_u64(settings.seed ^ (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            settings: settings.clone(),
            made: Vec::new(),
            mast: vec![Mast::default(); game.moves.len()],
            legal: game.roles.ids().map(|role| LegalMoves::new(game, role)).collect(),
            wins: decisive.map(|rules| Wins::new(game, rules)),
            fresh: Vec::new(),
            before: vec![[0; W]; game.fluents.len()],
            taken_back: [0; W],
            rows: Vec::new(),
            rewards: vec![0.0; game.roles.len()],
            game: Arc::clone(game),
            oracle: None,
        }
    }

    /// Sends a lane down the tree until there is something to evaluate.
    fn descend(&mut self, number: usize, tree: &mut UctTree, from: Option<UctNodeId>) {
        let lane = &mut self.lanes[number];
        let mast = &self.mast;
        let mut from = from;
        // Ways that end at once are counted, and another one is taken; not for ever.
        for _ in 0..64 {
            if tree.is_settled() {
                break;
            }
            if from.is_none() {
                lane.path.clear();
            }
            lane.later.clear();
            let prior = |a_move: u32| mast[a_move as usize].value();
            match tree.descend(from.take(), &mut lane.path, &mut self.random, prior) {
                Descent::Leaf(node) => {
                    tree.last_moves(&lane.path, &mut lane.joint);
                    lane.load.clear();
                    lane.load.extend_from_slice(tree.position(node));
                    lane.loads = true;
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
        lane.rest();
    }

    /// One move in every lane.
    fn step(&mut self, tree: &Mutex<UctTree>) {
        self.network.evaluate(Part::State);
        for a_move in std::mem::take(&mut self.made) {
            self.network.set_move(a_move, [0; W]);
        }
        let over = self.network.terminal();
        if self.wins.is_some() {
            self.network.evaluate(Part::Added);
        }
        let mut goals_ready = false;
        for (word, over) in over.into_iter().enumerate() {
            self.legal.iter_mut().for_each(|legal| legal.read(&self.network, word));
            if let Some(wins) = &mut self.wins {
                wins.read(&self.network, word, over);
            }
            // First what needs no tree, so that other threads need not wait for it.
            let mut waiting = 0u64;
            for bit in 0..64 {
                let goes_on = match self.lanes[64 * word + bit].doing {
                    Doing::Rests | Doing::Arrives => false,
                    Doing::Starts => self.start(word, bit),
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
        if self.wins.as_ref().is_some_and(Wins::is_wrong) {
            self.wins = None;
        }
        self.made.sort_unstable();
        self.made.dedup();
        self.network.evaluate(Part::Moves);
        self.advance();
    }

    /// Makes the last move of the path of a lane.
    fn start(&mut self, word: usize, bit: usize) -> bool {
        let lane = &mut self.lanes[64 * word + bit];
        for &a_move in &lane.joint {
            let a_move = MoveId::new(a_move as usize);
            self.network.add_move(a_move, word, bit as u32);
            self.made.push(a_move);
        }
        lane.doing = Doing::Arrives;
        true
    }

    /// Brings back what lanes of a word have found, and sends them out again.
    fn meet_tree(&mut self, word: usize, waiting: u64, over: u64, tree: &mut UctTree) {
        self.read_arrivals(word, waiting);
        let mut left = waiting;
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let number = 64 * word + bit;
            match self.lanes[number].doing {
                Doing::Plays => {
                    read_rewards(&self.network, &self.game, word, bit, &mut self.rewards);
                    self.learn(number);
                    let lane = &self.lanes[number];
                    tree.back_up(&lane.path, &self.rewards, &lane.later);
                    self.descend(number, tree, None);
                }
                Doing::Arrives => self.arrive(word, bit, over >> bit & 1 == 1, tree),
                Doing::Rests | Doing::Starts => self.descend(number, tree, None),
            }
        }
    }

    /// Tells the tree about the position of a lane, or goes on from there if it is known.
    fn arrive(&mut self, word: usize, bit: usize, is_over: bool, tree: &mut UctTree) {
        let number = 64 * word + bit;
        let words = self.game.fluents.len().div_ceil(64).max(1);
        let position = &self.rows[bit * words..(bit + 1) * words];
        if let Some(known) = tree.find(position) {
            tree.join(&self.lanes[number].path, known);
            self.descend(number, tree, Some(known));
            return;
        }
        let is_stuck = self.legal.iter().any(|legal| legal.count(bit) == 0);
        let proved = match is_over || is_stuck {
            true => {
                read_rewards(&self.network, &self.game, word, bit, &mut self.rewards);
                true
            }
            false => match self.oracle.as_ref().and_then(|oracle| oracle.rewards(position)) {
                Some(solved) => {
                    self.rewards.copy_from_slice(&solved);
                    true
                }
                None => false,
            },
        };
        match proved {
            true => {
                let path = &self.lanes[number].path;
                tree.grow(path, position, &Arrival::Proved(&self.rewards));
                tree.back_up(path, &self.rewards, &[]);
                self.descend(number, tree, None);
            }
            false => {
                let path = &self.lanes[number].path;
                if tree.wants_node(path) {
                    let legal: Vec<Vec<u32>> = self.legal.iter().map(|legal| legal.list(bit)).collect();
                    let urgent = self.wins.as_ref().and_then(|wins| wins.of(bit)).map(|(_, a_move)| a_move);
                    tree.grow(path, position, &Arrival::Open { legal: &legal, urgent });
                }
                self.lanes[number].begin();
                self.play(word, bit);
            }
        }
    }

    /// Reads the positions of those waiting lanes of a word that have arrived somewhere.
    fn read_arrivals(&mut self, word: usize, waiting: u64) {
        let own = &self.lanes[64 * word..64 * (word + 1)];
        if !(0..64).any(|bit| waiting >> bit & 1 == 1 && matches!(own[bit].doing, Doing::Arrives)) {
            return;
        }
        let fluents = self.game.fluents.len();
        let words = fluents.div_ceil(64).max(1);
        self.rows.resize(64 * words, 0);
        for part in 0..words {
            let mut block = [0u64; 64];
            for (bit, value) in block.iter_mut().enumerate().take(fluents.saturating_sub(64 * part)) {
                *value = self.network.fluent(FluentId::new(64 * part + bit))[word];
            }
            transpose(&mut block);
            for (bit, value) in block.into_iter().enumerate() {
                self.rows[bit * words + part] = value;
            }
        }
    }

    /// Makes a move for every role in a lane, or takes one back; `false` if some role has none, or the playout is too long.
    fn play(&mut self, word: usize, bit: usize) -> bool {
        let number = 64 * word + bit;
        if self.lanes[number].later.len() >= LONGEST * self.legal.len() {
            return false;
        }
        let mut choosing = 0;
        let mut mover = None;
        for role in 0..self.legal.len() {
            match self.legal[role].count(bit) {
                0 => return false,
                1 => {}
                _ => {
                    choosing += 1;
                    mover = Some(role);
                }
            }
        }
        // Several that choose at once have no turn to take back, and none of them wins alone.
        let mover = mover.filter(|_| choosing == 1);
        let won = self.wins.as_mut().and_then(|wins| {
            if self.lanes[number].expected.is_some() {
                wins.deny();
            }
            wins.of(bit).filter(|&(role, _)| choosing == 0 || mover == Some(role))
        });
        if let Some(won) = won
            && self.lanes[number].take_back(won, self.legal.len(), self.settings.regrets)
        {
            self.taken_back[word] |= 1 << bit;
            return true;
        }
        let start = self.made.len();
        for role in 0..self.legal.len() {
            let a_move = match won {
                Some((winner, a_move)) if winner == role => a_move as usize,
                _ => self.draw(role, bit, number),
            };
            self.made.push(MoveId::new(a_move));
            self.lanes[number].later.push(a_move as u32);
        }
        self.lanes[number].moved(mover, won.map(|(winner, _)| winner));
        for at in start..self.made.len() {
            self.network.add_move(self.made[at], word, bit as u32);
        }
        true
    }

    /// Draws a legal move of a role, and not the one that was taken back if there is another.
    fn draw(&mut self, role: usize, bit: usize, number: usize) -> usize {
        let count = self.legal[role].count(bit);
        let mut best = self.draw_one(role, bit, count);
        if count == 1 {
            return best;
        }
        let threat = self.lanes[number].threat.take();
        if let Some(twin) = threat.and_then(|threat| self.wins.as_ref()?.twin(threat, role))
            && self.network.legal(MoveId::new(twin as usize))[number / 64] >> bit & 1 == 1
        {
            return twin as usize;
        }
        let avoided = self.lanes[number].avoided();
        for _ in 1..self.settings.draw.max(if avoided.is_some() { 3 } else { 1 }) {
            let other = self.draw_one(role, bit, count);
            if Some(best) == avoided
                || Some(other) != avoided
                    && self.settings.draw > 1
                    && self.mast[other].value() > self.mast[best].value()
            {
                best = other;
            }
        }
        best
    }

    fn draw_one(&mut self, role: usize, bit: usize, count: u32) -> usize {
        let rank = ((u64::from(self.random.next_u32()) * u64::from(count)) >> 32) as u32;
        self.legal[role].nth(bit, rank).index()
    }

    /// Remembers how the moves of a playout went.
    fn learn(&mut self, number: usize) {
        let rewards = &self.rewards;
        if let Some(wins) = &mut self.wins
            && let Some(winner) = self.lanes[number].expected
        {
            wins.check(winner, rewards);
        }
        if self.settings.draw < 2 && self.settings.bias == 0.0 {
            return;
        }
        let roles = self.legal.len();
        for (at, &a_move) in self.lanes[number].later.iter().enumerate() {
            let mast = &mut self.mast[a_move as usize];
            if mast.visits > MEMORY {
                mast.visits /= 2.0;
                mast.sum /= 2.0;
            }
            mast.visits += 1.0;
            mast.sum += rewards[at % roles];
        }
    }

    /// Goes to the next position in every lane, back to the one before, or to the one that is to be loaded.
    fn advance(&mut self) {
        let fluents = self.game.fluents.len();
        self.fresh.clear();
        self.fresh.extend((0..fluents).map(|at| self.network.next(FluentId::new(at))));
        if self.wins.is_some() || self.taken_back != [0; W] {
            let back = std::mem::replace(&mut self.taken_back, [0; W]);
            for at in 0..fluents {
                let now = self.network.fluent(FluentId::new(at));
                for word in 0..W {
                    let before = self.before[at][word];
                    self.fresh[at][word] = self.fresh[at][word] & !back[word] | before & back[word];
                    self.before[at][word] = now[word] & !back[word] | before & back[word];
                }
            }
        }
        self.apply_loads();
        for at in 0..fluents {
            self.network.set_fluent(FluentId::new(at), self.fresh[at]);
        }
    }

    fn apply_loads(&mut self) {
        let fluents = self.fresh.len();
        for word in 0..W {
            let own = &mut self.lanes[64 * word..64 * (word + 1)];
            let mask =
                own.iter().enumerate().fold(0, |mask, (bit, lane)| mask | u64::from(lane.loads) << bit);
            if mask == 0 {
                continue;
            }
            for part in 0..fluents.div_ceil(64) {
                let mut block = [0u64; 64];
                for (row, lane) in block.iter_mut().zip(own.iter()) {
                    *row = if lane.loads { lane.load[part] } else { 0 };
                }
                transpose(&mut block);
                let fresh = self.fresh[64 * part..].iter_mut();
                for (value, loaded) in fresh.zip(block) {
                    value[word] = value[word] & !mask | loaded;
                }
            }
            own.iter_mut().for_each(|lane| lane.loads = false);
        }
    }
}
