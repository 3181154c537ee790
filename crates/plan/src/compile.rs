//! Soft goals compiled away.
//!
//! After Keyder and Geffner (*Soft goals can be compiled away*, JAIR 2009): the plan ends with a phase in which each
//! soft goal is either seen to hold, for nothing, or given up, for its weight. The compiled task has no soft goals,
//! so every classical planner can solve it, and its plans cost what those of the first task cost together with what
//! they violate. Our departure: the soft goals are settled in a fixed order, and one variable says how far that has
//! come, so there is no variable for each of them and no choice of the order.

use std::borrow::Cow;

use counterplay_task::{Effect, Fact, OpId, Operator, Task, Value, Variable};

use crate::Plan;

/// A task without soft goals.
pub(crate) struct Compiled<'t> {
    pub(crate) task: Cow<'t, Task>,
    /// Its first operators are those of the first task.
    own: usize,
}

impl<'t> Compiled<'t> {
    pub(crate) fn new(task: &'t Task) -> Compiled<'t> {
        let own = task.operators.len();
        if task.soft.is_empty() {
            return Compiled { task: Cow::Borrowed(task), own };
        }
        let mut compiled = task.clone();
        let soft: Vec<_> =
            std::mem::take(&mut compiled.soft).into_iter().filter(|soft| soft.weight > 0).collect();
        let mut values = vec!["acting".to_owned()];
        values.extend((0..soft.len()).map(|at| format!("settling {at}")));
        values.push("settled".to_owned());
        let last = values.len() as Value - 1;
        compiled.initial.push(0);
        let var = compiled.variables.push(Variable { name: "phase".to_owned(), values, derived: None });
        let phase = |value: Value| Fact { var, value };
        // The new variable is the last, so lists of facts stay sorted.
        for operator in compiled.operators.iter_mut() {
            operator.precondition.push(phase(0));
        }
        let mut settle = |name: String, mut precondition: Vec<Fact>, from: Value, cost: u64| {
            precondition.push(phase(from));
            let effects = vec![Effect { condition: Vec::new(), fact: phase(from + 1) }];
            compiled.operators.push(Operator { name, precondition, effects, cost });
        };
        settle("end".to_owned(), task.goal.clone(), 0, 0);
        for (at, soft) in soft.into_iter().enumerate() {
            let from = at as Value + 1;
            for facts in soft.alternatives {
                settle(format!("collect {at}"), facts, from, 0);
            }
            settle(format!("forgo {at}"), Vec::new(), from, soft.weight);
        }
        compiled.goal = vec![phase(last)];
        Compiled { task: Cow::Owned(compiled), own }
    }

    /// Whether the task had no soft goals.
    pub(crate) fn is_same(&self) -> bool {
        matches!(self.task, Cow::Borrowed(_))
    }

    /// The plan of the first task in one of the compiled task; its cost says the same there.
    pub(crate) fn strip(&self, mut plan: Plan) -> Plan {
        plan.operators = self.strip_operators(plan.operators);
        plan
    }

    pub(crate) fn strip_operators(&self, mut operators: Vec<OpId>) -> Vec<OpId> {
        use counterplay_base::Id;
        operators.retain(|op| op.index() < self.own);
        operators
    }
}
