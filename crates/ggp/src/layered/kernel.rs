//! A game in words: states, their successors, their ends. What the solvers in memory and on disk have in common.

use counterplay_base::{Budget, Limit};
use counterplay_ground::game::{FluentId, Game, Signal, Structure, Symmetry, symmetries};

use super::apart::{Apart, Counts};
use super::code::Code;
use super::expand::{Expander, Kinds, for_each_lane};
use super::orbits::OrbitRepresentatives;
use super::{Halt, Refusal};

/// Larger groups of symmetries are not used whole.
const MOST_SYMMETRIES: usize = 16;

/// A game whose states are words and whose layers are kept apart.
pub struct Kernel<'g> {
    game: &'g Game,
    expander: Expander<'g>,
    orbits: OrbitRepresentatives,
    apart: Apart,
    first: u64,
    hand: Option<FluentId>,
}

/// The words of states.
pub struct Words {
    code: Code,
    orbits: OrbitRepresentatives,
}

impl Words {
    /// The word of a state, or of the one that stands for it; `None` if it has none.
    pub fn word(&self, state: &[FluentId]) -> Option<u64> {
        self.code.word(state).map(|word| self.orbits.least(word))
    }

    /// The states that a word stands for, without what the clock shows; `None` if some word stands for no state.
    pub fn states(&self, word: u64) -> Option<Vec<Vec<FluentId>>> {
        self.orbits.all(word).into_iter().map(|word| self.code.fluents(word)).collect()
    }
}

/// What was found of an end.
pub struct End {
    /// The place of the state in its block.
    pub lane: usize,
    /// A reward for each role.
    pub rewards: Vec<u32>,
    /// Whether some role has no reward, or several.
    pub is_odd: bool,
    /// Not over, but some role has no move.
    pub is_stuck: bool,
}

/// The symmetries that keep the clock, or all if there is none.
pub fn symmetry_group(game: &Game, structure: &Structure, budget: &Budget) -> Result<Vec<Symmetry>, Limit> {
    symmetries(game, &clock(game, structure).unwrap_or_default(), MOST_SYMMETRIES, budget)
}

impl<'g> Kernel<'g> {
    /// A game with a group of its symmetries.
    ///
    /// # Errors
    /// What this way of solving cannot do.
    pub fn new(game: &'g Game, structure: &Structure, group: &[Symmetry]) -> Result<Kernel<'g>, Refusal> {
        let clock = clock(game, structure).unwrap_or_default();
        let code = Code::new(game, structure, &clock)?;
        let orbits = OrbitRepresentatives::new(&code, group);
        let first = orbits.least(code.word(&game.initial).expect("the code is made for it"));
        let hand = clock.iter().copied().find(|hand| game.initial.contains(hand));
        let apart = match hand {
            Some(_) => Apart::Clock,
            None => Apart::Counts(Counts::new(game, &code, first)?),
        };
        Ok(Kernel { game, expander: Expander::new(game, code, clock), orbits, apart, first, hand })
    }

    /// The first state.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// What the clock shows at first, if there is one.
    pub fn first_hand(&self) -> Option<FluentId> {
        self.hand
    }

    /// Number of moves of all roles.
    pub fn moves(&self) -> usize {
        self.expander.moves()
    }

    /// How many symmetries are used, the one that changes nothing included.
    pub fn symmetries(&self) -> usize {
        self.orbits.order()
    }

    /// How many bits a state takes.
    pub fn bits(&self) -> usize {
        self.expander.code.bits
    }

    /// How many states a word stands for.
    pub fn orbit_size(&self, state: u64) -> u64 {
        self.orbits.count(state)
    }

    /// What is needed to find the word of a state.
    pub fn into_words(self) -> Words {
        Words { code: self.expander.code, orbits: self.orbits }
    }

    /// Puts a block of at most [`LANES`](super::LANES) states into the lanes.
    pub fn load(&mut self, block: &[u64], hand: Option<FluentId>) -> Result<Kinds, Halt> {
        self.expander.load(block, hand)
    }

    /// Tells of the states of the block in which the game ends.
    pub fn ends(&mut self, kinds: &Kinds, mut tell: impl FnMut(End)) {
        for (lanes, is_stuck) in [(kinds.over, false), (kinds.stuck, true)] {
            for_each_lane(lanes, |lane| {
                let (rewards, is_odd) = self.expander.rewards(lane);
                tell(End { lane, rewards, is_odd, is_stuck });
            });
        }
    }

    /// Tells the role, the move, the place in the block and the successor, for every move in every state of the block. All successors must
    /// show `hand`, or where it is not known yet, the same one.
    #[inline]
    pub fn successors(
        &mut self,
        block: &[u64],
        kinds: &Kinds,
        hand: &mut Option<FluentId>,
        mut tell: impl FnMut(usize, usize, usize, u64),
    ) -> Result<(), Halt> {
        let orbits = &self.orbits;
        self.expander.successors(block, &kinds.movers, hand, |role, a_move, lane, state| {
            tell(role, a_move, lane, orbits.least(state));
        })
    }

    /// Looks whether states belong to a layer, by what keeps the layers apart. A clock is looked at with the successors.
    pub fn look_apart(&mut self, states: &[u64], layer: usize) -> Result<(), Refusal> {
        match &mut self.apart {
            Apart::Clock => Ok(()),
            Apart::Counts(counts) => counts.look(states, layer),
        }
    }

    /// A bit for each guess of what keeps the layers apart that holds so far.
    pub fn guesses(&self) -> u64 {
        match &self.apart {
            Apart::Clock => 1,
            Apart::Counts(counts) => counts.alive,
        }
    }

    /// Gives up the guesses that do not hold elsewhere.
    pub fn keep_guesses(&mut self, guesses: u64) -> Result<(), Refusal> {
        if let Apart::Counts(counts) = &mut self.apart {
            counts.alive &= guesses;
            if counts.alive == 0 {
                return Err(Refusal::NotApart);
            }
        }
        Ok(())
    }

    /// What keeps the layers apart, in words.
    pub fn measure(&self) -> String {
        match (&self.apart, self.hand) {
            (Apart::Counts(counts), _) => counts.describe(self.game),
            (Apart::Clock, hand) => format!("clock {}", self.game.fluents[hand.expect("a clock begins")]),
        }
    }
}

/// Fluents that look like the hands of a clock: that is seen when it runs.
fn clock(game: &Game, structure: &Structure) -> Option<Vec<FluentId>> {
    if structure.clock.is_some() {
        return structure.clock.clone();
    }
    // A fluent that holds at first and never again, in a group of which at most one holds.
    let ends = |fluent: &FluentId| game.next[*fluent] == Signal::Constant(false);
    let begins = |group: &&Vec<FluentId>| group.iter().any(|own| ends(own) && game.initial.contains(own));
    structure.groups.iter().find(|group| group.len() > 2 && begins(group)).cloned()
}
