//! Laws of evaluation, on random formulas.

use counterplay_base::{Budget, IdVec};
use counterplay_check::{Flaw, check_plan, read_plan};
use counterplay_pddl::model::*;
use counterplay_syntax::Sources;
use proptest::prelude::*;

const DOMAIN: &str = "(define (domain d) (:types t u) (:predicates (p ?x) (q ?x ?y)) (:functions (f ?x)))";

/// Reads a problem over the objects a, b, c with this goal. `(f c)` has no value.
fn problem(goal: &str) -> Problem {
    let text = format!(
        "(define (problem p) (:domain d) (:objects a b - t c - u)
           (:init (p a) (q a b) (q b c) (q c c) (= (f a) 1) (= (f b) 2)) (:goal {goal}))"
    );
    let mut sources = Sources::default();
    let files = (sources.add("domain", DOMAIN), sources.add("problem", text));
    counterplay_pddl::read(&sources, files.0, files.1).unwrap_or_else(|errors| panic!("{goal}: {errors:?}"))
}

/// Formulas whose free variables are among `?u`, `?v`, `?w`.
fn formula() -> impl Strategy<Value = String> {
    let term = || prop::sample::select(vec!["a", "b", "c", "?u", "?v", "?w"]);
    let leaf = prop_oneof![
        term().prop_map(|x| format!("(p {x})")),
        (term(), term()).prop_map(|(x, y)| format!("(q {x} {y})")),
        (term(), term()).prop_map(|(x, y)| format!("(= {x} {y})")),
        (term(), 0..3).prop_map(|(x, n)| format!("(> (f {x}) {n})")),
    ];
    let variables = || prop::sample::select(vec!["?u", "?v - t", "?u ?w", "?w - u ?v", "?u ?v ?w", ""]);
    leaf.prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|parts| format!("(and {})", parts.join(" "))),
            prop::collection::vec(inner.clone(), 0..4).prop_map(|parts| format!("(or {})", parts.join(" "))),
            inner.clone().prop_map(|part| format!("(not {part})")),
            (inner.clone(), inner.clone()).prop_map(|(one, other)| format!("(imply {one} {other})")),
            (variables(), inner.clone()).prop_map(|(vars, part)| format!("(exists ({vars}) {part})")),
            (variables(), inner).prop_map(|(vars, part)| format!("(forall ({vars}) {part})")),
        ]
    })
}

/// The slow twin: no look-ahead, all instances made.
fn holds(
    problem: &Problem,
    condition: &Condition,
    wanted: bool,
    values: &IdVec<VariableId, ObjectId>,
) -> bool {
    let object = |term: Term| match term {
        Term::Object(object) => object,
        Term::Variable(variable) => values[variable],
    };
    let parts_hold = |parts: &[Condition], all: bool| {
        let held = parts.iter().filter(|part| holds(problem, part, wanted, values)).count();
        if all { held == parts.len() } else { held > 0 }
    };
    let instances_hold = |variables: &[VariableId], part: &Condition, all: bool| {
        let mut instances = vec![values.clone()];
        for &variable in variables {
            let extent = problem.extent(&problem.goal.schema.variables[variable].types);
            instances = instances
                .into_iter()
                .flat_map(|instance| {
                    extent.iter().map(move |&object| {
                        let mut instance = instance.clone();
                        instance[variable] = object;
                        instance
                    })
                })
                .collect();
        }
        let held = instances.iter().filter(|values| holds(problem, part, wanted, values)).count();
        if all { held == instances.len() } else { held > 0 }
    };
    match condition {
        Condition::And(parts) => parts_hold(parts, wanted),
        Condition::Or(parts) => parts_hold(parts, !wanted),
        Condition::Not(part) => holds(problem, part, !wanted, values),
        Condition::Forall(variables, part) => instances_hold(variables, part, wanted),
        Condition::Exists(variables, part) => instances_hold(variables, part, !wanted),
        Condition::Atom(atom, _) => {
            let arguments = atom.arguments.iter().map(|&term| object(term)).collect();
            problem.init.contains(&GroundAtom { predicate: atom.predicate, arguments }) == wanted
        }
        Condition::Equal(left, right) => (object(*left) == object(*right)) == wanted,
        Condition::Compare(_, Expression::Fluent(fluent, _), Expression::Number(number), _) => {
            let arguments = fluent.arguments.iter().map(|&term| object(term)).collect();
            let fluent = GroundFluent { function: fluent.function, arguments };
            let value = problem.values.iter().find(|(known, _)| *known == fluent).map(|(_, value)| value);
            value.is_some_and(|value| (value > number) == wanted)
        }
        other => panic!("no formula of ours: {other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_checker_agrees_with_its_slow_twin(formula in formula(), outer in "(forall|exists)") {
        let problem = problem(&format!("({outer} (?u) (exists (?v ?w) {formula}))"));
        let some_object = problem.objects.ids().next().expect("there are objects");
        let values = IdVec::filled(some_object, problem.goal.schema.variables.len());
        let expected = holds(&problem, &problem.goal.condition, true, &values);
        let result = check_plan(&problem, &[], &Budget::unlimited());
        prop_assert_eq!(result.is_ok(), expected, "{:?}", result);
    }

    #[test]
    fn what_is_blamed_does_not_hold(formula in formula()) {
        let whole = problem(&format!("(forall (?u ?v ?w) {formula})"));
        if let Err(flaw) = check_plan(&whole, &[], &Budget::unlimited()) {
            let Flaw::Goal { unmet } = flaw else { panic!("only the goal can fail: {flaw}") };
            let blamed = check_plan(&problem(&unmet.condition), &[], &Budget::unlimited());
            prop_assert!(blamed.is_err(), "{}", unmet.condition);
        }
    }

    #[test]
    fn any_plan_file_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60), text in "[()a-c0-9:;.\\[\\] ]{0,40}") {
        let problem = problem("(p a)");
        let mut sources = Sources::default();
        let files = [sources.add_bytes("bytes", bytes), sources.add("text", text)];
        for file in files {
            if let Err(errors) = read_plan(&sources, file, &problem) {
                prop_assert!(errors.iter().all(|error| !error.diagnostic().labels.is_empty()));
            }
        }
    }
}
