//! Boards played out card by card.

use std::time::Instant;

use ::bridge::diagram::diagram;
use ::bridge::formats::Board;
use ::bridge::play::Position;
use ::bridge::players::{Chair, Declarer, Defence, Effort};
use ::bridge::table::{Played, play_deal};
use counterplay_base::{Budget, Limit, Progress, Report};
use serde::{Deserialize, Serialize};

use super::boards::ReadyBoard;
use crate::effort::seconds;
use crate::error::{Error, Halt};

/// Who plays, and how hard the players think.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlayRequest {
    /// Who declares
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHO", value_enum, default_value_t))]
    pub declarer: Declarer,

    /// Who defends
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHO", value_enum, default_value_t))]
    pub defence: Defence,

    /// Layouts that the planner considers
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = Effort::default().layouts))]
    pub layouts: usize,

    /// Layouts that pimc, hybrid and planner solve for each card (hybrid: in the first tricks; later more; planner: two fifths)
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = Effort::default().samples))]
    pub samples: usize,

    /// The seed of everything that is left to chance.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub seed: u64,
}

impl Default for PlayRequest {
    fn default() -> PlayRequest {
        let Effort { layouts, samples } = Effort::default();
        PlayRequest { declarer: Declarer::default(), defence: Defence::default(), layouts, samples, seed: 0 }
    }
}

impl PlayRequest {
    /// How hard the players think.
    pub fn effort(&self) -> Effort {
        Effort { layouts: self.layouts.max(1), samples: self.samples.max(1) }
    }

    /// Whether a person plays one side.
    pub fn has_person(&self) -> bool {
        self.declarer == Declarer::You || self.defence == Defence::You
    }
}

/// A board that was played. Its JSON form is a line of `counterplay bridge play --json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayAnswer {
    /// The name of the board: a number if it is one.
    pub board: BoardName,
    /// Level, strain and doubles, such as `3NT`.
    pub contract: String,
    /// Tricks of declarer's side, from 0 to 13.
    pub tricks: u8,
    /// Whether the contract was made.
    pub made: bool,
    /// Declarer's duplicate score.
    pub score: i32,
    /// Moves that declarer searched.
    pub moves_searched: u64,
    /// How often declarer made a new plan.
    pub replans: u32,
    /// Seconds that the board took: wall time, unless the caller puts CPU time here.
    pub seconds: f64,
    /// All 52 cards in playing order.
    pub play: Vec<String>,
    /// The board as it was dealt.
    #[serde(skip)]
    pub dealt: ReadyBoard,
    /// The cards with their reasons.
    #[serde(skip)]
    pub played: Played,
}

/// The name of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum BoardName {
    /// A number, as usual.
    Number(u64),
    /// A text that is no number.
    Name(String),
}

impl From<&str> for BoardName {
    fn from(name: &str) -> BoardName {
        name.parse().map_or_else(|_| BoardName::Name(name.to_owned()), BoardName::Number)
    }
}

/// The boards that were played before a limit was reached.
#[derive(Clone, Debug)]
pub struct PlayAnswers {
    /// In the order of the boards given.
    pub boards: Vec<PlayAnswer>,
    /// The limit that ended the run.
    pub stopped: Option<Limit>,
}

/// Two players at a table, for any number of boards.
pub struct Table {
    declarer: Chair,
    defence: Chair,
    seed: u64,
}

impl Table {
    /// A table with the players asked for.
    ///
    /// # Errors
    /// A person is asked for; see [`BoardSession`](super::BoardSession).
    pub fn new(request: &PlayRequest) -> Result<Table, Error> {
        let effort = request.effort();
        let declarer = request.declarer.chair(effort, request.seed);
        let defence = request.defence.chair(effort, request.seed);
        match declarer.zip(defence) {
            Some((declarer, defence)) => Ok(Table { declarer, defence, seed: request.seed }),
            None => Err(Error::Request { message: "a person is asked card by card".to_owned(), help: None }),
        }
    }

    /// Plays a board.
    ///
    /// # Errors
    /// The limit that was reached before the board was over.
    pub fn play(&mut self, board: &ReadyBoard, budget: &Budget) -> Result<PlayAnswer, Limit> {
        let started = Instant::now();
        let context = board.context(self.seed, budget);
        let (declarer, defence) = (&mut self.declarer, &mut self.defence);
        let played = play_deal(&board.deal, board.contract, board.lead, declarer, defence, &context)?;
        Ok(PlayAnswer {
            board: BoardName::from(&*board.name),
            contract: board.contract.bid(),
            tricks: played.tricks,
            made: played.tricks >= board.contract.target(),
            score: board.score(played.tricks),
            moves_searched: played.moves,
            replans: played.replans,
            seconds: seconds(started.elapsed()),
            play: played.cards().iter().map(ToString::to_string).collect(),
            dealt: board.clone(),
            played,
        })
    }
}

/// Plays boards one after the other. A limit ends the run; the boards finished by then are answered.
///
/// # Errors
/// A person is asked for.
pub fn play(
    boards: &[ReadyBoard],
    request: &PlayRequest,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<PlayAnswers, Halt> {
    let mut table = Table::new(request)?;
    let mut answers = PlayAnswers { boards: Vec::with_capacity(boards.len()), stopped: None };
    for (place, board) in boards.iter().enumerate() {
        match table.play(board, budget) {
            Ok(answer) => answers.boards.push(answer),
            Err(limit) => {
                answers.stopped = Some(limit);
                break;
            }
        }
        progress.report(Report { phase: "play", counts: &[("boards", (place + 1) as f64)] });
    }
    Ok(answers)
}

impl PlayAnswer {
    /// The hands, all cards with their reasons, trick by trick, and the result.
    pub fn text(&self) -> String {
        let board = &self.dealt;
        let hands = diagram(board.deal.hands().map(Some), true);
        let mut text = format!("Board {}: {}\n\n{hands}\n", board.name, board.contract);
        let mut position = Position::new(&board.deal, board.contract);
        for choice in &self.played.choices {
            let public = *position.public();
            if public.trick().is_empty() {
                text += &format!("Trick {}\n", public.tricks_played() + 1);
            }
            let why = if choice.why.is_empty() { String::new() } else { format!("  {}", choice.why) };
            text += &format!("  {:5}  {}{}\n", public.turn(), choice.card, why);
            position.put(choice.card);
            if position.public().trick().is_empty() {
                text += &format!("  {} wins\n", position.public().trick().leader());
            }
        }
        text + &format!("\n{}\n\n", board.contract.result(self.tricks, board.is_vulnerable()))
    }

    /// The board with its play, for a file.
    pub fn to_board(&self) -> Board {
        let cards = self.played.cards();
        let lead = cards.first().copied();
        Board { lead, play: cards, result: Some(self.tricks), ..self.dealt.to_board() }
    }
}
