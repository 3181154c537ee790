//! `counterplay completions`: lets the shell complete commands and options.

use clap::Args;
use clap_complete::Shell;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::help;
use crate::output;

/// Print a script that completes commands and options in a shell
///
/// Example: counterplay completions bash > ~/.local/share/bash-completion/completions/counterplay
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(arguments: &CompletionsArguments) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut help::command(), "counterplay", &mut script);
    output::answer(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Found)
}
