//! The fast board against its slow twin: moves, tries, announcements and mates, on boards of all sizes.

use counterplay_belief::{After, HiddenWorld};
use counterplay_check::{Referee, Ruling};
use counterplay_kriegspiel::chess::{Board, Move};
use counterplay_kriegspiel::mailbox::{Mailbox, SlowReferee};
use counterplay_kriegspiel::{Checks, End, Kriegspiel, Percept};

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_unstable();
    moves
}

/// A small generator, so that the games are the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

fn compare(board: &Board) {
    let twin = Mailbox::of(board);
    let (mut moves, mut tries) = (Vec::new(), Vec::new());
    board.legal_moves(&mut moves);
    board.tries(&mut tries);
    assert_eq!(sorted(moves.clone()), sorted(twin.legal_moves()), "moves in {board}");
    assert_eq!(sorted(tries), sorted(twin.tries()), "tries in {board}");
    assert_eq!(Checks::of(board), twin.checks(), "checks in {board}");
    let world = Kriegspiel::default();
    let mut winning = Vec::new();
    world.winning(board, &mut winning);
    let mut built = 0;
    assert_eq!(world.can_win(board, &mut built), !winning.is_empty(), "{board}");
    let mut replies = Vec::new();
    world.replies(board, &mut replies);
    for (&mv, reply) in moves.iter().zip(&replies) {
        let fast = world.act(board, mv);
        let slow = SlowReferee::default().attempt(&twin, mv);
        match (fast, slow) {
            (After::Won, Ruling::Won) => assert!(winning.contains(&mv), "{mv} mates in {board}"),
            (After::Lost, Ruling::Over) => {}
            // A stalemate shows when there are no replies.
            (After::Open(_, next), Ruling::Over) => assert!(!next.has_legal_move(), "{mv} in {board}"),
            (After::Open(percept, next), Ruling::Open(heard, state)) => {
                assert_eq!((percept, Mailbox::of(&next)), (heard, state), "{mv} in {board}");
            }
            (fast, slow) => panic!("{mv} in {board}: {fast:?} and {slow:?}"),
        }
        if let (After::Open(percept, next), (after, capture)) = (reply, board.play(mv)) {
            assert_eq!(
                (*percept, *next),
                (Percept { capture, checks: Checks::of(&after) }, after),
                "{mv} in {board}"
            );
        }
        assert_eq!(winning.contains(&mv), fast == After::Won, "{mv} in {board}");
    }
}

#[test]
fn random_games_on_all_sizes() {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "rnbqkbn/ppppppp/7/7/7/PPPPPPP/RNBQKBN w - - 0 1",
        "rnbqkr/pppppp/6/6/PPPPPP/RNBQKR w - - 0 1",
        "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1",
        "r1kr/pppp/PPPP/R1KR w - - 0 1",
    ];
    let mut random = Random(3);
    for start in starts {
        for _ in 0..8 {
            let mut board: Board = start.parse().unwrap();
            for _ in 0..80 {
                compare(&board);
                let mut moves = Vec::new();
                board.legal_moves(&mut moves);
                if End::of(&board).is_some() {
                    break;
                }
                board = board.play(moves[random.below(moves.len())]).0;
            }
        }
    }
}

#[test]
fn queens_against_kings_give_mates_and_stalemates() {
    let mut random = Random(9);
    let mut compared = 0;
    while compared < 1500 {
        let size = 4 + random.below(5);
        let mut rows = vec![vec!['1'; size]; size];
        for man in ['K', 'k', 'Q', 'R', 'b', 'P', 'p', 'N'] {
            if man.eq_ignore_ascii_case(&'k') || random.below(2) == 0 {
                rows[random.below(size)][random.below(size)] = man;
            }
        }
        let placement: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        let turn = if random.below(4) == 0 { 'b' } else { 'w' };
        if let Ok(board) = Board::from_fen(&format!("{} {turn} - - 0 1", placement.join("/"))) {
            compare(&board);
            compared += 1;
        }
    }
}
