//! `counterplay game serve`: a player that waits for a game manager.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use counterplay_base::Budget;
use counterplay_ggp::play::Settings as SearchSettings;

use super::contest::{BuiltIn, DAY};
use super::protocol::{Request, drain, respond, say};
use super::station::{Manner, Station};
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::limits;
use crate::output::{self, remark};
use crate::progress::Display;
use crate::sentinel;
use crate::settings::{Settings, Verbosity};

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
    #[arg(long, value_enum, default_value_t = BuiltIn::Hybrid)]
    player: BuiltIn,

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

/// Connections that are served at the same time.
const MOST: usize = 64;
/// How often the server looks whether it should end, and whether a manager is gone.
const LOOK: Duration = Duration::from_millis(50);

/// The search settings of a built-in player.
pub(super) fn search_settings(settings: &Settings, threads: usize) -> SearchSettings {
    let bytes = settings.budget.bytes().map_or(512 << 20, |bytes| (bytes / 4).min(1 << 30));
    SearchSettings { seed: settings.seed, threads, bytes, ..SearchSettings::default() }
}

/// Serves until it is interrupted or the time limit is over.
pub(crate) fn run(arguments: &ServeArguments, settings: &Settings) -> Result<Exit, Failure> {
    let name = format!("{}:{}", arguments.host, arguments.port);
    let listener = TcpListener::bind((arguments.host.as_str(), arguments.port))
        .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
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
    let manner = Manner {
        name: arguments.name.clone(),
        kind: arguments.player.kind(),
        search: search_settings(settings, threads),
        margin: arguments.margin,
        patience: arguments.patience.min(DAY),
        bytes: settings.budget.bytes().map(|bytes| bytes / 4 * 3),
    };
    output::answer(&format!("listening at {address}\n"))?;
    serve(&listener, Arc::new(Station::new(manner)), &budget, settings.verbosity);
    floor.take_or_wait();
    Ok(Exit::Limit)
}

/// Accepts connections until the budget ends.
fn serve(listener: &TcpListener, station: Arc<Station>, budget: &Budget, verbosity: Verbosity) {
    let open = Arc::new(AtomicUsize::new(0));
    while budget.check().is_ok() {
        match listener.accept() {
            Ok((stream, _)) => {
                let (station, open) = (Arc::clone(&station), Arc::clone(&open));
                if open.fetch_add(1, Ordering::AcqRel) >= MOST {
                    open.fetch_sub(1, Ordering::AcqRel);
                    refuse(stream);
                    continue;
                }
                let arrived = Instant::now();
                let counted = Arc::clone(&open);
                let spawned = thread::Builder::new().name("connection".to_owned()).spawn(move || {
                    let _counted = Counted(counted);
                    connection(stream, &station, arrived, verbosity);
                });
                if spawned.is_err() {
                    open.fetch_sub(1, Ordering::AcqRel);
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                if station.give_up_if_silent().is_some() {
                    log(verbosity, "the manager is silent: the match is given up");
                }
                thread::sleep(LOOK.min(Duration::from_millis(5)));
            }
            // A connection that broke before it was accepted, or no more files: the next one may work.
            Err(_) => thread::sleep(LOOK),
        }
    }
}

/// Counts a connection as long as it lives, even if its thread panics.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn refuse(mut stream: TcpStream) {
    let _ = say(&mut stream, &respond("503 Service Unavailable", "too many connections"));
}

fn log(verbosity: Verbosity, line: &str) {
    if verbosity >= Verbosity::Normal {
        remark(line);
    }
}

/// Reads one request and answers it.
fn connection(mut stream: TcpStream, station: &Station, arrived: Instant, verbosity: Verbosity) {
    let _ = stream.set_nonblocking(false);
    let _ = stream.set_nodelay(true);
    let request = match Request::read(&mut stream) {
        Ok(request) => request,
        Err(error) => {
            log(verbosity, &format!("a request was given up: {error}"));
            let _ = say(&mut stream, &respond("408 Request Timeout", ""));
            return;
        }
    };
    let is_refused = matches!(request, Request::Refused(..));
    let mut over = None;
    let response = match request {
        Request::Options => respond("200 OK", ""),
        Request::Refused(status, why) => {
            log(verbosity, &format!("a request was refused: {why}"));
            respond(status, &why)
        }
        Request::Message(text) => match station.answer(&text, arrived) {
            Ok(reply) => {
                over = reply.over;
                if let Some(remark) = &reply.remark {
                    log(verbosity, remark);
                }
                respond("200 OK", &reply.text)
            }
            Err(why) => {
                log(verbosity, &format!("a message was refused: {why}"));
                respond("400 Bad Request", &why)
            }
        },
    };
    if let Err(error) = say(&mut stream, &response) {
        log(verbosity, &format!("a reply was lost: {error}"));
    }
    if is_refused {
        drain(&mut stream);
    }
    drop(stream);
    drop(over);
}
