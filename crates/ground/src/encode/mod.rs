//! From atoms to variables with several values.
//!
//! A chosen group becomes one variable whose values are its atoms and, in case none of them is true, one
//! more; any other atom becomes a variable with two values. An atom of a group whose negation is needed by
//! a condition that does not imply it gets a variable with two values *in addition*: operators need not be
//! multiplied by the other values, as Fast Downward does.

mod cover;
mod effects;
mod mutex;

use counterplay_base::{Budget, BudgetPoll, Id, IdVec, Limit};
use counterplay_pddl::model::Problem;
use counterplay_task::{Axiom, Derived, Fact, Operator, SoftGoal, Task, Value, VarId, Variable};
use num_rational::Ratio;

use crate::explore::Explored;
use crate::invariants::Invariants;
use crate::names;
use crate::propositional::{AtomId, Literal, Origin, Propositional};
use mutex::Mutexes;

/// What the encoder reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a> {
    pub(crate) names: &'a Problem,
    pub(crate) explored: &'a Explored,
    pub(crate) problem: &'a Propositional,
    pub(crate) invariants: &'a Invariants,
    pub(crate) layers: &'a IdVec<AtomId, u32>,
    /// The cost of each number of costs, in units of `unit`.
    pub(crate) costs: &'a [u64],
    /// The weight of each soft goal in the same units.
    pub(crate) weights: &'a [u64],
    pub(crate) unit: Ratio<i128>,
}

/// Makes the task. Its goal is not empty only if the problem's goal is a list of literals.
pub(crate) fn encode(source: Source<'_>, budget: &Budget) -> Result<Task, Limit> {
    let mut encoder = Encoder::new(source);
    encoder.add_negations(budget)?;
    encoder.operators(budget)?;
    encoder.axioms();
    encoder.goal();
    encoder.soft();
    encoder.mutex_groups();
    Ok(encoder.task)
}

/// Values of a variable with two values.
const TRUE: Value = 0;
const FALSE: Value = 1;

struct Encoder<'a> {
    source: Source<'a>,
    problem: &'a Propositional,
    mutexes: Mutexes,
    /// The fact that says that an atom is true.
    place: IdVec<AtomId, Fact>,
    /// A variable of its own for an atom that is also the value of a larger one.
    negation: IdVec<AtomId, Option<VarId>>,
    task: Task,
}

impl<'a> Encoder<'a> {
    fn new(source: Source<'a>) -> Encoder<'a> {
        let problem = source.problem;
        let task = Task {
            variables: IdVec::new(),
            initial: IdVec::new(),
            goal: Vec::new(),
            operators: IdVec::new(),
            axioms: Vec::new(),
            mutex_groups: Vec::new(),
            mutex_pairs: Vec::new(),
            soft: Vec::new(),
            has_metric: source.names.metric.is_some(),
            cost_unit: source.unit,
        };
        let unplaced = Fact { var: VarId::new(0), value: 0 };
        let mut encoder = Encoder {
            source,
            problem,
            mutexes: Mutexes::new(&source.invariants.groups, problem.atoms.len() * 2),
            place: IdVec::filled(unplaced, problem.atoms.len()),
            negation: IdVec::filled(None, problem.atoms.len()),
            task,
        };
        for atoms in cover::cover(problem, &source.invariants.groups) {
            let mut values: Vec<String> = atoms.iter().map(|&atom| encoder.name(atom)).collect();
            values.push(match &values[..] {
                [only] => names::negated(only),
                _ => "<none of those>".to_owned(),
            });
            let is_derived = problem.derived[atoms[0]];
            let derived = is_derived.then(|| Derived { layer: source.layers[atoms[0]], default: FALSE });
            let start = atoms.iter().position(|&atom| !is_derived && problem.initial[atom]);
            let var = encoder.variable(values, derived, start.unwrap_or(atoms.len()) as Value);
            for (value, &atom) in atoms.iter().enumerate() {
                encoder.place[atom] = Fact { var, value: value as Value };
            }
        }
        encoder
    }

    fn variable(&mut self, values: Vec<String>, derived: Option<Derived>, initial: Value) -> VarId {
        let name = format!("var{}", self.task.variables.len());
        self.task.initial.push(initial);
        self.task.variables.push(Variable { name, values, derived })
    }

    fn name(&self, atom: AtomId) -> String {
        match self.problem.atoms[atom] {
            Origin::Predicate(predicate, number) => {
                let relation = self.source.explored.predicates[predicate];
                let tuple = self.source.explored.database.relation(relation).tuple(number as usize);
                names::atom(self.source.names, predicate, tuple)
            }
            Origin::Auxiliary(number) => format!("Atom new-axiom@{number}()"),
        }
    }

    /// Gives a variable of its own to each atom of a larger variable whose negation some condition needs.
    fn add_negations(&mut self, budget: &Budget) -> Result<(), Limit> {
        let mut poll = BudgetPoll::every(1024);
        let problem = self.problem;
        for operator in &problem.operators {
            poll.step(budget)?;
            let precondition = problem.list(operator.precondition);
            self.add_negations_in(precondition, &[]);
            for effect in problem.effects_of(operator) {
                self.add_negations_in(problem.list(effect.condition), precondition);
            }
        }
        for axiom in &problem.axioms {
            self.add_negations_in(problem.list(axiom.body), &[]);
        }
        let goal = problem.goal.clone().unwrap_or_default();
        self.add_negations_in(&goal, &[]);
        for list in problem.soft.iter().flat_map(|soft| &soft.alternatives) {
            self.add_negations_in(list, &[]);
        }
        Ok(())
    }

    fn add_negations_in(&mut self, literals: &[Literal], context: &[Literal]) {
        for &literal in literals.iter().filter(|literal| !literal.is_positive()) {
            let atom = literal.atom();
            let needed = self.task.domain_size(self.place[atom].var) > 2
                && self.negation[atom].is_none()
                && !self.is_implied(literal, literals, context);
            if needed {
                let name = self.name(atom);
                let start = if self.problem.initial[atom] { TRUE } else { FALSE };
                let values = vec![name.clone(), names::negated(&name)];
                self.negation[atom] = Some(self.variable(values, None, start));
            }
        }
    }

    /// Whether a negated atom follows from the other literals around it.
    fn is_implied(&self, literal: Literal, literals: &[Literal], context: &[Literal]) -> bool {
        let others = literals.iter().chain(context).copied().filter(|&other| other != literal);
        self.mutexes.is_ruled_out(literal.negated(), others)
    }

    /// Literals as facts, sorted by variable, given that the context holds too. `None` if they cannot all
    /// hold.
    fn facts(&mut self, literals: &[Literal], context: &[Literal]) -> Option<Vec<Fact>> {
        if self.mutexes.clash(literals.iter().chain(context).copied()) {
            return None;
        }
        let mut facts = Vec::with_capacity(literals.len());
        for &literal in literals {
            let place = self.place[literal.atom()];
            if literal.is_positive() {
                facts.push(place);
            } else if self.task.domain_size(place.var) == 2 {
                facts.push(Fact { var: place.var, value: 1 - place.value });
            } else if !self.is_implied(literal, literals, context) {
                let var = self.negation[literal.atom()].expect("needed negations have a variable");
                facts.push(Fact { var, value: FALSE });
            }
        }
        facts.sort_unstable();
        facts.dedup();
        let is_consistent = facts.windows(2).all(|pair| pair[0].var != pair[1].var);
        is_consistent.then_some(facts)
    }

    fn operators(&mut self, budget: &Budget) -> Result<(), Limit> {
        let mut poll = BudgetPoll::every(256);
        for operator in &self.problem.operators {
            poll.step(budget)?;
            let literals = self.problem.list(operator.precondition);
            let Some(precondition) = self.facts(literals, &[]) else { continue };
            let Some(effects) = self.effects(operator, &precondition) else { continue };
            if effects.is_empty() && !self.problem.keeps_idle {
                continue;
            }
            let relation = self.source.explored.actions[operator.action.index()];
            let tuple = self.source.explored.database.relation(relation).tuple(operator.tuple as usize);
            let mut name = names::application(self.source.names, operator.action, tuple);
            if self.problem.keeps_idle {
                // The outcomes of one action find each other by this number, see `outcomes`.
                name = format!("{};{name}", operator.part);
            }
            let cost = self.source.costs[operator.cost as usize];
            self.task.operators.push(Operator { name, precondition, effects, cost });
        }
        Ok(())
    }

    fn axioms(&mut self) {
        for axiom in &self.problem.axioms {
            if let Some(condition) = self.facts(self.problem.list(axiom.body), &[]) {
                self.task.axioms.push(Axiom { condition, head: self.place[axiom.head] });
            }
        }
    }

    /// The goal; one that cannot hold becomes a variable that never changes.
    fn goal(&mut self) {
        let goal = self.problem.goal.clone();
        match goal.and_then(|goal| self.facts(&goal, &[])) {
            Some(facts) => self.task.goal = facts,
            None => {
                let values = vec!["the goal can hold".to_owned(), "the goal cannot hold".to_owned()];
                let var = self.variable(values, None, FALSE);
                self.task.goal = vec![Fact { var, value: TRUE }];
            }
        }
    }

    fn soft(&mut self) {
        for (soft, &weight) in self.problem.soft.iter().zip(self.source.weights) {
            let alternatives = soft.alternatives.iter().filter_map(|list| self.facts(list, &[])).collect();
            self.task.soft.push(SoftGoal { alternatives, weight, lost: Vec::new() });
        }
    }

    /// All groups, also those that are not variables, and each negation with its atom.
    fn mutex_groups(&mut self) {
        for group in &self.source.invariants.groups {
            let fact = |literal: &Literal| {
                let place = self.place[literal.atom()];
                match (literal.is_positive(), self.negation[literal.atom()]) {
                    (true, _) => Some(place),
                    (false, Some(var)) => Some(Fact { var, value: FALSE }),
                    (false, None) if self.task.domain_size(place.var) == 2 => {
                        Some(Fact { var: place.var, value: 1 - place.value })
                    }
                    (false, None) => None,
                }
            };
            let facts: Vec<Fact> = group.iter().filter_map(fact).collect();
            if facts.iter().any(|fact| fact.var != facts[0].var) {
                self.task.mutex_groups.push(facts);
            }
        }
        for (atom, negation) in self.negation.enumerate() {
            if let Some(var) = *negation {
                self.task.mutex_groups.push(vec![self.place[atom], Fact { var, value: FALSE }]);
            }
        }
        self.task.mutex_groups.iter_mut().for_each(|group| group.sort_unstable());
    }

    /// A derived variable that is true if one of the conditions holds.
    fn any_of(&mut self, conditions: Vec<Vec<Fact>>) -> VarId {
        let layer_of =
            |fact: &Fact| self.task.variables[fact.var].derived.map_or(0, |derived| derived.layer + 1);
        let layer = conditions.iter().flatten().map(layer_of).max().unwrap_or(0);
        let name = format!("Atom new-axiom@{}()", self.task.variables.len());
        let values = vec![name.clone(), names::negated(&name)];
        let var = self.variable(values, Some(Derived { layer, default: FALSE }), FALSE);
        let head = Fact { var, value: TRUE };
        self.task.axioms.extend(conditions.into_iter().map(|condition| Axiom { condition, head }));
        var
    }
}
