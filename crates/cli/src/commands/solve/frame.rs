//! What all answers of `solve` have in common: why they stopped, and what they took.

use counterplay_base::{Evidence, Limit, Number, Verdict};
use serde::Serialize;

use crate::clock::{Phases, seconds};
use crate::figures::Figure;
use crate::memory;
use crate::output::limit_name;
use crate::settings::Settings;

/// The last fields of every answer as JSON; `limit` and `why` appear with `stopped` only.
#[derive(Serialize)]
pub(super) struct Frame {
    /// What the answer rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Evidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    seconds: f64,
    phases: Phases,
    peak_memory: Option<usize>,
}

impl Frame {
    /// The frame of an answer that may have been stopped by a limit.
    pub(super) fn new<T>(verdict: &Verdict<T>, phases: Phases, settings: &Settings) -> Frame {
        let limit = verdict.limit();
        Frame {
            evidence: None,
            limit: limit.map(limit_name),
            why: limit.map(|limit| limit.to_string()),
            seconds: seconds(settings.started.elapsed()),
            phases,
            peak_memory: memory::peak(),
        }
    }

    /// The frame with what the answer rests on.
    pub(super) fn resting_on(self, evidence: &Evidence) -> Frame {
        Frame { evidence: Some(evidence.clone()), ..self }
    }

    /// The same for a task network; what looks like a limit may be a task inside itself.
    pub(super) fn of_network<T>(
        verdict: &Verdict<T>,
        looping: Option<&str>,
        phases: Phases,
        settings: &Settings,
    ) -> Frame {
        let frame = Frame::new(verdict, phases, settings);
        let limit = frame.limit.map(|limit| if looping.is_some() { "loop" } else { limit });
        Frame { limit, why: verdict.limit().map(|limit| why(limit, looping)), ..frame }
    }
}

/// Why the decomposition of a task network stopped.
pub(super) fn why(limit: Limit, looping: Option<&str>) -> String {
    match looping {
        Some(task) => format!("the task ({task}) keeps coming up inside itself without any progress"),
        None => limit.to_string(),
    }
}

/// What an answer that a limit stopped rests on.
pub(super) fn bounded(engine: &str, lower: Option<Figure>, upper: Option<Figure>) -> Evidence {
    let number = |figure: Figure| Number(*figure.0.numer() as f64 / *figure.0.denom() as f64);
    let engine = if engine.is_empty() { "no search: the limit came before it" } else { engine };
    Evidence::Bounded { engine: engine.to_owned(), lower: lower.map(number), upper: upper.map(number) }
}

/// Who confirmed that there is no answer, in a few words.
pub(super) fn confirmed_by(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Proved { checked_by: Some(checker), .. } => format!("confirmed by {checker}"),
        _ => "not confirmed by a second engine".to_owned(),
    }
}

/// What a search over states did, as JSON.
#[derive(Serialize)]
pub(super) struct JsonSearch<'a> {
    pub(super) ran: &'a str,
    pub(super) layers: u64,
    pub(super) expanded: u64,
    pub(super) peak_nodes: u64,
}
