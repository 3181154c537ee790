//! Declarer's whole strategy for one suit, as a text that can be replayed.
//!
//! What is to be won in a situation is what was to be won at the start, as far as it is still possible. So declarer's card depends on what has been
//! seen and on nothing else, and a list of situations is a strategy.

use std::collections::VecDeque;
use std::fmt::Write as _;

use counterplay_base::Limit;
use rustc_hash::FxHashSet;

use crate::card::RANKS;
use crate::suit::bits::Bits;
use crate::suit::cards::{DIVISIONS, Missing, SuitHolding};
use crate::suit::line;
use crate::suit::solve::{Deed, Knowledge, SuitAnswer, SuitSearch, UnderWay};

/// Declarer's cards in all situations that come up in the layouts that are won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuitStrategy {
    tricks: usize,
    /// In how many of the [`DIVISIONS`] it wins.
    ways: u64,
    missing: Vec<(u8, u8)>,
    /// What west may hold: a range for each group of missing cards.
    wins: Vec<Vec<(u8, u8)>>,
    rounds: Vec<Round>,
}

/// What declarer plays in a situation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Round {
    know: Knowledge,
    lead: u8,
    /// The card of the other hand after each card of the defender between them; empty if it has no choice.
    then: Vec<(Deed, u8)>,
}

impl SuitStrategy {
    /// The strategy that wins `wanted`, of which the search knows that it can be won.
    pub(super) fn extract(
        search: &mut SuitSearch<'_>,
        start: Knowledge,
        answer: &SuitAnswer,
        wanted: Bits,
    ) -> Result<SuitStrategy, Limit> {
        let mut rounds = Vec::new();
        let mut known = FxHashSet::default();
        let mut open = VecDeque::from([start]);
        while let Some(know) = open.pop_front() {
            let possible = know.possible(search.missing);
            let wanted = wanted.and(possible);
            if know.need == 0 || wanted.is_empty() || !known.insert(know.clone()) {
                continue;
            }
            let round = round(search, &know, possible, wanted, &mut open);
            if let Some(limit) = search.stopped {
                return Err(limit);
            }
            rounds.push(round.expect("what the search calls winnable has a card that wins it"));
        }
        let missing = search.missing;
        Ok(SuitStrategy {
            tricks: answer.tricks,
            ways: answer.ways,
            missing: missing.groups.clone(),
            wins: ranges(missing, wanted),
            rounds,
        })
    }

    /// The part of a file that is about this strategy.
    fn section(&self) -> String {
        let divisor = greatest_common_divisor(self.ways, DIVISIONS);
        let mut text =
            format!("tricks {}\nchance {}/{}\n", self.tricks, self.ways / divisor, DIVISIONS / divisor);
        for win in &self.wins {
            text += "win";
            for &(least, most) in win {
                let _ =
                    if least == most { write!(text, " {least}") } else { write!(text, " {least}-{most}") };
            }
            text += "\n";
        }
        for round in &self.rounds {
            let know = &round.know;
            let [north, south] = know.hands.map(letters);
            let [west, east] = [0, 1].map(|defender| self.seen(&know.played[defender], know.out[defender]));
            let won = self.tricks - know.need;
            let lead = RANKS[usize::from(round.lead) - 2];
            let _ = write!(text, "at {north} {south} west {west} east {east} won {won} lead {lead}");
            for (number, &(deed, card)) in round.then.iter().enumerate() {
                let after = deed.map_or("out".to_owned(), |group| self.name(group).to_string());
                let word = if number == 0 { " then" } else { "" };
                let _ = write!(text, "{word} {after}:{}", RANKS[usize::from(card) - 2]);
            }
            text += "\n";
        }
        text
    }

    /// A missing card goes by the name of the highest of its group.
    fn name(&self, group: usize) -> char {
        RANKS[usize::from(self.missing[group].0) - 2]
    }

    fn seen(&self, played: &[u8], out: bool) -> String {
        let cards: String =
            (0..played.len()).flat_map(|group| (0..played[group]).map(move |_| self.name(group))).collect();
        match (cards.is_empty(), out) {
            (true, false) => "-".to_owned(),
            (true, true) => "out".to_owned(),
            (false, false) => cards,
            (false, true) => cards + ",out",
        }
    }
}

/// The strategies for several numbers of tricks as a file, the highest number first.
pub fn write_strategies(holding: &SuitHolding, strategies: &[SuitStrategy]) -> String {
    let [north, south] = holding.hands.map(letters);
    let run =
        |&(top, count): &(u8, u8)| (0..count).map(|below| RANKS[usize::from(top - below) - 2]).collect();
    let runs: Vec<String> = Missing::new(holding).groups.iter().map(run).collect();
    let missing = if runs.is_empty() { "-".to_owned() } else { runs.join(" ") };
    let sections: String = strategies.iter().map(SuitStrategy::section).collect();
    format!("counterplay suit 1\nnorth {north}\nsouth {south}\nmissing {missing}\n{sections}end\n")
}

/// One round that keeps `wanted` won. What may come after it is added to `open`.
fn round(
    search: &mut SuitSearch<'_>,
    know: &Knowledge,
    possible: Bits,
    wanted: Bits,
    open: &mut VecDeque<Knowledge>,
) -> Option<Round> {
    let (leader, lead) = line::lead(search, know, possible, wanted)?;
    let led = know.without(leader, lead);
    let has_choice = led.hands[1 - leader].count_ones() > 1;
    let groups = search.missing.groups.len();
    let deeds = || (0..groups).map(Some).chain([None]);
    let mut then = Vec::new();
    for second in deeds() {
        let able = led.able(search.missing, possible, 1 - leader, second);
        let wanted = wanted.and(able);
        if wanted.is_empty() {
            continue;
        }
        let theirs = second.map_or(0, |group| search.missing.groups[group].0);
        let trick = UnderWay { leader, ours: lead, theirs };
        let next = led.after(1 - leader, second);
        let (card, ours, next) = line::third(search, &next, able, wanted, trick)?;
        then.extend(card.filter(|_| has_choice).map(|card| (second, card)));
        for fourth in deeds() {
            if next.able(search.missing, wanted, leader, fourth).is_empty() {
                continue;
            }
            let mut after = next.after(leader, fourth);
            let theirs = theirs.max(fourth.map_or(0, |group| search.missing.groups[group].0));
            after.need -= usize::from(ours > theirs);
            open.push_back(after);
        }
    }
    Some(Round { know: know.clone(), lead, then })
}

/// The layouts of a set as ranges of the last group.
fn ranges(missing: &Missing, set: Bits) -> Vec<Vec<(u8, u8)>> {
    let mut found: Vec<Vec<(u8, u8)>> = Vec::new();
    for at in set.iter().take_while(|&at| at < missing.west.len()) {
        let layout: Vec<(u8, u8)> = missing.west[at].iter().map(|&count| (count, count)).collect();
        // The last group changes fastest in the list of layouts.
        match (found.last_mut().map(Vec::as_mut_slice), layout.as_slice()) {
            (Some([before @ .., (_, most)]), [same @ .., (count, _)])
                if before == same && *most + 1 == *count =>
            {
                *most = *count;
            }
            _ => found.push(layout),
        }
    }
    found
}

fn letters(hand: u16) -> String {
    let cards: String =
        (2..=14).rev().filter(|rank| hand >> rank & 1 == 1).map(|rank| RANKS[rank - 2]).collect();
    if cards.is_empty() { "-".to_owned() } else { cards }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
