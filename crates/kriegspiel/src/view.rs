//! What a side sees of the board: its own men, and what it may still try.

use counterplay_belief::Event;

use crate::chess::attacks::squares;
use crate::chess::{Board, Color, Move};
use crate::history::KriegEvent;
use crate::rules::{Extras, PawnTries, RuleSet};

/// The own men during a game, followed through what is heard.
#[derive(Clone, Debug)]
pub struct View {
    color: Color,
    /// A board with the own men only, and the own side to move.
    men: Board,
    /// Tries that were rejected on this turn.
    rejected: Vec<Move>,
    /// What was said of the own pawn captures on this turn.
    pawn_tries: Option<PawnTries>,
    /// How many men the other side has.
    others: u32,
}

impl View {
    /// A game begins at a known position, so what the referee would say of pawn captures there is known, too.
    pub fn new(root: &Board, color: Color, rules: RuleSet) -> View {
        let mut men = Board::empty(root.size(), color);
        for square in squares(root.of(color)) {
            if let Some((_, piece)) = root.at(square) {
                men.put(color, piece, square);
            }
        }
        men.set_castling(root.castling().of(color));
        let others = root.of(color.other()).count_ones();
        let pawn_tries = if root.turn == color { rules.pawn_tries(root) } else { None };
        View { color, men, rejected: Vec::new(), pawn_tries, others }
    }

    /// The own men, alone on the board.
    pub(crate) fn men(&self) -> &Board {
        &self.men
    }

    /// How many men the other side has: every capture is announced.
    pub fn others(&self) -> u32 {
        self.others
    }

    /// Tries that were rejected on this turn.
    pub fn rejected(&self) -> &[Move] {
        &self.rejected
    }

    /// What may still be tried on the own turn.
    pub fn tries(&self) -> Vec<Move> {
        let mut tries = Vec::new();
        self.men.tries(&mut tries);
        let admits = |mv: Move| self.pawn_tries.is_none_or(|said| said.admits(&self.men, mv));
        tries.retain(|&mv| !self.rejected.contains(&mv) && admits(mv));
        tries
    }

    /// Where the own men stand after an own move.
    pub(crate) fn after(&self, mv: Move) -> Board {
        let mut men = self.men;
        if self.men.at(mv.from()).is_some() {
            men = self.men.play(mv).0;
            men.turn = self.color;
        }
        men
    }

    /// Takes in what happened.
    pub fn hear(&mut self, event: &KriegEvent, extras: &Extras) {
        match *event {
            Event::Own { attempt, heard: None } => self.rejected.push(attempt),
            Event::Own { attempt, heard: Some((percept, _)) } => {
                self.rejected.clear();
                self.pawn_tries = None;
                self.others = self.others.saturating_sub(u32::from(percept.capture.is_some()));
                self.men = self.after(attempt);
            }
            Event::Other { heard: (percept, _), .. } => {
                self.pawn_tries = extras.pawn_tries;
                if let Some((square, (color, piece))) =
                    percept.capture.and_then(|square| Some((square, self.men.at(square)?)))
                {
                    self.men.remove(color, piece, square);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::percept::Announcement;
    use crate::referee::Game;

    /// Random games: both views know the own men and the tries that the referee would allow.
    #[test]
    fn views_agree_with_the_referee() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        for round in 0..40 {
            let rules = RuleSet::ALL[round % 4];
            let start: Board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse().unwrap();
            let mut game = Game::new(start);
            let mut views = [Color::White, Color::Black].map(|color| View::new(&start, color, rules));
            while game.end().is_none() && random.random_range(0..250) > 0 {
                let (us, before) = (game.turn(), *game.board());
                let mut tries = game.tries();
                tries.retain(|&mv| rules.admits(&before, mv));
                let own = &views[us as usize];
                let mut seen = own.tries();
                seen.sort();
                tries.sort();
                assert_eq!(seen, tries, "{rules} {before}");
                assert_eq!(own.men().of(us), before.of(us));
                assert_eq!(own.others(), before.of(us.other()).count_ones());
                let attempt = *tries.choose(&mut random).unwrap();
                let rejections = game.rejections();
                match game.attempt(attempt) {
                    Announcement::Legal { percept, end } => {
                        let extras = rules.extras(&before, attempt, game.board());
                        let heard = (percept, end);
                        views[us as usize].hear(&Event::Own { attempt, heard: Some(heard) }, &extras);
                        views[us.other() as usize].hear(&Event::Other { rejections, heard }, &extras);
                    }
                    _ => views[us as usize].hear(&Event::Own { attempt, heard: None }, &Extras::default()),
                }
            }
        }
    }
}
