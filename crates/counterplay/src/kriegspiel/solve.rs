//! Guaranteed checkmates: the search, the check of its plan, and the confirmation that there is none.

use std::time::{Duration, Instant};

use counterplay_base::{Budget, Evidence, Limit, Progress, Verdict};
use counterplay_belief::{self as belief, Algorithm, PlanOf, Stream, solve_while_estimating};
use counterplay_kriegspiel::chess::Board;
use counterplay_kriegspiel::database::replay;
use counterplay_kriegspiel::line::{Problem, Source};
use counterplay_kriegspiel::{
    Kriegspiel, PlanFlaw, check_plan, plan_exists, refutation, write_mate, write_refutation,
};
use rand_chacha::ChaCha8Rng;

use super::answer::{Answer, Found, plies};
use super::proof::RefutationText;
use super::request::Request;
use crate::effort::seconds;
use crate::error::Error;

/// The name of the code that follows plans.
const REFEREE: &str = "the slow referee";
/// How many nodes the second algorithm may take, and after how many states of the search it is not tried, so that files of many
/// problems are not slowed down much.
const SECOND_NODES: u64 = 100;
const SECOND_STATES: u64 = 5_000;

/// Decides whether a plan mates in all positions of a belief state, and has the slow referee check the plan.
///
/// Where the problem has a history in the place of positions, they are estimated while the search runs.
/// Reaching a limit is an answer too: its verdict is `stopped`.
///
/// # Errors
/// A history that no position agrees with, or a plan that does not pass its check, which is a bug.
pub fn solve(
    problem: &Problem,
    request: &Request,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Answer, Error> {
    let started = Instant::now();
    let world = Kriegspiel { material_wins: request.material_wins };
    let allowed = request.search_seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let search_budget = allowed.map_or_else(|| budget.clone(), |allowed| budget.slice(allowed));
    let algorithm = request.algorithm.chosen();
    progress.begin("searching");
    let (mut found, belief) = search(&world, problem, algorithm, &search_budget);
    if belief.is_empty() && !matches!(found.verdict, Verdict::Stopped(_)) {
        let help = "`kriegspiel estimate` tells from which step on";
        return Err(Error::request("no position agrees with the history", help));
    }
    progress.begin("checking");
    let mut checked_by = None;
    if let Verdict::Solved(plan) = &found.verdict
        && request.check
    {
        match follow(&world, &belief, plan, problem.depth, budget)? {
            Ok(()) => checked_by = Some(REFEREE),
            // A plan that was not checked is no answer.
            Err(limit) => found.verdict = Verdict::Stopped(limit),
        }
    }
    let took = started.elapsed();
    if let Verdict::Unsolvable = found.verdict
        && request.check
    {
        let asked = Question { world, belief: &belief, depth: problem.depth, found_by: algorithm };
        checked_by = asked.confirm(request.confirm, found.effort.states, &search_budget)?;
    }
    let evidence = (!matches!(found.verdict, Verdict::Stopped(_)))
        .then(|| evidence(found.algorithm, checked_by, problem.depth, request.material_wins));
    let certificate = match (&found.verdict, request.certificate) {
        (_, false) => None,
        (verdict, true) => Some(certificate(&world, &belief, verdict, problem.depth, budget)),
    };
    let mut answer = Answer::new(&problem.id, problem.depth, found, request.proof);
    answer.certificate = certificate;
    answer.checked = checked_by.map(|_| true);
    answer.evidence = evidence;
    if answer.verdict == Verdict::Unsolvable && request.proof {
        let refuted = refutation(&world, &belief, problem.depth, &search_budget).ok();
        answer.refutation = refuted.as_ref().map(RefutationText::new);
    }
    answer.seconds = seconds(took);
    Ok(answer)
}

/// So many questions may be asked for a refutation.
const REFUTING_QUESTIONS: u64 = 1_000_000;

/// The proof of an answer as text, or why there is none.
fn certificate(
    world: &Kriegspiel,
    belief: &[Board],
    verdict: &Verdict<PlanOf<Kriegspiel>>,
    depth: usize,
    budget: &Budget,
) -> Result<String, String> {
    match verdict {
        Verdict::Solved(plan) => Ok(write_mate(world, belief, plan, depth)),
        Verdict::Unsolvable => {
            let budget = budget.clone().with_nodes(REFUTING_QUESTIONS);
            match write_refutation(world, belief, depth, &budget) {
                Ok(Some(text)) => Ok(text),
                Ok(None) => Err("the slow referee finds a mate".to_owned()),
                Err(limit) => Err(limit.to_string()),
            }
        }
        Verdict::Stopped(limit) => Err(limit.to_string()),
    }
}

/// The positions of a problem, as FEN: those that are listed, or those that agree with its history.
///
/// # Errors
/// No position agrees with the history.
pub fn positions(problem: &Problem) -> Result<Vec<String>, Error> {
    let boards = match &problem.source {
        Source::Belief(belief) => belief.clone(),
        Source::History(root, events) => replay(*root, events).map_err(|step| Error::Request {
            message: format!("no position agrees with step {} of the history", step + 1),
            help: None,
        })?,
    };
    Ok(boards.iter().map(ToString::to_string).collect())
}

/// Runs the search. The positions of a history are those that were met before it ended.
fn search(
    world: &Kriegspiel,
    problem: &Problem,
    algorithm: Algorithm,
    budget: &Budget,
) -> (Found, Vec<Board>) {
    let (answer, belief, name) = match &problem.source {
        Source::Belief(belief) => {
            let answer = belief::solve(world, belief, problem.depth, algorithm, budget);
            (answer, belief.clone(), algorithm.name())
        }
        Source::History(root, events) => {
            let stream = Stream::<_, ChaCha8Rng>::new(world, std::slice::from_ref(root), events, None);
            let mut met = Vec::new();
            let states = stream.inspect(|state| met.push(*state));
            let (answer, _) = solve_while_estimating(world, states, problem.depth, budget);
            (answer, met, "gl-dbu interleaved")
        }
    };
    let (verdict, effort) = (answer.verdict, answer.effort);
    (Found { verdict, effort, size: belief.len(), algorithm: name }, belief)
}

fn evidence(engine: &str, checked_by: Option<&str>, depth: usize, material_wins: bool) -> Evidence {
    let within = match material_wins {
        false => plies(depth),
        true => format!("{}, known material wins counted as wins", plies(depth)),
    };
    Evidence::Proved {
        engine: engine.to_owned(),
        checked_by: checked_by.map(str::to_owned),
        within: Some(within),
    }
}

/// Has the referee follow a plan. A plan that he does not accept is a bug, never an answer.
fn follow(
    world: &Kriegspiel,
    belief: &[Board],
    plan: &PlanOf<Kriegspiel>,
    depth: usize,
    budget: &Budget,
) -> Result<Result<(), Limit>, Error> {
    match check_plan(world, belief, plan, depth, budget) {
        Ok(_) => Ok(Ok(())),
        Err(flaw) => match *flaw {
            PlanFlaw::Stopped(limit) => Ok(Err(limit)),
            flaw => {
                Err(Error::Internal { message: format!("the referee does not accept the plan: {flaw:?}") })
            }
        },
    }
}

/// A question whose answer was no.
struct Question<'a> {
    world: Kriegspiel,
    belief: &'a [Board],
    depth: usize,
    found_by: Algorithm,
}

impl Question<'_> {
    /// Confirms that there is no plan: by another algorithm, which shares the rules with the first one, if that is quick. Where the
    /// caller allows the slow referee some questions, he tries everything first, and the other algorithm goes on to its end.
    /// Returns the name of the code that confirmed it, if one came to an end.
    fn confirm(
        &self,
        questions: Option<u64>,
        states: u64,
        budget: &Budget,
    ) -> Result<Option<&'static str>, Error> {
        let Question { world, belief, depth, found_by } = self;
        let second = match questions {
            None if states > SECOND_STATES => return Ok(None),
            None => budget.clone().with_nodes(SECOND_NODES),
            Some(questions) => {
                match plan_exists(world, belief, *depth, &budget.clone().with_nodes(questions)) {
                    Ok(false) => return Ok(Some("the slow referee, exhaustively")),
                    Ok(true) => return Err(self.contradiction("the slow referee")),
                    Err(_) => budget.clone(),
                }
            }
        };
        let (other, name) = match found_by {
            Algorithm::GlDbu => (Algorithm::PerfectInformationPruning, "a second algorithm, foresight"),
            _ => (Algorithm::GlDbu, "a second algorithm, gl-dbu"),
        };
        match belief::solve(world, belief, *depth, other, &second).verdict {
            Verdict::Unsolvable => Ok(Some(name)),
            Verdict::Solved(_) => Err(self.contradiction(other.name())),
            Verdict::Stopped(_) => Ok(None),
        }
    }

    fn contradiction(&self, other: &str) -> Error {
        let message =
            format!("{} finds no mate within {} plies, but {other} does", self.found_by.name(), self.depth);
        Error::Internal { message }
    }
}
