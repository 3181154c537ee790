//! The best play in words.

use crate::card::Rank;
use crate::suit::bits::Bits;
use crate::suit::solve::{Deed, Knowledge, SuitSearch, UnderWay};

/// One round of the suit, as played while the defenders follow low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Whether the round is led from North; from South otherwise.
    pub from_north: bool,
    pub led: Rank,
    /// The card of the other hand, if it has one.
    pub then: Option<Rank>,
    /// Whether no missing card beats our higher card.
    pub certain: bool,
}

impl Step {
    /// As a player says it.
    pub fn words(&self) -> String {
        let (from, to) = if self.from_north { ("North", "South") } else { ("South", "North") };
        let led = self.led.name();
        match self.then {
            Some(then) if then > self.led && self.certain => {
                format!("lead the {led} from {from} to the {}", then.name())
            }
            Some(then) if then > self.led => {
                format!("lead the {led} from {from} and finesse the {} in {to}", then.name())
            }
            _ if self.certain => format!("cash the {led} from {from}"),
            Some(then) => format!("lead the {led} from {from} and play the {} from {to}", then.name()),
            None => format!("lead the {led} from {from}"),
        }
    }
}

fn rank(number: u8) -> Rank {
    Rank::from_letter(crate::card::RANKS[usize::from(number) - 2]).expect("a card has a rank")
}

/// The steps of a plan that wins `wanted`, as long as the defenders follow with their lowest.
pub(super) fn follow(search: &mut SuitSearch<'_>, start: Knowledge, wanted: Bits) -> Vec<Step> {
    let mut steps = Vec::new();
    let (mut know, mut wanted) = (start, wanted);
    while know.need > 0 && know.hands != [0, 0] && !wanted.is_empty() && steps.len() < 13 {
        let Some((step, next, left)) = round(search, &know, wanted) else { break };
        steps.push(step);
        (know, wanted) = (next, left);
    }
    steps
}

/// One round that keeps `wanted` won, what is known after it, and what is still to be won.
fn round(search: &mut SuitSearch<'_>, know: &Knowledge, wanted: Bits) -> Option<(Step, Knowledge, Bits)> {
    let possible = know.possible(search.missing);
    let top = top_left(search, know);
    let (leader, card) = lead(search, know, possible, wanted)?;
    let next = know.without(leader, card);
    let (deed, able) = lowest(search, &next, possible, wanted, 1 - leader)?;
    let theirs = deed.map_or(0, |group| search.missing.groups[group].0);
    let trick = UnderWay { leader, ours: card, theirs };
    let next = next.after(1 - leader, deed);
    let (then, ours, next) = third(search, &next, able, wanted.and(able), trick)?;
    let (deed, able) = lowest(search, &next, able, wanted, leader)?;
    let theirs = theirs.max(deed.map_or(0, |group| search.missing.groups[group].0));
    let mut after = next.after(leader, deed);
    if ours > theirs {
        after.need -= 1;
    }
    let step = Step { from_north: leader == 0, led: rank(card), then: then.map(rank), certain: ours > top };
    Some((step, after, wanted.and(able)))
}

/// The lead that keeps `wanted` won: the hand (0 north, 1 south) and the rank.
pub(super) fn lead(
    search: &mut SuitSearch<'_>,
    know: &Knowledge,
    possible: Bits,
    wanted: Bits,
) -> Option<(usize, u8)> {
    let top = top_left(search, know);
    // Winners first: a plan that may as well cash as lead towards a winner cashes.
    let (winners, others): (Vec<_>, Vec<_>) =
        leads(search, know).into_iter().partition(|&(_, card)| card > top);
    let mut all = winners.into_iter().chain(others);
    all.find(|&(leader, card)| search.after_lead(know, possible, leader, card).covers(wanted))
}

/// The cards that may be led, high ones first: the hand (0 north, 1 south) and the rank.
fn leads(search: &SuitSearch<'_>, know: &Knowledge) -> Vec<(usize, u8)> {
    let of = |leader: usize| {
        know.distinct(search.missing, leader, 0).into_iter().rev().map(move |card| (leader, card))
    };
    (0..2).flat_map(of).collect()
}

/// The card of the third hand that keeps `wanted` won, our best card in the trick, and what is known then.
pub(super) fn third(
    search: &mut SuitSearch<'_>,
    know: &Knowledge,
    able: Bits,
    wanted: Bits,
    trick: UnderWay,
) -> Option<(Option<u8>, u8, Knowledge)> {
    let hand = 1 - trick.leader;
    let cards = know.distinct(search.missing, hand, trick.theirs);
    if cards.is_empty() {
        return Some((None, trick.ours, know.clone()));
    }
    cards.into_iter().find_map(|card| {
        let after = know.without(hand, card);
        let played = UnderWay { ours: trick.ours.max(card), ..trick };
        search.fourth(&after, able, played).covers(wanted).then_some((Some(card), played.ours, after))
    })
}

/// The lowest card that a defender has in some layout still wanted.
fn lowest(
    search: &SuitSearch<'_>,
    know: &Knowledge,
    possible: Bits,
    wanted: Bits,
    defender: usize,
) -> Option<(Deed, Bits)> {
    let deeds = (0..search.missing.groups.len()).rev().map(Some).chain([None]);
    let ables = deeds.map(|deed| (deed, know.able(search.missing, possible, defender, deed)));
    ables.into_iter().find(|(_, able)| !able.and(wanted).is_empty())
}

/// The highest card still missing.
fn top_left(search: &SuitSearch<'_>, know: &Knowledge) -> u8 {
    let groups = &search.missing.groups;
    let left = |group: &usize| know.played[0][*group] + know.played[1][*group] < groups[*group].1;
    (0..groups.len()).find(left).map_or(0, |group| groups[group].0)
}
