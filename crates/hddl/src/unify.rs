//! Unification of a rule with a set of atoms, one binding at a time.
//!
//! Which literal is looked at when is decided once for each rule and each set of variables that are bound
//! beforehand: checks as soon as they can be made, then the literal that promises the fewest matches. The
//! choice points of a match live in a list of their own, so a match can be left and taken up again later,
//! and nothing recurses over the text of a rule.

use crate::facts::{Facts, mix};
use crate::lifted::{Arg, Extent, Formula, Literal, Packing, Rule, Tuple, UNBOUND};

/// One thing to do for a match.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Bind variables by the atoms that fit.
    Scan(Scan),
    /// Bind a variable to each object of its type.
    Pick(u32),
    /// A literal whose variables are all bound.
    Literal(usize),
    /// An equality whose variables are both bound.
    Equality(usize),
    /// A formula whose free variables are all bound.
    Formula(usize),
}

/// A literal some of whose variables are unbound.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    literal: usize,
    /// Selects the arguments that are known.
    mask: Tuple,
    /// Positions of the others, with their variables.
    binds: Vec<(usize, u32)>,
}

/// The order of work for one rule and one set of variables bound beforehand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps(Vec<Step>);

impl Steps {
    /// Decides the order. `size` estimates the number of true atoms of a predicate, and how many different
    /// objects stand at a place of it.
    pub(crate) fn new(
        rule: &Rule,
        extents: &[Extent],
        bound: &[u32],
        packing: &Packing,
        size: &dyn Fn(usize, Option<usize>) -> f64,
    ) -> Steps {
        let mut is_bound = vec![false; rule.types.len()];
        bound.iter().for_each(|&variable| is_bound[variable as usize] = true);
        let mut literals: Vec<usize> = (0..rule.literals.len()).collect();
        let mut equalities: Vec<usize> = (0..rule.equalities.len()).collect();
        let mut formulas: Vec<usize> = (0..rule.formulas.len()).collect();
        let mut steps = Vec::new();
        loop {
            let known = |arg: &Arg| match arg {
                Arg::Var(variable) => is_bound[*variable as usize],
                Arg::Obj(_) => true,
            };
            equalities.retain(|&at| {
                let (left, right, _) = &rule.equalities[at];
                let ready = known(left) && known(right);
                if ready {
                    steps.push(Step::Equality(at));
                }
                !ready
            });
            literals.retain(|&at| {
                let ready = rule.literals[at].arguments.iter().all(known);
                if ready {
                    steps.push(Step::Literal(at));
                }
                !ready
            });
            formulas.retain(|&at| {
                let ready = is_closed(&rule.formulas[at], &mut is_bound.clone());
                if ready {
                    steps.push(Step::Formula(at));
                }
                !ready
            });
            let open = |variable: &u32| !is_bound[*variable as usize];
            let best = literals
                .iter()
                .filter(|&&at| rule.literals[at].positive)
                .map(|&at| (estimate(&rule.literals[at], &known, size), at))
                .min_by(|one, other| one.0.total_cmp(&other.0));
            if let Some((_, at)) = best {
                literals.retain(|&other| other != at);
                let scan = scan(&rule.literals[at], at, packing, &known);
                scan.binds.iter().for_each(|&(_, variable)| is_bound[variable as usize] = true);
                steps.push(Step::Scan(scan));
                continue;
            }
            let next = (0..rule.variables as u32)
                .filter(open)
                .min_by_key(|&variable| extents[rule.types[variable as usize]].members.len());
            let Some(next) = next else { break };
            is_bound[next as usize] = true;
            steps.push(Step::Pick(next));
        }
        debug_assert!(literals.is_empty() && equalities.is_empty() && formulas.is_empty());
        Steps(steps)
    }

    /// The selections it will ask for.
    pub(crate) fn selections<'a>(&'a self, rule: &'a Rule) -> impl Iterator<Item = (usize, Tuple)> + 'a {
        self.0.iter().filter_map(|step| match step {
            Step::Scan(scan) => Some((rule.literals[scan.literal].predicate, scan.mask)),
            _ => None,
        })
    }
}

/// How many atoms fit a literal, from the look of it.
fn estimate(
    literal: &Literal,
    known: &impl Fn(&Arg) -> bool,
    size: &dyn Fn(usize, Option<usize>) -> f64,
) -> f64 {
    let bound = literal.arguments.iter().enumerate().filter(|(_, arg)| known(arg));
    bound.fold(size(literal.predicate, None), |left, (at, _)| {
        left / size(literal.predicate, Some(at)).max(1.0)
    })
}

fn scan(literal: &Literal, at: usize, packing: &Packing, known: &impl Fn(&Arg) -> bool) -> Scan {
    let mut binds = Vec::new();
    let mut places = Vec::new();
    for (place, arg) in literal.arguments.iter().enumerate() {
        match arg {
            Arg::Var(variable) if !known(arg) => binds.push((place, *variable)),
            _ => places.push(place),
        }
    }
    Scan { literal: at, mask: packing.mask(literal.arguments.len(), places.into_iter()), binds }
}

/// Whether all free variables of a formula are bound.
fn is_closed(formula: &Formula, bound: &mut Vec<bool>) -> bool {
    let known = |arg: &Arg| match arg {
        Arg::Var(variable) => bound[*variable as usize],
        Arg::Obj(_) => true,
    };
    match formula {
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(|part| is_closed(part, bound)),
        Formula::Literal(literal) => literal.arguments.iter().all(known),
        Formula::Equal(left, right, _) => known(left) && known(right),
        Formula::All(variable, part) | Formula::Any(variable, part) => {
            // Quantified variables have numbers of their own, so none is hidden by another.
            bound[*variable as usize] = true;
            is_closed(part, bound)
        }
    }
}

/// The value of a term under a binding.
#[inline]
pub(crate) fn value(arg: Arg, binding: &[u32]) -> u32 {
    match arg {
        Arg::Var(variable) => binding[variable as usize],
        Arg::Obj(object) => object,
    }
}

/// Terms under a binding, packed.
#[inline]
pub(crate) fn tuple(packing: &Packing, arguments: &[Arg], binding: &[u32]) -> Tuple {
    packing.pack(arguments.iter().map(|&arg| value(arg, binding)))
}

/// Whether a literal holds, or may.
pub(crate) fn literal_holds(literal: &Literal, binding: &[u32], facts: &impl Facts) -> bool {
    let tuple = tuple(facts.packing(), &literal.arguments, binding);
    if literal.positive { facts.has(literal.predicate, tuple) } else { facts.lacks(literal.predicate, tuple) }
}

/// Whether a formula holds, or may. Nesting is bounded by the reader.
pub(crate) fn holds(
    formula: &Formula,
    types: &[usize],
    extents: &[Extent],
    binding: &mut [u32],
    facts: &impl Facts,
) -> bool {
    match formula {
        Formula::And(parts) => parts.iter().all(|part| holds(part, types, extents, binding, facts)),
        Formula::Or(parts) => parts.iter().any(|part| holds(part, types, extents, binding, facts)),
        Formula::Literal(literal) => literal_holds(literal, binding, facts),
        Formula::Equal(left, right, equal) => (value(*left, binding) == value(*right, binding)) == *equal,
        Formula::All(variable, part) | Formula::Any(variable, part) => {
            let all = matches!(formula, Formula::All(..));
            let slot = *variable as usize;
            let mut members = extents[types[slot]].members.iter();
            let found = members.any(|&object| {
                binding[slot] = object;
                holds(part, types, extents, binding, facts) != all
            });
            binding[slot] = UNBOUND;
            found != all
        }
    }
}

/// A rule, its extents and the order of work.
#[derive(Clone, Copy)]
pub(crate) struct Matcher<'a> {
    pub(crate) rule: &'a Rule,
    pub(crate) extents: &'a [Extent],
    pub(crate) steps: &'a Steps,
    pub(crate) packing: &'a Packing,
}

/// A match under way: the current binding, and what else could be tried.
#[derive(Clone, Debug)]
pub(crate) struct Match {
    pub(crate) binding: Vec<u32>,
    open: Vec<Open>,
    started: bool,
    /// Candidates come in an order that depends on this; by number if it is zero.
    seed: u64,
    /// Steps made so far.
    pub(crate) work: u64,
}

/// A choice point: candidates left, the next one last.
#[derive(Clone, Debug)]
struct Open {
    step: usize,
    left: Vec<Tuple>,
}

impl Match {
    /// Begins with some variables bound; the others are [`UNBOUND`].
    pub(crate) fn new(binding: Vec<u32>) -> Match {
        Match { binding, open: Vec::new(), started: false, seed: 0, work: 0 }
    }

    /// The same with candidates in another order; a seed of zero changes nothing.
    pub(crate) fn shuffled(self, seed: u64) -> Match {
        Match { seed, ..self }
    }

    fn order(&self, left: &mut [Tuple]) {
        if self.seed != 0 {
            left.sort_by_cached_key(|&tuple| mix(tuple as u64 ^ mix((tuple >> 64) as u64 ^ self.seed)));
        }
    }

    /// Goes on to the next binding; `false` if there is none. Must be called with the same facts every time.
    pub(crate) fn advance(&mut self, matcher: Matcher<'_>, facts: &impl Facts) -> bool {
        let Matcher { rule, extents, steps, packing } = matcher;
        let mut at = 0;
        if std::mem::replace(&mut self.started, true) {
            match self.retry(matcher) {
                Some(next) => at = next,
                None => return false,
            }
        }
        while let Some(step) = steps.0.get(at) {
            self.work += 1;
            let goes_on = match step {
                Step::Literal(index) => literal_holds(&rule.literals[*index], &self.binding, facts),
                Step::Equality(index) => {
                    let (left, right, equal) = rule.equalities[*index];
                    (value(left, &self.binding) == value(right, &self.binding)) == equal
                }
                Step::Formula(index) => {
                    holds(&rule.formulas[*index], &rule.types, extents, &mut self.binding, facts)
                }
                Step::Scan(scan) => {
                    let literal = &rule.literals[scan.literal];
                    let key = packing.masked(tuple(packing, &literal.arguments, &self.binding), scan.mask);
                    let mut left = Vec::new();
                    facts.select(literal.predicate, scan.mask, key, &mut left);
                    left.reverse();
                    self.order(&mut left);
                    self.open.push(Open { step: at, left });
                    false
                }
                Step::Pick(variable) => {
                    let members = &extents[rule.types[*variable as usize]].members;
                    let mut left: Vec<Tuple> =
                        members.iter().rev().map(|&member| Tuple::from(member)).collect();
                    self.order(&mut left);
                    self.open.push(Open { step: at, left });
                    false
                }
            };
            if goes_on {
                at += 1;
                continue;
            }
            match self.retry(matcher) {
                Some(next) => at = next,
                None => return false,
            }
        }
        true
    }

    /// Takes the next candidate of the latest choice point that has one; the step after it.
    fn retry(&mut self, matcher: Matcher<'_>) -> Option<usize> {
        let Matcher { rule, extents, steps, packing } = matcher;
        while let Some(open) = self.open.last_mut() {
            let at = open.step;
            let fits =
                |variable: u32, object: u32| extents[rule.types[variable as usize]].has[object as usize];
            match &steps.0[at] {
                Step::Pick(variable) => match open.left.pop() {
                    Some(object) => {
                        self.binding[*variable as usize] = object as u32;
                        return Some(at + 1);
                    }
                    None => self.binding[*variable as usize] = UNBOUND,
                },
                Step::Scan(scan) => {
                    while let Some(candidate) = open.left.pop() {
                        for &(_, variable) in &scan.binds {
                            self.binding[variable as usize] = UNBOUND;
                        }
                        let fit = scan.binds.iter().all(|&(place, variable)| {
                            let object = packing.unpack(candidate, place);
                            let slot = &mut self.binding[variable as usize];
                            let free = *slot == UNBOUND;
                            *slot = object;
                            // The same variable may stand at two places of the literal.
                            if free {
                                fits(variable, object)
                            } else {
                                unchanged(scan, packing, candidate, variable)
                            }
                        });
                        if fit {
                            return Some(at + 1);
                        }
                    }
                    for &(_, variable) in &scan.binds {
                        self.binding[variable as usize] = UNBOUND;
                    }
                }
                _ => unreachable!("only scans and picks leave choice points"),
            }
            self.open.pop();
        }
        None
    }
}

/// Whether all places of a variable hold the same object.
fn unchanged(scan: &Scan, packing: &Packing, candidate: Tuple, variable: u32) -> bool {
    let own = scan.binds.iter().filter(|(_, other)| *other == variable);
    let mut objects = own.map(|&(place, _)| packing.unpack(candidate, place));
    let first = objects.next();
    objects.all(|object| Some(object) == first)
}
