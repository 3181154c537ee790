//! Moves that win at once, lane by lane, as the rules for them say; and whether they are to be believed.

use counterplay_base::Id;
use counterplay_ground::game::{Game, Move, MoveId, Signal};

use super::decisive::DecisiveRules;
use crate::propnet::Propnet;

/// The rules are given up if more than one in so many of the moves did not win.
const WRONG: u32 = 20;

/// The winning moves in the 64 lanes of a word.
#[derive(Debug)]
pub(super) struct Wins {
    /// Moves, their roles, and when they win if they are legal.
    rules: Vec<(MoveId, u32, Signal)>,
    /// The greatest reward of each role.
    most: Vec<f32>,
    /// For each move and role, the move of that role that is written in the same way.
    twins: Vec<Vec<Option<u32>>>,
    /// Lanes in which there is a winning move.
    lanes: u64,
    /// Its role and number.
    found: [(u32, u32); 64],
    right: u32,
    wrong: u32,
}

impl Wins {
    pub(super) fn new(game: &Game, rules: &DecisiveRules) -> Wins {
        let with_role =
            |&(a_move, when): &(MoveId, Signal)| (a_move, game.moves[a_move].role.index() as u32, when);
        let twin = |name: &str, role: usize| {
            let mut own = game.moves.enumerate().filter(|(_, own)| own.role.index() == role);
            own.find(|(_, own)| own.name == name).map(|(id, _)| id.index() as u32)
        };
        let twins = |own: &Move| (0..game.roles.len()).map(|role| twin(&own.name, role)).collect();
        let mut most = vec![0.0f32; game.roles.len()];
        for goal in &game.goals {
            most[goal.role.index()] = most[goal.role.index()].max(goal.value as f32 / 100.0);
        }
        Wins {
            rules: rules.wins.iter().map(with_role).collect(),
            most,
            twins: game.moves.iter().map(twins).collect(),
            lanes: 0,
            found: [(0, 0); 64],
            right: 0,
            wrong: 0,
        }
    }

    /// Reads them from the network for the lanes of a word in which the game is not over.
    pub(super) fn read<const W: usize>(&mut self, network: &Propnet<W>, word: usize, over: u64) {
        self.lanes = 0;
        for &(a_move, role, when) in &self.rules {
            let mut fresh = network.signal(when)[word] & network.legal(a_move)[word] & !over & !self.lanes;
            self.lanes |= fresh;
            while fresh != 0 {
                self.found[fresh.trailing_zeros() as usize] = (role, a_move.index() as u32);
                fresh &= fresh - 1;
            }
        }
    }

    /// The role and the number of the winning move in a lane.
    #[inline]
    pub(super) fn of(&self, bit: usize) -> Option<(usize, u32)> {
        let (role, a_move) = self.found[bit];
        (self.lanes >> bit & 1 == 1).then_some((role as usize, a_move))
    }

    /// The move of a role that is written as another role's: in many games it takes the place that the other one wants.
    pub(super) fn twin(&self, a_move: u32, role: usize) -> Option<u32> {
        self.twins[a_move as usize][role]
    }

    /// Compares what was promised to a role with what came of it.
    pub(super) fn check(&mut self, winner: usize, rewards: &[f32]) {
        if rewards[winner] >= self.most[winner] {
            self.right += 1;
        } else {
            self.wrong += 1;
        }
        if self.right + self.wrong > 10_000 {
            self.right /= 2;
            self.wrong /= 2;
        }
    }

    /// A move that should have won has not even ended the game.
    pub(super) fn deny(&mut self) {
        self.wrong += 1;
    }

    /// Whether too many moves did not win.
    pub(super) fn is_wrong(&self) -> bool {
        self.wrong * WRONG > self.right + 10 * WRONG
    }
}
