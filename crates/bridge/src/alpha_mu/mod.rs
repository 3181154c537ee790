//! Alpha-mu: declarer's best line over a set of layouts that declarer cannot tell apart.
//!
//! Double dummy over sampled layouts lets declarer choose another card in each of them ("strategy fusion", Frank and
//! Basin 1998). The alpha-mu search of Cazenave and Ventos (2019, 2021) does not: a card of declarer's is chosen once for
//! all layouts that look the same by then. The outcome of a line is a vector, one entry for each layout. At declarer's nodes the
//! Pareto fronts of the choices are united; at the defenders' nodes, where each layout may take another branch, they are
//! joined by the minimum. After a number of declarer's choices (the depth) double dummy values the rest. Depth one is Monte Carlo
//! with double dummy.
//!
//! Pruning: a card whose double-dummy outcome is dominated by what declarer has already is left out, since deeper search
//! only lowers it; a defenders' node ends as soon as nothing of it can improve declarer's choice (early cut, root cut);
//! double-dummy values are remembered ([`Oracle`]).
//!
//! A defender searches in the same way: the own cards are chosen once for all layouts that look the same, partner is trusted
//! to make the best of each layout, and declarer is feared to see it.
//!
//! Where we depart from the papers: outcomes are tricks, not only contracts made; defenders' cards that none of declarer's
//! lies between are one card; and the defenders only play cards that are best with all hands open,
//! unless told otherwise ([`Replies`]).

mod front;
mod oracle;

pub use front::{Front, Outcome};
pub use oracle::Oracle;

use counterplay_base::Budget;

use crate::card::{Card, Cards, Suit};
use crate::play::{Position, beats};
use crate::seat::Seat;

/// How far and how widely to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Declarer's choices before double dummy takes over.
    pub depth: u8,
    /// What the defenders may play.
    pub replies: Replies,
    /// The most outcomes that are kept of a front.
    pub front: usize,
    /// Once the solver has searched so many positions, nothing new is begun.
    pub nodes: u64,
}

/// The defenders' cards that are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replies {
    /// All that are best with all hands open; of those that declarer cannot tell apart, one.
    Best,
    /// All that are legal.
    All,
}

/// A layout with its weight.
pub type Layout = (Position, f64);

/// What a card comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub card: Card,
    /// The mean worth of the best outcome after this card.
    pub value: f64,
    /// That outcome: declarer's tricks in each layout.
    pub outcome: Outcome,
    /// How many of declarer's choices were searched; a card that was left out since it cannot be best has the value of
    /// a shallower search, which is an upper bound.
    pub depth: u8,
}

/// The search over some layouts.
pub struct AlphaMu<'a> {
    oracle: &'a mut Oracle,
    layouts: &'a [Layout],
    /// What a number of tricks of the player's side is worth, by tricks.
    worth: [f64; 14],
    player: Seat,
    settings: Settings,
    budget: &'a Budget,
    /// The search ends when the solver has searched so many positions.
    last_node: u64,
}

/// A layout's number and the position reached in it.
type World = (usize, Position);

/// A defender's card as declarer tells it apart: its suit, the highest card below it that declarer sees, and whether it is
/// the best card of the trick.
type Seen = (Suit, Option<Card>, bool);

/// What declarer can have elsewhere.
enum Alternative<'f> {
    /// Nothing is known yet.
    Unknown,
    /// These outcomes.
    Front(&'f Front),
    /// A mean worth; only at the root, where nothing but the mean counts.
    Mean(f64),
}

/// The search was ended by a limit.
struct Ended;

impl<'a> AlphaMu<'a> {
    /// A search over layouts that the player who is to decide cannot tell apart; `worth` values numbers of tricks of the
    /// player's side.
    pub fn new(
        oracle: &'a mut Oracle,
        layouts: &'a [Layout],
        worth: [f64; 14],
        settings: Settings,
        budget: &'a Budget,
    ) -> AlphaMu<'a> {
        let last_node = oracle.nodes().saturating_add(settings.nodes);
        let player = layouts.first().map_or(Seat::South, |(position, _)| position.public().decider());
        AlphaMu { oracle, layouts, worth, player, settings, budget, last_node }
    }

    /// The cards that differ, the best first. Depth one is always searched; each further depth only as far as the limits
    /// allow, and a depth that is not finished does not count.
    pub fn search(&mut self) -> Vec<Line> {
        let worlds: Vec<World> = self.layouts.iter().map(|&(position, _)| position).enumerate().collect();
        let mut lines = self.first_depth(&worlds);
        for depth in 2..=self.settings.depth {
            if lines.len() < 2 {
                break;
            }
            match self.deepen(&worlds, &lines, depth) {
                Ok(deeper) => lines = deeper,
                Err(Ended) => break,
            }
        }
        lines
    }

    fn first_depth(&mut self, worlds: &[World]) -> Vec<Line> {
        let mut lines: Vec<Line> = self
            .bounds(worlds)
            .into_iter()
            .map(|(card, outcome)| Line { card, value: self.mean(&outcome), outcome, depth: 1 })
            .collect();
        sort(&mut lines);
        lines
    }

    /// The same cards with declarer's next choices in mind.
    fn deepen(&mut self, worlds: &[World], lines: &[Line], depth: u8) -> Result<Vec<Line>, Ended> {
        let mut deeper: Vec<Line> = Vec::with_capacity(lines.len());
        let mut best = f64::NEG_INFINITY;
        for line in lines {
            // The shallower value is an upper bound, so a card that is below the best already cannot become the best.
            if line.value <= best {
                deeper.push(line.clone());
                continue;
            }
            let alternative = if best.is_finite() { Alternative::Mean(best) } else { Alternative::Unknown };
            let front = self.after(worlds, line.card, depth - 1, &alternative)?;
            let found = front.outcomes().iter().max_by(|a, b| self.mean(a).total_cmp(&self.mean(b)));
            let Some(outcome) = found.cloned() else { continue };
            // A search that was cut knows an upper bound only, and so does a shallower one.
            let value = self.mean(&outcome).min(line.value);
            best = best.max(value);
            deeper.push(Line { card: line.card, value, outcome, depth });
        }
        sort(&mut deeper);
        Ok(deeper)
    }

    /// The mean worth of an outcome over the layouts that are in question.
    fn mean(&self, outcome: &Outcome) -> f64 {
        let (mut sum, mut total) = (0.0, 0.0);
        for (&tricks, (_, weight)) in outcome.tricks().iter().zip(self.layouts) {
            if tricks != Outcome::ABSENT {
                sum += weight * self.worth[usize::from(tricks)];
                total += weight;
            }
        }
        if total > 0.0 { sum / total } else { 0.0 }
    }

    /// For each card of declarer's that differs from the others, the double-dummy outcome after it.
    fn bounds(&mut self, worlds: &[World]) -> Vec<(Card, Outcome)> {
        let cards = distinct(&worlds[0].1);
        let absent = Outcome::absent(self.layouts.len());
        let mut bounds: Vec<(Card, Outcome)> = cards.into_iter().map(|card| (card, absent.clone())).collect();
        for (number, position) in worlds {
            let side = Side::new(self.player, position);
            let values = self.oracle.values(position);
            for (card, outcome) in &mut bounds {
                let value = values.iter().find(|(known, _)| known == card);
                outcome.lower(*number, side.total(value.map_or(0, |&(_, tricks)| tricks)));
            }
        }
        bounds
    }

    fn check(&self) -> Result<(), Ended> {
        if self.oracle.nodes() >= self.last_node || self.budget.check().is_err() {
            Err(Ended)
        } else {
            Ok(())
        }
    }

    /// What declarer can have after this card.
    fn after(
        &mut self,
        worlds: &[World],
        card: Card,
        depth: u8,
        alternative: &Alternative,
    ) -> Result<Front, Ended> {
        let mut next = worlds.to_vec();
        next.iter_mut().for_each(|(_, position)| position.put(card));
        self.node(next, depth, alternative)
    }

    fn node(&mut self, mut worlds: Vec<World>, depth: u8, alternative: &Alternative) -> Result<Front, Ended> {
        loop {
            let position = &worlds[0].1;
            let public = position.public();
            if public.is_over() {
                let mut outcome = Outcome::absent(self.layouts.len());
                for (number, position) in &worlds {
                    outcome.lower(*number, Side::new(self.player, position).total(0));
                }
                return Ok(Front::one(outcome));
            }
            if public.decider() != self.player {
                return self.others(&worlds, depth, alternative);
            }
            let cards = distinct(position);
            if cards.len() > 1 {
                return self.own(&worlds, depth, alternative);
            }
            worlds.iter_mut().for_each(|(_, position)| position.put(cards[0]));
        }
    }

    /// The player chooses one card for all these layouts.
    fn own(&mut self, worlds: &[World], depth: u8, alternative: &Alternative) -> Result<Front, Ended> {
        self.check()?;
        let mut bounds = self.bounds(worlds);
        let mut front = Front::default();
        if depth <= 1 {
            bounds.into_iter().for_each(|(_, outcome)| front.insert(outcome));
            return Ok(front);
        }
        bounds.sort_by(|a, b| self.mean(&b.1).total_cmp(&self.mean(&a.1)));
        for (card, bound) in bounds {
            let known = match alternative {
                Alternative::Front(other) => other.dominates(&bound),
                Alternative::Mean(mean) if worlds.len() == self.layouts.len() => self.mean(&bound) <= *mean,
                _ => false,
            };
            if known && !front.outcomes().is_empty() || front.dominates(&bound) {
                continue;
            }
            let so_far = front.clone();
            let here =
                if so_far.outcomes().is_empty() { Alternative::Unknown } else { Alternative::Front(&so_far) };
            front.unite(self.after(worlds, card, depth - 1, &here)?);
        }
        let worth = |outcome: &Outcome| self.mean(outcome);
        front.truncate(self.settings.front, worth);
        Ok(front)
    }

    /// Another player chooses, in each layout for itself.
    fn others(&mut self, worlds: &[World], depth: u8, alternative: &Alternative) -> Result<Front, Ended> {
        self.check()?;
        let mut groups: Vec<(Seen, Vec<World>)> = Vec::new();
        let mut most = Outcome::absent(self.layouts.len());
        for &(number, position) in worlds {
            let (replies, bound) = self.replies(&position);
            most.lower(number, bound);
            for (seen, card) in replies {
                let mut next = position;
                next.put(card);
                match groups.iter_mut().find(|(known, _)| *known == seen) {
                    Some((_, group)) => group.push((number, next)),
                    None => groups.push((seen, vec![(number, next)])),
                }
            }
        }
        if groups.len() == 1 {
            let (_, group) = groups.remove(0);
            return self.node(group, depth, alternative);
        }
        // What decides most comes first, so that a cut comes early.
        groups.sort_by_key(|(_, group)| std::cmp::Reverse(group.len()));
        let mut joined: Option<Front> = None;
        for (_, group) in groups {
            let front = self.node(group, depth, &Alternative::Unknown)?;
            let mut front = joined.map_or_else(|| front.clone(), |joined| joined.join(&front));
            front.truncate(self.settings.front, |outcome| self.mean(outcome));
            // Layouts that are not in it yet may bring what double dummy says.
            let hoped = front.join(&Front::one(most.clone()));
            let hopeless = match alternative {
                Alternative::Unknown => false,
                Alternative::Front(other) => other.covers(&hoped),
                Alternative::Mean(mean) => self.best(&hoped) <= *mean,
            };
            if hopeless {
                return Ok(hoped);
            }
            joined = Some(front);
        }
        Ok(joined.unwrap_or_default())
    }

    /// The best mean worth of a front.
    fn best(&self, front: &Front) -> f64 {
        front.outcomes().iter().map(|outcome| self.mean(outcome)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The cards that the player on turn may choose in this layout, one for each that the player tells apart, and the most
    /// tricks that the player's side can take. Partner makes the best of the layout; the others make the worst.
    fn replies(&mut self, position: &Position) -> (Vec<(Seen, Card)>, u8) {
        let legal = position.legal();
        let player = self.player;
        let side = Side::new(player, position);
        let first = legal.lowest().expect("a player on turn has a card");
        let look = |card| seen(position, player, card);
        let partner = position.public().turn().is_with(player);
        let same = legal.iter().all(|card| look(card) == look(first));
        if same && self.settings.replies == Replies::Best {
            return (vec![(look(first), first)], side.most());
        }
        if self.settings.replies == Replies::All && !partner {
            return (legal.iter().map(|card| (look(card), card)).collect(), side.most());
        }
        let values = self.oracle.values(position);
        let totals = values.iter().map(|&(card, tricks)| (card, side.total(tricks)));
        let wanted =
            if partner { totals.map(|it| it.1).max() } else { totals.map(|it| it.1).min() }.unwrap_or(0);
        let best = |card: &Card| {
            values.iter().any(|&(known, tricks)| known == *card && side.total(tricks) == wanted)
        };
        let mut replies: Vec<(Seen, Card)> = Vec::new();
        for card in legal.iter().filter(best) {
            if !replies.iter().any(|(known, _)| *known == look(card)) {
                replies.push((look(card), card));
            }
        }
        // Partner's choice is one card, not the worst of several.
        replies.truncate(if partner { 1 } else { replies.len() });
        (replies, wanted)
    }
}

/// Tricks from the side of one player.
struct Side {
    declares: bool,
    won: u8,
    left: u8,
}

impl Side {
    fn new(player: Seat, position: &Position) -> Side {
        let public = position.public();
        let declares = public.is_ours(player);
        let won = if declares { public.declarer_tricks() } else { public.defence_tricks() };
        Side { declares, won, left: 13 - public.tricks_played() }
    }

    /// The side's tricks at the end if declarer takes so many of those that are left.
    fn total(&self, declarers: u8) -> u8 {
        self.won + if self.declares { declarers } else { self.left - declarers.min(self.left) }
    }

    /// The side's tricks if it takes all that are left.
    fn most(&self) -> u8 {
        self.won + self.left
    }
}

/// The best first; of equals the lower card.
fn sort(lines: &mut [Line]) {
    lines.sort_by(|a, b| {
        b.value
            .total_cmp(&a.value)
            .then(a.card.rank().cmp(&b.card.rank()))
            .then(a.card.suit().cmp(&b.card.suit()))
    });
}

/// The cards that the player on turn may play, one of each group of equals.
pub fn distinct(position: &Position) -> Vec<Card> {
    let public = position.public();
    let hand = position.hand(public.turn());
    let between = public.parting(hand);
    let mut left = position.legal();
    let mut cards = Vec::new();
    while let Some(card) = left.lowest() {
        cards.push(card);
        left = left.minus(hand.touching(card, between)).without(card);
    }
    cards
}

/// A card as the player sees it who does not hold it.
fn seen(position: &Position, player: Seat, card: Card) -> Seen {
    let public = position.public();
    let open = [player, if public.is_ours(player) { player.partner() } else { public.dummy() }];
    let visible = open.iter().fold(Cards::NONE, |visible, &seat| visible.and(position.hand(seat)));
    let visible = open.iter().filter_map(|&seat| public.trick().card_of(seat)).fold(visible, Cards::with);
    let best = public.trick().best(public.trump());
    let wins = best.is_none_or(|(_, best)| beats(card, best, public.trump()));
    // Dummy's cards lie open.
    let below = if public.turn() == public.dummy() { Some(card) } else { visible.below(card).highest() };
    (card.suit(), below, wins)
}
