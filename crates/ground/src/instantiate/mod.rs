//! From reachable tuples to ground operators and axioms.
//!
//! Each tuple of an action's relation gives one operator, or several if its precondition is disjunctive (see
//! [`split`]), or none if its condition turns out false or it changes nothing. Derived
//! atoms get an axiom for each way in which a rule makes them true.

mod condition;
mod cost;
mod ground;
mod operator;
mod split;

use counterplay_base::{Budget, BudgetPoll, Id, IdVec};
use counterplay_pddl::model::{ActionId, PredicateId};

use crate::Error;
use crate::datalog::Symbol;
use crate::explore::Explored;
use crate::lifted::{Kind, NormalisedProblem};
use crate::propositional::{AtomId, Axiom, Origin, Propositional, Soft};
use condition::{Compiler, Evaluator};
use cost::Costs;
use operator::Schema;
use split::{Place, Splitter};

pub(crate) use ground::is_subset;

/// Makes the ground problem. Operators that change nothing are left out, unless `keeps_idle`.
pub(crate) fn instantiate(
    lifted: &NormalisedProblem<'_>,
    explored: &mut Explored,
    keeps_idle: bool,
    budget: &Budget,
) -> Result<Propositional, Error> {
    let mut out = Propositional { keeps_idle, ..Propositional::default() };
    let first = number_atoms(lifted, explored, &mut out);
    let mut splitter = Splitter::default();
    let mut costs = Costs::new(lifted)?;
    for (at, action) in lifted.actions.iter().enumerate() {
        let mut compiler = Compiler { lifted, explored, first: &first, budget };
        let mut schema = Schema::new(action, &mut compiler)?;
        schema.instantiate(ActionId::new(at), explored, &mut costs, &mut splitter, &mut out, budget)?;
    }
    instantiate_axioms(lifted, explored, &first, &mut splitter, &mut out, budget)?;
    let mut compiler = Compiler { lifted, explored, first: &first, budget };
    let mut goal = compiler.condition(&lifted.goal, &lifted.goal_variables)?;
    let mut evaluator = Evaluator { database: &explored.database, budget, tuple: Vec::new() };
    let goal = evaluator.evaluate(&mut goal, &mut vec![0; lifted.goal_variables.len()])?;
    out.goal = splitter.conjunction(&goal, Place::Step, &mut out);
    for soft in &lifted.soft {
        let mut compiler = Compiler { lifted, explored, first: &first, budget };
        let mut condition = compiler.condition(&soft.condition, &lifted.goal_variables)?;
        let mut evaluator = Evaluator { database: &explored.database, budget, tuple: Vec::new() };
        let formula = evaluator.evaluate(&mut condition, &mut vec![0; lifted.goal_variables.len()])?;
        let alternatives = splitter.split(&formula, Place::Step, &mut out);
        out.soft.push(Soft { alternatives, weight: soft.weight });
    }
    Ok(out)
}

/// Gives a number to each reachable atom that actions or axioms may change.
fn number_atoms(
    lifted: &NormalisedProblem<'_>,
    explored: &Explored,
    out: &mut Propositional,
) -> IdVec<PredicateId, AtomId> {
    let mut first = IdVec::new();
    for (predicate, &kind) in lifted.kinds.enumerate() {
        first.push(AtomId::new(out.atoms.len()));
        if kind == Kind::Static {
            continue;
        }
        for number in 0..explored.database.relation(explored.predicates[predicate]).len() {
            out.atoms.push(Origin::Predicate(predicate, number as u32));
            out.initial.push(false);
            out.derived.push(kind == Kind::Derived);
        }
    }
    let mut tuple: Vec<Symbol> = Vec::new();
    for atom in &lifted.problem.init {
        if lifted.kinds[atom.predicate] == Kind::Fluent {
            tuple.clear();
            tuple.extend(atom.arguments.iter().map(|&object| crate::lifted::symbol(object)));
            let relation = explored.database.relation(explored.predicates[atom.predicate]);
            let number = relation.find(&tuple).expect("initial atoms are reachable");
            out.initial[AtomId::new(first[atom.predicate].index() + number)] = true;
        }
    }
    first
}

fn instantiate_axioms(
    lifted: &NormalisedProblem<'_>,
    explored: &mut Explored,
    first: &IdVec<PredicateId, AtomId>,
    splitter: &mut Splitter,
    out: &mut Propositional,
    budget: &Budget,
) -> Result<(), Error> {
    let mut poll = BudgetPoll::every(256);
    for axiom in &lifted.axioms {
        let mut compiler = Compiler { lifted, explored, first, budget };
        let mut body = compiler.condition(&axiom.body, &axiom.variables)?;
        let relation = explored.database.relation(explored.predicates[axiom.head]);
        let mut evaluator = Evaluator { database: &explored.database, budget, tuple: Vec::new() };
        let mut binding: Vec<Symbol> = vec![0; axiom.variables.len()];
        for (number, tuple) in relation.tuples().enumerate() {
            poll.step(budget)?;
            // Rules of one predicate may restrict its parameters differently.
            let fits = |at: usize| {
                let sort = explored.sorts[axiom.variables[counterplay_pddl::model::VariableId::new(at)]];
                explored.database.relation(sort).find(&[tuple[at]]).is_some()
            };
            if !(0..axiom.parameters).all(fits) {
                continue;
            }
            binding[..axiom.parameters].copy_from_slice(tuple);
            let formula = evaluator.evaluate(&mut body, &mut binding)?;
            let head = AtomId::new(first[axiom.head].index() + number);
            for literals in splitter.split(&formula, Place::Axiom, out) {
                let body = out.store(&literals);
                out.axioms.push(Axiom { body, head });
            }
        }
    }
    Ok(())
}
