//! Policies where nature's choices have odds: all states in fractions, and a search that looks at some.

use counterplay_base::{Id, Silent};
use counterplay_check::{policy_worth, read_policy};
use counterplay_ground::ground_odds;
use counterplay_mdp::{
    Answer, Explored, Objective, Unsearched, Unsolved, Value, explore as all_states, search, solve,
};
use counterplay_pddl::model::{Number, Problem};
use counterplay_policy::literals;
use counterplay_syntax::Sources;
use counterplay_task::{Fact, OddsTask};
use num_rational::BigRational;
use rand_chacha::ChaCha8Rng;

use super::twin::{Space, Step, explore};
use super::{disagreed, groundings, problem_of, text};
use crate::{Area, Case, Outcome};

pub(super) struct OddsArea;

impl Area for OddsArea {
    fn name(&self) -> &'static str {
        "mdp"
    }

    fn about(&self) -> &'static str {
        "PPDDL with `probabilistic` in effects: greatest probability and least expected cost against value iteration"
    }

    fn sample(&self) -> u64 {
        2_000
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        text::generate(rng, text::Kind::Odds)
    }

    fn examine(&self, case: &Case) -> Outcome {
        examine(case).unwrap_or_else(|outcome| outcome)
    }
}

/// What value iteration cannot tell apart.
const ERROR: f64 = 1e-6;

fn examine(case: &Case) -> Result<Outcome, Outcome> {
    let problem = problem_of(case)?;
    let space = explore(&problem).map_err(Outcome::Rejected)?;
    let twin = Twin { space: &space, has_costs: problem.metric.is_some() };
    let probability = twin.greatest_probability().ok_or_else(slow)?;
    let cost = twin.least_cost().ok_or_else(slow)?;
    let mut answers = 0;
    for (grounding, options) in groundings() {
        let task = ground_odds(&problem, false, &options, &super::budget(), &Silent)
            .map_err(|error| Outcome::Rejected(format!("not grounded: {error}")))?
            .0;
        let explored = all_states(&task, usize::MAX, &super::budget())
            .map_err(|why| Outcome::Rejected(format!("{why:?}")))?
            .ok_or_else(|| Outcome::Rejected("too many states".to_owned()))?;
        for (objective, truth) in [(Objective::MaxProb, Some(probability)), (Objective::MinCost, cost)] {
            let who = format!("{objective:?} on {grounding}");
            let whole = solve(&explored.mdp, objective, &super::budget());
            let part = search(&task, objective, &super::budget());
            let (whole, part) = match (whole, part, truth) {
                (Ok(whole), Ok(part), Some(truth)) => {
                    let near = |value: &Value| {
                        let (low, high) = value.bounds();
                        low - ERROR * (1.0 + truth) <= truth && truth <= high + ERROR * (1.0 + truth)
                    };
                    if !near(&whole.value) || !near(&part.answer.value) {
                        let detail =
                            format!("{:?}, a part {:?}, twin {truth}", whole.value, part.answer.value);
                        return Err(disagreed(format!("{who}: another value"), detail));
                    }
                    (whole, part.answer)
                }
                (
                    Err(Unsolved::NotSure { .. }),
                    Err(Unsearched::Unsolved(Unsolved::NotSure { .. }, _)),
                    None,
                ) => {
                    answers += 2;
                    continue;
                }
                (whole, part, truth) => {
                    let detail = format!("{whole:?}, a part {part:?}, twin {truth:?}");
                    return Err(disagreed(format!("{who}: another kind of answer"), detail));
                }
            };
            if let (Value::Exact(one), Value::Exact(other)) = (&whole.value, &part.value)
                && one != other
            {
                return Err(disagreed(
                    format!("{who}: a part is worth another fraction"),
                    format!("{one}, {other}"),
                ));
            }
            check(&problem, &task, &explored, &whole, objective, &who)?;
            answers += 3;
        }
    }
    let kind = match (probability, cost) {
        (_, Some(_)) => "sure",
        (probability, _) if probability > 0.0 => "perhaps",
        _ => "never",
    };
    Ok(Outcome::Agreed { answers, kind })
}

fn slow() -> Outcome {
    Outcome::Rejected("value iteration takes too long".to_owned())
}

/// Gives the policy, as text, to the checker, which must come to the same fraction.
fn check(
    problem: &Problem,
    task: &OddsTask,
    explored: &Explored,
    answer: &Answer,
    objective: Objective,
    who: &str,
) -> Result<(), Outcome> {
    let Value::Exact(value) = &answer.value else { return Ok(()) };
    let text = rules(task, explored, answer);
    let mut sources = Sources::default();
    let file = sources.add("policy", text.clone());
    let read = read_policy(&sources, file, problem)
        .map_err(|errors| disagreed(format!("{who}: unreadable policy"), format!("{errors:?}\n{text}")))?;
    let worth = policy_worth(problem, &read.rules, false, 100_000, &super::budget()).map_err(|flaw| {
        disagreed(format!("{who}: the checker refuses its policy"), format!("{flaw}\n{text}"))
    })?;
    let found: Option<&BigRational> = match objective {
        Objective::MaxProb => Some(&worth.probability),
        _ => worth.cost.as_ref(),
    };
    if found == Some(value) {
        return Ok(());
    }
    Err(disagreed(format!("{who}: the checker finds another worth"), format!("{value}, {worth:?}\n{text}")))
}

/// The policy as rules over full states.
fn rules(task: &OddsTask, explored: &Explored, answer: &Answer) -> String {
    let mut text = "(class weak)\n".to_owned();
    for (state, values) in explored.states.iter().enumerate() {
        let Some(action) = answer.policy[state] else { continue };
        let label = explored.mdp.actions(state)[action as usize].label;
        let name = &task.nondet.choices[Id::new(label as usize)].name;
        let facts = values.enumerate().map(|(var, &value)| Fact { var, value });
        let facts = facts.filter(|fact| task.nondet.task.variables[fact.var].derived.is_none());
        let condition: Vec<String> = facts.flat_map(|fact| literals(&task.nondet.task, fact)).collect();
        text.push_str(&format!("(if (and {}) ({name}))\n", condition.join(" ")));
    }
    text
}

/// Values by plain iteration over all states.
struct Twin<'s> {
    space: &'s Space,
    has_costs: bool,
}

fn float(number: Number) -> f64 {
    *number.numer() as f64 / *number.denom() as f64
}

/// After so many sweeps the twin gives up.
const MOST_SWEEPS: usize = 20_000;

impl Twin<'_> {
    fn start(&self) -> usize {
        self.space.starts[0]
    }

    fn expected(&self, step: &Step, values: &[f64]) -> f64 {
        step.odds.iter().zip(&step.next).map(|(&odds, &next)| float(odds) * values[next]).sum()
    }

    /// The mean price of a step; every step costs one where the problem has no metric.
    fn price(&self, step: &Step) -> f64 {
        if !self.has_costs {
            return 1.0;
        }
        step.odds.iter().zip(&step.costs).map(|(&odds, &cost)| float(odds) * float(cost)).sum()
    }

    /// Repeats `update` of all states that are no goal until hardly anything changes.
    fn settle(&self, mut values: Vec<f64>, update: &dyn Fn(usize, &[f64]) -> f64) -> Option<Vec<f64>> {
        for _ in 0..MOST_SWEEPS {
            let mut moved = 0.0f64;
            for at in (0..values.len()).filter(|&at| !self.space.nodes[at].is_goal) {
                let value = update(at, &values);
                moved = moved.max((value - values[at]).abs());
                values[at] = value;
            }
            if moved < 1e-12 {
                return Some(values);
            }
        }
        None
    }

    /// The greatest probability to reach a goal: the least fixpoint, from below.
    fn greatest_probability(&self) -> Option<f64> {
        let values = self.space.nodes.iter().map(|node| f64::from(u8::from(node.is_goal))).collect();
        let best = |at: usize, values: &[f64]| {
            let steps = self.space.nodes[at].steps.iter();
            steps.map(|step| self.expected(step, values)).fold(0.0, f64::max)
        };
        Some(self.settle(values, &best)?[self.start()])
    }

    /// The least expected cost among policies that reach a goal for sure, `Some(None)` if there are none: from above, beginning with
    /// the cost of choosing any step that keeps a goal certain.
    fn least_cost(&self) -> Option<Option<f64>> {
        let sure = self.sure();
        if !sure[self.start()] {
            return Some(None);
        }
        let kept = |at: usize| {
            let steps = self.space.nodes[at].steps.iter();
            steps.filter(|step| step.next.iter().all(|&next| sure[next])).collect::<Vec<&Step>>()
        };
        let total = |step: &Step, values: &[f64]| self.price(step) + self.expected(step, values);
        let zero = vec![0.0; self.space.nodes.len()];
        let any = |at: usize, values: &[f64]| {
            let steps = kept(at);
            if !sure[at] {
                return 0.0;
            }
            steps.iter().map(|step| total(step, values)).sum::<f64>() / steps.len() as f64
        };
        let best = |at: usize, values: &[f64]| {
            if !sure[at] {
                return 0.0;
            }
            kept(at).iter().map(|step| total(step, values)).fold(f64::INFINITY, f64::min)
        };
        let above = self.settle(zero, &any)?;
        Some(Some(self.settle(above, &best)?[self.start()]))
    }

    /// The states from which a goal can be reached for sure: it can always still be reached by steps that stay among them.
    fn sure(&self) -> Vec<bool> {
        let nodes = &self.space.nodes;
        let mut sure = vec![true; nodes.len()];
        loop {
            let mut reaching: Vec<bool> = nodes.iter().map(|node| node.is_goal).collect();
            loop {
                let before = reaching.clone();
                for (at, node) in nodes.iter().enumerate() {
                    let leads = |step: &Step| {
                        step.next.iter().all(|&next| sure[next]) && step.next.iter().any(|&next| before[next])
                    };
                    reaching[at] = reaching[at] || node.steps.iter().any(leads);
                }
                if reaching == before {
                    break;
                }
            }
            if reaching == sure {
                return sure;
            }
            sure = reaching;
        }
    }
}
