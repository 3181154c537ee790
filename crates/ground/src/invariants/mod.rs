//! Mutex groups by proved invariants.
//!
//! An invariant says that of all literals of a certain form at most one is true: `at(t, ?)`, or
//! `holding(b)` together with `on(b, ?)` and `ontable(b)`. Candidates start from one predicate with some
//! columns counted, are checked by induction over all operators, and where an operator adds to them without
//! taking away, they are extended by something that it does take away. Helmert (AIJ 2009), section 5.
//!
//! We depart from it in four ways, all of which find more groups: any number of columns may be counted, not
//! just one; operators are checked after grounding, so that static conditions and unreachable operators
//! count; an instance may be an invariant although others of its form are not; and negated atoms may
//! balance positive ones (a road may be built only where none is, so there is at most one).

mod balance;
mod candidate;

use std::collections::VecDeque;

use counterplay_base::{Budget, Id, IdVec, Limit};
use counterplay_pddl::model::PredicateId;
use rustc_hash::FxHashSet;

use crate::datalog::Symbol;
use crate::explore::Explored;
use crate::propositional::{AtomId, Literal, Origin, Propositional};
use candidate::{Candidate, Instances};

/// No more candidates than these are looked at.
const CANDIDATES: usize = 1000;

/// The search ends after looking at so many effects: a matter of seconds, and the same on every machine.
const WORK: u64 = 50_000_000;

/// What the search for invariants found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Invariants {
    /// Sets of literals of which at most one is true in every reachable state; none contains another.
    pub(crate) groups: Vec<Vec<Literal>>,
    /// Atoms that were proved never to become true.
    pub(crate) never: Vec<AtomId>,
    /// How many candidates were checked.
    pub(crate) candidates: usize,
}

/// The ground problem, prepared for questions about predicates.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    problem: &'a Propositional,
    explored: &'a Explored,
    by_predicate: IdVec<PredicateId, Vec<AtomId>>,
    /// For each predicate the effects (operator, effect) that add its atoms, and those that delete them.
    adds: IdVec<PredicateId, Vec<(u32, u32)>>,
    deletes: IdVec<PredicateId, Vec<(u32, u32)>>,
}

impl<'a> Facts<'a> {
    fn new(problem: &'a Propositional, explored: &'a Explored) -> Facts<'a> {
        let empty = || explored.predicates.iter().map(|_| Vec::new()).collect();
        let mut facts = Facts {
            problem,
            explored,
            by_predicate: empty(),
            adds: empty_pairs(explored),
            deletes: empty_pairs(explored),
        };
        for (atom, origin) in problem.atoms.enumerate() {
            if let Origin::Predicate(predicate, _) = *origin
                && !problem.derived[atom]
            {
                facts.by_predicate[predicate].push(atom);
            }
        }
        for (number, operator) in problem.operators.iter().enumerate() {
            for effect in operator.effects.range() {
                let literal = problem.effects[effect].literal;
                let (predicate, _) = facts.atom(literal.atom());
                let table = if literal.is_positive() { &mut facts.adds } else { &mut facts.deletes };
                table[predicate].push((number as u32, effect as u32));
            }
        }
        facts
    }

    /// Predicate and arguments of an atom that operators change.
    fn atom(&self, atom: AtomId) -> (PredicateId, &'a [Symbol]) {
        match self.problem.atoms[atom] {
            Origin::Predicate(predicate, number) => {
                let relation = self.explored.database.relation(self.explored.predicates[predicate]);
                (predicate, relation.tuple(number as usize))
            }
            Origin::Auxiliary(_) => unreachable!("operators do not change auxiliary atoms"),
        }
    }

    fn literals(&self) -> usize {
        self.problem.atoms.len() * 2
    }

    fn of_predicate(&self, predicate: PredicateId) -> &[AtomId] {
        &self.by_predicate[predicate]
    }

    /// The effects that make literals of a predicate true.
    fn changes(&self, predicate: PredicateId, positive: bool) -> &[(u32, u32)] {
        if positive { &self.adds[predicate] } else { &self.deletes[predicate] }
    }
}

fn empty_pairs(explored: &Explored) -> IdVec<PredicateId, Vec<(u32, u32)>> {
    explored.predicates.iter().map(|_| Vec::new()).collect()
}

pub(crate) fn find(
    problem: &Propositional,
    explored: &Explored,
    budget: &Budget,
) -> Result<Invariants, Limit> {
    let facts = Facts::new(problem, explored);
    let mut found = Invariants::default();
    let mut groups: Vec<Vec<Literal>> = Vec::new();
    let mut never = vec![false; problem.atoms.len()];
    let mut seen: FxHashSet<Candidate> = FxHashSet::default();
    let mut open: VecDeque<Candidate> = VecDeque::new();
    for (predicate, atoms) in facts.by_predicate.enumerate() {
        if !atoms.is_empty() {
            let (_, tuple) = facts.atom(atoms[0]);
            open.extend(Candidate::simple(predicate, tuple.len()));
        }
    }
    let mut work = 0;
    while let Some(candidate) = open.pop_front() {
        if found.candidates == CANDIDATES || work > WORK {
            break;
        }
        found.candidates += 1;
        let instances = Instances::new(&candidate, &facts);
        let balance = balance::check(&candidate, &instances, &facts, budget)?;
        work += balance.work + problem.atoms.len() as u64;
        for &(operator, effect) in &balance.unbalanced {
            let covered = problem.effects[effect].literal;
            for taken in balance::taken_with(problem, operator, effect) {
                for larger in candidate.extended(covered, taken, &facts) {
                    if seen.insert(larger.clone()) {
                        open.push_back(larger);
                    }
                }
            }
        }
        for (mut members, _) in instances.members.into_iter().zip(balance.good).filter(|(_, good)| *good) {
            let starts_true = |literal: &Literal| problem.initial[literal.atom()] == literal.is_positive();
            if !members.iter().any(starts_true) {
                // What adds to the instance takes something from it, and there is nothing.
                members.iter().filter(|l| l.is_positive()).for_each(|l| never[l.atom().index()] = true);
            } else if members.len() > 1 {
                members.sort_unstable();
                groups.push(members);
            }
        }
    }
    found.never = problem.atoms.ids().filter(|atom| never[atom.index()]).collect();
    found.groups = maximal(groups, facts.literals());
    Ok(found)
}

/// The groups that no other contains, largest first.
fn maximal(mut groups: Vec<Vec<Literal>>, literals: usize) -> Vec<Vec<Literal>> {
    groups.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    groups.dedup();
    let mut kept: Vec<Vec<Literal>> = Vec::new();
    let mut containing: Vec<Vec<u32>> = vec![Vec::new(); literals];
    for group in groups {
        let contains = |&larger: &u32| crate::instantiate::is_subset(&group, &kept[larger as usize]);
        if containing[group[0].index()].iter().any(contains) {
            continue;
        }
        for literal in &group {
            containing[literal.index()].push(kept.len() as u32);
        }
        kept.push(group);
    }
    kept
}
