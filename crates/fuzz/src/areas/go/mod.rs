//! Go: life and death on small boards.
//!
//! The boards are small enough for a twin that takes all of them for its region, so that what our engine leaves outside of its own region
//! is real. Whenever the engine claims a proof, class and move must be the twin's, for either side to move, with either rule about
//! suicide, by plans and by search alone.

mod position;
mod sides;
mod twin;

use counterplay_base::Budget;
use counterplay_go::solve::{Class, Method, Options, Solution, solve};
use counterplay_go::verify::verify;
use counterplay_go::{Color, Move, Problem, Suicide, diagram};
use rand_chacha::ChaCha8Rng;

use crate::{Area, Case, Outcome};

/// The areas of this module.
pub(super) const AREAS: &[&dyn Area] = &[&Go, &sides::GoSides];

struct Go;

/// Positions with more states than this are left alone.
const STATES: usize = 100_000;

const FILE: &str = "problem.sgf";

impl Area for Go {
    fn name(&self) -> &'static str {
        "go"
    }

    fn about(&self) -> &'static str {
        "life and death on boards of up to 16 points: plans and search against a fixpoint over the whole board"
    }

    fn sample(&self) -> u64 {
        300
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        Case::new([(FILE, position::random(rng))])
    }

    fn examine(&self, case: &Case) -> Outcome {
        let Some(problem) = position::read(case.text(FILE)) else {
            return Outcome::Rejected("not a problem".to_owned());
        };
        let (mut answers, mut kind) = (0, "unproved");
        for mover in [problem.to_move, problem.to_move.other()] {
            for suicide in [Suicide::Forbidden, Suicide::OfSeveral] {
                let board = problem.board.clone().under(suicide);
                let asked = Problem::about(board, mover, problem.target).expect("the target is a stone");
                let Some(truth) = judge(&asked) else {
                    return Outcome::Rejected("too many states".to_owned());
                };
                for method in [Method::Auto, Method::Dfpn] {
                    let options =
                        Options { method, samples: 50, search_nodes: 160_000, ..Options::default() };
                    let solution = solve(&asked, &options, &Budget::unlimited());
                    if !solution.is_proof() {
                        continue;
                    }
                    if let Some(outcome) = compare(&asked, method, &truth, &solution) {
                        return outcome;
                    }
                    answers += 1;
                    if mover == problem.to_move {
                        kind = truth.class;
                    }
                }
            }
        }
        Outcome::Agreed { answers, kind }
    }

    fn shrink(&self, case: &Case) -> Vec<Case> {
        let smaller = position::smaller(case.text(FILE));
        smaller.into_iter().map(|text| Case::new([(FILE, text)])).collect()
    }
}

fn judge(problem: &Problem) -> Option<twin::Judgement> {
    let grid = problem.board.grid();
    let defender = problem.defender();
    let mut stones = [0; 2];
    let bit = |p| {
        let (column, row) = grid.place(p);
        (row * grid.width() + column) as u32
    };
    for p in grid.points() {
        if let Some(color) = problem.board.cell(p).color() {
            stones[usize::from(color != defender)] |= 1 << bit(p);
        }
    }
    let position = twin::Position {
        width: grid.width() as u32,
        height: grid.height() as u32,
        stones,
        target: bit(problem.target),
        suicide: problem.board.suicide() == Suicide::OfSeveral,
    };
    let turn = if problem.to_move == defender { twin::DEFENDER } else { twin::ATTACKER };
    twin::judge(&position, turn, STATES)
}

/// The disagreement between a proof and the truth, if there is one.
fn compare(
    problem: &Problem,
    method: Method,
    truth: &twin::Judgement,
    solution: &Solution,
) -> Option<Outcome> {
    let grid = problem.board.grid();
    let class = solution.class().map_or("none", Class::word);
    // Of a target that is saved our engine may leave open whether it has two eyes or lives in seki.
    let open =
        problem.goal.is_defence() && solution.class() == Some(Class::Clean) && solution.eyes().is_none();
    let moves = if open { &truth.keeping } else { &truth.moves };
    let same = class == truth.class || open && truth.class == "seki";
    let right = solution.action().is_none_or(|action| {
        moves.iter().any(|&good| match (action, good) {
            (Move::Play(p), Some(bit)) => {
                let (column, row) = grid.place(p);
                (row * grid.width() + column) as u32 == bit
            }
            (Move::Pass, None) => true,
            _ => false,
        })
    });
    let checked = verify(problem, solution, &Budget::unlimited());
    let what = if !same {
        format!("{method:?}: {class}, twin: {}", truth.class)
    } else if !right {
        format!("{method:?}: a wrong move, class {class}")
    } else if let Err(flaw) = &checked {
        format!(
            "{method:?}: the checker refuses the proof of class {class}: {}",
            flaw.to_string().lines().next()?
        )
    } else {
        return None;
    };
    let mover = if problem.to_move == Color::Black { "Black" } else { "White" };
    let name = |action: &Option<u32>| match action {
        Some(bit) => {
            let (column, row) = (*bit as usize % grid.width(), *bit as usize / grid.width());
            grid.point(column, row).map_or_else(String::new, |p| grid.name(p))
        }
        None => "pass".to_owned(),
    };
    let known: Vec<String> = moves.iter().map(name).collect();
    let flaw = checked.err().map(|flaw| flaw.to_string()).unwrap_or_default();
    let detail = format!(
        "{mover} to move, {}, suicide {:?}, move {} (twin: {}), {:?}, zone of {}\n{}{flaw}",
        problem.goal,
        problem.board.suicide(),
        solution.action().map_or("none".to_owned(), |action| grid.move_name(action)),
        known.join(" "),
        solution.tier,
        solution.region.points.len(),
        diagram::diagram(&problem.board, &[(problem.target, '@')]),
    );
    Some(Outcome::Disagreed { what, detail })
}
