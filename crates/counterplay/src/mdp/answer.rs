//! The answer of [`solve`](super::solve).

use std::fmt::Write;

use counterplay_base::{Evidence, Limit, Verdict};
use serde::Serialize;

use super::request::Objective;
use crate::effort::Phases;
use crate::verdict;

/// The answer to a decision process. Its JSON form is what `counterplay mdp --json` prints.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MdpAnswer {
    /// `solved`, `unsolvable` or `stopped`.
    #[serde(serialize_with = "verdict::word")]
    #[cfg_attr(feature = "schema", schemars(with = "verdict::Word"))]
    pub verdict: Verdict<()>,
    /// What the policy is to achieve.
    pub objective: Objective,
    /// The best value at the initial state: a probability, an expected cost, or an expected sum of rewards less costs.
    pub value: Option<f64>,
    /// The same as a fraction, if it is known exactly.
    pub exact: Option<String>,
    /// No value is less than this.
    pub lower_bound: Option<f64>,
    /// No value is more than this.
    pub upper_bound: Option<f64>,
    /// The probability with which the policy reaches a goal.
    pub probability: Option<f64>,
    /// The expected cost of the policy until then; left out unless a goal is reached for sure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// States that were looked at: all that can be reached, if these are not too many.
    pub states: Option<usize>,
    /// Actions in them, counted state by state.
    pub actions: Option<usize>,
    /// What to do, for the states that can come up under the policy. With a horizon, what to do first.
    pub policy: Option<Vec<MdpRule>>,
    /// What the answer rests on.
    pub evidence: Evidence,
    /// The limit that was reached.
    pub limit: Option<&'static str>,
    /// Why there is no policy, or what is not known.
    pub why: Option<String>,
    /// Seconds of wall time, reading included.
    pub seconds: f64,
    /// Seconds of wall time for each phase.
    pub phases: Phases,
    /// The policy as a file that `check` and `act` read; none for a process without atoms.
    #[serde(skip)]
    pub(crate) file: Option<String>,
}

/// What to do in a state.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MdpRule {
    /// The state: its name, or the atoms that are true.
    pub state: String,
    pub action: String,
    /// What the state is worth.
    pub value: f64,
}

impl MdpAnswer {
    /// An answer without a policy.
    pub(crate) fn without(objective: Objective, verdict: Verdict<()>, evidence: Evidence) -> MdpAnswer {
        let limit = verdict.limit();
        MdpAnswer {
            verdict,
            objective,
            value: None,
            exact: None,
            lower_bound: None,
            upper_bound: None,
            probability: None,
            cost: None,
            states: None,
            actions: None,
            policy: None,
            evidence,
            limit: limit.map(Limit::name),
            why: limit.map(|limit| limit.to_string()),
            seconds: 0.0,
            phases: Phases::default(),
            file: None,
        }
    }

    /// The policy as a file.
    pub fn file_text(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The answer for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let what = match self.objective {
            Objective::MaxProb => "greatest probability of the goal",
            Objective::MinCost => "least expected cost",
            Objective::Discounted => "greatest discounted value",
            Objective::Horizon => "greatest value within the horizon",
        };
        match (&self.exact, self.value, self.lower_bound, self.upper_bound) {
            (Some(exact), Some(value), ..) if exact.len() <= 40 => {
                let _ = writeln!(text, "{what}: {exact} = {value}");
            }
            (Some(_), Some(value), ..) => {
                let _ = writeln!(text, "{what}: {value}");
            }
            (None, Some(_), Some(low), Some(high)) => {
                let _ = writeln!(text, "{what}: between {low} and {high}");
            }
            _ => {
                let _ = writeln!(text, "{what}: {}", self.verdict.word());
            }
        }
        if let Some(why) = &self.why {
            let _ = writeln!(text, "{why}");
        }
        for rule in self.policy.iter().flatten() {
            let _ = writeln!(text, "{}: {} ; {}", rule.state, rule.action, rule.value);
        }
        text
    }
}
