//! Policies against nature.
//!
//! An action has several outcomes and nature picks one. A *weak* policy may reach the goal, a *strong* one
//! reaches it whatever happens, and a *strong-cyclic* one reaches it if no outcome is withheld for ever
//! (Cimatti, Pistore, Roveri and Traverso 2003). The answer is a list of pairs of a condition and an action: in a
//! state one takes the action of the first pair whose condition holds, so the list cuts the states into parts.
//!
//! A coin is thrown until it shows heads. No policy is strong, one is strong-cyclic:
//!
//! ```
//! use counterplay_base::{Budget, Silent};
//! use counterplay_policy::{Class, Options, rules, solve};
//! use counterplay_syntax::Sources;
//!
//! let mut sources = Sources::default();
//! let domain = sources.add("domain.pddl", "(define (domain coin) (:predicates (heads))
//!     (:action throw :precondition (not (heads)) :effect (oneof (heads) (and))))");
//! let problem = sources.add("problem.pddl", "(define (problem p) (:domain coin) (:init) (:goal (heads)))");
//! let problem = counterplay_pddl::read(&sources, domain, problem).unwrap();
//! let budget = Budget::unlimited();
//! let (task, _) = counterplay_ground::ground_outcomes(&problem, &Default::default(), &budget, &Silent).unwrap();
//! let policy = solve(&task, &Options::default(), &budget, &Silent).verdict.solved().unwrap();
//! assert_eq!(policy.class, Class::StrongCyclic);
//! assert_eq!(rules(&task, &policy)[0].action, "(throw)");
//! ```

mod act;
mod acyclic;
mod decision_list;
mod explicit;
pub mod graph;
mod portfolio;
mod rules;
mod symbolic;

use counterplay_base::{Budget, IdVec, Progress, Verdict};
use counterplay_task::{ChoiceId, Fact, NondetTask, Value, VarId};

pub use act::{Agent, End, Nature, Run, act};
pub use explicit::TRAP;
use portfolio::Portfolio;
pub use rules::{GroundRule, Rule, ground_rules, literals, rules, text};
pub use symbolic::cover::cover;

/// A state of a task, derived variables up to date.
pub type State = IdVec<VarId, Value>;

/// What a policy guarantees; later ones guarantee more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Some outcomes lead to the goal.
    Weak,
    /// The goal can always still be reached; if nature is fair, it will be.
    StrongCyclic,
    /// The goal is reached in finitely many steps, whatever nature does.
    Strong,
}

impl Class {
    pub fn name(self) -> &'static str {
        match self {
            Class::Strong => "strong",
            Class::StrongCyclic => "strong-cyclic",
            Class::Weak => "weak",
        }
    }
}

/// If the condition holds, and no earlier one does, take the action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Facts that all have to hold, sorted.
    pub condition: Vec<Fact>,
    pub choice: ChoiceId,
}

/// What to do, by conditions. Goal states need no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    pub class: Class,
    /// The first pair that fits counts.
    pub pairs: Vec<Pair>,
}

/// Which search to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PolicySearch {
    /// A portfolio of the others.
    #[default]
    Auto,
    /// Plans for single outcomes, repaired.
    Explicit,
    /// Fixpoints over sets of states.
    Symbolic,
    /// The same for one part of the goal after the other; proves nothing if it fails.
    Staged,
}

/// What a search took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Which search it was.
    pub ran: String,
    /// Rounds of repair, or layers of fixpoints.
    pub rounds: u64,
    /// States expanded one by one.
    pub expanded: u64,
    /// The largest number of nodes of decision diagrams.
    pub peak_nodes: u64,
}

/// What is asked for; by default the strongest class that exists, by the portfolio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The class that is wanted; `None` for the strongest that exists.
    pub class: Option<Class>,
    /// Which search to run.
    pub search: PolicySearch,
    /// Seed of variable orders.
    pub seed: u64,
}

/// A verdict, what it took, and what was decided about other classes on the way.
#[derive(Clone, Debug)]
pub struct Answer {
    pub verdict: Verdict<Policy>,
    /// The best policy that was found before a limit stopped the search: it has a class, but not the one that was asked for.
    pub best: Option<Policy>,
    pub statistics: Statistics,
    /// Classes that do not exist.
    pub impossible: Vec<Class>,
    /// Classes stronger than that of the policy of which it was not decided whether they exist.
    pub open: Vec<Class>,
}

/// A policy that was found while the search for a stronger one goes on.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    pub policy: &'a Policy,
    pub statistics: &'a Statistics,
    /// Stronger classes that are still looked for.
    pub open: &'a [Class],
}

/// Looks for a policy.
pub fn solve(nondet: &NondetTask, options: &Options, budget: &Budget, progress: &dyn Progress) -> Answer {
    solve_telling(nondet, options, budget, progress, &|_| ())
}

/// The same, and tells of a policy as soon as there is one, before a stronger one is looked for. If the answer has the class of the policy
/// that was told last, it is that policy.
pub fn solve_telling(
    nondet: &NondetTask,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
    tell: &dyn Fn(Found<'_>),
) -> Answer {
    let portfolio = Portfolio { nondet, options, budget, progress, tell };
    match options.class {
        Some(class) => portfolio.only(class),
        None => portfolio.strongest(),
    }
}
