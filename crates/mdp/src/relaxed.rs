//! h^max of the all-outcomes determinisation: a lower bound of every expected cost.
//!
//! A policy pays the expected cost of an action and then goes on from one of its outcomes; whoever could choose the outcome would pay no more.
//! If deletions are ignored too, a set of facts costs at least what its dearest fact does (Bonet and Geffner 2001).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use counterplay_base::IdVec;
use counterplay_task::{Fact, OddsTask, Value, VarId};

use crate::model::Number;

/// One fact for some others.
struct Rule {
    needs: u32,
    fact: u32,
    cost: u64,
}

/// The relaxed task.
pub(crate) struct Relaxed {
    first_fact: IdVec<VarId, u32>,
    facts: usize,
    rules: Vec<Rule>,
    /// By fact, the rules that need it.
    users: Vec<Vec<u32>>,
    /// Rules that need nothing.
    free: Vec<u32>,
    goal: Vec<u32>,
    /// What a unit of cost is.
    unit: i128,
    /// With derived variables the relaxation would need their rules; the bound is then zero.
    is_blind: bool,
}

impl Relaxed {
    /// `costs` are the expected costs of the choices; none of them is negative.
    pub(crate) fn new(task: &OddsTask, costs: &[Number]) -> Relaxed {
        let finite = &task.nondet.task;
        let mut facts = 0u32;
        let mut first_fact = IdVec::new();
        for variable in &finite.variables {
            let _: VarId = first_fact.push(facts);
            facts += variable.values.len() as u32;
        }
        let unit = common_denominator(costs);
        let mut relaxed = Relaxed {
            first_fact,
            facts: facts as usize,
            rules: Vec::new(),
            users: vec![Vec::new(); facts as usize],
            free: Vec::new(),
            goal: Vec::new(),
            unit: unit.unwrap_or(1),
            is_blind: !finite.axioms.is_empty() || unit.is_none(),
        };
        relaxed.goal = finite.goal.iter().map(|&fact| relaxed.number(fact)).collect();
        for (choice, &cost) in task.nondet.choices.iter().zip(costs) {
            let scaled = cost * relaxed.unit;
            let cost = u64::try_from(scaled.to_integer()).unwrap_or(0);
            for op in choice.operators() {
                let operator = &finite.operators[op];
                for effect in &operator.effects {
                    let needs = operator.precondition.iter().chain(&effect.condition);
                    let needs: Vec<u32> = needs.map(|&fact| relaxed.number(fact)).collect();
                    let fact = relaxed.number(effect.fact);
                    relaxed.add(needs, fact, cost);
                }
            }
        }
        relaxed
    }

    fn number(&self, fact: Fact) -> u32 {
        self.first_fact[fact.var] + fact.value
    }

    fn add(&mut self, mut needs: Vec<u32>, fact: u32, cost: u64) {
        needs.sort_unstable();
        needs.dedup();
        let rule = self.rules.len() as u32;
        if needs.is_empty() {
            self.free.push(rule);
        }
        needs.iter().for_each(|&need| self.users[need as usize].push(rule));
        self.rules.push(Rule { needs: needs.len() as u32, fact, cost });
    }

    /// A lower bound of the expected cost from a state; `None` if the goal is out of reach.
    pub(crate) fn bound(&self, state: &IdVec<VarId, Value>) -> Option<Number> {
        if self.is_blind {
            return Some(Number::from(0));
        }
        let mut costs: Vec<Option<u64>> = vec![None; self.facts];
        let mut waiting: Vec<u32> = self.rules.iter().map(|rule| rule.needs).collect();
        let mut done = vec![false; self.facts];
        let mut open = BinaryHeap::new();
        let reach = |fact: u32, cost: u64, costs: &mut Vec<Option<u64>>, open: &mut BinaryHeap<_>| {
            if costs[fact as usize].is_none_or(|known| cost < known) {
                costs[fact as usize] = Some(cost);
                open.push(Reverse((cost, fact)));
            }
        };
        for (var, &value) in state.enumerate() {
            reach(self.first_fact[var] + value, 0, &mut costs, &mut open);
        }
        for &rule in &self.free {
            let Rule { fact, cost, .. } = self.rules[rule as usize];
            reach(fact, cost, &mut costs, &mut open);
        }
        while let Some(Reverse((cost, fact))) = open.pop() {
            if std::mem::replace(&mut done[fact as usize], true) {
                continue;
            }
            for &rule in &self.users[fact as usize] {
                waiting[rule as usize] -= 1;
                if waiting[rule as usize] == 0 {
                    let Rule { fact, cost: own, .. } = self.rules[rule as usize];
                    // Facts come in the order of their costs, so the last one is the dearest.
                    reach(fact, cost.saturating_add(own), &mut costs, &mut open);
                }
            }
        }
        let mut most = 0;
        for &fact in &self.goal {
            most = most.max(costs[fact as usize]?);
        }
        Some(Number::new(i128::from(most), self.unit))
    }
}

/// The denominator that makes all costs whole; `None` if they are too large then.
fn common_denominator(costs: &[Number]) -> Option<i128> {
    let mut common = 1i128;
    for cost in costs {
        let (mut one, mut other) = (common, *cost.denom());
        while other != 0 {
            (one, other) = (other, one % other);
        }
        common = common.checked_mul(cost.denom() / one).filter(|&it| it < 1 << 40)?;
    }
    let fits = |cost: &Number| cost.numer().checked_mul(common / cost.denom()).is_some_and(|it| it < 1 << 50);
    costs.iter().all(fits).then_some(common)
}
