//! `solve` where the files bring know-how: plans and policies by task decomposition.

pub(crate) mod plan;
pub(crate) mod policy;

use std::time::Duration;

use clap::ValueEnum;
use counterplay_base::Evidence;
use counterplay_check::{Guarantee, Tried, try_decompositions};
use counterplay_htn::hddl;
use counterplay_syntax::{Diagnostic, Sources};

use super::{SearchChoice, SolveArguments, misfit};
use crate::failure::{Failure, Halt};
use crate::input::Lifted;
use crate::settings::Settings;

/// How task networks are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HtnChoice {
    /// One plan that carries out the network, for actions with one outcome
    Shop,
    /// A policy that carries out the network whatever happens
    Network,
    /// A policy for the goal, state by state; methods only say where to look (ND-SHOP2)
    Nd,
    /// The same over sets of states (Yoyo)
    Yoyo,
}

/// Options of other searches are refused, never ignored.
pub(crate) fn refuse_misfits(arguments: &SolveArguments) -> Result<(), Failure> {
    if arguments.search != SearchChoice::Auto
        || arguments.direction.is_some()
        || arguments.heuristic.is_some()
    {
        return Err(misfit(
            "`--search`, `--direction` and `--heuristic` are for problems without task networks",
            "choose with `--htn`",
        ));
    }
    Ok(())
}

/// The problem in the shape that decomposition wants.
pub(crate) fn lift(lifted: &Lifted) -> Result<hddl::Lifted, Halt> {
    hddl::Lifted::new(&lifted.problem)
        .map_err(|error| input_failure(&lifted.sources, error.diagnostic()).into())
}

/// The name of the search in what an answer rests on.
const ENGINE: &str = "lifted task decomposition";
/// A negative answer is confirmed by trying everything if there are no more situations than this, and within this time.
const MOST_SITUATIONS: usize = 50_000;
const TRYING: Duration = Duration::from_secs(5);

/// What "there is none" rests on. All decompositions are tried by code that shares nothing with the search, if there are few
/// enough of them; a contradiction is a bug of ours, never an answer.
fn confirmed(lifted: &Lifted, wanted: Guarantee, settings: &Settings) -> Result<Evidence, Halt> {
    let budget = settings.budget.slice(TRYING);
    match try_decompositions(&lifted.problem, wanted, MOST_SITUATIONS, &budget) {
        Ok(Tried::Impossible) => Ok(Evidence::proved(ENGINE, Some("trying every decomposition"))),
        Ok(Tried::Possible) => {
            let message = "the search found that there is none, but trying every decomposition finds one";
            Err(Failure::Bug { message: message.to_owned() }.into())
        }
        Ok(Tried::Open) | Err(_) => Ok(Evidence::proved(ENGINE, None)),
    }
}

fn input_failure(sources: &Sources, diagnostic: Diagnostic) -> Failure {
    Failure::Input { sources: sources.clone(), diagnostics: vec![diagnostic] }
}
