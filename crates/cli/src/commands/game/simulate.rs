//! `counterplay game simulate`: random playouts per second.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use counterplay_gdl::Rules;
use counterplay_gdl::interpret::{Interpreter, Trouble};
use counterplay_ggp::simulate::simulate;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::with_game;
use crate::arguments::EXIT_CODES;
use crate::clock::seconds;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::output;
use crate::settings::Settings;
use crate::stopwatch::Stopwatch;

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

    /// Also play by the plain reading of the rules, without grounding, for as long
    #[arg(long)]
    interpreter: bool,
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
    /// The same by the plain reading of the rules, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    interpreter: Option<Plain>,
    seconds: f64,
}

/// What random play by the plain reading of the rules comes to.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Plain {
    pub(crate) playouts: u64,
    pub(crate) states: u64,
    pub(crate) playouts_per_second: f64,
    pub(crate) states_per_second: f64,
}

/// Plays at random without ground rules, for some CPU time.
pub(crate) fn simulate_rules(rules: &Rules, allowed: Duration, settings: &Settings) -> Result<Plain, Halt> {
    let budget = &settings.budget;
    let mut interpreter = Interpreter::new(rules.clone()).map_err(halted)?;
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    let first = interpreter.initial(budget).map_err(halted)?;
    let mut state = first.clone();
    let (mut playouts, mut states) = (0u64, 0u64);
    let watch = Stopwatch::start();
    while watch.elapsed() < allowed {
        let mut joint = Vec::new();
        if !interpreter.is_terminal(&state, budget).map_err(halted)? {
            for role in 0..interpreter.roles().len() {
                let moves = interpreter.legal(&state, role, budget).map_err(halted)?;
                if !moves.is_empty() {
                    joint.push(moves[random.random_range(0..moves.len())]);
                }
            }
        }
        states += 1;
        if joint.len() < interpreter.roles().len() {
            playouts += 1;
            state = first.clone();
        } else {
            state = interpreter.next(&state, &joint, budget).map_err(halted)?;
        }
    }
    let cpu = watch.seconds();
    let per_second = |count: u64| count as f64 / cpu;
    Ok(Plain {
        playouts,
        states,
        playouts_per_second: per_second(playouts),
        states_per_second: per_second(states),
    })
}

fn halted(trouble: Trouble) -> Halt {
    match trouble {
        Trouble::Stopped(limit) => Halt::Limit(limit),
        other => Failure::Usage { message: other.to_string(), help: None }.into(),
    }
}

/// Plays at random and prints figures.
pub(crate) fn run(arguments: &SimulateArguments, settings: &Settings) -> Result<Exit, Failure> {
    with_game(&arguments.game, settings, |sheet, game, display, _| {
        display.announce("playing");
        let allowed = Duration::try_from_secs_f64(arguments.seconds).unwrap_or(Duration::from_secs(3));
        let watch = Stopwatch::start();
        let result = simulate(game, settings.seed, &settings.budget, Stopwatch::start().until(allowed))?;
        let cpu = watch.seconds();
        let interpreter = match arguments.interpreter {
            true => Some(simulate_rules(&sheet.rules, allowed, settings)?),
            false => None,
        };
        let figures = Figures {
            playouts: result.playouts,
            playouts_per_second: result.playouts as f64 / cpu,
            states_per_second: result.states as f64 / cpu,
            states: result.states,
            stuck: result.stuck,
            mean_rewards: result.means.clone(),
            cpu_seconds: cpu,
            interpreter,
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
            if let Some(plain) = figures.interpreter {
                output::answer(&format!(
                    "by the plain reading of the rules: {:.0} playouts and {:.0} states per second\n",
                    plain.playouts_per_second, plain.states_per_second
                ))?;
            }
        }
        Ok(Exit::Found)
    })
}
