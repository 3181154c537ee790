//! `counterplay generate`: problems of the case studies, in any size.

use std::fs;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use counterplay::generate::{Files, fond, hddl};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// Write a domain and a problem of a case study
///
/// Example: counterplay generate hunter-prey --edge 5 --prey 2 --domain hp.pddl > hp-5-2.pddl
#[derive(Debug, Args)]
pub(crate) struct GenerateArguments {
    #[command(subcommand)]
    what: What,

    /// Write the domain to this file; without it, the domain comes first on standard output
    #[arg(long, value_name = "FILE", global = true)]
    domain: Option<PathBuf>,
}

/// The case studies.
#[derive(Debug, Subcommand)]
enum What {
    /// A hunter on a square grid, and prey that take their steps
    HunterPrey {
        /// Cells along an edge
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=200))]
        edge: u32,
        /// How many prey
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
        prey: u32,
        /// No prey steps where another one is
        #[arg(long)]
        apart: bool,
    },
    /// The hunter with methods that chase one prey after the other (HDDL)
    HunterPreyHtn {
        /// Cells along an edge
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=200))]
        edge: u32,
        /// How many prey
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
        prey: u32,
        /// No prey steps where another one is
        #[arg(long)]
        apart: bool,
    },
    /// The robot with methods that carry one package after the other (HDDL)
    RobotNavigationHtn {
        /// How many packages
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
        packages: u32,
        /// How many of the seven doors the kid moves
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=7))]
        kid_doors: u32,
    },
    /// A robot that carries packages while a kid opens and closes doors
    RobotNavigation {
        /// How many packages
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
        packages: u32,
        /// How many of the seven doors the kid moves
        #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=7))]
        kid_doors: u32,
    },
}

/// Writes the files.
pub(crate) fn run(arguments: &GenerateArguments, settings: &Settings) -> Result<Exit, Failure> {
    let Files { domain, problem } = match arguments.what {
        What::HunterPrey { edge, prey, apart } => fond::hunter_prey(edge, prey, apart),
        What::HunterPreyHtn { edge, prey, apart } => hddl::hunter_prey(edge, prey, apart),
        What::RobotNavigationHtn { packages, kid_doors } => {
            hddl::robot_navigation(packages, kid_doors as usize, settings.seed)
        }
        What::RobotNavigation { packages, kid_doors } => {
            fond::robot_navigation(packages, kid_doors as usize, settings.seed)
        }
    };
    match &arguments.domain {
        Some(file) => {
            fs::write(file, domain)
                .map_err(|error| Failure::Write { name: file.display().to_string(), error })?;
            output::answer(&problem)?;
        }
        None => output::answer(&(domain + &problem))?,
    }
    Ok(Exit::Found)
}
