//! The player of whole games, the rating of first moves, and the words of an answer.

use std::time::Duration;

use counterplay_base::{Budget, Verdict};
use counterplay_go::gtp::GtpEngine;
use counterplay_go::player::{Count, Effort, Situation, choose, look};
use counterplay_go::search::capture::{Capture, Reading, read};
use counterplay_go::solve::moves::{is_settled, rate_move, rate_moves};
use counterplay_go::solve::{Class, Options, solve};
use counterplay_go::{Board, Color, Move, Point, Problem, Suicide, diagram, words};

fn board(rows: &str) -> Board {
    let picture = diagram::parse(rows).unwrap();
    Board::with_stones(picture.grid, &picture.stones).unwrap()
}

fn at(board: &Board, name: &str) -> Point {
    board.grid().parse(name).unwrap()
}

fn ask(rows: &str, mover: Color, target: &str) -> Problem {
    let board = board(rows);
    let target = at(&board, target);
    Problem::about(board, mover, target).unwrap()
}

fn situation(board: &Board, to_move: Color) -> Situation<'_> {
    Situation { board, to_move, komi: 0.5, last: [None; 2], passed: false, history: &[] }
}

const EFFORT: Effort = Effort { playouts: 800, seed: 1, clean_up: false };

/// Two walls across the board: who owns what is settled.
const PARTED: &str = "
    . . X O . .
    . X X O O .
    X . X O . .
    . X X O O .
    X X X O . O
    . X . . O .";

#[test]
fn the_largest_capture_is_found() {
    // Four white stones are in atari, and black's own stones around them with them.
    let board = board(
        "
        . . . . . . .
        . X X X X . .
        X O O O O . .
        . X X X X O .
        . . O O O O .
        . . . . . . .
        . . . . . . .",
    );
    let (action, outlook) = choose(&situation(&board, Color::Black), EFFORT, &Budget::unlimited());
    assert_eq!(action, Move::Play(at(&board, "F5")), "{:?}", &outlook.choices[..2]);
}

#[test]
fn a_settled_game_is_passed_and_counted() {
    let board = board(PARTED.replacen(". X . . O .", ". X X O O .", 1).as_str());
    let game = Situation { passed: true, ..situation(&board, Color::Black) };
    let outlook = look(&game, EFFORT, &Budget::unlimited(), &mut |_| true);
    let count = Count::of(&board, &outlook, 0.5);
    assert_eq!((count.name().as_str(), count.settled), ("W+0.5", true));
    assert_eq!(choose(&game, EFFORT, &Budget::unlimited()).0, Move::Pass);
}

#[test]
fn dead_stones_are_told_and_cleaned_up() {
    // A lone black stone in white's half.
    let rows = PARTED.replacen(". X . . O .", ". X X O O .", 1).replacen("X . X O . .", "X . X O . X", 1);
    let board = board(&rows);
    let game = Situation { passed: true, ..situation(&board, Color::White) };
    let outlook = look(&game, EFFORT, &Budget::unlimited(), &mut |_| true);
    assert_eq!(Count::of(&board, &outlook, 0.5).dead, vec![at(&board, "F4")]);
    let effort = Effort { clean_up: true, ..EFFORT };
    assert_ne!(choose(&game, effort, &Budget::unlimited()).0, Move::Pass);
}

#[test]
fn clocks_and_analysis_work_over_gtp() {
    let read = |_: &str| Err("no files".to_owned());
    let mut engine = GtpEngine::new(Options::default(), Suicide::Forbidden, &read);
    let budget = || Budget::unlimited().with_time(Duration::from_millis(300));
    let mut say = |line: &str| engine.handle(line, &budget()).text;
    for line in ["boardsize 5", "time_settings 10 0 0", "time_left b 1.5 0", "time_settings 0 10 1"] {
        assert!(say(line).starts_with('='), "{line}");
    }
    let analysis = say("lz-analyze b 10");
    assert!(analysis.starts_with("=\ninfo move ") && analysis.contains(" visits "), "{analysis}");
    assert!(say("genmove b").starts_with("= "));
    assert!(say("final_score").starts_with("= "));
    assert!(say("final_status_list dead").starts_with('='));
    for line in ["time_settings 1 2", "time_left b x 0", "final_status_list", "lz-analyze b x"] {
        assert!(say(line).starts_with('?'), "{line}");
    }
    // Another line ends an analysis.
    let mut heard = 0;
    let reply = engine.handle_aloud("lz-analyze w 1", &Budget::unlimited(), &mut |_| {
        heard += 1;
        heard < 3
    });
    assert!(reply.text.ends_with("\n\n") && heard == 3);
}

const THREE: &str = "
    . . . O X . .
    O O O O X . .
    X X X X X . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .";

#[test]
fn every_first_move_is_rated() {
    let problem = ask(THREE, Color::Black, "A6");
    let budget = Budget::unlimited();
    let solution = solve(&problem, &Options::default(), &budget);
    let rated = rate_moves(&problem, &solution.region.points, &Options::default(), &budget);
    let grid = problem.board.grid();
    let names: Vec<(String, Option<Class>, bool)> =
        rated.iter().map(|r| (grid.move_name(r.action), r.class, r.proved)).collect();
    assert_eq!(names[0], ("B7".to_owned(), Some(Class::Clean), true));
    assert_eq!(names[1..], [("A7".to_owned(), None, true), ("C7".to_owned(), None, true)]);
    // The refutation is the other side's vital point.
    assert_eq!(rated[1].line.first(), Some(&Move::Play(at(&problem.board, "B7"))));
    let elsewhere = Move::Play(at(&problem.board, "G1"));
    assert_eq!(rate_move(&problem, elsewhere, &Options::default(), &budget).unwrap().class, None);
    let occupied = Move::Play(at(&problem.board, "A6"));
    assert!(rate_move(&problem, occupied, &Options::default(), &budget).is_none());
}

#[test]
fn an_answer_is_a_sentence() {
    let budget = Budget::unlimited();
    let problem = ask(THREE, Color::Black, "A6");
    let solution = solve(&problem, &Options::default(), &budget);
    let said = words::explain(&problem, &solution);
    assert!(said.starts_with("Black B7 ") && said.contains("the group at A6"), "{said}");
    assert_eq!(is_settled(&problem, &solution, &Options::default(), &budget), Some(false));
    // Two eyes: nothing depends on the move, for either side.
    let alive = THREE.replacen(". . . O X", ". O . O X", 1);
    for (mover, words_in) in
        [(Color::Black, "nothing depends on the move"), (Color::White, "No move is needed")]
    {
        let problem = ask(&alive, mover, "A6");
        let solution = solve(&problem, &Options::default(), &budget);
        let said = words::explain(&problem, &solution);
        assert!(said.contains(words_in), "{said}");
        assert_eq!(is_settled(&problem, &solution, &Options::default(), &budget), Some(true));
        assert!(!matches!(solution.verdict, Verdict::Stopped(_)));
    }
}

#[test]
fn a_ladder_is_read_across_the_board() {
    let ladder = "
        . . . . . . . . .
        . . . . . . . . .
        . . . X . . . . .
        . . X O . . . . .
        . . X . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .";
    // A white stone on the way of the ladder.
    let mut lines: Vec<String> = ladder.trim().lines().map(|line| line.trim().to_owned()).collect();
    lines[6] = ". . . . . . O . .".to_owned();
    let broken = lines.join("\n");
    for (rows, works) in [(ladder, true), (&broken, false)] {
        let problem = ask(rows, Color::Black, "D6");
        let first = Move::Play(at(&problem.board, "E6"));
        let reading = Reading { safe: 5, nodes: 50_000, only: Some(first) };
        let (found, _) = read(&problem, reading, &Budget::unlimited());
        assert_eq!(matches!(found, Ok(Capture::Works(_))), works, "{found:?}\n{rows}");
    }
}
