//! What a player knows: own tries, and what the referee said.

use counterplay_belief::{Event, Observed};

use crate::chess::{Board, Move};
use crate::percept::{Announcement, Checks, End, Percept};
use crate::world::Kriegspiel;

/// What is heard of an accepted move.
pub type Heard = (Percept, Option<End>);

/// Something that happened, as one side knows it.
pub type KriegEvent = Event<Move, Heard>;

impl Observed for Kriegspiel {
    type Heard = Heard;

    fn hear_attempt(&self, state: &Board, attempt: Move) -> Option<(Heard, Board)> {
        match Announcement::to_try(state, attempt) {
            (Announcement::Legal { percept, end }, Some(next)) => Some(((percept, end), next)),
            _ => None,
        }
    }

    fn hear_replies(&self, state: &Board, out: &mut Vec<(Heard, Board)>) {
        state.each_move(|piece, mv| {
            let (next, capture) = state.after(piece, mv);
            let percept = Percept { capture, checks: Checks::of(&next) };
            out.push(((percept, End::of(&next)), next));
        });
    }

    fn rejectable(&self, state: &Board) -> usize {
        let (mut tries, mut legal) = (Vec::new(), Vec::new());
        state.tries(&mut tries);
        state.legal_moves(&mut legal);
        tries.len() - legal.len()
    }
}
