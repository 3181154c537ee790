//! `counterplay bridge calibrate`: whether the chances that `bridge plan` tells come true.

use bridge::calibration::{Class, Effort as Trying, Trial, deals, table, trial};
use bridge::chance::Opposition;
use clap::Args;
use serde_json::{Value, json};

use super::boards::Kind;
use super::players::Effort;
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// Compare the chances that `bridge plan` tells with the contracts that the planner makes
///
/// On each random deal the chance is estimated from layouts drawn after the lead by rule, and the true deal is played in the same
/// way. Deals are put into classes by the planner's own valuation. With `--json` there is a line for each deal, then the table.
///
/// Example: counterplay bridge calibrate --deals 20 --samples 4 --seed 1
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct CalibrateArguments {
    /// How many deals
    #[arg(long, value_name = "N", default_value_t = 50)]
    deals: usize,

    /// The kind of deal
    #[arg(long, value_name = "KIND", value_enum, default_value_t = Kind::Notrump)]
    kind: Kind,

    /// Layouts played out for each deal and defence
    #[arg(long, value_name = "N", default_value_t = 2)]
    samples: usize,

    /// Layouts that a plan considers
    #[arg(long, value_name = "N", default_value_t = 200)]
    layouts: usize,
}

/// Predicts and plays the deals, and prints the table.
pub(crate) fn run(arguments: &CalibrateArguments, settings: &Settings) -> Result<Exit, Failure> {
    let (wanted, contract) = arguments.kind.wanted();
    let effort = Trying {
        plan_layouts: arguments.layouts.max(1),
        play_layouts: Effort::default().layouts,
        samples: arguments.samples.max(1),
    };
    let mut trials = Vec::new();
    let mut stopped = None;
    for (number, (deal, seed)) in deals(wanted, settings.seed).take(arguments.deals).enumerate() {
        match trial(&deal, contract, effort, seed, &settings.budget) {
            Ok(Some(found)) => {
                if settings.json {
                    output::json(&line(number, &found))?;
                }
                trials.push(found);
            }
            Ok(None) => {}
            Err(limit) => {
                stopped = Some(limit);
                break;
            }
        }
    }
    let rows = table(&trials);
    if settings.json {
        output::json(
            &json!({"deals": trials.len(), "samples": effort.samples, "table": rows.iter().map(row).collect::<Vec<_>>()}),
        )?;
    } else {
        output::answer(&text(&rows))?;
    }
    match stopped {
        Some(limit) => {
            output::remark(&format!("stopped: {limit}"));
            Ok(Exit::Limit)
        }
        None => Ok(Exit::Found),
    }
}

fn line(number: usize, trial: &Trial) -> Value {
    let against = trial.predicted.against;
    json!({
        "deal": number + 1,
        "valuation": trial.valuation,
        "predicted": {"rules": against[0].share(), "double_dummy": against[1].share()},
        "made": {"rules": trial.made[0], "double_dummy": trial.made[1]},
    })
}

fn row(class: &Class) -> Value {
    let one = |side: usize| {
        let found = class.against[side];
        json!({"predicted": found.predicted, "made": found.made, "error": found.error})
    };
    json!({
        "valuation": [class.from, class.to],
        "deals": class.deals,
        "mean_valuation": class.valuation,
        "rules": one(0),
        "double_dummy": one(1),
    })
}

/// A table in Markdown, in percent; the error is the standard error of the difference.
fn text(rows: &[Class]) -> String {
    let mut text = String::from("| the planner values at | deals | on the mean |");
    for opposition in Opposition::ALL {
        text += &format!(" {0}: predicted | made | difference |", opposition.name());
    }
    text += "\n|---|---|---|---|---|---|---|---|---|\n";
    for class in rows {
        let name = format!("{:.0} to {:.0} %", 100.0 * class.from, 100.0 * class.to);
        let name = if class.from == 0.0 && class.to == 1.0 { "all".to_owned() } else { name };
        text += &format!("| {name} | {} | {:.1} |", class.deals, 100.0 * class.valuation);
        for found in class.against {
            let difference = found.predicted - found.made;
            text += &format!(
                " {:.1} | {:.1} | {:+.1} ± {:.1} |",
                100.0 * found.predicted,
                100.0 * found.made,
                100.0 * difference,
                100.0 * found.error
            );
        }
        text += "\n";
    }
    text
}
