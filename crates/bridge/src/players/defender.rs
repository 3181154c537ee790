//! Good defenders: each plays from what its own seat sees.
//!
//! A defender follows layouts of partner's and declarer's hands through the deal, draws conclusions from partner's lead and from
//! the cards of both, and values the own cards by the same search as declarer ([`crate::alpha_mu`]): one choice for all layouts that
//! look the same. Cards that are worth about the same are chosen by the partnership's agreements, which are the rules of
//! defence: fourth best, second hand low, third hand high, partner's suit back.

use crate::card::Card;
use crate::play::PlayerView;
use crate::players::judge::{Judge, JudgeSettings};
use crate::players::network::no_choice;
use crate::players::tracker::Doubts;
use crate::players::{Choice, Player};
use crate::rules::defend;
use crate::seat::Seat;
use crate::table::DealContext;

/// Both defenders. Neither knows what the other holds: each seat has a judge of its own.
pub struct GoodDefence {
    judges: [Judge; 4],
}

/// Scores that differ by less are worth about the same.
const ABOUT: f64 = 8.0;
/// Declarer does not see the cards and errs at times; partner wastes no high card.
const DOUBTS: Doubts = Doubts { slip: 0.6, waste: 0.2 };

impl GoodDefence {
    /// Defenders who look at so many layouts in the first tricks, and more of them later.
    pub fn new(layouts: usize, seed: u64) -> GoodDefence {
        let settings = JudgeSettings { layouts, depth: 2, deep_from: 6, nodes: 10_000, exact_from: 9 };
        GoodDefence { judges: Seat::ALL.map(|seat| Judge::new(settings, seed ^ seat as u64)) }
    }
}

impl Player for GoodDefence {
    fn begin(&mut self, context: &DealContext) {
        for (seat, judge) in Seat::ALL.into_iter().zip(&mut self.judges) {
            let seed = context.seed ^ (seat as u64 + 1).rotate_left(32);
            judge.begin(&DealContext { seed, ..context.clone() });
        }
    }

    fn play(&mut self, view: &PlayerView, history: &[Card]) -> Choice {
        let agreed = defend(view.public(), view.hand());
        if history.is_empty() {
            return Choice::plain(agreed, "the lead by agreement");
        }
        if let Some(choice) = no_choice(view) {
            return choice;
        }
        let judge = &mut self.judges[view.seat() as usize];
        let before = judge.nodes();
        let lines = judge.judge(view, history, DOUBTS);
        let equals = view.playing().touching(agreed, view.public().parting(view.playing()));
        let by_agreement = lines.iter().find(|line| line.card == agreed || equals.has(line.card));
        let (card, why) = match (lines.first(), by_agreement) {
            (Some(best), Some(line)) if line.value >= best.value - ABOUT => (agreed, "by agreement"),
            (Some(best), _) => (best.card, "the best over the layouts that are possible"),
            (None, _) => (agreed, "by agreement"),
        };
        judge.choose(card);
        let value =
            lines.iter().find(|line| line.card == card || equals.has(line.card)).map(|line| line.value);
        let mean = value.map_or_else(String::new, |value| {
            format!(", mean score {value:+.0} over {} layouts", judge.layouts())
        });
        Choice { card, why: format!("{why}{mean}"), moves: judge.nodes() - before, replanned: false }
    }
}
