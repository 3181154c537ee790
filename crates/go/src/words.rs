//! Why a move is the answer, in a sentence that a player would use.

use counterplay_base::Verdict;

use crate::board::{Board, Cell};
use crate::plan::Facts;
use crate::point::{Color, Move, Point};
use crate::problem::{Goal, Problem};
use crate::search::{LocalGame, Side};
use crate::solve::{Class, Solution, Tier};
use crate::zone::Zone;

/// What the answer is, why, and how sure it is.
pub fn explain(problem: &Problem, solution: &Solution) -> String {
    let grid = problem.board.grid();
    let target = format!("the group at {}", grid.name(problem.target));
    let Some(success) = solution.success() else { return failure(problem, solution, &target) };
    let mover = problem.to_move;
    let result = result(problem, solution, success.class, &target);
    match success.action {
        Move::Pass => format!("No move is needed: {result}{}.", sureness(problem, solution)),
        Move::Play(point) => {
            let how = manner(problem, solution, point);
            format!("{mover} {} {how}: {result}{}.", grid.name(point), sureness(problem, solution))
        }
    }
}

fn failure(problem: &Problem, solution: &Solution, target: &str) -> String {
    let mover = problem.to_move;
    let fate = match problem.goal {
        Goal::Kill => "lives",
        Goal::Save => "is dead",
        Goal::Connect(_) => "stays cut off",
        Goal::Separate(_) => "is connected",
    };
    if solution.verdict == Verdict::Unsolvable {
        let target = capitalised(target);
        return format!("{target} {fate} even if {mover} moves first: nothing depends on the move.");
    }
    let wish = problem.goal;
    match solution.tier {
        Tier::Region => format!(
            "No move was found to {wish} {target}; moves outside the region of {} points were not looked at.",
            solution.region.points.len()
        ),
        _ => format!("No move was found to {wish} {target} before the limit."),
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What the move achieves.
fn result(problem: &Problem, solution: &Solution, class: Class, target: &str) -> String {
    match (problem.goal, class) {
        (_, Class::Ko) => format!("whether {target} lives depends on a ko"),
        (Goal::Kill, _) => format!("{target} gets no second eye and dies"),
        (Goal::Save, Class::Seki) => format!("{target} lives in seki"),
        (Goal::Save, Class::Clean) if solution.eyes() == Some(true) => format!("{target} makes two eyes"),
        (Goal::Save, Class::Clean) => format!("{target} can no longer be taken"),
        (Goal::Connect(_), _) => format!("{target} connects"),
        (Goal::Separate(_), _) => format!("{target} is cut off"),
    }
}

/// How sure that is.
fn sureness(problem: &Problem, solution: &Solution) -> String {
    let other = problem.to_move.other();
    match solution.tier {
        Tier::Plan | Tier::Search if solution.is_proof() => format!(", whatever {other} answers"),
        Tier::Plan | Tier::Search => ", if the proof is right".to_owned(),
        Tier::Region => {
            format!(", whatever {other} answers within {} points around it", solution.region.points.len())
        }
        Tier::Reading => format!(", if {other} only plays where the stones are in contact"),
        Tier::Knowledge => format!(", against what {other} is likely to try"),
        Tier::Guess => {
            let count = solution.statistics.playouts;
            format!(" most often in {count} tries; this is the likeliest move and not a proof")
        }
    }
}

/// What a stone here does, as a player sees it.
fn manner(problem: &Problem, solution: &Solution, point: Point) -> String {
    let (board, mover) = (&problem.board, problem.to_move);
    let mut after = board.clone();
    let taken = after.play(mover, Move::Play(point));
    if taken > 0 {
        return format!("takes {}", stones(taken));
    }
    if let Some(head) = strings_around(&after, point, mover.other()).find(|&s| after.liberty_count(s) == 1) {
        let what = if after.head(problem.target) == head { "the target" } else { "a string" };
        return format!("puts {what} of {} in atari", stones(after.string_size(head)));
    }
    if after.liberty_count(point) == 1 && after.string_size(point) == 1 {
        return "throws in a stone".to_owned();
    }
    if strings_around(board, point, mover).any(|s| board.liberty_count(s) == 1) {
        return "saves stones in atari".to_owned();
    }
    if strings_around(board, point, mover).nth(1).is_some() {
        return "connects".to_owned();
    }
    if is_vital(problem, solution, point) {
        return "takes the vital point of the eye space".to_owned();
    }
    if strings_around(board, point, mover.other()).nth(1).is_some() {
        return "cuts".to_owned();
    }
    by_shape(board, mover, point).to_owned()
}

fn stones(count: usize) -> String {
    if count == 1 { "one stone".to_owned() } else { format!("{count} stones") }
}

/// The strings of a colour next to a point, each once.
fn strings_around(board: &Board, point: Point, color: Color) -> impl Iterator<Item = Point> {
    let mut heads: Vec<Point> = board
        .around(point)
        .into_iter()
        .filter(|&n| board.cell(n) == Cell::of(color))
        .map(|n| board.head(n))
        .collect();
    heads.sort_unstable();
    heads.dedup();
    heads.into_iter()
}

/// Whether the room of a target that is shut in is small, and this is the point that it turns on.
fn is_vital(problem: &Problem, solution: &Solution, point: Point) -> bool {
    if !solution.region.closed {
        return false;
    }
    let zone = Zone::of(&problem.board, &solution.region.points);
    let local = LocalGame::new(problem, zone, Side::Attacker);
    let facts = Facts::of(&local);
    facts.space.len() <= 7 && facts.vital.first() == Some(&point)
}

/// The name of a move by the stones around it.
fn by_shape(board: &Board, mover: Color, point: Point) -> &'static str {
    let (own, enemy) = (Cell::of(mover), Cell::of(mover.other()));
    let beside = |cell: Cell| board.around(point).into_iter().any(|n| board.cell(n) == cell);
    let across = |cell: Cell| board.diagonals(point).into_iter().any(|n| board.cell(n) == cell);
    let edge = board.grid().line(point) == 1;
    match (beside(own), beside(enemy), across(own)) {
        (true, _, _) if edge => "goes down to the edge",
        (true, true, _) => "pushes",
        (true, false, _) => "extends",
        (false, true, true) => "plays hane",
        (false, true, false) => "attaches inside",
        (false, false, true) => "makes a diagonal move",
        (false, false, false) => "is the placement that the fight turns on",
    }
}
