//! What the actions that a policy names need and do, as formulas over numbered atoms.

use std::collections::{HashMap, HashSet};

use counterplay_base::Limit;
use counterplay_pddl::model::*;
use counterplay_pddl::print::Binding;

use crate::evaluate::{CheckContext, ground_atom, unbound};
use crate::plan_file::Step;

/// A condition on atoms that change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Formula {
    Constant(bool),
    /// An atom, and whether it is to be true.
    Literal(u32, bool),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    /// The atoms that are true wherever it holds, as far as one sees at once.
    pub(crate) fn certain(&self) -> Vec<u32> {
        match self {
            Formula::Literal(atom, true) => vec![*atom],
            Formula::All(parts) => parts.iter().flat_map(Formula::certain).collect(),
            Formula::Constant(_) | Formula::Literal(_, false) | Formula::Any(_) => Vec::new(),
        }
    }
}

/// An atom gets a value, if the guard held before.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) guard: Formula,
    pub(crate) atom: u32,
    pub(crate) value: bool,
}

/// An action with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct GroundAction {
    pub(crate) precondition: Formula,
    /// One list of changes for each way in which nature can choose.
    pub(crate) outcomes: Vec<Vec<Change>>,
}

/// Why a problem does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// Numbers or derived predicates in conditions, or very many outcomes.
    Kind,
    Stopped(Limit),
}

impl From<Limit> for Unfit {
    fn from(limit: Limit) -> Unfit {
        Unfit::Stopped(limit)
    }
}

/// Most outcomes of an action that are told apart.
const MOST_OUTCOMES: usize = 4096;

/// Numbers atoms and instantiates what is written about them.
pub(crate) struct Grounder<'a> {
    world: &'a CheckContext<'a>,
    changing: HashSet<PredicateId>,
    fixed: HashSet<&'a GroundAtom>,
    derived: HashSet<PredicateId>,
    pub(crate) atoms: Vec<GroundAtom>,
    number: HashMap<GroundAtom, u32>,
}

impl<'a> Grounder<'a> {
    pub(crate) fn new(world: &'a CheckContext<'a>, changing: HashSet<PredicateId>) -> Grounder<'a> {
        Grounder {
            world,
            changing,
            fixed: world.problem.init.iter().collect(),
            derived: world.problem.axioms.iter().map(|axiom| axiom.head).collect(),
            atoms: Vec::new(),
            number: HashMap::new(),
        }
    }

    /// Whether some action changes atoms of a predicate.
    pub(crate) fn changes(&self, predicate: PredicateId) -> bool {
        self.changing.contains(&predicate)
    }

    pub(crate) fn number(&mut self, atom: GroundAtom) -> u32 {
        if let Some(&known) = self.number.get(&atom) {
            return known;
        }
        let number = self.atoms.len() as u32;
        self.atoms.push(atom.clone());
        self.number.insert(atom, number);
        number
    }

    /// That an atom has a value.
    pub(crate) fn literal(&mut self, atom: GroundAtom, value: bool) -> Result<Formula, Unfit> {
        if self.derived.contains(&atom.predicate) {
            return Err(Unfit::Kind);
        }
        Ok(match self.changing.contains(&atom.predicate) {
            true => Formula::Literal(self.number(atom), value),
            false => Formula::Constant(self.fixed.contains(&atom) == value),
        })
    }

    pub(crate) fn goal(&mut self) -> Result<Formula, Unfit> {
        let goal = &self.world.problem.goal;
        self.condition(&goal.schema, &goal.condition, true, &mut unbound(&goal.schema))
    }

    /// An action with its arguments; `None` if these have the wrong types.
    pub(crate) fn action(&mut self, step: &Step) -> Result<Option<GroundAction>, Unfit> {
        let action = &self.world.problem.actions[step.action];
        let mut binding = unbound(&action.schema);
        for ((id, variable), &argument) in action.schema.variables.enumerate().zip(&step.arguments) {
            if !self.world.problem.belongs(argument, &variable.types) {
                return Ok(None);
            }
            binding[id] = Some(argument);
        }
        let precondition = self.condition(&action.schema, &action.precondition, true, &mut binding)?;
        let guard = Formula::Constant(true);
        let outcomes = self.outcomes(&action.schema, &action.effect, &guard, &mut binding)?;
        Ok(Some(GroundAction { precondition, outcomes }))
    }

    fn condition(
        &mut self,
        schema: &Schema,
        condition: &Condition,
        wanted: bool,
        binding: &mut Binding,
    ) -> Result<Formula, Unfit> {
        let mut parts = Vec::new();
        let is_all = match condition {
            Condition::And(given) | Condition::Or(given) => {
                for part in given {
                    parts.push(self.condition(schema, part, wanted, binding)?);
                }
                matches!(condition, Condition::And(_)) == wanted
            }
            Condition::Forall(variables, part) | Condition::Exists(variables, part) => {
                self.for_each(schema, variables, binding, &mut |own, binding| {
                    parts.push(own.condition(schema, part, wanted, binding)?);
                    Ok(())
                })?;
                matches!(condition, Condition::Forall(..)) == wanted
            }
            Condition::Not(part) => return self.condition(schema, part, !wanted, binding),
            Condition::Atom(atom, _) => return self.literal(ground_atom(atom, binding), wanted),
            Condition::Equal(left, right) => {
                let object = |term: &Term| match term {
                    Term::Object(object) => Some(*object),
                    Term::Variable(variable) => binding[*variable],
                };
                return Ok(Formula::Constant((object(left) == object(right)) == wanted));
            }
            Condition::Compare(..) => return Err(Unfit::Kind),
            Condition::Preference(..) => return Ok(Formula::Constant(wanted)),
        };
        Ok(gather(parts, is_all))
    }

    /// Does something for all values of variables, which are unbound before and after.
    fn for_each(
        &mut self,
        schema: &Schema,
        variables: &[VariableId],
        binding: &mut Binding,
        visit: &mut dyn FnMut(&mut Self, &mut Binding) -> Result<(), Unfit>,
    ) -> Result<(), Unfit> {
        self.world.budget.check()?;
        let Some((&first, rest)) = variables.split_first() else { return visit(self, binding) };
        for object in self.world.problem.extent(&schema.variables[first].types) {
            binding[first] = Some(object);
            self.for_each(schema, rest, binding, visit)?;
        }
        binding[first] = None;
        Ok(())
    }

    fn outcomes(
        &mut self,
        schema: &Schema,
        effect: &Effect,
        guard: &Formula,
        binding: &mut Binding,
    ) -> Result<Vec<Vec<Change>>, Unfit> {
        match effect {
            Effect::And(parts) => {
                let mut all = vec![Vec::new()];
                for part in parts {
                    all = both(&all, &self.outcomes(schema, part, guard, binding)?)?;
                }
                Ok(all)
            }
            Effect::Forall(variables, part) => {
                let mut all = vec![Vec::new()];
                self.for_each(schema, variables, binding, &mut |own, binding| {
                    all = both(&all, &own.outcomes(schema, part, guard, binding)?)?;
                    Ok(())
                })?;
                Ok(all)
            }
            // Where the condition fails, all ways of the part do the same: nothing.
            Effect::When(condition, part) => {
                let own = self.condition(schema, condition, true, binding)?;
                let guard = gather(vec![guard.clone(), own], true);
                self.outcomes(schema, part, &guard, binding)
            }
            Effect::OneOf(parts, _) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.outcomes(schema, part, guard, binding)?);
                }
                if all.len() > MOST_OUTCOMES { Err(Unfit::Kind) } else { Ok(all) }
            }
            Effect::Add(atom, _) | Effect::Delete(atom, _) => {
                let value = matches!(effect, Effect::Add(..));
                let atom = self.number(ground_atom(atom, binding));
                Ok(vec![vec![Change { guard: guard.clone(), atom, value }]])
            }
            Effect::Change(..) => Ok(vec![Vec::new()]),
        }
    }
}

/// All of the parts, or any of them.
fn gather(parts: Vec<Formula>, is_all: bool) -> Formula {
    if parts.contains(&Formula::Constant(!is_all)) {
        return Formula::Constant(!is_all);
    }
    let mut parts: Vec<Formula> =
        parts.into_iter().filter(|part| *part != Formula::Constant(is_all)).collect();
    match parts.len() {
        0 => Formula::Constant(is_all),
        1 => parts.remove(0),
        _ if is_all => Formula::All(parts),
        _ => Formula::Any(parts),
    }
}

/// Every way of the first with every way of the second.
fn both(first: &[Vec<Change>], second: &[Vec<Change>]) -> Result<Vec<Vec<Change>>, Unfit> {
    if first.len().saturating_mul(second.len()) > MOST_OUTCOMES {
        return Err(Unfit::Kind);
    }
    let pairs = first.iter().flat_map(|one| second.iter().map(move |other| [&one[..], other].concat()));
    Ok(pairs.collect())
}
