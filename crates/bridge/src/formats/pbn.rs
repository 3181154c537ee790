//! Portable Bridge Notation 2.1, import format.

use std::collections::HashMap;

use crate::auction::{Auction, Call};
use crate::card::Card;
use crate::contract::{Bid, Vulnerability};
use crate::deal::{Deal, Layout};
use crate::formats::{Board, Boards, Problem, decode};
use crate::play::Position;
use crate::seat::Seat;

/// Reads all boards of a PBN file.
pub fn read_pbn(bytes: &[u8]) -> Boards {
    let text = match decode(bytes) {
        Ok(text) => text,
        Err(problem) => return Boards { boards: Vec::new(), problems: vec![problem] },
    };
    let mut reader = PbnParser::default();
    let games = games(&text, &mut reader);
    for game in games {
        reader.board(game);
    }
    Boards { boards: reader.boards, problems: reader.problems }
}

/// A tag with the words of its section, each with its line.
struct Tag {
    name: String,
    value: String,
    line: usize,
    section: Vec<(usize, String)>,
}

#[derive(Default)]
struct PbnParser {
    boards: Vec<Board>,
    problems: Vec<Problem>,
    /// The last value of each tag, which `#` stands for.
    latest: HashMap<String, String>,
}

/// Parts the text into games of tags; comments and escapes are dropped.
fn games(text: &str, reader: &mut PbnParser) -> Vec<Vec<Tag>> {
    let mut games: Vec<Vec<Tag>> = vec![Vec::new()];
    let mut in_comment: Option<usize> = None;
    for (at, raw) in text.lines().enumerate() {
        let line = at + 1;
        if in_comment.is_none() && raw.starts_with('%') {
            continue;
        }
        let blank = raw.trim().is_empty();
        if blank && in_comment.is_none() {
            if games.last().is_some_and(|game| !game.is_empty()) {
                games.push(Vec::new());
            }
            continue;
        }
        let mut rest = raw.trim_start();
        while !rest.is_empty() {
            if in_comment.is_some() {
                match rest.find('}') {
                    Some(end) => {
                        in_comment = None;
                        rest = rest[end + 1..].trim_start();
                    }
                    None => break,
                }
            } else if let Some(inside) = rest.strip_prefix('{') {
                in_comment = Some(line);
                rest = inside;
            } else if rest.starts_with(';') {
                break;
            } else if rest.starts_with('[') {
                rest = tag(rest, line, &mut games, reader).trim_start();
            } else {
                let end = rest
                    .find(|c: char| c.is_whitespace() || c == '{' || c == ';' || c == '[')
                    .unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                if let Some(tag) = games.last_mut().and_then(|game| game.last_mut()) {
                    tag.section.push((line, word.to_owned()));
                } else {
                    reader.problem(
                        line,
                        None,
                        None,
                        format!("`{}` stands before any tag", word.chars().take(20).collect::<String>()),
                    );
                }
                rest = after.trim_start();
            }
        }
    }
    if let Some(line) = in_comment {
        reader.problem(line, None, None, "the comment `{` is never closed".into());
    }
    games.retain(|game| !game.is_empty());
    games
}

/// Reads one tag pair; what follows it in the line comes back.
fn tag<'a>(rest: &'a str, line: usize, games: &mut Vec<Vec<Tag>>, reader: &mut PbnParser) -> &'a str {
    let inside = &rest[1..];
    let mut value = String::new();
    let Some((name, quoted)) = inside.split_once('"') else {
        reader.problem(line, None, None, "a tag needs a value in quotes".into());
        return "";
    };
    let mut letters = quoted.char_indices();
    let mut end = None;
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next().map(|(_, escaped)| escaped)),
            '"' => {
                end = Some(at + 1);
                break;
            }
            other => value.push(other),
        }
    }
    let name = name.trim().to_owned();
    let Some(after) = end.and_then(|end| quoted[end..].split_once(']')) else {
        reader.problem(line, None, Some(name), "the tag is not closed by `\"]`".into());
        return "";
    };
    // A tag that is already there opens the next game, even without an empty line.
    let opens = matches!(name.as_str(), "Event" | "Board" | "Deal");
    let repeated = opens && games.last().is_some_and(|game| game.iter().any(|tag| tag.name == name));
    if repeated {
        games.push(Vec::new());
    }
    let value = if value == "#" { reader.latest.get(&name).cloned().unwrap_or_default() } else { value };
    reader.latest.insert(name.clone(), value.clone());
    games.last_mut().expect("there is a game").push(Tag { name, value, line, section: Vec::new() });
    after.1
}

impl PbnParser {
    fn problem(&mut self, line: usize, board: Option<&str>, tag: Option<String>, what: String) {
        self.problems.push(Problem { line, board: board.map(str::to_owned), tag, what });
    }

    fn board(&mut self, game: Vec<Tag>) {
        let line = game[0].line;
        let find = |name: &str| {
            game.iter().find(|tag| tag.name == name && !tag.value.is_empty() && tag.value != "?")
        };
        let name = find("Board").map_or_else(|| format!("at line {line}"), |tag| tag.value.clone());
        let mut board = Board {
            name: name.clone(),
            line,
            dealer: None,
            vulnerability: Vulnerability::default(),
            layout: Layout::default(),
            deal: None,
            contract: None,
            lead: None,
            auction: None,
            play: Vec::new(),
            result: None,
            tags: game.iter().map(|tag| (tag.name.clone(), tag.value.clone())).collect(),
        };
        let mut wrong: Vec<(usize, &str, String)> = Vec::new();
        if let Some(tag) = find("Dealer") {
            board.dealer = seat(&tag.value);
            if board.dealer.is_none() {
                wrong.push((tag.line, "Dealer", format!("`{}` is no seat (N E S W)", tag.value)));
            }
        }
        if let Some(tag) = find("Vulnerable") {
            match Vulnerability::from_pbn(&tag.value) {
                Some(vulnerability) => board.vulnerability = vulnerability,
                None => wrong.push((
                    tag.line,
                    "Vulnerable",
                    format!("`{}` is none of None, NS, EW, All", tag.value),
                )),
            }
        }
        match find("Deal") {
            None => wrong.push((line, "Deal", "the board has no deal".into())),
            Some(tag) => match tag.value.parse::<Layout>() {
                Err(error) => wrong.push((tag.line, "Deal", error.to_string())),
                Ok(layout) => {
                    match Deal::new(&layout) {
                        Ok(deal) => board.deal = Some(deal),
                        Err(reasons) => {
                            wrong.extend(reasons.iter().map(|reason| (tag.line, "Deal", reason.to_string())))
                        }
                    }
                    board.layout = layout;
                }
            },
        }
        if let (Some(tag), Some(declarer)) = (find("Contract"), find("Declarer")) {
            let passed = tag.value.eq_ignore_ascii_case("pass");
            match (tag.value.parse::<Bid>(), seat(declarer.value.trim_start_matches('^'))) {
                (Ok(bid), Some(by)) => board.contract = Some(bid.by(by)),
                (Err(_), _) if passed => {}
                (Err(error), _) => wrong.push((tag.line, "Contract", error.to_string())),
                (_, None) => wrong.push((
                    declarer.line,
                    "Declarer",
                    format!("`{}` is no seat (N E S W)", declarer.value),
                )),
            }
        }
        if let Some(tag) = find("Lead") {
            match tag.value.parse() {
                Ok(card) => board.lead = Some(card),
                Err(error) => wrong.push((tag.line, "Lead", format!("{error}"))),
            }
        }
        if let Some(tag) = find("Auction") {
            read_auction(&mut board, tag, &mut wrong);
        }
        if let Some(tag) = find("Result") {
            match tag.value.trim_start_matches('^').parse::<u8>() {
                Ok(tricks) if tricks <= 13 => board.result = Some(tricks),
                _ => wrong.push((
                    tag.line,
                    "Result",
                    format!("`{}` is no number of tricks (0 to 13)", tag.value),
                )),
            }
        }
        if let Some(tag) = find("Play") {
            read_play(&mut board, tag, &mut wrong);
        }
        if let (Some(lead), Some(contract), Some(deal)) = (board.lead, board.contract, board.deal)
            && !deal.hand(contract.declarer.next()).has(lead)
        {
            let leader = contract.declarer.next();
            let line = find("Lead").map_or(line, |tag| tag.line);
            wrong.push((line, "Lead", format!("{leader} leads but does not hold {}", lead.words())));
            board.lead = None;
        }
        for (line, tag, what) in wrong {
            self.problem(line, Some(&name), Some(tag.to_owned()), what);
        }
        self.boards.push(board);
    }
}

fn seat(text: &str) -> Option<Seat> {
    let mut letters = text.trim().chars();
    letters.next().and_then(Seat::from_letter).filter(|_| letters.next().is_none())
}

fn read_auction(board: &mut Board, tag: &Tag, wrong: &mut Vec<(usize, &str, String)>) {
    let Some(dealer) = seat(&tag.value) else {
        wrong.push((tag.line, "Auction", format!("`{}` is no seat (N E S W)", tag.value)));
        return;
    };
    let mut auction = Auction::new(dealer);
    for (line, word) in &tag.section {
        let word = word.trim_end_matches(['!', '?']);
        // Notes, marks of the end and of a turn, and numeric annotation glyphs say nothing about the calls.
        if word.is_empty()
            || word.starts_with('=')
            || word.starts_with('$')
            || matches!(word, "*" | "-" | "+")
        {
            continue;
        }
        if word.eq_ignore_ascii_case("AP") {
            while !auction.is_over() {
                auction.call(Call::Pass).expect("a pass is legal until the auction is over");
            }
            continue;
        }
        let call = match word.parse::<Call>() {
            Ok(call) => call,
            Err(error) => {
                wrong.push((*line, "Auction", error.to_string()));
                return;
            }
        };
        if let Err(error) = auction.call(call) {
            wrong.push((*line, "Auction", error.to_string()));
            return;
        }
    }
    match (auction.contract(), board.contract) {
        (Some(bid), Some(told)) if bid != told => {
            wrong.push((
                tag.line,
                "Contract",
                format!("no player can have bid {told}: the auction ends in {bid}"),
            ));
        }
        (Some(bid), None) => board.contract = Some(bid),
        _ => {}
    }
    board.auction = Some(auction);
}

/// The play in columns by seat, one row a trick.
fn read_play(board: &mut Board, tag: &Tag, wrong: &mut Vec<(usize, &str, String)>) {
    let (Some(first), Some(deal), Some(contract)) = (seat(&tag.value), board.deal, board.contract) else {
        if !tag.section.is_empty() {
            wrong.push((
                tag.line,
                "Play",
                "play needs the seat of its first column, a full deal and a contract".into(),
            ));
        }
        return;
    };
    let mut cells: Vec<(usize, Option<Card>)> = Vec::new();
    for (line, word) in &tag.section {
        let word = word.trim_end_matches(['!', '?']);
        match word {
            "*" => break,
            "-" => cells.push((*line, None)),
            "" | "+" => {}
            note if note.starts_with('=') || note.starts_with('$') || note.starts_with('^') => {}
            card => match card.parse() {
                Ok(card) => cells.push((*line, Some(card))),
                Err(error) => {
                    wrong.push((*line, "Play", format!("{error}")));
                    return;
                }
            },
        }
    }
    let mut position = Position::new(&deal, contract);
    for row in cells.chunks(4) {
        let leader = position.public().turn();
        for steps in 0..4 {
            let column = first.steps_to(leader.after(steps));
            let Some(&(line, Some(card))) = row.get(column) else { break };
            if let Err(error) = position.play(card) {
                wrong.push((line, "Play", error.to_string()));
                return;
            }
            board.play.push(card);
        }
        if !position.public().trick().is_empty() {
            break;
        }
    }
    board.lead = board.lead.or(board.play.first().copied());
}
