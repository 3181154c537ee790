//! CPU time of a thread: what measurements are made in, because machines have other things to do as well.

use std::time::{Duration, Instant};

use crate::clock::thread_seconds;

/// CPU time of the calling thread, or wall time where the system does not tell.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    started: Instant,
    cpu: Option<Duration>,
}

impl Stopwatch {
    fn cpu() -> Option<Duration> {
        thread_seconds().map(Duration::from_secs_f64)
    }

    /// Begins to measure.
    pub(crate) fn start() -> Stopwatch {
        Stopwatch { started: Instant::now(), cpu: Stopwatch::cpu() }
    }

    /// What the thread has used since.
    pub(crate) fn elapsed(&self) -> Duration {
        match (self.cpu, Stopwatch::cpu()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.started.elapsed(),
        }
    }

    /// The same in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }

    /// Tells whether some time is left, looking at the clock of the system rarely: that takes longer than a step of a
    /// small game.
    pub(crate) fn until(self, allowed: Duration) -> impl FnMut() -> bool {
        let mut asked = Instant::now();
        move || {
            if asked.elapsed() < Duration::from_millis(10) {
                return true;
            }
            asked = Instant::now();
            self.elapsed() < allowed
        }
    }
}
