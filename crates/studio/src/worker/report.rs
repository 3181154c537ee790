//! Progress as events.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use counterplay::{Progress, Report};
use serde_json::{Map, Value, json};

use super::Output;

/// Reports of the same kind come no faster than this.
const INTERVAL: Duration = Duration::from_millis(100);

/// Tells how far an engine is: phases with their counts, bounds, and better plans.
#[derive(Debug)]
pub struct Reporter<'a> {
    output: &'a Output,
    started: Instant,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    told: Option<Instant>,
    phase: String,
    bounds: (Option<f64>, Option<f64>),
    /// Bounds that were not told yet.
    pending: Option<Value>,
    bounds_told: Option<Instant>,
}

impl<'a> Reporter<'a> {
    /// Reports to an output; times count from now.
    pub fn new(output: &'a Output) -> Reporter<'a> {
        Reporter { output, started: Instant::now(), state: Mutex::default() }
    }

    fn seconds(&self) -> f64 {
        (self.started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0
    }

    /// Tells what was held back.
    pub fn flush(&self) {
        let pending = self.state.lock().unwrap_or_else(PoisonError::into_inner).pending.take();
        if let Some(event) = pending {
            self.output.put(&event);
        }
    }
}

fn is_due(last: Option<Instant>) -> bool {
    last.is_none_or(|last| last.elapsed() >= INTERVAL)
}

impl Progress for Reporter<'_> {
    fn report(&self, report: Report<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_better = report.phase == "better plan";
        if !is_better && state.phase == report.phase && !is_due(state.told) {
            return;
        }
        state.told = Some(Instant::now());
        report.phase.clone_into(&mut state.phase);
        let counts: Map<String, Value> =
            report.counts.iter().map(|&(name, count)| (name.to_owned(), json!(count))).collect();
        let kind = if is_better { "better" } else { "phase" };
        let what = if is_better { json!(counts) } else { json!(report.phase) };
        self.output.put(&json!({kind: what, "counts": counts, "seconds": self.seconds()}));
    }

    fn known_bounds(&self, lower: Option<f64>, upper: Option<f64>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Searches that take turns tell what each of them knows: the best of both holds.
        let best = |a: Option<f64>, b: Option<f64>, of: fn(f64, f64) -> f64| match (a, b) {
            (Some(a), Some(b)) => Some(of(a, b)),
            (a, b) => a.or(b),
        };
        let bounds = (best(state.bounds.0, lower, f64::max), best(state.bounds.1, upper, f64::min));
        if bounds == state.bounds {
            return;
        }
        state.bounds = bounds;
        let event = json!({"bounds": {"lower": bounds.0, "upper": bounds.1}, "seconds": self.seconds()});
        if is_due(state.bounds_told) {
            state.bounds_told = Some(Instant::now());
            state.pending = None;
            self.output.put(&event);
        } else {
            state.pending = Some(event);
        }
    }
}
