//! From a problem to an answer: plans first, then proof-number search, then sampling.
//!
//! A target that is shut in with little room gets an exact answer for its zone: the planner tries what its schemas suggest and
//! answers every reply there is; if it fails, df-pn decides. Elsewhere sampling orders the moves under several views of what the fight
//! is about, and search tries to prove or to refute the best ones. The answer says which of these it rests on.

mod open;

use counterplay_base::{Budget, Limit};
use counterplay_htn::adversary::{self, Agent, Settings};
use rustc_hash::FxHashMap;

use crate::plan::Field;
use crate::point::{Move, Point};
use crate::problem::Problem;
use crate::search::dfpn::{Answer, Dfpn, Numbers, Order, Plain};
use crate::search::order::Suggest;
use crate::search::{Local, Side};
use crate::tree::{self, Proof, Reasons, Step};
use crate::verify::verify;
use crate::zone::{Reach, Spread, Zone};

/// How good a result is for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Without a ko.
    Clean,
    /// Only by winning a ko.
    Ko,
    /// The target lives in seki.
    Seki,
    /// Not at all.
    None,
}

impl Class {
    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            Class::Clean => "clean",
            Class::Ko => "ko",
            Class::Seki => "seki",
            Class::None => "none",
        }
    }
}

/// What an answer rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// A plan that answers every reply in the zone.
    Plan,
    /// A plan that answers the replies that the other side's plans suggest.
    Knowledge,
    /// An exact search of the zone.
    Search,
    /// Sampling: a guess.
    Guess,
}

impl Tier {
    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            Tier::Plan => "plan",
            Tier::Knowledge => "knowledge",
            Tier::Search => "search",
            Tier::Guess => "guess",
        }
    }

    /// Whether the answer is exact within the zone.
    pub fn is_proof(self) -> bool {
        matches!(self, Tier::Plan | Tier::Search)
    }
}

/// Which search to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Plans, then search, then sampling.
    #[default]
    Auto,
    /// Plans alone, for both sides: what the paper's program does.
    Plan,
    /// Proof-number search without knowledge.
    Dfpn,
}

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Which search.
    pub method: Method,
    /// Whether critics may insert goals.
    pub critics: bool,
    /// Moves that a plan may try.
    pub plan_moves: u64,
    /// Positions that an exact search may look at.
    pub search_nodes: u64,
    /// Continuations that are sampled under one view of a fight.
    pub samples: u32,
    /// For the random numbers of sampling.
    pub seed: u64,
    /// How far the zone reaches.
    pub reach: Reach,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            method: Method::Auto,
            critics: true,
            plan_moves: 1000,
            search_nodes: 400_000,
            samples: 20_000,
            seed: 1,
            reach: Reach { steps: 5, weak: 3, most: 45, owned: 3, spread: Spread::Even, thin: 2 },
        }
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The move; `None` if there is no way, or nothing was found.
    pub action: Option<Move>,
    /// What it achieves.
    pub class: Class,
    /// What that rests on.
    pub tier: Tier,
    /// The limit that ended the search, if there is no proof.
    pub limit: Option<Limit>,
    /// Moves tried.
    pub tried: u64,
    /// Planning cycles.
    pub cycles: u64,
    /// Continuations sampled.
    pub sampled: u64,
    /// The main line.
    pub line: Vec<Move>,
    /// The goals that the move serves.
    pub why: Vec<String>,
    /// The contingency tree.
    pub tree: Vec<Step>,
    /// Whether the tree is the whole proof.
    pub complete: bool,
    /// With so many liberties the target counted as safe.
    pub safe: usize,
    /// The zone.
    pub zone: Vec<Point>,
    /// Points outside it that are taken to be the attacker's.
    pub framed: Vec<Point>,
    /// Whether the target cannot get out of the zone.
    pub closed: bool,
    /// Who was taken to win kos.
    pub favoured: Side,
}

/// Solves a problem.
pub fn solve(problem: &Problem, options: &Options, budget: &Budget) -> Solution {
    let zone = Zone::around(&problem.board, problem.target, options.reach);
    let side = if problem.goal.is_defence() { Side::Defender } else { Side::Attacker };
    let mut solver = Solver {
        problem,
        options,
        budget,
        side,
        solution: Solution {
            action: None,
            class: Class::None,
            tier: Tier::Guess,
            limit: None,
            tried: 0,
            cycles: 0,
            sampled: 0,
            line: Vec::new(),
            why: Vec::new(),
            tree: Vec::new(),
            complete: false,
            safe: usize::MAX,
            zone: zone.points().to_vec(),
            framed: zone.framed().to_vec(),
            closed: zone.is_closed(),
            favoured: side.other(),
        },
        zone,
    };
    if let Err(limit) = budget.check() {
        solver.solution.limit = Some(limit);
        return solver.solution;
    }
    match options.method {
        Method::Auto => solver.auto(),
        Method::Plan => solver.plan_only(),
        Method::Dfpn => solver.exact(Plain, Plain),
    }
    solver.look_for_seki();
    // A win of the favoured side may rest on a repetition that holds on one line only: what cannot be replayed is no proof.
    if solver.solution.class == Class::Ko
        && solver.solution.tier == Tier::Search
        && verify(problem, &solver.solution, budget).is_err()
    {
        solver.guess_ko();
    }
    let mut solution = solver.solution;
    if let Some(first) = solution.tree.first() {
        solution.why.clone_from(&first.why);
        if solution.line.is_empty() {
            solution.line = first.main_line();
        }
    }
    solution
}

type Table = FxHashMap<u64, Numbers>;

struct Solver<'a> {
    problem: &'a Problem,
    options: &'a Options,
    budget: &'a Budget,
    side: Side,
    solution: Solution,
    zone: Zone,
}

/// Rooms of at most so many empty points are searched exactly.
const SMALL: usize = 13;

impl Solver<'_> {
    fn local(&self, favoured: Side) -> Local {
        Local::new(self.problem, self.zone.clone(), favoured)
    }

    fn room(&self) -> usize {
        self.zone.points().iter().filter(|&&p| self.problem.board.is_empty(p)).count()
    }

    fn auto(&mut self) {
        if self.zone.is_closed() && self.room() <= SMALL {
            if self.plan(self.side.other(), [false, true]) != Some(true) {
                self.exact(Suggest::new([usize::MAX; 2]), Suggest::new([usize::MAX; 2]));
            }
            if self.solution.tier == Tier::Guess {
                self.guess();
            }
            self.take_more();
            return;
        }
        self.open();
    }

    /// Plans alone, as the paper's program: first for a clean result, then for a ko.
    fn plan_only(&mut self) {
        for favoured in [self.side.other(), self.side] {
            if let Some(true) = self.plan(favoured, [false, false]) {
                self.solution.tier = Tier::Knowledge;
                return;
            }
        }
    }

    /// Lets the planner try; `Some` if it came to an end, with whether the player to move succeeds.
    fn plan(&mut self, favoured: Side, guard: [bool; 2]) -> Option<bool> {
        let mut local = self.local(favoured);
        let goal = self.problem.goal;
        let is_string = local.safe != usize::MAX;
        let mut field = Field::new(&mut local);
        let inputs = field.inputs(goal, is_string);
        let settings =
            Settings { critics: self.options.critics, guard, moves: self.options.plan_moves, depth: 80 };
        match adversary::plan(&mut field, inputs, settings, self.budget) {
            Ok(answer) => {
                self.solution.tried += answer.tried;
                self.solution.cycles += answer.cycles;
                let won = answer.winner == Agent::Alpha;
                if won && let Some(first) = answer.first {
                    let reasons = tree::reasons(&answer.tree, &mut local);
                    let mut reply = |local: &mut Local| answer.strategy.get(&local.key()).copied();
                    let proof = tree::write_out(&mut local, first, &mut reply, &reasons);
                    self.solution.safe = local.safe;
                    self.proved(proof);
                    self.found(Some(first), favoured, Tier::Plan);
                }
                Some(won)
            }
            Err(stopped) => {
                self.solution.tried += stopped.tried;
                self.solution.cycles += stopped.cycles;
                self.solution.limit = Some(stopped.limit);
                None
            }
        }
    }

    fn proved(&mut self, proof: Proof) {
        self.solution.complete = proof.complete;
        self.solution.tree = vec![proof.first];
    }

    /// Takes over a finished search that was won by a move.
    fn take_proof(&mut self, local: &mut Local, table: &Table, action: Move) {
        let mut reply = |local: &mut Local| winning_move(local, table);
        let proof = tree::write_out(local, action, &mut reply, &Reasons::default());
        self.solution.safe = local.safe;
        self.proved(proof);
    }

    fn found(&mut self, action: Option<Move>, favoured: Side, tier: Tier) {
        self.solution.action = action;
        self.solution.class = if favoured == self.side { Class::Ko } else { Class::Clean };
        self.solution.tier = tier;
        self.solution.favoured = favoured;
        self.solution.limit = None;
    }

    /// A saved target that never gets two eyes lives in seki: when the attacker passes, the defender has to pass as well.
    fn look_for_seki(&mut self) {
        let saved = self.side == Side::Defender
            && self.solution.class == Class::Clean
            && self.solution.tier.is_proof()
            && self.solution.closed
            && self.problem.goal.friend().is_none();
        let Some(first) = self.solution.tree.first().filter(|_| saved) else { return };
        let line = first.main_line();
        // The attacker may leave the matter alone at once, or after what he thinks best.
        if self.stays_without_eyes(&line[..1]) || self.stays_without_eyes(&line) {
            self.solution.class = Class::Seki;
        }
    }

    /// Whether a defender who is left alone after a line cannot make two eyes without losing the target.
    fn stays_without_eyes(&self, line: &[Move]) -> bool {
        let mut local = self.local(self.side.other());
        for &action in line {
            local.play(action);
        }
        if local.turn == Side::Defender {
            local.play(Move::Pass);
        }
        // Ten moves in a row are enough to make two eyes wherever there is room for them.
        for _ in 0..10 {
            if local.winner().is_some() {
                return false;
            }
            local.play(Move::Pass);
            let mut moves = Vec::new();
            local.moves(&mut moves);
            let mut known = true;
            let stays = moves.into_iter().filter(|&action| action != Move::Pass).find(|&action| {
                local.play(action);
                let answer = Dfpn::new(&mut local, Plain, 20_000).run(self.budget);
                local.undo();
                known &= answer.is_ok();
                answer == Ok(Answer::Lost)
            });
            match stays {
                Some(action) => local.play(action),
                None => return known,
            }
        }
        false
    }

    /// Decides by exact search, first without and then with kos in favour of the player to move.
    fn exact<O: Order>(&mut self, clean: O, ko: O) {
        for (favoured, order) in [(self.side.other(), clean), (self.side, ko)] {
            let mut local = self.local(favoured);
            let mut search = Dfpn::new(&mut local, order, self.options.search_nodes);
            let answer = search.run(self.budget);
            self.solution.tried += search.tried;
            match answer {
                Ok(Answer::Won) => {
                    let table = std::mem::take(&mut search.table);
                    let action = winning_move(&mut local, &table);
                    if let Some(action) = action {
                        self.take_proof(&mut local, &table, action);
                    }
                    self.found(action, favoured, Tier::Search);
                    return;
                }
                Ok(Answer::Lost) => {}
                Err(limit) => {
                    self.solution.limit = Some(limit);
                    return;
                }
            }
        }
        self.solution.tier = Tier::Search;
        self.solution.limit = None;
    }
}

/// A move after which the other side has lost, as the table says.
fn winning_move(local: &mut Local, table: &Table) -> Option<Move> {
    let mut moves = Vec::new();
    local.moves(&mut moves);
    moves.into_iter().find(|&action| table.get(&local.key_after(action)).is_some_and(|n| n.delta == 0))
}
