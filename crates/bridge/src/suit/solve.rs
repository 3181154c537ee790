//! The search over declarer's knowledge.

use std::rc::Rc;

use counterplay_base::{Budget, Limit, Verdict};
use rustc_hash::FxHashMap;

use crate::suit::bits::{Bits, ParetoFront};
use crate::suit::cards::{DIVISIONS, Missing, SuitHolding};
use crate::suit::line::{self, Step};
use crate::suit::strategy::SuitStrategy;

/// The best play for a number of tricks.
#[derive(Clone, Debug, PartialEq)]
pub struct SuitAnswer {
    /// At least so many tricks are wanted.
    pub tricks: usize,
    /// In how many of the [`DIVISIONS`] of the defenders' cards they are taken, against best defence.
    pub ways: u64,
    /// The chance of at least so many, against best defence.
    pub chance: f64,
    /// How to play while the defenders follow with their lowest cards.
    pub line: Vec<Step>,
}

/// Finds the best play for at least `tricks` tricks.
pub fn best_play(holding: &SuitHolding, tricks: usize, budget: &Budget) -> Verdict<SuitAnswer> {
    let missing = Missing::new(holding);
    let mut search = SuitSearch::new(&missing, budget);
    match search.best(holding, tricks) {
        Ok((answer, _)) => Verdict::Solved(answer),
        Err(limit) => Verdict::Stopped(limit),
    }
}

/// Finds the best play for at least `tricks` tricks, with declarer's card in every situation that comes up in a layout it wins.
pub fn best_strategy(
    holding: &SuitHolding,
    tricks: usize,
    budget: &Budget,
) -> Verdict<(SuitAnswer, SuitStrategy)> {
    let missing = Missing::new(holding);
    let mut search = SuitSearch::new(&missing, budget);
    let found = search.best(holding, tricks).and_then(|(answer, wanted)| {
        let start = Knowledge::start(holding, missing.groups.len(), tricks);
        let strategy = SuitStrategy::extract(&mut search, start, &answer, wanted)?;
        Ok((answer, strategy))
    });
    match found {
        Ok(found) => Verdict::Solved(found),
        Err(limit) => Verdict::Stopped(limit),
    }
}

/// What declarer knows between two tricks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Knowledge {
    /// North's and South's cards.
    pub(super) hands: [u16; 2],
    /// Cards of each group that west and east have played.
    pub(super) played: [Vec<u8>; 2],
    /// Whether west and east have shown out.
    pub(super) out: [bool; 2],
    pub(super) need: usize,
}

/// A trick under way: who led, the best card of ours and of theirs.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnderWay {
    /// 0 for north, 1 for south.
    pub(super) leader: usize,
    pub(super) ours: u8,
    pub(super) theirs: u8,
}

/// What a defender may do: a card of a group, or show out.
pub(super) type Deed = Option<usize>;

impl Knowledge {
    fn start(holding: &SuitHolding, groups: usize, need: usize) -> Knowledge {
        Knowledge { hands: holding.hands, played: [vec![0; groups], vec![0; groups]], out: [false; 2], need }
    }

    /// How many cards of `group` a defender (0 west, 1 east) has left in a layout.
    fn left(&self, missing: &Missing, layout: usize, defender: usize, group: usize) -> u8 {
        let west = missing.west[layout][group];
        let held = if defender == 0 { west } else { missing.groups[group].1 - west };
        held.saturating_sub(self.played[defender][group])
    }

    /// Whether a layout agrees with the cards played.
    fn agrees(&self, missing: &Missing, layout: usize) -> bool {
        (0..2).all(|defender| {
            let mut any_left = false;
            for group in 0..missing.groups.len() {
                let west = missing.west[layout][group];
                let held = if defender == 0 { west } else { missing.groups[group].1 - west };
                if held < self.played[defender][group] {
                    return false;
                }
                any_left |= held > self.played[defender][group];
            }
            !(self.out[defender] && any_left)
        })
    }

    pub(super) fn possible(&self, missing: &Missing) -> Bits {
        (0..missing.west.len())
            .filter(|&layout| self.agrees(missing, layout))
            .fold(Bits::default(), Bits::with)
    }

    /// The layouts among `set` in which a defender can do something.
    pub(super) fn able(&self, missing: &Missing, set: Bits, defender: usize, deed: Deed) -> Bits {
        let can = |&layout: &usize| match deed {
            Some(group) => self.left(missing, layout, defender, group) > 0,
            None => (0..missing.groups.len()).all(|group| self.left(missing, layout, defender, group) == 0),
        };
        set.iter().take_while(|&at| at < missing.west.len()).filter(can).fold(Bits::default(), Bits::with)
    }

    /// After a defender did something.
    pub(super) fn after(&self, defender: usize, deed: Deed) -> Knowledge {
        let mut next = self.clone();
        match deed {
            Some(group) => next.played[defender][group] += 1,
            None => next.out[defender] = true,
        }
        next
    }

    /// After one of our hands played a card.
    pub(super) fn without(&self, hand: usize, card: u8) -> Knowledge {
        let mut next = self.clone();
        next.hands[hand] &= !(1 << card);
        next
    }

    /// Cards of a hand that differ in effect: the lowest of each run that neither a missing card parts nor the card
    /// `on_table` (0 for none).
    pub(super) fn distinct(&self, missing: &Missing, hand: usize, on_table: u8) -> Vec<u8> {
        let gone = |group: usize| self.played[0][group] + self.played[1][group] >= missing.groups[group].1;
        let mut cards: Vec<u8> = Vec::new();
        for rank in (2..=14u8).filter(|rank| self.hands[hand] >> rank & 1 == 1) {
            let parted = cards.last().is_none_or(|&below| {
                (below..rank).contains(&on_table)
                    || (0..missing.groups.len()).any(|group| {
                        let at = missing.groups[group].0;
                        !gone(group) && below < at && at < rank
                    })
            });
            if parted {
                cards.push(rank);
            }
        }
        cards
    }
}

pub(super) struct SuitSearch<'a> {
    pub(super) missing: &'a Missing,
    memo: FxHashMap<Knowledge, Rc<ParetoFront>>,
    budget: &'a Budget,
    /// The limit that was reached; what was found since then counts for nothing.
    pub(super) stopped: Option<Limit>,
}

impl<'a> SuitSearch<'a> {
    fn new(missing: &'a Missing, budget: &'a Budget) -> SuitSearch<'a> {
        SuitSearch { missing, memo: FxHashMap::default(), budget, stopped: None }
    }

    /// The best play, and the layouts that it wins.
    fn best(&mut self, holding: &SuitHolding, tricks: usize) -> Result<(SuitAnswer, Bits), Limit> {
        let start = Knowledge::start(holding, self.missing.groups.len(), tricks);
        let front = self.front(&start);
        let best = front.sets().iter().copied().max_by_key(|&set| self.missing.ways(set)).unwrap_or_default();
        let line = line::follow(self, start, best);
        if let Some(limit) = self.stopped {
            return Err(limit);
        }
        let ways = self.missing.ways(best);
        Ok((SuitAnswer { tricks, ways, chance: ways as f64 / DIVISIONS as f64, line }, best))
    }

    /// The winnable sets of layouts between two tricks.
    pub(super) fn front(&mut self, know: &Knowledge) -> Rc<ParetoFront> {
        if let Some(known) = self.memo.get(know) {
            return known.clone();
        }
        let possible = know.possible(self.missing);
        let rounds = know.hands.iter().map(|hand| hand.count_ones() as usize).max().unwrap_or(0);
        if self.stopped.is_none() {
            self.stopped = self.budget.check().err();
        }
        let front = if know.need == 0 {
            ParetoFront::of(possible)
        } else if rounds < know.need || possible.is_empty() || self.stopped.is_some() {
            ParetoFront::of(Bits::default())
        } else {
            self.lead(know, possible)
        };
        let front = Rc::new(front);
        self.memo.insert(know.clone(), front.clone());
        front
    }

    fn lead(&mut self, know: &Knowledge, possible: Bits) -> ParetoFront {
        let mut front = ParetoFront::of(Bits::default());
        for leader in 0..2 {
            for card in know.distinct(self.missing, leader, 0) {
                for &set in self.after_lead(know, possible, leader, card).sets() {
                    front.add(set);
                }
                if front.covers(possible) {
                    return front;
                }
            }
        }
        front
    }

    /// We lead a card: the next defender plays.
    pub(super) fn after_lead(
        &mut self,
        know: &Knowledge,
        possible: Bits,
        leader: usize,
        card: u8,
    ) -> ParetoFront {
        let next = know.without(leader, card);
        // East sits after north, west after south.
        let defender = 1 - leader;
        let trick = UnderWay { leader, ours: card, theirs: 0 };
        self.defender(&next, possible, defender, |search, know, able, deed| {
            let theirs = deed.map_or(0, |group| search.missing.groups[group].0);
            search.third(know, able, UnderWay { theirs, ..trick })
        })
    }

    /// A defender plays: all that he can do must be answered.
    fn defender(
        &mut self,
        know: &Knowledge,
        possible: Bits,
        defender: usize,
        answer: impl Fn(&mut Self, &Knowledge, Bits, Deed) -> ParetoFront,
    ) -> ParetoFront {
        let mut front = ParetoFront::of(possible);
        let deeds = (0..self.missing.groups.len()).map(Some).chain([None]);
        for deed in deeds {
            let able = know.able(self.missing, possible, defender, deed);
            if able.is_empty() {
                continue;
            }
            let answers = answer(self, &know.after(defender, deed), able, deed);
            front = front.meet(&answers, able);
        }
        front
    }

    /// Our other hand plays third, or has none of the suit.
    pub(super) fn third(&mut self, know: &Knowledge, possible: Bits, trick: UnderWay) -> ParetoFront {
        let hand = 1 - trick.leader;
        let cards = know.distinct(self.missing, hand, trick.theirs);
        if cards.is_empty() {
            return self.fourth(know, possible, trick);
        }
        let mut front = ParetoFront::empty();
        for card in cards {
            let after = know.without(hand, card);
            let played = UnderWay { ours: trick.ours.max(card), ..trick };
            for &set in self.fourth(&after, possible, played).sets() {
                front.add(set);
            }
            if front.covers(possible) {
                break;
            }
        }
        front
    }

    /// The last defender plays, and the trick is over.
    pub(super) fn fourth(&mut self, know: &Knowledge, possible: Bits, trick: UnderWay) -> ParetoFront {
        self.defender(know, possible, trick.leader, |search, know, able, deed| {
            let theirs = trick.theirs.max(deed.map_or(0, |group| search.missing.groups[group].0));
            let mut next = know.clone();
            if trick.ours > theirs {
                next.need -= 1;
            }
            let found = search.front(&next);
            let mut front = ParetoFront::empty();
            found.sets().iter().for_each(|set| front.add(set.and(able)));
            front
        })
    }
}
