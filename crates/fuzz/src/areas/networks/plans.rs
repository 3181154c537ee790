//! Area `htn`: plans of task networks whose actions have one outcome each.

use std::time::Duration;

use counterplay_base::{Budget, Limit, Silent, Verdict};
use counterplay_check::{
    Existence, Guarantee as Claimed, check_decomposition, check_network_policy, read_decomposition,
    read_network_policy, try_decompositions,
};
use counterplay_hddl::{HddlProblem, NetworkSearch, Options, PreparedProblem, network_policy, shop};
use counterplay_pddl::model::Problem;
use counterplay_syntax::Sources;
use rand_chacha::ChaCha8Rng;

use super::generate::{Kind, generate};
use super::twin::{Twin, explore};
use crate::{Area, Case, Outcome};

pub(super) struct Plans;

/// The twin looks at so many situations.
pub(super) const MOST: usize = 500;
/// Time for one engine on one problem: networks that grow without end take all of it.
const TIME: Duration = Duration::from_millis(300);

impl Area for Plans {
    fn name(&self) -> &'static str {
        "htn"
    }

    fn about(&self) -> &'static str {
        "task networks with total and partial order, recursion, constraints: plans by decomposition"
    }

    fn sample(&self) -> u64 {
        400
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        generate(rng, Kind { outcomes: false, ordered: 5 })
    }

    fn examine(&self, case: &Case) -> Outcome {
        let (problem, lifted) = match read(case) {
            Ok(read) => read,
            Err(why) => return Outcome::Rejected(why),
        };
        if problem.actions.iter().any(|action| action.effect.has_choice()) {
            return Outcome::Rejected("actions with several outcomes".to_owned());
        }
        let twin = explore(&problem, false, MOST);
        compare(&problem, &lifted, &twin).unwrap_or_else(|outcome| outcome)
    }
}

/// A problem that the engines take.
pub(super) fn read(case: &Case) -> Result<(Problem, HddlProblem), String> {
    let mut sources = Sources::default();
    let domain = sources.add("domain.hddl", case.text("domain.hddl"));
    let problem = sources.add("problem.hddl", case.text("problem.hddl"));
    let problem = counterplay_pddl::read(&sources, domain, problem)
        .map_err(|errors| errors.first().map(ToString::to_string).unwrap_or_default())?;
    let lifted = HddlProblem::new(&problem).map_err(|error| error.to_string())?;
    Ok((problem, lifted))
}

pub(super) fn disagreed(what: impl Into<String>, detail: impl Into<String>) -> Outcome {
    Outcome::Disagreed { what: what.into(), detail: detail.into() }
}

fn compare(problem: &Problem, lifted: &HddlProblem, twin: &Twin) -> Result<Outcome, Outcome> {
    let known = PreparedProblem::new(lifted);
    let shortest = twin.shortest();
    let mut answers = 0;
    let improved = Options::default().effort;
    let ways = [
        ("first plan", 0, NetworkSearch::DepthFirst),
        ("first plan by estimates", 0, NetworkSearch::Estimates),
        ("improved plan", improved, NetworkSearch::Auto),
    ];
    for (engine, effort, search) in ways {
        let options = Options { effort, search };
        let answer = shop(&known, options, &Budget::unlimited().slice(TIME), &Silent);
        answers += 1;
        match answer.verdict {
            Verdict::Solved(plan) => {
                let text = plan.to_text(&known);
                let mut sources = Sources::default();
                let file = sources.add("plan", text.as_str());
                let read = read_decomposition(&sources, file, problem).map_err(|errors| {
                    disagreed(format!("{engine}: unreadable"), format!("{errors:?}\n{text}"))
                })?;
                check_decomposition(problem, &read, &Budget::unlimited()).map_err(|flaw| {
                    disagreed(format!("{engine}: refused by the checker"), format!("{flaw}\n{text}"))
                })?;
                if twin.is_closed && shortest.is_none() {
                    return Err(disagreed(format!("{engine}: solved, twin: unsolvable"), text));
                }
                if twin.is_closed && shortest.is_some_and(|least| plan.len() < least) {
                    return Err(disagreed(format!("{engine}: shorter than the twin's"), text));
                }
                if answer.is_optimal && twin.is_closed && shortest != Some(plan.len()) {
                    return Err(disagreed(
                        format!("{engine}: not a shortest plan"),
                        format!("{shortest:?}\n{text}"),
                    ));
                }
            }
            Verdict::Unsolvable if shortest.is_some() => {
                return Err(disagreed(
                    format!("{engine}: unsolvable, twin: solved"),
                    format!("length {shortest:?}"),
                ));
            }
            Verdict::Stopped(limit) if twin.is_closed && !matches!(limit, Limit::Time(_)) => {
                return Err(disagreed(format!("{engine}: stopped without need"), limit.to_string()));
            }
            _ => {}
        }
    }
    // With one outcome for each action a policy is a plan.
    let answer = network_policy(&known, None, &Budget::unlimited().slice(TIME), &Silent);
    answers += 1;
    match answer.verdict {
        Verdict::Solved(policy) => {
            let text = policy.to_text(&known);
            let mut sources = Sources::default();
            let file = sources.add("policy", text.as_str());
            let read = read_network_policy(&sources, file, problem)
                .map_err(|flaw| disagreed("network policy: unreadable", format!("{flaw}\n{text}")))?;
            check_network_policy(problem, &read, read.claimed, &Budget::unlimited()).map_err(|flaw| {
                disagreed("network policy: refused by the checker", format!("{flaw}\n{text}"))
            })?;
            if twin.is_closed && shortest.is_none() {
                return Err(disagreed("network policy: solved, twin: unsolvable", text));
            }
        }
        Verdict::Unsolvable if shortest.is_some() => {
            return Err(disagreed("network policy: unsolvable, twin: solved", ""));
        }
        _ => {}
    }
    if let Ok(tried) = try_decompositions(problem, Claimed::Weak, MOST, &Budget::unlimited().slice(TIME)) {
        answers += 1;
        match tried {
            Existence::Possible if twin.is_closed && shortest.is_none() => {
                return Err(disagreed("exhaustive check: possible, twin: unsolvable", ""));
            }
            Existence::Impossible if shortest.is_some() => {
                return Err(disagreed("exhaustive check: impossible, twin: solved", ""));
            }
            _ => {}
        }
    }
    let kind = match (shortest, twin.is_closed) {
        (Some(_), _) => "solved",
        (None, true) => "unsolvable",
        (None, false) => "open",
    };
    Ok(Outcome::Agreed { answers, kind })
}
