//! `counterplay bridge suit`: the best play of one suit and its odds.

use bridge::suit::{SuitAnswer, SuitHolding, best_play};
use clap::Args;
use counterplay_base::{Evidence, Verdict};
use serde_json::json;

use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::{Settings, Verbosity};

/// The best play of one suit for so many tricks, with its exact odds against best defence
///
/// Both hands have all the entries they need, the defenders see everything, and each has thirteen unknown cards.
///
/// Example: counterplay bridge suit KJ74 A2 --tricks 3
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SuitArguments {
    /// North's cards of the suit from the top, `-` for none
    north: String,

    /// South's cards of the suit
    south: String,

    /// How many tricks are wanted; all numbers that are neither certain nor impossible if left out
    #[arg(long, value_name = "M")]
    tricks: Option<usize>,
}

/// Solves the suit.
pub(crate) fn run(arguments: &SuitArguments, settings: &Settings) -> Result<Exit, Failure> {
    let holding = SuitHolding::new(&arguments.north, &arguments.south)
        .map_err(|error| Failure::Usage { message: error.to_string(), help: None })?;
    let wanted: Vec<usize> = match arguments.tricks {
        Some(tricks) => vec![tricks],
        None => (1..=holding.most()).rev().collect(),
    };
    let mut answers = Vec::new();
    for tricks in wanted {
        match best_play(&holding, tricks, &settings.budget) {
            Verdict::Solved(answer) => {
                let certain = answer.chance > 1.0 - 1e-9;
                answers.push(answer);
                if certain {
                    break;
                }
            }
            Verdict::Stopped(limit) => {
                output::stopped(limit, settings);
                return Ok(Exit::Limit);
            }
            Verdict::Unsolvable => unreachable!("every number of tricks has a best chance"),
        }
    }
    let evidence = evidence();
    if settings.json {
        show_json(arguments, &answers, &evidence)?;
    } else {
        let lines = answers.iter().map(|answer| {
            let line = words(answer);
            let line = if line.is_empty() { String::new() } else { format!("  {line}") };
            format!(
                "{:>2} {}  {:8.4} %{line}\n",
                answer.tricks,
                if answer.tricks == 1 { "trick " } else { "tricks" },
                percent(answer)
            )
        });
        output::answer(&lines.collect::<String>())?;
        if settings.verbosity >= Verbosity::Normal {
            output::remark(&evidence.sentence());
        }
    }
    Ok(Exit::Found)
}

/// The odds are exact for the suit alone; nobody checks them again here, the tests and the fuzzer do.
fn evidence() -> Evidence {
    Evidence::Proved {
        engine: "strategies over all layouts of the suit".to_owned(),
        checked_by: None,
        within: Some(
            "the suit alone: free entries to both hands, defenders who see all cards, 13 unknown cards each"
                .to_owned(),
        ),
    }
}

fn words(answer: &SuitAnswer) -> String {
    answer.line.iter().map(bridge::suit::Step::words).collect::<Vec<_>>().join("; ")
}

/// Percent with the four decimals that tables of suit combinations have.
fn percent(answer: &SuitAnswer) -> f64 {
    (answer.chance.max(0.0) * 1e6).round() / 1e4
}

fn show_json(arguments: &SuitArguments, answers: &[SuitAnswer], evidence: &Evidence) -> Result<(), Failure> {
    let one = |answer: &SuitAnswer| json!({"tricks": answer.tricks, "percent": percent(answer), "line": words(answer)});
    let mut shown = match (answers, arguments.tricks) {
        ([answer], Some(_)) => one(answer),
        _ => json!({"answers": answers.iter().map(one).collect::<Vec<_>>()}),
    };
    shown["evidence"] = json!(evidence);
    output::json(&shown)
}
