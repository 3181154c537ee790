//! The task network alone: makes a plan from the schemes, follows it, and makes a new one when surprised.

use counterplay_tasknet::agents::{Criterion, Plan, Settings, plan};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::belief::Beliefs;
use crate::belief::defence_model::DefenceModel;
use crate::belief::evidence::{Sample, Trust, sample};
use crate::card::Card;
use crate::planner::advice::{Candidate, candidates, first_card, tell};
use crate::planner::explain;
use crate::planner::infoset::{InfoSet, Op};
use crate::planner::network::DeclarerNetwork;
use crate::planner::task::{Method, Task};
use crate::planner::value::{Goal, Valuation};
use crate::play::PlayerView;
use crate::players::{Choice, Player};
use crate::rules::{Intent, declare};
use crate::table::DealContext;

/// Declarer by task network.
pub struct NetworkPlayer {
    network: DeclarerNetwork,
    settings: Settings,
    layouts: usize,
    trust: Option<Trust>,
    defence_model: DefenceModel,
    rng: Pcg64Mcg,
    context: DealContext,
    /// The plan, and how many cards of the play it has taken note of.
    plan: Option<(Plan<DeclarerNetwork>, usize)>,
}

/// What came of making a plan.
pub struct Considered {
    /// The cards that the schemes offer, the best first.
    pub candidates: Vec<Candidate>,
    /// The layouts that were considered.
    pub sample: Sample,
    /// Operations in the decision tree.
    pub moves: u64,
}

impl NetworkPlayer {
    /// A player that considers so many layouts.
    pub fn new(layouts: usize, seed: u64) -> NetworkPlayer {
        let network =
            DeclarerNetwork { tricks: 2, valuation: Valuation { goal: Goal::Score, vulnerable: false } };
        let rng = Pcg64Mcg::seed_from_u64(seed);
        let context = DealContext::seeded(seed);
        NetworkPlayer {
            network,
            settings: Settings::default(),
            layouts,
            trust: None,
            defence_model: DefenceModel::default(),
            rng,
            context,
            plan: None,
        }
    }

    /// The same with fixed conclusions from the defenders' cards.
    #[must_use]
    pub fn with_trust(mut self, trust: Trust) -> NetworkPlayer {
        self.trust = Some(trust);
        self
    }

    /// Plans that cover so many tricks.
    #[must_use]
    pub fn with_tricks(mut self, tricks: u8) -> NetworkPlayer {
        self.network.tricks = tricks;
        self
    }

    /// The same with another criterion for what the defenders may play.
    #[must_use]
    pub fn with_criterion(mut self, criterion: Criterion) -> NetworkPlayer {
        self.settings.criterion = criterion;
        self
    }

    /// How strongly the defence is believed to play by rule, in log-odds.
    pub fn log_odds(&self) -> f64 {
        self.defence_model.log_odds()
    }

    /// Takes note of the cards since the last look; whether the plan still stands.
    fn catch_up(&mut self, history: &[Card]) -> bool {
        let Some((plan, seen)) = &mut self.plan else { return false };
        let stands = history[*seen..].iter().all(|card| plan.observe(&self.network, card));
        *seen = history.len();
        stands && plan.is_useful()
    }

    /// How much to conclude from cards: more, the more the defence is believed to play by rule.
    fn current_trust(&self) -> Trust {
        let by_rule = self.defence_model.by_rule();
        self.trust.unwrap_or(Trust { lead: Trust::USUAL.lead, card: 0.05 * by_rule + 0.9 * (1.0 - by_rule) })
    }

    /// Makes a plan for the moment; `None` if no layout agrees with what was seen.
    pub fn consider(&mut self, view: &PlayerView, history: &[Card]) -> Option<Considered> {
        self.defence_model.observe(history);
        let beliefs = Beliefs::credible(view, self.context.bounds);
        let sample = sample(&beliefs, view, history, self.current_trust(), self.layouts, &mut self.rng);
        self.defence_model.renew(&sample.layouts, history);
        let world = InfoSet::new(sample.layouts.clone())?;
        let agenda = [Task::Everything].into_iter().collect();
        let planned = plan(&self.network, world, agenda, self.settings, &self.context.budget);
        let candidates = planned.plan.node().map(candidates).unwrap_or_default();
        self.plan = Some((planned.plan, history.len()));
        Some(Considered { candidates, sample, moves: planned.moves })
    }

    /// The same cards valued by the chance of making the contract, in the layouts that were considered.
    pub(super) fn valuations(&self, considered: &Considered) -> Vec<Candidate> {
        let Some(world) = InfoSet::new(considered.sample.layouts.clone()) else { return Vec::new() };
        let mut network = self.network.clone();
        network.valuation.goal = Goal::Contract;
        let agenda = [Task::Everything].into_iter().collect();
        let planned = plan(&network, world, agenda, self.settings, &self.context.budget);
        planned.plan.node().map(candidates).unwrap_or_default()
    }

    /// The first card of the present plan.
    pub(super) fn planned_card(&self) -> Option<Card> {
        self.plan.as_ref().and_then(|(plan, _)| plan.node()).and_then(first_card)
    }

    /// The line of the present plan that begins with this card, as long as the defenders do what is most likely.
    pub(super) fn line(&self, card: Card) -> Vec<String> {
        let node = self.plan.as_ref().and_then(|(plan, _)| plan.node());
        node.map(|node| tell(node, card)).unwrap_or_default()
    }

    /// The plan's next card, if it has one, with the methods that lead to it.
    pub fn next_card(&mut self) -> Option<(Card, Vec<Method>)> {
        let (plan, seen) = self.plan.as_mut()?;
        let (op, methods) = plan.advance()?;
        *seen += 1;
        match op {
            Op::Ours(card) => Some((card, methods)),
            Op::Theirs(_) => None,
        }
    }
}

/// The only card, or the lowest where all that may be played are worth the same.
pub(super) fn no_choice(view: &PlayerView) -> Option<Choice> {
    let legal = view.legal();
    let low = legal.lowest().expect("a player on turn has a card");
    let others = view.public().parting(view.playing());
    legal.minus(view.playing().touching(low, others)).is_empty().then(|| Choice::plain(low, ""))
}

impl Player for NetworkPlayer {
    fn begin(&mut self, context: &DealContext) {
        self.rng = Pcg64Mcg::seed_from_u64(context.seed);
        self.defence_model = DefenceModel::default();
        self.plan = None;
        self.network.valuation.vulnerable = context.vulnerable;
        self.context = context.clone();
    }

    fn play(&mut self, view: &PlayerView, history: &[Card]) -> Choice {
        if let Some(choice) = no_choice(view) {
            return choice;
        }
        let legal = view.legal();
        if self.catch_up(history)
            && let Some((card, methods)) = self.next_card().filter(|(card, _)| legal.has(*card))
        {
            return Choice::plain(card, explain::sentence(&methods));
        }
        let moves = self.consider(view, history).map_or(0, |considered| considered.moves);
        let (card, why) = match self.next_card().filter(|(card, _)| legal.has(*card)) {
            Some((card, methods)) => (card, explain::sentence(&methods)),
            None => (declare(view.public(), view.hand(), Intent::default()), "by rule".into()),
        };
        Choice { card, why, moves, replanned: true }
    }
}
