//! `counterplay go gtp`: an engine for GTP clients.

use std::io::{self, BufRead};

use clap::Args;
use counterplay::go::{Request, Suicide};

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits;
use crate::output;
use crate::settings::Settings;

/// Speak the Go Text Protocol on standard input and output
///
/// Besides the usual commands: attack, defend, owl_attack, owl_defend, dragon_status, counterplay-kill, counterplay-save,
/// counterplay-solve, counterplay-why, counterplay-tree.
///
/// Example: counterplay go gtp
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct GtpArguments {
    /// Answer each command within so much time
    #[arg(long = "time-each", alias = "each", value_name = "TIME", value_parser = limits::duration, default_value = "10s")]
    each: std::time::Duration,

    /// Whether a move may take the mover's own stones off
    #[arg(long, value_name = "RULE", value_enum, default_value_t)]
    suicide: Suicide,
}

/// Answers lines until `quit` or the end of the input.
pub(crate) fn run(arguments: &GtpArguments, settings: &Settings) -> Result<Exit, Failure> {
    let read = |name: &str| std::fs::read(name).map_err(|error| error.to_string());
    let request = Request { suicide: arguments.suicide, seed: settings.seed, ..Request::default() };
    let mut engine = counterplay::go::engine(&request, &read);
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(0) => return Ok(Exit::Found),
            Ok(_) => {}
            Err(error) => return Err(Failure::Read { name: "standard input".to_owned(), error }),
        }
        let budget = settings.budget.slice(arguments.each);
        let reply = engine.handle(&String::from_utf8_lossy(&line), &budget);
        output::answer(&reply.text)?;
        if reply.quit {
            return Ok(Exit::Found);
        }
    }
}
