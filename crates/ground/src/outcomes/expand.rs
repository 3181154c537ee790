//! The all-outcomes determinisation, still with variables.
//!
//! Choices side by side multiply; a choice under `forall` is made anew for each object, so such a `forall` is
//! written out; a choice under `when` is made only where the condition holds, and elsewhere its outcomes are the
//! same.

use counterplay_pddl::model::*;
use num_traits::CheckedMul;
use rustc_hash::FxHashMap;

use crate::Error;
use crate::substitute::{Substitution, object_for};
use counterplay_task::START;

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

/// What an action may do: effects without choices; refuses too many. Within an outcome adding wins over deleting, as it does
/// in an effect without choices.
pub fn outcomes_of(problem: &Problem, action: &Action) -> Result<Vec<Effect>, Error> {
    let too_many = || Error::TooManyOutcomes { action: action.name.clone(), most: MOST, at: action.at };
    let outcomes = Expansion { problem, action }.effect(&action.effect).ok_or_else(too_many)?;
    Ok(outcomes.into_iter().map(|(effect, _)| effect).collect())
}

/// The same with probabilities; `None` for those whose fraction has too many digits. Where the text gives none, the
/// alternatives are equally likely.
pub(super) fn outcomes_with_odds(
    problem: &Problem,
    action: &Action,
) -> Result<Vec<(Effect, Option<Number>)>, Error> {
    let too_many = || Error::TooManyOutcomes { action: action.name.clone(), most: MOST, at: action.at };
    Expansion { problem, action }.effect(&action.effect).ok_or_else(too_many)
}

/// What may happen, and with which probability; `None` for a fraction with too many digits.
type Weighted = (Effect, Option<Number>);

struct Expansion<'a> {
    problem: &'a Problem,
    action: &'a Action,
}

impl Expansion<'_> {
    /// The outcomes of an effect; `None` if they are too many.
    fn effect(&self, effect: &Effect) -> Option<Vec<Weighted>> {
        match effect {
            _ if !effect.has_choice() => Some(vec![(effect.clone(), Some(Number::from(1)))]),
            Effect::And(parts) => {
                let parts = parts.iter().map(|part| self.effect(part)).collect::<Option<Vec<_>>>()?;
                product(parts)
            }
            Effect::OneOf(parts, nature) => {
                let equal = Number::new(1, parts.len() as i128);
                let mut all: Vec<Weighted> = Vec::new();
                for (at, part) in parts.iter().enumerate() {
                    let own = nature.odds.as_ref().map_or(equal, |odds| odds[at]);
                    let outcomes = self.effect(part)?.into_iter();
                    all.extend(outcomes.map(|(effect, odds)| (effect, times(odds, Some(own)))));
                }
                (all.len() <= MOST).then_some(all)
            }
            Effect::When(condition, part) => {
                let outcomes = self.effect(part)?.into_iter();
                let under = |(part, odds)| (Effect::When(condition.clone(), Box::new(part)), odds);
                Some(outcomes.map(under).collect())
            }
            Effect::Forall(variables, part) => self.for_all(variables, part),
            Effect::Add(..) | Effect::Delete(..) | Effect::Change(..) => {
                unreachable!("these hold no choice")
            }
        }
    }

    fn for_all(&self, variables: &[VariableId], part: &Effect) -> Option<Vec<Weighted>> {
        let Some((&variable, rest)) = variables.split_first() else { return self.effect(part) };
        let extent = self.problem.extent(&self.action.schema.variables[variable].types);
        let parts = extent
            .into_iter()
            .map(|object| self.for_all(rest, &Substitution(&object_for(variable, object)).effect(part)));
        product(parts.collect::<Option<Vec<_>>>()?)
    }
}

/// Every combination, one outcome of each part.
fn product(parts: Vec<Vec<Weighted>>) -> Option<Vec<Weighted>> {
    let mut all: Vec<(Vec<Effect>, Option<Number>)> = vec![(Vec::new(), Some(Number::from(1)))];
    for part in parts {
        if all.len().saturating_mul(part.len()) > MOST {
            return None;
        }
        let longer = all.iter().flat_map(|(begun, odds)| {
            part.iter().map(move |(outcome, more)| {
                let mut longer = begun.clone();
                longer.push(outcome.clone());
                (longer, times(*odds, *more))
            })
        });
        all = longer.collect();
    }
    Some(all.into_iter().map(|(parts, odds)| (Effect::And(parts), odds)).collect())
}

fn times(one: Option<Number>, other: Option<Number>) -> Option<Number> {
    one?.checked_mul(&other?)
}

/// Adds the action that picks the initial state. Nothing else can happen before it, and the goal does not count.
pub(crate) fn add_start(problem: &mut Problem) {
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
        parts.push(Effect::OneOf(alternatives.collect(), Nature::unknown(choice.at)));
    }
    problem.init.push(GroundAtom { predicate, arguments: Vec::new() });
    problem.actions.push(Action {
        name: START.to_owned(),
        schema: Schema::default(),
        precondition: Condition::Atom(begun(), at),
        effect: Effect::And(parts),
        observe: Vec::new(),
        at,
    });
}
