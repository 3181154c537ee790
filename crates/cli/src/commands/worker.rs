//! `counterplay worker`: one task of the studio, under the guard of every command.

use std::sync::Arc;

use clap::Args;
use counterplay_studio::worker::{Output, Reporter, read_task, work};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::Display;
use crate::sentinel;
use crate::settings::Settings;

/// Do one task of the studio: a JSON object on standard input, events on standard output
#[derive(Debug, Args)]
pub(crate) struct WorkerArguments {}

/// Does the task.
pub(crate) fn run(settings: &Settings) -> Result<Exit, Failure> {
    let task = read_task().map_err(|error| Failure::Read { name: "the task".to_owned(), error })?;
    let output = Arc::new(Output::default());
    let last_words = {
        let output = Arc::clone(&output);
        move |limit| output.stopped(limit)
    };
    let floor = sentinel::watch(&settings.budget, Arc::new(Display::new(settings)), last_words);
    let reporter = Reporter::new(&output);
    work(task, &settings.budget, &reporter, &output);
    floor.take_or_wait();
    Ok(Exit::Found)
}
