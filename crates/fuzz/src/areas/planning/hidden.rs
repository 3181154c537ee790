//! Plans where the state is hidden: both ways to hold belief states, for each guarantee.

use std::collections::{BTreeMap, BTreeSet};

use counterplay_base::{Silent, Verdict};
use counterplay_check::{
    Confirmation, Guarantee as Claim, check_conformant, check_contingent, confirm_no_contingent,
    is_contingent, read_contingent, read_plan,
};
use counterplay_contingent::{Guarantee, Options, Representation, solve, text as plan_text};
use counterplay_ground::ground_hidden;
use counterplay_pddl::model::Problem;
use counterplay_syntax::Sources;
use rand_chacha::ChaCha8Rng;

use super::twin::{GivesUp, Space, Step, explore};
use super::{disagreed, problem_of, text};
use crate::{Area, Case, Outcome};

pub(super) struct HiddenArea;

impl Area for HiddenArea {
    fn name(&self) -> &'static str {
        "contingent"
    }

    fn about(&self) -> &'static str {
        "PDDL with hidden initial states and `:observe`: belief states as lists and as diagrams, for every guarantee"
    }

    fn sample(&self) -> u64 {
        1_500
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        text::generate(rng, text::Kind::Hidden)
    }

    fn examine(&self, case: &Case) -> Outcome {
        examine(case).unwrap_or_else(|outcome| outcome)
    }
}

/// States and belief states up to which the checker looks at all of them.
const MOST_CHECKED: usize = 20_000;

fn examine(case: &Case) -> Result<Outcome, Outcome> {
    let problem = problem_of(case)?;
    let space = explore(&problem).map_err(Outcome::Rejected)?;
    if space.starts.is_empty() {
        return match ground_hidden(&problem, &super::budget(), &Silent) {
            Err(_) => Ok(Outcome::Agreed { answers: 1, kind: "contradictory" }),
            Ok(_) => Err(disagreed("grounded, twin: no initial state".to_owned(), String::new())),
        };
    }
    let beliefs = Beliefs::explore(&space).map_err(Outcome::Rejected)?;
    let truth = [beliefs.has_strong(), beliefs.has_strong_cyclic()];
    let task = ground_hidden(&problem, &super::budget(), &Silent)
        .map_err(|error| Outcome::Rejected(format!("not grounded: {error}")))?;
    let mut answers = 0;
    for (name, representation) in
        [("lists", Representation::Explicit), ("diagrams", Representation::Symbolic)]
    {
        for wanted in [Some(Guarantee::Strong), Some(Guarantee::StrongCyclic), None] {
            let who = format!("{name} for {wanted:?}");
            let options = Options { representation, wanted, seed: 1 };
            let found = solve(&task, &options, &super::budget(), &Silent);
            let expected = if wanted == Some(Guarantee::Strong) { truth[0] } else { truth[1] };
            match &found.verdict {
                Verdict::Solved(plan) => {
                    let text = plan_text(&task, plan);
                    if !truth[plan.guarantee as usize] {
                        let what = format!("{who}: {:?}, twin: there is none", plan.guarantee);
                        return Err(disagreed(what, text));
                    }
                    if wanted.is_none() && truth[0] && plan.guarantee != Guarantee::Strong {
                        return Err(disagreed(format!("{who}: weaker than the twin's"), text));
                    }
                    check(&problem, &text)
                        .map_err(|flaw| disagreed(format!("{who}: the checker refuses its plan"), flaw))?;
                }
                Verdict::Unsolvable if expected => {
                    return Err(disagreed(format!("{who}: unsolvable, twin: there is one"), String::new()));
                }
                Verdict::Unsolvable => {}
                Verdict::Stopped(limit) => return Err(Outcome::Rejected(format!("{who}: {limit}"))),
            }
            if found.no_strong && truth[0] {
                return Err(disagreed(format!("{who}: none is strong, twin: there is one"), String::new()));
            }
            answers += 1;
        }
    }
    for (claim, exists) in [(Claim::Strong, truth[0]), (Claim::StrongCyclic, truth[1])] {
        match (confirm_no_contingent(&problem, claim, MOST_CHECKED, &super::budget()), exists) {
            (Confirmation::Confirmed { .. }, false) | (Confirmation::Refuted(_), true) => answers += 1,
            (Confirmation::TooLarge, _) => {}
            (found, _) => {
                let what = format!("confirmation of no {claim:?} plan, twin: {exists}");
                return Err(disagreed(what, format!("{found:?}")));
            }
        }
    }
    let kind = match truth {
        [true, _] => "strong",
        [_, true] => "strong-cyclic",
        _ => "unsolvable",
    };
    Ok(Outcome::Agreed { answers, kind })
}

/// Gives a plan, as text, to the checker.
fn check(problem: &Problem, text: &str) -> Result<(), String> {
    let (mut sources, budget) = (Sources::default(), super::budget());
    let file = sources.add("plan", text);
    let checked = if is_contingent(&sources, file) {
        let read =
            read_contingent(&sources, file, problem).map_err(|errors| format!("{errors:?}\n{text}"))?;
        check_contingent(problem, &read, read.claimed, MOST_CHECKED, &budget)
    } else {
        let steps = read_plan(&sources, file, problem).map_err(|errors| format!("{errors:?}\n{text}"))?;
        check_conformant(problem, &steps, MOST_CHECKED, &budget)
    };
    checked.map(drop).map_err(|flaw| format!("{flaw}\n{text}"))
}

/// A set of states that look the same.
type Belief = BTreeSet<usize>;

/// An action in a belief state: what it may lead to from each state, as pairs of a belief state and a state in it.
struct Way {
    from: BTreeMap<usize, Vec<(usize, usize)>>,
}

impl Way {
    /// The belief states that may follow.
    fn next(&self) -> impl Iterator<Item = usize> {
        self.from.values().flatten().map(|&(belief, _)| belief)
    }
}

/// All belief states that can be met.
struct Beliefs {
    list: Vec<Belief>,
    is_goal: Vec<bool>,
    ways: Vec<Vec<Way>>,
}

/// More belief states than these and the twin gives up.
const MOST_BELIEFS: usize = 600;

impl Beliefs {
    fn explore(space: &Space) -> Result<Beliefs, GivesUp> {
        let mut all = Beliefs {
            list: vec![space.starts.iter().copied().collect()],
            is_goal: Vec::new(),
            ways: Vec::new(),
        };
        while all.ways.len() < all.list.len() {
            if all.list.len() > MOST_BELIEFS {
                return Err("too many belief states".to_owned());
            }
            let belief = all.list[all.ways.len()].clone();
            all.is_goal.push(belief.iter().all(|&state| space.nodes[state].is_goal));
            let first = belief.first().expect("a belief state has states");
            let mut ways = Vec::new();
            for offered in &space.nodes[*first].steps {
                // An action may be taken only if it can be taken in every state that is possible.
                let steps: Option<Vec<(usize, &Step)>> = belief
                    .iter()
                    .map(|&state| {
                        let steps = &space.nodes[state].steps;
                        steps.iter().find(|step| step.action == offered.action).map(|step| (state, step))
                    })
                    .collect();
                let Some(steps) = steps else { continue };
                let mut parts: BTreeMap<&Vec<bool>, Belief> = BTreeMap::new();
                for (_, step) in &steps {
                    for (seen, &next) in step.seen.iter().zip(&step.next) {
                        parts.entry(seen).or_default().insert(next);
                    }
                }
                let numbers: BTreeMap<&Vec<bool>, usize> =
                    parts.into_iter().map(|(seen, part)| (seen, all.number(part))).collect();
                let from = steps.iter().map(|(state, step)| {
                    let pairs = step.seen.iter().zip(&step.next).map(|(seen, &next)| (numbers[seen], next));
                    (*state, pairs.collect())
                });
                ways.push(Way { from: from.collect() });
            }
            all.ways.push(ways);
        }
        Ok(all)
    }

    fn number(&mut self, belief: Belief) -> usize {
        self.list.iter().position(|known| *known == belief).unwrap_or_else(|| {
            self.list.push(belief);
            self.list.len() - 1
        })
    }

    /// Whether the goal is reached within a bounded number of steps, and known then.
    fn has_strong(&self) -> bool {
        let mut won = self.is_goal.clone();
        for _ in 0..self.list.len() {
            for at in 0..self.list.len() {
                won[at] = won[at] || self.ways[at].iter().any(|way| way.next().all(|next| won[next]));
            }
        }
        won[0]
    }

    /// Whether it is possible to go on for ever among belief states from each state of which the goal can still be reached.
    fn has_strong_cyclic(&self) -> bool {
        let mut safe = vec![true; self.list.len()];
        loop {
            // Pairs of a belief state and a state in it from which the goal can be reached by ways that stay safe.
            let mut hope: BTreeSet<(usize, usize)> = BTreeSet::new();
            loop {
                let before = hope.len();
                for at in (0..self.list.len()).filter(|&at| safe[at]) {
                    for &state in &self.list[at] {
                        let mut ways = self.ways[at].iter().filter(|way| way.next().all(|next| safe[next]));
                        if self.is_goal[at]
                            || ways.any(|way| way.from[&state].iter().any(|pair| hope.contains(pair)))
                        {
                            hope.insert((at, state));
                        }
                    }
                }
                if hope.len() == before {
                    break;
                }
            }
            let kept: Vec<bool> = (0..self.list.len())
                .map(|at| safe[at] && self.list[at].iter().all(|&state| hope.contains(&(at, state))))
                .collect();
            if kept == safe {
                return safe[0];
            }
            safe = kept;
        }
    }
}
