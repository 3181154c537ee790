//! What an answer took.

use std::time::{Duration, Instant};

use serde::Serialize;

/// The parts of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Reading and resolving the texts.
    Parse,
    /// From the lifted problem to a finite task.
    Ground,
    /// Looking for the answer.
    Search,
    /// Checking the answer.
    Check,
}

/// Seconds of wall time of the phases that ended, by a limit or not; `None` for phases that were not begun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Phases {
    /// Reading and resolving the texts.
    pub parse: Option<f64>,
    /// Grounding.
    pub ground: Option<f64>,
    /// Search.
    pub search: Option<f64>,
    /// The check of the answer.
    pub check: Option<f64>,
}

impl Phases {
    /// Does some work and adds its time to a phase.
    pub fn measure<T>(&mut self, phase: Phase, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        let result = work();
        let place = match phase {
            Phase::Parse => &mut self.parse,
            Phase::Ground => &mut self.ground,
            Phase::Search => &mut self.search,
            Phase::Check => &mut self.check,
        };
        *place = Some(place.unwrap_or(0.0) + seconds(started.elapsed()));
        result
    }
}

/// Seconds with six decimals: more is noise.
pub fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e6
}

/// Tells the CPU time of the calling thread; `None` where the system does not, and wall time is taken.
pub type CpuClock = fn() -> Option<Duration>;

/// CPU time of the calling thread: measurements are made in it, because machines have other things to do as well.
#[derive(Debug)]
pub struct Stopwatch {
    clock: CpuClock,
    started: Instant,
    cpu: Option<Duration>,
}

impl Stopwatch {
    pub fn start(clock: CpuClock) -> Stopwatch {
        Stopwatch { clock, started: Instant::now(), cpu: clock() }
    }

    /// What the thread has used since the start.
    pub fn elapsed(&self) -> Duration {
        match (self.cpu, (self.clock)()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.started.elapsed(),
        }
    }

    /// The same in seconds.
    pub fn seconds(&self) -> f64 {
        self.elapsed().as_secs_f64()
    }

    /// Tells whether some time is left, looking at the clock of the system rarely: that takes longer than a step of a
    /// small game.
    pub fn until(self, allowed: Duration) -> impl FnMut() -> bool {
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
