//! Go: proofs about larger boards that must fit together.
//!
//! The boards are too large for a twin. Groups are enclosed or half open, their walls have few liberties, and stones of the defender stand
//! outside. Three laws bind what the engine proves: to move first never hurts, colours do not matter, and turning the board does not
//! matter. And the checker accepts every proof.

use counterplay_base::Budget;
use counterplay_go::solve::{Class, Options, Solution, solve};
use counterplay_go::verify::verify;
use counterplay_go::{Board, Color, Point, Problem, Suicide, diagram};
use rand_chacha::ChaCha8Rng;

use super::{FILE, position};
use crate::{Area, Case, Outcome};

pub(super) struct GoSides;

impl Area for GoSides {
    fn name(&self) -> &'static str {
        "go-sides"
    }

    fn about(&self) -> &'static str {
        "life and death of enclosed and half-open groups: proofs for both sides, colours and symmetries fit together"
    }

    fn sample(&self) -> u64 {
        30
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        Case::new([(FILE, position::enclosure(rng))])
    }

    fn examine(&self, case: &Case) -> Outcome {
        let Some(problem) = position::read(case.text(FILE)) else {
            return Outcome::Rejected("not a problem".to_owned());
        };
        let (mut answers, mut kind) = (0, "unproved");
        for suicide in [Suicide::Forbidden, Suicide::OfSeveral] {
            match examine_under(&problem, suicide) {
                Ok((count, word)) => {
                    answers += count;
                    if count > 0 {
                        kind = word;
                    }
                }
                Err((what, detail)) => return Outcome::Disagreed { what, detail },
            }
        }
        Outcome::Agreed { answers, kind }
    }

    fn shrink(&self, case: &Case) -> Vec<Case> {
        let smaller = position::smaller(case.text(FILE));
        smaller.into_iter().map(|text| Case::new([(FILE, text)])).collect()
    }
}

type Flaw = (String, String);

/// How well the defender does: dead, a ko, kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Dead,
    Ko,
    Kept,
}

fn examine_under(problem: &Problem, suicide: Suicide) -> Result<(u32, &'static str), Flaw> {
    let board = problem.board.clone().under(suicide);
    let defender = board.cell(problem.target).color().expect("the target is a stone");
    let (mut answers, mut kind) = (0, "unproved");
    let mut fates: [Option<Fate>; 2] = [None; 2];
    for (i, mover) in [defender, defender.other()].into_iter().enumerate() {
        let asked = Problem::about(board.clone(), mover, problem.target).expect("the target is a stone");
        fates[i] = proved(&asked)?;
        for image in [turned(&asked), swapped(&asked)] {
            let other = proved(&image)?;
            if fates[i].is_some() && other.is_some() && fates[i] != other {
                return Err(("a symmetry changes the proof".to_owned(), described(&asked, fates[i], other)));
            }
            answers += u32::from(other.is_some());
        }
        kind = match fates[i] {
            Some(Fate::Dead) => "dead",
            Some(Fate::Ko) => "ko",
            Some(Fate::Kept) => "kept",
            None => kind,
        };
    }
    if let [Some(first), Some(second)] = fates
        && first < second
    {
        let what = "moving first hurts the defender".to_owned();
        return Err((what, described(problem, fates[0], fates[1])));
    }
    Ok((answers, kind))
}

/// What is proved about the defender.
fn proved(problem: &Problem) -> Result<Option<Fate>, Flaw> {
    let options = Options { samples: 20, search_nodes: 60_000, ..Options::default() };
    let solution = solve(problem, &options, &Budget::unlimited());
    if !solution.is_proof() {
        return Ok(None);
    }
    if let Err(flaw) = verify(problem, &solution, &Budget::unlimited()) {
        let what = "the checker refuses a proof".to_owned();
        return Err((what, format!("{flaw}\n{}", described(problem, Some(fate(problem, &solution)), None))));
    }
    Ok(Some(fate(problem, &solution)))
}

fn fate(problem: &Problem, solution: &Solution) -> Fate {
    match (solution.class(), problem.goal.is_defence()) {
        (Some(Class::Ko), _) => Fate::Ko,
        (Some(_), true) | (None, false) => Fate::Kept,
        (Some(_), false) | (None, true) => Fate::Dead,
    }
}

/// The same problem turned by half a circle.
fn turned(problem: &Problem) -> Problem {
    let grid = problem.board.grid();
    image(
        problem,
        |p| {
            let (column, row) = grid.place(p);
            grid.point(grid.width() - 1 - column, grid.height() - 1 - row).expect("on the board")
        },
        |color| color,
    )
}

/// The same problem with the colours exchanged.
fn swapped(problem: &Problem) -> Problem {
    image(problem, |p| p, Color::other)
}

fn image(problem: &Problem, place: impl Fn(Point) -> Point, paint: impl Fn(Color) -> Color) -> Problem {
    let (board, grid) = (&problem.board, problem.board.grid());
    let stones: Vec<(Point, Color)> =
        grid.points().filter_map(|p| board.cell(p).color().map(|color| (place(p), paint(color)))).collect();
    let image = Board::with_stones(grid, &stones).expect("the same stones").under(board.suicide());
    Problem::about(image, paint(problem.to_move), place(problem.target)).expect("the same target")
}

fn described(problem: &Problem, one: Option<Fate>, other: Option<Fate>) -> String {
    let shown = diagram::diagram(&problem.board, &[(problem.target, '@')]);
    format!("{one:?} and {other:?}, suicide {:?}\n{shown}", problem.board.suicide())
}
