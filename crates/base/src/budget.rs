//! Time, memory and cancellation, looked at by every long loop.
//!
//! A budget is cheap to clone and to share between threads. Reaching it is a normal answer, never an error:
//! loops call [`Budget::check`] (or [`BudgetPoll::beat`] where even reading a clock is too dear) and pass the
//! [`Limit`] up with `?`.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The limit that ended a search before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The wall clock ran out after this long.
    Time(Duration),
    /// The process used this much CPU time, of all its threads together.
    Cpu(Duration),
    /// This many nodes (search nodes or diagram nodes, whatever the engine counts) were allowed.
    Nodes(u64),
    /// This many bytes of memory were allowed.
    Bytes(usize),
    /// The caller asked it to stop.
    Cancelled,
}

impl Limit {
    /// The name for tools: `time`, `cpu`, `nodes`, `memory` or `interrupt`.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Time(_) => "time",
            Limit::Cpu(_) => "cpu",
            Limit::Nodes(_) => "nodes",
            Limit::Bytes(_) => "memory",
            Limit::Cancelled => "interrupt",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Time(allowed) => write!(f, "time limit of {:.3} s reached", allowed.as_secs_f64()),
            Limit::Cpu(allowed) => write!(f, "CPU time limit of {:.3} s reached", allowed.as_secs_f64()),
            Limit::Nodes(allowed) => write!(f, "limit of {allowed} nodes reached"),
            Limit::Bytes(allowed) => write!(f, "memory limit of {} MiB reached", allowed >> 20),
            Limit::Cancelled => write!(f, "stopped on request"),
        }
    }
}

/// How long and how large a computation may get.
#[derive(Clone, Debug)]
pub struct Budget {
    started: Instant,
    deadline: Option<Instant>,
    bytes: Option<usize>,
    nodes: Option<u64>,
    gauge: Option<fn() -> Option<usize>>,
    cpu: Option<CpuLimit>,
    shared: Arc<Shared>,
}

/// A limit on the CPU time of the process, with the clock that tells it.
#[derive(Clone, Copy, Debug)]
struct CpuLimit {
    allowed: Duration,
    clock: fn() -> Option<Duration>,
}

/// What clones of one budget have in common.
#[derive(Debug)]
struct Shared {
    epoch: Instant,
    cancelled: AtomicBool,
    /// When the memory gauge and the CPU clock were last read, in microseconds since `epoch`: reading them costs a system
    /// call each.
    gauged_at: AtomicU64,
}

/// The memory gauge and the CPU clock are read at most this often.
const GAUGE_INTERVAL: Duration = Duration::from_millis(5);

impl Budget {
    /// No limit at all, but it can be cancelled.
    pub fn unlimited() -> Budget {
        let now = Instant::now();
        Budget {
            started: now,
            deadline: None,
            bytes: None,
            nodes: None,
            gauge: None,
            cpu: None,
            shared: Arc::new(Shared {
                epoch: now,
                cancelled: AtomicBool::new(false),
                gauged_at: AtomicU64::new(0),
            }),
        }
    }

    /// Ends after `allowed` of wall time from now.
    pub fn with_time(mut self, allowed: Duration) -> Budget {
        self.started = Instant::now();
        self.deadline = self.started.checked_add(allowed);
        self
    }

    /// Ends when the process holds more than `allowed` bytes. `gauge` tells how many it holds; the rim
    /// supplies it, since only the rim may ask the operating system.
    pub fn with_memory(mut self, allowed: usize, gauge: fn() -> Option<usize>) -> Budget {
        self.bytes = Some(allowed);
        self.gauge = Some(gauge);
        self
    }

    /// Ends when the process has used `allowed` of CPU time since it began, all threads together. `clock` tells how much it has
    /// used; the caller supplies it, as with the memory gauge.
    pub fn with_cpu(mut self, allowed: Duration, clock: fn() -> Option<Duration>) -> Budget {
        self.cpu = Some(CpuLimit { allowed, clock });
        self
    }

    /// Allows so many nodes, in the engine's own count.
    pub fn with_nodes(mut self, allowed: u64) -> Budget {
        self.nodes = Some(allowed);
        self
    }

    /// The same budget, but ending after `allowed` from now at the latest: a slice for one part of the work.
    /// Cancelling either cancels both.
    pub fn slice(&self, allowed: Duration) -> Budget {
        let now = Instant::now();
        let own = now.checked_add(allowed);
        let deadline = match (self.deadline, own) {
            (Some(outer), Some(own)) => Some(outer.min(own)),
            (outer, own) => outer.or(own),
        };
        Budget { started: now, deadline, ..self.clone() }
    }

    /// Asks every holder of this budget to stop.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// A handle that only cancels, for a signal handler or a stop button.
    pub fn canceller(&self) -> impl Fn() + Send + Sync + 'static {
        let shared = Arc::clone(&self.shared);
        move || shared.cancelled.store(true, Ordering::Relaxed)
    }

    /// The limit that has been reached, if one has.
    pub fn check(&self) -> Result<(), Limit> {
        if self.shared.cancelled.load(Ordering::Relaxed) {
            return Err(Limit::Cancelled);
        }
        let now = Instant::now();
        if let Some(deadline) = self.deadline
            && now >= deadline
        {
            return Err(Limit::Time(deadline.duration_since(self.started)));
        }
        if self.gauge.is_none() && self.cpu.is_none() {
            return Ok(());
        }
        let micros = now.duration_since(self.shared.epoch).as_micros() as u64;
        let last = self.shared.gauged_at.load(Ordering::Relaxed);
        if micros.saturating_sub(last) < GAUGE_INTERVAL.as_micros() as u64 {
            return Ok(());
        }
        self.shared.gauged_at.store(micros, Ordering::Relaxed);
        self.check_gauges()
    }

    /// The limit that the memory gauge or the CPU clock tells of.
    fn check_gauges(&self) -> Result<(), Limit> {
        if let (Some(bytes), Some(gauge)) = (self.bytes, self.gauge)
            && gauge().is_some_and(|held| held > bytes)
        {
            return Err(Limit::Bytes(bytes));
        }
        if let Some(CpuLimit { allowed, clock }) = self.cpu
            && clock().is_some_and(|used| used >= allowed)
        {
            return Err(Limit::Cpu(allowed));
        }
        Ok(())
    }

    /// Whether `more` bytes may still be taken: to be asked before a table is doubled, not after.
    pub fn allow_bytes(&self, more: usize) -> Result<(), Limit> {
        match (self.bytes, self.gauge.and_then(|gauge| gauge())) {
            (Some(allowed), Some(held)) if held.saturating_add(more) > allowed => Err(Limit::Bytes(allowed)),
            (Some(allowed), None) if more > allowed => Err(Limit::Bytes(allowed)),
            _ => Ok(()),
        }
    }

    /// Whether a count of nodes is still within the limit.
    pub fn allow_nodes(&self, count: u64) -> Result<(), Limit> {
        match self.nodes {
            Some(allowed) if count > allowed => Err(Limit::Nodes(allowed)),
            _ => Ok(()),
        }
    }

    /// Time until the deadline, or CPU time that is left if that is less; `None` without either limit.
    pub fn remaining(&self) -> Option<Duration> {
        let wall = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let cpu = self.cpu.and_then(|cpu| Some(cpu.allowed.saturating_sub((cpu.clock)()?)));
        match (wall, cpu) {
            (Some(wall), Some(cpu)) => Some(wall.min(cpu)),
            (wall, cpu) => wall.or(cpu),
        }
    }

    /// The number of bytes allowed; `None` without a limit.
    pub fn bytes(&self) -> Option<usize> {
        self.bytes
    }

    /// Time since this budget (or slice) began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget::unlimited()
    }
}

/// Checks a budget once in so many steps of an inner loop.
#[derive(Debug)]
pub struct BudgetPoll {
    left: u32,
    every: u32,
}

impl BudgetPoll {
    /// Checks the budget once in `every` steps.
    pub fn every(every: u32) -> BudgetPoll {
        BudgetPoll { left: every, every }
    }

    /// Counts one step of the loop; now and then checks the budget.
    #[inline]
    pub fn step(&mut self, budget: &Budget) -> Result<(), Limit> {
        self.left -= 1;
        if self.left > 0 {
            return Ok(());
        }
        self.left = self.every;
        budget.check()
    }

    /// The same for a loop whose tables grow: `growth` tells the bytes that they will take before the next look.
    #[inline]
    pub fn step_growing(&mut self, budget: &Budget, growth: impl FnOnce() -> usize) -> Result<(), Limit> {
        self.left -= 1;
        if self.left > 0 {
            return Ok(());
        }
        self.left = self.every;
        budget.check()?;
        match growth() {
            0 => Ok(()),
            more => budget.allow_bytes(more),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_never_outlives_its_whole() {
        let whole = Budget::unlimited().with_time(Duration::from_millis(1));
        let slice = whole.slice(Duration::from_secs(100));
        std::thread::sleep(Duration::from_millis(3));
        assert!(matches!(slice.check(), Err(Limit::Time(_))));
    }

    #[test]
    fn cancelling_a_clone_cancels_all() {
        let budget = Budget::unlimited();
        let slice = budget.slice(Duration::from_secs(100));
        assert_eq!(slice.check(), Ok(()));
        budget.canceller()();
        assert_eq!(slice.check(), Err(Limit::Cancelled));
    }

    #[test]
    fn memory_is_judged_by_the_gauge() {
        let budget = Budget::unlimited().with_memory(1000, || Some(900));
        std::thread::sleep(GAUGE_INTERVAL * 2);
        assert_eq!(budget.check(), Ok(()));
        assert_eq!(budget.allow_bytes(100), Ok(()));
        assert_eq!(budget.allow_bytes(101), Err(Limit::Bytes(1000)));
        let full = Budget::unlimited().with_memory(1000, || Some(1001));
        std::thread::sleep(GAUGE_INTERVAL * 2);
        assert_eq!(full.check(), Err(Limit::Bytes(1000)));
    }

    #[test]
    fn cpu_time_is_judged_by_the_clock() {
        let allowed = Duration::from_secs(2);
        let within = Budget::unlimited().with_cpu(allowed, || Some(Duration::from_secs(1)));
        let beyond = Budget::unlimited().with_cpu(allowed, || Some(Duration::from_secs(2)));
        std::thread::sleep(GAUGE_INTERVAL * 2);
        assert_eq!(within.check(), Ok(()));
        assert_eq!(beyond.check(), Err(Limit::Cpu(allowed)));
        assert_eq!(within.remaining(), Some(Duration::from_secs(1)));
        let shorter = within.clone().with_time(Duration::from_millis(10));
        assert!(shorter.remaining().is_some_and(|left| left <= Duration::from_millis(10)));
    }

    #[test]
    fn a_pulse_looks_only_now_and_then() {
        let budget = Budget::unlimited();
        budget.cancel();
        let mut poll = BudgetPoll::every(3);
        assert_eq!(poll.step(&budget), Ok(()));
        assert_eq!(poll.step(&budget), Ok(()));
        assert_eq!(poll.step(&budget), Err(Limit::Cancelled));
    }
}
