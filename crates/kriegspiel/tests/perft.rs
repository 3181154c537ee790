//! The move generator against cozy-chess and against published counts.

use counterplay_kriegspiel::chess::{Board, Move};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn perft(board: &Board, depth: usize) -> u64 {
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|&mv| perft(&board.play(mv).0, depth - 1)).sum()
}

/// Positions and counts that chess programmers have agreed on for decades.
#[test]
fn published_counts() {
    let cases = [
        (START, 4, 197_281),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
    ];
    for (fen, depth, count) in cases {
        assert_eq!(perft(&fen.parse().unwrap(), depth), count, "{fen}");
    }
}

/// The same legal moves, the same position after each, in random games.
#[test]
fn agrees_with_cozy_chess() {
    let mut seed = 1u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for game in 0..150 {
        let mut board: Board = START.parse().unwrap();
        let mut other: cozy_chess::Board = START.parse().unwrap();
        for ply in 0..150 {
            let mut moves = Vec::new();
            board.legal_moves(&mut moves);
            let mut mine: Vec<String> = moves.iter().map(Move::to_string).collect();
            mine.sort();
            let mut theirs = Vec::new();
            other.generate_moves(|set| {
                theirs.extend(set.into_iter().map(|mv| uci(&other, mv)));
                false
            });
            theirs.sort();
            assert_eq!(mine, theirs, "game {game}, ply {ply}: {board}");
            for &mv in &moves {
                assert!(board.is_legal(mv), "{board} {mv}");
            }
            let mut tries = Vec::new();
            board.tries(&mut tries);
            assert!(moves.iter().all(|mv| tries.contains(mv)), "{board}");
            assert_eq!(tries.iter().filter(|&&mv| board.is_legal(mv)).count(), moves.len(), "{board}");
            if moves.is_empty() {
                break;
            }
            let mv = moves[random(moves.len())];
            let text = mv.to_string();
            let same = {
                let mut found = None;
                other.generate_moves(|set| {
                    found = found.or(set.into_iter().find(|&mv| uci(&other, mv) == text));
                    false
                });
                found.unwrap()
            };
            board = board.play(mv).0;
            other.play_unchecked(same);
            // Read back, a position is the same value: keys, rights and en passant are kept right by moves.
            let read: Board = board.to_string().parse().unwrap();
            assert_eq!((read, read.key()), (board, board.key()), "{board}");
            assert_eq!(board.in_check(), !other.checkers().is_empty(), "{board}");
        }
    }
}

/// cozy-chess writes castling as the king taking its own rook.
fn uci(board: &cozy_chess::Board, mv: cozy_chess::Move) -> String {
    let castles = board.color_on(mv.to) == Some(board.side_to_move())
        && board.piece_on(mv.from) == Some(cozy_chess::Piece::King);
    let mut text = mv.to_string();
    if castles {
        let file = if mv.to.file() > mv.from.file() { 'g' } else { 'c' };
        text.replace_range(2..3, &file.to_string());
    }
    text
}
