//! The same game once more, slowly: one square after the other.
//!
//! This twin shares no line with the bitboards. It walks rays square by square, makes every move and looks whether the king
//! can be taken. It is the referee of proof trees, and the oracle that the fast generator is compared with, also on the
//! small boards that no other program knows.

use counterplay_check::{Referee, Ruling};

use crate::chess::{Board, Color, Move, Piece, Square};
use crate::percept::{Checks, Direction, Percept};

/// A position as a table of squares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mailbox {
    squares: [Option<(Color, Piece)>; 64],
    size: i8,
    turn: Color,
    /// White king's side, White queen's side, Black king's side, Black queen's side.
    castling: [bool; 4],
    /// The square that a pawn has just jumped over, if a pawn could legally take it there.
    passed: Option<Square>,
}

const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl Mailbox {
    /// The same position, square by square.
    pub fn of(board: &Board) -> Mailbox {
        let mut squares = [None; 64];
        for (i, square) in squares.iter_mut().enumerate() {
            *square = board.at(Square::new(i as u8 % 8, i as u8 / 8));
        }
        let has = |color, kingside| board.castling().has(color, kingside);
        Mailbox {
            squares,
            size: board.size() as i8,
            turn: board.turn(),
            castling: [
                has(Color::White, true),
                has(Color::White, false),
                has(Color::Black, true),
                has(Color::Black, false),
            ],
            passed: board.en_passant(),
        }
    }

    /// The position as FEN, with clocks that say nothing.
    pub fn fen(&self) -> String {
        let size = self.size as u8;
        let mut ranks = Vec::new();
        for rank in (0..size).rev() {
            let mut text = String::new();
            for file in 0..size {
                let Some((color, piece)) = self.at(Square::new(file, rank)) else {
                    // An empty square counts on from those before it.
                    let before = text.chars().last().and_then(|last| last.to_digit(10));
                    if before.is_some() {
                        text.pop();
                    }
                    text.extend(char::from_digit(before.unwrap_or(0) + 1, 10));
                    continue;
                };
                let letter = piece.letter();
                text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
            ranks.push(text);
        }
        let rights: String = "KQkq".chars().zip(self.castling).filter(|own| own.1).map(|own| own.0).collect();
        let rights = if rights.is_empty() { "-".to_owned() } else { rights };
        let passed = self.passed.map_or_else(|| "-".to_owned(), |square| square.to_string());
        format!("{} {} {rights} {passed} 0 1", ranks.join("/"), self.turn.letter())
    }

    fn step(&self, from: Square, dx: i8, dy: i8) -> Option<Square> {
        let (file, rank) = (from.file() as i8 + dx, from.rank() as i8 + dy);
        let inside = (0..self.size).contains(&file) && (0..self.size).contains(&rank);
        inside.then(|| Square::new(file as u8, rank as u8))
    }

    fn at(&self, square: Square) -> Option<(Color, Piece)> {
        self.squares[square.index()]
    }

    fn all_squares(&self) -> impl Iterator<Item = Square> + use<> {
        let size = self.size as u8;
        (0..size).flat_map(move |rank| (0..size).map(move |file| Square::new(file, rank)))
    }

    fn forward(color: Color) -> i8 {
        if color == Color::White { 1 } else { -1 }
    }

    fn king(&self, color: Color) -> Option<Square> {
        self.all_squares().find(|&square| self.at(square) == Some((color, Piece::King)))
    }

    /// The men of `color` that attack a square.
    fn attackers(&self, color: Color, square: Square) -> Vec<Square> {
        let mut found = Vec::new();
        for (steps, slider) in [(ORTHOGONAL, Piece::Rook), (DIAGONAL, Piece::Bishop)] {
            for (dx, dy) in steps {
                let mut near = true;
                let mut here = self.step(square, dx, dy);
                while let Some(from) = here {
                    if let Some((owner, piece)) = self.at(from) {
                        let pawn = near && dx != 0 && dy == -Mailbox::forward(color) && piece == Piece::Pawn;
                        let slides = piece == slider || piece == Piece::Queen;
                        if owner == color && (slides || pawn || near && piece == Piece::King) {
                            found.push(from);
                        }
                        break;
                    }
                    near = false;
                    here = self.step(from, dx, dy);
                }
            }
        }
        let knights = LEAPS.iter().filter_map(|&(dx, dy)| self.step(square, dx, dy));
        found.extend(knights.filter(|&from| self.at(from) == Some((color, Piece::Knight))));
        found
    }

    fn is_attacked(&self, color: Color, square: Square) -> bool {
        !self.attackers(color, square).is_empty()
    }

    fn in_check(&self, color: Color) -> bool {
        self.king(color).is_some_and(|king| self.is_attacked(color.other(), king))
    }

    fn reach(&self, from: Square, steps: &[(i8, i8)], far: bool, out: &mut Vec<Square>) {
        for &(dx, dy) in steps {
            let mut here = self.step(from, dx, dy);
            while let Some(to) = here {
                match self.at(to) {
                    Some((owner, _)) if owner == self.turn => break,
                    found => {
                        out.push(to);
                        if found.is_some() || !far {
                            break;
                        }
                    }
                }
                here = self.step(to, dx, dy);
            }
        }
    }

    /// Moves that may leave the king in check. With `blind`, the pawns' captures need no victim.
    fn pseudo_moves(&self, blind: bool) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in self.all_squares() {
            self.pseudo_moves_from(from, blind, &mut moves);
        }
        moves
    }

    fn pseudo_moves_from(&self, from: Square, blind: bool, moves: &mut Vec<Move>) {
        let Some((owner, piece)) = self.at(from).filter(|(owner, _)| *owner == self.turn) else { return };
        let mut targets = Vec::new();
        match piece {
            Piece::Pawn => self.pawn_targets(from, blind, &mut targets),
            Piece::Knight => self.reach(from, &LEAPS, false, &mut targets),
            Piece::Bishop => self.reach(from, &DIAGONAL, true, &mut targets),
            Piece::Rook => self.reach(from, &ORTHOGONAL, true, &mut targets),
            Piece::Queen | Piece::King => {
                self.reach(from, &ORTHOGONAL, piece == Piece::Queen, &mut targets);
                self.reach(from, &DIAGONAL, piece == Piece::Queen, &mut targets);
            }
        }
        if piece == Piece::King {
            self.castle_targets(from, &mut targets);
        }
        let last = if owner == Color::White { self.size as u8 - 1 } else { 0 };
        for to in targets {
            if piece == Piece::Pawn && to.rank() == last {
                moves.extend(Piece::PROMOTIONS.map(|into| Move::promoting(from, to, into)));
            } else {
                moves.push(Move::new(from, to));
            }
        }
    }

    fn pawn_targets(&self, from: Square, blind: bool, out: &mut Vec<Square>) {
        let up = Mailbox::forward(self.turn);
        if let Some(one) = self.step(from, 0, up).filter(|&to| self.at(to).is_none()) {
            out.push(one);
            let home = if self.turn == Color::White { 1 } else { 6 };
            if self.size == 8 && from.rank() == home {
                out.extend(self.step(one, 0, up).filter(|&to| self.at(to).is_none()));
            }
        }
        for dx in [-1, 1] {
            let Some(to) = self.step(from, dx, up) else { continue };
            let own = self.at(to).is_some_and(|(owner, _)| owner == self.turn);
            if !own && (blind || self.at(to).is_some() || self.passed == Some(to)) {
                out.push(to);
            }
        }
    }

    /// Castling as far as rights and empty squares go; attacked squares are looked at with legality.
    fn castle_targets(&self, king: Square, out: &mut Vec<Square>) {
        let rights = if self.turn == Color::White { &self.castling[0..2] } else { &self.castling[2..4] };
        let empty = |steps: &[i8]| {
            steps.iter().all(|&dx| self.step(king, dx, 0).is_some_and(|square| self.at(square).is_none()))
        };
        if rights[0] && empty(&[1, 2]) {
            out.extend(self.step(king, 2, 0));
        }
        if rights[1] && empty(&[-1, -2, -3]) {
            out.extend(self.step(king, -2, 0));
        }
    }

    /// Makes a move that is at least pseudo-legal; the square of the captured man.
    fn made(&self, mv: Move) -> (Mailbox, Option<Square>) {
        let (from, to) = (mv.from(), mv.to());
        let mut next = self.clone();
        let (owner, piece) = self.at(from).expect("a move begins at a man");
        let mut taken = self.at(to).map(|_| to);
        if piece == Piece::Pawn && from.file() != to.file() && taken.is_none() {
            let victim = Square::new(to.file(), from.rank());
            next.squares[victim.index()] = None;
            taken = Some(victim);
        }
        next.squares[from.index()] = None;
        next.squares[to.index()] = Some((owner, mv.promotion().unwrap_or(piece)));
        if piece == Piece::King && from.file().abs_diff(to.file()) == 2 {
            let (corner, beside) = if to.file() > from.file() { (7, 5) } else { (0, 3) };
            next.squares[Square::new(corner, from.rank()).index()] = None;
            next.squares[Square::new(beside, from.rank()).index()] = Some((owner, Piece::Rook));
        }
        let homes = [(4, 0, 7), (4, 0, 0), (4, 7, 7), (4, 7, 0)];
        for (right, (king, rank, rook)) in next.castling.iter_mut().zip(homes) {
            let touched = |file| [from, to].contains(&Square::new(file, rank));
            *right &= !touched(king) && !touched(rook);
        }
        next.turn = owner.other();
        next.passed = None;
        if piece == Piece::Pawn && from.rank().abs_diff(to.rank()) == 2 {
            next.passed = Some(Square::new(from.file(), (from.rank() + to.rank()) / 2));
            let takes = |mv: &Move| {
                Some(mv.to()) == next.passed && matches!(next.at(mv.from()), Some((_, Piece::Pawn)))
            };
            if !next.legal_moves().iter().any(takes) {
                next.passed = None;
            }
        }
        (next, taken)
    }

    pub fn legal_moves(&self) -> Vec<Move> {
        self.pseudo_moves(false).into_iter().filter(|&mv| self.keeps_king_safe(mv)).collect()
    }

    /// The position after a legal move and what is heard of it.
    #[cfg(test)]
    pub(crate) fn announced(&self, mv: Move) -> (Mailbox, Percept) {
        let (after, capture) = self.made(mv);
        let checks = after.checks();
        (after, Percept { capture, checks })
    }

    /// The same men with the same side to move, without rights.
    #[cfg(test)]
    pub(crate) fn to_board(&self) -> Board {
        let mut board = Board::empty(self.size as u8, self.turn);
        for square in self.all_squares() {
            if let Some((color, piece)) = self.at(square) {
                board.put(color, piece, square);
            }
        }
        board
    }

    fn has_legal_move(&self) -> bool {
        let mut moves = Vec::new();
        self.all_squares().any(|from| {
            moves.clear();
            self.pseudo_moves_from(from, false, &mut moves);
            moves.iter().any(|&mv| self.keeps_king_safe(mv))
        })
    }

    fn keeps_king_safe(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let (_, piece) = self.at(from).expect("a move begins at a man");
        if piece == Piece::King && from.file().abs_diff(to.file()) == 2 {
            let middle = Square::new((from.file() + to.file()) / 2, from.rank());
            if self.is_attacked(self.turn.other(), from) || self.is_attacked(self.turn.other(), middle) {
                return false;
            }
        }
        let mut after = self.squares;
        after[to.index()] = after[from.index()].take();
        if piece == Piece::Pawn && from.file() != to.file() && self.at(to).is_none() {
            after[Square::new(to.file(), from.rank()).index()] = None;
        }
        let after = Mailbox { squares: after, ..*self };
        !after.in_check(self.turn)
    }

    /// What may be tried: all moves that would be legal if only the own men were there, and all captures of pawns.
    pub fn tries(&self) -> Vec<Move> {
        let mut alone = self.clone();
        for square in &mut alone.squares {
            *square = square.filter(|(owner, _)| *owner == self.turn);
        }
        alone.pseudo_moves(true)
    }

    /// The directions of check against the side to move.
    pub fn checks(&self) -> Checks {
        let Some(king) = self.king(self.turn) else { return Checks::NONE };
        let length = |dx: i8| {
            let count = |dx, dy| std::iter::successors(Some(king), |&at| self.step(at, dx, dy)).count();
            count(dx, 1) + count(-dx, -1)
        };
        let mut checks = Checks::NONE;
        for from in self.attackers(self.turn.other(), king) {
            let (dx, dy) = (from.file() as i8 - king.file() as i8, from.rank() as i8 - king.rank() as i8);
            checks = checks.with(if dx == 0 {
                Direction::File
            } else if dy == 0 {
                Direction::Rank
            } else if dx.abs() != dy.abs() {
                Direction::Knight
            } else {
                let (this, other) = if dx == dy { (length(1), length(-1)) } else { (length(-1), length(1)) };
                let tie_goes_to_rising = this == other && dx == dy;
                if this > other || tie_goes_to_rising { Direction::Long } else { Direction::Short }
            });
        }
        checks
    }

    fn is_insufficient(&self) -> bool {
        let men: Vec<(Square, Piece)> =
            self.all_squares().filter_map(|square| Some((square, self.at(square)?.1))).collect();
        let has = |wanted: Piece| men.iter().any(|(_, piece)| *piece == wanted);
        if has(Piece::Pawn) || has(Piece::Rook) || has(Piece::Queen) {
            return false;
        }
        let bishop_on = |colour: u8| {
            men.iter().any(|(at, piece)| *piece == Piece::Bishop && (at.file() + at.rank()) % 2 == colour)
        };
        let mates = has(Piece::Knight) || bishop_on(0) && bishop_on(1);
        men.len() <= 3 || !mates
    }

    /// The other side has only a king, and this one guards with its own what is known to be enough.
    fn has_material_win(&self, color: Color) -> bool {
        let alone = self.squares.iter().flatten().filter(|man| man.0 != color).count() == 1;
        let Some(king) = self.king(color) else { return false };
        let near = ORTHOGONAL.iter().chain(&DIAGONAL).filter_map(|&(dx, dy)| self.step(king, dx, dy));
        let guarded: Vec<(Square, Piece)> = near
            .filter_map(|square| Some((square, self.at(square).filter(|man| man.0 == color)?.1)))
            .collect();
        let has =
            |wanted: &dyn Fn(Square, Piece) -> bool| guarded.iter().any(|&(at, piece)| wanted(at, piece));
        let bishop_on =
            |colour: u8| has(&|at, piece| piece == Piece::Bishop && (at.file() + at.rank()) % 2 == colour);
        alone
            && (has(&|_, piece| matches!(piece, Piece::Queen | Piece::Rook))
                || has(&|at, piece| {
                    piece == Piece::Pawn && at.file() > 0 && (at.file() as i8) < self.size - 1
                })
                || bishop_on(0) && bishop_on(1)
                || (bishop_on(0) || bishop_on(1)) && has(&|_, piece| piece == Piece::Knight))
    }

    fn ruling(&self, mv: Move) -> Ruling<Mailbox, Percept> {
        let (next, capture) = self.made(mv);
        let percept = Percept { capture, checks: next.checks() };
        match next.has_legal_move() {
            false if percept.checks.is_empty() => Ruling::Over,
            false => Ruling::Won,
            true if next.is_insufficient() => Ruling::Over,
            true => Ruling::Open(percept, next),
        }
    }
}

/// The referee for the side that is to move at the beginning.
#[derive(Clone, Copy, Debug, Default)]
pub struct SlowReferee {
    /// Whether a known material win ends the game as a win.
    pub material_wins: bool,
}

impl Referee for SlowReferee {
    type State = Mailbox;
    type Attempt = Move;
    type Percept = Percept;

    fn attempt(&self, state: &Mailbox, attempt: Move) -> Ruling<Mailbox, Percept> {
        let mut moves = Vec::new();
        state.pseudo_moves_from(attempt.from(), false, &mut moves);
        if !moves.contains(&attempt) || !state.keeps_king_safe(attempt) {
            return Ruling::Rejected;
        }
        match state.ruling(attempt) {
            Ruling::Open(_, next) if self.material_wins && next.has_material_win(state.turn) => Ruling::Won,
            ruling => ruling,
        }
    }

    fn replies(&self, state: &Mailbox) -> Vec<Ruling<Mailbox, Percept>> {
        let rulings = state.legal_moves().into_iter().map(|mv| state.ruling(mv));
        // A mate by the other side is the end, and not the one that was wanted.
        rulings.map(|ruling| if ruling == Ruling::Won { Ruling::Over } else { ruling }).collect()
    }
}
