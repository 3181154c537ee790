//! How long each part of a run took.

use std::time::{Duration, Instant};

use serde::Serialize;

/// The parts of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Reading and resolving the files.
    Parse,
    /// From the lifted problem to a finite task.
    Ground,
    /// Looking for the answer.
    Search,
    /// Checking the answer.
    Check,
}

/// Seconds of the parts that ended, limit or not; `None` for parts that were not begun.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Phases {
    pub(crate) parse: Option<f64>,
    pub(crate) ground: Option<f64>,
    pub(crate) search: Option<f64>,
    pub(crate) check: Option<f64>,
}

impl Phases {
    /// Does some work and takes its time.
    pub(crate) fn measure<T>(&mut self, phase: Phase, work: impl FnOnce() -> T) -> T {
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
pub(crate) fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1e6).round() / 1e6
}

/// CPU seconds of this thread so far; none where the system does not tell.
pub(crate) fn thread_seconds() -> Option<f64> {
    #[cfg(unix)]
    return read(libc::CLOCK_THREAD_CPUTIME_ID).map(|time| time.as_secs_f64());
    #[cfg(not(unix))]
    None
}

/// CPU time of the process so far, all threads together; none where the system does not tell.
pub(crate) fn process_time() -> Option<Duration> {
    #[cfg(unix)]
    return read(libc::CLOCK_PROCESS_CPUTIME_ID);
    #[cfg(not(unix))]
    None
}

#[cfg(unix)]
fn read(clock: libc::clockid_t) -> Option<Duration> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes one `timespec` to a valid, exclusively borrowed place and keeps no pointer to it.
    let failed = unsafe { libc::clock_gettime(clock, &mut time) } != 0;
    let seconds = u64::try_from(time.tv_sec).ok()?;
    let nanoseconds = u32::try_from(time.tv_nsec).ok()?;
    (!failed).then(|| Duration::new(seconds, nanoseconds))
}
