//! From a problem to an answer: plans first, then proof-number search, then sampling.
//!
//! A target that is shut in with little room is asked about in a sealed zone: the planner tries what its schemas suggest and
//! answers every reply there is; if it fails, df-pn decides. What is decided there holds on the whole board (`proof`). Where the
//! attacker's win depends on walls that the defender might take from outside, the answer is that of a game in which neither side plays outside
//! the zone, and is no proof. Elsewhere sampling orders the moves under several views of what the fight is about, and search tries
//! to prove or to refute the best ones. The answer says which of these it rests on.
//!
//! # The four classes
//!
//! They are defined by games on the whole board. Both sides may pass; when both do one after the other the game is over and the
//! defender wins if the target stands. One side is *favoured*: it may retake a ko at once, and it wins if play goes on for ever. This is the
//! rule for every repetition, long ones included; no superko rule is needed, and none is used. Suicide of several stones is a
//! rule that can be chosen. In the *capture* game the defender has to keep the target; in the *eyes* game, in which the attacker is
//! favoured, he has to make it alive after Benson.
//!
//! | class | to kill: the attacker | to save: the defender |
//! |---|---|---|
//! | clean | wins the capture game with the defender favoured | wins the capture game with the attacker favoured |
//! | seki | does not occur | the same, and it is proved that he loses the eyes game |
//! | ko | only wins the capture game if he is favoured | only wins the capture game if he is favoured |
//! | none | loses both | loses both |
//!
//! A move that wins the eyes game is preferred. That he loses it is a claim of the attacker, and the attacker can hold it
//! for ever only if his walls are alive; so *seki* is seldom proved where there are walls, and [`Solution::eyes`] tells what is known.

pub mod moves;
mod open;
mod proof;
mod reading;
mod solution;

use counterplay_base::{Budget, Limit, Verdict};
use counterplay_tasknet::adversary::{self, Agent, Settings};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

pub use self::solution::{Class, Region, Solution, Statistics, Success, Tier};
use crate::claim::Claim;
use crate::plan::GoWorld;
use crate::point::{Move, Point};
use crate::problem::Problem;
use crate::search::dfpn::{Dfpn, DfpnResult, MoveOrder, UniformOrder};
use crate::search::order::HeuristicOrder;
use crate::search::{LocalGame, Side};
use crate::tree::{self, Proof, Reasons, Step};
use crate::verify;
use crate::zone::{Reach, Spread, Zone};

/// Which search to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Plans, then search, then sampling.
    #[default]
    Auto,
    /// The planner alone, for both sides.
    ///
    /// This is what GoBI, the program of the paper, does.
    Plan,
    /// Proof-number search without knowledge.
    Dfpn,
}

/// What the searches may do. The defaults are those that measured best.
#[derive(Clone, Copy, Debug)]
pub struct Options {
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

/// The answer as far as it is known during the search.
#[derive(Default)]
struct Draft {
    success: Option<Success>,
    tier: Tier,
    /// The limit that ended the last search, if there is no proof.
    limit: Option<Limit>,
    line: Vec<Move>,
    tree: Vec<Step>,
    claims: Vec<Claim>,
    statistics: Statistics,
}

/// Solves a problem by the method of the options. Reaching a limit is an answer too: see [`Solution::verdict`].
pub fn solve(problem: &Problem, options: &Options, budget: &Budget) -> Solution {
    let zone = Zone::around(&problem.board, problem.target, options.reach);
    let stones: Vec<Point> = [problem.target].into_iter().chain(problem.goal.friend()).collect();
    let side = if problem.goal.is_defence() { Side::Defender } else { Side::Attacker };
    let mut solver = Solver {
        problem,
        options,
        budget,
        side,
        draft: Draft::default(),
        zone,
        sealed: Zone::sealed(&problem.board, &stones, LARGEST),
        replay: None,
    };
    if let Err(limit) = budget.check() {
        solver.draft.limit = Some(limit);
        return solver.finish();
    }
    match options.method {
        Method::Auto => solver.auto(),
        Method::Plan => solver.plan_only(),
        Method::Dfpn => solver.search_only(),
    }
    solver.finish()
}

struct Solver<'a> {
    problem: &'a Problem,
    options: &'a Options,
    budget: &'a Budget,
    side: Side,
    draft: Draft,
    /// The zone that is searched.
    zone: Zone,
    /// The sealed zone, in which proofs for the whole board are looked for; `None` if it would be too large.
    sealed: Option<Zone>,
    /// What a search of a zone that is not sealed has found, and with how many liberties the target was safe in it, if with any number.
    replay: Option<(Claim, Option<usize>)>,
}

/// Rooms of at most so many empty points are searched exactly.
const SMALL: usize = 13;

/// Sealed zones have at most so many empty points.
const LARGEST: usize = 26;

impl Solver<'_> {
    fn local(&self, favoured: Side) -> LocalGame {
        LocalGame::new(self.problem, self.zone.clone(), favoured)
    }

    fn room(&self, zone: &Zone) -> usize {
        zone.points().iter().filter(|&&p| self.problem.board.is_empty(p)).count()
    }

    fn auto(&mut self) {
        if self.decide_sealed(SMALL, &HeuristicOrder::default(), true) {
            return;
        }
        if self.zone.is_closed() && self.room(&self.zone) <= SMALL {
            if self.plan(self.side.other(), [false, true]) != Some(true) {
                self.exact(HeuristicOrder::default(), HeuristicOrder::default());
            }
            if self.draft.tier == Tier::Guess {
                self.guess();
            }
            self.take_more();
        } else {
            self.open();
        }
        // A win of the favoured side may rest on a repetition that holds on one line only: what cannot be replayed is not believed.
        if self.draft.success.is_some_and(|success| success.class == Class::Ko)
            && self.draft.tier == Tier::Region
            && self.replay.as_ref().is_some_and(|(claim, safe)| {
                verify::replay_in_zone(self.problem, &self.zone, *safe, claim, self.budget).is_err()
            })
        {
            self.guess_ko();
        }
    }

    /// Proof-number search without knowledge.
    fn search_only(&mut self) {
        if !self.decide_sealed(LARGEST, &UniformOrder, false) {
            self.exact(UniformOrder, UniformOrder);
        }
    }

    /// Decides the problem in the sealed zone; if the walls do not stand long enough, in one to which they belong.
    fn decide_sealed<O: MoveOrder + Clone>(&mut self, room: usize, order: &O, plan: bool) -> bool {
        while self.sealed.as_ref().is_some_and(|zone| self.room(zone) <= room) {
            if self.in_sealed_zone(|solver| solver.decide(order, plan)) {
                return true;
            }
            let grown = self.sealed.as_ref().and_then(|zone| zone.grown(&self.problem.board, room));
            if grown.is_none() || self.budget.check().is_err() {
                return false;
            }
            self.sealed = grown;
        }
        false
    }

    /// Does something in the sealed zone; if it succeeds, that zone is the solution's.
    fn in_sealed_zone(&mut self, search: impl FnOnce(&mut Self) -> bool) -> bool {
        let Some(sealed) = self.sealed.clone() else { return false };
        let zone = std::mem::replace(&mut self.zone, sealed);
        let done = search(self);
        if !done {
            self.zone = zone;
        }
        done
    }

    fn finish(self) -> Solution {
        let Draft { success, tier, limit, mut line, tree, claims, statistics } = self.draft;
        let mut why = Vec::new();
        if let Some(first) = tree.first() {
            why.clone_from(&first.why);
            if line.is_empty() {
                line = first.main_line();
            }
        }
        let verdict = match success {
            Some(success) if tier.is_proof() => Verdict::Solved(success),
            None if tier.is_proof() => Verdict::Unsolvable,
            _ => Verdict::Stopped(limit.unwrap_or(Limit::Nodes(self.options.search_nodes))),
        };
        let region = Region {
            points: self.zone.points().to_vec(),
            framed: self.zone.framed().to_vec(),
            closed: self.zone.is_closed(),
        };
        let best = success.filter(|_| !tier.is_proof());
        Solution { verdict, best, tier, line, why, tree, claims, region, statistics }
    }

    /// Plans alone, as the paper's program: first for a clean result, then for a ko.
    fn plan_only(&mut self) {
        for favoured in [self.side.other(), self.side] {
            if let Some(true) = self.plan(favoured, [false, false]) {
                self.draft.tier = Tier::Knowledge;
                return;
            }
        }
    }

    /// Lets the planner try in a zone outside which neither side plays; `Some` if it came to an end, with whether the player to move succeeds.
    fn plan(&mut self, favoured: Side, guard: [bool; 2]) -> Option<bool> {
        let local = self.local(favoured);
        match self.plan_in(local, guard) {
            Ok(Some((first, proof, _))) => {
                self.draft.tree = vec![proof.first];
                self.found(first, favoured);
                Some(true)
            }
            Ok(None) => Some(false),
            Err(limit) => {
                self.draft.limit = Some(limit);
                None
            }
        }
    }

    /// Lets the planner try in a local game; the move and its tree if the player to move succeeds.
    fn plan_in(
        &mut self,
        mut local: LocalGame,
        guard: [bool; 2],
    ) -> Result<Option<(Move, Proof, LocalGame)>, Limit> {
        let goal = self.problem.goal;
        let is_string = local.safe.is_some();
        let mut field = GoWorld::new(&mut local);
        let inputs = field.inputs(goal, is_string);
        let settings =
            Settings { critics: self.options.critics, guard, moves: self.options.plan_moves, depth: 80 };
        match adversary::plan(&mut field, inputs, settings, self.budget) {
            Ok(answer) => {
                self.draft.statistics.moves_tried += answer.tried;
                self.draft.statistics.cycles += answer.cycles;
                let won = answer.winner == Agent::Alpha;
                let Some(first) = answer.first.filter(|_| won) else { return Ok(None) };
                let reasons = tree::reasons(&answer.tree, &mut local);
                let mut reply = |local: &mut LocalGame| answer.strategy.get(&local.key()).copied();
                let proof = tree::write_out(&mut local, first, &mut reply, &reasons);
                Ok(Some((first, proof, local)))
            }
            Err(stopped) => {
                self.draft.statistics.moves_tried += stopped.tried;
                self.draft.statistics.cycles += stopped.cycles;
                Err(stopped.limit)
            }
        }
    }

    /// Takes over the tree of a finished search of a zone that is not sealed.
    fn take_tree(&mut self, local: &mut LocalGame, wins: &FxHashMap<u64, Move>, action: Move) {
        let mut reply = |local: &mut LocalGame| wins.get(&local.key()).copied();
        let proof = tree::write_out(local, action, &mut reply, &Reasons::default());
        let (winner, favoured, stake) = (local.turn, local.favoured, local.stake);
        let tree = vec![proof.first];
        self.draft.tree.clone_from(&tree);
        self.replay = Some((Claim { winner, favoured, stake, tree, complete: proof.complete }, local.safe));
    }

    /// Takes over a move that succeeds if neither side plays outside the zone.
    fn found(&mut self, action: Move, favoured: Side) {
        let class = if favoured == self.side { Class::Ko } else { Class::Clean };
        self.draft.success = Some(Success { action, class });
        self.draft.tier = Tier::Region;
        self.draft.limit = None;
    }

    /// Decides by exact search of a zone outside which neither side plays, first without and then with kos in favour of the player to move.
    fn exact<O: MoveOrder>(&mut self, clean: O, ko: O) {
        for (favoured, order) in [(self.side.other(), clean), (self.side, ko)] {
            let mut local = self.local(favoured);
            let mut search = Dfpn::new(&mut local, order, self.options.search_nodes);
            let answer = search.run(self.budget);
            self.draft.statistics.moves_tried += search.tried;
            match answer {
                Ok(DfpnResult::Won) => {
                    let wins = std::mem::take(&mut search.wins);
                    let action = *wins.get(&local.key()).expect("a search that is won has a winning move");
                    self.take_tree(&mut local, &wins, action);
                    self.found(action, favoured);
                    return;
                }
                Ok(DfpnResult::Lost) => {}
                Err(limit) => {
                    self.draft.limit = Some(limit);
                    return;
                }
            }
        }
        self.draft.tier = Tier::Region;
        self.draft.limit = None;
    }
}
