//! A position of the open game, in 48 bytes.
//!
//! Four words say what stands where: one for the colour and three for the code of the man, so that "all that slides
//! along files" is one conjunction. Beside them the turn, the castling rights, the en-passant square (only if such a
//! capture is legal, so that equal positions are equal values) and a key that is kept up to date by each move.
//! Clocks are left out: they say nothing about what can happen within the depth of a search.

use std::fmt;

use super::attacks;
use super::keys;
use super::types::{Color, Move, Piece, Square};

/// Rights to castle, a bit for each side and wing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Castling(pub(crate) u8);

impl Castling {
    /// The right of one colour on the king's or the queen's wing.
    pub(crate) fn bit(color: Color, kingside: bool) -> u8 {
        1 << (2 * color as u8 + u8::from(!kingside))
    }

    /// The rights of one colour.
    pub(crate) fn of(self, color: Color) -> Castling {
        Castling(self.0 & (Castling::bit(color, true) | Castling::bit(color, false)))
    }

    /// Whether a colour may still castle on a wing.
    pub fn has(self, color: Color, kingside: bool) -> bool {
        self.0 & Castling::bit(color, kingside) != 0
    }

    /// What is left when a man leaves or is taken on a square of the 8 × 8 board.
    #[inline]
    fn without(self, touched: u64) -> Castling {
        const HOMES: [(u64, u8); 4] =
            [(1 << 4 | 1 << 7, 1), (1 << 4 | 1, 2), (1 << 60 | 1 << 63, 4), (1 << 60 | 1 << 56, 8)];
        if self.0 == 0 {
            return self;
        }
        let lost =
            HOMES.iter().filter(|(squares, _)| squares & touched != 0).fold(0, |all, (_, bit)| all | bit);
        Castling(self.0 & !lost)
    }
}

/// A position: placement, turn, castling rights and the legal en-passant square.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    pub(crate) planes: [u64; 3],
    pub(crate) white: u64,
    key: u64,
    pub(crate) en_passant: Option<Square>,
    pub(crate) castling: Castling,
    pub(crate) turn: Color,
    pub(crate) size: u8,
}

impl std::hash::Hash for Board {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

impl Board {
    /// An empty board of a size, for building one up.
    pub(crate) fn empty(size: u8, turn: Color) -> Board {
        let board =
            Board { planes: [0; 3], white: 0, key: 0, en_passant: None, castling: Castling(0), turn, size };
        Board { key: board.computed_key(), ..board }
    }

    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// Number of files, and of ranks.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// A hash of everything that distinguishes positions.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// All occupied squares.
    #[inline]
    pub(crate) fn men(&self) -> u64 {
        self.planes[0] | self.planes[1] | self.planes[2]
    }

    /// The squares of one colour.
    #[inline]
    pub(crate) fn of(&self, color: Color) -> u64 {
        match color {
            Color::White => self.white,
            Color::Black => self.men() & !self.white,
        }
    }

    /// The squares of all men of a kind.
    #[inline]
    pub(crate) fn kind(&self, piece: Piece) -> u64 {
        let [a, b, c] = self.planes;
        match piece {
            Piece::Pawn => a & !b & !c,
            Piece::Knight => b & !a & !c,
            Piece::King => a & b & !c,
            Piece::Rook => a & c & !b,
            Piece::Bishop => b & c & !a,
            Piece::Queen => a & b & c,
        }
    }

    /// All that slides along files and ranks.
    #[inline]
    pub(crate) fn orthogonal(&self) -> u64 {
        self.planes[0] & self.planes[2]
    }

    /// All that slides along diagonals.
    #[inline]
    pub(crate) fn diagonal(&self) -> u64 {
        self.planes[1] & self.planes[2]
    }

    /// Occupied squares and, on small boards, all squares outside.
    #[inline]
    pub(crate) fn blocked(&self) -> u64 {
        self.men() | !attacks::BOARD[self.size as usize]
    }

    /// Where a king stands.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        Square((self.kind(Piece::King) & self.of(color)).trailing_zeros() as u8)
    }

    /// What stands on a square.
    #[inline]
    pub fn at(&self, square: Square) -> Option<(Color, Piece)> {
        let bit = |plane: u64| (plane >> square.0) as u8 & 1;
        let [a, b, c] = self.planes;
        let piece = Piece::from_code(bit(a) | bit(b) << 1 | bit(c) << 2)?;
        Some((if bit(self.white) == 1 { Color::White } else { Color::Black }, piece))
    }

    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// The square behind a pawn that may be taken en passant.
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// The men of `color` that attack a square, given what is occupied.
    #[inline]
    pub(crate) fn attackers(&self, color: Color, square: Square, blocked: u64) -> u64 {
        let own = self.of(color);
        let i = square.index();
        let leapers = attacks::pawn(color.other(), square) & self.kind(Piece::Pawn)
            | attacks::KNIGHT[i] & self.kind(Piece::Knight)
            | attacks::KING[i] & self.kind(Piece::King);
        let mut found = leapers & own;
        let (diagonal, orthogonal) = (self.diagonal() & own, self.orthogonal() & own);
        if diagonal != 0 {
            found |= attacks::bishop(square, blocked) & diagonal;
        }
        if orthogonal != 0 {
            found |= attacks::rook(square, blocked) & orthogonal;
        }
        found
    }

    /// The men that give check to the side to move.
    #[inline]
    pub(crate) fn checkers(&self) -> u64 {
        self.attackers(self.turn.other(), self.king(self.turn), self.blocked())
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.checkers() != 0
    }

    /// Puts a man on an empty square.
    #[inline]
    pub(crate) fn put(&mut self, color: Color, piece: Piece, square: Square) {
        self.toggle(color, piece, square);
    }

    /// Takes a man away, with the rights to castle that end with it.
    pub(crate) fn remove(&mut self, color: Color, piece: Piece, square: Square) {
        self.toggle(color, piece, square);
        self.set_castling(self.castling.without(square.bit()));
    }

    /// Puts a man on a square or takes it away; keeps the key.
    #[inline]
    fn toggle(&mut self, color: Color, piece: Piece, square: Square) {
        let bit = square.bit();
        let code = piece as u64;
        self.planes[0] ^= bit & (code & 1).wrapping_neg();
        self.planes[1] ^= bit & (code >> 1 & 1).wrapping_neg();
        self.planes[2] ^= bit & (code >> 2 & 1).wrapping_neg();
        self.white ^= bit & (1 - color as u64).wrapping_neg();
        self.key ^= keys::man(color, piece, square);
    }

    /// Sets the castling rights while a board is built.
    pub(crate) fn set_castling(&mut self, castling: Castling) {
        self.key ^= keys::castling(self.castling) ^ keys::castling(castling);
        self.castling = castling;
    }

    /// Sets the en-passant square while a board is built; forgotten unless such a capture is legal.
    pub(crate) fn offer_en_passant(&mut self, square: Square) {
        if self.takes_en_passant(square).next().is_some() {
            self.en_passant = Some(square);
            self.key ^= keys::en_passant(square);
        }
    }

    /// The pawns of the side to move that may take en passant on a square.
    pub(crate) fn takes_en_passant(&self, square: Square) -> impl Iterator<Item = Square> {
        let us = self.turn;
        let candidates = attacks::pawn(us.other(), square) & self.kind(Piece::Pawn) & self.of(us);
        let victim = victim_of(square, us);
        let board = *self;
        attacks::squares(candidates).filter(move |&from| {
            let mut after = board;
            after.toggle(us, Piece::Pawn, from);
            after.toggle(us, Piece::Pawn, square);
            after.toggle(us.other(), Piece::Pawn, victim);
            after.attackers(us.other(), after.king(us), after.blocked()) == 0
        })
    }

    /// The position after a legal move of a man of this kind, and where a man was taken.
    #[inline]
    pub(crate) fn after(&self, piece: Piece, mv: Move) -> (Board, Option<Square>) {
        let (us, them) = (self.turn, self.turn.other());
        let (from, to) = (mv.from(), mv.to());
        let mut board = *self;
        let mut captured = None;
        if let Some(square) = board.en_passant.take() {
            board.key ^= keys::en_passant(square);
        }
        if let Some((_, victim)) = self.at(to) {
            board.toggle(them, victim, to);
            captured = Some(to);
        }
        board.toggle(us, piece, from);
        board.toggle(us, mv.promotion().unwrap_or(piece), to);
        board.turn = them;
        board.key ^= keys::TURN;
        if self.castling.0 != 0 {
            board.set_castling(self.castling.without(from.bit() | to.bit()));
        }
        match piece {
            Piece::Pawn if self.en_passant == Some(to) => {
                let victim = victim_of(to, us);
                board.toggle(them, Piece::Pawn, victim);
                captured = Some(victim);
            }
            Piece::Pawn if from.0.abs_diff(to.0) == 16 => {
                board.offer_en_passant(Square((from.0 + to.0) / 2));
            }
            Piece::King if from.0.abs_diff(to.0) == 2 => {
                let (corner, beside) =
                    if to.0 > from.0 { (to.0 + 1, to.0 - 1) } else { (to.0 - 2, to.0 + 1) };
                board.toggle(us, Piece::Rook, Square(corner));
                board.toggle(us, Piece::Rook, Square(beside));
            }
            _ => {}
        }
        (board, captured)
    }

    /// The same position with its key computed from scratch, after fields were set by hand.
    pub(crate) fn rekeyed(self) -> Board {
        Board { key: self.computed_key(), ..self }
    }

    /// The hash key computed from scratch, as an oracle for the incremental one.
    pub(crate) fn computed_key(&self) -> u64 {
        let men = attacks::squares(self.men()).filter_map(|square| Some((square, self.at(square)?)));
        let mut key = men.fold(0, |key, (square, (color, piece))| key ^ keys::man(color, piece, square));
        key ^= keys::castling(self.castling);
        if let Some(square) = self.en_passant {
            key ^= keys::en_passant(square);
        }
        if self.turn == Color::Black {
            key ^= keys::TURN;
        }
        key
    }

    /// Whether neither side can mate any more, which ends the game as a draw: at most one knight or bishop is left, or only
    /// bishops on squares of one colour.
    #[inline]
    pub fn is_insufficient(&self) -> bool {
        const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;
        if self.orthogonal() | self.kind(Piece::Pawn) != 0 {
            return false;
        }
        let bishops = self.kind(Piece::Bishop);
        let one_colour = bishops & LIGHT == 0 || bishops & !LIGHT == 0;
        self.men().count_ones() <= 3 || self.kind(Piece::Knight) == 0 && one_colour
    }
}

/// The square of the pawn that `us` takes en passant by going to `square`.
#[inline]
pub(crate) fn victim_of(square: Square, us: Color) -> Square {
    match us {
        Color::White => Square(square.0 - 8),
        Color::Black => Square(square.0 + 8),
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
