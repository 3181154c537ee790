//! The module `counterplay._native`: what the Python package calls.
//!
//! It is thin on purpose. [`run`] takes the name of a command and a request in JSON, does the work on a thread of its own while the
//! interpreter is free, and returns the answer in JSON with its texts and pictures. A [`Session`] is the same for things with a state: a game in progress,
//! a player that thinks. Names, types and pictures for people are the business of the Python files around it.

mod call;
mod commands;
mod failure;
mod limits;
mod players;
mod sessions;

use std::sync::Arc;

use pyo3::prelude::*;

use crate::call::{Cancel, Reporter, Watch, wait};
use crate::commands::{Context, Outcome};
use crate::limits::Limits;
use crate::players::PythonPlayers;
use crate::sessions::Session;

/// An answer in JSON, and its other forms by name: `text`, `summary`, `file`, `svg`, …
type Answered = (String, Vec<(&'static str, String)>);

/// Runs a command. `players` are Python objects that take part in a match or a tournament; `found` gets what is found on the way to the answer.
#[pyfunction]
#[pyo3(signature = (command, request, limits=None, progress=None, cancel=None, players=None, found=None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of one call")]
fn run(
    py: Python<'_>,
    command: String,
    request: String,
    limits: Option<Limits>,
    progress: Option<Py<PyAny>>,
    cancel: Option<Py<Cancel>>,
    players: Option<Vec<(String, Py<PyAny>)>>,
    found: Option<Py<PyAny>>,
) -> PyResult<Answered> {
    let budget = limits.unwrap_or_default().budget()?;
    let players = Arc::new(PythonPlayers::new(players.unwrap_or_default()));
    let watch = Watch { progress, found, cancel: cancel.map(|cancel| cancel.get().handle()) };
    let own = Arc::clone(&players);
    let work = move |reporter: &Reporter, budget: &counterplay::Budget| {
        let context = Context { budget, progress: reporter, reporter: Some(reporter), players: &own };
        commands::run(&command, &request, &context).map(Outcome::into_parts)
    };
    let answered = wait(py, budget, watch, work);
    // What a player raised is the reason for everything that came after.
    match players.take_raised() {
        Some(raised) => Err(raised),
        None => answered,
    }
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("version", env!("CARGO_PKG_VERSION"))?;
    module.add("Failure", module.py().get_type::<failure::RaisedFailure>())?;
    module.add_class::<Cancel>()?;
    module.add_class::<Session>()?;
    module.add_function(wrap_pyfunction!(run, module)?)
}
