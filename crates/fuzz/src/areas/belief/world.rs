//! Abstract belief worlds: all algorithms and the checker against the definition, tried out.

use std::collections::BTreeSet;
use std::rc::Rc;

use counterplay_base::{Budget, Verdict};
use counterplay_belief::{After, Algorithm, Event, Plan, Stream, solve, solve_while_estimating, update};
use counterplay_check::{Strategy, check_strategy, strategy_exists};
use rand_chacha::ChaCha8Rng;

use super::tables::Tables;
use crate::{Area, Case, Outcome};

/// Plans over belief states.
pub(super) struct Belief;

/// State estimation, and search while estimating.
pub(super) struct Estimate;

/// Nodes that one algorithm may take for one world. The worlds are so small that needing more means going round in circles.
const MOST_NODES: u64 = 3_000_000;

/// The twin: whether there is a plan for a set of states, from the definition. It has no order, no pruning and no table.
fn has_plan(world: &Tables, belief: &BTreeSet<u8>, depth: usize) -> bool {
    if belief.is_empty() {
        return true;
    }
    let attempts: BTreeSet<u8> = world.acts.iter().map(|(_, attempt, _)| *attempt).collect();
    attempts.into_iter().any(|attempt| {
        let (accepting, rejecting): (BTreeSet<u8>, BTreeSet<u8>) =
            belief.iter().partition(|&&state| world.act_of(state, attempt).is_some());
        let steps: Vec<After<u8, u8>> =
            accepting.iter().filter_map(|&state| world.act_of(state, attempt)).collect();
        // An attempt that is rejected for certain changes nothing.
        !accepting.is_empty()
            && every_case(&steps, &mut |after| depth > 1 && holds_after_replies(world, after, depth))
            && has_plan(world, &rejecting, depth)
    })
}

/// Whether the other side cannot escape from any of `states`, between which the solver cannot tell.
fn holds_after_replies(world: &Tables, states: &BTreeSet<u8>, depth: usize) -> bool {
    let replies: Vec<After<u8, u8>> = states.iter().flat_map(|&state| world.replies_of(state)).collect();
    states.iter().all(|&state| world.replies_of(state).next().is_some())
        && every_case(&replies, &mut |after| has_plan(world, after, depth - 2))
}

/// Whether nothing is lost and every set of states with the same percept is good.
fn every_case(steps: &[After<u8, u8>], good: &mut dyn FnMut(&BTreeSet<u8>) -> bool) -> bool {
    if steps.contains(&After::Lost) {
        return false;
    }
    (0..=u8::MAX).all(|percept| {
        let told = |step: &After<u8, u8>| match step {
            After::Open(heard, state) if *heard == percept => Some(*state),
            _ => None,
        };
        let states: BTreeSet<u8> = steps.iter().filter_map(told).collect();
        states.is_empty() || good(&states)
    })
}

fn strategy(plan: &Rc<Plan<u8, u8>>) -> Strategy<u8, u8> {
    let after = plan.after.iter().map(|(percept, replies)| {
        (*percept, replies.iter().map(|(percept, plan)| (*percept, strategy(plan))).collect())
    });
    Strategy {
        attempt: plan.attempt,
        rejected: plan.rejected.as_ref().map(|plan| Box::new(strategy(plan))),
        after: after.collect(),
    }
}

/// Compares one verdict with the twin's, and has the checker follow a plan.
fn compare(
    name: &str,
    world: &Tables,
    belief: &[u8],
    verdict: &Verdict<Rc<Plan<u8, u8>>>,
    expected: bool,
) -> Result<(), Outcome> {
    let disagree = |what: String, detail: String| Err(Outcome::Disagreed { what, detail });
    match verdict {
        Verdict::Solved(_) if !expected => {
            disagree(format!("{name}: solved, twin: unsolvable"), String::new())
        }
        Verdict::Unsolvable if expected => {
            disagree(format!("{name}: unsolvable, twin: solved"), String::new())
        }
        Verdict::Stopped(limit) => disagree(format!("{name}: does not end"), limit.to_string()),
        Verdict::Unsolvable => Ok(()),
        Verdict::Solved(plan) => {
            match check_strategy(world, belief, &strategy(plan), world.depth, &Budget::unlimited()) {
                Ok(_) => Ok(()),
                Err(flaw) => disagree(format!("{name}: the checker refuses the plan"), format!("{flaw:?}")),
            }
        }
    }
}

impl Area for Belief {
    fn name(&self) -> &'static str {
        "belief"
    }

    fn about(&self) -> &'static str {
        "abstract belief worlds: every algorithm and the exhaustive checker against AND-OR search from the definition"
    }

    fn sample(&self) -> u64 {
        1_000
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        Case::new([("world.txt", Tables::random(rng, 0))])
    }

    fn examine(&self, case: &Case) -> Outcome {
        let Some(world) = Tables::read(case.text("world.txt")) else {
            return Outcome::Rejected("not a world".to_owned());
        };
        let expected = has_plan(&world, &world.belief.iter().copied().collect(), world.depth);
        let budget = Budget::unlimited().with_nodes(MOST_NODES);
        let mut answers = 1;
        for algorithm in Algorithm::ALL {
            let found = solve(&world, &world.belief, world.depth, algorithm, &budget);
            answers += 1;
            if let Err(outcome) = compare(algorithm.name(), &world, &world.belief, &found.verdict, expected) {
                return outcome;
            }
        }
        let accepted = |state: &u8| {
            world.acts.iter().filter(|(of, ..)| of == state).map(|(_, attempt, _)| *attempt).collect()
        };
        let checked = strategy_exists(&world, &world.belief, world.depth, accepted, &Budget::unlimited());
        if checked != Ok(expected) {
            let what = format!("check: strategy exists {checked:?}, twin: {expected}");
            return Outcome::Disagreed { what, detail: String::new() };
        }
        Outcome::Agreed { answers, kind: if expected { "solved" } else { "unsolvable" } }
    }
}

/// The twin of estimation: follows every course that agrees with the history to its end.
fn follow(world: &Tables, state: u8, history: &[Event<u8, u8>], found: &mut BTreeSet<u8>) {
    let Some((event, rest)) = history.split_first() else {
        found.insert(state);
        return;
    };
    match *event {
        Event::Own { attempt, heard } => match (world.act_of(state, attempt), heard) {
            (None, None) => follow(world, state, rest, found),
            (Some(After::Open(percept, next)), Some(heard)) if percept == heard => {
                follow(world, next, rest, found);
            }
            _ => {}
        },
        Event::Other { rejections, heard } => {
            if world.rejectable_in(state) < rejections {
                return;
            }
            for reply in world.replies_of(state) {
                match reply {
                    After::Open(percept, next) if percept == heard => follow(world, next, rest, found),
                    _ => {}
                }
            }
        }
    }
}

impl Area for Estimate {
    fn name(&self) -> &'static str {
        "estimate"
    }

    fn about(&self) -> &'static str {
        "histories in belief worlds: estimation breadth-first and depth-first, and search while estimating"
    }

    fn sample(&self) -> u64 {
        4000
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        Case::new([("world.txt", Tables::random(rng, 5))])
    }

    fn examine(&self, case: &Case) -> Outcome {
        let Some(world) = Tables::read(case.text("world.txt")) else {
            return Outcome::Rejected("not a world".to_owned());
        };
        let mut expected = BTreeSet::new();
        for &state in &world.belief {
            follow(&world, state, &world.history, &mut expected);
        }
        let start: BTreeSet<u8> = world.belief.iter().copied().collect();
        let start: Vec<u8> = start.into_iter().collect();
        let carried =
            world.history.iter().fold(start.clone(), |belief, event| update(&world, &belief, event));
        let stream = || Stream::<_, ChaCha8Rng>::new(&world, &start, &world.history, None);
        let streamed: Vec<u8> = stream().collect();
        for (name, states) in [("update", &carried), ("stream", &streamed)] {
            let set: BTreeSet<u8> = states.iter().copied().collect();
            if set != expected || states.len() != set.len() {
                let what = format!("{name} and twin disagree about the belief state");
                return Outcome::Disagreed { what, detail: format!("{states:?}, twin: {expected:?}") };
            }
        }
        if expected.is_empty() {
            return Outcome::Agreed { answers: 2, kind: "impossible" };
        }
        let plan = has_plan(&world, &expected, world.depth);
        let (found, _) = solve_while_estimating(&world, stream(), world.depth, &Budget::unlimited());
        match compare("gl-dbu interleaved", &world, &carried, &found.verdict, plan) {
            Err(outcome) => outcome,
            Ok(()) => Outcome::Agreed { answers: 3, kind: if plan { "solved" } else { "unsolvable" } },
        }
    }
}
