//! Messages of the game manager's protocol: what a manager says to a player.
//!
//! One list in KIF for each message (Love, Hinrichs, Haley, Schkufza and Genesereth 2008; spelling as ggp-base has it).
//! How messages travel is the caller's affair: nothing here knows sockets.

use std::time::Duration;

use counterplay_syntax::{Expr, Items, Sources};

use crate::{Rules, Term};

/// A message, with texts of terms and rules as they came.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// `( INFO )`: are you there?
    Info,
    /// `( PREVIEW ( rules ) clock )`: this game may come.
    Preview { rules: String },
    /// `( START id role ( rules ) start play )`: a match begins.
    Start {
        /// The name of the match.
        id: String,
        /// The role that the player has.
        role: String,
        rules: String,
        /// The time before the first move.
        start: Duration,
        /// The time for each move.
        play: Duration,
    },
    /// `( PLAY id moves )`: these moves were made; what is yours?
    Play {
        /// The name of the match.
        id: String,
        /// A move for each role; `None` at the beginning.
        moves: Option<Vec<String>>,
    },
    /// `( STOP id moves )`: the match is over after these moves.
    Stop {
        /// The name of the match.
        id: String,
        /// A move for each role.
        moves: Option<Vec<String>>,
    },
    /// `( ABORT id )`: the match is given up.
    Abort {
        /// The name of the match.
        id: String,
    },
}

/// Clocks are in seconds; longer ones than a day are a mistake.
const LONGEST_CLOCK: f64 = 86_400.0;

impl Message {
    /// Reads a message; the error says what is wrong with it.
    pub fn read(text: &str) -> Result<Message, String> {
        let mut sources = Sources::default();
        let file = sources.add("message", text);
        let tree = counterplay_syntax::read(&sources, file).map_err(|error| error.to_string())?;
        let mut outer = tree.items();
        let (Some(expr), None) = (outer.next(), outer.next()) else {
            return Err("a message is one list in parentheses".to_owned());
        };
        // Some managers send `INFO` without parentheses.
        if expr.atom().is_some_and(|word| word.eq_ignore_ascii_case("info")) {
            return Ok(Message::Info);
        }
        let Some((_, word, mut items)) = expr.form() else {
            return Err("a message begins with its name".to_owned());
        };
        let word = word.to_ascii_lowercase();
        let text_of = |expr: Expr<'_>| sources.text(expr.span()).to_owned();
        let inner = |expr: Expr<'_>| {
            let text = sources.text(expr.span());
            expr.list().map(|_| text[1..text.len() - 1].to_owned())
        };
        match word.as_str() {
            "info" => Ok(Message::Info),
            "preview" => {
                let rules = inner(next(&word, &mut items, "its rules")?).ok_or("the rules are no list")?;
                Ok(Message::Preview { rules })
            }
            "start" => {
                let id = name(next(&word, &mut items, "the match")?)?;
                let role = name(next(&word, &mut items, "the role")?)?;
                let rules = inner(next(&word, &mut items, "the rules")?).ok_or("the rules are no list")?;
                let start = clock(next(&word, &mut items, "the start clock")?)?;
                let play = clock(next(&word, &mut items, "the play clock")?)?;
                // What follows belongs to extensions of the protocol.
                Ok(Message::Start { id, role, rules, start, play })
            }
            "play" | "stop" => {
                let id = name(next(&word, &mut items, "the match")?)?;
                let moves = next(&word, &mut items, "the moves")?;
                let moves = match moves.list() {
                    Some(moves) => {
                        Some(moves.map(text_of).collect::<Vec<_>>()).filter(|list| !list.is_empty())
                    }
                    None if moves.atom().is_some_and(|word| word.eq_ignore_ascii_case("nil")) => None,
                    None => return Err("moves are a list, or NIL".to_owned()),
                };
                Ok(match word.as_str() {
                    "play" => Message::Play { id, moves },
                    _ => Message::Stop { id, moves },
                })
            }
            "abort" => Ok(Message::Abort { id: name(next(&word, &mut items, "the match")?)? }),
            other => Err(format!("there is no message `{other}`")),
        }
    }

    /// The text of the message, as ggp-base's manager writes it.
    pub fn write(&self) -> String {
        let joined = |moves: &Option<Vec<String>>| match moves {
            Some(moves) => format!("({})", moves.join(" ")),
            None => "NIL".to_owned(),
        };
        match self {
            Message::Info => "( INFO )".to_owned(),
            Message::Preview { rules } => format!("( PREVIEW ({rules}) 10 )"),
            Message::Start { id, role, rules, start, play } => {
                let whole = |clock: &Duration| clock.as_secs_f64().ceil();
                format!("( START {id} {role} ({rules}) {} {} )", whole(start), whole(play))
            }
            Message::Play { id, moves } => format!("( PLAY {id} {} )", joined(moves)),
            Message::Stop { id, moves } => format!("( STOP {id} {} )", joined(moves)),
            Message::Abort { id } => format!("( ABORT {id} )"),
        }
    }
}

fn next<'t>(word: &str, items: &mut Items<'t>, wanted: &str) -> Result<Expr<'t>, String> {
    items.next().ok_or_else(|| format!("`{word}` lacks {wanted}"))
}

fn name(expr: Expr<'_>) -> Result<String, String> {
    expr.atom().map(str::to_owned).ok_or_else(|| "a name is wanted, not a list".to_owned())
}

fn clock(expr: Expr<'_>) -> Result<Duration, String> {
    let seconds = expr.atom().and_then(|word| word.parse::<f64>().ok());
    seconds
        .filter(|seconds| (0.0..=LONGEST_CLOCK).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "a clock is a number of seconds".to_owned())
}

/// The single term that a text is, for a move that was sent; `None` if it is anything else.
pub fn terms(rules: &Rules, text: &str) -> Option<Term> {
    let mut sources = Sources::default();
    let file = sources.add("move", text);
    let tree = counterplay_syntax::read(&sources, file).ok()?;
    let mut items = tree.items();
    let first = items.next()?;
    items.next().is_none().then(|| rules.term(first)).flatten()
}

/// A list of moves as the user wrote it: terms on the top level, blanks within them made equal.
pub fn move_list(text: &str) -> Option<Vec<String>> {
    let mut terms: Vec<String> = Vec::new();
    let mut depth = 0usize;
    let spaced = text.replace('(', " ( ").replace(')', " ) ").replace([',', ';'], " ");
    for word in spaced.split_whitespace() {
        if depth == 0 {
            terms.push(String::new());
        }
        let term = terms.last_mut().expect("just begun");
        if !(term.is_empty() || term.ends_with('(') || word == ")") {
            term.push(' ');
        }
        term.push_str(&word.to_lowercase());
        match word {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    (depth == 0).then_some(terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_in_many_spellings() {
        let play = |moves: Option<&[&str]>| Message::Play {
            id: "Base.m-1".to_owned(),
            moves: moves.map(|moves| moves.iter().map(|&text| text.to_owned()).collect()),
        };
        for (text, message) in [
            ("( INFO )", Message::Info),
            ("(info)", Message::Info),
            ("\r\n (\tInfo\n)\r\n", Message::Info),
            ("INFO", Message::Info),
            ("( PLAY Base.m-1 NIL )", play(None)),
            ("(play Base.m-1 nil)", play(None)),
            ("(play Base.m-1 ())", play(None)),
            ("( PLAY Base.m-1 ( ( mark 2 2 ) noop ) )", play(Some(&["( mark 2 2 )", "noop"]))),
            ("(PLAY Base.m-1 ((MARK 2 2)NOOP))", play(Some(&["(MARK 2 2)", "NOOP"]))),
            ("( ABORT m )", Message::Abort { id: "m".to_owned() }),
            (
                "(stop m (a b) extra)",
                Message::Stop { id: "m".to_owned(), moves: Some(vec!["a".into(), "b".into()]) },
            ),
            (
                "( START m white ((role white) (init p)) 30 10 extra (more 1) )",
                Message::Start {
                    id: "m".to_owned(),
                    role: "white".to_owned(),
                    rules: "(role white) (init p)".to_owned(),
                    start: Duration::from_secs(30),
                    play: Duration::from_secs(10),
                },
            ),
            ("(PREVIEW ((role a)) 5)", Message::Preview { rules: "(role a)".to_owned() }),
        ] {
            assert_eq!(Message::read(text), Ok(message), "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let moves = Some(vec!["(mark 1 2)".to_owned(), "noop".to_owned()]);
        for message in [
            Message::Info,
            Message::Play { id: "m1".to_owned(), moves: moves.clone() },
            Message::Play { id: "m1".to_owned(), moves: None },
            Message::Stop { id: "m1".to_owned(), moves },
            Message::Abort { id: "m1".to_owned() },
            Message::Start {
                id: "m1".to_owned(),
                role: "x".to_owned(),
                rules: "(role x)".to_owned(),
                start: Duration::from_secs(3),
                play: Duration::from_secs(1),
            },
        ] {
            assert_eq!(Message::read(&message.write()), Ok(message));
        }
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        for text in [
            "",
            "(",
            ")",
            "()",
            "(())",
            "hello",
            "(HELLO)",
            "(START)",
            "(START m)",
            "(START m x (role x) thirty 1)",
            "(START m x (role x) -1 1)",
            "(START m x (role x) 1e99 1)",
            "(START m x rules 1 1)",
            "(PLAY m)",
            "(PLAY m moves)",
            "(PLAY (m) nil)",
            "(INFO) (INFO)",
        ] {
            assert!(Message::read(text).is_err(), "{text}");
        }
        let deep = "(".repeat(100_000);
        assert!(Message::read(&deep).is_err());
    }

    #[test]
    fn lists_of_moves_are_read() {
        let found = move_list("noop (Mark 1  2); ( (drop 3) noop )").expect("brackets match");
        assert_eq!(found, ["noop", "(mark 1 2)", "((drop 3) noop)"]);
        assert_eq!(move_list("(a"), None);
        assert_eq!(move_list("a)"), None);
        assert_eq!(move_list(""), Some(Vec::new()));
    }
}
