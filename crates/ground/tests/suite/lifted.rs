//! The meaning of a problem, written plainly: no grounding, no datalog, no mutexes. Slow, and easy to
//! believe.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use counterplay_base::Id;
use counterplay_pddl::model::{
    Atom, Change, Condition, Effect, Expression, Fluent, GroundAtom, Number, ObjectId, PredicateId, Problem,
    Schema, Term, VariableId,
};
use num_traits::Zero;

/// The atoms that are true; derived ones only where the text says so.
pub(crate) type State = BTreeSet<GroundAtom>;

type Binding = BTreeMap<VariableId, ObjectId>;

/// All reachable states with the cost of a cheapest way to each, or `None` if there are more than `most`.
pub(crate) fn explore(problem: &Problem, most: usize) -> Option<BTreeMap<State, Number>> {
    let start: State = problem.init.iter().cloned().collect();
    let mut best: BTreeMap<State, Number> = BTreeMap::from([(start.clone(), Number::zero())]);
    let mut open = BinaryHeap::from([Reverse((Number::zero(), start))]);
    while let Some(Reverse((cost, state))) = open.pop() {
        if best[&state] < cost {
            continue;
        }
        for (next, step) in successors(problem, &state) {
            let through = cost + step;
            if best.get(&next).is_none_or(|&known| through < known) {
                best.insert(next.clone(), through);
                open.push(Reverse((through, next)));
            }
        }
        if best.len() > most {
            return None;
        }
    }
    Some(best)
}

/// The state with its derived atoms.
pub(crate) fn closed(problem: &Problem, state: &State) -> State {
    let mut all = state.clone();
    for stratum in strata(problem) {
        loop {
            let mut new = Vec::new();
            for axiom in problem.axioms.iter().filter(|axiom| stratum.contains(&axiom.head)) {
                for binding in bindings(problem, &axiom.schema, axiom.schema.parameters) {
                    if holds(problem, &axiom.schema, &axiom.body, &all, &binding) {
                        let arguments = binding.values().copied().collect();
                        new.push(GroundAtom { predicate: axiom.head, arguments });
                    }
                }
            }
            let before = all.len();
            all.extend(new);
            if all.len() == before {
                break;
            }
        }
    }
    all
}

/// Whether the goal holds in a state (given with its derived atoms).
pub(crate) fn is_goal(problem: &Problem, closed: &State) -> bool {
    holds(problem, &problem.goal.schema, &problem.goal.condition, closed, &Binding::new())
}

/// The derived predicates in an order in which each negation is decided before it is used.
fn strata(problem: &Problem) -> Vec<BTreeSet<PredicateId>> {
    let mut level: BTreeMap<PredicateId, usize> =
        problem.axioms.iter().map(|axiom| (axiom.head, 0)).collect();
    for _ in 0..=level.len() * level.len() {
        for axiom in &problem.axioms {
            let mut uses = Vec::new();
            used(&axiom.body, true, &mut uses);
            for (predicate, positive) in uses {
                if let Some(&below) = level.get(&predicate) {
                    let own = level.get_mut(&axiom.head).expect("heads have a level");
                    *own = (*own).max(below + usize::from(!positive));
                }
            }
        }
    }
    let highest = level.values().copied().max().unwrap_or(0);
    (0..=highest)
        .map(|at| level.iter().filter(|&(_, &own)| own == at).map(|(&predicate, _)| predicate).collect())
        .collect()
}

fn used(condition: &Condition, positive: bool, out: &mut Vec<(PredicateId, bool)>) {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().for_each(|part| used(part, positive, out));
        }
        Condition::Not(inner) => used(inner, !positive, out),
        Condition::Exists(_, inner) | Condition::Forall(_, inner) => used(inner, positive, out),
        Condition::Atom(atom, _) => out.push((atom.predicate, positive)),
        _ => {}
    }
}

fn successors(problem: &Problem, state: &State) -> Vec<(State, Number)> {
    let all = closed(problem, state);
    let mut found = Vec::new();
    for action in &problem.actions {
        for binding in bindings(problem, &action.schema, action.schema.parameters) {
            if !holds(problem, &action.schema, &action.precondition, &all, &binding) {
                continue;
            }
            let (mut adds, mut deletes) = (State::new(), State::new());
            let mut cost = Some(Number::zero());
            collect(
                problem,
                &action.schema,
                &action.effect,
                &all,
                &binding,
                &mut adds,
                &mut deletes,
                &mut cost,
            );
            if problem.metric.is_none() {
                cost = Some(Number::from_integer(1));
            }
            if let Some(cost) = cost {
                let next: State = state.difference(&deletes).chain(&adds).cloned().collect();
                found.push((next, cost));
            }
        }
    }
    found
}

#[allow(clippy::too_many_arguments)]
fn collect(
    problem: &Problem,
    schema: &Schema,
    effect: &Effect,
    all: &State,
    binding: &Binding,
    adds: &mut State,
    deletes: &mut State,
    cost: &mut Option<Number>,
) {
    match effect {
        Effect::And(parts) => {
            for part in parts {
                collect(problem, schema, part, all, binding, adds, deletes, cost);
            }
        }
        Effect::Forall(variables, inner) => {
            for binding in extended(problem, schema, variables, binding) {
                collect(problem, schema, inner, all, &binding, adds, deletes, cost);
            }
        }
        Effect::When(condition, inner) => {
            if holds(problem, schema, condition, all, binding) {
                collect(problem, schema, inner, all, binding, adds, deletes, cost);
            }
        }
        Effect::Add(atom, _) => {
            adds.insert(ground(atom, binding));
        }
        Effect::Delete(atom, _) => {
            deletes.insert(ground(atom, binding));
        }
        Effect::Change(Change::Increase, _, amount, _) => {
            *cost = match (*cost, value(problem, amount, binding)) {
                (Some(sum), Some(more)) => Some(sum + more),
                _ => None,
            };
        }
        other => panic!("the twin does not know {other:?}"),
    }
}

fn value(problem: &Problem, expression: &Expression, binding: &Binding) -> Option<Number> {
    match expression {
        Expression::Number(number) => Some(*number),
        Expression::Fluent(Fluent { function, arguments }, _) => {
            let arguments: Vec<ObjectId> = arguments.iter().map(|&term| object(term, binding)).collect();
            let own = problem
                .values
                .iter()
                .find(|(fluent, _)| fluent.function == *function && fluent.arguments == arguments);
            own.map(|(_, number)| *number)
        }
        Expression::Add(parts) => {
            parts.iter().try_fold(Number::zero(), |sum, part| Some(sum + value(problem, part, binding)?))
        }
        other => panic!("the twin does not know {other:?}"),
    }
}

fn holds(problem: &Problem, schema: &Schema, condition: &Condition, all: &State, binding: &Binding) -> bool {
    let holds = |condition: &Condition, binding: &Binding| holds(problem, schema, condition, all, binding);
    match condition {
        Condition::And(parts) => parts.iter().all(|part| holds(part, binding)),
        Condition::Or(parts) => parts.iter().any(|part| holds(part, binding)),
        Condition::Not(inner) => !holds(inner, binding),
        Condition::Exists(variables, inner) => {
            extended(problem, schema, variables, binding).iter().any(|binding| holds(inner, binding))
        }
        Condition::Forall(variables, inner) => {
            extended(problem, schema, variables, binding).iter().all(|binding| holds(inner, binding))
        }
        Condition::Atom(atom, _) => all.contains(&ground(atom, binding)),
        Condition::Equal(left, right) => object(*left, binding) == object(*right, binding),
        other => panic!("the twin does not know {other:?}"),
    }
}

fn bindings(problem: &Problem, schema: &Schema, parameters: usize) -> Vec<Binding> {
    let variables: Vec<VariableId> = (0..parameters).map(VariableId::new).collect();
    extended(problem, schema, &variables, &Binding::new())
}

fn extended(problem: &Problem, schema: &Schema, variables: &[VariableId], binding: &Binding) -> Vec<Binding> {
    let mut all = vec![binding.clone()];
    for &variable in variables {
        let objects = problem.extent(&schema.variables[variable].types);
        let pairs = all.iter().flat_map(|binding| objects.iter().map(move |&object| (binding, object)));
        all = pairs
            .map(|(binding, object)| {
                let mut binding = binding.clone();
                binding.insert(variable, object);
                binding
            })
            .collect();
    }
    all
}

fn ground(atom: &Atom, binding: &Binding) -> GroundAtom {
    let arguments = atom.arguments.iter().map(|&term| object(term, binding)).collect();
    GroundAtom { predicate: atom.predicate, arguments }
}

fn object(term: Term, binding: &Binding) -> ObjectId {
    match term {
        Term::Object(object) => object,
        Term::Variable(variable) => binding[&variable],
    }
}
