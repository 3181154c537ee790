//! The commands, one file each.

mod act;
mod batch;
mod bridge;
mod check;
mod completions;
mod dilemma;
pub(crate) mod game;
mod generate;
mod go;
mod ground;
mod kriegspiel;
mod man;
mod mdp;
mod plan;
mod reproduce;
mod serve;
mod show;
pub(crate) mod solve;
mod tour;
mod worker;

use clap::Subcommand;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::settings::Settings;

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Solve(solve::SolveArguments),
    Plan(plan::PlanArguments),
    Check(check::CheckArguments),
    Act(act::ActArguments),
    Mdp(mdp::MdpArguments),
    Generate(generate::GenerateArguments),
    Ground(ground::GroundArguments),
    Game(game::GameArguments),
    Go(go::GoArguments),
    Kriegspiel(kriegspiel::KriegspielArguments),
    Bridge(Box<bridge::BridgeArguments>),
    Dilemma(Box<dilemma::DilemmaArguments>),
    Reproduce(reproduce::ReproduceArguments),
    Batch(batch::BatchArguments),
    Show(show::ShowArguments),
    Tour(tour::TourArguments),
    Serve(serve::ServeArguments),
    #[command(hide = true)]
    Worker(worker::WorkerArguments),
    Completions(completions::CompletionsArguments),
    Man(man::ManArguments),
}

/// Does it.
pub(crate) fn run(command: Command, settings: &Settings) -> Result<Exit, Failure> {
    match command {
        Command::Solve(arguments) => solve::run(&arguments, settings),
        Command::Plan(arguments) => plan::run(arguments, settings),
        Command::Check(arguments) => check::run(&arguments, settings),
        Command::Act(arguments) => act::run(&arguments, settings),
        Command::Mdp(arguments) => mdp::run(&arguments, settings),
        Command::Generate(arguments) => generate::run(&arguments, settings),
        Command::Ground(arguments) => ground::run(&arguments, settings),
        Command::Game(arguments) => game::run(&arguments, settings),
        Command::Go(arguments) => go::run(&arguments, settings),
        Command::Kriegspiel(arguments) => kriegspiel::run(&arguments, settings),
        Command::Bridge(arguments) => bridge::run(&arguments, settings),
        Command::Dilemma(arguments) => dilemma::run(&arguments, settings),
        Command::Reproduce(arguments) => reproduce::run(&arguments, settings),
        Command::Batch(arguments) => batch::run(&arguments, settings),
        Command::Show(arguments) => show::run(&arguments, settings),
        Command::Tour(arguments) => tour::run(&arguments, settings),
        Command::Serve(arguments) => serve::run(&arguments, settings),
        Command::Worker(_) => worker::run(settings),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
    }
}
