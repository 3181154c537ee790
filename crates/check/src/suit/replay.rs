//! A strategy followed in every layout that it is to win, against every defence.

use counterplay_base::Budget;
use rustc_hash::FxHashSet;

use super::read::{Round, SuitPart};
use super::{Cards, CheckedSuitPart, DIVISIONS, LETTERS, Seen, Situation, Suit, SuitFlaw, cards, ranks};

/// The defenders as they are called.
const DEFENDERS: [&str; 2] = ["west", "east"];

/// Checks one strategy: its chance is that of its layouts, and it wins in all of them.
pub(super) fn check_part(suit: &Suit, part: &SuitPart, budget: &Budget) -> Result<CheckedSuitPart, SuitFlaw> {
    let missing = suit.missing();
    // Every subset of the missing cards is a hand of west's.
    let hands = || (0..=missing).filter(move |west| west & !missing == 0);
    let to_win = |west: &Cards| part.wins.contains_key(&suit.counts(*west));
    let ways: u64 = hands().filter(to_win).map(|west| divisions(west, missing)).sum();
    let (over, under) = part.chance;
    if u128::from(ways) * u128::from(under) != u128::from(over) * u128::from(DIVISIONS) {
        let (mut divisor, mut rest) = (DIVISIONS, ways);
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let (over, under) = (ways / divisor, DIVISIONS / divisor);
        let why = format!("the layouts below have a chance of {over}/{under} together");
        return Err(SuitFlaw::Wrong { line: part.chance_line, why });
    }
    let mut checked = CheckedSuitPart {
        tricks: part.tricks,
        chance: part.chance,
        situations: part.rounds.len(),
        layouts: 0,
        positions: 0,
    };
    for west in hands().filter(to_win) {
        let layout = [west, missing & !west];
        checked.positions += Replay { suit, part, layout }.follow(budget)?;
        checked.layouts += 1;
    }
    Ok(checked)
}

/// In how many of the ways to deal 26 cards west's share of the missing ones is just this.
fn divisions(west: Cards, missing: Cards) -> u64 {
    let (others, places) = (26 - missing.count_ones(), 13 - west.count_ones());
    (0..u64::from(places)).fold(1, |ways, at| ways * (u64::from(others) - at) / (at + 1))
}

/// A strategy in one layout.
struct Replay<'a> {
    suit: &'a Suit,
    part: &'a SuitPart,
    /// What west and east hold at the start.
    layout: [Cards; 2],
}

/// What everybody has left between two tricks.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Position {
    ours: [Cards; 2],
    theirs: [Cards; 2],
    out: [bool; 2],
    won: u8,
}

impl Replay<'_> {
    /// How many positions there are between two tricks; an error if one of them is without a card, or too few tricks are taken.
    fn follow(&self, budget: &Budget) -> Result<u64, SuitFlaw> {
        let start = Position { ours: self.suit.hands, theirs: self.layout, out: [false; 2], won: 0 };
        let mut known = FxHashSet::from_iter([start]);
        let mut open = vec![start];
        while let Some(position) = open.pop() {
            budget.check().map_err(SuitFlaw::Stopped)?;
            if position.won >= self.part.tricks {
                continue;
            }
            for after in self.trick(&position)? {
                if known.insert(after) {
                    open.push(after);
                }
            }
        }
        Ok(known.len() as u64)
    }

    /// What a trick may lead to, whatever the defenders play.
    fn trick(&self, position: &Position) -> Result<Vec<Position>, SuitFlaw> {
        let situation = self.situation(position);
        let Some(round) = self.part.rounds.get(&situation) else {
            return Err(match position.ours {
                [0, 0] => self.fails(format!("{} tricks are taken", position.won)),
                _ => self.fails(format!("nothing is said for `{}`", situation.text(self.suit))),
            });
        };
        // The seats are north, east, south, west: east plays after north, and west after south.
        let (second, fourth) = if round.leader == 0 { (1, 0) } else { (0, 1) };
        let mut led = *position;
        led.ours[round.leader] &= !(1 << round.lead);
        let mut ends = Vec::new();
        for (played, after) in plays(&led, second) {
            let third = self.third(round, &after, played)?;
            let mut after = after;
            if let Some(card) = third {
                after.ours[1 - round.leader] &= !(1 << card);
            }
            let ours = Some(round.lead).max(third);
            for (last, mut end) in plays(&after, fourth) {
                // A rank is greater than none.
                end.won += u8::from(ours > played.max(last));
                ends.push(end);
            }
        }
        Ok(ends)
    }

    /// The card of declarer's other hand; `None` if it has none.
    fn third(
        &self,
        round: &Round,
        after: &Position,
        played: Option<usize>,
    ) -> Result<Option<usize>, SuitFlaw> {
        let held = after.ours[1 - round.leader];
        let run = played.and_then(|card| self.suit.run_of(card));
        match round.then.iter().find(|&&(known, _)| known == run) {
            Some(&(_, card)) => Ok(Some(card)),
            None if held.count_ones() <= 1 => Ok(ranks(held).next()),
            None => {
                let who = DEFENDERS[if round.leader == 0 { 1 } else { 0 }];
                let what = match played {
                    Some(card) => format!("plays the {}", LETTERS[card]),
                    None => "shows out".to_owned(),
                };
                let [west, east] = self.layout.map(cards);
                let why = format!("with west {west} and east {east}, nothing is said if {who} {what}");
                Err(SuitFlaw::Wrong { line: round.line, why })
            }
        }
    }

    /// What declarer knows of a position.
    fn situation(&self, position: &Position) -> Situation {
        let seen = [0, 1].map(|defender| Seen {
            counts: self.suit.counts(self.layout[defender] & !position.theirs[defender]),
            out: position.out[defender],
        });
        Situation { hands: position.ours, seen, won: position.won }
    }

    fn fails(&self, why: String) -> SuitFlaw {
        let [west, east] = self.layout.map(cards);
        let line = self.part.wins.get(&self.suit.counts(self.layout[0])).copied().unwrap_or_default();
        let why = format!("with west {west} and east {east}, {why}");
        SuitFlaw::Wrong { line, why }
    }
}

/// Each card that a defender can play, with what is left then; he shows out if he has none.
fn plays(position: &Position, defender: usize) -> Vec<(Option<usize>, Position)> {
    let held = position.theirs[defender];
    if held == 0 {
        let mut after = *position;
        after.out[defender] = true;
        return vec![(None, after)];
    }
    let play = |card: usize| {
        let mut after = *position;
        after.theirs[defender] &= !(1 << card);
        (Some(card), after)
    };
    ranks(held).map(play).collect()
}
