//! Reading many inputs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Reader, mutated};
use crate::Extent;

/// An input with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The name of its file.
    pub name: String,
    /// What is read.
    pub bytes: Vec<u8>,
}

/// An input that is not read as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The input.
    pub input: Input,
    /// What happened.
    pub why: String,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Inputs read.
    pub inputs: u64,
    /// How long the slowest took.
    pub slowest: Duration,
}

/// No input of the lengths that are tried here may take longer, however slow the machine and the build are.
const PATIENCE: Duration = Duration::from_secs(10);

/// Reads one input; how long it took, or what is wrong.
pub fn take(reader: &Reader, bytes: &[u8]) -> Result<Duration, String> {
    let started = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| (reader.read)(bytes)));
    let took = started.elapsed();
    match outcome {
        Ok(()) if took <= PATIENCE => Ok(took),
        Ok(()) => Err(format!("reading {} bytes took {:.1} s", bytes.len(), took.as_secs_f64())),
        Err(panic) => Err(panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_default()),
    }
}

/// Reads the seeds and then mutations of them, at most `most` bytes long, and ends at the first fault.
pub fn fuzz(
    reader: &Reader,
    seeds: &[Input],
    first: u64,
    extent: Extent,
    most: usize,
) -> (Work, Option<Fault>) {
    let started = Instant::now();
    let mut work = Work::default();
    let read = |input: Input, work: &mut Work| {
        work.inputs += 1;
        match take(reader, &input.bytes) {
            Ok(took) => {
                work.slowest = work.slowest.max(took);
                None
            }
            Err(why) => Some(Fault { input, why }),
        }
    };
    for seed in seeds {
        if let Some(fault) = read(seed.clone(), &mut work) {
            return (work, Some(fault));
        }
    }
    for number in first.. {
        let done = match extent {
            Extent::Problems(count) => number - first >= count,
            Extent::Time(allowed) => started.elapsed() >= allowed,
        };
        if done {
            break;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(number);
        let mut pick =
            || seeds.get(rng.random_range(0..seeds.len().max(1))).map_or(&[][..], |seed| &seed.bytes);
        let (one, other) = (pick(), pick());
        let bytes = mutated(one, other, reader.words, most, &mut rng);
        if let Some(fault) = read(Input { name: format!("seed-{number}"), bytes }, &mut work) {
            return (work, Some(fault));
        }
    }
    (work, None)
}
