//! Whether a finite task stands for a lifted problem.
//!
//! What a certificate proves about the task holds for the problem if each step of the problem has a step of the task that costs no more. Every
//! action is instantiated here with all objects, facts that no sequence of actions can make true are left out
//! (deletes ignored), and the values of each variable are shown to exclude each other, by induction over single actions. Then each
//! instance must have an operator that does the same to every variable.

use std::collections::{HashMap, HashSet};

use counterplay_base::Budget;
use counterplay_pddl::model::*;
use num_traits::{CheckedDiv, CheckedMul, CheckedSub};

use super::task::{self, FiniteTask, Operator};
use super::{CertificateFile, CertificateFlaw};
use crate::effect::{Changes, collect};
use crate::evaluate::{CheckContext, Query, Trouble, unbound};
use crate::plan_file::Step;
use crate::policy::ground::{Formula, Grounder, Unfit};
use crate::state::State;

/// So many instances of actions are looked at.
const MOST_INSTANCES: usize = 300_000;

/// What the comparison says.
#[derive(Clone, Debug, PartialEq)]
pub enum ComparedGrounding {
    /// The task stands for the problem.
    Same {
        /// Instances of actions that can ever be applied, as far as one sees without deletes.
        actions: usize,
        /// What a unit of cost of the task is worth in the problem; none if nothing costs anything.
        unit: Option<Number>,
    },
    /// The comparison does not cover something; the text says what.
    NotCompared(String),
}

/// Compares a finite task, as text, with the problem that it should stand for.
///
/// # Errors
/// What differs, or the limit that was reached.
pub fn compare_grounding(
    problem: &Problem,
    text: &str,
    budget: &Budget,
) -> Result<ComparedGrounding, CertificateFlaw> {
    let task = task::read(text, budget)?;
    let world = CheckContext::new(problem, budget);
    match Comparison::new(&world).and_then(|mut comparison| comparison.run(&task)) {
        Ok(same) => Ok(same),
        Err(Difference::NotCovered(what)) => Ok(ComparedGrounding::NotCompared(what)),
        Err(Difference::Stopped(flaw)) => Err(flaw),
        Err(Difference::Wrong(why)) => {
            Err(CertificateFlaw::Wrong { file: CertificateFile::Task, line: 1, why })
        }
    }
}

enum Difference {
    NotCovered(String),
    Wrong(String),
    Stopped(CertificateFlaw),
}

impl From<Unfit> for Difference {
    fn from(unfit: Unfit) -> Difference {
        match unfit {
            Unfit::Kind => Difference::NotCovered("numbers or derived predicates in conditions".to_owned()),
            Unfit::Stopped(limit) => Difference::Stopped(limit.into()),
        }
    }
}

impl From<Trouble> for Difference {
    fn from(trouble: Trouble) -> Difference {
        match trouble {
            Trouble::Stopped(limit) => Difference::Stopped(limit.into()),
            _ => Difference::NotCovered("costs without a value".to_owned()),
        }
    }
}

/// An action with its arguments.
struct Instance {
    name: String,
    /// Atoms that have to be true, and false.
    needs: HashSet<u32>,
    forbids: HashSet<u32>,
    adds: HashSet<u32>,
    /// Those that are not added as well.
    deletes: HashSet<u32>,
    cost: Number,
}

/// What the values of a variable mean: an atom each, or that none of the atoms is true.
struct Meaning {
    values: Vec<Option<u32>>,
    /// All atoms of the variable.
    atoms: HashSet<u32>,
}

impl Meaning {
    fn none(&self) -> Option<u32> {
        self.values.iter().position(Option::is_none).map(|value| value as u32)
    }

    fn value(&self, atom: u32) -> Option<u32> {
        self.values.iter().position(|&own| own == Some(atom)).map(|value| value as u32)
    }
}

struct Comparison<'w> {
    world: &'w CheckContext<'w>,
    grounder: Grounder<'w>,
    /// Counted by names.
    numbers: HashMap<String, u32>,
    initial: HashSet<u32>,
}

impl<'w> Comparison<'w> {
    fn new(world: &'w CheckContext<'w>) -> Result<Comparison<'w>, Difference> {
        let problem = world.problem;
        let not_covered = |what: &str| Err(Difference::NotCovered(what.to_owned()));
        if !problem.axioms.is_empty() {
            return not_covered("derived predicates");
        }
        if problem.is_nondeterministic() || problem.hierarchy.is_some() {
            return not_covered("actions with several outcomes, or task networks");
        }
        let mut changing = HashSet::new();
        problem.actions.iter().for_each(|action| changed_predicates(&action.effect, &mut changing));
        Ok(Comparison {
            world,
            grounder: Grounder::new(world, changing),
            numbers: HashMap::new(),
            initial: HashSet::new(),
        })
    }

    fn run(&mut self, task: &FiniteTask) -> Result<ComparedGrounding, Difference> {
        let mut instances = self.instances()?;
        let goal = self.grounder.goal()?;
        for atom in &self.world.problem.init {
            let number = self.grounder.number(atom.clone());
            self.initial.insert(number);
        }
        let reached = relaxed_reachable(&self.initial, &instances);
        instances.retain(|instance| instance.needs.is_subset(&reached));
        let actions = instances.len();
        // Nothing has to be simulated where there is no plan, whatever the task looks like.
        let hopeless = ComparedGrounding::Same { actions, unit: None };
        if goal == Formula::Constant(false) {
            return Ok(hopeless);
        }
        let not_covered = || Difference::NotCovered("a goal with disjunctions".to_owned());
        let (goal, absent) = literals(&goal).ok_or_else(not_covered)?;
        if !goal.is_subset(&reached) {
            return Ok(hopeless);
        }
        for (number, atom) in self.grounder.atoms.iter().enumerate() {
            let predicate = &self.world.problem.predicates[atom.predicate].name;
            let arguments: Vec<&str> = atom
                .arguments
                .iter()
                .map(|&object| self.world.problem.objects[object].name.as_str())
                .collect();
            self.numbers
                .insert(format!("{predicate}({})", arguments.join(", ")).to_lowercase(), number as u32);
        }
        let meanings = self.meanings(task)?;
        self.check_initial(task, &meanings)?;
        check_goal(task, &meanings, &goal, &absent)?;
        // One induction for all: the values exclude each other, and only what is reached without excluded instances is true.
        instances.retain(|instance| !is_excluded(instance, &meanings));
        let reached = relaxed_reachable(&self.initial, &instances);
        instances.retain(|instance| instance.needs.is_subset(&reached));
        for (var, meaning) in meanings.iter().enumerate() {
            self.check_exclusive(var, meaning, &instances)?;
        }
        let unit = self.check_operators(task, &meanings, &instances)?;
        Ok(ComparedGrounding::Same { actions, unit })
    }

    /// All instances of all actions whose static conditions hold.
    fn instances(&mut self) -> Result<Vec<Instance>, Difference> {
        let world = self.world;
        let initial = State::initial(world.problem);
        let mut instances = Vec::new();
        for (id, action) in world.problem.actions.enumerate() {
            let mut parts = Vec::new();
            static_parts(&action.precondition, &self.grounder, &mut parts);
            let condition = Condition::And(parts);
            let parameters: Vec<VariableId> =
                action.schema.variables.ids().take(action.schema.parameters).collect();
            let mut found = Vec::new();
            let view = world.view(&initial, &action.schema);
            let query = Query { condition: &condition, wanted: true, found: true };
            view.instances(&parameters, query, &mut unbound(&action.schema), &mut |binding| {
                world.budget.check()?;
                found.push(parameters.iter().filter_map(|&parameter| binding[parameter]).collect::<Vec<_>>());
                Ok(instances.len() + found.len() > MOST_INSTANCES)
            })?;
            if instances.len() + found.len() > MOST_INSTANCES {
                return Err(Difference::NotCovered(format!(
                    "more than {MOST_INSTANCES} instances of actions"
                )));
            }
            for arguments in found {
                instances.extend(self.instance(Step { action: id, arguments, at: None }, &initial)?);
            }
        }
        Ok(instances)
    }

    fn instance(&mut self, step: Step, initial: &State) -> Result<Option<Instance>, Difference> {
        let Some(ground) = self.grounder.action(&step)? else { return Ok(None) };
        if ground.precondition == Formula::Constant(false) {
            return Ok(None);
        }
        let name = step.text(self.world.problem);
        let (needs, forbids) = literals(&ground.precondition)
            .ok_or_else(|| Difference::NotCovered("preconditions with disjunctions".to_owned()))?;
        let changes = ground.outcomes.into_iter().next().unwrap_or_default();
        if changes.iter().any(|change| change.guard != Formula::Constant(true)) {
            return Err(Difference::NotCovered("conditional effects".to_owned()));
        }
        let of = |value: bool| {
            changes.iter().filter(move |change| change.value == value).map(|change| change.atom)
        };
        let adds: HashSet<u32> = of(true).collect();
        let deletes = of(false).filter(|atom| !adds.contains(atom)).collect();
        let cost = self.cost(&step, initial)?;
        let name = name.trim_start_matches('(').trim_end_matches(')').to_lowercase();
        let is_possible = needs.is_disjoint(&forbids);
        Ok(is_possible.then_some(Instance { name, needs, forbids, adds, deletes, cost }))
    }

    /// What an instance costs, which must not depend on the state.
    fn cost(&self, step: &Step, initial: &State) -> Result<Number, Difference> {
        let problem = self.world.problem;
        let Some(metric) = &problem.metric else { return Ok(Number::from(1)) };
        let Expression::Fluent(total, _) = &metric.value else {
            return Err(Difference::NotCovered("a metric that is not a single function".to_owned()));
        };
        let action = &problem.actions[step.action];
        if metric.maximize || has_uncertain_cost(&action.effect, total.function, false) {
            return Err(Difference::NotCovered("costs that depend on the state".to_owned()));
        }
        let mut binding = unbound(&action.schema);
        for (id, &argument) in action.schema.variables.ids().zip(&step.arguments) {
            binding[id] = Some(argument);
        }
        let view = self.world.view(initial, &action.schema);
        let mut changes = Changes::default();
        collect(&view, &action.effect, &mut binding, &mut changes)?;
        let total = crate::evaluate::ground_fluent(total, &unbound(&problem.goal.schema));
        if changes.changes_beside(&total) {
            return Err(Difference::NotCovered("numbers other than the cost".to_owned()));
        }
        let mut after = initial.clone();
        changes.apply(problem, &mut after)?;
        let value = |state: &State| state.values.get(&total).copied().unwrap_or_else(|| Number::from(0));
        let cost = value(&after).checked_sub(&value(initial));
        cost.ok_or_else(|| Difference::NotCovered("costs that are too large".to_owned()))
    }

    fn meanings(&self, task: &FiniteTask) -> Result<Vec<Meaning>, Difference> {
        task.names.iter().map(|names| self.meaning(names)).collect()
    }

    fn meaning(&self, names: &[String]) -> Result<Meaning, Difference> {
        let mut meaning = Meaning { values: Vec::new(), atoms: HashSet::new() };
        for name in names {
            let atom = |name: &str| {
                self.numbers.get(&name.to_lowercase()).copied().ok_or_else(|| {
                    Difference::NotCovered(format!("`{name}`, which is no atom of the problem"))
                })
            };
            let (value, mentioned) = match (name.strip_prefix("Atom "), name.strip_prefix("NegatedAtom ")) {
                (Some(name), _) => (Some(atom(name)?), Some(atom(name)?)),
                (_, Some(name)) => (None, Some(atom(name)?)),
                _ if name == "<none of those>" => (None, None),
                _ => {
                    return Err(Difference::NotCovered(format!("`{name}`, which is no atom of the problem")));
                }
            };
            meaning.values.push(value);
            meaning.atoms.extend(mentioned);
        }
        Ok(meaning)
    }

    fn check_initial(&self, task: &FiniteTask, meanings: &[Meaning]) -> Result<(), Difference> {
        for (var, meaning) in meanings.iter().enumerate() {
            let held: Vec<u32> = meaning.atoms.intersection(&self.initial).copied().collect();
            let value = match held[..] {
                [] => meaning.none(),
                [atom] => meaning.value(atom),
                _ => None,
            };
            if value != Some(task.initial[var]) {
                return Err(Difference::Wrong(format!(
                    "variable {var} begins with another value in the problem"
                )));
            }
        }
        Ok(())
    }

    /// Of the atoms of a variable exactly one is true, or at most one if it has a value for none, and each that can be has a value.
    fn check_exclusive(
        &self,
        var: usize,
        meaning: &Meaning,
        instances: &[Instance],
    ) -> Result<(), Difference> {
        let unproved = |instance: &Instance| {
            Err(Difference::NotCovered(format!(
                "variable {var}: that its values exclude each other is not seen from `{}` alone",
                instance.name
            )))
        };
        for instance in instances {
            self.world.budget.check().map_err(|limit| Difference::Stopped(limit.into()))?;
            let added: Vec<u32> = instance.adds.intersection(&meaning.atoms).copied().collect();
            let held = instance.needs.iter().find(|atom| meaning.atoms.contains(atom)).copied();
            let ends = |atom: &u32| instance.deletes.contains(atom) || instance.forbids.contains(atom);
            let is_kept = match (&added[..], held) {
                ([], _) if meaning.none().is_some() => true,
                ([], Some(held)) => !instance.deletes.contains(&held),
                ([], None) => {
                    instance.deletes.intersection(&meaning.atoms).all(|atom| instance.forbids.contains(atom))
                }
                ([added], Some(held)) => {
                    meaning.value(*added).is_some() && (*added == held || instance.deletes.contains(&held))
                }
                ([added], None) => {
                    meaning.value(*added).is_some()
                        && meaning.atoms.iter().filter(|atom| *atom != added).all(ends)
                }
                _ => false,
            };
            if !is_kept {
                return unproved(instance);
            }
        }
        Ok(())
    }

    /// Each instance has an operator that does the same, or does nothing to the variables. Returns what a unit of cost is worth.
    fn check_operators(
        &self,
        task: &FiniteTask,
        meanings: &[Meaning],
        instances: &[Instance],
    ) -> Result<Option<Number>, Difference> {
        let mut by_name: HashMap<String, Vec<&Operator>> = HashMap::new();
        for operator in &task.operators {
            by_name.entry(operator.name.to_lowercase()).or_default().push(operator);
        }
        let mut place: HashMap<u32, Vec<usize>> = HashMap::new();
        for (var, meaning) in meanings.iter().enumerate() {
            meaning.atoms.iter().for_each(|&atom| place.entry(atom).or_default().push(var));
        }
        let lifted = Mapped { meanings, place: &place };
        let unit = unit(instances, &by_name)?;
        let mut missing = Vec::new();
        for instance in instances {
            self.world.budget.check().map_err(|limit| Difference::Stopped(limit.into()))?;
            let own = by_name.get(&instance.name).into_iter().flatten();
            let is_cheap = |operator: &Operator| {
                let cost = Number::from(i128::from(operator.cost));
                unit.is_none_or(|unit| cost.checked_mul(&unit).is_some_and(|cost| cost <= instance.cost))
            };
            let does_same =
                |operator: &&&Operator| is_cheap(operator) && lifted.does_same(instance, operator);
            if lifted.does_nothing(instance) || own.clone().any(|operator| does_same(&operator)) {
                continue;
            }
            missing.push((instance, is_cheap));
        }
        // An operator that does the same as another one, and costs no less, may be left out.
        for (instance, is_cheap) in missing {
            self.world.budget.check().map_err(|limit| Difference::Stopped(limit.into()))?;
            if !task
                .operators
                .iter()
                .any(|operator| is_cheap(operator) && lifted.does_same(instance, operator))
            {
                return Err(Difference::Wrong(format!(
                    "no operator of the task does what `{}` does",
                    instance.name
                )));
            }
        }
        Ok(unit)
    }
}

/// What a unit of cost is worth: the same for all operators.
fn unit(
    instances: &[Instance],
    by_name: &HashMap<String, Vec<&Operator>>,
) -> Result<Option<Number>, Difference> {
    let mut unit = None;
    for instance in instances {
        for operator in by_name.get(&instance.name).into_iter().flatten() {
            let cost = Number::from(i128::from(operator.cost));
            let differs = || Difference::Wrong(format!("`{}` has another cost in the task", instance.name));
            if (operator.cost == 0) != (instance.cost == Number::from(0)) {
                return Err(differs());
            }
            if operator.cost > 0 {
                let own = instance.cost.checked_div(&cost).ok_or_else(differs)?;
                if *unit.get_or_insert(own) != own {
                    return Err(differs());
                }
            }
        }
    }
    Ok(unit)
}

/// The variables of the task, in terms of the problem.
struct Mapped<'a> {
    meanings: &'a [Meaning],
    place: &'a HashMap<u32, Vec<usize>>,
}

impl Mapped<'_> {
    /// The values that a variable may have where an instance is applicable.
    fn possible(&self, var: usize, instance: &Instance) -> Vec<u32> {
        let meaning = &self.meanings[var];
        if let Some(&held) = instance.needs.iter().find(|atom| meaning.atoms.contains(atom)) {
            return meaning.value(held).into_iter().collect();
        }
        let is_allowed = |value: &Option<u32>| value.is_none_or(|atom| !instance.forbids.contains(&atom));
        (0..).zip(&meaning.values).filter(|(_, value)| is_allowed(value)).map(|(value, _)| value).collect()
    }

    /// The value of a variable after an instance, if it has this one before.
    fn after(&self, var: usize, before: u32, instance: &Instance) -> Option<u32> {
        let meaning = &self.meanings[var];
        if let Some(&added) = instance.adds.iter().find(|atom| meaning.atoms.contains(atom)) {
            return meaning.value(added);
        }
        match meaning.values[before as usize] {
            Some(atom) if instance.deletes.contains(&atom) => meaning.none(),
            _ => Some(before),
        }
    }

    fn touched<'i>(&'i self, instance: &'i Instance) -> impl Iterator<Item = usize> + 'i {
        let atoms = instance.adds.iter().chain(&instance.deletes);
        atoms.filter_map(|atom| self.place.get(atom)).flatten().copied()
    }

    /// Whether an instance changes nothing that the task knows of.
    fn does_nothing(&self, instance: &Instance) -> bool {
        self.touched(instance).all(|var| {
            self.possible(var, instance)
                .into_iter()
                .all(|before| self.after(var, before, instance) == Some(before))
        })
    }

    /// Whether an operator is applicable wherever the instance is, and does the same.
    fn does_same(&self, instance: &Instance, operator: &Operator) -> bool {
        let is_applicable = operator
            .precondition
            .iter()
            .all(|&(var, value)| self.possible(var as usize, instance) == [value]);
        let effects = operator.effects.iter().map(|(_, (var, _))| *var as usize);
        is_applicable
            && effects.chain(self.touched(instance)).all(|var| {
                self.possible(var, instance).into_iter().all(|before| {
                    operator_after(operator, var, before)
                        .is_some_and(|after| self.after(var, before, instance) == Some(after))
                })
            })
    }
}

/// The value of a variable after an operator; none if conditions on other variables decide it.
fn operator_after(operator: &Operator, var: usize, before: u32) -> Option<u32> {
    let mut after = before;
    for (condition, (own, value)) in &operator.effects {
        if *own as usize != var {
            continue;
        }
        if condition.iter().any(|&(other, _)| other as usize != var) {
            return None;
        }
        if condition.iter().all(|&(_, needed)| needed == before) {
            after = *value;
        }
    }
    Some(after)
}

/// Whether an instance needs two values of a variable at once, or a fact of a variable that has no value for it.
fn is_excluded(instance: &Instance, meanings: &[Meaning]) -> bool {
    meanings
        .iter()
        .any(|meaning| instance.needs.iter().filter(|atom| meaning.atoms.contains(atom)).count() > 1)
}

/// Every goal state of the problem is one of the task.
fn check_goal(
    task: &FiniteTask,
    meanings: &[Meaning],
    goal: &HashSet<u32>,
    absent: &HashSet<u32>,
) -> Result<(), Difference> {
    for &(var, value) in &task.goal {
        let Meaning { values, atoms } = &meanings[var as usize];
        let follows = match values[value as usize] {
            Some(atom) => goal.contains(&atom),
            None => atoms.is_subset(absent),
        };
        if !follows {
            let why = format!("the goal of the problem does not ask for value {value} of variable {var}");
            return Err(Difference::Wrong(why));
        }
    }
    Ok(())
}

/// The atoms that can become true if nothing is ever deleted.
fn relaxed_reachable(initial: &HashSet<u32>, instances: &[Instance]) -> HashSet<u32> {
    let mut reached = initial.clone();
    let mut open: Vec<&Instance> = instances.iter().collect();
    loop {
        let before = open.len();
        open.retain(|instance| {
            let is_applicable = instance.needs.is_subset(&reached);
            if is_applicable {
                reached.extend(&instance.adds);
            }
            !is_applicable
        });
        if open.len() == before {
            return reached;
        }
    }
}

/// A conjunction as atoms that are to be true, and false.
fn literals(formula: &Formula) -> Option<(HashSet<u32>, HashSet<u32>)> {
    let (mut needs, mut forbids) = (HashSet::new(), HashSet::new());
    let mut stack = vec![formula];
    while let Some(part) = stack.pop() {
        match part {
            Formula::Constant(true) => {}
            Formula::Literal(atom, true) => {
                needs.insert(*atom);
            }
            Formula::Literal(atom, false) => {
                forbids.insert(*atom);
            }
            Formula::All(parts) => stack.extend(parts),
            Formula::Constant(false) | Formula::Any(_) => return None,
        }
    }
    Some((needs, forbids))
}

/// The conjuncts of a condition that no action can change.
fn static_parts(condition: &Condition, grounder: &Grounder<'_>, out: &mut Vec<Condition>) {
    match condition {
        Condition::And(parts) => parts.iter().for_each(|part| static_parts(part, grounder, out)),
        Condition::Atom(atom, _) if !grounder.changes(atom.predicate) => out.push(condition.clone()),
        Condition::Equal(..) => out.push(condition.clone()),
        Condition::Not(part) => match &**part {
            Condition::Atom(atom, _) if !grounder.changes(atom.predicate) => out.push(condition.clone()),
            Condition::Equal(..) => out.push(condition.clone()),
            _ => {}
        },
        _ => {}
    }
}

/// Whether an effect changes a number under a condition, or by something that depends on the cost so far.
fn has_uncertain_cost(effect: &Effect, total: FunctionId, is_conditional: bool) -> bool {
    match effect {
        Effect::And(parts) | Effect::OneOf(parts, _) => {
            parts.iter().any(|part| has_uncertain_cost(part, total, is_conditional))
        }
        Effect::Forall(_, part) => has_uncertain_cost(part, total, is_conditional),
        Effect::When(_, part) => has_uncertain_cost(part, total, true),
        Effect::Change(_, _, value, _) => is_conditional || mentions(value, total),
        Effect::Add(..) | Effect::Delete(..) => false,
    }
}

fn mentions(expression: &Expression, function: FunctionId) -> bool {
    match expression {
        Expression::Fluent(fluent, _) => fluent.function == function,
        Expression::Add(parts) | Expression::Multiply(parts) => {
            parts.iter().any(|part| mentions(part, function))
        }
        Expression::Subtract(left, right) | Expression::Divide(left, right) => {
            mentions(left, function) || mentions(right, function)
        }
        Expression::Negate(part) => mentions(part, function),
        Expression::Number(_) => false,
        Expression::IsViolated(..) | Expression::TotalTime(_) => true,
    }
}

fn changed_predicates(effect: &Effect, out: &mut HashSet<PredicateId>) {
    match effect {
        Effect::And(parts) | Effect::OneOf(parts, _) => {
            parts.iter().for_each(|part| changed_predicates(part, out))
        }
        Effect::Forall(_, part) | Effect::When(_, part) => changed_predicates(part, out),
        Effect::Add(atom, _) | Effect::Delete(atom, _) => {
            out.insert(atom.predicate);
        }
        Effect::Change(..) => {}
    }
}
