//! The states of a description, one by one.

use counterplay_base::{Budget, BudgetPoll, Limit};
use counterplay_task::{Description, Fact, Literal};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::space::State;

/// All states of a description; a limit if there are more than `most`.
pub(crate) fn enumerate(
    description: &Description,
    most: usize,
    budget: &Budget,
) -> Result<Vec<State>, Limit> {
    let mut walk = Walk {
        description,
        truth: FxHashMap::default(),
        free: description.open.iter().copied().filter(|fact| !description.closed.contains(fact)).collect(),
        found: FxHashSet::default(),
        most,
        budget,
        poll: BudgetPoll::every(256),
    };
    walk.choices(0)?;
    let mut states: Vec<State> = walk.found.into_iter().collect();
    states.sort_by(|one, other| one.as_slice().cmp(other.as_slice()));
    Ok(states)
}

/// Alternatives are chosen first, then literals of clauses, then what is left open.
struct Walk<'a> {
    description: &'a Description,
    truth: FxHashMap<Fact, bool>,
    free: Vec<Fact>,
    found: FxHashSet<State>,
    most: usize,
    budget: &'a Budget,
    poll: BudgetPoll,
}

impl Walk<'_> {
    /// Runs a part of the walk under assumptions; nothing happens if they contradict what is known.
    fn assuming(
        &mut self,
        literals: &[Literal],
        part: impl FnOnce(&mut Self) -> Result<(), Limit>,
    ) -> Result<(), Limit> {
        self.poll.step(self.budget)?;
        let mut added = Vec::new();
        let mut is_possible = true;
        for &(fact, holds) in literals {
            match self.truth.get(&fact) {
                Some(&known) => is_possible &= known == holds,
                None => {
                    self.truth.insert(fact, holds);
                    added.push(fact);
                }
            }
        }
        let result = if is_possible { part(self) } else { Ok(()) };
        added.iter().for_each(|fact| {
            self.truth.remove(fact);
        });
        result
    }

    fn choices(&mut self, at: usize) -> Result<(), Limit> {
        let Some(alternatives) = self.description.choices.get(at) else { return self.clauses(0) };
        for own in alternatives {
            let mut wanted = own.clone();
            // Other alternatives of one literal do not hold.
            for other in alternatives.iter().filter(|&other| other != own && other.len() == 1) {
                wanted.push((other[0].0, !other[0].1));
            }
            self.assuming(&wanted, |walk| walk.choices(at + 1))?;
        }
        Ok(())
    }

    fn clauses(&mut self, at: usize) -> Result<(), Limit> {
        let Some(clause) = self.description.clauses.get(at) else { return self.open(0) };
        // A closed fact that no alternative has made true does not hold.
        let closed = |fact: &Fact| self.description.closed.contains(fact).then_some(false);
        let truth = |fact: &Fact| self.truth.get(fact).copied().or_else(|| closed(fact));
        if clause.iter().any(|(fact, holds)| truth(fact) == Some(*holds)) {
            return self.clauses(at + 1);
        }
        let undecided: Vec<Literal> =
            clause.iter().copied().filter(|(fact, _)| truth(fact).is_none()).collect();
        for (number, &literal) in undecided.iter().enumerate() {
            let before = undecided[..number].iter().map(|&(fact, holds)| (fact, !holds));
            let wanted: Vec<Literal> = before.chain([literal]).collect();
            self.assuming(&wanted, |walk| walk.clauses(at + 1))?;
        }
        Ok(())
    }

    fn open(&mut self, at: usize) -> Result<(), Limit> {
        let next = (at..self.free.len()).find(|&at| !self.truth.contains_key(&self.free[at]));
        if let Some(at) = next {
            let fact = self.free[at];
            self.assuming(&[(fact, false)], |walk| walk.open(at + 1))?;
            return self.assuming(&[(fact, true)], |walk| walk.open(at + 1));
        }
        let mut state = self.description.certain.clone();
        for (&fact, _) in self.truth.iter().filter(|(_, holds)| **holds) {
            state[fact.var] = fact.value;
        }
        self.found.insert(state);
        if self.found.len() > self.most { Err(Limit::Nodes(self.most as u64)) } else { Ok(()) }
    }
}
