//! Declarer play by rule: count the sure tricks, cash them if they are enough, otherwise set up the best suit.

use crate::card::{Card, Cards, Suit};
use crate::play::PublicState;
use crate::rules::attack::attack;
use crate::rules::follow;
use crate::rules::outlook::{Ours, Outlook};

/// What declarer has in mind: the suits to work on first. The rules decide on the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Intent {
    /// Worked on before all others, as long as it promises something.
    pub suit: Option<Suit>,
}

/// The card that declarer plays by rule from the hand on turn; `hand` is declarer's own.
pub fn declare(public: &PublicState, hand: Cards, intent: Intent) -> Card {
    let ours = Ours::new(public, hand);
    let legal = public.legal(ours.here);
    let only = legal.lowest().expect("a player on turn has a card");
    if legal.len() == 1 {
        return only;
    }
    match public.trick().len() {
        0 => on_lead(&ours, intent),
        1 => follow::second(&ours, legal),
        2 => follow::third(&ours, legal),
        _ => follow::fourth(&ours, legal),
    }
}

fn on_lead(ours: &Ours<'_>, intent: Intent) -> Card {
    let outlooks = Suit::DOWN.map(|suit| ours.outlook(suit));
    let sure: usize = outlooks.iter().map(|outlook| outlook.sure).sum();
    let needed = usize::from(ours.public.needed()).max(1);
    if let Some(trump) = ours.public.trump()
        && let Some(card) = trump_lead(ours, trump)
    {
        return card;
    }
    if sure < needed || intent.suit.is_some() {
        let wanted = intent
            .suit
            .and_then(|suit| outlooks.iter().find(|outlook| outlook.suit == suit && outlook.gain() > 0.0));
        let choice = if sure < needed { wanted.or_else(|| best(&outlooks)) } else { None };
        if let Some(outlook) = choice
            && let Some(card) = attack(ours, outlook)
        {
            return card;
        }
    }
    cash(ours).unwrap_or_else(|| exit(ours, &outlooks))
}

/// The suit with most to gain for least loss.
fn best(outlooks: &[Outlook; 4]) -> Option<&Outlook> {
    let merit =
        |outlook: &Outlook| outlook.gain() - 0.3 * outlook.losers as f64 + 0.01 * outlook.length as f64;
    outlooks.iter().filter(|outlook| outlook.gain() > 0.0).max_by(|a, b| merit(a).total_cmp(&merit(b)))
}

/// Draws trumps while the defenders have some that we can beat.
fn trump_lead(ours: &Ours<'_>, trump: Suit) -> Option<Card> {
    let out = ours.out.of(trump);
    if out.is_empty() {
        return None;
    }
    let here = ours.here.of(trump);
    let there = ours.there.of(trump);
    let short = if ours.here.count(trump) < ours.there.count(trump) { ours.here } else { ours.there };
    let long = if ours.here.count(trump) < ours.there.count(trump) { ours.there } else { ours.here };
    let ruff = Suit::DOWN.into_iter().find(|&suit| {
        suit != trump
            && short.count(suit) < 2
            && long.count(suit) > short.count(suit) + ours.winners(long, suit).len()
    });
    if let Some(suit) = ruff
        && !short.is_void(trump)
        && short.count(trump) <= 3
    {
        // A ruff in the short hand is a trick: lead the suit towards it.
        if short.is_void(suit) && !ours.here.is_void(suit) && ours.here == long {
            return ours.here.of(suit).lowest();
        }
        if !short.is_void(suit) && !ours.here.is_void(suit) {
            return ours.winners(ours.here, suit).highest().or(ours.here.of(suit).lowest());
        }
    }
    let winners = ours.winners(ours.here.and(ours.there), trump);
    if out.len() == 1 && winners.is_empty() {
        return None;
    }
    if here.is_empty() {
        return None;
    }
    if let Some(card) = ours.winners(ours.here, trump).highest() {
        return Some(card);
    }
    if !ours.winners(ours.there, trump).is_empty() || there.len() + here.len() > out.len() {
        let outlook = ours.outlook(trump);
        return attack(ours, &outlook).or(here.lowest());
    }
    None
}

/// Cashes a winner of the hand on lead, or crosses to one opposite.
pub(super) fn cash(ours: &Ours<'_>) -> Option<Card> {
    let trump = ours.public.trump();
    let safe = |suit: Suit| {
        ours.trumps_out() == 0
            || Some(suit) == trump
            || ours.likely_longest(suit) * 2 <= ours.out.count(suit) + 1
    };
    let mut best: Option<(i32, Card)> = None;
    for suit in Suit::DOWN {
        let here = ours.here.of(suit);
        let there = ours.there.of(suit);
        let Some(winner) = ours.winners(here, suit).highest() else { continue };
        if !safe(suit) {
            continue;
        }
        let other_winners = ours.winners(there, suit).len();
        // First the suit whose winners are in the way of longer ones opposite; last the suit that is the link.
        let unblocks =
            here.len() <= there.len() && other_winners + here.len() > 1 && there.len() > here.len();
        let is_link =
            other_winners > 0 && here.iter().any(|card| !ours.winners(there, suit).above(card).is_empty());
        let stranded = Suit::DOWN.into_iter().any(|other| {
            other != suit && !ours.winners(ours.there, other).is_empty() && ours.here.is_void(other)
        });
        let rank = if unblocks {
            3
        } else if is_link && stranded {
            0
        } else {
            2
        };
        let rank = 10 * rank + here.len() as i32;
        if best.is_none_or(|(known, _)| rank > known) {
            best = Some((rank, winner));
        }
    }
    if let Some((_, card)) = best {
        return Some(card);
    }
    cross(ours, None)
}

/// A low card to a winner opposite, in another suit than `not`.
pub(super) fn cross(ours: &Ours<'_>, not: Option<Suit>) -> Option<Card> {
    let crossings = Suit::DOWN.into_iter().filter(|&suit| Some(suit) != not).filter_map(|suit| {
        let winner = ours.winners(ours.there, suit).highest()?;
        let low = ours.here.below(winner).lowest()?;
        Some((ours.winners(ours.there, suit).len() + ours.there.count(suit), low))
    });
    crossings.max_by_key(|&(surplus, _)| surplus).map(|(_, card)| card)
}

/// Nothing to cash and nothing to set up: the longest suit, from the bottom.
fn exit(ours: &Ours<'_>, outlooks: &[Outlook; 4]) -> Card {
    let suit = outlooks
        .iter()
        .filter(|outlook| !ours.here.is_void(outlook.suit))
        .max_by_key(|outlook| (outlook.promised, outlook.length))
        .map(|outlook| outlook.suit)
        .expect("a player on lead has a card");
    ours.here.of(suit).lowest().expect("the suit is held")
}
