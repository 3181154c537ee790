//! The hybrid: the planner's candidate lines, judged by sampled double dummy as well.
//!
//! The planner's own values assume defenders with habits and a declarer who sees what declarer sees; double dummy
//! assumes that nobody errs from here on. The more the defence is believed to play by rule, the more the planner's
//! values count.

use crate::card::Card;
use crate::double_dummy::DoubleDummy;
use crate::play::Sight;
use crate::players::planner::{Planner, no_choice};
use crate::players::{Choice, Player};
use crate::rules::{Intent, declare};

/// The planner with a double-dummy judge.
pub struct Hybrid {
    planner: Planner,
    solver: DoubleDummy,
    solved: usize,
    /// Bounds of the weight that double dummy gets.
    weight: (f64, f64),
    vulnerable: bool,
}

impl Hybrid {
    /// A hybrid that considers `layouts` layouts and solves `solved` of them for each card.
    pub fn new(layouts: usize, solved: usize, seed: u64) -> Hybrid {
        Hybrid {
            planner: Planner::new(layouts, seed),
            solver: DoubleDummy::default(),
            solved,
            weight: (0.05, 0.9),
            vulnerable: false,
        }
    }

    /// The same with other bounds of the weight that double dummy gets.
    #[must_use]
    pub fn with_weight(mut self, least: f64, most: f64) -> Hybrid {
        self.weight = (least, most);
        self
    }
}

impl Player for Hybrid {
    fn begin(&mut self, seed: u64, vulnerable: bool) {
        self.planner.begin(seed, vulnerable);
        self.vulnerable = vulnerable;
    }

    fn play(&mut self, sight: &Sight, history: &[Card]) -> Choice {
        if let Some(choice) = no_choice(sight) {
            return choice;
        }
        let by_rule_card = || declare(sight.public(), sight.hand(), Intent::default());
        let considered = self.planner.consider(sight, history);
        let Some(considered) = considered.filter(|considered| !considered.candidates.is_empty()) else {
            return Choice::plain(by_rule_card(), "by rule");
        };
        if let [(only, _)] = considered.candidates[..] {
            return Choice {
                card: only,
                why: "the only sensible card".into(),
                moves: considered.moves,
                replanned: true,
            };
        }
        let public = sight.public();
        let contract = public.contract();
        let before = self.solver.nodes();
        let mut judged: Vec<f64> = vec![0.0; considered.candidates.len()];
        let mut total = 0.0;
        for (position, weight) in considered.sample.layouts.iter().take(self.solved) {
            total += weight;
            for (card, tricks) in self.solver.values(position) {
                if let Some(at) = considered.candidates.iter().position(|(known, _)| *known == card) {
                    judged[at] += weight
                        * f64::from(contract.score(public.declarer_tricks() + tricks, self.vulnerable));
                }
            }
        }
        let (least, most) = self.weight;
        let share = least + (most - least) * (1.0 - self.planner.reading());
        let values = considered.candidates.iter().zip(&judged);
        let values =
            values.map(|(&(card, planned), open)| (card, (1.0 - share) * planned + share * open / total));
        let (card, value) =
            values.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.rank().cmp(&a.0.rank()))).expect("candidates");
        Choice {
            card,
            why: format!("mean score {value:+.0} of {} candidate lines", considered.candidates.len()),
            moves: considered.moves + self.solver.nodes() - before,
            replanned: true,
        }
    }
}
