//! The hybrid: every card judged by sampled double dummy over layouts that are followed through the deal, together
//! with the planner's values.
//!
//! The planner's values assume defenders with habits and a declarer who sees what declarer sees; double dummy assumes
//! that no player errs from here on. The more the defence is believed to play by rule, the more the planner's values
//! count. Double dummy alone believes that declarer will guess right later ("strategy fusion", Frank and Basin), so in
//! endings the best cards are compared once more with declarer's next choice made once for all layouts that look the
//! same by then, as in the alpha-mu search of Cazenave and Ventos with two moves.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::belief::Beliefs;
use crate::card::{Card, Cards, Suit};
use crate::double_dummy::DoubleDummy;
use crate::play::{PlayerView, Position};
use crate::players::planner::{Planner, no_choice};
use crate::players::tracker::{Doubts, LayoutTracker};
use crate::players::{Choice, Player};
use crate::rules::{Intent, declare};
use crate::table::DealContext;

/// How a hybrid thinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HybridSettings {
    /// Layouts that the planner considers.
    pub layouts: usize,
    /// Layouts that are solved double dummy for each card in the first tricks; later, when solving is cheap, it is a
    /// multiple of that.
    pub solved: usize,
    /// Bounds of the weight that double dummy gets.
    pub weight: (f64, f64),
    /// What a layout keeps of its weight for each trick that the defenders would have given away in it.
    pub slip: f64,
    /// What a layout keeps of its weight for each card of the defenders that was higher than needed in it.
    pub waste: f64,
    /// How much evidence it takes to believe that the defenders play by rule, in log-odds.
    pub doubt: f64,
    /// From so many cards in hand on, cards that look equally good are compared with declarer's next choice in mind.
    pub deep: usize,
}

impl HybridSettings {
    /// The usual settings with so many layouts.
    pub fn new(layouts: usize, solved: usize) -> HybridSettings {
        HybridSettings { layouts, solved, weight: (0.05, 0.9), slip: 0.1, waste: 0.2, doubt: 4.0, deep: 8 }
    }

    /// Layouts to solve with so many cards in hand: each card less halves the cost, so it is spent on more of them.
    fn solved_with(&self, cards: usize) -> usize {
        let times = match cards {
            11.. => 1,
            10 => 2,
            9 => 3,
            _ => 5,
        };
        times * self.solved
    }
}

/// Mean scores that differ by less are compared once more.
const EQUALLY_GOOD: f64 = 12.0;
/// That many layouts are looked at when declarer's next choice is kept in mind.
const DEEP_LAYOUTS: usize = 40;

/// A defender's card as declarer tells it apart: its suit and the highest card it beats of
/// those that declarer sees.
type Seen = (Suit, Option<Card>);

/// What each card of declarer's next choice comes to over several layouts.
type Sums = Vec<(Card, f64)>;

/// The planner with a double-dummy judge.
pub struct Hybrid {
    settings: HybridSettings,
    planner: Planner,
    solver: DoubleDummy,
    tracker: LayoutTracker,
    rng: Pcg64Mcg,
    context: DealContext,
}

impl Hybrid {
    /// A hybrid that considers `layouts` layouts and solves `solved` of them for each card.
    pub fn new(layouts: usize, solved: usize, seed: u64) -> Hybrid {
        Hybrid::with(HybridSettings::new(layouts, solved), seed)
    }

    /// A hybrid with these settings.
    pub fn with(settings: HybridSettings, seed: u64) -> Hybrid {
        Hybrid {
            settings,
            planner: Planner::new(settings.layouts, seed),
            solver: DoubleDummy::default(),
            tracker: LayoutTracker::default(),
            rng: Pcg64Mcg::seed_from_u64(seed),
            context: DealContext::seeded(seed),
        }
    }

    /// How strongly the defence is believed to play by rule, less the doubt that it takes to be convinced: against
    /// defenders who only look as if, relying on their habits is dear.
    fn by_rule(&self) -> f64 {
        1.0 / (1.0 + (self.settings.doubt - self.planner.log_odds()).exp())
    }

    /// What mistakes of the defenders say about a layout. Defenders who play by rule make them.
    fn doubts(&self) -> Doubts {
        let slip = self.settings.slip + (1.0 - self.settings.slip) * self.by_rule();
        Doubts { slip, waste: self.settings.waste }
    }

    /// Solves layouts for the cards that may be played now.
    fn solve(&mut self, view: &PlayerView, history: &[Card]) {
        let beliefs = Beliefs::credible(view, self.context.bounds);
        let doubts = self.doubts();
        let wanted = self.settings.solved_with(view.playing().len());
        self.tracker.refresh(&beliefs, view, history, wanted, doubts, &mut self.rng);
        let won = view.public().declarer_tricks();
        for world in self.tracker.iter_mut() {
            if self.context.budget.check().is_err() {
                break;
            }
            let values = self.solver.values(&world.position(&beliefs, view));
            world.learn(values.into_iter().map(|(card, tricks)| (card, won + tricks)).collect());
        }
    }

    /// The mean score of each legal card by double dummy.
    fn judged(&self, view: &PlayerView) -> Vec<(Card, f64)> {
        let contract = view.public().contract();
        let doubts = self.doubts();
        let mean = |card: Card| {
            let (mut sum, mut total) = (0.0, 0.0);
            for world in self.tracker.solved() {
                let weight = world.weight(doubts);
                let tricks = world.tricks_after(card).unwrap_or(0);
                sum += weight * f64::from(contract.score(tricks, self.context.vulnerable));
                total += weight;
            }
            if total > 0.0 { sum / total } else { 0.0 }
        };
        view.legal().iter().map(|card| (card, mean(card))).collect()
    }

    /// Compares the cards that look as good as the best once more, with declarer's next choice in mind.
    fn look_deeper(&mut self, view: &PlayerView, judged: &mut [(Card, f64)]) {
        let top = judged.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
        let rest = view.public().parting(view.playing());
        let mut distinct: Vec<Card> = Vec::new();
        for &(card, _) in judged.iter().filter(|(_, value)| *value >= top - EQUALLY_GOOD) {
            if !distinct.iter().any(|&other| view.playing().touching(card, rest).has(other)) {
                distinct.push(card);
            }
        }
        if distinct.len() < 2 || self.tracker.len() < 2 {
            return;
        }
        let values: Vec<(Card, f64)> =
            distinct.iter().map(|&card| (card, self.deep_value(view, card))).collect();
        for (card, value) in judged {
            let equals = view.playing().touching(*card, rest);
            let deeper = values.iter().find(|(other, _)| other == card || equals.has(*other));
            // What is not compared was worse already, and the comparison only lowers values.
            *value = deeper.map_or(*value - 2.0 * EQUALLY_GOOD, |&(_, value)| value);
        }
    }

    /// The mean score of `card` when declarer's next choice is made for all layouts together that look the same.
    fn deep_value(&mut self, view: &PlayerView, card: Card) -> f64 {
        let beliefs = Beliefs::credible(view, self.context.bounds);
        let doubts = self.doubts();
        let mut solved: Vec<(Position, f64)> = self
            .tracker
            .solved()
            .map(|world| (world.position(&beliefs, view), world.weight(doubts)))
            .collect();
        solved.sort_by(|a, b| b.1.total_cmp(&a.1));
        solved.truncate(DEEP_LAYOUTS);
        let total: f64 = solved.iter().map(|(_, weight)| weight).sum();
        let contract = view.public().contract();
        let mut groups: Vec<(Vec<Seen>, Sums)> = Vec::new();
        for (mut position, weight) in solved {
            position.put(card);
            let seen = self.run_to_our_choice(&mut position);
            let won = position.public().declarer_tricks();
            let over = position.public().is_over();
            let values = if over { vec![(card, 0)] } else { self.solver.values(&position) };
            let worth =
                |tricks: u8| weight * f64::from(contract.score(won + tricks, self.context.vulnerable));
            let at = groups.iter().position(|(known, _)| *known == seen).unwrap_or_else(|| {
                groups.push((seen, Vec::new()));
                groups.len() - 1
            });
            let sums = &mut groups[at].1;
            for (next, tricks) in values {
                match sums.iter_mut().find(|(known, _)| *known == next) {
                    Some(known) => known.1 += worth(tricks),
                    None => sums.push((next, worth(tricks))),
                }
            }
        }
        let best = |sums: &Sums| sums.iter().map(|&(_, sum)| sum).fold(f64::NEG_INFINITY, f64::max);
        groups.iter().map(|(_, sums)| best(sums)).sum::<f64>() / total.max(f64::MIN_POSITIVE)
    }

    /// The defenders play their best, the lowest of equals, until declarer has a choice; what declarer sees of it.
    fn run_to_our_choice(&mut self, position: &mut Position) -> Vec<Seen> {
        let mut seen = Vec::new();
        while !position.public().is_over() {
            let legal = position.legal();
            let turn = position.public().turn();
            if position.public().is_ours(turn) {
                let low = legal.lowest().expect("a player on turn has a card");
                let hand = position.hand(turn);
                if !legal.minus(hand.touching(low, position.public().parting(hand))).is_empty() {
                    break;
                }
                position.put(low);
                continue;
            }
            let reply = if legal.len() == 1 {
                legal.lowest().expect("one card")
            } else {
                let values = self.solver.values(position);
                values
                    .into_iter()
                    .min_by_key(|&(card, tricks)| (tricks, card.rank(), card.suit()))
                    .expect("a card")
                    .0
            };
            // Cards that none of ours and none on the table lies between look the same.
            let public = position.public();
            let ours = position.hand(public.declarer()).and(public.dummy_hand());
            let between = public.trick().cards().fold(ours, Cards::with);
            seen.push((reply.suit(), between.below(reply).highest()));
            position.put(reply);
        }
        seen
    }
}

impl Player for Hybrid {
    fn begin(&mut self, context: &DealContext) {
        self.planner.begin(context);
        self.tracker.clear();
        self.rng = Pcg64Mcg::seed_from_u64(context.seed);
        self.context = context.clone();
    }

    fn play(&mut self, view: &PlayerView, history: &[Card]) -> Choice {
        if let Some(choice) = no_choice(view) {
            return choice;
        }
        let considered = self.planner.consider(view, history);
        let Some(considered) = considered.filter(|considered| !considered.candidates.is_empty()) else {
            return Choice::plain(declare(view.public(), view.hand(), Intent::default()), "by rule");
        };
        let before = self.solver.nodes();
        self.solve(view, history);
        let mut judged = self.judged(view);
        let (least, most) = self.settings.weight;
        let share = least + (most - least) * (1.0 - self.by_rule());
        let worst = considered.candidates.iter().map(|&(_, value)| value).fold(f64::INFINITY, f64::min);
        let rest = view.public().parting(view.playing());
        let planned = |card: Card| {
            let equals = view.playing().touching(card, rest);
            let known =
                considered.candidates.iter().filter(|(known, _)| *known == card || equals.has(*known));
            known.map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max).max(worst - 20.0)
        };
        if view.playing().len() <= self.settings.deep {
            self.look_deeper(view, &mut judged);
        }
        let values = judged.iter().map(|&(card, open)| (card, (1.0 - share) * planned(card) + share * open));
        let (card, value) = values
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.rank().cmp(&a.0.rank())))
            .expect("a legal card");
        self.tracker.choose(card);
        Choice {
            card,
            why: format!("mean score {value:+.0} over {} layouts", self.tracker.len()),
            moves: considered.moves + self.solver.nodes() - before,
            replanned: true,
        }
    }
}
