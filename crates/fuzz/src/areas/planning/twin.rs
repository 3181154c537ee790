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
    /// Which action with which objects it is: a number for the action, then the objects.
    pub(super) action: (usize, Vec<ObjectId>),
    /// The states it may lead to, one for each outcome.
    pub(super) next: Vec<usize>,
    /// With which probability each of them comes; where the text says nothing, all alternatives are equally likely.
    pub(super) odds: Vec<Number>,
    /// By how much `total-cost` grows, for each outcome.
    pub(super) costs: Vec<Number>,
    /// What is seen in each of them: the truth of the observed atoms.
    pub(super) seen: Vec<Vec<bool>>,
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

/// What one choice of nature does, and how likely it is.
#[derive(Clone)]
struct Delta {
    odds: Number,
    adds: Vec<GroundAtom>,
    deletes: Vec<GroundAtom>,
    changes: Vec<(GroundFluent, Change, Number)>,
}

impl Delta {
    fn nothing() -> Delta {
        Delta { odds: Number::from_integer(1), adds: vec![], deletes: vec![], changes: vec![] }
    }
}

/// Explores a problem.
pub(super) fn explore(problem: &Problem) -> Result<Space, GivesUp> {
    let twin = Twin { problem };
    let mut starts =
        if problem.is_partially_observable() { described_starts(problem)? } else { chosen_starts(problem) };
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
        for (number_of_action, action) in problem.actions.iter().enumerate() {
            for mut env in twin.bindings(&action.schema) {
                if !twin.holds(&action.schema, &action.precondition, &full, &mut env)? {
                    continue;
                }
                let objects = env[..action.schema.parameters].iter().flatten().copied().collect();
                let mut step = Step { action: (number_of_action, objects), ..Step::default() };
                twin.violations(&action.schema, &action.precondition, &full, &mut env, &mut step.violated)?;
                for (at, delta) in
                    twin.outcomes(&action.schema, &action.effect, &full, &mut env)?.iter().enumerate()
                {
                    let (next, cost) = twin.apply(&state, delta)?;
                    let after = twin.with_derived(&next)?;
                    let is_true = |(atom, _): &(Atom, _)| {
                        let arguments = twin.objects(&atom.arguments, &env);
                        after.atoms.contains(&GroundAtom { predicate: atom.predicate, arguments })
                    };
                    step.seen.push(action.observe.iter().map(is_true).collect());
                    step.next.push(number(next, &mut states));
                    step.odds.push(delta.odds);
                    step.costs.push(cost);
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

/// The initial states among which nature chooses openly: one alternative of each `oneof`.
fn chosen_starts(problem: &Problem) -> Vec<State> {
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
    starts
}

/// The initial states that a description with hidden parts leaves possible: every truth assignment to the atoms that it mentions is looked at.
/// An atom that only `oneof` mentions is true only if the alternative that describes the state says so.
fn described_starts(problem: &Problem) -> Result<Vec<State>, GivesUp> {
    let certain: BTreeSet<GroundAtom> = problem.init.iter().cloned().collect();
    let unknown = problem.init_unknown.iter().map(|(atom, _)| atom);
    let clauses = problem.init_clauses.iter().flat_map(|clause| &clause.literals).map(|(atom, _)| atom);
    let free: BTreeSet<GroundAtom> = unknown.chain(clauses).cloned().collect();
    let literals = problem.init_choices.iter().flat_map(|choice| &choice.literals).flatten();
    let mentioned: BTreeSet<GroundAtom> =
        literals.map(|(atom, _)| atom.clone()).chain(free.iter().cloned()).collect();
    let open: Vec<GroundAtom> = mentioned.difference(&certain).cloned().collect();
    if open.len() > 10 {
        return Err("too many initial states".to_owned());
    }
    let denied = problem.init_choices.iter().flat_map(|choice| &choice.literals).flatten();
    let denied = denied.filter(|(_, truth)| !truth).map(|(atom, _)| atom.clone());
    let told: BTreeSet<GroundAtom> = free.union(&certain).cloned().chain(denied).collect();
    let mut starts = Vec::new();
    for bits in 0..1u32 << open.len() {
        let chosen = open.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
        let atoms: BTreeSet<GroundAtom> =
            certain.iter().chain(chosen.map(|(_, atom)| atom)).cloned().collect();
        let holds = |(atom, truth): &(GroundAtom, bool)| atoms.contains(atom) == *truth;
        let clauses_hold = problem.init_clauses.iter().all(|clause| clause.literals.iter().any(holds));
        // What the alternatives chosen so far say to be true, for each way to choose.
        let mut ways = if clauses_hold { vec![told.clone()] } else { Vec::new() };
        for choice in &problem.init_choices {
            // An alternative describes the state if its literals hold and those of the other single ones do not.
            let describes = |own: &&Vec<(GroundAtom, bool)>| {
                let mut others = choice.literals.iter().filter(|other| other != own && other.len() == 1);
                own.iter().all(holds) && !others.any(|other| holds(&other[0]))
            };
            let with = |told: &BTreeSet<GroundAtom>| {
                let told = told.clone();
                choice.literals.iter().filter(describes).map(move |own| {
                    let said = own.iter().filter(|(_, truth)| *truth).map(|(atom, _)| atom.clone());
                    told.iter().cloned().chain(said).collect::<BTreeSet<GroundAtom>>()
                })
            };
            ways = ways.iter().flat_map(with).collect();
        }
        if ways.iter().any(|told| atoms.is_subset(told)) {
            starts.push(State { atoms, ..State::default() });
        }
    }
    Ok(starts)
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
                let mut all = vec![Delta::nothing()];
                for part in parts {
                    all = product(&all, &self.outcomes(schema, part, state, env)?)?;
                }
                Ok(all)
            }
            Effect::Forall(variables, part) => {
                let mut all = vec![Delta::nothing()];
                self.each(schema, variables, env, &mut |env| {
                    all = product(&all, &self.outcomes(schema, part, state, env)?)?;
                    Ok(false)
                })?;
                Ok(all)
            }
            Effect::When(condition, part) => match self.holds(schema, condition, state, env)? {
                true => self.outcomes(schema, part, state, env),
                false => one(Delta::nothing()),
            },
            Effect::OneOf(parts, nature) => {
                let mut all = Vec::new();
                for (at, part) in parts.iter().enumerate() {
                    let share = match &nature.odds {
                        Some(odds) => odds[at],
                        None => Number::new(1, parts.len() as i128),
                    };
                    for delta in self.outcomes(schema, part, state, env)? {
                        all.push(Delta { odds: delta.odds * share, ..delta });
                    }
                }
                Ok(all)
            }
            Effect::Add(atom, _) => {
                let arguments = self.objects(&atom.arguments, env);
                one(Delta {
                    adds: vec![GroundAtom { predicate: atom.predicate, arguments }],
                    ..Delta::nothing()
                })
            }
            Effect::Delete(atom, _) => {
                let arguments = self.objects(&atom.arguments, env);
                one(Delta {
                    deletes: vec![GroundAtom { predicate: atom.predicate, arguments }],
                    ..Delta::nothing()
                })
            }
            Effect::Change(change, fluent, value, _) => {
                let arguments = self.objects(&fluent.arguments, env);
                let value = self.number(value, state, env)?;
                let fluent = GroundFluent { function: fluent.function, arguments };
                one(Delta { changes: vec![(fluent, *change, value)], ..Delta::nothing() })
            }
        }
    }

    /// The state after an outcome, and what was paid.
    fn apply(&self, state: &State, delta: &Delta) -> Result<(State, Number), GivesUp> {
        let mut next = state.clone();
        for atom in &delta.deletes {
            next.atoms.remove(atom);
        }
        next.atoms.extend(delta.adds.iter().cloned());
        let mut cost = Number::from_integer(0);
        for (at, (fluent, change, value)) in delta.changes.iter().enumerate() {
            if self.is_cost(fluent.function) {
                if *change != Change::Increase {
                    return Err("costs that do not grow".to_owned());
                }
                cost += *value;
                continue;
            }
            let is_sum = |change: &Change| matches!(change, Change::Increase | Change::Decrease);
            let others =
                delta.changes.iter().enumerate().filter(|(other, (it, ..))| *other != at && it == fluent);
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
    let join = |a: &Delta, b: &Delta| Delta {
        odds: a.odds * b.odds,
        adds: [&a.adds[..], &b.adds].concat(),
        deletes: [&a.deletes[..], &b.deletes].concat(),
        changes: [&a.changes[..], &b.changes].concat(),
    };
    Ok(left.iter().flat_map(|a| right.iter().map(move |b| join(a, b))).collect())
}
