//! `counterplay game solve`: the value of every reachable position.

mod answer;

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use counterplay_base::Limit;
use counterplay_check::{
    Claim, Liking, Scope, SolutionFlaw, check_solution, difference, look_ahead, own_reward,
};
use counterplay_gdl::interpret::State;
use counterplay_ggp::Simultaneous;
use counterplay_ggp::archive::Archive;
use counterplay_ggp::explicit::{self, Order};
use counterplay_ggp::layered;
use counterplay_ggp::symbolic;
use counterplay_ground::game::{Game, Structure};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::folder::Folder;
use super::position::{Desk, NoAnswer, Values, choices, refused};
use super::{prove, with_game};
use crate::arguments::EXIT_CODES;
use crate::clock::{Phase, seconds};
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::memory;
use crate::output;
use crate::progress::Display;
use crate::settings::Settings;
use answer::{Answer, Choice, Position};

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

    /// If roles choose at once or play can go on for ever, tell what each role can be sure of and what it can be held to
    #[arg(long)]
    bounds: bool,

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

/// What is known of a game before it is solved.
struct Subject<'a> {
    game: &'a Game,
    structure: Structure,
    order: Order,
}

/// Why there is no solution.
enum Unsolved {
    /// Something is wrong, or a limit came first.
    Halt(Halt),
    /// Several roles choose at once.
    Simultaneous(Simultaneous),
}

impl<T: Into<Halt>> From<T> for Unsolved {
    fn from(halt: T) -> Unsolved {
        Unsolved::Halt(halt.into())
    }
}

/// A solution, if there is one.
type Found<'g> = Result<(Answer, Values<'g>), Unsolved>;

/// Solves a game by sets of states.
fn by_sets<'g>(
    subject: &Subject<'g>,
    store: Option<&Path>,
    settings: &Settings,
    display: &Display,
) -> Found<'g> {
    let mut folder = store.map(Folder::open).transpose()?;
    let archive = folder.as_mut().map(|folder| folder as &mut dyn Archive);
    let Subject { game, structure, order } = subject;
    match symbolic::solve(game, structure, *order, archive, &settings.budget, display) {
        Ok(solution) => Ok((Answer::of_sets(&solution), Values::Symbolic(Box::new(solution), folder))),
        Err(symbolic::Refusal::Simultaneous(why)) => Err(Unsolved::Simultaneous(why)),
        Err(other) => Err(refused(other).into()),
    }
}

/// Solves a game in layers; `None` if `auto` should try something else.
fn by_layers<'g>(
    arguments: &SolveArguments,
    subject: &Subject<'g>,
    settings: &Settings,
    display: &Display,
) -> Result<Option<(Answer, Values<'g>)>, Unsolved> {
    let is_auto = arguments.engine == EngineChoice::Auto;
    let most = if is_auto { arguments.layered_states } else { u64::MAX };
    let Subject { game, structure, order } = subject;
    match layered::solve(game, structure, *order, most, &settings.budget, display) {
        Ok(solution) => Ok(Some((Answer::of_layers(&solution), Values::Layered(solution)))),
        Err(layered::Refusal::Simultaneous(why)) => Err(Unsolved::Simultaneous(why)),
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
) -> Found<'g> {
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
        Err(explicit::Refusal::Simultaneous(why)) => Err(Unsolved::Simultaneous(why)),
        Err(explicit::Refusal::Stopped(Limit::Nodes(_) | Limit::Bytes(_)))
            if arguments.engine == EngineChoice::Auto =>
        {
            match by_layers(arguments, subject, settings, display)? {
                Some(found) => Ok(found),
                None => by_sets(subject, store, settings, display),
            }
        }
        Err(explicit::Refusal::Stopped(limit)) => Err(limit.into()),
    }
}

/// What is said of a game in which several roles choose at once.
fn simultaneous(game: &Game, why: &Simultaneous) -> Halt {
    let message = format!(
        "{} choose at once: each of them has several legal moves in the state {}, and does not know what the others do; \
         such a game has no value in pure strategies",
        why.role_names(game).join(" and "),
        why.state_text(game),
    );
    let help = Some("`--bounds` tells what each role can be sure of, and what it can be held to".to_owned());
    Failure::Usage { message, help }.into()
}

/// What each role can be sure of and can be held to.
fn bounds(game: &Game, settings: &Settings) -> Result<explicit::Bounds, Halt> {
    explicit::bounds(game, u32::MAX as usize, &settings.budget).map_err(|refusal| match refusal {
        explicit::Refusal::Stopped(limit) => Halt::Limit(limit),
        explicit::Refusal::Simultaneous(why) => simultaneous(game, &why),
    })
}

/// Compares values with the rules; a solution that is wrong is a bug. Returns how many positions were looked at; none if
/// that was not possible within the limits.
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
    let place = |desk: &Desk<'_>, state: &State| {
        let fluents: Vec<String> = state.fluents().iter().map(|&term| desk.display(term)).collect();
        fluents.join(" ")
    };
    match check_solution(desk, likes, scope, &settings.budget) {
        Ok(count) => Ok(count),
        // The value is there; it stays unchecked, and the answer says so.
        Err(SolutionFlaw::Stopped(_) | SolutionFlaw::Trouble(NoAnswer::Rules(_))) => Ok(0),
        Err(SolutionFlaw::Trouble(trouble)) => Err(trouble.into()),
        Err(SolutionFlaw::Simultaneous { state, .. }) => {
            let message = format!("several roles choose at once in the position {}", place(desk, &state));
            Err(Failure::Bug { message }.into())
        }
        Err(SolutionFlaw::Wrong { state, made, claimed, expected }) => {
            let message = format!(
                "the value {claimed:?} of the position {} after {made} moves should be {expected:?}",
                place(desk, &state)
            );
            Err(Failure::Bug { message }.into())
        }
    }
}

/// What the check did, in words: a position is consistent if its value is what the values one joint move later make of it.
fn checked_by(choice: CheckChoice, count: usize) -> Option<String> {
    let extent = match choice {
        _ if count == 0 => return None,
        CheckChoice::All => format!("all {count} reachable positions"),
        CheckChoice::Positions(_) => format!("a sample of {count} positions"),
    };
    Some(format!("the interpreter of the rules: one-step consistency of {extent}"))
}

/// The value of a position and of all that can be done there.
fn position(desk: &mut Desk<'_>, moves: &str, roles: &[String]) -> Result<Position, Halt> {
    let reached = desk.follow(moves)?;
    let ahead = look_ahead(desk, &reached.state, reached.made).map_err(Halt::from)?;
    let value = desk.value(&reached.state, reached.made).map_err(Halt::from)?;
    let choices = choices(desk, &ahead);
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
        sheet.refuse_imperfect("solved")?;
        display.announce("solving");
        let (order, likes): (Order, Liking) = match arguments.order {
            OrderChoice::Own => (Order::Own, own_reward),
            OrderChoice::Difference => (Order::Difference, difference),
        };
        let roles = game.roles.as_slice();
        let found = phases.measure(Phase::Search, || {
            let structure = prove(game, settings)?;
            find(arguments, &Subject { game, structure, order }, settings, display)
        });
        let mut answer = match found {
            Ok((mut answer, values)) => {
                let mut desk = Desk::new(&sheet.rules, game, order, values, &settings.budget)?;
                if !arguments.no_check {
                    display.announce("checking");
                    answer.checked = phases
                        .measure(Phase::Check, || check(&mut desk, likes, arguments.check, settings))?;
                }
                if let Some(moves) = &arguments.from {
                    answer.position = Some(position(&mut desk, moves, roles)?);
                }
                if answer.is_open() {
                    let is_small = matches!(desk.values, Values::Explicit(_));
                    drop(desk);
                    let bounds = match arguments.bounds || is_small {
                        true => Some(phases.measure(Phase::Search, || bounds(game, settings))?),
                        false => None,
                    };
                    answer.bound(bounds.as_ref(), roles);
                }
                answer
            }
            Err(Unsolved::Simultaneous(_)) if arguments.bounds && arguments.from.is_none() => {
                display.announce("bounding");
                Answer::of_bounds(&phases.measure(Phase::Search, || bounds(game, settings))?, roles)
            }
            Err(Unsolved::Simultaneous(why)) => return Err(simultaneous(game, &why)),
            Err(Unsolved::Halt(halt)) => return Err(halt),
        };
        answer.prove(order, checked_by(arguments.check, answer.checked));
        answer.seconds = seconds(settings.started.elapsed());
        answer.phases = *phases;
        answer.peak_memory = memory::peak();
        display.clear();
        match settings.json {
            true => output::json(&answer)?,
            false => output::answer(&answer.text(roles))?,
        }
        Ok(match answer.verdict {
            "solved" => Exit::Found,
            "unsolvable" => Exit::None,
            _ => Exit::Limit,
        })
    })
}
