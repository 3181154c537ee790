//! Duplicate matches: the same deals with two declarers against the same defence.

use crate::contract::imps;

/// Two results of one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Tricks of the first and the second declarer.
    pub tricks: [u8; 2],
    /// Their duplicate scores.
    pub scores: [i32; 2],
}

/// A board that both declarers have played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedBoard {
    /// The name of the board.
    pub name: String,
    /// Tricks that make the contract.
    pub target: u8,
    pub pairing: Pairing,
}

/// A match as far as it was played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchRecord {
    /// Boards that both declarers have played.
    pub boards: Vec<PlayedBoard>,
    /// Seconds of all these boards, by declarer.
    seconds: [f64; 2],
    /// Moves searched on all these boards, by declarer.
    moves: [u64; 2],
}

/// Means of one declarer over the boards of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideStatistics {
    /// Tricks a board, and half the width of the 95 % interval.
    pub tricks: (f64, f64),
    /// Contracts made, in percent.
    pub made_percent: f64,
    /// Mean seconds a board.
    pub seconds: f64,
    /// Moves searched a board.
    pub moves: f64,
}

impl MatchRecord {
    /// Adds a board, with the seconds and the moves that each declarer took.
    pub fn add(&mut self, board: PlayedBoard, seconds: [f64; 2], moves: [u64; 2]) {
        self.boards.push(board);
        for side in 0..2 {
            self.seconds[side] += seconds[side];
            self.moves[side] += moves[side];
        }
    }

    /// The result of the boards so far.
    pub fn tally(&self) -> Tally {
        Tally::new(&self.boards.iter().map(|board| board.pairing).collect::<Vec<_>>())
    }

    /// The means of the first declarer (0) or the second (1).
    pub fn side(&self, side: usize) -> SideStatistics {
        let count = self.boards.len().max(1) as f64;
        let tricks: Vec<f64> =
            self.boards.iter().map(|board| f64::from(board.pairing.tricks[side])).collect();
        let made = self.boards.iter().filter(|board| board.pairing.tricks[side] >= board.target).count();
        SideStatistics {
            tricks: interval(&tricks),
            made_percent: 100.0 * made as f64 / count,
            seconds: self.seconds[side] / count,
            moves: self.moves[side] as f64 / count,
        }
    }
}

/// What a match comes to, from the first declarer's side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tally {
    /// Boards with the better score.
    pub wins: u32,
    /// Boards with the worse score.
    pub losses: u32,
    /// Boards with the same score.
    pub ties: u32,
    /// Mean international match points a board, and half the width of its 95 % interval.
    pub imps: (f64, f64),
    /// Mean difference in tricks, and half the width of its 95 % interval.
    pub tricks: (f64, f64),
    /// The chance of so many wins or more among the decided boards if both were equal (sign test, one-sided).
    pub p_value: f64,
}

impl Tally {
    /// The result of all boards.
    pub fn new(pairings: &[Pairing]) -> Tally {
        let difference = |pairing: &Pairing| pairing.scores[0] - pairing.scores[1];
        let count =
            |sign: i32| pairings.iter().filter(|pairing| difference(pairing).signum() == sign).count() as u32;
        let (wins, losses, ties) = (count(1), count(-1), count(0));
        let points: Vec<f64> = pairings.iter().map(|pairing| f64::from(imps(difference(pairing)))).collect();
        let tricks = |pairing: &Pairing| f64::from(pairing.tricks[0]) - f64::from(pairing.tricks[1]);
        let tricks: Vec<f64> = pairings.iter().map(tricks).collect();
        Tally {
            wins,
            losses,
            ties,
            imps: interval(&points),
            tricks: interval(&tricks),
            p_value: sign_test(wins, losses),
        }
    }

    /// The share of decided boards that were won.
    pub fn share(&self) -> f64 {
        let decided = self.wins + self.losses;
        if decided == 0 { 0.5 } else { f64::from(self.wins) / f64::from(decided) }
    }
}

/// The mean and half the width of its 95 % confidence interval.
pub fn interval(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    if values.is_empty() {
        return (0.0, 0.0);
    }
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, 1.96 * (variance / count).sqrt())
}

/// The chance of at least `wins` heads in `wins + losses` throws of a fair coin.
pub fn sign_test(wins: u32, losses: u32) -> f64 {
    let throws = wins + losses;
    // Logarithms keep the small terms of large matches from vanishing.
    let mut log_term = -f64::from(throws) * std::f64::consts::LN_2;
    let mut terms = vec![log_term];
    for k in 1..=throws {
        log_term += f64::from(throws - k + 1).ln() - f64::from(k).ln();
        terms.push(log_term);
    }
    terms[wins as usize..].iter().map(|term| term.exp()).sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_test_counts_throws() {
        assert!((sign_test(3, 0) - 0.125).abs() < 1e-12);
        assert!((sign_test(0, 5) - 1.0).abs() < 1e-9);
        // The paper's 1394 to 1302: z = 1.77, five in a hundred one-sided.
        let paper = sign_test(1394, 1302);
        assert!((0.035..0.042).contains(&paper), "{paper}");
    }

    #[test]
    fn a_record_has_the_means_of_each_side() {
        let mut record = MatchRecord::default();
        for tricks in [[9, 8], [10, 9]] {
            let pairing = Pairing { tricks, scores: [0, 0] };
            let board = PlayedBoard { name: "1".to_owned(), target: 9, pairing };
            record.add(board, [1.0, 3.0], [10, 20]);
        }
        let [first, second] = [record.side(0), record.side(1)];
        assert_eq!((first.tricks.0, first.made_percent, first.seconds, first.moves), (9.5, 100.0, 1.0, 10.0));
        assert_eq!((second.tricks.0, second.made_percent, second.seconds), (8.5, 50.0, 3.0));
        assert_eq!(MatchRecord::default().side(0).made_percent, 0.0);
    }

    #[test]
    fn a_tally_counts_boards_and_points() {
        let pairing = |a: i32, b: i32| Pairing { tricks: [9, 8], scores: [a, b] };
        let tally = Tally::new(&[pairing(400, -50), pairing(400, 400), pairing(-50, 400), pairing(430, 400)]);
        assert_eq!((tally.wins, tally.losses, tally.ties), (2, 1, 1));
        assert!((tally.imps.0 - 0.25).abs() < 1e-12 && (tally.tricks.0 - 1.0).abs() < 1e-12);
    }
}
