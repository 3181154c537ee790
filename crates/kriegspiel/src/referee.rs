//! A game with its referee: he alone sees the board.

use crate::chess::{Board, Color, Move};
use crate::percept::{Announcement, End};

#[derive(Clone, Debug)]
pub struct Game {
    board: Board,
    rejected: Vec<Move>,
    end: Option<End>,
}

impl Game {
    /// A game from a position.
    pub fn new(board: Board) -> Game {
        Game { board, rejected: Vec::new(), end: End::of(&board) }
    }

    /// What only the referee sees.
    pub fn board(&self) -> &Board {
        &self.board
    }

    pub fn turn(&self) -> Color {
        self.board.turn()
    }

    /// How the game ended, if it has.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// How many tries were rejected on this turn.
    pub fn rejections(&self) -> usize {
        self.rejected.len()
    }

    /// What the side to move may still try on this turn.
    pub fn tries(&self) -> Vec<Move> {
        let mut tries = Vec::new();
        self.board.tries(&mut tries);
        tries.retain(|mv| !self.rejected.contains(mv));
        tries
    }

    /// Answers a try of the side to move.
    pub fn attempt(&mut self, mv: Move) -> Announcement {
        if self.end.is_some() || !self.tries().contains(&mv) {
            return Announcement::Nonsense;
        }
        let (said, next) = Announcement::to_try(&self.board, mv);
        match (said, next) {
            (Announcement::Legal { end, .. }, Some(next)) => {
                self.board = next;
                self.rejected.clear();
                self.end = end;
            }
            _ => self.rejected.push(mv),
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejected_try_is_nonsense_the_second_time() {
        let mut game = Game::new("k7/8/8/8/8/p7/P7/K7 w - - 0 1".parse().unwrap());
        let push = "a2a3".parse().unwrap();
        assert_eq!(game.attempt(push), Announcement::Illegal);
        assert_eq!(game.attempt(push), Announcement::Nonsense);
        assert_eq!(game.attempt("a1h8".parse().unwrap()), Announcement::Nonsense);
        assert!(matches!(game.attempt("a1b1".parse().unwrap()), Announcement::Legal { end: None, .. }));
        assert_eq!(game.rejections(), 0);
    }
}
