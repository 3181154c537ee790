//! The check of plans and policies that others made.

use std::time::Instant;

use counterplay_base::Budget;
use counterplay_check::{
    self as checker, CheckedPolicy, ContingentError, ContingentFlaw, DecompositionError, DecompositionFlaw,
    Examined, Flaw, Guarantee, NetworkPolicyFlaw, PlanError, PolicyFlaw, PolicyOptions,
};
use counterplay_syntax::{Diagnostic, FileId, Sources, Span};
use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

use super::policy::check_options;
use super::request::Class;
use crate::amount::Amount;
use crate::effort::seconds;
use crate::error::{Error, Halt};
use crate::figures::count;
use crate::problem::LiftedProblem;

/// The worth of a policy with more states is not computed.
const MOST_EVALUATED: usize = 5_000;

/// What a plan or policy is checked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct CheckRequest {
    /// What a policy has to guarantee; what it claims, or strong-cyclic, if it is left open.
    pub class: Option<Class>,
    /// So many states of a policy are checked one by one; beyond, sets of states, and random runs if all else fails.
    pub most_states: usize,
    /// Whether the state is hidden although nothing in the files says so.
    pub hidden: bool,
    /// Only so many random runs of a policy are checked.
    pub runs: Option<u32>,
    /// Whether the outcomes of `oneof` are equally likely: then every policy has a probability of reaching the goal.
    pub uniform: bool,
    /// The seed of random runs.
    pub seed: u64,
}

impl Default for CheckRequest {
    fn default() -> CheckRequest {
        CheckRequest {
            class: None,
            most_states: 1_000_000,
            hidden: false,
            runs: None,
            uniform: false,
            seed: 0,
        }
    }
}

/// Whether a plan or policy is valid. Its JSON form is what `counterplay check --json` prints.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Validity {
    /// Whether it is valid.
    pub valid: bool,
    /// If it is not: the first thing that is wrong, or all unknown names.
    pub why: Option<String>,
    /// What the plan costs, in the problem's own units.
    pub cost: Option<Amount>,
    /// The value of the problem's `:metric`.
    pub metric: Option<Amount>,
    /// The number of steps.
    pub length: Option<usize>,
    /// What the policy guarantees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// What a certificate proves: a class, or `no-weak`, `no-strong`, `no-strong-cyclic`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<&'static str>,
    /// How many states the policy can reach, if all of them were checked one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// Whether the class is certain; it is not after random runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// The probability with which the policy reaches the goal, where outcomes have probabilities and all its states were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// What the policy costs on average until then; left out unless it reaches the goal for sure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_cost: Option<f64>,
    /// Steps of random runs, where nothing else was checked.
    #[serde(skip)]
    pub run_steps: Option<usize>,
    /// Seconds of wall time.
    pub seconds: f64,
    /// What is wrong, with places in `sources`.
    #[serde(skip)]
    pub diagnostics: Vec<Diagnostic>,
    /// The texts.
    #[serde(skip)]
    pub sources: Sources,
}

impl Validity {
    fn valid() -> Validity {
        Validity {
            valid: true,
            why: None,
            cost: None,
            metric: None,
            length: None,
            class: None,
            claim: None,
            states: None,
            complete: None,
            probability: None,
            expected_cost: None,
            run_steps: None,
            seconds: 0.0,
            diagnostics: Vec::new(),
            sources: Sources::default(),
        }
    }

    fn of_plan(checked: &checker::Checked) -> Validity {
        Validity {
            cost: checked.cost.map(Amount),
            metric: checked.metric.map(Amount),
            length: Some(checked.length),
            ..Validity::valid()
        }
    }

    fn of_policy(checked: &CheckedPolicy) -> Validity {
        let (states, run_steps) = match checked.looked {
            Examined::States(states) => (Some(states), None),
            Examined::Sets => (None, None),
            Examined::Runs(steps) => (None, Some(steps)),
        };
        let class = Some(Class::from(checked.guarantee));
        Validity { class, states, run_steps, complete: Some(checked.is_certain()), ..Validity::valid() }
    }

    /// One line for people.
    pub fn text(&self) -> String {
        if !self.valid {
            return format!("invalid: {}\n", self.why.as_deref().unwrap_or_default());
        }
        if let Some(claim) = self.claim {
            return format!("valid: {claim} ({})\n", count(self.states.unwrap_or(0), "node"));
        }
        if let Some(class) = self.class {
            let how = match (self.states, self.run_steps) {
                (Some(states), _) => count(states, "state"),
                (None, Some(steps)) => format!("{} of random runs only", count(steps, "step")),
                (None, None) => "by sets of states".to_owned(),
            };
            let chance = self.probability.map(|it| format!(", probability {it}")).unwrap_or_default();
            let cost = self.expected_cost.map(|it| format!(", expected cost {it}")).unwrap_or_default();
            return format!("valid: {}, {how}{chance}{cost}\n", class.name());
        }
        let worth = match (self.metric, self.cost) {
            (Some(metric), _) => format!(", metric {metric}"),
            (None, Some(cost)) => format!(", cost {cost}"),
            (None, None) => String::new(),
        };
        format!("valid: {}{worth}\n", count(self.length.unwrap_or(0), "step"))
    }
}

/// Why a check ended without a result, or with a negative one.
enum Refusal {
    /// It can be read, and it is wrong.
    Invalid(Vec<Diagnostic>),
    /// It cannot be read.
    Unreadable(Vec<Diagnostic>),
    /// A limit was reached.
    Halt(Halt),
}

type Finding = Result<Validity, Refusal>;

/// Checks a plan, a plan of a task network with its decomposition, or a policy, on the problem as it is written: without grounding
/// and without search. `name` is what messages call the text.
///
/// # Errors
/// A text that cannot be read, or the limit that was reached.
pub fn check(
    lifted: &LiftedProblem,
    name: &str,
    text: &str,
    request: &CheckRequest,
    budget: &Budget,
) -> Result<Validity, Halt> {
    let started = Instant::now();
    let mut sources = lifted.sources.clone();
    let file = sources.add(name, text);
    let problem = &lifted.problem;
    let check = Check { lifted, sources: &sources, file, request, budget };
    let is_network_policy = checker::is_network_policy(&sources, file);
    let is_policy = checker::is_policy(&sources, file);
    let found = if checker::is_closure(text) {
        check.closure(text)
    } else if problem.is_partially_observable() || request.hidden {
        check.hidden()
    } else if is_network_policy {
        check.network_policy()
    } else if problem.hierarchy.is_some() && !problem.is_nondeterministic() && !is_policy {
        check.decomposition()
    } else if problem.is_nondeterministic() || is_policy {
        check.policy()
    } else {
        check.plan()
    };
    let mut validity = match found {
        Ok(validity) => validity,
        Err(Refusal::Halt(halt)) => return Err(halt),
        Err(Refusal::Unreadable(diagnostics)) => return Err(Error::Input { sources, diagnostics }.into()),
        Err(Refusal::Invalid(diagnostics)) => {
            let why: Vec<&str> = diagnostics.iter().map(|finding| finding.message.as_str()).collect();
            Validity { valid: false, why: Some(why.join("; ")), diagnostics, ..Validity::valid() }
        }
    };
    validity.sources = sources;
    validity.seconds = seconds(started.elapsed());
    Ok(validity)
}

struct Check<'a> {
    lifted: &'a LiftedProblem,
    sources: &'a Sources,
    file: FileId,
    request: &'a CheckRequest,
    budget: &'a Budget,
}

impl Check<'_> {
    /// A certificate that lists nodes.
    fn closure(&self, text: &str) -> Finding {
        let whole = Span { file: self.file, start: 0, end: 0 };
        match checker::check_closure(&self.lifted.problem, text, None, self.budget) {
            Ok(checked) => {
                let class = match checked.claim {
                    checker::ClosureClaim::Is(guarantee) => Some(Class::from(guarantee)),
                    checker::ClosureClaim::No(_) => None,
                };
                let claim = Some(checked.claim.word());
                Ok(Validity { class, claim, states: Some(checked.nodes), ..Validity::valid() })
            }
            Err(checker::ClosureFlaw::Stopped(limit)) => Err(Refusal::Halt(limit.into())),
            Err(flaw) => Err(Refusal::Invalid(vec![Diagnostic {
                severity: counterplay_syntax::Severity::Error,
                code: "certificate::wrong",
                message: flaw.to_string(),
                labels: vec![counterplay_syntax::Label { span: whole, text: String::new() }],
                help: None,
            }])),
        }
    }

    fn plan(&self) -> Finding {
        let problem = &self.lifted.problem;
        let steps = checker::read_plan(self.sources, self.file, problem).map_err(|errors| {
            // What cannot be read is bad input; what names things that do not exist is a plan, and a wrong one.
            let is_unreadable =
                |error: &PlanError| matches!(error, PlanError::Syntax(_) | PlanError::NoStep { .. });
            refused(errors.iter().any(is_unreadable), errors.iter().map(PlanError::diagnostic))
        })?;
        match checker::check_plan(problem, &steps, self.budget) {
            Ok(checked) => Ok(Validity::of_plan(&checked)),
            Err(Flaw::Stopped { limit }) => Err(Refusal::Halt(limit.into())),
            Err(flaw @ Flaw::Overflow { .. }) => Err(Refusal::Unreadable(vec![flaw.diagnostic()])),
            Err(flaw) => Err(Refusal::Invalid(vec![flaw.diagnostic()])),
        }
    }

    /// A plan of a task network must come with its decomposition.
    fn decomposition(&self) -> Finding {
        let problem = &self.lifted.problem;
        let text = checker::read_decomposition(self.sources, self.file, problem).map_err(|errors| {
            let is_unreadable =
                |error: &DecompositionError| matches!(error, DecompositionError::Malformed { .. });
            refused(errors.iter().any(is_unreadable), errors.iter().map(DecompositionError::diagnostic))
        })?;
        match checker::check_decomposition(problem, &text, self.budget) {
            Ok(length) => {
                let cost = Some(Amount((length as i128).into()));
                Ok(Validity { length: Some(length), cost, ..Validity::valid() })
            }
            Err(DecompositionFlaw::Stopped { limit } | DecompositionFlaw::Plan(Flaw::Stopped { limit })) => {
                Err(Refusal::Halt(limit.into()))
            }
            Err(flaw) => Err(Refusal::Invalid(vec![flaw.diagnostic()])),
        }
    }

    /// A sequence of steps or a contingent plan, from every initial state.
    fn hidden(&self) -> Finding {
        let problem = &self.lifted.problem;
        let whole = Span { file: self.file, start: 0, end: 0 };
        let most = self.request.most_states;
        let (result, class, length) = if checker::is_contingent(self.sources, self.file) {
            let text = checker::read_contingent(self.sources, self.file, problem).map_err(|errors| {
                Refusal::Unreadable(errors.iter().map(ContingentError::diagnostic).collect())
            })?;
            let wanted = self.request.class.map_or(text.claimed, Guarantee::from);
            let length = text.nodes.iter().filter(|node| !node.steps.is_empty()).count();
            (checker::check_contingent(problem, &text, wanted, most, self.budget), wanted, length)
        } else {
            let steps = checker::read_plan(self.sources, self.file, problem).map_err(|errors| {
                let is_unreadable =
                    |error: &PlanError| matches!(error, PlanError::Syntax(_) | PlanError::NoStep { .. });
                refused(errors.iter().any(is_unreadable), errors.iter().map(PlanError::diagnostic))
            })?;
            let result = checker::check_conformant(problem, &steps, most, self.budget);
            (result, Guarantee::Strong, steps.len())
        };
        match result {
            Ok(states) => {
                let checked = CheckedPolicy { guarantee: class, looked: Examined::States(states) };
                Ok(Validity { length: Some(length), ..Validity::of_policy(&checked) })
            }
            Err(ContingentFlaw::Stopped { limit }) => Err(Refusal::Halt(limit.into())),
            Err(ContingentFlaw::TooLarge) => {
                Err(Refusal::Halt(counterplay_base::Limit::Nodes(most as u64).into()))
            }
            Err(flaw) => Err(Refusal::Invalid(vec![flaw.diagnostic(whole)])),
        }
    }

    /// A policy over state and network.
    fn network_policy(&self) -> Finding {
        let problem = &self.lifted.problem;
        let text = checker::read_network_policy(self.sources, self.file, problem)
            .map_err(|flaw| Refusal::Unreadable(vec![flaw.diagnostic()]))?;
        let wanted = self.request.class.map_or(text.claimed, Guarantee::from);
        match checker::check_network_policy(problem, &text, wanted, self.budget) {
            Ok(states) => Ok(Validity::of_policy(&CheckedPolicy {
                guarantee: wanted,
                looked: Examined::States(states),
            })),
            Err(NetworkPolicyFlaw::Stopped { limit }) => Err(Refusal::Halt(limit.into())),
            Err(flaw) => Err(Refusal::Invalid(vec![flaw.diagnostic()])),
        }
    }

    fn policy(&self) -> Finding {
        let problem = &self.lifted.problem;
        let policy = checker::read_policy(self.sources, self.file, problem).map_err(|errors| {
            let is_unreadable =
                |error: &PlanError| matches!(error, PlanError::Syntax(_) | PlanError::NoRule { .. });
            refused(errors.iter().any(is_unreadable), errors.iter().map(PlanError::diagnostic))
        })?;
        let asked = self.request.class.map(Guarantee::from);
        let wanted = asked.or(policy.claimed).unwrap_or(Guarantee::StrongCyclic);
        let standard = check_options(wanted, self.request.seed);
        let options = PolicyOptions {
            most_states: self.request.most_states,
            only_runs: self.request.runs.is_some(),
            runs: self.request.runs.unwrap_or(standard.runs),
            ..standard
        };
        match checker::check_policy(problem, &policy.rules, options, self.budget) {
            Ok(checked) => Ok(self.with_worth(Validity::of_policy(&checked), &policy.rules)),
            Err(PolicyFlaw::Stopped { limit }) => Err(Refusal::Halt(limit.into())),
            Err(flaw) => Err(Refusal::Invalid(vec![flaw.diagnostic(self.file)])),
        }
    }

    /// Adds what a policy is worth, where outcomes have probabilities and the policy is not too large for fractions.
    fn with_worth(&self, mut validity: Validity, rules: &[checker::Rule]) -> Validity {
        let CheckRequest { uniform, most_states, .. } = *self.request;
        let problem = &self.lifted.problem;
        if !uniform && !problem.has_odds() {
            return validity;
        }
        let most = most_states.min(MOST_EVALUATED);
        if let Ok(worth) = checker::policy_worth(problem, rules, uniform, most, self.budget) {
            validity.probability = worth.probability.to_f64();
            validity.expected_cost = worth.cost.and_then(|cost| cost.to_f64());
        }
        validity
    }
}

fn refused(is_unreadable: bool, diagnostics: impl Iterator<Item = Diagnostic>) -> Refusal {
    let diagnostics = diagnostics.collect();
    if is_unreadable { Refusal::Unreadable(diagnostics) } else { Refusal::Invalid(diagnostics) }
}
