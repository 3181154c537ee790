//! Kriegspiel: positions, filtered PGN, problems as JSON lines.

use counterplay_kriegspiel::chess::{Board, Move, Square};
use counterplay_kriegspiel::line::{Line, Source};
use counterplay_kriegspiel::pgn::read_games_within;
use counterplay_kriegspiel::{KriegEvent, steps};

use super::{Reader, text_of};

pub(super) const FEN: Reader = Reader {
    name: "fen",
    about: "a position; what is printed reads back as the same position",
    read: position,
    words: &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "4k3/8/8/8/8/8/8/4K3",
        "k3/4/4/3K",
        " w ",
        " b ",
        "KQkq",
        " - ",
        "e3",
        "e6",
        " 0 1",
        "8/",
        "R",
        "p",
        "99999999999",
    ],
    sample: 5000,
};

fn position(bytes: &[u8]) {
    let text = text_of(bytes);
    match Board::from_fen(&text) {
        Ok(board) => {
            assert_eq!(Board::from_fen(&board.to_string()), Ok(board));
            assert_eq!(Board::from_fen(&board.epd()), Ok(board), "the clocks may be left out");
            let mut tries = Vec::new();
            board.tries(&mut tries);
            for attempt in tries {
                assert_eq!(attempt.to_string().parse(), Ok(attempt));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Ok(square) = text.parse::<Square>() {
        assert_eq!(square.to_string().parse(), Ok(square));
    }
    if let Ok(own) = text.parse::<Move>() {
        assert_eq!(own.to_string().parse(), Ok(own));
    }
}

pub(super) const PGN: Reader = Reader {
    name: "pgn",
    about: "filtered Kriegspiel PGN; histories as JSON read back as the same",
    read: games,
    words: &[
        "[Event \"a\"]\n",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n",
        "[FEN \"k3/4/4/3K w - - 0 1\"]\n",
        "1. e4 ",
        "?? ",
        "{:2} ",
        "{e5,F:} ",
        "{f7,S:Qe5,exd5} ",
        "O-O ",
        "e8=Q# ",
        "Qxf7+ ",
        "2... ",
        "$3 ",
        "* ",
        "1-0 ",
        "{:18446744073709551615} ",
        "Nbd2 ",
    ],
    sample: 800,
};

fn games(bytes: &[u8]) {
    for game in read_games_within(&text_of(bytes), 2000) {
        match game {
            Ok(game) => check_history(&game.root, &game.events),
            Err(error) => assert!(error.line > 0 && !error.to_string().is_empty()),
        }
    }
}

/// A history that is written and read again is the same.
fn check_history(root: &Board, events: &[KriegEvent]) {
    let written = serde_json::to_string(&steps::history(root, events)).expect("steps have a JSON form");
    let again: Vec<steps::Step> = serde_json::from_str(&written).expect("what is written is JSON");
    // A history in which both sides tell their tries cannot be told by one of them.
    if let Ok(again) = steps::events(root, &again) {
        assert_eq!(again, events);
    }
}

pub(super) const JSON_LINES: Reader = Reader {
    name: "json-lines",
    about: "Kriegspiel problems as JSON lines",
    read: json_lines,
    words: &[
        "{\"id\":1,\"belief\":[\"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"],\"depth\":3}\n",
        "\"root_fen\":\"4k3/8/8/8/8/8/8/4K2R w - - 0 1\",",
        "\"history\":[",
        "{\"by\":\"w\",\"try\":\"h1h8\",\"percept\":{\"legal\":true,\"checks\":[\"rank\"]}}",
        "{\"by\":\"b\",\"illegal_heard\":2,\"percept\":{\"legal\":true,\"capture\":\"e4\"}}",
        "\"depth\":",
        "null",
        "1e999",
        "[[[[",
        "{}",
        "\\ud800",
    ],
    sample: 3000,
};

fn json_lines(bytes: &[u8]) {
    for (index, text) in text_of(bytes).lines().enumerate() {
        let Ok(line) = serde_json::from_str::<Line>(text) else { continue };
        for interleave in [false, true] {
            match line.clone().problem(index, None, interleave) {
                Ok(problem) => {
                    assert!(problem.depth % 2 == 1 && problem.depth < 200);
                    if let Source::History(root, events) = &problem.source {
                        check_history(root, events);
                    }
                }
                Err(why) => assert!(!why.to_string().is_empty()),
            }
        }
    }
}
