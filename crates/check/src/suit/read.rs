//! The text of strategies for a suit.

use counterplay_base::{Budget, Growth};
use rustc_hash::FxHashMap;

use super::{Cards, Counts, FORMAT, LETTERS, Seen, Situation, Suit, SuitFlaw, cards};

/// A file as it is written. All cards in it are where the situation says; whether they win anything is another question.
pub(super) struct SuitText {
    pub(super) suit: Suit,
    pub(super) parts: Vec<SuitPart>,
}

/// One strategy.
pub(super) struct SuitPart {
    pub(super) tricks: u8,
    pub(super) chance: (u64, u64),
    pub(super) chance_line: usize,
    /// The layouts that are to be won, by what west holds, with the lines that say so.
    pub(super) wins: FxHashMap<Counts, usize>,
    pub(super) rounds: FxHashMap<Situation, Round>,
}

/// What declarer plays in a situation.
pub(super) struct Round {
    pub(super) line: usize,
    /// The hand that leads, 0 for north.
    pub(super) leader: usize,
    pub(super) lead: usize,
    /// The card of the other hand after a card of this run, or after `None` if the defender has none.
    pub(super) then: Vec<(Option<usize>, usize)>,
}

fn wrong(line: usize, why: impl Into<String>) -> SuitFlaw {
    SuitFlaw::Wrong { line, why: why.into() }
}

impl SuitText {
    pub(super) fn read(text: &str, budget: &Budget) -> Result<SuitText, SuitFlaw> {
        let mut lines = text.lines().zip(1..).map(|(text, line)| (text.trim_end(), line));
        let mut last = 0;
        let mut next = |what: &str| match lines.next() {
            Some((text, line)) => {
                last = line;
                Ok((text, line))
            }
            None => Err(wrong(last + 1, format!("the file ends before {what}"))),
        };
        if next("its first line")?.0 != FORMAT {
            return Err(wrong(1, "it is no strategy for a suit, or one of another version"));
        }
        let north = hand(next("`north`")?, "north ")?;
        let (words, line) = next("`south`")?;
        let south = hand((words, line), "south ")?;
        if north & south != 0 {
            return Err(wrong(line, format!("both hands have {}", cards(north & south))));
        }
        if north | south == 0 {
            return Err(wrong(line, "neither hand has a card"));
        }
        let suit = Suit::new([north, south]);
        let runs: Vec<String> = suit.runs.iter().map(|&run| cards(run)).collect();
        let expected = format!("missing {}", if runs.is_empty() { "-".to_owned() } else { runs.join(" ") });
        let (words, line) = next("`missing`")?;
        if words != expected {
            return Err(wrong(line, format!("expected `{expected}`")));
        }
        let mut file = SuitText { suit, parts: Vec::new() };
        loop {
            budget.check().map_err(SuitFlaw::Stopped)?;
            let (words, line) = next("`end`")?;
            let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
            match (word, file.parts.last_mut()) {
                ("tricks", above) => {
                    let tricks = rest.parse().map_err(|_| wrong(line, "expected `tricks` and a number"))?;
                    if above.is_some_and(|above| above.tricks <= tricks) {
                        return Err(wrong(line, "expected fewer tricks than in the part above"));
                    }
                    let (words, chance_line) = next("`chance`")?;
                    let chance = words.strip_prefix("chance ").and_then(fraction);
                    let chance = chance
                        .ok_or_else(|| wrong(chance_line, "expected `chance` and a fraction, such as 1/2"))?;
                    let (wins, rounds) = (FxHashMap::default(), FxHashMap::default());
                    file.parts.push(SuitPart { tricks, chance, chance_line, wins, rounds });
                }
                ("win", Some(part)) if part.rounds.is_empty() => part.win(&file.suit, rest, line)?,
                ("at", Some(part)) => {
                    let (situation, round) =
                        at(&file.suit, rest, line, part.tricks).map_err(|why| wrong(line, why))?;
                    match part.rounds.growth(1) {
                        0 => {}
                        more => budget.allow_bytes(more).map_err(SuitFlaw::Stopped)?,
                    }
                    if part.rounds.insert(situation, round).is_some() {
                        return Err(wrong(line, "the situation is listed a second time"));
                    }
                }
                ("end", Some(_)) if rest.is_empty() => break,
                ("end", None) => return Err(wrong(line, "nothing is claimed")),
                _ => return Err(wrong(line, "expected `tricks`, `win`, `at` or `end`, in this order")),
            }
        }
        match lines.next() {
            Some((_, line)) => Err(wrong(line, "there is something after `end`")),
            None => Ok(file),
        }
    }
}

impl SuitPart {
    /// `1 0-3`: for each run, how many of its cards west may hold. There are few layouts, and each is listed once.
    fn win(&mut self, suit: &Suit, rest: &str, line: usize) -> Result<(), SuitFlaw> {
        let shape = || {
            let sizes: Vec<String> = suit.runs.iter().map(|run| run.count_ones().to_string()).collect();
            wrong(line, format!("expected numbers or ranges up to {}, one for each run", sizes.join(" ")))
        };
        let mut layouts = vec![Counts::default()];
        let mut words = rest.split_whitespace();
        for (at, run) in suit.runs.iter().enumerate() {
            let word = words.next().ok_or_else(shape)?;
            let (least, most) = word.split_once('-').unwrap_or((word, word));
            let (Ok(least), Ok(most)) = (least.parse::<u8>(), most.parse::<u8>()) else {
                return Err(shape());
            };
            if least > most || u32::from(most) > run.count_ones() {
                return Err(shape());
            }
            let with = |layout: &Counts, count: u8| {
                let mut layout = *layout;
                layout[at] = count;
                layout
            };
            layouts = layouts
                .iter()
                .flat_map(|layout| (least..=most).map(move |count| with(layout, count)))
                .collect();
        }
        if words.next().is_some() {
            return Err(shape());
        }
        for layout in layouts {
            if let Some(above) = self.wins.insert(layout, line) {
                return Err(wrong(line, format!("a layout of line {above} is listed a second time")));
            }
        }
        Ok(())
    }
}

/// `P/Q`, at most 1.
fn fraction(word: &str) -> Option<(u64, u64)> {
    let (over, under) = word.split_once('/')?;
    let (over, under) = (over.parse().ok()?, under.parse().ok()?);
    (under > 0 && over <= under).then_some((over, under))
}

/// Cards as they are written; none of them twice.
fn read_cards(word: &str) -> Option<Cards> {
    if word == "-" {
        return Some(0);
    }
    let mut hand = 0;
    for letter in word.chars() {
        let bit = 1 << rank(letter)?;
        if hand & bit != 0 {
            return None;
        }
        hand |= bit;
    }
    (hand != 0).then_some(hand)
}

fn rank(letter: char) -> Option<usize> {
    LETTERS.iter().position(|&known| known == letter)
}

fn one_card(word: &str) -> Option<usize> {
    let mut letters = word.chars();
    let found = rank(letters.next()?)?;
    letters.next().is_none().then_some(found)
}

fn hand((words, line): (&str, usize), name: &str) -> Result<Cards, SuitFlaw> {
    let found = words.strip_prefix(name).and_then(read_cards);
    found.ok_or_else(|| wrong(line, format!("expected `{name}` and cards from A to 2, each once, or `-`")))
}

/// `KJ,out`: what a defender has shown.
fn seen(suit: &Suit, word: &str, who: &str) -> Result<Seen, String> {
    let (shown, out) = match word.strip_suffix("out") {
        Some("") => return Ok(Seen { counts: Counts::default(), out: true }),
        Some(before) => {
            let shown = before.strip_suffix(',');
            (shown.ok_or_else(|| format!("`{word}` is not what {who} can have shown"))?, true)
        }
        None => (word, false),
    };
    let mut seen = Seen { counts: Counts::default(), out };
    if shown == "-" && !out {
        return Ok(seen);
    }
    for letter in shown.chars() {
        let run = rank(letter).and_then(|rank| suit.run_of(rank)).filter(|&run| suit.name(run) == letter);
        let run =
            run.ok_or_else(|| format!("{who} has shown `{letter}`, which is no missing card's name"))?;
        seen.counts[run] += 1;
        if u32::from(seen.counts[run]) > suit.runs[run].count_ones() {
            return Err(format!("{who} has too many cards of the run of the {letter}"));
        }
    }
    if shown.is_empty() { Err(format!("{who} has shown nothing")) } else { Ok(seen) }
}

/// A situation, and what is played in it.
fn at(suit: &Suit, rest: &str, line: usize, tricks: u8) -> Result<(Situation, Round), String> {
    let shape = "expected `at CARDS CARDS west SEEN east SEEN won NUMBER lead CARD [then PLAYED:CARD ...]`";
    // The longest line that makes sense has a few dozen words.
    let words: Vec<&str> = rest.split_whitespace().take(64).collect();
    let [north, south, "west", west, "east", east, "won", won, "lead", lead, ref then @ ..] = words[..]
    else {
        return Err(shape.to_owned());
    };
    let mut hands = [0; 2];
    for (at, (word, name)) in [(north, "north"), (south, "south")].into_iter().enumerate() {
        let held = read_cards(word).ok_or_else(|| format!("`{word}` are no cards"))?;
        if held & !suit.hands[at] != 0 {
            return Err(format!("{word} are not among {name}'s cards"));
        }
        hands[at] = held;
    }
    let seen = [seen(suit, west, "west")?, seen(suit, east, "east")?];
    let won = won.parse().ok().filter(|&won: &u8| won < tricks);
    let won = won.ok_or_else(|| format!("the tricks won must be a number below {tricks}"))?;
    let lead = one_card(lead).ok_or_else(|| format!("`{lead}` is no card"))?;
    let leader = (0..2).find(|&hand| hands[hand] >> lead & 1 == 1);
    let leader = leader.ok_or_else(|| format!("the {} is not held any more", LETTERS[lead]))?;
    let entries = match then {
        [] => &[][..],
        ["then", entries @ ..] if !entries.is_empty() => entries,
        _ => return Err(shape.to_owned()),
    };
    let mut then: Vec<(Option<usize>, usize)> = Vec::new();
    for entry in entries {
        let (played, card) =
            entry.split_once(':').ok_or_else(|| format!("expected `PLAYED:CARD`, found `{entry}`"))?;
        let played = match played {
            "out" => None,
            word => {
                let run = one_card(word).and_then(|rank| suit.run_of(rank));
                let run = run.filter(|&run| word.starts_with(suit.name(run)));
                Some(run.ok_or_else(|| format!("`{word}` is no missing card's name"))?)
            }
        };
        let card = one_card(card).filter(|&card| hands[1 - leader] >> card & 1 == 1);
        let card = card.ok_or_else(|| format!("`{entry}`: that is no card of the other hand"))?;
        if then.iter().any(|&(known, _)| known == played) {
            return Err(format!("`{entry}`: this case is listed a second time"));
        }
        then.push((played, card));
    }
    Ok((Situation { hands, seen, won }, Round { line, leader, lead, then }))
}
