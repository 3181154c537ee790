//! From sets of states to pairs of a condition and an action.

use std::collections::BTreeMap;

use counterplay_base::Limit;
use counterplay_symbolic::{StateSet, union};
use counterplay_task::ChoiceId;

use super::fixpoint::Region;
use super::{Engine, cover};
use crate::Pair;

/// Work allowed for the states that the policy reaches; without them, all states with an answer matter.
const FOLLOW_WORK: u64 = 2_000_000;

impl Engine<'_> {
    /// Pairs of conditions and actions. Conditions may also hold where it does not matter: in states that the policy
    /// does not reach and in those for which there is an answer before.
    pub(super) fn extract(&self, regions: &[Region]) -> Result<Vec<Pair>, Limit> {
        let parts = by_action(regions)?;
        let reached = match self.space().with_allowance(FOLLOW_WORK, || self.follow(&parts)) {
            Err(Limit::Nodes(_)) => {
                regions.last().map_or_else(|| self.goal.clone(), |last| last.solved.clone())
            }
            reached => reached?,
        };
        let all = self.space().all();
        let mut pairs = Vec::new();
        let mut matters = reached.minus(&self.goal)?;
        for (choice, states) in &parts {
            self.budget.check()?;
            let least = states.intersect(&matters)?;
            if least.is_empty() {
                continue;
            }
            let most = all.minus(&matters.minus(&least)?)?;
            let conditions =
                cover::cover(self.space(), self.nondet, &self.order, &least, &most, self.budget)?;
            pairs.extend(conditions.into_iter().map(|condition| Pair { condition, choice: *choice }));
            matters = matters.minus(&least)?;
        }
        Ok(pairs)
    }

    /// The states that the policy can reach.
    fn follow(&self, parts: &[(ChoiceId, StateSet)]) -> Result<StateSet, Limit> {
        let mut all = self.initial.clone();
        let mut new = all.minus(&self.goal)?;
        while !new.is_empty() {
            self.budget.check()?;
            let mut next = Vec::new();
            let present = self.present(&new)?;
            for (choice, states) in parts {
                if !present.has(self.nondet.precondition(*choice)) {
                    continue;
                }
                let own = new.intersect(states)?;
                if !own.is_empty() {
                    for outcome in &self.outcomes[*choice] {
                        next.push(outcome.relation.image(self.space(), &own)?);
                    }
                }
            }
            let next = union(next)?.unwrap_or_else(|| self.space().none());
            let fresh = next.minus(&all)?;
            all = all.union(&fresh)?;
            new = fresh.minus(&self.goal)?;
        }
        Ok(all)
    }
}

/// The states of each action, region by region; actions that come nearest to the goal first. The sets are disjoint.
fn by_action(regions: &[Region]) -> Result<Vec<(ChoiceId, StateSet)>, Limit> {
    let mut all = Vec::new();
    for region in regions {
        let mut place: BTreeMap<ChoiceId, usize> = BTreeMap::new();
        let mut own: Vec<(ChoiceId, Vec<StateSet>)> = Vec::new();
        for (choice, states) in region.layers.iter().flatten() {
            let at = *place.entry(*choice).or_insert_with(|| {
                own.push((*choice, Vec::new()));
                own.len() - 1
            });
            own[at].1.push(states.clone());
        }
        for (choice, sets) in own {
            all.push((choice, union(sets)?.expect("an action is listed with its states")));
        }
    }
    Ok(all)
}
