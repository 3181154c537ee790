//! Policies, by running them against every choice of nature.
//!
//! The execution structure is built explicitly from the lifted problem: states are sets of true atoms, and from each
//! one all outcomes of the action that the policy names are followed. Which class the policy has is then a
//! question about this [`graph`]. Where that has too many states, the same question is asked about [`sets`] of
//! states. What can be decided neither way is tried in random runs, and the result says so; the same is done when
//! nothing else is asked for.

mod diagram;
mod exclusive;
mod graph;
pub(crate) mod ground;
mod sample;
mod sets;
mod witness;

use counterplay_base::{Budget, Limit};
use counterplay_pddl::model::Problem;
use counterplay_syntax::{Diagnostic, FileId, Label, Severity, Span};

use crate::derive::Axioms;
use crate::evaluate::CheckContext;
use crate::policy_file::Rule;
use graph::{Key, Run};
use ground::Unfit;
use sets::Sets;

/// What a policy guarantees; later ones guarantee more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guarantee {
    /// The goal may be reached.
    Weak,
    /// From every state that can come about, the goal can be reached.
    StrongCyclic,
    /// The goal is reached, whatever happens.
    Strong,
}

/// How thoroughly to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyOptions {
    /// What the policy has to guarantee.
    pub wanted: Guarantee,
    /// So many states are looked at one by one.
    pub most_states: usize,
    /// Only random runs are made.
    pub only_runs: bool,
    /// How many random runs.
    pub runs: u32,
    pub seed: u64,
}

/// What was found out about a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedPolicy {
    /// What it guarantees; after random runs, what was wanted.
    pub guarantee: Guarantee,
    /// What that is known from.
    pub looked: Examined,
}

/// What a check of a policy examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Examined {
    /// Every state that the policy can reach: how many these are.
    States(usize),
    /// Sets of states, the reachable ones among them.
    Sets,
    /// Random runs with so many steps.
    Runs(usize),
}

impl CheckedPolicy {
    /// Whether the guarantee is certain.
    pub fn is_certain(&self) -> bool {
        !matches!(self.looked, Examined::Runs(_))
    }
}

/// What is wrong with a policy. A trace is the actions that lead there, each with the state after it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyFlaw {
    /// A state that can come about has no answer.
    #[error("no pair says what to do {}", after(.trace))]
    Unanswered {
        /// How it comes about.
        trace: Vec<String>,
        state: Vec<String>,
    },
    /// The answer cannot be carried out.
    #[error("`{action}` cannot be applied {}", after(.trace))]
    Inapplicable {
        action: String,
        /// How the state comes about.
        trace: Vec<String>,
        /// Where the pair stands.
        at: Span,
    },
    /// The goal cannot be reached any more.
    #[error("the goal cannot be reached any more {}", after(.trace))]
    Lost {
        /// How it comes about.
        trace: Vec<String>,
        state: Vec<String>,
    },
    /// The policy may run for ever.
    #[error("the same state can come back, so the goal need not be reached {}", after(.trace))]
    Cycle {
        /// How the state comes about.
        trace: Vec<String>,
        state: Vec<String>,
    },
    /// Numbers in conditions, which policies are not checked with.
    #[error("policies for problems with numbers are not checked")]
    Numbers,
    /// A limit was reached.
    #[error("{limit}")]
    Stopped { limit: Limit },
}

impl PolicyFlaw {
    /// The flaw with its place, for people; one without a place of its own stands at the end of the policy.
    pub fn diagnostic(&self, file: FileId) -> Diagnostic {
        let (code, state) = match self {
            PolicyFlaw::Unanswered { state, .. } => ("policy::unanswered", state.as_slice()),
            PolicyFlaw::Inapplicable { .. } => ("policy::inapplicable", &[][..]),
            PolicyFlaw::Lost { state, .. } => ("policy::lost", state.as_slice()),
            PolicyFlaw::Cycle { state, .. } => ("policy::cycle", state.as_slice()),
            PolicyFlaw::Numbers => ("policy::numbers", &[][..]),
            PolicyFlaw::Stopped { .. } => ("policy::stopped", &[][..]),
        };
        let span = match self {
            PolicyFlaw::Inapplicable { at, .. } => *at,
            _ => Span { file, start: 0, end: 0 },
        };
        let help = (!state.is_empty()).then(|| format!("the state is {}", state.join(" ")));
        let labels = vec![Label { span, text: String::new() }];
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help }
    }
}

fn after(trace: &[String]) -> String {
    if trace.is_empty() { "at the start".to_owned() } else { format!("after {}", trace.join(" ")) }
}

/// With more states than these, sets of states are tried before all of them are looked at.
const FEW_STATES: usize = 40_000;

pub fn check_policy(
    problem: &Problem,
    rules: &[Rule],
    options: PolicyOptions,
    budget: &Budget,
) -> Result<CheckedPolicy, PolicyFlaw> {
    let stopped = |limit| PolicyFlaw::Stopped { limit };
    let world = CheckContext::new(problem, budget);
    let axioms = Axioms::new(&world).map_err(stopped)?;
    let mut run = Run::new(&world, axioms, rules);
    let starts = run.starts();
    if options.only_runs {
        return run.sample(&starts, options);
    }
    if run.explore(&starts, options.most_states.min(FEW_STATES))? {
        return run.judge(&starts, options.wanted);
    }
    match judge_sets(&mut run, &starts, options, budget) {
        Ok(judged) => return judged,
        Err(Unfit::Stopped(limit)) if budget.check().is_err() => return Err(stopped(limit)),
        Err(Unfit::Kind | Unfit::Stopped(_)) => {}
    }
    match run.explore(&starts, options.most_states)? {
        true => run.judge(&starts, options.wanted),
        false => run.sample(&starts, options),
    }
}

/// Decides by sets of states, if the problem is fit for that.
fn judge_sets(
    run: &mut Run<'_>,
    starts: &[Key],
    options: PolicyOptions,
    budget: &Budget,
) -> Result<Result<CheckedPolicy, PolicyFlaw>, Unfit> {
    let initial: Vec<_> = starts.iter().map(|start| run.true_atoms(start)).collect();
    let mut sets = Sets::new(run.grounder(), run.rules, &initial, budget)?;
    let judgement = sets.judge()?;
    let all_in =
        |sets: &Sets<'_>, set| initial.iter().all(|start| sets.contains(set, |atom| start.contains(atom)));
    let guarantee = if all_in(&sets, judgement.strong) {
        Some(Guarantee::Strong)
    } else if all_in(&sets, judgement.left()) {
        Some(Guarantee::StrongCyclic)
    } else {
        let weak = sets.weak(&judgement)?;
        all_in(&sets, weak).then_some(Guarantee::Weak)
    };
    Ok(match guarantee {
        Some(guarantee) if guarantee >= options.wanted => {
            Ok(CheckedPolicy { guarantee, looked: Examined::Sets })
        }
        _ => Err(run.witness(&sets, &judgement, starts, options.most_states.max(FEW_STATES))),
    })
}
