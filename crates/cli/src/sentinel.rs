//! The last guard of the limits.
//!
//! Engines look at their [`Budget`] and stop by themselves; that is the rule. This guard is for what cannot look
//! (a read from a pipe that never comes, one huge step in a library): it waits until the engines have had the time to notice,
//! then says `stopped` in the place of the engine, with the bounds that the engine told last, and ends the process. On a busy
//! machine that takes longer: what counts is the CPU time that the engines got, not the wall time that passed, as long as they
//! have work to do. Ctrl-C and SIGTERM cancel the budget, and
//! the guard sees to it that this has an end as well.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use counterplay_base::{Budget, Limit};

use crate::clock;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::memory;
use crate::output;
use crate::progress::Display;
use crate::settings::Settings;

/// How often the guard looks.
const INTERVAL: Duration = Duration::from_millis(20);
/// How much CPU time engines may take to notice that they should stop, or wall time if all of them wait for something else.
const GRACE: Duration = Duration::from_millis(500);
/// How long they may take at most by the wall clock, however busy the machine is.
const LONGEST_GRACE: Duration = Duration::from_secs(15);
/// How far engines may overshoot the memory limit while they notice.
const GRACE_BYTES: usize = 64 << 20;

/// Who may speak: the command with its answer, or the guard with its last words, whichever claims it first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Floor(Arc<AtomicBool>);

impl Floor {
    /// Takes the floor; `false` if it is taken already.
    pub(crate) fn take(&self) -> bool {
        !self.0.swap(true, Ordering::AcqRel)
    }

    /// Takes the floor for the answer. If the guard has it, the process is about to end: wait for that.
    pub(crate) fn take_or_wait(&self) {
        if !self.take() {
            loop {
                thread::park();
            }
        }
    }

    fn is_taken(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Lets Ctrl-C and SIGTERM cancel the budget; the second time they end the process.
pub(crate) fn cancel_on_interrupt(budget: &Budget) {
    let interrupted = AtomicBool::new(false);
    let cancel = budget.canceller();
    // Without a handler Ctrl-C ends the process at once, which is no worse than failing here.
    let _ = ctrlc::set_handler(move || {
        if interrupted.swap(true, Ordering::AcqRel) {
            std::process::exit(i32::from(Exit::Limit.code()));
        }
        cancel();
    });
}

/// Starts the guard, and lets Ctrl-C and SIGTERM cancel the budget. `report_stopped` prints the answer `stopped`; the
/// display is given a chance to draw each time the guard looks.
pub(crate) fn watch(
    budget: &Budget,
    display: Arc<Display>,
    report_stopped: impl Fn(Limit) + Send + 'static,
) -> Floor {
    let floor = Floor::default();
    cancel_on_interrupt(budget);
    let guard = Guard { budget: budget.clone(), floor: floor.clone(), overdue_since: None };
    // A machine that cannot start a thread still has the engines' own checks.
    let _ = thread::Builder::new().name("guard".to_owned()).stack_size(256 << 10).spawn(move || {
        let limit = guard.wait(&|| display.look());
        display.clear();
        report_stopped(limit);
        std::process::exit(i32::from(Exit::Limit.code()));
    });
    floor
}

/// The same for commands whose last words are those of [`output::stopped`].
pub(crate) fn watch_command(settings: &Settings, display: &Arc<Display>) -> Floor {
    let own = settings.clone();
    watch(&settings.budget, Arc::clone(display), move |limit| output::stopped(limit, &own))
}

/// Does the work of a command under the guard, and says so if a limit ends it.
pub(crate) fn guarded(
    settings: &Settings,
    work: impl FnOnce(&Arc<Display>) -> Result<Exit, Halt>,
) -> Result<Exit, Failure> {
    let display = Arc::new(Display::new(settings));
    let floor = watch_command(settings, &display);
    let outcome = work(&display);
    floor.take_or_wait();
    display.clear();
    output::concluded(outcome, settings)
}

/// Does the work of a command under the guard and hands back its answer; `None` if a limit ended it, which is then said.
pub(crate) fn answered<T>(
    settings: &Settings,
    work: impl FnOnce(&Display) -> Result<T, Halt>,
) -> Result<Option<T>, Failure> {
    let display = Arc::new(Display::new(settings));
    let floor = watch_command(settings, &display);
    let outcome = work(&display);
    floor.take_or_wait();
    display.clear();
    match outcome {
        Ok(answer) => Ok(Some(answer)),
        Err(Halt::Failure(failure)) => Err(failure),
        Err(Halt::Limit(limit)) => {
            output::stopped(limit, settings);
            Ok(None)
        }
    }
}

struct Guard {
    budget: Budget,
    floor: Floor,
    overdue_since: Option<Overdue>,
}

/// The moment when a limit was first seen to be overdue.
#[derive(Clone, Copy)]
struct Overdue {
    at: Instant,
    cpu: Option<Duration>,
}

impl Overdue {
    fn now() -> Overdue {
        Overdue { at: Instant::now(), cpu: clock::process_time() }
    }

    /// Whether the engines have had enough time to notice.
    fn is_past(self) -> bool {
        let waited = self.at.elapsed();
        let worked = self.cpu.zip(clock::process_time()).map(|(before, now)| now.saturating_sub(before));
        match worked {
            Some(worked) if worked < GRACE && another_thread_runs() => waited > LONGEST_GRACE,
            _ => waited > GRACE,
        }
    }
}

/// Whether a thread besides the calling one runs or waits for a core, as Linux tells it; `false` where the system does not tell.
fn another_thread_runs() -> bool {
    let Ok(threads) = fs::read_dir("/proc/self/task") else { return false };
    // The calling thread runs, of course.
    threads.flatten().filter(|thread| is_runnable(&thread.path().join("stat"))).count() > 1
}

/// Whether the state in a `stat` file is `R`. It follows the name of the program, which stands in parentheses.
fn is_runnable(stat: &Path) -> bool {
    let text = fs::read_to_string(stat).unwrap_or_default();
    text.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('R'))
}

impl Guard {
    /// Waits until a limit is overdue and the floor is ours; for ever if neither happens.
    fn wait(mut self, each_time: &dyn Fn()) -> Limit {
        loop {
            thread::sleep(INTERVAL);
            if self.floor.is_taken() {
                thread::park();
                continue;
            }
            each_time();
            if let Some(limit) = self.overdue()
                && self.floor.take()
            {
                return limit;
            }
        }
    }

    fn overdue(&mut self) -> Option<Limit> {
        if let (Some(allowed), Some(held)) = (self.budget.bytes(), memory::resident())
            && held > allowed.saturating_add(GRACE_BYTES)
        {
            return Some(Limit::Bytes(allowed));
        }
        match self.budget.check() {
            // Memory is judged above, with its own allowance.
            Ok(()) | Err(Limit::Bytes(_)) => None,
            Err(limit) => {
                let since = *self.overdue_since.get_or_insert_with(Overdue::now);
                since.is_past().then_some(limit)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_speaks() {
        let floor = Floor::default();
        assert!(floor.clone().take());
        assert!(!floor.take());
    }

    #[test]
    fn the_guard_waits_for_a_moment_and_then_speaks() {
        let budget = Budget::unlimited().with_time(Duration::ZERO);
        let mut guard = Guard { budget, floor: Floor::default(), overdue_since: None };
        assert_eq!(guard.overdue(), None);
        let started = Instant::now();
        assert!(matches!(guard.wait(&|| ()), Limit::Time(_)));
        assert!(started.elapsed() >= GRACE);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_that_works_is_seen() {
        let stop = Arc::new(AtomicBool::new(false));
        let worker = {
            let stop = stop.clone();
            thread::spawn(move || while !stop.load(Ordering::Relaxed) {})
        };
        let seen = (0..200).any(|_| {
            thread::sleep(Duration::from_millis(1));
            another_thread_runs()
        });
        stop.store(true, Ordering::Relaxed);
        worker.join().expect("the worker ends");
        assert!(seen);
    }
}
