//! General games.

use std::path::PathBuf;

use counterplay::game::{
    self, Archive, ArchiveFolder, Engine, GameRules, MatchRequest, PARTS, Plan, PlayerKind, Seat,
    SimulateRequest, SolveRequest,
};
use counterplay_system::clock;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Context, Done, Outcome, Source};
use crate::failure::Failure;

/// The rules of a game, and what is asked about it.
#[derive(Debug, Deserialize)]
pub(super) struct Asked<T> {
    rules: Source,
    #[serde(default)]
    options: T,
    /// Who plays each role: names of players of the library, or of Python players.
    #[serde(default)]
    players: Vec<String>,
    /// Where layers and values are kept, and from where they are taken up.
    store: Option<PathBuf>,
    /// Threads that solve in layers on disk.
    workers: Option<usize>,
    /// A strategy that is checked.
    strategy: Option<String>,
}

/// The memory of workers where no limit is known.
const MEMORY: usize = 4 << 30;

/// Reads rules.
pub(crate) fn rules(source: &Source) -> Result<GameRules, Failure> {
    Ok(GameRules::read(&source.name, &source.text)?)
}

/// The names of the roles, and whether a search can play.
pub(super) fn describe(asked: &Asked<super::planning::Empty>) -> Done {
    let rules = rules(&asked.rules)?;
    let perfect = rules.refuse_imperfect("read").is_ok();
    Outcome::new(&json!({"roles": rules.roles(), "perfect": perfect}))
}

pub(super) fn ground(asked: Asked<super::planning::Empty>, context: &Context<'_>) -> Done {
    let answer = game::ground(&rules(&asked.rules)?, context.budget, context.progress)?;
    Ok(Outcome::new(&answer)?.with("text", answer.text()).with("gdl", answer.game.to_gdl()))
}

pub(super) fn simulate(asked: Asked<SimulateRequest>, context: &Context<'_>) -> Done {
    let rules = rules(&asked.rules)?;
    let Context { budget, progress, .. } = *context;
    let answer = game::simulate(&rules, &asked.options, clock::thread_time, budget, progress)?;
    Ok(Outcome::new(&answer)?.with("text", answer.text()))
}

pub(super) fn solve(asked: Asked<SolveRequest>, context: &Context<'_>) -> Done {
    let rules = rules(&asked.rules)?;
    let Context { budget, progress, .. } = *context;
    let request = &asked.options;
    let answer = match (asked.store, asked.workers) {
        (None, None) => game::solve(&rules, request, None, budget, progress)?,
        (Some(folder), None) if request.engine != Engine::Layered => {
            request.refuse_archive()?;
            let mut kept = ArchiveFolder::open(&folder)
                .map_err(|error| Failure::request(format!("{}: {error}", folder.display())))?;
            game::solve(&rules, request, Some(&mut kept as &mut dyn Archive), budget, progress)?
        }
        (Some(folder), workers) => {
            let workers = workers.unwrap_or(1);
            if !(1..=PARTS).contains(&workers) {
                return Err(Failure::request(format!(
                    "`workers` is a number from 1 to {PARTS}, not {workers}"
                )));
            }
            let memory = budget.bytes().unwrap_or(MEMORY);
            let plan = Plan { folder, parts: PARTS, workers, processes: None, memory };
            game::solve_on_disk(&rules, request, &plan, budget, progress)?
        }
        (None, Some(_)) => {
            return Err(Failure::request("`workers` keep their layers on disk: give a `store`"));
        }
    };
    let (strategy, why) = match &answer.playbook {
        Some(Ok(text)) => (Some(text.clone()), None),
        Some(Err(why)) => (None, Some(why.clone())),
        None => (None, None),
    };
    let outcome = Outcome::new(&answer)?.with("text", answer.text());
    Ok(outcome.with("strategy", strategy).with("no_strategy", why))
}

/// Replays a strategy by the plain reading of the rules.
pub(super) fn check(asked: &Asked<super::planning::Empty>, context: &Context<'_>) -> Done {
    let strategy = asked.strategy.as_deref().ok_or_else(|| Failure::request("a strategy is needed"))?;
    if !game::is_playbook(strategy) {
        return Err(Failure::input("it is no strategy as `solve` writes it", "strategy", None));
    }
    let validity = game::check_strategy_text(&rules(&asked.rules)?, strategy, context.budget)?;
    Ok(Outcome::new(&validity)?.with("text", validity.text()))
}

pub(super) fn play_match(asked: Asked<MatchRequest>, context: &Context<'_>) -> Done {
    let rules = rules(&asked.rules)?;
    let seat = |name: &String| match context.players.contestant(name) {
        Some(own) => Ok(Seat::Own(Box::new(own))),
        None => serde_json::from_value::<PlayerKind>(Value::from(name.as_str())).map(Seat::BuiltIn).map_err(
            |_| Failure::request(format!("there is no player `{name}`: random, rules, uct or hybrid")),
        ),
    };
    let seats = asked.players.iter().map(seat).collect::<Result<Vec<_>, _>>()?;
    let answer = game::play_match(&rules, seats, &asked.options, context.budget, context.progress)?;
    Outcome::new(&answer)
}
