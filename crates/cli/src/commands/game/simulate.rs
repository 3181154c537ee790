//! `counterplay game simulate`: random playouts per second.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use counterplay_ggp::simulate::simulate;
use serde::Serialize;

use super::with_game;
use crate::arguments::EXIT_CODES;
use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// Play a game at random and count playouts per CPU second
///
/// Example: counterplay game simulate connectFour.kif --seconds 3
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SimulateArguments {
    /// The rules of the game in GDL; `-` is standard input
    #[arg(value_name = "GAME")]
    game: PathBuf,

    /// How long to play, in seconds of CPU time
    #[arg(long, default_value_t = 3.0, value_name = "SECONDS")]
    seconds: f64,
}

/// The documented shape of `game simulate --json`.
#[derive(Serialize)]
struct Figures {
    playouts: u64,
    playouts_per_second: f64,
    states_per_second: f64,
    states: u64,
    stuck: u64,
    mean_rewards: Vec<f64>,
    cpu_seconds: f64,
    seconds: f64,
}

/// CPU time of the calling thread, or wall time where the system does not tell.
struct Stopwatch {
    started: Instant,
    cpu: Option<Duration>,
}

impl Stopwatch {
    fn cpu() -> Option<Duration> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    }

    fn start() -> Stopwatch {
        Stopwatch { started: Instant::now(), cpu: Stopwatch::cpu() }
    }

    fn elapsed(&self) -> Duration {
        match (self.cpu, Stopwatch::cpu()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.started.elapsed(),
        }
    }
}

/// Plays at random and prints figures.
pub(crate) fn run(arguments: &SimulateArguments, settings: &Settings) -> Result<Exit, Failure> {
    with_game(&arguments.game, settings, |_, game, display, _| {
        display.announce("playing");
        let allowed = Duration::try_from_secs_f64(arguments.seconds).unwrap_or(Duration::from_secs(3));
        let watch = Stopwatch::start();
        // The clock of the system is asked rarely: that takes longer than a step of a small game.
        let mut asked = Instant::now();
        let result = simulate(game, settings.seed, &settings.budget, || {
            if asked.elapsed() < Duration::from_millis(10) {
                return true;
            }
            asked = Instant::now();
            watch.elapsed() < allowed
        })?;
        let cpu = watch.elapsed().as_secs_f64();
        let figures = Figures {
            playouts: result.playouts,
            playouts_per_second: result.playouts as f64 / cpu,
            states_per_second: result.states as f64 / cpu,
            states: result.states,
            stuck: result.stuck,
            mean_rewards: result.means.clone(),
            cpu_seconds: cpu,
            seconds: seconds(settings.started.elapsed()),
        };
        display.clear();
        if settings.json {
            output::json(&figures)?;
        } else {
            let means: Vec<String> = game
                .roles
                .iter()
                .zip(&figures.mean_rewards)
                .map(|(role, mean)| format!("{role} {mean:.1}"))
                .collect();
            output::answer(&format!(
                "{} playouts in {:.2} s of CPU time: {:.0} playouts and {:.0} states per second\nmean rewards: {}\n",
                figures.playouts,
                cpu,
                figures.playouts_per_second,
                figures.states_per_second,
                means.join(", ")
            ))?;
        }
        Ok(Exit::Found)
    })
}
