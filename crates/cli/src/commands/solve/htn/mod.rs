//! `solve` where the files bring know-how: plans and policies by task decomposition.

pub(crate) mod plan;
pub(crate) mod policy;

use clap::ValueEnum;
use counterplay_htn::hddl;
use counterplay_syntax::{Diagnostic, Sources};

use super::{SearchChoice, SolveArguments, misfit};
use crate::failure::{Failure, Halt};
use crate::input::Lifted;

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

fn input_failure(sources: &Sources, diagnostic: Diagnostic) -> Failure {
    Failure::Input { sources: sources.clone(), diagnostics: vec![diagnostic] }
}
