//! Strategies for one suit at bridge: what declarer plays in each situation, replayed in every layout that they are to win.
//!
//! ```text
//! counterplay suit 1
//! north CARDS                      the two hands, from the top; `-` for none
//! south CARDS
//! missing RUN ...                  the defenders' cards; a run is a sequence that no card of declarer's parts
//! tricks NUMBER                    a part begins; parts with fewer tricks may follow
//! chance P/Q                       of all ways to deal the defenders' 26 cards, those in which the layout is one of these
//! win NUMBER ...                   how many cards of each run west holds, `1` or a range `0-3`
//! at CARDS CARDS west SEEN east SEEN won NUMBER lead CARD [then PLAYED:CARD ...]
//! end
//! ```
//! A situation is what declarer has seen between two tricks: what north and south have left, what each defender has played, and the tricks that are won.
//! SEEN is `-`, the cards, `out` for a defender who has shown out, or both: `KJ,out`. A card of the defenders goes by the name of the highest of its run.
//! After `then` stands the card of declarer's other hand for each card of the defender between the two, or `out` if he has none; a hand
//! with one card plays it.
//!
//! The check knows the rules of a trick and the number of ways to deal, and nothing of the search. It deals the missing cards one by one, in all ways that the
//! `win` lines allow, and follows the strategy against every card that each defender may play. So it proves a lower bound: declarer wins in all these
//! layouts, even if the defenders see all cards and know the strategy. That no strategy wins more is not shown.

mod read;
mod replay;

use counterplay_base::{Budget, Limit};

use read::SuitText;

/// How files begin.
const FORMAT: &str = "counterplay suit 1";
/// The ways to deal 13 of the defenders' 26 cards to west.
const DIVISIONS: u64 = 10_400_600;
/// The cards from the lowest.
const LETTERS: [char; 13] = ['2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'];

/// A file whose strategies do what they say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedSuit {
    /// North's cards.
    pub north: String,
    /// South's cards.
    pub south: String,
    /// What is proved, the highest number of tricks first.
    pub parts: Vec<CheckedSuitPart>,
}

/// What one strategy makes sure of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedSuitPart {
    /// At least so many tricks.
    pub tricks: u8,
    /// With at least this chance, a numerator and a denominator.
    pub chance: (u64, u64),
    /// Situations for which the file has a card.
    pub situations: usize,
    /// Ways of the missing cards to lie in which the strategy was followed.
    pub layouts: usize,
    /// Positions between two tricks that were met, over all layouts.
    pub positions: u64,
}

/// Why a file proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuitFlaw {
    /// Something is wrong at this line, counted from 1.
    Wrong { line: usize, why: String },
    /// A limit came first.
    Stopped(Limit),
}

/// Whether a text is such a file, of this version or another.
pub fn is_suit_strategy(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.starts_with("counterplay suit "))
}

/// Checks a file: each strategy is followed in all layouts that it is to win, against every defence.
///
/// # Errors
/// The first thing that is wrong, with its line, or the limit that was reached.
pub fn check_suit_strategy(text: &str, budget: &Budget) -> Result<CheckedSuit, SuitFlaw> {
    let file = SuitText::read(text, budget)?;
    let parts = file.parts.iter().map(|part| replay::check_part(&file.suit, part, budget));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let [north, south] = file.suit.hands.map(cards);
    Ok(CheckedSuit { north, south, parts })
}

/// The cards of one suit: bit 0 for the two, bit 12 for the ace.
type Cards = u16;

/// Cards as they are written, the highest first.
fn cards(hand: Cards) -> String {
    let text: String = (0..13).rev().filter(|rank| hand >> rank & 1 == 1).map(|rank| LETTERS[rank]).collect();
    if text.is_empty() { "-".to_owned() } else { text }
}

/// The ranks of some cards, the lowest first.
fn ranks(hand: Cards) -> impl Iterator<Item = usize> {
    (0..13).filter(move |rank| hand >> rank & 1 == 1)
}

/// Who holds what at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Suit {
    /// North's and south's cards.
    hands: [Cards; 2],
    /// The runs of missing cards, from the top.
    runs: Vec<Cards>,
}

impl Suit {
    fn new(hands: [Cards; 2]) -> Suit {
        let mut runs: Vec<Cards> = Vec::new();
        let mut open = false;
        for rank in (0..13).rev() {
            let is_missing = (hands[0] | hands[1]) >> rank & 1 == 0;
            match (is_missing, runs.last_mut()) {
                (true, Some(run)) if open => *run |= 1 << rank,
                (true, _) => runs.push(1 << rank),
                (false, _) => {}
            }
            open = is_missing;
        }
        Suit { hands, runs }
    }

    /// All missing cards.
    fn missing(&self) -> Cards {
        self.runs.iter().fold(0, |all, run| all | run)
    }

    /// The run of a missing card.
    fn run_of(&self, rank: usize) -> Option<usize> {
        self.runs.iter().position(|run| run >> rank & 1 == 1)
    }

    /// The name of a run: its highest card.
    fn name(&self, run: usize) -> char {
        LETTERS[self.runs[run].ilog2() as usize]
    }

    /// How many cards of each run are among some cards.
    fn counts(&self, held: Cards) -> Counts {
        let mut counts = Counts::default();
        for (count, run) in counts.iter_mut().zip(&self.runs) {
            *count = (held & run).count_ones() as u8;
        }
        counts
    }
}

/// Thirteen cards make seven runs at the most, with six of declarer's between them.
type Counts = [u8; 7];

/// What a defender has shown: cards of each run, and whether he had none left when one was led.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Seen {
    counts: Counts,
    out: bool,
}

/// What declarer knows between two tricks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Situation {
    /// What north and south have left.
    hands: [Cards; 2],
    /// What west and east have shown.
    seen: [Seen; 2],
    won: u8,
}

impl Situation {
    /// As it is written.
    fn text(&self, suit: &Suit) -> String {
        let seen = |seen: &Seen| {
            let named = seen.counts.iter().enumerate();
            let shown: String =
                named.flat_map(|(run, &count)| (0..count).map(move |_| suit.name(run))).collect();
            match (shown.is_empty(), seen.out) {
                (true, false) => "-".to_owned(),
                (true, true) => "out".to_owned(),
                (false, false) => shown,
                (false, true) => shown + ",out",
            }
        };
        let [north, south] = self.hands.map(cards);
        let [west, east] = [seen(&self.seen[0]), seen(&self.seen[1])];
        format!("at {north} {south} west {west} east {east} won {}", self.won)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the documentation: a finesse.
    const FINESSE: &str = "counterplay suit 1
north AQ
south 32
missing K JT987654
tricks 2
chance 1/2
win 1 0-8
at AQ 32 west - east - won 0 lead 2 then K:A J:Q
at Q 3 west K east J won 1 lead Q
at Q 3 west K east out won 1 lead Q
at A 3 west J east J won 1 lead A
at A 3 west J east out won 1 lead A
end
";

    fn check(text: &str) -> Result<CheckedSuit, SuitFlaw> {
        check_suit_strategy(text, &Budget::unlimited())
    }

    #[test]
    fn a_finesse_wins_half_the_time() {
        let checked = check(FINESSE).expect("it holds");
        assert_eq!((checked.north.as_str(), checked.south.as_str()), ("AQ", "32"));
        let part = &checked.parts[0];
        assert_eq!((part.tricks, part.chance, part.situations, part.layouts), (2, (1, 2), 5, 256));
    }

    #[test]
    fn what_does_not_hold_is_refused_with_its_line() {
        for (from, to, line, why) in [
            ("chance 1/2", "chance 2/3", 6, "the layouts below have a chance of 1/2"),
            ("chance 1/2", "chance 1/3", 6, "the layouts below have a chance of 1/2"),
            ("chance 1/2", "chance 1/0", 6, "a fraction"),
            ("chance 1/2", "chance 99999999999999999999/2", 6, "a fraction"),
            ("win 1 0-8", "win 0-1 0-8", 6, "the layouts below have a chance of 1/1"),
            ("chance 1/2\nwin 1 0-8", "chance 1/2\nwin 0 0-8", 8, "nothing is said if west shows out"),
            ("win 1 0-8", "win 1 0-9", 7, "numbers"),
            ("win 1 0-8", "win 1 8-0", 7, "numbers"),
            ("win 1 0-8", "win 1", 7, "numbers"),
            ("win 1 0-8", "win 1 0-8\nwin 1 3", 8, "a second time"),
            ("J:Q", "J:A", 7, "nothing is said"),
            ("K:A", "K:Q", 7, "nothing is said"),
            ("K:A", "K:K", 8, "no card of the other hand"),
            ("K:A", "K:3", 8, "no card of the other hand"),
            ("K:A", "Q:A", 8, "no missing card"),
            ("K:A ", "", 8, "nothing is said if west plays the K"),
            ("K:A", "K:A K:Q", 8, "a second time"),
            ("lead 2", "lead 4", 8, "not held"),
            ("lead 2", "lead A", 8, "no card of the other hand"),
            ("at Q 3 west K east J won 1 lead Q\n", "", 7, "nothing is said"),
            ("at Q 3 west K east J", "at Q 3 west K east out", 10, "a second time"),
            ("at Q 3 west K east J", "at K 3 west K east J", 9, "not among"),
            ("at Q 3 west K east J", "at Q 3 west KK east J", 9, "has too many"),
            ("at Q 3 west K east J", "at Q 3 west K east Kout", 9, "east"),
            ("won 1 lead Q", "won 300 lead Q", 9, "won"),
            ("tricks 2", "tricks 1", 9, "won"),
            ("tricks 2", "tricks 3", 7, "2 tricks"),
            ("tricks 2", "tricks 999", 5, "a number"),
            ("missing K JT987654", "missing K JT98765", 4, "missing K JT987654"),
            ("north AQ", "north AQQ", 2, "cards"),
            ("north AQ", "north A3", 3, "both hands"),
            ("south 32", "south 32 1", 3, "cards"),
            ("counterplay suit 1", "counterplay suit 2", 1, "version"),
            ("end\n", "", 13, "the file ends"),
            ("end\n", "end\nmore\n", 14, "after `end`"),
            ("end\n", "tricks 2\nchance 0/1\nend\n", 13, "fewer"),
        ] {
            let damaged = FINESSE.replacen(from, to, 1);
            assert_ne!(damaged, FINESSE, "{from}");
            match check(&damaged) {
                Err(SuitFlaw::Wrong { line: found, why: told }) => {
                    assert!(found == line && told.contains(why), "{from} -> {to}: line {found}: {told}");
                }
                other => panic!("{from} -> {to}: {other:?}"),
            }
        }
    }

    #[test]
    fn any_text_is_refused_or_checked() {
        for cut in 0..FINESSE.len() - 1 {
            assert!(matches!(check(&FINESSE[..cut]), Err(SuitFlaw::Wrong { .. })), "{cut}");
        }
        // Without missing cards there is one layout; and nothing has to be said where nothing is claimed.
        let all = "counterplay suit 1\nnorth AKQJT98765432\nsouth -\nmissing -\ntricks 1\nchance 1/1\nwin\n\
                   at AKQJT98765432 - west - east - won 0 lead A\nend\n";
        assert!(check(all).is_ok());
        let none = "counterplay suit 1\nnorth 2\nsouth -\nmissing AKQJT9876543\ntricks 9\nchance 0/1\nend\n";
        assert!(check(none).is_ok());
    }

    #[test]
    fn a_limit_is_no_flaw() {
        let budget = Budget::unlimited();
        budget.cancel();
        assert_eq!(check_suit_strategy(FINESSE, &budget), Err(SuitFlaw::Stopped(Limit::Cancelled)));
    }
}
