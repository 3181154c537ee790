//! What one worker does: its parts of all layers forward, then their values backward.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use counterplay_base::{Budget, BudgetPoll, Id};
use counterplay_ggp::explicit::{Order, ranks};
use counterplay_ggp::layered::{Kernel, LANES, Refusal, digest};
use counterplay_ground::game::{FluentId, Game, Structure, Symmetry};
use rustc_hash::FxHashMap;
use timely::worker::Worker;

use crate::blocks::{BLOCK, ValueWriter, WordWriter};
use crate::collect::Collector;
use crate::error::ClusterError;
use crate::flow::Flow;
use crate::store::{EndsTail, Kind, StatesTail, Store, ValuesTail, part_of};
use crate::values::{Lookup, Table};

/// What all workers know.
pub(crate) struct Task {
    pub(crate) game: Game,
    pub(crate) structure: Structure,
    pub(crate) group: Vec<Symmetry>,
    pub(crate) order: Order,
    pub(crate) store: Store,
    pub(crate) budget: Budget,
    /// Bytes that a worker may hold.
    pub(crate) memory: usize,
    pub(crate) news: News,
}

/// How far the work is, for the thread that watches.
#[derive(Clone, Default)]
pub(crate) struct News(Arc<(Mutex<&'static str>, AtomicU64, AtomicU64)>);

impl News {
    fn tell(&self, phase: &'static str, layer: usize, states: u64) {
        if let Ok(mut own) = self.0.0.lock() {
            *own = phase;
        }
        self.0.1.store(layer as u64, Ordering::Relaxed);
        self.0.2.store(states, Ordering::Relaxed);
    }

    /// Phase, layer and states.
    pub(crate) fn last(&self) -> (&'static str, u64, u64) {
        let phase = self.0.0.lock().map(|phase| *phase).unwrap_or_default();
        (phase, self.0.1.load(Ordering::Relaxed), self.0.2.load(Ordering::Relaxed))
    }
}

/// What all workers come to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    pub(crate) outcomes: Vec<Vec<u32>>,
    pub(crate) outcome_states: Vec<u64>,
    pub(crate) layer_states: Vec<u64>,
    pub(crate) layer_digests: Vec<u64>,
    pub(crate) hands: Vec<Option<FluentId>>,
    pub(crate) value: usize,
    pub(crate) terminal: u64,
    pub(crate) stuck: u64,
    pub(crate) odd_rewards: u64,
    pub(crate) measure: String,
    pub(crate) symmetries: usize,
    /// Bytes that went from worker to worker.
    pub(crate) sent: u64,
    /// Bytes of sorted runs that memory had no room for.
    pub(crate) spilled: u64,
}

struct Run<'t, 'w> {
    task: &'t Task,
    worker: &'w mut Worker,
    kernel: Kernel<'t>,
    flow: Flow,
    /// All outcomes that the rewards allow, sorted.
    possible: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, u8>,
    /// For each layer what the clock shows.
    hands: Vec<Option<FluentId>>,
    poll: BudgetPoll,
    spilled: u64,
}

/// Does the work of one worker.
pub(crate) fn work(task: &Task, worker: &mut Worker) -> Result<Figures, ClusterError> {
    let kernel = Kernel::new(&task.game, &task.structure, &task.group)?;
    let possible = possible_outcomes(&task.game)?;
    let numbers = possible.iter().cloned().zip(0..).collect();
    let flow = Flow::new(worker, task.store.parts, kernel.moves());
    let mut run = Run {
        task,
        worker,
        kernel,
        flow,
        possible,
        numbers,
        hands: Vec::new(),
        poll: BudgetPoll::every(64),
        spilled: 0,
    };
    let layers = run.reach()?;
    let outcomes = run.occurring(layers)?;
    run.decide(layers, &outcomes)?;
    run.figures(layers, &outcomes)
}

/// All combinations of rewards that the rules have, with 0 for none.
pub(crate) fn possible_outcomes(game: &Game) -> Result<Vec<Vec<u32>>, Refusal> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for role in game.roles.ids() {
        let own = game.goals.iter().filter(|goal| goal.role == role).map(|goal| goal.value);
        let mut rewards: Vec<u32> = own.chain([0]).collect();
        rewards.sort_unstable();
        rewards.dedup();
        if all.len() * rewards.len() > usize::from(u8::MAX) {
            return Err(Refusal::Outcomes);
        }
        let longer =
            all.iter().flat_map(|start| rewards.iter().map(move |&reward| [&start[..], &[reward]].concat()));
        all = longer.collect();
    }
    Ok(all)
}

impl Run<'_, '_> {
    fn index(&self) -> usize {
        self.worker.index()
    }

    fn peers(&self) -> usize {
        self.worker.peers()
    }

    /// The parts of this worker.
    fn own_parts(&self) -> impl Iterator<Item = usize> + use<> {
        (self.index()..self.task.store.parts).step_by(self.peers())
    }

    fn agree(&mut self, outcome: Result<Vec<u64>, ClusterError>) -> Result<Vec<Vec<u64>>, ClusterError> {
        self.flow.agree(self.worker, outcome)
    }

    /// The same, with the sum of each number.
    fn agree_on_sums(&mut self, outcome: Result<Vec<u64>, ClusterError>) -> Result<Vec<u64>, ClusterError> {
        let told = self.agree(outcome)?;
        let sum = |at: usize| told.iter().map(|numbers| numbers[at]).fold(0, u64::wrapping_add);
        Ok((0..told[0].len()).map(sum).collect())
    }

    /// All layers. Returns how many there are.
    fn reach(&mut self) -> Result<usize, ClusterError> {
        self.expect_states();
        let found = self.found_layers();
        let told = self.agree(found.map(|found| vec![found as u64]))?;
        let ready = told.iter().map(|numbers| numbers[0]).min().unwrap_or_default() as usize;
        if ready == 0 {
            let written = self.write_first();
            self.agree(written.map(|()| Vec::new()))?;
        }
        let mut layer = ready.max(1) - 1;
        let mut states = self.read_hands(layer)?;
        while states > 0 {
            if self.index() == 0 {
                self.task.news.tell("forward", layer, states);
            }
            let expanded =
                self.expand(layer).map(|hand| vec![hand.map_or(0, |hand| hand.index() as u64 + 1)]);
            let told = self.agree(expanded)?;
            let mut shown: Vec<u64> =
                told.iter().map(|numbers| numbers[0]).filter(|&hand| hand > 0).collect();
            shown.dedup();
            let hand = shown.first().map(|&hand| FluentId::new(hand as usize - 1));
            if shown.len() > 1 || hand.is_some() && self.hands.contains(&hand) {
                return Err(Refusal::NotApart.into());
            }
            layer += 1;
            self.hands.push(hand);
            let written = self.write_layer(layer, hand);
            self.expect_states();
            let told = self.agree(written.map(|words| vec![words, self.kernel.guesses()]))?;
            states = told.iter().map(|numbers| numbers[0]).sum();
            self.kernel.keep_guesses(told.iter().fold(!0, |all, numbers| all & numbers[1]))?;
        }
        self.hands.truncate(layer);
        Ok(layer)
    }

    /// How many layers there are of which the own parts are whole, from an earlier run.
    fn found_layers(&self) -> Result<usize, ClusterError> {
        let store = &self.task.store;
        for layer in 0.. {
            for part in self.own_parts() {
                let has_ends = layer == 0 || store.open(Kind::Ends, layer - 1, part)?.is_some();
                if !has_ends || store.open(Kind::States, layer, part)?.is_none() {
                    return Ok(layer);
                }
            }
        }
        unreachable!("some layer is not there")
    }

    /// What is known of the layers up to one; returns the number of its states at all workers.
    fn read_hands(&mut self, last: usize) -> Result<u64, ClusterError> {
        let read = || -> Result<Vec<u64>, ClusterError> {
            let mut numbers = vec![0, !0];
            for layer in 0..=last {
                let mut hand = None;
                for part in (self.worker.index()..self.task.store.parts).step_by(self.worker.peers()) {
                    let tail: StatesTail = self.task.store.read(Kind::States, layer, part)?.tail()?;
                    hand = hand.or(tail.hand);
                    if layer == last {
                        numbers[0] += tail.words;
                        numbers[1] &= tail.guesses;
                    }
                }
                numbers.push(hand.map_or(0, |hand| hand as u64 + 1));
            }
            Ok(numbers)
        };
        let numbers = read();
        let told = self.agree(numbers)?;
        self.kernel.keep_guesses(told.iter().fold(!0, |all, numbers| all & numbers[1]))?;
        let hand =
            |layer: usize| told.iter().map(|numbers| numbers[2 + layer]).max().filter(|&hand| hand > 0);
        self.hands =
            (0..=last).map(|layer| hand(layer).map(|hand| FluentId::new(hand as usize - 1))).collect();
        Ok(told.iter().map(|numbers| numbers[0]).sum())
    }

    fn write_first(&mut self) -> Result<(), ClusterError> {
        let (first, hand) = (self.kernel.first(), self.kernel.first_hand());
        for part in self.own_parts() {
            let is_here = part_of(first, self.task.store.parts) == part;
            let mut writer = WordWriter::new(self.task.store.write(Kind::States, 0, part)?, BLOCK);
            if is_here {
                writer.push(first)?;
            }
            let tail = StatesTail {
                words: u64::from(is_here),
                hand: hand.map(Id::index),
                guesses: self.kernel.guesses(),
            };
            writer.finish(&tail)?;
        }
        Ok(())
    }

    /// Makes room for the states of a layer. Other workers may send them as soon as they have passed the next barrier.
    fn expect_states(&mut self) {
        let Task { store, memory, budget, .. } = self.task;
        let collector = Collector::new(store, self.index(), self.peers(), memory / 8 * 6 / 10, budget);
        self.flow.inbox.borrow_mut().collector = Some(collector);
    }

    /// Sends the successors of the own states of a layer to their owners, and keeps the outcomes of its ends. Returns what the clock shows next.
    fn expand(&mut self, layer: usize) -> Result<Option<FluentId>, ClusterError> {
        let store = &self.task.store;
        let (index, peers, parts) = (self.index(), self.peers(), store.parts);
        let mut next_hand = None;
        let (mut words, mut values) = (Vec::new(), Vec::new());
        let (mut here, mut away): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
        for part in self.own_parts() {
            let mut reader = store.read(Kind::States, layer, part)?;
            let mut ends = ValueWriter::new(store.write(Kind::Ends, layer, part)?, self.possible.len());
            let mut tail = EndsTail::default();
            while reader.words(&mut words)? {
                values.clear();
                values.resize(words.len(), 0u8);
                for (block, values) in words.chunks(LANES).zip(values.chunks_mut(LANES)) {
                    self.poll.step(&self.task.budget)?;
                    let kinds = self.kernel.load(block, self.hands[layer])?;
                    let mut found = Vec::new();
                    self.kernel.ends(&kinds, |end| found.push(end));
                    for end in found {
                        let outcome = self.numbers[&end.rewards];
                        values[end.lane] = outcome + 1;
                        let size = self.kernel.orbit_size(block[end.lane]);
                        *(if end.is_stuck { &mut tail.stuck } else { &mut tail.terminal }) += size;
                        tail.odd_rewards += u64::from(end.is_odd) * size;
                        if !tail.outcomes.contains(&outcome) {
                            tail.outcomes.push(outcome);
                        }
                    }
                    self.kernel.successors(block, &kinds, &mut next_hand, |_, _, _, state| {
                        let is_here = peers == 1 || part_of(state, parts) % peers == index;
                        if is_here { here.push(state) } else { away.push(state) }
                    })?;
                    let inbox = &mut *self.flow.inbox.borrow_mut();
                    inbox.collector.as_mut().expect("made before the barrier").add(&here)?;
                    here.clear();
                }
                ends.block(&values)?;
                self.flow.send_states(&mut away);
                self.flow.round(self.worker);
            }
            tail.outcomes.sort_unstable();
            ends.finish(&tail)?;
        }
        Ok(next_hand)
    }

    /// Writes the own parts of a layer from what was collected. Returns how many states they have.
    fn write_layer(&mut self, layer: usize, hand: Option<FluentId>) -> Result<u64, ClusterError> {
        let collector = self.flow.inbox.borrow_mut().collector.take();
        let mut collector = collector.expect("made when the layer before was expanded");
        let mut all = 0;
        let (kernel, task) = (&mut self.kernel, self.task);
        for (own, part) in (self.worker.index()..task.store.parts).step_by(self.worker.peers()).enumerate() {
            let mut writer = WordWriter::new(task.store.write(Kind::States, layer, part)?, BLOCK);
            let mut words = 0;
            let mut looked: Vec<u64> = Vec::with_capacity(LANES);
            collector.finish(own, |word| {
                words += 1;
                looked.push(word);
                if looked.len() == LANES {
                    kernel.look_apart(&looked, layer)?;
                    looked.clear();
                }
                writer.push(word)
            })?;
            kernel.look_apart(&looked, layer)?;
            writer.finish(&StatesTail { words, hand: hand.map(Id::index), guesses: kernel.guesses() })?;
            all += words;
        }
        self.spilled += collector.spilled;
        Ok(all)
    }

    /// The numbers of the outcomes that occur, among those that are possible.
    fn occurring(&mut self, layers: usize) -> Result<Vec<u8>, ClusterError> {
        let read = || -> Result<Vec<u64>, ClusterError> {
            let mut bits = vec![0u64; 4];
            for layer in 0..layers {
                for part in self.own_parts() {
                    let tail: EndsTail = self.task.store.read(Kind::Ends, layer, part)?.tail()?;
                    tail.outcomes.iter().for_each(|&own| bits[usize::from(own) / 64] |= 1 << (own % 64));
                }
            }
            Ok(bits)
        };
        let bits = read();
        let told = self.agree(bits)?;
        let occurs = |number: &u8| {
            let (at, bit) = (usize::from(*number) / 64, number % 64);
            told.iter().any(|bits| bits[at] >> bit & 1 == 1)
        };
        Ok((0..self.possible.len() as u8).filter(occurs).collect())
    }

    /// Values from the last layer to the first.
    fn decide(&mut self, layers: usize, occurring: &[u8]) -> Result<(), ClusterError> {
        let outcomes: Vec<Vec<u32>> =
            occurring.iter().map(|&own| self.possible[usize::from(own)].clone()).collect();
        let game = &self.task.game;
        let ranks = (0..game.roles.len()).map(|role| ranks(&outcomes, role, self.task.order)).collect();
        let roles = game.moves.iter().map(|own| own.role.index()).collect();
        let lookup = Lookup::new(self.task.store.parts, self.peers(), roles, ranks);
        self.flow.inbox.borrow_mut().lookup = lookup;
        let found = self.found_values(layers);
        let told = self.agree(found.map(|found| vec![found as u64]))?;
        let decided = told.iter().map(|numbers| numbers[0]).max().unwrap_or_default() as usize;
        for layer in (0..decided).rev() {
            if self.index() == 0 {
                self.task.news.tell("backward", layer, 0);
            }
            self.decide_layer(layer, layer + 1 == layers, occurring, outcomes.len())?;
        }
        Ok(())
    }

    /// From which layer on the own parts have values, from an earlier run.
    fn found_values(&self, layers: usize) -> Result<usize, ClusterError> {
        for layer in (0..layers).rev() {
            for part in self.own_parts() {
                if self.task.store.open(Kind::Values, layer, part)?.is_none() {
                    return Ok(layer + 1);
                }
            }
        }
        Ok(0)
    }

    fn decide_layer(
        &mut self,
        layer: usize,
        is_last: bool,
        occurring: &[u8],
        outcomes: usize,
    ) -> Result<(), ClusterError> {
        let begun = self.read_ends(layer, occurring);
        let per_pass = begun.and_then(|held| self.parts_per_pass(layer, is_last, held));
        let told = self.agree(per_pass.map(|count| vec![count as u64]))?;
        let per_pass = told.iter().map(|numbers| numbers[0]).min().unwrap_or(1).max(1) as usize;
        let own_parts = self.task.store.parts.div_ceil(self.peers());
        for pass in 0..if is_last { 0 } else { own_parts.div_ceil(per_pass) } {
            let loaded = self.load(layer + 1, pass * per_pass..(pass + 1) * per_pass);
            // Questions are asked when all workers can answer.
            self.agree(loaded.map(|()| Vec::new()))?;
            let asked = self.ask(layer, pass, per_pass);
            self.agree(asked.map(|()| Vec::new()))?;
        }
        let written = self.write_values(layer, outcomes);
        self.agree(written.map(|()| Vec::new()))?;
        Ok(())
    }

    /// Begins a layer with the values of its ends. Returns how many states it has here.
    fn read_ends(&mut self, layer: usize, occurring: &[u8]) -> Result<usize, ClusterError> {
        let mut place = [0u8; 256];
        (1..).zip(occurring).for_each(|(number, &own)| place[usize::from(own) + 1] = number);
        let mut all = Vec::new();
        let mut values = Vec::new();
        for part in self.own_parts() {
            let tail: StatesTail = self.task.store.read(Kind::States, layer, part)?.tail()?;
            self.task.budget.allow_bytes(tail.words as usize)?;
            all.reserve_exact(tail.words as usize);
            let mut reader = self.task.store.read(Kind::Ends, layer, part)?;
            while reader.values(&mut values)? {
                all.extend(values.iter().map(|&value| place[usize::from(value)]));
            }
        }
        if u32::try_from(all.len()).is_err() {
            let why = "a worker has more than 2^32 states of a layer: more workers are needed";
            return Err(ClusterError::damaged(&self.task.store.folder, why));
        }
        let held = all.len();
        let lookup = &mut self.flow.inbox.borrow_mut().lookup;
        lookup.is_missing = false;
        lookup.values = all;
        Ok(held)
    }

    /// How many parts of the next layer fit into memory at once.
    fn parts_per_pass(&self, layer: usize, is_last: bool, held: usize) -> Result<usize, ClusterError> {
        let mut largest = 1;
        for part in self.own_parts().filter(|_| !is_last) {
            let tail: StatesTail = self.task.store.read(Kind::States, layer + 1, part)?.tail()?;
            largest = largest.max(tail.words as usize);
        }
        Ok((self.task.memory.saturating_sub(held) / (9 * largest)).clamp(1, self.task.store.parts))
    }

    /// Reads own parts of a layer with their values.
    fn load(&mut self, layer: usize, wanted: std::ops::Range<usize>) -> Result<(), ClusterError> {
        self.flow.inbox.borrow_mut().lookup.load(Vec::new());
        let mut tables = Vec::new();
        let (mut words, mut values) = (Vec::new(), Vec::new());
        for (own, part) in self.own_parts().enumerate() {
            let mut table = Table::default();
            if wanted.contains(&own) {
                let mut reader = self.task.store.read(Kind::States, layer, part)?;
                let tail: StatesTail = reader.tail()?;
                self.task.budget.allow_bytes(9 * tail.words as usize)?;
                table.states.reserve_exact(tail.words as usize);
                table.outcomes.reserve_exact(tail.words as usize);
                let mut reader = self.task.store.read(Kind::States, layer, part)?;
                while reader.words(&mut words)? {
                    self.task.budget.check()?;
                    table.states.extend_from_slice(&words);
                }
                let mut reader = self.task.store.read(Kind::Values, layer, part)?;
                while reader.values(&mut values)? {
                    table.outcomes.extend_from_slice(&values);
                }
                if table.states.len() != table.outcomes.len() {
                    let path = self.task.store.path(Kind::Values, layer, part);
                    return Err(ClusterError::damaged(
                        &path,
                        "it has not as many values as there are states",
                    ));
                }
            }
            tables.push(table);
        }
        self.flow.inbox.borrow_mut().lookup.load(tables);
        Ok(())
    }

    /// Asks for the values of the successors of the own states, as far as they are in memory in this pass.
    fn ask(&mut self, layer: usize, pass: usize, per_pass: usize) -> Result<(), ClusterError> {
        let (index, peers, parts) = (self.index(), self.peers(), self.task.store.parts);
        let moves = self.kernel.moves();
        let mut next_hand = self.hands[layer + 1];
        let mut words = Vec::new();
        let mut away = Vec::new();
        let mut from = 0;
        for part in self.own_parts() {
            let mut reader = self.task.store.read(Kind::States, layer, part)?;
            while reader.words(&mut words)? {
                for block in words.chunks(LANES) {
                    self.poll.step(&self.task.budget)?;
                    let inbox = &mut *self.flow.inbox.borrow_mut();
                    let lookup = &mut inbox.lookup;
                    let is_decided =
                        pass == 0 && lookup.values[from..from + block.len()].iter().all(|&own| own > 0);
                    if !is_decided {
                        let kinds = self.kernel.load(block, self.hands[layer])?;
                        self.kernel.successors(
                            block,
                            &kinds,
                            &mut next_hand,
                            |role, a_move, lane, state| {
                                let part = part_of(state, parts);
                                if part / peers / per_pass != pass {
                                    return;
                                }
                                let mark = index * moves + a_move;
                                if part % peers == index {
                                    let value = lookup.answer(state, mark);
                                    lookup.improve(from + lane, role, value);
                                } else {
                                    away.push((state, (from + lane) as u32, mark as u32));
                                }
                            },
                        )?;
                    }
                    from += block.len();
                }
                self.flow.send_questions(&mut away);
                self.flow.round(self.worker);
            }
        }
        Ok(())
    }

    /// Writes the values of the own parts of a layer.
    fn write_values(&mut self, layer: usize, outcomes: usize) -> Result<(), ClusterError> {
        let store = &self.task.store;
        let lookup = std::mem::take(&mut self.flow.inbox.borrow_mut().lookup.values);
        let is_missing = self.flow.inbox.borrow().lookup.is_missing;
        if is_missing || lookup.contains(&0) {
            let why = "a state has no value, or a successor is not there: the files do not belong together";
            return Err(ClusterError::damaged(&store.folder, why));
        }
        let mut words = Vec::new();
        let mut from = 0;
        for part in self.own_parts() {
            let mut reader = store.read(Kind::States, layer, part)?;
            let mut writer = ValueWriter::new(store.write(Kind::Values, layer, part)?, outcomes - 1);
            let mut tail = ValuesTail { outcomes: vec![0; outcomes], ..ValuesTail::default() };
            while reader.words(&mut words)? {
                self.task.budget.check()?;
                let values: Vec<u8> =
                    lookup[from..from + words.len()].iter().map(|&value| value - 1).collect();
                for (&word, &value) in words.iter().zip(&values) {
                    let size = self.kernel.orbit_size(word);
                    tail.states += size;
                    tail.outcomes[usize::from(value)] += size;
                    tail.digest = tail.digest.wrapping_add(digest(word, usize::from(value)));
                }
                writer.block(&values)?;
                from += words.len();
            }
            writer.finish(&tail)?;
        }
        Ok(())
    }

    /// What all parts come to.
    fn figures(&mut self, layers: usize, occurring: &[u8]) -> Result<Figures, ClusterError> {
        let outcomes = occurring.len();
        let sums = self.sums(layers, outcomes);
        let sums = self.agree_on_sums(sums)?;
        let value = sums[6]
            .checked_sub(1)
            .ok_or_else(|| ClusterError::damaged(&self.task.store.folder, "the first state has no value"))?;
        let row = |layer: usize| &sums[7 + layer * (2 + outcomes)..];
        Ok(Figures {
            outcomes: occurring.iter().map(|&own| self.possible[usize::from(own)].clone()).collect(),
            outcome_states: (0..outcomes)
                .map(|own| (0..layers).map(|layer| row(layer)[2 + own]).sum())
                .collect(),
            layer_states: (0..layers).map(|layer| row(layer)[0]).collect(),
            layer_digests: (0..layers).map(|layer| row(layer)[1]).collect(),
            hands: self.hands.clone(),
            value: value as usize,
            terminal: sums[0],
            stuck: sums[1],
            odd_rewards: sums[2],
            measure: self.kernel.measure(),
            symmetries: self.kernel.symmetries(),
            sent: sums[3],
            spilled: sums[4],
        })
    }

    /// What the own parts come to: ends of three kinds, bytes sent and spilled, one spare, the first value plus one, and for each layer
    /// states, digest and states by outcome.
    fn sums(&self, layers: usize, outcomes: usize) -> Result<Vec<u64>, ClusterError> {
        let store = &self.task.store;
        let mut sums = vec![0; 7 + layers * (2 + outcomes)];
        (sums[3], sums[4]) = (self.flow.sent, self.spilled);
        for layer in 0..layers {
            for part in self.own_parts() {
                let ends: EndsTail = store.read(Kind::Ends, layer, part)?.tail()?;
                sums[0] += ends.terminal;
                sums[1] += ends.stuck;
                sums[2] += ends.odd_rewards;
                let values: ValuesTail = store.read(Kind::Values, layer, part)?.tail()?;
                if values.outcomes.len() != outcomes {
                    return Err(ClusterError::damaged(
                        &store.path(Kind::Values, layer, part),
                        "it has other outcomes",
                    ));
                }
                let row = &mut sums[7 + layer * (2 + outcomes)..];
                row[0] += values.states;
                row[1] = row[1].wrapping_add(values.digest);
                row[2..].iter_mut().zip(&values.outcomes).for_each(|(all, own)| *all += own);
            }
        }
        let part = part_of(self.kernel.first(), store.parts);
        if part % self.peers() == self.index() {
            let mut values = Vec::new();
            store.read(Kind::Values, 0, part)?.values(&mut values)?;
            sums[6] = values.first().map_or(0, |&value| u64::from(value) + 1);
        }
        Ok(sums)
    }
}
