//! Landmarks and their orders.
//!
//! A landmark is a set of facts one of which has to become true on the way to the goal. An order A → B says that A comes first:
//! *natural* since no plan can do otherwise, *greedy-necessary* if A has to hold in the very moment before B first does,
//! *reasonable* if B would have to be given up for A and achieved again (Porteous, Sebastia and Hoffmann 2001; Richter and Westphal 2010).
//! Reasonable orders that close a cycle are left out.

use counterplay_base::{Budget, IdVec, Limit};
use counterplay_task::{Fact, Task, Value, VarId, close_under_axioms};

use super::super::relaxed::{FactId, Relaxed, RelaxedId};
use super::propagate::{FactLandmarks, FactSet};

/// Larger disjunctions say little.
const LARGEST_DISJUNCTION: usize = 4;

/// Reasonable orders are looked for among at most so many landmarks.
const MOST_FOR_REASONABLE: usize = 2_000;

/// A landmark with its orders to others, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Landmark {
    /// One of these has to become true.
    pub(super) facts: FactSet,
    pub(super) cost: u64,
    /// Whether it has to hold at the end.
    pub(super) is_goal: bool,
    /// What is true at some time before it in every plan.
    pub(super) before: Vec<u32>,
    /// What had better come before it, by reasonable orders.
    pub(super) better_before: Vec<u32>,
    /// What it has to hold immediately before.
    pub(super) needed_for: Vec<u32>,
}

impl Landmark {
    /// What comes before it, by any order.
    pub(super) fn earlier(&self) -> impl Iterator<Item = u32> + '_ {
        self.before.iter().chain(&self.better_before).copied()
    }
}

/// The landmarks of a task.
#[derive(Debug, Default)]
pub(super) struct LandmarkGraph {
    pub(super) landmarks: Vec<Landmark>,
    /// What finding them took.
    pub(super) work: u64,
}

impl LandmarkGraph {
    /// Finds landmarks. If the allowed work does not suffice, only goals are.
    pub(super) fn new(
        task: &Task,
        relaxed: &Relaxed,
        allowed: u64,
        budget: &Budget,
    ) -> Result<LandmarkGraph, Limit> {
        let Some(mut found) = FactLandmarks::new(task, relaxed, allowed, budget)? else {
            let mut graph = LandmarkGraph { work: allowed, ..LandmarkGraph::default() };
            for &goal in &relaxed.preconditions[goal_operator(relaxed)] {
                let cost = achievers_cost(relaxed, relaxed.added_by[goal].iter());
                graph.landmarks.push(Landmark {
                    facts: vec![goal],
                    cost,
                    is_goal: true,
                    ..Landmark::default()
                });
            }
            return Ok(graph);
        };
        let mut builder = Builder::new(task, relaxed);
        builder.add_facts(&mut found, budget)?;
        builder.add_reasonable_orders();
        let work = found.work + builder.work;
        Ok(LandmarkGraph { landmarks: builder.landmarks, work })
    }
}

/// The free operator that stands for the goal.
fn goal_operator(relaxed: &Relaxed) -> RelaxedId {
    relaxed.added_by[FactId::GOAL][0]
}

fn achievers_cost<'a>(relaxed: &Relaxed, achievers: impl Iterator<Item = &'a RelaxedId>) -> u64 {
    achievers.map(|&op| u64::from(relaxed.costs[op])).min().unwrap_or(0)
}

struct Builder<'a> {
    relaxed: &'a Relaxed,
    landmarks: Vec<Landmark>,
    /// The landmark that consists of a fact alone, or has it as one of several.
    of_fact: IdVec<FactId, Option<u32>>,
    /// A fact of the task for each relaxed fact.
    origin: IdVec<FactId, Option<Fact>>,
    holds_initially: IdVec<FactId, bool>,
    /// The mutex groups of each fact.
    groups: IdVec<FactId, Vec<u32>>,
    work: u64,
}

impl<'a> Builder<'a> {
    fn new(task: &Task, relaxed: &'a Relaxed) -> Builder<'a> {
        let mut origin = IdVec::filled(None, relaxed.fact_count);
        for (var, variable) in task.variables.enumerate() {
            for value in 0..variable.values.len() as Value {
                let fact = Fact { var, value };
                origin[relaxed.fact(fact)] = Some(fact);
            }
        }
        origin[FactId::TRUE] = None;
        let mut initial = task.initial.clone();
        close_under_axioms(task, &mut initial);
        let mut holds_initially = IdVec::filled(false, relaxed.fact_count);
        relaxed.facts_of(&initial).for_each(|fact| holds_initially[fact] = true);
        let mut groups: IdVec<FactId, Vec<u32>> = IdVec::filled(Vec::new(), relaxed.fact_count);
        for (number, group) in (0..).zip(&task.mutex_groups) {
            group.iter().for_each(|&fact| groups[relaxed.fact(fact)].push(number));
        }
        let of_fact = IdVec::filled(None, relaxed.fact_count);
        Builder { relaxed, landmarks: Vec::new(), of_fact, origin, holds_initially, groups, work: 0 }
    }

    fn add(&mut self, facts: FactSet) -> u32 {
        let number = self.landmarks.len() as u32;
        for &fact in &facts {
            self.of_fact[fact] = Some(number);
        }
        self.landmarks.push(Landmark { facts, ..Landmark::default() });
        number
    }

    /// The landmark of a single fact, which is a new one if need be.
    fn single(&mut self, fact: FactId) -> u32 {
        match self.of_fact[fact] {
            Some(number) if self.landmarks[number as usize].facts.len() == 1 => number,
            _ => self.add(vec![fact]),
        }
    }

    fn order(&mut self, before: u32, after: u32) {
        let list = &mut self.landmarks[after as usize].before;
        if before != after && !list.contains(&before) {
            list.push(before);
        }
    }

    fn order_reasonably(&mut self, before: u32, after: u32) {
        let after = &mut self.landmarks[after as usize];
        if !after.before.contains(&before) && !after.better_before.contains(&before) {
            after.better_before.push(before);
        }
    }

    fn order_directly(&mut self, before: u32, after: u32) {
        self.order(before, after);
        let list = &mut self.landmarks[before as usize].needed_for;
        if before != after && !list.contains(&after) {
            list.push(after);
        }
    }

    /// Landmarks that are facts, with what comes before each of them.
    fn add_facts(&mut self, found: &mut FactLandmarks, budget: &Budget) -> Result<(), Limit> {
        let goals = &self.relaxed.preconditions[goal_operator(self.relaxed)];
        for &goal in goals.iter().filter(|&&goal| goal != FactId::TRUE) {
            let number = self.single(goal);
            self.landmarks[number as usize].is_goal = true;
        }
        let of_goal: FactSet = found.of(FactId::GOAL).unwrap_or_default().to_vec();
        for &fact in of_goal.iter().filter(|&&fact| fact != FactId::GOAL) {
            self.single(fact);
        }
        let mut next = 0;
        while next < self.landmarks.len() {
            budget.check()?;
            self.look_before(next as u32, found);
            next += 1;
        }
        Ok(())
    }

    /// What has to hold before a landmark first does, by its first achievers.
    fn look_before(&mut self, number: u32, found: &mut FactLandmarks) {
        let facts = self.landmarks[number as usize].facts.clone();
        let achievers = self.first_achievers(&facts, found);
        self.landmarks[number as usize].cost = achievers_cost(self.relaxed, achievers.iter());
        if facts.iter().any(|&fact| self.holds_initially[fact]) {
            let all = facts.iter().flat_map(|&fact| &self.relaxed.added_by[fact]);
            self.landmarks[number as usize].cost = achievers_cost(self.relaxed, all);
            return;
        }
        if facts.len() == 1 {
            let before: FactSet = found.of(facts[0]).unwrap_or_default().to_vec();
            for fact in before {
                let earlier = self.single(fact);
                self.order(earlier, number);
            }
        }
        let Some((&first, rest)) = achievers.split_first() else { return };
        let relaxed = self.relaxed;
        self.work += achievers.iter().map(|&op| relaxed.preconditions[op].len() as u64).sum::<u64>();
        for &fact in relaxed.preconditions[first].iter().filter(|&&fact| fact != FactId::TRUE) {
            if rest.iter().all(|&op| relaxed.preconditions[op].contains(&fact)) {
                let earlier = self.single(fact);
                self.order_directly(earlier, number);
            } else if let Some(alternatives) = self.alternatives(fact, &achievers) {
                let known = self.of_fact[alternatives[0]];
                let earlier = match known {
                    Some(known) if self.landmarks[known as usize].facts == alternatives => known,
                    Some(_) => continue,
                    None => self.add(alternatives),
                };
                // Disjunctions may need each other in turn, as places need vehicles and vehicles places.
                if !self.comes_before(number, earlier) {
                    self.order_directly(earlier, number);
                }
            }
        }
    }

    /// The achievers that may be the first to make one of the facts true: those that do not need it themselves.
    fn first_achievers(&mut self, facts: &[FactId], found: &mut FactLandmarks) -> Vec<RelaxedId> {
        let (mut needed, mut spare) = (Vec::new(), Vec::new());
        let mut achievers: Vec<RelaxedId> =
            facts.iter().flat_map(|&fact| &self.relaxed.added_by[fact]).copied().collect();
        achievers.sort_unstable();
        achievers.dedup();
        achievers.retain(|&op| {
            found.of_preconditions(self.relaxed, op, &mut needed, &mut spare)
                && facts.iter().all(|fact| needed.binary_search(fact).is_err())
        });
        achievers
    }

    /// Values of the variable of `fact` of which each achiever needs one; `None` if there is no such set that says something new.
    fn alternatives(&self, fact: FactId, achievers: &[RelaxedId]) -> Option<FactSet> {
        let var = self.var_of(fact)?;
        let mut set = FactSet::new();
        for &op in achievers {
            let own = self.relaxed.preconditions[op].iter().find(|&&pre| self.var_of(pre) == Some(var))?;
            if !set.contains(own) {
                set.push(*own);
            }
            if set.len() > LARGEST_DISJUNCTION {
                return None;
            }
        }
        set.sort_unstable();
        let is_new = |fact: &FactId| match self.of_fact[*fact] {
            Some(number) => self.landmarks[number as usize].facts == set,
            None => !self.holds_initially[*fact],
        };
        set.iter().all(is_new).then_some(set)
    }

    fn var_of(&self, fact: FactId) -> Option<VarId> {
        self.origin[fact].map(|fact| fact.var)
    }

    /// Orders between landmarks that get into each other's way.
    fn add_reasonable_orders(&mut self) {
        if self.landmarks.len() > MOST_FOR_REASONABLE {
            return;
        }
        for later in 0..self.landmarks.len() as u32 {
            for earlier in self.rivals(later) {
                if earlier != later && self.interferes(later, earlier) && !self.comes_before(later, earlier) {
                    self.order_reasonably(earlier, later);
                }
            }
        }
    }

    /// Landmarks that have to be true together with this one, or before something that it is needed for.
    fn rivals(&self, number: u32) -> Vec<u32> {
        let landmark = &self.landmarks[number as usize];
        if landmark.is_goal {
            let goals = (0..).zip(&self.landmarks).filter(|(_, other)| other.is_goal);
            return goals.map(|(other, _)| other).filter(|&other| other != number).collect();
        }
        let mut rivals: Vec<u32> = landmark
            .needed_for
            .iter()
            .flat_map(|&next| self.landmarks[next as usize].before.iter().copied())
            .filter(|&other| other != number)
            .collect();
        rivals.sort_unstable();
        rivals.dedup();
        rivals
    }

    /// Whether `kept` cannot stay true while `wanted` is achieved: they exclude each other, or what `wanted` needs directly does.
    fn interferes(&mut self, kept: u32, wanted: u32) -> bool {
        let kept = &self.landmarks[kept as usize];
        let wanted_facts = &self.landmarks[wanted as usize].facts;
        let (&[kept], &[wanted_fact]) = (kept.facts.as_slice(), wanted_facts.as_slice()) else {
            return false;
        };
        self.work += 4;
        if self.is_mutex(kept, wanted_fact) {
            return true;
        }
        let before = &self.landmarks[wanted as usize].before;
        before.iter().any(|&need| {
            let need = &self.landmarks[need as usize];
            need.needed_for.contains(&wanted) && need.facts.len() == 1 && self.is_mutex(kept, need.facts[0])
        })
    }

    fn is_mutex(&self, a: FactId, b: FactId) -> bool {
        let (Some(x), Some(y)) = (self.origin[a], self.origin[b]) else { return false };
        x.var == y.var && x.value != y.value
            || a != b && self.groups[a].iter().any(|group| self.groups[b].contains(group))
    }

    /// Whether orders lead from one landmark to another.
    fn comes_before(&mut self, from: u32, to: u32) -> bool {
        let mut seen = vec![false; self.landmarks.len()];
        let mut stack = vec![to];
        while let Some(number) = stack.pop() {
            self.work += 1;
            if number == from {
                return true;
            }
            if !std::mem::replace(&mut seen[number as usize], true) {
                stack.extend(self.landmarks[number as usize].earlier());
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_testkit::random_task;

    /// Natural and greedy-necessary orders come from proofs, reasonable ones are kept free of cycles.
    #[test]
    fn orders_have_no_cycle_and_goals_are_landmarks() {
        let (mut orders, mut several) = (0, 0);
        for seed in 0..300 {
            let task = random_task(seed);
            let relaxed = Relaxed::new(&task, &super::super::HeuristicCosts::One.of(&task));
            let graph = LandmarkGraph::new(&task, &relaxed, u64::MAX, &Budget::unlimited()).unwrap();
            let landmarks = &graph.landmarks;
            let mut left: Vec<usize> = (0..landmarks.len()).collect();
            let mut done = vec![false; landmarks.len()];
            while let Some(at) = left.iter().position(|&i| landmarks[i].earlier().all(|b| done[b as usize])) {
                done[left.swap_remove(at)] = true;
            }
            assert!(left.is_empty(), "seed {seed}: a cycle among {left:?}");
            orders += landmarks.iter().map(|landmark| landmark.earlier().count()).sum::<usize>();
            several += landmarks.iter().filter(|landmark| landmark.facts.len() > 1).count();
        }
        assert!(orders > 100 && several > 0, "{orders} orders, {several} disjunctions");
    }
}
