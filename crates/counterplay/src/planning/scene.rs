//! What a problem and a plan look like, state by state: for pictures.

use std::collections::BTreeSet;

use counterplay_base::Budget;
use counterplay_check::{Flaw, PlanError, read_plan, trace_plan};
use counterplay_pddl::model::{self, Condition, GroundAtom, Term};
use counterplay_policy::graph::PolicyState;
use serde::Serialize;

use crate::error::{Error, Halt};
use crate::problem::{LiftedProblem, Problem};

/// Objects, the atoms that are true at the start, and what each step of a plan changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scene {
    /// The name of the domain.
    pub domain: String,
    /// The name of the problem.
    pub problem: String,
    /// Constants of the domain, then objects of the problem.
    pub objects: Vec<SceneObject>,
    /// The atoms that are true at the start, such as `(on a b)`.
    pub initial: Vec<String>,
    /// The atoms that the goal wants to be true. Other conditions of the goal are left out.
    pub goal: Vec<String>,
    /// What each step of the plan changes.
    pub steps: Vec<SceneChange>,
}

/// An object with its most special type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SceneObject {
    pub name: String,
    /// The name of its type; several are joined by `|`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// What a step changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SceneChange {
    /// Atoms that are true after the step and were not before.
    pub add: Vec<String>,
    /// Atoms that were true before the step and are not after it.
    pub delete: Vec<String>,
}

/// The states that a policy can reach, the initial one first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PolicyStates {
    pub states: Vec<ReachedState>,
    /// Whether these are all.
    pub whole: bool,
}

/// A state that a policy can reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReachedState {
    /// The atoms that are true, of those that can change.
    pub atoms: Vec<String>,
    /// The action of the policy; null at the goal.
    pub action: Option<String>,
    /// Whether the goal holds.
    pub goal: bool,
    /// Where the outcomes of the action lead.
    pub next: Vec<usize>,
}

impl PolicyStates {
    pub(super) fn new(states: Vec<PolicyState>, whole: bool) -> PolicyStates {
        let state = |state: PolicyState| ReachedState {
            atoms: state.atoms,
            action: state.action,
            goal: state.is_goal,
            next: state.next,
        };
        PolicyStates { states: states.into_iter().map(state).collect(), whole }
    }
}

/// The scene of a problem with the steps of a plan, each as `(op a b)`. The plan may be empty.
///
/// # Errors
/// A finite task, which has no objects; a plan that does not fit; or the limit that was reached.
pub fn scene(problem: &Problem, plan: &[String], budget: &Budget) -> Result<Scene, Halt> {
    let Problem::Lifted(lifted) = problem else {
        return Err(Error::request("a finite task has no objects", "give PDDL files").into());
    };
    lifted.scene(plan, budget)
}

impl LiftedProblem {
    fn scene(&self, plan: &[String], budget: &Budget) -> Result<Scene, Halt> {
        let problem = &self.problem;
        let mut sources = self.sources.clone();
        let file = sources.add("plan", &*plan.join("\n"));
        let steps = read_plan(&sources, file, problem).map_err(|errors| Error::Input {
            sources: sources.clone(),
            diagnostics: errors.iter().map(PlanError::diagnostic).collect(),
        })?;
        let states = trace_plan(problem, &steps, budget).map_err(|flaw| match flaw {
            Flaw::Stopped { limit } => Halt::Limit(limit),
            flaw => Error::Request { message: flaw.to_string(), help: None }.into(),
        })?;
        let texts = |atoms: Vec<&GroundAtom>| atoms.into_iter().map(|atom| problem.atom_text(atom)).collect();
        let without =
            |one: &BTreeSet<GroundAtom>, other: &BTreeSet<GroundAtom>| texts(one.difference(other).collect());
        let changes = states.windows(2).map(|pair| SceneChange {
            add: without(&pair[1], &pair[0]),
            delete: without(&pair[0], &pair[1]),
        });
        let objects = problem
            .objects
            .iter()
            .map(|object| SceneObject { name: object.name.clone(), kind: problem.types_text(&object.types) });
        Ok(Scene {
            domain: problem.domain.clone(),
            problem: problem.name.clone(),
            objects: objects.collect(),
            initial: texts(states[0].iter().collect()),
            goal: goal_atoms(problem),
            steps: changes.collect(),
        })
    }
}

/// The positive atoms among the conjuncts of the goal.
fn goal_atoms(problem: &model::Problem) -> Vec<String> {
    let mut open = vec![&problem.goal.condition];
    let mut found = Vec::new();
    while let Some(condition) = open.pop() {
        match condition {
            Condition::And(parts) => open.extend(parts.iter().rev()),
            Condition::Atom(atom, _) => {
                let object = |term: &Term| match term {
                    Term::Object(object) => Some(*object),
                    Term::Variable(_) => None,
                };
                if let Some(arguments) = atom.arguments.iter().map(object).collect::<Option<Vec<_>>>() {
                    found.push(problem.atom_text(&GroundAtom { predicate: atom.predicate, arguments }));
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOMAIN: &str = "(define (domain lamp) (:predicates (lit ?x) (dark ?x))
        (:action switch :parameters (?x) :precondition (dark ?x) :effect (and (lit ?x) (not (dark ?x)))))";
    const TASK: &str = "(define (problem two) (:domain lamp) (:objects a b) (:init (dark a) (dark b)) (:goal (and (lit a) (lit b))))";

    #[test]
    fn a_scene_tells_what_each_step_changes() {
        let problem = Problem::read(DOMAIN, TASK).unwrap();
        let plan = ["(switch a)".to_owned()];
        let scene = scene(&problem, &plan, &Budget::unlimited()).unwrap();
        assert_eq!(scene.initial, ["(dark a)", "(dark b)"]);
        assert_eq!(scene.goal, ["(lit a)", "(lit b)"]);
        assert_eq!(
            scene.steps,
            [SceneChange { add: vec!["(lit a)".into()], delete: vec!["(dark a)".into()] }]
        );
        assert_eq!(scene.objects[1].name, "b");
    }

    #[test]
    fn a_plan_that_cannot_be_carried_out_is_refused() {
        let problem = Problem::read(DOMAIN, TASK).unwrap();
        let twice = ["(switch a)".to_owned(), "(switch a)".to_owned()];
        assert!(matches!(scene(&problem, &twice, &Budget::unlimited()), Err(Halt::Error(_))));
    }
}
