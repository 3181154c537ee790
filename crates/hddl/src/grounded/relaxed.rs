//! Relaxed composition: how far a network is from its end if nothing becomes false and order does not matter.
//!
//! Tasks are built from below: an action that can be done makes its own task true beside its effects, and a method makes
//! its task true once its subtasks are (Höller, Bercher, Behnke and Biundo, IJCAI 2018). What the tasks of the network
//! cannot come to is left out. Costs of facts and tasks are added up (h^add), and the estimate is the number of
//! actions and methods of the relaxed plan that the cheapest supporters make (FF, Hoffmann and Nebel 2001).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::model::{GroundProblem, GroundTask};

/// Lists of numbers, stored back to back.
#[derive(Clone, Debug, Default)]
struct Lists {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new<'a>(lists: impl Iterator<Item = Vec<u32>> + 'a) -> Lists {
        let mut all = Lists { start: vec![0], items: Vec::new() };
        for list in lists {
            all.items.extend(list);
            all.start.push(all.items.len() as u32);
        }
        all
    }

    fn get(&self, at: usize) -> &[u32] {
        &self.items[self.start[at] as usize..self.start[at + 1] as usize]
    }

    fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// For each of `count` numbers the lists that it is in.
    fn inverted(&self, count: usize) -> Lists {
        let mut start = vec![0u32; count + 1];
        self.items.iter().for_each(|&item| start[item as usize + 1] += 1);
        for at in 0..count {
            start[at + 1] += start[at];
        }
        let mut next = start.clone();
        let mut items = vec![0; self.items.len()];
        for at in 0..self.len() {
            for &item in self.get(at) {
                items[next[item as usize] as usize] = at as u32;
                next[item as usize] += 1;
            }
        }
        Lists { start, items }
    }
}

/// The relaxed problem. Propositions are the facts, then the tasks, then the methods (a method that was chosen is to
/// be carried out). Rules are those of actions, then the methods.
#[derive(Debug)]
pub(crate) struct Relaxed {
    facts: usize,
    tasks: usize,
    /// By rule.
    needs: Lists,
    makes: Lists,
    /// By proposition: the rules that need it.
    needed_by: Lists,
    /// By task: the rules that it can use directly.
    rules_of: Lists,
    /// The first rule of a method.
    first_method: usize,
    /// By rule: the evaluation in which it was last found to be of use, and what is still to become true then.
    allowed: Vec<u32>,
    waiting: Vec<u32>,
    sums: Vec<u32>,
    /// By task: the evaluation in which it was last needed.
    wanted: Vec<u32>,
    /// By proposition.
    known: Vec<u32>,
    costs: Vec<u32>,
    supporter: Vec<u32>,
    taken: Vec<u32>,
    round: u32,
    /// Rules looked at so far, over all estimates.
    pub(super) work: u64,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
    stack: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Relaxed {
    pub(crate) fn new(problem: &GroundProblem) -> Relaxed {
        let (facts, tasks) = (problem.facts, problem.tasks.len());
        let mut needs = Vec::new();
        let mut makes = Vec::new();
        let mut rules_of: Vec<Vec<u32>> = vec![Vec::new(); tasks];
        for (at, task) in problem.tasks.iter().enumerate() {
            let GroundTask::Action { condition, effects } = task else { continue };
            for (number, effect) in effects.iter().enumerate() {
                let mut need = condition.holds.clone();
                need.extend(&effect.condition.holds);
                need.sort_unstable();
                need.dedup();
                let mut make = effect.added.clone();
                if number == 0 {
                    make.push((facts + at) as u32);
                }
                rules_of[at].push(needs.len() as u32);
                needs.push(need);
                makes.push(make);
            }
        }
        let first_method = needs.len();
        for (at, method) in problem.methods.iter().enumerate() {
            let mut need = method.condition.holds.clone();
            need.extend(method.subtasks.iter().map(|&task| facts as u32 + task));
            need.sort_unstable();
            need.dedup();
            rules_of[method.task as usize].push(needs.len() as u32);
            needs.push(need);
            makes.push(vec![facts as u32 + method.task, (facts + tasks + at) as u32]);
        }
        let needs = Lists::new(needs.into_iter());
        let count = facts + tasks + problem.methods.len();
        Relaxed {
            facts,
            tasks,
            needed_by: needs.inverted(count),
            makes: Lists::new(makes.into_iter()),
            rules_of: Lists::new(rules_of.into_iter()),
            first_method,
            allowed: vec![0; needs.len()],
            waiting: vec![0; needs.len()],
            sums: vec![0; needs.len()],
            taken: vec![0; needs.len()],
            needs,
            wanted: vec![0; tasks],
            known: vec![0; count],
            costs: vec![0; count],
            supporter: vec![NONE; count],
            round: 0,
            work: 0,
            queue: BinaryHeap::new(),
            stack: Vec::new(),
        }
    }

    /// The proposition of a task.
    pub(crate) fn of_task(&self, task: u32) -> u32 {
        self.facts as u32 + task
    }

    /// The proposition of a method that was chosen.
    pub(crate) fn of_method(&self, method: u32) -> u32 {
        (self.facts + self.tasks) as u32 + method
    }

    /// Which propositions can become true from some facts, by all rules.
    pub(super) fn reachable(&mut self, state: impl Iterator<Item = u32>) -> Vec<bool> {
        self.round += 1;
        self.allowed.fill(self.round);
        for rule in 0..self.needs.len() {
            self.waiting[rule] = self.needs.get(rule).len() as u32;
            self.sums[rule] = 0;
        }
        self.explore(state, None);
        self.known.iter().map(|&round| round == self.round).collect()
    }

    /// How many actions and methods a network needs at least, in the relaxed problem; `None` if it has no end there, and then
    /// it has none. `wanted` are the propositions of its tasks, each as often as it occurs; `goal` are facts that must be true at the end.
    pub(crate) fn estimate(
        &mut self,
        state: impl Iterator<Item = u32>,
        wanted: &[u32],
        goal: &[u32],
    ) -> Option<u32> {
        self.round += 1;
        self.work += wanted.len() as u64;
        self.allow(wanted);
        let missing = self.explore(state, Some((wanted, goal)));
        if missing > 0 {
            return None;
        }
        Some(self.relaxed_plan(wanted, goal))
    }

    /// Allows the rules that the tasks of a network can come to.
    fn allow(&mut self, wanted: &[u32]) {
        let (facts, tasks) = (self.facts as u32, self.tasks as u32);
        self.stack.clear();
        for &proposition in wanted {
            match proposition.checked_sub(facts + tasks) {
                None => self.stack.push(proposition - facts),
                Some(method) => {
                    let rule = self.first_method + method as usize;
                    self.allow_rule(rule);
                    let subtasks = self.needs.get(rule).iter().filter(|&&it| it >= facts);
                    self.stack.extend(subtasks.map(|it| it - facts));
                }
            }
        }
        while let Some(task) = self.stack.pop() {
            let seen = &mut self.wanted[task as usize];
            if *seen == self.round {
                continue;
            }
            *seen = self.round;
            for at in self.rules_of.start[task as usize]..self.rules_of.start[task as usize + 1] {
                let rule = self.rules_of.items[at as usize] as usize;
                self.allow_rule(rule);
                let subtasks = self.needs.get(rule).iter().rev().take_while(|&&it| it >= facts);
                self.stack.extend(subtasks.map(|it| it - facts));
            }
        }
    }

    fn allow_rule(&mut self, rule: usize) {
        self.work += 1;
        self.allowed[rule] = self.round;
        self.waiting[rule] = self.needs.get(rule).len() as u32;
        self.sums[rule] = 0;
        // A rule without conditions would never be met by what becomes true.
        if self.waiting[rule] == 0 {
            self.fire(rule);
        }
    }

    fn reach(&mut self, proposition: u32, cost: u32, supporter: u32) {
        let at = proposition as usize;
        if self.known[at] != self.round || cost < self.costs[at] {
            self.known[at] = self.round;
            self.costs[at] = cost;
            self.supporter[at] = supporter;
            self.queue.push(Reverse((cost, proposition)));
        }
    }

    fn fire(&mut self, rule: usize) {
        let cost = self.sums[rule].saturating_add(1);
        for at in self.makes.start[rule]..self.makes.start[rule + 1] {
            let proposition = self.makes.items[at as usize];
            self.reach(proposition, cost, rule as u32);
        }
    }

    /// Costs of propositions, cheapest first, until all that is wanted is known; how much of that is out of reach.
    fn explore(&mut self, state: impl Iterator<Item = u32>, until: Option<(&[u32], &[u32])>) -> usize {
        if until.is_none() {
            for rule in 0..self.needs.len() {
                if self.waiting[rule] == 0 {
                    self.fire(rule);
                }
            }
        }
        for fact in state {
            self.reach(fact, 0, NONE);
        }
        let wanted = until.map(|(tasks, goal)| tasks.iter().chain(goal));
        let mut open: Vec<u32> = wanted.into_iter().flatten().copied().collect();
        open.sort_unstable();
        open.dedup();
        let mut left = if until.is_none() { usize::MAX } else { open.len() };
        while left > 0
            && let Some(Reverse((cost, proposition))) = self.queue.pop()
        {
            let at = proposition as usize;
            if self.costs[at] < cost {
                continue;
            }
            if until.is_some() && open.binary_search(&proposition).is_ok() {
                left -= 1;
            }
            self.work += u64::from(self.needed_by.start[at + 1] - self.needed_by.start[at]) + 1;
            for at in self.needed_by.start[at]..self.needed_by.start[at + 1] {
                let rule = self.needed_by.items[at as usize] as usize;
                if self.allowed[rule] != self.round {
                    continue;
                }
                self.waiting[rule] -= 1;
                self.sums[rule] = self.sums[rule].saturating_add(cost);
                if self.waiting[rule] == 0 {
                    self.fire(rule);
                }
            }
        }
        self.queue.clear();
        left
    }

    /// The number of rules of the plan that supporters make, counted once each; tasks that occur again count again.
    fn relaxed_plan(&mut self, wanted: &[u32], goal: &[u32]) -> u32 {
        let mut size = 0;
        self.stack.clear();
        self.stack.extend(goal);
        self.stack.extend(wanted);
        while let Some(proposition) = self.stack.pop() {
            let rule = self.supporter[proposition as usize];
            if rule == NONE || self.taken[rule as usize] == self.round {
                continue;
            }
            self.taken[rule as usize] = self.round;
            size += 1;
            self.stack.extend(self.needs.get(rule as usize));
        }
        let mut sorted = wanted.to_vec();
        sorted.sort_unstable();
        let repeated = sorted.windows(2).filter(|pair| pair[0] == pair[1]).count();
        size + repeated as u32
    }
}
