//! A contestant that is another program.

use counterplay::Budget;
use counterplay::kriegspiel::chess::Move;
use counterplay::kriegspiel::contest::{Choice, Contestant, Outsider, Terms};
use counterplay::kriegspiel::protocol::Message;
use counterplay::kriegspiel::{Extras, KriegEvent, SeatSetup};

use crate::pipes::{NoAnswer, ProgramLimits, Running};

/// A program in one game.
pub(super) struct Program {
    limits: ProgramLimits,
    /// Or why it could not be started.
    running: Result<Running, String>,
}

impl Program {
    /// Starts a program for a game.
    pub(super) fn contestant(command: &str, limits: ProgramLimits, setup: &SeatSetup) -> Contestant {
        let running = Running::launch(command).map_err(|error| format!("it cannot be started: {error}"));
        let Terms { root, rules, moves } = setup.terms;
        let program = Program { limits, running };
        program.say(&Message::Game { color: setup.color, rules, moves, root });
        Contestant::Outsider(Box::new(program))
    }

    fn say(&self, message: &Message) {
        if let Ok(running) = &self.running {
            running.say(&message.to_string());
        }
    }
}

impl Outsider for Program {
    fn choose(&mut self, _: &Budget) -> Choice {
        let running = match &mut self.running {
            Ok(running) => running,
            Err(why) => return Choice::Fault(why.clone()),
        };
        let answer = match running.ask(&Message::Go.to_string(), self.limits).map_err(NoAnswer::words) {
            Ok(answer) => answer,
            Err(why) => return Choice::Fault(why),
        };
        match answer.trim() {
            "resign" => Choice::Resign,
            text => match text.parse::<Move>() {
                Ok(attempt) => Choice::Try(attempt),
                Err(_) => Choice::Fault(format!("it answered {text:?} instead of a try")),
            },
        }
    }

    fn nonsense(&mut self, attempt: Move) {
        self.say(&Message::Nonsense(attempt.to_string()));
    }

    fn hear(&mut self, event: KriegEvent, extras: Extras) {
        self.say(&Message::Event(event, extras));
    }

    fn over(&mut self, won: Option<bool>, why: &str) {
        self.say(&Message::Over { won, why: why.to_owned() });
    }
}
