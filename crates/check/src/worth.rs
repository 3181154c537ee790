//! What a policy is worth where outcomes have probabilities, in fractions.
//!
//! The policy is run on the problem as it is written, against every outcome. That gives a Markov chain; the probability of the goal and
//! the expected cost are the solution of one linear equation for each state, solved by Gaussian elimination without rounding. A
//! state without an answer and a state from which no goal can be reached count as failures.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use counterplay_base::{Budget, BudgetPoll, Limit};
use counterplay_pddl::model::*;
use counterplay_pddl::print::Binding;
use num_rational::BigRational;
use num_traits::{One, Zero};

use crate::derive::Axioms;
use crate::evaluate::{CheckContext, Query, Trouble, View, ground_atom, unbound};
use crate::policy_file::Rule;
use crate::state::State;

/// What a policy is worth at the initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyWorth {
    /// The probability with which a goal is reached.
    pub probability: BigRational,
    /// The expected cost until then, rewards counted as negative; `None` unless a goal is reached for sure.
    pub cost: Option<BigRational>,
    /// States that can come up.
    pub states: usize,
}

/// Why a policy has no worth here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorthFlaw {
    #[error("`{action}` cannot be applied in the state {}", .state.join(" "))]
    Inapplicable { action: String, state: Vec<String> },
    #[error("the outcomes of `{action}` have no probabilities")]
    NoOdds { action: String },
    #[error("a number of `{action}` has no exact value")]
    Number { action: String },
    #[error("more than {most} states can come up")]
    TooLarge { most: usize },
    #[error("{0}")]
    Stopped(Limit),
}

impl From<Limit> for WorthFlaw {
    fn from(limit: Limit) -> WorthFlaw {
        WorthFlaw::Stopped(limit)
    }
}

/// One way that an effect may turn out.
#[derive(Clone)]
struct Happening {
    odds: BigRational,
    cost: BigRational,
    adds: Vec<GroundAtom>,
    deletes: Vec<GroundAtom>,
}

type Facts = BTreeSet<GroundAtom>;

/// One state of the chain.
#[derive(Default)]
struct Link {
    is_goal: bool,
    cost: BigRational,
    next: BTreeMap<usize, BigRational>,
}

/// Computes what a policy is worth, looking at no more than `most` states. With `uniform` the alternatives of `oneof` are equally likely.
///
/// # Errors
/// What keeps the policy from having a worth, or the limit that was reached.
pub fn policy_worth(
    problem: &Problem,
    rules: &[Rule],
    uniform: bool,
    most: usize,
    budget: &Budget,
) -> Result<PolicyWorth, WorthFlaw> {
    let world = CheckContext::new(problem, budget);
    let axioms = Axioms::new(&world)?;
    let mut walk = Walk { world: &world, axioms, rules, uniform, list: Vec::new(), numbers: HashMap::new() };
    let starts = walk.starts()?;
    let mut links = Vec::new();
    while links.len() < walk.list.len() {
        budget.check()?;
        if walk.list.len() > most {
            return Err(WorthFlaw::TooLarge { most });
        }
        let link = walk.link(links.len())?;
        links.push(link);
    }
    worth(&links, &starts, budget)
}

/// A state of a Markov chain that a caller has at hand.
#[derive(Clone, Debug, Default)]
pub struct ChainState {
    pub is_goal: bool,
    /// What leaving the state costs; negative if it earns something.
    pub cost: Number,
    /// Probabilities, and where they lead; none where everything ends.
    pub next: Vec<(Number, usize)>,
}

impl ChainState {
    fn link(&self, factor: &BigRational) -> Link {
        let mut next = BTreeMap::new();
        for (odds, to) in &self.next {
            *next.entry(*to).or_insert_with(BigRational::zero) += big(*odds) * factor;
        }
        Link { is_goal: self.is_goal, cost: big(self.cost), next }
    }
}

/// The worth of a Markov chain at one of its states.
///
/// # Errors
/// The limit that was reached.
pub fn chain_worth(chain: &[ChainState], start: usize, budget: &Budget) -> Result<PolicyWorth, WorthFlaw> {
    let links: Vec<Link> = chain.iter().map(|state| state.link(&BigRational::one())).collect();
    worth(&links, &BTreeMap::from([(start, BigRational::one())]), budget)
}

/// What a Markov chain earns from one of its states on, where each step later it counts so many times as much.
///
/// # Errors
/// The limit that was reached.
pub fn discounted_worth(
    chain: &[ChainState],
    start: usize,
    discount: Number,
    budget: &Budget,
) -> Result<BigRational, WorthFlaw> {
    let links: Vec<Link> = chain.iter().map(|state| state.link(&big(discount))).collect();
    let open = vec![true; links.len()];
    let values = eliminate(&links, &open, |at| -links[at].cost.clone(), budget)?;
    Ok(values[start].clone())
}

struct Walk<'a> {
    world: &'a CheckContext<'a>,
    axioms: Axioms<'a>,
    rules: &'a [Rule],
    uniform: bool,
    list: Vec<Facts>,
    numbers: HashMap<Facts, usize>,
}

impl Walk<'_> {
    fn number(&mut self, facts: Facts) -> usize {
        let next = self.list.len();
        *self.numbers.entry(facts).or_insert_with_key(|facts| {
            self.list.push(facts.clone());
            next
        })
    }

    /// The initial states with their probabilities.
    fn starts(&mut self) -> Result<BTreeMap<usize, BigRational>, WorthFlaw> {
        let problem = self.world.problem;
        let certain: Facts = problem.init.iter().cloned().collect();
        let mut all = vec![(BigRational::one(), certain)];
        for choice in &problem.init_choices {
            if !self.uniform {
                return Err(WorthFlaw::NoOdds { action: ":init".to_owned() });
            }
            let share = BigRational::new(1.into(), choice.alternatives.len().into());
            let longer = all.iter().flat_map(|(odds, facts)| {
                let share = &share;
                choice
                    .alternatives
                    .iter()
                    .map(move |atoms| (odds * share, facts.iter().chain(atoms).cloned().collect::<Facts>()))
            });
            all = longer.collect();
        }
        let mut starts = BTreeMap::new();
        for (odds, facts) in all {
            *starts.entry(self.number(facts)).or_insert_with(BigRational::zero) += odds;
        }
        Ok(starts)
    }

    fn state(&self, facts: &Facts) -> Result<State, Trouble> {
        let mut state = State::initial(self.world.problem);
        state.facts = facts.iter().cloned().collect();
        self.axioms.apply(self.world, &mut state)?;
        Ok(state)
    }

    /// Where the policy leads from a state.
    fn link(&mut self, at: usize) -> Result<Link, WorthFlaw> {
        let problem = self.world.problem;
        let facts = self.list[at].clone();
        let state = self.state(&facts).map_err(|trouble| told(trouble, ":derived"))?;
        let goal = &problem.goal;
        let mut link = Link::default();
        let view = self.world.view(&state, &goal.schema);
        if view.holds(&goal.condition, true, &mut unbound(&goal.schema)).map_err(|it| told(it, ":goal"))? {
            link.is_goal = true;
            return Ok(link);
        }
        let fits = |rule: &&Rule| rule.condition.iter().all(|(atom, truth)| state.is_true(atom) == *truth);
        let Some(rule) = self.rules.iter().find(fits) else { return Ok(link) };
        let name = rule.step.text(problem);
        let happenings = self.happenings(&state, rule).map_err(|trouble| told(trouble, &name))?;
        let Some(happenings) = happenings else {
            let state = facts.iter().map(|atom| problem.atom_text(atom)).collect();
            return Err(WorthFlaw::Inapplicable { action: name, state });
        };
        for Happening { odds, cost, adds, deletes } in happenings {
            let mut after: Facts = facts.iter().filter(|atom| !deletes.contains(atom)).cloned().collect();
            after.extend(adds);
            let next = self.number(after);
            link.cost += &odds * cost;
            *link.next.entry(next).or_insert_with(BigRational::zero) += odds;
        }
        Ok(link)
    }

    /// How the action of a rule may turn out; `None` if it cannot be applied.
    fn happenings(&self, state: &State, rule: &Rule) -> Result<Option<Vec<Happening>>, Trouble> {
        let problem = self.world.problem;
        let action = &problem.actions[rule.step.action];
        let mut binding = unbound(&action.schema);
        for ((id, variable), &argument) in action.schema.variables.enumerate().zip(&rule.step.arguments) {
            if !problem.belongs(argument, &variable.types) {
                return Ok(None);
            }
            binding[id] = Some(argument);
        }
        let view = self.world.view(state, &action.schema);
        if !view.holds(&action.precondition, true, &mut binding)? {
            return Ok(None);
        }
        let mut all = self.effect(&view, &action.effect, &mut binding)?;
        if problem.metric.is_none() {
            all.iter_mut().for_each(|happening| happening.cost = BigRational::one());
        }
        Ok(Some(all))
    }

    fn effect(
        &self,
        view: &View<'_>,
        effect: &Effect,
        binding: &mut Binding,
    ) -> Result<Vec<Happening>, Trouble> {
        match effect {
            Effect::And(parts) => {
                let mut all = vec![nothing()];
                for part in parts {
                    all = both(&all, &self.effect(view, part, binding)?);
                }
                Ok(all)
            }
            Effect::Forall(variables, part) => {
                let everything = Query { condition: &Condition::And(Vec::new()), wanted: true, found: true };
                let mut all = vec![nothing()];
                view.instances(variables, everything, binding, &mut |binding| {
                    all = both(&all, &self.effect(view, part, binding)?);
                    Ok(false)
                })?;
                Ok(all)
            }
            Effect::When(condition, part) => match view.holds(condition, true, binding)? {
                true => self.effect(view, part, binding),
                false => Ok(vec![nothing()]),
            },
            Effect::OneOf(parts, nature) => {
                let mut all = Vec::new();
                for (at, part) in parts.iter().enumerate() {
                    let odds = match &nature.odds {
                        Some(odds) => big(odds[at]),
                        None if self.uniform || parts.len() == 1 => {
                            BigRational::new(1.into(), parts.len().into())
                        }
                        None => return Err(Trouble::Choice),
                    };
                    for happening in self.effect(view, part, binding)? {
                        all.push(Happening { odds: &odds * &happening.odds, ..happening });
                    }
                }
                Ok(all)
            }
            Effect::Add(atom, _) => {
                Ok(vec![Happening { adds: vec![ground_atom(atom, binding)], ..nothing() }])
            }
            Effect::Delete(atom, _) => {
                Ok(vec![Happening { deletes: vec![ground_atom(atom, binding)], ..nothing() }])
            }
            Effect::Change(change, fluent, value, _) => {
                let amount = view.number(value, binding)?.map(big);
                let Some(amount) = amount else { return Err(Trouble::Undefined(String::new())) };
                let cost = match (self.counted(fluent.function), change) {
                    (None, _) => BigRational::zero(),
                    (Some(maximize), Change::Increase) => {
                        if maximize {
                            -amount
                        } else {
                            amount
                        }
                    }
                    (Some(maximize), Change::Decrease) => {
                        if maximize {
                            amount
                        } else {
                            -amount
                        }
                    }
                    (Some(_), _) => return Err(Trouble::Undefined(String::new())),
                };
                Ok(vec![Happening { cost, ..nothing() }])
            }
        }
    }

    /// Whether the metric is this number; `true` if it is to be as large as possible.
    fn counted(&self, function: FunctionId) -> Option<bool> {
        let metric = self.world.problem.metric.as_ref()?;
        match &metric.value {
            Expression::Fluent(fluent, _) if fluent.function == function => Some(metric.maximize),
            _ => None,
        }
    }
}

fn told(trouble: Trouble, action: &str) -> WorthFlaw {
    match trouble {
        Trouble::Stopped(limit) => WorthFlaw::Stopped(limit),
        Trouble::Choice => WorthFlaw::NoOdds { action: action.to_owned() },
        _ => WorthFlaw::Number { action: action.to_owned() },
    }
}

fn big(number: Number) -> BigRational {
    BigRational::new((*number.numer()).into(), (*number.denom()).into())
}

fn nothing() -> Happening {
    Happening { odds: BigRational::one(), cost: BigRational::zero(), adds: Vec::new(), deletes: Vec::new() }
}

/// Every way of the first with every way of the second.
fn both(first: &[Happening], second: &[Happening]) -> Vec<Happening> {
    let pairs = first.iter().flat_map(|one| second.iter().map(move |other| (one, other)));
    pairs
        .map(|(one, other)| Happening {
            odds: &one.odds * &other.odds,
            cost: &one.cost + &other.cost,
            adds: [&one.adds[..], &other.adds].concat(),
            deletes: [&one.deletes[..], &other.deletes].concat(),
        })
        .collect()
}

/// The worth of a chain.
fn worth(
    links: &[Link],
    starts: &BTreeMap<usize, BigRational>,
    budget: &Budget,
) -> Result<PolicyWorth, WorthFlaw> {
    let reaches = leading_to(links, |link| link.is_goal);
    let open: Vec<bool> = (0..links.len()).map(|at| reaches[at] && !links[at].is_goal).collect();
    let sum = |values: &[BigRational]| {
        starts.iter().fold(BigRational::zero(), |sum, (&at, odds)| sum + odds * &values[at])
    };
    let gain = |at: usize| {
        let goals = links[at].next.iter().filter(|(next, _)| links[**next].is_goal);
        goals.fold(BigRational::zero(), |sum, (_, odds)| sum + odds)
    };
    let mut probability = eliminate(links, &open, gain, budget)?;
    links.iter().enumerate().filter(|(_, link)| link.is_goal).for_each(|(at, _)| {
        probability[at] = BigRational::one();
    });
    let probability = sum(&probability);
    let cost = match probability.is_one() {
        true => Some(sum(&eliminate(links, &open, |at| links[at].cost.clone(), budget)?)),
        false => None,
    };
    Ok(PolicyWorth { probability, cost, states: links.len() })
}

/// The states from which one with a property can be reached.
fn leading_to(links: &[Link], holds: impl Fn(&Link) -> bool) -> Vec<bool> {
    let mut found: Vec<bool> = links.iter().map(holds).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..links.len()).rev() {
            if !found[at] && links[at].next.keys().any(|&next| found[next]) {
                found[at] = true;
                changed = true;
            }
        }
    }
    found
}

/// Solves `v = gain + P v` over the open states; the others count nothing.
fn eliminate(
    links: &[Link],
    open: &[bool],
    gain: impl Fn(usize) -> BigRational,
    budget: &Budget,
) -> Result<Vec<BigRational>, WorthFlaw> {
    let mut poll = BudgetPoll::every(64);
    // Row `i` says: the sum of coefficients times values is the right side.
    let mut rows: Vec<(BTreeMap<usize, BigRational>, BigRational)> = Vec::new();
    for (at, link) in links.iter().enumerate() {
        let mut row = BTreeMap::from([(at, BigRational::one())]);
        for (&next, odds) in link.next.iter().filter(|(next, _)| open[at] && open[**next]) {
            *row.entry(next).or_insert_with(BigRational::zero) -= odds;
        }
        rows.push((row, if open[at] { gain(at) } else { BigRational::zero() }));
    }
    // The states that were met last are eliminated first: mostly they lead to nothing that is open.
    for pivot in (0..rows.len()).rev().filter(|&at| open[at]) {
        let (own, right) = rows[pivot].clone();
        let factor = own[&pivot].recip();
        for (row, side) in &mut rows[..pivot] {
            let Some(coefficient) = row.remove(&pivot) else { continue };
            let times = coefficient * &factor;
            for (&column, value) in own.iter().filter(|(column, _)| **column != pivot) {
                poll.step(budget)?;
                *row.entry(column).or_insert_with(BigRational::zero) -= &times * value;
            }
            *side -= &times * &right;
        }
    }
    let mut values = vec![BigRational::zero(); rows.len()];
    for at in (0..rows.len()).filter(|&at| open[at]) {
        let (row, right) = &rows[at];
        let known = row.iter().filter(|(column, _)| **column != at);
        let known = known.fold(BigRational::zero(), |sum, (&column, value)| sum + value * &values[column]);
        values[at] = (right - known) / &row[&at];
    }
    Ok(values)
}
