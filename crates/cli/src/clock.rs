//! CPU time, as the system tells it.

pub(crate) use counterplay::{Phase, Phases, seconds};
pub(crate) use counterplay_system::clock::{process_time, thread_time};

/// CPU time of this thread so far, in seconds.
pub(crate) fn thread_seconds() -> Option<f64> {
    thread_time().map(|time| time.as_secs_f64())
}
