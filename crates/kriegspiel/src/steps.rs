//! Histories as JSON: what was tried, and what was heard.

use counterplay_belief::Event;
use serde::{Deserialize, Serialize};

use crate::chess::{Board, Color, Move, Square};
use crate::{Checks, Direction, End, Heard, KriegEvent, Percept};

/// One step of a history.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// Who acted: `w` or `b`.
    pub by: String,
    /// What was tried, if the own side acted.
    #[serde(rename = "try", skip_serializing_if = "Option::is_none")]
    pub attempt: Option<String>,
    /// Rejected tries of the other side that were heard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub illegal_heard: Option<usize>,
    /// What the referee announced.
    pub percept: AnnouncedPercept,
    /// The recorded size of the belief state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// The recorded hash of the belief state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// What the referee announces of a try, as it is written in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnnouncedPercept {
    /// Whether the try was a legal move.
    pub legal: bool,
    /// The square of a captured man.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<String>,
    #[serde(default)]
    pub checks: Vec<String>,
    #[serde(default)]
    pub end: Option<String>,
}

/// What is wrong with a step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("step {step}: {message}")]
pub struct StepError {
    /// Which one, from one.
    step: usize,
    message: String,
}

/// The events that a history tells, from the side that made the tries.
pub fn events(root: &Board, steps: &[Step]) -> Result<Vec<KriegEvent>, StepError> {
    let own = steps.iter().find(|step| step.attempt.is_some()).map(|step| step.by.clone());
    let mut turn = root.turn();
    let mut events = Vec::new();
    for (i, step) in steps.iter().enumerate() {
        let event =
            event(step, turn, own.as_deref()).map_err(|message| StepError { step: i + 1, message })?;
        if !matches!(event, Event::Own { heard: None, .. }) {
            turn = turn.other();
        }
        events.push(event);
    }
    Ok(events)
}

fn event(step: &Step, turn: Color, own: Option<&str>) -> Result<KriegEvent, String> {
    if step.by != turn.letter().to_string() {
        return Err(format!("`by` is `{}`, but it is {turn:?}'s turn", step.by));
    }
    let heard = if step.percept.legal { Some(heard(&step.percept)?) } else { None };
    match (&step.attempt, heard) {
        (Some(attempt), heard) => {
            if own != Some(step.by.as_str()) {
                return Err("tries of both sides are given; a player knows only the own ones".to_owned());
            }
            Ok(Event::Own { attempt: attempt.parse::<Move>().map_err(|error| error.to_string())?, heard })
        }
        (None, Some(heard)) => Ok(Event::Other { rejections: step.illegal_heard.unwrap_or(0), heard }),
        (None, None) => Err("rejected tries of the other side are counted in `illegal_heard`".to_owned()),
    }
}

fn heard(announcement: &AnnouncedPercept) -> Result<Heard, String> {
    let capture = match &announcement.capture {
        Some(square) => Some(square.parse::<Square>().map_err(|_| format!("`{square}` is no square"))?),
        None => None,
    };
    let mut checks = Checks::NONE;
    for name in &announcement.checks {
        let direction = Direction::ALL.into_iter().find(|direction| direction.name() == name);
        checks = checks.with(direction.ok_or_else(|| format!("`{name}` is no direction of check"))?);
    }
    let ends = [End::Checkmate, End::Stalemate, End::Insufficient];
    let end = match &announcement.end {
        None => None,
        Some(name) => {
            Some(*ends.iter().find(|end| end.name() == name).ok_or_else(|| format!("`{name}` is no end"))?)
        }
    };
    Ok((Percept { capture, checks }, end))
}

/// Whether the side that tells the history is to move after it.
pub fn is_own_turn(events: &[KriegEvent]) -> bool {
    !matches!(events.last(), Some(Event::Own { heard: Some(_), .. }))
}

/// An announcement in words that are read back.
pub fn announced(heard: Option<Heard>) -> AnnouncedPercept {
    match heard {
        None => AnnouncedPercept { legal: false, capture: None, checks: Vec::new(), end: None },
        Some((percept, end)) => AnnouncedPercept {
            legal: true,
            capture: percept.capture.map(|square| square.to_string()),
            checks: percept.checks.iter().map(|direction| direction.name().to_owned()).collect(),
            end: end.map(|end| end.name().to_owned()),
        },
    }
}

/// Events as steps of a history.
pub fn history(root: &Board, events: &[KriegEvent]) -> Vec<Step> {
    let mut turn = root.turn();
    let mut steps = Vec::new();
    for event in events {
        let by = turn.letter().to_string();
        let plain = Step {
            by,
            attempt: None,
            illegal_heard: None,
            percept: announced(None),
            states: None,
            sha256: None,
        };
        steps.push(match *event {
            Event::Own { attempt, heard } => {
                Step { attempt: Some(attempt.to_string()), percept: announced(heard), ..plain }
            }
            Event::Other { rejections, heard } => {
                Step { illegal_heard: Some(rejections), percept: announced(Some(heard)), ..plain }
            }
        });
        if !matches!(event, Event::Own { heard: None, .. }) {
            turn = turn.other();
        }
    }
    steps
}
