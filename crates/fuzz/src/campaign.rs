//! Running an area over many seeds.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::{Area, Case, Outcome};

/// How far a campaign goes.
#[derive(Clone, Copy, Debug)]
pub enum Extent {
    /// So many problems.
    Problems(u64),
    /// For so long.
    Time(Duration),
}

/// What a campaign did.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    /// Problems examined.
    pub problems: u64,
    /// Problems that the twin could not decide.
    pub rejected: u64,
    /// Answers compared with the twin's.
    pub answers: u64,
    /// Problems by the kind of their answer.
    pub kinds: BTreeMap<&'static str, u64>,
}

/// A case on which two answers differ, as small as the shrinker could make it.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The seed of the case before shrinking.
    pub seed: u64,
    /// The minimal case.
    pub case: Case,
    /// Who disagrees about what.
    pub what: String,
    /// The details for the minimal case.
    pub detail: String,
}

/// Examines the cases of the seeds from `first` on, and ends at the first disagreement, shrunk.
pub fn campaign(area: &dyn Area, first: u64, extent: Extent) -> (Effort, Option<Disagreement>) {
    let started = Instant::now();
    let mut effort = Effort::default();
    for seed in first.. {
        let done = match extent {
            Extent::Problems(count) => effort.problems >= count,
            Extent::Time(allowed) => started.elapsed() >= allowed,
        };
        if done {
            break;
        }
        let case = area.generate(&mut ChaCha8Rng::seed_from_u64(seed));
        effort.problems += 1;
        match examine(area, &case) {
            Outcome::Agreed { answers, kind } => {
                effort.answers += u64::from(answers);
                *effort.kinds.entry(kind).or_default() += 1;
            }
            Outcome::Rejected(_) => effort.rejected += 1,
            Outcome::Disagreed { what, detail } => {
                return (effort, Some(shrunk(area, Disagreement { seed, case, what, detail })));
            }
        }
    }
    (effort, None)
}

/// Examines one case; a panic is a disagreement.
pub fn examine(area: &dyn Area, case: &Case) -> Outcome {
    catch_unwind(AssertUnwindSafe(|| area.examine(case))).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_default();
        Outcome::Disagreed { what: "a panic".to_owned(), detail: message }
    })
}

/// Examines a kept case again: `Err` if it still disagrees or is no longer a problem.
pub fn replay(area: &dyn Area, case: &Case) -> Result<(), String> {
    match examine(area, case) {
        Outcome::Agreed { .. } => Ok(()),
        Outcome::Rejected(why) => Err(format!("rejected: {why}")),
        Outcome::Disagreed { what, detail } => Err(format!("{what}\n{detail}")),
    }
}

/// How long the shrinker tries.
const SHRINKING: Duration = Duration::from_secs(60);

/// Takes reductions of the case for as long as one of them shows the same disagreement.
fn shrunk(area: &dyn Area, mut found: Disagreement) -> Disagreement {
    let started = Instant::now();
    'again: while started.elapsed() < SHRINKING {
        for case in area.shrink(&found.case) {
            if started.elapsed() >= SHRINKING {
                break;
            }
            if let Outcome::Disagreed { what, detail } = examine(area, &case)
                && what == found.what
            {
                found = Disagreement { case, detail, ..found };
                continue 'again;
            }
        }
        break;
    }
    found
}
