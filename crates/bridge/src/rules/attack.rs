//! How to work on one suit: finesse, lead towards honours, play a sequence, duck, cash.

use crate::card::{Card, Cards};
use crate::rules::declare::cross;
use crate::rules::outlook::{Ours, Outlook};

/// The card that starts work on a suit from the hand on lead, or the crossing that comes before; `None` where the
/// suit cannot be reached.
pub(super) fn attack(ours: &Ours<'_>, outlook: &Outlook) -> Option<Card> {
    let suit = outlook.suit;
    let (here, there) = (ours.here.of(suit), ours.there.of(suit));
    if here.is_empty() {
        return cross(ours, Some(suit));
    }
    if ours.out.of(suit).is_empty() {
        return ours.winners(here, suit).highest();
    }
    if let Some(finesse) = ours.tenace(there, here) {
        return Some(towards(ours, here, there, finesse));
    }
    if ours.tenace(here, there).is_some() {
        // The tenace is in the hand on lead: go to the other side first, if there is a way.
        let top_of_sequence = sequence(ours, here, there);
        if top_of_sequence.is_none()
            && let Some(crossing) = cross(ours, Some(suit)).or_else(|| cross_in(ours, here, there))
        {
            return Some(crossing);
        }
    }
    if let Some(card) = sequence(ours, here, there) {
        return Some(card);
    }
    let tops = ours.winners(here.and(there), suit).len();
    if tops > 0 {
        let long = if here.len() >= there.len() { here } else { there };
        let entries = cross(ours, Some(suit)).is_some();
        // Keep the tops as entries where the long hand has no other: lose the first round.
        if outlook.losers > 0 && !entries && ours.winners(long, suit).len() == tops {
            return here.lowest();
        }
        if let Some(winner) = ours.winners(here, suit).highest() {
            return Some(winner);
        }
        return here.lowest();
    }
    here.lowest()
}

/// Low towards the finesse, or an honour that promotes its neighbours when covered.
fn towards(ours: &Ours<'_>, here: Cards, there: Cards, finesse: Card) -> Card {
    let low = here.lowest().expect("the suit is held");
    let group = here.and(there).touching(finesse, ours.out);
    let honours = here.common(group);
    // With the next cards as well, leading the honour costs nothing and keeps the lead on this side.
    if group.len() >= 3
        && let Some(honour) = honours.highest()
        && here.len() > 1
    {
        return honour;
    }
    low
}

/// The top of a sequence that sets up tricks by driving out what beats it.
fn sequence(ours: &Ours<'_>, here: Cards, there: Cards) -> Option<Card> {
    let both = here.and(there);
    let key = ours.out.common(both_suit(both)).highest()?;
    let top = both.below(key).highest()?;
    let group = both.touching(top, ours.out);
    if group.len() < 2 || !both.above(key).is_empty() && group.len() < 3 {
        return None;
    }
    let mine = here.common(group);
    // From the short side first, so that the suit does not block.
    mine.highest().filter(|_| here.len() <= there.len() || there.common(group).is_empty()).or_else(|| {
        let low = here.minus(group).lowest();
        low.or(mine.highest())
    })
}

fn both_suit(both: Cards) -> Cards {
    both.lowest().map_or(Cards::NONE, |card| Cards::PACK.of(card.suit()))
}

/// Crosses inside the suit itself, to a top card opposite.
fn cross_in(ours: &Ours<'_>, here: Cards, there: Cards) -> Option<Card> {
    let suit = here.lowest()?.suit();
    let top = ours.winners(there, suit).highest()?;
    here.below(top).lowest().filter(|_| there.len() > 1)
}
