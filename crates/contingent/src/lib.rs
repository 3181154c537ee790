//! Conformant and contingent plans: reaching a goal although the state is hidden.
//!
//! The planner knows the set of states that it may be in, a *belief state*. Without observations a plan is a sequence that works
//! from every initial state (conformant); with them it branches on what is seen (contingent). The search is over an
//! AND-OR graph of belief states ([`Representation`] says how they are held: lists of states, or decision diagrams), with relaxed
//! plans as estimate. A strong plan reaches the goal within a bounded number of steps whatever happens; a strong-cyclic one can always
//! still reach it. That there is none is proved by expanding every belief state that can be met.
//!
//! A coin lies on the table, and its side is not known:
//!
//! ```
//! use counterplay_base::{Budget, Silent};
//! use counterplay_contingent::{Guarantee, Options, solve};
//! use counterplay_syntax::Sources;
//!
//! let mut sources = Sources::default();
//! let domain = sources.add("domain.pddl", "(define (domain coin) (:predicates (heads) (taken))
//!     (:action look :observe (heads))
//!     (:action turn :precondition (not (heads)) :effect (heads))
//!     (:action take :precondition (heads) :effect (taken)))");
//! let problem = sources.add("problem.pddl", "(define (problem one) (:domain coin)
//!     (:init (unknown (heads))) (:goal (taken)))");
//! let problem = counterplay_pddl::read(&sources, domain, problem).unwrap();
//! let budget = Budget::unlimited();
//! let task = counterplay_ground::ground_hidden(&problem, &budget, &Silent).unwrap();
//! let plan = solve(&task, &Options::default(), &budget, &Silent).verdict.solved().unwrap();
//! assert_eq!(plan.guarantee, Guarantee::Strong);
//! ```

mod cyclic;
mod described;
mod diagrams;
mod explicit;
mod graph;
mod heuristic;
mod plan;
mod search;
mod space;
mod text;

use counterplay_base::{Budget, Limit, Progress, Verdict};
use counterplay_task::{HiddenTask, InitialStates};

pub use plan::{Branch, BranchingPlan, PlanNode, PlanStep};
pub use text::{seen, text};

use diagrams::Diagrams;
use explicit::Explicit;
use graph::Graph;
use heuristic::RelaxedPlans;
use search::Search;
use space::BeliefSpace;

/// How belief states are held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Representation {
    /// Lists where the initial states are few, diagrams else and where lists grow too long.
    #[default]
    Auto,
    /// Sorted lists of states.
    Explicit,
    /// Decision diagrams.
    Symbolic,
}

/// What a plan guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guarantee {
    /// The goal is reached within a bounded number of steps.
    Strong,
    /// The goal can always still be reached, and is known when it is.
    StrongCyclic,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The least that a plan has to guarantee; as much as possible if it is left open.
    pub wanted: Option<Guarantee>,
    pub representation: Representation,
    pub seed: u64,
}

/// What a search did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The search that ran.
    pub ran: String,
    /// Belief states that were met.
    pub beliefs: u64,
    /// Belief states that were expanded.
    pub expanded: u64,
    /// Most diagram nodes alive at once.
    pub peak_nodes: Option<u64>,
}

/// The answer of [`solve`].
#[derive(Clone, Debug)]
pub struct Found {
    pub verdict: Verdict<BranchingPlan>,
    /// Whether it was proved that there is no strong plan.
    pub no_strong: bool,
    pub statistics: Statistics,
}

/// Looks for a plan.
pub fn solve(hidden: &HiddenTask, options: &Options, budget: &Budget, progress: &dyn Progress) -> Found {
    let use_lists = match options.representation {
        Representation::Explicit => true,
        Representation::Symbolic => false,
        Representation::Auto => has_few_states(&hidden.initial, budget),
    };
    if use_lists {
        let found = run("explicit belief states", options, budget, progress, hidden, || {
            Ok(Explicit::new(hidden, budget))
        });
        let is_too_long = found.verdict.limit() == Some(Limit::Nodes(explicit::MOST_STATES as u64));
        if options.representation == Representation::Explicit || !is_too_long || budget.check().is_err() {
            return found;
        }
    }
    run("symbolic belief states", options, budget, progress, hidden, || {
        Diagrams::new(hidden, options.seed, budget)
    })
}

/// So many initial states are few.
const FEW: usize = 20_000;

fn has_few_states(initial: &InitialStates, budget: &Budget) -> bool {
    match initial {
        InitialStates::Listed(_) => true,
        InitialStates::Described(description) => described::enumerate(description, FEW, budget).is_ok(),
    }
}

fn run<S: BeliefSpace>(
    name: &str,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    hidden: &HiddenTask,
    space: impl FnOnce() -> Result<S, Limit>,
) -> Found {
    let mut statistics = Statistics { ran: name.to_owned(), ..Statistics::default() };
    let mut no_strong = false;
    let graph = space().and_then(|space| Graph::new(space, RelaxedPlans::new(hidden), budget));
    let mut graph = match graph {
        Ok(graph) => graph,
        Err(limit) => return Found { verdict: Verdict::Stopped(limit), no_strong, statistics },
    };
    let verdict = decide(&mut graph, options, budget, progress, &mut no_strong);
    statistics.beliefs = graph.nodes.len() as u64;
    statistics.expanded = graph.expanded;
    statistics.peak_nodes = graph.space.peak_nodes();
    Found { verdict: verdict.unwrap_or_else(Verdict::Stopped), no_strong, statistics }
}

fn decide<S: BeliefSpace>(
    graph: &mut Graph<'_, S>,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    no_strong: &mut bool,
) -> Result<Verdict<BranchingPlan>, Limit> {
    let mut search = Search::new(graph, progress);
    if search.strong()? {
        return Ok(Verdict::Solved(plan::of_labels(graph)));
    }
    *no_strong = true;
    if options.wanted == Some(Guarantee::Strong) {
        return Ok(Verdict::Unsolvable);
    }
    search.exhaust()?;
    graph.add_spare()?;
    let edges = cyclic::strong_cyclic(graph, budget)?;
    Ok(match edges[0] {
        Some(_) => Verdict::Solved(plan::of_edges(graph, &edges)),
        None => Verdict::Unsolvable,
    })
}
