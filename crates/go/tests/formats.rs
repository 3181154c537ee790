//! SGF and GTP: what is accepted, and what is said about the rest.

use counterplay_base::Budget;
use counterplay_go::gtp::Engine;
use counterplay_go::sgf::{SgfError, read_problem};
use counterplay_go::solve::{Options, solve};
use counterplay_go::{Color, Goal, Move, record};

const THREE: &str = "(;SZ[7]PL[B]AW[ab][bb][cb][db][da]AB[ac][bc][cc][dc][ec][eb][ea]MA[bb])";

#[test]
fn a_problem_is_read() {
    let record = read_problem(THREE, 0).unwrap();
    assert_eq!(record.problem.to_move, Color::Black);
    assert_eq!(record.problem.goal, Goal::Kill);
    assert!(!record.inferred);
    let unmarked = read_problem(&THREE.replace("MA[bb]", ""), 0).unwrap();
    assert!(unmarked.inferred);
    // The first move tells whose turn it is.
    let turn = read_problem(&THREE.replace("PL[B]", "").replace("MA[bb])", "MA[bb];W[ba]TE[1])"), 0).unwrap();
    assert_eq!(turn.problem.to_move, Color::White);
    assert_eq!(turn.problem.goal, Goal::Save);
    assert_eq!(turn.solutions.len(), 1);
    // Compressed point lists, other line ends, a second game.
    let many = format!("{THREE}\r\n(;SZ[9]PL[W]AB[aa:cc]MA[aa])");
    assert_eq!(
        read_problem(&many, 1)
            .unwrap()
            .problem
            .board
            .string_size(read_problem(&many, 1).unwrap().problem.target),
        9
    );
}

#[test]
fn bad_files_are_refused_with_a_reason() {
    let cases: &[(&str, &str)] = &[
        ("", "not an SGF file"),
        ("hello", "not an SGF file"),
        ("(;SZ[9]", "not an SGF file"),
        ("(;GM[2]SZ[9]PL[B])", "another game"),
        ("(;SZ[26]PL[B])", "26 x 26"),
        ("(;SZ[1]PL[B])", "1 x 1"),
        ("(;SZ[x]PL[B])", "SZ"),
        ("(;SZ[9]PL[B]AB[zz])", "outside the board"),
        ("(;SZ[9]PL[B]AB[aa]AW[aa]MA[aa])", "both colours"),
        ("(;SZ[9]PL[B]AW[aa]AB[ab][ba]MA[ab])", "no liberty"),
        ("(;SZ[9]AB[aa]MA[aa])", "whose turn"),
        ("(;SZ[9]PL[B]AB[aa]MA[bb])", "no stone"),
        ("(;SZ[9]PL[B]AB[ee])", "no stone is marked"),
        ("(;SZ[9]PL[B]AB[9])", "AB"),
    ];
    for (text, reason) in cases {
        let error = read_problem(text, 0).expect_err(text).to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let two = "(;SZ[7]PL[B]AW[ab][bb][cb][db][da]AB[ac][bc][cc][dc][ec][eb][ea]AW[gf][ff][ef][eg]AB[de][ee][fe][ge][df][dg])";
    assert!(matches!(read_problem(two, 0), Err(SgfError::NoTarget(names)) if names.len() >= 2));
    let deep = format!("(;SZ[9]PL[B]{})", ";B[aa]".repeat(20_000));
    assert!(matches!(read_problem(&deep, 0), Err(SgfError::Deep)));
    let nested = "(;".repeat(100_000);
    assert!(read_problem(&nested, 0).is_err());
}

#[test]
fn any_bytes_are_survived() {
    let bits = [
        "(", ")", ";", "AB", "[aa]", "[", "]", "\\", "SZ[9]", "PL[B]", "MA[aa]", "B[tt]", "é", "[aa:zz]",
        "\n",
    ];
    let mut state = 1u64;
    for _ in 0..3000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            text.push_str(bits[(state >> 33) as usize % bits.len()]);
        }
        let _ = read_problem(&text, 0);
    }
}

#[test]
fn the_tree_can_be_read_again() {
    let record = read_problem(THREE, 0).unwrap();
    let solution = solve(&record.problem, &Options::default(), &Budget::unlimited());
    let text = record::to_sgf(&record.problem, &solution, "an answer");
    let again = read_problem(&text, 0).unwrap();
    assert_eq!(again.problem.board.hash(), record.problem.board.hash());
    assert_eq!(again.solutions, [solution.action.unwrap()]);
    assert!(text.contains("take-vital B7") && text.contains("an answer"));
}

/// Runs a session; the replies without their ends.
fn session(lines: &[&str]) -> Vec<String> {
    let files =
        |name: &str| if name == "three.sgf" { Ok(THREE.to_owned()) } else { Err("no such file".to_owned()) };
    let mut engine = Engine::new(Options::default(), &files);
    let budget = Budget::unlimited();
    lines.iter().map(|line| engine.handle(line, &budget).text.trim_end().to_owned()).collect()
}

#[test]
fn gtp_is_spoken() {
    let said = session(&[
        "1 protocol_version",
        "boardsize 7",
        "play b A1",
        "play w a1",
        "play w B2 # a comment",
        "2 undo",
        "known_command genmove",
        "known_command nonsense",
        "",
        "# only a comment",
        "loadsgf three.sgf",
        "owl_attack B6",
        "owl_defend B6",
        "dragon_status B6",
        "counterplay-solve b",
        "counterplay-why",
        "genmove b",
        "attack B6",
        "quit",
    ]);
    assert_eq!(said[0], "=1 2");
    assert_eq!(said[2], "=");
    assert_eq!(said[3], "? illegal move: the point is occupied");
    assert_eq!(said[5], "=2");
    assert_eq!((said[6].as_str(), said[7].as_str()), ("= true", "= false"));
    assert_eq!((said[8].as_str(), said[9].as_str()), ("", ""));
    assert_eq!(said[10], "= black");
    assert_eq!((said[11].as_str(), said[12].as_str()), ("= 1 B7", "= 1 B7"));
    assert_eq!(said[13], "= critical B7 B7");
    assert!(said[14].starts_with("= clean plan B7"), "{}", said[14]);
    assert!(said[15].contains("take-vital B7"));
    assert_eq!(said[16], "= B7");
}

#[test]
fn wrong_gtp_lines_get_an_error_and_the_engine_stays_up() {
    let wrong = [
        "boardsize",
        "boardsize nineteen",
        "boardsize 1",
        "boardsize 26",
        "komi x",
        "komi inf",
        "play",
        "play green A1",
        "play b",
        "play b I5",
        "play b A99999999999999999999",
        "undo",
        "genmove",
        "loadsgf",
        "loadsgf missing.sgf",
        "loadsgf three.sgf x",
        "owl_attack A1",
        "owl_attack",
        "countlib pass",
        "counterplay-why",
        "counterplay-solve b",
        "frobnicate",
        "99999999999999999999999 frobnicate",
    ];
    for (line, reply) in wrong.iter().zip(session(&wrong)) {
        assert!(reply.starts_with('?'), "{line}: {reply}");
    }
    let said = session(&[
        "play b A1 extra words",
        "play B pass",
        "play b b1",
        "play b b2",
        "list_stones b",
        "all_legal w",
    ]);
    assert!(said.iter().all(|reply| reply.starts_with('=')), "{said:?}");
    assert_eq!(said[4], "= B2 A1 B1");
}

#[test]
fn positions_are_not_repeated_in_a_session() {
    // Sending two and returning one: the position before would come back.
    let said = session(&[
        "boardsize 5",
        "play b B1",
        "play w C1",
        "play b A2",
        "play w B2",
        "play b C2",
        "play w A1",
        "play b A1",
    ]);
    assert!(said.iter().any(|reply| reply.starts_with("? illegal move")), "{said:?}");
}

#[test]
fn a_move_is_named() {
    let record = read_problem(THREE, 0).unwrap();
    let grid = record.problem.board.grid();
    assert_eq!(grid.move_name(Move::Pass), "pass");
}
