//! Duplicate matches: the same boards with two declarers against the same defence.

use std::time::Instant;

use ::bridge::matches::{MatchRecord, Pairing, PlayedBoard, SideStatistics, Tally};
use ::bridge::players::{Chair, Declarer, Defence, Effort};
use ::bridge::table::play_deal;
use counterplay_base::{Budget, Limit, Progress, Report};
use serde::{Deserialize, Serialize};

use super::boards::ReadyBoard;
use crate::error::{Error, Halt};
use crate::figures::count;

/// Who plays, and how hard the players think.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct DuplicateRequest {
    /// The two declarers
    #[cfg_attr(feature = "clap", arg(long, value_name = "A,B", value_enum, value_delimiter = ',', num_args = 1,
        default_values_t = DuplicateRequest::default().declarers))]
    pub declarers: Vec<Declarer>,

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

impl Default for DuplicateRequest {
    fn default() -> DuplicateRequest {
        let Effort { layouts, samples } = Effort::default();
        DuplicateRequest {
            declarers: vec![Declarer::Planner, Declarer::Rules],
            defence: Defence::Rules,
            layouts,
            samples,
            seed: 0,
        }
    }
}

/// The result of a duplicate match, from the first declarer's side. Its JSON form is what `counterplay bridge match --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DuplicateAnswer {
    /// Boards that both declarers have played.
    pub boards: usize,
    /// Boards with the better score.
    pub wins: u32,
    /// Boards with the worse score.
    pub losses: u32,
    /// Boards with the same score.
    pub ties: u32,
    /// The share of decided boards that were won.
    pub share: f64,
    /// The chance of so many wins or more among the decided boards if both were equal (sign test, one-sided).
    pub p_value: f64,
    /// Mean international match points a board.
    pub imps: f64,
    /// Half the width of the 95 % confidence interval of that mean.
    pub imps_interval: f64,
    /// Mean difference in tricks a board.
    pub tricks_difference: f64,
    /// Half the width of the 95 % confidence interval of that mean.
    pub tricks_difference_interval: f64,
    /// Each declarer by itself.
    pub declarers: [DeclarerResult; 2],
    /// Both results of each board, in the order of play.
    pub results: Vec<BoardPair>,
    /// `stopped` if a limit ended the match; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<&'static str>,
    /// The name of the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
}

/// What one declarer did.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeclarerResult {
    /// The name of the declarer, as a request writes it.
    pub declarer: Declarer,
    /// Mean number of tricks a board.
    pub tricks: f64,
    /// Half the width of the 95 % confidence interval of that mean.
    pub tricks_interval: f64,
    /// Contracts made, in percent.
    pub made_percent: f64,
    /// Mean seconds a board: wall time, or those of the caller's clock.
    pub seconds_per_board: f64,
    /// Moves searched a board.
    pub moves_searched: f64,
}

/// Both results of one board, the first declarer's first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardPair {
    /// The name of the board.
    pub board: String,
    /// Tricks of each declarer.
    pub tricks: [u8; 2],
    /// Scores of each declarer.
    pub scores: [i32; 2],
}

/// A match in progress.
pub struct DuplicateMatch {
    names: [Declarer; 2],
    declarers: [Chair; 2],
    defence: Chair,
    seed: u64,
    clock: fn() -> Option<f64>,
    started: Instant,
    record: MatchRecord,
}

impl DuplicateMatch {
    /// A match of the players asked for, before its first board.
    ///
    /// # Errors
    /// There are not two declarers, or one of the players is a person.
    pub fn new(request: &DuplicateRequest) -> Result<DuplicateMatch, Error> {
        let wrong = |message: &str| Error::Request { message: message.to_owned(), help: None };
        let &[first, second] = request.declarers.as_slice() else {
            return Err(wrong("`declarers` wants two names, such as planner,rules"));
        };
        let effort = Effort { layouts: request.layouts.max(1), samples: request.samples.max(1) };
        let person = || wrong("you cannot sit in a match");
        let declarer = |who: Declarer| who.chair(effort, request.seed).ok_or_else(person);
        Ok(DuplicateMatch {
            names: [first, second],
            declarers: [declarer(first)?, declarer(second)?],
            defence: request.defence.chair(effort, request.seed).ok_or_else(person)?,
            seed: request.seed,
            clock: || None,
            started: Instant::now(),
            record: MatchRecord::default(),
        })
    }

    /// The same with seconds of this clock instead of wall time, such as CPU seconds of the thread.
    #[must_use]
    pub fn with_clock(mut self, clock: fn() -> Option<f64>) -> DuplicateMatch {
        self.clock = clock;
        self
    }

    /// Plays a board with both declarers.
    ///
    /// # Errors
    /// The limit that was reached before both were done; the board does not count then.
    pub fn play(&mut self, board: &ReadyBoard, budget: &Budget) -> Result<(), Limit> {
        let mut pairing = Pairing { tricks: [0; 2], scores: [0; 2] };
        let (mut seconds, mut moves) = ([0.0; 2], [0; 2]);
        for side in 0..2 {
            let before = self.seconds();
            let context = board.context(self.seed, budget);
            let (declarer, defence) = (&mut self.declarers[side], &mut self.defence);
            let played = play_deal(&board.deal, board.contract, board.lead, declarer, defence, &context)?;
            seconds[side] = self.seconds() - before;
            moves[side] = played.moves;
            pairing.tricks[side] = played.tricks;
            pairing.scores[side] = board.score(played.tricks);
        }
        let (name, target) = (board.name.clone(), board.contract.target());
        self.record.add(PlayedBoard { name, target, pairing }, seconds, moves);
        Ok(())
    }

    fn seconds(&self) -> f64 {
        (self.clock)().unwrap_or_else(|| self.started.elapsed().as_secs_f64())
    }

    /// The result of the boards so far.
    pub fn answer(&self) -> DuplicateAnswer {
        let Tally { wins, losses, ties, imps, tricks, p_value } = self.record.tally();
        let side = |side: usize| {
            let SideStatistics { tricks, made_percent, seconds, moves } = self.record.side(side);
            DeclarerResult {
                declarer: self.names[side],
                tricks: tricks.0,
                tricks_interval: tricks.1,
                made_percent,
                seconds_per_board: seconds,
                moves_searched: moves,
            }
        };
        let pair = |board: &PlayedBoard| BoardPair {
            board: board.name.clone(),
            tricks: board.pairing.tricks,
            scores: board.pairing.scores,
        };
        DuplicateAnswer {
            boards: self.record.boards.len(),
            wins,
            losses,
            ties,
            share: self.record.tally().share(),
            p_value,
            imps: imps.0,
            imps_interval: imps.1,
            tricks_difference: tricks.0,
            tricks_difference_interval: tricks.1,
            declarers: [side(0), side(1)],
            results: self.record.boards.iter().map(pair).collect(),
            verdict: None,
            limit: None,
        }
    }
}

/// Plays a whole match. A limit ends it; the boards finished by then are answered.
///
/// # Errors
/// There are not two declarers, or one of the players is a person.
pub fn play_match(
    boards: &[ReadyBoard],
    request: &DuplicateRequest,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<DuplicateAnswer, Halt> {
    let mut duplicate = DuplicateMatch::new(request)?;
    for (place, board) in boards.iter().enumerate() {
        if let Err(limit) = duplicate.play(board, budget) {
            return Ok(duplicate.answer().stopped(limit));
        }
        progress.report(Report { phase: "match", counts: &[("boards", (place + 1) as f64)] });
    }
    Ok(duplicate.answer())
}

impl DuplicateAnswer {
    /// The same, ended by a limit.
    #[must_use]
    pub fn stopped(mut self, limit: Limit) -> DuplicateAnswer {
        self.verdict = Some("stopped");
        self.limit = Some(limit.name());
        self
    }

    /// A line for each declarer, the boards won and lost, and the means with their intervals.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", count(self.boards, "board"));
        for side in &self.declarers {
            text += &format!(
                "{:12}  tricks {:6.3} ± {:.3}  made {:5.1} %  {:7.3} CPU s and {:9.0} moves a board\n",
                side.declarer.name(),
                side.tricks,
                side.tricks_interval,
                side.made_percent,
                side.seconds_per_board,
                side.moves_searched
            );
        }
        text += &format!(
            "{} wins {}, loses {}, ties {}: {:.1} % of the decided boards (sign test, one-sided: p = {:.2e})\n{:+.3} ± {:.3} IMPs and {:+.3} ± {:.3} tricks a board\n",
            self.declarers[0].declarer.name(),
            self.wins,
            self.losses,
            self.ties,
            100.0 * self.share,
            self.p_value,
            self.imps,
            self.imps_interval,
            self.tricks_difference,
            self.tricks_difference_interval
        );
        text
    }
}
