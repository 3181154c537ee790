//! A run that shows why a policy does not guarantee what it should, where sets of states say that it does not.
//!
//! Each state that was struck out was so in some round: it may lead to one that was struck out before, or it
//! cannot reach the goal. So we look, state by state, for one that was struck out earlier, and from there again,
//! until a state has no answer or nothing earlier can be reached.

use std::collections::{HashMap, HashSet};

use super::PolicyFlaw;
use super::graph::{Key, Run, flaw};
use super::sets::{Judgement, Sets};
use crate::evaluate::Trouble;

impl Run<'_> {
    /// What is wrong from one of the starts, with how it comes about; looks at most at so many states at a time.
    pub(super) fn witness(
        &mut self,
        sets: &Sets<'_>,
        judgement: &Judgement,
        starts: &[Key],
        most: usize,
    ) -> PolicyFlaw {
        let is_in = |run: &Self, set, key: &Key| {
            let atoms = run.true_atoms(key);
            sets.contains(set, |atom| atoms.contains(atom))
        };
        let found = match starts.iter().find(|start| !is_in(self, judgement.left(), start)) {
            Some(start) => {
                let rank = |run: &Self, key: &Key| {
                    judgement.rounds.iter().position(|&round| !is_in(run, round, key))
                };
                self.descend(start, rank, most)
            }
            None => {
                let start = starts.iter().find(|start| !is_in(self, judgement.strong, start));
                let start = start.unwrap_or(&starts[0]).clone();
                self.find_cycle(start, |run, key| is_in(run, judgement.strong, key), most)
            }
        };
        found.unwrap_or_else(flaw)
    }

    /// Where the action of the policy leads, and the action; `None` if there is none or it cannot be applied.
    fn steps(&mut self, key: &Key) -> Result<Option<(String, Vec<Key>)>, Trouble> {
        self.look(key)?;
        if self.is_goal()? {
            return Ok(None);
        }
        let Some(rule) = self.answer().map(|answer| &self.rules[answer as usize]) else { return Ok(None) };
        let text = rule.step.text(self.world.problem);
        Ok(self.successors(rule)?.map(|next| (text, next)))
    }

    /// Goes from a state to ones that were struck out earlier, as long as there are any.
    fn descend(
        &mut self,
        start: &Key,
        rank: impl Fn(&Self, &Key) -> Option<usize>,
        most: usize,
    ) -> Result<PolicyFlaw, Trouble> {
        let (mut at, mut trace) = (start.clone(), Vec::new());
        loop {
            let own = rank(self, &at).unwrap_or(usize::MAX);
            let mut led: HashMap<Key, (Key, String)> = HashMap::new();
            let mut open = vec![at.clone()];
            let mut earlier = None;
            let mut looked = 0;
            while looked < open.len() && looked < most && earlier.is_none() {
                let key = open[looked].clone();
                looked += 1;
                let Some((action, next)) = self.steps(&key)? else { continue };
                for next in next {
                    if next == at || led.contains_key(&next) {
                        continue;
                    }
                    led.insert(next.clone(), (key.clone(), action.clone()));
                    if rank(self, &next).is_some_and(|rank| rank < own) {
                        earlier = Some(next);
                        break;
                    }
                    open.push(next);
                }
            }
            let Some(found) = earlier else { break };
            let mut way = Vec::new();
            let mut back = &found;
            while let Some((before, action)) = led.get(back) {
                way.push(action.clone());
                back = before;
            }
            trace.extend(way.into_iter().rev());
            at = found;
        }
        self.look(&at)?;
        let state = self.words(&at);
        let Some(rule) = self.answer().map(|answer| &self.rules[answer as usize]) else {
            return Ok(PolicyFlaw::Unanswered { trace, state });
        };
        Ok(match self.successors(rule)? {
            None => {
                PolicyFlaw::Inapplicable { action: rule.step.text(self.world.problem), trace, at: rule.at }
            }
            Some(_) => PolicyFlaw::Lost { trace, state },
        })
    }

    /// Stays outside of a set from which all ways lead to the goal, until a state comes back.
    fn find_cycle(
        &mut self,
        start: Key,
        is_safe: impl Fn(&Self, &Key) -> bool,
        most: usize,
    ) -> Result<PolicyFlaw, Trouble> {
        let (mut at, mut trace) = (start, Vec::new());
        let mut seen = HashSet::new();
        while seen.insert(at.clone()) && seen.len() < most {
            let Some((action, next)) = self.steps(&at)? else { break };
            let Some(unsafe_one) = next.into_iter().find(|next| !is_safe(self, next)) else { break };
            trace.push(action);
            at = unsafe_one;
        }
        Ok(PolicyFlaw::Cycle { trace, state: self.words(&at) })
    }
}
