//! How engines tell how far they are.

/// One report of an engine: the phase it is in and its counts, in the engine's own words.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// What the engine is doing: `"grounding"`, `"forward"`, …
    pub phase: &'a str,
    /// Named figures of the moment, such as `("layer", 12.0)`.
    pub counts: &'a [(&'a str, f64)],
}

/// Receives reports. The rim draws a bar, sends events to a page, or stays silent.
pub trait Progress: Sync {
    /// Takes one report; called often, so it should be quick.
    fn report(&self, report: Report<'_>);

    /// A new phase of the work begins.
    fn begin(&self, phase: &'static str) {
        self.report(Report { phase, counts: &[] });
    }

    /// Takes the same bounds in the units of the problem, where the caller of the engine knows them.
    fn known_bounds(&self, _lower: Option<f64>, _upper: Option<f64>) {}

    /// Takes bounds on the answer that are proved by now, in the engine's own units. An engine tells them as soon as it knows them,
    /// so that they can be reported even if it is ended from outside. Bounds that were told once hold for good.
    fn bounds(&self, _lower: u64, _upper: Option<u64>) {}

    /// Whether anybody looks: figures that cost something to find out need not be found out otherwise.
    fn is_watched(&self) -> bool {
        true
    }
}

/// Ignores every report.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn report(&self, _: Report<'_>) {}

    fn is_watched(&self) -> bool {
        false
    }
}
