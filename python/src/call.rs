//! Work on a thread of its own, while the calling thread looks for signals and passes reports on.
//!
//! The interpreter is free while the work runs: other Python threads go on. The calling thread wakes up now and then to see whether
//! Ctrl-C was pressed; then the budget is cancelled, the engine notices at its next look, and what it has found by then is
//! attached to the exception. A panic of the work becomes an exception too.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use counterplay::{Budget, Progress, Report};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;

use crate::Answered;
use crate::failure::Failure;

/// How often the calling thread looks for signals.
pub(crate) const LOOK: Duration = Duration::from_millis(20);
/// Reports of one phase are passed on at most this often.
const REPORT: Duration = Duration::from_millis(50);
/// Engines that recurse have as much room as on the main thread of a program, and some more.
pub(crate) const STACK: usize = 64 << 20;

/// Stops calls from another thread: every call that it was given to.
#[pyclass(frozen)]
pub(crate) struct Cancel {
    handle: CancelHandle,
}

/// What a [`Cancel`] and its calls share.
#[derive(Clone, Default)]
pub(crate) struct CancelHandle(Arc<Mutex<CancelState>>);

#[derive(Default)]
struct CancelState {
    cancelled: bool,
    /// The budgets of the calls that run, each with the number of its call.
    budgets: Vec<(u64, Budget)>,
    calls: u64,
}

#[pymethods]
impl Cancel {
    #[new]
    fn new() -> Cancel {
        Cancel { handle: CancelHandle::default() }
    }

    /// Stops the calls that run, and those that are begun later.
    fn cancel(&self) {
        let mut state = self.handle.lock();
        state.cancelled = true;
        state.budgets.drain(..).for_each(|(_, budget)| budget.cancel());
    }

    /// Whether it was used.
    #[getter]
    fn cancelled(&self) -> bool {
        self.handle.lock().cancelled
    }
}

impl Cancel {
    pub(crate) fn handle(&self) -> CancelHandle {
        self.handle.clone()
    }
}

impl CancelHandle {
    fn lock(&self) -> MutexGuard<'_, CancelState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a call and returns its number.
    fn attach(&self, budget: &Budget) -> u64 {
        let mut state = self.lock();
        state.calls += 1;
        let call = state.calls;
        match state.cancelled {
            true => budget.cancel(),
            false => state.budgets.push((call, budget.clone())),
        }
        call
    }

    /// Forgets a call that is over.
    fn detach(&self, call: u64) {
        self.lock().budgets.retain(|(number, _)| *number != call);
    }
}

/// Who looks at a call while it runs.
#[derive(Default)]
pub(crate) struct Watch {
    pub(crate) progress: Option<Py<PyAny>>,
    /// Gets what is found on the way, while the work goes on: a word for what it is, and JSON.
    pub(crate) found: Option<Py<PyAny>>,
    pub(crate) cancel: Option<CancelHandle>,
}

/// What the work tells the calling thread.
enum News {
    Report { phase: String, counts: Vec<(String, f64)>, bounds: [Option<f64>; 2] },
    Found { what: &'static str, text: String },
    Done(Result<Answered, Failure>),
}

/// Sends reports to the calling thread, but not too many.
pub(crate) struct Reporter {
    to: Sender<News>,
    last: Mutex<(String, Option<Instant>, [Option<f64>; 2])>,
    watched: bool,
    wants_found: bool,
}

impl Reporter {
    /// Passes on what was found while the work goes on: `what` is a word for it.
    pub(crate) fn found(&self, what: &'static str, found: &impl Serialize) {
        if self.wants_found
            && let Ok(text) = serde_json::to_string(found)
        {
            // Nobody listens any more if the call was given up.
            let _ = self.to.send(News::Found { what, text });
        }
    }
}

impl Progress for Reporter {
    fn report(&self, report: Report<'_>) {
        if !self.watched {
            return;
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = last.0 != report.phase || last.1.is_none_or(|at| at.elapsed() >= REPORT);
        if !is_new && report.phase != "better plan" {
            return;
        }
        last.0 = report.phase.to_owned();
        last.1 = Some(Instant::now());
        let counts = report.counts.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
        // Nobody listens any more if the call was given up.
        let _ = self.to.send(News::Report { phase: report.phase.to_owned(), counts, bounds: last.2 });
    }

    fn known_bounds(&self, lower: Option<f64>, upper: Option<f64>) {
        if !self.watched {
            return;
        }
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.2 = [lower, upper];
        let phase = last.0.clone();
        let _ = self.to.send(News::Report { phase, counts: Vec::new(), bounds: last.2 });
    }

    fn is_watched(&self) -> bool {
        self.watched
    }
}

/// Does some work on a thread of its own and waits for it.
pub(crate) fn wait(
    py: Python<'_>,
    budget: Budget,
    watch: Watch,
    work: impl FnOnce(&Reporter, &Budget) -> Result<Answered, Failure> + Send + 'static,
) -> PyResult<Answered> {
    let (to, from) = channel();
    let (watched, wants_found) = (watch.progress.is_some(), watch.found.is_some());
    let call = watch.cancel.as_ref().map(|cancel| cancel.attach(&budget));
    let own = budget.clone();
    let run = move || {
        let reporter = Reporter { to: to.clone(), last: Mutex::default(), watched, wants_found };
        let done = caught(|| work(&reporter, &own));
        let _ = to.send(News::Done(done));
    };
    let spawned = thread::Builder::new().name("counterplay".to_owned()).stack_size(STACK).spawn(run);
    spawned.map_err(|error| {
        Failure::Internal { message: format!("no thread can be started: {error}") }.raise()
    })?;
    let answered = listen(py, from, &budget, &watch);
    if let Some((cancel, call)) = watch.cancel.as_ref().zip(call) {
        cancel.detach(call);
    }
    answered
}

/// A panic as a failure.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(Failure::Internal { message: words(&*panic) }))
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without words".to_owned())
}

/// Waits for the end, passes reports on, and looks for signals.
fn listen(py: Python<'_>, mut from: Receiver<News>, budget: &Budget, watch: &Watch) -> PyResult<Answered> {
    let mut interrupted: Option<PyErr> = None;
    loop {
        let (receiver, news) = py.detach(move || {
            let news = from.recv_timeout(LOOK);
            (from, news)
        });
        from = receiver;
        let raised = match news {
            Ok(News::Done(done)) => return end(py, done, interrupted),
            Ok(News::Report { phase, counts, bounds }) if interrupted.is_none() => {
                tell(py, watch, &phase, &counts, bounds).and_then(|()| py.check_signals())
            }
            Ok(News::Found { what, text }) if interrupted.is_none() => {
                let told = watch.found.as_ref().map(|callback| callback.call1(py, (what, text)));
                told.transpose().and_then(|_| py.check_signals())
            }
            Ok(News::Report { .. } | News::Found { .. }) => Ok(()),
            Err(RecvTimeoutError::Timeout) => py.check_signals(),
            Err(RecvTimeoutError::Disconnected) => {
                let message = "the thread of the call is gone".to_owned();
                return Err(interrupted.unwrap_or_else(|| Failure::Internal { message }.raise()));
            }
        };
        if let Err(raised) = raised {
            budget.cancel();
            // Interrupted twice: the engine is left alone, it stops when it next looks.
            if interrupted.is_some() {
                return Err(raised);
            }
            interrupted = Some(raised);
        }
    }
}

/// The answer, or the exception that ended the call, with what was found by then as its attribute `partial`.
fn end(py: Python<'_>, done: Result<Answered, Failure>, interrupted: Option<PyErr>) -> PyResult<Answered> {
    match (interrupted, done) {
        (None, done) => done.map_err(|failure| failure.raise()),
        (Some(raised), Ok(partial)) => {
            // An exception that takes no attributes is still the exception.
            let _ = raised.value(py).setattr("partial", partial);
            Err(raised)
        }
        (Some(raised), Err(_)) => Err(raised),
    }
}

fn tell(
    py: Python<'_>,
    watch: &Watch,
    phase: &str,
    counts: &[(String, f64)],
    bounds: [Option<f64>; 2],
) -> PyResult<()> {
    let Some(callback) = &watch.progress else { return Ok(()) };
    let figures = PyDict::new(py);
    for (name, count) in counts {
        figures.set_item(name, count)?;
    }
    callback.call1(py, (phase, figures, bounds[0], bounds[1])).map(drop)
}
