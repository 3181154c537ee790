//! One part of the goal after the other.
//!
//! How far the whole goal is away depends on everything at once, and a diagram that says so is huge. So the facts
//! of the goal are put in an order and the policy is built from its end: the last stage reaches the goal from states
//! in which all facts but the last hold, without giving those up; the stage before reaches these states from where
//! all but the last two hold; and so on. Each stage leaves its states only for those of a later one, so the whole has the
//! class that its stages have. That the order works is found out by trying; if it does not, nothing is known.

use counterplay_base::Limit;
use counterplay_task::Fact;

use super::Engine;
use super::fixpoint::{ProgressBy, Region};
use crate::Class;

impl Engine<'_> {
    /// The regions of the stages, last stage first. Gives up with a limit if no order works or the work is used up.
    pub(super) fn in_stages(&mut self, class: Class, work: u64) -> Result<Option<Vec<Region>>, Limit> {
        let goal = self.nondet.task.goal.clone();
        let end = self.space().work().saturating_add(work);
        let variants = match class {
            Class::Strong => &[ProgressBy::AnyOutcome][..],
            Class::Weak | Class::StrongCyclic => &[ProgressBy::PlainOutcome, ProgressBy::AnyOutcome],
        };
        let reversed: Vec<Fact> = goal.iter().rev().copied().collect();
        for order in [&goal, &reversed].into_iter().filter(|order| order.len() > 1) {
            for &progress_by in variants {
                let left = end.saturating_sub(self.space().work());
                if let Some(regions) = self.stages(class, order, progress_by, left)? {
                    return Ok(Some(regions));
                }
            }
        }
        Err(Limit::Nodes(work))
    }

    /// The stages for one order of the goal; `None` if it does not work.
    fn stages(
        &mut self,
        class: Class,
        order: &[Fact],
        progress_by: ProgressBy,
        work: u64,
    ) -> Result<Option<Vec<Region>>, Limit> {
        let end = self.space().work().saturating_add(work);
        let mut regions: Vec<Region> = Vec::new();
        let mut target = self.goal.clone();
        for kept in (0..order.len()).rev() {
            let universe = self.encoding.states(&order[..kept])?;
            let region = match class {
                Class::Strong => self.strong(&universe, &target)?,
                // A later stage builds on this one, so it has to be closed even if the initial state is not in it.
                Class::Weak | Class::StrongCyclic => self
                    .strong_cyclic(&universe, &target, progress_by, None)?
                    .expect("without wanted states a region is always computed"),
            };
            let is_answered = self.initial.is_subset(&region.solved)?;
            target = region.solved.clone();
            regions.push(region);
            if is_answered {
                return Ok(Some(regions));
            }
            if self.space().work() > end {
                return Err(Limit::Nodes(work));
            }
        }
        Ok(None)
    }
}
