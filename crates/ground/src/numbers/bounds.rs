//! Bounds that the values of numbers alone do not show.
//!
//! A lift's number of passengers never falls below zero because a passenger who leaves was inside: the number minus the count
//! of atoms `(boarded ?p lift)` never falls. In general, with a predicate whose atoms are *counted*, `f - c·count` is
//! a potential that no action lowers if every action that lowers `f` by at most `c` surely deletes a counted atom, and
//! every action that adds one raises `f` by at least `c`. Then `f` never falls below its first value minus `c`
//! times the first count. Upper bounds are the same with signs turned round. We try all predicates.
//!
//! A number that only grows and is only compared with something bounded need not be followed beyond it: all larger
//! values answer every comparison in the same way.

use std::cell::OnceCell;

use counterplay_pddl::model::*;
use num_traits::{CheckedAdd, CheckedMul, CheckedSub, Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Code, Range, visit_fluents};
use super::{Numeric, demanded};
use crate::metric::visit_comparisons;

/// Which bounds the numbers of each function have.
pub(crate) struct Bounds<'p> {
    problem: &'p Problem,
    lower: FxHashMap<FunctionId, Vec<Potential>>,
    upper: FxHashMap<FunctionId, Vec<Potential>>,
    /// Functions that only grow and are only compared: beyond all they are compared with, values are all the same.
    pub(crate) saturating: FxHashSet<FunctionId>,
}

/// A way of counting atoms that bounds a number.
struct Potential {
    predicate: PredicateId,
    /// Where the arguments of the number stand among those of the atoms.
    positions: Vec<usize>,
    /// What each atom counts.
    each: Number,
}

/// Which side is bounded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

impl<'p> Bounds<'p> {
    pub(crate) fn new(numeric: &Numeric<'p>) -> Bounds<'p> {
        let problem = numeric.problem;
        let shapes: Vec<Shape<'_>> = problem.actions.iter().map(Shape::new).collect();
        let find = |side: Side| {
            let functions = numeric.changing.iter();
            functions.map(|&function| (function, potentials(numeric, &shapes, function, side))).collect()
        };
        let saturating =
            numeric.changing.iter().copied().filter(|&function| saturates(numeric, function)).collect();
        Bounds { problem, lower: find(Side::Lower), upper: find(Side::Upper), saturating }
    }

    /// What is proved of a number with this first value.
    pub(crate) fn of(&self, fluent: &GroundFluent, start: Number) -> Range {
        let count = |potential: &Potential| {
            let init = self.problem.init.iter().filter(|atom| {
                let mut arguments = potential.positions.iter().zip(&fluent.arguments);
                atom.predicate == potential.predicate
                    && arguments.all(|(&at, argument)| atom.arguments[at] == *argument)
            });
            potential.each.checked_mul(&Number::from_integer(init.count() as i128))
        };
        let below = |potential: &Potential| start.checked_sub(&count(potential)?);
        let above = |potential: &Potential| start.checked_add(&count(potential)?);
        let least = self.lower[&fluent.function].iter().filter_map(below).max();
        let greatest = self.upper[&fluent.function].iter().filter_map(above).min();
        Range { least, greatest }
    }
}

/// The atoms of an action that happen for certain, and those that may be added besides.
struct Shape<'a> {
    adds: Vec<&'a Atom>,
    deletes: Vec<&'a Atom>,
    /// Predicates of atoms added under a condition or for all values of a variable.
    loose: Vec<PredicateId>,
    demands: OnceCell<Vec<&'a Atom>>,
    action: &'a Action,
}

impl<'a> Shape<'a> {
    fn new(action: &'a Action) -> Shape<'a> {
        let mut shape = Shape {
            adds: Vec::new(),
            deletes: Vec::new(),
            loose: Vec::new(),
            demands: OnceCell::new(),
            action,
        };
        shape.walk(&action.effect, false);
        shape
    }

    fn walk(&mut self, effect: &'a Effect, inside: bool) {
        match effect {
            Effect::And(parts) => parts.iter().for_each(|part| self.walk(part, inside)),
            Effect::OneOf(parts, _) => parts.iter().for_each(|part| self.walk(part, true)),
            Effect::Forall(_, part) | Effect::When(_, part) => self.walk(part, true),
            Effect::Add(atom, _) if inside => self.loose.push(atom.predicate),
            Effect::Add(atom, _) => self.adds.push(atom),
            Effect::Delete(atom, _) if !inside => self.deletes.push(atom),
            Effect::Delete(..) | Effect::Change(..) => {}
        }
    }

    /// Whether the action surely removes an atom that was there.
    fn surely_deletes(&self, fits: impl Fn(&Atom) -> bool) -> bool {
        let demands = self.demands.get_or_init(|| {
            let mut atoms = Vec::new();
            demanded(&self.action.precondition, &mut |part| {
                if let Condition::Atom(atom, _) = part {
                    atoms.push(atom);
                }
            });
            atoms
        });
        self.deletes.iter().any(|atom| fits(atom) && demands.contains(atom))
    }
}

fn potentials(
    numeric: &Numeric<'_>,
    shapes: &[Shape<'_>],
    function: FunctionId,
    side: Side,
) -> Vec<Potential> {
    let changes = || numeric.actions.iter().flat_map(|action| &action.changes);
    let own = || changes().filter(|change| change.fluent.function == function);
    let mut each = Number::zero();
    for change in own() {
        let Some(growth) = change.growth() else { return Vec::new() };
        each = each.max(growth.abs());
    }
    let problem = numeric.problem;
    let arity = problem.functions[function].parameters.len();
    let mut found = Vec::new();
    for (predicate, declared) in problem.predicates.enumerate().filter(|(_, it)| !it.derived) {
        for positions in placements(arity, declared.parameters.len()) {
            let potential = Potential { predicate, positions, each };
            let mut pairs = numeric.actions.iter().zip(shapes);
            if pairs.all(|(action, shape)| potential.is_kept(action, shape, function, side)) {
                found.push(potential);
            }
        }
    }
    found
}

/// All ways to place so many things at different ones of so many positions.
fn placements(count: usize, positions: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let mut longer = Vec::new();
        for begun in &all {
            let free = (0..positions).filter(|at| !begun.contains(at));
            longer.extend(free.map(|at| [&begun[..], &[at]].concat()));
        }
        all = longer;
    }
    all
}

impl Potential {
    /// Whether an action leaves the potential at least (for a lower bound) or at most (for an upper one) as it was.
    fn is_kept(
        &self,
        action: &super::NumericAction,
        shape: &Shape<'_>,
        function: FunctionId,
        side: Side,
    ) -> bool {
        if shape.loose.contains(&self.predicate) {
            return false;
        }
        let own: Vec<_> = action.changes.iter().filter(|change| change.fluent.function == function).collect();
        let adds: Vec<_> = shape.adds.iter().filter(|atom| atom.predicate == self.predicate).collect();
        let counts_for = |atom: &Atom, terms: &[Term]| {
            atom.predicate == self.predicate
                && self.positions.iter().zip(terms).all(|(&at, term)| atom.arguments[at] == *term)
        };
        match own[..] {
            [] => adds.is_empty(),
            [change] => {
                let terms = &change.fluent.arguments;
                if !adds.iter().all(|atom| counts_for(atom, terms)) {
                    return false;
                }
                let deleted = adds.is_empty() && shape.surely_deletes(|atom| counts_for(atom, terms));
                let count = Number::from_integer(adds.len() as i128 - i128::from(deleted));
                let Some(more) = self.each.checked_mul(&count) else { return false };
                let growth = change.growth().expect("other changes have been ruled out");
                match side {
                    Side::Lower => growth >= more,
                    Side::Upper => growth <= -more,
                }
            }
            // Two of them may be the same number.
            _ => false,
        }
    }
}

/// Whether a function only grows and is nowhere read but alone on one side of comparisons: in preconditions, in conditions of
/// effects, in rules, in the goal or in preferences.
fn saturates(numeric: &Numeric<'_>, function: FunctionId) -> bool {
    let changes = || numeric.actions.iter().flat_map(|action| &action.changes);
    let grows = changes().all(|change| {
        let is_own = change.fluent.function == function;
        let is_growth = || change.growth().is_some_and(|growth| growth.is_positive());
        (!is_own || is_growth()) && !mentions(&change.value, function)
    });
    let mut is_alone = grows;
    let mut see = |left: &Expression, right: &Expression| {
        is_alone &= match (mentions(left, function), mentions(right, function)) {
            (false, false) => true,
            (true, false) => is_fluent_of(left, function),
            (false, true) => is_fluent_of(right, function),
            (true, true) => false,
        };
    };
    numeric.actions.iter().flat_map(|action| &action.tests).for_each(|(_, left, right)| see(left, right));
    visit_other_comparisons(numeric, &mut see);
    is_alone
}

fn mentions(expression: &Expression, function: FunctionId) -> bool {
    let mut found = false;
    visit_fluents(expression, &mut |fluent, _| found |= fluent.function == function);
    found
}

fn is_fluent_of(expression: &Expression, function: FunctionId) -> bool {
    matches!(expression, Expression::Fluent(fluent, _) if fluent.function == function)
}

/// Calls `see` with both sides of every comparison that no action demands as it is: in disjunctions and under quantifiers, in
/// conditions of effects, in rules, in the goal and in preferences.
fn visit_other_comparisons(numeric: &Numeric<'_>, see: &mut dyn FnMut(&Expression, &Expression)) {
    let mut see = |left: &Expression, right: &Expression, _| see(left, right);
    let problem = numeric.problem;
    for action in &problem.actions {
        demanded(&action.precondition, &mut |part| {
            if !matches!(part, Condition::Compare(..)) {
                visit_comparisons(part, &mut see);
            }
        });
        crate::metric::visit_conditions(&action.effect, &mut |condition| {
            visit_comparisons(condition, &mut see)
        });
    }
    problem.axioms.iter().for_each(|axiom| visit_comparisons(&axiom.body, &mut see));
    visit_comparisons(&problem.goal.condition, &mut see);
    numeric.preferences.iter().for_each(|preference| visit_comparisons(&preference.condition, &mut see));
}

/// What the numbers of a saturating function are compared with, apart from what actions demand: the greatest value of the other side of
/// each comparison, for all objects at once, or `None` without a bound. `range` bounds the values of a function over
/// all its arguments.
pub(crate) fn compared_elsewhere(
    numeric: &Numeric<'_>,
    function: FunctionId,
    range: &dyn Fn(FunctionId) -> Range,
) -> Vec<Option<Number>> {
    let mut found = Vec::new();
    visit_other_comparisons(numeric, &mut |left, right| {
        for (one, other) in [(left, right), (right, left)] {
            if is_fluent_of(one, function) {
                let mut ranges = Vec::new();
                let code = Code::new(other, &mut |fluent| {
                    ranges.push(range(fluent.function));
                    Some(Code::Slot(ranges.len() - 1))
                });
                found.push(code.and_then(|code| code.range(&ranges).greatest));
            }
        }
    });
    found
}
