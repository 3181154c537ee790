//! Runs the problems of an index and tells which first moves are accepted: `index FOLDER [PATTERN] [HALF] [TURN]`.
//!
//! `HALF` is 0 or 1: the problems are split in two by a hash of the file's name, one half to tune on and one to report. `TURN`, from 0
//! to 7, turns and mirrors the boards: an answer that depends on it was luck. Without a pattern write `-`.

use std::time::{Duration, Instant};

use counterplay_base::Budget;
use counterplay_go::solve::{Options, solve};
use counterplay_go::{Board, Grid, Move, Point, Problem, sgf, target};

/// The image of a point under one of the eight symmetries of the square.
fn turned(grid: Grid, point: Point, turn: usize) -> Option<(usize, usize)> {
    let (column, row) = grid.place(point);
    let (column, row) = if turn & 1 == 0 { (column, row) } else { (grid.width() - 1 - column, row) };
    let (column, row) = if turn & 2 == 0 { (column, row) } else { (column, grid.height() - 1 - row) };
    if turn & 4 == 0 { Some((column, row)) } else { (grid.width() == grid.height()).then_some((row, column)) }
}

fn turned_problem(problem: &Problem, turn: usize) -> Option<Problem> {
    let grid = problem.board.grid();
    let image = |p: Point| turned(grid, p, turn).and_then(|(column, row)| grid.point(column, row));
    let mut stones = Vec::new();
    for p in grid.points() {
        if let Some(color) = problem.board.cell(p).color() {
            stones.push((image(p)?, color));
        }
    }
    let board = Board::with_stones(grid, &stones).ok()?;
    Problem::about(board, problem.to_move, image(problem.target)?)
}

/// FNV-1a.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.first().expect("a folder");
    let pattern = arguments.get(1).filter(|word| *word != "-").cloned().unwrap_or_default();
    let half: Option<u32> = arguments.get(2).and_then(|word| word.parse().ok());
    let turn: usize = arguments.get(3).map_or(0, |word| word.parse().expect("a number from 0 to 7"));
    let infer = arguments.get(4).is_some_and(|word| word == "infer");
    let options = Options::default();
    let index = std::fs::read_to_string(format!("{folder}/index.csv")).expect("an index");
    let (mut good, mut all, mut nodes, mut seconds, mut same) = (0, 0, 0, 0.0, 0);
    let mut sources: std::collections::BTreeMap<String, (usize, usize)> = Default::default();
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let out = half.is_some_and(|half| (hash(fields[1]) >> 7) & 1 != half);
        if !fields[1].contains(&pattern) || out {
            continue;
        }
        let text = std::fs::read_to_string(format!("{folder}/{}", fields[1])).expect("a file");
        let record = sgf::read_problem(&text, 0).expect("a problem");
        let Some(mut problem) = turned_problem(&record.problem, turn) else { continue };
        let grid = problem.board.grid();
        let start = Instant::now();
        if infer {
            let found = target::infer(&problem.board, problem.to_move, &options, &Budget::unlimited());
            let Some(first) = found.first() else {
                println!("{:20} no candidate", fields[0]);
                all += 1;
                continue;
            };
            same += usize::from(problem.board.head(first.stone) == problem.board.head(problem.target));
            problem = Problem::about(problem.board.clone(), problem.to_move, first.stone).expect("a stone");
        }
        let found = solve(&problem, &options, &Budget::unlimited().with_time(Duration::from_secs(20)));
        let taken = start.elapsed().as_secs_f64();
        let name = found.action().map_or("-".to_owned(), |action| grid.move_name(action));
        let verified = counterplay_go::verify::verify(&problem, &found, &Budget::unlimited());
        if let Err(flaw) = &verified {
            println!("{} FLAW {flaw}", fields[0]);
        }
        let ok = fields[7].split('|').any(|accepted| {
            let image = grid.parse(accepted).and_then(|p| turned(grid, p, turn));
            image.and_then(|(column, row)| grid.point(column, row)).map(Move::Play) == found.action()
        });
        all += 1;
        good += usize::from(ok);
        nodes += found.statistics.moves_tried;
        seconds += taken;
        let source = fields[1].split('/').next().unwrap_or_default().to_owned() + " " + fields[10];
        let count = sources.entry(source).or_default();
        *count = (count.0 + usize::from(ok), count.1 + 1);
        println!(
            "{:20} {:5} {:5?} {:7?} {} {name:4} of {:9} {:3} {:7} ref {:5} {taken:.2}s {} {}",
            fields[0],
            fields[4],
            found.class(),
            found.tier,
            if ok { "ok " } else { "BAD" },
            fields[7],
            &fields[8][..2],
            found.statistics.moves_tried,
            fields[14],
            if verified == Ok(true) { "checked" } else { "unchecked" },
            found.line.iter().map(|&m| grid.move_name(m)).collect::<Vec<_>>().join(" ")
        );
    }
    println!(
        "{good} of {all}, {} nodes each, {seconds:.1} s {sources:?} same target {same}",
        nodes / all.max(1) as u64
    );
}
