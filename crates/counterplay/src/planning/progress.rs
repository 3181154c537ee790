//! Progress in the problem's own units.

use counterplay_base::{Progress, Report};

use crate::amount::Amount;

/// Passes reports on, with costs and bounds in the units of the problem instead of the engine's.
pub(super) struct InUnits<'a, V> {
    inner: &'a dyn Progress,
    /// What the best value so far is called: a cost or a metric.
    name: &'static str,
    value: V,
}

impl<'a, V: Fn(u64) -> Option<Amount> + Sync> InUnits<'a, V> {
    /// `value` is the amount that a number of the engine's units stands for.
    pub(super) fn new(inner: &'a dyn Progress, name: &'static str, value: V) -> InUnits<'a, V> {
        InUnits { inner, name, value }
    }

    fn amount(&self, units: u64) -> Option<f64> {
        (self.value)(units).map(Amount::to_f64)
    }
}

impl<V: Fn(u64) -> Option<Amount> + Sync> Progress for InUnits<'_, V> {
    fn report(&self, report: Report<'_>) {
        let best = report.counts.iter().find(|(name, _)| *name == "best");
        match best.and_then(|&(_, units)| self.amount(units as u64)) {
            Some(amount) if report.phase == "better plan" => {
                self.inner.report(Report { phase: report.phase, counts: &[(self.name, amount)] });
            }
            _ => self.inner.report(report),
        }
    }

    fn begin(&self, phase: &'static str) {
        self.inner.begin(phase);
    }

    fn bounds(&self, lower: u64, upper: Option<u64>) {
        self.inner.known_bounds(self.amount(lower), upper.and_then(|upper| self.amount(upper)));
    }

    fn is_watched(&self) -> bool {
        self.inner.is_watched()
    }
}
