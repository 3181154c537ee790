//! How long to think about a move.

use std::time::Duration;

/// A player's clock as GTP tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What is left of the main time, or of the current byo-yomi period.
    pub left: Duration,
    /// Moves that have to be made in this time; 0 in main time.
    pub stones: u32,
    /// The byo-yomi that follows: a period, and the moves in it.
    pub period: Duration,
    pub period_stones: u32,
}

/// Kept back for what is between the clock and the player.
const LAG: Duration = Duration::from_millis(60);

impl Clock {
    /// A clock with nothing used up.
    pub fn new(main: Duration, period: Duration, period_stones: u32) -> Clock {
        if main.is_zero() {
            return Clock { left: period, stones: period_stones.max(1), period, period_stones };
        }
        Clock { left: main, stones: 0, period, period_stones }
    }

    /// The time for the next move, if so many points are still empty.
    pub fn share(&self, empty: usize) -> Duration {
        let left = self.left.saturating_sub(LAG);
        if self.stones > 0 {
            return left / self.stones;
        }
        // About half of the empty points will be filled by each side before the end.
        let moves = (empty / 2).max(12) as u32;
        let period = if self.period_stones > 0 { self.period / self.period_stones } else { Duration::ZERO };
        // In main time a move may take a little more than a period's share.
        (left / moves).max(period.min(left / 2))
    }

    /// The clock after a move.
    pub fn after(self, used: Duration) -> Clock {
        let left = self.left.saturating_sub(used);
        match self.stones {
            0 if left.is_zero() && self.period_stones > 0 => {
                Clock { left: self.period, stones: self.period_stones, ..self }
            }
            0 => Clock { left, ..self },
            1 => Clock { left: self.period, stones: self.period_stones.max(1), ..self },
            stones => Clock { left, stones: stones - 1, ..self },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn a_game_never_uses_more_than_the_clock_has() {
        let mut clock = Clock::new(seconds(60), Duration::ZERO, 0);
        for empty in (0..81).rev() {
            let share = clock.share(empty);
            assert!(share < clock.left, "{share:?} of {:?}", clock.left);
            clock = clock.after(share);
        }
        assert!(clock.left > Duration::ZERO);
    }

    #[test]
    fn byo_yomi_is_shared_by_its_stones() {
        let clock = Clock::new(Duration::ZERO, seconds(30), 5);
        assert_eq!(clock.share(50), (seconds(30) - LAG) / 5);
        assert_eq!(clock.after(seconds(6)).stones, 4);
        let main = Clock::new(seconds(1), seconds(30), 5);
        assert_eq!(main.after(seconds(2)), Clock { left: seconds(30), stones: 5, ..main });
    }
}
