//! Finite-domain variables as bits on levels.

use counterplay_base::{Budget, Id, IdVec, Limit};
use counterplay_bdd::{Bdd, Manager};
use counterplay_task::{Fact, Value, VarId};

use crate::StateSet;

/// A state space: which bits stand for which variable. Bit `i` is level `2i` now and level `2i + 1` next.
pub struct Space {
    pub(crate) manager: Manager,
    /// The bits of each variable, least significant last; empty for variables that are not encoded.
    bits: IdVec<VarId, Vec<u32>>,
    sizes: IdVec<VarId, Value>,
    /// Even levels of all bits, ascending.
    levels: Vec<u32>,
    /// All states whose every variable has a value of its domain.
    valid: Bdd,
}

impl Space {
    /// Lays out the variables of `order` in that order. `sizes` tells the number of values of every variable;
    /// those not in `order` get no bits (they are derived from others).
    pub fn new(sizes: IdVec<VarId, Value>, order: &[VarId], budget: &Budget) -> Result<Space, Limit> {
        let manager = Manager::new(budget.clone());
        let mut bits: IdVec<VarId, Vec<u32>> = IdVec::filled(Vec::new(), sizes.len());
        let mut next = 0;
        for &var in order {
            let width = Value::BITS - sizes[var].saturating_sub(1).leading_zeros();
            bits[var] = (next..next + width).collect();
            next += width;
        }
        let valid = manager.constant(true);
        let levels = (0..next).map(|bit| 2 * bit).collect();
        let mut space = Space { manager, bits, sizes, levels, valid };
        for &var in order.iter().rev() {
            let domain = space.domain(var)?;
            space.valid = space.valid.and(&domain)?;
        }
        Ok(space)
    }

    /// Replaces the budget that all operations on this space's sets obey.
    pub fn set_budget(&self, budget: &Budget) {
        self.manager.set_budget(budget.clone());
    }

    /// No state.
    pub fn none(&self) -> StateSet {
        StateSet(self.manager.constant(false))
    }

    /// All states.
    pub fn all(&self) -> StateSet {
        StateSet(self.valid.clone())
    }

    /// The states that are not in a set. Takes no work in a space whose every code is a state, and then needs no limit.
    pub fn complement(&self, set: &StateSet) -> StateSet {
        debug_assert!(self.valid.is_true(), "every code is a state");
        StateSet(set.0.not())
    }

    /// All states in which all facts hold; at most one fact for each variable.
    pub fn facts(&self, facts: &[Fact]) -> Result<StateSet, Limit> {
        Ok(StateSet(self.cube(facts, 0)?.and(&self.valid)?))
    }

    /// Whether a variable has bits of its own.
    pub fn is_encoded(&self, var: VarId) -> bool {
        !self.bits[var].is_empty() || self.sizes[var] == 1
    }

    /// The value of a variable on a path of levels and bits; bits off the path are zero.
    fn value_on(&self, var: VarId, path: &[(u32, bool)]) -> Value {
        self.bits[var].iter().fold(0, |value, &bit| {
            let set = path.binary_search_by_key(&(2 * bit), |&(level, _)| level).is_ok_and(|at| path[at].1);
            value << 1 | set as Value
        })
    }

    /// One state of a set, as values of all encoded variables (others get 0); `None` if it is empty.
    pub fn pick(&self, set: &StateSet) -> Option<IdVec<VarId, Value>> {
        let path = set.0.pick()?;
        Some(self.sizes.ids().map(|var| self.value_on(var, &path)).collect())
    }

    /// The number of states in a set; `None` if it does not fit.
    pub fn count(&self, set: &StateSet) -> Option<u128> {
        set.0.count(&self.levels)
    }

    /// The number of states in a set, roughly.
    pub fn count_about(&self, set: &StateSet) -> f64 {
        set.0.share() * 2f64.powi(self.levels.len() as i32)
    }

    /// Whether a state belongs to a set.
    pub fn contains(&self, set: &StateSet, state: &IdVec<VarId, Value>) -> bool {
        let mut on = vec![false; self.levels.len()];
        for (var, &value) in state.enumerate() {
            for (i, &bit) in self.bits[var].iter().rev().enumerate() {
                on[bit as usize] = value >> i & 1 == 1;
            }
        }
        set.0.evaluate(|level| on[level as usize / 2])
    }

    /// Runs `task` with an allowance of work for all operations in it together; when it is used up, they give up
    /// with [`Limit::Nodes`]. Work is the same on every machine, so what depends on it is repeatable.
    pub fn with_allowance<T>(&self, work: u64, task: impl FnOnce() -> T) -> T {
        self.manager.with_allowance(work, task)
    }

    /// The work done since the beginning, in nodes looked up or made.
    pub fn work(&self) -> u64 {
        self.manager.work()
    }

    /// Most diagram nodes that were ever alive at once.
    pub fn peak_nodes(&self) -> usize {
        self.manager.peak_nodes()
    }

    /// Diagram nodes in the table now.
    pub fn nodes(&self) -> usize {
        self.manager.nodes()
    }

    /// The conjunction of facts over the current (`next` = 0) or next (`next` = 1) bits.
    pub(crate) fn cube(&self, facts: &[Fact], next: u32) -> Result<Bdd, Limit> {
        let mut literals: Vec<(u32, bool)> = Vec::new();
        for fact in facts {
            for (i, &bit) in self.bits[fact.var].iter().rev().enumerate() {
                literals.push((2 * bit + next, fact.value >> i & 1 == 1));
            }
        }
        literals.sort_unstable();
        self.manager.cube(&literals)
    }

    /// The variable has one of the values of its domain: codes beyond it are no states.
    pub(crate) fn domain(&self, var: VarId) -> Result<Bdd, Limit> {
        let last = self.sizes[var].saturating_sub(1);
        // Codes up to `last`, from the least significant bit up: below a set bit everything smaller is fine.
        let mut result = self.manager.constant(true);
        for (i, &bit) in self.bits[var].iter().rev().enumerate() {
            let zero = self.manager.literal(2 * bit, false)?;
            result = if last >> i & 1 == 1 { zero.or(&result)? } else { zero.and(&result)? };
        }
        Ok(result)
    }

    /// Nothing about the variable changes: each of its next bits equals the current one.
    pub(crate) fn unchanged(&self, var: VarId) -> Result<Bdd, Limit> {
        let mut result = self.manager.constant(true);
        for &bit in self.bits[var].iter().rev() {
            let (now, next) =
                (self.manager.literal(2 * bit, true)?, self.manager.literal(2 * bit + 1, true)?);
            result = result.and(&now.xor(&next)?.not())?;
        }
        Ok(result)
    }

    /// The cube of the current bits of variables.
    pub(crate) fn cube_of(&self, vars: &[VarId]) -> Result<Bdd, Limit> {
        let mut levels: Vec<(u32, bool)> =
            vars.iter().flat_map(|&var| self.bits[var].iter().map(|&bit| (2 * bit, true))).collect();
        levels.sort_unstable();
        self.manager.cube(&levels)
    }

    /// The cube of all bits, current and next, of the variables not in `seen`.
    pub(crate) fn hidden_cube(&self, seen: &[VarId]) -> Result<Bdd, Limit> {
        let hidden = self.variables().filter(|var| !seen.contains(var)).flat_map(|var| &self.bits[var]);
        let mut levels: Vec<(u32, bool)> =
            hidden.flat_map(|&bit| [(2 * bit, true), (2 * bit + 1, true)]).collect();
        levels.sort_unstable();
        self.manager.cube(&levels)
    }

    /// A set as seen by someone who sees only some variables: all states that agree on them with one of the set.
    pub fn projected_to(&self, set: &StateSet, seen: &[VarId]) -> Result<StateSet, Limit> {
        Ok(StateSet(set.0.exists(&self.hidden_cube(seen)?)?))
    }

    /// What a set says about the other variables, given a fact: the result leaves the fact's variable free.
    pub fn given(&self, set: &StateSet, fact: Fact) -> Result<StateSet, Limit> {
        Ok(StateSet(set.0.and(&self.cube(&[fact], 0)?)?.exists(&self.cube_of(&[fact.var])?)?))
    }

    /// The first level of a variable, for sorting things by place in the order.
    pub(crate) fn place(&self, var: VarId) -> u32 {
        self.bits[var].first().copied().unwrap_or(u32::MAX)
    }

    /// All variables by id.
    pub fn variables(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.sizes.len()).map(VarId::new)
    }
}
