//! Every action that the methods can advise, and the policies made of them.
//!
//! The greedy search keeps to the first way that has not failed yet, so it can miss policies; this one decides. A task list
//! is a stack and nature only changes the state, so the situations that can come up are those of a pushdown system, and what
//! can be at the top of the stack in which state is found by tabulation (Reps, Horwitz and Sagiv, POPL 1995): a *call* is a
//! task in a state, its *results* are the states in which it can be over, and a list that waits for a call goes on from each of
//! its results. There are finitely many calls even if task lists grow without end.
//!
//! An action is *advised* in a state if it can be at the top of the list there. A policy is a solution if it has the wanted
//! guarantee and uses advised actions only; whether there is one is a fixpoint over the states. Task lists are forgotten
//! at that point on purpose: a state that has its answer needs no second one, whatever list led there.

use std::rc::Rc;

use counterplay_base::{Budget, BudgetPoll, Id, IdVec, Limit, Progress, Report, Verdict};
use counterplay_policy::{Class, Pair, Policy};
use counterplay_task::{
    ChoiceId, NondetTask, Value, VarId, apply, close_under_axioms, is_applicable, is_goal,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::instances::{MethodAdvice, Refined};
use crate::Task;
use crate::explored::{Explored, Solved};
use crate::ndshop2::basic_facts;

/// The values of all variables.
type State = IdVec<VarId, Value>;

/// A list of tasks of which those from `next` on are still to be done for a call, or for none: the initial network.
#[derive(Clone)]
struct Waiting {
    parent: Option<usize>,
    /// Equal numbers mean equal lists.
    number: usize,
    list: Rc<Vec<Task>>,
    next: usize,
}

/// A task in a state.
struct Call {
    state: u32,
    task: Task,
    /// States in which it can be over.
    results: FxHashSet<u32>,
    in_order: Vec<u32>,
    waiting: Vec<Waiting>,
    known: FxHashSet<(Option<usize>, usize, usize)>,
}

struct Table<'a> {
    nondet: &'a NondetTask,
    states: Vec<State>,
    numbers: FxHashMap<Box<[Value]>, u32>,
    goals: Vec<bool>,
    calls: Vec<Call>,
    call_numbers: FxHashMap<(u32, Task), usize>,
    /// Calls that were not looked into, and lists that go on from a state.
    fresh: Vec<usize>,
    going_on: Vec<(Waiting, u32)>,
    advice: FxHashMap<u32, Vec<ChoiceId>>,
}

/// Looks for a policy of advised actions; also tells how many calls were looked at.
pub(super) fn tabulate(
    nondet: &NondetTask,
    advice: &mut MethodAdvice<'_>,
    class: Class,
    budget: &Budget,
    progress: &dyn Progress,
) -> (Verdict<Policy>, u64) {
    let mut table = Table {
        nondet,
        states: Vec::new(),
        numbers: FxHashMap::default(),
        goals: Vec::new(),
        calls: Vec::new(),
        call_numbers: FxHashMap::default(),
        fresh: Vec::new(),
        going_on: Vec::new(),
        advice: FxHashMap::default(),
    };
    let verdict = table.solve(advice, class, budget, progress);
    (verdict.into(), table.calls.len() as u64)
}

impl Table<'_> {
    fn solve(
        &mut self,
        advice: &mut MethodAdvice<'_>,
        class: Class,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Option<Policy>, Limit> {
        let mut initial = self.nondet.task.initial.clone();
        close_under_axioms(&self.nondet.task, &mut initial);
        let root = self.number(initial);
        let list = Rc::new(advice.networks.tasks(advice.start));
        let start = Waiting { parent: None, number: usize::MAX, list, next: 0 };
        self.going_on.push((start, root));
        let mut poll = BudgetPoll::every(256);
        loop {
            poll.step(budget)?;
            if let Some((waiting, state)) = self.going_on.pop() {
                self.go_on(waiting, state);
            } else if let Some(call) = self.fresh.pop() {
                self.look_into(call, advice);
                if call.is_multiple_of(4096) {
                    progress.report(Report { phase: "tabulating", counts: &[("calls", call as f64)] });
                }
            } else {
                break;
            }
        }
        self.decide(root, class, budget)
    }

    fn number(&mut self, state: State) -> u32 {
        let next = self.states.len() as u32;
        let number = *self.numbers.entry(state.as_slice().into()).or_insert(next);
        if number == next {
            self.goals.push(is_goal(&self.nondet.task, &state));
            self.states.push(state);
        }
        number
    }

    /// A list goes on in a state, unless the goal has ended everything.
    fn go_on(&mut self, waiting: Waiting, state: u32) {
        if self.goals[state as usize] {
            return;
        }
        let Some(&task) = waiting.list.get(waiting.next) else {
            // Once the initial network is done there is no more advice.
            if let Some(parent) = waiting.parent {
                self.result(parent, state);
            }
            return;
        };
        let next = self.calls.len();
        let call = *self.call_numbers.entry((state, task)).or_insert(next);
        if call == next {
            self.fresh.push(call);
            self.calls.push(Call {
                state,
                task,
                results: FxHashSet::default(),
                in_order: Vec::new(),
                waiting: Vec::new(),
                known: FxHashSet::default(),
            });
        }
        let own = &mut self.calls[call];
        let after = Waiting { next: waiting.next + 1, ..waiting };
        if own.known.insert((after.parent, after.number, after.next)) {
            self.going_on.extend(own.in_order.iter().map(|&result| (after.clone(), result)));
            own.waiting.push(after);
        }
    }

    /// A call can be over in a state.
    fn result(&mut self, call: usize, state: u32) {
        let own = &mut self.calls[call];
        if own.results.insert(state) {
            own.in_order.push(state);
            self.going_on.extend(own.waiting.iter().map(|waiting| (waiting.clone(), state)));
        }
    }

    fn look_into(&mut self, call: usize, advice: &mut MethodAdvice<'_>) {
        let (state, task) = (self.calls[call].state, self.calls[call].task);
        match advice.task(task) {
            Refined::Do(choices) => {
                for choice in choices {
                    let here = &self.states[state as usize];
                    if !is_applicable(&self.nondet.task, here, self.nondet.choices[choice].first()) {
                        continue;
                    }
                    let advice = self.advice.entry(state).or_default();
                    if !advice.contains(&choice) {
                        advice.push(choice);
                    }
                    for next in self.outcomes(state, choice) {
                        self.result(call, next);
                    }
                }
            }
            Refined::By(instances) => {
                for instance in instances.iter() {
                    if instance.guard.holds(&self.states[state as usize]) {
                        let list = Rc::new(instance.subtasks.clone());
                        let waiting = Waiting { parent: Some(call), number: instance.number, list, next: 0 };
                        self.going_on.push((waiting, state));
                    }
                }
            }
        }
    }

    fn outcomes(&mut self, state: u32, choice: ChoiceId) -> Vec<u32> {
        let here = self.states[state as usize].clone();
        let operators = self.nondet.choices[choice].operators();
        operators.map(|op| self.number(apply(&self.nondet.task, &here, op))).collect()
    }

    /// The policy, as far as it can be met from the start.
    fn decide(&mut self, root: u32, class: Class, budget: &Budget) -> Result<Option<Policy>, Limit> {
        let mut graph: Explored<ChoiceId> = Explored::new();
        graph.meet(root);
        while let Some(state) = graph.next_unexplored(usize::MAX) {
            graph.close(state, self.goals[state as usize]);
            if !self.goals[state as usize] {
                for choice in self.advice.get(&state).cloned().unwrap_or_default() {
                    let next = self.outcomes(state, choice);
                    graph.way(state, choice, next);
                }
            }
        }
        let solved = match class {
            Class::Strong => Some(graph.strong(false, budget)?),
            Class::StrongCyclic => graph.cyclic(root, false, budget)?,
            Class::Weak => Some(graph.weak(budget)?),
        };
        let Some(solved) = solved.filter(|solved| solved.contains_key(&root)) else { return Ok(None) };
        Ok(Some(Policy { class, pairs: self.pairs(root, &solved) }))
    }

    fn pairs(&mut self, root: u32, solved: &Solved<ChoiceId>) -> Vec<Pair> {
        let mut pairs = Vec::new();
        let mut met: FxHashSet<u32> = [root].into_iter().collect();
        let mut open = vec![root];
        while let Some(state) = open.pop() {
            let Some(Some(choice)) = solved.get(&state) else { continue };
            let condition = basic_facts(self.nondet, &self.states[state as usize]);
            pairs.push(Pair { condition, choice: *choice });
            let next = self.outcomes(state, *choice);
            open.extend(next.into_iter().filter(|&next| met.insert(next)));
        }
        pairs.sort_by_key(|pair| pair.choice.index());
        pairs
    }
}
