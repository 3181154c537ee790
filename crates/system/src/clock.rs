//! CPU time.

use std::time::Duration;

/// CPU time of this thread so far; none where the system does not tell.
pub fn thread_time() -> Option<Duration> {
    #[cfg(unix)]
    return read(libc::CLOCK_THREAD_CPUTIME_ID);
    #[cfg(not(unix))]
    None
}

/// CPU time of the process so far, all threads together; none where the system does not tell.
pub fn process_time() -> Option<Duration> {
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
