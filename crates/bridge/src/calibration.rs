//! Whether predicted chances come true.
//!
//! On each random deal the plan's chance is estimated from layouts drawn after the lead ([`crate::chance`]), and then the
//! planner plays the true deal in the same way. Predictions are right if, over many deals, their mean and the share of contracts made
//! differ by no more than the sampling error of the differences.
//!
//! Deals are put into classes by the planner's own valuation and not by the prediction: an extreme prediction from few samples is
//! partly luck, so a class chosen by it would look miscalibrated even if every prediction were unbiased.

use counterplay_base::{Budget, Limit};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::chance::{Chances, LeadReading, Opposition, Playout};
use crate::contract::Contract;
use crate::deal::Deal;
use crate::generate::DealConstraints;
use crate::play::Position;
use crate::players::{Chair, Planner, Player};
use crate::rules::opening_lead;
use crate::table::DealContext;

/// One deal: what was predicted and what happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// The planner's own valuation of making the contract.
    pub valuation: f64,
    /// The prediction against each opposition.
    pub predicted: Chances,
    /// Whether the contract was made against each opposition.
    pub made: [bool; 2],
}

/// How a deal is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrialEffort {
    /// Layouts that the plan considers.
    pub plan_layouts: usize,
    /// Layouts that the planner considers for each decision of a playout.
    pub play_layouts: usize,
    /// Layouts played out against each opposition.
    pub samples: usize,
}

/// Random deals of a kind by seed, each with the seed for its trial.
pub fn deals(wanted: DealConstraints, seed: u64) -> impl Iterator<Item = (Deal, u64)> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    (0..).map_while(move |number| {
        Some((wanted.draw(&mut rng)?, seed.wrapping_mul(100_000).wrapping_add(number)))
    })
}

/// Predicts and plays one deal, with the lead by rule; `None` if there is nothing to plan.
///
/// # Errors
/// The limit that was reached before the deal was over.
pub fn trial(
    deal: &Deal,
    contract: Contract,
    effort: TrialEffort,
    seed: u64,
    budget: &Budget,
) -> Result<Option<Trial>, Limit> {
    let lead = opening_lead(deal.hand(contract.declarer.next()), contract.strain.trump());
    let mut position = Position::new(deal, contract);
    position.put(lead);
    let view = position.view();
    let context = DealContext { budget: budget.clone(), ..DealContext::seeded(seed) };
    let mut planner = Planner::new(effort.plan_layouts, seed);
    planner.begin(&context);
    let Some(advice) = planner.advise(&view, &[lead]) else { return Ok(None) };
    let playout = Playout {
        view: &view,
        lead,
        reading: LeadReading::ByRule,
        card: advice.card,
        layouts: effort.play_layouts,
        context: &context,
    };
    let (predicted, stopped) = playout.estimate(effort.samples, 1);
    if let Some(limit) = stopped {
        return Err(limit);
    }
    let mut made = [false; 2];
    for (made, opposition) in made.iter_mut().zip(Opposition::ALL) {
        let mut chair: Chair = opposition.chair();
        *made = playout.tricks(deal, effort.samples as u64, &mut chair)? >= contract.target();
    }
    Ok(Some(Trial { valuation: advice.valuation, predicted, made }))
}

/// Predicted and made, on the mean over a class of deals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// The mean of the predicted chances, from 0 to 1.
    pub predicted: f64,
    /// The share of contracts made.
    pub made: f64,
    /// The standard error of their difference.
    pub error: f64,
}

impl Agreement {
    /// The difference in standard errors.
    pub fn deviation(&self) -> f64 {
        let difference = (self.predicted - self.made).abs();
        if difference == 0.0 { 0.0 } else { difference / self.error }
    }
}

/// A class of deals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationClass {
    /// The range of the planner's valuation, the upper end excluded except for 1.
    pub from: f64,
    /// The upper end of that range.
    pub to: f64,
    /// How many deals fall into it.
    pub deals: usize,
    /// The mean of the planner's valuations in it.
    pub valuation: f64,
    /// The agreement against each opposition.
    pub against: [Agreement; 2],
}

/// The ends of the classes.
const ENDS: [f64; 6] = [0.0, 0.25, 0.5, 0.75, 0.9, 1.0];

/// One row for each class that has deals, and one for all deals.
pub fn table(trials: &[Trial]) -> Vec<CalibrationClass> {
    let pairs = ENDS.windows(2).map(|ends| (ends[0], ends[1])).chain([(0.0, 1.0)]);
    pairs.filter_map(|(from, to)| class(trials, from, to)).collect()
}

fn class(trials: &[Trial], from: f64, to: f64) -> Option<CalibrationClass> {
    let within = |trial: &&Trial| trial.valuation >= from && (trial.valuation < to || to >= 1.0);
    let members: Vec<&Trial> = trials.iter().filter(within).collect();
    let count = members.len() as f64;
    let mean = |value: &dyn Fn(&Trial) -> f64| members.iter().map(|trial| value(trial)).sum::<f64>() / count;
    let share = |trial: &Trial, side: usize| trial.predicted.against[side].share().unwrap_or(0.0);
    let against = [0, 1].map(|side| {
        let predicted = mean(&|trial| share(trial, side));
        let made = mean(&|trial| f64::from(u8::from(trial.made[side])));
        let difference = |trial: &Trial| share(trial, side) - f64::from(u8::from(trial.made[side]));
        let spread = mean(&|trial| (difference(trial) - (predicted - made)).powi(2));
        Agreement { predicted, made, error: (spread / (count - 1.0).max(1.0)).sqrt() }
    });
    let valuation = mean(&|trial| trial.valuation);
    (!members.is_empty()).then_some(CalibrationClass { from, to, deals: members.len(), valuation, against })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::ChanceEstimate;

    #[test]
    fn classes_compare_means_with_the_error_of_their_difference() {
        let estimate = |made| ChanceEstimate { samples: 4, made, tricks: 0 };
        let trial = |valuation, predicted, made| Trial {
            valuation,
            predicted: Chances { against: [estimate(predicted); 2] },
            made: [made; 2],
        };
        let trials = [trial(0.95, 4, true), trial(1.0, 2, false), trial(0.3, 2, true), trial(0.3, 2, false)];
        let rows = table(&trials);
        assert_eq!(rows.iter().map(|row| row.deals).collect::<Vec<_>>(), [2, 2, 4]);
        let low = rows[0].against[0];
        assert_eq!((low.predicted, low.made, low.error), (0.5, 0.5, 0.5));
        let high = rows[1].against[1];
        assert_eq!((high.predicted, high.made, high.error), (0.75, 0.5, 0.25));
        assert_eq!(high.deviation(), 1.0);
    }
}
