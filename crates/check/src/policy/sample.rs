//! Random runs of a policy: all that is left where its states have no end.

use super::graph::{Key, Run, flaw};
use super::{CheckedPolicy, Examined, PolicyFlaw, PolicyOptions};

impl Run<'_> {
    /// Random runs: each must have an answer at every state until the goal.
    pub(super) fn sample(
        &mut self,
        starts: &[Key],
        options: PolicyOptions,
    ) -> Result<CheckedPolicy, PolicyFlaw> {
        const LONGEST: usize = 10_000;
        let mut seed = options.seed | 1;
        let mut pick = |many: usize| {
            // Xorshift: chance enough for a spot check, and the same everywhere.
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % many as u64) as usize
        };
        let mut seen = 0;
        for _ in 0..options.runs {
            let mut key = starts[pick(starts.len())].clone();
            let mut trace = Vec::new();
            for _ in 0..LONGEST {
                self.world.budget.check().map_err(|limit| PolicyFlaw::Stopped { limit })?;
                self.look(&key).map_err(flaw)?;
                if self.is_goal().map_err(flaw)? {
                    break;
                }
                seen += 1;
                let Some(answer) = self.answer() else {
                    return Err(PolicyFlaw::Unanswered { trace, state: self.words(&key) });
                };
                let rule = &self.rules[answer as usize];
                let action = rule.step.text(self.world.problem);
                let Some(mut next) = self.successors(rule).map_err(flaw)? else {
                    return Err(PolicyFlaw::Inapplicable { action, trace, at: rule.at });
                };
                trace.push(action);
                key = next.swap_remove(pick(next.len()));
            }
        }
        Ok(CheckedPolicy { guarantee: options.wanted, looked: Examined::Runs(seen) })
    }
}
