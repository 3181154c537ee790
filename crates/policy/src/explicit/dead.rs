//! Dead ends, and the actions that may lead into one.
//!
//! A dead end is a condition under which no strong-cyclic policy exists. An action with an outcome that makes it
//! true is forbidden where that can happen (Muise, McIlraith and Beck 2012: forbidden state-action pairs).
//! Everything here is proved: if the initial state turns out to be a dead end, there is no policy.

use counterplay_base::{Budget, IdVec, Limit};
use counterplay_task::{ChoiceId, Fact, NondetTask, OpId, Value, VarId};

use super::additive::Additive;
use super::index::Index;
use super::regress::{plain_facts, regress, regress_in};
use crate::State;

/// The dead ends that are known, as conditions: no strong-cyclic policy answers a state in which one of them holds.
#[derive(Debug)]
pub(crate) struct DeadEnds {
    ends: Index,
    conditions: Vec<Vec<Fact>>,
    forbidden: IdVec<ChoiceId, Index>,
    reasons: Vec<Vec<Fact>>,
    /// Actions that are forbidden wherever they can be applied.
    always: IdVec<ChoiceId, bool>,
}

impl DeadEnds {
    pub(crate) fn new(nondet: &NondetTask) -> DeadEnds {
        let forbidden = nondet.choices.iter().map(|_| Index::default()).collect();
        let always = IdVec::filled(false, nondet.choices.len());
        DeadEnds { ends: Index::default(), conditions: Vec::new(), forbidden, reasons: Vec::new(), always }
    }

    /// How many conditions are known.
    pub(crate) fn len(&self) -> usize {
        self.conditions.len()
    }

    /// Whether a state is known to be a dead end.
    pub(crate) fn contains(&self, state: &State) -> bool {
        self.ends.any(state, |_| true)
    }

    /// Whether an action is forbidden wherever it can be applied.
    pub(crate) fn always_forbids(&self, choice: ChoiceId) -> bool {
        self.always[choice]
    }

    /// Whether an action may lead from a state into a dead end.
    pub(crate) fn forbids(&self, state: &State, choice: ChoiceId) -> bool {
        self.forbidden[choice].any(state, |_| true)
    }

    /// Why an action may lead from a state into a dead end: facts of the state from which this follows.
    pub(crate) fn reason(&self, state: &State, choice: ChoiceId) -> Option<&[Fact]> {
        let mut reason = None;
        self.forbidden[choice].any(state, |item| {
            reason = Some(&self.reasons[item as usize][..]);
            true
        });
        reason
    }

    /// Notes that nothing good comes from a state, with as few of its facts as prove it. `led_here` is the step
    /// that was seen to lead into it.
    pub(crate) fn note(
        &mut self,
        nondet: &NondetTask,
        additive: &mut Additive,
        state: &State,
        led_here: Option<(&State, OpId, ChoiceId)>,
    ) -> Result<(), Limit> {
        if !self.contains(state) {
            let reason = self.reason_for_dead_end(nondet, additive, state);
            self.add(nondet, reason.unwrap_or_else(|| plain_facts(&nondet.task, state)));
        }
        if let Some((before, op, choice)) = led_here
            && !self.forbids(before, choice)
        {
            let mut reason = None;
            self.ends.any(state, |item| {
                reason = Some(item);
                true
            });
            let condition = &self.conditions[reason.expect("it has just been noted") as usize];
            let needed = regress_in(&nondet.task, &nondet.task.operators[op], condition, before);
            self.forbid(nondet, choice, needed);
        }
        Ok(())
    }

    fn forbid(&mut self, nondet: &NondetTask, choice: ChoiceId, condition: Vec<Fact>) {
        if self.always[choice] {
            return;
        }
        self.always[choice] = condition == nondet.precondition(choice);
        self.forbidden[choice].insert(&condition, self.reasons.len() as u32);
        self.reasons.push(condition);
    }

    fn forbid_ways_into(&mut self, nondet: &NondetTask, condition: &[Fact]) {
        for (id, choice) in nondet.choices.enumerate() {
            for op in choice.operators() {
                if let Some(needed) = regress(&nondet.task, &nondet.task.operators[op], condition) {
                    self.forbid(nondet, id, needed);
                }
            }
        }
    }

    /// Notes what follows about states of which none leads out of them to the goal. Those from which nothing is
    /// left to do come first; what they forbid may leave others with nothing to do.
    pub(crate) fn note_all(
        &mut self,
        nondet: &NondetTask,
        additive: &mut Additive,
        states: &[State],
        budget: &Budget,
    ) -> Result<(), Limit> {
        let Some(first) = states.first() else { return Ok(()) };
        let mut open: Vec<&State> = states.iter().rev().collect();
        let mut changed = true;
        while changed && !self.contains(first) {
            changed = false;
            let mut left = Vec::new();
            for state in open {
                budget.check()?;
                if self.contains(state) {
                    continue;
                }
                match self.reason_for_dead_end(nondet, additive, state) {
                    Some(condition) => {
                        changed = true;
                        self.add(nondet, condition);
                    }
                    None => left.push(state),
                }
            }
            open = left;
        }
        Ok(())
    }

    fn add(&mut self, nondet: &NondetTask, condition: Vec<Fact>) {
        self.forbid_ways_into(nondet, &condition);
        self.ends.insert(&condition, self.conditions.len() as u32);
        self.conditions.push(condition);
    }

    /// Few facts of a state from which it follows that it is a dead end, if it follows so simply.
    fn reason_for_dead_end(
        &self,
        nondet: &NondetTask,
        additive: &mut Additive,
        state: &State,
    ) -> Option<Vec<Fact>> {
        let task = &nondet.task;
        if additive.estimate(state).is_some() {
            return self.all_forbidden(nondet, state);
        }
        let mut known: IdVec<VarId, Option<Value>> = task
            .variables
            .enumerate()
            .map(|(var, variable)| variable.derived.is_none().then(|| state[var]))
            .collect();
        for var in task.variables.ids() {
            let before = known[var].take();
            if before.is_some() && !additive.is_dead_end(task, &known) {
                known[var] = before;
            }
        }
        let kept = known.enumerate();
        Some(kept.filter_map(|(var, value)| value.map(|value| Fact { var, value })).collect())
    }

    /// If every action is inapplicable or forbidden in a state: facts of the state from which this follows.
    fn all_forbidden(&self, nondet: &NondetTask, state: &State) -> Option<Vec<Fact>> {
        let task = &nondet.task;
        if !task.axioms.is_empty() {
            return None;
        }
        // The goal must be missed, and each action either cannot be applied or is forbidden.
        let mut missed: Vec<&[Fact]> = vec![&task.goal];
        let mut forbidden: Vec<ChoiceId> = Vec::new();
        for id in nondet.choices.ids() {
            let precondition = nondet.precondition(id);
            if !self.always[id] {
                let is_applicable = precondition.iter().all(|fact| state[fact.var] == fact.value);
                if !is_applicable {
                    missed.push(precondition);
                } else if self.forbids(state, id) {
                    forbidden.push(id);
                } else {
                    return None;
                }
            }
        }
        let mut kept: IdVec<VarId, bool> = IdVec::filled(false, task.variables.len());
        for id in forbidden {
            let mut best: Option<(usize, u32)> = None;
            self.forbidden[id].any(state, |item| {
                let more = self.reasons[item as usize].iter().filter(|fact| !kept[fact.var]).count();
                best = Some(best.map_or((more, item), |best| best.min((more, item))));
                false
            });
            let (_, reason) = best.expect("the action is forbidden here");
            self.reasons[reason as usize].iter().for_each(|fact| kept[fact.var] = true);
        }
        // Variables that explain the most come first.
        let unmet = |condition: &[Fact]| -> Vec<VarId> {
            condition.iter().filter(|fact| state[fact.var] != fact.value).map(|fact| fact.var).collect()
        };
        let mut missed: Vec<Vec<VarId>> = missed.into_iter().map(unmet).collect();
        missed.retain(|vars| !vars.iter().any(|&var| kept[var]));
        while !missed.is_empty() {
            let mut explains: IdVec<VarId, usize> = IdVec::filled(0, task.variables.len());
            missed.iter().flatten().for_each(|&var| explains[var] += 1);
            let (most, _) =
                explains.enumerate().max_by_key(|&(var, &count)| (count, std::cmp::Reverse(var)))?;
            kept[most] = true;
            missed.retain(|vars| !vars.contains(&most));
        }
        let facts = state.enumerate().filter(|&(var, _)| kept[var]);
        Some(facts.map(|(var, &value)| Fact { var, value }).collect())
    }
}

#[cfg(test)]
mod tests {
    use counterplay_base::Id;
    use counterplay_task::{Choice, apply, holds, is_applicable, is_goal};
    use counterplay_testkit::{Shape, random_task_of};

    use super::*;

    /// A random task whose operators are the outcomes of actions, two each.
    fn random(seed: u64) -> NondetTask {
        let shape = Shape {
            conditional_effects: seed.is_multiple_of(2),
            axioms: false,
            zero_costs: false,
            huge_costs: false,
        };
        let mut task = random_task_of(shape, seed);
        let count = task.operators.len() as u32 / 2;
        for first in (0..count).map(|at| 2 * at as usize) {
            let precondition = task.operators[OpId::new(first)].precondition.clone();
            task.operators[OpId::new(first + 1)].precondition = precondition;
        }
        let choice = |at: u32| Choice { name: format!("a{at}"), outcomes: 2 * at..2 * at + 2 };
        NondetTask { task, choices: (0..count).map(choice).collect(), start: None }
    }

    fn all_states(nondet: &NondetTask) -> Vec<State> {
        let mut states = vec![State::new()];
        for var in nondet.task.variables.ids() {
            let values = 0..nondet.task.domain_size(var);
            let longer = |state: &State, value| {
                let mut state = state.clone();
                state.push(value);
                state
            };
            states = states
                .iter()
                .flat_map(|state| values.clone().map(move |value| longer(state, value)))
                .collect();
        }
        states
    }

    /// Some conditions are taken to be dead ends; what follows from them is compared with every state.
    #[test]
    fn what_follows_from_dead_ends_follows_in_every_state() {
        let (mut forbidden, mut reasons) = (0, 0);
        for seed in 0..60 {
            let nondet = random(seed);
            let states = all_states(&nondet);
            if states.len() > 3_000 {
                continue;
            }
            let mut dead = DeadEnds::new(&nondet);
            for part in 1..4 {
                let state = &states[states.len() * part / 4];
                let facts = plain_facts(&nondet.task, state);
                dead.add(&nondet, facts.into_iter().take(2).collect());
            }
            let is_dead = |state: &State| dead.conditions.iter().any(|facts| holds(state, facts));
            let leads_in = |state: &State, choice: &Choice| {
                choice.operators().any(|op| is_dead(&apply(&nondet.task, state, op)))
            };
            let has_way_out = |state: &State| {
                nondet.choices.enumerate().any(|(id, choice)| {
                    is_applicable(&nondet.task, state, choice.first()) && !dead.forbids(state, id)
                })
            };
            for state in &states {
                assert_eq!(dead.contains(state), is_dead(state));
                for (id, choice) in nondet.choices.enumerate() {
                    if !is_applicable(&nondet.task, state, choice.first()) {
                        continue;
                    }
                    let is_forbidden = dead.forbids(state, id);
                    forbidden += usize::from(is_forbidden);
                    assert!(
                        !is_forbidden || leads_in(state, choice),
                        "seed {seed}: {state:?} {}",
                        choice.name
                    );
                    assert!(is_forbidden || !dead.always_forbids(id));
                    if !nondet.task.has_conditional_effects() {
                        assert_eq!(
                            is_forbidden,
                            leads_in(state, choice),
                            "seed {seed}: {state:?} {}",
                            choice.name
                        );
                    }
                    if let Some(reason) = dead.reason(state, id) {
                        assert!(holds(state, reason));
                    }
                }
                if is_goal(&nondet.task, state) {
                    continue;
                }
                match dead.all_forbidden(&nondet, state) {
                    None => assert!(has_way_out(state), "seed {seed}: {state:?}"),
                    Some(reason) => {
                        reasons += 1;
                        assert!(holds(state, &reason));
                        let alike = states.iter().filter(|other| holds(other, &reason));
                        for other in alike.step_by(7) {
                            let is_stuck = !has_way_out(other) && !is_goal(&nondet.task, other);
                            assert!(is_stuck, "seed {seed}: {reason:?} does not make {other:?} a dead end");
                        }
                    }
                }
            }
        }
        assert!(forbidden > 100 && reasons > 100, "{forbidden} actions forbidden, {reasons} reasons");
    }
}
