//! Policies for a goal, found by decomposition: ND-SHOP2 and Yoyo.
//!
//! Here the goal ends the search and methods only say where to look: the answer is a policy over states, and a
//! state that already has its answer needs no second one, whatever task list led there (Kuter and Nau, AAAI
//! 2004; Kuter, Nau, Pistore and Traverso, AIJ 2009). A *situation* is a set of states with one task list. It is
//! split by the methods that apply, each part goes its way until an action comes up, and what the action may
//! lead to are new situations; those with the same task list are united. ND-SHOP2 is this over explicit
//! states, Yoyo over decision diagrams: the one `Sets` trait lies between. It is not the core's `TaskWorld`,
//! since every operation on diagrams may run out of memory or time, and says so.
//!
//! A policy may answer more than it is asked. So a situation is widened to the smallest box around it before it is
//! split: the sets of states that the outcomes trace one step at a time have ragged edges and large diagrams,
//! boxes have small ones. States of the box that the methods cannot handle are left out again, and if anything
//! goes wrong the search goes on without widening.
//!
//! Where the papers backtrack over the whole policy, we note the situations that failed and begin again: what
//! is known to fail is then avoided one step earlier, and good methods never fail. That is quick, and it can miss
//! policies. So its failure is no answer: `tabulate` then decides, state by state, over everything that the methods can
//! advise.

mod instances;
mod search;
mod tabulate;

use counterplay_base::{Budget, Limit, Progress, Verdict};
use counterplay_policy::{Class, Pair, Policy};
use counterplay_task::{ChoiceId, NondetTask};

use crate::{HddlProblem, ndshop2, yoyo};

pub(crate) use instances::Instance;
pub use instances::{AdviceError, Guard, MethodAdvice};

/// The two published algorithms. They differ in how sets of states are represented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Kuter and Nau 2004: one state after the other.
    NdShop2,
    /// Kuter, Nau, Pistore and Traverso 2009: decision diagrams.
    Yoyo,
}

/// What a search took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Situations that were decomposed.
    pub situations: u64,
    /// How often it began again.
    pub restarts: u64,
    /// The largest number of diagram nodes, or of explicit states.
    pub peak: u64,
    /// States that the policy answers, about.
    pub states: f64,
    /// Pairs of state and task that were tabulated; zero if the greedy search had the answer.
    pub calls: u64,
}

/// What became of a search. There may be a policy that the methods do not lead to: `Unsolvable` speaks of the
/// methods.
#[derive(Clone, Debug)]
pub struct Answer {
    /// A policy, or that the methods lead to none, or the limit that was met.
    pub verdict: Verdict<Policy>,
    pub figures: Figures,
}

/// Sets of states of a finite task, explicit or as diagrams.
pub(crate) trait Sets {
    /// A set of states.
    type Set: Clone;

    fn none(&self) -> Self::Set;
    fn initial(&self) -> Result<Self::Set, Limit>;
    fn is_empty(&self, set: &Self::Set) -> bool;
    fn union(&self, one: &Self::Set, other: &Self::Set) -> Result<Self::Set, Limit>;
    fn minus(&self, one: &Self::Set, other: &Self::Set) -> Result<Self::Set, Limit>;
    /// The part that is no goal.
    fn without_goal(&self, set: &Self::Set) -> Result<Self::Set, Limit>;
    /// The part in which a method instance may be used.
    fn restrict(&self, set: &Self::Set, instance: &Instance) -> Result<Self::Set, Limit>;
    /// The part in which an action can be applied.
    fn applicable(&self, set: &Self::Set, choice: ChoiceId) -> Result<Self::Set, Limit>;
    /// A set around this one that is easier to hold, or the set itself.
    fn widened(&self, set: &Self::Set) -> Result<Self::Set, Limit> {
        Ok(set.clone())
    }
    /// What an action may lead to.
    fn image(&self, set: &Self::Set, choice: ChoiceId) -> Result<Self::Set, Limit>;
    /// The part from which an action may lead into `target`.
    fn may_reach(&self, set: &Self::Set, choice: ChoiceId, target: &Self::Set) -> Result<Self::Set, Limit>;
    /// Conditions that pick the answers of a policy apart; the first that fits counts.
    fn pairs(&self, entries: &[(Self::Set, ChoiceId)], budget: &Budget) -> Result<Vec<Pair>, Limit>;
    /// The goal, cut down to what is at hand.
    fn goal_of(&self, set: &Self::Set) -> Result<Self::Set, Limit>;
    /// The largest number of nodes or states so far.
    fn peak(&self) -> u64;
    /// The number of states, about.
    fn count(&self, set: &Self::Set) -> f64;
}

/// Looks for a policy by decomposition. The finite task was grounded with `keep_irrelevant`: methods may mention what plays no
/// part for the goal.
pub fn advised_policy(
    lifted: &HddlProblem,
    nondet: &NondetTask,
    class: Class,
    algorithm: Algorithm,
    seed: u64,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Answer, AdviceError> {
    let mut advice = MethodAdvice::new(lifted, nondet)?;
    let mut answer = match algorithm {
        Algorithm::NdShop2 => {
            let sets = ndshop2::Explicit::new(nondet);
            search::run(&sets, &mut advice, class, budget, progress)
        }
        Algorithm::Yoyo => match yoyo::Diagrams::new(nondet, seed, budget) {
            Ok(sets) => search::run(&sets, &mut advice, class, budget, progress),
            Err(limit) => Answer { verdict: Verdict::Stopped(limit), figures: Figures::default() },
        },
    };
    if matches!(answer.verdict, Verdict::Unsolvable) {
        // A method that reaches the goal half-way need not go on, so what its later actions need must not count.
        let written = HddlProblem::as_written(lifted.problem()).expect("it was brought into shape before");
        let mut advice = MethodAdvice::new(&written, nondet)?;
        (answer.verdict, answer.figures.calls) =
            tabulate::tabulate(nondet, &mut advice, class, budget, progress);
    }
    Ok(answer)
}
