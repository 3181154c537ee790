//! The value of a single position, proved without solving the game.
//!
//! Depth-first proof-number search (df-pn; Nagai 2002) on the ground rules: can the first role make sure of a reward? Positions are nodes of one
//! graph, of which symmetric ones are one; what can be done in a position is kept, so that all questions share it. A question goes to
//! two provers: the role that wants the reward, and its opponent, who wants to keep it from it.
//!
//! A position that comes back on the way is a failure of the prover: what is proved then rests on finite play alone, whatever
//! the way that led there. What is *dis*proved may rest on the way (the graph-history interaction problem), so a disproof
//! counts only if no position came back in the whole search; else the opponent has to prove its side.
//!
//! Sums of proof numbers count positions that are reached in several ways more than once; the greatest and the number of the others
//! are taken instead (weak proof-number search; Ueda et al. 2008).

mod graph;

use counterplay_base::{Budget, BudgetPoll, Id, Progress, Report, Verdict};
use counterplay_ground::game::{FluentId, Game, Structure, Symmetry};

use crate::halt::{Halt, verdict};
use crate::simultaneous::Simultaneous;
use graph::{Graph, Kind};

/// Why a position is not proved.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("the game has {0} roles, and the proof search knows one or two")]
    Roles(usize),
    #[error("chance takes part in the game, and the proof search knows none")]
    Chance,
    #[error("the rewards of the two roles have different sums at different ends")]
    Sum,
    #[error("{0}")]
    Simultaneous(Simultaneous),
}

/// What the first role gets from a position on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// It can make sure of this.
    pub least: u32,
    /// It can be held to this.
    pub most: u32,
}

/// One side of a question about a reward of the first role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first role gets at least this.
    AtLeast(u32),
    /// The others keep it from getting more.
    AtMost(u32),
}

impl Side {
    fn is_kept(self, reward: u32) -> bool {
        match self {
            Side::AtLeast(least) => reward >= least,
            Side::AtMost(most) => reward <= most,
        }
    }

    /// Whether the role that has a choice is the prover.
    fn is_prover(self, mover: usize) -> bool {
        matches!(self, Side::AtLeast(_)) == (mover == 0)
    }

    /// What its failure proves.
    fn opposite(self, rewards: &[u32]) -> Option<Side> {
        match self {
            Side::AtLeast(least) => {
                rewards.iter().rev().find(|&&own| own < least).map(|&own| Side::AtMost(own))
            }
            Side::AtMost(most) => rewards.iter().find(|&&own| own > most).map(|&own| Side::AtLeast(own)),
        }
    }
}

/// What is known about one side.
struct Question {
    side: Side,
    /// Proof and disproof numbers of the nodes that were met.
    numbers: Vec<(u32, u32)>,
    /// When a node was proved or disproved, 0 if it was not: each rests on earlier ones only.
    settled: Vec<u32>,
    clock: u32,
    /// Whether a position came back on the way.
    met_cycle: bool,
}

const NEVER: u32 = u32::MAX;
/// Nodes that the two provers may expand at first, in turn; more each time.
const FIRST_TURN: u64 = 20_000;
/// Steps of a turn for each node that it may expand.
const STEPS_PER_NODE: u64 = 1_000;

/// A search for proofs, and what it has found.
pub struct Prover<'g, 'b> {
    graph: Graph<'g, 'b>,
    questions: Vec<Question>,
    /// The rewards of the first role that the rules name, and 0.
    rewards: Vec<u32>,
    budget: &'b Budget,
}

/// What came of a turn.
enum Turn {
    Proved,
    Disproved,
    Open,
}

impl<'g, 'b> Prover<'g, 'b> {
    /// A search in a game. The symmetries have to be of this game.
    ///
    /// # Errors
    /// A game whose values are no matter of one role against another.
    pub fn new(
        game: &'g Game,
        structure: &Structure,
        symmetries: &[Symmetry],
        budget: &'b Budget,
    ) -> Result<Prover<'g, 'b>, Refusal> {
        if game.chance.is_some() {
            return Err(Refusal::Chance);
        }
        let roles = game.roles.len();
        if roles != 1 && roles != 2 {
            return Err(Refusal::Roles(roles));
        }
        let own = game.goals.iter().filter(|goal| goal.role.index() == 0).map(|goal| goal.value);
        let mut rewards: Vec<u32> = own.chain([0]).collect();
        rewards.sort_unstable();
        rewards.dedup();
        Ok(Prover {
            graph: Graph::new(game, structure.constant_sum, symmetries, budget),
            questions: Vec::new(),
            rewards,
            budget,
        })
    }

    /// Proves what the first role gets from a position on: equal bounds if all questions are decided.
    ///
    /// # Errors
    /// A position in which both roles choose at once, or an end with another sum of rewards.
    pub fn prove(&mut self, start: &[FluentId], progress: &dyn Progress) -> Result<Verdict<Proved>, Refusal> {
        let found = self.bisect(start, progress);
        verdict(found)
    }

    fn bisect(&mut self, start: &[FluentId], progress: &dyn Progress) -> Result<Proved, Halt<Refusal>> {
        let root = self.graph.node(start)?;
        // `low` is known or the least there is; so is `high`.
        let (mut low, mut high) = (0, self.rewards.len() - 1);
        while low < high {
            let middle = (low + high).div_ceil(2);
            match self.decide(root, Side::AtLeast(self.rewards[middle]), progress)? {
                Some(true) => low = middle,
                Some(false) => high = middle - 1,
                None => break,
            }
        }
        Ok(Proved { least: self.rewards[low], most: self.rewards[high] })
    }

    /// Lets both sides search in turn until one has a proof; `None` if neither has one.
    fn decide(
        &mut self,
        root: u32,
        side: Side,
        progress: &dyn Progress,
    ) -> Result<Option<bool>, Halt<Refusal>> {
        let opposite = side.opposite(&self.rewards).expect("not the least reward");
        let (first, second) = (self.question(side), self.question(opposite));
        let (mut first_open, mut second_open) = (true, true);
        let mut allowed = FIRST_TURN;
        while first_open || second_open {
            for (is_first, question) in [(true, first), (false, second)] {
                let is_open = if is_first { &mut first_open } else { &mut second_open };
                if !*is_open {
                    continue;
                }
                let counts =
                    [("positions", self.graph.len() as f64), ("expanded", self.graph.expanded as f64)];
                progress.report(Report { phase: "proving", counts: &counts });
                let before = self.graph.expanded;
                match self.turn(root, question, allowed)? {
                    Turn::Proved => return Ok(Some(is_first)),
                    // Without positions that come back, one side's failure is the other one's proof.
                    Turn::Disproved if !self.questions[question].met_cycle => return Ok(Some(!is_first)),
                    Turn::Disproved => *is_open = false,
                    Turn::Open => *is_open = self.graph.expanded > before,
                }
            }
            allowed = allowed.saturating_mul(2);
        }
        Ok(None)
    }

    fn question(&mut self, side: Side) -> usize {
        let known = self.questions.iter().position(|own| own.side == side);
        known.unwrap_or_else(|| {
            let new = Question { side, numbers: Vec::new(), settled: Vec::new(), clock: 0, met_cycle: false };
            self.questions.push(new);
            self.questions.len() - 1
        })
    }

    /// Searches from a root until it is settled or so many nodes were expanded.
    fn turn(&mut self, root: u32, question: usize, allowed: u64) -> Result<Turn, Halt<Refusal>> {
        let Prover { graph, questions, budget, .. } = self;
        let question = &mut questions[question];
        let end = graph.expanded.saturating_add(allowed);
        let mut poll = BudgetPoll::every(256);
        let mut steps = allowed.saturating_mul(STEPS_PER_NODE);
        let mut way = vec![Frame { node: root, proof: NEVER, disproof: NEVER }];
        let mut on_way: Vec<bool> = Vec::new();
        while let Some(&Frame { node, proof, disproof }) = way.last() {
            poll.step(budget)?;
            // Where positions come back, numbers may go round in a circle.
            steps -= 1;
            if steps == 0 || graph.expanded >= end && graph.is_new(node) {
                break;
            }
            graph.expand(node)?;
            if on_way.len() < graph.len() {
                on_way.resize(graph.len(), false);
                question.numbers.resize(graph.len(), (1, 1));
                question.settled.resize(graph.len(), 0);
            }
            on_way[node as usize] = true;
            let Scan { numbers, best, second } = question.scan(graph, node, &on_way);
            question.note(node, numbers);
            if numbers.0 >= proof || numbers.1 >= disproof || numbers.0 == 0 || numbers.1 == 0 {
                on_way[node as usize] = false;
                way.pop();
                continue;
            }
            let (child, is_prover) = best.expect("an open node has an open child");
            let (own, other) = question.numbers[child as usize];
            // The child may search until it is no longer the best, or decides the node.
            let frame = if is_prover {
                let proof = proof.min(second.saturating_add(1)).max(own.saturating_add(1));
                Frame { node: child, proof, disproof: rest(disproof, numbers.1, other) }
            } else {
                let disproof = disproof.min(second.saturating_add(1)).max(other.saturating_add(1));
                Frame { node: child, proof: rest(proof, numbers.0, own), disproof }
            };
            way.push(frame);
        }
        Ok(match question.numbers.get(root as usize) {
            Some((0, _)) => Turn::Proved,
            Some((_, 0)) => Turn::Disproved,
            _ => Turn::Open,
        })
    }

    /// Positions that were met.
    pub fn positions(&self) -> usize {
        self.graph.len()
    }

    /// Positions whose moves were looked at.
    pub fn expanded(&self) -> u64 {
        self.graph.expanded
    }

    /// The rewards of a value of the first role.
    pub fn rewards(&self, first: u32) -> Vec<u32> {
        std::iter::once(first).chain(self.graph.sum.map(|sum| sum - first)).collect()
    }

    /// The proof of a side in a position, if there is one; `None` too if every end keeps it.
    pub fn proof(&self, side: Side, root: &[FluentId]) -> Option<Proof<'_, 'g, 'b>> {
        let opposite = side.opposite(&self.rewards)?;
        let root = self.graph.find(root)? as usize;
        let proofs = self.questions.iter().filter_map(|question| {
            let is_own = question.side == side;
            let is_other = question.side == opposite && !question.met_cycle;
            (is_own || is_other).then_some(Proof { prover: self, question, is_disproof: !is_own })
        });
        let mut proofs: Vec<Proof<'_, 'g, 'b>> = proofs.filter(|proof| proof.holds(root)).collect();
        proofs.sort_by_key(|proof| proof.is_disproof);
        proofs.into_iter().next()
    }
}

/// Positions in which one side is proved, by one question.
pub struct Proof<'p, 'g, 'b> {
    prover: &'p Prover<'g, 'b>,
    question: &'p Question,
    /// Whether it is the failure of the opposite side.
    is_disproof: bool,
}

impl Proof<'_, '_, '_> {
    fn holds(&self, node: usize) -> bool {
        let numbers = self.question.numbers.get(node);
        numbers.is_some_and(|&(proof, disproof)| if self.is_disproof { disproof == 0 } else { proof == 0 })
    }

    /// When the side was proved in a position; that rests on positions that were settled before.
    pub fn settled(&self, state: &[FluentId]) -> Option<u32> {
        let node = self.prover.graph.find(state)? as usize;
        self.holds(node).then(|| self.question.settled[node])
    }
}

/// A node on the way, and the numbers at which its search ends.
#[derive(Clone, Copy)]
struct Frame {
    node: u32,
    proof: u32,
    disproof: u32,
}

/// The threshold of a child, if the node may come to `limit`, has come to `now`, and the child has `own`.
fn rest(limit: u32, now: u32, own: u32) -> u32 {
    if limit == NEVER { NEVER } else { (limit - now).saturating_add(own).max(own.saturating_add(1)) }
}

/// The numbers of a node, its best open child and whether the prover chooses there, and the number of the second best.
struct Scan {
    numbers: (u32, u32),
    best: Option<(u32, bool)>,
    second: u32,
}

impl Question {
    fn scan(&mut self, graph: &Graph<'_, '_>, node: u32, on_way: &[bool]) -> Scan {
        let (children, is_prover) = match graph.kind(node) {
            Kind::Over(reward) => {
                let numbers = if self.side.is_kept(reward) { (0, NEVER) } else { (NEVER, 0) };
                return Scan { numbers, best: None, second: NEVER };
            }
            Kind::Open { mover, .. } => (graph.children(node), self.side.is_prover(usize::from(mover))),
        };
        // For the chooser the least number counts, for the other side the greatest and how many more there are.
        let (mut least, mut second, mut best) = (NEVER, NEVER, None);
        let (mut greatest, mut open) = (0u32, 0u32);
        for child in children {
            let (proof, disproof) = match on_way[child as usize] {
                true => {
                    self.met_cycle = true;
                    (NEVER, 0)
                }
                false => self.numbers[child as usize],
            };
            let (own, other) = if is_prover { (proof, disproof) } else { (disproof, proof) };
            if own < least {
                (second, least, best) = (least, own, Some((child, is_prover)));
            } else {
                second = second.min(own);
            }
            if other > 0 {
                open += 1;
                greatest = greatest.max(other);
            }
        }
        let all = if greatest == NEVER { NEVER } else { greatest.saturating_add(open.saturating_sub(1)) };
        let numbers = match (least, is_prover) {
            (0, true) => (0, NEVER),
            (0, false) => (NEVER, 0),
            (_, true) => (least, all),
            (_, false) => (all, least),
        };
        Scan { numbers, best, second }
    }

    fn note(&mut self, node: u32, numbers: (u32, u32)) {
        let node = node as usize;
        self.numbers[node] = numbers;
        if (numbers.0 == 0 || numbers.1 == 0) && self.settled[node] == 0 {
            self.clock += 1;
            self.settled[node] = self.clock;
        }
    }
}

impl From<Refusal> for Halt<Refusal> {
    fn from(refusal: Refusal) -> Halt<Refusal> {
        Halt::Refused(refusal)
    }
}

impl From<Simultaneous> for Halt<Refusal> {
    fn from(found: Simultaneous) -> Halt<Refusal> {
        Halt::Refused(Refusal::Simultaneous(found))
    }
}
