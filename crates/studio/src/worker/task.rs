//! All that a page may ask for.

use counterplay::kriegspiel::GameRequest;
use counterplay::{Halt, bridge, dilemma, game, go, kriegspiel, planning};
use serde::{Deserialize, Serialize};

use super::Desk;

/// A task with its texts and the request of the library. Nothing in a task is a path, an address or a command.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Task {
    /// Read a planning problem: what is wrong with it, or what it looks like.
    Read(PlanningTexts),
    /// Solve a planning problem.
    Solve {
        #[serde(flatten)]
        texts: PlanningTexts,
        #[serde(default)]
        request: planning::Request,
    },
    /// Read the rules of a game: what is wrong with them, or what the game looks like.
    GameRead { rules: String },
    /// The position of a game after some joint moves.
    GamePosition(GameMoves),
    /// What a program plays in a position.
    GameMove {
        #[serde(flatten)]
        moves: GameMoves,
        role: usize,
        seconds: f64,
        #[serde(default)]
        request: game::PlayRequest,
    },
    /// What a search thinks of all moves of a position, while it thinks.
    GameAnalyse {
        #[serde(flatten)]
        moves: GameMoves,
        role: usize,
        seconds: f64,
    },
    /// Solve a game.
    GameSolve {
        rules: String,
        #[serde(default)]
        request: game::SolveRequest,
    },
    /// The board of an SGF text after some moves.
    GoPosition(GoMoves),
    /// Solve a problem after some moves.
    GoSolve {
        #[serde(flatten)]
        moves: GoMoves,
        #[serde(default)]
        request: go::Request,
    },
    /// The boards of a PBN or LIN text.
    BridgeBoards { text: String },
    /// Play a board on until a person has to play.
    BridgePlay(Cards),
    /// What a program would play, and why.
    BridgeHint(Cards),
    /// What each card is worth over layouts of the hidden cards.
    BridgeOdds {
        #[serde(flatten)]
        cards: Cards,
        layouts: usize,
    },
    /// Declarer's plan for a board.
    BridgePlan {
        text: String,
        board: usize,
        #[serde(default)]
        request: bridge::PlanRequest,
    },
    /// The best play of one suit.
    BridgeSuit(bridge::SuitRequest),
    /// Solve a checkmate problem.
    KriegspielSolve {
        line: String,
        #[serde(default)]
        request: kriegspiel::Request,
    },
    /// Play a game of Kriegspiel.
    KriegspielPlay(GameRequest),
    /// List the strategies.
    DilemmaStrategies,
    /// Play one match.
    DilemmaMatch {
        request: dilemma::MatchRequest,
        #[serde(default)]
        own: Vec<OwnStrategy>,
    },
    /// Play a tournament.
    DilemmaTournament {
        request: dilemma::TournamentRequest,
        #[serde(default)]
        own: Vec<OwnStrategy>,
    },
    /// Play a match in person, as far as the moves go.
    DilemmaPlay {
        opponent: String,
        /// The intended moves so far: `CCD`.
        moves: String,
        #[serde(default)]
        rules: dilemma::MatchRules,
        #[serde(default)]
        seed: u64,
        #[serde(default)]
        own: Vec<OwnStrategy>,
    },
}

/// A domain and a problem.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanningTexts {
    pub domain: String,
    pub problem: String,
}

/// The rules of a game, and the joint moves so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameMoves {
    pub rules: String,
    #[serde(default)]
    pub moves: Vec<Vec<String>>,
}

/// A position of Go, and the moves so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GoMoves {
    pub sgf: String,
    #[serde(default)]
    pub moves: Vec<String>,
}

/// A board, who plays, and the cards so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cards {
    pub text: String,
    /// The board of the text, from 0.
    pub board: usize,
    #[serde(default)]
    pub play: Vec<bridge::Card>,
    #[serde(default)]
    pub request: bridge::PlayRequest,
}

/// A strategy of the page's own.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnStrategy {
    pub name: String,
    pub play: OwnPlay,
}

/// How it plays.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnPlay {
    /// Probabilities to cooperate: first, and after CC, CD, DC, DD.
    Table([f64; 5]),
    /// The conditions of a model, to which it plays the best response.
    Conditions(String),
}

/// How much of the machine a task takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Milliseconds: it need not wait for others.
    Light,
    /// It waits for its turn.
    Heavy,
    /// It waits for a person most of the time.
    Talk,
}

impl Task {
    /// How much of the machine it takes.
    pub(crate) fn weight(&self) -> Weight {
        match self {
            Task::Read(_)
            | Task::GameRead { .. }
            | Task::GamePosition(_)
            | Task::GoPosition(_)
            | Task::BridgeBoards { .. }
            | Task::DilemmaStrategies
            | Task::DilemmaPlay { .. } => Weight::Light,
            Task::KriegspielPlay(_) => Weight::Talk,
            _ => Weight::Heavy,
        }
    }

    pub(super) fn run(self, desk: &Desk<'_>) -> Result<(), Halt> {
        match self {
            Task::Read(texts) => desk.read(&texts),
            Task::Solve { texts, request } => desk.solve(&texts, &request),
            Task::GameRead { rules } => desk.game_read(&rules),
            Task::GamePosition(moves) => desk.game_position(&moves),
            Task::GameMove { moves, role, seconds, request } => {
                desk.game_move(&moves, role, seconds, &request)
            }
            Task::GameAnalyse { moves, role, seconds } => desk.game_analyse(&moves, role, seconds),
            Task::GameSolve { rules, request } => desk.game_solve(&rules, &request),
            Task::GoPosition(moves) => desk.go_position(&moves),
            Task::GoSolve { moves, request } => desk.go_solve(&moves, &request),
            Task::BridgeBoards { text } => desk.bridge_boards(&text),
            Task::BridgePlay(cards) => desk.bridge_play(&cards),
            Task::BridgeHint(cards) => desk.bridge_hint(&cards),
            Task::BridgeOdds { cards, layouts } => desk.bridge_odds(&cards, layouts),
            Task::BridgePlan { text, board, request } => desk.bridge_plan(&text, board, &request),
            Task::BridgeSuit(request) => desk.bridge_suit(&request),
            Task::KriegspielSolve { line, request } => desk.kriegspiel_solve(&line, &request),
            Task::KriegspielPlay(request) => desk.kriegspiel_play(&request),
            Task::DilemmaStrategies => desk.dilemma_strategies(),
            Task::DilemmaMatch { request, own } => desk.dilemma_match(&request, &own),
            Task::DilemmaTournament { request, own } => desk.dilemma_tournament(&request, &own),
            Task::DilemmaPlay { opponent, moves, rules, seed, own } => {
                desk.dilemma_play(&opponent, &moves, &rules, seed, &own)
            }
        }
    }
}
