//! The all-outcomes determinisation, still with variables.
//!
//! Choices side by side multiply; a choice under `forall` is made anew for each object, so such a `forall` is
//! written out; a choice under `when` is made only where the condition holds, and elsewhere its outcomes are the
//! same.

use counterplay_pddl::model::*;
use counterplay_pddl::print::Printer;
use counterplay_syntax::Span;
use rustc_hash::FxHashMap;

use super::START;
use crate::Error;
use crate::substitute::{Substitution, object_for};

/// An action with more outcomes than this is refused.
const MOST: usize = 4096;

/// A problem without choices, and how many outcomes each action has.
pub(super) struct Determinised {
    pub(super) problem: Problem,
    /// By the name of the action. Its outcomes are called `name;0`, `name;1` and so on.
    pub(super) outcomes: FxHashMap<String, usize>,
}

/// Replaces every action by one for each of its outcomes.
pub(super) fn determinise(problem: &Problem) -> Result<Determinised, Error> {
    let mut problem = problem.clone();
    if !problem.init_choices.is_empty() {
        add_start(&mut problem);
    }
    let mut outcomes = FxHashMap::default();
    let actions = std::mem::take(&mut problem.actions);
    for action in &actions {
        let effects = outcomes_of(&problem, action)?;
        outcomes.insert(action.name.clone(), effects.len());
        for (number, effect) in effects.into_iter().enumerate() {
            let name = format!("{};{number}", action.name);
            problem.actions.push(Action { name, effect, ..action.clone() });
        }
    }
    Ok(Determinised { problem, outcomes })
}

/// What an action may do: effects without choices. Refuses too many, and an outcome that contradicts itself.
pub fn outcomes_of(problem: &Problem, action: &Action) -> Result<Vec<Effect>, Error> {
    let too_many = || Error::TooManyOutcomes { action: action.name.clone(), most: MOST, at: action.at };
    let outcomes = Expansion { problem, action }.effect(&action.effect).ok_or_else(too_many)?;
    if action.effect.has_choice() {
        outcomes.iter().try_for_each(|outcome| refuse_contradiction(problem, action, outcome))?;
    }
    Ok(outcomes)
}

struct Expansion<'a> {
    problem: &'a Problem,
    action: &'a Action,
}

impl Expansion<'_> {
    /// The outcomes of an effect; `None` if they are too many.
    fn effect(&self, effect: &Effect) -> Option<Vec<Effect>> {
        match effect {
            _ if !effect.has_choice() => Some(vec![effect.clone()]),
            Effect::And(parts) => {
                let parts = parts.iter().map(|part| self.effect(part)).collect::<Option<Vec<_>>>()?;
                product(parts)
            }
            Effect::OneOf(parts, _) => {
                let parts = parts.iter().map(|part| self.effect(part)).collect::<Option<Vec<_>>>()?;
                let all: Vec<Effect> = parts.into_iter().flatten().collect();
                (all.len() <= MOST).then_some(all)
            }
            Effect::When(condition, part) => {
                let outcomes = self.effect(part)?.into_iter();
                Some(outcomes.map(|part| Effect::When(condition.clone(), Box::new(part))).collect())
            }
            Effect::Forall(variables, part) => self.for_all(variables, part),
            Effect::Add(..) | Effect::Delete(..) | Effect::Change(..) => {
                unreachable!("these hold no choice")
            }
        }
    }

    fn for_all(&self, variables: &[VariableId], part: &Effect) -> Option<Vec<Effect>> {
        let Some((&variable, rest)) = variables.split_first() else { return self.effect(part) };
        let extent = self.problem.extent(&self.action.schema.variables[variable].types);
        let parts = extent
            .into_iter()
            .map(|object| self.for_all(rest, &Substitution(&object_for(variable, object)).effect(part)));
        product(parts.collect::<Option<Vec<_>>>()?)
    }
}

/// Every combination, one outcome of each part.
fn product(parts: Vec<Vec<Effect>>) -> Option<Vec<Effect>> {
    let mut all: Vec<Vec<Effect>> = vec![Vec::new()];
    for part in parts {
        if all.len().saturating_mul(part.len()) > MOST {
            return None;
        }
        let longer = all.iter().flat_map(|begun| {
            part.iter().map(move |outcome| {
                let mut longer = begun.clone();
                longer.push(outcome.clone());
                longer
            })
        });
        all = longer.collect();
    }
    Some(all.into_iter().map(Effect::And).collect())
}

/// Refuses an outcome that says of one and the same atom, as written, that it becomes true and false.
fn refuse_contradiction(problem: &Problem, action: &Action, outcome: &Effect) -> Result<(), Error> {
    let mut literals = Vec::new();
    unconditional(outcome, &mut literals);
    let added: FxHashMap<&Atom, Span> =
        literals.iter().filter(|(_, adds, _)| *adds).map(|&(atom, _, at)| (atom, at)).collect();
    let clash = literals.iter().find_map(|&(atom, adds, contrary)| {
        let at = *added.get(atom).filter(|_| !adds)?;
        Some((atom, at, contrary))
    });
    let Some((atom, at, contrary)) = clash else { return Ok(()) };
    let condition = Condition::Atom(atom.clone(), at);
    let atom = Printer::new(problem, &action.schema).condition(&condition);
    Err(Error::Contradiction { action: action.name.clone(), atom, at, contrary })
}

fn unconditional<'e>(effect: &'e Effect, out: &mut Vec<(&'e Atom, bool, Span)>) {
    match effect {
        Effect::And(parts) => parts.iter().for_each(|part| unconditional(part, out)),
        Effect::Add(atom, at) => out.push((atom, true, *at)),
        Effect::Delete(atom, at) => out.push((atom, false, *at)),
        _ => {}
    }
}

/// Adds the action that picks the initial state. Nothing else can happen before it, and the goal does not count.
fn add_start(problem: &mut Problem) {
    let choices = std::mem::take(&mut problem.init_choices);
    let at = choices[0].at;
    let predicate = problem.predicates.push(Predicate {
        name: START.to_owned(),
        parameters: Vec::new(),
        derived: false,
        at,
    });
    let begun = || Atom { predicate, arguments: Vec::new() };
    let not_begun = || Condition::Not(Box::new(Condition::Atom(begun(), at)));
    let also = |condition: &mut Condition| {
        let own = std::mem::replace(condition, Condition::And(Vec::new()));
        *condition = Condition::And(vec![not_begun(), own]);
    };
    let actions = problem.actions.ids();
    actions.for_each(|action: ActionId| also(&mut problem.actions[action].precondition));
    also(&mut problem.goal.condition);
    let mut parts = vec![Effect::Delete(begun(), at)];
    for choice in choices {
        let alternatives = choice.alternatives.into_iter().map(|atoms| {
            let adds = atoms.into_iter().map(|atom| {
                let arguments = atom.arguments.into_iter().map(Term::Object).collect();
                Effect::Add(Atom { predicate: atom.predicate, arguments }, choice.at)
            });
            Effect::And(adds.collect())
        });
        parts.push(Effect::OneOf(alternatives.collect(), choice.at));
    }
    problem.init.push(GroundAtom { predicate, arguments: Vec::new() });
    problem.actions.push(Action {
        name: START.to_owned(),
        schema: Schema::default(),
        precondition: Condition::Atom(begun(), at),
        effect: Effect::And(parts),
        at,
    });
}
