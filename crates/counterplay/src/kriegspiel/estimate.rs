//! State estimation: the positions that agree with all that was heard.

use counterplay_base::{Budget, Limit, Progress};
use counterplay_belief::update;
use counterplay_kriegspiel::Kriegspiel;
use counterplay_kriegspiel::chess::{Board, FenError};
use counterplay_kriegspiel::steps::{self, Step, StepError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::answer::name;

/// A history as a JSON line of a file tells it; other fields are ignored.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct History {
    /// A name for it.
    pub id: Option<Value>,
    /// Where it begins.
    #[serde(alias = "root_fen")]
    pub start_fen: String,
    /// What happened since.
    #[serde(alias = "history")]
    pub steps: Vec<Step>,
}

/// The sizes of the belief state after each step. Its JSON form is what `counterplay kriegspiel estimate --json` prints for a history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The name of the history, or its number.
    pub id: Value,
    /// The belief state after each step.
    pub steps: Vec<EstimatedStep>,
    /// The positions after the last step, sorted, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<Vec<String>>,
}

/// The belief state after a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EstimatedStep {
    /// The number of positions.
    pub states: usize,
    /// SHA-256 of the sorted positions, a line each, without a last line end.
    pub sha256: String,
    /// Whether both are as the history records them, if it does.
    pub ok: bool,
}

/// Why there is no estimate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistoryError {
    /// The first position cannot be read.
    #[error("start position: {0}")]
    Start(FenError),
    /// A step makes no sense.
    #[error("{0}")]
    Step(#[from] StepError),
    /// No position agrees with the history up to a step, counted from one.
    #[error("step {0}: no position agrees with the history up to here")]
    Contradiction(usize),
    /// A limit was reached.
    #[error("{0}")]
    Limit(Limit),
}

/// Carries the belief state through all steps of a history. `number` is its name if it has none; with `list` the answer has the
/// positions after the last step.
///
/// # Errors
/// A history that makes no sense, or the limit that was reached.
pub fn estimate(
    history: &History,
    number: usize,
    list: bool,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Estimate, HistoryError> {
    progress.begin("estimating");
    let root = Board::from_fen(&history.start_fen).map_err(HistoryError::Start)?;
    let events = steps::events(&root, &history.steps)?;
    let world = Kriegspiel::default();
    let mut belief = vec![root];
    let mut estimated = Vec::with_capacity(events.len());
    for (i, (event, step)) in events.iter().zip(&history.steps).enumerate() {
        budget.check().map_err(HistoryError::Limit)?;
        belief = update(&world, &belief, event);
        if belief.is_empty() {
            return Err(HistoryError::Contradiction(i + 1));
        }
        let (states, sha256) = (belief.len(), hash(&belief));
        let ok = step.states.is_none_or(|recorded| recorded == states as u64)
            && step.sha256.as_ref().is_none_or(|recorded| *recorded == sha256);
        estimated.push(EstimatedStep { states, sha256, ok });
    }
    let positions = list.then(|| {
        let mut positions: Vec<String> = belief.iter().map(Board::to_string).collect();
        positions.sort_unstable();
        positions
    });
    let id = history.id.clone().unwrap_or_else(|| Value::from(number));
    Ok(Estimate { id, steps: estimated, positions })
}

/// SHA-256 of the sorted positions, a line each, without a last line end.
fn hash(belief: &[Board]) -> String {
    let mut lines: Vec<String> = belief.iter().map(Board::epd).collect();
    lines.sort_unstable();
    let digest = Sha256::digest(lines.join("\n").as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Estimate {
    /// Whether every step is as the history records it.
    pub fn is_as_recorded(&self) -> bool {
        self.steps.iter().all(|step| step.ok)
    }

    /// The numbers of positions on a line, and the positions after the last step if they were asked for.
    pub fn text(&self) -> String {
        let mut text = format!("{}:", name(&self.id));
        for step in &self.steps {
            text.push_str(&format!(" {}{}", step.states, if step.ok { "" } else { " (differs)" }));
        }
        text.push('\n');
        for position in self.positions.iter().flatten() {
            text.push_str(&format!("  {position}\n"));
        }
        text
    }
}
