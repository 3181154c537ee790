//! Depth-first proof-number search over a position that moves are made and taken back on.
//!
//! Nagai's df-pn with Kishimoto and Müller's way of counting for the side to move: `phi` is what it still has to prove to win,
//! `delta` to lose. It lives here and not on `counterplay-proof` for two reasons. `proof` expands a node once into children that it
//! keeps, which is right for belief states (they cost much to compute) and wrong for boards (a move is made and taken back for less than
//! a copy costs). And a repetition is a win of one side here, so that a value may depend on the path, where `proof` relies on
//! nodes with the same key having the same value.

use counterplay_base::{Budget, BudgetPoll, Limit};
use rustc_hash::FxHashMap;

use super::local::{LocalGame, Side};
use crate::point::Move;

/// No line gets longer: what would is taken for a repetition.
const DEEPEST: usize = 1000;

/// For each position that a search may look at for the first time it may look so often at known ones.
const VISITS: u64 = 4;

/// The number of a proved or disproved position: infinity.
pub const INFINITE: u32 = 1 << 30;

/// What is known of a position: numbers for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The proof number of the side to move: leaves that have to be proved for its win, at least.
    pub phi: u32,
    /// The disproof number of the side to move: leaves that have to be proved for its loss, at least.
    pub delta: u32,
}

impl Numbers {
    /// The side to move has won.
    pub const WON: Numbers = Numbers { phi: 0, delta: INFINITE };
    /// The side to move has lost.
    pub const LOST: Numbers = Numbers { phi: INFINITE, delta: 0 };

    fn of(winner: Side, turn: Side) -> Numbers {
        if winner == turn { Numbers::WON } else { Numbers::LOST }
    }
}

/// Which moves to look at first: smaller is sooner, and costs less to prove.
pub trait MoveOrder {
    /// Appends the legal moves with the numbers of an unseen position after them.
    fn moves(&mut self, local: &mut LocalGame, out: &mut Vec<(Move, Numbers)>);

    /// Told of a move that has been proved to win for a side.
    fn proved(&mut self, _side: Side, _action: Move) {}
}

/// All moves alike: the twin without knowledge.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformOrder;

impl MoveOrder for UniformOrder {
    fn moves(&mut self, local: &mut LocalGame, out: &mut Vec<(Move, Numbers)>) {
        let mut moves = Vec::new();
        local.moves(&mut moves);
        out.extend(moves.into_iter().map(|action| (action, Numbers { phi: 1, delta: 1 })));
    }
}

/// The value of a local game for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DfpnResult {
    /// The side to move wins.
    Won,
    Lost,
}

/// A search with its memory.
pub struct Dfpn<'a, O> {
    pub local: &'a mut LocalGame,
    order: O,
    /// Proof and disproof numbers by the key of the position. Repetitions are not stored: their value depends on the path.
    pub transposition_table: FxHashMap<u64, Numbers>,
    /// The move by which the side to move wins, as it was first found: following these moves never leads into a cycle, unless the
    /// winner is favoured.
    pub wins: FxHashMap<u64, Move>,
    path: Vec<u64>,
    listed: Vec<(Move, Numbers)>,
    /// The only move to look at in the first position, if it is given.
    pub only: Option<Move>,
    /// Positions looked at for the first time.
    pub tried: u64,
    /// Positions looked at, known ones included: kos can lead round and round through a few of them.
    visits: u64,
    most: u64,
    poll: BudgetPoll,
}

struct Child {
    action: Move,
    numbers: Numbers,
    fixed: bool,
}

impl<'a, O: MoveOrder> Dfpn<'a, O> {
    /// A search that may look at so many positions.
    pub fn new(local: &'a mut LocalGame, order: O, most: u64) -> Dfpn<'a, O> {
        Dfpn {
            local,
            order,
            transposition_table: FxHashMap::default(),
            wins: FxHashMap::default(),
            path: Vec::new(),
            listed: Vec::new(),
            only: None,
            tried: 0,
            visits: 0,
            most,
            poll: BudgetPoll::every(256),
        }
    }

    /// Searches until the answer is known.
    pub fn run(&mut self, budget: &Budget) -> Result<DfpnResult, Limit> {
        let found = self.visit(Numbers { phi: INFINITE, delta: INFINITE }, budget)?;
        Ok(if found.phi == 0 { DfpnResult::Won } else { DfpnResult::Lost })
    }

    fn visit(&mut self, most: Numbers, budget: &Budget) -> Result<Numbers, Limit> {
        self.poll.step(budget)?;
        self.visits += 1;
        if self.visits / VISITS > self.most {
            return Err(Limit::Nodes(self.most));
        }
        let key = self.local.key();
        if !self.transposition_table.contains_key(&key) {
            self.tried += 1;
            if self.tried > self.most {
                return Err(Limit::Nodes(self.most));
            }
            if !self.path.is_empty()
                && let Some(winner) = self.local.winner()
            {
                let numbers = Numbers::of(winner, self.local.turn);
                self.transposition_table.insert(key, numbers);
                return Ok(numbers);
            }
        }
        let mut listed = std::mem::take(&mut self.listed);
        listed.clear();
        self.order.moves(self.local, &mut listed);
        if self.path.is_empty()
            && let Some(only) = self.only
        {
            // The order may leave moves out; the one that is asked about is looked at all the same.
            listed.retain(|(action, _)| *action == only);
            if listed.is_empty() && self.local.may(only) {
                listed.push((only, Numbers { phi: 1, delta: 1 }));
            }
        }
        self.path.push(key);
        let turn = self.local.turn;
        let mut children: Vec<Child> = Vec::with_capacity(listed.len());
        for &(action, guess) in &listed {
            let child = self.local.key_after(action);
            // A repetition is a win of the favoured side.
            let (numbers, fixed) = if self.path.len() >= DEEPEST || self.path.contains(&child) {
                (Numbers::of(self.local.favoured, turn.other()), true)
            } else {
                (self.transposition_table.get(&child).copied().unwrap_or(guess), false)
            };
            children.push(Child { action, numbers, fixed });
        }
        self.listed = listed;
        let result = self.choose(&mut children, key, most, budget);
        self.path.pop();
        result
    }

    fn choose(
        &mut self,
        children: &mut [Child],
        key: u64,
        most: Numbers,
        budget: &Budget,
    ) -> Result<Numbers, Limit> {
        loop {
            let (mut best, mut second, mut sum) = (None::<usize>, INFINITE, 0u32);
            for (i, child) in children.iter().enumerate() {
                sum = sum.saturating_add(child.numbers.phi).min(INFINITE);
                match best {
                    Some(b) if child.numbers.delta >= children[b].numbers.delta => {
                        second = second.min(child.numbers.delta);
                    }
                    _ => {
                        second = best.map_or(INFINITE, |b| children[b].numbers.delta);
                        best = Some(i);
                    }
                }
            }
            let least = best.map_or(INFINITE, |b| children[b].numbers.delta);
            let numbers = if least == 0 {
                Numbers::WON
            } else if least >= INFINITE {
                Numbers::LOST
            } else {
                Numbers { phi: least, delta: sum.min(INFINITE - 1) }
            };
            self.transposition_table.insert(key, numbers);
            let Some(i) = best else { return Ok(numbers) };
            if numbers.phi == 0 {
                self.wins.entry(key).or_insert(children[i].action);
                self.order.proved(self.local.turn, children[i].action);
            }
            if numbers.phi >= most.phi
                || numbers.delta >= most.delta
                || numbers.phi == 0
                || numbers.delta == 0
            {
                return Ok(numbers);
            }
            let child = &children[i];
            debug_assert!(!child.fixed, "a repetition is decided");
            let next = Numbers {
                phi: most.delta.saturating_sub(sum).saturating_add(child.numbers.phi).min(INFINITE),
                delta: most.phi.min(second.saturating_add(1 + second / 4)),
            };
            self.local.play(child.action);
            let found = self.visit(next, budget);
            self.local.undo();
            children[i].numbers = found?;
        }
    }
}
