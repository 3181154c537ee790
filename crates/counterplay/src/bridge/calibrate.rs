//! Whether the chances that [`plan`](super::plan) tells come true.

use ::bridge::calibration::{self, Agreement, CalibrationClass, Trial, TrialEffort};
use ::bridge::chance::Opposition;
use ::bridge::generate::DealKind;
use ::bridge::players::Effort;
use counterplay_base::{Budget, Limit, Progress, Report};
use serde::{Deserialize, Serialize};

/// Which deals are tried, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct CalibrateRequest {
    /// How many deals
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = CalibrateRequest::default().deals))]
    pub deals: usize,

    /// The kind of deal
    #[cfg_attr(feature = "clap", arg(long, value_name = "KIND", value_enum, default_value_t))]
    pub kind: DealKind,

    /// Layouts played out for each deal and defence
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = CalibrateRequest::default().samples))]
    pub samples: usize,

    /// Layouts that a plan considers
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = CalibrateRequest::default().layouts))]
    pub layouts: usize,

    /// The seed of everything that is left to chance.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub seed: u64,
}

impl Default for CalibrateRequest {
    fn default() -> CalibrateRequest {
        CalibrateRequest { deals: 50, kind: DealKind::default(), samples: 2, layouts: 200, seed: 0 }
    }
}

/// One figure for each defence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PerDefence<T> {
    /// Against the defence by rule.
    pub rules: T,
    /// Against a defence that sees all cards.
    pub double_dummy: T,
}

/// One deal: what was predicted and what happened. Its JSON form is a line of `counterplay bridge calibrate --json`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrialAnswer {
    /// The number of the deal, from 1.
    pub deal: usize,
    /// The planner's own valuation of making the contract, from 0 to 1.
    pub valuation: f64,
    /// The predicted chance, from 0 to 1.
    pub predicted: PerDefence<Option<f64>>,
    /// Whether the contract was made.
    pub made: PerDefence<bool>,
}

/// Predictions and results by class. Its JSON form is the last line of `counterplay bridge calibrate --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CalibrateAnswer {
    /// Deals that were tried.
    pub deals: usize,
    /// Layouts played out for each deal and defence.
    pub samples: usize,
    /// A row for each class that has deals, and one for all deals.
    pub table: Vec<CalibrationRow>,
    /// The limit that ended the trials.
    #[serde(skip)]
    pub stopped: Option<Limit>,
}

/// The deals that the planner values alike.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CalibrationRow {
    /// The range of the planner's valuation, the upper end excluded except for 1.
    pub valuation: [f64; 2],
    /// How many deals fall into it.
    pub deals: usize,
    /// The mean valuation of these deals.
    pub mean_valuation: f64,
    /// Against the defence by rule.
    pub rules: AgreementAnswer,
    /// Against a defence that sees all cards.
    pub double_dummy: AgreementAnswer,
}

/// Predicted and made on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AgreementAnswer {
    /// The mean prediction, from 0 to 1.
    pub predicted: f64,
    /// The share of contracts made.
    pub made: f64,
    /// The standard error of the difference.
    pub error: f64,
}

/// Predicts and plays random deals. `finished` gets each deal as soon as it is played. A limit ends the trials; the deals finished
/// by then are answered.
pub fn calibrate(
    request: &CalibrateRequest,
    budget: &Budget,
    progress: &dyn Progress,
    mut finished: impl FnMut(&TrialAnswer),
) -> CalibrateAnswer {
    let (wanted, contract) = request.kind.wanted();
    let effort = TrialEffort {
        plan_layouts: request.layouts.max(1),
        play_layouts: Effort::default().layouts,
        samples: request.samples.max(1),
    };
    let mut trials = Vec::new();
    let mut stopped = None;
    for (number, (deal, seed)) in calibration::deals(wanted, request.seed).take(request.deals).enumerate() {
        match calibration::trial(&deal, contract, effort, seed, budget) {
            Ok(Some(trial)) => {
                finished(&TrialAnswer::new(number, &trial));
                trials.push(trial);
            }
            Ok(None) => {}
            Err(limit) => {
                stopped = Some(limit);
                break;
            }
        }
        progress.report(Report { phase: "calibrate", counts: &[("deals", (number + 1) as f64)] });
    }
    CalibrateAnswer {
        deals: trials.len(),
        samples: effort.samples,
        table: calibration::table(&trials).iter().map(CalibrationRow::new).collect(),
        stopped,
    }
}

impl TrialAnswer {
    fn new(number: usize, trial: &Trial) -> TrialAnswer {
        let [rules, double_dummy] = trial.predicted.against.map(|estimate| estimate.share());
        let [made_by_rule, made_double_dummy] = trial.made;
        TrialAnswer {
            deal: number + 1,
            valuation: trial.valuation,
            predicted: PerDefence { rules, double_dummy },
            made: PerDefence { rules: made_by_rule, double_dummy: made_double_dummy },
        }
    }
}

impl CalibrationRow {
    fn new(class: &CalibrationClass) -> CalibrationRow {
        let [rules, double_dummy] = class
            .against
            .map(|Agreement { predicted, made, error }| AgreementAnswer { predicted, made, error });
        CalibrationRow {
            valuation: [class.from, class.to],
            deals: class.deals,
            mean_valuation: class.valuation,
            rules,
            double_dummy,
        }
    }
}

impl CalibrateAnswer {
    /// A table in Markdown, in percent; the error is the standard error of the difference.
    pub fn text(&self) -> String {
        let mut text = String::from("| the planner values at | deals | on the mean |");
        for opposition in Opposition::ALL {
            text += &format!(" {0}: predicted | made | difference |", opposition.name());
        }
        text += "\n|---|---|---|---|---|---|---|---|---|\n";
        for row in &self.table {
            let [from, to] = row.valuation;
            let name = match (from, to) {
                (0.0, 1.0) => "all".to_owned(),
                _ => format!("{:.0} to {:.0} %", 100.0 * from, 100.0 * to),
            };
            text += &format!("| {name} | {} | {:.1} |", row.deals, 100.0 * row.mean_valuation);
            for found in [row.rules, row.double_dummy] {
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
}
