//! Where atoms hold, as sets of states.
//!
//! What moves need is computed once for all states. The end and the rewards are often much harder to tell than a move
//! (four in a row, anywhere): atoms whose set would be large are looked at within a given set of states only, rule by
//! rule, each of which cuts the set down. Atoms that depend on each other in a cycle grow together from nothing up to
//! the least solution; that there is one is what stratification is for.

use std::rc::Rc;

use counterplay_base::{Id, Limit};
use counterplay_ground::game::{Game, Literal, MoveId, RuleId, Signal};
use counterplay_symbolic::{Space, StateSet, union};

use super::layout::Layout;

/// Work that the set of one atom may take before it is looked at within given sets only.
const MOST_WORK: u64 = 20_000;
/// Rules are followed within given sets to this depth; below it, whole sets are computed.
const DEEPEST: usize = 500;

/// The sets of the atoms of a game.
pub(crate) struct Values<'a> {
    game: &'a Game,
    space: Rc<Space>,
    /// Of fluents, moves (no state until they are made) and derived atoms, as far as they are known.
    sets: Vec<Option<StateSet>>,
    /// Derived atoms that depend on moves, in order.
    on_moves: Vec<usize>,
    rules: Vec<Vec<RuleId>>,
    /// For each atom the component of atoms that depend on each other, if there are several in it.
    cycle: Vec<Option<usize>>,
}

impl<'a> Values<'a> {
    pub(crate) fn new(game: &'a Game, layout: &Layout, space: &Rc<Space>) -> Result<Values<'a>, Limit> {
        let mut rules = vec![Vec::new(); game.atoms];
        for (rule, head) in game.heads.enumerate() {
            // A rule that needs what it is for adds nothing.
            if game.bodies[rule].iter().all(|literal| literal.atom() != *head) {
                rules[head.index()].push(rule);
            }
        }
        let mut sets = vec![None; game.atoms];
        for fluent in game.fluents.ids() {
            sets[fluent.index()] = Some(layout.holds(space, fluent)?);
        }
        sets[game.fluents.len()..game.first_derived()].fill(Some(space.none()));
        let mut depends: Vec<bool> =
            (0..game.atoms).map(|atom| (game.fluents.len()..game.first_derived()).contains(&atom)).collect();
        let mut on_moves = Vec::new();
        let mut cycle = vec![None; game.atoms];
        for (number, component) in game.components.iter().enumerate() {
            let own = component.iter().flat_map(|atom| &rules[atom.index()]);
            let mut body = own.flat_map(|&rule| &game.bodies[rule]);
            let any = body.any(|literal| depends[literal.atom().index()]);
            for atom in component.iter().map(|atom| atom.index()) {
                depends[atom] = any;
                cycle[atom] = (component.len() > 1).then_some(number);
                if any {
                    on_moves.push(atom);
                }
            }
        }
        Ok(Values { game, space: Rc::clone(space), sets, on_moves, rules, cycle })
    }

    /// Whether two atoms depend on each other.
    fn is_cycle(&self, one: usize, other: usize) -> bool {
        self.cycle[one].is_some() && self.cycle[one] == self.cycle[other]
    }

    /// The atoms that an atom needs, but for those that need it too.
    fn below(&self, atom: usize) -> impl Iterator<Item = usize> + '_ {
        let own = match self.cycle[atom] {
            Some(number) => self.game.components[number].iter().map(|atom| atom.index()).collect(),
            None => vec![atom],
        };
        let literals =
            own.into_iter().flat_map(|own| &self.rules[own]).flat_map(|&rule| &self.game.bodies[rule]);
        literals.map(|literal| literal.atom().index()).filter(move |&other| !self.is_cycle(atom, other))
    }

    /// The states in which an atom holds. Atoms below are computed first, with a stack of their own.
    fn full(&mut self, atom: usize) -> Result<StateSet, Limit> {
        let mut open = vec![atom];
        while let Some(&atom) = open.last() {
            if self.sets[atom].is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(self.below(atom).filter(|&at| self.sets[at].is_none()));
            if open.len() == before {
                self.settle(atom)?;
            }
        }
        Ok(self.sets[atom].clone().expect("just computed"))
    }

    /// Finds the set of an atom for which those below are known, and of all that it depends on in a cycle.
    fn settle(&mut self, atom: usize) -> Result<(), Limit> {
        let Some(number) = self.cycle[atom] else {
            self.sets[atom] = Some(self.compute(atom)?);
            return Ok(());
        };
        let all: Vec<usize> = self.game.components[number].iter().map(|atom| atom.index()).collect();
        let result = self.grow(&all);
        if result.is_err() {
            all.iter().for_each(|&atom| self.sets[atom] = None);
        }
        result
    }

    /// Lets the sets of atoms grow from nothing until no rule adds a state.
    fn grow(&mut self, all: &[usize]) -> Result<(), Limit> {
        all.iter().for_each(|&atom| self.sets[atom] = Some(self.space.none()));
        let mut grows = true;
        while grows {
            grows = false;
            for &atom in all {
                let wider = Some(self.compute(atom)?);
                grows |= self.sets[atom] != wider;
                self.sets[atom] = wider;
            }
        }
        Ok(())
    }

    /// The set of an atom whose rules have only atoms with known sets.
    fn compute(&self, atom: usize) -> Result<StateSet, Limit> {
        let mut parts = Vec::new();
        for &rule in &self.rules[atom] {
            let mut all = self.space.all();
            for literal in &self.game.bodies[rule] {
                let set = self.sets[literal.atom().index()].as_ref().expect("atoms below come first");
                all = if literal.is_positive() { all.intersect(set)? } else { all.minus(set)? };
                if all.is_empty() {
                    break;
                }
            }
            parts.push(all);
        }
        Ok(union(parts)?.unwrap_or_else(|| self.space.none()))
    }

    /// The states in which a signal is true.
    pub(crate) fn signal(&mut self, signal: Signal) -> Result<StateSet, Limit> {
        Ok(match signal {
            Signal::Constant(true) => self.space.all(),
            Signal::Constant(false) => self.space.none(),
            Signal::Literal(literal) => {
                let set = self.full(literal.atom().index())?;
                if literal.is_positive() { set } else { self.space.complement(&set) }
            }
        })
    }

    /// The next state's fluents when moves are made.
    pub(crate) fn next(&mut self, moves: &[MoveId]) -> Result<Vec<StateSet>, Limit> {
        for &a_move in moves {
            self.sets[self.game.does(a_move).index()] = Some(self.space.all());
        }
        for at in 0..self.on_moves.len() {
            self.sets[self.on_moves[at]] = None;
        }
        let next = (0..self.game.next.len()).map(|at| self.signal(self.game.next[Id::new(at)]));
        let next = next.collect::<Result<_, _>>()?;
        for &a_move in moves {
            self.sets[self.game.does(a_move).index()] = Some(self.space.none());
        }
        Ok(next)
    }

    /// The states of a set in which a signal is true.
    pub(crate) fn within(&mut self, signal: Signal, set: &StateSet) -> Result<StateSet, Limit> {
        match signal {
            Signal::Constant(true) => Ok(set.clone()),
            Signal::Constant(false) => Ok(self.space.none()),
            Signal::Literal(literal) => self.literal_within(literal, set, 0),
        }
    }

    fn literal_within(&mut self, literal: Literal, set: &StateSet, depth: usize) -> Result<StateSet, Limit> {
        if set.is_empty() {
            return Ok(self.space.none());
        }
        let atom = literal.atom().index();
        if depth == DEEPEST || self.cycle[atom].is_some() {
            self.full(atom)?;
        }
        if let Some(full) = &self.sets[atom] {
            return if literal.is_positive() { set.intersect(full) } else { set.minus(full) };
        }
        let mut left = set.clone();
        for at in 0..self.rules[atom].len() {
            let body = &self.game.bodies[self.rules[atom][at]];
            let mut own = left.clone();
            for &literal in body {
                own = self.literal_within(literal, &own, depth + 1)?;
            }
            left = left.minus(&own)?;
        }
        if literal.is_positive() { set.minus(&left) } else { Ok(left) }
    }

    /// Computes the sets of the atoms that signals depend on, as far as that takes little.
    pub(crate) fn prepare(&mut self, signals: impl Iterator<Item = Signal>) -> Result<(), Limit> {
        let mut is_needed = vec![false; self.game.atoms];
        let mut open: Vec<usize> = signals
            .filter_map(|signal| match signal {
                Signal::Literal(literal) => Some(literal.atom().index()),
                Signal::Constant(_) => None,
            })
            .collect();
        while let Some(atom) = open.pop() {
            if !std::mem::replace(&mut is_needed[atom], true) {
                let below = self.rules[atom].iter().flat_map(|&rule| &self.game.bodies[rule]);
                open.extend(below.map(|literal| literal.atom().index()));
            }
        }
        for number in 0..self.game.components.len() {
            let atom = self.game.components[number][0].index();
            if !is_needed[atom] || self.sets[atom].is_some() {
                continue;
            }
            if self.below(atom).all(|other| self.sets[other].is_some()) {
                let space = Rc::clone(&self.space);
                match space.with_allowance(MOST_WORK, || self.settle(atom)) {
                    Ok(()) | Err(Limit::Nodes(_)) => {}
                    Err(limit) => return Err(limit),
                }
            }
        }
        Ok(())
    }
}
