//! Strong-cyclic policies from plans for single outcomes.
//!
//! In the manner of PRP (Muise, McIlraith and Beck, ICAPS 2012): plan as if outcomes were ours to choose, regress
//! the goal along the plan so that each step gets the weakest condition under which it still works, then look
//! which outcomes lead to states without an answer, and plan for those. A state from which there is no plan is a
//! dead end; actions that may lead there are forbidden, and the policy is built anew. Where the original
//! simulates policies, we keep the whole graph of states that the policy can reach, so that closure and progress
//! are certain.

mod additive;
mod closure;
mod dead;
mod index;
mod regress;
pub(crate) mod strong;
pub(crate) mod trap;
mod weak;

use counterplay_base::{Budget, BudgetPoll, IdVec, Limit, Progress, Report, Verdict};
use counterplay_task::{ChoiceId, Fact, NondetTask, OpId, is_goal};
use rustc_hash::FxHashMap;

use crate::{Class, Pair, Policy, State, Statistics};
pub(crate) use closure::progress;
pub(crate) use dead::DeadEnds;
pub(crate) use index::Index;
pub(crate) use regress::plain_facts;
use regress::regress_in;
pub use trap::TRAP;
pub(crate) use weak::Planner;
use weak::{Exhausted, WeakPlan};

/// A pair with its distance to the goal along the plan it comes from.
struct Step {
    condition: Vec<Fact>,
    choice: ChoiceId,
    distance: u32,
}

/// The steps found so far.
#[derive(Default)]
struct Steps {
    steps: Vec<Step>,
    index: Index,
    /// Which of them are closed; steps that came later are not.
    closed: Vec<bool>,
}

impl Steps {
    fn is_closed(&self, item: u32) -> bool {
        self.closed.get(item as usize).copied().unwrap_or(false)
    }

    /// The step to take in a state: the one nearest to the goal that is not forbidden. Closed steps come before
    /// others, and are never forbidden rightly.
    fn best(&self, state: &State, dead: &DeadEnds) -> Option<u32> {
        let mut best: Option<(bool, u32, u32)> = None;
        self.index.any(state, |item| {
            let step = &self.steps[item as usize];
            let rank = (!self.is_closed(item), step.distance, item);
            if best.is_none_or(|best| rank < best) && !(rank.0 && dead.forbids(state, step.choice)) {
                best = Some(rank);
            }
            false
        });
        best.map(|(_, _, item)| item)
    }

    fn push(&mut self, step: Step) {
        self.index.insert(&step.condition, self.steps.len() as u32);
        self.steps.push(step);
    }
}

/// Closed steps are looked for when so many states have been seen, and whenever their number has doubled since.
const LOOK_FIRST: usize = 256;

/// So many states are looked at after a dead end has been found before a new round begins.
const PATIENCE: u32 = 1000;

/// To look at so many actions takes about as long as to look at a state.
const ACTIONS_OF_STATE: usize = 32;

/// With more steps than these, conditions are no longer strengthened: it is cheaper to look at the states.
const STRENGTHEN_MOST: usize = 2000;

/// So often what was asked for is handed on to the states before, at most.
const STRENGTHEN_PASSES: usize = 50;

/// Stands for all that follows on a closed step.
const GOAL: u32 = u32::MAX;

/// The states that the policy can reach.
#[derive(Default)]
struct StateGraph {
    number: FxHashMap<State, u32>,
    states: Vec<State>,
    /// The step that was seen to lead to each state first.
    parents: Vec<Option<(u32, OpId)>>,
    /// The step taken in each state, or none at the goal, and where it leads.
    taken: Vec<Option<u32>>,
    next: Vec<Vec<u32>>,
}

impl StateGraph {
    fn add(&mut self, state: State, parent: Option<(u32, OpId)>) -> (u32, bool) {
        if let Some(&known) = self.number.get(&state) {
            return (known, false);
        }
        let number = self.states.len() as u32;
        self.number.insert(state.clone(), number);
        self.states.push(state);
        self.parents.push(parent);
        self.taken.push(None);
        self.next.push(Vec::new());
        (number, true)
    }

    /// The states from which the goal cannot be reached.
    fn stuck(&self, goals: &[bool]) -> Vec<u32> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        let mut fine = goals.to_vec();
        for (at, next) in self.next.iter().enumerate() {
            for &to in next {
                match to {
                    GOAL => fine[at] = true,
                    _ => before[to as usize].push(at as u32),
                }
            }
        }
        let mut open: Vec<u32> = (0..fine.len() as u32).filter(|&at| fine[at as usize]).collect();
        while let Some(at) = open.pop() {
            for &from in &before[at as usize] {
                if !fine[from as usize] {
                    fine[from as usize] = true;
                    open.push(from);
                }
            }
        }
        (0..fine.len() as u32).filter(|&at| !fine[at as usize]).collect()
    }
}

/// The search for one task.
struct RepairSearch<'t> {
    nondet: &'t NondetTask,
    planner: Planner<'t>,
    dead: DeadEnds,
    steps: Steps,
    choice_of: IdVec<OpId, ChoiceId>,
    rounds: u64,
    /// States of policies that were looked at, and how many may be.
    looked: u64,
    most_states: u64,
}

/// How a round ended.
enum Round {
    Closed(StateGraph),
    /// The step taken first is closed, so everything is.
    Proved(u32),
    /// New dead ends were found.
    Again,
    /// The initial state is a dead end.
    DeadEnd,
}

/// Whether no outcome of any action leads to the goal, as far as one sees without search.
pub(crate) fn is_out_of_reach(nondet: &NondetTask) -> bool {
    let mut planner = Planner::new(nondet);
    let initial = planner.initial();
    planner.additive.estimate(&initial).is_none()
}

/// Looks for a weak or strong-cyclic policy, giving up after so many states that were expanded or looked at.
pub(crate) fn solve(
    nondet: &NondetTask,
    class: Class,
    most_states: u64,
    budget: &Budget,
    progress: &dyn Progress,
) -> (Verdict<Policy>, Statistics) {
    let mut search = RepairSearch {
        nondet,
        planner: Planner::new(nondet),
        dead: DeadEnds::new(nondet),
        steps: Steps::default(),
        choice_of: nondet.choice_of(),
        rounds: 0,
        looked: 0,
        most_states,
    };
    // To expand a state takes about four times as long as to look at one.
    search.planner.most_expanded = most_states / 4;
    let verdict = match class {
        Class::Weak => search.weak(budget),
        Class::Strong | Class::StrongCyclic => search.strong_cyclic(budget, progress),
    };
    let statistics = Statistics {
        ran: "explicit".to_owned(),
        rounds: search.rounds,
        expanded: search.planner.expanded,
        peak_nodes: 0,
    };
    (verdict.unwrap_or_else(Verdict::Stopped), statistics)
}

impl RepairSearch<'_> {
    /// One way to the goal from each initial state.
    fn weak(&mut self, budget: &Budget) -> Result<Verdict<Policy>, Limit> {
        let initial = self.planner.initial();
        let mut starts = vec![initial.clone()];
        if let Some(start) = self.nondet.start {
            let operators = self.nondet.choices[start].operators();
            starts = operators.map(|op| self.planner.apply(&initial, op)).collect();
        }
        for state in starts {
            if is_goal(&self.nondet.task, &state) || self.steps.best(&state, &self.dead).is_some() {
                continue;
            }
            match self.plan_from(&state, budget)? {
                Ok(way) => self.learn(&way),
                Err(_) => return Ok(Verdict::Unsolvable),
            }
        }
        let mut order: Vec<u32> = (0..self.steps.steps.len() as u32).collect();
        order.sort_by_key(|&item| self.steps.steps[item as usize].distance);
        Ok(Verdict::Solved(self.policy(Class::Weak, &order)))
    }

    fn strong_cyclic(&mut self, budget: &Budget, progress: &dyn Progress) -> Result<Verdict<Policy>, Limit> {
        loop {
            self.rounds += 1;
            let counts = [("dead ends", self.dead.len() as f64), ("pairs", self.steps.steps.len() as f64)];
            progress.report(Report { phase: "policy", counts: &counts });
            match self.round(budget)? {
                Round::DeadEnd => return Ok(Verdict::Unsolvable),
                Round::Again => {
                    self.steps.steps.clear();
                    self.steps.index.clear();
                    self.steps.closed.clear();
                    self.planner.leave_out(&self.dead);
                }
                Round::Proved(first) => return Ok(Verdict::Solved(self.proved(first))),
                Round::Closed(graph) => {
                    let goals: Vec<bool> =
                        graph.states.iter().map(|state| is_goal(&self.nondet.task, state)).collect();
                    let stuck = graph.stuck(&goals);
                    let Some(&first) = stuck.first() else {
                        return Ok(Verdict::Solved(self.finish(&graph)));
                    };
                    self.unblock(&graph.states[first as usize], budget)?;
                }
            }
        }
    }

    /// Follows the policy from the initial state and answers what it has no answer for.
    fn round(&mut self, budget: &Budget) -> Result<Round, Limit> {
        let mut graph = StateGraph::default();
        let initial = self.planner.initial();
        graph.add(initial, None);
        let mut open = vec![0u32];
        let mut poll = BudgetPoll::every(64);
        let mut again = false;
        let mut patience = PATIENCE;
        // When to look for closed steps again, in states, and how many steps there were the last time. At the very
        // end it is done once more if there are new ones.
        let (mut look_at, mut looked) = (LOOK_FIRST, 0);
        while let Some(at) = open.pop() {
            poll.step(budget)?;
            self.looked += 1;
            if self.looked > self.most_states {
                return Err(Limit::Nodes(self.most_states));
            }
            if again {
                // More dead ends may turn up nearby, but the policy is going to be built anew anyhow.
                patience -= 1;
                if patience == 0 {
                    return Ok(Round::Again);
                }
            }
            if graph.states.len() >= look_at || open.is_empty() && at != 0 {
                look_at = look_at.max(graph.states.len()) * 2;
                if !again && (looked < self.steps.steps.len() || !open.is_empty()) {
                    closure::mark(self.nondet, &mut self.steps, budget)?;
                    if self.first_closed(&graph).is_none() && self.strengthen(&graph, budget)? {
                        closure::mark(self.nondet, &mut self.steps, budget)?;
                    }
                    looked = self.steps.steps.len();
                    if let Some(first) = self.first_closed(&graph) {
                        return Ok(Round::Proved(first));
                    }
                }
            }
            let state = graph.states[at as usize].clone();
            if is_goal(&self.nondet.task, &state) {
                continue;
            }
            let is_dead = self.dead.contains(&state);
            let mut best = self.steps.best(&state, &self.dead).filter(|_| !is_dead);
            if best.is_none() {
                match self.plan_from(&state, budget)? {
                    Ok(way) => self.learn(&way),
                    Err(exhausted) => {
                        again = true;
                        if !self.mark_dead_ends(&graph, at, &exhausted, budget)? {
                            return Ok(Round::DeadEnd);
                        }
                        continue;
                    }
                }
                best = self.steps.best(&state, &self.dead);
            }
            let best = best.expect("the first step of a plan is an answer");
            graph.taken[at as usize] = Some(best);
            if self.steps.is_closed(best) {
                graph.next[at as usize].push(GOAL);
                continue;
            }
            let choice = self.steps.steps[best as usize].choice;
            for op in self.nondet.choices[choice].operators() {
                let next = self.planner.apply(&state, op);
                let (number, is_new) = graph.add(next, Some((at, op)));
                graph.next[at as usize].push(number);
                if is_new {
                    open.push(number);
                }
            }
        }
        if again {
            return Ok(Round::Again);
        }
        closure::mark(self.nondet, &mut self.steps, budget)?;
        if self.first_closed(&graph).is_none() && self.strengthen(&graph, budget)? {
            closure::mark(self.nondet, &mut self.steps, budget)?;
        }
        Ok(match self.first_closed(&graph) {
            Some(first) => Round::Proved(first),
            None => Round::Closed(graph),
        })
    }

    /// Adds variants of steps that are not closed, with all the conditions under which their outcomes are answered as
    /// they are in the graph; whether there was one to add. The answer to an outcome that was not intended may ask for
    /// facts that no earlier pair asks for.
    fn strengthen(&mut self, graph: &StateGraph, budget: &Budget) -> Result<bool, Limit> {
        let task = &self.nondet.task;
        let before = self.steps.steps.len();
        if !task.axioms.is_empty() || before > STRENGTHEN_MOST {
            return Ok(false);
        }
        let numbered = self.steps.steps.iter().zip(0..);
        let mut variants: FxHashMap<(Vec<Fact>, ChoiceId), u32> =
            numbered.map(|(step, item)| ((step.condition.clone(), step.choice), item)).collect();
        let mut variant: Vec<Option<u32>> = graph.taken.clone();
        for pass in 0..STRENGTHEN_PASSES {
            let known = self.steps.steps.len();
            for at in (0..graph.states.len()).rev() {
                budget.check()?;
                let (Some(taken), state) = (variant[at], &graph.states[at]) else { continue };
                if pass == 0
                    && let Some(best) =
                        self.steps.best(state, &self.dead).filter(|&it| self.steps.is_closed(it))
                {
                    variant[at] = Some(best);
                    continue;
                }
                let step = &self.steps.steps[taken as usize];
                if self.steps.is_closed(taken) || step.distance == 0 {
                    continue;
                }
                let mut condition = step.condition.clone();
                let operators = self.nondet.choices[step.choice].operators();
                let mut all_answered = operators.len() == graph.next[at].len();
                for (op, &next) in operators.zip(&graph.next[at]) {
                    let after = match variant.get(next as usize) {
                        Some(Some(answer)) => &self.steps.steps[*answer as usize].condition,
                        Some(None) if is_goal(task, &graph.states[next as usize]) => &task.goal,
                        _ => {
                            all_answered = false;
                            break;
                        }
                    };
                    condition.extend(regress_in(task, &task.operators[op], after, state));
                }
                condition.sort_unstable();
                condition.dedup();
                if all_answered && condition != step.condition {
                    let (choice, distance) = (step.choice, step.distance);
                    let item = *variants.entry((condition, choice)).or_insert_with_key(|(condition, _)| {
                        self.steps.push(Step { condition: condition.clone(), choice, distance });
                        self.steps.steps.len() as u32 - 1
                    });
                    variant[at] = Some(item);
                }
            }
            if self.steps.steps.len() == known || known > STRENGTHEN_MOST {
                break;
            }
        }
        Ok(self.steps.steps.len() > before)
    }

    /// The closed step for the initial state, if there is one.
    fn first_closed(&self, graph: &StateGraph) -> Option<u32> {
        self.steps.best(&graph.states[0], &self.dead).filter(|&item| self.steps.is_closed(item))
    }

    /// The closed steps that the first one needs.
    fn proved(&self, first: u32) -> Policy {
        let mut order = closure::needed(self.nondet, &self.steps, vec![first]);
        order.sort_by_key(|&item| (self.steps.steps[item as usize].distance, item));
        self.policy(Class::StrongCyclic, &order)
    }

    fn plan_from(&mut self, state: &State, budget: &Budget) -> Result<Result<WeakPlan, Exhausted>, Limit> {
        let (steps, dead) = (&self.steps, &self.dead);
        self.planner.plan(state, dead, |state| steps.best(state, dead).is_some(), budget)
    }

    /// Takes the steps of a plan, with the weakest conditions under which they lead on to its end.
    fn learn(&mut self, way: &WeakPlan) {
        let task = &self.nondet.task;
        let last = &way.states[way.steps.len()];
        let (mut condition, mut distance) = match self.steps.best(last, &self.dead) {
            Some(best) if !is_goal(task, last) => {
                let step = &self.steps.steps[best as usize];
                (step.condition.clone(), step.distance)
            }
            _ => (task.goal.clone(), 0),
        };
        for (op, state) in way.steps.iter().zip(&way.states).rev() {
            condition = regress_in(task, &task.operators[*op], &condition, state);
            distance += 1;
            self.steps.push(Step { condition: condition.clone(), choice: self.choice_of[*op], distance });
        }
    }

    /// Notes a dead end, and those before it from which there is nothing left to do; `false` if the initial state
    /// is one of them.
    fn mark_dead_ends(
        &mut self,
        graph: &StateGraph,
        at: u32,
        found: &Exhausted,
        budget: &Budget,
    ) -> Result<bool, Limit> {
        let before = self.dead.len();
        self.dead.note_all(self.nondet, &mut self.planner.additive, &found.0, budget)?;
        let state = &graph.states[at as usize];
        let led_here = graph.parents[at as usize]
            .map(|(parent, op)| (&graph.states[parent as usize], op, self.choice_of[op]));
        self.dead.note(self.nondet, &mut self.planner.additive, state, led_here)?;
        // To give a reason for a dead end every action is looked at.
        let news = (self.dead.len() - before) as u64;
        self.looked += news * (self.nondet.choices.len() / ACTIONS_OF_STATE) as u64;
        Ok(at != 0)
    }

    /// Gives a state from which the policy does not lead to the goal a way that ends there for certain.
    fn unblock(&mut self, state: &State, budget: &Budget) -> Result<(), Limit> {
        let (steps, dead) = (&self.steps, &self.dead);
        let is_fixed = |state: &State| {
            steps.best(state, dead).is_some_and(|best| steps.steps[best as usize].distance == 0)
        };
        match self.planner.plan(state, dead, is_fixed, budget)? {
            Ok(way) => {
                for (op, state) in way.steps.iter().zip(&way.states) {
                    let condition = plain_facts(&self.nondet.task, state);
                    let choice = self.choice_of[*op];
                    self.steps.push(Step { condition, choice, distance: 0 });
                }
            }
            Err(_) => self.dead.note(self.nondet, &mut self.planner.additive, state, None)?,
        }
        Ok(())
    }

    /// The pairs that are used, nearest to the goal first, so that the first that fits is the one that was meant.
    /// Where an earlier pair fits too but is forbidden, an exception goes before it: the meant action under the
    /// meant condition and the reason why the other one is forbidden, or under the whole state if that will not do.
    fn finish(&self, graph: &StateGraph) -> Policy {
        let taken: Vec<u32> = graph.taken.iter().flatten().copied().collect();
        let (closed, mut order): (Vec<u32>, Vec<u32>) =
            taken.into_iter().partition(|&item| self.steps.is_closed(item));
        order.extend(closure::needed(self.nondet, &self.steps, closed));
        order.sort_unstable();
        order.dedup();
        order.sort_by_key(|&item| {
            (!self.steps.is_closed(item), self.steps.steps[item as usize].distance, item)
        });
        let mut policy = self.policy(Class::StrongCyclic, &order);
        let misled = |policy: &Policy| -> Vec<(u32, u32)> {
            let mut index = Index::default();
            for (at, pair) in policy.pairs.iter().enumerate() {
                index.insert(&pair.condition, at as u32);
            }
            let taken = graph.taken.iter().enumerate();
            let wrong = taken.filter_map(|(at, &taken)| {
                let meant = self.steps.steps[taken? as usize].choice;
                let first = index.first(&graph.states[at])?;
                (policy.pairs[first as usize].choice != meant).then_some((at as u32, first))
            });
            wrong.collect()
        };
        for is_whole in [false, true] {
            let mut exceptions: Vec<(u32, Pair)> = Vec::new();
            for (at, wrong) in misled(&policy) {
                let state = &graph.states[at as usize];
                let step =
                    &self.steps.steps[graph.taken[at as usize].expect("only answered states") as usize];
                let reason = self.dead.reason(state, policy.pairs[wrong as usize].choice);
                let mut condition = match reason {
                    Some(reason) if !is_whole => [&step.condition, reason].concat(),
                    _ => plain_facts(&self.nondet.task, state),
                };
                condition.sort_unstable();
                condition.dedup();
                exceptions.push((step.distance, Pair { condition, choice: step.choice }));
            }
            exceptions.sort_by(|(a, left), (b, right)| {
                (a, &left.condition, left.choice).cmp(&(b, &right.condition, right.choice))
            });
            exceptions.dedup();
            let exceptions = exceptions.into_iter().map(|(_, pair)| pair);
            policy.pairs = exceptions.chain(policy.pairs).collect();
        }
        policy
    }

    fn policy(&self, class: Class, order: &[u32]) -> Policy {
        let pairs = order.iter().map(|&item| {
            let step = &self.steps.steps[item as usize];
            Pair { condition: step.condition.clone(), choice: step.choice }
        });
        Policy { class, pairs: pairs.collect() }
    }
}
