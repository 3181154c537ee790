//! The planner: makes a plan from the schemes, follows it, and makes a new one when surprised.

use counterplay_base::Budget;
use counterplay_htn::agents::{Plan, Settings, plan};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::belief::Beliefs;
use crate::belief::evidence::{Trust, sample};
use crate::card::{Card, Cards};
use crate::planner::infoset::{InfoSet, Op};
use crate::planner::network::Network;
use crate::planner::task::Task;
use crate::planner::value::Valuation;
use crate::play::Sight;
use crate::players::{Choice, Player};
use crate::rules::{Intent, declare};

/// Declarer by task network.
pub struct Planner {
    network: Network,
    layouts: usize,
    trust: Trust,
    rng: Pcg64Mcg,
    /// The plan, and how many cards of the play it has taken note of.
    plan: Option<(Plan<Network>, usize)>,
}

impl Planner {
    /// A planner that considers so many layouts.
    pub fn new(layouts: usize, seed: u64) -> Planner {
        let network = Network { tricks: 1, valuation: Valuation { vulnerable: false } };
        Planner { network, layouts, trust: Trust::USUAL, rng: Pcg64Mcg::seed_from_u64(seed), plan: None }
    }

    /// The same with other conclusions from the defenders' cards.
    #[must_use]
    pub fn with_trust(mut self, trust: Trust) -> Planner {
        self.trust = trust;
        self
    }

    /// Plans that cover so many tricks.
    #[must_use]
    pub fn with_tricks(mut self, tricks: u8) -> Planner {
        self.network.tricks = tricks;
        self
    }

    /// Takes note of the cards since the last look; whether the plan still stands.
    fn catch_up(&mut self, history: &[Card]) -> bool {
        let Some((plan, seen)) = &mut self.plan else { return false };
        let stands = history[*seen..].iter().all(|card| plan.observe(&self.network, card));
        *seen = history.len();
        stands && plan.is_useful()
    }

    fn make_plan(&mut self, sight: &Sight, history: &[Card]) -> Option<u64> {
        let beliefs = Beliefs::new(sight);
        let sample = sample(&beliefs, sight, history, self.trust, self.layouts, &mut self.rng);
        let world = InfoSet::new(sample.layouts)?;
        let agenda = [Task::Everything].into_iter().collect();
        let planned = plan(&self.network, world, agenda, Settings::default(), &Budget::unlimited());
        self.plan = Some((planned.plan, history.len()));
        Some(planned.moves)
    }

    /// The plan's next card, if it has one.
    fn next_card(&mut self) -> Option<(Card, String)> {
        let (plan, seen) = self.plan.as_mut()?;
        let (op, methods) = plan.next()?;
        *seen += 1;
        let Op::Ours(card) = op else { return None };
        let names: Vec<&str> = methods.iter().map(|method| method.name).collect();
        Some((card, names.join(" > ")))
    }
}

impl Player for Planner {
    fn begin(&mut self, seed: u64) {
        self.rng = Pcg64Mcg::seed_from_u64(seed);
        self.plan = None;
    }

    fn play(&mut self, sight: &Sight, history: &[Card]) -> Choice {
        let public = sight.public();
        let legal = sight.legal();
        let low = legal.lowest().expect("a player on turn has a card");
        let others = Cards::PACK.minus(sight.playing()).minus(public.played());
        if legal.minus(sight.playing().touching(low, others)).is_empty() {
            return Choice::plain(low, "");
        }
        let legal_card = |choice: Option<(Card, String)>| choice.filter(|(card, _)| legal.has(*card));
        if self.catch_up(history)
            && let Some((card, why)) = legal_card(self.next_card())
        {
            return Choice::plain(card, why);
        }
        let moves = self.make_plan(sight, history).unwrap_or(0);
        let (card, why) = legal_card(self.next_card())
            .unwrap_or_else(|| (declare(public, sight.hand(), Intent::default()), "by rule".into()));
        Choice { card, why, moves, replanned: true }
    }
}
