//! What a search is asked and what it answers.

use counterplay_base::Verdict;
use counterplay_task::OpId;

/// A sequence of operators that leads from the initial state to the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub operators: Vec<OpId>,
    /// Their cost in the task's units, together with that of the soft goals they leave unfulfilled.
    pub cost: u64,
}

/// Which search to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PlanSearch {
    /// Whatever measured best for tasks of this kind.
    #[default]
    Auto,
    /// Symbolic breadth-first search; step-optimal, and therefore for tasks of unit cost only.
    Bfs,
    /// Symbolic uniform-cost search.
    Dijkstra,
    /// Symbolic A* (BDDA*) with a pattern database.
    AStar,
    /// A* over single states.
    Explicit,
}

/// Which way a symbolic search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Direction {
    /// From the initial state.
    Forward,
    /// From the goal.
    Backward,
    /// From both, meeting in between.
    #[default]
    Both,
}

/// The heuristic of the explicit search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Heuristic {
    /// Zero at goals, else the least operator cost.
    Blind,
    /// LM-cut (Helmert and Domshlak 2009).
    #[default]
    LmCut,
    /// Abstractions under saturated cost partitioning (Seipp, Keller and Helmert 2020); none on tasks with axioms or conditional effects.
    Abstractions,
}

/// How good a plan has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Quality {
    /// Any plan, as soon as possible.
    Any,
    /// A plan soon, then better ones until the budget ends or the best is proved to be of least cost.
    Improve,
    /// A plan that is proved to be of least cost.
    #[default]
    Optimal,
}

/// What a search is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Options {
    pub search: PlanSearch,
    /// How good the plan has to be; [`PlanSearch::Auto`] only, the others look for plans of least cost.
    pub quality: Quality,
    /// Which way; symbolic breadth-first and Dijkstra only.
    pub direction: Direction,
    /// Which heuristic; explicit search only.
    pub heuristic: Heuristic,
    /// Seed for everything that is left to chance (variable orders).
    pub seed: u64,
}

/// The answer with what it took.
#[derive(Clone, Debug)]
pub struct Answer {
    /// A plan as good as was asked for, or the proof that there is none, or the limit.
    pub verdict: Verdict<Plan>,
    /// The best plan found before a limit was reached, if that ended the search; nothing is proved about it.
    pub best: Option<Plan>,
    /// Plans that were found on the way, each better than those before it; the last one is the answer.
    pub plans: Vec<Plan>,
    pub statistics: Statistics,
}

impl Answer {
    /// Whether the plan is proved to be of least cost.
    pub fn is_optimal(&self) -> bool {
        match &self.verdict {
            Verdict::Solved(plan) => plan.cost <= self.statistics.lower_bound,
            _ => false,
        }
    }
}

/// What a search took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// What ran, in words: `bidirectional Dijkstra`.
    pub ran: String,
    /// Layers (sets of states) expanded by symbolic searches.
    pub layers: u64,
    /// States expanded one by one by explicit searches.
    pub expanded: u64,
    /// Most diagram nodes alive at once.
    pub peak_nodes: u64,
    /// The cost below which no plan exists, as far as it was proved.
    pub lower_bound: u64,
    /// The cost of the best plan known when the search stopped, if any.
    pub upper_bound: Option<u64>,
}
