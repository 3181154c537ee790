//! How the portfolio shares its work.

/// How long the slices are, in units of explicit work but for the race.
pub(super) struct Pace {
    /// The very first slice of the search with LM-cut, for small tasks.
    pub(super) taste: u64,
    /// The first search for a plan, so that a run that is stopped has one.
    pub(super) plan: u64,
    /// The same where any plan will do, or a plan comes first.
    pub(super) any: u64,
    /// The first long slice of the search with LM-cut.
    pub(super) first: u64,
    /// The first slice of the search without a heuristic.
    pub(super) blind: u64,
    /// How long orders race, in units of symbolic work for each.
    pub(super) race: u64,
}

pub(super) const PACE: Pace = Pace {
    taste: 1_000_000,
    plan: 20_000_000,
    any: 2_000_000_000,
    first: 9_000_000,
    blind: 10_000_000,
    race: 400_000,
};

/// Each round is this many times as long as the one before.
pub(super) const GROWTH: u64 = 2;
/// A search that lags behind gets only this part of its slice.
pub(super) const LAGGARD: u64 = 4;
/// So many units of explicit work take about as long as one of symbolic work.
pub(super) const EXPLICIT_PER_SYMBOLIC: u64 = 40;
/// Abstraction heuristics are built when a slice of symbolic work has grown to this.
pub(super) const ABSTRACTIONS_AFTER: u64 = 1_600_000;
