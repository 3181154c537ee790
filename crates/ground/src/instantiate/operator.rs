//! The operators of one action.

use counterplay_base::{Budget, BudgetPoll, Id, Limit};
use counterplay_pddl::model::{ActionId, Number};
use rustc_hash::FxHashMap;

use super::condition::{Candidates, Compiler, Condition, Evaluator, Pattern};
use super::cost::{Costs, NoCost};
use super::ground::{Ground, is_subset};
use super::split::{Place, Splitter};
use crate::Error;
use crate::datalog::{Database, Symbol};
use crate::explore::Explored;
use crate::lifted::{Formula, Kind, LiftedAction, LiftedEffect};
use crate::propositional::{Effect, Literal, Operator, Propositional, Stretch, tidy};

/// An action made ready to be instantiated.
pub(super) struct Schema<'a> {
    action: &'a LiftedAction,
    /// The conjuncts of the precondition that are fluent literals.
    literals: Vec<(Pattern, bool)>,
    /// The conjuncts that are more than a literal. Static literals are not here: the tuples satisfy them.
    formulas: Vec<Condition>,
    effects: Vec<EffectSchema>,
}

/// An effect made ready.
struct EffectSchema {
    atom: Pattern,
    adds: bool,
    /// Without variables and condition it always happens.
    when: Option<(Candidates, Condition)>,
}

/// The effects of the operator at hand.
#[derive(Default)]
struct Scratch {
    precondition: Vec<Literal>,
    effects: Vec<(Literal, Vec<Literal>)>,
    kept: Vec<(Literal, Vec<Literal>)>,
}

impl<'a> Schema<'a> {
    pub(super) fn new(action: &'a LiftedAction, compiler: &mut Compiler<'_>) -> Result<Schema<'a>, Limit> {
        let mut schema = Schema { action, literals: vec![], formulas: vec![], effects: vec![] };
        for part in action.precondition.conjuncts() {
            match part {
                Formula::Equal(..) => {}
                Formula::Literal(atom, _) if compiler.lifted.kinds[atom.predicate] == Kind::Static => {}
                Formula::Literal(atom, positive) => {
                    schema.literals.push((compiler.pattern(atom), *positive));
                }
                other => schema.formulas.push(compiler.condition(other, &action.variables)?),
            }
        }
        for effect in &action.effects {
            let always = effect.variables.is_empty() && effect.condition == Formula::TRUE;
            let when = if always {
                None
            } else {
                let LiftedEffect { variables, condition, .. } = effect;
                let candidates = compiler.candidates(variables, condition, &action.variables)?;
                Some((candidates, compiler.condition(condition, &action.variables)?))
            };
            let atom = compiler.pattern(&effect.atom);
            schema.effects.push(EffectSchema { atom, adds: effect.adds, when });
        }
        Ok(schema)
    }

    /// Adds the operators of all reachable tuples.
    pub(super) fn instantiate(
        &mut self,
        id: ActionId,
        explored: &Explored,
        costs: &mut Costs<'_>,
        splitter: &mut Splitter,
        out: &mut Propositional,
        budget: &Budget,
    ) -> Result<(), Error> {
        let database = &explored.database;
        let relation = database.relation(explored.actions[id.index()]);
        let mut poll = BudgetPoll::every(256);
        let mut binding: Vec<Symbol> = vec![0; self.action.variables.len()];
        let mut evaluator = Evaluator { database, budget, tuple: Vec::new() };
        let mut scratch = Scratch::default();
        let mut prices = Prices::new(out);
        for (number, tuple) in relation.tuples().enumerate() {
            poll.step(budget)?;
            binding[..tuple.len()].copy_from_slice(tuple);
            if !self.read_literals(&mut scratch, &binding, database, &mut evaluator.tuple) {
                continue;
            }
            let mut formula = Ground::TRUE;
            for part in &mut self.formulas {
                formula = Ground::and(vec![formula, evaluator.evaluate(part, &mut binding)?]);
            }
            if formula.is_false() {
                continue;
            }
            self.read_effects(&mut scratch, &mut binding, &mut evaluator, splitter, out)?;
            let cost = match costs.of(self.action, &mut binding) {
                Ok(cost) => prices.number(cost, out),
                Err(NoCost::Undefined) => continue,
                Err(problem) => return Err(self.refuse(id, tuple, problem, costs)),
            };
            let mut operator = Operator {
                action: id,
                tuple: number as u32,
                part: 0,
                cost,
                precondition: Stretch::default(),
                effects: Stretch::default(),
            };
            if formula.is_true() {
                emit(operator, &mut scratch, out);
                continue;
            }
            let literals = scratch.precondition.clone();
            for (number, part) in splitter.split(&formula, Place::Step, out).into_iter().enumerate() {
                scratch.precondition.clone_from(&literals);
                scratch.precondition.extend(part);
                operator.part = number as u32;
                if tidy(&mut scratch.precondition) {
                    emit(operator, &mut scratch, out);
                }
            }
        }
        Ok(())
    }

    /// Collects the literals of the precondition; `false` if they cannot hold.
    fn read_literals(
        &self,
        scratch: &mut Scratch,
        binding: &[Symbol],
        database: &Database,
        tuple: &mut Vec<Symbol>,
    ) -> bool {
        scratch.precondition.clear();
        for (pattern, positive) in &self.literals {
            match pattern.atom(binding, database, tuple) {
                Some(atom) => scratch.precondition.push(Literal::new(atom, *positive)),
                None if *positive => return false,
                None => {}
            }
        }
        tidy(&mut scratch.precondition)
    }

    fn read_effects(
        &mut self,
        scratch: &mut Scratch,
        binding: &mut [Symbol],
        evaluator: &mut Evaluator<'_>,
        splitter: &mut Splitter,
        out: &mut Propositional,
    ) -> Result<(), Limit> {
        scratch.effects.clear();
        for effect in &mut self.effects {
            let Some((candidates, condition)) = &mut effect.when else {
                if let Some(atom) = effect.atom.atom(binding, evaluator.database, &mut evaluator.tuple) {
                    scratch.effects.push((Literal::new(atom, effect.adds), Vec::new()));
                }
                continue;
            };
            candidates.restart(binding);
            while candidates.advance(binding, evaluator.database, evaluator.budget)? {
                let Some(atom) = effect.atom.atom(binding, evaluator.database, &mut evaluator.tuple) else {
                    continue;
                };
                let formula = evaluator.evaluate(condition, binding)?;
                for condition in splitter.split(&formula, Place::Step, out) {
                    scratch.effects.push((Literal::new(atom, effect.adds), condition));
                }
            }
        }
        Ok(())
    }

    fn refuse(&self, id: ActionId, tuple: &[Symbol], problem: NoCost, costs: &Costs<'_>) -> Error {
        let operator = crate::names::application(costs.problem(), id, tuple);
        match problem {
            NoCost::Negative(cost, at) => Error::NegativeCost { operator, cost: cost.to_string(), at },
            NoCost::Overflow(at) => Error::CostOverflow { operator, at },
            NoCost::Valueless(function, at) => {
                let function = costs.problem().functions[function].name.clone();
                Error::Valueless { operator, function, at }
            }
            NoCost::Undefined => unreachable!("operators without a cost are left out"),
        }
    }
}

/// Numbers the costs that occur.
struct Prices {
    known: FxHashMap<Number, u32>,
    last: Option<(Number, u32)>,
}

impl Prices {
    fn new(out: &Propositional) -> Prices {
        let known = out.costs.iter().enumerate().map(|(number, &cost)| (cost, number as u32)).collect();
        Prices { known, last: None }
    }

    fn number(&mut self, cost: Number, out: &mut Propositional) -> u32 {
        if let Some((last, number)) = self.last
            && last == cost
        {
            return number;
        }
        let number = *self.known.entry(cost).or_insert_with(|| {
            out.costs.push(cost);
            out.costs.len() as u32 - 1
        });
        self.last = Some((cost, number));
        number
    }
}

/// Stores an operator with the precondition and effects at hand, unless it changes nothing.
fn emit(mut operator: Operator, scratch: &mut Scratch, out: &mut Propositional) {
    settle_effects(scratch);
    if scratch.kept.is_empty() && !out.keeps_idle {
        return;
    }
    operator.precondition = out.store(&scratch.precondition);
    operator.effects.start = out.effects.len();
    for (literal, condition) in &scratch.kept {
        let condition = out.store(condition);
        out.effects.push(Effect { condition, literal: *literal });
    }
    operator.effects.end = out.effects.len();
    out.operators.push(operator);
}

/// Leaves out effects that cannot happen or change nothing, and conditions that the precondition implies.
fn settle_effects(scratch: &mut Scratch) {
    let Scratch { precondition, effects, kept } = scratch;
    let holds = |literal: &Literal| precondition.binary_search(literal).is_ok();
    kept.clear();
    for (literal, condition) in effects.iter() {
        if condition.iter().any(|part| holds(&part.negated())) {
            continue;
        }
        // Deleting what is false changes nothing; adding what is true may still save it from being deleted.
        if !literal.is_positive() && holds(literal) {
            continue;
        }
        let mut condition = condition.clone();
        condition.retain(|part| !holds(part));
        kept.push((*literal, condition));
    }
    kept.sort_unstable();
    kept.dedup();
    let (mut start, mut end) = (0, 0);
    while start < kept.len() {
        let atom = kept[start].0.atom();
        let length = kept[start..].iter().take_while(|(literal, _)| literal.atom() == atom).count();
        let remaining = settle_atom(&mut kept[start..start + length], holds(&Literal::new(atom, true)));
        for at in start..start + remaining {
            kept.swap(end, at);
            end += 1;
        }
        start += length;
    }
    kept.truncate(end);
}

/// Orders the effects on one atom, adding ones first, so that those to keep come first; their number.
fn settle_atom(effects: &mut [(Literal, Vec<Literal>)], is_true: bool) -> usize {
    let adds = effects.iter().filter(|(literal, _)| literal.is_positive()).count();
    // Sorted as they are, an addition without condition is the first of all.
    if adds > 0 && effects[0].1.is_empty() {
        return usize::from(!is_true);
    }
    if adds == effects.len() && is_true {
        return 0;
    }
    let mut keep: Vec<usize> = Vec::with_capacity(effects.len());
    for at in 0..effects.len() {
        let range = if at < adds { 0..adds } else { 0..effects.len() };
        // A weaker condition for the same change makes this one idle, and so does an addition that always
        // happens together with this deletion.
        let idle = range.into_iter().any(|other| {
            other != at
                && is_subset(&effects[other].1, &effects[at].1)
                && (effects[other].1 != effects[at].1 || other < at)
        });
        if !idle {
            keep.push(at);
        }
    }
    for (to, &from) in keep.iter().enumerate() {
        effects.swap(to, from);
    }
    keep.len()
}
