//! Policies: every search for every class.

use counterplay_base::{Silent, Verdict};
use counterplay_check::{
    Confirmation, Guarantee, PolicyOptions, check_policy, confirm_no_policy, read_policy,
};
use counterplay_ground::ground_outcomes;
use counterplay_pddl::model::Problem;
use counterplay_policy::{Class, Options, Policy, PolicySearch, rules, solve, text as policy_text};
use counterplay_syntax::Sources;
use rand_chacha::ChaCha8Rng;

use super::twin::{Space, explore};
use super::{disagreed, groundings, problem_of, text};
use crate::{Area, Case, Outcome};

pub(super) struct FondArea;

impl Area for FondArea {
    fn name(&self) -> &'static str {
        "fond"
    }

    fn about(&self) -> &'static str {
        "PDDL with `oneof` in effects and initial states: every search for policies of every class, and the proof that there is none"
    }

    fn sample(&self) -> u64 {
        800
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        text::generate(rng, text::Kind::Fond)
    }

    fn examine(&self, case: &Case) -> Outcome {
        examine(case).unwrap_or_else(|outcome| outcome)
    }
}

const CLASSES: [Class; 3] = [Class::Weak, Class::StrongCyclic, Class::Strong];

fn examine(case: &Case) -> Result<Outcome, Outcome> {
    let problem = problem_of(case)?;
    let space = explore(&problem).map_err(Outcome::Rejected)?;
    let truth = CLASSES.map(|class| exists(&space, class));
    let strongest = CLASSES.iter().rev().find(|&&class| truth[class as usize]).copied();
    let mut answers = 0;
    for (grounding, options) in groundings() {
        let nondet = match ground_outcomes(&problem, &options, &super::budget(), &Silent) {
            Ok((nondet, _)) => nondet,
            Err(error) => return Err(Outcome::Rejected(format!("not grounded: {error}"))),
        };
        for (name, search) in [
            ("auto", PolicySearch::Auto),
            ("explicit", PolicySearch::Explicit),
            ("symbolic", PolicySearch::Symbolic),
            ("staged", PolicySearch::Staged),
        ] {
            for class in CLASSES.map(Some).into_iter().chain([None]) {
                // Stages that fail prove nothing.
                let wanted = class.map_or("strongest", Class::name);
                let who = format!("{name} {wanted} on {grounding}");
                if search == PolicySearch::Staged && class.is_none() {
                    continue;
                }
                let answer = solve(&nondet, &Options { class, search, seed: 1 }, &super::budget(), &Silent);
                let expected = match class {
                    Some(class) => truth[class as usize].then_some(class),
                    None => strongest,
                };
                match (&answer.verdict, expected) {
                    (Verdict::Solved(policy), Some(expected)) => {
                        if class.is_none() && policy.class != expected {
                            let what = format!("{who}: {}, twin: {}", policy.class.name(), expected.name());
                            return Err(disagreed(what, String::new()));
                        }
                        check(&problem, &nondet, policy, expected, &who)?;
                    }
                    (Verdict::Solved(policy), None) => {
                        let detail = policy_text(policy.class, &rules(&nondet, policy));
                        return Err(disagreed(format!("{who}: solved, twin: unsolvable"), detail));
                    }
                    (Verdict::Unsolvable, None) => {}
                    (Verdict::Unsolvable | Verdict::Stopped(_), _) if search == PolicySearch::Staged => {
                        continue;
                    }
                    (Verdict::Unsolvable, Some(expected)) => {
                        let what = format!("{who}: unsolvable, twin: {}", expected.name());
                        return Err(disagreed(what, String::new()));
                    }
                    (Verdict::Stopped(limit), _) => return Err(Outcome::Rejected(format!("{who}: {limit}"))),
                }
                if let Some(wrong) = answer.impossible.iter().find(|&&class| truth[class as usize]) {
                    let what = format!("{who}: says that none is {}, twin: there is one", wrong.name());
                    return Err(disagreed(what, String::new()));
                }
                answers += 1;
            }
        }
    }
    for (class, exists) in CLASSES.into_iter().zip(truth) {
        match (confirm_no_policy(&problem, guarantee(class), 100_000, &super::budget()), exists) {
            (Confirmation::Confirmed { .. }, false) | (Confirmation::Refuted(_), true) => answers += 1,
            (Confirmation::TooLarge, _) => {}
            (found, _) => {
                let what = format!("confirmation of no {} policy, twin: {exists}", class.name());
                return Err(disagreed(what, format!("{found:?}")));
            }
        }
    }
    Ok(Outcome::Agreed { answers, kind: strongest.map_or("unsolvable", Class::name) })
}

fn guarantee(class: Class) -> Guarantee {
    match class {
        Class::Weak => Guarantee::Weak,
        Class::StrongCyclic => Guarantee::StrongCyclic,
        Class::Strong => Guarantee::Strong,
    }
}

/// Gives a policy, as text, to the checker.
fn check(
    problem: &Problem,
    nondet: &counterplay_task::NondetTask,
    policy: &Policy,
    wanted: Class,
    who: &str,
) -> Result<(), Outcome> {
    let text = policy_text(policy.class, &rules(nondet, policy));
    let mut sources = Sources::default();
    let file = sources.add("policy", text.clone());
    let read = read_policy(&sources, file, problem)
        .map_err(|errors| disagreed(format!("{who}: unreadable policy"), format!("{errors:?}\n{text}")))?;
    let options =
        PolicyOptions { wanted: guarantee(wanted), most_states: 100_000, only_runs: false, runs: 1, seed: 1 };
    check_policy(problem, &read.rules, options, &super::budget()).map_err(|flaw| {
        disagreed(format!("{who}: the checker refuses its policy"), format!("{flaw}\n{text}"))
    })?;
    Ok(())
}

/// Whether a policy of a class exists, from all initial states, by the definitions.
fn exists(space: &Space, class: Class) -> bool {
    let states = space.nodes.len();
    let goal: Vec<bool> = space.nodes.iter().map(|node| node.is_goal).collect();
    // Which states are won if a step wins that satisfies `good`, given the states that are won already.
    let closure = |good: &dyn Fn(&[usize], &[bool]) -> bool| {
        let mut won = goal.clone();
        for _ in 0..states {
            let before = won.clone();
            for (at, node) in space.nodes.iter().enumerate() {
                won[at] |= node.steps.iter().any(|step| good(&step.next, &before));
            }
            if won == before {
                break;
            }
        }
        won
    };
    let won = match class {
        Class::Weak => closure(&|next, won| next.iter().any(|&next| won[next])),
        Class::Strong => closure(&|next, won| next.iter().all(|&next| won[next])),
        Class::StrongCyclic => {
            // States from which the goal cannot be reached while avoiding bad states are bad themselves.
            let mut bad = vec![false; states];
            loop {
                let reaching = closure(&|next, won| {
                    next.iter().all(|&next| !bad[next]) && next.iter().any(|&next| won[next])
                });
                let more: Vec<bool> = reaching.iter().map(|reaches| !reaches).collect();
                if more == bad {
                    break reaching;
                }
                bad = more;
            }
        }
    };
    space.starts.iter().all(|&start| won[start])
}
