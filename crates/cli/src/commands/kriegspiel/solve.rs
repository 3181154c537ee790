//! `counterplay kriegspiel solve`: is there a plan that mates whatever is hidden?

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use counterplay_base::{Budget, Evidence, Limit, Verdict};
use counterplay_belief::{Algorithm, PlanOf, Stream, solve, solve_while_estimating};
use counterplay_kriegspiel::chess::Board;
use counterplay_kriegspiel::line::{Line, Problem, Source};
use counterplay_kriegspiel::{Kriegspiel, check_plan, plan_exists, refutation};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::Value;

use crate::arguments::EXIT_CODES;
use crate::clock::seconds;
use crate::commands::kriegspiel::lines::Lines;
use crate::commands::kriegspiel::{Named, proof};
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::figures::grouped;
use crate::limits;
use crate::output;
use crate::settings::Settings;

/// Decide for each belief state of a file whether a checkmate can be forced, and prove it
///
/// Each line is a JSON object with `id`, `belief` (a list of FENs) and `depth` (an odd number of moves of both sides). With
/// `--interleave`, `root_fen` and `history` are read instead of `belief`, and estimation and search run together.
///
/// Example: counterplay kriegspiel solve problems.jsonl --json
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SolveArguments {
    /// The problems, a JSON object on each line; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// How to search
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Named(Algorithm::Auto))]
    algorithm: Named,

    /// Ask for a mate within so many moves of both sides [default: what each line says]
    #[arg(long, value_name = "N")]
    depth: Option<usize>,

    /// Count known material wins (queen, rook, pawn, two bishops or bishop and knight guarded by the king) as wins
    #[arg(long)]
    material_wins: bool,

    /// Search while the belief state is still estimated from `root_fen` and `history`
    #[arg(long)]
    interleave: bool,

    /// Stop each problem after so much time [default: none]
    #[arg(long, value_name = "TIME", value_parser = limits::duration)]
    each: Option<Duration>,

    /// Give the whole proof tree, and for lost problems the states that refute them
    #[arg(long)]
    proof: bool,

    /// How many questions the slow referee may ask to confirm that there is no mate; without this option a second algorithm
    /// confirms it if that is quick
    #[arg(long, value_name = "N", conflicts_with = "no_check")]
    confirm: Option<u64>,

    /// Do not have the referee check the proofs, nor confirm that there is none
    #[arg(long)]
    no_check: bool,
}

/// The documented shape of an answer.
#[derive(Serialize)]
struct Json<'a> {
    id: &'a Value,
    verdict: &'static str,
    first_try: Option<String>,
    plies: Option<usize>,
    states: u64,
    expanded: u64,
    size: usize,
    algorithm: &'static str,
    checked: Option<bool>,
    /// What the verdict rests on; nothing if it is `stopped`.
    evidence: Option<Evidence>,
    proof: Option<Value>,
    refutation: Option<Value>,
    limit: Option<&'static str>,
    seconds: f64,
}

/// How the answers of a file went, for the exit code.
#[derive(Default)]
struct Tally {
    solved: usize,
    unsolvable: usize,
    stopped: usize,
}

/// Solves the problems of a file.
pub(crate) fn run(arguments: &SolveArguments, settings: &Settings) -> Result<Exit, Failure> {
    super::watched(settings, || answer_all(arguments, settings))
}

fn answer_all(arguments: &SolveArguments, settings: &Settings) -> Result<Exit, Halt> {
    if let Some(depth) = arguments.depth {
        check_depth(depth)?;
    }
    let mut lines = Lines::read(&arguments.file, settings)?;
    let mut tally = Tally::default();
    for (index, place) in lines.places().into_iter().enumerate() {
        let Some(line) = lines.parse::<Line>(place, settings) else { continue };
        match line.problem(index, arguments.depth, arguments.interleave) {
            Ok(problem) => {
                if !answer(&problem, arguments, settings, &mut tally)? {
                    let message =
                        "no position agrees with the history; `kriegspiel estimate` tells from which step on";
                    lines.tell(place, "kriegspiel::history", message, settings);
                }
            }
            Err(message) => lines.tell(place, "kriegspiel::problem", &message, settings),
        }
    }
    Ok(match tally {
        _ if lines.bad => Exit::Bad,
        Tally { stopped: 1.., .. } => Exit::Limit,
        Tally { solved: 0, unsolvable: 1.., .. } => Exit::None,
        _ => Exit::Found,
    })
}

/// A number of plies that `--depth` may ask for.
pub(crate) fn check_depth(depth: usize) -> Result<(), Failure> {
    if depth % 2 == 1 && depth < 200 {
        return Ok(());
    }
    let message =
        format!("--depth {depth}: it is an odd number from 1 to 199, since the last move is the solver's");
    Err(Failure::Usage { message, help: None })
}

/// Solves one problem and prints the answer; `false` if no position agrees with its history.
fn answer(
    problem: &Problem,
    arguments: &SolveArguments,
    settings: &Settings,
    tally: &mut Tally,
) -> Result<bool, Halt> {
    let started = Instant::now();
    let world = Kriegspiel { material_wins: arguments.material_wins };
    let budget = match arguments.each {
        Some(allowed) => settings.budget.slice(allowed),
        None => settings.budget.clone(),
    };
    let algorithm = arguments.algorithm.0.chosen();
    let (found, belief, name) = match &problem.source {
        Source::Belief(belief) => {
            (solve(&world, belief, problem.depth, algorithm, &budget), belief.clone(), algorithm.name())
        }
        Source::History(root, events) => {
            let stream = Stream::<_, ChaCha8Rng>::new(&world, std::slice::from_ref(root), events, None);
            let mut met = Vec::new();
            let states = stream.inspect(|state| met.push(*state));
            let (found, _) = solve_while_estimating(&world, states, problem.depth, &budget);
            (found, met, "gl-dbu interleaved")
        }
    };
    let (verdict, effort) = (found.verdict, found.effort);
    if belief.is_empty() && !matches!(verdict, Verdict::Stopped(_)) {
        return Ok(false);
    }
    if let Verdict::Stopped(Limit::Cancelled) = verdict {
        return Err(Halt::Limit(Limit::Cancelled));
    }
    let mut checked_by = None;
    if let Verdict::Solved(plan) = &verdict
        && !arguments.no_check
    {
        check(&world, &belief, plan, problem.depth, settings)?;
        checked_by = Some(REFEREE);
    }
    let took = started.elapsed();
    if let Verdict::Unsolvable = verdict
        && !arguments.no_check
    {
        checked_by =
            confirm(&world, &belief, problem.depth, algorithm, arguments.confirm, effort.states, &budget)?;
    }
    let within = match arguments.material_wins {
        false => plies(problem.depth),
        true => format!("{}, known material wins counted as wins", plies(problem.depth)),
    };
    let evidence = (!matches!(verdict, Verdict::Stopped(_))).then(|| Evidence::Proved {
        engine: name.to_owned(),
        checked_by: checked_by.map(str::to_owned),
        within: Some(within),
    });
    let refuted = match &verdict {
        Verdict::Unsolvable if arguments.proof && !belief.is_empty() => {
            refutation(&world, &belief, problem.depth, &budget).ok()
        }
        _ => None,
    };
    match &verdict {
        Verdict::Solved(_) => tally.solved += 1,
        Verdict::Unsolvable => tally.unsolvable += 1,
        Verdict::Stopped(_) => tally.stopped += 1,
    }
    if !settings.json {
        output::answer(&text(problem, &verdict, belief.len(), effort.states, arguments))?;
        output::answer(&refuted.as_ref().map(proof::refutation_text).unwrap_or_default())?;
        if let Some(evidence) = evidence {
            output::answer(&format!("  {}\n", evidence.sentence()))?;
        }
        return Ok(true);
    }
    let plan = match &verdict {
        Verdict::Solved(plan) => Some(plan),
        _ => None,
    };
    output::json(&Json {
        id: &problem.id,
        verdict: match &verdict {
            Verdict::Solved(_) => "solved",
            Verdict::Unsolvable => "unsolvable",
            Verdict::Stopped(_) => "stopped",
        },
        first_try: plan.map(|plan| plan.attempt.to_string()),
        plies: plan.map(|plan| plan.depth()),
        states: effort.states,
        expanded: effort.nodes,
        size: belief.len(),
        algorithm: name,
        checked: checked_by.map(|_| true),
        evidence,
        proof: plan.map(|plan| if arguments.proof { proof::tree(plan) } else { Value::from(plan.size()) }),
        refutation: refuted.map(|refuted| proof::refutation(&refuted)),
        limit: match &verdict {
            Verdict::Stopped(limit) => Some(limit.name()),
            _ => None,
        },
        seconds: seconds(took),
    })?;
    Ok(true)
}

/// A plan that does not pass the referee is a bug, never an answer.
fn check(
    world: &Kriegspiel,
    belief: &[Board],
    plan: &PlanOf<Kriegspiel>,
    depth: usize,
    settings: &Settings,
) -> Result<(), Halt> {
    use counterplay_kriegspiel::PlanFlaw;
    match check_plan(world, belief, plan, depth, &settings.budget) {
        Ok(_) => Ok(()),
        Err(flaw) => {
            if let PlanFlaw::Stopped(limit) = *flaw {
                return Err(limit.into());
            }
            let message = format!("the referee does not accept the plan: {flaw:?}");
            Err(Failure::Bug { message }.into())
        }
    }
}

/// Who follows proofs.
const REFEREE: &str = "the slow referee";
/// How many nodes the second algorithm may take, and after how many states of the search it is not tried, so that files of many
/// problems are not slowed down much.
const SECOND_NODES: u64 = 100;
const SECOND_STATES: u64 = 5_000;

/// Confirms that there is no plan: by another algorithm, which shares the rules with the first one, if that is quick. Where the user
/// allows the slow referee some questions, he tries everything first, and the other algorithm goes on to its end. Returns who
/// confirmed it, if one of them came to an end.
fn confirm(
    world: &Kriegspiel,
    belief: &[Board],
    depth: usize,
    found_by: Algorithm,
    questions: Option<u64>,
    states: u64,
    budget: &Budget,
) -> Result<Option<&'static str>, Halt> {
    let bug = |who: &str| {
        let message = format!("{} finds no mate within {depth} plies, but {who} does", found_by.name());
        Err(Failure::Bug { message }.into())
    };
    let second = match questions {
        None if states > SECOND_STATES => return Ok(None),
        None => budget.clone().with_nodes(SECOND_NODES),
        Some(questions) => match plan_exists(world, belief, depth, &budget.clone().with_nodes(questions)) {
            Ok(false) => return Ok(Some("the slow referee, exhaustively")),
            Ok(true) => return bug("the slow referee"),
            Err(_) => budget.clone(),
        },
    };
    let (other, name) = match found_by {
        Algorithm::GlDbu => (Algorithm::Foresight, "a second algorithm, foresight"),
        _ => (Algorithm::GlDbu, "a second algorithm, gl-dbu"),
    };
    match solve(world, belief, depth, other, &second).verdict {
        Verdict::Unsolvable => Ok(Some(name)),
        Verdict::Solved(_) => bug(other.name()),
        Verdict::Stopped(_) => Ok(None),
    }
}

/// The answer for people.
fn text(
    problem: &Problem,
    verdict: &Verdict<PlanOf<Kriegspiel>>,
    size: usize,
    states: u64,
    arguments: &SolveArguments,
) -> String {
    let id = match &problem.id {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let cost = format!("{} states generated", grouped(states));
    match verdict {
        Verdict::Solved(plan) => {
            let head =
                format!("{id}: mate within {} in all {size} positions ({cost})\n", plies(plan.depth()));
            let tree = if arguments.proof { proof::text(plan) } else { format!("  try {}\n", plan.attempt) };
            head + &tree
        }
        Verdict::Unsolvable => {
            format!("{id}: no mate within {} ({size} positions, {cost})\n", plies(problem.depth))
        }
        Verdict::Stopped(limit) => format!("{id}: not decided: {limit} ({cost})\n"),
    }
}

fn plies(count: usize) -> String {
    if count == 1 { "1 ply".to_owned() } else { format!("{count} plies") }
}
