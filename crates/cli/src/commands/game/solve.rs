//! `counterplay game solve`: the value of every reachable position.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use counterplay_base::Limit;
use counterplay_ggp::explicit::{self, Order};
use counterplay_ggp::symbolic::{self, Refusal};
use counterplay_ground::game::Game;
use serde::Serialize;

use super::with_game;
use crate::arguments::EXIT_CODES;
use crate::clock::{Phase, Phases, seconds};
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::figures::grouped;
use crate::memory;
use crate::output;
use crate::progress::Display;
use crate::settings::Settings;

/// Solve a game: the value of every reachable position
///
/// Example: counterplay game solve ticTacToe.kif --json
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SolveArguments {
    /// The rules of the game in GDL; `-` is standard input
    #[arg(value_name = "GAME")]
    game: PathBuf,

    /// What players want: the greatest reward, or the greatest difference to the others
    #[arg(long, value_enum, default_value_t = OrderChoice::Own)]
    order: OrderChoice,

    /// How to solve: state by state, by sets of states, or the first as long as there are few
    #[arg(long, value_enum, default_value_t = EngineChoice::Auto)]
    engine: EngineChoice,

    /// States up to which `auto` solves a game state by state
    #[arg(long, default_value_t = 200_000, value_name = "N")]
    explicit_states: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineChoice {
    Auto,
    Explicit,
    Symbolic,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OrderChoice {
    Own,
    Difference,
}

impl From<OrderChoice> for Order {
    fn from(choice: OrderChoice) -> Order {
        match choice {
            OrderChoice::Own => Order::Own,
            OrderChoice::Difference => Order::Difference,
        }
    }
}

/// The documented shape of `game solve --json`.
#[derive(Serialize)]
struct Answer {
    verdict: &'static str,
    value: Vec<u32>,
    states: u128,
    layers: usize,
    engine: &'static str,
    layer_states: Vec<u128>,
    terminal: u128,
    /// States for each outcome.
    outcomes: Vec<OutcomeCount>,
    endless: u128,
    stuck: u128,
    simultaneous: u128,
    /// Whether a measure of progress is proved; only the symbolic engine looks for one.
    progress: Option<bool>,
    peak_nodes: Option<usize>,
    seconds: f64,
    phases: Phases,
    peak_memory: Option<usize>,
}

#[derive(Serialize)]
struct OutcomeCount {
    rewards: Vec<u32>,
    states: u128,
}

impl Answer {
    fn of(solution: &explicit::Solution) -> Answer {
        let mut counts = vec![0u128; solution.outcomes.len()];
        solution.values.iter().flatten().for_each(|&outcome| counts[outcome as usize] += 1);
        let mut outcomes: Vec<OutcomeCount> = solution
            .outcomes
            .iter()
            .zip(counts)
            .map(|(rewards, states)| OutcomeCount { rewards: rewards.clone(), states })
            .collect();
        outcomes.sort_by(|a, b| b.rewards.cmp(&a.rewards));
        let value = solution.value(0);
        Answer {
            verdict: if value.is_some() { "solved" } else { "unsolvable" },
            value: value.map(<[u32]>::to_vec).unwrap_or_default(),
            states: solution.len() as u128,
            layers: solution.layers.len(),
            engine: "explicit",
            layer_states: solution.layers.iter().map(|&count| count as u128).collect(),
            terminal: solution.terminal as u128,
            outcomes,
            endless: solution.values.iter().filter(|value| value.is_none()).count() as u128,
            stuck: solution.stuck as u128,
            simultaneous: solution.simultaneous as u128,
            progress: None,
            peak_nodes: None,
            seconds: 0.0,
            phases: Phases::default(),
            peak_memory: None,
        }
    }

    fn of_sets(solution: &symbolic::Solution) -> Answer {
        let outcomes = solution.outcomes.iter().zip(&solution.outcome_states);
        let mut outcomes: Vec<OutcomeCount> =
            outcomes.map(|(rewards, &states)| OutcomeCount { rewards: rewards.clone(), states }).collect();
        outcomes.sort_by(|a, b| b.rewards.cmp(&a.rewards));
        Answer {
            verdict: if solution.value.is_some() { "solved" } else { "unsolvable" },
            value: solution.value.map(|outcome| solution.outcomes[outcome].clone()).unwrap_or_default(),
            states: solution.layer_states.iter().sum(),
            layers: solution.layer_states.len(),
            engine: "symbolic",
            layer_states: solution.layer_states.clone(),
            terminal: solution.terminal,
            outcomes,
            endless: solution.endless,
            stuck: 0,
            simultaneous: 0,
            progress: Some(solution.progress),
            peak_nodes: Some(solution.peak_nodes),
            seconds: 0.0,
            phases: Phases::default(),
            peak_memory: None,
        }
    }

    fn text(&self, roles: &[String]) -> String {
        let mut text = String::new();
        if self.value.is_empty() {
            text.push_str("no value: play can go on for ever\n");
        }
        for (role, value) in roles.iter().zip(&self.value) {
            text.push_str(&format!("{role:22}{value:>12}\n"));
        }
        text.push_str(&format!("{:22}{:>12}\n", "states", grouped(self.states as u64)));
        text.push_str(&format!("{:22}{:>12}\n", "layers", self.layers));
        for outcome in &self.outcomes {
            let rewards: Vec<String> = outcome.rewards.iter().map(u32::to_string).collect();
            let name = format!("worth {}", rewards.join(" "));
            text.push_str(&format!("{name:22}{:>12}\n", grouped(outcome.states as u64)));
        }
        text
    }
}

/// Solves a game by sets of states.
fn by_sets(game: &Game, order: Order, settings: &Settings, display: &Display) -> Result<Answer, Halt> {
    symbolic::solve(game, order, &settings.budget, display)
        .map(|solution| Answer::of_sets(&solution))
        .map_err(|refusal| match refusal {
            Refusal::Stopped(limit) => Halt::Limit(limit),
            other => {
                let help = Some("`--engine explicit` solves it state by state".to_owned());
                Failure::Usage { message: other.to_string(), help }.into()
            }
        })
}

/// Solves a game and prints its value.
pub(crate) fn run(arguments: &SolveArguments, settings: &Settings) -> Result<Exit, Failure> {
    with_game(&arguments.game, settings, |_, game, display, phases| {
        display.announce("solving");
        let order = Order::from(arguments.order);
        let budget = &settings.budget;
        let mut answer = phases.measure(Phase::Search, || {
            let most = match arguments.engine {
                EngineChoice::Auto => arguments.explicit_states,
                EngineChoice::Explicit => u32::MAX as usize,
                EngineChoice::Symbolic => return by_sets(game, order, settings, display),
            };
            match explicit::solve(game, order, most, budget) {
                Ok(solution) => Ok(Answer::of(&solution)),
                Err(Limit::Nodes(_)) if arguments.engine == EngineChoice::Auto => {
                    by_sets(game, order, settings, display)
                }
                Err(limit) => Err(limit.into()),
            }
        })?;
        answer.seconds = seconds(settings.started.elapsed());
        answer.phases = *phases;
        answer.peak_memory = memory::peak();
        display.clear();
        match settings.json {
            true => output::json(&answer)?,
            false => output::answer(&answer.text(game.roles.as_slice()))?,
        }
        Ok(if answer.value.is_empty() { Exit::None } else { Exit::Found })
    })
}
