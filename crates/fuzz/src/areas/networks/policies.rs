//! Area `htn-policy`: policies for task networks whose actions have several outcomes.

use std::time::Duration;

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{
    Existence, Guarantee as Claimed, PolicyOptions, check_network_policy, check_policy, read_network_policy,
    read_policy, try_advice, try_decompositions,
};
use counterplay_ground::{Options, ground_outcomes};
use counterplay_hddl::advice::{Algorithm, advised_policy};
use counterplay_hddl::{Guarantee, HddlProblem, PreparedProblem, network_policy};
use counterplay_pddl::model::Problem;
use counterplay_policy::{Class, rules, text};
use counterplay_syntax::Sources;
use rand_chacha::ChaCha8Rng;

use super::generate::{Kind, generate};
use super::plans::{MOST, disagreed, read};
use super::twin::{Twin, explore};
use crate::{Area, Case, Outcome};

pub(super) struct Policies;

const TIME: Duration = Duration::from_millis(300);

impl Area for Policies {
    fn name(&self) -> &'static str {
        "htn-policy"
    }

    fn about(&self) -> &'static str {
        "task networks with `oneof` effects: policies over state and network, ND-SHOP2 and Yoyo of each class"
    }

    fn sample(&self) -> u64 {
        200
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        generate(rng, Kind { outcomes: true, ordered: 9 })
    }

    fn examine(&self, case: &Case) -> Outcome {
        let (problem, lifted) = match read(case) {
            Ok(read) => read,
            Err(why) => return Outcome::Rejected(why),
        };
        if problem.actions.iter().any(|action| has_late_choice(&action.effect)) {
            return Outcome::Rejected("outcomes under `when` or `forall`".to_owned());
        }
        let mut answers = 0;
        let kind = match carrying_out(&problem, &lifted, &mut answers) {
            Ok(kind) => kind,
            Err(outcome) => return outcome,
        };
        match advised(&problem, &lifted, &mut answers) {
            Ok(()) => Outcome::Agreed { answers, kind },
            Err(outcome) => outcome,
        }
    }
}

/// Whether nature chooses under `when` or `forall`, which the engines refuse.
fn has_late_choice(effect: &counterplay_pddl::model::Effect) -> bool {
    use counterplay_pddl::model::Effect;
    match effect {
        Effect::And(parts) | Effect::OneOf(parts, _) => parts.iter().any(has_late_choice),
        Effect::Forall(_, part) | Effect::When(_, part) => part.has_choice(),
        Effect::Add(..) | Effect::Delete(..) | Effect::Change(..) => false,
    }
}

/// Policies over state and network.
fn carrying_out(problem: &Problem, lifted: &HddlProblem, answers: &mut u32) -> Result<&'static str, Outcome> {
    let twin = explore(problem, false, MOST);
    let (strong, cyclic) = (twin.carries_out(true), twin.carries_out(false));
    let known = PreparedProblem::new(lifted);
    for wanted in [None, Some(Guarantee::Strong), Some(Guarantee::StrongCyclic)] {
        let answer = network_policy(&known, wanted, &Budget::unlimited().slice(TIME), &Silent);
        *answers += 1;
        let engine = format!("network {wanted:?}");
        let possible = if wanted == Some(Guarantee::Strong) { strong } else { cyclic };
        if answer.is_strong_impossible && strong {
            return Err(disagreed(format!("{engine}: strong impossible, twin: strong"), ""));
        }
        match answer.verdict {
            Verdict::Solved(policy) => {
                let text = policy.to_text(&known);
                let mut sources = Sources::default();
                let file = sources.add("policy", text.as_str());
                let read = read_network_policy(&sources, file, problem)
                    .map_err(|flaw| disagreed(format!("{engine}: unreadable"), format!("{flaw}\n{text}")))?;
                check_network_policy(problem, &read, read.claimed, &Budget::unlimited()).map_err(|flaw| {
                    disagreed(format!("{engine}: refused by the checker"), format!("{flaw}\n{text}"))
                })?;
                if wanted.is_some_and(|wanted| wanted != policy.guarantee) {
                    return Err(disagreed(format!("{engine}: another guarantee"), text));
                }
                let holds = if policy.guarantee == Guarantee::Strong { strong } else { cyclic };
                if twin.is_closed && !holds {
                    return Err(disagreed(format!("{engine}: solved, twin: unsolvable"), text));
                }
                if wanted.is_none() && strong && policy.guarantee != Guarantee::Strong {
                    return Err(disagreed(format!("{engine}: strong-cyclic, twin: strong"), text));
                }
            }
            Verdict::Unsolvable if possible => {
                return Err(disagreed(format!("{engine}: unsolvable, twin: solved"), ""));
            }
            _ => {}
        }
    }
    for (wanted, possible) in [(Claimed::Strong, strong), (Claimed::StrongCyclic, cyclic)] {
        let tried = try_decompositions(problem, wanted, MOST, &Budget::unlimited().slice(TIME));
        compare_tried(&format!("exhaustive check {wanted:?}"), tried.ok(), possible, &twin, answers)?;
    }
    Ok(match (strong, cyclic, twin.is_closed) {
        (true, ..) => "strong",
        (false, true, _) => "strong-cyclic",
        (false, false, true) => "unsolvable",
        (false, false, false) => "open",
    })
}

fn compare_tried(
    who: &str,
    tried: Option<Existence>,
    possible: bool,
    twin: &Twin,
    answers: &mut u32,
) -> Result<(), Outcome> {
    *answers += u32::from(tried.is_some());
    match tried {
        Some(Existence::Possible) if twin.is_closed && !possible => {
            Err(disagreed(format!("{who}: possible, twin: impossible"), ""))
        }
        Some(Existence::Impossible) if possible => {
            Err(disagreed(format!("{who}: impossible, twin: possible"), ""))
        }
        _ => Ok(()),
    }
}

/// Policies for the goal that follow the methods' advice.
fn advised(problem: &Problem, lifted: &HddlProblem, answers: &mut u32) -> Result<(), Outcome> {
    let options = Options { keep_irrelevant: true, ..Options::default() };
    let plain = Problem { hierarchy: None, ..problem.clone() };
    let nondet = match ground_outcomes(&plain, &options, &Budget::unlimited(), &Silent) {
        Ok((nondet, _)) => nondet,
        // Refused by name; the policies over state and network were compared.
        Err(_) => return Ok(()),
    };
    let twin = explore(problem, true, MOST);
    if twin.starts == 0 {
        return Ok(());
    }
    let advises = twin.advises();
    for (at, (class, claimed)) in [
        (Class::Strong, Claimed::Strong),
        (Class::StrongCyclic, Claimed::StrongCyclic),
        (Class::Weak, Claimed::Weak),
    ]
    .into_iter()
    .enumerate()
    {
        for how in [Algorithm::NdShop2, Algorithm::Yoyo] {
            let engine = format!("advised_policy {how:?} {class:?}");
            let budget = Budget::unlimited().slice(TIME);
            // Refused by name: partial order, variables, no goal.
            let Ok(answer) = advised_policy(lifted, &nondet, class, how, 0, &budget, &Silent) else {
                return Ok(());
            };
            *answers += 1;
            match answer.verdict {
                Verdict::Solved(policy) => {
                    let words = text(class, &rules(&nondet, &policy));
                    let mut sources = Sources::default();
                    let file = sources.add("policy", words.as_str());
                    let read = read_policy(&sources, file, problem).map_err(|errors| {
                        disagreed(format!("{engine}: unreadable"), format!("{errors:?}\n{words}"))
                    })?;
                    let options = PolicyOptions {
                        wanted: claimed,
                        most_states: 100_000,
                        only_runs: false,
                        runs: 10,
                        seed: 0,
                    };
                    check_policy(&plain, &read.rules, options, &Budget::unlimited()).map_err(|flaw| {
                        disagreed(format!("{engine}: refused by the checker"), format!("{flaw}\n{words}"))
                    })?;
                    if twin.is_closed && !advises[at] {
                        return Err(disagreed(format!("{engine}: solved, twin: unsolvable"), words));
                    }
                }
                Verdict::Unsolvable if advises[at] => {
                    return Err(disagreed(format!("{engine}: unsolvable, twin: solved"), ""));
                }
                _ => {}
            }
        }
        let tried = try_advice(problem, claimed, MOST, &Budget::unlimited().slice(TIME));
        compare_tried(&format!("advice check {claimed:?}"), tried.ok(), advises[at], &twin, answers)?;
    }
    Ok(())
}
