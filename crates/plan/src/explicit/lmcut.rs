//! The LM-cut heuristic (Helmert and Domshlak, ICAPS 2009).
//!
//! Each relaxed operator that can be reached has a *supporter*: one of its preconditions with the largest h_max
//! value. Edges from supporters to effects form a graph in which every relaxed plan is a way from the state to
//! the goal, so each cut through it is a disjunctive landmark: a plan must use one of its operators. We cut
//! around the zone from which the goal is reached for free, pay the least cost in the cut to the estimate,
//! deduct it from the operators of the cut, and repeat until the goal is free.
//!
//! Where we depart from the paper:
//! - Cuts are found from the goal side alone. A fact of the zone costs at least as much as the goal, hence any
//!   cheaper supporter is reached without entering the zone; only supporters as dear as the goal itself need a
//!   (backward) search. The usual forward pass over the whole graph is not needed.
//! - The search may hand in landmarks that it already knows for the state (Pommerening and Helmert, ICAPS 2013):
//!   they are paid first, and only what is missing is computed.
//! - Relaxed operators that share one cost (conditional effects) pay together: a cut over effects is a landmark
//!   over operators, so the estimate stays a lower bound. It may then fall below h_max.

use counterplay_base::{Budget, IdVec, Limit};
use counterplay_task::{Value, VarId};

use super::hmax::HMax;
use super::relaxed::{FactId, GroupId, Relaxed, RelaxedId};

/// Looking at a supporter costs about as much as looking at so many operators.
const WORK_PER_SUPPORTER: u64 = 5;

/// Computes LM-cut estimates for states of one task.
#[derive(Debug)]
pub(super) struct LmCut {
    h_max: HMax,
    /// The current round of cutting; marks of earlier rounds count as absent.
    round: u32,
    in_zone: IdVec<FactId, u32>,
    /// Facts proved reachable, or unreachable, without the zone in this round.
    before: IdVec<FactId, u32>,
    behind: IdVec<FactId, u32>,
    /// Operators with an effect in the zone of this round.
    enters: IdVec<RelaxedId, u32>,
    /// Facts met in the search with this number.
    met: IdVec<FactId, u32>,
    search: u32,
    stack: Vec<FactId>,
    candidates: Vec<RelaxedId>,
    cut: Vec<GroupId>,
    choice: SupporterChoice,
    /// What the choice makes of each fact: less is better.
    priority: IdVec<FactId, u32>,
}

/// How to choose between supporters that h_max cannot tell apart. The estimates depend much on it, but which choice
/// is good for a task only a trial can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SupporterChoice {
    /// Whether facts that end the zone, because few operators achieve them for free, come first.
    pub(super) narrow: bool,
    /// The order among equals: 0 and 1 for the order of the facts and its reverse, others for random orders.
    pub(super) order: u32,
}

impl LmCut {
    /// Prepares the heuristic for a relaxed task.
    pub(super) fn new(relaxed: Relaxed) -> LmCut {
        let (facts, ops) = (relaxed.fact_count, relaxed.operator_count());
        LmCut {
            h_max: HMax::new(relaxed),
            round: 0,
            in_zone: IdVec::filled(0, facts),
            before: IdVec::filled(0, facts),
            behind: IdVec::filled(0, facts),
            enters: IdVec::filled(0, ops),
            met: IdVec::filled(0, facts),
            search: 0,
            stack: Vec::new(),
            candidates: Vec::new(),
            cut: Vec::new(),
            choice: SupporterChoice { narrow: true, order: 0 },
            priority: (0..facts as u32).collect(),
        }
    }

    /// Chooses between supporters in another way from now on.
    pub(super) fn set_choice(&mut self, choice: SupporterChoice) {
        self.choice = choice;
        for (fact, priority) in (0..).zip(self.priority.iter_mut()) {
            *priority = match choice.order {
                0 => fact,
                1 => u32::MAX - fact,
                seed => {
                    let mixed = (u64::from(fact) << 32 | u64::from(seed)).wrapping_mul(0xd6e8_feb8_6659_fd93);
                    ((mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as u32
                }
            };
        }
    }

    /// How supporters are chosen.
    pub(super) fn choice(&self) -> SupporterChoice {
        self.choice
    }

    /// Operators looked at since the beginning.
    pub(super) fn work(&self) -> u64 {
        self.h_max.work()
    }

    pub(super) fn relaxed(&self) -> &Relaxed {
        &self.h_max.relaxed
    }

    /// Forgets all landmarks paid so far.
    pub(super) fn restore(&mut self) {
        self.h_max.restore_costs();
    }

    /// Deducts the cost of a landmark from its groups.
    pub(super) fn pay(&mut self, landmark: &[GroupId], cost: u32) {
        self.h_max.deduct(landmark, cost);
    }

    /// Cuts until the goal is free under what is left of the costs. Every cut is given to `found`, as groups and
    /// cost. Returns the sum, or `None` if the goal cannot be reached at all.
    pub(super) fn cut_all(
        &mut self,
        state: &IdVec<VarId, Value>,
        budget: &Budget,
        mut found: impl FnMut(&[GroupId], u32),
    ) -> Result<Option<u64>, Limit> {
        self.h_max.explore(state);
        let mut sum = 0;
        loop {
            match self.h_max.goal() {
                None => return Ok(None),
                Some(0) => return Ok(Some(sum)),
                Some(goal) => {
                    budget.check()?;
                    self.next_round();
                    self.mark_zone();
                    self.collect_cut(goal);
                }
            }
            let least = self.cut.iter().map(|&group| self.h_max.group_cost(group)).min();
            let least = least.expect("a goal that costs something is behind a cut");
            found(&self.cut, least);
            sum += u64::from(least);
            self.h_max.deduct(&self.cut, least);
            self.h_max.update(&self.cut);
        }
    }

    /// Forgets the marks of the last round. They are cleared in earnest only when the numbers run out; one round
    /// takes far fewer than are left then.
    fn next_round(&mut self) {
        if self.search > u32::MAX / 2 {
            for marks in [&mut self.in_zone, &mut self.before, &mut self.behind, &mut self.met] {
                marks.iter_mut().for_each(|mark| *mark = 0);
            }
            self.enters.iter_mut().for_each(|mark| *mark = 0);
            (self.round, self.search) = (0, 0);
        }
        self.round += 1;
        self.search += 1;
    }

    /// Marks the facts from which the goal is reached for free, and collects the costly operators that lead into
    /// them.
    fn mark_zone(&mut self) {
        self.candidates.clear();
        self.stack.clear();
        self.stack.push(FactId::GOAL);
        self.in_zone[FactId::GOAL] = self.round;
        while let Some(fact) = self.stack.pop() {
            self.h_max.add_work(self.h_max.relaxed.added_by[fact].len() as u64);
            for &op in &self.h_max.relaxed.added_by[fact] {
                if !self.h_max.is_reached(op) || self.enters[op] == self.round {
                    continue;
                }
                self.enters[op] = self.round;
                if self.h_max.cost(op) > 0 {
                    self.candidates.push(op);
                    continue;
                }
                if let Some(supporter) = self.choose_supporter(op) {
                    self.in_zone[supporter] = self.round;
                    self.stack.push(supporter);
                }
            }
        }
    }

    /// The precondition by which the zone grows over a free operator, or none if one is in the zone already.
    ///
    /// Any precondition of largest value will do.
    fn choose_supporter(&self, op: RelaxedId) -> Option<FactId> {
        let value = self.h_max.supporter_value(op);
        let mut best: Option<((u32, u32, u32), FactId)> = None;
        for &pre in &self.h_max.relaxed.preconditions[op] {
            if self.in_zone[pre] == self.round {
                return None;
            }
            if self.h_max.value(pre) < value {
                continue;
            }
            let (free, all) = if self.choice.narrow { self.count_achievers(pre) } else { (0, 0) };
            let rank = (free, all, self.priority[pre]);
            if best.is_none_or(|(least, _)| rank < least) {
                best = Some((rank, pre));
            }
        }
        best.map(|(_, supporter)| supporter)
    }

    /// How many reached operators achieve a fact for free, and at all.
    fn count_achievers(&self, fact: FactId) -> (u32, u32) {
        let achievers = self.h_max.relaxed.added_by[fact].iter();
        self.h_max.add_work(WORK_PER_SUPPORTER + achievers.len() as u64);
        achievers
            .filter(|&&op| self.h_max.is_reached(op))
            .fold((0, 0), |(free, all), &op| (free + u32::from(self.h_max.cost(op) == 0), all + 1))
    }

    /// The groups of the operators that lead from the state's side into the zone.
    fn collect_cut(&mut self, goal: u32) {
        self.cut.clear();
        for i in 0..self.candidates.len() {
            let op = self.candidates[i];
            let supporter = self.h_max.supporter(op);
            if !self.needs_zone(op)
                && (self.h_max.supporter_value(op) < goal || self.is_before(supporter, goal))
            {
                self.cut.push(self.h_max.relaxed.group[op]);
            }
        }
        if self.h_max.relaxed.has_shared_costs {
            self.cut.sort_unstable();
            self.cut.dedup();
        }
    }

    /// Whether an operator has a precondition in the zone, which may then count as its supporter.
    #[inline]
    fn needs_zone(&self, op: RelaxedId) -> bool {
        self.h_max.relaxed.preconditions[op].iter().any(|&pre| self.in_zone[pre] == self.round)
    }

    /// Whether a fact outside the zone is reached from the state without passing through the zone, and without
    /// operators that enter it: these are in the cut anyway.
    fn is_before(&mut self, fact: FactId, goal: u32) -> bool {
        if self.behind[fact] == self.round {
            return false;
        }
        // The cheapest way to the fact is most often clear.
        let mut on_way = fact;
        while self.h_max.value(on_way) >= goal && self.before[on_way] != self.round {
            let op = self.h_max.achiever(on_way);
            if self.enters[op] == self.round || self.needs_zone(op) {
                return self.search_before(fact, goal);
            }
            on_way = self.h_max.supporter(op);
        }
        let end = on_way;
        on_way = fact;
        while on_way != end {
            self.before[on_way] = self.round;
            on_way = self.h_max.supporter(self.h_max.achiever(on_way));
        }
        true
    }

    /// The same by a search through all ways.
    fn search_before(&mut self, fact: FactId, goal: u32) -> bool {
        self.search += 1;
        self.stack.clear();
        self.stack.push(fact);
        self.met[fact] = self.search;
        let mut next = 0;
        // The stack keeps what has been met, so that a failure can be remembered for all of it.
        while next < self.stack.len() {
            let reached = self.stack[next];
            next += 1;
            self.h_max.add_work(self.h_max.relaxed.added_by[reached].len() as u64);
            for &op in &self.h_max.relaxed.added_by[reached] {
                let supporter = self.h_max.supporter(op);
                if !self.h_max.is_reached(op)
                    || self.enters[op] == self.round
                    || self.met[supporter] == self.search
                    || self.behind[supporter] == self.round
                    || self.needs_zone(op)
                {
                    continue;
                }
                if self.h_max.value(supporter) < goal || self.before[supporter] == self.round {
                    self.before[fact] = self.round;
                    return true;
                }
                self.met[supporter] = self.search;
                self.stack.push(supporter);
            }
        }
        for &fact in &self.stack {
            self.behind[fact] = self.round;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::{Id, IdLists};
    use counterplay_task::{Fact, OpId, Task};
    use counterplay_testkit::{Shape, goal_distances, random_task, random_task_of};

    fn relax(task: &Task) -> LmCut {
        let costs: IdVec<OpId, u64> = task.operators.iter().map(|op| op.cost).collect();
        LmCut::new(Relaxed::new(task, &costs))
    }

    /// LM-cut of a state on its own, with the groups of each cut.
    fn lm_cut(lmcut: &mut LmCut, state: &IdVec<VarId, Value>) -> (Option<u64>, IdLists<OpId, GroupId>) {
        let mut cuts = IdLists::new();
        lmcut.restore();
        let found = |groups: &[GroupId], _| {
            cuts.push(groups.iter().copied());
        };
        let sum = lmcut.cut_all(state, &Budget::unlimited(), found).expect("no limit");
        (sum, cuts)
    }

    /// h_max by relaxing every operator again and again, straight from the task.
    fn plain_h_max(task: &Task, state: &IdVec<VarId, Value>) -> Option<u64> {
        let mut value: Vec<Vec<Option<u64>>> =
            task.variables.iter().map(|variable| vec![None; variable.values.len()]).collect();
        for (var, &v) in state.enumerate() {
            value[var.index()][v as usize] = Some(0);
        }
        for (var, variable) in task.variables.enumerate() {
            if let Some(derived) = variable.derived {
                value[var.index()][derived.default as usize] = Some(0);
            }
        }
        let max = |value: &Vec<Vec<Option<u64>>>, facts: &[Fact]| {
            facts
                .iter()
                .try_fold(0, |max, fact| value[fact.var.index()][fact.value as usize].map(|v| v.max(max)))
        };
        loop {
            let mut changed = false;
            let operators = task.operators.iter().flat_map(|op| {
                op.effects.iter().map(move |effect| {
                    ([op.precondition.as_slice(), effect.condition.as_slice()].concat(), effect.fact, op.cost)
                })
            });
            let axioms = task.axioms.iter().map(|axiom| (axiom.condition.clone(), axiom.head, 0));
            for (condition, fact, cost) in operators.chain(axioms) {
                let contradicts =
                    condition.iter().any(|a| condition.iter().any(|b| a.var == b.var && a.value != b.value));
                let Some(reached) = max(&value, &condition).filter(|_| !contradicts) else { continue };
                let slot = &mut value[fact.var.index()][fact.value as usize];
                if slot.is_none_or(|known| reached + cost < known) {
                    *slot = Some(reached + cost);
                    changed = true;
                }
            }
            if !changed {
                return max(&value, &task.goal);
            }
        }
    }

    #[test]
    fn h_max_agrees_with_its_definition() {
        for seed in 0..300 {
            let task = random_task(seed);
            let huge = task.operators.iter().any(|op| op.cost > 1_000_000);
            let mut lmcut = relax(&task);
            for (state, _) in goal_distances(&task) {
                let plain = plain_h_max(&task, &state);
                lmcut.restore();
                lmcut.h_max.explore(&state);
                match lmcut.h_max.goal().map(u64::from) {
                    // Huge costs are capped, and count for less.
                    fast if huge => assert_eq!(fast.is_some(), plain.is_some()),
                    fast => assert_eq!(fast, plain, "seed {seed}"),
                }
            }
        }
    }

    #[test]
    fn lm_cut_is_admissible_everywhere() {
        for seed in 0..400 {
            let task = random_task(seed);
            let mut lmcut = relax(&task);
            for (state, distance) in goal_distances(&task) {
                let (sum, _) = lm_cut(&mut lmcut, &state);
                match (sum, distance) {
                    (None, truth) => assert_eq!(truth, None, "seed {seed}"),
                    (Some(h), Some(truth)) => assert!(h <= truth, "seed {seed}: {h} > {truth}"),
                    (Some(_), None) => {}
                }
            }
        }
    }

    #[test]
    fn lm_cut_dominates_h_max_without_conditional_effects() {
        for seed in 0..400 {
            let shape = Shape {
                conditional_effects: false,
                axioms: seed % 4 == 0,
                zero_costs: seed % 3 == 0,
                huge_costs: seed % 7 == 0,
            };
            let task = random_task_of(shape, seed);
            let mut lmcut = relax(&task);
            for (state, _) in goal_distances(&task) {
                lmcut.restore();
                let h_max = {
                    lmcut.h_max.explore(&state);
                    lmcut.h_max.goal().map(u64::from)
                };
                assert!(lm_cut(&mut lmcut, &state).0 >= h_max, "seed {seed}");
            }
        }
    }

    #[test]
    fn every_cut_stops_the_goal() {
        for seed in 0..200 {
            let task = random_task(seed);
            let mut lmcut = relax(&task);
            for (state, _) in goal_distances(&task).into_iter().take(20) {
                let (_, cuts) = lm_cut(&mut lmcut, &state);
                for cut in cuts.iter() {
                    // Without the operators of the cut the goal is out of reach.
                    let mut without = task.clone();
                    for op in task.operators.ids() {
                        if lmcut.relaxed().group_of[op].is_some_and(|group| cut.contains(&group)) {
                            without.operators[op].effects.clear();
                        }
                    }
                    assert_eq!(plain_h_max(&without, &state), None, "seed {seed}");
                }
            }
        }
    }
}
