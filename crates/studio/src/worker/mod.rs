//! The worker: one task, done by the library in a process of its own.
//!
//! The studio starts `counterplay worker` for each task, under the same limits and the same guard as every command. The task is one
//! line of JSON on standard input. What happens is told in lines of JSON on standard output: an `Event` each. Later lines of input
//! are moves of a person in a game, or the word `stop`. When the input ends, the studio has gone away, and so does the worker.
//!
//! Tasks hold the requests of the library. So an option has one name and one list of values in the terminal and in the page.

mod boards;
mod certificate;
mod dilemma;
mod games;
mod go;
mod kriegspiel;
mod planning;
mod report;
mod task;

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use counterplay::{Budget, Error, Halt, Limit, picture};
use serde::Serialize;
use serde_json::{Value, json};

pub use self::report::Reporter;
pub use self::task::Task;
pub(crate) use self::task::Weight;

/// A task is no longer than this.
const LONGEST_TASK: u64 = 16 << 20;
/// The word that cancels a task.
pub(crate) const STOP: &str = "stop";

/// Where events go: a line of JSON each.
#[derive(Debug, Default)]
pub struct Output(Mutex<()>);

impl Output {
    /// Writes an event. If the studio has gone away there is no one to tell, and the input has ended too.
    pub fn put(&self, event: &impl Serialize) {
        let Ok(mut text) = serde_json::to_string(event) else { return };
        text.push('\n');
        let _turn = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut stdout = io::stdout().lock();
        let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    }

    /// Says that a limit ended the task.
    pub fn stopped(&self, limit: Limit) {
        self.put(&json!({"stopped": {"limit": limit.name(), "why": limit.to_string()}}));
    }
}

/// What a task may use.
pub(crate) struct Desk<'a> {
    pub(crate) budget: &'a Budget,
    pub(crate) report: &'a Reporter<'a>,
    pub(crate) output: &'a Output,
    /// What a person says in a game.
    pub(crate) lines: Receiver<String>,
}

impl Desk<'_> {
    /// Tells the answer.
    pub(crate) fn answer(&self, answer: &impl Serialize) {
        self.report.flush();
        self.output.put(&json!({"answer": answer}));
    }

    /// Tells the answer with its picture. The answer comes first: by that its line is known.
    pub(crate) fn answer_with_picture(&self, answer: &impl Serialize) {
        self.report.flush();
        self.output.put(&json!({"answer": answer, "svg": drawn(answer)}));
    }
}

/// The picture that the command line draws of an answer, if there is one.
pub(crate) fn drawn(answer: &impl Serialize) -> Option<String> {
    picture(&serde_json::to_value(answer).ok()?)
}

/// Reads the task from standard input.
///
/// # Errors
/// The input cannot be read, or is no task.
pub fn read_task() -> io::Result<Task> {
    let mut line = String::new();
    io::stdin().lock().take(LONGEST_TASK).read_line(&mut line)?;
    serde_json::from_str(&line).map_err(io::Error::other)
}

/// Does a task and tells what happens.
pub fn work(task: Task, budget: &Budget, report: &Reporter<'_>, output: &Output) {
    let desk = Desk { budget, report, output, lines: listen(budget) };
    match task.run(&desk) {
        Ok(()) => {}
        Err(Halt::Limit(limit)) => output.stopped(limit),
        Err(Halt::Error(error)) => output.put(&refusal(&error)),
    }
}

/// Passes on the lines of standard input; the end of it ends the process.
fn listen(budget: &Budget) -> Receiver<String> {
    let (sender, receiver) = channel();
    let cancel = budget.canceller();
    let listening = move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if line == STOP {
                cancel();
            }
            let _ = sender.send(line);
        }
        std::process::exit(0);
    };
    // Without the thread a worker still ends at its limits.
    let _ = thread::Builder::new().name("input".to_owned()).stack_size(256 << 10).spawn(listening);
    receiver
}

/// Why there is no answer, with the places in the texts.
fn refusal(error: &Error) -> Value {
    match error {
        Error::Input { sources, diagnostics } => {
            let found: Vec<Value> =
                diagnostics.iter().map(|one| planning::diagnostic(sources, one)).collect();
            json!({"refused": {"message": error.to_string(), "diagnostics": found}})
        }
        Error::Request { message, help } => json!({"refused": {"message": message, "help": help}}),
        Error::Internal { .. } => json!({"refused": {"message": error.to_string()}}),
    }
}
