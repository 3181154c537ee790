//! Whether a task network can be carried out at all, by trying everything.
//!
//! This confirms the answer "there is none" on small problems. It is the definition of HDDL read aloud: a situation is a set
//! of true atoms and a network of tasks that are still to be done; a task that waits for nothing may be refined by any
//! method for it under any values that meet its precondition and constraints, and an action that waits for nothing and can be
//! applied may be done. All situations that can come up are listed, and what can be guaranteed from the first of them is a
//! fixpoint over the list. If there are more than the caller allows the question stays open: networks may grow without end.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use counterplay_base::{Budget, Limit};
use counterplay_pddl::model::*;
use counterplay_pddl::print::Binding;

use crate::effect::outcomes;
use crate::evaluate::{CheckContext, Query, Trouble, unbound};
use crate::network_policy::{Open, Situation, replaced};
use crate::policy::Guarantee;
use crate::state::State;

/// Whether something exists, by trying everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existence {
    Impossible,
    Possible,
    /// There are too many situations to try them all.
    Open,
}

/// Whether a policy over state and network can have a guarantee, looking at no more than `most` situations. For
/// actions with one outcome each, a weak policy is a plan.
pub fn try_decompositions(
    problem: &Problem,
    wanted: Guarantee,
    most: usize,
    budget: &Budget,
) -> Result<Existence, Limit> {
    let world = CheckContext::new(problem, budget);
    let mut search = DecompositionSearch::new(&world, false);
    if !settled(search.explore(most))? {
        return Ok(Existence::Open);
    }
    let starts: Vec<usize> = (0..search.starts).collect();
    tried(&search.moves, &search.ends, &starts, wanted, budget)
}

/// Whether a policy over states can have a guarantee if it uses only actions that come up in some decomposition of the
/// network in that state, and the goal ends everything: what ND-SHOP2 and Yoyo look for.
pub fn try_advice(
    problem: &Problem,
    wanted: Guarantee,
    most: usize,
    budget: &Budget,
) -> Result<Existence, Limit> {
    let world = CheckContext::new(problem, budget);
    let mut search = DecompositionSearch::new(&world, true);
    if !settled(search.explore(most))? {
        return Ok(Existence::Open);
    }
    // The same by states: networks are forgotten.
    let mut numbers: BTreeMap<&BTreeSet<GroundAtom>, usize> = BTreeMap::new();
    let mut ends = Vec::new();
    for (situation, &is_end) in search.list.iter().zip(&search.ends) {
        let next = numbers.len();
        if *numbers.entry(&*situation.facts).or_insert(next) == next {
            ends.push(is_end);
        }
    }
    let mut moves: Vec<Vec<Vec<usize>>> = vec![Vec::new(); ends.len()];
    for ((situation, list), acts) in search.list.iter().zip(&search.moves).zip(&search.acts) {
        let state = numbers[&*situation.facts];
        let done = list.iter().zip(acts).filter(|(_, is_act)| **is_act);
        moves[state].extend(done.map(|(next, _)| {
            next.iter().map(|&next| numbers[&*search.list[next].facts]).collect::<Vec<usize>>()
        }));
    }
    tried(&moves, &ends, &[0], wanted, budget)
}

/// What can be evaluated at all was evaluated, unless the answer is a limit.
fn settled(explored: Result<bool, Trouble>) -> Result<bool, Limit> {
    match explored {
        Ok(is_closed) => Ok(is_closed),
        Err(Trouble::Stopped(limit)) => Err(limit),
        // Numbers that overflow or have no value: not for this check.
        Err(_) => Ok(false),
    }
}

/// The situations of a task network, one step at a time.
pub(crate) struct DecompositionSearch<'a> {
    world: &'a CheckContext<'a>,
    /// Whether a goal state ends everything, whatever is left to do.
    goal_ends: bool,
    list: Vec<Rc<Situation>>,
    numbers: HashMap<Rc<Situation>, usize>,
    /// For each situation the moves, each with the situations that it may lead to.
    moves: Vec<Vec<Vec<usize>>>,
    /// Which of the moves are actions.
    acts: Vec<Vec<bool>>,
    ends: Vec<bool>,
    /// The first so many situations are the starts.
    starts: usize,
}

impl<'a> DecompositionSearch<'a> {
    pub(crate) fn new(world: &'a CheckContext<'a>, goal_ends: bool) -> DecompositionSearch<'a> {
        DecompositionSearch {
            world,
            goal_ends,
            list: Vec::new(),
            numbers: HashMap::new(),
            moves: Vec::new(),
            acts: Vec::new(),
            ends: Vec::new(),
            starts: 0,
        }
    }

    fn number(&mut self, situation: Situation) -> usize {
        let next = self.list.len();
        *self.numbers.entry(Rc::new(situation)).or_insert_with_key(|situation| {
            self.list.push(Rc::clone(situation));
            next
        })
    }

    /// The situations at the beginning, one for each choice of values in the initial network; none without a network.
    pub(crate) fn first_situations(&self) -> Result<Vec<Situation>, Trouble> {
        let problem = self.world.problem;
        let Some(initial) = problem.hierarchy.as_ref().and_then(|it| it.initial.as_ref()) else {
            return Ok(Vec::new());
        };
        let facts: Rc<BTreeSet<GroundAtom>> = Rc::new(problem.init.iter().cloned().collect());
        let constraints = &initial.network.constraints;
        let bindings = self.bindings(&facts, &initial.schema, unbound(&initial.schema), constraints)?;
        let situation = |binding: Binding| {
            let network = replaced(&[], None, &initial.network, &binding);
            Situation { facts: Rc::clone(&facts), network }
        };
        Ok(bindings.into_iter().map(situation).collect())
    }

    /// Whether everything is done here, and what each move may lead to.
    pub(crate) fn moves_from(&self, here: &Situation) -> Result<(bool, Vec<Vec<Situation>>), Trouble> {
        let Some(hierarchy) = &self.world.problem.hierarchy else { return Ok((false, Vec::new())) };
        let is_end = here.network.is_empty() && self.is_goal(&here.facts)?;
        let mut moves = Vec::new();
        for at in (0..here.network.len()).filter(|&at| here.network[at].after.is_empty()) {
            moves.extend(self.ways(hierarchy, here, at)?);
        }
        Ok((is_end, moves))
    }

    /// Lists everything that can come up; whether that came to an end.
    fn explore(&mut self, most: usize) -> Result<bool, Trouble> {
        let problem = self.world.problem;
        let Some(hierarchy) = &problem.hierarchy else { return Ok(false) };
        if hierarchy.initial.is_none() {
            return Ok(false);
        }
        for situation in self.first_situations()? {
            self.number(situation);
        }
        self.starts = self.list.len();
        while self.moves.len() < self.list.len() {
            self.world.budget.check()?;
            if self.list.len() > most {
                return Ok(false);
            }
            let here = Rc::clone(&self.list[self.moves.len()]);
            let is_goal = self.is_goal(&here.facts)?;
            self.ends.push(is_goal && (self.goal_ends || here.network.is_empty()));
            let (mut moves, mut acts) = (Vec::new(), Vec::new());
            if !(is_goal && self.goal_ends) {
                for at in (0..here.network.len()).filter(|&at| here.network[at].after.is_empty()) {
                    let is_act = matches!(here.network[at].task, TaskRef::Action(_));
                    for next in self.ways(hierarchy, &here, at)? {
                        moves.push(next.into_iter().map(|next| self.number(next)).collect());
                        acts.push(is_act);
                    }
                }
            }
            self.moves.push(moves);
            self.acts.push(acts);
        }
        Ok(true)
    }

    fn state(&self, facts: &BTreeSet<GroundAtom>) -> State {
        let mut state = State::initial(self.world.problem);
        state.facts = facts.iter().cloned().collect();
        state
    }

    fn is_goal(&self, facts: &BTreeSet<GroundAtom>) -> Result<bool, Trouble> {
        let goal = &self.world.problem.goal;
        let state = self.state(facts);
        self.world.view(&state, &goal.schema).holds(&goal.condition, true, &mut unbound(&goal.schema))
    }

    /// All values of a schema's parameters under which a condition holds.
    fn bindings(
        &self,
        facts: &BTreeSet<GroundAtom>,
        schema: &Schema,
        mut binding: Binding,
        condition: &Condition,
    ) -> Result<Vec<Binding>, Trouble> {
        let parameters = schema.variables.ids().take(schema.parameters);
        let free: Vec<VariableId> = parameters.filter(|&variable| binding[variable].is_none()).collect();
        let state = self.state(facts);
        let view = self.world.view(&state, schema);
        let query = Query { condition, wanted: true, found: true };
        let mut found = Vec::new();
        view.instances(&free, query, &mut binding, &mut |binding| {
            found.push(binding.clone());
            Ok(false)
        })?;
        Ok(found)
    }

    /// Everything that can be done about one task that waits for nothing.
    fn ways(
        &self,
        hierarchy: &Hierarchy,
        here: &Situation,
        at: usize,
    ) -> Result<Vec<Vec<Situation>>, Trouble> {
        let Open { task, arguments, .. } = &here.network[at];
        match *task {
            TaskRef::Action(action) => Ok(self.act(here, at, action, arguments)?.into_iter().collect()),
            TaskRef::Compound(task) => {
                let mut ways = Vec::new();
                for method in hierarchy.methods.iter().filter(|method| method.task == task) {
                    let Some(binding) = self.head(&method.schema, &method.arguments, arguments) else {
                        continue;
                    };
                    let condition =
                        Condition::And(vec![method.precondition.clone(), method.network.constraints.clone()]);
                    for binding in self.bindings(&here.facts, &method.schema, binding, &condition)? {
                        let network = replaced(&here.network, Some(at), &method.network, &binding);
                        self.world.budget.check()?;
                        ways.push(vec![Situation { facts: Rc::clone(&here.facts), network }]);
                    }
                }
                Ok(ways)
            }
        }
    }

    /// What an action may lead to; `None` if it cannot be done.
    fn act(
        &self,
        here: &Situation,
        at: usize,
        action: ActionId,
        arguments: &[ObjectId],
    ) -> Result<Option<Vec<Situation>>, Trouble> {
        let action = &self.world.problem.actions[action];
        let parameters: Vec<Term> =
            action.schema.variables.ids().take(action.schema.parameters).map(Term::Variable).collect();
        let Some(mut binding) = self.head(&action.schema, &parameters, arguments) else { return Ok(None) };
        let state = self.state(&here.facts);
        let view = self.world.view(&state, &action.schema);
        if !view.holds(&action.precondition, true, &mut binding)? {
            return Ok(None);
        }
        let network = replaced(&here.network, Some(at), &TaskNetwork::default(), &binding);
        let mut after = Vec::new();
        for changes in outcomes(&view, &action.effect, &mut binding)? {
            let mut facts = BTreeSet::clone(&here.facts);
            changes.deletes.iter().for_each(|atom| {
                facts.remove(atom);
            });
            facts.extend(changes.adds);
            after.push(Situation { facts: Rc::new(facts), network: network.clone() });
        }
        Ok(Some(after))
    }

    /// The binding under which terms are these objects, if there is one.
    fn head(&self, schema: &Schema, terms: &[Term], objects: &[ObjectId]) -> Option<Binding> {
        let mut binding = unbound(schema);
        for (&term, &object) in terms.iter().zip(objects) {
            match term {
                Term::Object(own) if own == object => {}
                Term::Object(_) => return None,
                Term::Variable(variable) => {
                    let fits = self.world.problem.belongs(object, &schema.variables[variable].types);
                    if !fits || binding[variable].is_some_and(|value| value != object) {
                        return None;
                    }
                    binding[variable] = Some(object);
                }
            }
        }
        Some(binding)
    }
}

/// Whether some start can have the guarantee.
fn tried(
    moves: &[Vec<Vec<usize>>],
    ends: &[bool],
    starts: &[usize],
    wanted: Guarantee,
    budget: &Budget,
) -> Result<Existence, Limit> {
    // Least fixpoint: what reaches an end by moves of which all outcomes, or one of them, are already known to.
    let reach = |alive: &[bool], all: bool| -> Result<Vec<bool>, Limit> {
        let mut good: Vec<bool> = ends.iter().zip(alive).map(|(&end, &alive)| end && alive).collect();
        let mut changed = true;
        while changed {
            changed = false;
            budget.check()?;
            // What a situation leads to mostly has a larger number, so the last come first.
            for at in (0..good.len()).rev() {
                let fits = |next: &Vec<usize>| {
                    next.iter().all(|&next| alive[next])
                        && if all {
                            next.iter().all(|&next| good[next])
                        } else {
                            next.iter().any(|&next| good[next])
                        }
                };
                if alive[at] && !good[at] && moves[at].iter().any(fits) {
                    good[at] = true;
                    changed = true;
                }
            }
        }
        Ok(good)
    };
    let everything = vec![true; ends.len()];
    let good = match wanted {
        Guarantee::Weak => reach(&everything, false)?,
        Guarantee::Strong => reach(&everything, true)?,
        Guarantee::StrongCyclic => {
            let mut alive = everything;
            loop {
                let good = reach(&alive, false)?;
                if good == alive {
                    break good;
                }
                alive = good;
            }
        }
    };
    Ok(if starts.iter().any(|&start| good[start]) { Existence::Possible } else { Existence::Impossible })
}
