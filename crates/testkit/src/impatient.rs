//! Searches that are stopped early.

use std::sync::atomic::{AtomicU64, Ordering};

use counterplay_base::{Budget, Progress, Report};

/// Cancels a search after a number of reports.
#[derive(Debug)]
pub struct Impatient {
    /// The budget of the search.
    pub budget: Budget,
    left: AtomicU64,
}

impl Impatient {
    /// A budget that ends after `reports` reports to this.
    pub fn after(reports: u64) -> Impatient {
        Impatient { budget: Budget::unlimited(), left: AtomicU64::new(reports) }
    }
}

impl Progress for Impatient {
    fn report(&self, _: Report<'_>) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.budget.cancel();
        }
    }
}
