//! Strategies of games as files, and their check by the plain reading of the rules.

use std::time::Instant;

use counterplay_base::Budget;
use counterplay_check::{
    NoPlaybook, Notation, PlaybookFlaw, RewardBound, Rulebook, check_playbook, write_playbook,
};
use counterplay_gdl::interpret::{InterpretError, Interpreter, State, TermId};
use serde::Serialize;

use super::position::{NoAnswer, SolvedGame, Values};
use super::rules::GameRules;
use super::solving::troubled;
use crate::effort::seconds;
use crate::error::Halt;
use crate::figures::count;

/// A strategy may lead to so many positions.
const MOST_POSITIONS: usize = 10_000_000;

/// The rules and nothing else: no grounding, no values.
pub(super) struct PlainGame<'b> {
    pub(super) interpreter: Interpreter,
    pub(super) budget: &'b Budget,
}

impl Rulebook for PlainGame<'_> {
    type State = State;
    type Move = TermId;
    type Trouble = InterpretError;

    fn roles(&self) -> usize {
        self.interpreter.roles().len()
    }

    fn initial(&mut self) -> Result<State, InterpretError> {
        self.interpreter.initial(self.budget)
    }

    fn is_over(&mut self, state: &State) -> Result<bool, InterpretError> {
        self.interpreter.is_terminal(state, self.budget)
    }

    fn rewards(&mut self, state: &State) -> Result<Vec<u32>, InterpretError> {
        let roles = 0..self.roles();
        roles.map(|role| Ok(self.interpreter.goal(state, role, self.budget)?.unwrap_or(0))).collect()
    }

    fn moves(&mut self, state: &State, role: usize) -> Result<Vec<TermId>, InterpretError> {
        self.interpreter.legal(state, role, self.budget)
    }

    fn next(&mut self, state: &State, moves: &[TermId]) -> Result<State, InterpretError> {
        self.interpreter.next(state, moves, self.budget)
    }
}

impl Notation for PlainGame<'_> {
    fn fluents(&mut self, state: &State) -> Vec<String> {
        fluents(&self.interpreter, state)
    }

    fn move_text(&mut self, own: &TermId) -> String {
        self.interpreter.display(*own).to_lowercase()
    }

    fn role_text(&mut self, role: usize) -> String {
        self.interpreter.display(self.interpreter.roles()[role]).to_lowercase()
    }
}

impl Notation for SolvedGame<Values<'_, '_>> {
    fn fluents(&mut self, state: &State) -> Vec<String> {
        fluents(self.interpreter(), state)
    }

    fn move_text(&mut self, own: &TermId) -> String {
        self.display(*own).to_lowercase()
    }

    fn role_text(&mut self, role: usize) -> String {
        let term = self.interpreter().roles()[role];
        self.display(term).to_lowercase()
    }
}

pub(super) fn fluents(interpreter: &Interpreter, state: &State) -> Vec<String> {
    let mut texts: Vec<String> =
        state.fluents().iter().map(|&term| interpreter.display(term).to_lowercase()).collect();
    texts.sort_unstable();
    texts
}

/// The strategies that prove the value of a position, or why there are none.
pub(super) fn playbook(
    solved: &mut SolvedGame<Values<'_, '_>>,
    from: &str,
    is_constant_sum: bool,
    budget: &Budget,
) -> Result<Result<String, String>, Halt> {
    let moves = solved.follow_moves(from)?;
    let count = solved.roles();
    // What one role gets tells what the other one does.
    let roles: Vec<usize> = if is_constant_sum && count == 2 { vec![0] } else { (0..count).collect() };
    let why = match write_playbook(solved, &moves, &roles, MOST_POSITIONS, budget) {
        Ok(text) => return Ok(Ok(text)),
        Err(NoPlaybook::Trouble(NoAnswer::Stopped(limit)) | NoPlaybook::Stopped(limit)) => limit.to_string(),
        Err(NoPlaybook::Trouble(trouble)) => return Err(trouble.into()),
        Err(NoPlaybook::NoValue) => "the position has no value".to_owned(),
        Err(NoPlaybook::NotSure { role }) => {
            let role = solved.role_text(role);
            format!("the value for {role} is not what it can make sure of against all others")
        }
        Err(NoPlaybook::Endless) => "play under the strategy may go on for ever".to_owned(),
        Err(NoPlaybook::TooMany(most)) => format!("it would lead to more than {most} positions"),
    };
    Ok(Err(why))
}

/// What a part of a strategy proves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SureReward {
    pub role: String,
    /// What the role can make sure of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<u32>,
    /// What the others can hold it to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<u32>,
}

/// Whether a strategy does what it says. Its JSON form is what `counterplay check GAME STRATEGY --json` prints.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StrategyValidity {
    pub valid: bool,
    /// If it does not: the first thing that is wrong, with its line.
    pub why: Option<String>,
    /// Joint moves before the position that it is about.
    pub after: Option<usize>,
    /// What is proved about each role.
    pub rewards: Vec<SureReward>,
    /// Positions that were looked at.
    pub positions: usize,
    /// Seconds of wall time.
    pub seconds: f64,
}

impl StrategyValidity {
    /// A few lines for people.
    pub fn text(&self) -> String {
        if !self.valid {
            return format!("invalid: {}\n", self.why.as_deref().unwrap_or_default());
        }
        let mut text = format!("valid: {}\n", count(self.positions, "position"));
        for SureReward { role, at_least, at_most } in &self.rewards {
            text += &match (at_least, at_most) {
                (Some(least), Some(most)) if least == most => format!("{role} gets {least}\n"),
                (Some(least), Some(most)) => format!("{role} gets {least} to {most}\n"),
                (Some(least), None) => format!("{role} gets at least {least}\n"),
                (None, Some(most)) => format!("{role} gets at most {most}\n"),
                (None, None) => String::new(),
            };
        }
        text
    }
}

/// Replays a strategy against every reply, by the rules alone.
///
/// # Errors
/// Rules that hide moves or have no answer, or the limit that was reached. A strategy that does not hold is no error.
pub fn check_strategy_text(rules: &GameRules, text: &str, budget: &Budget) -> Result<StrategyValidity, Halt> {
    let started = Instant::now();
    rules.refuse_imperfect("checked: a strategy file depends on the whole position").map_err(Halt::from)?;
    let interpreter = Interpreter::new(rules.rules.clone()).map_err(troubled)?;
    let mut game = PlainGame { interpreter, budget };
    let mut validity = StrategyValidity {
        valid: true,
        why: None,
        after: None,
        rewards: Vec::new(),
        positions: 0,
        seconds: 0.0,
    };
    match check_playbook(&mut game, text, MOST_POSITIONS, budget) {
        Ok(checked) => {
            validity.after = Some(checked.made);
            validity.positions = checked.positions;
            for (role, bound) in checked.parts {
                validity.note(role, bound);
            }
        }
        Err(PlaybookFlaw::Stopped(limit)) => return Err(limit.into()),
        Err(PlaybookFlaw::Trouble(trouble)) => return Err(troubled(trouble)),
        Err(PlaybookFlaw::Malformed { line, what: why } | PlaybookFlaw::Wrong { line, why }) => {
            validity.valid = false;
            validity.why = Some(format!("line {line}: {why}"));
        }
    }
    validity.seconds = seconds(started.elapsed());
    Ok(validity)
}

impl StrategyValidity {
    /// Adds what a part proves to what is known of the role.
    fn note(&mut self, role: String, bound: RewardBound) {
        let known = match self.rewards.iter().position(|known| known.role == role) {
            Some(at) => at,
            None => {
                self.rewards.push(SureReward { role, at_least: None, at_most: None });
                self.rewards.len() - 1
            }
        };
        let known = &mut self.rewards[known];
        match bound {
            RewardBound::AtLeast(reward) => {
                known.at_least = Some(known.at_least.map_or(reward, |least| least.max(reward)));
            }
            RewardBound::AtMost(reward) => {
                known.at_most = Some(known.at_most.map_or(reward, |most| most.min(reward)));
            }
        }
    }
}
