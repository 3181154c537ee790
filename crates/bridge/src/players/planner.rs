//! The planner: the task network proposes lines, and alpha-mu judges every card over layouts that are followed through
//! the deal.
//!
//! The network's values assume defenders with habits and a declarer who sees what declarer sees; the search assumes that
//! the defenders see all cards and that no player errs after the searched choices. The more the defence is believed to play by
//! rule, the more the network's values count.

use crate::alpha_mu::Line;
use crate::card::Card;
use crate::planner::advice::{Advice, AdvisedCard, Candidate};
use crate::planner::explain;
use crate::play::PlayerView;
use crate::players::judge::{Judge, JudgeSettings};
use crate::players::network::{Considered, NetworkPlayer, no_choice};
use crate::players::tracker::Doubts;
use crate::players::{Choice, Effort, Player};
use crate::rules::{Intent, declare};
use crate::table::DealContext;

/// How a planner thinks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannerSettings {
    /// Layouts that the network considers.
    pub layouts: usize,
    /// What is searched.
    pub judge: JudgeSettings,
    /// Bounds of the weight that the search gets.
    pub weight: (f64, f64),
    /// What a layout keeps of its weight for each trick that the defenders would have given away in it.
    pub slip: f64,
    /// What a layout keeps of its weight for each card of the defenders that was higher than needed in it.
    pub waste: f64,
    /// How much evidence it takes to believe that the defenders play by rule, in log-odds.
    pub doubt: f64,
}

impl PlannerSettings {
    /// A small search: two fifths of `samples` layouts, which takes about half the time of Monte Carlo with `samples`.
    pub fn quick(layouts: usize, samples: usize) -> PlannerSettings {
        PlannerSettings {
            layouts,
            judge: JudgeSettings {
                layouts: (2 * samples / 5).max(1),
                depth: 2,
                deep_from: 6,
                nodes: 20_000,
                exact_from: 9,
            },
            weight: (0.05, 0.9),
            slip: 0.1,
            waste: 0.2,
            doubt: 8.0,
        }
    }

    /// The hybrid: `solved` layouts are searched for every card.
    pub fn deep(layouts: usize, solved: usize) -> PlannerSettings {
        PlannerSettings {
            judge: JudgeSettings { layouts: solved, depth: 3, deep_from: 8, nodes: 200_000, exact_from: 13 },
            doubt: 4.0,
            ..PlannerSettings::quick(layouts, solved)
        }
    }
}

/// Declarer by task network and search.
pub struct Planner {
    settings: PlannerSettings,
    network: NetworkPlayer,
    judge: Judge,
}

/// A card, and what it was chosen from.
struct Decision {
    card: Card,
    /// What the network proposes; `None` if no layout agrees with what was seen.
    considered: Option<Considered>,
    /// What the search says, the best first; empty if a limit came before it.
    lines: Vec<Line>,
    moves: u64,
}

impl Planner {
    /// The quick planner with so many layouts for its network, and the usual number for its search.
    pub fn new(layouts: usize, seed: u64) -> Planner {
        Planner::with(PlannerSettings::quick(layouts, Effort::default().samples), seed)
    }

    /// A planner with these settings.
    pub fn with(settings: PlannerSettings, seed: u64) -> Planner {
        Planner::over(NetworkPlayer::new(settings.layouts, seed), settings, seed)
    }

    /// A planner over a network with settings of its own.
    pub fn over(network: NetworkPlayer, settings: PlannerSettings, seed: u64) -> Planner {
        Planner { settings, network, judge: Judge::new(settings.judge, seed) }
    }

    /// How strongly the defence is believed to play by rule, less the doubt that it takes to be convinced: against
    /// defenders who only look as if, relying on their habits is dear.
    fn by_rule(&self) -> f64 {
        1.0 / (1.0 + (self.settings.doubt - self.network.log_odds()).exp())
    }

    /// What mistakes of the defenders say about a layout. Defenders who play by rule make them.
    fn doubts(&self) -> Doubts {
        let slip = self.settings.slip + (1.0 - self.settings.slip) * self.by_rule();
        Doubts { slip, waste: self.settings.waste }
    }

    /// Plans and searches for the card to play now.
    fn decide(&mut self, view: &PlayerView, history: &[Card]) -> Decision {
        let considered = self.network.consider(view, history);
        let mut moves = considered.as_ref().map_or(0, |considered| considered.moves);
        let before = self.judge.nodes();
        let lines = self.judge.judge(view, history, self.doubts());
        moves += self.judge.nodes() - before;
        let legal = view.legal();
        let candidates = considered.as_ref().map_or(&[][..], |considered| &considered.candidates);
        let card = self
            .weigh(view, candidates, &lines)
            .or_else(|| self.network.planned_card())
            .filter(|&card| legal.has(card))
            .unwrap_or_else(|| declare(view.public(), view.hand(), Intent::default()));
        Decision { card, considered, lines, moves }
    }

    /// The best card by network and search together; `None` without a search.
    fn weigh(&self, view: &PlayerView, candidates: &[Candidate], lines: &[Line]) -> Option<Card> {
        let (least, most) = self.settings.weight;
        let share = if candidates.is_empty() { 1.0 } else { least + (most - least) * (1.0 - self.by_rule()) };
        let worst = candidates.iter().map(|candidate| candidate.value).fold(f64::INFINITY, f64::min);
        let planned = |card: Card| {
            let known = candidate_for(view, candidates, card).map(|candidate| candidate.value);
            known.unwrap_or(if worst.is_finite() { worst - 20.0 } else { 0.0 })
        };
        let value = |line: &Line| (1.0 - share) * planned(line.card) + share * line.value;
        let best =
            lines.iter().max_by(|a, b| value(a).total_cmp(&value(b)).then(b.card.rank().cmp(&a.card.rank())));
        best.map(|line| line.card)
    }

    /// The card to play now with the plan behind it: what [`Player::play`] would play, for people. `None` if no layout agrees
    /// with what was seen.
    pub fn advise(&mut self, view: &PlayerView, history: &[Card]) -> Option<Advice> {
        let forced = no_choice(view).map(|choice| choice.card);
        let Decision { card, considered, lines, moves } = self.decide(view, history);
        let card = forced.unwrap_or(card);
        let considered = considered?;
        let chances = self.network.valuations(&considered);
        let describe = |candidate: &Candidate| {
            let made = candidate_for(view, &chances, candidate.card).map_or(0.0, |chance| chance.value);
            let searched = line_for(view, &lines, candidate.card);
            AdvisedCard {
                card: candidate.card,
                why: explain::sentence(&candidate.methods),
                score: candidate.value,
                valuation: made,
                searched: searched.map(|line| line.value),
            }
        };
        let cards: Vec<AdvisedCard> = considered.candidates.iter().map(describe).collect();
        let chosen = candidate_for(view, &considered.candidates, card);
        let valuation = candidate_for(view, &chances, card).map_or(0.0, |chance| chance.value);
        Some(Advice {
            card,
            why: chosen
                .map_or_else(|| "the search prefers it".to_owned(), |it| explain::sentence(&it.methods)),
            score: chosen.map_or(0.0, |it| it.value),
            valuation,
            line: self.network.line(card),
            considered: cards,
            moves,
            layouts: (considered.sample.layouts.len(), considered.sample.complete),
        })
    }
}

/// The candidate that begins with this card or one of equal worth, the best first.
fn candidate_for<'c>(view: &PlayerView, candidates: &'c [Candidate], card: Card) -> Option<&'c Candidate> {
    let equals = view.playing().touching(card, view.public().parting(view.playing()));
    let known = candidates.iter().filter(|known| known.card == card || equals.has(known.card));
    known.max_by(|a, b| a.value.total_cmp(&b.value))
}

fn line_for<'l>(view: &PlayerView, lines: &'l [Line], card: Card) -> Option<&'l Line> {
    let equals = view.playing().touching(card, view.public().parting(view.playing()));
    lines.iter().find(|line| line.card == card || equals.has(line.card))
}

impl Player for Planner {
    fn begin(&mut self, context: &DealContext) {
        self.network.begin(context);
        self.judge.begin(context);
    }

    fn play(&mut self, view: &PlayerView, history: &[Card]) -> Choice {
        if let Some(choice) = no_choice(view) {
            return choice;
        }
        let Decision { card, considered, lines, moves } = self.decide(view, history);
        self.judge.choose(card);
        let candidates = considered.as_ref().map_or(&[][..], |considered| &considered.candidates);
        let scheme = candidate_for(view, candidates, card).map(|it| explain::sentence(&it.methods));
        let mut why = scheme.unwrap_or_default();
        if let Some(line) = line_for(view, &lines, card) {
            let (comma, layouts) = (if why.is_empty() { "" } else { "; " }, self.judge.layouts());
            why += &format!("{comma}mean score {:+.0} over {layouts} layouts", line.value);
        }
        Choice { card, why, moves, replanned: true }
    }
}
