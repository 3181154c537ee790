//! Layers: sets of states as decision diagrams, each at a cost or more.
//!
//! A node asks for the value of a variable and names a set for each of them; the variables come in a fixed order. That an operator leads from one set into
//! another is checked by walking down both diagrams at once: at each variable the state before goes on with any value that the operator allows, the state after
//! with the value that the operator makes of it. There must be no way to *all states* in the first diagram and to *no state* in
//! the second. Nothing is built on the way; pairs of nodes that were met are not met again.

use std::collections::{HashMap, HashSet};

use counterplay_base::{Budget, BudgetPoll};

use super::task::{Fact, FiniteTask, Operator};
use super::{CertificateClaim, CertificateFile, CertificateFlaw};

/// The number of a set: 0 is the empty set, 1 the set of all states, others are nodes.
type SetNumber = u32;

const NONE: SetNumber = 0;
const ALL: SetNumber = 1;

/// An operator with more combinations of conditional effects than this is not looked at.
const MOST_CASES: usize = 4096;

/// The diagrams of all layers.
#[derive(Debug, Default)]
pub(super) struct Diagram {
    order: Vec<u32>,
    /// Where each variable stands in the order.
    places: HashMap<u32, usize>,
    /// The place of each node, beginning with number 2, and where its children begin.
    nodes: Vec<(u32, usize)>,
    children: Vec<SetNumber>,
}

/// The states of a set, at this cost or more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layer {
    pub(super) cost: u64,
    pub(super) set: SetNumber,
    pub(super) line: usize,
}

impl Diagram {
    /// Reads the order of variables; there is one such line.
    pub(super) fn read_order<'a>(
        &mut self,
        words: impl Iterator<Item = &'a str>,
        task: &FiniteTask,
    ) -> Result<(), &'static str> {
        if !self.order.is_empty() {
            return Err("there is an order already");
        }
        for word in words {
            let var = word.parse().ok().filter(|&var: &u32| (var as usize) < task.domains.len());
            let var = var.ok_or("expected variables of the task")?;
            if self.places.insert(var, self.order.len()).is_some() {
                return Err("a variable stands twice in the order");
            }
            self.order.push(var);
        }
        Ok(())
    }

    /// Reads a node: its number, its variable, and a set for each value.
    pub(super) fn read_node<'a>(
        &mut self,
        words: impl Iterator<Item = &'a str>,
        task: &FiniteTask,
    ) -> Result<(), &'static str> {
        let numbers = words.map(str::parse).collect::<Result<Vec<u32>, _>>();
        let numbers = numbers.map_err(|_| "expected numbers")?;
        let [number, var, children @ ..] = &numbers[..] else {
            return Err("expected a number, a variable, and a set for each value");
        };
        if *number as usize != self.nodes.len() + 2 {
            return Err("nodes are numbered one after the other, beginning with 2");
        }
        let place = *self.places.get(var).ok_or("the variable is not in the order")?;
        if children.len() != task.domains[*var as usize] as usize {
            return Err("expected a set for each value of the variable");
        }
        if children.iter().any(|child| child >= number) {
            return Err("sets have to stand above the nodes that name them");
        }
        if children.iter().any(|&child| self.place(child) <= place) {
            return Err("the variables are not asked in their order");
        }
        self.nodes.push((place as u32, self.children.len()));
        self.children.extend(children);
        Ok(())
    }

    /// Reads a layer: its cost and its set.
    pub(super) fn read_layer<'a>(
        &self,
        mut words: impl Iterator<Item = &'a str>,
        line: usize,
    ) -> Result<Layer, &'static str> {
        let numbers = (words.next(), words.next(), words.next());
        let (Some(cost), Some(set), None) = numbers else { return Err("expected a cost and a set") };
        let cost = cost.parse().map_err(|_| "expected a cost")?;
        let set = set.parse().ok().filter(|&set: &u32| (set as usize) < self.nodes.len() + 2);
        Ok(Layer { cost, set: set.ok_or("expected the number of a set from above")?, line })
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Where the variable that a set asks first stands; after the last one if it asks none.
    fn place(&self, set: SetNumber) -> usize {
        match set {
            NONE | ALL => self.order.len(),
            _ => self.nodes[set as usize - 2].0 as usize,
        }
    }

    /// What a set says about the other variables if the one at a place has a value.
    fn child(&self, set: SetNumber, place: usize, value: u32) -> SetNumber {
        match self.place(set) == place {
            true => self.children[self.nodes[set as usize - 2].1 + value as usize],
            false => set,
        }
    }

    pub(super) fn contains(&self, mut set: SetNumber, state: &[u32]) -> bool {
        while set > ALL {
            let place = self.place(set);
            set = self.child(set, place, state[self.order[place] as usize]);
        }
        set == ALL
    }
}

/// An operator where it is known which of its conditional effects take place.
struct Case {
    operator: usize,
    cost: u64,
    /// By place: the values that the variable may have before, and the one that it gets.
    touches: Vec<(usize, Vec<bool>, Option<u32>)>,
}

impl Case {
    fn first(&self) -> usize {
        self.touches.first().map_or(usize::MAX, |touch| touch.0)
    }

    fn last(&self) -> Option<usize> {
        self.touches.last().map(|touch| touch.0)
    }
}

/// What is known about a step further down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Guard {
    /// It is one of the cases from this number on, up to the last one of their cost.
    From(u32),
    /// It is this case.
    Case(u32),
    /// It changes nothing any more.
    Kept,
}

/// Checks that the layers have no goal state below the claim, and that each step from them stays inside. Returns how many pairs of nodes were met.
pub(super) fn check(
    task: &FiniteTask,
    claim: CertificateClaim,
    diagram: &Diagram,
    layers: &[Layer],
    budget: &Budget,
) -> Result<usize, CertificateFlaw> {
    if layers.is_empty() {
        return Ok(0);
    }
    let reaches_claim = |cost: u128| match claim {
        CertificateClaim::Unsolvable => false,
        CertificateClaim::AtLeast(bound) => cost >= u128::from(bound),
    };
    let mut cases: Vec<Case> = Vec::new();
    for (at, operator) in task.operators.iter().enumerate() {
        let priced = matches!(claim, CertificateClaim::AtLeast(_));
        let cost = if priced { operator.cost } else { 0 };
        let own =
            split(operator, task, diagram).map_err(|why| wrong(1, format!("`{}` {why}", operator.name)))?;
        cases.extend(own.into_iter().map(|touches| Case { operator: at, cost, touches }));
    }
    cases.sort_by_key(|case| (case.cost, case.first()));
    let mut walk =
        Walk { task, diagram, cases: &cases, met: HashSet::new(), poll: BudgetPoll::every(256), budget };
    let mut seen = HashSet::new();
    for layer in layers.iter().filter(|layer| !reaches_claim(u128::from(layer.cost))) {
        if walk.has_goal(layer.set, &mut seen)? {
            return Err(wrong(layer.line, "the layer has a goal state".to_owned()));
        }
        for start in starts(&cases) {
            let total = u128::from(layer.cost) + u128::from(cases[start].cost);
            if reaches_claim(total) {
                continue;
            }
            let targets = layers.iter().filter(|target| u128::from(target.cost) <= total);
            let target = targets.max_by_key(|target| target.cost).map_or(NONE, |target| target.set);
            if let Some(case) = walk.leads_out(Guard::From(start as u32), layer.set, target)? {
                let name = &task.operators[cases[case].operator].name;
                return Err(wrong(layer.line, format!("`{name}` leads out of the set")));
            }
        }
    }
    Ok(walk.met.len())
}

fn wrong(line: usize, why: String) -> CertificateFlaw {
    CertificateFlaw::Wrong { file: CertificateFile::Invariant, line, why }
}

/// The first case of each cost.
fn starts(cases: &[Case]) -> impl Iterator<Item = usize> + '_ {
    (0..cases.len()).filter(|&at| at == 0 || cases[at - 1].cost != cases[at].cost)
}

struct Walk<'a> {
    task: &'a FiniteTask,
    diagram: &'a Diagram,
    cases: &'a [Case],
    met: HashSet<(Guard, SetNumber, SetNumber)>,
    poll: BudgetPoll,
    budget: &'a Budget,
}

impl Walk<'_> {
    /// Whether a set has a goal state.
    fn has_goal(&mut self, set: SetNumber, seen: &mut HashSet<SetNumber>) -> Result<bool, CertificateFlaw> {
        let mut open = vec![set];
        while let Some(set) = open.pop() {
            self.poll.step(self.budget)?;
            if set == ALL {
                return Ok(true);
            }
            if set == NONE || !seen.insert(set) {
                continue;
            }
            let place = self.diagram.place(set);
            let var = self.diagram.order[place];
            let wanted = self.task.goal.iter().find(|fact| fact.0 == var).map(|fact| fact.1);
            let values = 0..self.task.domains[var as usize];
            let values = values.filter(|&value| wanted.is_none_or(|wanted| wanted == value));
            open.extend(values.map(|value| self.diagram.child(set, place, value)));
        }
        Ok(false)
    }

    /// A case that leads from a state of the first set to one outside the second.
    fn leads_out(
        &mut self,
        guard: Guard,
        from: SetNumber,
        to: SetNumber,
    ) -> Result<Option<usize>, CertificateFlaw> {
        // Each entry knows a case that it stands for, to name it.
        let mut open = vec![(guard, from, to, 0)];
        while let Some((guard, from, to, case)) = open.pop() {
            self.poll.step_growing(self.budget, || 64 * 256)?;
            if from == NONE || to == ALL {
                continue;
            }
            let case = match guard {
                Guard::From(case) | Guard::Case(case) => case as usize,
                Guard::Kept => case,
            };
            let place = self.diagram.place(from).min(self.diagram.place(to));
            let guard = match guard {
                Guard::Case(case) if self.cases[case as usize].last().is_none_or(|last| last < place) => {
                    Guard::Kept
                }
                other => other,
            };
            if !self.met.insert((guard, from, to)) {
                continue;
            }
            if place == self.diagram.order.len() {
                return Ok(Some(case));
            }
            let guard = match guard {
                Guard::From(start) => match self.single_out(start, place, from, to, &mut open) {
                    Some(rest) => Guard::From(rest),
                    None => continue,
                },
                other => other,
            };
            let touch = match guard {
                Guard::Case(case) => self.cases[case as usize].touches.iter().find(|touch| touch.0 == place),
                _ => None,
            };
            for value in 0..self.task.domains[self.diagram.order[place] as usize] {
                let after = match touch {
                    Some((_, allowed, _)) if !allowed[value as usize] => continue,
                    Some((_, _, made)) => made.unwrap_or(value),
                    None => value,
                };
                let pair = [(from, value), (to, after)];
                let [from, to] = pair.map(|(set, value)| self.diagram.child(set, place, value));
                open.push((guard, from, to, case));
            }
        }
        Ok(None)
    }

    /// Opens those of some cases that look at a variable up to a place; the number of the first one of the others.
    fn single_out(
        &self,
        start: u32,
        place: usize,
        from: SetNumber,
        to: SetNumber,
        open: &mut Vec<(Guard, SetNumber, SetNumber, usize)>,
    ) -> Option<u32> {
        let cost = self.cases[start as usize].cost;
        let group = self.cases[start as usize..].iter().take_while(|case| case.cost == cost);
        let first = group.take_while(|case| case.first() <= place).count() as u32;
        open.extend((start..start + first).map(|case| (Guard::Case(case), from, to, case as usize)));
        let rest = start + first;
        self.cases.get(rest as usize).filter(|case| case.cost == cost).map(|_| rest)
    }
}

/// What an operator needs and makes, by variable, for each combination of its conditional effects.
type Touches = Vec<(usize, Vec<bool>, Option<u32>)>;

/// The cases of an operator.
fn split(operator: &Operator, task: &FiniteTask, diagram: &Diagram) -> Result<Vec<Touches>, &'static str> {
    let mut open = Partial { allowed: HashMap::new(), made: HashMap::new() };
    if !operator.precondition.iter().all(|&fact| open.keep(fact, true, task)) {
        return Ok(Vec::new());
    }
    let mut cases = vec![open];
    for (condition, fact) in &operator.effects {
        let mut next = Vec::new();
        for case in cases {
            let mut holds = case;
            let mut is_possible = true;
            // The first fact of the condition that does not hold, or none.
            for &fact in condition {
                let mut fails = holds.clone();
                if fails.keep(fact, false, task) {
                    next.push(fails);
                }
                is_possible = is_possible && holds.keep(fact, true, task);
                if !is_possible {
                    break;
                }
            }
            if is_possible {
                if holds.made.insert(fact.0, fact.1).is_some_and(|other| other != fact.1) {
                    return Err("has effects that contradict each other");
                }
                next.push(holds);
            }
        }
        if next.len() > MOST_CASES {
            return Err("has too many conditional effects for this checker");
        }
        cases = next;
    }
    Ok(cases.into_iter().map(|case| case.touches(task, diagram)).collect())
}

#[derive(Clone)]
struct Partial {
    allowed: HashMap<u32, Vec<bool>>,
    made: HashMap<u32, u32>,
}

impl Partial {
    /// Restricts a variable to a value, or to the others; whether anything is left.
    fn keep(&mut self, (var, value): Fact, is_wanted: bool, task: &FiniteTask) -> bool {
        let size = task.domains[var as usize] as usize;
        let allowed = self.allowed.entry(var).or_insert_with(|| vec![true; size]);
        for (other, allowed) in allowed.iter_mut().enumerate() {
            *allowed &= (other == value as usize) == is_wanted;
        }
        allowed.contains(&true)
    }

    fn touches(mut self, task: &FiniteTask, diagram: &Diagram) -> Touches {
        let vars: HashSet<u32> = self.allowed.keys().chain(self.made.keys()).copied().collect();
        let mut touches: Touches = Vec::new();
        for var in vars {
            let Some(&place) = diagram.places.get(&var) else { continue };
            let any = || vec![true; task.domains[var as usize] as usize];
            let allowed = self.allowed.remove(&var).unwrap_or_else(any);
            touches.push((place, allowed, self.made.get(&var).copied()));
        }
        touches.sort_unstable_by_key(|touch| touch.0);
        touches
    }
}
