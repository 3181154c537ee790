//! The geometry of king and one man against a hidden king.
//!
//! While it is the stronger side's turn the other king is not attacked, so no line of the man is blocked by it: only moves of the king can
//! be rejected. A belief state is therefore the squares of king and man and a set of squares for the hidden king, 64 bits.

use crate::chess::attacks::{self, squares};
use crate::chess::{Board, Color, Piece, Square};
use crate::percept::Checks;

/// Squares of king and man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pair {
    pub(crate) king: Square,
    pub(crate) man: Square,
}

impl Pair {
    pub(crate) fn index(self) -> usize {
        self.king.index() * 64 + self.man.index()
    }

    pub(crate) fn all() -> impl Iterator<Item = Pair> {
        (0..64).flat_map(|king| (0..64).map(move |man| Pair { king: Square(king), man: Square(man) }))
    }
}

/// What the referee says after a move of the stronger side, for all squares of the hidden king at once.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Heard {
    /// Mate at once.
    pub(crate) mate: u64,
    /// Stalemate, or the man can be taken.
    pub(crate) lost: u64,
    /// Squares with the same announcement each: none, and the directions of check.
    pub(crate) classes: [u64; 5],
}

/// All tables for one kind of man.
pub(crate) struct Chart {
    pub(crate) piece: Piece,
    heard: Vec<Heard>,
    /// Where the hidden king may be after its reply, by pair and its square.
    replies: Vec<u64>,
    /// Where it can be when it is the stronger side's turn.
    possible: Vec<u64>,
}

impl Chart {
    pub(crate) fn new(piece: Piece) -> Chart {
        let mut chart = Chart {
            piece,
            heard: vec![Heard::default(); 64 * 64],
            replies: vec![0; 64 * 64 * 64],
            possible: vec![0; 64 * 64],
        };
        for pair in Pair::all().filter(|pair| pair.king != pair.man) {
            for lone in (0..64).map(Square).filter(|&lone| lone != pair.king && lone != pair.man) {
                chart.fill(pair, lone);
            }
        }
        chart
    }

    fn fill(&mut self, pair: Pair, lone: Square) {
        let mut board = Board::empty(8, Color::Black);
        board.put(Color::White, Piece::King, pair.king);
        board.put(Color::White, self.piece, pair.man);
        board.put(Color::Black, Piece::King, lone);
        if attacks::KING[pair.king.index()] & lone.bit() != 0 {
            return;
        }
        let checks = Checks::of(&board);
        if checks.is_empty() {
            self.possible[pair.index()] |= lone.bit();
        }
        let mut targets = 0;
        board.each_move(|_, mv| targets |= mv.to().bit());
        let heard = &mut self.heard[pair.index()];
        if targets == 0 && !checks.is_empty() {
            heard.mate |= lone.bit();
        } else if targets == 0 || targets & pair.man.bit() != 0 {
            heard.lost |= lone.bit();
        } else {
            let class = checks.iter().next().map_or(0, |direction| match direction {
                crate::Direction::File => 1,
                crate::Direction::Rank => 2,
                crate::Direction::Long => 3,
                _ => 4,
            });
            heard.classes[class] |= lone.bit();
            self.replies[pair.index() * 64 + lone.index()] = targets;
        }
    }

    /// What is heard after a move that leads to this pair.
    pub(crate) fn heard(&self, pair: Pair) -> &Heard {
        &self.heard[pair.index()]
    }

    /// Where the hidden king may go.
    pub(crate) fn replies_of(&self, pair: Pair, lone: Square) -> u64 {
        self.replies[pair.index() * 64 + lone.index()]
    }

    /// Where the hidden king can be at all when it is the stronger side's turn.
    pub(crate) fn possible(&self, pair: Pair) -> u64 {
        self.possible[pair.index()]
    }

    /// The pairs after each move.
    pub(crate) fn moves(&self, pair: Pair) -> impl Iterator<Item = Pair> + use<> {
        let king = attacks::KING[pair.king.index()] & !pair.man.bit();
        let blocked = pair.king.bit();
        let man = match self.piece {
            Piece::Rook => attacks::rook(pair.man, blocked),
            _ => attacks::rook(pair.man, blocked) | attacks::bishop(pair.man, blocked),
        } & !blocked;
        squares(man)
            .map(move |man| Pair { king: pair.king, man })
            .chain(squares(king).map(move |king| Pair { king, man: pair.man }))
    }

    /// Where the hidden king is if a move is rejected.
    pub(crate) fn rejecting(before: Pair, after: Pair) -> u64 {
        if before.king == after.king { 0 } else { attacks::KING[after.king.index()] }
    }
}

/// The eight symmetries of the board.
pub(crate) const SYMMETRIES: u8 = 8;

/// A square under a symmetry.
pub(crate) fn turned(square: Square, symmetry: u8) -> Square {
    let (mut file, mut rank) = (square.file(), square.rank());
    if symmetry & 1 != 0 {
        file = 7 - file;
    }
    if symmetry & 2 != 0 {
        rank = 7 - rank;
    }
    if symmetry & 4 != 0 {
        (file, rank) = (rank, file);
    }
    Square::new(file, rank)
}

/// A set of squares under a symmetry.
pub(crate) fn turned_set(mut set: u64, symmetry: u8) -> u64 {
    if symmetry & 1 != 0 {
        for (shift, mask) in
            [(1, 0x5555_5555_5555_5555), (2, 0x3333_3333_3333_3333), (4, 0x0f0f_0f0f_0f0f_0f0f)]
        {
            set = (set >> shift & mask) | (set & mask) << shift;
        }
    }
    if symmetry & 2 != 0 {
        set = set.swap_bytes();
    }
    if symmetry & 4 != 0 {
        // Transposes in blocks of one, two and four.
        let mut delta = (set ^ set >> 7) & 0x00aa_00aa_00aa_00aa;
        set ^= delta ^ delta << 7;
        delta = (set ^ set >> 14) & 0x0000_cccc_0000_cccc;
        set ^= delta ^ delta << 14;
        delta = (set ^ set >> 28) & 0x0000_0000_f0f0_f0f0;
        set ^= delta ^ delta << 28;
    }
    set
}

impl Pair {
    pub(crate) fn turned(self, symmetry: u8) -> Pair {
        Pair { king: turned(self.king, symmetry), man: turned(self.man, symmetry) }
    }

    /// Whether it is the first of those that the symmetries exchange.
    pub(crate) fn is_first(self) -> bool {
        (0..SYMMETRIES).all(|symmetry| self <= self.turned(symmetry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_turn_as_their_squares_do() {
        let mut set = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..50 {
            set = set.rotate_left(7).wrapping_mul(0x2545_f491_4f6c_dd1d);
            for symmetry in 0..SYMMETRIES {
                let one_by_one = squares(set).fold(0, |all, square| all | turned(square, symmetry).bit());
                assert_eq!(turned_set(set, symmetry), one_by_one, "{symmetry}");
            }
        }
    }

    #[test]
    fn announcements_are_the_same_on_turned_boards() {
        let chart = Chart::new(Piece::Queen);
        for pair in Pair::all().filter(|pair| pair.king != pair.man).step_by(7) {
            for symmetry in 0..SYMMETRIES {
                let image = chart.heard(pair.turned(symmetry));
                let own = chart.heard(pair);
                assert_eq!(image.mate, turned_set(own.mate, symmetry));
                assert_eq!(image.lost, turned_set(own.lost, symmetry));
                // File and rank change places if the board is mirrored at its diagonal.
                let order = if symmetry & 4 == 0 { [0, 1, 2, 3, 4] } else { [0, 2, 1, 3, 4] };
                for (class, &other) in order.iter().enumerate() {
                    assert_eq!(image.classes[other], turned_set(own.classes[class], symmetry));
                }
            }
        }
    }
}
