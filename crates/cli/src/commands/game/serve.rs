//! `counterplay game serve`: a player that waits for a game manager.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use counterplay::game::PlayerKind;
use counterplay_base::Budget;
use counterplay_gamehost::{GameSession, MemoryLimit, PlayerOptions, SessionOptions};
use counterplay_ggp::play::UctSettings;

use super::matches::DAY;
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::limits;
use crate::output::{self, remark};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};
use counterplay_system::memory;

/// Play general games over the GGP protocol
///
/// Example: counterplay game serve --port 9147
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct ServeArguments {
    /// The port to listen at; 0 takes any free one and says which
    #[arg(long, default_value_t = 9147)]
    port: u16,

    /// The address to listen at; other machines reach `0.0.0.0` only
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    host: String,

    /// Who plays
    #[arg(long, value_enum, default_value_t)]
    player: PlayerKind,

    /// The name that managers are told
    #[arg(long, default_value = "Counterplay")]
    name: String,

    /// How long before the end of the clock a move goes out; never more than a fifth of the clock
    #[arg(long, default_value = "1s", value_name = "TIME", value_parser = limits::duration)]
    margin: Duration,

    /// How long a silent manager is waited for, beyond its clocks, before its match is given up
    #[arg(long, default_value = "20s", value_name = "TIME", value_parser = limits::duration)]
    patience: Duration,
}

/// The search settings of a built-in player.
pub(super) fn search_settings(settings: &Settings, threads: usize) -> UctSettings {
    let bytes = settings.budget.bytes().map_or(512 << 20, |bytes| (bytes / 4).min(1 << 30));
    UctSettings { seed: settings.seed, threads, bytes, ..UctSettings::default() }
}

/// Serves until it is interrupted or the time limit is over.
pub(crate) fn run(arguments: &ServeArguments, settings: &Settings) -> Result<Exit, Failure> {
    let name = format!("{}:{}", arguments.host, arguments.port);
    let listener = TcpListener::bind((arguments.host.as_str(), arguments.port))
        .map_err(|error| Failure::Read { name: name.clone(), error })?;
    let address = listener.local_addr().map_err(|error| Failure::Read { name: name.clone(), error })?;
    // A word of a name would not survive the journey through KIF.
    let spoken: String =
        arguments.name.chars().filter(|letter| letter.is_alphanumeric() || "-_.".contains(*letter)).collect();
    if spoken.is_empty() || spoken != arguments.name {
        let message = format!("`{}` is no name for a player", arguments.name);
        let help = Some("use letters, digits, `-`, `_` and `.`".to_owned());
        return Err(Failure::Usage { message, help });
    }
    failure::survive_panics(settings.color);
    // Memory bounds the solver of a match, but must not end the server: the guard watches time and signals only.
    let mut budget = Budget::unlimited();
    if let Some(left) = settings.budget.remaining() {
        budget = budget.with_time(left);
    }
    let floor = sentinel::watch(&budget, Arc::new(Display::new(settings)), |_| ());
    // One core is left for the solver and for answering.
    let cores = settings.threads_for_parallel_work();
    let threads = if settings.threads.is_some() { cores } else { cores.saturating_sub(1).max(1) };
    let memory =
        settings.budget.bytes().map(|bytes| MemoryLimit { bytes: bytes / 4 * 3, gauge: memory::resident });
    let session = GameSession::new(SessionOptions {
        name: arguments.name.clone(),
        kind: arguments.player,
        player: PlayerOptions {
            search: search_settings(settings, threads),
            margin: arguments.margin,
            memory,
        },
        patience: arguments.patience.min(DAY),
    });
    output::answer(&format!("listening at {address}\n"))?;
    let speaks = settings.verbosity >= Verbosity::Normal;
    let log = move |line: &str| {
        if speaks {
            remark(line);
        }
    };
    counterplay_gamehost::serve(listener, session, &budget, log)
        .map_err(|error| Failure::Read { name, error })?;
    floor.take_or_wait();
    Ok(Exit::Limit)
}
