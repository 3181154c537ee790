//! `counterplay man`: manual pages.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use clap_mangen::Man;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::help;
use crate::output;

/// Print the manual page, or write one page for each command into a folder
///
/// Example: counterplay man | man -l -
#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// Write `counterplay.1`, `counterplay-solve.1`, `counterplay-go-solve.1`, … into this folder
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// Prints the page, or writes all pages.
pub(crate) fn run(arguments: &ManArguments) -> Result<Exit, Failure> {
    let mut command = help::command();
    command.build();
    let Some(folder) = &arguments.output else {
        output::answer(&page(command))?;
        return Ok(Exit::Found);
    };
    fs::create_dir_all(folder).map_err(|error| unwritten(folder, error))?;
    write_pages(folder, "counterplay", &command)?;
    Ok(Exit::Found)
}

/// Writes the page of a command and of all commands below it; hidden ones have none.
fn write_pages(folder: &Path, name: &str, command: &clap::Command) -> Result<(), Failure> {
    write_page(&folder.join(format!("{name}.1")), command.clone().name(name.to_owned()))?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help") {
        write_pages(folder, &format!("{name}-{}", sub.get_name()), sub)?;
    }
    Ok(())
}

fn write_page(path: &Path, command: clap::Command) -> Result<(), Failure> {
    fs::write(path, page(command)).map_err(|error| unwritten(path, error))
}

fn page(command: clap::Command) -> String {
    let mut text = Vec::new();
    Man::new(command).render(&mut text).expect("writing to memory does not fail");
    String::from_utf8_lossy(&text).into_owned()
}

fn unwritten(path: &Path, error: std::io::Error) -> Failure {
    Failure::Write { name: path.display().to_string(), error }
}
