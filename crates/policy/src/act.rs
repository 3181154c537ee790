//! Acting in a simulated world: with a policy, by planning anew, or step by step.
//!
//! *Replan*: follow a plan as if outcomes were ours to choose, and plan again when nature has chosen otherwise.
//! *Real time*: RTA* (Korf 1990) with one step of lookahead: take the action whose worst outcome looks best, and remember the
//! second best value for the state that is left, so that a run does not stay in a cycle for ever. A run ends at the goal,
//! where nothing can be done, or at its step limit.

use counterplay_base::{Budget, Limit};
use counterplay_task::{ChoiceId, NondetTask, OpId, holds, is_goal};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use crate::explicit::{DeadEnds, Planner};
use crate::{GroundRule, Policy, State};

/// How to decide what to do.
#[derive(Clone, Copy, Debug)]
pub enum Agent<'p> {
    /// The first pair that fits.
    Policy(&'p Policy),
    /// The first pair that fits, of a policy that was read from text.
    Rules(&'p [GroundRule]),
    /// A plan, made anew when it no longer fits.
    Replan,
    /// One step of lookahead with learning.
    RealTime,
}

/// Who picks the outcomes.
#[derive(Clone, Debug)]
pub enum Nature {
    /// A random outcome; the number is the seed.
    Random(u64),
    /// An adversary: the outcome that looks worst.
    Adversary,
    /// These outcomes, by number, one for each step; the run ends with them.
    Script(Vec<usize>),
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The goal holds.
    Reached,
    /// The agent knew nothing to do.
    Stuck,
    /// After as many steps as allowed, or at the end of the script.
    OutOfSteps,
    /// The script names an outcome that the action does not have: how many it has.
    NoSuchOutcome(usize),
}

#[derive(Clone, Debug)]
pub struct Run {
    /// The actions with the number of the outcome of each.
    pub steps: Vec<(ChoiceId, usize)>,
    /// How often a plan was made after the first.
    pub replans: u64,
    pub end: End,
    pub state: State,
}

/// Acts until the goal is reached or nothing more can be done.
pub fn act(
    nondet: &NondetTask,
    agent: Agent<'_>,
    nature: &Nature,
    most_steps: usize,
    budget: &Budget,
) -> Result<Run, Limit> {
    let mut planner = Planner::new(nondet);
    let mut random = ChaCha8Rng::seed_from_u64(if let Nature::Random(seed) = nature { *seed } else { 0 });
    let mut mind = Replanner {
        nondet,
        dead: DeadEnds::new(nondet),
        plan: Vec::new(),
        plans: 0,
        values: FxHashMap::default(),
    };
    let mut run = Run { steps: Vec::new(), replans: 0, end: End::Reached, state: planner.initial() };
    while !is_goal(&nondet.task, &run.state) {
        budget.check()?;
        let is_start = nondet.start.filter(|&start| holds(&run.state, nondet.precondition(start)));
        let choice = match (is_start, agent) {
            (Some(start), _) => Some(start),
            (None, Agent::Policy(policy)) => {
                policy.pairs.iter().find(|pair| holds(&run.state, &pair.condition)).map(|pair| pair.choice)
            }
            (None, Agent::Rules(pairs)) => {
                let first = pairs.iter().find(|pair| pair.holds(&run.state));
                let fits = |choice: &&ChoiceId| holds(&run.state, nondet.precondition(**choice));
                first.and_then(|pair| pair.choices.iter().find(fits)).copied()
            }
            (None, Agent::Replan) => mind.follow(&mut planner, &run.state, budget)?,
            (None, Agent::RealTime) => mind.look_ahead(&mut planner, &run.state),
        };
        let Some(choice) = choice.filter(|&choice| holds(&run.state, nondet.precondition(choice))) else {
            run.end = End::Stuck;
            break;
        };
        if run.steps.len() >= most_steps {
            run.end = End::OutOfSteps;
            break;
        }
        let operators: Vec<OpId> = nondet.choices[choice].operators().collect();
        let outcome = match nature {
            Nature::Random(_) => random.random_range(0..operators.len()),
            Nature::Adversary => {
                let states = operators.iter().map(|&op| planner.apply(&run.state, op)).collect::<Vec<_>>();
                let far = |state: &State, planner: &mut Planner<'_>| match is_goal(&nondet.task, state) {
                    true => 0,
                    false => planner.additive.estimate(state).unwrap_or(u32::MAX),
                };
                let worst = (0..states.len()).max_by_key(|&at| far(&states[at], &mut planner));
                worst.expect("an action has an outcome")
            }
            Nature::Script(script) => match script.get(run.steps.len()) {
                Some(&outcome) if outcome < operators.len() => outcome,
                Some(_) => {
                    run.end = End::NoSuchOutcome(operators.len());
                    break;
                }
                None => {
                    run.end = End::OutOfSteps;
                    break;
                }
            },
        };
        run.state = planner.apply(&run.state, operators[outcome]);
        run.steps.push((choice, outcome));
    }
    run.replans = mind.plans.saturating_sub(1);
    Ok(run)
}

struct Replanner<'t> {
    nondet: &'t NondetTask,
    dead: DeadEnds,
    /// The rest of the plan, last step first, with the state that each step is meant for.
    plan: Vec<(State, OpId)>,
    plans: u64,
    /// What was learned about states.
    values: FxHashMap<State, u32>,
}

impl Replanner<'_> {
    fn follow(
        &mut self,
        planner: &mut Planner<'_>,
        state: &State,
        budget: &Budget,
    ) -> Result<Option<ChoiceId>, Limit> {
        if self.plan.last().is_none_or(|(meant, _)| meant != state) {
            self.plans += 1;
            let Ok(way) = planner.plan(state, &self.dead, |_| false, budget)? else { return Ok(None) };
            self.plan = way.states.into_iter().zip(way.steps).rev().collect();
        }
        let (_, op) = self.plan.pop().expect("the plan has just been made, or fits");
        let number =
            self.nondet.choices.enumerate().find(|(_, choice)| choice.operators().any(|own| own == op));
        Ok(number.map(|(id, _)| id))
    }

    fn look_ahead(&mut self, planner: &mut Planner<'_>, state: &State) -> Option<ChoiceId> {
        let mut best: Vec<(u32, ChoiceId)> = Vec::new();
        for (id, choice) in self.nondet.choices.enumerate() {
            if holds(state, self.nondet.precondition(id)) {
                let mut worst = 0;
                for op in choice.operators() {
                    let next = planner.apply(state, op);
                    let value = match self.values.get(&next) {
                        _ if is_goal(&self.nondet.task, &next) => 0,
                        Some(&value) => value,
                        None => planner.additive.estimate(&next).unwrap_or(u32::MAX - 1),
                    };
                    worst = worst.max(value.saturating_add(1));
                }
                best.push((worst, id));
            }
        }
        best.sort_unstable();
        let second = best.get(1).or(best.first())?.0;
        self.values.insert(state.clone(), second);
        Some(best[0].1)
    }
}
