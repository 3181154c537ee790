//! The answer of [`solve`](super::solve).

use counterplay_base::{Evidence, Limit, Number, Verdict};
use serde::Serialize;

use super::certificate::{Certificate, Proof};
use super::request::Class;
use super::scene::PolicyStates;
use super::text::Body;
use crate::amount::Amount;
use crate::effort::Phases;
use crate::verdict;

/// The answer to a planning problem. Its JSON form is what `counterplay solve --json` prints; what does not apply to a kind of
/// problem is null or left out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answer {
    /// `solved`, `unsolvable` or `stopped`.
    #[serde(serialize_with = "verdict::word")]
    #[cfg_attr(feature = "schema", schemars(with = "verdict::Word"))]
    pub verdict: Verdict<()>,
    /// What kind of problem it is.
    pub kind: Kind,
    /// What the actions of the plan cost, in the problem's own units.
    pub cost: Option<Amount>,
    /// The value of the problem's `:metric`.
    pub metric: Option<Amount>,
    /// Steps of the plan, pairs of the policy, nodes of a policy over networks, or places of a contingent plan where something is done.
    pub length: Option<usize>,
    /// The most steps that a contingent plan may take; left out for other kinds and for plans with cycles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<usize>,
    /// Whether no plan is better; left out for policies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal: Option<bool>,
    /// The plan, a step `(op a b)` each: the best one known; `optimal` says whether no other is better.
    pub plan: Option<Vec<String>>,
    /// What an optimal plan costs is at least this; for net benefit, what its metric is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<Amount>,
    /// And at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper_bound: Option<Amount>,
    /// Several plans: those that were asked for, or those that were found on the way, each better than the one before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plans: Option<Vec<FoundPlan>>,
    /// How many plans there are of the kind that was asked for, in decimal digits since it may be large; left out if there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<String>,
    /// How each preference fares under the plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferences: Option<Vec<Preference>>,
    /// No plan has a better metric than this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Amount>,
    /// What the policy guarantees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// Classes of which it was proved that no policy has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impossible: Option<Vec<Class>>,
    /// Classes stronger than that of the policy of which it was not decided in time whether a policy has them; none where one class was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<Vec<Class>>,
    /// The code that confirmed what `impossible` says of the next stronger class, where a policy was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impossible_checked_by: Option<String>,
    /// How much of the policy was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<Coverage>,
    /// The policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicyBody>,
    /// The decomposition of a task network with its reasons, indented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decomposition: Option<String>,
    /// The policy as a graph (SVG), if a picture was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
    /// The states that the policy can reach, if a picture was asked for.
    #[serde(skip)]
    pub policy_states: Option<PolicyStates>,
    /// What the search did; `None` if it was not begun.
    pub search: Option<SearchReport>,
    /// What the answer rests on.
    pub evidence: Evidence,
    /// The certificate, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<Certificate>,
    /// The limit that was reached: `time`, `cpu`, `memory`, `nodes`, `interrupt`, or `loop` for a task that comes up inside itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Seconds of wall time.
    pub seconds: f64,
    /// Seconds of each phase.
    pub phases: Phases,
    /// The most bytes that the process held, if the caller knows.
    pub peak_memory: Option<usize>,
    /// What is needed to write the answer as text.
    #[serde(skip)]
    pub(super) body: Body,
    /// What is needed to write the certificate.
    #[serde(skip)]
    pub(super) proof: Option<Box<Proof>>,
}

/// The kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A plan of least cost.
    Plan,
    /// A plan of best net benefit.
    NetBenefit,
    /// A policy for actions with several outcomes.
    Policy,
    /// A plan or a policy that carries out a task network.
    Htn,
    /// A plan that works although the state is hidden and nothing is observed.
    Conformant,
    /// A plan that branches on what is observed, where the state is hidden.
    Contingent,
}

/// One of several plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FoundPlan {
    /// What it costs, in the problem's own units.
    pub cost: Amount,
    pub length: usize,
    /// Its steps.
    pub plan: Vec<String>,
}

/// A plan or policy that was found and checked, while the search goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interim {
    pub found: InterimFound,
    /// The plan or policy as a file.
    pub text: String,
}

/// What is found before a search is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InterimFound {
    /// A plan, while a better one is looked for.
    Plan(FoundPlan),
    /// A policy, while a stronger one is looked for.
    Policy(InterimPolicy),
}

/// A policy, and what is not decided yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterimPolicy {
    /// What it is proved to guarantee.
    pub class: Class,
    pub rules: Vec<PolicyRule>,
    /// Stronger classes that are still looked for.
    pub open: Vec<Class>,
}

/// How one preference fares under a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Preference {
    /// Its name in the problem.
    pub name: String,
    /// Whether none of its instances is violated.
    pub held: bool,
    /// How many of its instances are violated; one in a precondition counts at each application.
    pub violated: u32,
    /// By how much each violation changes the metric.
    pub weight: Amount,
}

/// How much of a policy the checker looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Coverage {
    /// Every state that the policy can reach.
    Complete,
    /// Random runs only.
    Sampled,
    /// Nothing: there are too many states.
    None,
}

/// A policy in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum PolicyBody {
    /// Pairs of condition and action; the first pair whose condition holds decides.
    Rules(Vec<PolicyRule>),
    /// The lines of a policy over states and task networks.
    Lines(Vec<String>),
    /// The places of a contingent plan; it begins at the first.
    Places(Vec<PlanPlace>),
}

/// One place in a contingent plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanPlace {
    /// Its number.
    pub node: usize,
    /// What to do: nothing where the goal is reached; one of several, picked at random each time, in some strong-cyclic plans.
    #[serde(rename = "do")]
    pub steps: Vec<PlanStep>,
}

/// A step of a contingent plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanStep {
    /// The action, as `(op a b)`.
    pub action: String,
    /// Where the plan goes on.
    pub next: Vec<PlanBranch>,
}

/// If all of this is seen, the plan goes on at a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanBranch {
    /// Literals that are observed; none where there is one way only.
    #[serde(rename = "if")]
    pub seen: Vec<String>,
    /// The number of the node.
    pub node: usize,
}

/// If the condition holds, and no earlier one does, take the action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PolicyRule {
    /// Literals that all have to hold.
    #[serde(rename = "if")]
    pub condition: Vec<String>,
    /// The action, as `(op a b)`.
    #[serde(rename = "do")]
    pub action: String,
}

/// What a search did. Figures that a search does not have are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchReport {
    /// The search that ran.
    pub ran: String,
    /// Layers, or rounds of a fixpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<u64>,
    /// States expanded one by one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expanded: Option<u64>,
    /// Belief states that were met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beliefs: Option<u64>,
    /// The most nodes of decision diagrams at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_nodes: Option<u64>,
    /// No plan costs less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower_bound: Option<Amount>,
    /// A plan of this cost is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper_bound: Option<Amount>,
    /// Rounds of the search for a first decomposition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// The length of the first plan of a task network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_length: Option<u64>,
    /// How often a shorter one was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub improvements: Option<u32>,
    /// Pairs of state and network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<usize>,
}

impl Answer {
    /// An answer without content.
    pub(super) fn new(kind: Kind, verdict: Verdict<()>, evidence: Evidence) -> Answer {
        let limit = verdict.limit();
        Answer {
            verdict,
            kind,
            cost: None,
            metric: None,
            length: None,
            depth: None,
            optimal: None,
            plan: None,
            lower_bound: None,
            upper_bound: None,
            plans: None,
            count: None,
            preferences: None,
            bound: None,
            class: None,
            impossible: None,
            open: None,
            impossible_checked_by: None,
            checked: None,
            policy: None,
            decomposition: None,
            graph: None,
            policy_states: None,
            search: None,
            evidence,
            certificate: None,
            limit: limit.map(Limit::name),
            why: limit.map(|limit| limit.to_string()),
            seconds: 0.0,
            phases: Phases::default(),
            peak_memory: None,
            body: Body::Plan { costs: Vec::new(), unit_cost: false },
            proof: None,
        }
    }

    /// The answer of a run that a limit ended before its search did.
    pub fn stopped(kind: Kind, limit: Limit) -> Answer {
        let mut answer = Answer::new(kind, Verdict::Stopped(limit), bounded("", None, None));
        answer.optimal = Some(false);
        answer
    }

    /// The same answer with the best plan or policy that a search told of before it was ended.
    #[must_use]
    pub fn with_interim(mut self, interim: Interim) -> Answer {
        match interim.found {
            InterimFound::Plan(plan) => {
                self.cost = Some(plan.cost);
                self.length = Some(plan.length);
                self.plan = Some(plan.plan);
                self.body = Body::Interim { text: interim.text };
            }
            InterimFound::Policy(policy) => {
                self.kind = Kind::Policy;
                self.optimal = None;
                self.class = Some(policy.class);
                self.open = Some(policy.open);
                self.length = Some(policy.rules.len());
                self.policy = Some(PolicyBody::Rules(policy.rules));
                self.body = Body::Policy { text: Some(interim.text), wanted: None };
            }
        }
        self
    }

    /// The same answer with bounds that a search told before it was ended.
    #[must_use]
    pub fn with_bounds(mut self, lower: Option<f64>, upper: Option<f64>) -> Answer {
        let engine = "the search that was ended".to_owned();
        self.evidence = Evidence::Bounded { engine, lower: lower.map(Number), upper: upper.map(Number) };
        self
    }
}

/// The evidence of an answer that a limit stopped.
pub(super) fn bounded(engine: &str, lower: Option<Amount>, upper: Option<Amount>) -> Evidence {
    let number = |amount: Amount| Number(amount.to_f64());
    let engine = if engine.is_empty() { "no search: the limit came before it" } else { engine };
    Evidence::Bounded { engine: engine.to_owned(), lower: lower.map(number), upper: upper.map(number) }
}
