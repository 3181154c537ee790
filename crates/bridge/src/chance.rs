//! The chance of a plan, found by playing it out.
//!
//! The planner's own valuation is no chance: its leaves are played out by rule, it takes the best of many noisy values, and it
//! expects a defence by rule. Here layouts are drawn from what declarer knows after the lead, the planner plays each of them to
//! the end with the plan's card as its first, against a stated [`Opposition`], and the contracts made are counted.
//!
//! If the lead was made in the stated way ([`LeadReading`]), the true layout is one more draw from the same distribution.
//! Predictions and results then agree up to their sampling error; [`crate::calibration`] measures it.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use counterplay_base::Limit;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::belief::Beliefs;
use crate::belief::evidence::{Trust, likelihood};
use crate::card::Card;
use crate::deal::Deal;
use crate::play::PlayerView;
use crate::players::{Chair, DoubleDummyPlayer, Planner, Rules};
use crate::seat::Seat;
use crate::table::{DealContext, play_on};

/// The defence that a chance holds against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opposition {
    /// Plain rules, from what each defender sees.
    Rules,
    /// Defenders who see all hands and play as if declarer saw them too.
    DoubleDummy,
}

impl Opposition {
    /// Both, in the order of every report.
    pub const ALL: [Opposition; 2] = [Opposition::Rules, Opposition::DoubleDummy];

    /// The name: `rules` or `double dummy`.
    pub fn name(self) -> &'static str {
        match self {
            Opposition::Rules => "rules",
            Opposition::DoubleDummy => "double dummy",
        }
    }

    /// The defence, in a sentence: `the defence by rule`.
    pub fn words(self) -> &'static str {
        match self {
            Opposition::Rules => "the defence by rule",
            Opposition::DoubleDummy => "the double-dummy defence after this lead",
        }
    }

    /// A defence of this kind.
    pub fn chair(self) -> Chair {
        match self {
            Opposition::Rules => Chair::ImperfectInformation(Box::new(Rules)),
            Opposition::DoubleDummy => Chair::PerfectInformation(Box::new(DoubleDummyPlayer::default())),
        }
    }
}

/// What the opening lead tells about the leader's hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadReading {
    /// It was made by rule: a layout in which the rules lead another card is impossible.
    ByRule,
    /// It was usually made by rule: such a layout keeps the share of [`Trust::USUAL`].
    Usually,
    /// It tells nothing: all layouts that the cards allow are equally likely.
    Nothing,
}

impl LeadReading {
    fn trust(self) -> Trust {
        let lead = match self {
            LeadReading::ByRule => 0.0,
            LeadReading::Usually => Trust::USUAL.lead,
            LeadReading::Nothing => 1.0,
        };
        Trust { lead, card: 1.0 }
    }

    /// The distribution of the layouts, in words.
    pub fn words(self) -> String {
        let cards = "layouts that agree with the cards declarer sees";
        match self {
            LeadReading::ByRule => format!("{cards} and in which the rules lead this card, equally likely"),
            LeadReading::Usually => format!(
                "{cards}; one in which the rules lead another card has {} % of the weight",
                100.0 * Trust::USUAL.lead
            ),
            LeadReading::Nothing => format!("{cards}, equally likely"),
        }
    }
}

/// What is to be played out: the situation of declarer after the opening lead.
#[derive(Clone, Copy, Debug)]
pub struct Playout<'a> {
    /// What declarer sees; dummy is on turn.
    pub view: &'a PlayerView,
    pub lead: Card,
    /// What the lead tells.
    pub reading: LeadReading,
    /// The first card of the plan.
    pub card: Card,
    /// How many layouts the planner considers for each of its decisions.
    pub layouts: usize,
    /// The seed, what the auction told, vulnerability, limits.
    pub context: &'a DealContext,
}

/// How many draws may fail in a row before the lead is no longer believed.
const MOST_DRAWS: usize = 100_000;

impl Playout<'_> {
    /// Up to `count` deals drawn from what declarer knows; fewer if none agrees with it.
    ///
    /// A lead that no layout explains within 100,000 draws is taken to tell nothing.
    pub fn draw(&self, count: usize, rng: &mut impl Rng) -> Vec<Deal> {
        let public = self.view.public();
        let beliefs = Beliefs::credible(self.view, self.context.bounds);
        let mut trust = self.reading.trust();
        let mut deals = Vec::with_capacity(count);
        let mut failed = 0;
        while deals.len() < count {
            let Some(held) = beliefs.draw(rng) else { break };
            let position = beliefs.imagine(self.view, held);
            let hands = Seat::ALL.map(|seat| position.hand(seat).and(public.played_by(seat)));
            let share = likelihood(hands, public.contract(), &[self.lead], trust);
            if share > rng.random::<f64>() {
                deals.push(Deal::sound(hands));
                failed = 0;
            } else {
                failed += 1;
                if failed == MOST_DRAWS {
                    trust = LeadReading::Nothing.trust();
                }
            }
        }
        deals
    }

    /// Declarer's tricks when the planner plays this deal; `number` makes the seed of the play.
    ///
    /// # Errors
    /// The limit that was reached before the deal was over.
    pub fn tricks(&self, deal: &Deal, number: u64, defence: &mut Chair) -> Result<u8, Limit> {
        let mut context = self.context.clone();
        context.seed = context.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number);
        let mut declarer = Chair::ImperfectInformation(Box::new(Planner::new(self.layouts, context.seed)));
        let contract = self.view.public().contract();
        let given = [self.lead, self.card];
        Ok(play_on(deal, contract, &given, &mut declarer, defence, &context)?.tricks)
    }

    /// Plays `samples` layouts against each opposition. A limit ends it early, with what was played by then.
    pub fn estimate(&self, samples: usize, threads: usize) -> (Chances, Option<Limit>) {
        // Not the seed itself: a plan that was made with the same seed was made for the same layouts.
        let mut rng = Pcg64Mcg::seed_from_u64(!self.context.seed);
        let deals = self.draw(samples, &mut rng);
        let target = self.view.public().contract().target();
        let next = AtomicUsize::new(0);
        let shared = Mutex::new((Chances::default(), None));
        let work = || {
            let mut chairs = Opposition::ALL.map(Opposition::chair);
            loop {
                let job = next.fetch_add(1, Ordering::Relaxed);
                let (number, side) = (job / 2, job % 2);
                let Some(deal) = deals.get(number) else { return };
                let played = self.tricks(deal, number as u64, &mut chairs[side]);
                let mut shared = shared.lock().expect("no playout panics");
                match played {
                    Ok(tricks) => shared.0.against[side].add(tricks, target),
                    Err(limit) => {
                        shared.1 = Some(limit);
                        return;
                    }
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..threads.min(2 * deals.len()) {
                scope.spawn(work);
            }
            work();
        });
        shared.into_inner().expect("no playout panics")
    }
}

/// The chance against each opposition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chances {
    /// In the order of [`Opposition::ALL`].
    pub against: [ChanceEstimate; 2],
}

/// Contracts made and tricks taken in a number of layouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChanceEstimate {
    /// Layouts that were played to the end.
    pub samples: u32,
    /// In so many of them the contract was made.
    pub made: u32,
    /// Tricks of all of them together.
    pub tricks: u32,
}

/// The normal quantile of a 95 % interval.
const QUANTILE: f64 = 1.96;

impl ChanceEstimate {
    /// Counts a layout in which declarer took so many tricks.
    pub fn add(&mut self, tricks: u8, target: u8) {
        self.samples += 1;
        self.made += u32::from(tricks >= target);
        self.tricks += u32::from(tricks);
    }

    /// The share of contracts made; `None` without a sample.
    pub fn share(&self) -> Option<f64> {
        (self.samples > 0).then(|| f64::from(self.made) / f64::from(self.samples))
    }

    /// Tricks on average; `None` without a sample.
    pub fn mean_tricks(&self) -> Option<f64> {
        (self.samples > 0).then(|| f64::from(self.tricks) / f64::from(self.samples))
    }

    /// The 95 % interval of the chance (Wilson 1927), which is not empty even where all samples agree.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let share = self.share()?;
        let n = f64::from(self.samples);
        let z2 = QUANTILE * QUANTILE;
        let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = QUANTILE / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
        Some(((middle - half).max(0.0), (middle + half).min(1.0)))
    }

    /// The distance from the share to the farther end of its interval.
    pub fn error(&self) -> Option<f64> {
        let (share, (low, high)) = (self.share()?, self.interval()?);
        Some((share - low).max(high - share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Bid, Contract};
    use crate::generate::DealConstraints;
    use crate::play::Position;
    use crate::rules::opening_lead;

    #[test]
    fn the_interval_is_that_of_wilson() {
        let estimate = ChanceEstimate { samples: 10, made: 10, tricks: 90 };
        let (low, high) = estimate.interval().expect("samples");
        assert!((low - 0.7225).abs() < 1e-3 && (high - 1.0).abs() < 1e-9, "{low} {high}");
        assert!((estimate.error().expect("samples") - 0.2775).abs() < 1e-3);
        assert_eq!(ChanceEstimate::default().share(), None);
    }

    /// A random deal of 3NT by South, what declarer sees after the lead by rule, and the lead.
    fn after_the_lead(rng: &mut Pcg64Mcg) -> (Deal, PlayerView, Card) {
        let contract: Contract = "3NT".parse::<Bid>().expect("a bid").by(Seat::South);
        let deal = DealConstraints::notrump(Seat::South).draw(rng).expect("common");
        let lead = opening_lead(deal.hand(Seat::West), None);
        let mut position = Position::new(&deal, contract);
        position.put(lead);
        (deal, position.view(), lead)
    }

    fn playout<'a>(
        view: &'a PlayerView,
        lead: Card,
        layouts: usize,
        context: &'a DealContext,
    ) -> Playout<'a> {
        let card = view.legal().lowest().expect("a card");
        Playout { view, lead, reading: LeadReading::ByRule, card, layouts, context }
    }

    /// Every deal drawn agrees with what declarer sees, and the lead is the one that was made.
    #[test]
    fn drawn_layouts_agree_with_the_sight_and_the_lead() {
        let mut rng = Pcg64Mcg::seed_from_u64(5);
        let (deal, view, lead) = after_the_lead(&mut rng);
        for drawn in playout(&view, lead, 8, &DealContext::seeded(1)).draw(30, &mut rng) {
            assert_eq!(opening_lead(drawn.hand(Seat::West), None), lead);
            for seat in [Seat::South, Seat::North] {
                assert_eq!(drawn.hand(seat), deal.hand(seat));
            }
        }
    }

    /// The number of threads does not change the answer.
    #[test]
    fn estimates_do_not_depend_on_threads() {
        let (_, view, lead) = after_the_lead(&mut Pcg64Mcg::seed_from_u64(6));
        let context = DealContext::seeded(1);
        let playout = playout(&view, lead, 3, &context);
        let (one, _) = playout.estimate(2, 1);
        assert_eq!(one, playout.estimate(2, 3).0);
        assert_eq!(one.against.map(|estimate| estimate.samples), [2, 2]);
    }
}
