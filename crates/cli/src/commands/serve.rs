//! `counterplay serve`: the studio in the browser.

use std::time::Duration;

use clap::Args;
use counterplay_base::Limit;
use counterplay_studio::Options;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits;
use crate::output::{self, remark};
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

/// Serve the studio: pages where everything can be looked at, tried and played
///
/// Everything the pages need is inside the program. It listens on this machine only. Ctrl-C ends it.
///
/// Example: counterplay serve --port 7000
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "P", default_value_t = 7000)]
    port: u16,

    /// How many long tasks run at the same time; more of them wait
    #[arg(long, value_name = "N", default_value_t = 2)]
    at_once: usize,

    /// How much memory all tasks together may hold, such as 4GiB
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = limits::bytes)]
    memory: usize,
}

/// Serves until it is stopped.
pub(crate) fn run(arguments: &ServeArguments, settings: &Settings) -> Result<Exit, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::Read { name: "the program itself".to_owned(), error })?;
    let ServeArguments { port, at_once, memory } = *arguments;
    let options = Options { program, port, at_once, memory };
    sentinel::cancel_on_interrupt(&settings.budget);
    let budget = settings.budget.clone();
    let stop = async move {
        while budget.check().is_ok() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let announce = |address| {
        let _ = output::answer(&format!("http://{address}/\n"));
        if settings.verbosity >= Verbosity::Normal {
            remark("open this address in a browser; Ctrl-C ends the studio");
        }
    };
    counterplay_studio::serve(options, announce, stop).map_err(|error| Failure::Usage {
        message: format!("cannot serve: {error}"),
        help: port_help(&error),
    })?;
    // Time that is up was wished for; so was Ctrl-C.
    match settings.budget.check() {
        Ok(()) | Err(Limit::Cancelled | Limit::Time(_) | Limit::Cpu(_)) => Ok(Exit::Found),
        Err(limit) => {
            output::stopped(limit, settings);
            Ok(Exit::Limit)
        }
    }
}

fn port_help(error: &std::io::Error) -> Option<String> {
    let taken = error.kind() == std::io::ErrorKind::AddrInUse;
    taken.then(|| "another program has this port: choose one with `--port`, or 0 for any".to_owned())
}
