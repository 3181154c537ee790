//! The public face: a manager and handles to its diagrams.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use counterplay_base::{Budget, Limit};
use rustc_hash::FxHashMap;

use crate::edge::Edge;
use crate::store::Store;

/// Owns the nodes. Cheap to clone; clones share the nodes.
#[derive(Clone)]
pub struct Manager(pub(crate) Rc<RefCell<Store>>);

/// A handle to one diagram. Two handles of one manager are equal exactly if they stand for the same function.
pub struct Bdd {
    store: Rc<RefCell<Store>>,
    pub(crate) edge: Edge,
}

/// The bits that a relation may change. All others keep their value.
#[derive(Clone, Debug)]
pub struct Changed {
    /// Their even levels.
    cube: Bdd,
    /// Each of them keeps its value: what is left of a relation when all that it changes lies above.
    same: Bdd,
}

impl Manager {
    /// A manager whose operations honour `budget`.
    pub fn new(budget: Budget) -> Manager {
        Manager(Rc::new(RefCell::new(Store::new(budget))))
    }

    /// Replaces the budget; the next operation obeys it.
    pub fn set_budget(&self, budget: Budget) {
        self.0.borrow_mut().budget = budget;
    }

    pub(crate) fn handle(&self, edge: Edge) -> Bdd {
        self.0.borrow_mut().retain(edge);
        Bdd { store: Rc::clone(&self.0), edge }
    }

    /// Runs one recursion: collects first if that is due, and gives a limit its name. An operation that hit the
    /// memory or node limit is tried once more after a collection.
    pub(crate) fn run(&self, operation: impl Fn(&mut Store) -> Option<Edge>) -> Result<Bdd, Limit> {
        let mut store = self.0.borrow_mut();
        store.collect_if_due();
        let mut result = operation(&mut store);
        if result.is_none() && matches!(store.reached, Some(Limit::Bytes(_))) {
            store.reached = None;
            store.collect();
            result = operation(&mut store);
        }
        match result {
            Some(edge) => {
                store.retain(edge);
                Ok(Bdd { store: Rc::clone(&self.0), edge })
            }
            None => Err(store.reached.take().expect("an operation that gives up says why")),
        }
    }

    /// Runs `task` with an allowance of work for all operations in it together; when it is used up, they give up
    /// with [`Limit::Nodes`]. Unlike time, work is the same on every machine, so what depends on it is repeatable.
    pub fn with_allowance<T>(&self, work: u64, task: impl FnOnce() -> T) -> T {
        let before = {
            let mut store = self.0.borrow_mut();
            let (before, limit) = (store.work_limit, store.work.saturating_add(work));
            store.set_work_limit(limit.min(before));
            before
        };
        let result = task();
        self.0.borrow_mut().set_work_limit(before);
        result
    }

    /// Nodes looked up or made since the beginning.
    pub fn work(&self) -> u64 {
        self.0.borrow().work
    }

    pub fn constant(&self, value: bool) -> Bdd {
        self.handle(if value { Edge::TRUE } else { Edge::FALSE })
    }

    /// The variable of a level, or its complement.
    pub fn literal(&self, level: u32, value: bool) -> Result<Bdd, Limit> {
        self.run(|store| store.make(level, Edge::FALSE, Edge::TRUE).map(|edge| edge.complement_if(!value)))
    }

    /// The conjunction of literals. Levels must be strictly ascending.
    pub fn cube(&self, literals: &[(u32, bool)]) -> Result<Bdd, Limit> {
        debug_assert!(literals.windows(2).all(|pair| pair[0].0 < pair[1].0));
        self.run(|store| {
            literals.iter().rev().try_fold(Edge::TRUE, |below, &(level, value)| match value {
                true => store.make(level, Edge::FALSE, below),
                false => store.make(level, below, Edge::FALSE),
            })
        })
    }

    /// Bits that may change, by their even levels, ascending.
    pub fn changed(&self, levels: &[u32]) -> Result<Changed, Limit> {
        let cube = self.cube(&levels.iter().map(|&level| (level, true)).collect::<Vec<_>>())?;
        let same = self.run(|store| {
            levels.iter().rev().try_fold(Edge::TRUE, |below, &level| {
                let off = store.make(level + 1, below, Edge::FALSE)?;
                let on = store.make(level + 1, Edge::FALSE, below)?;
                store.make(level, off, on)
            })
        })?;
        Ok(Changed { cube, same })
    }

    /// The states that `relation` leads to from `set`, where the bits of `changed` may change and all others stay:
    /// see the [crate documentation](crate).
    pub fn image(&self, set: &Bdd, relation: &Bdd, changed: &Changed) -> Result<Bdd, Limit> {
        self.run(|store| store.image(set.edge, relation.edge, changed.cube.edge, changed.same.edge))
    }

    /// The states from which `relation` may lead into `set`.
    pub fn pre_image(&self, set: &Bdd, relation: &Bdd, changed: &Changed) -> Result<Bdd, Limit> {
        self.run(|store| store.pre_image(set.edge, relation.edge, changed.cube.edge, changed.same.edge))
    }

    /// Nodes in the table now, dead ones included.
    pub fn nodes(&self) -> usize {
        self.0.borrow().used
    }

    /// Most nodes that were ever in the table at once.
    pub fn peak_nodes(&self) -> usize {
        self.0.borrow().peak
    }

    /// Frees all nodes that no handle reaches.
    pub fn collect(&self) {
        self.0.borrow_mut().collect();
    }

    /// Number of distinct nodes of several diagrams together.
    pub fn shared_size(&self, diagrams: &[&Bdd]) -> usize {
        let edges: Vec<Edge> = diagrams.iter().map(|bdd| bdd.edge).collect();
        self.0.borrow().size(&edges)
    }
}

impl Store {
    fn retain(&mut self, edge: Edge) {
        if !edge.is_constant() {
            *self.roots.entry(edge.node() as u32).or_insert(0) += 1;
        }
    }

    fn release(&mut self, edge: Edge) {
        if !edge.is_constant() {
            let node = edge.node() as u32;
            let count = self.roots.get_mut(&node).expect("every handle is counted");
            *count -= 1;
            if *count == 0 {
                self.roots.remove(&node);
            }
        }
    }
}

impl Bdd {
    fn manager(&self) -> Manager {
        Manager(Rc::clone(&self.store))
    }

    fn binary(
        &self,
        other: &Bdd,
        operation: impl Fn(&mut Store, Edge, Edge) -> Option<Edge>,
    ) -> Result<Bdd, Limit> {
        debug_assert!(Rc::ptr_eq(&self.store, &other.store), "diagrams of one manager");
        self.manager().run(|store| operation(store, self.edge, other.edge))
    }

    /// Conjunction.
    pub fn and(&self, other: &Bdd) -> Result<Bdd, Limit> {
        self.binary(other, Store::and)
    }

    /// One of them or both.
    pub fn or(&self, other: &Bdd) -> Result<Bdd, Limit> {
        self.binary(other, Store::or)
    }

    /// Exactly one of them.
    pub fn xor(&self, other: &Bdd) -> Result<Bdd, Limit> {
        self.binary(other, Store::xor)
    }

    /// This one but not the other.
    pub fn minus(&self, other: &Bdd) -> Result<Bdd, Limit> {
        self.binary(other, |store, f, g| store.and(f, g.complement()))
    }

    /// Negation; it takes constant time.
    pub fn not(&self) -> Bdd {
        self.manager().handle(self.edge.complement())
    }

    /// For some values of the variables of a cube of positive literals.
    pub fn exists(&self, cube: &Bdd) -> Result<Bdd, Limit> {
        self.binary(cube, Store::exists)
    }

    /// For all values of the variables of a cube of positive literals.
    pub fn forall(&self, cube: &Bdd) -> Result<Bdd, Limit> {
        self.binary(cube, |store, f, cube| store.exists(f.complement(), cube).map(Edge::complement))
    }

    /// A diagram that agrees with this one wherever `care` holds; elsewhere it may be anything, so that it is small.
    pub fn simplify(&self, care: &Bdd) -> Result<Bdd, Limit> {
        self.binary(care, Store::simplify)
    }

    /// Whether it is the constant false.
    pub fn is_false(&self) -> bool {
        self.edge == Edge::FALSE
    }

    /// Whether it is the constant true.
    pub fn is_true(&self) -> bool {
        self.edge == Edge::TRUE
    }

    /// Number of its nodes, the terminal not counted.
    pub fn size(&self) -> usize {
        self.store.borrow().size(&[self.edge])
    }

    /// The share of all assignments that satisfy it, between 0 and 1.
    pub fn share(&self) -> f64 {
        self.store.borrow().share(self.edge, &mut FxHashMap::default())
    }

    /// The number of assignments to `levels` (ascending, all levels of both among them) that satisfy this one and
    /// `within`; `None` if it does not fit.
    pub fn count(&self, within: &Bdd, levels: &[u32]) -> Option<u128> {
        self.store.borrow().count(self.edge, within.edge, levels)
    }

    /// One satisfying assignment, as the levels and values on a path; `None` for the constant false.
    pub fn pick(&self) -> Option<Vec<(u32, bool)>> {
        self.store.borrow().path(self.edge)
    }

    /// Its value under an assignment by level.
    pub fn evaluate(&self, value: impl Fn(u32) -> bool) -> bool {
        self.store.borrow().evaluate(self.edge, value)
    }
}

impl Clone for Bdd {
    fn clone(&self) -> Self {
        self.manager().handle(self.edge)
    }
}

impl Drop for Bdd {
    fn drop(&mut self) {
        self.store.borrow_mut().release(self.edge);
    }
}

impl PartialEq for Bdd {
    fn eq(&self, other: &Self) -> bool {
        self.edge == other.edge
    }
}

impl Eq for Bdd {}

impl std::hash::Hash for Bdd {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.edge.hash(state);
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdd({} nodes)", self.size())
    }
}
