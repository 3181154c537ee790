//! Monte Carlo with double dummy (perfect-information Monte Carlo, Ginsberg's GIB).
//!
//! For each card that is not forced: draw layouts of the unseen cards, solve each with all hands open, play the card
//! with the best mean score. It assumes that all players, itself included, will see all cards from the next trick on.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::belief::Beliefs;
use crate::belief::evidence::{Trust, sample};
use crate::card::Card;
use crate::double_dummy::DoubleDummy;
use crate::play::PlayerView;
use crate::players::{Choice, Player};
use crate::rules::opening_lead;
use crate::table::DealContext;

/// The Monte Carlo player, as declarer or defender.
pub struct Pimc {
    samples: usize,
    trust: Trust,
    solver: DoubleDummy,
    rng: Pcg64Mcg,
    context: DealContext,
}

impl Pimc {
    /// A player with `samples` layouts a card, drawn uniformly from what the cards allow.
    pub fn new(samples: usize, seed: u64) -> Pimc {
        Pimc {
            samples,
            trust: Trust::NONE,
            solver: DoubleDummy::default(),
            rng: Pcg64Mcg::seed_from_u64(seed),
            context: DealContext::seeded(seed),
        }
    }

    /// The same with conclusions from the defenders' cards.
    #[must_use]
    pub fn with_trust(mut self, trust: Trust) -> Pimc {
        self.trust = trust;
        self
    }
}

impl Player for Pimc {
    fn begin(&mut self, context: &DealContext) {
        self.rng = Pcg64Mcg::seed_from_u64(context.seed);
        self.context = context.clone();
    }

    fn play(&mut self, view: &PlayerView, history: &[Card]) -> Choice {
        let public = view.public();
        if history.is_empty() {
            return Choice::plain(opening_lead(view.hand(), public.trump()), "lead by agreement");
        }
        let legal = view.legal();
        let low = legal.lowest().expect("a player on turn has a card");
        let beliefs = Beliefs::credible(view, self.context.bounds);
        let rest = public.parting(view.playing());
        if legal.minus(view.playing().touching(low, rest)).is_empty() {
            return Choice::plain(low, "");
        }
        let before = self.solver.nodes();
        let contract = public.contract();
        let won = public.declarer_tricks();
        let mut totals: Vec<(Card, f64)> = legal.iter().map(|card| (card, 0.0)).collect();
        for (position, weight) in
            sample(&beliefs, view, history, self.trust, self.samples, &mut self.rng).layouts
        {
            if self.context.budget.check().is_err() {
                break;
            }
            for (card, tricks) in self.solver.values(&position) {
                let score = f64::from(contract.score(won + tricks, self.context.vulnerable));
                if let Some(total) = totals.iter_mut().find(|(known, _)| *known == card) {
                    total.1 += weight * score;
                }
            }
        }
        let side = if public.is_ours(view.seat()) { 1.0 } else { -1.0 };
        let better = |a: &(Card, f64), b: &(Card, f64)| {
            (side * a.1)
                .total_cmp(&(side * b.1))
                .then(b.0.rank().cmp(&a.0.rank()))
                .then(a.0.suit().cmp(&b.0.suit()))
        };
        let &(card, mean) = totals.iter().max_by(|a, b| better(a, b)).expect("a legal card");
        Choice {
            card,
            why: format!("best mean score over {} layouts: {mean:+.0}", self.samples),
            moves: self.solver.nodes() - before,
            replanned: false,
        }
    }
}
