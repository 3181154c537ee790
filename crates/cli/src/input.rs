//! From the files of a planning problem to the problem.

use std::path::Path;

use counterplay::{LiftedProblem, Problem};
use counterplay_base::Budget;

use crate::failure::{Failure, Halt};
use crate::files::Reader;

/// Reads a domain and a problem, or one file with a whole task.
pub(crate) fn read(first: &Path, second: Option<&Path>, budget: &Budget) -> Result<Problem, Halt> {
    let mut reader = Reader::default();
    let first = reader.read(first, budget)?;
    if let Some(second) = second {
        let second = reader.read(second, budget)?;
        return Ok(Problem::of_sources(reader.sources, first, second)?);
    }
    let file = &reader.sources.files[first];
    if !file.text.trim_start().starts_with("begin_version") {
        let message = format!("{} is not a task in Fast Downward's translator format", file.name);
        let help = Some("PDDL needs two files: `counterplay solve DOMAIN PROBLEM`".to_owned());
        return Err(Failure::Usage { message, help }.into());
    }
    Ok(Problem::of_sas(reader.sources, first)?)
}

/// Reads a domain and a problem.
pub(crate) fn read_lifted(domain: &Path, problem: &Path, budget: &Budget) -> Result<LiftedProblem, Halt> {
    lifted(&mut Reader::default(), domain, problem, budget)
}

/// Reads a domain and a problem among other files.
pub(crate) fn lifted(
    reader: &mut Reader,
    domain: &Path,
    problem: &Path,
    budget: &Budget,
) -> Result<LiftedProblem, Halt> {
    let domain = reader.read(domain, budget)?;
    let problem = reader.read(problem, budget)?;
    match Problem::of_sources(std::mem::take(&mut reader.sources), domain, problem)? {
        Problem::Lifted(lifted) => Ok(*lifted),
        Problem::Finite(_) => unreachable!("two files are a lifted problem"),
    }
}
