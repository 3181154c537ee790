//! The definition of the language, run state by state.
//!
//! A state is a set of atoms and a table of numbers. Conditions are evaluated by their meaning, quantifiers run through all
//! objects, derived atoms are computed by applying rules until nothing changes, and an action leads to one state for each way in which
//! nature can choose.

use std::collections::{BTreeMap, BTreeSet};

use counterplay_pddl::model::*;

/// More states than these and the twin gives up.
const MOST_STATES: usize = 1_500;
/// More outcomes of one application than these and the twin gives up.
const MOST_OUTCOMES: usize = 300;

/// The atoms that are true, derived ones left out, and the values of numbers. Costs are not part of the state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct State {
    atoms: BTreeSet<GroundAtom>,
    numbers: BTreeMap<GroundFluent, Number>,
}

/// What one application of an action did.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// The states it may lead to, one for each outcome.
    pub(super) next: Vec<usize>,
    /// By how much `total-cost` grows, for the first outcome.
    pub(super) cost: Number,
    /// How often each preference of its precondition is violated.
    pub(super) violated: BTreeMap<String, u32>,
}

/// A reachable state.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Whether the hard goal holds.
    pub(super) is_goal: bool,
    /// How often each preference of the goal is violated.
    pub(super) violated: BTreeMap<String, u32>,
    /// What can be done here.
    pub(super) steps: Vec<Step>,
}

/// All reachable states; the initial ones are named.
pub(super) struct Space {
    pub(super) nodes: Vec<Node>,
    pub(super) starts: Vec<usize>,
}

/// Why the twin does not know.
pub(super) type GivesUp = String;

type Env = Vec<Option<ObjectId>>;
type Delta = (Vec<GroundAtom>, Vec<GroundAtom>, Vec<(GroundFluent, Change, Number)>);

/// Explores a problem.
pub(super) fn explore(problem: &Problem) -> Result<Space, GivesUp> {
    let twin = Twin { problem };
    let mut starts = vec![State { atoms: problem.init.iter().cloned().collect(), ..State::default() }];
    for choice in &problem.init_choices {
        let mut more = Vec::new();
        for start in &starts {
            for alternative in &choice.alternatives {
                let mut start = start.clone();
                start.atoms.extend(alternative.iter().cloned());
                more.push(start);
            }
        }
        starts = more;
    }
    for start in &mut starts {
        start.numbers = problem.values.iter().cloned().collect();
        start.numbers.retain(|fluent, _| !twin.is_cost(fluent.function));
    }
    let mut known: BTreeMap<State, usize> = BTreeMap::new();
    let mut states: Vec<State> = Vec::new();
    let mut number = |state: State, states: &mut Vec<State>| {
        *known.entry(state.clone()).or_insert_with(|| {
            states.push(state);
            states.len() - 1
        })
    };
    let starts: Vec<usize> = starts.into_iter().map(|start| number(start, &mut states)).collect();
    let mut nodes: Vec<Node> = Vec::new();
    while nodes.len() < states.len() {
        if states.len() > MOST_STATES {
            return Err("too many states".to_owned());
        }
        let state = states[nodes.len()].clone();
        let full = twin.with_derived(&state)?;
        let goal = &problem.goal;
        let mut env = vec![None; goal.schema.variables.len()];
        let is_goal = twin.holds(&goal.schema, &goal.condition, &full, &mut env)?;
        let mut violated = BTreeMap::new();
        twin.violations(&goal.schema, &goal.condition, &full, &mut env, &mut violated)?;
        let mut steps = Vec::new();
        for action in &problem.actions {
            for mut env in twin.bindings(&action.schema) {
                if !twin.holds(&action.schema, &action.precondition, &full, &mut env)? {
                    continue;
                }
                let mut step = Step::default();
                twin.violations(&action.schema, &action.precondition, &full, &mut env, &mut step.violated)?;
                for (at, delta) in
                    twin.outcomes(&action.schema, &action.effect, &full, &mut env)?.iter().enumerate()
                {
                    let (next, cost) = twin.apply(&state, delta)?;
                    step.next.push(number(next, &mut states));
                    if at == 0 {
                        step.cost = cost;
                    }
                }
                steps.push(step);
            }
        }
        nodes.push(Node { is_goal, violated, steps });
    }
    Ok(Space { nodes, starts })
}

struct Twin<'p> {
    problem: &'p Problem,
}

impl Twin<'_> {
    fn is_cost(&self, function: FunctionId) -> bool {
        self.problem.functions[function].name == "total-cost"
    }

    /// Every way to give objects to the parameters.
    fn bindings(&self, schema: &Schema) -> Vec<Env> {
        let mut all: Vec<Env> = vec![vec![None; schema.variables.len()]];
        for (at, variable) in schema.variables.iter().enumerate().take(schema.parameters) {
            let objects = self.problem.extent(&variable.types);
            let extend = |env: &Env| {
                let with = |&object: &ObjectId| {
                    let mut env = env.clone();
                    env[at] = Some(object);
                    env
                };
                objects.iter().map(with).collect::<Vec<Env>>()
            };
            all = all.iter().flat_map(extend).collect();
        }
        all
    }

    /// Calls `visit` with every way to give objects to variables, until it says stop.
    fn each(
        &self,
        schema: &Schema,
        variables: &[VariableId],
        env: &mut Env,
        visit: &mut dyn FnMut(&mut Env) -> Result<bool, GivesUp>,
    ) -> Result<bool, GivesUp> {
        use counterplay_base::Id;
        let Some((first, rest)) = variables.split_first() else { return visit(env) };
        for object in self.problem.extent(&schema.variables[*first].types) {
            env[first.index()] = Some(object);
            if self.each(schema, rest, env, visit)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn object(&self, term: Term, env: &Env) -> ObjectId {
        use counterplay_base::Id;
        match term {
            Term::Object(object) => object,
            Term::Variable(variable) => env[variable.index()].expect("variables in scope have objects"),
        }
    }

    fn objects(&self, terms: &[Term], env: &Env) -> Vec<ObjectId> {
        terms.iter().map(|&term| self.object(term, env)).collect()
    }

    /// The state with what follows by rules. A rule may read derived predicates that were declared before its own in any way, and
    /// its own and earlier ones positively; other problems are not for the twin.
    fn with_derived(&self, state: &State) -> Result<State, GivesUp> {
        let mut full = state.clone();
        for (predicate, declared) in self.problem.predicates.enumerate() {
            if !declared.derived {
                continue;
            }
            let rules: Vec<&Axiom> =
                self.problem.axioms.iter().filter(|axiom| axiom.head == predicate).collect();
            for rule in &rules {
                self.refuse_later(&rule.body, predicate, true)?;
            }
            loop {
                let mut new = Vec::new();
                for rule in &rules {
                    for mut env in self.bindings(&rule.schema) {
                        if self.holds(&rule.schema, &rule.body, &full, &mut env)? {
                            let arguments = env[..rule.schema.parameters].iter().flatten().copied().collect();
                            new.push(GroundAtom { predicate, arguments });
                        }
                    }
                }
                let before = full.atoms.len();
                full.atoms.extend(new);
                if full.atoms.len() == before {
                    break;
                }
            }
        }
        Ok(full)
    }

    fn refuse_later(&self, condition: &Condition, own: PredicateId, positive: bool) -> Result<(), GivesUp> {
        match condition {
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().try_for_each(|part| self.refuse_later(part, own, positive))
            }
            Condition::Not(part) => self.refuse_later(part, own, !positive),
            Condition::Exists(_, part) | Condition::Forall(_, part) | Condition::Preference(_, part, _) => {
                self.refuse_later(part, own, positive)
            }
            Condition::Atom(atom, _) if self.problem.predicates[atom.predicate].derived => {
                let allowed = atom.predicate < own || (atom.predicate == own && positive);
                if allowed { Ok(()) } else { Err("rules in another order".to_owned()) }
            }
            _ => Ok(()),
        }
    }

    fn holds(
        &self,
        schema: &Schema,
        condition: &Condition,
        state: &State,
        env: &mut Env,
    ) -> Result<bool, GivesUp> {
        Ok(match condition {
            Condition::And(parts) => {
                let mut all = true;
                for part in parts {
                    all &= self.holds(schema, part, state, env)?;
                }
                all
            }
            Condition::Or(parts) => {
                let mut any = false;
                for part in parts {
                    any |= self.holds(schema, part, state, env)?;
                }
                any
            }
            Condition::Not(part) => !self.holds(schema, part, state, env)?,
            Condition::Exists(variables, part) => {
                self.each(schema, variables, env, &mut |env| self.holds(schema, part, state, env))?
            }
            Condition::Forall(variables, part) => {
                !self.each(schema, variables, env, &mut |env| Ok(!self.holds(schema, part, state, env)?))?
            }
            Condition::Atom(atom, _) => {
                let arguments = self.objects(&atom.arguments, env);
                state.atoms.contains(&GroundAtom { predicate: atom.predicate, arguments })
            }
            Condition::Equal(left, right) => self.object(*left, env) == self.object(*right, env),
            Condition::Compare(comparison, left, right, _) => {
                let (left, right) = (self.number(left, state, env)?, self.number(right, state, env)?);
                match comparison {
                    Comparison::Less => left < right,
                    Comparison::LessEqual => left <= right,
                    Comparison::Equal => left == right,
                    Comparison::GreaterEqual => left >= right,
                    Comparison::Greater => left > right,
                }
            }
            // A preference forbids nothing.
            Condition::Preference(..) => true,
        })
    }

    /// Counts the violated preferences of a condition.
    fn violations(
        &self,
        schema: &Schema,
        condition: &Condition,
        state: &State,
        env: &mut Env,
        violated: &mut BTreeMap<String, u32>,
    ) -> Result<(), GivesUp> {
        match condition {
            Condition::And(parts) => {
                parts.iter().try_for_each(|part| self.violations(schema, part, state, env, violated))
            }
            Condition::Forall(variables, part) => {
                let mut visit = |env: &mut Env| {
                    self.violations(schema, part, state, env, violated)?;
                    Ok(false)
                };
                self.each(schema, variables, env, &mut visit).map(drop)
            }
            Condition::Preference(name, part, _) => {
                if !self.holds(schema, part, state, env)? {
                    *violated.entry(name.clone()).or_default() += 1;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn number(&self, expression: &Expression, state: &State, env: &Env) -> Result<Number, GivesUp> {
        let number = |part: &Expression| self.number(part, state, env);
        Ok(match expression {
            Expression::Number(number) => *number,
            Expression::Fluent(fluent, _) => {
                let arguments = self.objects(&fluent.arguments, env);
                let fluent = GroundFluent { function: fluent.function, arguments };
                *state.numbers.get(&fluent).ok_or("a number without a value")?
            }
            Expression::Add(parts) => {
                let mut sum = Number::from_integer(0);
                for part in parts {
                    sum += number(part)?;
                }
                sum
            }
            Expression::Subtract(left, right) => number(left)? - number(right)?,
            Expression::Multiply(parts) => {
                let mut product = Number::from_integer(1);
                for part in parts {
                    product *= number(part)?;
                }
                product
            }
            Expression::Negate(part) => -number(part)?,
            Expression::Divide(..) | Expression::IsViolated(..) | Expression::TotalTime(_) => {
                return Err("a division or a metric".to_owned());
            }
        })
    }

    /// What an effect does, for each way in which nature can choose.
    fn outcomes(
        &self,
        schema: &Schema,
        effect: &Effect,
        state: &State,
        env: &mut Env,
    ) -> Result<Vec<Delta>, GivesUp> {
        let one = |delta: Delta| Ok(vec![delta]);
        match effect {
            Effect::And(parts) => {
                let mut all = vec![Delta::default()];
                for part in parts {
                    all = product(&all, &self.outcomes(schema, part, state, env)?)?;
                }
                Ok(all)
            }
            Effect::Forall(variables, part) => {
                let mut all = vec![Delta::default()];
                self.each(schema, variables, env, &mut |env| {
                    all = product(&all, &self.outcomes(schema, part, state, env)?)?;
                    Ok(false)
                })?;
                Ok(all)
            }
            Effect::When(condition, part) => match self.holds(schema, condition, state, env)? {
                true => self.outcomes(schema, part, state, env),
                false => one(Delta::default()),
            },
            Effect::OneOf(parts, _) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.outcomes(schema, part, state, env)?);
                }
                Ok(all)
            }
            Effect::Add(atom, _) => {
                let arguments = self.objects(&atom.arguments, env);
                one((vec![GroundAtom { predicate: atom.predicate, arguments }], vec![], vec![]))
            }
            Effect::Delete(atom, _) => {
                let arguments = self.objects(&atom.arguments, env);
                one((vec![], vec![GroundAtom { predicate: atom.predicate, arguments }], vec![]))
            }
            Effect::Change(change, fluent, value, _) => {
                let arguments = self.objects(&fluent.arguments, env);
                let value = self.number(value, state, env)?;
                one((
                    vec![],
                    vec![],
                    vec![(GroundFluent { function: fluent.function, arguments }, *change, value)],
                ))
            }
        }
    }

    /// The state after an outcome, and what was paid.
    fn apply(&self, state: &State, (adds, deletes, changes): &Delta) -> Result<(State, Number), GivesUp> {
        let mut next = state.clone();
        for atom in deletes {
            next.atoms.remove(atom);
        }
        next.atoms.extend(adds.iter().cloned());
        let mut cost = Number::from_integer(0);
        for (at, (fluent, change, value)) in changes.iter().enumerate() {
            if self.is_cost(fluent.function) {
                if *change != Change::Increase {
                    return Err("costs that do not grow".to_owned());
                }
                cost += *value;
                continue;
            }
            let is_sum = |change: &Change| matches!(change, Change::Increase | Change::Decrease);
            let others = changes.iter().enumerate().filter(|(other, (it, ..))| *other != at && it == fluent);
            for (_, (_, other, _)) in others {
                if !is_sum(change) || !is_sum(other) {
                    return Err("several changes of one number".to_owned());
                }
            }
            let before = *next.numbers.get(fluent).ok_or("a number without a value")?;
            let after = match change {
                Change::Assign => *value,
                Change::Increase => before + *value,
                Change::Decrease => before - *value,
                Change::ScaleUp | Change::ScaleDown => return Err("scaling".to_owned()),
            };
            next.numbers.insert(fluent.clone(), after);
        }
        Ok((next, cost))
    }
}

fn product(left: &[Delta], right: &[Delta]) -> Result<Vec<Delta>, GivesUp> {
    if left.len() * right.len() > MOST_OUTCOMES {
        return Err("too many outcomes".to_owned());
    }
    let join = |a: &Delta, b: &Delta| {
        ([&a.0[..], &b.0].concat(), [&a.1[..], &b.1].concat(), [&a.2[..], &b.2].concat())
    };
    Ok(left.iter().flat_map(|a| right.iter().map(move |b| join(a, b))).collect())
}
