//! How much of the time the solver gets beside the search: as much as its chances are worth.
//!
//! The solver begins with half of the time. Each position that it could not solve halves its share, each one that it
//! solved doubles it; between two positions it waits as long as the share says. Positions that seem to be hopeless, by the
//! first layers of states, are not begun at all.

use std::time::{Duration, Instant};

/// The solver never gets more of the time than this, and never less than that.
const LARGEST: f64 = 0.5;
const LEAST: f64 = 1.0 / 64.0;
/// After a look at a hopeless position it waits so many times as long as the look took.
const GLANCE: u32 = 10;

#[derive(Debug)]
pub(super) struct SolverShare {
    share: f64,
    began: Instant,
    /// It waits until then.
    not_before: Instant,
    /// Whether it waits since a position was hopeless.
    has_skipped: bool,
}

impl SolverShare {
    pub(super) fn new(now: Instant) -> SolverShare {
        SolverShare { share: LARGEST, began: now, not_before: now, has_skipped: false }
    }

    /// Whether it may begin.
    pub(super) fn may_begin(&self, now: Instant) -> bool {
        now >= self.not_before
    }

    pub(super) fn begin(&mut self, now: Instant) {
        self.began = now;
    }

    /// It has seen that a position is hopeless. That was cheap: its share stays, and it looks again after the next move.
    pub(super) fn skip(&mut self, now: Instant) {
        self.not_before = now + GLANCE * now.duration_since(self.began);
        self.has_skipped = true;
    }

    /// The match has gone on.
    pub(super) fn follow(&mut self, now: Instant) {
        if std::mem::take(&mut self.has_skipped) {
            self.not_before = now;
        }
    }

    /// It has ended, with or without a solution.
    pub(super) fn end(&mut self, now: Instant, is_solved: bool) {
        self.has_skipped = false;
        self.share = if is_solved { 2.0 * self.share } else { self.share / 2.0 }.clamp(LEAST, LARGEST);
        let spent = now.duration_since(self.began);
        let pause = spent.as_secs_f64() * (1.0 / self.share - 1.0);
        self.not_before = now + Duration::from_secs_f64(pause.min(3600.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_follows_the_chances() {
        let start = Instant::now();
        let second = Duration::from_secs(1);
        let mut share = SolverShare::new(start);
        let mut now = start;
        let mut solving = Duration::ZERO;
        for _ in 0..8 {
            assert!(share.may_begin(now));
            share.begin(now);
            now += second;
            solving += second;
            share.end(now, false);
            while !share.may_begin(now) {
                now += second / 10;
            }
        }
        let spent = solving.as_secs_f64() / now.duration_since(start).as_secs_f64();
        assert!(spent < 0.05, "{spent}: what never works gets little time");
        for _ in 0..8 {
            share.begin(now);
            now += second;
            share.end(now, true);
        }
        assert!(share.may_begin(now + second), "what works gets half of it again");
        now += second;
        share.begin(now);
        now += second;
        share.skip(now);
        assert!(!share.may_begin(now + second), "a hopeless position is left alone");
        share.follow(now);
        assert!(share.may_begin(now), "and looked at again after the next move");
    }
}
