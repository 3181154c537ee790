//! Random play, measured.

use std::time::{Duration, Instant};

use counterplay_base::{Budget, Progress};
use counterplay_ggp::simulate as engine;
use serde::Serialize;

use super::request::SimulateRequest;
use super::rules::GameRules;
use super::solving::troubled;
use crate::effort::{CpuClock, Stopwatch, seconds};
use crate::error::Halt;

/// What random play comes to. Its JSON form is what `counterplay game simulate --json` prints.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimulateAnswer {
    /// Games that ended.
    pub playouts: u64,
    /// The same for each second of CPU time.
    pub playouts_per_second: f64,
    /// Positions that were left by a joint move, for each second of CPU time.
    pub states_per_second: f64,
    /// Positions that were left by a joint move.
    pub states: u64,
    /// Games in which a role had no legal move before the end.
    pub stuck: u64,
    /// The mean reward of each role.
    pub mean_rewards: Vec<f64>,
    /// CPU time of the playouts.
    pub cpu_seconds: f64,
    /// The same by the plain reading of the rules, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interpreter: Option<RulesPace>,
    /// Seconds of wall time.
    pub seconds: f64,
    #[serde(skip)]
    roles: Vec<String>,
}

/// What random play by the plain reading of the rules comes to.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RulesPace {
    /// Games that ended.
    pub playouts: u64,
    /// Positions that were looked at.
    pub states: u64,
    /// Games for each second of CPU time.
    pub playouts_per_second: f64,
    /// Positions for each second of CPU time.
    pub states_per_second: f64,
}

/// Plays a game at random for some CPU time.
///
/// # Errors
/// Rules that cannot be grounded or followed, or the limit that was reached.
pub fn simulate(
    rules: &GameRules,
    request: &SimulateRequest,
    clock: CpuClock,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<SimulateAnswer, Halt> {
    let started = Instant::now();
    progress.begin("grounding");
    let game = rules.ground(budget, progress)?;
    progress.begin("playing");
    let allowed = Duration::try_from_secs_f64(request.seconds).unwrap_or(Duration::from_secs(3));
    let watch = Stopwatch::start(clock);
    let result = engine::simulate(&game, request.seed, budget, Stopwatch::start(clock).until(allowed))?;
    let cpu = watch.elapsed().as_secs_f64();
    let interpreter = match request.interpreter {
        true => {
            let watch = Stopwatch::start(clock);
            let go_on = Stopwatch::start(clock).until(allowed);
            let played =
                engine::simulate_rules(&rules.rules, request.seed, budget, go_on).map_err(troubled)?;
            let cpu = watch.elapsed().as_secs_f64();
            Some(RulesPace {
                playouts: played.playouts,
                states: played.states,
                playouts_per_second: played.playouts as f64 / cpu,
                states_per_second: played.states as f64 / cpu,
            })
        }
        false => None,
    };
    Ok(SimulateAnswer {
        playouts: result.playouts,
        playouts_per_second: result.playouts as f64 / cpu,
        states_per_second: result.states as f64 / cpu,
        states: result.states,
        stuck: result.stuck,
        mean_rewards: result.means,
        cpu_seconds: cpu,
        interpreter,
        seconds: seconds(started.elapsed()) + rules.parse,
        roles: game.roles.iter().cloned().collect(),
    })
}

impl SimulateAnswer {
    /// Some lines for people.
    pub fn text(&self) -> String {
        let means: Vec<String> = self
            .roles
            .iter()
            .zip(&self.mean_rewards)
            .map(|(role, mean)| format!("{role} {mean:.1}"))
            .collect();
        let mut text = format!(
            "{} playouts in {:.2} s of CPU time: {:.0} playouts and {:.0} states per second\nmean rewards: {}\n",
            self.playouts,
            self.cpu_seconds,
            self.playouts_per_second,
            self.states_per_second,
            means.join(", ")
        );
        if let Some(pace) = self.interpreter {
            text.push_str(&format!(
                "by the plain reading of the rules: {:.0} playouts and {:.0} states per second\n",
                pace.playouts_per_second, pace.states_per_second
            ));
        }
        text
    }
}
