//! The reachable states of a lifted problem, numbered as they are found.

use std::collections::{BTreeMap, HashMap, HashSet};

use counterplay_pddl::model::*;
use counterplay_pddl::print::Binding;

use super::StateNode;
use crate::closure::Moves;
use crate::derive::Axioms;
use crate::effect::{Changes, collect, outcomes};
use crate::evaluate::{CheckContext, Query, Trouble, View, unbound};
use crate::policy_file::Rule;
use crate::state::State;

/// What is done about numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// They are part of the state.
    Followed,
    /// Only costs change, which no condition reads; a problem of another kind is too large.
    Constant,
}

/// The true atoms of predicates that change, and the values of numbers, each sorted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    atoms: Box<[u32]>,
    values: Box<[(u32, Number)]>,
}

/// For each applicable action with its arguments the states that it may lead to.
pub(crate) type Steps = BTreeMap<(ActionId, Vec<ObjectId>), Vec<usize>>;

/// An application of an action with what it may do.
type Applied = (ActionId, Vec<ObjectId>, Vec<Changes>);

/// The states found so far.
pub(crate) struct Space<'a> {
    world: &'a CheckContext<'a>,
    axioms: Axioms<'a>,
    numbers: Numbers,
    /// Functions whose value decides something; the others only have a value or none.
    read: HashSet<FunctionId>,
    changing: HashSet<PredicateId>,
    fixed: HashSet<GroundAtom>,
    atoms: Vec<GroundAtom>,
    atom_number: HashMap<GroundAtom, u32>,
    fluents: Vec<GroundFluent>,
    fluent_number: HashMap<GroundFluent, u32>,
    keys: Vec<Key>,
    known: HashMap<Key, usize>,
    /// How each state was found first.
    from: Vec<Option<(usize, ActionId, Vec<ObjectId>)>>,
}

impl<'a> Space<'a> {
    pub(crate) fn new(world: &'a CheckContext<'a>, axioms: Axioms<'a>, numbers: Numbers) -> Space<'a> {
        let problem = world.problem;
        let mut changing = HashSet::new();
        let mut read = HashSet::new();
        for action in &problem.actions {
            read_by_condition(&action.precondition, &mut read);
            look_at_effect(&action.effect, &mut changing, &mut read);
        }
        problem.axioms.iter().for_each(|axiom| read_by_condition(&axiom.body, &mut read));
        read_by_condition(&problem.goal.condition, &mut read);
        for method in problem.hierarchy.iter().flat_map(|hierarchy| hierarchy.methods.iter()) {
            read_by_condition(&method.precondition, &mut read);
            read_by_condition(&method.network.constraints, &mut read);
        }
        let chosen = problem.init_choices.iter().flat_map(|choice| &choice.alternatives).flatten();
        changing.extend(chosen.map(|atom| atom.predicate));
        let literals = problem.init_choices.iter().flat_map(|choice| &choice.literals);
        let literals = literals.chain(problem.init_clauses.iter().map(|clause| &clause.literals)).flatten();
        changing.extend(literals.map(|(atom, _)| atom.predicate));
        changing.extend(problem.init_unknown.iter().map(|(atom, _)| atom.predicate));
        let fixed = problem.init.iter().filter(|atom| !changing.contains(&atom.predicate));
        Space {
            world,
            axioms,
            numbers,
            read,
            fixed: fixed.cloned().collect(),
            changing,
            atoms: Vec::new(),
            atom_number: HashMap::new(),
            fluents: Vec::new(),
            fluent_number: HashMap::new(),
            keys: Vec::new(),
            known: HashMap::new(),
            from: Vec::new(),
        }
    }

    /// How many states were found so far.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The initial states; `None` if numbers matter and are not followed.
    pub(crate) fn starts(&mut self) -> Option<Vec<usize>> {
        let problem = self.world.problem;
        if self.numbers == Numbers::Constant && self.numbers_matter() {
            return None;
        }
        let mut states = vec![State::initial(problem)];
        for choice in &problem.init_choices {
            let mut more = Vec::new();
            for state in &states {
                for alternative in &choice.alternatives {
                    let mut longer = state.clone();
                    longer.facts.extend(alternative.iter().cloned());
                    more.push(longer);
                }
            }
            states = more;
        }
        let starts = states.into_iter().map(|state| self.add(state, None));
        Some(starts.collect())
    }

    /// Whether an action changes a number that some condition or effect reads.
    pub(crate) fn numbers_matter(&self) -> bool {
        let is_changed =
            |action: &Action| changes_number(&action.effect, &|fluent| self.read.contains(&fluent.function));
        self.world.problem.actions.iter().any(is_changed)
    }

    /// The initial state in which certain further atoms are true.
    pub(crate) fn begin(&mut self, atoms: &[GroundAtom]) -> usize {
        let mut state = State::initial(self.world.problem);
        state.facts.extend(atoms.iter().cloned());
        self.add(state, None)
    }

    /// The true atoms of a state whose predicates change.
    pub(crate) fn atoms_of(&self, at: usize) -> impl Iterator<Item = &GroundAtom> {
        self.keys[at].atoms.iter().map(|&number| &self.atoms[number as usize])
    }

    /// The state in which just these atoms of changing predicates are true, and numbers are as in the beginning; or an atom that
    /// does not change.
    pub(crate) fn state_with(&mut self, atoms: Vec<GroundAtom>) -> Result<usize, GroundAtom> {
        if let Some(still) = atoms.iter().find(|atom| !self.changing.contains(&atom.predicate)) {
            return Err(still.clone());
        }
        let mut state = State::initial(self.world.problem);
        state.facts = atoms.into_iter().collect();
        Ok(self.add(state, None))
    }

    /// The first rule of a policy whose condition holds in a state.
    pub(crate) fn first_rule<'r>(&self, at: usize, rules: &'r [Rule]) -> Result<Option<&'r Rule>, Trouble> {
        let state = self.state(at)?;
        let holds = |(atom, truth): &(GroundAtom, bool)| state.is_true(atom) == *truth;
        Ok(rules.iter().find(|rule| rule.condition.iter().all(holds)))
    }

    /// What a certificate asks of a state: whether it is a goal, and where each applicable action may lead.
    pub(crate) fn look(&mut self, at: usize) -> Result<Moves, Trouble> {
        let StateNode { is_goal, actions } = self.expand(at)?;
        Ok(Moves { is_end: is_goal, moves: actions })
    }

    /// Whether the goal holds in a state.
    pub(crate) fn is_goal(&self, at: usize) -> Result<bool, Trouble> {
        let state = self.state(at)?;
        let goal = &self.world.problem.goal;
        self.world.view(&state, &goal.schema).holds(&goal.condition, true, &mut unbound(&goal.schema))
    }

    /// Which atoms are true in a state.
    pub(crate) fn truths(&self, at: usize, atoms: &[GroundAtom]) -> Result<Vec<bool>, Trouble> {
        let state = self.state(at)?;
        Ok(atoms.iter().map(|atom| state.is_true(atom)).collect())
    }

    /// Where an action may lead from a state; `None` if it is not applicable.
    pub(crate) fn step(
        &mut self,
        at: usize,
        action: ActionId,
        arguments: &[ObjectId],
    ) -> Result<Option<Vec<usize>>, Trouble> {
        self.world.budget.check()?;
        let state = self.state(at)?;
        let Action { schema, precondition, effect, .. } = &self.world.problem.actions[action];
        let mut binding = unbound(schema);
        for (&argument, variable) in arguments.iter().zip(schema.variables.ids()) {
            if !self.world.problem.belongs(argument, &schema.variables[variable].types) {
                return Ok(None);
            }
            binding[variable] = Some(argument);
        }
        let view = self.world.view(&state, schema);
        if !view.holds(precondition, true, &mut binding)? {
            return Ok(None);
        }
        let outcomes = match outcomes(&view, effect, &mut binding) {
            Ok(outcomes) => outcomes,
            Err(trouble) if is_refusal(&trouble) => return Ok(None),
            Err(trouble) => return Err(trouble),
        };
        let mut next = Vec::new();
        for changes in outcomes {
            let mut after = state.clone();
            changes.apply(self.world.problem, &mut after)?;
            next.push(self.add(after, None));
        }
        next.sort_unstable();
        next.dedup();
        Ok(Some(next))
    }

    /// Where each applicable action may lead from a state, goal or not.
    pub(crate) fn steps(&mut self, at: usize) -> Result<Steps, Trouble> {
        self.world.budget.check()?;
        let state = self.state(at)?;
        let mut steps = Steps::new();
        for (action, arguments, outcomes) in self.applicable(&state)? {
            let mut next = Vec::new();
            for changes in outcomes {
                let mut after = state.clone();
                changes.apply(self.world.problem, &mut after)?;
                next.push(self.add(after, None));
            }
            next.sort_unstable();
            next.dedup();
            steps.insert((action, arguments), next);
        }
        Ok(steps)
    }

    fn add(&mut self, state: State, from: Option<(usize, ActionId, Vec<ObjectId>)>) -> usize {
        let mut atoms = Vec::new();
        for atom in state.facts {
            if self.changing.contains(&atom.predicate) {
                let next = self.atoms.len() as u32;
                let number = *self.atom_number.entry(atom.clone()).or_insert(next);
                if number == next {
                    self.atoms.push(atom);
                }
                atoms.push(number);
            }
        }
        let mut values = Vec::new();
        for (fluent, value) in state.values {
            let value = if self.read.contains(&fluent.function) { value } else { Number::from(0) };
            let next = self.fluents.len() as u32;
            let number = *self.fluent_number.entry(fluent.clone()).or_insert(next);
            if number == next {
                self.fluents.push(fluent);
            }
            values.push((number, value));
        }
        atoms.sort_unstable();
        values.sort_unstable();
        let key = Key { atoms: atoms.into(), values: values.into() };
        let next = self.keys.len();
        let number = *self.known.entry(key.clone()).or_insert(next);
        if number == next {
            self.keys.push(key);
            self.from.push(from);
        }
        number
    }

    fn state(&self, at: usize) -> Result<State, Trouble> {
        let Key { atoms, values } = &self.keys[at];
        let mut facts = self.fixed.clone();
        facts.extend(atoms.iter().map(|&number| self.atoms[number as usize].clone()));
        let values = values.iter().map(|&(number, value)| (self.fluents[number as usize].clone(), value));
        let mut state = State {
            facts,
            derived: HashSet::new(),
            values: values.collect(),
            steps: 0,
            violations: BTreeMap::new(),
        };
        self.axioms.apply(self.world, &mut state)?;
        Ok(state)
    }

    /// Whether a state is a goal and, if it is none, where its applicable actions may lead.
    pub(super) fn expand(&mut self, at: usize) -> Result<StateNode, Trouble> {
        self.world.budget.check()?;
        let state = self.state(at)?;
        let goal = &self.world.problem.goal;
        let view = self.world.view(&state, &goal.schema);
        if view.holds(&goal.condition, true, &mut unbound(&goal.schema))? {
            return Ok(StateNode { is_goal: true, actions: Vec::new() });
        }
        let mut actions = Vec::new();
        'applied: for (action, arguments, outcomes) in self.applicable(&state)? {
            let mut states = Vec::new();
            for changes in outcomes {
                let mut next = state.clone();
                match changes.apply(self.world.problem, &mut next) {
                    Ok(()) => states.push(next),
                    Err(trouble) if is_refusal(&trouble) => continue 'applied,
                    Err(trouble) => return Err(trouble),
                }
            }
            let from = |arguments: &[ObjectId]| Some((at, action, arguments.to_vec()));
            let next = states.into_iter().map(|state| self.add(state, from(&arguments)));
            actions.push(next.collect());
        }
        Ok(StateNode { is_goal: false, actions })
    }

    /// Every action that can be applied in a state.
    fn applicable(&self, state: &State) -> Result<Vec<Applied>, Trouble> {
        let mut found = Vec::new();
        for (id, action) in self.world.problem.actions.enumerate() {
            let parameters: Vec<VariableId> =
                action.schema.variables.ids().take(action.schema.parameters).collect();
            let view = self.world.view(state, &action.schema);
            let query = Query { condition: &action.precondition, wanted: true, found: true };
            view.instances(&parameters, query, &mut unbound(&action.schema), &mut |binding| {
                let arguments =
                    parameters.iter().map(|&parameter| binding[parameter].expect("parameters are bound"));
                let arguments: Vec<ObjectId> = arguments.collect();
                match self.outcomes(&view, &action.effect, binding) {
                    Ok(outcomes) => found.push((id, arguments, outcomes)),
                    Err(trouble) if is_refusal(&trouble) => {}
                    Err(trouble) => return Err(trouble),
                }
                Ok(false)
            })?;
        }
        Ok(found)
    }

    fn outcomes(
        &self,
        view: &View<'_>,
        effect: &Effect,
        binding: &mut Binding,
    ) -> Result<Vec<Changes>, Trouble> {
        match self.numbers {
            Numbers::Constant => outcomes(view, effect, binding),
            Numbers::Followed => {
                let mut changes = Changes::default();
                collect(view, effect, binding, &mut changes)?;
                Ok(vec![changes])
            }
        }
    }

    /// The steps that lead to a state.
    pub(super) fn way_to(&self, mut at: usize) -> String {
        let problem = self.world.problem;
        let mut steps = Vec::new();
        while let Some((before, action, arguments)) = &self.from[at] {
            steps.push(problem.application(&problem.actions[*action].name, arguments));
            at = *before;
        }
        steps.reverse();
        if steps.is_empty() { "no step".to_owned() } else { steps.join(" ") }
    }
}

/// Whether the trouble is that the action cannot be applied, rather than that we cannot tell.
fn is_refusal(trouble: &Trouble) -> bool {
    matches!(trouble, Trouble::Undefined(_) | Trouble::Clash(_))
}

/// The functions that a condition reads.
fn read_by_condition(condition: &Condition, read: &mut HashSet<FunctionId>) {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().for_each(|part| read_by_condition(part, read));
        }
        Condition::Not(part) | Condition::Exists(_, part) | Condition::Forall(_, part) => {
            read_by_condition(part, read);
        }
        Condition::Compare(_, left, right, _) => {
            read_by_expression(left, read);
            read_by_expression(right, read);
        }
        // What is only preferred decides nothing.
        Condition::Preference(..) | Condition::Atom(..) | Condition::Equal(..) => {}
    }
}

fn read_by_expression(expression: &Expression, read: &mut HashSet<FunctionId>) {
    match expression {
        Expression::Fluent(fluent, _) => {
            read.insert(fluent.function);
        }
        Expression::Add(parts) | Expression::Multiply(parts) => {
            parts.iter().for_each(|part| read_by_expression(part, read));
        }
        Expression::Subtract(left, right) | Expression::Divide(left, right) => {
            read_by_expression(left, read);
            read_by_expression(right, read);
        }
        Expression::Negate(part) => read_by_expression(part, read),
        Expression::Number(_) | Expression::IsViolated(..) | Expression::TotalTime(_) => {}
    }
}

/// The predicates that an effect changes, and the functions that it reads.
fn look_at_effect(effect: &Effect, changing: &mut HashSet<PredicateId>, read: &mut HashSet<FunctionId>) {
    match effect {
        Effect::And(parts) | Effect::OneOf(parts, _) => {
            parts.iter().for_each(|part| look_at_effect(part, changing, read));
        }
        Effect::Forall(_, part) => look_at_effect(part, changing, read),
        Effect::When(condition, part) => {
            read_by_condition(condition, read);
            look_at_effect(part, changing, read);
        }
        Effect::Add(atom, _) | Effect::Delete(atom, _) => {
            changing.insert(atom.predicate);
        }
        Effect::Change(_, _, value, _) => read_by_expression(value, read),
    }
}

/// Whether an effect changes a number of this kind.
fn changes_number(effect: &Effect, is_such: &dyn Fn(&Fluent) -> bool) -> bool {
    match effect {
        Effect::And(parts) | Effect::OneOf(parts, _) => {
            parts.iter().any(|part| changes_number(part, is_such))
        }
        Effect::Forall(_, part) | Effect::When(_, part) => changes_number(part, is_such),
        Effect::Change(_, fluent, _, _) => is_such(fluent),
        Effect::Add(..) | Effect::Delete(..) => false,
    }
}
