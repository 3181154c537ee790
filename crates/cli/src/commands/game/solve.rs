//! `counterplay game solve`: the value of every reachable position.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use counterplay_base::Limit;
use counterplay_check::{
    Claim, Liking, Scope, SolutionFlaw, check_solution, difference, look_ahead, own_reward,
};
use counterplay_ggp::archive::Archive;
use counterplay_ggp::explicit::{self, Order};
use counterplay_ggp::layered;
use counterplay_ggp::symbolic;
use counterplay_ground::game::{Game, Structure};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

use super::folder::Folder;
use super::position::{Desk, Values, choices, refused};
use super::{prove, with_game};
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

    /// How to solve: state by state, in layers that a clock keeps apart, by sets of states, or the first of these that
    /// can
    #[arg(long, value_enum, default_value_t = EngineChoice::Auto)]
    engine: EngineChoice,

    /// States up to which `auto` solves a game state by state
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    explicit_states: usize,

    /// States up to which `auto` solves a game with a clock in layers
    #[arg(long, default_value_t = 250_000_000, value_name = "N")]
    layered_states: u64,

    /// Keep layers and values in this folder, and go on from what it has (solves by sets)
    #[arg(long, value_name = "FOLDER")]
    store: Option<PathBuf>,

    /// Tell the value and the best moves of the position after these moves, such as "(drop 1) (drop 2)"
    #[arg(long, value_name = "MOVES")]
    from: Option<String>,

    /// Positions whose values are compared with the plain reading of the rules
    #[arg(long, value_name = "N", default_value_t = CheckChoice::Positions(100), value_parser = check_choice)]
    check: CheckChoice,

    /// Do not check values
    #[arg(long)]
    no_check: bool,
}

/// How many positions are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CheckChoice {
    All,
    Positions(usize),
}

impl fmt::Display for CheckChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckChoice::All => f.write_str("all"),
            CheckChoice::Positions(count) => write!(f, "{count}"),
        }
    }
}

fn check_choice(text: &str) -> Result<CheckChoice, String> {
    match text {
        "all" => Ok(CheckChoice::All),
        _ => text.parse().map(CheckChoice::Positions).map_err(|_| "give a number or `all`".to_owned()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EngineChoice {
    Auto,
    Explicit,
    Layered,
    Symbolic,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OrderChoice {
    Own,
    Difference,
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
    /// Diagram nodes that hold the states of each layer; only of the symbolic engine.
    layer_nodes: Option<Vec<u64>>,
    terminal: u128,
    /// States for each outcome.
    outcomes: Vec<OutcomeCount>,
    endless: u128,
    stuck: u128,
    simultaneous: u128,
    /// Whether a measure of progress is proved to keep the layers apart; only where layers are looked at.
    progress: Option<bool>,
    measure: Option<String>,
    /// Symmetries of the rules that were proved and used, the one that changes nothing included.
    symmetries: usize,
    /// Whether the rewards of all ends have the same sum.
    constant_sum: bool,
    peak_nodes: Option<usize>,
    work: Option<u64>,
    /// Positions that were compared with the plain reading of the rules.
    checked: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Position>,
    seconds: f64,
    phases: Phases,
    peak_memory: Option<usize>,
}

/// A position that was asked for.
#[derive(Serialize)]
struct Position {
    moves: Vec<Vec<String>>,
    over: bool,
    value: Option<Vec<u32>>,
    /// What the roles with a choice can do.
    choices: Vec<Choice>,
}

#[derive(Serialize)]
struct Choice {
    role: String,
    #[serde(rename = "move")]
    own: String,
    value: Option<Vec<u32>>,
    optimal: bool,
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
            layer_nodes: None,
            terminal: solution.terminal as u128,
            outcomes,
            endless: solution.values.iter().filter(|value| value.is_none()).count() as u128,
            stuck: solution.stuck as u128,
            simultaneous: solution.simultaneous as u128,
            progress: None,
            measure: None,
            symmetries: 1,
            constant_sum: has_constant_sum(&solution.outcomes),
            peak_nodes: None,
            work: None,
            checked: 0,
            position: None,
            seconds: 0.0,
            phases: Phases::default(),
            peak_memory: None,
        }
    }

    fn of_layers(solution: &layered::Solution) -> Answer {
        let outcomes = solution.outcomes.iter().zip(&solution.outcome_states);
        let mut outcomes: Vec<OutcomeCount> = outcomes
            .map(|(rewards, &states)| OutcomeCount { rewards: rewards.clone(), states: states.into() })
            .collect();
        outcomes.sort_by(|a, b| b.rewards.cmp(&a.rewards));
        Answer {
            verdict: "solved",
            value: solution.outcomes[solution.value].clone(),
            states: solution.layer_states.iter().map(|&count| u128::from(count)).sum(),
            layers: solution.layer_states.len(),
            engine: "layered",
            layer_states: solution.layer_states.iter().map(|&count| count.into()).collect(),
            layer_nodes: None,
            terminal: solution.terminal.into(),
            outcomes,
            endless: 0,
            stuck: solution.stuck.into(),
            simultaneous: 0,
            progress: Some(true),
            measure: Some(solution.measure.clone()),
            symmetries: solution.symmetries,
            constant_sum: has_constant_sum(&solution.outcomes),
            peak_nodes: None,
            work: None,
            checked: 0,
            position: None,
            seconds: 0.0,
            phases: Phases::default(),
            peak_memory: None,
        }
    }

    fn of_sets(solution: &symbolic::Solution<'_>) -> Answer {
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
            layer_nodes: Some(solution.layer_nodes.clone()),
            terminal: solution.terminal,
            outcomes,
            endless: solution.endless,
            stuck: solution.stuck,
            simultaneous: solution.simultaneous,
            progress: Some(solution.measure.is_some()),
            measure: solution.measure.clone(),
            symmetries: 1,
            constant_sum: has_constant_sum(&solution.outcomes),
            peak_nodes: Some(solution.peak_nodes),
            work: Some(solution.work),
            checked: 0,
            position: None,
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
        text.push_str(&format!("{:22}{:>12}\n", "states", spaced(self.states)));
        text.push_str(&format!("{:22}{:>12}\n", "layers", self.layers));
        for outcome in &self.outcomes {
            let rewards: Vec<String> = outcome.rewards.iter().map(u32::to_string).collect();
            let name = format!("worth {}", rewards.join(" "));
            text.push_str(&format!("{name:22}{:>12}\n", spaced(outcome.states)));
        }
        if self.endless > 0 {
            text.push_str(&format!("{:22}{:>12}\n", "without an end", spaced(self.endless)));
        }
        if let Some(position) = &self.position {
            text.push_str(&position.text());
        }
        text
    }
}

impl Position {
    fn text(&self) -> String {
        let show = |value: &Option<Vec<u32>>| match value {
            Some(value) => value.iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
            None => "no value: play can go on for ever".to_owned(),
        };
        let over = if self.over { ", which is an end" } else { "" };
        let mut text = format!("after {} moves{over}: {}\n", self.moves.len(), show(&self.value));
        for choice in &self.choices {
            let mark = if choice.optimal { "*" } else { " " };
            text.push_str(&format!("{mark} {} {:20} {}\n", choice.role, choice.own, show(&choice.value)));
        }
        text
    }
}

/// A number with its digits in groups, as long as it is not out of all proportion.
fn spaced(number: u128) -> String {
    u64::try_from(number).map_or_else(|_| number.to_string(), grouped)
}

fn has_constant_sum(outcomes: &[Vec<u32>]) -> bool {
    let mut sums = outcomes.iter().map(|rewards| rewards.iter().sum::<u32>());
    let first = sums.next();
    sums.all(|sum| Some(sum) == first)
}

/// What is known of a game before it is solved.
struct Subject<'a> {
    game: &'a Game,
    structure: Structure,
    order: Order,
}

/// Solves a game by sets of states.
fn by_sets<'g>(
    subject: &Subject<'g>,
    store: Option<&Path>,
    settings: &Settings,
    display: &Display,
) -> Result<(Answer, Values<'g>), Halt> {
    let mut folder = store.map(Folder::open).transpose()?;
    let archive = folder.as_mut().map(|folder| folder as &mut dyn Archive);
    let Subject { game, structure, order } = subject;
    let solution =
        symbolic::solve(game, structure, *order, archive, &settings.budget, display).map_err(refused)?;
    Ok((Answer::of_sets(&solution), Values::Symbolic(Box::new(solution), folder)))
}

/// Solves a game in layers; `None` if `auto` should try something else.
fn by_layers<'g>(
    arguments: &SolveArguments,
    subject: &Subject<'g>,
    settings: &Settings,
    display: &Display,
) -> Result<Option<(Answer, Values<'g>)>, Halt> {
    let is_auto = arguments.engine == EngineChoice::Auto;
    let most = if is_auto { arguments.layered_states } else { u64::MAX };
    let Subject { game, structure, order } = subject;
    match layered::solve(game, structure, *order, most, &settings.budget, display) {
        Ok(solution) => Ok(Some((Answer::of_layers(&solution), Values::Layered(solution)))),
        // Sets may need less memory.
        Err(layered::Refusal::Stopped(Limit::Nodes(_) | Limit::Bytes(_))) if is_auto => Ok(None),
        Err(layered::Refusal::Stopped(limit)) => Err(limit.into()),
        Err(_) if is_auto => Ok(None),
        Err(refusal) => {
            let help = Some("`--engine symbolic` solves it by sets of states".to_owned());
            Err(Failure::Usage { message: refusal.to_string(), help }.into())
        }
    }
}

/// Solves a game.
fn find<'g>(
    arguments: &SolveArguments,
    subject: &Subject<'g>,
    settings: &Settings,
    display: &Display,
) -> Result<(Answer, Values<'g>), Halt> {
    let store = arguments.store.as_deref();
    let most = match (arguments.engine, store) {
        (EngineChoice::Explicit | EngineChoice::Layered, Some(_)) => {
            let message = "only the symbolic engine keeps layers in a folder".to_owned();
            return Err(Failure::Usage { message, help: None }.into());
        }
        (EngineChoice::Explicit, None) => u32::MAX as usize,
        (EngineChoice::Auto, None) => arguments.explicit_states,
        (EngineChoice::Layered, None) => {
            let found = by_layers(arguments, subject, settings, display)?;
            return Ok(found.expect("it is refused or solved"));
        }
        _ => return by_sets(subject, store, settings, display),
    };
    match explicit::solve(subject.game, subject.order, most, &settings.budget) {
        Ok(solution) => Ok((Answer::of(&solution), Values::Explicit(solution))),
        Err(Limit::Nodes(_)) if arguments.engine == EngineChoice::Auto => {
            match by_layers(arguments, subject, settings, display)? {
                Some(found) => Ok(found),
                None => by_sets(subject, store, settings, display),
            }
        }
        Err(limit) => Err(limit.into()),
    }
}

/// Compares values with the rules; a solution that is wrong is a bug.
fn check(
    desk: &mut Desk<'_>,
    likes: Liking,
    choice: CheckChoice,
    settings: &Settings,
) -> Result<usize, Halt> {
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut choose = |count: usize| random.random_range(0..count);
    let started = Instant::now();
    let is_enough = || started.elapsed() > LONGEST_CHECK;
    let scope = match choice {
        CheckChoice::All => Scope::All,
        // Where the plain reading of the rules is slow, few positions have to do.
        CheckChoice::Positions(positions) => {
            Scope::Sample { positions, choose: &mut choose, is_enough: &is_enough }
        }
    };
    match check_solution(desk, likes, scope, &settings.budget) {
        Ok(count) => Ok(count),
        Err(SolutionFlaw::Stopped(limit)) => Err(limit.into()),
        Err(SolutionFlaw::Trouble(trouble)) => Err(trouble.into()),
        Err(SolutionFlaw::Wrong { state, made, claimed, expected }) => {
            let fluents: Vec<String> = state.fluents().iter().map(|&term| desk.display(term)).collect();
            let place = fluents.join(" ");
            let message = format!(
                "the value {claimed:?} of the position {place} after {made} moves should be {expected:?}"
            );
            Err(Failure::Bug { message }.into())
        }
    }
}

/// The value of a position and of all that can be done there.
fn position(desk: &mut Desk<'_>, likes: Liking, moves: &str, roles: &[String]) -> Result<Position, Halt> {
    let reached = desk.follow(moves)?;
    let ahead = look_ahead(desk, &reached.state, reached.made).map_err(Halt::from)?;
    let value = desk.value(&reached.state, reached.made).map_err(Halt::from)?;
    let choices = choices(desk, &ahead, likes);
    let choices = choices.into_iter().map(|(role, own, comes)| Choice {
        role: roles[role].clone(),
        own,
        optimal: comes.is_some() && comes == value,
        value: comes,
    });
    let choices = choices.collect();
    Ok(Position { moves: reached.joint_moves, over: ahead.over.is_some(), value, choices })
}

/// The sample of positions is checked for so long at most.
const LONGEST_CHECK: Duration = Duration::from_secs(2);

/// Solves a game and prints its value.
pub(crate) fn run(arguments: &SolveArguments, settings: &Settings) -> Result<Exit, Failure> {
    with_game(&arguments.game, settings, |sheet, game, display, phases| {
        display.announce("solving");
        let (order, likes): (Order, Liking) = match arguments.order {
            OrderChoice::Own => (Order::Own, own_reward),
            OrderChoice::Difference => (Order::Difference, difference),
        };
        let (mut answer, values) = phases.measure(Phase::Search, || {
            let structure = prove(game, settings)?;
            find(arguments, &Subject { game, structure, order }, settings, display)
        })?;
        let mut desk = Desk::new(&sheet.rules, game, order, values, &settings.budget)?;
        if !arguments.no_check {
            display.announce("checking");
            answer.checked =
                phases.measure(Phase::Check, || check(&mut desk, likes, arguments.check, settings))?;
        }
        if let Some(moves) = &arguments.from {
            answer.position = Some(position(&mut desk, likes, moves, game.roles.as_slice())?);
        }
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
