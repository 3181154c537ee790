//! `counterplay bridge plan`: the line of play, its chance against two defences, and why.

use std::path::PathBuf;

use bridge::belief::evidence::Trust;
use bridge::card::{Card, Cards};
use bridge::chance::{Chances, Estimate, LeadReading, Opposition, Playout};
use bridge::diagram::diagram;
use bridge::planner::advice::{Advice, Inquiry, advise};
use bridge::play::Position;
use bridge::rules::opening_lead;
use clap::{Args, ValueEnum};
use counterplay_base::{Evidence, Limit, Number};
use counterplay_htn::agents::Criterion;
use serde_json::{Value, json};

use super::boards::{BoardArguments, Ready};
use super::players::Effort;
use super::show::picture;
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// Declarer's plan after the opening lead: the line of play, its chance of making, and why
///
/// Only declarer's and dummy's hands are used; the other two may be left out of the deal (`-`). The chance is that of the
/// planner, as `bridge play --declarer planner` plays: layouts are drawn from what declarer knows and played to the end against
/// defence by rule and against a defence that sees all cards.
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

    /// How many layouts are played out against each defence to estimate the chance; 0 for none
    #[arg(long, value_name = "N", default_value_t = 16)]
    samples: usize,

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
            bounds: board.told,
            criterion,
            vulnerable: board.vulnerability.of(board.contract.declarer),
            seed: settings.seed,
        };
        if let Some(limit) = plan_board(board, inquiry, arguments, settings)? {
            output::remark(&format!("stopped: {limit}"));
            return Ok(Exit::Limit);
        }
    }
    Ok(if selection.refused > 0 { Exit::Bad } else { Exit::Found })
}

/// What is printed for a board.
struct Report<'a> {
    board: &'a Ready,
    lead: Card,
    advice: Advice,
    chances: Chances,
    /// Of each chance.
    evidence: [Evidence; 2],
    stopped: Option<Limit>,
}

/// Plans one board and prints the plan; the limit, if one ended the playouts.
fn plan_board(
    board: &Ready,
    inquiry: Inquiry,
    arguments: &PlanArguments,
    settings: &Settings,
) -> Result<Option<Limit>, Failure> {
    let contract = board.contract;
    let leader = contract.declarer.next();
    let (lead, by_rule) = match board.lead {
        Some(lead) => (lead, false),
        None if board.filled => {
            let message =
                format!("board {}: the lead is needed when the defenders' hands are not known", board.name);
            return Err(Failure::Usage { message, help: Some("give it with --lead HQ".to_owned()) });
        }
        None => (opening_lead(board.deal.hand(leader), contract.strain.trump()), true),
    };
    let mut position = Position::new(&board.deal, contract);
    position.put(lead);
    let sight = position.sight();
    let hands = {
        let mut hands = [None; 4];
        for seat in [contract.declarer, contract.declarer.partner()] {
            hands[seat as usize] = Some(board.deal.hand(seat));
        }
        hands
    };
    let Some(advice) = advise(&sight, &[lead], inquiry, &settings.budget) else {
        if let Err(limit) = settings.budget.check() {
            output::stopped(limit, settings);
            return Ok(Some(limit));
        }
        let message = format!("board {}: no layout agrees with the lead {lead}", board.name);
        return Err(Failure::Usage { message, help: None });
    };
    let reading = match (arguments.no_inference, by_rule) {
        (true, _) => LeadReading::Nothing,
        (false, true) => LeadReading::ByRule,
        (false, false) => LeadReading::Usually,
    };
    let context = board.context(0, settings);
    let playout = Playout {
        sight: &sight,
        lead,
        reading,
        card: advice.card,
        layouts: Effort::default().layouts,
        context: &context,
    };
    let (chances, stopped) = playout.estimate(arguments.samples, settings.threads_for_parallel_work());
    let evidence = [0, 1].map(|side| evidence(Opposition::ALL[side], &chances.against[side], reading));
    if let Some(file) = &arguments.svg {
        let text = picture(&format!("{contract}, lead {lead}"), hands);
        std::fs::write(file, text)
            .map_err(|error| Failure::Write { name: file.display().to_string(), error })?;
    }
    let report = Report { board, lead, advice, chances, evidence, stopped };
    if settings.json {
        show_json(&report)?
    } else {
        show(&report, hands)?
    }
    Ok(stopped)
}

/// What the chance against one defence rests on; without a sample, the planner's valuation.
fn evidence(opposition: Opposition, estimate: &Estimate, reading: LeadReading) -> Evidence {
    match estimate.error() {
        Some(error) => Evidence::Sampled {
            engine: "the planner's own play".to_owned(),
            samples: u64::from(estimate.samples),
            error: Some(Number(tenth(100.0 * error))),
            about: format!("percent of {}, against {}", reading.words(), defence(opposition)),
        },
        None => Evidence::Planned {
            engine: "the planner's schemes".to_owned(),
            assumes: "the defenders play by rule and declarer plays by rule after the plan".to_owned(),
        },
    }
}

fn defence(opposition: Opposition) -> &'static str {
    match opposition {
        Opposition::Rules => "the defence by rule",
        Opposition::DoubleDummy => "the double-dummy defence after this lead",
    }
}

/// Rounded to tenths, since the sampling error is far larger.
fn tenth(value: f64) -> f64 {
    (10.0 * value).round() / 10.0
}

/// `85 % ± 19 against the defence by rule`.
fn sentence(opposition: Opposition, estimate: &Estimate) -> Option<String> {
    let (share, error, tricks) = (estimate.share()?, estimate.error()?, estimate.mean_tricks()?);
    let (percent, error) = (100.0 * share, 100.0 * error);
    let against = defence(opposition);
    Some(format!("  {percent:3.0} % ± {error:.0} against {against}, with {tricks:.1} tricks on average\n"))
}

fn show(report: &Report<'_>, hands: [Option<Cards>; 4]) -> Result<(), Failure> {
    let Report { board, lead, advice, .. } = report;
    let contract = board.contract;
    let mut text =
        format!("Board {}: {contract}, {} leads {}\n\n", board.name, contract.declarer.next(), lead.words());
    text += &diagram(hands, true);
    text += &format!("\nPlay {}: {}.\n", advice.card.words(), advice.why);
    let sentences = Opposition::ALL.iter().zip(&report.chances.against);
    let sentences: String =
        sentences.filter_map(|(&opposition, found)| sentence(opposition, found)).collect();
    if !sentences.is_empty() {
        text += &format!("\nThe planner makes {} in\n{sentences}", contract.bid());
    }
    text += "\nThe line, as long as they do what is most likely:\n";
    for step in &advice.line {
        text += &format!("  {step}\n");
    }
    text += "\nConsidered, with the planner's own valuation (by rule after the planned tricks, too high as a rule):\n";
    for (card, why, score, valuation) in &advice.considered {
        text += &format!("  {card}  valued at {:3.0} %  score {score:+7.1}  {why}\n", 100.0 * valuation);
    }
    let (layouts, all) = advice.layouts;
    let which = if all { "all" } else { "drawn at random" };
    text += &format!("\n{layouts} layouts ({which}), {} moves in the decision tree\n", advice.moves);
    for evidence in &report.evidence {
        text += &format!("{}\n", evidence.sentence());
    }
    output::answer(&text)
}

fn show_json(report: &Report<'_>) -> Result<(), Failure> {
    let Report { board, lead, advice, .. } = report;
    let considered = advice.considered.iter().map(|(card, why, score, valuation)| {
        json!({"card": card.to_string(), "explanation": why, "score": score, "valuation": valuation})
    });
    let rules = &report.chances.against[0];
    let mut answer = json!({
        "board": board.name,
        "contract": board.contract.bid(),
        "declarer": board.contract.declarer.letter().to_string(),
        "lead": lead.to_string(),
        "card": advice.card.to_string(),
        "tricks": rules.mean_tricks(),
        "chance": rules.share(),
        "chances": chances(report),
        "valuation": advice.valuation,
        "score": advice.score,
        "line": advice.line,
        "explanation": advice.why,
        "considered": considered.collect::<Vec<_>>(),
        "layouts": advice.layouts.0,
        "moves_searched": advice.moves,
        "evidence": report.evidence[0],
    });
    if let Some(limit) = report.stopped {
        answer["verdict"] = json!("stopped");
        answer["limit"] = json!(limit.name());
    }
    output::json(&answer)
}

/// `{"rules": {"percent", "error", "low", "high", "samples", "tricks", "evidence"}, "double_dummy": {…}}`.
fn chances(report: &Report<'_>) -> Value {
    let percent = |share: f64| tenth(100.0 * share);
    let one = |side: usize| {
        let estimate = &report.chances.against[side];
        json!({
            "percent": estimate.share().map(percent),
            "error": estimate.error().map(percent),
            "low": estimate.interval().map(|(low, _)| percent(low)),
            "high": estimate.interval().map(|(_, high)| percent(high)),
            "samples": estimate.samples,
            "tricks": estimate.mean_tricks(),
            "evidence": report.evidence[side],
        })
    };
    json!({"rules": one(0), "double_dummy": one(1)})
}
