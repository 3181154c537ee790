//! From what has to hold after an outcome to what has to hold before it.

use counterplay_base::IdVec;
use counterplay_task::{Fact, Operator, Task, Value, VarId, holds};

/// A condition under which an operator can be applied and makes `after` true, as weak as it can be while it holds
/// in `before`, a state in which it does. Conditional effects fire as they do in `before`: those that are needed
/// have their conditions kept, those that would destroy something have one of theirs kept false.
pub(crate) fn regress_in(
    task: &Task,
    operator: &Operator,
    after: &[Fact],
    before: &IdVec<VarId, Value>,
) -> Vec<Fact> {
    if !task.axioms.is_empty() {
        // What follows from a state by axioms is not regressed; the state itself is a condition, if a long one.
        return plain_facts(task, before);
    }
    let mut needed: Vec<Fact> = operator.precondition.clone();
    for &fact in after {
        let mut provided = false;
        for effect in operator.effects.iter().filter(|effect| effect.fact.var == fact.var) {
            let fires = holds(before, &effect.condition);
            if effect.fact.value == fact.value {
                if fires && !provided {
                    provided = true;
                    needed.extend(&effect.condition);
                }
            } else if !fires {
                let unmet = effect.condition.iter().find(|fact| before[fact.var] != fact.value);
                let var = unmet.expect("an effect that does not fire has an unmet condition").var;
                needed.push(Fact { var, value: before[var] });
            }
        }
        if !provided {
            needed.push(fact);
        }
    }
    needed.sort_unstable();
    needed.dedup();
    needed
}

/// A condition under which an operator can be applied and makes `after` true, whatever the state; `None` if there
/// is none, or none that is so simple.
pub(crate) fn regress(task: &Task, operator: &Operator, after: &[Fact]) -> Option<Vec<Fact>> {
    if !task.axioms.is_empty() {
        return None;
    }
    let mut needed: Vec<Fact> = operator.precondition.clone();
    for &fact in after {
        let mut on_it = operator.effects.iter().filter(|effect| effect.fact.var == fact.var).peekable();
        if on_it.peek().is_none() {
            needed.push(fact);
            continue;
        }
        if !on_it.all(|effect| effect.condition.is_empty() && effect.fact == fact) {
            return None;
        }
    }
    needed.sort_unstable();
    needed.dedup();
    needed.windows(2).all(|pair| pair[0].var != pair[1].var).then_some(needed)
}

/// The values of all variables that are not derived.
pub(crate) fn plain_facts(task: &Task, state: &IdVec<VarId, Value>) -> Vec<Fact> {
    let plain = task.variables.enumerate().filter(|(_, variable)| variable.derived.is_none());
    plain.map(|(var, _)| Fact { var, value: state[var] }).collect()
}
