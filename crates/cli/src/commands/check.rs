//! x
use crate::exit::Exit;
use crate::failure::Failure;
use crate::settings::Settings;
/// X
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArguments {}
pub(crate) fn run(_: &CheckArguments, _: &Settings) -> Result<Exit, Failure> {
    Ok(Exit::None)
}
