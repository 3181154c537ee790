//! The initial states that `:init` allows where it leaves things open.
//!
//! What is not mentioned is false, as everywhere in PDDL. `(unknown p)` leaves an atom open, `(or …)` leaves its atoms open and asks for one
//! of its literals, and `(oneof …)` says that one of its alternatives describes the state: its literals hold, and other
//! alternatives of a single literal do not. An atom that only `oneof` mentions is true only where the alternative says so.

use counterplay_base::{Budget, BudgetPoll, Limit};
use counterplay_pddl::model::*;
use counterplay_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Atoms by number, and whether they are true.
type Literals = Vec<(usize, bool)>;

/// What is open at the start: atoms by number, and what is said about them.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenStart {
    /// Everything that `oneof`, `or` and `unknown` mention.
    pub(super) atoms: Vec<GroundAtom>,
    /// What is certain all the same.
    pub(super) certain: Vec<Option<bool>>,
    /// Atoms that are false unless a chosen alternative says otherwise.
    pub(super) closed: Vec<bool>,
    pub(super) choices: Vec<(Vec<Literals>, Span)>,
    pub(super) clauses: Vec<(Literals, Span)>,
}

impl OpenStart {
    pub(super) fn new(problem: &Problem) -> OpenStart {
        let mut open = OpenStart::default();
        let mut numbers = FxHashMap::default();
        let certain: FxHashSet<&GroundAtom> = problem.init.iter().collect();
        let mut number = |atom: &GroundAtom, open: &mut OpenStart| {
            *numbers.entry(atom.clone()).or_insert_with(|| {
                open.atoms.push(atom.clone());
                open.certain.push(certain.contains(atom).then_some(true));
                open.closed.push(true);
                open.atoms.len() - 1
            })
        };
        for choice in &problem.init_choices {
            let mut alternatives = Vec::new();
            for literals in &choice.literals {
                let literals = literals.iter().map(|(atom, truth)| (number(atom, &mut open), *truth));
                alternatives.push(literals.collect::<Vec<_>>());
            }
            for &(atom, _) in alternatives.iter().flatten().filter(|(_, truth)| !truth) {
                open.closed[atom] = false;
            }
            open.choices.push((alternatives, choice.at));
        }
        for clause in &problem.init_clauses {
            let literals = clause.literals.iter().map(|(atom, truth)| (number(atom, &mut open), *truth));
            let literals: Vec<_> = literals.collect();
            literals.iter().for_each(|&(atom, _)| open.closed[atom] = false);
            open.clauses.push((literals, clause.at));
        }
        for (atom, _) in &problem.init_unknown {
            let atom = number(atom, &mut open);
            open.closed[atom] = false;
        }
        open
    }

    /// The initial states as the sets of open atoms that are true, at most `most` of them and one more; sorted.
    pub(super) fn states(&self, most: usize, budget: &Budget) -> Result<Vec<Vec<usize>>, Limit> {
        let mut search = Enumeration {
            open: self,
            value: self.certain.clone(),
            found: FxHashSet::default(),
            most,
            poll: BudgetPoll::every(256),
            budget,
        };
        search.choose(0)?;
        let mut found: Vec<Vec<usize>> = search.found.into_iter().collect();
        found.sort_unstable();
        Ok(found)
    }

    /// Parts of the description that contradict each other, none of which can be left out.
    pub(super) fn conflict(&self, budget: &Budget) -> Result<Vec<Span>, Limit> {
        let mut core = self.clone();
        for kind in [true, false] {
            let mut at = 0;
            while at < if kind { core.choices.len() } else { core.clauses.len() } {
                let mut fewer = core.clone();
                if kind {
                    fewer.choices.remove(at);
                } else {
                    fewer.clauses.remove(at);
                }
                if fewer.states(0, budget)?.is_empty() {
                    core = fewer;
                } else {
                    at += 1;
                }
            }
        }
        let spans = core.choices.iter().map(|(_, at)| *at).chain(core.clauses.iter().map(|(_, at)| *at));
        Ok(spans.collect())
    }
}

/// A depth-first enumeration: alternatives first, then clauses, then atoms that nothing decides.
struct Enumeration<'a> {
    open: &'a OpenStart,
    value: Vec<Option<bool>>,
    found: FxHashSet<Vec<usize>>,
    most: usize,
    poll: BudgetPoll,
    budget: &'a Budget,
}

impl Enumeration<'_> {
    fn is_full(&self) -> bool {
        self.found.len() > self.most
    }

    /// Makes literals true; `None` if one is false already. Returns what was set.
    fn set(&mut self, literals: impl Iterator<Item = (usize, bool)>) -> Option<Vec<usize>> {
        let mut done = Vec::new();
        for (atom, truth) in literals {
            match self.value[atom] {
                Some(known) if known == truth => {}
                Some(_) => {
                    self.unset(done);
                    return None;
                }
                None => {
                    self.value[atom] = Some(truth);
                    done.push(atom);
                }
            }
        }
        Some(done)
    }

    fn unset(&mut self, atoms: Vec<usize>) {
        atoms.into_iter().for_each(|atom| self.value[atom] = None);
    }

    fn choose(&mut self, choice: usize) -> Result<(), Limit> {
        self.poll.step(self.budget)?;
        if self.is_full() {
            return Ok(());
        }
        let Some((alternatives, _)) = self.open.choices.get(choice) else { return self.satisfy(0) };
        for (chosen, literals) in alternatives.iter().enumerate() {
            // The same alternative twice is one; a choice between equals excludes nothing.
            let others =
                alternatives.iter().enumerate().filter(|&(other, it)| other != chosen && it != literals);
            let denied = others.filter_map(|(_, it)| match it[..] {
                [(atom, truth)] => Some((atom, !truth)),
                _ => None,
            });
            let wanted: Vec<(usize, bool)> = literals.iter().copied().chain(denied).collect();
            if let Some(done) = self.set(wanted.into_iter()) {
                self.choose(choice + 1)?;
                self.unset(done);
            }
        }
        Ok(())
    }

    fn satisfy(&mut self, clause: usize) -> Result<(), Limit> {
        self.poll.step(self.budget)?;
        if self.is_full() {
            return Ok(());
        }
        let Some((literals, _)) = self.open.clauses.get(clause) else { return self.decide(0) };
        if literals.iter().any(|&(atom, truth)| self.value[atom] == Some(truth)) {
            return self.satisfy(clause + 1);
        }
        // The first literal that holds; those before it do not.
        for (at, &literal) in literals.iter().enumerate() {
            let before = literals[..at].iter().map(|&(atom, truth)| (atom, !truth));
            if let Some(done) = self.set(before.chain([literal])) {
                self.satisfy(clause + 1)?;
                self.unset(done);
            }
        }
        Ok(())
    }

    fn decide(&mut self, from: usize) -> Result<(), Limit> {
        self.poll.step(self.budget)?;
        if self.is_full() {
            return Ok(());
        }
        let is_free = |&atom: &usize| self.value[atom].is_none() && !self.open.closed[atom];
        let Some(atom) = (from..self.value.len()).find(is_free) else {
            let state = (0..self.value.len()).filter(|&atom| self.value[atom] == Some(true)).collect();
            self.found.insert(state);
            return Ok(());
        };
        for truth in [false, true] {
            self.value[atom] = Some(truth);
            self.decide(atom + 1)?;
        }
        self.value[atom] = None;
        Ok(())
    }
}
