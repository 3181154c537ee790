//! What the games of a match say about the difference in strength.

/// Results of one contestant against the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

/// A difference in rating points with its 95 % confidence interval. `None` is a difference without bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    pub difference: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// Of the normal distribution, for 95 %.
const Z: f64 = 1.959_964;

impl Tally {
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of points: a draw is half a point.
    pub fn score(&self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games())
    }

    /// The 95 % confidence interval of the score, by Wilson's formula. Draws make a game tell more than a win or a loss would: the
    /// number of games counts as larger by as much as their variance is smaller.
    pub fn score_interval(&self) -> (f64, f64) {
        let (games, score) = (f64::from(self.games()), self.score());
        let (wins, draws) = (f64::from(self.wins), f64::from(self.draws));
        let variance = (wins + 0.25 * draws) / games - score * score;
        let largest = score * (1.0 - score);
        // With few games the observed variance may be none at all by chance; it counts as a quarter of the largest at least.
        let games = if largest > 0.0 { games * largest / variance.max(largest / 4.0) } else { games };
        let z2 = Z * Z;
        let centre = (score + z2 / (2.0 * games)) / (1.0 + z2 / games);
        let half = Z / (1.0 + z2 / games) * (largest / games + z2 / (4.0 * games * games)).sqrt();
        ((centre - half).max(0.0), (centre + half).min(1.0))
    }

    /// The difference in rating points; `None` without a game.
    pub fn elo(&self) -> Option<Elo> {
        if self.games() == 0 {
            return None;
        }
        let (low, high) = self.score_interval();
        Some(Elo { difference: points(self.score()), low: points(low), high: points(high) })
    }

    /// The chance that a contestant who is no better would have won so many of the decided games or more.
    pub fn p_value(&self) -> f64 {
        let decided = self.wins + self.losses;
        let mut term = 0.5f64.powi(decided as i32);
        let mut sum = 0.0;
        for wins in 0..=decided {
            if wins >= self.wins {
                sum += term;
            }
            term *= f64::from(decided - wins) / f64::from(wins + 1);
        }
        sum.min(1.0)
    }
}

/// The rating difference at which a score is expected; `None` at its ends.
fn points(score: f64) -> Option<f64> {
    (score > 1e-9 && score < 1.0 - 1e-9).then(|| -400.0 * (1.0 / score - 1.0).log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_players_differ_by_nothing() {
        let tally = Tally { wins: 10, draws: 0, losses: 10 };
        let elo = tally.elo().unwrap();
        assert_eq!(elo.difference, Some(0.0));
        let (low, high) = (elo.low.unwrap(), elo.high.unwrap());
        assert!((low + high).abs() < 1e-6 && low < -100.0, "{low} {high}");
        assert!((tally.p_value() - 0.588).abs() < 0.001, "{}", tally.p_value());
    }

    #[test]
    fn wilson_is_the_known_interval() {
        // Without draws the formula is the usual one: 8 of 10 is from 0.490 to 0.943.
        let (low, high) = Tally { wins: 8, draws: 0, losses: 2 }.score_interval();
        assert!((low - 0.490).abs() < 0.001 && (high - 0.943).abs() < 0.001, "{low} {high}");
        // 76 % of the points are 200 rating points.
        let elo = Tally { wins: 76, draws: 0, losses: 24 }.elo().unwrap();
        assert!((elo.difference.unwrap() - 200.2).abs() < 1.0, "{elo:?}");
    }

    #[test]
    fn a_clean_sweep_has_a_lower_end_only() {
        let elo = Tally { wins: 20, draws: 0, losses: 0 }.elo().unwrap();
        assert_eq!((elo.difference, elo.high), (None, None));
        assert!(elo.low.unwrap() > 200.0);
        assert_eq!(Tally::default().elo(), None);
        let all_drawn = Tally { wins: 0, draws: 30, losses: 0 }.elo().unwrap();
        assert!(all_drawn.high.unwrap() < 100.0 && all_drawn.low.unwrap() < 0.0, "{all_drawn:?}");
    }
}
