//! Operators as the formula has them: effects with a condition apart from those without.

use counterplay_base::IdVec;
use counterplay_task::{Fact, OpId, Task, VarId};

use crate::variables::Var;

/// An operator of the task.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) precondition: Vec<Fact>,
    /// Effects that always take place.
    pub(crate) always: Vec<Fact>,
    /// Effects with a condition beyond the precondition.
    pub(crate) conditional: Vec<(Vec<Fact>, Fact)>,
}

/// All operators, and what makes each fact true.
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) of: IdVec<OpId, Step>,
    /// What sets each variable, with the value.
    pub(crate) setters: IdVec<VarId, Vec<(Setter, u32)>>,
}

/// An effect: of an operator as such, or the one with a condition at this place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Setter {
    pub(crate) op: OpId,
    pub(crate) conditional: Option<usize>,
}

impl Setter {
    pub(crate) fn var(self) -> Var {
        match self.conditional {
            None => Var::Op(self.op),
            Some(effect) => Var::Fires(self.op, effect),
        }
    }
}

impl Steps {
    pub(crate) fn new(task: &Task) -> Steps {
        let of: IdVec<OpId, Step> = task.operators.iter().map(step).collect();
        let mut setters: IdVec<VarId, Vec<(Setter, u32)>> = IdVec::filled(Vec::new(), task.variables.len());
        for (op, step) in of.enumerate() {
            for fact in &step.always {
                setters[fact.var].push((Setter { op, conditional: None }, fact.value));
            }
            for (i, (_, fact)) in step.conditional.iter().enumerate() {
                setters[fact.var].push((Setter { op, conditional: Some(i) }, fact.value));
            }
        }
        Steps { of, setters }
    }
}

/// Effects whose condition contradicts the precondition never take place and are left out.
fn step(operator: &counterplay_task::Operator) -> Step {
    let needs = |fact: &Fact| operator.precondition.contains(fact);
    let contradicts = |fact: &Fact| {
        operator.precondition.iter().any(|needed| needed.var == fact.var && needed.value != fact.value)
    };
    let mut step =
        Step { precondition: operator.precondition.clone(), always: Vec::new(), conditional: Vec::new() };
    for effect in &operator.effects {
        if effect.condition.iter().any(contradicts) {
            continue;
        }
        let condition: Vec<Fact> = effect.condition.iter().copied().filter(|fact| !needs(fact)).collect();
        if condition.is_empty() {
            if !step.always.contains(&effect.fact) {
                step.always.push(effect.fact);
            }
        } else {
            step.conditional.push((condition, effect.fact));
        }
    }
    step
}
