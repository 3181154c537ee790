//! Strong solutions layer by layer, a word for each state.
//!
//! Where a clock keeps the layers apart, a state can come again only within its layer: successors are collected, sorted
//! and freed of duplicates (delayed duplicate detection: Korf 2003), and no table of all states is needed. Values come
//! back from the last layer to the first. For one move the successors of states in ascending order ascend as well,
//! mostly; so they are looked up by going along the next layer once for each move.
//!
//! It takes nine bytes for each state, where sets as diagrams may take few for all. But where the values of states have
//! little in common, diagrams grow: those of the 22 million positions of peg solitaire after 19 moves take 3.3 million
//! nodes, where the positions themselves take 0.4 million, and every node costs more than a state does here. Whether the
//! clock is one is looked at in every state: nothing is assumed. Without a clock, a number of fluents that changes by one with each move
//! does as well (`apart`).
//!
//! Of states that a proved symmetry of the rules exchanges, one is kept (`orbits`).

mod apart;
mod code;
mod digest;
mod expand;
mod kernel;
mod orbits;

use std::num::NonZeroU8;

use counterplay_base::{Budget, BudgetPoll, Limit, Progress, Report, Verdict};
use counterplay_ground::game::{FluentId, Game, Structure};

use crate::explicit::{Order, ranks};
use crate::growth::Allowance;
use crate::halt::verdict;
use crate::simultaneous::Simultaneous;

pub use digest::{digest, digest_of_layers, mix};
pub use expand::{Kinds, LANES};
pub use kernel::{End, Kernel, Words, symmetry_group};

/// Why a game is not solved in this way.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing tells the layers apart.
    #[error("no clock or count is proved that keeps the layers of states apart")]
    NotApart,
    /// A state does not fit into a word.
    #[error("a state takes {bits} bits, more than the 64 of a word")]
    Wide {
        /// That it takes.
        bits: usize,
    },
    /// In some state none of a group of fluents holds, of which one held at first.
    #[error("in some state none of a group of fluents holds, one of which holds at first")]
    Uncovered,
    /// Several roles choose at once.
    #[error("{0}")]
    Simultaneous(Simultaneous),
    /// More outcomes than fit into a byte.
    #[error("there are more than {MOST_OUTCOMES} outcomes")]
    Outcomes,
}

/// Why the work on a game ends early.
pub type Halt = crate::halt::Halt<Refusal>;

impl From<Refusal> for Halt {
    fn from(refusal: Refusal) -> Halt {
        Halt::Refused(refusal)
    }
}

/// The number of an outcome plus one, so that a state takes one byte whether it is decided or not.
type Outcome = NonZeroU8;
const MOST_OUTCOMES: usize = u8::MAX as usize;
const DECIDED: &str = "layers are decided from the last to the first";
/// Successors that are sorted together, at least and at most; in between, half as many as there are states so far, so that
/// merging takes a fixed share of the time and little memory beside the states themselves.
const SMALLEST_CHUNK: usize = 1 << 18;
const LARGEST_CHUNK: usize = 1 << 24;

/// The states of a layer in ascending order, and the outcome of each; `None` until it is decided.
struct Layer {
    hand: Option<FluentId>,
    states: Vec<u64>,
    values: Vec<Option<Outcome>>,
}

fn index(outcome: Outcome) -> usize {
    usize::from(outcome.get()) - 1
}

/// Values of all reachable states.
pub struct Solution {
    words: Box<Words>,
    layers: Vec<Layer>,
    /// The distinct outcomes, sorted: a reward for each role.
    pub outcomes: Vec<Vec<u32>>,
    /// Number of states with each outcome.
    pub outcome_states: Vec<u64>,
    /// Number of states in each layer.
    pub layer_states: Vec<u64>,
    /// For each layer the sum of [`digest`] over states and outcomes: equal for equal solutions.
    pub layer_digests: Vec<u64>,
    /// The outcome of the initial state.
    pub value: usize,
    /// States in which the game is over.
    pub terminal: u64,
    /// States that are not over and in which some role has no move; they are taken as ends.
    pub stuck: u64,
    /// Ends at which some role has no reward, or several; the greatest counts, and none counts as 0.
    pub odd_rewards: u64,
    /// What keeps the layers apart.
    pub measure: String,
    /// How many symmetries of the rules were used, the one that changes nothing included.
    pub symmetries: usize,
}

impl Solution {
    /// The outcome from a state on that was reached by so many joint moves; `None` if it cannot be reached.
    pub fn outcome(&self, state: &[FluentId], made: usize) -> Option<usize> {
        let layer = self.layers.get(made)?;
        if layer.hand.is_some_and(|hand| !state.contains(&hand)) {
            return None;
        }
        let at = layer.states.binary_search(&self.words.word(state)?).ok()?;
        layer.values[at].map(index)
    }
}

/// Solves a game of at most so many states, of each orbit one; [`Limit::Nodes`] says that there are more. The verdict is
/// never `Unsolvable`: where a clock runs, every state has a value.
///
/// # Errors
/// What this way of solving cannot do.
pub fn solve(
    game: &Game,
    structure: &Structure,
    order: Order,
    most: u64,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Verdict<Solution>, Refusal> {
    verdict(find(game, structure, order, most, budget, progress))
}

fn find(
    game: &Game,
    structure: &Structure,
    order: Order,
    most: u64,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Solution, Halt> {
    // What is refused is refused before symmetries are looked for.
    Kernel::new(game, structure, &[])?;
    let kernel = Kernel::new(game, structure, &symmetry_group(game, structure, budget)?)?;
    let first = Layer { hand: kernel.first_hand(), states: vec![kernel.first()], values: Vec::new() };
    let mut search = LayeredSearch {
        kernel,
        layers: vec![first],
        outcomes: Vec::new(),
        terminal: 0,
        stuck: 0,
        odd_rewards: 0,
        budget,
        progress,
    };
    search.reach(most)?;
    search.sort_outcomes();
    let ranks: Vec<Vec<u32>> =
        (0..game.roles.len()).map(|role| ranks(&search.outcomes, role, order)).collect();
    search.decide(&ranks)?;
    let mut outcome_states = vec![0; search.outcomes.len()];
    let mut layer_states = vec![0; search.layers.len()];
    let mut layer_digests = vec![0u64; search.layers.len()];
    for ((layer, states), own) in search.layers.iter().zip(&mut layer_states).zip(&mut layer_digests) {
        for (&state, value) in layer.states.iter().zip(&layer.values) {
            let count = search.kernel.orbit_size(state);
            let outcome = index(value.expect(DECIDED));
            outcome_states[outcome] += count;
            *states += count;
            *own = own.wrapping_add(digest(state, outcome));
        }
    }
    Ok(Solution {
        value: index(search.layers[0].values[0].expect(DECIDED)),
        layer_states,
        layer_digests,
        outcomes: search.outcomes,
        outcome_states,
        terminal: search.terminal,
        stuck: search.stuck,
        odd_rewards: search.odd_rewards,
        measure: search.kernel.measure(),
        symmetries: search.kernel.symmetries(),
        words: Box::new(search.kernel.into_words()),
        layers: search.layers,
    })
}

struct LayeredSearch<'g, 'a> {
    kernel: Kernel<'g>,
    layers: Vec<Layer>,
    outcomes: Vec<Vec<u32>>,
    terminal: u64,
    stuck: u64,
    odd_rewards: u64,
    budget: &'a Budget,
    progress: &'a dyn Progress,
}

impl LayeredSearch<'_, '_> {
    /// All layers, with the outcomes of their ends.
    fn reach(&mut self, most: u64) -> Result<(), Halt> {
        let mut poll = BudgetPoll::every(64);
        let mut allowance = Allowance::new(self.budget);
        let mut total = 1;
        for number in 0.. {
            let Layer { hand, states, .. } = &mut self.layers[number];
            let (hand, states) = (*hand, std::mem::take(states));
            let counts = [("layer", number as f64), ("states", states.len() as f64)];
            self.progress.report(Report { phase: "forward", counts: &counts });
            allowance.take(states.len())?;
            let mut values = vec![None; states.len()];
            let mut next_hand = None;
            let mut collected: Vec<u64> = Vec::new();
            let mut next: Vec<u64> = Vec::new();
            for (block, from) in states.chunks(LANES).zip((0..).step_by(LANES)) {
                poll.step(self.budget)?;
                let chunk = (next.len() / 2).clamp(SMALLEST_CHUNK, LARGEST_CHUNK);
                let most_new = block.len() * self.kernel.moves();
                if collected.capacity() - collected.len() < most_new {
                    let more = most_new.max(chunk / 4);
                    self.budget.allow_bytes(8 * more)?;
                    collected.reserve_exact(more);
                }
                let kinds = self.kernel.load(block, hand)?;
                let outcomes = &mut self.outcomes;
                let mut counts = [0; 3];
                let mut sizes = Vec::new();
                self.kernel.ends(&kinds, |end| {
                    let known = outcomes.iter().position(|other| *other == end.rewards);
                    let outcome = known.unwrap_or_else(|| {
                        outcomes.push(end.rewards);
                        outcomes.len() - 1
                    });
                    sizes.push((end.lane, end.is_stuck, end.is_odd));
                    // One too many is refused below.
                    values[from + end.lane] = u8::try_from(outcome + 1).ok().and_then(Outcome::new);
                });
                for (lane, is_stuck, is_odd) in sizes {
                    let size = self.kernel.orbit_size(block[lane]);
                    counts[usize::from(is_stuck)] += size;
                    counts[2] += u64::from(is_odd) * size;
                }
                self.terminal += counts[0];
                self.stuck += counts[1];
                self.odd_rewards += counts[2];
                if self.outcomes.len() > MOST_OUTCOMES {
                    return Err(Refusal::Outcomes.into());
                }
                let tell = |_, _, _, state| collected.push(state);
                self.kernel.successors(block, &kinds, &mut next_hand, tell)?;
                if collected.len() >= chunk {
                    next = merged(next, &mut collected, self.budget)?;
                    if total + next.len() as u64 > most {
                        return Err(Limit::Nodes(most).into());
                    }
                }
            }
            next = merged(next, &mut collected, self.budget)?;
            drop(collected);
            self.layers[number].states = states;
            self.layers[number].values = values;
            if next.is_empty() {
                return Ok(());
            }
            if next_hand.is_some() && self.layers.iter().any(|layer| layer.hand == next_hand) {
                return Err(Refusal::NotApart.into());
            }
            self.kernel.look_apart(&next, number + 1)?;
            total += next.len() as u64;
            if total > most {
                return Err(Limit::Nodes(most).into());
            }
            next.shrink_to_fit();
            self.layers.push(Layer { hand: next_hand, states: next, values: Vec::new() });
        }
        Ok(())
    }

    /// Gives the outcomes their final numbers.
    fn sort_outcomes(&mut self) {
        let mut sorted = self.outcomes.clone();
        sorted.sort_unstable();
        let place = |outcome: &Vec<u32>| {
            let number = sorted.binary_search(outcome).expect("one of them") + 1;
            u8::try_from(number).ok().and_then(Outcome::new).expect("more are refused")
        };
        let numbers: Vec<Outcome> = self.outcomes.iter().map(place).collect();
        for value in self.layers.iter_mut().flat_map(|layer| &mut layer.values).flatten() {
            *value = numbers[index(*value)];
        }
        self.outcomes = sorted;
    }

    /// Values from the last layer to the first.
    fn decide(&mut self, ranks: &[Vec<u32>]) -> Result<(), Halt> {
        let mut poll = BudgetPoll::every(64);
        for number in (0..self.layers.len().saturating_sub(1)).rev() {
            let counts = [("layer", number as f64), ("states", self.layers[number].states.len() as f64)];
            self.progress.report(Report { phase: "backward", counts: &counts });
            let (before, after) = self.layers.split_at_mut(number + 1);
            let (layer, next) = (&mut before[number], &after[0]);
            let mut next_hand = next.hand;
            // How far each move has come along the next layer.
            let mut marks = vec![0usize; self.kernel.moves()];
            for (block, values) in layer.states.chunks(LANES).zip(layer.values.chunks_mut(LANES)) {
                poll.step(self.budget)?;
                if values.iter().all(Option::is_some) {
                    continue;
                }
                let kinds = self.kernel.load(block, layer.hand)?;
                self.kernel.successors(block, &kinds, &mut next_hand, |role, a_move, lane, state| {
                    let mark = &mut marks[a_move];
                    *mark = place_of(&next.states, *mark, state);
                    let value = next.values[*mark].expect(DECIDED);
                    let best = &mut values[lane];
                    let rank = |outcome: Outcome| ranks[role][index(outcome)];
                    if best.is_none_or(|best| rank(value) > rank(best)) {
                        *best = Some(value);
                    }
                })?;
            }
        }
        Ok(())
    }
}

/// Sorts new states and merges them with those known, each once.
fn merged(known: Vec<u64>, new: &mut Vec<u64>, budget: &Budget) -> Result<Vec<u64>, Limit> {
    new.sort_unstable();
    new.dedup();
    // The old and the new list are held beside what becomes of them.
    budget.allow_bytes(8 * (known.len() + new.len()))?;
    let mut all = Vec::with_capacity(known.len() + new.len());
    let mut rest = new.iter().copied().peekable();
    for state in known {
        while let Some(other) = rest.next_if(|&other| other < state) {
            all.push(other);
        }
        rest.next_if_eq(&state);
        all.push(state);
    }
    all.extend(rest);
    new.clear();
    Ok(all)
}

/// The place of a state that is among the sorted ones, looked for from a place on and, should it lie before, anywhere.
#[inline]
pub fn place_of(states: &[u64], from: usize, state: u64) -> usize {
    let from = if states[from] <= state { from } else { 0 };
    let mut step = 1;
    while from + step < states.len() && states[from + step] <= state {
        step *= 2;
    }
    let low = from + step / 2;
    let high = states.len().min(from + step);
    low + states[low..high].partition_point(|&other| other < state)
}
