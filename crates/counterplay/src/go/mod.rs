//! Go: life and death.
//!
//! A [`Problem`] is read from SGF text: the position, the colour to move, and the target. [`solve`] returns an [`Answer`] with the
//! move, what it achieves and what that rests on; a proof is replayed by slow rules of its own before it is returned. The JSON form
//! of the answer is what `counterplay go solve --json` prints. [`engine()`] makes a GTP engine: a line in, a reply out.
//!
//! ```
//! use counterplay::go::{Problem, Request, ResultClass, solve};
//! use counterplay::{Budget, Silent};
//!
//! // Black to move; the target, marked with MA, has a straight three. The point in the middle kills.
//! let problem = Problem::read("(;SZ[7]PL[B]AW[ab][bb][cb][db][da]AB[ac][bc][cc][dc][ec][eb][ea]MA[bb])")?;
//! let answer = solve(&problem, &Request::default(), &Budget::unlimited(), &Silent)?;
//! assert_eq!(answer.action.as_deref(), Some("B7"));
//! assert_eq!(answer.result, ResultClass::Clean);
//! assert!(answer.evidence.is_proof());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod certificate;
mod moves;
mod pictures;
mod position;
mod request;
mod text;

use std::time::Instant;

use counterplay_base::{Budget, Evidence, Limit, Progress, Verdict};
use counterplay_go as engine;
use counterplay_go::gtp::{GtpEngine, ReadFile};
use counterplay_go::solve::moves::is_settled;
use counterplay_go::solve::{Options, Solution};
use counterplay_go::{sgf, verify};

pub use self::answer::{Answer, Contingency, ResultClass, Status};
pub use self::certificate::{GoValidity, check_go_proof_text};
pub use self::moves::FirstMove;
pub use self::position::{GoPosition, position};
pub use self::request::Request;
pub use counterplay_go::Suicide;
pub use counterplay_go::certificate::is_go_proof;
pub use counterplay_go::sgf::{SgfError, decode};
pub use counterplay_go::solve::{Method, Tier};

use crate::effort::seconds;
use crate::error::Error;

/// A life-and-death problem: a position, the colour to move, and the group that it is about.
#[derive(Clone, Debug)]
pub struct Problem {
    record: sgf::Record,
}

impl Problem {
    /// Reads the first game of an SGF text. The colour to move is `PL`, a stone of the target is marked with `MA`. A target of the
    /// mover's own colour is to be saved, another one to be killed. Without a mark the target is the group whose fate depends most on
    /// who moves first, found by sampling.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is no problem.
    pub fn read(text: &str) -> Result<Problem, SgfError> {
        Problem::of_game(text, 0, None)
    }

    /// Reads one game of an SGF text, counted from zero. With `target`, a vertex such as `C4`, the problem is about the group of
    /// that stone, whatever is marked.
    ///
    /// # Errors
    /// What is wrong with the text, or why it is no problem.
    pub fn of_game(text: &str, game: usize, target: Option<&str>) -> Result<Problem, SgfError> {
        let record = match target {
            None => sgf::read_problem_inferring(text, game, &Options::default(), &Budget::unlimited())?,
            Some(vertex) => sgf::read_problem_about(text, game, vertex)?,
        };
        Ok(Problem { record })
    }
}

/// If the target was inferred and nothing succeeds against it, so many other candidates are tried.
const OTHERS: usize = 2;

/// Solves a problem, and has a proof replayed by slow rules that share no code with the search.
///
/// Reaching a limit is an answer too: its verdict is `stopped`, and it has the best move that was known by then.
///
/// # Errors
/// A proof that the slow rules do not accept, which is a bug.
pub fn solve(
    problem: &Problem,
    request: &Request,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Answer, Error> {
    let started = Instant::now();
    let record = &problem.record;
    let mut asked = record.problem.clone();
    asked.board = asked.board.under(request.suicide);
    progress.begin("searching");
    let mut solution = engine::solve::solve(&asked, &request.options(), budget);
    // Where the position does not say which group is meant, the first one with an answer is.
    for &stone in record.candidates.iter().skip(1).take(OTHERS) {
        let Some(other) = engine::Problem::about(asked.board.clone(), asked.to_move, stone) else { continue };
        if solution.success().is_some() || budget.check().is_err() {
            break;
        }
        let found = engine::solve::solve(&other, &request.options(), budget);
        if found.success().is_some() {
            (asked, solution) = (other, found);
        }
    }
    progress.begin("checking");
    let checked = match request.check.then(|| check(&asked, &solution, budget)) {
        None => Ok(false),
        Some(outcome) => outcome?,
    };
    let evidence = match checked {
        Ok(checked) => solution.evidence(checked),
        Err(limit) => unchecked(&mut solution, limit),
    };
    let settled = is_settled(&asked, &solution, &request.options(), budget);
    let title = match &record.title[..] {
        "" => "Go".to_owned(),
        title => title.to_owned(),
    };
    let mut answer = Answer::new(asked, solution, evidence, title);
    answer.inferred = record.inferred;
    let grid = answer.problem.board.grid();
    answer.candidates = record.candidates.iter().map(|&stone| grid.name(stone)).collect();
    answer.settled = settled;
    answer.checked = (checked == Ok(true)).then_some(true);
    if request.whole {
        answer.add_trees();
    }
    answer.seconds = seconds(started.elapsed());
    Ok(answer)
}

/// Whether the proof was replayed in full, or the limit that ended the check. A proof that the slow rules do not accept is a bug,
/// never an answer.
fn check(
    problem: &engine::Problem,
    solution: &Solution,
    budget: &Budget,
) -> Result<Result<bool, Limit>, Error> {
    match verify::verify(problem, solution, budget) {
        Ok(checked) => Ok(Ok(checked)),
        Err(verify::Flaw::Limit(limit)) => Ok(Err(limit)),
        Err(flaw) => {
            Err(Error::Internal { message: format!("the slow rules do not accept the proof: {flaw}") })
        }
    }
}

/// The evidence of a proof whose check met a limit. It is not called a proof.
fn unchecked(solution: &mut Solution, limit: Limit) -> Evidence {
    solution.best = solution.success();
    solution.verdict = Verdict::Stopped(limit);
    let engine = if solution.tier == Tier::Plan { "adversarial planning" } else { "proof-number search" };
    let assumes = "its proof is right: the check met a limit";
    Evidence::Planned { engine: engine.to_owned(), assumes: assumes.to_owned() }
}

/// A GTP engine on an empty board of 19 lines; `read` reads the files of `loadsgf`.
pub fn engine<'a>(request: &Request, read: ReadFile<'a>) -> GtpEngine<'a> {
    GtpEngine::new(request.options(), request.suicide, read)
}
