//! A strategy that is another program, spoken to in lines.
//!
//! A program stays alive from match to match: starting it may take longer than all of its moves. One that ends with its match is started
//! anew for the next. When it fails, it is ended, and none of its matches has a score.

use std::sync::{Arc, Mutex, PoisonError};

use counterplay::dilemma::{Chance, Fault, History, Move, Setting, Strategy};

use crate::pipes::{NoAnswer, ProgramLimits, Running};

/// The running copies of one program: matches are played at the same time, and each has a copy to itself.
#[derive(Debug)]
pub(super) struct ProgramPool {
    command: String,
    limits: ProgramLimits,
    state: Mutex<PoolState>,
}

#[derive(Debug, Default)]
struct PoolState {
    idle: Vec<Running>,
    /// What a copy did wrong. From then on no match of the program counts, and none is played.
    failed: Option<String>,
}

impl ProgramPool {
    pub(super) fn new(command: String, limits: ProgramLimits) -> ProgramPool {
        ProgramPool { command, limits, state: Mutex::default() }
    }

    /// An idle copy, or a new one.
    fn take(&self) -> Result<Running, String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(why) = &state.failed {
            return Err(why.clone());
        }
        while let Some(running) = state.idle.pop() {
            if running.is_ready() {
                return Ok(running);
            }
        }
        drop(state);
        self.launch()
    }

    fn launch(&self) -> Result<Running, String> {
        Running::launch(&self.command).map_err(|error| format!("it cannot be started: {error}"))
    }

    fn give_back(&self, running: Running) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).idle.push(running);
    }

    fn note_failure(&self, why: &str) {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .failed
            .get_or_insert_with(|| why.to_owned());
    }
}

/// A program in a match.
#[derive(Debug)]
pub(super) struct Program {
    pool: Arc<ProgramPool>,
    /// The line that begins the match.
    opening: String,
    running: Option<Running>,
    fault: Option<Fault>,
}

impl Program {
    /// A copy of a program for one match.
    pub(super) fn start(pool: &Arc<ProgramPool>, setting: &Setting) -> Program {
        let turns = setting.turns.map_or("?".to_owned(), |turns| turns.to_string());
        let [r, s, t, p] = setting.payoffs.by_outcome();
        let opening = format!("match {turns} {} {r} {s} {t} {p}", setting.noise);
        let mut program = Program { pool: Arc::clone(pool), opening, running: None, fault: None };
        match pool.take() {
            Ok(running) => {
                running.say(&program.opening);
                program.running = Some(running);
            }
            Err(why) => program.fail(1, why),
        }
        program
    }

    fn fail(&mut self, turn: usize, why: String) {
        self.running = None;
        self.pool.note_failure(&why);
        self.fault = Some(Fault { turn, why });
    }

    /// Asks for a move. A program that ended with its last match is started again.
    fn ask(&mut self, question: &str) -> Result<Move, String> {
        let Some(running) = &mut self.running else { return Ok(Move::D) };
        let was_used = running.has_answered();
        match asked(running, question, self.pool.limits) {
            Err(NoAnswer::Ended(_)) if was_used && question == "start" => {
                let mut running = self.pool.launch()?;
                running.say(&self.opening);
                let answered = asked(&mut running, question, self.pool.limits);
                self.running = Some(running);
                answered.map_err(NoAnswer::words)
            }
            answered => answered.map_err(NoAnswer::words),
        }
    }
}

impl Strategy for Program {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let question = match history.outcome_ago(1) {
            None => "start".to_owned(),
            Some((own, other)) => format!("{own} {other}"),
        };
        self.ask(&question).unwrap_or_else(|why| {
            self.fail(history.turns() + 1, why);
            Move::D
        })
    }

    fn fault(&self) -> Option<Fault> {
        self.fault.clone()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.say("end");
            self.pool.give_back(running);
        }
    }
}

/// Asks for a move.
fn asked(running: &mut Running, question: &str, limits: ProgramLimits) -> Result<Move, NoAnswer> {
    match running.ask(question, limits)?.trim() {
        "C" | "c" => Ok(Move::C),
        "D" | "d" => Ok(Move::D),
        other => Err(NoAnswer::Wrong(format!("it answered {other:?} instead of C or D"))),
    }
}
