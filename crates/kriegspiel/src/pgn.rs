//! Reading filtered Kriegspiel PGN, the format of the first checkmate database.
//!
//! It is ordinary PGN with what one side knows: the other side's moves are `??`, and after each move a comment
//! `{capture,checks:tries}` tells the square of a captured man, the directions of check as letters (F, R, L, S, N), and
//! the tries that were rejected before the move: in SAN for the own side, as a number for the other. All parts may be
//! left out. The format is known from its description only.

use counterplay_belief::{Event, update};

use crate::chess::{Board, Color, Move, Piece, Square};
use crate::history::{Heard, KriegEvent};
use crate::percept::{Direction, End, Percept};
use crate::world::Kriegspiel;

/// So many positions are followed. Every unknown move multiplies them by thirty or so, and a game of two dozen letters can ask
/// for more than any memory holds.
const MOST_POSITIONS: usize = 300_000;

/// A game as one side knows it.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// The line where it begins.
    pub line: usize,
    pub tags: Vec<(String, String)>,
    pub root: Board,
    pub events: Vec<KriegEvent>,
    /// The positions that agree with it.
    pub belief: Vec<Board>,
}

/// What is wrong with a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct PgnError {
    /// The line in the file.
    pub line: usize,
    pub problem: PgnProblem,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnProblem {
    /// A tag that does not end, or has no value.
    #[error("this tag cannot be read")]
    Tag,
    /// A comment that does not end.
    #[error("this comment does not end")]
    OpenComment,
    /// A comment that says something else than announcements.
    #[error("`{{{0}}}` is no announcement")]
    Comment(String),
    /// The position in the FEN tag is impossible.
    #[error("the position in the FEN tag: {0}")]
    Fen(crate::chess::FenError),
    /// A move that no own man can try.
    #[error("`{0}` is no try of the side whose game it is")]
    San(String),
    /// A move that several own men can try.
    #[error("`{0}` may be several tries")]
    Ambiguous(String),
    /// Nothing agrees with the history any more.
    #[error("no position agrees with the game up to this move")]
    Contradiction,
    /// More positions agree with the history than are followed.
    #[error("more than {0} positions agree with the game up to this move")]
    TooMany(usize),
}

/// A word of the text with its line.
enum Token {
    Tag(String, String),
    Word(String),
    Comment(String),
}

/// Reads all games of a file; good ones come even if others are bad.
pub fn read_games(text: &str) -> Vec<Result<PgnGame, PgnError>> {
    read_games_within(text, MOST_POSITIONS)
}

/// Reads all games of a file; a game is given up where more than `most` positions agree with it.
pub fn read_games_within(text: &str, most: usize) -> Vec<Result<PgnGame, PgnError>> {
    let mut games = Vec::new();
    let mut current: Vec<(usize, Token)> = Vec::new();
    let finish = |tokens: &mut Vec<(usize, Token)>, games: &mut Vec<Result<PgnGame, PgnError>>| {
        if !tokens.is_empty() {
            games.push(game(std::mem::take(tokens), most));
        }
    };
    let mut broken: Option<PgnError> = None;
    for token in tokens(text) {
        match token {
            Ok((line, token)) => {
                let begins = matches!(token, Token::Tag(..))
                    && current.iter().any(|(_, token)| !matches!(token, Token::Tag(..)));
                if begins {
                    finish(&mut current, &mut games);
                }
                current.push((line, token));
            }
            Err(error) => {
                broken = Some(error);
                break;
            }
        }
    }
    match broken {
        Some(error) => games.push(Err(error)),
        None => finish(&mut current, &mut games),
    }
    games
}

fn tokens(text: &str) -> Vec<Result<(usize, Token), PgnError>> {
    let mut found = Vec::new();
    let mut rest = text;
    // The lines are counted from word to word: counting them from the beginning each time would take the square.
    let (mut line, mut counted) = (1, 0);
    loop {
        rest = rest.trim_start();
        if rest.is_empty() {
            return found;
        }
        let at = text.len() - rest.len();
        line += text[counted..at].matches('\n').count();
        counted = at;
        if let Some(inner) = rest.strip_prefix('[') {
            let Some((tag, after)) = inner.split_once(']') else {
                found.push(Err(PgnError { line, problem: PgnProblem::Tag }));
                return found;
            };
            let value = tag.split_once('"').and_then(|(name, value)| Some((name, value.strip_suffix('"')?)));
            match value {
                Some((name, value)) => {
                    found.push(Ok((line, Token::Tag(name.trim().to_owned(), value.to_owned()))));
                }
                None => {
                    found.push(Err(PgnError { line, problem: PgnProblem::Tag }));
                    return found;
                }
            }
            rest = after;
        } else if let Some(inner) = rest.strip_prefix('{') {
            let Some((comment, after)) = inner.split_once('}') else {
                found.push(Err(PgnError { line, problem: PgnProblem::OpenComment }));
                return found;
            };
            found.push(Ok((line, Token::Comment(comment.trim().to_owned()))));
            rest = after;
        } else {
            let end = rest.find(|letter: char| letter.is_whitespace() || letter == '{').unwrap_or(rest.len());
            found.push(Ok((line, Token::Word(rest[..end].to_owned()))));
            rest = &rest[end..];
        }
    }
}

/// Moves with what is said about them.
struct Ply {
    line: usize,
    san: String,
    comment: String,
}

fn game(tokens: Vec<(usize, Token)>, most: usize) -> Result<PgnGame, PgnError> {
    let line = tokens.first().map_or(1, |(line, _)| *line);
    let mut tags = Vec::new();
    let mut plies: Vec<Ply> = Vec::new();
    for (line, token) in tokens {
        match token {
            Token::Tag(name, value) => tags.push((name, value)),
            Token::Comment(comment) => {
                if let Some(ply) = plies.last_mut() {
                    ply.comment = comment;
                }
            }
            Token::Word(word) => {
                // `12.e4`, `12.` and `12...` are numbers with or without a move.
                let san = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
                let san = if san.starts_with('.') { san.trim_start_matches('.') } else { word.as_str() };
                let result = ["1-0", "0-1", "1/2-1/2", "*"].contains(&word.as_str());
                if !san.is_empty() && !result && !san.starts_with('$') {
                    plies.push(Ply { line, san: san.to_owned(), comment: String::new() });
                }
            }
        }
    }
    let fen = tags.iter().find(|(name, _)| name == "FEN").map(|(_, value)| value.as_str());
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let root = Board::from_fen(fen.unwrap_or(start))
        .map_err(|error| PgnError { line, problem: PgnProblem::Fen(error) })?;
    let mut game = PgnGame { line, tags, root, events: Vec::new(), belief: vec![root] };
    for ply in plies {
        game.follow(&ply, most).map_err(|problem| PgnError { line: ply.line, problem })?;
    }
    Ok(game)
}

impl PgnGame {
    fn follow(&mut self, ply: &Ply, most: usize) -> Result<(), PgnProblem> {
        let said = announcement(&ply.comment, &ply.san)?;
        if ply.san.starts_with('?') {
            let rejections = match said.tries {
                Tries::Count(count) => count,
                Tries::Listed(tries) => tries.len(),
            };
            return self.push(Event::Other { rejections, heard: said.heard }, most);
        }
        if let Tries::Listed(tries) = said.tries {
            for san in tries {
                let attempt = self.resolve(&san, false)?;
                self.push(Event::Own { attempt, heard: None }, most)?;
            }
        }
        let attempt = self.resolve(&ply.san, true)?;
        self.push(Event::Own { attempt, heard: Some(said.heard) }, most)
    }

    fn push(&mut self, event: KriegEvent, most: usize) -> Result<(), PgnProblem> {
        self.belief = update(&Kriegspiel::default(), &self.belief, &event);
        self.events.push(event);
        match self.belief.len() {
            0 => Err(PgnProblem::Contradiction),
            many if many > most => Err(PgnProblem::TooMany(most)),
            _ => Ok(()),
        }
    }

    /// The try that a text in SAN means for the own men; if several fit, those that agree with some position.
    fn resolve(&self, san: &str, legal: bool) -> Result<Move, PgnProblem> {
        let board = &self.belief[0];
        let mut tries = Vec::new();
        board.tries(&mut tries);
        tries.retain(|&mv| fits(board, mv, san));
        if tries.len() > 1 {
            tries.retain(|&mv| self.belief.iter().any(|board| board.is_legal(mv) == legal));
        }
        match tries.as_slice() {
            [] => Err(PgnProblem::San(san.to_owned())),
            [mv] => Ok(*mv),
            _ => Err(PgnProblem::Ambiguous(san.to_owned())),
        }
    }
}

/// Whether a try is what a text in SAN (or long algebraic notation) says.
fn fits(board: &Board, mv: Move, san: &str) -> bool {
    let san = san.trim_end_matches(['+', '#', '!', '?']);
    let Some((_, piece)) = board.at(mv.from()) else { return false };
    if let Ok(long) = san.parse::<Move>() {
        return long == mv;
    }
    let castles = piece == Piece::King && mv.from().file().abs_diff(mv.to().file()) == 2;
    match san {
        "O-O" | "0-0" => return castles && mv.to().file() > mv.from().file(),
        "O-O-O" | "0-0-0" => return castles && mv.to().file() < mv.from().file(),
        _ if castles => return false,
        _ => {}
    }
    let (body, promotion) = match san.split_once('=') {
        Some((body, into)) => (body, into.chars().next().and_then(Piece::from_letter)),
        None => (san, None),
    };
    if promotion != mv.promotion() {
        return false;
    }
    let (named, body) = match body.chars().next() {
        Some(letter @ ('K' | 'Q' | 'R' | 'B' | 'N')) => (Piece::from_letter(letter), &body[1..]),
        _ => (Some(Piece::Pawn), body),
    };
    let captures = body.contains('x');
    let body = body.replace('x', "");
    let Some(split) = body.len().checked_sub(2).filter(|&split| body.is_char_boundary(split)) else {
        return false;
    };
    let (from, to) = body.split_at(split);
    let from_fits = from.chars().all(|letter| match letter {
        'a'..='h' => mv.from().file() == letter as u8 - b'a',
        '1'..='8' => mv.from().rank() == letter as u8 - b'1',
        _ => false,
    });
    let sideways = mv.from().file() != mv.to().file();
    let pawn_fits = piece != Piece::Pawn || captures == sideways;
    named == Some(piece) && to.parse::<Square>() == Ok(mv.to()) && from_fits && pawn_fits
}

enum Tries {
    Count(usize),
    Listed(Vec<String>),
}

struct Said {
    heard: Heard,
    tries: Tries,
}

fn announcement(comment: &str, san: &str) -> Result<Said, PgnProblem> {
    let wrong = || PgnProblem::Comment(comment.to_owned());
    let (heard, tries) = comment.split_once(':').unwrap_or((comment, ""));
    let mut percept = Percept::default();
    for part in heard.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        if let Ok(square) = part.parse() {
            percept.capture = Some(square);
            continue;
        }
        for letter in part.chars() {
            percept.checks = percept.checks.with(match letter {
                'F' => Direction::File,
                'R' => Direction::Rank,
                'L' => Direction::Long,
                'S' => Direction::Short,
                'N' => Direction::Knight,
                _ => return Err(wrong()),
            });
        }
    }
    let tries = tries.trim();
    let tries = match tries.parse() {
        Ok(count) => Tries::Count(count),
        Err(_) => Tries::Listed(
            tries.split(',').map(str::trim).filter(|san| !san.is_empty()).map(str::to_owned).collect(),
        ),
    };

    let end = san.ends_with('#').then_some(End::Checkmate);
    Ok(Said { heard: (percept, end), tries })
}

/// Whose game it is: the side with moves that are told.
pub fn owner(game: &PgnGame) -> Option<Color> {
    let mut turn = game.root.turn();
    for event in &game.events {
        match event {
            Event::Own { .. } => return Some(turn),
            Event::Other { .. } => turn = turn.other(),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "[Variant \"kriegspiel\"]\n[Filtered \"white\"]\n\n\
        1. e4 {:exd4} ?? {:2} 2. Qh5 ?? {:} 3. Bc4 ?? 4. Qxf7 {f7,S:} *\n";

    #[test]
    fn a_filtered_game_is_followed() {
        let games = read_games(GAME);
        assert_eq!(games.len(), 1);
        let Err(error) = &games[0] else { panic!("no pawn can try exd4") };
        assert_eq!(error.problem, PgnProblem::San("exd4".to_owned()));
        let games = read_games(&GAME.replace("exd4", "exd3"));
        let Ok(game) = &games[0] else { panic!("the game is sound") };
        assert_eq!(game.events.len(), 8);
        assert_eq!(owner(game), Some(Color::White));
        assert!(game.belief.iter().all(|board| board.turn() == Color::Black && board.in_check()));
    }

    #[test]
    fn bad_games_leave_the_others() {
        let text = format!("{}\n[FEN \"8/8 w\"]\n1. e4\n[A \"b\"]\n1. e5\n", GAME.replace("exd4", "exd3"));
        let games = read_games(&text);
        assert_eq!(games.iter().filter(|game| game.is_ok()).count(), 1);
        assert!(matches!(games[1].as_ref().unwrap_err().problem, PgnProblem::Fen(_)));
        assert_eq!(games[2].as_ref().unwrap_err().line, 9);
        assert!(read_games("[A \"b\"").first().unwrap().is_err());
        assert!(read_games("1. e4 {").last().unwrap().is_err());
    }

    /// Every unknown move multiplied the positions without end, and the memory with them.
    #[test]
    fn moves_that_nobody_tells_do_not_fill_the_memory() {
        let games = read_games_within("?? ?? ?? ?? ?? ?? ?? ?? ?? ??", 5000);
        assert_eq!(games[0].as_ref().unwrap_err().problem, PgnProblem::TooMany(5000));
        assert_eq!(read_games_within("?? ??", 400)[0].as_ref().map(|game| game.belief.len()), Ok(400));
    }
}
