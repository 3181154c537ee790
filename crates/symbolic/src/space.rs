//! Finite-domain variables as bits on levels.

use counterplay_base::{Budget, Id, IdVec, Limit};
use counterplay_bdd::{Bdd, Changed, Manager, Unreadable};
use counterplay_task::{Fact, Value, VarId};

use crate::StateSet;
use crate::code::{Code, Coding};

/// A state space: which bits stand for which variable. Bit `i` is level `2i` now and level `2i + 1` next.
pub struct Space {
    pub(crate) manager: Manager,
    /// The words of each variable; those that are not encoded have no bits.
    codes: IdVec<VarId, Code>,
    /// Even levels of all bits, ascending.
    levels: Vec<u32>,
    /// All words that stand for a state.
    valid: Bdd,
    /// One word for each state.
    canonical: Bdd,
}

impl Space {
    /// Lays out the variables of `order` in that order. `sizes` tells the number of values of every variable;
    /// those not in `order` get no bits (they are derived from others).
    pub fn new(sizes: IdVec<VarId, Value>, order: &[VarId], budget: &Budget) -> Result<Space, Limit> {
        Space::with_coding(sizes, order, Coding::Numbers, budget)
    }

    /// Lays out the variables of `order` with words of some kind.
    pub fn with_coding(
        sizes: IdVec<VarId, Value>,
        order: &[VarId],
        coding: Coding,
        budget: &Budget,
    ) -> Result<Space, Limit> {
        let manager = Manager::new(budget.clone());
        let mut codes: IdVec<VarId, Code> = sizes.iter().map(|&size| Code::none(size)).collect();
        let mut next = 0;
        for &var in order {
            codes[var] = Code::new(sizes[var], next, coding);
            next += codes[var].bits.len() as u32;
        }
        let all = manager.constant(true);
        let levels = (0..next).map(|bit| 2 * bit).collect();
        let mut space = Space { manager, codes, levels, valid: all.clone(), canonical: all };
        for &var in order.iter().rev() {
            match coding {
                Coding::Numbers => space.valid = space.valid.and(&space.domain(var)?)?,
                Coding::Prefixes => space.canonical = space.canonical.and(&space.one_word(var)?)?,
            }
        }
        if coding == Coding::Numbers {
            space.canonical = space.valid.clone();
        }
        Ok(space)
    }

    /// Replaces the budget that all operations on this space's sets obey.
    pub fn set_budget(&self, budget: &Budget) {
        self.manager.set_budget(budget.clone());
    }

    pub fn none(&self) -> StateSet {
        StateSet(self.manager.constant(false))
    }

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
        !self.codes[var].bits.is_empty() || self.codes[var].size() == 1
    }

    /// The value of a variable on a path of levels and bits; bits off the path are zero.
    fn value_on(&self, var: VarId, path: &[(u32, bool)]) -> Value {
        self.codes[var].value(|bit| {
            path.binary_search_by_key(&(2 * bit), |&(level, _)| level).is_ok_and(|at| path[at].1)
        })
    }

    /// One state of a set, as values of all encoded variables (others get 0); `None` if it is empty.
    pub fn pick(&self, set: &StateSet) -> Option<IdVec<VarId, Value>> {
        let path = set.0.pick()?;
        Some(self.codes.ids().map(|var| self.value_on(var, &path)).collect())
    }

    /// The number of states in a set; `None` if it does not fit.
    pub fn count(&self, set: &StateSet) -> Option<u128> {
        set.0.count(&self.canonical, &self.levels)
    }

    /// The number of states in a set, roughly.
    pub fn count_about(&self, set: &StateSet) -> f64 {
        debug_assert!(self.canonical == self.valid, "one word for each state");
        set.0.share() * 2f64.powi(self.levels.len() as i32)
    }

    /// Whether a state belongs to a set.
    pub fn contains(&self, set: &StateSet, state: &IdVec<VarId, Value>) -> bool {
        let on = self.word(state);
        set.0.evaluate(|level| on[level as usize / 2])
    }

    /// The bits of a state.
    pub(crate) fn word(&self, state: &IdVec<VarId, Value>) -> Vec<bool> {
        let mut on = vec![false; self.levels.len()];
        for (var, &value) in state.enumerate() {
            self.codes[var].word(value).for_each(|(bit, is_on)| on[bit as usize] = is_on);
        }
        on
    }

    /// The first level below all states, for labels.
    pub(crate) fn label_level(&self) -> u32 {
        2 * self.levels.len() as u32
    }

    /// The number of states with each label; `None` if one does not fit.
    pub(crate) fn count_labels(&self, diagram: &Bdd, labels: &[&Bdd]) -> Option<Vec<u128>> {
        self.manager.count_labels(diagram, self.label_level(), labels, &self.canonical, &self.levels)
    }

    /// Writes sets as bytes; the format is that of the kernel.
    pub fn export(&self, sets: &[&StateSet]) -> Vec<u8> {
        self.manager.export(&sets.iter().map(|set| &set.0).collect::<Vec<_>>())
    }

    /// Reads sets that a space with the same variables in the same order has written.
    pub fn import(&self, bytes: &[u8]) -> Result<Vec<StateSet>, Unreadable> {
        let diagrams = self.manager.import(bytes, 2 * self.levels.len() as u32)?;
        Ok(diagrams.into_iter().map(StateSet).collect())
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
            let word = self.codes[fact.var].word(fact.value);
            literals.extend(word.map(|(bit, is_on)| (2 * bit + next, is_on)));
        }
        literals.sort_unstable();
        self.manager.cube(&literals)
    }

    /// The variable has one of the values of its domain: codes beyond it are no states.
    pub(crate) fn domain(&self, var: VarId) -> Result<Bdd, Limit> {
        let last = self.codes[var].size().saturating_sub(1);
        // Codes up to `last`, from the least significant bit up: below a set bit everything smaller is fine.
        let mut result = self.manager.constant(true);
        for (i, &bit) in self.codes[var].bits.iter().rev().enumerate() {
            let zero = self.manager.literal(2 * bit, false)?;
            result = if last >> i & 1 == 1 { zero.or(&result)? } else { zero.and(&result)? };
        }
        Ok(result)
    }

    /// A last bit that no one looks at is zero.
    fn one_word(&self, var: VarId) -> Result<Bdd, Limit> {
        let code = &self.codes[var];
        let mut result = self.manager.constant(true);
        for value in code.short_values() {
            let last = code.bits.last().map(|&bit| (2 * bit, true));
            let mut word: Vec<(u32, bool)> = code.word(value).map(|(bit, is_on)| (2 * bit, is_on)).collect();
            word.extend(last);
            result = result.minus(&self.manager.cube(&word)?)?;
        }
        Ok(result)
    }

    /// Nothing about the variable changes: each of its next bits equals the current one.
    pub(crate) fn unchanged(&self, var: VarId) -> Result<Bdd, Limit> {
        let mut result = self.manager.constant(true);
        for &bit in self.codes[var].bits.iter().rev() {
            let (now, next) =
                (self.manager.literal(2 * bit, true)?, self.manager.literal(2 * bit + 1, true)?);
            result = result.and(&now.xor(&next)?.not())?;
        }
        Ok(result)
    }

    /// The cube of the current bits of variables.
    pub(crate) fn cube_of(&self, vars: &[VarId]) -> Result<Bdd, Limit> {
        let mut levels: Vec<(u32, bool)> =
            vars.iter().flat_map(|&var| self.codes[var].bits.iter().map(|&bit| (2 * bit, true))).collect();
        levels.sort_unstable();
        self.manager.cube(&levels)
    }

    /// The bits of variables, as bits that may change.
    pub(crate) fn bits_of(&self, vars: &[VarId]) -> Result<Changed, Limit> {
        let mut levels: Vec<u32> =
            vars.iter().flat_map(|&var| self.codes[var].bits.iter().map(|&bit| 2 * bit)).collect();
        levels.sort_unstable();
        self.manager.changed(&levels)
    }

    /// The cube of all bits, current and next, of the variables not in `seen`.
    pub(crate) fn hidden_cube(&self, seen: &[VarId]) -> Result<Bdd, Limit> {
        let hidden = self.variables().filter(|var| !seen.contains(var)).flat_map(|var| &self.codes[var].bits);
        let mut levels: Vec<(u32, bool)> =
            hidden.flat_map(|&bit| [(2 * bit, true), (2 * bit + 1, true)]).collect();
        levels.sort_unstable();
        self.manager.cube(&levels)
    }

    /// A set projected to some variables: all states that agree on them with one of the set.
    pub fn projected_to(&self, set: &StateSet, seen: &[VarId]) -> Result<StateSet, Limit> {
        Ok(StateSet(set.0.exists(&self.hidden_cube(seen)?)?))
    }

    /// What a set says about the other variables, given a fact: the result leaves the fact's variable free.
    pub fn given(&self, set: &StateSet, fact: Fact) -> Result<StateSet, Limit> {
        Ok(StateSet(set.0.and(&self.cube(&[fact], 0)?)?.exists(&self.cube_of(&[fact.var])?)?))
    }

    /// The first level of a variable, for sorting things by place in the order.
    pub(crate) fn place(&self, var: VarId) -> u32 {
        self.codes[var].bits.first().copied().unwrap_or(u32::MAX)
    }

    /// How many bits a variable has.
    pub(crate) fn width(&self, var: VarId) -> usize {
        self.codes[var].bits.len()
    }

    /// How many values a variable has.
    pub(crate) fn size(&self, var: VarId) -> Value {
        self.codes[var].size()
    }

    /// The bits that a value looks at, and what they are.
    pub(crate) fn code_word(&self, var: VarId, value: Value) -> Vec<(u32, bool)> {
        self.codes[var].word(value).collect()
    }

    /// All variables by id.
    pub fn variables(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.codes.len()).map(VarId::new)
    }
}
