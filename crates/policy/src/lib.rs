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
mod rules;
mod symbolic;

use std::time::{Duration, Instant};

use counterplay_base::{Budget, IdVec, Progress, Report, Verdict};
use counterplay_task::{ChoiceId, Fact, NondetTask, Value, VarId};

pub use act::{Agent, End, Nature, Run, act};
pub use rules::{GroundRule, Rule, ground_rules, literals, rules, text};
use symbolic::Method;
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

/// A verdict, what it took, and which stronger classes were proved not to exist on the way.
#[derive(Clone, Debug)]
pub struct Answer {
    pub verdict: Verdict<Policy>,
    pub statistics: Statistics,
    /// Classes that do not exist.
    pub impossible: Vec<Class>,
}

pub fn solve(nondet: &NondetTask, options: &Options, budget: &Budget, progress: &dyn Progress) -> Answer {
    let run = Portfolio { nondet, options, budget, progress };
    let mut answer = match options.class {
        Some(class) => {
            let (verdict, statistics) = run.of_class(class);
            let mut impossible = Vec::new();
            if matches!(verdict, Verdict::Unsolvable) {
                impossible.push(class);
                if class != Class::Weak && explicit::is_out_of_reach(nondet) {
                    impossible.push(Class::Weak);
                }
            }
            Answer { verdict, statistics, impossible }
        }
        None => run.strongest(),
    };
    answer.verdict = match answer.verdict {
        // What a weak policy leaves open has to stay open: it may be met.
        Verdict::Solved(policy) if policy.class != Class::Weak => {
            // A policy that there is no time to shorten is as good as it was.
            let shorter = decision_list::learn_decision_list(nondet, &policy, budget);
            Verdict::Solved(shorter.unwrap_or(policy))
        }
        other => other,
    };
    answer
}

/// Work allowed for a first attempt with plans, in states expanded or looked at, and for one in stages, in nodes. Both
/// are the same on every machine, and so is what comes of them.
const FIRST_STATES: u64 = 60_000;
const FIRST_NODES: u64 = 30_000_000;
/// How much of the time that is left a second attempt with plans may take.
const SECOND_SHARE: f64 = 0.3;
/// How much of the rest one with fixpoints may take.
const THIRD_SHARE: f64 = 0.6;
/// Without a limit, at least so much goes into a strong policy once there is a strong-cyclic one.
const STRENGTHENING: Duration = Duration::from_secs(2);
/// Without a limit, this is taken to be the time that is left.
const PATIENCE: Duration = Duration::from_secs(600);

struct Portfolio<'a> {
    nondet: &'a NondetTask,
    options: &'a Options,
    budget: &'a Budget,
    progress: &'a dyn Progress,
}

impl Portfolio<'_> {
    fn slice(&self, share: f64) -> Budget {
        let left = self.budget.remaining().unwrap_or(PATIENCE);
        self.budget.slice(left.mul_f64(share))
    }

    fn of_class(&self, class: Class) -> (Verdict<Policy>, Statistics) {
        match (class, self.options.search) {
            (_, PolicySearch::Staged) => self.staged(class, u64::MAX),
            (_, PolicySearch::Symbolic) | (Class::Strong, _) => self.symbolic(class, self.budget),
            (Class::Weak, _) | (Class::StrongCyclic, PolicySearch::Explicit) => {
                self.explicit(class, self.budget)
            }
            (Class::StrongCyclic, PolicySearch::Auto) => self.strong_cyclic(),
        }
    }

    fn explicit(&self, class: Class, budget: &Budget) -> (Verdict<Policy>, Statistics) {
        explicit::solve(self.nondet, class, u64::MAX, budget, self.progress)
    }

    fn symbolic(&self, class: Class, budget: &Budget) -> (Verdict<Policy>, Statistics) {
        symbolic::solve(self.nondet, class, Method::Whole, self.options.seed, budget, self.progress)
    }

    fn staged(&self, class: Class, work: u64) -> (Verdict<Policy>, Statistics) {
        let method = Method::Staged { work };
        symbolic::solve(self.nondet, class, method, self.options.seed, self.budget, self.progress)
    }

    /// Plans are tried first, for a moment: where they work they take milliseconds. Where they wander, it is often over
    /// what one part of the goal has to do with another, and stages help. Longer attempts come after that.
    fn strong_cyclic(&self) -> (Verdict<Policy>, Statistics) {
        let class = Class::StrongCyclic;
        let attempts: [&dyn Fn() -> (Verdict<Policy>, Statistics); 4] = [
            &|| explicit::solve(self.nondet, class, FIRST_STATES, self.budget, self.progress),
            &|| self.staged(class, FIRST_NODES),
            &|| self.explicit(class, &self.slice(SECOND_SHARE)),
            &|| self.symbolic(class, &self.slice(THIRD_SHARE)),
        ];
        for attempt in attempts {
            let found = attempt();
            if !self.goes_on(&found.0) {
                return found;
            }
        }
        self.explicit(class, self.budget)
    }

    /// Whether an attempt ended for want of its own share only.
    fn goes_on<T>(&self, verdict: &Verdict<T>) -> bool {
        matches!(verdict, Verdict::Stopped(_)) && self.budget.check().is_ok()
    }

    /// The strongest policy there is, as far as time allows.
    fn strongest(&self) -> Answer {
        let started = Instant::now();
        let (cyclic, statistics) = match self.options.search {
            PolicySearch::Auto => self.strong_cyclic(),
            _ => self.of_class(Class::StrongCyclic),
        };
        match cyclic {
            Verdict::Unsolvable => {
                let (verdict, statistics) = self.of_class(Class::Weak);
                let mut impossible = vec![Class::Strong, Class::StrongCyclic];
                if matches!(verdict, Verdict::Unsolvable) {
                    impossible.push(Class::Weak);
                }
                Answer { verdict, statistics, impossible }
            }
            Verdict::Solved(policy) if acyclic::is_strong(self.nondet, &policy, self.budget) => {
                let verdict = Verdict::Solved(Policy { class: Class::Strong, ..policy });
                Answer { verdict, statistics, impossible: Vec::new() }
            }
            Verdict::Solved(policy) => {
                // The first policy is there. With a limit most of the time that is left goes into a stronger one, without
                // one only as much as an impatient reader waits for.
                self.progress.report(Report { phase: "strengthening", counts: &[] });
                let share = match self.budget.remaining() {
                    Some(_) => self.slice(THIRD_SHARE),
                    None => self.budget.slice((started.elapsed() * 10).max(STRENGTHENING)),
                };
                let (strong, own) = self.symbolic(Class::Strong, &share);
                match strong {
                    Verdict::Solved(_) => Answer { verdict: strong, statistics: own, impossible: Vec::new() },
                    Verdict::Unsolvable => Answer {
                        verdict: Verdict::Solved(policy),
                        statistics,
                        impossible: vec![Class::Strong],
                    },
                    Verdict::Stopped(_) => {
                        Answer { verdict: Verdict::Solved(policy), statistics, impossible: Vec::new() }
                    }
                }
            }
            stopped => Answer { verdict: stopped, statistics, impossible: Vec::new() },
        }
    }
}
