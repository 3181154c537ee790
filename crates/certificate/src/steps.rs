//! What single operators and costs do, proved once each and used for many states.

use std::fmt::Write as _;

use counterplay_base::{Id as _, IdVec};
use counterplay_task::{Fact, OpId, Task, VarId};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::formula::{Numbers, bits, cost_terms};
use crate::invariant::{Claim, Invariant};
use crate::lines::{Id, Lines};
use crate::operators::Steps;
use crate::variables::{Lit, Var};

/// Lemmas about operators and costs, made when they are needed first.
pub(crate) struct Lemmas<'a> {
    task: &'a Task,
    invariant: &'a Invariant,
    steps: &'a Steps,
    numbers: &'a Numbers,
    operators: IdVec<OpId, Option<OperatorLemmas>>,
    /// By the cost of an operator: that it is added.
    classes: FxHashMap<u64, Class>,
    /// By cost before and cost of the operator: that the cost after is their sum.
    sums: FxHashMap<(u64, u64), Id>,
    /// By the same and the cost that is wanted, or by an estimate.
    reached: FxHashMap<(u64, u64, Wanted), Id>,
}

/// What the cost after a step is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wanted {
    Cost(u64),
    Estimate(usize),
    TooDear,
}

#[derive(Clone, Debug)]
pub(crate) struct OperatorLemmas {
    /// That it is of its class of costs.
    pub(crate) class: Option<Id>,
    /// Variables that it leaves alone, and that it does.
    pub(crate) untouched: Option<Id>,
    /// Variables that it changes under conditions only, with the reason.
    pub(crate) conditional: Vec<(VarId, Id)>,
}

struct Class {
    /// An operator of the class implies the variable.
    member: Option<Id>,
    /// The variable implies that the cost grows.
    grows: Id,
}

impl<'a> Lemmas<'a> {
    pub(crate) fn new(
        task: &'a Task,
        invariant: &'a Invariant,
        steps: &'a Steps,
        numbers: &'a Numbers,
    ) -> Lemmas<'a> {
        Lemmas {
            task,
            invariant,
            steps,
            numbers,
            operators: IdVec::filled(None, task.operators.len()),
            classes: FxHashMap::default(),
            sums: FxHashMap::default(),
            reached: FxHashMap::default(),
        }
    }

    /// The lemmas about an operator.
    pub(crate) fn operator(&mut self, op: OpId, lines: &mut Lines<'_>) -> Result<OperatorLemmas, Error> {
        if let Some(known) = &self.operators[op] {
            return Ok(known.clone());
        }
        let class = self.membership(op, lines)?;
        let step = &self.steps.of[op];
        let is_set = |var: VarId| step.always.iter().any(|fact| fact.var == var);
        let fires_of = |var: VarId| -> Vec<Lit> {
            let effects = step.conditional.iter().enumerate().filter(|(_, (_, fact))| fact.var == var);
            effects.map(|(i, _)| Var::Fires(op, i).yes()).collect()
        };
        let open: Vec<(VarId, Vec<Lit>)> =
            self.task.variables.ids().filter(|&var| !is_set(var)).map(|var| (var, fires_of(var))).collect();
        let untouched: Vec<VarId> =
            open.iter().filter(|(_, fires)| fires.is_empty()).map(|&(var, _)| var).collect();
        let mut hints = vec![self.numbers.one_operator];
        untouched.iter().for_each(|&var| self.no_change(op, var, &mut hints));
        let count = untouched.len() as u128;
        let own = std::iter::once((count, Var::Op(op).no()));
        let all = untouched.iter().map(|&var| (1, Var::Changes(var).no()));
        let untouched = match count {
            0 => None,
            _ => Some(lines.rup(own.chain(all), count, &hints)?),
        };
        let mut conditional = Vec::new();
        for (var, fires) in open.into_iter().filter(|(_, fires)| !fires.is_empty()) {
            let mut hints = vec![self.numbers.one_operator];
            self.no_change(op, var, &mut hints);
            let lits = [Var::Op(op).no(), Var::Changes(var).no()].into_iter().chain(fires);
            conditional.push((var, lines.rup_clause(lits, &hints)?));
        }
        let lemmas = OperatorLemmas { class, untouched, conditional };
        self.operators[op] = Some(lemmas.clone());
        Ok(lemmas)
    }

    /// Why no operator but this one changes a variable.
    fn no_change(&self, op: OpId, var: VarId, hints: &mut Vec<Id>) {
        for (setter, _) in self.steps.setters[var].iter().filter(|(setter, _)| setter.op != op) {
            hints.extend(setter.conditional.map(|effect| self.numbers.fires[&(setter.op, effect)][0]));
        }
        hints.push(self.numbers.changes[var]);
    }

    fn membership(&mut self, op: OpId, lines: &mut Lines<'_>) -> Result<Option<Id>, Error> {
        let cost = self.invariant.cost(self.task, op);
        if self.invariant.claim == Claim::Unsolvable {
            return Ok(None);
        }
        let Some(all) = self.class(cost, lines)?.member else { return Ok(None) };
        Ok(Some(lines.rup_clause([Var::Op(op).no(), Var::Class(cost).yes()], &[all])?))
    }

    /// That operators of a cost belong to its class; none if they cost nothing.
    pub(crate) fn member_of_class(&mut self, cost: u64, lines: &mut Lines<'_>) -> Result<Option<Id>, Error> {
        Ok(self.class(cost, lines)?.member)
    }

    /// The operators of a cost, and that this cost is added by them. Those that cost nothing need no variable: cost never falls.
    fn class(&mut self, cost: u64, lines: &mut Lines<'_>) -> Result<&Class, Error> {
        if !self.classes.contains_key(&cost) {
            let class = self.new_class(cost, lines)?;
            self.classes.insert(cost, class);
        }
        Ok(&self.classes[&cost])
    }

    fn new_class(&self, cost: u64, lines: &mut Lines<'_>) -> Result<Class, Error> {
        let cost_of = |op: OpId| self.task.operators[op].cost;
        let members: Vec<Var> =
            self.task.operators.ids().filter(|&op| cost_of(op) == cost).map(Var::Op).collect();
        let mut sum = format!("{}", self.numbers.cost_grows.unwrap_or_default());
        let mut member = None;
        if cost > 0 {
            let own = Var::Class(cost);
            let some = std::iter::once(own.no()).chain(members.iter().map(|op| op.yes()));
            let some = lines.define(some.map(|lit| (1, lit)), 1, own, false)?;
            let count = members.len() as u128;
            let all = members.iter().map(|op| (1, op.no()));
            member = Some(lines.define(std::iter::once((count, own.yes())).chain(all), count, own, true)?);
            let _ = write!(sum, " {some} {cost} * +");
        }
        for op in self.task.operators.ids().filter(|&op| cost_of(op) > 0 && cost_of(op) != cost) {
            let _ = write!(sum, " {} w", Var::Op(op));
        }
        Ok(Class { member, grows: lines.pol(&sum)? })
    }

    /// That the cost after the step is at least `before` and `added`, if the cost before is at least `before`.
    fn sum(&mut self, before: u64, added: u64, lines: &mut Lines<'_>) -> Result<Id, Error> {
        if let Some(&known) = self.sums.get(&(before, added)) {
            return Ok(known);
        }
        let mut sequence = format!("{}", self.class(added, lines)?.grows);
        match self.numbers.at_least.get(&before) {
            Some([now, _]) => {
                let _ = write!(sequence, " {now} +");
            }
            None => {
                for (_, lit) in cost_terms(bits(self.invariant), |bit| Var::Cost(bit).yes()) {
                    let _ = write!(sequence, " {lit} w");
                }
            }
        }
        let id = lines.pol(&sequence)?;
        self.sums.insert((before, added), id);
        Ok(id)
    }

    /// That a step of cost `added` from a state at cost `before` has the wanted cost.
    pub(crate) fn reaches(
        &mut self,
        before: u64,
        added: u64,
        wanted: Wanted,
        lines: &mut Lines<'_>,
    ) -> Result<Id, Error> {
        if let Some(&known) = self.reached.get(&(before, added, wanted)) {
            return Ok(known);
        }
        let sum = self.sum(before, added, lines)?;
        let sequence = match wanted {
            Wanted::Cost(cost) => format!("{sum} {} +", self.numbers.at_least[&cost][1]),
            Wanted::Estimate(i) => format!("{sum} {} +", self.numbers.estimates[i][1]),
            Wanted::TooDear => match self.numbers.below {
                Some([_, next]) => format!("{sum} {next} +"),
                None => format!("{sum}"),
            },
        };
        let id = lines.pol(&sequence)?;
        self.reached.insert((before, added, wanted), id);
        Ok(id)
    }

    /// Why the state after an operator is what it is: hints that follow from the state before.
    pub(crate) fn successor(
        &mut self,
        op: OpId,
        state: &IdVec<VarId, u32>,
        lines: &mut Lines<'_>,
        hints: &mut Vec<Id>,
    ) -> Result<(), Error> {
        let lemmas = self.operator(op, lines)?;
        let step = &self.steps.of[op];
        let holds = |fact: &Fact| state[fact.var] == fact.value;
        hints.extend(self.numbers.always[op]);
        let mut is_set: Vec<VarId> = step.always.iter().map(|fact| fact.var).collect();
        for (i, (condition, fact)) in step.conditional.iter().enumerate() {
            let [needs, happens, makes] = self.numbers.fires[&(op, i)];
            match condition.iter().find(|fact| !holds(fact)) {
                None => {
                    hints.extend([happens, makes]);
                    is_set.push(fact.var);
                }
                Some(missing) => hints.extend([self.numbers.at_most_one[missing.var], needs]),
            }
        }
        hints.extend(lemmas.untouched);
        hints.extend(lemmas.conditional.iter().filter(|(var, _)| !is_set.contains(var)).map(|&(_, id)| id));
        is_set.sort_unstable_by_key(|var| var.index());
        for (var, &value) in state.enumerate() {
            if is_set.binary_search_by_key(&var.index(), |var| var.index()).is_err() {
                hints.push(self.numbers.inertia[var][value as usize]);
            }
        }
        Ok(())
    }
}
