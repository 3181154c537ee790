//! The commands by name, each from a request in JSON to an answer in JSON.

mod bridge;
mod dilemma;
mod game;
mod go;
mod kriegspiel;
mod planning;

pub(crate) use self::bridge::{Asked as AskedBoards, select as select_boards};
pub(crate) use self::game::rules as game_rules;

use counterplay::{Budget, Progress};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Answered;
use crate::call::Reporter;
use crate::failure::Failure;
use crate::players::PythonPlayers;

/// What a command may use.
pub(crate) struct Context<'a> {
    pub(crate) budget: &'a Budget,
    pub(crate) progress: &'a dyn Progress,
    /// Passes on what is found on the way.
    pub(crate) reporter: Option<&'a Reporter>,
    pub(crate) players: &'a PythonPlayers,
}

/// A text, and what messages call it.
#[derive(Debug, Deserialize)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// An answer, and its other forms.
pub(crate) struct Outcome {
    answer: String,
    forms: Vec<(&'static str, String)>,
}

impl Outcome {
    /// An answer in its JSON form.
    pub(crate) fn new(answer: &impl Serialize) -> Result<Outcome, Failure> {
        let bug = |error: serde_json::Error| Failure::Internal { message: error.to_string() };
        Ok(Outcome { answer: serde_json::to_string(answer).map_err(bug)?, forms: Vec::new() })
    }

    /// Adds another form of the answer, if there is something in it.
    pub(crate) fn with(mut self, name: &'static str, form: impl Into<Option<String>>) -> Outcome {
        self.forms.extend(form.into().filter(|form| !form.is_empty()).map(|form| (name, form)));
        self
    }

    pub(crate) fn into_parts(self) -> Answered {
        (self.answer, self.forms)
    }
}

pub(crate) type Done = Result<Outcome, Failure>;

/// What a command takes beside the options.
fn read<T: DeserializeOwned>(request: &str) -> Result<T, Failure> {
    Ok(serde_json::from_str(request)?)
}

/// Runs the command of a name.
pub(crate) fn run(command: &str, request: &str, context: &Context<'_>) -> Done {
    match command {
        "solve" => planning::solve(read(request)?, context),
        "mdp" => planning::mdp(read(request)?, context),
        "check-certificate" => planning::check_certificate(read(request)?, context),
        "check" => planning::check(read(request)?, context),
        "ground" => planning::ground(read(request)?, context),
        "act" => planning::act(read(request)?, context),
        "generate" => planning::generate(&read(request)?),
        "picture" => planning::picture(&read(request)?),
        "game-rules" => game::describe(&read(request)?),
        "game-ground" => game::ground(read(request)?, context),
        "game-simulate" => game::simulate(read(request)?, context),
        "game-solve" => game::solve(read(request)?, context),
        "game-check" => game::check(&read(request)?, context),
        "game-match" => game::play_match(read(request)?, context),
        "kriegspiel-solve" => kriegspiel::solve(read(request)?, context),
        "kriegspiel-estimate" => kriegspiel::estimate(&read(request)?, context),
        "kriegspiel-generate" => kriegspiel::generate(read(request)?, context),
        "kriegspiel-import" => kriegspiel::import(&read(request)?),
        "kriegspiel-picture" => kriegspiel::picture(read(request)?, context),
        "kriegspiel-match" => kriegspiel::play(&read(request)?, context),
        "bridge-show" => bridge::show(&read(request)?, context),
        "bridge-deal" => bridge::deal(&read(request)?, context),
        "bridge-odds" => bridge::odds(&read(request)?, context),
        "bridge-par" => bridge::par(&read(request)?, context),
        "bridge-suit" => bridge::suit(&read(request)?, context),
        "bridge-plan" => bridge::plan(&read(request)?, context),
        "bridge-play" => bridge::play(&read(request)?, context),
        "bridge-match" => bridge::play_match(&read(request)?, context),
        "bridge-calibrate" => bridge::calibrate(&read(request)?, context),
        "go-solve" => go::solve(&read(request)?, context),
        "dilemma-strategies" => Outcome::new(&counterplay::dilemma::strategies()),
        "dilemma-match" => dilemma::play_match(&read(request)?, context),
        "dilemma-tournament" => dilemma::tournament(&read(request)?, context),
        "dilemma-roshambo" => dilemma::roshambo(&read(request)?, context),
        // For the test that a panic does not end the interpreter.
        "panic" => panic!("asked to panic"),
        other => Err(Failure::request(format!("there is no command `{other}`"))),
    }
}
