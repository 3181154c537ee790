//! `counterplay bridge plan`: the line of play, its chance, and why.

use std::path::PathBuf;

use bridge::belief::evidence::Trust;
use bridge::diagram::diagram;
use bridge::planner::advice::{Advice, Inquiry, advise};
use bridge::play::Position;
use bridge::rules::opening_lead;
use clap::{Args, ValueEnum};
use counterplay_htn::agents::Criterion;
use serde_json::json;

use super::boards::{BoardArguments, Ready};
use super::show::picture;
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// Declarer's plan after the opening lead: the line of play, its chance of making, and why
///
/// Only declarer's and dummy's hands are used; the other two may be left out of the deal (`-`).
///
/// Example: counterplay bridge plan examples/bridge/figure5.pbn
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct PlanArguments {
    #[command(flatten)]
    boards: BoardArguments,

    /// How many layouts of the unseen cards are considered
    #[arg(long, value_name = "N", default_value_t = 200)]
    layouts: usize,

    /// How many tricks the plan covers before it is valued
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=4))]
    tricks: u8,

    /// How the defenders' possible plays are valued together
    #[arg(long, value_name = "CRITERION", value_enum, default_value_t = Weighing::Average)]
    criterion: Weighing,

    /// Optimism of the Hurwicz criterion, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    optimism: f64,

    /// Draw no conclusions from the opening lead
    #[arg(long)]
    no_inference: bool,

    /// Also draw the hands as SVG into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// External-agent criteria.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Weighing {
    /// Weighted by belief
    Average,
    /// The worst case
    Maximin,
    /// Between worst and best
    Hurwicz,
    /// The smallest largest regret
    Regret,
}

/// Plans all boards asked for.
pub(crate) fn run(arguments: &PlanArguments, settings: &Settings) -> Result<Exit, Failure> {
    let selection = arguments.boards.select(true, settings)?;
    let criterion = match arguments.criterion {
        Weighing::Average => Criterion::WeightedAverage,
        Weighing::Maximin => Criterion::Maximin,
        Weighing::Hurwicz => Criterion::Hurwicz(arguments.optimism.clamp(0.0, 1.0)),
        Weighing::Regret => Criterion::MinimaxRegret,
    };
    for board in &selection.ready {
        if let Err(limit) = settings.budget.check() {
            output::stopped(limit, settings);
            return Ok(Exit::Limit);
        }
        let inquiry = Inquiry {
            layouts: arguments.layouts.max(1),
            tricks: arguments.tricks,
            trust: if arguments.no_inference { Trust::NONE } else { Trust::USUAL },
            told: board.told,
            criterion,
            vulnerable: board.vulnerability.of(board.contract.declarer),
            seed: settings.seed,
        };
        plan_board(board, inquiry, arguments, settings)?;
    }
    Ok(if selection.refused > 0 { Exit::Bad } else { Exit::Found })
}

fn plan_board(
    board: &Ready,
    inquiry: Inquiry,
    arguments: &PlanArguments,
    settings: &Settings,
) -> Result<(), Failure> {
    let contract = board.contract;
    let leader = contract.declarer.next();
    let lead = match board.lead {
        Some(lead) => lead,
        None if board.filled => {
            let message =
                format!("board {}: the lead is needed when the defenders' hands are not known", board.name);
            return Err(Failure::Usage { message, help: Some("give it with --lead HQ".to_owned()) });
        }
        None => opening_lead(board.deal.hand(leader), contract.strain.trump()),
    };
    let mut position = Position::new(&board.deal, contract);
    position.put(lead);
    let hands = {
        let mut hands = [None; 4];
        for seat in [contract.declarer, contract.declarer.partner()] {
            hands[seat as usize] = Some(board.deal.hand(seat));
        }
        hands
    };
    let mut history = vec![lead];
    // Where the first card is forced, the plan begins with the next one of ours: nothing was decided before.
    let advice = loop {
        let sight = position.sight();
        let legal = sight.legal();
        if legal.len() == 1 && position.public().trick().len() == 1 && position.public().tricks_played() == 0
        {
            let forced = legal.lowest().expect("one card");
            if let Some(advice) = advise(&sight, &history, inquiry, &settings.budget) {
                break advice;
            }
            position.put(forced);
            history.push(forced);
        } else {
            let Some(advice) = advise(&sight, &history, inquiry, &settings.budget) else {
                let message = format!("board {}: no layout agrees with the lead {lead}", board.name);
                return Err(Failure::Usage { message, help: None });
            };
            break advice;
        }
    };
    if let Some(file) = &arguments.svg {
        let text = picture(&format!("{contract}, lead {lead}"), hands);
        std::fs::write(file, text)
            .map_err(|error| Failure::Write { name: file.display().to_string(), error })?;
    }
    if settings.json { show_json(board, lead, &advice) } else { show(board, lead, hands, &advice) }
}

fn show(
    board: &Ready,
    lead: bridge::card::Card,
    hands: [Option<bridge::card::Cards>; 4],
    advice: &Advice,
) -> Result<(), Failure> {
    let contract = board.contract;
    let mut text =
        format!("Board {}: {contract}, {} leads {}\n\n", board.name, contract.declarer.next(), lead.words());
    text += &diagram(hands, true);
    text += &format!(
        "\nPlay {}: {}.\nIt makes {} in about {:.0} of 100 layouts and takes {:.1} tricks on average.\n\nThe line, as long as they do what is most likely:\n",
        advice.card.words(),
        advice.why,
        contract.bid(),
        100.0 * advice.chance,
        advice.tricks
    );
    for step in &advice.line {
        text += &format!("  {step}\n");
    }
    text += "\nConsidered:\n";
    for (card, why, score, chance) in &advice.considered {
        text += &format!("  {card}  makes {:3.0} %  score {score:+7.1}  {why}\n", 100.0 * chance);
    }
    let (layouts, all) = advice.layouts;
    let which = if all { "all" } else { "drawn at random" };
    text += &format!("\n{layouts} layouts ({which}), {} moves in the decision tree\n", advice.moves);
    output::answer(&text)
}

fn show_json(board: &Ready, lead: bridge::card::Card, advice: &Advice) -> Result<(), Failure> {
    let considered = advice.considered.iter().map(|(card, why, score, chance)| {
        json!({"card": card.to_string(), "explanation": why, "score": score, "chance": chance})
    });
    output::json(&json!({
        "board": board.name,
        "contract": board.contract.bid(),
        "declarer": board.contract.declarer.letter().to_string(),
        "lead": lead.to_string(),
        "card": advice.card.to_string(),
        "tricks": advice.tricks,
        "chance": advice.chance,
        "score": advice.score,
        "line": advice.line,
        "explanation": advice.why,
        "considered": considered.collect::<Vec<_>>(),
        "layouts": advice.layouts.0,
        "moves_searched": advice.moves,
    }))
}
