//! SGF and GTP: what is accepted, and what is said about the rest.

use counterplay_base::Budget;
use counterplay_go::gtp::GtpEngine;
use counterplay_go::sgf::{SgfError, decode, read_problem};
use counterplay_go::solve::{Options, solve};
use counterplay_go::{Color, Goal, Move, Suicide, record};

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
        // Moves of the wrong colour, and nodes that are no move of one colour.
        (
            "(;SZ[9]PL[B]AB[ee]MA[ee];W[aa];B[bb])",
            "PL says that Black is to play, but the first move is White's",
        ),
        ("(;SZ[9]PL[B]AB[ee]MA[ee];B[aa]W[bb])", "both colours move in one node"),
        // Trees that do not close, or begin nowhere.
        ("(;SZ[9]PL[B](;B[aa]", "not an SGF file"),
        ("(SZ[9]PL[B])", "not an SGF file"),
        ("(;SZ[9]PL[B]AB[aa)", "not an SGF file"),
        (";SZ[9]PL[B]", "not an SGF file"),
    ];
    for (text, reason) in cases {
        let error = read_problem(text, 0).expect_err(text).to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let two = "(;SZ[7]PL[B]AW[ab][bb][cb][db][da]AB[ac][bc][cc][dc][ec][eb][ea]AW[gf][ff][ef][eg]AB[de][ee][fe][ge][df][dg])";
    assert!(matches!(read_problem(two, 0), Err(SgfError::NoTarget(names)) if names.len() >= 2));
    let deep = format!("(;SZ[9]PL[B]{})", ";B[aa]".repeat(20_000));
    assert!(matches!(read_problem(&deep, 0), Err(SgfError::Deep { line: 1 })));
    let nested = "(;".repeat(100_000);
    assert!(read_problem(&nested, 0).is_err());
}

/// The depth was counted as if a parenthesis in a name closed a tree, so that the parser built a tree too deep to be dropped.
#[test]
fn parentheses_in_names_do_not_hide_how_deep_a_tree_is() {
    let deep = format!("(;SZ[9]PL[B]{})", ";x)[]".repeat(200_000));
    assert!(matches!(read_problem(&deep, 0), Err(SgfError::Deep { line: 1 })));
    let shallow = format!("(;SZ[9]PL[B]AB[ee]MA[ee]{})", "x)[]".repeat(20_000));
    assert!(read_problem(&shallow, 0).is_ok());
}

/// Nine letters were made into 2704 points each time: a megabyte of text became a gigabyte.
#[test]
fn rectangles_of_points_cannot_fill_the_memory() {
    let many = format!("(;SZ[9]PL[B]{})", ";AB[aa:ZZ]".repeat(3000));
    assert!(matches!(read_problem(&many, 0), Err(SgfError::ManyPoints { line: 1 })));
    let few = "(;SZ[9]PL[B]AB[ee]MA[ee]AW[aa:ba])";
    assert!(read_problem(few, 0).is_ok());
}

#[test]
fn text_is_read_in_the_encoding_that_it_says() {
    let file = |header: &str, name: &[u8]| {
        let mut bytes = format!("(;{header}SZ[7]GN[").into_bytes();
        bytes.extend(name);
        bytes.extend(b"]PL[B]AW[ab][bb][cb][db][da]AB[ac][bc][cc][dc][ec][eb][ea]MA[bb])");
        bytes
    };
    let title = |bytes: Vec<u8>| read_problem(&decode(bytes).unwrap(), 0).unwrap().title;
    // The same title, once a byte a letter and once in UTF-8.
    assert_eq!(title(file("CA[ISO-8859-1]", b"M\xfcller")), "Müller");
    assert_eq!(title(file("CA[iso8859-1]", b"M\xfcller")), "Müller");
    assert_eq!(title(file("", b"M\xfcller")), "Müller");
    assert_eq!(title(file("CA[UTF-8]", "Müller".as_bytes())), "Müller");
    assert_eq!(title(file("", "Müller".as_bytes())), "Müller");
    // What it says counts, even where the bytes would be valid UTF-8 too; and only the property says it.
    assert_eq!(title(file("CA[Latin-1]", "ü".as_bytes())), "Ã¼");
    assert_eq!(title(file("C[CA[UTF-8\\]]", b"M\xfcller")), "Müller");
    assert_eq!(title([b"\xEF\xBB\xBF".to_vec(), file("CA[UTF-8]", "Müller".as_bytes())].concat()), "Müller");
    assert!(matches!(decode(file("CA[UTF-8]", b"M\xfcller")), Err(SgfError::NotUtf8(20))));
    assert!(
        matches!(decode(file("CA[Shift_JIS]", b"\x8e\x71")), Err(SgfError::Encoding(name)) if name == "Shift_JIS")
    );
    assert_eq!(title(file("CA[Shift_JIS]", b"plain")), "plain");
}

#[test]
fn suicide_is_a_rule_of_the_session() {
    let lines = [
        "boardsize 3",
        "play b A2",
        "play b B2",
        "play b B1",
        "play w C2",
        "play w C1",
        "play w A3",
        "play w B3",
    ];
    // The black stones have one liberty left, the corner: filling it takes all four of them.
    for (rule, reply, stones) in [
        (Suicide::Forbidden, "? illegal move: the move would be suicide", "= A2 B2 B1"),
        (Suicide::OfSeveral, "=", "="),
    ] {
        let none = |_: &str| Err("no such file".to_owned());
        let mut engine = GtpEngine::new(Options::default(), rule, &none);
        let mut say = |line: &str| engine.handle(line, &Budget::unlimited()).text.trim_end().to_owned();
        assert!(lines.iter().all(|line| say(line) == "="));
        assert_eq!(say("play b A1"), reply);
        assert_eq!(say("list_stones b"), stones);
    }
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
    assert_eq!(again.solutions, [solution.action().unwrap()]);
    assert!(text.contains("take-vital B7") && text.contains("an answer"));
}

/// Runs a session; the replies without their ends.
fn session(lines: &[&str]) -> Vec<String> {
    let files = |name: &str| {
        if name == "three.sgf" { Ok(THREE.as_bytes().to_vec()) } else { Err("no such file".to_owned()) }
    };
    let mut engine = GtpEngine::new(Options::default(), Suicide::Forbidden, &files);
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
        "counterplay-playouts 200",
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
    assert_eq!(said[16], "=");
    assert!(said[17].starts_with("= ") && said[17] != "= PASS", "{}", said[17]);
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
