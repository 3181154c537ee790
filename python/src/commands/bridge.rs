//! Bridge.

use counterplay::Report;
use counterplay::bridge::{
    self, BoardRequest, Boards, CalibrateRequest, Card, DealRequest, DoubleDummy, DuplicateRequest, Hands,
    PlanRequest, PlayRequest, ReadyBoard, Seat, SuitRequest, TrialAnswer, file_to_lin, file_to_pbn,
};
use counterplay_system::clock;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Context, Done, Outcome, Source};
use crate::failure::Failure;

/// Boards, and what is asked about them.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked<T> {
    /// PBN, LIN, or a deal such as `N:AKQ2.… … … …`; not needed where boards are drawn.
    source: Option<Source>,
    #[serde(default)]
    boards: BoardRequest,
    #[serde(default)]
    pub(crate) options: T,
}

/// The boards of a text.
fn read(source: Option<&Source>) -> Result<Boards, Failure> {
    let Some(Source { name, text }) = source else { return Err(Failure::request("boards are needed")) };
    let start = text.trim_start();
    let is_deal = !start.contains('\n') && !start.starts_with(['[', '%']) && start.get(1..2) == Some(":");
    let boards = if is_deal {
        bridge::read_deal(start.trim_end())?
    } else if start.contains('|') && !start.contains("[Deal") {
        bridge::read_lin(text.as_bytes())
    } else {
        bridge::read_pbn(text.as_bytes())
    };
    match (boards.problems.first(), boards.boards.is_empty()) {
        (Some(problem), _) => Err(Failure::input(problem, name, Some(problem.line))),
        (None, true) => Err(Failure::input("the text holds no board", name, None)),
        (None, false) => Ok(boards),
    }
}

/// The boards that can be planned or played. One that cannot is an error: nothing is left out silently.
pub(crate) fn select<T>(
    asked: &Asked<T>,
    hands: Hands,
    context: &Context<'_>,
) -> Result<Vec<ReadyBoard>, Failure> {
    let selection = match asked.boards.deals {
        Some(count) => bridge::draw(count, &asked.boards, context.budget),
        None => bridge::select(&read(asked.source.as_ref())?, &asked.boards, hands)?,
    };
    let name = asked.source.as_ref().map_or("deals", |source| &source.name);
    match selection.refused.first() {
        Some(refused) => {
            let why = refused.why.as_ref().map_or_else(String::new, ToString::to_string);
            Err(Failure::input(format!("board {}: {why}", refused.board), name, Some(refused.line)))
        }
        None => Ok(selection.ready),
    }
}

/// Whether double-dummy tricks are wanted.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct ShowOptions {
    double_dummy: bool,
}

pub(super) fn show(asked: &Asked<ShowOptions>, context: &Context<'_>) -> Done {
    let boards = read(asked.source.as_ref())?;
    let mut solver = asked.options.double_dummy.then(DoubleDummy::default);
    let mut shown = Vec::new();
    for board in &boards.boards {
        context.budget.check()?;
        let answer = bridge::show(board, solver.as_mut());
        shown.push(with_forms(&answer, answer.text(), Some(answer.picture()))?);
    }
    Ok(Outcome::new(&shown)?
        .with("file", file_to_pbn(&boards.boards))
        .with("lin", file_to_lin(&boards.boards)))
}

/// One of several answers with its own text and picture.
fn with_forms(
    answer: &impl Serialize,
    text: String,
    svg: Option<String>,
) -> Result<serde_json::Value, Failure> {
    Ok(json!({"answer": serde_json::to_value(answer)?, "text": text, "svg": svg}))
}

pub(super) fn deal(request: &DealRequest, context: &Context<'_>) -> Done {
    let answer = bridge::deal(request, context.budget, context.progress)?;
    let mut shown = Vec::new();
    for board in &answer.boards {
        let answer = bridge::show(board, None);
        shown.push(with_forms(&answer, answer.text(), Some(answer.picture()))?);
    }
    Ok(Outcome::new(&shown)?.with("file", answer.text()).with("lin", file_to_lin(&answer.boards)))
}

/// A board in the middle of its play.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct OddsOptions {
    /// The cards so far, the opening lead first.
    cards: Vec<Card>,
    /// Layouts of the unseen cards that are solved.
    layouts: usize,
    seed: u64,
}

pub(super) fn odds(asked: &Asked<OddsOptions>, context: &Context<'_>) -> Done {
    let OddsOptions { cards, layouts, seed } = &asked.options;
    let board = one_board(asked, context)?;
    let request = PlayRequest { seed: *seed, ..PlayRequest::default() };
    Outcome::new(&bridge::odds(&board, &request, cards, (*layouts).max(1), context.budget)?)
}

/// Who dealt.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct ParOptions {
    dealer: Option<Seat>,
}

pub(super) fn par(asked: &Asked<ParOptions>, context: &Context<'_>) -> Done {
    Outcome::new(&bridge::par(&one_board(asked, context)?, asked.options.dealer))
}

fn one_board<T>(asked: &Asked<T>, context: &Context<'_>) -> Result<ReadyBoard, Failure> {
    let mut boards = select(asked, Hands::All, context)?;
    match boards.len() {
        1 => Ok(boards.remove(0)),
        several => Err(Failure::request(format!("one board is asked about at a time, not {several}"))),
    }
}

pub(super) fn suit(request: &SuitRequest, context: &Context<'_>) -> Done {
    let answer = bridge::suit(request, context.budget, context.progress)?;
    Ok(Outcome::new(&answer)?.with("text", answer.text()))
}

pub(super) fn plan(asked: &Asked<PlanRequest>, context: &Context<'_>) -> Done {
    let mut plans = Vec::new();
    for board in &select(asked, Hands::DeclarersOnly, context)? {
        let answer = bridge::plan(board, &asked.options, context.budget, context.progress)?;
        plans.push(with_forms(&answer, answer.text(), Some(answer.picture()))?);
    }
    Outcome::new(&plans)
}

pub(super) fn play(asked: &Asked<PlayRequest>, context: &Context<'_>) -> Done {
    let boards = select(asked, Hands::All, context)?;
    let played = bridge::play(&boards, &asked.options, context.budget, context.progress)?;
    let mut answers = Vec::new();
    for answer in &played.boards {
        answers.push(with_forms(answer, answer.text(), None)?);
    }
    let records: Vec<_> = played.boards.iter().map(|answer| answer.to_board()).collect();
    let stopped = played.stopped.map(|limit| limit.name());
    Ok(Outcome::new(&json!({"boards": answers, "limit": stopped}))?
        .with("file", file_to_pbn(&records))
        .with("lin", file_to_lin(&records)))
}

pub(super) fn play_match(asked: &Asked<DuplicateRequest>, context: &Context<'_>) -> Done {
    let boards = select(asked, Hands::All, context)?;
    let mut duplicate = bridge::DuplicateMatch::new(&asked.options)?
        .with_clock(|| clock::thread_time().map(|time| time.as_secs_f64()));
    let mut stopped = None;
    for (place, board) in boards.iter().enumerate() {
        if let Err(limit) = duplicate.play(board, context.budget) {
            stopped = Some(limit);
            break;
        }
        context.progress.report(Report { phase: "match", counts: &[("boards", (place + 1) as f64)] });
    }
    let answer = duplicate.answer();
    let answer = match stopped {
        Some(limit) => answer.stopped(limit),
        None => answer,
    };
    Ok(Outcome::new(&answer)?.with("text", answer.text()))
}

pub(super) fn calibrate(request: &CalibrateRequest, context: &Context<'_>) -> Done {
    let mut trials: Vec<TrialAnswer> = Vec::new();
    let answer = bridge::calibrate(request, context.budget, context.progress, |trial| trials.push(*trial));
    Ok(Outcome::new(&json!({
        "table": answer,
        "trials": trials,
        "limit": answer.stopped.map(|limit| limit.name()),
    }))?
    .with("text", answer.text()))
}
