//! Moves in standard algebraic notation, as PGN has them.

use super::{Board, Move, Piece, Square};

impl Board {
    /// A legal move in standard algebraic notation: `e4`, `Nbd2`, `exd6`, `O-O`, `b8=Q+`, `Qh7#`.
    pub fn san(&self, mv: Move) -> String {
        let Some((_, piece)) = self.at(mv.from()) else { return mv.to_string() };
        let sideways = mv.from().file() != mv.to().file();
        let body = match piece {
            Piece::King if mv.from().file().abs_diff(mv.to().file()) == 2 => {
                if mv.to().file() > mv.from().file() { "O-O".to_owned() } else { "O-O-O".to_owned() }
            }
            // A pawn that goes sideways takes something, also in passing.
            Piece::Pawn if sideways => format!("{}x{}", file(mv.from()), mv.to()),
            Piece::Pawn => mv.to().to_string(),
            _ => {
                let takes = if self.at(mv.to()).is_some() { "x" } else { "" };
                let letter = piece.letter().to_ascii_uppercase();
                format!("{letter}{}{takes}{}", self.which(mv, piece), mv.to())
            }
        };
        let promotion =
            mv.promotion().map_or(String::new(), |into| format!("={}", into.letter().to_ascii_uppercase()));
        let (next, _) = self.play(mv);
        let check = match (next.in_check(), next.has_legal_move()) {
            (false, _) => "",
            (true, true) => "+",
            (true, false) => "#",
        };
        format!("{body}{promotion}{check}")
    }

    /// What tells a man from others of its kind that can go to the same square: file, rank, or both.
    fn which(&self, mv: Move, piece: Piece) -> String {
        let mut legal = Vec::new();
        self.legal_moves(&mut legal);
        let is_rival = |other: &&Move| {
            other.to() == mv.to()
                && other.from() != mv.from()
                && self.at(other.from()).is_some_and(|(_, kind)| kind == piece)
        };
        let rivals: Vec<Square> = legal.iter().filter(is_rival).map(|other| other.from()).collect();
        let own = mv.from();
        if rivals.is_empty() {
            String::new()
        } else if rivals.iter().all(|rival| rival.file() != own.file()) {
            file(own)
        } else if rivals.iter().all(|rival| rival.rank() != own.rank()) {
            (own.rank() + 1).to_string()
        } else {
            own.to_string()
        }
    }
}

fn file(square: Square) -> String {
    char::from(b'a' + square.file()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn san(fen: &str, long: &str) -> String {
        let board = Board::from_fen(fen).unwrap();
        let mv = long.parse().unwrap();
        assert!(board.is_legal(mv), "{long} in {fen}");
        board.san(mv)
    }

    #[test]
    fn moves_are_written_as_in_books() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(san(start, "e2e4"), "e4");
        assert_eq!(san(start, "g1f3"), "Nf3");
        // The two knights reach d2; the file tells them apart.
        assert_eq!(san("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2"), "Nbd2");
        // Here both stand on one file, and the rank does.
        assert_eq!(san("4k3/8/8/1N6/8/1N6/8/4K3 w - - 0 1", "b5d4"), "N5d4");
        assert_eq!(san("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"), "O-O");
        assert_eq!(san("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8"), "O-O-O");
        assert_eq!(san("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), "exd6");
        assert_eq!(san("8/1P5k/8/8/8/8/8/4K3 w - - 0 1", "b7b8q"), "b8=Q");
        assert_eq!(san("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6g7"), "Qg7#");
        assert_eq!(san("7k/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8"), "Ra8+");
    }
}
