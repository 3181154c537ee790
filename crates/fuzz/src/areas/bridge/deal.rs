//! The play of the cards: rules, players and double dummy against tricks written from the laws.
//!
//! Thirteen tricks are begun with given cards. At each card the twin's legal cards are compared; in the ending its minimax
//! over all four hands is compared with the double-dummy solver, and every player must go on with legal cards.

use bridge::card::Card;
use bridge::contract::Bid;
use bridge::deal::{Deal, Layout};
use bridge::double_dummy::DoubleDummy;
use bridge::play::Position;
use bridge::players::{Chair, DoubleDummyPlayer, GoodDefence, Pimc, Planner, Rules};
use bridge::seat::Seat;
use bridge::table::DealContext;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::{Area, Case, Outcome};

/// Random endings of random deals.
pub(super) struct Deals;

/// A card: the suit from 0 (clubs) to 3 (spades), the rank from 2 to 14.
type Plain = (u8, u8);

/// The twin's table: seats from 0 (north) clockwise.
#[derive(Clone)]
struct Twin {
    hands: [Vec<Plain>; 4],
    trump: Option<u8>,
    leader: usize,
    trick: Vec<Plain>,
    /// Tricks of north and south.
    north_south: u8,
}

const LETTERS: &str = "23456789TJQKA";

fn plain(text: &str) -> Option<Plain> {
    let mut letters = text.chars();
    let suit = "CDHS".find(letters.next()?)? as u8;
    let rank = LETTERS.find(letters.next()?)? as u8 + 2;
    Some((suit, rank))
}

fn word(card: Plain) -> String {
    let suit = ['C', 'D', 'H', 'S'][card.0 as usize];
    format!("{suit}{}", &LETTERS[card.1 as usize - 2..card.1 as usize - 1])
}

impl Twin {
    fn turn(&self) -> usize {
        (self.leader + self.trick.len()) % 4
    }

    /// A player who can follow suit must.
    fn legal(&self) -> Vec<Plain> {
        let hand = &self.hands[self.turn()];
        let follow: Vec<Plain> = match self.trick.first() {
            Some(led) => hand.iter().copied().filter(|card| card.0 == led.0).collect(),
            None => Vec::new(),
        };
        if follow.is_empty() { hand.clone() } else { follow }
    }

    /// The highest trump wins, or else the highest card of the suit led; the winner leads.
    fn play(&mut self, card: Plain) {
        let turn = self.turn();
        self.hands[turn].retain(|&own| own != card);
        self.trick.push(card);
        if self.trick.len() == 4 {
            let led = self.trick[0].0;
            let worth = |card: &Plain| (Some(card.0) == self.trump, card.0 == led, card.1);
            let at = (0..4).max_by_key(|&at| worth(&self.trick[at])).unwrap_or(0);
            self.leader = (self.leader + at) % 4;
            self.north_south += u8::from(self.leader.is_multiple_of(2));
            self.trick.clear();
        }
    }

    fn is_over(&self) -> bool {
        self.trick.is_empty() && self.hands.iter().all(Vec::is_empty)
    }

    /// How many tricks north and south take in all when everybody sees all cards.
    fn minimax(&self, low: u8, high: u8) -> u8 {
        if self.is_over() {
            return self.north_south;
        }
        let left = self.hands.iter().map(Vec::len).max().unwrap_or(0) as u8;
        if self.north_south >= high || self.north_south + left <= low {
            // Outside the window: any bound on that side serves.
            return if self.north_south >= high { self.north_south } else { self.north_south + left };
        }
        let ours = self.turn().is_multiple_of(2);
        let (mut low, mut high) = (low, high);
        let mut best = if ours { 0 } else { 13 };
        for card in self.legal() {
            let mut next = self.clone();
            next.play(card);
            let value = next.minimax(low, high);
            if ours {
                best = best.max(value);
                low = low.max(value);
            } else {
                best = best.min(value);
                high = high.min(value);
            }
            if low >= high {
                break;
            }
        }
        best
    }
}

/// A case made sense of: both tables before the first card, and the cards given.
struct Setup {
    position: Position,
    twin: Twin,
    cards: Vec<Plain>,
}

fn read(case: &Case) -> Option<Setup> {
    let mut lines = case.text("deal.txt").lines();
    let (deal, contract, cards) = (lines.next()?, lines.next()?, lines.next().unwrap_or(""));
    let (bid, declarer) = contract.split_once(' ')?;
    let declarer = Seat::from_letter(declarer.chars().next()?)?;
    let layout: Layout = deal.parse().ok()?;
    let position = Position::new(&Deal::new(&layout).ok()?, bid.parse::<Bid>().ok()?.by(declarer));
    // `N:SPADES.HEARTS.DIAMONDS.CLUBS …`, clockwise from north.
    let mut hands: [Vec<Plain>; 4] = Default::default();
    for (seat, hand) in deal.strip_prefix("N:")?.split(' ').enumerate() {
        for (at, suit) in hand.split('.').enumerate() {
            let ranks = suit.chars().map(|letter| LETTERS.find(letter).map(|at| at as u8 + 2));
            for rank in ranks {
                hands.get_mut(seat)?.push((3 - at as u8, rank?));
            }
        }
    }
    let trump = "CDHS".find(bid.chars().nth(1)?).map(|suit| suit as u8);
    let twin = Twin { hands, trump, leader: (declarer as usize + 1) % 4, trick: Vec::new(), north_south: 0 };
    let cards = cards.split_whitespace().map(plain).collect::<Option<_>>()?;
    Some(Setup { position, twin, cards })
}

fn card(plain: Plain) -> Card {
    word(plain).parse().expect("a card has two letters")
}

/// Compares whose turn it is and what may be played.
fn same_choice(position: &Position, twin: &Twin) -> Result<(), Outcome> {
    let mut ours: Vec<String> = position.legal().iter().map(|card| card.to_string()).collect();
    let mut theirs: Vec<String> = twin.legal().into_iter().map(word).collect();
    ours.sort();
    theirs.sort();
    let turn = position.public().turn() as usize;
    if ours == theirs && turn == twin.turn() {
        return Ok(());
    }
    let detail = format!("seat {turn} {ours:?}, twin: seat {} {theirs:?}", twin.turn());
    Err(Outcome::Disagreed { what: "the legal cards differ".to_owned(), detail })
}

/// Tricks of declarer's side so far.
fn declarers(twin: &Twin, position: &Position) -> u8 {
    let played = position.public().tricks_played();
    if (position.public().declarer() as usize).is_multiple_of(2) {
        twin.north_south
    } else {
        played - twin.north_south
    }
}

/// The ending: double dummy against minimax, for the position and after each card.
fn ending(position: &Position, twin: &Twin) -> Result<u32, Outcome> {
    let mut solver = DoubleDummy::default();
    let total = |twin: &Twin| {
        let value = twin.minimax(0, 13);
        if (position.public().declarer() as usize).is_multiple_of(2) { value } else { 13 - value }
    };
    let won = position.public().declarer_tricks();
    let expected = total(twin);
    let found = won + solver.tricks(position);
    let differ = |what: &str, found: u8, expected: u8| {
        Err(Outcome::Disagreed { what: what.to_owned(), detail: format!("{found} tricks, twin: {expected}") })
    };
    if found != expected {
        return differ("double dummy and minimax differ", found, expected);
    }
    let values = solver.values(position);
    if values.len() != twin.legal().len() {
        return differ(
            "double dummy values another number of cards",
            values.len() as u8,
            twin.legal().len() as u8,
        );
    }
    for choice in twin.legal() {
        let mut next = twin.clone();
        next.play(choice);
        let expected = total(&next);
        let found = values.iter().find(|(known, _)| *known == card(choice)).map(|(_, tricks)| won + tricks);
        if found != Some(expected) {
            return differ("double dummy and minimax differ after a card", found.unwrap_or(99), expected);
        }
    }
    Ok(1 + values.len() as u32)
}

/// Lets players finish the deal: every card must be legal; two who see all hands take what minimax says.
fn finish(
    position: &Position,
    twin: &Twin,
    history: &[Card],
    [mut ours, mut theirs]: [Chair; 2],
) -> Result<u8, Outcome> {
    let (mut position, mut twin, mut history) = (*position, twin.clone(), history.to_vec());
    ours.begin(&DealContext::seeded(1));
    theirs.begin(&DealContext::seeded(2));
    while !position.public().is_over() {
        same_choice(&position, &twin)?;
        let chair = if position.public().is_ours(position.public().turn()) { &mut ours } else { &mut theirs };
        let choice = chair.play(&position, &history).card;
        let chosen = plain(&choice.to_string()).filter(|card| twin.legal().contains(card));
        let Some(chosen) = chosen else {
            return Err(Outcome::Disagreed {
                what: "a player revokes".to_owned(),
                detail: choice.to_string(),
            });
        };
        position.put(choice);
        twin.play(chosen);
        history.push(choice);
    }
    let tricks = declarers(&twin, &position);
    if position.public().declarer_tricks() != tricks {
        return Err(Outcome::Disagreed {
            what: "the tricks differ at the end".to_owned(),
            detail: format!("{}, twin: {tricks}", position.public().declarer_tricks()),
        });
    }
    Ok(tricks)
}

impl Area for Deals {
    fn name(&self) -> &'static str {
        "deal"
    }

    fn about(&self) -> &'static str {
        "endings of random deals: legal cards, tricks, double dummy and all players against the laws and minimax"
    }

    fn sample(&self) -> u64 {
        2_000
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        let mut pack: Vec<Plain> = (0..4).flat_map(|suit| (2..15).map(move |rank| (suit, rank))).collect();
        for at in (1..52).rev() {
            pack.swap(at, rng.random_range(0..=at));
        }
        let mut hands: [Vec<Plain>; 4] = Default::default();
        for (at, card) in pack.iter().enumerate() {
            hands[at % 4].push(*card);
        }
        let strain = rng.random_range(0..5usize);
        let declarer = rng.random_range(0..4usize);
        let text = |hand: &Vec<Plain>| {
            let suit = |suit: u8| {
                let mut ranks: Vec<u8> =
                    hand.iter().filter(|card| card.0 == suit).map(|card| card.1).collect();
                ranks.sort_unstable_by(|a, b| b.cmp(a));
                ranks.iter().map(|&rank| &LETTERS[rank as usize - 2..rank as usize - 1]).collect::<String>()
            };
            (0..4).rev().map(suit).collect::<Vec<_>>().join(".")
        };
        let deal = format!("N:{}", hands.each_ref().map(text).join(" "));
        let contract = format!(
            "{}{} {}",
            rng.random_range(1..=7),
            ["C", "D", "H", "S", "NT"][strain],
            ["N", "E", "S", "W"][declarer]
        );
        let trump = (strain < 4).then_some(strain as u8);
        let mut twin = Twin { hands, trump, leader: (declarer + 1) % 4, trick: Vec::new(), north_south: 0 };
        let mut cards = Vec::new();
        for _ in 0..rng.random_range(36..52) {
            let legal = twin.legal();
            let card = legal[rng.random_range(0..legal.len())];
            cards.push(word(card));
            twin.play(card);
        }
        Case::new([("deal.txt", format!("{deal}\n{contract}\n{}\n", cards.join(" ")))])
    }

    fn examine(&self, case: &Case) -> Outcome {
        let Some(Setup { mut position, mut twin, cards }) = read(case) else {
            return Outcome::Rejected("not a deal".to_owned());
        };
        let mut history = Vec::new();
        for &chosen in &cards {
            if let Err(outcome) = same_choice(&position, &twin) {
                return outcome;
            }
            if !twin.legal().contains(&chosen) {
                return Outcome::Rejected("a card that may not be played".to_owned());
            }
            position.put(card(chosen));
            twin.play(chosen);
            history.push(card(chosen));
            if position.public().declarer_tricks() != declarers(&twin, &position) {
                return Outcome::Disagreed { what: "the tricks differ".to_owned(), detail: word(chosen) };
            }
        }
        if position.public().is_over() || twin.hands.iter().map(Vec::len).max().unwrap_or(0) > 4 {
            return Outcome::Rejected("not an ending".to_owned());
        }
        let compared = match ending(&position, &twin) {
            Ok(compared) => compared,
            Err(outcome) => return outcome,
        };
        let seeing = || Chair::PerfectInformation(Box::new(DoubleDummyPlayer::default()));
        let rules = || Chair::ImperfectInformation(Box::new(Rules));
        let pairs = [
            [rules(), rules()],
            [Chair::ImperfectInformation(Box::new(Planner::new(10, 1))), rules()],
            [rules(), Chair::ImperfectInformation(Box::new(GoodDefence::new(4, 1)))],
            [
                Chair::ImperfectInformation(Box::new(Pimc::new(3, 1))),
                Chair::ImperfectInformation(Box::new(Pimc::new(3, 2))),
            ],
        ];
        for chairs in pairs {
            if let Err(outcome) = finish(&position, &twin, &history, chairs) {
                return outcome;
            }
        }
        let best = twin.minimax(0, 13);
        let best = if (position.public().declarer() as usize).is_multiple_of(2) { best } else { 13 - best };
        match finish(&position, &twin, &history, [seeing(), seeing()]) {
            Err(outcome) => outcome,
            Ok(tricks) if tricks != best => Outcome::Disagreed {
                what: "players who see all hands do not take what minimax says".to_owned(),
                detail: format!("{tricks} tricks, twin: {best}"),
            },
            Ok(_) => Outcome::Agreed {
                answers: compared + 4,
                kind: if twin.trump.is_some() { "trumps" } else { "notrump" },
            },
        }
    }

    /// A longer beginning is a smaller ending.
    fn shrink(&self, case: &Case) -> Vec<Case> {
        let Some(Setup { mut twin, cards, .. }) = read(case) else { return Vec::new() };
        for &card in &cards {
            if !twin.legal().contains(&card) {
                return Vec::new();
            }
            twin.play(card);
        }
        let longer = |card: &Plain| {
            let text = case.text("deal.txt").trim_end();
            Case::new([("deal.txt", format!("{text} {}\n", word(*card)))])
        };
        if twin.is_over() { Vec::new() } else { twin.legal().iter().map(longer).collect() }
    }
}
