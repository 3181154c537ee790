//! Go knowledge as goals and schemas for the adversarial planner.
//!
//! The base extends that of Willmott et al. (see `counterplay-tasknet`): connecting and escaping, breaking groups up, ladders
//! and nets read to the end, ko and seki. Nothing here proves anything; the planner does, by trying what is suggested.

pub mod aim;
pub mod critics;
pub mod facts;
mod moves;
mod schemas;

pub use aim::{Aim, Goal};
use counterplay_tasknet::adversary::{Agent, Arena, Level, Schema};
pub use facts::Facts;

use crate::point::{Move, Point};
use crate::problem;
use crate::search::local::{LocalGame, Side};

/// The planner's world: a local game, seen with what is known about Go.
pub struct GoWorld<'a> {
    local: &'a mut LocalGame,
    /// The side of Alpha, the agent that moves first.
    first: Side,
    facts: Option<(u64, Facts)>,
    /// How often a move has won, by point and side.
    wins: Vec<[u16; 2]>,
}

impl<'a> GoWorld<'a> {
    /// The side whose turn it is becomes Alpha.
    pub fn new(local: &'a mut LocalGame) -> GoWorld<'a> {
        let first = local.turn;
        GoWorld { wins: vec![[0; 2]; local.board.grid().cells()], local, first, facts: None }
    }

    /// The input goals of Alpha and of Beta.
    pub fn inputs(&self, goal: problem::Goal, is_string: bool) -> [Vec<Goal>; 2] {
        let at = self.local.target;
        let (attack, defence) = match goal {
            problem::Goal::Connect(_) | problem::Goal::Separate(_) => {
                (Aim::SeparateGroups, Aim::ConnectGroups)
            }
            _ if is_string => (Aim::CaptureString, Aim::RescueString),
            _ => (Aim::KillGroup, Aim::SaveGroup),
        };
        let own = |side: Side| match side {
            Side::Attacker => vec![Goal::new(attack, at)],
            Side::Defender => vec![Goal::new(defence, at)],
        };
        [own(self.first), own(self.first.other())]
    }

    /// Moves that have won elsewhere first.
    fn sort(&self, moves: &mut [Move]) {
        let side = self.local.turn as usize;
        moves.sort_by_key(|action| match action {
            Move::Play(point) => std::cmp::Reverse(habit(self.wins[point.index()][side])),
            Move::Pass => std::cmp::Reverse(0),
        });
    }

    fn agent(&self, side: Side) -> Agent {
        if side == self.first { Agent::Alpha } else { Agent::Beta }
    }

    fn facts(&mut self) -> Facts {
        let key = self.local.key();
        match &self.facts {
            Some((known, facts)) if *known == key => facts.clone(),
            _ => {
                let mut facts = Facts::of(self.local);
                let side = self.local.turn as usize;
                facts.vital.sort_by_key(|p| std::cmp::Reverse(habit(self.wins[p.index()][side])));
                self.facts = Some((key, facts.clone()));
                facts
            }
        }
    }
}

/// How much a number of wins weighs: its length in bits.
fn habit(wins: u16) -> u32 {
    u16::BITS - wins.leading_zeros()
}

impl Arena for GoWorld<'_> {
    type Goal = Goal;
    type Move = Move;

    fn turn(&self) -> Agent {
        self.agent(self.local.turn)
    }

    fn winner(&mut self) -> Option<Agent> {
        self.local.winner().map(|side| self.agent(side))
    }

    fn key(&self) -> u64 {
        self.local.key()
    }

    fn play(&mut self, action: Move) {
        self.local.play(action);
    }

    fn undo(&mut self) {
        self.local.undo();
    }

    fn repetition(&self) -> Agent {
        self.agent(self.local.favoured)
    }

    fn level(&self, goal: &Goal) -> Level {
        goal.aim.level()
    }

    fn is_achieved(&mut self, goal: &Goal) -> bool {
        let stone = |local: &LocalGame, at: Point| local.board.cell(at).color().is_some();
        match goal.aim {
            Aim::CutAt | Aim::ConnectAt | Aim::Placement | Aim::EyeMove | Aim::HandMove | Aim::TakeVital => {
                stone(self.local, goal.at)
            }
            Aim::AttackString | Aim::CaptureOrGain | Aim::Capture => !stone(self.local, goal.at),
            Aim::SurroundGroup => self.facts().exits.is_empty(),
            _ => false,
        }
    }

    fn schemas(&mut self, goal: &Goal, out: &mut Vec<Schema<Goal>>) {
        let facts = self.facts();
        schemas::schemas(self.local, &facts, *goal, out);
    }

    fn moves(&mut self, goal: &Goal, out: &mut Vec<Move>) {
        let facts = self.facts();
        moves::moves(self.local, &facts, *goal, out);
        self.sort(out);
    }

    fn criticise(&mut self, out: &mut Vec<Goal>) {
        let facts = self.facts();
        for critic in critics::Critic::ALL {
            critic.see(self.local, &facts, out);
        }
    }

    fn every_move(&mut self, out: &mut Vec<Move>) {
        self.local.moves(out);
        self.sort(out);
    }

    fn learn(&mut self, action: Move) {
        if let Move::Play(point) = action {
            let count = &mut self.wins[point.index()][self.local.turn as usize];
            *count = count.saturating_add(1);
        }
    }
}
