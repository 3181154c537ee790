//! Things with a state: games in progress, players that think, engines that are talked to.
//!
//! Each lives on a thread of its own and is asked in turn, so that it may be used from any Python thread, whatever it is made of.

mod bridge;
mod dilemma;
mod game;
mod go;
mod kriegspiel;

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use counterplay::{Budget, Limit};
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::Answered;
use crate::call::{Cancel, LOOK, Reporter, STACK, Watch, caught, wait};
use crate::failure::Failure;
use crate::limits::Limits;

/// An answer within this time is taken without looking for signals.
const QUICK: Duration = Duration::from_millis(5);
/// An engine that was told to stop has this long for its answer; the caller does not wait longer, and the next question comes after the answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Something that is asked by method and arguments.
pub(crate) trait Conversation {
    /// Answers; everything is JSON.
    fn call(&mut self, method: &str, arguments: Value, budget: &Budget) -> Result<Value, Failure>;
}

/// The arguments of a method.
fn arguments<T: DeserializeOwned>(value: Value) -> Result<T, Failure> {
    Ok(serde_json::from_value(value)?)
}

/// An answer.
fn answer(value: &impl Serialize) -> Result<Value, Failure> {
    Ok(serde_json::to_value(value)?)
}

fn unknown(method: &str) -> Failure {
    Failure::request(format!("there is no method `{method}`"))
}

/// Begins a conversation.
fn open(kind: &str, request: &str, budget: &Budget) -> Result<Box<dyn Conversation>, Failure> {
    Ok(match kind {
        "game-position" => Box::new(game::Position::open(request, budget)?),
        "game-player" => Box::new(game::ThinkingPlayer::open(request)?),
        "kriegspiel" => Box::new(kriegspiel::Match::open(request)?),
        "go" => Box::new(go::Gtp::open(request)?),
        "bridge" => Box::new(bridge::Table::open(request)?),
        "dilemma-strategy" => Box::new(dilemma::Player::open(request)?),
        "dilemma" => Box::new(dilemma::Match::open(request)?),
        other => return Err(Failure::request(format!("there is no session `{other}`"))),
    })
}

/// A question, and where its answer goes.
struct Question {
    method: String,
    arguments: String,
    budget: Budget,
    reply: Sender<Result<Value, Failure>>,
}

/// A thing with a state.
#[pyclass(frozen)]
pub(crate) struct Session {
    to: Mutex<Sender<Question>>,
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (kind, request, limits=None))]
    fn new(py: Python<'_>, kind: String, request: String, limits: Option<Limits>) -> PyResult<Session> {
        let (to, from) = channel();
        let (opened, begun) = channel();
        let budget = limits.unwrap_or_default().budget()?;
        let own = budget.clone();
        let live = move || match caught(|| open(&kind, &request, &own)) {
            Ok(conversation) => {
                let _ = opened.send(Ok(()));
                converse(conversation, &from);
            }
            Err(failure) => drop(opened.send(Err(failure))),
        };
        let spawned =
            thread::Builder::new().name("counterplay session".to_owned()).stack_size(STACK).spawn(live);
        spawned.map_err(|error| {
            Failure::Internal { message: format!("no thread can be started: {error}") }.raise()
        })?;
        let opened = move |_: &Reporter, _: &Budget| match begun.recv() {
            Ok(begun) => begun.map(|()| ("null".to_owned(), Vec::new())),
            Err(_) => Err(gone()),
        };
        wait(py, budget, Watch::default(), opened)?;
        Ok(Session { to: Mutex::new(to) })
    }

    /// Asks; the answer is JSON.
    #[pyo3(signature = (method, arguments, limits=None, cancel=None))]
    fn call(
        &self,
        py: Python<'_>,
        method: String,
        arguments: String,
        limits: Option<Limits>,
        cancel: Option<Py<Cancel>>,
    ) -> PyResult<String> {
        let budget = limits.unwrap_or_default().budget()?;
        let (reply, answers) = channel();
        let question = Question { method, arguments, budget: budget.clone(), reply };
        let sent = self.to.lock().unwrap_or_else(PoisonError::into_inner).send(question);
        sent.map_err(|_| gone().raise())?;
        let watch = Watch { cancel: cancel.map(|cancel| cancel.get().handle()), ..Watch::default() };
        // A quick answer needs no second thread.
        let (answers, quick) = py.detach(move || {
            let quick = answers.recv_timeout(QUICK);
            (answers, quick)
        });
        if let Ok(quick) = quick {
            return quick.map(|value| value.to_string()).map_err(|failure| failure.raise());
        }
        let listen = move |_: &Reporter, budget: &Budget| -> Result<Answered, Failure> {
            let mut over: Option<(Instant, Limit)> = None;
            loop {
                match answers.recv_timeout(LOOK) {
                    Ok(value) => return Ok((value?.to_string(), Vec::new())),
                    Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                over = over.or_else(|| Some((Instant::now(), budget.check().err()?)));
                if let Some((since, limit)) = over
                    && since.elapsed() >= PATIENCE
                {
                    return Err(limit.into());
                }
            }
        };
        wait(py, budget, watch, listen).map(|(answer, _)| answer)
    }
}

fn gone() -> Failure {
    Failure::Internal { message: "the session is over".to_owned() }
}

/// Answers questions until no one can ask any more.
fn converse(mut conversation: Box<dyn Conversation>, from: &Receiver<Question>) {
    for Question { method, arguments, budget, reply } in from {
        let answered = caught(|| {
            let arguments = serde_json::from_str(&arguments)?;
            conversation.call(&method, arguments, &budget)
        });
        // The caller may have given up.
        let _ = reply.send(answered);
    }
}
