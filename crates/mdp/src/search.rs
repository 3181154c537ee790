//! LAO*: policies of large tasks, without looking at all states (Hansen and Zilberstein 2001).
//!
//! A part of the process is known; a state at its rim counts as reached, at the price of a lower bound of its cost, or, where the
//! probability is wanted, with the probability of one. The best policy of this part is computed; the states of the rim that it may meet are looked
//! into; and so on until it meets none. Its value is then that of the whole process: the part was never less favourable than the whole.

use counterplay_base::{Budget, BudgetPoll, Id, IdVec};
use counterplay_task::{OddsTask, Value, VarId, apply, close_under_axioms, is_goal};
use rustc_hash::FxHashMap;

use crate::explore::{Applicable, Explored, Unexplored, expected_costs};
use crate::model::{MdpBuilder, Number};
use crate::relaxed::Relaxed;
use crate::solve::{Answer, Objective, Precision, Unsolved, Value as Worth, solve_with};

/// Why a search has no answer.
#[derive(Clone, Debug)]
pub enum Unsearched {
    Unexplored(Unexplored),
    /// There is no such policy, or a limit was reached; and the part that was looked at.
    Unsolved(Unsolved, Box<Explored>),
}

/// What became of a search.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The part of the process that was looked at. One more state at the end stands for what lies beyond.
    pub explored: Explored,
    /// If a limit ended the search: bounds only, and a policy that may leave the part.
    pub answer: Answer,
    /// Whether the policy stays within the part.
    pub is_closed: bool,
    /// States that were looked into.
    pub expanded: usize,
    /// How often the part was solved.
    pub rounds: u32,
}

/// An action by its number, and where its outcomes lead.
type Way = (u32, Vec<(Number, u32)>);

/// A state that was met.
struct Met {
    state: IdVec<VarId, Value>,
    is_goal: bool,
    /// What lies beyond: a lower bound of the cost; `None` if the goal is out of reach.
    bound: Option<Number>,
    /// Once it was looked into: what can be done there.
    actions: Option<Vec<Way>>,
}

struct Part<'a> {
    task: &'a OddsTask,
    costs: IdVec<counterplay_task::ChoiceId, Number>,
    applicable: Applicable,
    relaxed: Relaxed,
    met: Vec<Met>,
    numbers: FxHashMap<IdVec<VarId, Value>, u32>,
}

/// Finds the best policy, for the greatest probability or the least cost.
///
/// # Errors
/// That there is none, or why it was not found.
///
/// # Panics
/// If the objective is discounted or has a horizon, or an outcome earns something.
pub fn search(task: &OddsTask, objective: Objective, budget: &Budget) -> Result<Searched, Unsearched> {
    assert!(matches!(objective, Objective::MaxProb | Objective::MinCost), "other objectives need all states");
    assert!(
        task.costs.iter().all(|cost| *cost >= Number::from(0)),
        "costs that may be negative need all states"
    );
    let mut part = Part::new(task).map_err(Unsearched::Unexplored)?;
    let mut rounds = 0;
    // Fractions are for a policy that seems to be the best.
    let mut precision = Precision::Rounded;
    loop {
        rounds += 1;
        let (explored, rim) = part.process(objective);
        let mut answer = match solve_with(&explored.mdp, objective, precision, budget) {
            Ok(answer) => answer,
            Err(why) => return Err(Unsearched::Unsolved(why, Box::new(explored))),
        };
        let open = part.open(&explored, &answer, rim);
        let is_last = std::mem::replace(&mut precision, Precision::Rounded) == Precision::Exact;
        if open.is_empty() && !is_last && answer.stopped.is_none() {
            precision = Precision::Exact;
            continue;
        }
        if open.is_empty() || answer.stopped.is_some() {
            let expanded = part.met.iter().filter(|met| met.actions.is_some()).count();
            let is_closed = open.is_empty();
            if !is_closed {
                // The part is never less favourable than the whole, so one of its bounds holds and the other does not.
                let (low, high) = answer.value.bounds();
                answer.value = match objective {
                    Objective::MinCost => Worth::Between(low, f64::INFINITY),
                    _ => Worth::Between(0.0, high),
                };
            }
            return Ok(Searched { explored, answer, is_closed, expanded, rounds });
        }
        let mut poll = BudgetPoll::every(16);
        for state in open {
            poll.step(budget).map_err(|limit| Unsearched::Unexplored(limit.into()))?;
            part.expand(state);
        }
    }
}

impl<'a> Part<'a> {
    fn new(task: &'a OddsTask) -> Result<Part<'a>, Unexplored> {
        let costs = expected_costs(task)?;
        let relaxed = Relaxed::new(task, costs.as_slice());
        let mut part = Part {
            task,
            costs,
            applicable: Applicable::new(task),
            relaxed,
            met: Vec::new(),
            numbers: FxHashMap::default(),
        };
        let mut initial = task.nondet.task.initial.clone();
        close_under_axioms(&task.nondet.task, &mut initial);
        part.meet(initial);
        Ok(part)
    }

    fn meet(&mut self, state: IdVec<VarId, Value>) -> u32 {
        let fresh = self.met.len() as u32;
        let number = *self.numbers.entry(state.clone()).or_insert(fresh);
        if number == fresh {
            let is_goal = is_goal(&self.task.nondet.task, &state);
            let bound = self.relaxed.bound(&state);
            // Where the goal is out of reach there is nothing to look into.
            let actions = (is_goal || bound.is_none()).then(Vec::new);
            self.met.push(Met { state, is_goal, bound, actions });
        }
        number
    }

    fn expand(&mut self, at: usize) {
        let state = self.met[at].state.clone();
        let mut actions = Vec::new();
        for id in self.applicable.of(self.task, &state) {
            let mut outcomes = Vec::new();
            for op in self.task.nondet.choices[id].operators() {
                let next = self.meet(apply(&self.task.nondet.task, &state, op));
                outcomes.push((self.task.odds[op], next));
            }
            actions.push((id.index() as u32, outcomes));
        }
        self.met[at].actions = Some(actions);
    }

    /// The part as a process, and the number of the state beyond the rim.
    fn process(&self, objective: Objective) -> (Explored, usize) {
        let mut builder = MdpBuilder::default();
        let beyond = self.met.len();
        let zero = Number::from(0);
        for met in &self.met {
            builder.state(met.is_goal, zero);
            match &met.actions {
                Some(actions) => {
                    for (label, outcomes) in actions {
                        let cost = self.costs[Id::new(*label as usize)];
                        builder.action(*label, cost, outcomes.iter().copied());
                    }
                }
                None => {
                    let bound = met.bound.filter(|_| objective == Objective::MinCost).unwrap_or(zero);
                    builder.action(u32::MAX, bound, [(Number::from(1), beyond as u32)]);
                }
            }
        }
        builder.state(true, zero);
        let states = self.met.iter().map(|met| met.state.clone()).collect();
        (Explored { mdp: builder.finish(0), states }, beyond)
    }

    /// The states of the rim that a policy may meet.
    fn open(&self, explored: &Explored, answer: &Answer, beyond: usize) -> Vec<usize> {
        let mdp = &explored.mdp;
        let mut seen = vec![false; mdp.len()];
        let mut list = vec![mdp.initial()];
        seen[mdp.initial()] = true;
        let mut found = Vec::new();
        while let Some(state) = list.pop() {
            if state != beyond && self.met[state].actions.is_none() {
                found.push(state);
            }
            let Some(action) = answer.policy[state] else { continue };
            for outcome in mdp.outcomes(&mdp.actions(state)[action as usize]) {
                if !std::mem::replace(&mut seen[outcome.next as usize], true) {
                    list.push(outcome.next as usize);
                }
            }
        }
        found
    }
}
