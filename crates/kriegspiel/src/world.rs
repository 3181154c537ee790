//! Kriegspiel as a world for belief-state search.
//!
//! The successors of a position are generated in bulk together with what the referee says. Which squares give check
//! is known before the first move is made, so most successors need no look at the other king at all. Immediate
//! wins come from checking moves only.

use counterplay_belief::{After, HiddenWorld};

use crate::chess::attacks::{self, squares};
use crate::chess::{Board, Color, Move, Piece, Square, Walk};
use crate::material;
use crate::percept::{Checks, Percept};

/// Kriegspiel for the side that is to move at the root.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kriegspiel {
    /// Whether a known material win counts as a win, as in the database of Russell and Wolfe.
    pub material_wins: bool,
}

/// From where each kind of man of the side to move would give check.
struct CheckSquares {
    king: Square,
    pawn: u64,
    knight: u64,
    diagonal: u64,
    orthogonal: u64,
    /// Men that uncover a check by leaving their line.
    discoverers: u64,
}

impl CheckSquares {
    #[inline]
    fn of(board: &Board) -> CheckSquares {
        let us = board.turn();
        let king = board.king(us.other());
        let blocked = board.blocked();
        CheckSquares {
            king,
            pawn: attacks::pawn(us.other(), king),
            knight: attacks::KNIGHT[king.index()],
            diagonal: attacks::bishop(king, blocked),
            orthogonal: attacks::rook(king, blocked),
            discoverers: board.blockers(king, board.of(us)) & board.of(us),
        }
    }

    /// Targets from which a man of this kind gives check itself.
    #[inline]
    fn direct(&self, piece: Piece) -> u64 {
        match piece {
            Piece::Pawn => self.pawn,
            Piece::Knight => self.knight,
            Piece::Bishop => self.diagonal,
            Piece::Rook => self.orthogonal,
            Piece::Queen => self.diagonal | self.orthogonal,
            Piece::King => 0,
        }
    }

    /// Targets for which a check must be looked at: all direct and uncovered checks, and the moves that change
    /// more than two squares or the kind of man.
    #[inline]
    fn possible(&self, board: &Board, piece: Piece, from: Square) -> u64 {
        let mut targets = self.direct(piece);
        if self.discoverers & from.bit() != 0 {
            targets |= !attacks::line(self.king, from);
        }
        match piece {
            Piece::Pawn => {
                let last = match board.turn() {
                    Color::White => 0xff << (8 * (board.size() - 1)),
                    Color::Black => 0xff,
                };
                targets | last | board.en_passant().map_or(0, Square::bit)
            }
            Piece::King if board.castling().0 != 0 => targets | 0x4400_0000_0000_0044,
            _ => targets,
        }
    }
}

/// Tells each move of a man to a set of targets.
#[inline]
fn each_to(board: &Board, piece: Piece, from: Square, targets: u64, mut take: impl FnMut(Move)) {
    for to in squares(targets) {
        if piece == Piece::Pawn && board.is_last_rank(board.turn(), to) {
            for into in Piece::PROMOTIONS {
                take(Move::promoting(from, to, into));
            }
        } else {
            take(Move::new(from, to));
        }
    }
}

impl HiddenWorld for Kriegspiel {
    type State = Board;
    type Attempt = Move;
    type Percept = Percept;

    #[inline]
    fn key(&self, state: &Board) -> u64 {
        state.key()
    }

    fn attempts(&self, state: &Board, out: &mut Vec<Move>) {
        state.tries(out);
    }

    fn feasible(&self, state: &Board, out: &mut Vec<Move>) {
        state.legal_moves(out);
    }

    fn is_feasible(&self, state: &Board, attempt: Move) -> bool {
        state.is_legal(attempt)
    }

    fn act(&self, state: &Board, attempt: Move) -> After<Board, Percept> {
        let (after, capture) = state.play(attempt);
        let checkers = after.checkers();
        if checkers != 0 && !after.has_legal_move() {
            return After::Won;
        }
        if after.is_insufficient() {
            return After::Lost;
        }
        if self.material_wins && material::is_won(&after, state.turn()) && after.has_legal_move() {
            return After::Won;
        }
        let checks = if checkers == 0 { Checks::NONE } else { Checks::from_checkers(&after, checkers) };
        After::Open(Percept { capture, checks }, after)
    }

    fn replies(&self, state: &Board, out: &mut Vec<After<Board, Percept>>) {
        let squares = CheckSquares::of(state);
        let ends = (state.orthogonal() | state.kind(Piece::Pawn)).count_ones() <= 1;
        state.walk_moves(u64::MAX, |piece, from, targets| {
            let possible = squares.possible(state, piece, from);
            each_to(state, piece, from, targets, |mv| {
                let (after, capture) = state.after(piece, mv);
                let mut checks = Checks::NONE;
                if possible & mv.to().bit() != 0 {
                    checks = Checks::from_checkers(&after, after.checkers());
                }
                out.push(if ends && after.is_insufficient() {
                    After::Lost
                } else {
                    After::Open(Percept { capture, checks }, after)
                });
            });
            Walk::On
        });
    }

    fn winning(&self, state: &Board, out: &mut Vec<Move>) -> u64 {
        if self.material_wins {
            return counterplay_belief::winning_by_trying(self, state, out);
        }
        let mut built = 0;
        self.each_mate(state, &mut built, |mv| {
            out.push(mv);
            Walk::On
        });
        built
    }

    fn can_win(&self, state: &Board, built: &mut u64) -> bool {
        if self.material_wins {
            let mut found = Vec::new();
            *built += counterplay_belief::winning_by_trying(self, state, &mut found);
            return !found.is_empty();
        }
        self.each_mate(state, built, |_| Walk::Stop) == Walk::Stop
    }
}

impl Kriegspiel {
    /// Tells the moves that mate at once, and counts the positions looked at.
    #[inline]
    fn each_mate(&self, state: &Board, built: &mut u64, mut take: impl FnMut(Move) -> Walk) -> Walk {
        let squares = CheckSquares::of(state);
        state.walk_moves(u64::MAX, |piece, from, targets| {
            let mut walk = Walk::On;
            each_to(state, piece, from, targets & squares.possible(state, piece, from), |mv| {
                if walk == Walk::On {
                    *built += 1;
                    let (after, _) = state.after(piece, mv);
                    if after.in_check() && !after.has_legal_move() {
                        walk = take(mv);
                    }
                }
            });
            walk
        })
    }
}
