//! Legal moves, a set of targets for each man at a time.
//!
//! Pins and checks are known before the first move is made, so no move is made to be taken back. Everything that
//! moves is told to a closure as *man, origin, set of targets*; a closure that answers "stop" turns the same code
//! into the question whether there is any legal move.

use super::attacks::{self, squares};
use super::board::Board;
use super::types::{Color, Move, Piece, Square};

/// Whether a walk over moves goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Walk {
    On,
    Stop,
}

impl Board {
    /// Tells `take` the legal targets of each man that stands on one of `origins`.
    #[inline]
    pub(crate) fn walk_moves(&self, origins: u64, mut take: impl FnMut(Piece, Square, u64) -> Walk) -> Walk {
        let us = self.turn;
        let (own, all) = (self.of(us), self.men());
        let blocked = self.blocked();
        let room = attacks::BOARD[self.size as usize] & !own;
        let king = self.king(us);
        let checkers = self.checkers();
        if king.bit() & origins != 0 {
            let targets = self.king_targets(king, room, blocked);
            let castles = if checkers == 0 { self.castle_targets(king, all) } else { 0 };
            if targets | castles != 0 && take(Piece::King, king, targets | castles) == Walk::Stop {
                return Walk::Stop;
            }
        }
        // Against one checker: take it or stand between. Against two: only the king moves.
        let useful = match checkers.count_ones() {
            0 => room,
            1 => room & (checkers | attacks::between(king, Square(checkers.trailing_zeros() as u8))),
            _ => return Walk::On,
        };
        let pinned = self.blockers(king, self.of(us.other())) & own;
        let bound =
            |from: Square| if pinned & from.bit() == 0 { u64::MAX } else { attacks::line(king, from) };
        for from in squares(self.kind(Piece::Knight) & own & origins & !pinned) {
            let targets = attacks::KNIGHT[from.index()] & useful;
            if targets != 0 && take(Piece::Knight, from, targets) == Walk::Stop {
                return Walk::Stop;
            }
        }
        for from in squares((self.orthogonal() | self.diagonal()) & own & origins) {
            let (orthogonal, diagonal) = (self.orthogonal() & from.bit(), self.diagonal() & from.bit());
            let mut targets = 0;
            if orthogonal != 0 {
                targets |= attacks::rook(from, blocked);
            }
            if diagonal != 0 {
                targets |= attacks::bishop(from, blocked);
            }
            targets &= useful & bound(from);
            let piece = match (orthogonal != 0, diagonal != 0) {
                (true, true) => Piece::Queen,
                (true, false) => Piece::Rook,
                _ => Piece::Bishop,
            };
            if targets != 0 && take(piece, from, targets) == Walk::Stop {
                return Walk::Stop;
            }
        }
        let others = all & !own;
        for from in squares(self.kind(Piece::Pawn) & own & origins) {
            let steps = self.pawn_steps(us, from, all);
            let captures = attacks::pawn(us, from) & others;
            let mut targets = (steps | captures) & useful & bound(from);
            if let Some(square) = self.en_passant
                && attacks::pawn(us, from) & square.bit() != 0
                && self.takes_en_passant(square).any(|taker| taker == from)
            {
                targets |= square.bit();
            }
            if targets != 0 && take(Piece::Pawn, from, targets) == Walk::Stop {
                return Walk::Stop;
            }
        }
        Walk::On
    }

    /// Straight steps of a pawn to squares that are not in `occupied`; two squares at once on the full board only.
    #[inline]
    pub(crate) fn pawn_steps(&self, us: Color, from: Square, occupied: u64) -> u64 {
        let free = attacks::BOARD[self.size as usize] & !occupied;
        match us {
            Color::White => {
                let one = from.bit() << 8 & free;
                let start = self.size == 8 && from.rank() == 1;
                one | if start { one << 8 & free } else { 0 }
            }
            Color::Black => {
                let one = from.bit() >> 8 & free;
                let start = self.size == 8 && from.rank() == 6;
                one | if start { one >> 8 & free } else { 0 }
            }
        }
    }

    #[inline]
    fn king_targets(&self, king: Square, room: u64, blocked: u64) -> u64 {
        let them = self.turn.other();
        let without = blocked & !king.bit();
        let mut safe = 0;
        for to in squares(attacks::KING[king.index()] & room) {
            if self.attackers(them, to, without) == 0 {
                safe |= to.bit();
            }
        }
        safe
    }

    #[inline]
    fn castle_targets(&self, king: Square, all: u64) -> u64 {
        if self.castling.0 == 0 {
            return 0;
        }
        let (us, them) = (self.turn, self.turn.other());
        let safe = |square: u8| self.attackers(them, Square(square), self.blocked()) == 0;
        let mut targets = 0;
        let k = king.0;
        if self.castling.has(us, true) && all & (3 << (k + 1)) == 0 && safe(k + 1) && safe(k + 2) {
            targets |= 1 << (k + 2);
        }
        if self.castling.has(us, false) && all & (7 << (k - 3)) == 0 && safe(k - 1) && safe(k - 2) {
            targets |= 1 << (k - 2);
        }
        targets
    }

    /// Men that alone stand between a king and a slider of `attackers`.
    #[inline]
    pub(crate) fn blockers(&self, king: Square, attackers: u64) -> u64 {
        let outside = !attacks::BOARD[self.size as usize];
        let orthogonal = self.orthogonal() & attackers;
        let diagonal = self.diagonal() & attackers;
        let mut sliders = 0;
        if orthogonal != 0 {
            sliders |= attacks::rook(king, outside) & orthogonal;
        }
        if diagonal != 0 {
            sliders |= attacks::bishop(king, outside) & diagonal;
        }
        let men = self.men();
        let mut found = 0;
        for slider in squares(sliders) {
            let between = attacks::between(king, slider) & men;
            if between & between.wrapping_sub(1) == 0 {
                found |= between;
            }
        }
        found
    }

    /// Whether a pawn that arrives on a square is promoted.
    #[inline]
    pub(crate) fn is_last_rank(&self, us: Color, square: Square) -> bool {
        match us {
            Color::White => square.rank() + 1 == self.size,
            Color::Black => square.rank() == 0,
        }
    }

    /// Tells each legal move with its man.
    #[inline]
    pub(crate) fn each_move(&self, mut take: impl FnMut(Piece, Move)) {
        let us = self.turn;
        self.walk_moves(u64::MAX, |piece, from, targets| {
            for to in squares(targets) {
                if piece == Piece::Pawn && self.is_last_rank(us, to) {
                    for into in Piece::PROMOTIONS {
                        take(piece, Move::promoting(from, to, into));
                    }
                } else {
                    take(piece, Move::new(from, to));
                }
            }
            Walk::On
        });
    }

    pub fn legal_moves(&self, out: &mut Vec<Move>) {
        self.each_move(|_, mv| out.push(mv));
    }

    /// Whether there is a legal move.
    #[inline]
    pub fn has_legal_move(&self) -> bool {
        self.walk_moves(u64::MAX, |_, _, _| Walk::Stop) == Walk::Stop
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        let from = mv.from();
        if self.of(self.turn) & from.bit() == 0 {
            return false;
        }
        let mut found = false;
        self.walk_moves(from.bit(), |piece, _, targets| {
            let promotes = piece == Piece::Pawn && self.is_last_rank(self.turn, mv.to());
            found = targets & mv.to().bit() != 0 && promotes == mv.promotion().is_some();
            Walk::Stop
        });
        found
    }

    /// The position after a legal move, and where a man was taken.
    #[inline]
    pub fn play(&self, mv: Move) -> (Board, Option<Square>) {
        let (_, piece) = self.at(mv.from()).expect("a legal move begins at a man");
        self.after(piece, mv)
    }

    /// Appends what may be tried: all that is legal on a board with only the own men, and every step of a pawn to
    /// the side onto a square that is not its own.
    pub fn tries(&self, out: &mut Vec<Move>) {
        let us = self.turn;
        let own = self.of(us);
        let inside = attacks::BOARD[self.size as usize];
        let blocked = own | !inside;
        for from in squares(own) {
            let i = from.index();
            let (_, piece) = self.at(from).expect("own squares are occupied");
            let targets = match piece {
                Piece::Pawn => self.pawn_steps(us, from, own) | attacks::pawn(us, from),
                Piece::Knight => attacks::KNIGHT[i],
                Piece::Bishop => attacks::bishop(from, blocked),
                Piece::Rook => attacks::rook(from, blocked),
                Piece::Queen => attacks::bishop(from, blocked) | attacks::rook(from, blocked),
                Piece::King => attacks::KING[i] | self.castle_tries(from, own),
            } & inside
                & !own;
            for to in squares(targets) {
                if piece == Piece::Pawn && self.is_last_rank(us, to) {
                    out.extend(Piece::PROMOTIONS.map(|into| Move::promoting(from, to, into)));
                } else {
                    out.push(Move::new(from, to));
                }
            }
        }
    }

    fn castle_tries(&self, king: Square, own: u64) -> u64 {
        let k = king.0;
        let mut targets = 0;
        if self.castling.has(self.turn, true) && own & (3 << (k + 1)) == 0 {
            targets |= 1 << (k + 2);
        }
        if self.castling.has(self.turn, false) && own & (7 << (k - 3)) == 0 {
            targets |= 1 << (k - 2);
        }
        targets
    }
}
