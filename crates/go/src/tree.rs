//! The answer as a tree of moves with reasons, whichever search found it.

use counterplay_tasknet::adversary::{NodeId, PlanChoice, PlanTree};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::plan::Goal;
use crate::point::{Color, Move};
use crate::search::local::{LocalGame, Side};

/// A move, why it is made, and what may follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub color: Color,
    pub action: Move,
    /// Whether the one who moves wins after it; `None` if that is not known.
    pub wins: Option<bool>,
    /// The goals it serves, the most abstract first.
    pub why: Vec<String>,
    /// What follows: every reply of the losing side, the answer of the winning one. Empty where the end can be seen, and where
    /// the position has been dealt with elsewhere in the tree.
    pub replies: Vec<Step>,
}

impl Step {
    /// Number of moves in the tree.
    pub fn len(&self) -> usize {
        let mut count = 0;
        let mut open = vec![self];
        while let Some(step) = open.pop() {
            count += 1;
            open.extend(&step.replies);
        }
        count
    }

    /// Whether it is a single move.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The line that makes the end wait longest, up to the first pass: who passes has nothing left to try, or nothing to fear.
    pub fn main_line(&self) -> Vec<Move> {
        let mut line = vec![self.action];
        let mut at = self;
        while let Some(next) = at
            .replies
            .iter()
            .filter(|reply| reply.action != Move::Pass)
            .max_by_key(|reply| (height(reply), std::cmp::Reverse(reply.action)))
        {
            line.push(next.action);
            at = next;
        }
        line
    }
}

fn height(step: &Step) -> usize {
    1 + step.replies.iter().map(height).max().unwrap_or(0)
}

/// At most so many moves are written out.
const MOST: usize = 6000;

/// A proof as a tree, and whether it is written out in full.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The first move and all that follows.
    pub first: Step,
    /// Whether nothing had to be left out.
    pub complete: bool,
}

/// Why moves were made: the goals by the position's key and the move.
pub type Reasons = FxHashMap<(u64, Move), Vec<String>>;

/// Collects the goal chains of all moves of a plan.
pub fn reasons(tree: &PlanTree<Goal, Move>, local: &mut LocalGame) -> Reasons {
    let mut found = Reasons::default();
    collect(tree, tree.root(), local, &mut Vec::new(), &mut found);
    found
}

fn collect(
    tree: &PlanTree<Goal, Move>,
    node: NodeId,
    local: &mut LocalGame,
    chain: &mut Vec<String>,
    found: &mut Reasons,
) {
    let grid = local.board.grid();
    for &child in tree.children(node) {
        let depth = chain.len();
        match tree.choice(child) {
            PlanChoice::Root => {}
            PlanChoice::Goal(goal) => chain.push(format!("{} {}", goal.aim, grid.name(goal.at))),
            PlanChoice::Critic(goal) => chain.push(format!("critic: {} {}", goal.aim, grid.name(goal.at))),
            PlanChoice::Schema(name) => {
                if let Some(last) = chain.last_mut() {
                    *last = format!("{last} ({name})");
                }
            }
            PlanChoice::Move(action) | PlanChoice::Guard(action) => {
                found.entry((local.key(), *action)).or_insert_with(|| chain.clone());
                let mut below = Vec::new();
                local.play(*action);
                collect(tree, child, local, &mut below, found);
                local.undo();
                continue;
            }
        }
        let kept = chain.last().cloned();
        collect(tree, child, local, chain, found);
        chain.truncate(depth);
        // A schema's name belongs to the chain below it only.
        if matches!(tree.choice(child), PlanChoice::Schema(_))
            && let (Some(last), Some(kept)) = (chain.last_mut(), kept)
        {
            *last = kept.rsplit_once(" (").map_or(kept.clone(), |(goal, _)| goal.to_owned());
        }
    }
}

/// Writes out the proof that the side to move wins by a move: every reply, and the winner's answer to it.
pub fn write_out(
    local: &mut LocalGame,
    first: Move,
    answer: &mut dyn FnMut(&mut LocalGame) -> Option<Move>,
    reasons: &Reasons,
) -> Proof {
    let winner = local.turn;
    let mut writer = Writer { winner, answer, reasons, seen: FxHashSet::default(), left: MOST };
    writer.seen.insert(local.key());
    let first = writer.step(local, first, 0);
    Proof { first, complete: writer.left > 0 }
}

/// Writes out the proof that the side to move loses: each of its moves, and the winner's answers. Also whether it is written in full.
pub fn write_refutation(
    local: &mut LocalGame,
    answer: &mut dyn FnMut(&mut LocalGame) -> Option<Move>,
) -> (Vec<Step>, bool) {
    let (winner, reasons) = (local.turn.other(), Reasons::default());
    let mut writer = Writer { winner, answer, reasons: &reasons, seen: FxHashSet::default(), left: MOST };
    writer.seen.insert(local.key());
    let mut moves = Vec::new();
    local.moves(&mut moves);
    let steps = moves.into_iter().map(|action| writer.step(local, action, 0)).collect();
    (steps, writer.left > 0)
}

struct Writer<'a> {
    winner: Side,
    answer: &'a mut dyn FnMut(&mut LocalGame) -> Option<Move>,
    reasons: &'a Reasons,
    /// Positions that are dealt with already.
    seen: FxHashSet<u64>,
    left: usize,
}

impl Writer<'_> {
    fn step(&mut self, local: &mut LocalGame, action: Move, depth: usize) -> Step {
        let (side, color) = (local.turn, local.color(local.turn));
        let why = self.reasons.get(&(local.key(), action)).cloned().unwrap_or_default();
        let mut step = Step { color, action, wins: Some(side == self.winner), why, replies: Vec::new() };
        self.left = self.left.saturating_sub(1);
        local.play(action);
        if self.left > 0 && depth < 250 && self.seen.insert(local.key()) && local.winner().is_none() {
            if local.turn == self.winner {
                if let Some(reply) = (self.answer)(local) {
                    step.replies.push(self.step(local, reply, depth + 1));
                }
            } else {
                let mut moves = Vec::new();
                local.moves(&mut moves);
                for reply in moves {
                    step.replies.push(self.step(local, reply, depth + 1));
                }
            }
        }
        local.undo();
        step
    }
}

/// A single line as a tree, for guesses.
pub fn from_line(local: &LocalGame, line: &[Move]) -> Option<Step> {
    let mut color =
        if line.len() % 2 == 1 { local.color(local.turn) } else { local.color(local.turn.other()) };
    let mut tree: Option<Step> = None;
    for &action in line.iter().rev() {
        let replies = tree.take().into_iter().collect();
        tree = Some(Step { color, action, wins: None, why: Vec::new(), replies });
        color = color.other();
    }
    tree
}
