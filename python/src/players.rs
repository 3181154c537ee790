//! Python objects that take part in matches.

use std::sync::{Arc, Mutex, PoisonError};

use counterplay::dilemma::{Chance, Entrant, Fault, History, Move, Players, Setting, Strategy};
use counterplay::game::{Contestant, MatchTurn};
use counterplay::{Error, Halt};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Players by name.
#[derive(Default)]
pub(crate) struct PythonPlayers {
    players: Vec<(String, Arc<Py<PyAny>>)>,
    /// What a player of a game raised.
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl PythonPlayers {
    pub(crate) fn new(players: Vec<(String, Py<PyAny>)>) -> PythonPlayers {
        let players = players.into_iter().map(|(name, player)| (name, Arc::new(player))).collect();
        PythonPlayers { players, raised: Arc::default() }
    }

    /// The exception of a player, if one raised.
    pub(crate) fn take_raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The player of this name in a game.
    pub(crate) fn contestant(&self, name: &str) -> Option<GameContestant> {
        let (name, player) = self.players.iter().find(|(own, _)| own == name)?;
        let raised = Arc::clone(&self.raised);
        Some(GameContestant { name: name.clone(), player: Arc::clone(player), raised })
    }

    /// All players as entrants of a tournament. A player is a function that gets the setting and makes a player for one match: a function
    /// of the last executed moves, the own one first, which are `None` in the first turn.
    pub(crate) fn entrants(&self) -> Players {
        self.players.iter().fold(Players::default(), |players, (name, player)| {
            let player = Arc::clone(player);
            let make = move |setting: &Setting| -> Box<dyn Strategy> {
                Box::new(PythonStrategy { seat: Seat::Empty(Arc::clone(&player), *setting), fault: None })
            };
            players.with(Entrant::new(name.clone(), Arc::new(make)))
        })
    }
}

/// A Python function that chooses moves of a game.
pub(crate) struct GameContestant {
    name: String,
    player: Arc<Py<PyAny>>,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl Contestant for GameContestant {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, turn: &MatchTurn) -> Result<String, Halt> {
        let text =
            serde_json::to_string(turn).map_err(|error| Error::Internal { message: error.to_string() })?;
        let chosen = Python::attach(|py| self.player.call1(py, (text,))?.extract::<String>(py));
        chosen.map_err(|raised| {
            *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
            let message = format!("the player `{}` raised an exception", self.name);
            Error::Request { message, help: None }.into()
        })
    }
}

/// A Python object in one match of a repeated game.
struct PythonStrategy {
    seat: Seat,
    fault: Option<Fault>,
}

/// Who plays.
enum Seat {
    /// The function that makes the player when the first move is wanted: the seed that it is told comes from the chance of this
    /// side in this match, so that it depends neither on threads nor on the order of matches.
    Empty(Arc<Py<PyAny>>, Setting),
    Taken(Py<PyAny>),
    /// The player has failed.
    Left,
}

impl PythonStrategy {
    fn make(factory: &Py<PyAny>, setting: &Setting, seed: u64) -> PyResult<Py<PyAny>> {
        Python::attach(|py| {
            let told = PyDict::new(py);
            told.set_item("turns", setting.turns)?;
            told.set_item("noise", setting.noise)?;
            told.set_item("payoffs", setting.payoffs.by_outcome())?;
            told.set_item("seed", seed)?;
            factory.call1(py, (told,))
        })
    }

    fn ask(&mut self, last: Option<(Move, Move)>, chance: &mut Chance) -> Result<Move, String> {
        if let Seat::Empty(factory, setting) = &self.seat {
            let made = PythonStrategy::make(factory, setting, chance.bits() >> 32);
            self.seat = Seat::Taken(made.map_err(|raised| raised.to_string())?);
        }
        let Seat::Taken(player) = &self.seat else { return Ok(Move::D) };
        let last = last.map(|(own, other)| (own.to_string(), other.to_string()));
        let (own, other) = last.unzip();
        Python::attach(|py| {
            let chosen = player.call1(py, (own, other)).map_err(|raised| raised.to_string())?;
            match chosen.extract::<String>(py).as_deref() {
                Ok("C" | "c") => Ok(Move::C),
                Ok("D" | "d") => Ok(Move::D),
                Ok(text) => Err(format!("it answered {text:?} instead of C or D")),
                Err(_) => Err(format!("it answered {chosen} instead of C or D")),
            }
        })
    }
}

impl Strategy for PythonStrategy {
    fn choose(&mut self, history: &History<'_>, chance: &mut Chance) -> Move {
        self.ask(history.outcome_ago(1), chance).unwrap_or_else(|why| {
            self.seat = Seat::Left;
            self.fault = Some(Fault { turn: history.turns() + 1, why });
            Move::D
        })
    }

    fn fault(&self) -> Option<Fault> {
        self.fault.clone()
    }
}
