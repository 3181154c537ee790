//! PBN and LIN: what is written reads back, and what is wrong is named.

use bridge::formats::{board_to_lin, file_to_pbn, read_lin, read_pbn};
use bridge::players::{Chair, Rules};
use bridge::table::{DealContext, play_deal};
use expect_test::expect;

const TWO: &str = r##"% PBN 2.1
[Event "a \"quoted\" event"] ; a remark
[Board "1"] {a comment
over two lines}
[Dealer "S"]
[Vulnerable "NS"]
[Deal "N:KJ852.T.43.QJ952 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A63"]
[Declarer "E"]
[Contract "2NT"]
[Auction "S"]
Pass 1H Pass 1NT =1=
Pass 2C! Pass 2NT AP
[Play "S"]
DQ DT D4 DK
HA H2 HT HQ
*

[Event "#"]
[Board "2"]
[Deal "N:J643.6.QJT42.AQ8 A7.9432.K73.T952 K98.AJ7.A986.K73 QT52.KQT85.5.J64"]
[Declarer "S"]
[Contract "3NT"]
"##;

#[test]
fn two_boards_are_read_with_auction_and_play() {
    let file = read_pbn(TWO.as_bytes());
    assert_eq!(file.problems, []);
    assert_eq!(file.boards.len(), 2);
    let first = &file.boards[0];
    assert_eq!(first.contract.expect("a contract").to_string(), "2NT by East");
    let play: Vec<String> = first.play.iter().map(ToString::to_string).collect();
    assert_eq!(play.join(" "), "DQ DT D4 DK HQ HA H2 HT", "columns are seats, not playing order");
    assert_eq!(first.tags[0].1, "a \"quoted\" event");
    assert_eq!(file.boards[1].tags[0].1, "a \"quoted\" event", "# repeats the tag of the board before");
}

#[test]
fn what_is_written_reads_back() {
    let mut boards = read_pbn(TWO.as_bytes()).boards;
    let chair = || Chair::ImperfectInformation(Box::new(Rules));
    for board in &mut boards {
        let (deal, contract) = (board.deal.expect("a deal"), board.contract.expect("a contract"));
        let played = play_deal(&deal, contract, None, &mut chair(), &mut chair(), &DealContext::seeded(1))
            .expect("no limit");
        board.play = played.cards();
        board.result = Some(played.tricks);
    }
    let again = read_pbn(file_to_pbn(&boards).as_bytes());
    assert_eq!(again.problems, []);
    for (one, two) in boards.iter().zip(&again.boards) {
        assert_eq!(
            (&one.deal, &one.contract, &one.play, one.result),
            (&two.deal, &two.contract, &two.play, two.result)
        );
        assert_eq!(
            (&one.auction, one.vulnerability, one.dealer),
            (&two.auction, two.vulnerability, two.dealer)
        );
    }
}

#[test]
fn every_mistake_has_its_line_and_tag_and_other_boards_are_read() {
    let text = r#"[Board "1"]
[Deal "N:KJ852.T.43.QJ952 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A63"]
[Declarer "E"]
[Contract "8NT"]
[Vulnerable "perhaps"]

[Board "2"]
[Deal "N:KJ852.T.43.QJ95 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A62"]

[Board "3"]
[Deal "N:KJ852.T.43.QJ952 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A63"]
[Declarer "E"]
[Contract "2NT"]
[Play "S"]
DQ DT ST DK

[Board "4"]
[Declarer "Q"]
[Contract "2NT"]
[Auction "S"]
1H 1D

[Board "5"]
[Deal "N:KJ852.T.43.QJ952 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A63"]
[Declarer "E"]
[Contract "2NT"]
[Auction "S"]
Pass 1H AP
"#;
    let file = read_pbn(text.as_bytes());
    let said: Vec<String> = file.problems.iter().map(ToString::to_string).collect();
    expect![[r#"
        line 5, board 1, Vulnerable: `perhaps` is none of None, NS, EW, All
        line 4, board 1, Contract: `8NT` is no contract: write level 1 to 7, a strain (C D H S NT) and X or XX
        line 8, board 2, Deal: North has 12 cards instead of 13
        line 8, board 2, Deal: no hand has the three of clubs
        line 15, board 3, Play: North does not hold the ten of spades
        line 17, board 4, Deal: the board has no deal
        line 18, board 4, Declarer: `Q` is no seat (N E S W)
        line 21, board 4, Auction: West cannot say 1D: it is not higher than the last bid
        line 27, board 5, Contract: no player can have bid 2NT by East: the auction ends in 1H by West"#]]
    .assert_eq(&said.join("\n"));
    assert_eq!(file.boards.len(), 5);
}

const GOOD: &str = "N:KJ852.T.43.QJ952 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A63";

/// A file with one bad board between two good ones: what is said, while the good ones are read and the bad one has
/// no deal or play that could be taken for sound.
fn said_about(bad: &str) -> Vec<String> {
    let good = |number: u8| {
        format!("[Board \"{number}\"]\n[Deal \"{GOOD}\"]\n[Declarer \"E\"]\n[Contract \"2NT\"]\n\n")
    };
    let text = format!("{}[Board \"2\"]\n{bad}\n\n{}", good(1), good(3));
    let file = read_pbn(text.as_bytes());
    let sound = |board: &bridge::formats::Board| board.deal.is_some() && board.contract.is_some();
    assert!(sound(&file.boards[0]) && sound(&file.boards[2]), "{file:?}");
    assert!(file.problems.iter().all(|problem| problem.board.as_deref() == Some("2")), "{:?}", file.problems);
    file.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn missing_doubled_and_too_many_cards_are_named() {
    let missing =
        said_about("[Deal \"N:KJ85.T.43.QJ952 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A63\"]");
    let expected = [
        "line 7, board 2, Deal: North has 12 cards instead of 13",
        "line 7, board 2, Deal: no hand has the two of spades",
    ];
    assert_eq!(missing, expected);
    let doubled =
        said_about("[Deal \"N:KJ852.T.43.QJ952 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A62\"]");
    assert!(doubled.iter().any(|said| said.contains("two of clubs")), "{doubled:?}");
    assert!(doubled.iter().any(|said| said.contains("no hand has the three of clubs")), "{doubled:?}");
    let many =
        said_about("[Deal \"N:KJ8532.T.43.QJ952 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A63\"]");
    assert!(many.iter().any(|said| said.contains("North has 14 cards instead of 13")), "{many:?}");
    let twice =
        said_about("[Deal \"N:KKJ85.T.43.QJ952 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A63\"]");
    assert!(twice.iter().any(|said| said.contains("king of spades")), "{twice:?}");
    let strange =
        said_about("[Deal \"N:KJ8X2.T.43.QJ952 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A63\"]");
    assert!(strange[0].starts_with("line 7, board 2, Deal: "), "{strange:?}");
}

#[test]
fn a_revoke_and_a_card_nobody_can_play_are_named() {
    let board = |play: &str| {
        said_about(&format!("[Deal \"{GOOD}\"]\n[Declarer \"E\"]\n[Contract \"2NT\"]\n[Play \"S\"]\n{play}"))
    };
    let revoke = board("DQ C3 D4 DK");
    assert!(revoke[0].starts_with("line 11, board 2, Play: ") && revoke[0].contains("revoke"), "{revoke:?}");
    let not_held = board("DQ DT DA DK");
    assert!(not_held[0].contains("North does not hold the ace of diamonds"), "{not_held:?}");
    let twice = board("DQ DT D4 DK\nDQ HA H8 HT");
    assert!(twice[0].starts_with("line 12, board 2, Play: "), "{twice:?}");
    let nonsense = board("DQ D1 D4 DK");
    assert!(nonsense[0].starts_with("line 11, board 2, Play: "), "{nonsense:?}");
}

#[test]
fn contracts_that_nobody_can_have_bid_are_named() {
    let contract = |tags: &str| said_about(&format!("[Deal \"{GOOD}\"]\n{tags}"));
    for (tags, said) in [
        ("[Declarer \"E\"]\n[Contract \"8NT\"]", "line 9, board 2, Contract: `8NT` is no contract"),
        ("[Declarer \"E\"]\n[Contract \"0S\"]", "line 9, board 2, Contract: `0S` is no contract"),
        ("[Declarer \"E\"]\n[Contract \"2NTXXX\"]", "line 9, board 2, Contract: `2NTXXX` is no contract"),
        ("[Declarer \"X\"]\n[Contract \"2NT\"]", "line 8, board 2, Declarer: `X` is no seat"),
        (
            "[Declarer \"E\"]\n[Contract \"2NT\"]\n[Auction \"S\"]\nPass 1H AP",
            "no player can have bid 2NT by East: the auction ends in 1H by West",
        ),
    ] {
        let found = contract(tags);
        assert!(found.iter().any(|problem| problem.contains(said)), "{tags}: {found:?}");
    }
}

/// Unknown hands are named, and what is known is kept: it is enough for a plan.
#[test]
fn unknown_hands_are_named_and_the_others_kept() {
    let file = read_pbn(b"[Board \"1\"]\n[Deal \"E:Q964.Q8.AK62.874 - AT73.KJ532.T.A63 -\"]\n");
    let said: Vec<String> = file.problems.iter().map(ToString::to_string).collect();
    let unknown = |seat: &str| format!("line 2, board 1, Deal: the hand of {seat} is not known");
    assert_eq!(said, [unknown("North"), unknown("South")]);
    assert!(file.boards[0].deal.is_none());
    assert_eq!(file.boards[0].layout.hands.iter().flatten().count(), 2);
}

#[test]
fn the_wrong_encoding_is_named() {
    let utf16: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("[Board".bytes().flat_map(|byte| [byte, 0])).collect();
    assert!(read_pbn(&utf16).problems[0].what.contains("UTF-16"));
    assert!(
        read_pbn(b"[Board \"1\"]\n\0").problems[0]
            .to_string()
            .starts_with("line 2: the file holds zero bytes")
    );
    let latin = read_pbn(b"[Board \"1\"]\n[North \"Ren\xe9\"]\n[Deal \"N:- - - -\"]\n");
    assert_eq!(latin.boards[0].tags[1].1, "René");
}

#[test]
fn a_lin_board_is_read_and_its_fourth_hand_filled() {
    let text = "pn|a,b,c,d|st||md|1SHA9764DQJ9875CKT,SAT73HKJ532DTCA63,SKJ852HTD43CQJ952,|sv|b|mb|p|mb|1H|mb|p|mb|1N|mb|p|\n\
                mb|2C|mb|p|mb|2N|mb|p|mb|p|mb|p|pg||pc|DQ|pc|DT|pc|D4|pc|DK|pg||\npc|HQ|mc|8|";
    let file = read_lin(text.as_bytes());
    assert_eq!(file.problems, []);
    let board = &file.boards[0];
    assert_eq!(
        board.deal.expect("a deal").pbn(),
        "N:KJ852.T.43.QJ952 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A63"
    );
    assert_eq!(
        (board.contract.expect("a contract").to_string().as_str(), board.play.len(), board.result),
        ("2NT by East", 5, Some(8))
    );
    let wrong = read_lin(text.replace("pc|HQ", "pc|SQ|pc|SJ").as_bytes());
    assert_eq!(wrong.problems[0].to_string(), "line 3, board 1, pc: South does not hold the jack of spades");
}

/// Any bytes: no panic, and whatever is wrong is said.
#[test]
fn any_bytes_are_survived() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for round in 0..2000 {
        let mut bytes = TWO.as_bytes().to_vec();
        for _ in 0..1 + round % 12 {
            let at = next() as usize % bytes.len();
            match next() % 3 {
                0 => bytes[at] = next() as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"[]\"{};%-*N:."[next() as usize % 12]),
            }
        }
        let _ = read_pbn(&bytes);
        let _ = read_lin(&bytes);
        let _ = read_lin(&[b"md|3".as_slice(), &bytes].concat());
    }
}

/// What is written as LIN is read back: hands, auction, vulnerability, play and result.
#[test]
fn lin_is_written_and_read_back() {
    let pbn = b"[Board \"7\"]
[Dealer \"N\"]
[Vulnerable \"EW\"]
[Deal \"N:5.AJT3.AQ3.A7532 K42.Q985.JT987.Q AJT8.K.642.KJ984 Q9763.7642.K5.T6\"]
[Declarer \"S\"]
[Contract \"3NT\"]
[Auction \"N\"]
1C Pass 1S Pass
2H Pass 3NT Pass
Pass Pass
[Play \"W\"]
D5 DQ D7 D2
*
[Result \"10\"]
";
    let board = read_pbn(pbn).boards.remove(0);
    let read = read_lin(board_to_lin(&board).as_bytes());
    assert_eq!(read.problems, []);
    let back = &read.boards[0];
    assert_eq!((&back.name, back.deal, back.contract), (&board.name, board.deal, board.contract));
    assert_eq!((&back.auction, back.vulnerability), (&board.auction, board.vulnerability));
    assert_eq!((&back.play, back.result), (&board.play, board.result));
    // Without an auction the contract is bid at once, with its doubles.
    let contract = "4SXX".parse::<bridge::contract::Bid>().expect("a bid").by(bridge::seat::Seat::East);
    let plain = bridge::formats::Board { auction: None, contract: Some(contract), play: Vec::new(), ..board };
    assert_eq!(read_lin(board_to_lin(&plain).as_bytes()).boards[0].contract, Some(contract));
}
