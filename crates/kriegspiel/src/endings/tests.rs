//! The tables against the slow referee, who knows neither charts nor symmetries.

use std::collections::BTreeMap;

use counterplay_base::Budget;

use super::*;
use crate::mailbox::Mailbox;
use crate::percept::Percept;

fn table(piece: Piece) -> Arc<EndingTable> {
    EndingTable::of(piece, &Budget::unlimited()).unwrap()
}

fn board(piece: Piece, pair: Pair, lone: Square) -> Board {
    let mut board = Board::empty(8, Color::White);
    board.put(Color::White, Piece::King, pair.king);
    board.put(Color::White, piece, pair.man);
    board.put(Color::Black, Piece::King, lone);
    board
}

/// All squares where the hidden king may be when it is White's turn.
fn anywhere(piece: Piece, pair: Pair) -> Vec<Board> {
    let squares = (0..64).map(Square).filter(|&square| square != pair.king && square != pair.man);
    let boards = squares.map(|lone| board(piece, pair, lone));
    let them = Color::Black;
    boards.filter(|board| board.attackers(Color::White, board.king(them), board.blocked()) == 0).collect()
}

/// Has the slow referee follow the table one move from a belief state: all that may be heard must be covered again, with fewer moves.
fn follow(table: &EndingTable, belief: &[Board], rejected: &mut Vec<Move>, within: u8) {
    let mate =
        table.mate(belief, rejected).unwrap_or_else(|| panic!("not covered: {belief:?}, {rejected:?}"));
    assert!(mate.moves <= within, "{} of {within} moves: {belief:?}", mate.moves);
    let mut refused = Vec::new();
    let mut heard: BTreeMap<Percept, Vec<Board>> = BTreeMap::new();
    for one in belief {
        let slow = Mailbox::of(one);
        if !slow.legal_moves().contains(&mate.attempt) {
            refused.push(*one);
            continue;
        }
        let (after, percept) = slow.announced(mate.attempt);
        let replies = after.legal_moves();
        if replies.is_empty() {
            assert!(!percept.checks.is_empty(), "stalemate: {one} {}", mate.attempt);
            continue;
        }
        for reply in replies {
            let (next, said) = after.announced(reply);
            assert_eq!(said.capture, None, "the man is lost: {one} {}", mate.attempt);
            let next = next.to_board();
            let group = heard.entry(percept).or_default();
            if !group.contains(&next) {
                group.push(next);
            }
        }
    }
    assert!(heard.is_empty() || mate.moves > 1, "{belief:?}");
    for belief in heard.values() {
        let next = table.mate(belief, &[]).unwrap_or_else(|| panic!("not covered: {belief:?}"));
        assert!(next.moves < mate.moves, "{belief:?}");
    }
    if !refused.is_empty() {
        rejected.push(mate.attempt);
        follow(table, &refused, rejected, mate.moves);
    }
}

fn sampled_entries_hold(piece: Piece, every: usize) {
    let table = table(piece);
    let pairs =
        Pair::all().flat_map(|pair| table.entries[pair.index()].iter().map(move |entry| (pair, entry)));
    for (pair, entry) in pairs.step_by(every) {
        let belief: Vec<Board> = squares(entry.lone).map(|lone| board(piece, pair, lone)).collect();
        follow(&table, &belief, &mut Vec::new(), entry.moves);
    }
}

#[test]
fn entries_for_the_queen_hold() {
    sampled_entries_hold(Piece::Queen, 97);
}

#[test]
fn entries_for_the_rook_hold() {
    sampled_entries_hold(Piece::Rook, 197);
}

#[test]
fn the_queen_mates_wherever_the_king_hides() {
    let table = table(Piece::Queen);
    for pair in Pair::all().filter(|pair| pair.king != pair.man) {
        let mate = table.mate(&anywhere(Piece::Queen, pair), &[]);
        assert!(mate.is_some_and(|mate| mate.moves <= 20), "{pair:?}: {mate:?}");
    }
}

#[test]
fn the_rook_mates_wherever_the_king_hides_unless_it_may_be_lost() {
    let table = table(Piece::Rook);
    let mut known = 0;
    for pair in Pair::all().filter(|pair| pair.king != pair.man && pair.is_first()) {
        let belief = anywhere(Piece::Rook, pair);
        match table.mate(&belief, &[]) {
            Some(mate) => {
                assert!(mate.moves <= 40, "{pair:?}: {mate:?}");
                known += 1;
            }
            // A rook beside its king is never in danger.
            None => assert_eq!(attacks_of(pair.king) & pair.man.bit(), 0, "{pair:?}"),
        }
    }
    assert!(known > 300, "{known}");
}

fn attacks_of(king: Square) -> u64 {
    crate::chess::attacks::KING[king.index()]
}

#[test]
fn other_positions_are_not_answered() {
    let table = table(Piece::Queen);
    let answer = |fen: &str| table.mate(&[fen.parse().unwrap()], &[]);
    assert!(answer("8/8/8/3k4/8/8/7Q/7K w - - 0 1").is_some());
    assert!(answer("8/8/8/3k4/8/7P/7Q/7K w - - 0 1").is_none());
    assert!(answer("8/8/8/3k4/8/8/7R/7K w - - 0 1").is_none());
    assert!(table.mate(&[], &[]).is_none());
    // Black may be the stronger side as well.
    assert!(answer("8/8/8/3K4/8/8/7q/7k b - - 0 1").is_some());
}
