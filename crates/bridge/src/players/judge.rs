//! The judge: a player's cards valued by alpha-mu over layouts that are followed through the deal.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::alpha_mu::{self, AlphaMu, Layout, Line, Oracle, Outcome, Replies, distinct};
use crate::belief::Beliefs;
use crate::card::{Card, Cards};
use crate::play::PlayerView;
use crate::players::tracker::{Doubts, LayoutTracker, TrackedLayout};
use crate::table::DealContext;

/// How much the judge looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgeSettings {
    /// Layouts that are solved in the first tricks; later, when solving is cheap, it is a multiple of that.
    pub layouts: usize,
    /// The player's choices that are looked at together for all layouts that look the same.
    pub depth: u8,
    /// With more cards in hand only one choice is looked at.
    pub deep_from: usize,
    /// Positions of double-dummy search for each card, beyond the first depth.
    pub nodes: u64,
    /// With more cards in hand, layouts are only asked whether the contract is made or defeated.
    pub exact_from: usize,
}

impl JudgeSettings {
    /// Layouts to solve with so many cards in hand: each card less halves the cost, so it is spent on more of them.
    fn layouts_with(&self, cards: usize) -> usize {
        let times = match cards {
            11.. => 1,
            10 => 2,
            9 => 3,
            _ => 5,
        };
        times * self.layouts
    }
}

/// Values cards by search over layouts.
pub(super) struct Judge {
    settings: JudgeSettings,
    oracle: Oracle,
    tracker: LayoutTracker,
    rng: Pcg64Mcg,
    context: DealContext,
}

impl Judge {
    pub(super) fn new(settings: JudgeSettings, seed: u64) -> Judge {
        Judge {
            settings,
            oracle: Oracle::default(),
            tracker: LayoutTracker::default(),
            rng: Pcg64Mcg::seed_from_u64(seed),
            context: DealContext::seeded(seed),
        }
    }

    /// A new deal begins.
    pub(super) fn begin(&mut self, context: &DealContext) {
        self.oracle.clear();
        self.tracker.clear();
        self.rng = Pcg64Mcg::seed_from_u64(context.seed);
        self.context = context.clone();
    }

    /// Positions of double-dummy search so far.
    pub(super) fn nodes(&self) -> u64 {
        self.oracle.nodes()
    }

    /// How many layouts are followed.
    pub(super) fn layouts(&self) -> usize {
        self.tracker.len()
    }

    /// The cards that differ, the best first; empty if no layout could be solved.
    pub(super) fn judge(&mut self, view: &PlayerView, history: &[Card], doubts: Doubts) -> Vec<Line> {
        let beliefs = Beliefs::credible(view, self.context.bounds);
        let cards = view.playing().len();
        let wanted = self.settings.layouts_with(cards);
        self.tracker.refresh(&beliefs, view, history, wanted, doubts, &mut self.rng);
        if cards > self.settings.exact_from {
            return self.judge_by_targets(view, &beliefs, doubts);
        }
        let (won, target) = (view.public().declarer_tricks(), view.public().contract().target());
        for world in self.tracker.iter_mut() {
            if self.context.budget.check().is_err() {
                break;
            }
            let values = self.oracle.values(&world.position(&beliefs, view));
            let values = values.iter().map(|&(card, tricks)| (card, won + tricks)).collect();
            world.learn(values, true, target);
        }
        let layouts = self.solved_layouts(view, &beliefs, doubts);
        if layouts.is_empty() {
            return Vec::new();
        }
        let worth = self.worth(view);
        let settings = alpha_mu::Settings {
            depth: if cards > self.settings.deep_from { 1 } else { self.settings.depth },
            replies: Replies::Best,
            front: MOST_OUTCOMES,
            nodes: self.settings.nodes,
        };
        AlphaMu::new(&mut self.oracle, &layouts, worth, settings, &self.context.budget).search()
    }

    /// Layouts that have been solved, with their weights.
    fn solved_layouts(&self, view: &PlayerView, beliefs: &Beliefs, doubts: Doubts) -> Vec<Layout> {
        let solved = self.tracker.solved().map(|world| (world.position(beliefs, view), world.weight(doubts)));
        solved.filter(|(_, weight)| *weight > 0.0).collect()
    }

    /// The score of the player's side for each number of its tricks.
    fn worth(&self, view: &PlayerView) -> [f64; 14] {
        let contract = view.public().contract();
        let score = |tricks: usize| f64::from(contract.score(tricks as u8, self.context.vulnerable));
        let declares = view.public().is_ours(view.seat());
        std::array::from_fn(|tricks| if declares { score(tricks) } else { -score(13 - tricks) })
    }

    /// Asks of each layout after which cards the contract is made, and about a trick more or less only where that leaves
    /// nothing to decide: in the first tricks this is several times cheaper than exact values.
    fn judge_by_targets(&mut self, view: &PlayerView, beliefs: &Beliefs, doubts: Doubts) -> Vec<Line> {
        let public = *view.public();
        let declares = public.is_ours(view.seat());
        let contract = public.contract();
        let (won, target) = match declares {
            true => (public.declarer_tricks(), contract.target()),
            false => (public.defence_tricks(), 14 - contract.target()),
        };
        let worlds: Vec<Layout> = {
            let all = self.tracker.iter_mut();
            all.map(|world| (world.position(beliefs, view), world.weight(doubts))).collect()
        };
        let mut known = Targets::new(view.legal(), worlds.len(), target);
        let mut wanted = target;
        for _ in 0..most_targets(view.playing().len()) {
            let mut reached = Vec::with_capacity(worlds.len());
            for (position, _) in &worlds {
                if self.context.budget.check().is_err() {
                    return Vec::new();
                }
                reached.push(self.oracle.reaching(position, wanted.saturating_sub(won)));
            }
            let best = known.learn(wanted, &reached, &worlds);
            let next = if best > ENOUGH && wanted >= target {
                wanted + 1
            } else if best < 1.0 - ENOUGH && wanted <= target {
                wanted - 1
            } else {
                break;
            };
            if next <= won || next > 13 {
                break;
            }
            wanted = next;
        }
        for (world, tricks) in self.tracker.iter_mut().zip(known.tricks) {
            let declarers = |tricks: u8| if declares { tricks } else { 13 - tricks };
            let values = tricks.into_iter().map(|(card, tricks)| (card, declarers(tricks))).collect();
            world.learn(values, false, contract.target());
        }
        self.mean_lines(view, beliefs, doubts)
    }

    /// The mean worth of each card over the layouts.
    fn mean_lines(&self, view: &PlayerView, beliefs: &Beliefs, doubts: Doubts) -> Vec<Line> {
        let worth = self.worth(view);
        let declares = view.public().is_ours(view.seat());
        let total: f64 = self.tracker.solved().map(|world| world.weight(doubts)).sum();
        let Some(position) = self.tracker.solved().next().map(|world| world.position(beliefs, view)) else {
            return Vec::new();
        };
        let line = |card: Card| {
            let tricks = |world: &TrackedLayout| {
                let declarers = world.tricks_after(card).unwrap_or(0);
                if declares { declarers } else { 13 - declarers }
            };
            let sum = |world: &TrackedLayout| world.weight(doubts) * worth[usize::from(tricks(world))];
            let mut outcome = Outcome::absent(self.tracker.len());
            for (number, world) in self.tracker.solved().enumerate() {
                outcome.lower(number, tricks(world));
            }
            let value = self.tracker.solved().map(sum).sum::<f64>() / total.max(f64::MIN_POSITIVE);
            Line { card, value, outcome, depth: 1 }
        };
        let mut lines: Vec<Line> = distinct(&position).into_iter().map(line).collect();
        lines.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.card.rank().cmp(&b.card.rank())));
        lines
    }

    /// Takes note of the player's choice.
    pub(super) fn choose(&mut self, card: Card) {
        self.tracker.choose(card);
    }
}

/// What is known of each card in each layout: tricks of the player's side, no finer than what was asked for.
struct Targets {
    target: u8,
    tricks: Vec<Vec<(Card, u8)>>,
}

impl Targets {
    /// Nothing is known: the target is missed by a trick.
    fn new(legal: Cards, layouts: usize, target: u8) -> Targets {
        let tricks = legal.iter().map(|card| (card, target.saturating_sub(1))).collect();
        Targets { target, tricks: vec![tricks; layouts] }
    }

    /// Takes note of the cards that reach so many tricks in each layout; the chance of the best card.
    fn learn(&mut self, wanted: u8, reached: &[Cards], layouts: &[Layout]) -> f64 {
        let cards: Vec<Card> =
            self.tricks.first().map_or(Vec::new(), |all| all.iter().map(|it| it.0).collect());
        for (tricks, reaching) in self.tricks.iter_mut().zip(reached) {
            for (card, tricks) in tricks {
                if reaching.has(*card) {
                    *tricks = (*tricks).max(wanted);
                } else if wanted < self.target {
                    *tricks = (*tricks).min(wanted.saturating_sub(1));
                }
            }
        }
        let total: f64 = layouts.iter().map(|(_, weight)| weight).sum();
        let share = |card: &Card| {
            let good = layouts.iter().zip(reached).filter(|(_, reaching)| reaching.has(*card));
            good.map(|((_, weight), _)| weight).sum::<f64>() / total.max(f64::MIN_POSITIVE)
        };
        cards.iter().map(share).fold(0.0, f64::max)
    }
}

/// The most outcomes that a front keeps.
const MOST_OUTCOMES: usize = 16;
/// A number of tricks that is reached with this chance leaves nothing to decide.
const ENOUGH: f64 = 0.95;

/// How many numbers of tricks are asked for at most with so many cards in hand.
fn most_targets(cards: usize) -> usize {
    match cards {
        12.. => 1,
        _ => 3,
    }
}
