//! `counterplay bridge play`: deals played out card by card, by programs or by you.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bridge::card::Card;
use bridge::formats::{Board, file_to_pbn};
use bridge::play::Position;
use bridge::players::Chair;
use bridge::table::{Played, play_deal};
use clap::Args;
use serde_json::json;

use super::boards::{BoardArguments, Ready};
use super::cpu_seconds;
use super::person;
use super::players::{Declarer, Defence, Effort};
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::progress::Display;
use crate::sentinel;
use crate::settings::Settings;

/// Play boards to the end and show every card with its reason
///
/// With `--declarer you` or `--defence you` you play in the terminal: type cards such as `HQ`.
///
/// Example: counterplay bridge play examples/bridge/notrump.pbn --declarer planner --defence rules
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct PlayArguments {
    #[command(flatten)]
    boards: BoardArguments,

    /// Who declares
    #[arg(long, value_name = "WHO", value_enum, default_value_t = Declarer::Planner)]
    declarer: Declarer,

    /// Who defends
    #[arg(long, value_name = "WHO", value_enum, default_value_t = Defence::Rules)]
    defence: Defence,

    /// Layouts that the planner considers
    #[arg(long, value_name = "N", default_value_t = Effort::default().layouts)]
    layouts: usize,

    /// Layouts that pimc and hybrid solve for each card (hybrid: in the first tricks; later more)
    #[arg(long, value_name = "N", default_value_t = Effort::default().samples)]
    samples: usize,

    /// Talk with a program in your place: a JSON object on a line when a card is wanted, and one at the end
    #[arg(long)]
    lines: bool,

    /// Write the boards with their play as PBN into this file
    #[arg(long, value_name = "FILE")]
    pbn: Option<PathBuf>,
}

/// Plays all boards asked for.
pub(crate) fn run(arguments: &PlayArguments, settings: &Settings) -> Result<Exit, Failure> {
    let selection = arguments.boards.select(false, settings)?;
    let effort = Effort { layouts: arguments.layouts.max(1), samples: arguments.samples.max(1) };
    let declarer = arguments.declarer.chair(effort, settings.seed);
    let defence = arguments.defence.chair(effort, settings.seed);
    let (Some(mut declarer), Some(mut defence)) = (declarer, defence) else {
        return by_hand(arguments, &selection.ready, effort, settings);
    };
    let records = Arc::new(Mutex::new(Vec::new()));
    let (known, file, own) = (Arc::clone(&records), arguments.pbn.clone(), settings.clone());
    let floor = sentinel::watch(&settings.budget, Arc::new(Display::new(settings)), move |limit| {
        // The boards finished so far are on standard output already; the file gets them here.
        if let Err(failure) = write_pbn(file.as_deref(), &known) {
            failure.show(&own);
        }
        output::stopped(limit, &own);
    });
    let mut stopped = None;
    for (at, board) in selection.ready.iter().enumerate() {
        let before = cpu_seconds(settings);
        let context = board.context(at, settings);
        let played =
            match play_deal(&board.deal, board.contract, board.lead, &mut declarer, &mut defence, &context) {
                Ok(played) => played,
                Err(limit) => {
                    stopped = Some(limit);
                    break;
                }
            };
        let seconds = cpu_seconds(settings) - before;
        if settings.json {
            show_json(board, &played, seconds)?
        } else {
            show(board, &played)?
        }
        records.lock().expect("no player panics with the records").push(record(board, &played));
    }
    floor.take_or_wait();
    write_pbn(arguments.pbn.as_deref(), &records)?;
    if let Some(limit) = stopped {
        output::stopped(limit, settings);
        return Ok(Exit::Limit);
    }
    Ok(if selection.refused > 0 { Exit::Bad } else { Exit::Found })
}

/// Writes the boards played so far into the file, if one is wanted.
fn write_pbn(file: Option<&Path>, records: &Mutex<Vec<Board>>) -> Result<(), Failure> {
    let Some(file) = file else { return Ok(()) };
    let text = file_to_pbn(&records.lock().expect("no player panics with the records"));
    let name = file.display().to_string();
    std::fs::write(file, text).map_err(|error| Failure::Write { name, error })
}

fn score(board: &Ready, tricks: u8) -> i32 {
    board.contract.score(tricks, board.vulnerability.of(board.contract.declarer))
}

fn show_json(board: &Ready, played: &Played, seconds: f64) -> Result<(), Failure> {
    let number = board.name.parse::<u64>().map_or_else(|_| json!(board.name), |number| json!(number));
    let cards: Vec<String> = played.cards().iter().map(ToString::to_string).collect();
    output::json(&json!({
        "board": number,
        "contract": board.contract.bid(),
        "tricks": played.tricks,
        "made": played.tricks >= board.contract.target(),
        "score": score(board, played.tricks),
        "moves_searched": played.moves,
        "replans": played.replans,
        "seconds": seconds,
        "play": cards,
    }))
}

fn show(board: &Ready, played: &Played) -> Result<(), Failure> {
    let mut text = format!(
        "Board {}: {}\n\n{}\n",
        board.name,
        board.contract,
        bridge::diagram::diagram(board.deal.hands().map(Some), true)
    );
    let mut position = Position::new(&board.deal, board.contract);
    for choice in &played.choices {
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
    text += &format!("\n{}\n\n", result(board, played.tricks));
    output::answer(&text)
}

/// `3NT made with 10 tricks: +430`.
fn result(board: &Ready, tricks: u8) -> String {
    let contract = board.contract;
    let how = if tricks >= contract.target() {
        format!("made with {tricks} tricks")
    } else {
        format!("down {} with {tricks} tricks", contract.target() - tricks)
    };
    format!("{} {how}: {:+}", contract.bid(), score(board, tricks))
}

/// The board with its play, for a file.
fn record(board: &Ready, played: &Played) -> Board {
    let cards = played.cards();
    Board { lead: cards.first().copied(), play: cards, result: Some(played.tricks), ..board.as_board() }
}

/// You play one side or both.
fn by_hand(
    arguments: &PlayArguments,
    boards: &[Ready],
    effort: Effort,
    settings: &Settings,
) -> Result<Exit, Failure> {
    for (at, board) in boards.iter().enumerate() {
        let mut declarer = arguments.declarer.chair(effort, settings.seed);
        let mut defence = arguments.defence.chair(effort, settings.seed);
        let context = board.context(at, settings);
        for chair in [&mut declarer, &mut defence].into_iter().flatten() {
            chair.begin(&context);
        }
        let mut position = Position::new(&board.deal, board.contract);
        let mut history: Vec<Card> = Vec::new();
        let mut news = Vec::new();
        let say = |text: String| if arguments.lines { Ok(()) } else { output::answer(&text) };
        say(format!("Board {}: {}\n", board.name, board.contract))?;
        while !position.public().is_over() {
            let ours = position.public().is_ours(position.public().turn());
            let chair: &mut Option<Chair> = if ours { &mut declarer } else { &mut defence };
            let given = board.lead.filter(|_| history.is_empty());
            let (card, why) = match (given, chair) {
                (Some(lead), _) => (lead, String::new()),
                (None, Some(chair)) => {
                    let choice = chair.play(&position, &history);
                    (choice.card, choice.why)
                }
                (None, None) => {
                    let sight = position.sight();
                    let asked =
                        if arguments.lines { person::talk(&sight, &mut news)? } else { person::ask(&sight)? };
                    let Some(card) = asked else { return Ok(Exit::Found) };
                    (card, String::new())
                }
            };
            // The reasons tell of the hand; a page shows them only to those who ask.
            let turn = position.public().turn();
            news.push(json!({"seat": turn.to_string(), "card": card.to_string(), "why": why}));
            say(format!("{turn} plays {card}\n"))?;
            position.put(card);
            history.push(card);
            if position.public().trick().is_empty() {
                let public = position.public();
                let (us, them) = (public.declarer_tricks(), public.defence_tricks());
                say(format!("{} wins; declarer {us}, defence {them}\n", public.trick().leader()))?;
            }
        }
        let end = result(board, position.public().declarer_tricks());
        if arguments.lines {
            let table = bridge::diagram::diagram(board.deal.hands().map(Some), true);
            output::json(&json!({"end": end, "table": table, "news": news}))?;
        }
        say(format!("{end}\n"))?;
    }
    Ok(Exit::Found)
}
