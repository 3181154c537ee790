//! Confirming that there is no plan: every belief state that can be met, on the problem as it is written.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use counterplay_base::{Budget, Id};
use counterplay_pddl::model::*;

use super::initial::initial_states;
use crate::derive::Axioms;
use crate::evaluate::{CheckContext, Trouble};
use crate::exhaust::space::{Numbers, Space, Steps};
use crate::{Confirmation, Guarantee};

/// A set of states.
type Belief = BTreeSet<usize>;

/// Whether a problem with hidden state has no plan with this guarantee. `most` bounds the states and the belief states.
pub fn confirm_no_contingent(
    problem: &Problem,
    wanted: Guarantee,
    most: usize,
    budget: &Budget,
) -> Confirmation {
    let world = CheckContext::new(problem, budget);
    let Ok(axioms) = Axioms::new(&world) else { return Confirmation::TooLarge };
    let space = Space::new(&world, axioms, Numbers::Constant);
    let mut look = Look { problem, space, steps: Vec::new(), goals: Vec::new(), nodes: Vec::new() };
    let Ok(Some(exists)) = look.exists(wanted, most, budget) else { return Confirmation::TooLarge };
    match exists {
        true => Confirmation::Refuted(format!("a plan is found among {} belief states", look.nodes.len())),
        false => Confirmation::Confirmed { states: look.space.len() },
    }
}

/// A belief state with all actions, each with the belief states that may follow.
struct Node {
    belief: Belief,
    is_goal: bool,
    actions: Vec<(ActionId, Vec<ObjectId>, Vec<usize>)>,
}

struct Look<'a> {
    problem: &'a Problem,
    space: Space<'a>,
    /// What can be done in each state, found when it is needed.
    steps: Vec<Option<Steps>>,
    goals: Vec<Option<bool>>,
    nodes: Vec<Node>,
}

impl Look<'_> {
    fn exists(&mut self, wanted: Guarantee, most: usize, budget: &Budget) -> Result<Option<bool>, Trouble> {
        if self.space.numbers_matter() {
            return Ok(None);
        }
        let Some(starts) = initial_states(self.problem, most, budget)? else { return Ok(None) };
        let start: Belief = starts.iter().map(|atoms| self.space.begin(atoms)).collect();
        if !self.explore(start, most, budget)? {
            return Ok(None);
        }
        Ok(Some(match wanted {
            Guarantee::Strong => self.strong()[0],
            Guarantee::StrongCyclic | Guarantee::Weak => self.strong_cyclic(budget)?,
        }))
    }

    /// Visits all belief states; `false` if there are too many.
    fn explore(&mut self, start: Belief, most: usize, budget: &Budget) -> Result<bool, Trouble> {
        let mut known: HashMap<Belief, usize> = HashMap::from([(start.clone(), 0)]);
        let mut order = vec![start];
        while self.nodes.len() < order.len() {
            budget.check()?;
            if order.len() > most || self.space.len() > most {
                return Ok(false);
            }
            let belief = order[self.nodes.len()].clone();
            let mut is_goal = true;
            for &state in &belief {
                is_goal &= self.is_goal(state)?;
            }
            let mut actions = Vec::new();
            if !is_goal {
                for ((action, arguments), after) in self.after(&belief)? {
                    let mut next = Vec::new();
                    for part in self.split(action, &arguments, after)? {
                        let count = order.len();
                        let number = *known.entry(part.clone()).or_insert(count);
                        if number == count {
                            order.push(part);
                        }
                        next.push(number);
                    }
                    actions.push((action, arguments, next));
                }
            }
            self.nodes.push(Node { belief, is_goal, actions });
        }
        Ok(true)
    }

    fn is_goal(&mut self, state: usize) -> Result<bool, Trouble> {
        self.goals.resize(self.goals.len().max(state + 1), None);
        if self.goals[state].is_none() {
            self.goals[state] = Some(self.space.is_goal(state)?);
        }
        Ok(self.goals[state] == Some(true))
    }

    fn steps(&mut self, state: usize) -> Result<&Steps, Trouble> {
        self.steps.resize_with(self.steps.len().max(state + 1), || None);
        if self.steps[state].is_none() {
            self.steps[state] = Some(self.space.steps(state)?);
        }
        Ok(self.steps[state].as_ref().expect("just found"))
    }

    /// The actions that are applicable in all states, with all states that may follow.
    fn after(&mut self, belief: &Belief) -> Result<BTreeMap<(ActionId, Vec<ObjectId>), Belief>, Trouble> {
        let mut all: Option<BTreeMap<(ActionId, Vec<ObjectId>), Belief>> = None;
        for &state in belief {
            let steps = self.steps(state)?;
            all = Some(match all {
                None => {
                    steps.iter().map(|(key, next)| (key.clone(), next.iter().copied().collect())).collect()
                }
                Some(all) => {
                    let both = all.into_iter().filter_map(|(key, mut next)| {
                        next.extend(steps.get(&key)?);
                        Some((key, next))
                    });
                    both.collect()
                }
            });
        }
        Ok(all.unwrap_or_default())
    }

    /// The states after an action, told apart by what it observes.
    fn split(&self, action: ActionId, arguments: &[ObjectId], after: Belief) -> Result<Vec<Belief>, Trouble> {
        let ground = |atom: &Atom| {
            let argument = |term: &Term| match *term {
                Term::Object(object) => object,
                Term::Variable(variable) => arguments[variable.index()],
            };
            GroundAtom { predicate: atom.predicate, arguments: atom.arguments.iter().map(argument).collect() }
        };
        let observe = &self.problem.actions[action].observe;
        let observed: Vec<GroundAtom> = observe.iter().map(|(atom, _)| ground(atom)).collect();
        let mut parts: BTreeMap<Vec<bool>, Belief> = BTreeMap::new();
        for state in after {
            parts.entry(self.space.truths(state, &observed)?).or_default().insert(state);
        }
        Ok(parts.into_values().collect())
    }

    /// From which belief states the goal is reached within a bounded number of steps.
    fn strong(&self) -> Vec<bool> {
        let mut won: Vec<bool> = self.nodes.iter().map(|node| node.is_goal).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (at, node) in self.nodes.iter().enumerate() {
                let wins = |(_, _, next): &(_, _, Vec<usize>)| next.iter().all(|&next| won[next]);
                if !won[at] && node.actions.iter().any(wins) {
                    won[at] = true;
                    changed = true;
                }
            }
        }
        won
    }

    /// Whether from the start every true state can always still reach a belief state in which the goal is known, by actions that keep it so.
    fn strong_cyclic(&mut self, budget: &Budget) -> Result<bool, Trouble> {
        let mut kept = vec![true; self.nodes.len()];
        loop {
            let hopeful = self.hopeful(&kept, budget)?;
            let still: Vec<bool> = (0..kept.len())
                .map(|at| {
                    kept[at] && self.nodes[at].belief.iter().all(|&state| hopeful.contains(&(at, state)))
                })
                .collect();
            if still == kept {
                return Ok(kept[0]);
            }
            kept = still;
        }
    }

    /// Pairs of belief state and true state from which a goal can be reached by actions whose parts are all kept.
    fn hopeful(&mut self, kept: &[bool], budget: &Budget) -> Result<BTreeSet<(usize, usize)>, Trouble> {
        let mut hopeful: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (at, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.is_goal) {
            hopeful.extend(node.belief.iter().map(|&state| (at, state)));
        }
        let mut changed = true;
        while changed {
            changed = false;
            budget.check()?;
            for (at, node) in self.nodes.iter().enumerate().filter(|&(at, _)| kept[at]) {
                for (action, arguments, next) in &node.actions {
                    if !next.iter().all(|&next| kept[next]) {
                        continue;
                    }
                    for &state in node
                        .belief
                        .iter()
                        .filter(|&&state| !hopeful.contains(&(at, state)))
                        .collect::<Vec<_>>()
                    {
                        let steps = self.steps[state].as_ref().expect("found when exploring");
                        let after = &steps[&(*action, arguments.clone())];
                        let leads =
                            next.iter().any(|&part| after.iter().any(|&to| hopeful.contains(&(part, to))));
                        if leads {
                            hopeful.insert((at, state));
                            changed = true;
                        }
                    }
                }
            }
        }
        Ok(hopeful)
    }
}
