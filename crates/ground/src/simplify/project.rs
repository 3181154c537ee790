//! Leaving values and variables out of a task.

use counterplay_base::{Id, IdVec};
use counterplay_task::{Effect, Fact, Task, Value, VarId};

/// What becomes of the values of each variable.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    fates: IdVec<VarId, Fate>,
}

/// What becomes of a variable.
#[derive(Clone, Debug)]
enum Fate {
    /// It stays; each value has a new number or is never taken.
    Stays(VarId, Vec<Option<Value>>),
    /// It always has this value, and goes.
    Constant(Value),
    /// Nothing of interest depends on it.
    Dropped,
}

/// What becomes of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Image {
    Fact(Fact),
    Always,
    Never,
}

impl Projection {
    /// Keeps the values for which `keep` says so; variables with one value left go.
    pub(crate) fn of_values(task: &Task, keep: impl Fn(Fact) -> bool) -> Projection {
        let mut next = 0;
        let fates = task.variables.ids().map(|var| {
            let mut count = 0;
            let values: Vec<Option<Value>> = (0..task.domain_size(var))
                .map(|value| {
                    keep(Fact { var, value }).then(|| {
                        count += 1;
                        count - 1
                    })
                })
                .collect();
            if count == 1 {
                let only = values.iter().position(Option::is_some).unwrap_or(0);
                return Fate::Constant(only as Value);
            }
            next += 1;
            Fate::Stays(VarId::new(next - 1), values)
        });
        Projection { fates: fates.collect() }
    }

    /// Keeps the variables for which `keep` says so.
    pub(crate) fn of_variables(task: &Task, keep: &IdVec<VarId, bool>) -> Projection {
        let mut next = 0;
        let fates = task.variables.ids().map(|var| {
            if !keep[var] {
                return Fate::Dropped;
            }
            next += 1;
            Fate::Stays(VarId::new(next - 1), (0..task.domain_size(var)).map(Some).collect())
        });
        Projection { fates: fates.collect() }
    }

    /// Whether everything stays as it is.
    pub(crate) fn is_identity(&self) -> bool {
        self.fates.iter().all(|fate| match fate {
            Fate::Stays(_, values) => values.iter().all(Option::is_some),
            _ => false,
        })
    }

    fn image(&self, fact: Fact) -> Image {
        match &self.fates[fact.var] {
            Fate::Stays(var, values) => match values[fact.value as usize] {
                Some(value) => Image::Fact(Fact { var: *var, value }),
                None => Image::Never,
            },
            Fate::Constant(value) if *value == fact.value => Image::Always,
            Fate::Constant(_) => Image::Never,
            Fate::Dropped => Image::Always,
        }
    }

    /// The new place of a fact that stays.
    pub(crate) fn fact(&self, fact: Fact) -> Option<Fact> {
        match self.image(fact) {
            Image::Fact(fact) => Some(fact),
            _ => None,
        }
    }

    /// Renames a condition; `false` if it can no longer hold.
    fn condition(&self, facts: &mut Vec<Fact>) -> bool {
        let mut possible = true;
        facts.retain_mut(|fact| match self.image(*fact) {
            Image::Fact(image) => {
                *fact = image;
                true
            }
            Image::Always => false,
            Image::Never => {
                possible = false;
                false
            }
        });
        possible
    }

    fn effect(&self, effect: &mut Effect) -> bool {
        let Image::Fact(fact) = self.image(effect.fact) else { return false };
        effect.fact = fact;
        self.condition(&mut effect.condition)
    }

    /// Changes the task and leaves out operators that change nothing; `false` if the goal can no longer hold.
    pub(crate) fn apply(&self, task: &mut Task) -> bool {
        let possible = self.apply_to_all(task);
        let operators = std::mem::take(&mut task.operators).into_iter();
        task.operators = operators.filter(|operator| !operator.effects.is_empty()).collect();
        possible
    }

    /// Changes the task; `false` if the goal can no longer hold.
    pub(crate) fn apply_to_all(&self, task: &mut Task) -> bool {
        let mut variables = IdVec::new();
        let mut initial = IdVec::new();
        let old = std::mem::take(&mut task.variables);
        for ((var, fate), mut variable) in self.fates.enumerate().zip(old) {
            let Fate::Stays(_, values) = fate else { continue };
            let start = values[task.initial[var] as usize].expect("the initial value is taken");
            initial.push(start);
            if let Some(derived) = &mut variable.derived {
                derived.default = start;
            }
            let mut number = 0;
            variable.values.retain(|_| {
                number += 1;
                values[number - 1].is_some()
            });
            variable.name = format!("var{}", variables.len());
            variables.push(variable);
        }
        task.variables = variables;
        task.initial = initial;
        let operators = std::mem::take(&mut task.operators).into_iter().filter_map(|mut operator| {
            if !self.condition(&mut operator.precondition) {
                return None;
            }
            operator.effects.retain_mut(|effect| self.effect(effect));
            Some(operator)
        });
        task.operators = operators.collect();
        task.axioms.retain_mut(|axiom| match self.image(axiom.head) {
            Image::Fact(head) => {
                axiom.head = head;
                self.condition(&mut axiom.condition)
            }
            _ => false,
        });
        for group in &mut task.mutex_groups {
            *group = group.iter().filter_map(|&fact| self.fact(fact)).collect();
        }
        task.mutex_groups.retain(|group| group.iter().any(|fact| fact.var != group[0].var));
        let pairs = std::mem::take(&mut task.mutex_pairs).into_iter();
        task.mutex_pairs = pairs.filter_map(|(a, b)| Some((self.fact(a)?, self.fact(b)?))).collect();
        for soft in &mut task.soft {
            soft.alternatives.retain_mut(|facts| self.condition(facts));
            soft.lost.retain_mut(|facts| self.condition(facts));
            // What holds anyway needs no other way to hold.
            if soft.alternatives.iter().any(Vec::is_empty) {
                soft.alternatives = vec![Vec::new()];
            }
        }
        self.condition(&mut task.goal)
    }
}
