//! What keeps the layers apart: the hand of a clock, or the number of fluents of one kind.
//!
//! A clock shows another hand in each layer. Without a clock, the pieces on a board or its empty cells may become one more or one fewer with each
//! layer. Such a count is guessed from the names of fluents and *looked at in every state that is reached*: a guess that fails in one state is
//! given up, and a game without any left is refused.

use counterplay_ground::game::{FluentId, Game};

use super::Refusal;
use super::code::Code;
use super::orbits::chunks;
use crate::symbolic::kinds;

/// So many guesses are followed at once.
const MOST_COUNTS: usize = 64;

/// What keeps the layers apart.
pub(super) enum Apart {
    Clock,
    Counts(Counts),
}

/// Guesses, of which at least one holds in every state so far.
pub(super) struct Counts {
    guesses: Vec<Count>,
    /// A bit for each guess that holds.
    pub(super) alive: u64,
}

/// The number of fluents of a kind.
struct Count {
    /// For each chunk of a word its first bit, a mask, and how many fluents of the kind its values hold.
    tables: Vec<(usize, u64, Vec<u8>)>,
    first: usize,
    grows: bool,
    /// One of the fluents.
    like: FluentId,
}

impl Counts {
    /// All guesses; they hold in the first state. Without any the game is refused.
    pub(super) fn new(game: &Game, code: &Code, first: u64) -> Result<Counts, Refusal> {
        let mut guesses = Vec::new();
        for kind in kinds(game) {
            for grows in [true, false] {
                let mut count = Count { tables: tables(code, &kind), first: 0, grows, like: kind[0] };
                count.first = count.of(first);
                guesses.push(count);
            }
        }
        guesses.truncate(MOST_COUNTS);
        let alive = if guesses.len() == 64 { !0 } else { (1 << guesses.len()) - 1 };
        if alive == 0 { Err(Refusal::NotApart) } else { Ok(Counts { guesses, alive }) }
    }

    /// Gives up what does not hold in the states of a layer.
    pub(super) fn look(&mut self, states: &[u64], layer: usize) -> Result<(), Refusal> {
        for (number, guess) in self.guesses.iter().enumerate() {
            if self.alive >> number & 1 == 1 && !guess.holds(states, layer) {
                self.alive &= !(1 << number);
            }
        }
        if self.alive == 0 { Err(Refusal::NotApart) } else { Ok(()) }
    }

    /// What keeps the layers apart, in words.
    pub(super) fn describe(&self, game: &Game) -> String {
        let guess = &self.guesses[self.alive.trailing_zeros() as usize];
        let way = if guess.grows { "grows" } else { "shrinks" };
        format!("number of fluents like {} {way} by one", game.fluents[guess.like])
    }
}

impl Count {
    #[inline]
    fn of(&self, state: u64) -> usize {
        let parts = self.tables.iter().map(|(shift, mask, counts)| counts[(state >> shift & mask) as usize]);
        parts.map(usize::from).sum()
    }

    fn holds(&self, states: &[u64], layer: usize) -> bool {
        let wanted = if self.grows { self.first.checked_add(layer) } else { self.first.checked_sub(layer) };
        wanted.is_some_and(|wanted| states.iter().all(|&state| self.of(state) == wanted))
    }
}

fn tables(code: &Code, kind: &[FluentId]) -> Vec<(usize, u64, Vec<u8>)> {
    let tables = chunks(code).into_iter().map(|chunk| {
        let values: Vec<Vec<u64>> =
            (chunk.from..chunk.to).map(|variable| code.values_of(variable, kind)).collect();
        let count = |bits: u64| {
            let holds = (chunk.from..chunk.to).zip(&values).filter(|(variable, values)| {
                let (first, width) = code.place_of(*variable);
                values.contains(&(bits >> (first - chunk.shift) & ((1 << width) - 1)))
            });
            holds.count() as u8
        };
        (chunk.shift, (1 << chunk.width) - 1, (0..1u64 << chunk.width).map(count).collect())
    });
    tables.collect()
}
