//! Phantom tic-tac-toe: a second world, nothing like chess.
//!
//! Cross cannot see where nought has played. An attempt on a square that nought holds is rejected, and cross may attempt another;
//! nothing else is announced. It has few states, so that everything about it can be found out by brute force.

use crate::world::{After, HiddenWorld};

/// Phantom tic-tac-toe, with cross as the solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct PhantomTicTacToe;

/// Where the crosses and the noughts are: a bit for each of the nine squares, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Marks {
    /// Fields of the solver, a bit each.
    pub crosses: u16,
    /// Fields of the opponent, which the solver does not see.
    pub noughts: u16,
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o124, 0o421];

fn has_line(marks: u16) -> bool {
    LINES.iter().any(|line| marks & line == *line)
}

impl Marks {
    fn is_full(self) -> bool {
        (self.crosses | self.noughts).count_ones() == 9
    }
}

impl HiddenWorld for PhantomTicTacToe {
    type State = Marks;
    type Attempt = u8;
    type Percept = ();

    fn key(&self, state: &Marks) -> u64 {
        (u64::from(state.crosses) << 9 | u64::from(state.noughts)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn attempts(&self, state: &Marks, out: &mut Vec<u8>) {
        out.extend((0..9).filter(|square| state.crosses >> square & 1 == 0));
    }

    fn feasible(&self, state: &Marks, out: &mut Vec<u8>) {
        out.extend((0..9).filter(|&square| self.is_feasible(state, square)));
    }

    fn is_feasible(&self, state: &Marks, attempt: u8) -> bool {
        (state.crosses | state.noughts) >> attempt & 1 == 0
    }

    fn act(&self, state: &Marks, attempt: u8) -> After<Marks, ()> {
        let next = Marks { crosses: state.crosses | 1 << attempt, ..*state };
        if has_line(next.crosses) {
            After::Won
        } else if next.is_full() {
            After::Lost
        } else {
            After::Open((), next)
        }
    }

    fn replies(&self, state: &Marks, out: &mut Vec<After<Marks, ()>>) {
        for square in (0..9).filter(|&square| self.is_feasible(state, square)) {
            let next = Marks { noughts: state.noughts | 1 << square, ..*state };
            out.push(if has_line(next.noughts) || next.is_full() {
                After::Lost
            } else {
                After::Open((), next)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use counterplay_base::{Budget, Verdict};

    use super::*;
    use crate::{Algorithm, solve};

    fn wins(states: &[Marks], depth: usize, algorithm: Algorithm) -> bool {
        match solve(&PhantomTicTacToe, states, depth, algorithm, &Budget::unlimited()).verdict {
            Verdict::Solved(_) => true,
            Verdict::Unsolvable => false,
            Verdict::Stopped(limit) => panic!("{limit}"),
        }
    }

    /// With crosses on two corners and the centre there are two ways to win, and nought can stand in one of them only.
    #[test]
    fn two_open_lines_win_whatever_is_hidden() {
        let states: Vec<Marks> =
            [0o002, 0o010, 0o020].map(|one| Marks { crosses: 0o501, noughts: one | 0o040 }).to_vec();
        let states: Vec<Marks> =
            states.into_iter().filter(|state| state.crosses & state.noughts == 0).collect();
        for algorithm in Algorithm::ALL {
            assert_eq!(wins(&states, 3, algorithm), wins(&states, 3, Algorithm::Dfs), "{}", algorithm.name());
        }
    }

    /// Against an unseen opponent the empty board is not a certain win, as it is none with perfect information.
    #[test]
    fn the_empty_board_is_no_certain_win() {
        for algorithm in [Algorithm::Auto, Algorithm::GlDbu, Algorithm::DfPn] {
            assert!(!wins(&[Marks::default()], 9, algorithm), "{}", algorithm.name());
        }
    }

    /// All beliefs after cross in the centre and one unseen nought, and after every second cross.
    #[test]
    fn all_algorithms_agree_on_openings() {
        let mut decided = [0, 0];
        for second in (0..9).filter(|&square| square != 4) {
            let noughts = (0..9).filter(|&square| square != 4 && square != second);
            let belief: Vec<Marks> = noughts
                .flat_map(|one| (0..one).map(move |two| 1 << one | 1 << two))
                .map(|noughts| Marks { crosses: 1 << 4 | 1 << second, noughts })
                .filter(|state| state.crosses & state.noughts == 0)
                .collect();
            for part in [&belief[..1], &belief[..3], &belief[2..6], &belief[..]] {
                let expected = wins(part, 3, Algorithm::GlDfs);
                decided[usize::from(expected)] += 1;
                for algorithm in Algorithm::ALL {
                    // Plain depth-first search tries all orders of attempts: far too many for large beliefs.
                    let slow = matches!(
                        algorithm,
                        Algorithm::Dfs | Algorithm::LDfs | Algorithm::EDfs | Algorithm::Udb
                    );
                    if !slow || part.len() <= 4 {
                        assert_eq!(wins(part, 3, algorithm), expected, "{} {part:?}", algorithm.name());
                    }
                }
            }
        }
        assert!(decided[0] > 0 && decided[1] > 0, "{decided:?}");
    }
}
