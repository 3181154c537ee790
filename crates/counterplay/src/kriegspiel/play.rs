//! A game with its referee: programs and persons try moves, and both sides hear what the referee says.
//!
//! A [`GameSession`] knows no terminal. The caller asks whose [`turn`](GameSession::turn) it is, lets a program
//! [`choose`](GameSession::play) or tells what a person [`attempt`](GameSession::attempt)s, and passes on what is announced.

use std::collections::BTreeMap;

use counterplay_base::Budget;
use counterplay_belief::Event;
use counterplay_kriegspiel::chess::{Board, Color, FenError, Move, Square};
use counterplay_kriegspiel::{
    Announcement, Careful, End, Expert, Game, Greedy, Knowledge, KriegEvent, Player, RandomPlayer, Rash,
    RuleSet,
};
use serde::{Deserialize, Serialize};

/// The players of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// You, at the terminal.
    #[cfg_attr(feature = "clap", value(aliases = ["me", "human"]))]
    You,
    /// State estimation, guaranteed mates, sampled evaluation.
    Careful,
    /// The same with technique: tables of endings, deeper proofs, what a try would teach.
    Expert,
    /// Takes what it can, by a small sample.
    Greedy,
    /// Knows little, likes captures and checks.
    Rash,
    /// Tries at random.
    Random,
}

/// Which game to play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct GameRequest {
    /// The player of White.
    pub white: PlayerKind,
    /// The player of Black.
    pub black: PlayerKind,
    /// Where to begin.
    pub fen: String,
    /// The game stops after so many moves of each side; rejected tries do not count.
    pub moves: usize,
    /// The same seed gives the same game.
    pub seed: u64,
}

/// The usual start.
pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Default for GameRequest {
    fn default() -> GameRequest {
        GameRequest {
            white: PlayerKind::You,
            black: PlayerKind::Careful,
            fen: START.to_owned(),
            moves: 200,
            seed: 0,
        }
    }
}

/// Who has to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A person has to try something.
    Person,
    /// A program has to try something.
    Program,
    /// The game is over, or has lasted as long as it may.
    Over,
}

/// A try, and what the referee said of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The side that tried.
    pub by: Color,
    /// What it tried.
    pub attempt: Move,
    /// What the referee announced.
    pub said: Announcement,
    /// Whether the try itself is hidden from a person on the other side.
    pub is_secret: bool,
}

impl Attempt {
    /// What the referee says aloud, as a line. The try itself is shown only to those who may see it.
    pub fn text(&self) -> String {
        let Attempt { by, attempt, said, is_secret } = self;
        let what = if *is_secret { "a try".to_owned() } else { attempt.to_string() };
        let next = match said {
            Announcement::Legal { end: None, .. } => format!("; {:?} to move", by.other()),
            _ => String::new(),
        };
        format!("{by:?}: {what}: {said}{next}\n")
    }
}

/// The player of a side. What a person could know is kept for callers that show it.
enum Seat {
    Person(Box<Careful>),
    Program(Box<dyn Player>),
}

impl Seat {
    fn new(kind: PlayerKind, root: Board, color: Color, seed: u64) -> Seat {
        match kind {
            PlayerKind::You => Seat::Person(Box::new(Careful::new(root, color, seed))),
            PlayerKind::Careful => Seat::Program(Box::new(Careful::new(root, color, seed))),
            PlayerKind::Expert => Seat::Program(Box::new(Expert::new(root, color, RuleSet::Paper, seed))),
            PlayerKind::Greedy => Seat::Program(Box::new(Greedy::new(root, color, seed))),
            PlayerKind::Rash => Seat::Program(Box::new(Rash::new(root, color, seed))),
            PlayerKind::Random => Seat::Program(Box::new(RandomPlayer::new(seed))),
        }
    }

    fn hear(&mut self, event: KriegEvent) {
        match self {
            Seat::Person(observer) => observer.hear(event),
            Seat::Program(player) => player.hear(event),
        }
    }
}

/// A game in progress: the referee's board, both players, and what was announced.
pub struct GameSession {
    game: Game,
    /// The position at the start.
    root: Board,
    /// The tries that were accepted.
    moves: Vec<Move>,
    seats: [Seat; 2],
    /// Moves of both sides that are left before the game stops.
    left: usize,
    record: Vec<RecordedTry>,
    /// Announcements since a person was last asked.
    news: Vec<News>,
}

impl GameSession {
    /// Seats the players of a request before the first move.
    ///
    /// # Errors
    /// A position that cannot be read.
    pub fn new(request: &GameRequest) -> Result<GameSession, FenError> {
        let root = Board::from_fen(&request.fen)?;
        let seed = request.seed.wrapping_mul(2);
        let seats = [
            Seat::new(request.white, root, Color::White, seed),
            Seat::new(request.black, root, Color::Black, seed + 1),
        ];
        let left = 2 * request.moves;
        Ok(GameSession {
            game: Game::new(root),
            root,
            moves: Vec::new(),
            seats,
            left,
            record: Vec::new(),
            news: Vec::new(),
        })
    }

    /// Who has to act.
    pub fn turn(&self) -> Turn {
        match &self.seats[self.color() as usize] {
            _ if self.left == 0 || self.game.end().is_some() => Turn::Over,
            Seat::Person(_) => Turn::Person,
            Seat::Program(_) => Turn::Program,
        }
    }

    /// The side to move.
    pub fn color(&self) -> Color {
        self.game.turn()
    }

    /// What the side to move may still try.
    pub fn tries(&self) -> Vec<Move> {
        self.game.tries()
    }

    /// Lets the program whose turn it is choose a try; `None` if it is a person's turn, or the game is over.
    pub fn play(&mut self, budget: &Budget) -> Option<Attempt> {
        if self.turn() != Turn::Program {
            return None;
        }
        let tries = self.game.tries();
        match &mut self.seats[self.game.turn() as usize] {
            Seat::Program(player) => {
                let attempt = player.choose(&tries, budget);
                Some(self.attempt(attempt))
            }
            Seat::Person(_) => None,
        }
    }

    /// Tries a move for the side to move. Both sides hear what the referee says of it.
    pub fn attempt(&mut self, attempt: Move) -> Attempt {
        let (color, rejections) = (self.game.turn(), self.game.rejections());
        let said = self.game.attempt(attempt);
        // Rejected tries are finitely many: each may be tried once before the next move.
        if matches!(said, Announcement::Legal { .. }) {
            self.left = self.left.saturating_sub(1);
            self.moves.push(attempt);
        }
        let is_secret = matches!(self.seats[color.other() as usize], Seat::Person(_))
            && matches!(self.seats[color as usize], Seat::Program(_));
        let by = color.letter().to_string();
        let try_shown = (!is_secret).then(|| attempt.to_string());
        self.news.push(News { by: by.clone(), attempt: try_shown, said: said.to_string() });
        self.record.push(RecordedTry { by, attempt: attempt.to_string(), said: said.to_string() });
        let heard = match said {
            Announcement::Legal { percept, end } => Some(Some((percept, end))),
            Announcement::Illegal => Some(None),
            Announcement::Nonsense => None,
        };
        if let Some(heard) = heard {
            self.seats[color as usize].hear(Event::Own { attempt, heard });
            if let Some(heard) = heard {
                self.seats[color.other() as usize].hear(Event::Other { rejections, heard });
            }
        }
        Attempt { by: color, attempt, said, is_secret }
    }

    /// What a person who has to act is told; `None` if it is not a person's turn. The news are told once.
    pub fn try_wanted(&mut self) -> Option<TryWanted> {
        let color = self.game.turn();
        let Seat::Person(observer) = &self.seats[color as usize] else { return None };
        let (board, knowledge) = (self.game.board(), observer.knowledge());
        Some(TryWanted {
            waiting: true,
            you: color.letter().to_string(),
            size: board.size(),
            men: men(board, Some(color)),
            tries: self.game.tries().iter().map(Move::to_string).collect(),
            news: std::mem::take(&mut self.news),
            belief: BeliefShares {
                positions: knowledge.positions().len(),
                exact: knowledge.is_exact(),
                men: shares(knowledge, color.other()),
            },
        })
    }

    /// The men of the side to move as it sees them, as text.
    pub fn own_men(&self) -> String {
        let board = self.game.board();
        let mut text = String::new();
        for rank in (0..board.size()).rev() {
            text.push_str(&format!("{} ", rank + 1));
            for file in 0..board.size() {
                let man = board.at(Square::new(file, rank)).filter(|(color, _)| *color == board.turn());
                text.push(match man {
                    Some((Color::White, piece)) => piece.letter().to_ascii_uppercase(),
                    Some((Color::Black, piece)) => piece.letter(),
                    None => '.',
                });
                text.push(' ');
            }
            text.push('\n');
        }
        let files: String = (0..board.size()).map(|file| format!("{} ", (b'a' + file) as char)).collect();
        text + "  " + &files + "\n"
    }

    fn end_name(&self) -> &'static str {
        self.game.end().map_or("unfinished", End::name)
    }

    fn winner(&self) -> Option<Color> {
        matches!(self.game.end(), Some(End::Checkmate)).then(|| self.game.turn().other())
    }

    /// How the game ended, for a program on the other end.
    pub fn ending(&self) -> Ending {
        Ending {
            end: self.end_name(),
            winner: self.winner().map(|color| color.letter().to_string()),
            size: self.game.board().size(),
            men: men(self.game.board(), None),
            news: self.news.clone(),
        }
    }

    /// All tries of the game, and how it ended.
    pub fn record(&self) -> GameRecord {
        GameRecord {
            end: self.end_name(),
            winner: self.winner().map(|color| color.letter().to_string()),
            position: self.game.board().to_string(),
            tries: self.record.clone(),
        }
    }

    /// The game as PGN that any chess program reads, with the tries that were rejected before each move in its comments, as
    /// `kriegspiel import` reads them. `names` are those of White and Black; `resigned` is the side that gave up.
    pub fn pgn(&self, names: [&str; 2], resigned: Option<Color>) -> String {
        let result = match (self.winner().or(resigned.map(Color::other)), self.game.end()) {
            (Some(Color::White), _) => "1-0",
            (Some(Color::Black), _) => "0-1",
            (None, Some(_)) => "1/2-1/2",
            (None, None) => "*",
        };
        let clean = |name: &str| name.replace(['"', '\\', '\n'], "");
        let mut text = format!(
            "[Event \"Kriegspiel\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Result \"{result}\"]\n[Variant \"Kriegspiel\"]\n",
            clean(names[0]),
            clean(names[1])
        );
        if self.root.to_string() != START {
            text.push_str(&format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", self.root));
        }
        let (mut board, mut tries, mut line) = (self.root, self.record.iter(), String::new());
        for (ply, &mv) in self.moves.iter().enumerate() {
            let long = mv.to_string();
            let rejected: Vec<&str> = tries
                .by_ref()
                .take_while(|own| own.attempt != long || is_rejected(&own.said))
                .map(|own| own.attempt.as_str())
                .collect();
            let number = ply / 2 + 1;
            let white = board.turn() == Color::White;
            let head = if white {
                format!("{number}. ")
            } else if ply == 0 {
                format!("{number}... ")
            } else {
                String::new()
            };
            let comment =
                if rejected.is_empty() { String::new() } else { format!(" {{:{}}}", rejected.join(",")) };
            line.push_str(&format!("{head}{}{comment} ", board.san(mv)));
            board = board.play(mv).0;
        }
        text + "\n" + &line + result + "\n"
    }

    /// How the game ended, as a line.
    pub fn result_text(&self) -> String {
        let won = self.winner().map_or(String::new(), |color| format!(", {color:?} wins"));
        format!("{}{won}: {}\n", self.end_name(), self.game.board())
    }
}

/// What the referee announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct News {
    /// The side that tried: `w` or `b`.
    pub by: String,
    /// The try; left out if it is hidden.
    #[serde(rename = "try", skip_serializing_if = "Option::is_none")]
    pub attempt: Option<String>,
    /// What the referee said.
    pub said: String,
}

/// A try is wanted. Its JSON form is what `counterplay kriegspiel play --lines` prints then.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TryWanted {
    /// Always `true`.
    pub waiting: bool,
    /// The side of the person: `w` or `b`.
    pub you: String,
    /// The number of ranks and files of the board.
    pub size: u8,
    /// The own men by square, as letters of the FEN.
    pub men: BTreeMap<String, String>,
    /// What may still be tried.
    pub tries: Vec<String>,
    /// What the referee announced since the last time.
    pub news: Vec<News>,
    /// Where the men of the other side may stand.
    pub belief: BeliefShares,
}

/// Where the men of the other side may stand, by all that was heard.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BeliefShares {
    /// The number of positions that are held possible.
    pub positions: usize,
    /// Whether no possible position is missing.
    pub exact: bool,
    /// For each square and man, in which share of the positions it stands there.
    pub men: BTreeMap<String, BTreeMap<String, f64>>,
}

/// The game is over, or was left. Its JSON form is what `counterplay kriegspiel play --lines` prints last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ending {
    /// `checkmate`, `stalemate`, `insufficient` or `unfinished`.
    pub end: &'static str,
    /// The side that mated: `w` or `b`.
    pub winner: Option<String>,
    /// The number of ranks and files of the board.
    pub size: u8,
    /// The men of both sides by square, as letters of the FEN.
    pub men: BTreeMap<String, String>,
    /// What the referee announced since the last time.
    pub news: Vec<News>,
}

/// A whole game. Its JSON form is what `counterplay kriegspiel play --json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameRecord {
    /// `checkmate`, `stalemate`, `insufficient` or `unfinished`.
    pub end: &'static str,
    /// The side that mated: `w` or `b`.
    pub winner: Option<String>,
    /// The last position, as FEN.
    pub position: String,
    /// All tries in their order.
    pub tries: Vec<RecordedTry>,
}

/// A try of a game, with what the referee said of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordedTry {
    /// The side that tried: `w` or `b`.
    pub by: String,
    /// The try, such as `e2e4`.
    #[serde(rename = "try")]
    pub attempt: String,
    /// What the referee said.
    pub said: String,
}

/// Whether the referee did not accept a try.
fn is_rejected(said: &str) -> bool {
    said == Announcement::Illegal.to_string() || said == Announcement::Nonsense.to_string()
}

fn squares(size: u8) -> impl Iterator<Item = Square> {
    (0..size).flat_map(move |rank| (0..size).map(move |file| Square::new(file, rank)))
}

/// The men of one side or of both by square, as letters of the FEN.
fn men(board: &Board, of: Option<Color>) -> BTreeMap<String, String> {
    let seen = squares(board.size()).filter_map(|square| {
        let (color, piece) = board.at(square).filter(|(color, _)| of.is_none_or(|of| of == *color))?;
        let letter = match color {
            Color::White => piece.letter().to_ascii_uppercase(),
            Color::Black => piece.letter(),
        };
        Some((square.to_string(), letter.to_string()))
    });
    seen.collect()
}

/// For each square and man of a side, in which share of the positions it stands there.
fn shares(knowledge: &Knowledge, of: Color) -> BTreeMap<String, BTreeMap<String, f64>> {
    let positions = knowledge.positions();
    let mut shares: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for board in positions {
        for (square, man) in men(board, Some(of)) {
            *shares.entry(square).or_default().entry(man).or_default() += 1.0 / positions.len() as f64;
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_written_as_pgn() {
        let fen = "7k/8/5K2/8/p7/8/8/R7 w - - 0 1".to_owned();
        let request = GameRequest { fen, black: PlayerKind::You, ..GameRequest::default() };
        let mut session = GameSession::new(&request).unwrap();
        // The hidden pawn stands in the way of the first try.
        for attempt in ["a1a8", "a1a4", "h8g8"] {
            session.attempt(attempt.parse().unwrap());
        }
        let pgn = session.pgn(["You", "\"x\""], Some(Color::Black));
        assert!(pgn.contains("[Black \"x\"]") && pgn.contains("[FEN \"7k/8/5K2/8/p7/8/8/R7 w"), "{pgn}");
        assert!(pgn.ends_with("\n\n1. Rxa4 {:a1a8} Kg8 1-0\n"), "{pgn}");
        // Only accepted tries are moves: the record and the text have as many.
        let accepted = session.record().tries.iter().filter(|own| !is_rejected(&own.said)).count();
        assert_eq!(session.moves.len(), accepted);
    }

    #[test]
    fn a_person_mates_a_program() {
        let fen = "k7/8/1K6/8/8/8/8/7R w - - 0 1".to_owned();
        let request = GameRequest { fen, black: PlayerKind::Random, ..GameRequest::default() };
        let mut session = GameSession::new(&request).unwrap();
        assert_eq!(session.turn(), Turn::Person);
        assert!(session.play(&Budget::unlimited()).is_none());
        let wanted = session.try_wanted().unwrap();
        assert_eq!((wanted.you.as_str(), wanted.belief.positions), ("w", 1));
        session.attempt("h1h8".parse().unwrap());
        assert_eq!(session.turn(), Turn::Over);
        let record = session.record();
        assert_eq!((record.end, record.winner.as_deref(), record.tries.len()), ("checkmate", Some("w"), 1));
    }

    #[test]
    fn the_try_of_a_program_is_hidden_from_a_person() {
        let mut session =
            GameSession::new(&GameRequest { black: PlayerKind::Random, ..GameRequest::default() }).unwrap();
        session.attempt("e2e4".parse().unwrap());
        let answer = session.play(&Budget::unlimited()).unwrap();
        assert!(answer.is_secret && answer.text().starts_with("Black: a try: "), "{answer:?}");
        assert!(GameSession::new(&GameRequest { fen: "x".to_owned(), ..GameRequest::default() }).is_err());
    }
}
