//! The check of a certificate by code that searches nothing.

use std::time::Instant;

use counterplay_base::Budget;
use counterplay_check::{
    CertificateClaim, CertificateFile, CertificateFlaw, ComparedGrounding, check_certificate,
    check_task_plan, compare_grounding,
};
use serde::Serialize;

use super::check::{CheckRequest, check};
use crate::amount::Amount;
use crate::effort::seconds;
use crate::error::Halt;
use crate::figures::count;
use crate::problem::LiftedProblem;

/// The files of a certificate, as texts.
#[derive(Clone, Debug)]
pub struct CertificateTexts {
    /// The finite task, `task.sas`.
    pub task: String,
    /// The invariant, `invariant.txt`.
    pub invariant: String,
    /// The plan, if there is one.
    pub plan: Option<String>,
}

/// Whether a certificate is valid. Its JSON form is what `counterplay check --certificate DIR --json` prints.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CertificateValidity {
    /// Whether it is valid.
    pub valid: bool,
    /// If it is not: the first thing that is wrong, with file and line.
    pub why: Option<String>,
    /// `unsolvable`, `at-least`, or `optimal` if a plan has just the cost that every plan has at least; what a policy guarantees, or
    /// `no-weak`, `no-strong`, `no-strong-cyclic` where there is none.
    pub claim: Option<&'static str>,
    /// Beside a policy: what is proved not to exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excluded: Option<&'static str>,
    /// What every plan costs at least, in units of the finite task.
    pub bound: Option<u64>,
    /// What the plan costs, in the same units.
    pub cost: Option<u64>,
    /// Closed states, or nodes that are listed.
    pub states: Option<usize>,
    /// Estimates, each for many states.
    pub estimates: Option<usize>,
    /// Layers, each a set of states given by a decision diagram.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<usize>,
    /// Nodes of these diagrams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<usize>,
    /// Steps, or pairs of nodes, that were looked at.
    pub steps: Option<usize>,
    /// Whether the finite task stands for the problem, if that was given: `confirmed`, or what was not compared.
    pub grounding: Option<String>,
    /// What the plan costs in the problem's own units, if that was given.
    pub problem_cost: Option<Amount>,
    /// Seconds of wall time.
    pub seconds: f64,
}

/// Checks a certificate, and that it is about the problem, if one is given.
///
/// # Errors
/// A file that cannot be read, or the limit that was reached. A certificate that does not verify is no error.
pub fn check_certificate_texts(
    texts: &CertificateTexts,
    problem: Option<&LiftedProblem>,
    budget: &Budget,
) -> Result<CertificateValidity, Halt> {
    let started = Instant::now();
    let found = look(texts, budget).and_then(|mut validity| {
        if let Some(lifted) = problem {
            validity.grounding = Some(grounding(texts, lifted, budget)?);
        }
        Ok(validity)
    });
    let mut validity = match found {
        Ok(validity) => validity,
        Err(CertificateFlaw::Stopped(limit)) => return Err(limit.into()),
        Err(flaw) => CertificateValidity {
            valid: false,
            why: Some(flaw.to_string()),
            ..CertificateValidity::nothing()
        },
    };
    if let (true, Some(lifted), Some(plan)) = (validity.valid, problem, &texts.plan) {
        let checked = check(lifted, CertificateFile::Plan.name(), plan, &CheckRequest::default(), budget)?;
        validity.problem_cost = checked.metric.or(checked.cost);
        validity.valid = checked.valid;
        validity.why = checked.why;
    }
    validity.seconds = seconds(started.elapsed());
    Ok(validity)
}

/// Whether the task stands for the problem.
fn grounding(
    texts: &CertificateTexts,
    lifted: &LiftedProblem,
    budget: &Budget,
) -> Result<String, CertificateFlaw> {
    Ok(match compare_grounding(&lifted.problem, &texts.task, budget)? {
        ComparedGrounding::Same { .. } => "confirmed".to_owned(),
        ComparedGrounding::NotCompared(why) => format!("not compared: {why}"),
    })
}

fn look(texts: &CertificateTexts, budget: &Budget) -> Result<CertificateValidity, CertificateFlaw> {
    let checked = check_certificate(&texts.task, &texts.invariant, budget)?;
    let cost = match &texts.plan {
        Some(plan) => Some(check_task_plan(&texts.task, plan, budget)?),
        None => None,
    };
    let (claim, bound) = match checked.claim {
        CertificateClaim::Unsolvable => ("unsolvable", None),
        CertificateClaim::AtLeast(bound) if cost == Some(bound) => ("optimal", Some(bound)),
        CertificateClaim::AtLeast(bound) => ("at-least", Some(bound)),
    };
    let contradiction = match (checked.claim, cost) {
        (CertificateClaim::Unsolvable, Some(_)) => {
            Some("there is a plan, and the invariant claims that there is none")
        }
        (CertificateClaim::AtLeast(bound), Some(cost)) if cost < bound => {
            Some("the plan costs less than the invariant allows")
        }
        _ => None,
    };
    if let Some(why) = contradiction {
        return Err(CertificateFlaw::Wrong { file: CertificateFile::Plan, line: 1, why: why.to_owned() });
    }
    Ok(CertificateValidity {
        claim: Some(claim),
        bound,
        cost,
        states: Some(checked.states),
        estimates: Some(checked.estimates),
        layers: Some(checked.layers),
        nodes: Some(checked.nodes),
        steps: Some(checked.steps),
        ..CertificateValidity::nothing()
    })
}

impl CertificateValidity {
    /// Valid so far, and nothing is known.
    pub(super) fn nothing() -> CertificateValidity {
        CertificateValidity {
            valid: true,
            why: None,
            claim: None,
            excluded: None,
            bound: None,
            cost: None,
            states: None,
            estimates: None,
            layers: None,
            nodes: None,
            steps: None,
            grounding: None,
            problem_cost: None,
            seconds: 0.0,
        }
    }

    /// Notes what is wrong; the first thing counts.
    pub(super) fn refuse(&mut self, why: String) {
        if std::mem::replace(&mut self.valid, false) {
            self.why = Some(why);
        }
    }

    /// One line for people.
    pub fn text(&self) -> String {
        if !self.valid {
            return format!("invalid: {}\n", self.why.as_deref().unwrap_or_default());
        }
        if self.estimates.is_none() {
            let claim = self.claim.unwrap_or_default();
            let excluded = self.excluded.filter(|_| self.excluded != self.claim);
            let excluded = excluded.map(|word| format!(", {word}")).unwrap_or_default();
            let (nodes, moves) = (self.states.unwrap_or(0), self.steps.unwrap_or(0));
            return format!(
                "valid: {claim}{excluded} ({}, {})\n",
                count(nodes, "node"),
                count(moves, "move")
            );
        }
        let claim = match (self.claim, self.bound) {
            (Some("unsolvable"), _) => "there is no plan of this task".to_owned(),
            (Some("optimal"), Some(bound)) => {
                format!("the plan costs {bound}, and no plan of this task costs less")
            }
            (_, bound) => format!("every plan of this task costs at least {}", bound.unwrap_or(0)),
        };
        let parts = match (self.layers, self.nodes) {
            (Some(layers), Some(nodes)) if layers > 0 => {
                format!("{}, {}", count(layers, "layer"), count(nodes, "node"))
            }
            _ => {
                let states = count(self.states.unwrap_or(0), "closed state");
                format!("{states}, {}", count(self.estimates.unwrap_or(0), "estimate"))
            }
        };
        let grounding = match self.grounding.as_deref() {
            None => "the problem was not given".to_owned(),
            Some(grounding) => format!("the task stands for the problem: {grounding}"),
        };
        format!("valid: {claim} ({parts}; {grounding})\n")
    }
}
