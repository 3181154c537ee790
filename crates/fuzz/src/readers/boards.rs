//! Go and bridge.

use std::time::Duration;

use bridge::auction::Call;
use bridge::card::{Card, Cards};
use bridge::contract::{Bid, Vulnerability};
use bridge::deal::{Deal, Layout};
use bridge::formats::{Board, Boards, file_to_pbn, read_lin, read_pbn};
use bridge::suit::{SuitHolding, best_play};
use counterplay_base::{Budget, Verdict};
use counterplay_check::check_suit_strategy;
use counterplay_go::gtp::GtpEngine;
use counterplay_go::solve::Options;
use counterplay_go::{Grid, Suicide, diagram, sgf};

use super::{Reader, text_of};

pub(super) const SGF: Reader = Reader {
    name: "sgf",
    about: "a file of Go games and problems",
    read: smart_game,
    words: &[
        "(;GM[1]FF[4]",
        "SZ[9]",
        "SZ[5:7]",
        "CA[UTF-8]",
        "CA[latin1]",
        "AB[aa][bb]",
        "AW[cc:ee]",
        "PL[B]",
        "MA[aa]",
        "TR[bb]",
        "C[correct]",
        ";B[aa]",
        ";W[tt]",
        ";B[]",
        "TE[1]",
        "GN[name]",
        "(",
        ")",
        ";",
        "\\]",
        "[",
        "]",
        "KO[]",
        "C[connect]",
    ],
    sample: 2000,
};

fn smart_game(bytes: &[u8]) {
    let Ok(text) = sgf::decode(bytes.to_vec()) else { return };
    let games = match sgf::read(&text) {
        Ok(games) => games,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for (number, root) in games.iter().enumerate() {
        let _ = sgf::read_problem(&text, number);
        let _ = sgf::replay(root, Some(100), Suicide::Forbidden);
        let _ = sgf::replay(root, Some(100), Suicide::OfSeveral);
    }
}

pub(super) const GTP: Reader = Reader {
    name: "gtp",
    about: "the lines of a GTP session",
    read: text_protocol,
    words: &[
        "boardsize 5\n",
        "boardsize 2\n",
        "boardsize 25\n",
        "clear_board\n",
        "komi 6.5\n",
        "play b A1\n",
        "play white pass\n",
        "undo\n",
        "genmove b\n",
        "reg_genmove w\n",
        "loadsgf file\n",
        "loadsgf file 2\n",
        "showboard\n",
        "is_legal b B2\n",
        "all_legal w\n",
        "list_stones b\n",
        "countlib A1\n",
        "attack A1\n",
        "defend A1\n",
        "owl_attack A1\n",
        "owl_defend A1\n",
        "dragon_status A1\n",
        "counterplay-solve\n",
        "counterplay-tree\n",
        "counterplay-why\n",
        "known_command quit\n",
        "12 name\n",
        "# comment\n",
        "quit\n",
    ],
    sample: 500,
};

fn text_protocol(bytes: &[u8]) {
    const FILE: &[u8] = b"(;GM[1]SZ[5]AB[aa][ba][bb][ab]AW[ca][cb][cc][bc][ac]PL[W]MA[aa];W[dd];B[ee])";
    let read = |_: &str| Ok(FILE.to_vec());
    let options = Options { plan_moves: 5, search_nodes: 50, samples: 2, ..Options::default() };
    let mut engine = GtpEngine::new(options, Suicide::Forbidden, &read);
    let budget = Budget::unlimited().with_time(Duration::from_secs(1));
    // A session of many searches takes its time for good reason.
    let mut searches = 0;
    for line in text_of(bytes).lines().take(200) {
        let command = line.split_whitespace().find(|word| !word.bytes().all(|byte| byte.is_ascii_digit()));
        let searching = ["genmove", "owl", "dragon", "counterplay", "attack", "defend"];
        searches += u32::from(command.is_some_and(|word| searching.iter().any(|part| word.contains(part))));
        if searches > 3 {
            break;
        }
        let reply = engine.handle(line, &budget);
        assert!(
            reply.text.is_empty() || reply.text.ends_with("\n\n"),
            "a reply ends with an empty line: {reply:?}"
        );
        let body = reply.text.trim_end_matches('\n');
        assert!(!body.contains("\n\n"), "no reply has an empty line inside: {reply:?}");
        if reply.quit {
            break;
        }
    }
}

pub(super) const GO_DIAGRAM: Reader = Reader {
    name: "go-diagram",
    about: "a board as rows of symbols, and names of points",
    read: go_diagram,
    words: &["X O . .\n", "....\n", "A1", "T19", "I5", "Z25", "99", "\u{e9}"],
    sample: 3000,
};

fn go_diagram(bytes: &[u8]) {
    let text = text_of(bytes);
    if let Some(picture) = diagram::parse(&text) {
        for (point, _) in &picture.stones {
            assert_eq!(picture.grid.parse(&picture.grid.name(*point)), Some(*point));
        }
    }
    let grid = Grid::new(19, 19).expect("a usual size");
    for word in text.split_whitespace() {
        if let Some(point) = grid.parse(word) {
            assert!(grid.name(point).eq_ignore_ascii_case(word) || word.contains('0'), "{word}");
        }
    }
}

pub(super) const PBN: Reader = Reader {
    name: "pbn",
    about: "boards in PBN; boards without fault that are written read back as the same",
    read: bridge_notation,
    words: &[
        "[Event \"\"]\n",
        "[Board \"1\"]\n",
        "[Dealer \"N\"]\n",
        "[Vulnerable \"All\"]\n",
        "[Deal \"N:",
        "AKQJ.T98.765.432",
        " - ",
        "[Declarer \"S\"]\n",
        "[Contract \"3NTX\"]\n",
        "[Result \"9\"]\n",
        "[Auction \"N\"]\n",
        "1C Pass 1NT AP\n",
        "[Play \"W\"]\n",
        "SA S2 - -\n",
        "*\n",
        "{comment}",
        "; rest\n",
        "% escape\n",
        "=1=",
        "$3",
        "#",
        "\\\"",
        "^",
    ],
    sample: 2000,
};

fn bridge_notation(bytes: &[u8]) {
    check_boards(&read_pbn(bytes));
}

pub(super) const LIN: Reader = Reader {
    name: "lin",
    about: "boards in LIN; boards without fault that are written as PBN read back as the same",
    read: hand_viewer,
    words: &[
        "qx|o1|",
        "md|3",
        "SAKQHT98D765C432,",
        "sv|b|",
        "mb|1N|",
        "mb|p|",
        "mb|d|",
        "mb|r!|",
        "pc|SA|",
        "mc|9|",
        "pn|a,b,c,d|",
        "ah|Board 7|",
        "pg||",
        "|",
        ",",
    ],
    sample: 2000,
};

fn hand_viewer(bytes: &[u8]) {
    check_boards(&read_lin(bytes));
}

/// The parts of a board that PBN keeps.
fn essence(board: &Board) -> impl PartialEq + std::fmt::Debug + '_ {
    let hands = board.layout.hands.clone().map(|hand| hand.map(|cards| cards.into_iter().collect::<Cards>()));
    let auction = board.auction.as_ref().map(|auction| (auction.dealer(), auction.calls().to_vec()));
    (hands, board.deal, board.dealer, board.vulnerability, board.contract, auction, &board.play, board.result)
}

fn check_boards(found: &Boards) {
    for problem in &found.problems {
        assert!(!problem.to_string().is_empty() && problem.line > 0);
    }
    if !found.problems.is_empty() {
        return;
    }
    let again = read_pbn(file_to_pbn(&found.boards).as_bytes());
    assert_eq!(again.problems, [], "what is written has no fault");
    assert_eq!(again.boards.len(), found.boards.len(), "what is written has as many boards");
    for (one, other) in found.boards.iter().zip(&again.boards) {
        assert_eq!(essence(one), essence(other), "a board comes back as it was");
    }
}

pub(super) const CARDS: Reader = Reader {
    name: "cards",
    about: "cards, calls, bids, deals and holdings of one suit, a line each",
    read: cards,
    words: &[
        "AKJ74",
        "10",
        "T9",
        "-",
        "SA",
        "H10",
        "1NT",
        "7SXX",
        "Pass",
        "X",
        "XX",
        "N:AKQJT98765432... - - -",
        "None",
        "NS",
        "\u{2665}Q",
        "\n",
    ],
    sample: 3000,
};

fn cards(bytes: &[u8]) {
    for line in text_of(bytes).lines() {
        if let Ok(card) = line.parse::<Card>() {
            assert_eq!(card.to_string().parse(), Ok(card));
        }
        if let Ok(call) = line.parse::<Call>() {
            assert_eq!(call.to_string().parse(), Ok(call));
        }
        let _ = line.parse::<Bid>();
        let _ = Vulnerability::from_pbn(line);
        if let Ok(layout) = line.parse::<Layout>() {
            let _ = Deal::new(&layout);
        }
        let (north, south) = line.split_once(' ').unwrap_or((line, ""));
        if let Ok(holding) = SuitHolding::new(north, south) {
            assert!((1..=13).contains(&holding.most()));
        }
    }
}

pub(super) const SUIT_STRATEGY: Reader = Reader {
    name: "suit-strategy",
    about: "strategies for one suit at bridge: what passes the check is no better than the best play",
    read: suit_strategy,
    words: &[
        "counterplay suit 1\n",
        "north ",
        "south ",
        "missing ",
        "tricks 1\n",
        "chance 1/1\n",
        "chance 1/2\n",
        "win ",
        "0-1",
        "at ",
        " west ",
        " east ",
        " won ",
        " lead ",
        " then ",
        "K:A",
        "out:",
        ",out",
        "out",
        "-",
        "end\n",
    ],
    sample: 3000,
};

fn suit_strategy(bytes: &[u8]) {
    let budget = Budget::unlimited().with_time(Duration::from_secs(5));
    let Ok(checked) = check_suit_strategy(&text_of(bytes), &budget) else { return };
    let holding = SuitHolding::new(&checked.north, &checked.south).expect("the checker has read them");
    for part in &checked.parts {
        let Verdict::Solved(best) = best_play(&holding, part.tricks.into(), &budget) else { return };
        let (over, under) = part.chance;
        assert!(
            over as f64 / under as f64 <= best.chance + 1e-9,
            "{over}/{under} for {} tricks",
            part.tricks
        );
    }
}
