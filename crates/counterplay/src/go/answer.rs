//! The answer of [`solve`](super::solve).

use counterplay_base::{Evidence, Limit, Verdict};
use counterplay_go::solve::{Class, Solution, Tier};
use counterplay_go::tree::Step;
use counterplay_go::{Grid, Problem, certificate, record, words};
use serde::Serialize;

use super::moves::FirstMove;
use super::pictures;
use crate::verdict;

/// The answer to a life-and-death problem. Its JSON form is what `counterplay go solve --json` prints. Points and moves are GTP
/// vertices such as `C4`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answer {
    /// `solved` if a success is proved, `unsolvable` if it is proved that there is none, else `stopped`.
    #[serde(serialize_with = "verdict::word")]
    #[cfg_attr(feature = "schema", schemars(with = "verdict::Word"))]
    pub verdict: Verdict<()>,
    /// The move to play; left out if there is no way, or none was found.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// What the move achieves.
    pub result: ResultClass,
    /// What becomes of the target if both sides play well.
    pub status: Status,
    /// What the answer rests on.
    pub tier: Tier,
    /// What the player to move wants: `kill`, `save`, `connect` or `separate`.
    pub goal: String,
    /// A stone of the group that the problem is about.
    pub target: String,
    /// Whether the target was inferred from the position, not marked.
    pub inferred: bool,
    /// If it was inferred: stones of all groups that may be meant, the likeliest first.
    pub candidates: Vec<String>,
    /// `true` if it is proved that the target's fate does not depend on who moves first, `false` if that it does; `None` if neither.
    pub settled: Option<bool>,
    /// Every first move in the region, the best first, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<FirstMove>>,
    /// What a move that was asked about leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tried: Option<FirstMove>,
    /// Moves that the planner and the searches tried.
    pub moves_tried: u64,
    /// Planning cycles.
    pub cycles: u64,
    /// Playouts that were sampled.
    pub sampled: u64,
    /// The main line.
    pub line: Vec<String>,
    /// A sentence that says why, then the goals that the move serves, the most abstract first.
    pub why: Vec<String>,
    /// The number of points of the region that was searched.
    pub region: usize,
    /// The number of points outside the region that are taken to be the attacker's.
    pub framed: usize,
    /// Whether the target cannot get out of the region.
    pub closed: bool,
    /// `true` if slow rules of their own replayed the proof in full.
    pub checked: Option<bool>,
    /// What the answer rests on, in the words that all answers share.
    pub evidence: Evidence,
    /// Whether a target that is to be saved can be given two eyes without a ko; `None` if that is not proved.
    pub eyes: Option<bool>,
    /// The number of moves in the contingency tree.
    pub tree: usize,
    /// The limit that was reached before there was an answer: `time`, `cpu`, `memory`, `nodes` or `interrupt`.
    pub limit: Option<&'static str>,
    /// The board with the answer as SVG, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
    /// The contingency tree, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contingency: Option<Vec<Contingency>>,
    /// Seconds of wall time.
    pub seconds: f64,
    #[serde(skip)]
    pub(super) problem: Problem,
    #[serde(skip)]
    pub(super) solution: Solution,
    #[serde(skip)]
    title: String,
}

/// How good a result is for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ResultClass {
    /// Success without a ko.
    Clean,
    /// Success only by winning a ko.
    Ko,
    /// The target is saved without a ko, but two eyes cannot be forced.
    Seki,
    /// No success.
    None,
}

impl From<Option<Class>> for ResultClass {
    fn from(class: Option<Class>) -> ResultClass {
        match class {
            Some(Class::Clean) => ResultClass::Clean,
            Some(Class::Ko) => ResultClass::Ko,
            Some(Class::Seki) => ResultClass::Seki,
            None => ResultClass::None,
        }
    }
}

/// What becomes of a target if both sides play well and the player to move begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It lives.
    Alive,
    /// It is taken.
    Dead,
    /// It depends on a ko.
    Ko,
    /// It lives in seki.
    Seki,
}

/// A move of the contingency tree with all that may follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contingency {
    /// The colour that moves.
    pub by: String,
    /// The move.
    #[serde(rename = "move")]
    pub action: String,
    /// The goals it serves.
    pub goal: String,
    /// Whether the player who moves wins after it; `None` if that is not known.
    pub wins: Option<bool>,
    /// Every reply of the losing side, or the answer of the winning one.
    pub then: Vec<Contingency>,
}

impl Contingency {
    fn new(grid: Grid, step: &Step) -> Contingency {
        Contingency {
            by: step.color.to_string(),
            action: grid.move_name(step.action),
            goal: step.why.join(": "),
            wins: step.wins,
            then: step.replies.iter().map(|reply| Contingency::new(grid, reply)).collect(),
        }
    }
}

impl Answer {
    pub(super) fn new(problem: Problem, solution: Solution, evidence: Evidence, title: String) -> Answer {
        let grid = problem.board.grid();
        let result = ResultClass::from(solution.class());
        // A search that ended in its region, or with what it knows, met no limit, although it is no proof.
        let has_ended = matches!(solution.tier, Tier::Region | Tier::Reading | Tier::Knowledge);
        let limit = solution.verdict.limit().filter(|_| !has_ended);
        Answer {
            verdict: solution.verdict.as_ref().map(drop),
            action: solution.action().map(|action| grid.move_name(action)),
            result,
            status: status(result, problem.goal.is_defence()),
            tier: solution.tier,
            goal: problem.goal.to_string(),
            target: grid.name(problem.target),
            inferred: false,
            candidates: Vec::new(),
            settled: None,
            moves: None,
            tried: None,
            moves_tried: solution.statistics.moves_tried,
            cycles: solution.statistics.cycles,
            sampled: solution.statistics.playouts,
            line: solution.line.iter().map(|&action| grid.move_name(action)).collect(),
            why: [words::explain(&problem, &solution)].into_iter().chain(solution.why.clone()).collect(),
            region: solution.region.points.len(),
            framed: solution.region.framed.len(),
            closed: solution.region.closed,
            checked: None,
            evidence,
            eyes: solution.eyes(),
            tree: solution.tree.iter().map(Step::len).sum(),
            limit: limit.map(Limit::name),
            svg: None,
            contingency: None,
            seconds: 0.0,
            problem,
            solution,
            title,
        }
    }

    /// Adds the board and the contingency tree.
    pub(super) fn add_trees(&mut self) {
        let grid = self.problem.board.grid();
        self.svg = Some(self.board_svg());
        self.contingency = Some(self.solution.tree.iter().map(|step| Contingency::new(grid, step)).collect());
    }

    /// The position, the question and the contingency tree as SGF, for any SGF viewer.
    pub fn sgf(&self) -> String {
        record::to_sgf(&self.problem, &self.solution, &self.text())
    }

    /// The proof as SGF, one game for each claim, for `counterplay check`; why there is none otherwise.
    pub fn certificate(&self) -> Result<String, &'static str> {
        certificate::to_certificate(&self.problem, &self.solution)
    }

    /// The position with the region shaded, the target marked and the main line numbered, as SVG.
    pub fn board_svg(&self) -> String {
        pictures::board(&self.problem, &self.solution, &self.title)
    }

    /// The contingency tree as SVG.
    pub fn tree_svg(&self) -> String {
        pictures::contingency(&self.problem, &self.solution, &self.title)
    }
}

fn status(result: ResultClass, is_defence: bool) -> Status {
    match (result, is_defence) {
        (ResultClass::Ko, _) => Status::Ko,
        (ResultClass::Seki, _) => Status::Seki,
        (ResultClass::Clean, true) | (ResultClass::None, false) => Status::Alive,
        (ResultClass::Clean, false) | (ResultClass::None, true) => Status::Dead,
    }
}
