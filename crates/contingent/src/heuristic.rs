//! How far a belief state is from the goal: the union of relaxed plans of some of its states.
//!
//! For a single state a relaxed plan is taken from the planning graph without deletes, in which the planner sees the state and
//! nature is kind (Hoffmann and Nebel 2001). The estimate of a belief state is the number of pairs of action and
//! layer in the relaxed plans of its states together (the union of relaxed plans of Bryce, Kambhampati and Smith,
//! JAIR 2006): work that serves several states counts once, work that differs counts each time, and so an observation
//! that tells them apart is progress. A state without relaxed plan is a dead end, whatever is known.

use std::rc::Rc;

use counterplay_task::{Fact, FactNumbers, HiddenTask};
use rustc_hash::FxHashMap;

use crate::space::State;

/// An effect on one fact with all that it needs.
struct Unary {
    action: u32,
    needs: Vec<u32>,
    adds: u32,
}

/// Stands for axioms, which cost nothing.
const AXIOM: u32 = u32::MAX;

pub(crate) struct RelaxedPlans {
    facts: FactNumbers,
    unary: Vec<Unary>,
    /// The unary effects that need a fact.
    needing: Vec<Vec<u32>>,
    /// Those that need nothing.
    free: Vec<u32>,
    goal: Vec<u32>,
    known: FxHashMap<State, Option<Rc<[u64]>>>,
}

impl RelaxedPlans {
    pub(crate) fn new(hidden: &HiddenTask) -> RelaxedPlans {
        let task = &hidden.nondet.task;
        let facts = FactNumbers::new(task);
        let mut unary = Vec::new();
        let number = |fact: &Fact| facts.of(*fact) as u32;
        for (at, action) in hidden.actions.iter().enumerate() {
            for &part in &action.parts {
                for op in hidden.nondet.choices[part].operators() {
                    let operator = &task.operators[op];
                    for effect in &operator.effects {
                        let needs = operator.precondition.iter().chain(&effect.condition).map(number);
                        let mut needs: Vec<u32> = needs.collect();
                        needs.sort_unstable();
                        needs.dedup();
                        unary.push(Unary { action: at as u32, needs, adds: number(&effect.fact) });
                    }
                }
            }
        }
        for axiom in &task.axioms {
            let needs = axiom.condition.iter().map(number).collect();
            unary.push(Unary { action: AXIOM, needs, adds: number(&axiom.head) });
        }
        // A derived variable falls back to its default whenever nothing says otherwise: for the estimate that is free.
        for (var, variable) in task.variables.enumerate() {
            if let Some(derived) = variable.derived {
                let adds = number(&Fact { var, value: derived.default });
                unary.push(Unary { action: AXIOM, needs: Vec::new(), adds });
            }
        }
        let mut needing = vec![Vec::new(); facts.count()];
        let mut free = Vec::new();
        for (at, effect) in unary.iter().enumerate() {
            effect.needs.iter().for_each(|&fact| needing[fact as usize].push(at as u32));
            if effect.needs.is_empty() {
                free.push(at as u32);
            }
        }
        let goal = task.goal.iter().map(number).collect();
        RelaxedPlans { facts, unary, needing, free, goal, known: FxHashMap::default() }
    }

    /// The estimate for states that stand for a belief state, and the actions that relaxed plans begin with; `None` if one of the
    /// states is a dead end.
    pub(crate) fn estimate(&mut self, states: &[State]) -> Option<(u32, Vec<u32>)> {
        let mut all: Vec<u64> = Vec::new();
        for state in states {
            all.extend_from_slice(&self.plan(state)?);
        }
        all.sort_unstable();
        all.dedup();
        let first = all.iter().take_while(|&&pair| pair >> 32 == 1).map(|&pair| pair as u32);
        Some((all.len() as u32, first.collect()))
    }

    /// The relaxed plan of a state: pairs of layer and action.
    fn plan(&mut self, state: &State) -> Option<Rc<[u64]>> {
        if let Some(known) = self.known.get(state) {
            return known.clone();
        }
        let plan = self.relax(state).map(Rc::from);
        self.known.insert(state.clone(), plan.clone());
        plan
    }

    fn relax(&self, state: &State) -> Option<Vec<u64>> {
        let mut layer: Vec<u32> = vec![u32::MAX; self.facts.count()];
        let mut supporter: Vec<u32> = vec![u32::MAX; self.facts.count()];
        let mut missing: Vec<u32> = self.unary.iter().map(|effect| effect.needs.len() as u32).collect();
        let mut goals = self.goal.len();
        let mut frontier: Vec<u32> =
            state.enumerate().map(|(var, &value)| self.facts.of(Fact { var, value }) as u32).collect();
        frontier.iter().for_each(|&fact| layer[fact as usize] = 0);
        goals -= self.goal.iter().filter(|&&fact| layer[fact as usize] == 0).count();
        let mut ready: Vec<u32> = self.free.clone();
        let mut now = 0;
        while goals > 0 {
            for fact in std::mem::take(&mut frontier) {
                for &effect in &self.needing[fact as usize] {
                    missing[effect as usize] -= 1;
                    if missing[effect as usize] == 0 {
                        ready.push(effect);
                    }
                }
            }
            now += 1;
            for effect in std::mem::take(&mut ready) {
                let fact = self.unary[effect as usize].adds as usize;
                if layer[fact] == u32::MAX {
                    layer[fact] = now;
                    supporter[fact] = effect;
                    frontier.push(fact as u32);
                    goals -= usize::from(self.goal.contains(&(fact as u32)));
                }
            }
            if frontier.is_empty() {
                return None;
            }
        }
        Some(self.extract(&layer, &supporter))
    }

    fn extract(&self, layer: &[u32], supporter: &[u32]) -> Vec<u64> {
        let mut wanted = self.goal.clone();
        let mut is_wanted = vec![false; layer.len()];
        let mut plan = Vec::new();
        while let Some(fact) = wanted.pop() {
            if std::mem::replace(&mut is_wanted[fact as usize], true) || layer[fact as usize] == 0 {
                continue;
            }
            let effect = &self.unary[supporter[fact as usize] as usize];
            if effect.action != AXIOM {
                plan.push(u64::from(layer[fact as usize]) << 32 | u64::from(effect.action));
            }
            wanted.extend_from_slice(&effect.needs);
        }
        plan.sort_unstable();
        plan.dedup();
        plan
    }
}
