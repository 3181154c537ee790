//! Strong solutions state by state: every reachable state once, then values backwards.
//!
//! States are rows of bits in one table; the network expands a batch of them in one pass, one lane for each state and
//! joint move. Values are found from the ends of the game backwards: a state is decided when all its successors are, or
//! when the one to move can get the best that there is. For a single player the best reward that can be reached
//! decides, so circles do no harm; in games of several players, states from which play can go on for ever may stay
//! undecided, and are counted.
//!
//! This is the obvious twin of the symbolic solver, and the faster one for small games.

use counterplay_base::{Budget, Id, Limit, Pulse};
use counterplay_ground::game::{FluentId, Game, MoveId};
use rustc_hash::FxHashMap;

use crate::lanes::transpose;
use crate::network::{Network, Part};

/// What a player wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The greatest reward; among equals the least for the others.
    #[default]
    Own,
    /// The greatest difference to the others' rewards; among equals the greatest reward.
    Difference,
}

/// Values of all reachable states.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The states, row after row.
    words: usize,
    states: Vec<u64>,
    index: FxHashMap<Box<[u64]>, u32>,
    /// The distinct outcomes: a reward for each role.
    pub outcomes: Vec<Vec<u32>>,
    /// The outcome of each state; `None` if play can go on for ever.
    pub values: Vec<Option<u32>>,
    /// Number of states first reached after so many moves.
    pub layers: Vec<usize>,
    /// States in which the game is over.
    pub terminal: usize,
    /// States that are not over and in which some role has no legal move; they are taken as ends.
    pub stuck: usize,
    /// States in which more than one role has a choice.
    pub simultaneous: usize,
    /// Ends at which some role has no reward, or several; the greatest counts, and none counts as 0.
    pub odd_rewards: usize,
}

impl Solution {
    /// Number of states.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no state; there always is one.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The number of a state.
    pub fn find(&self, state: &[u64]) -> Option<usize> {
        self.index.get(state).map(|&number| number as usize)
    }

    /// The fluents of a state, as bits.
    pub fn state(&self, number: usize) -> &[u64] {
        &self.states[number * self.words..(number + 1) * self.words]
    }

    /// The rewards that the roles get from a state on; `None` if play can go on for ever.
    pub fn value(&self, number: usize) -> Option<&[u32]> {
        self.values[number].map(|outcome| &self.outcomes[outcome as usize][..])
    }
}

/// Solves a game of at most so many states.
///
/// `Err(Limit::Nodes)` says that there are more.
pub fn solve(game: &Game, order: Order, most: usize, budget: &Budget) -> Result<Solution, Limit> {
    let mut explorer = Explorer::new(game);
    explorer.explore(most, budget)?;
    explorer.decide(order, budget)
}

const W: usize = 4;
const LANES: usize = 64 * W;

/// The moves of a state, and where they lead.
///
/// `choices` is the list of successors, as a matrix: the first role with a choice chooses the row, and so on.
#[derive(Clone, Debug)]
enum Kind {
    /// The game is over with this outcome.
    Over(u32),
    /// Joint moves: their successors begin here in the list, and each role has so many moves.
    Open { first: u32, widths: Box<[u32]> },
}

struct Explorer<'g> {
    game: &'g Game,
    words: usize,
    network: Network<W>,
    states: Vec<u64>,
    index: FxHashMap<Box<[u64]>, u32>,
    kinds: Vec<Kind>,
    edges: Vec<u32>,
    outcomes: Vec<Vec<u32>>,
    layers: Vec<usize>,
    terminal: usize,
    stuck: usize,
    simultaneous: usize,
    odd_rewards: usize,
}

/// A joint move to be made in a state.
struct Job {
    state: u32,
    moves: Vec<MoveId>,
}

impl<'g> Explorer<'g> {
    fn new(game: &'g Game) -> Explorer<'g> {
        Explorer {
            game,
            words: game.fluents.len().div_ceil(64).max(1),
            network: Network::new(game),
            states: Vec::new(),
            index: FxHashMap::default(),
            kinds: Vec::new(),
            edges: Vec::new(),
            outcomes: Vec::new(),
            layers: Vec::new(),
            terminal: 0,
            stuck: 0,
            simultaneous: 0,
            odd_rewards: 0,
        }
    }

    fn intern(&mut self, row: &[u64]) -> u32 {
        if let Some(&known) = self.index.get(row) {
            return known;
        }
        let number = self.index.len() as u32;
        self.index.insert(row.into(), number);
        self.states.extend_from_slice(row);
        number
    }

    /// Breadth-first search over all states.
    fn explore(&mut self, most: usize, budget: &Budget) -> Result<(), Limit> {
        let mut row = vec![0u64; self.words];
        for fluent in &self.game.initial {
            row[fluent.index() / 64] |= 1 << (fluent.index() % 64);
        }
        self.intern(&row);
        let mut from = 0;
        while from < self.index.len() {
            let to = self.index.len();
            self.layers.push(to - from);
            let mut at = from;
            while at < to {
                budget.check()?;
                if self.index.len() > most {
                    return Err(Limit::Nodes(most as u64));
                }
                let end = to.min(at + LANES);
                self.expand(at, end);
                at = end;
            }
            from = to;
        }
        Ok(())
    }

    /// Finds moves and successors of consecutive states, as many as there are lanes.
    fn expand(&mut self, from: usize, to: usize) {
        let numbers: Vec<u32> = (from as u32..to as u32).collect();
        self.load(&numbers);
        self.network.evaluate(Part::State);
        self.network.evaluate(Part::Goals);
        let over = self.network.terminal();
        let mut legal: Vec<Vec<Vec<MoveId>>> = vec![vec![Vec::new(); self.game.roles.len()]; to - from];
        for (id, a_move) in self.game.moves.enumerate() {
            let lanes = self.network.legal(id);
            for_each_lane(lanes, to - from, |lane| legal[lane][a_move.role.index()].push(id));
        }
        let mut jobs: Vec<Job> = Vec::new();
        for (lane, legal) in legal.iter().enumerate() {
            let is_over = over[lane / 64] >> (lane % 64) & 1 == 1;
            let is_stuck = legal.iter().any(Vec::is_empty);
            if is_over || is_stuck {
                self.terminal += usize::from(is_over);
                self.stuck += usize::from(!is_over);
                let outcome = self.outcome(lane);
                self.kinds.push(Kind::Over(outcome));
                continue;
            }
            let widths: Box<[u32]> = legal.iter().map(|own| own.len() as u32).collect();
            self.simultaneous += usize::from(widths.iter().filter(|&&width| width > 1).count() > 1);
            let total: u32 = widths.iter().product();
            self.kinds.push(Kind::Open { first: (self.edges.len() + jobs.len()) as u32, widths });
            for mut number in 0..total {
                let mut moves = vec![MoveId::new(0); legal.len()];
                for (role, own) in legal.iter().enumerate().rev() {
                    moves[role] = own[number as usize % own.len()];
                    number /= own.len() as u32;
                }
                jobs.push(Job { state: (from + lane) as u32, moves });
            }
        }
        for batch in jobs.chunks(LANES) {
            self.make(batch);
        }
    }

    /// Sets the fluents of the lanes to those of states.
    fn load(&mut self, numbers: &[u32]) {
        let mut lanes = vec![[0u64; W]; self.words * 64];
        for (word, numbers) in numbers.chunks(64).enumerate() {
            for (part, lanes) in lanes.chunks_mut(64).enumerate() {
                let mut block = [0u64; 64];
                for (row, number) in block.iter_mut().zip(numbers) {
                    *row = self.states[*number as usize * self.words + part];
                }
                transpose(&mut block);
                for (lane, value) in lanes.iter_mut().zip(block) {
                    lane[word] = value;
                }
            }
        }
        for (fluent, value) in self.game.fluents.ids().zip(lanes) {
            self.network.set_fluent(fluent, value);
        }
    }

    /// Makes one joint move in each lane.
    fn make(&mut self, jobs: &[Job]) {
        let numbers: Vec<u32> = jobs.iter().map(|job| job.state).collect();
        self.load(&numbers);
        let mut made: Vec<MoveId> = Vec::new();
        for (lane, job) in jobs.iter().enumerate() {
            for &a_move in &job.moves {
                self.network.add_move(a_move, lane / 64, (lane % 64) as u32);
                made.push(a_move);
            }
        }
        self.network.evaluate(Part::State);
        self.network.evaluate(Part::Moves);
        let mut rows = vec![0u64; jobs.len() * self.words];
        for part in 0..self.words {
            for word in 0..jobs.len().div_ceil(64) {
                let mut block = [0u64; 64];
                for (bit, value) in block.iter_mut().enumerate() {
                    let fluent = 64 * part + bit;
                    if fluent < self.game.fluents.len() {
                        *value = self.network.next(FluentId::new(fluent))[word];
                    }
                }
                transpose(&mut block);
                for (row, value) in block.into_iter().enumerate().take(jobs.len() - 64 * word) {
                    rows[(64 * word + row) * self.words + part] = value;
                }
            }
        }
        for a_move in made {
            self.network.set_move(a_move, [0; W]);
        }
        for row in rows.chunks(self.words) {
            let successor = self.intern(row);
            self.edges.push(successor);
        }
    }

    /// The rewards in a lane.
    fn outcome(&mut self, lane: usize) -> u32 {
        let mut rewards: Vec<Option<u32>> = vec![None; self.game.roles.len()];
        let mut odd = false;
        for (number, goal) in self.game.goals.iter().enumerate() {
            if self.network.goal(number)[lane / 64] >> (lane % 64) & 1 == 1 {
                let place = &mut rewards[goal.role.index()];
                odd |= place.is_some();
                *place = (*place).max(Some(goal.value));
            }
        }
        odd |= rewards.contains(&None);
        self.odd_rewards += usize::from(odd);
        let rewards: Vec<u32> = rewards.into_iter().map(|reward| reward.unwrap_or(0)).collect();
        let known = self.outcomes.iter().position(|other| *other == rewards);
        known.unwrap_or_else(|| {
            self.outcomes.push(rewards);
            self.outcomes.len() - 1
        }) as u32
    }

    /// Values from the ends backwards.
    fn decide(self, order: Order, budget: &Budget) -> Result<Solution, Limit> {
        let count = self.kinds.len();
        let ranks: Vec<Vec<u32>> =
            (0..self.game.roles.len()).map(|role| ranks(&self.outcomes, role, order)).collect();
        let mut values: Vec<Option<u32>> = vec![None; count];
        let mut waiting: Vec<u32> = Vec::with_capacity(count);
        let mut open: Vec<u32> = Vec::new();
        for (state, kind) in self.kinds.iter().enumerate() {
            match kind {
                Kind::Over(outcome) => {
                    values[state] = Some(*outcome);
                    waiting.push(0);
                    open.push(state as u32);
                }
                Kind::Open { widths, .. } => waiting.push(widths.iter().product()),
            }
        }
        // Predecessors, back to back.
        let mut start = vec![0u32; count + 1];
        self.edges.iter().for_each(|&edge| start[edge as usize + 1] += 1);
        for at in 0..count {
            start[at + 1] += start[at];
        }
        let mut place = start.clone();
        let mut parents = vec![0u32; self.edges.len()];
        for (state, kind) in self.kinds.iter().enumerate() {
            if let Kind::Open { first, widths } = kind {
                let total: u32 = widths.iter().product();
                for &edge in &self.edges[*first as usize..(*first + total) as usize] {
                    parents[place[edge as usize] as usize] = state as u32;
                    place[edge as usize] += 1;
                }
            }
        }
        let mut pulse = Pulse::every(4096);
        if self.game.roles.len() == 1 {
            // Best rewards first: whoever can reach one, gets it.
            let mut ends = std::mem::take(&mut open);
            ends.sort_by_key(|&state| {
                std::cmp::Reverse(ranks[0][values[state as usize].expect("over") as usize])
            });
            for end in ends {
                open.push(end);
                while let Some(state) = open.pop() {
                    pulse.beat(budget)?;
                    for &parent in
                        &parents[start[state as usize] as usize..start[state as usize + 1] as usize]
                    {
                        if values[parent as usize].is_none() {
                            values[parent as usize] = values[end as usize];
                            open.push(parent);
                        }
                    }
                }
            }
        }
        while let Some(state) = open.pop() {
            pulse.beat(budget)?;
            for &parent in &parents[start[state as usize] as usize..start[state as usize + 1] as usize] {
                waiting[parent as usize] -= 1;
                if values[parent as usize].is_some() {
                    continue;
                }
                let Kind::Open { first, widths } = &self.kinds[parent as usize] else { continue };
                let best = if waiting[parent as usize] == 0 {
                    let successors = &self.edges[*first as usize..];
                    let outcome = |edge: u32| values[edge as usize].expect("all successors are decided");
                    Some(combine(successors, widths, 0, &ranks, &outcome))
                } else {
                    at_best(values[state as usize].expect("decided"), widths, &ranks)
                };
                if let Some(best) = best {
                    values[parent as usize] = Some(best);
                    open.push(parent);
                }
            }
        }
        let Explorer {
            words,
            states,
            index,
            outcomes,
            layers,
            terminal,
            stuck,
            simultaneous,
            odd_rewards,
            ..
        } = self;
        Ok(Solution {
            words,
            states,
            index,
            outcomes,
            values,
            layers,
            terminal,
            stuck,
            simultaneous,
            odd_rewards,
        })
    }
}

/// The outcome if the only role with a choice can get nothing better than this.
fn at_best(outcome: u32, widths: &[u32], ranks: &[Vec<u32>]) -> Option<u32> {
    let mut choosing = widths.iter().enumerate().filter(|&(_, &width)| width > 1);
    let (role, _) = choosing.next()?;
    let top = ranks[role].iter().max()?;
    (choosing.next().is_none() && ranks[role][outcome as usize] == *top).then_some(outcome)
}

/// The outcome of a matrix of successors: roles choose one after the other, each knowing the choices before.
fn combine(
    successors: &[u32],
    widths: &[u32],
    role: usize,
    ranks: &[Vec<u32>],
    outcome: &impl Fn(u32) -> u32,
) -> u32 {
    let Some((&width, rest)) = widths.split_first() else { return outcome(successors[0]) };
    let step: usize = rest.iter().map(|&width| width as usize).product();
    let outcomes =
        (0..width as usize).map(|row| combine(&successors[row * step..], rest, role + 1, ranks, outcome));
    outcomes.max_by_key(|&outcome| ranks[role][outcome as usize]).expect("every role has a move")
}

/// How much a role likes each outcome: greater is better.
pub(crate) fn ranks(outcomes: &[Vec<u32>], role: usize, order: Order) -> Vec<u32> {
    let key = |outcome: &Vec<u32>| {
        let own = i64::from(outcome[role]);
        let others: i64 = outcome.iter().map(|&reward| i64::from(reward)).sum::<i64>() - own;
        match order {
            // The rewards themselves decide between what is liked equally, so that there is one answer.
            Order::Own => (own, -others, outcome.clone()),
            Order::Difference => (own - others, own, outcome.clone()),
        }
    };
    let mut keys: Vec<(i64, i64, Vec<u32>)> = outcomes.iter().map(key).collect();
    keys.sort_unstable();
    keys.dedup();
    outcomes.iter().map(|outcome| keys.binary_search(&key(outcome)).expect("just made") as u32).collect()
}

/// Calls for each lane below `count` whose bit is set.
fn for_each_lane(lanes: [u64; W], count: usize, mut each: impl FnMut(usize)) {
    for (word, mut bits) in lanes.into_iter().enumerate() {
        while bits != 0 {
            let lane = 64 * word + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            if lane < count {
                each(lane);
            }
        }
    }
}
