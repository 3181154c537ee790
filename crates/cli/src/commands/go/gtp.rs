//! `counterplay go gtp`: an engine for GTP clients.

use std::io::{self, BufRead};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

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
/// Besides the usual commands: time_settings, time_left, final_score, final_status_list, kgs-genmove_cleanup, lz-analyze,
/// lz-genmove_analyze, attack, defend, owl_attack, owl_defend, dragon_status, counterplay-kill, counterplay-save, counterplay-solve,
/// counterplay-why, counterplay-tree.
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

/// Answers lines until `quit` or the end of the input. Lines are read ahead, so that a new one can end an analysis.
pub(crate) fn run(arguments: &GtpArguments, settings: &Settings) -> Result<Exit, Failure> {
    let read = |name: &str| std::fs::read(name).map_err(|error| error.to_string());
    let request = Request { suicide: arguments.suicide, seed: settings.seed, ..Request::default() };
    let mut engine = counterplay::go::engine(&request, &read);
    let waiting = Arc::new(AtomicUsize::new(0));
    let lines = read_ahead(Arc::clone(&waiting));
    for line in lines {
        waiting.fetch_sub(1, Ordering::SeqCst);
        let line = line.map_err(|error| Failure::Read { name: "standard input".to_owned(), error })?;
        let budget = settings.budget.slice(arguments.each);
        let mut failed = None;
        let reply = engine.handle_aloud(&String::from_utf8_lossy(&line), &budget, &mut |said| {
            failed = failed.take().or(output::answer(said).err());
            failed.is_none() && waiting.load(Ordering::SeqCst) == 0
        });
        if let Some(failure) = failed {
            return Err(failure);
        }
        output::answer(&reply.text)?;
        if reply.quit {
            break;
        }
    }
    Ok(Exit::Found)
}

/// Reads lines of the standard input in a thread, and counts those that wait.
fn read_ahead(waiting: Arc<AtomicUsize>) -> mpsc::Receiver<io::Result<Vec<u8>>> {
    let (send, lines) = mpsc::channel();
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = match input.read_until(b'\n', &mut line) {
                Ok(0) => return,
                Ok(_) => Ok(line),
                Err(error) => Err(error),
            };
            let failed = read.is_err();
            waiting.fetch_add(1, Ordering::SeqCst);
            if send.send(read).is_err() || failed {
                return;
            }
        }
    });
    lines
}
