//! A sink that looks at the budget, so that long texts can be stopped while they are written.

use std::fmt;
use std::io::{self, Write};

use counterplay_base::{Budget, BudgetPoll, Limit};

/// Writes between two looks at the budget.
const WRITES: u32 = 4096;

/// Passes everything on until a limit is reached. What fails then is a write, with the [`Reached`] limit inside.
pub(crate) struct Watched<'a> {
    inner: &'a mut dyn Write,
    budget: &'a Budget,
    poll: BudgetPoll,
}

/// The limit behind a failed write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached(pub(crate) Limit);

impl fmt::Display for Reached {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl std::error::Error for Reached {}

impl<'a> Watched<'a> {
    pub(crate) fn new(inner: &'a mut dyn Write, budget: &'a Budget) -> Watched<'a> {
        Watched { inner, budget, poll: BudgetPoll::every(WRITES) }
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.poll.step(self.budget).map_err(|limit| io::Error::other(Reached(limit)))?;
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
