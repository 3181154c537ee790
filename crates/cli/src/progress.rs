//! How far the engines are, drawn on a terminal.
//!
//! Engines report often; only a few reports in a second are drawn, and none before the run has lasted a moment, so
//! that short runs pay nothing and do not flicker.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use counterplay_base::{Progress, Report};
use indicatif::{ProgressBar, ProgressStyle};

use crate::output::remark;
use crate::settings::{Settings, Verbosity};
use counterplay::grouped;

/// Nothing is drawn before this.
const PATIENCE: Duration = Duration::from_millis(300);
/// Reports that come sooner after the last drawn one are dropped.
const INTERVAL: Duration = Duration::from_millis(80);
/// A log has a line so often at most, besides the first of each phase.
const LOG_INTERVAL: Duration = Duration::from_secs(1);

/// Draws reports on stderr if that is a terminal, and logs the phases if the user wants to know.
pub(crate) struct Display {
    started: Instant,
    drawn: bool,
    logged: bool,
    /// When a report was last drawn, in milliseconds since the start.
    last: AtomicU64,
    bar: OnceLock<ProgressBar>,
    /// What an engine is about to do, for the time until it reports by itself.
    coming: Mutex<&'static str>,
    seen: Mutex<Seen>,
    /// The best bounds that were told, in the problem's own units.
    bounds: Mutex<Option<Bounds>>,
}

/// A lower and an upper bound on the answer, as far as they are proved.
type Bounds = (Option<f64>, Option<f64>);

/// What has been logged.
#[derive(Default)]
struct Seen {
    /// Phases that were logged once; searches go back and forth between a few.
    phases: Vec<String>,
    /// When something was logged last, as time since the start.
    last: Duration,
}

impl Display {
    /// A display for one run.
    pub(crate) fn new(settings: &Settings) -> Display {
        Display {
            started: settings.started,
            drawn: settings.progress,
            logged: settings.verbosity == Verbosity::Verbose,
            last: AtomicU64::new(PATIENCE.as_millis() as u64),
            bar: OnceLock::new(),
            coming: Mutex::new("reading"),
            seen: Mutex::default(),
            bounds: Mutex::default(),
        }
    }

    /// Wipes the bar away; to be called before anything else is printed.
    pub(crate) fn clear(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }

    /// The bounds that have been proved so far, if any were told.
    pub(crate) fn bounds_so_far(&self) -> Option<Bounds> {
        self.bounds.lock().ok().and_then(|bounds| *bounds)
    }

    /// Tells what comes next.
    pub(crate) fn announce(&self, phase: &'static str) {
        if let Ok(mut coming) = self.coming.lock() {
            *coming = phase;
        }
        if let Some(bar) = self.bar.get() {
            bar.set_message(phase);
        }
        if self.logged && !self.drawn {
            self.log(Report { phase, counts: &[] });
        }
    }

    /// Begins to draw once the run has lasted a moment, even if no engine reports; called now and then.
    pub(crate) fn look(&self) {
        if self.drawn && self.bar.get().is_none() && self.started.elapsed() >= PATIENCE {
            let coming = self.coming.lock().map(|coming| *coming).unwrap_or_default();
            self.bar().set_message(coming);
        }
    }

    fn bar(&self) -> &ProgressBar {
        self.bar.get_or_init(|| {
            let style =
                ProgressStyle::with_template("{spinner} {msg} {elapsed}").expect("the template is valid");
            let bar = ProgressBar::new_spinner().with_style(style).with_elapsed(self.started.elapsed());
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        })
    }

    fn draw(&self, report: Report<'_>) {
        let now = self.started.elapsed().as_millis() as u64;
        let last = self.last.load(Ordering::Relaxed);
        if now < last.saturating_add(INTERVAL.as_millis() as u64) {
            return;
        }
        self.last.store(now, Ordering::Relaxed);
        self.bar().set_message(line(report));
    }

    /// Logs a phase when it is first heard of, and then a line now and then.
    fn log(&self, report: Report<'_>) {
        let Ok(mut seen) = self.seen.lock() else { return };
        let now = self.started.elapsed();
        let is_new = !seen.phases.iter().any(|phase| phase == report.phase);
        if is_new {
            seen.phases.push(report.phase.to_owned());
        }
        if is_new || now.saturating_sub(seen.last) >= LOG_INTERVAL {
            seen.last = now;
            remark(&format!("[t={:.3}s] {}", now.as_secs_f64(), line(report)));
        }
    }
}

impl Progress for Display {
    fn report(&self, report: Report<'_>) {
        if self.logged && report.phase == "better plan" {
            self.clear();
            let values: Vec<String> =
                report.counts.iter().map(|(name, value)| format!("{name} {value}")).collect();
            remark(&format!("better plan: {}", values.join(", ")));
        } else if self.drawn {
            self.draw(report);
        } else if self.logged {
            self.log(report);
        }
    }

    fn begin(&self, phase: &'static str) {
        self.announce(phase);
    }

    fn known_bounds(&self, lower: Option<f64>, upper: Option<f64>) {
        if let Ok(mut bounds) = self.bounds.lock() {
            // Searches that take turns tell what each of them knows: the best of both holds.
            let (known_lower, known_upper) = bounds.unwrap_or_default();
            let best = |a: Option<f64>, b: Option<f64>, of: fn(f64, f64) -> f64| match (a, b) {
                (Some(a), Some(b)) => Some(of(a, b)),
                (a, b) => a.or(b),
            };
            *bounds = Some((best(known_lower, lower, f64::max), best(known_upper, upper, f64::min)));
        }
    }

    fn is_watched(&self) -> bool {
        self.drawn || self.logged
    }
}

/// `forward: layer 12, states 1,024, nodes 300`.
fn line(report: Report<'_>) -> String {
    let mut text = report.phase.to_owned();
    for (i, (name, count)) in report.counts.iter().enumerate() {
        text.push_str(if i == 0 { ": " } else { ", " });
        text.push_str(name);
        text.push(' ');
        // Numbers of states soon leave the range of integers.
        if *count < 1e15 && *count >= 0.0 {
            text.push_str(&grouped(*count));
        } else {
            text.push_str(&format!("{count:.3e}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_reads_as_a_line() {
        let counts = [("layer", 12.0), ("states", 2.5e20), ("nodes", 34_000.0)];
        assert_eq!(
            line(Report { phase: "forward", counts: &counts }),
            "forward: layer 12, states 2.500e20, nodes 34,000"
        );
        assert_eq!(line(Report { phase: "grounding", counts: &[] }), "grounding");
    }
}
