//! Every reachable state once, with its moves and where they lead.

use counterplay_base::{Budget, BudgetPoll, Id, Limit};
use counterplay_ground::game::{FluentId, Game, MoveId, RoleId};

use super::Halt;
use super::table::StateTable;
use crate::growth::{Allowance, Pages};
use crate::lanes::transpose;
use crate::propnet::{Part, Propnet};
use crate::simultaneous::Simultaneous;

const W: usize = 4;
const LANES: usize = 64 * W;

/// What a state is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// The game is over with this outcome.
    Over(u32),
    /// Joint moves: where their successors begin in the list of edges, and how many moves the roles have. The moves of the
    /// last role vary fastest.
    Open { first: u32, widths: u32 },
}

/// The number of legal moves of each role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Widths {
    pub(crate) of: Box<[u32]>,
    /// Number of joint moves.
    pub(crate) joint: u32,
    /// The only role with several moves, or the first role if none has.
    pub(crate) mover: usize,
}

/// Whether states in which several roles choose at once are explored or refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AtOnce {
    Explore,
    Refuse,
}

/// All reachable states.
pub(crate) struct Graph {
    pub(crate) table: StateTable,
    pub(crate) kinds: Pages<Kind>,
    /// Distinct numbers of moves.
    pub(crate) widths: Vec<Widths>,
    pub(crate) edges: Pages<u32>,
    pub(crate) outcomes: Vec<Vec<u32>>,
    pub(crate) layers: Vec<usize>,
    pub(crate) terminal: usize,
    pub(crate) stuck: usize,
    pub(crate) odd_rewards: usize,
    pub(crate) simultaneous: usize,
}

/// A joint move to be made in a state.
struct Job {
    state: u32,
    moves: Vec<MoveId>,
}

struct Explorer<'g, 'b> {
    game: &'g Game,
    words: usize,
    network: Propnet<W>,
    graph: Graph,
    at_once: AtOnce,
    allowance: Allowance<'b>,
    budget: &'b Budget,
}

/// Explores a game of at most so many states.
pub(crate) fn explore(game: &Game, at_once: AtOnce, most: usize, budget: &Budget) -> Result<Graph, Halt> {
    let words = game.fluents.len().div_ceil(64).max(1);
    let graph = Graph::new(words);
    let allowance = Allowance::new(budget);
    let network = Propnet::new(game);
    let mut explorer = Explorer { game, words, network, graph, at_once, allowance, budget };
    explorer.explore(most)?;
    Ok(explorer.graph)
}

/// Sizes of the first layers of states, complete ones only, within so many states; and whether these are all states.
pub(crate) fn first_layers(game: &Game, most: usize, budget: &Budget) -> (Vec<usize>, bool) {
    let words = game.fluents.len().div_ceil(64).max(1);
    let graph = Graph::new(words);
    let allowance = Allowance::new(budget);
    let network = Propnet::new(game);
    let mut explorer = Explorer { game, words, network, graph, at_once: AtOnce::Explore, allowance, budget };
    let is_all = explorer.explore(most).is_ok();
    (explorer.graph.layers, is_all)
}

impl Graph {
    fn new(words: usize) -> Graph {
        Graph {
            table: StateTable::new(words),
            kinds: Pages::new(1),
            widths: Vec::new(),
            edges: Pages::new(1),
            outcomes: Vec::new(),
            layers: Vec::new(),
            terminal: 0,
            stuck: 0,
            odd_rewards: 0,
            simultaneous: 0,
        }
    }

    /// For each state the number of edges that lead to it or to a state before it: a list of edges by their ends is filled
    /// from there backwards, and what remains are the places where the lists begin.
    pub(crate) fn edges_into(&self, budget: &Budget) -> Result<Vec<u32>, Limit> {
        let mut poll = BudgetPoll::every(4096);
        let mut sums = vec![0u32; self.kinds.len() + 1];
        for edge in 0..self.edges.len() {
            poll.step(budget)?;
            sums[self.edges.get(edge) as usize] += 1;
        }
        let mut sum = 0;
        for own in &mut sums {
            sum += *own;
            *own = sum;
        }
        Ok(sums)
    }
}

impl Explorer<'_, '_> {
    /// Breadth-first search over all states.
    fn explore(&mut self, most: usize) -> Result<(), Halt> {
        let mut row = vec![0u64; self.words];
        for fluent in &self.game.initial {
            row[fluent.index() / 64] |= 1 << (fluent.index() % 64);
        }
        self.graph.table.insert(&row, &mut self.allowance)?;
        let mut from = 0;
        while from < self.graph.table.len() {
            let to = self.graph.table.len();
            self.graph.layers.push(to - from);
            let mut at = from;
            while at < to {
                self.budget.check()?;
                let end = to.min(at + LANES);
                self.expand(at, end, most)?;
                at = end;
            }
            from = to;
        }
        Ok(())
    }

    /// Finds moves and successors of consecutive states, as many as there are lanes.
    fn expand(&mut self, from: usize, to: usize, most: usize) -> Result<(), Halt> {
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
        let mut edges = self.graph.edges.len() as u64;
        for (lane, legal) in legal.iter_mut().enumerate() {
            let is_over = over[lane / 64] >> (lane % 64) & 1 == 1;
            let is_stuck = legal.iter().any(Vec::is_empty);
            let kind = if is_over || is_stuck {
                self.graph.terminal += usize::from(is_over);
                self.graph.stuck += usize::from(!is_over);
                legal.clear();
                Kind::Over(self.outcome(lane))
            } else {
                let widths = self.widths(from + lane, legal)?;
                let first = edges as u32;
                edges += u64::from(self.graph.widths[widths as usize].joint);
                if edges > u64::from(u32::MAX) {
                    return Err(Limit::Nodes(u32::MAX.into()).into());
                }
                Kind::Open { first, widths }
            };
            self.graph.kinds.push(&[kind], &mut self.allowance)?;
        }
        let mut jobs: Vec<Job> = Vec::with_capacity(LANES);
        for (lane, legal) in legal.iter().enumerate().filter(|(_, legal)| !legal.is_empty()) {
            let Kind::Open { widths, .. } = self.graph.kinds.get(from + lane) else {
                unreachable!("only open states have moves")
            };
            for number in 0..self.graph.widths[widths as usize].joint {
                jobs.push(Job { state: (from + lane) as u32, moves: joint_move(legal, number) });
                if jobs.len() == LANES {
                    self.make(&jobs, most)?;
                    jobs.clear();
                }
            }
        }
        if !jobs.is_empty() {
            self.make(&jobs, most)?;
        }
        Ok(())
    }

    /// The number of the widths of a state with these moves.
    fn widths(&mut self, state: usize, legal: &[Vec<MoveId>]) -> Result<u32, Halt> {
        let of: Box<[u32]> = legal.iter().map(|own| own.len() as u32).collect();
        let choosing: Vec<usize> = (0..of.len()).filter(|&role| of[role] > 1).collect();
        if choosing.len() > 1 {
            self.graph.simultaneous += 1;
            if self.at_once == AtOnce::Refuse {
                let row = self.graph.table.row(state);
                let holds = |fluent: &FluentId| row[fluent.index() / 64] >> (fluent.index() % 64) & 1 == 1;
                let state = self.game.fluents.ids().filter(holds).collect();
                let roles = choosing.into_iter().map(RoleId::new).collect();
                return Err(Simultaneous { state, roles }.into());
            }
        }
        if let Some(known) = self.graph.widths.iter().position(|known| known.of == of) {
            return Ok(known as u32);
        }
        let joint = of.iter().try_fold(1u32, |all, &own| all.checked_mul(own));
        let joint = joint.ok_or(Limit::Nodes(u32::MAX.into()))?;
        self.graph.widths.push(Widths { of, joint, mover: choosing.first().copied().unwrap_or(0) });
        Ok(self.graph.widths.len() as u32 - 1)
    }

    /// Sets the fluents of the lanes to those of states.
    fn load(&mut self, numbers: &[u32]) {
        let mut lanes = vec![[0u64; W]; self.words * 64];
        for (word, numbers) in numbers.chunks(64).enumerate() {
            for (part, lanes) in lanes.chunks_mut(64).enumerate() {
                let mut block = [0u64; 64];
                for (row, number) in block.iter_mut().zip(numbers) {
                    *row = self.graph.table.row(*number as usize)[part];
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
    fn make(&mut self, jobs: &[Job], most: usize) -> Result<(), Halt> {
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
            let successor = self.graph.table.insert(row, &mut self.allowance)?;
            self.graph.edges.push(&[successor], &mut self.allowance)?;
        }
        if self.graph.table.len() > most {
            return Err(Limit::Nodes(most as u64).into());
        }
        Ok(())
    }

    /// The rewards in a lane.
    fn outcome(&mut self, lane: usize) -> u32 {
        let (rewards, is_odd) = self.network.rewards(self.game, lane);
        self.graph.odd_rewards += usize::from(is_odd);
        let outcomes = &mut self.graph.outcomes;
        let known = outcomes.iter().position(|other| *other == rewards);
        known.unwrap_or_else(|| {
            outcomes.push(rewards);
            outcomes.len() - 1
        }) as u32
    }
}

/// The joint move of a number; the moves of the last role vary fastest.
fn joint_move(legal: &[Vec<MoveId>], number: u32) -> Vec<MoveId> {
    let mut number = number as usize;
    let mut moves = vec![MoveId::new(0); legal.len()];
    for (role, own) in legal.iter().enumerate().rev() {
        moves[role] = own[number % own.len()];
        number /= own.len();
    }
    moves
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
