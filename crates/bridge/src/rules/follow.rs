//! Declarer's side following to a trick: second hand low, third hand as planned, fourth hand cheap; the hold-up.

use crate::card::{Card, Cards, Suit};
use crate::play::beats;
use crate::rules::outlook::Ours;

/// The hand on turn plays second: an opponent led.
pub(super) fn second(ours: &Ours<'_>, legal: Cards) -> Card {
    let led = ours.public.trick().suit().expect("the trick has a lead");
    if ours.here.is_void(led) {
        return ruff_or_discard(ours);
    }
    let (_, best) = ours.public.trick().best(ours.public.trump()).expect("the trick has a lead");
    let low = legal.lowest().expect("a legal card");
    let partner_can = ours.there.of(led).above(best).highest();
    if hold_up(ours, led) {
        return low;
    }
    let beating = legal.above(best);
    match partner_can {
        // Partner has the suit stopped for now: low, unless an honour here can win for nothing.
        Some(card) if ours.beaten_by(card) == 0 => {
            let free = beating.iter().find(|&card| ours.beaten_by(card) == 1 && card.rank().number() >= 10);
            let other_top = ours.winners(ours.here, led).len();
            free.filter(|_| other_top == 0 && legal.len() == 2).unwrap_or(low)
        }
        Some(card) if ours.there.count(led) > 1 && ours.beaten_by(card) == 1 && !beating.is_empty() => low,
        _ => beating
            .iter()
            .find(|&card| ours.beaten_by(card) == 0)
            .or_else(|| beating.iter().find(|&card| ours.beaten_by(card) == 1))
            .unwrap_or(low),
    }
}

/// The hand on turn plays third: our own side led.
pub(super) fn third(ours: &Ours<'_>, legal: Cards) -> Card {
    let trump = ours.public.trump();
    let led = ours.public.trick().suit().expect("the trick has a lead");
    let (winner, best) = ours.public.trick().best(trump).expect("two cards lie");
    let low = legal.lowest().expect("a legal card");
    if ours.here.is_void(led) {
        let winning = ours.public.is_ours(winner) && ours.beaten_by(best) == 0 && ours.trumps_out() == 0;
        return if winning { discard(ours) } else { ruff_or_discard(ours) };
    }
    if best.suit() != led {
        return low;
    }
    if ours.public.is_ours(winner) {
        let stays = ours.out.above(best).is_empty();
        if stays || ours.here.of(led).above(best).is_empty() {
            return unblock(ours, legal, best, stays).unwrap_or(low);
        }
        // A high card was led through the missing one: run it, unless only the top will do.
        let group = ours.here.and(best.alone()).touching(best, ours.out);
        if group.len() > 1 || ours.out.count(led) > 1 {
            return low;
        }
    }
    let beating = legal.above(best);
    if beating.is_empty() {
        return low;
    }
    let sure = beating.iter().find(|&card| ours.beaten_by(card) == 0);
    let finesse = beating.iter().find(|&card| ours.beaten_by(card) == 1);
    let small_left = ours.out.count(led);
    match (finesse, sure) {
        // One card is still out: the drop is a little better than the finesse.
        (Some(_), Some(sure)) if small_left <= 1 => sure,
        (Some(finesse), _) => finesse,
        (None, Some(sure)) => sure,
        (None, None) => deep(ours, beating),
    }
}

/// With two or more cards missing above: the lowest of the highest group.
fn deep(ours: &Ours<'_>, beating: Cards) -> Card {
    let top = beating.highest().expect("something beats");
    beating.touching(top, ours.out).lowest().expect("the top touches itself")
}

/// Throws a high card away that would block the longer hand opposite.
fn unblock(ours: &Ours<'_>, legal: Cards, best: Card, stays: bool) -> Option<Card> {
    let suit = best.suit();
    let here = ours.here.of(suit);
    let there = ours.there.of(suit);
    let high = legal.above(best).highest().or(legal.highest())?;
    let blocks = here.len() <= 2 && there.len() >= here.len() && ours.beaten_by(high) == 0;
    let spare = ours.winners(there, suit).len() + 1 >= here.len() && there.len() > here.len();
    (stays && blocks && spare && ours.winners(here, suit).len() == here.len()).then_some(high)
}

/// The hand on turn plays last.
pub(super) fn fourth(ours: &Ours<'_>, legal: Cards) -> Card {
    let trump = ours.public.trump();
    let led = ours.public.trick().suit().expect("the trick has a lead");
    let (winner, best) = ours.public.trick().best(trump).expect("three cards lie");
    let low = legal.lowest().expect("a legal card");
    if ours.here.is_void(led) {
        return if ours.public.is_ours(winner) { discard(ours) } else { ruff_or_discard(ours) };
    }
    if ours.public.is_ours(winner) || best.suit() != led || hold_up(ours, led) {
        return low;
    }
    legal.above(best).lowest().unwrap_or(low)
}

/// Whether to let them have the trick: one stopper in a notrump contract, kept until seven less our cards in the suit.
fn hold_up(ours: &Ours<'_>, led: Suit) -> bool {
    if ours.public.trump().is_some() || ours.public.lead().is_none_or(|lead| lead.suit() != led) {
        return false;
    }
    let both = ours.both();
    let stoppers = ours.winners(both, led).len();
    if stoppers != 1 || ours.sure() >= usize::from(ours.public.needed()) {
        return false;
    }
    let second_stopper = both.of(led).iter().filter(|&card| ours.beaten_by(card) == 1).count();
    let played_ours =
        [ours.public.declarer(), ours.public.dummy()].map(|seat| ours.public.played_by(seat).count(led));
    let length = both.count(led) + played_ours[0] + played_ours[1];
    let rounds = played_ours[0].max(played_ours[1]);
    second_stopper == 0 && rounds + length < 7 && ours.public.to_set() > 1
}

/// Void in the suit led: ruff with the lowest trump that wins, else discard.
fn ruff_or_discard(ours: &Ours<'_>) -> Card {
    let trump = ours.public.trump();
    if let Some(trump) = trump {
        let best = ours.public.trick().best(Some(trump));
        let wins = |card: &Card| best.is_none_or(|(_, best)| beats(*card, best, Some(trump)));
        if let Some(ruff) = ours.here.of(trump).iter().find(wins) {
            return ruff;
        }
    }
    discard(ours)
}

/// The least useful card: the lowest of the suit that promises least.
pub(super) fn discard(ours: &Ours<'_>) -> Card {
    let trump = ours.public.trump();
    let cost = |suit: Suit| {
        let here = ours.here.of(suit);
        let winners = ours.winners(here, suit).len();
        let outlook = ours.outlook(suit);
        let small = here.len() - winners;
        let length_counts =
            here.len() >= ours.there.count(suit) && outlook.promised > winners.max(outlook.sure);
        let guards_needed = ours.winners(ours.there, suit).len();
        let mut cost = if small == 0 { 100 } else { 0 };
        if length_counts {
            cost += 20 + 5 * outlook.promised as i32;
        }
        if guards_needed > 0 && here.len() <= 1 {
            cost += 10;
        }
        // A guarded honour keeps its guards.
        if here.iter().any(|card| {
            ours.beaten_by(card) > 0
                && ours.beaten_by(card) < here.len()
                && here.len() <= ours.beaten_by(card) + 1
        }) {
            cost += 15;
        }
        cost - here.len() as i32
    };
    let held = Suit::DOWN.into_iter().filter(|&suit| !ours.here.is_void(suit) && Some(suit) != trump);
    let suit = held.min_by_key(|&suit| cost(suit)).or(trump).expect("a player on turn has a card");
    ours.here.of(suit).lowest().expect("the suit is held")
}
