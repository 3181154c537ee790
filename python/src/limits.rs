//! Limits of a call.

use std::time::Duration;

use counterplay::Budget;
use counterplay_base::limits as base;
use counterplay_system::{clock, memory};
use pyo3::prelude::*;

use crate::failure::Failure;

/// The limits of a call; what is left out has none, but for memory: three quarters of what is free.
#[derive(Clone, Debug, Default, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Limits {
    /// Wall time.
    time: Option<Time>,
    /// CPU time of the process, from now on.
    cpu: Option<Time>,
    /// Bytes that the process may hold.
    memory: Option<Size>,
    /// Nodes in the engine's own count.
    nodes: Option<u64>,
}

/// Seconds, or a text such as `30s`.
#[derive(Clone, Debug, FromPyObject)]
enum Time {
    Seconds(f64),
    Text(String),
}

impl Time {
    fn read(&self) -> PyResult<Duration> {
        let read = match self {
            // More than a duration can hold is as good as no limit.
            Time::Seconds(seconds) => Duration::try_from_secs_f64(seconds.clamp(f64::NEG_INFINITY, 1e15))
                .map_err(|_| format!("`{seconds}` is no time in seconds")),
            Time::Text(text) => base::duration(text).map_err(|error| error.to_string()),
        };
        read.map_err(|message| Failure::request(message).raise())
    }
}

/// Bytes, or a text such as `4GiB`.
#[derive(Clone, Debug, FromPyObject)]
enum Size {
    Bytes(usize),
    Text(String),
}

impl Size {
    fn read(&self) -> PyResult<usize> {
        match self {
            Size::Bytes(bytes) => Ok(*bytes),
            Size::Text(text) => base::bytes(text).map_err(|error| Failure::request(error).raise()),
        }
    }
}

/// The limit of memory for what lasts longer than a call.
pub(crate) fn lasting() -> Budget {
    match memory::default_limit() {
        Some(allowed) => Budget::unlimited().with_memory(allowed, memory::resident),
        None => Budget::unlimited(),
    }
}

impl Limits {
    /// A budget that begins now.
    pub(crate) fn budget(&self) -> PyResult<Budget> {
        let mut budget = Budget::unlimited();
        if let Some(allowed) = &self.time {
            budget = budget.with_time(allowed.read()?);
        }
        if let Some(allowed) = &self.cpu {
            let used = clock::process_time().unwrap_or_default();
            budget = budget.with_cpu(used.saturating_add(allowed.read()?), clock::process_time);
        }
        if let Some(allowed) =
            self.memory.as_ref().map(Size::read).transpose()?.or_else(memory::default_limit)
        {
            budget = budget.with_memory(allowed, memory::resident);
        }
        if let Some(allowed) = self.nodes {
            budget = budget.with_nodes(allowed);
        }
        Ok(budget)
    }
}
