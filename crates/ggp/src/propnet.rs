//! The propositional network of a game, evaluated for many states at once.
//!
//! Every atom holds one word of lanes, and one pass over the gates in order of dependence evaluates all lanes with
//! the same few instructions. The gates come in three parts, so that each is evaluated only when it is asked
//! for: what legality, the end and the rest need of the state; what the next state needs of the moves; and the rewards.
//! A part is evaluated incrementally: only gates of which an input changed in some lane, found through a bitmap over
//! the order; when most gates change anyway, it is evaluated in one sweep instead.
//!
//! Propositional networks: Schkufza, Love and Genesereth 2008; evaluation of changes only: Draper and Rose 2014.

use counterplay_base::{Id, IdLists, id};
use counterplay_ground::game::{FluentId, Game, MoveId, RuleId, Signal};

use crate::lanes::Lanes;

id! {
    /// A place in the order of evaluation.
    pub struct GateId;
    /// An atom or the constant true.
    pub struct WireId;
}

/// What is evaluated together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Depends on the state only: legality, the end, and what moves are combined with.
    State,
    /// Depends on moves: the next state.
    Moves,
    /// Rewards.
    Goals,
    /// Atoms that were added to the rules, and that depend on the state only.
    Added,
}

const PARTS: [Part; 4] = [Part::State, Part::Moves, Part::Goals, Part::Added];

/// A game's rules and the values of all atoms in `64 * W` lanes.
#[derive(Clone, Debug)]
pub struct Propnet<const W: usize> {
    /// The value of each wire.
    values: Vec<Lanes<W>>,
    /// Gates by place: a number of outputs, then each output as its wire and its rules; see [`Propnet::evaluate`].
    program: Vec<u32>,
    /// Where each gate begins in the program.
    gates: Vec<u32>,
    /// The first gate of each part, and the end.
    parts: [usize; PARTS.len() + 1],
    /// Gates that a wire feeds.
    readers: IdLists<WireId, u32>,
    dirty: Vec<u64>,
    /// For each part, whether a sweep is due: at first, and when most gates change.
    sweep: [bool; PARTS.len()],
    next: Vec<u32>,
    legal: Vec<u32>,
    goals: Vec<u32>,
    percepts: Vec<u32>,
    terminal: u32,
    fluents: usize,
}

/// If more than one gate in so many changes, sweeping is faster than looking for them.
const SWEEP_SHARE: usize = 4;
/// A component of several atoms that depend on each other.
const RECURSIVE: u32 = 1 << 31;

impl<const W: usize> Propnet<W> {
    /// The network of a game, all inputs false.
    pub fn new(game: &Game) -> Propnet<W> {
        Propnet::with_added(game, game.atoms)
    }

    /// The same for a game to which atoms were added, from a number on, that nothing else in the rules reads.
    pub fn with_added(game: &Game, first_added: usize) -> Propnet<W> {
        let truth = game.atoms as u32;
        let code = |signal: Signal| match signal {
            Signal::Constant(value) => truth << 1 | u32::from(!value),
            Signal::Literal(literal) => literal.code(),
        };
        let part_of = parts_of(game, first_added);
        let first = game.first_derived();
        let mut rules_of = vec![(0usize, 0usize); game.atoms];
        for (rule, head) in game.heads.enumerate() {
            let place = &mut rules_of[head.index()];
            if place.1 == 0 {
                place.0 = rule.index();
            }
            place.1 = rule.index() + 1;
        }
        let mut network = Propnet {
            values: vec![[0; W]; game.atoms + 1],
            program: Vec::new(),
            gates: Vec::new(),
            parts: [0; PARTS.len() + 1],
            readers: IdLists::new(),
            dirty: Vec::new(),
            sweep: [true; PARTS.len()],
            next: game.next.iter().map(|&signal| code(signal)).collect(),
            legal: game.legal.iter().map(|&signal| code(signal)).collect(),
            goals: game.goals.iter().map(|goal| code(goal.when)).collect(),
            percepts: game.percepts.iter().flatten().map(|percept| code(percept.when)).collect(),
            terminal: code(game.terminal),
            fluents: game.fluents.len(),
        };
        network.values[game.atoms] = [!0; W];
        let mut reads: Vec<(WireId, u32)> = Vec::new();
        for (at, part) in PARTS.into_iter().enumerate() {
            network.parts[at] = network.gates.len();
            let own =
                game.components.iter().filter(|component| part_of[component[0].index() - first] == part);
            for component in own {
                let gate = network.gates.len() as u32;
                network.gates.push(network.program.len() as u32);
                let recursive = if component.len() > 1 { RECURSIVE } else { 0 };
                network.program.push(component.len() as u32 | recursive);
                for atom in component {
                    let (from, to) = rules_of[atom.index()];
                    network.program.extend([atom.index() as u32, (to - from) as u32]);
                    for rule in from..to {
                        let body = &game.bodies[RuleId::new(rule)];
                        network.program.push(body.len() as u32);
                        network.program.extend(body.iter().map(|literal| literal.code()));
                        let inputs =
                            body.iter().filter(|literal| component.binary_search(&literal.atom()).is_err());
                        reads.extend(inputs.map(|literal| (WireId::new(literal.atom().index()), gate)));
                    }
                }
            }
        }
        network.parts[PARTS.len()] = network.gates.len();
        reads.sort_unstable();
        reads.dedup();
        network.readers = IdLists::from_pairs(game.atoms + 1, &reads);
        network.dirty = vec![0; network.gates.len().div_ceil(64) + 1];
        network
    }

    /// The value of a fluent.
    pub fn fluent(&self, fluent: FluentId) -> Lanes<W> {
        self.values[fluent.index()]
    }

    /// Sets a fluent.
    #[inline]
    pub fn set_fluent(&mut self, fluent: FluentId, value: Lanes<W>) {
        self.set(fluent.index(), value);
    }

    /// Sets whether a move is made.
    #[inline]
    pub fn set_move(&mut self, a_move: MoveId, value: Lanes<W>) {
        self.set(self.fluents + a_move.index(), value);
    }

    /// Adds lanes in which a move is made.
    #[inline]
    pub fn add_move(&mut self, a_move: MoveId, word: usize, bit: u32) {
        let wire = self.fluents + a_move.index();
        self.values[wire][word] |= 1 << bit;
        self.mark(wire);
    }

    #[inline]
    fn set(&mut self, wire: usize, value: Lanes<W>) {
        if self.values[wire] != value {
            self.values[wire] = value;
            self.mark(wire);
        }
    }

    /// The gates that a wire feeds have to be evaluated again.
    #[inline]
    fn mark(&mut self, wire: usize) {
        for &gate in &self.readers[WireId::new(wire)] {
            self.dirty[gate as usize / 64] |= 1 << (gate % 64);
        }
    }

    #[inline]
    fn literal(&self, code: u32) -> Lanes<W> {
        let flip = if code & 1 == 1 { !0 } else { 0 };
        self.values[(code >> 1) as usize].map(|word| word ^ flip)
    }

    /// Whether a move is legal. Asks for [`Part::State`].
    #[inline]
    pub fn legal(&self, a_move: MoveId) -> Lanes<W> {
        self.literal(self.legal[a_move.index()])
    }

    /// Whether the game is over. Asks for [`Part::State`].
    pub fn terminal(&self) -> Lanes<W> {
        self.literal(self.terminal)
    }

    /// Whether a fluent holds in the next state. Asks for [`Part::Moves`].
    #[inline]
    pub fn next(&self, fluent: FluentId) -> Lanes<W> {
        self.literal(self.next[fluent.index()])
    }

    /// Whether a reward is given, by its number in the game. Asks for [`Part::Goals`].
    pub fn goal(&self, goal: usize) -> Lanes<W> {
        self.literal(self.goals[goal])
    }

    /// The value of an atom or a constant. Asks for the part that it belongs to.
    #[inline]
    pub fn signal(&self, signal: Signal) -> Lanes<W> {
        match signal {
            Signal::Constant(value) => [if value { !0 } else { 0 }; W],
            Signal::Literal(literal) => self.literal(literal.code()),
        }
    }

    /// Whether something is perceived, by its number in the game. Asks for [`Part::Moves`].
    pub(crate) fn percept(&self, number: usize) -> Lanes<W> {
        self.literal(self.percepts[number])
    }

    /// The rewards in a lane: each role has the greatest that is given, or 0; and whether some role but chance has none, or
    /// several.
    /// Asks for [`Part::Goals`].
    pub(crate) fn rewards(&self, game: &Game, lane: usize) -> (Vec<u32>, bool) {
        let mut rewards: Vec<Option<u32>> = vec![None; game.roles.len()];
        let mut is_odd = false;
        for (number, goal) in game.goals.iter().enumerate() {
            if self.goal(number)[lane / 64] >> (lane % 64) & 1 == 1 {
                let place = &mut rewards[goal.role.index()];
                is_odd |= place.is_some();
                *place = (*place).max(Some(goal.value));
            }
        }
        is_odd |=
            (0..).zip(&rewards).any(|(role, own)| own.is_none() && game.chance.map(Id::index) != Some(role));
        (rewards.into_iter().map(|reward| reward.unwrap_or(0)).collect(), is_odd)
    }

    /// Brings a part up to date. Earlier parts must be.
    pub fn evaluate(&mut self, part: Part) {
        let at = part as usize;
        let (from, to) = (self.parts[at], self.parts[at + 1]);
        if self.sweep[at] {
            let mut changed = 0;
            for gate in from..to {
                changed += usize::from(self.run(gate));
            }
            self.clean(from, to);
            self.sweep[at] = changed * SWEEP_SHARE > to - from;
            return;
        }
        let mut run = 0;
        let mut place = from;
        while place < to {
            let word = place / 64;
            let above = self.dirty[word] & (!0 << (place % 64));
            if above == 0 {
                place = (word + 1) * 64;
                continue;
            }
            let gate = word * 64 + above.trailing_zeros() as usize;
            if gate >= to {
                break;
            }
            self.dirty[word] &= !(1 << (gate % 64));
            run += usize::from(self.run(gate));
            place = gate + 1;
        }
        self.sweep[at] = run * SWEEP_SHARE > to - from;
    }

    /// Forgets marks of a range of gates.
    fn clean(&mut self, from: usize, to: usize) {
        for gate in from..to {
            self.dirty[gate / 64] &= !(1 << (gate % 64));
        }
    }

    /// Evaluates a gate; whether its value changed. Readers of changed wires are marked.
    #[inline]
    fn run(&mut self, gate: usize) -> bool {
        let mut at = self.gates[gate] as usize;
        let count = self.program[at];
        at += 1;
        if count & RECURSIVE == 0 {
            let wire = self.program[at] as usize;
            let (value, _) = self.disjunction(at + 1);
            if self.values[wire] == value {
                return false;
            }
            self.values[wire] = value;
            self.mark(wire);
            return true;
        }
        self.run_component(at, count & !RECURSIVE)
    }

    /// Evaluates atoms that depend on each other: from nothing up to the least solution.
    fn run_component(&mut self, start: usize, count: u32) -> bool {
        let mut before = Vec::with_capacity(count as usize);
        let mut at = start;
        for _ in 0..count {
            let wire = self.program[at] as usize;
            before.push((wire, self.values[wire]));
            self.values[wire] = [0; W];
            at = self.disjunction(at + 1).1;
        }
        let mut grows = true;
        while grows {
            grows = false;
            at = start;
            for _ in 0..count {
                let wire = self.program[at] as usize;
                let (value, end) = self.disjunction(at + 1);
                grows |= self.values[wire] != value;
                self.values[wire] = value;
                at = end;
            }
        }
        let mut changed = false;
        for (wire, old) in before {
            if self.values[wire] != old {
                changed = true;
                self.mark(wire);
            }
        }
        changed
    }

    /// The value of rules that begin at a place of the program, and where they end.
    #[inline]
    fn disjunction(&self, mut at: usize) -> (Lanes<W>, usize) {
        let rules = self.program[at];
        at += 1;
        let mut any = [0u64; W];
        for _ in 0..rules {
            let literals = self.program[at] as usize;
            at += 1;
            let mut all = [!0u64; W];
            for &code in &self.program[at..at + literals] {
                let flip = (code as u64 & 1).wrapping_neg();
                let value = &self.values[(code >> 1) as usize];
                for word in 0..W {
                    all[word] &= value[word] ^ flip;
                }
            }
            at += literals;
            for word in 0..W {
                any[word] |= all[word];
            }
        }
        (any, at)
    }
}

/// The part of each derived atom: what only rewards need comes last, what depends on moves before it.
fn parts_of(game: &Game, first_added: usize) -> Vec<Part> {
    let first = game.first_derived();
    let count = game.atoms - first;
    let is_move = |atom: usize| (game.fluents.len()..first).contains(&atom);
    let mut on_moves = vec![false; count];
    let mut rules: Vec<Vec<RuleId>> = vec![Vec::new(); count];
    for (rule, head) in game.heads.enumerate() {
        rules[head.index() - first].push(rule);
    }
    for component in &game.components {
        let body = component
            .iter()
            .flat_map(|atom| &rules[atom.index() - first])
            .flat_map(|&rule| &game.bodies[rule]);
        let depends = body
            .map(|literal| literal.atom().index())
            .any(|atom| is_move(atom) || atom >= first && on_moves[atom - first]);
        component.iter().for_each(|atom| on_moves[atom.index() - first] = depends);
    }
    // What is needed besides rewards.
    let mut needed = vec![false; count];
    let percepts = game.percepts.iter().flatten().map(|percept| &percept.when);
    let signals = game.next.iter().chain(&game.legal).chain(percepts).chain(std::iter::once(&game.terminal));
    let mut open: Vec<usize> = signals
        .filter_map(|signal| match signal {
            Signal::Literal(literal) => literal.atom().index().checked_sub(first),
            Signal::Constant(_) => None,
        })
        .chain(first_added - first..count)
        .collect();
    while let Some(atom) = open.pop() {
        if !std::mem::replace(&mut needed[atom], true) {
            let body = rules[atom].iter().flat_map(|&rule| &game.bodies[rule]);
            open.extend(body.filter_map(|literal| literal.atom().index().checked_sub(first)));
        }
    }
    let part = |atom: usize| match (needed[atom], on_moves[atom]) {
        _ if atom + first >= first_added => Part::Added,
        (false, _) => Part::Goals,
        (true, true) => Part::Moves,
        (true, false) => Part::State,
    };
    (0..count).map(part).collect()
}
