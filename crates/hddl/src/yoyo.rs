//! Sets of states as decision diagrams: Yoyo.

use std::cell::RefCell;

use counterplay_base::{Budget, IdVec, Limit};
use counterplay_policy::{Pair, cover};
use counterplay_symbolic::{Encoding, OrderSearch, Relation, StateSet, causal_graph, union};
use counterplay_task::{ChoiceId, NondetTask, VarId};
use rustc_hash::FxHashMap;

use crate::advice::{Guard, Instance, Sets};

/// A finite task over sets of states. The relations of an action are made when they are first asked for.
pub(super) struct Diagrams<'t> {
    nondet: &'t NondetTask,
    encoding: Encoding<'t>,
    order: Vec<VarId>,
    goal: StateSet,
    relations: RefCell<IdVec<ChoiceId, Option<Vec<Relation>>>>,
    applicable: RefCell<IdVec<ChoiceId, Option<StateSet>>>,
    /// Where method instances may be used, by their numbers.
    guards: RefCell<FxHashMap<usize, StateSet>>,
}

impl<'t> Diagrams<'t> {
    pub(super) fn new(nondet: &'t NondetTask, seed: u64, budget: &Budget) -> Result<Diagrams<'t>, Limit> {
        let order = OrderSearch { seed, ..OrderSearch::default() }.order(&causal_graph(&nondet.task));
        let encoding = Encoding::with_order(&nondet.task, &order, budget)?;
        let goal = encoding.states(&nondet.task.goal)?;
        let relations = RefCell::new(IdVec::filled(None, nondet.choices.len()));
        let applicable = RefCell::new(IdVec::filled(None, nondet.choices.len()));
        let guards = RefCell::default();
        Ok(Diagrams { nondet, encoding, order, goal, relations, applicable, guards })
    }

    fn with_relations<T>(
        &self,
        choice: ChoiceId,
        with: impl Fn(&Relation) -> Result<T, Limit>,
    ) -> Result<Vec<T>, Limit> {
        if self.relations.borrow()[choice].is_none() {
            let operators = self.nondet.choices[choice].operators();
            let made = operators.map(|op| self.encoding.relation(op)).collect::<Result<Vec<_>, _>>()?;
            self.relations.borrow_mut()[choice] = Some(made);
        }
        let relations = self.relations.borrow();
        relations[choice].as_ref().expect("just made").iter().map(with).collect()
    }

    fn guard(&self, guard: &Guard) -> Result<StateSet, Limit> {
        match guard {
            Guard::Fact(fact, true) => self.encoding.states(&[*fact]),
            Guard::Fact(fact, false) => self.encoding.space.all().minus(&self.encoding.states(&[*fact])?),
            Guard::All(parts) => {
                let mut all = self.encoding.space.all();
                for part in parts {
                    all = all.intersect(&self.guard(part)?)?;
                }
                Ok(all)
            }
            Guard::Any(parts) => {
                let mut any = self.encoding.space.none();
                for part in parts {
                    any = any.union(&self.guard(part)?)?;
                }
                Ok(any)
            }
        }
    }
}

impl Sets for Diagrams<'_> {
    type Set = StateSet;

    fn none(&self) -> StateSet {
        self.encoding.space.none()
    }

    fn initial(&self) -> Result<StateSet, Limit> {
        self.encoding.initial()
    }

    fn is_empty(&self, set: &StateSet) -> bool {
        set.is_empty()
    }

    fn union(&self, one: &StateSet, other: &StateSet) -> Result<StateSet, Limit> {
        one.union(other)
    }

    fn minus(&self, one: &StateSet, other: &StateSet) -> Result<StateSet, Limit> {
        one.minus(other)
    }

    fn without_goal(&self, set: &StateSet) -> Result<StateSet, Limit> {
        set.minus(&self.goal)
    }

    fn goal_of(&self, set: &StateSet) -> Result<StateSet, Limit> {
        set.intersect(&self.goal)
    }

    fn restrict(&self, set: &StateSet, instance: &Instance) -> Result<StateSet, Limit> {
        if let Some(known) = self.guards.borrow().get(&instance.number) {
            return set.intersect(known);
        }
        let guard = self.guard(&instance.guard)?;
        let own = set.intersect(&guard)?;
        self.guards.borrow_mut().insert(instance.number, guard);
        Ok(own)
    }

    fn applicable(&self, set: &StateSet, choice: ChoiceId) -> Result<StateSet, Limit> {
        if self.applicable.borrow()[choice].is_none() {
            let states = self.encoding.states(self.nondet.precondition(choice))?;
            self.applicable.borrow_mut()[choice] = Some(states);
        }
        set.intersect(self.applicable.borrow()[choice].as_ref().expect("just made"))
    }

    /// The box of all values that the variables have in the set.
    fn widened(&self, set: &StateSet) -> Result<StateSet, Limit> {
        let mut around = self.encoding.space.all();
        for var in self.encoding.space.variables() {
            around = around.intersect(&self.encoding.space.projected_to(set, &[var])?)?;
        }
        Ok(around)
    }

    fn image(&self, set: &StateSet, choice: ChoiceId) -> Result<StateSet, Limit> {
        let images = self.with_relations(choice, |relation| relation.image(&self.encoding.space, set))?;
        Ok(union(images)?.unwrap_or_else(|| self.none()))
    }

    fn may_reach(&self, set: &StateSet, choice: ChoiceId, target: &StateSet) -> Result<StateSet, Limit> {
        let images =
            self.with_relations(choice, |relation| relation.pre_image(&self.encoding.space, target))?;
        match union(images)? {
            Some(all) => all.intersect(set),
            None => Ok(self.none()),
        }
    }

    fn pairs(&self, entries: &[(StateSet, ChoiceId)], budget: &Budget) -> Result<Vec<Pair>, Limit> {
        let space = &self.encoding.space;
        let answered = union(entries.iter().map(|(set, _)| set.clone()).collect())?;
        let answered = answered.unwrap_or_else(|| self.none());
        // Where no answer is needed, or an earlier pair gives it, a condition may say what it likes.
        let mut free = space.all().minus(&answered)?;
        let mut pairs = Vec::new();
        for (set, choice) in entries {
            let most = free.union(set)?;
            for condition in cover(space, self.nondet, &self.order, set, &most, budget)? {
                pairs.push(Pair { condition, choice: *choice });
            }
            free = most;
        }
        Ok(pairs)
    }

    fn peak(&self) -> u64 {
        self.encoding.space.peak_nodes() as u64
    }

    fn count(&self, set: &StateSet) -> f64 {
        self.encoding.space.count_about(set)
    }
}
