//! The answer as a tree of moves with reasons, whichever search found it.

use counterplay_htn::adversary::{Contingency, PlanTree};
use rustc_hash::FxHashSet;

use crate::plan::Goal;
use crate::point::{Color, Move};
use crate::search::dfpn::Numbers;
use crate::search::local::{Local, Side};

/// A move, why it is made, and what may follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Whose move.
    pub color: Color,
    /// Which move.
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

    /// The line that makes the end wait longest.
    pub fn main_line(&self) -> Vec<Move> {
        let mut line = vec![self.action];
        let mut at = self;
        while let Some(next) = at.replies.iter().max_by_key(|reply| (height(reply), reply.action != Move::Pass)) {
            line.push(next.action);
            at = next;
        }
        line
    }
}

fn height(step: &Step) -> usize {
    1 + step.replies.iter().map(height).max().unwrap_or(0)
}

/// The contingency tree of a plan.
pub fn from_plan(tree: &PlanTree<Goal, Move>, local: &Local) -> Vec<Step> {
    let grid = local.board.grid();
    let first = local.color(local.turn);
    let words = |contingency: &Contingency<Goal, Move>| -> Vec<String> {
        let mut why: Vec<String> = contingency
            .goals
            .iter()
            .enumerate()
            .map(|(i, goal)| match contingency.schemas.get(i) {
                Some(schema) => format!("{} {} ({schema})", goal.aim, grid.name(goal.at)),
                None => format!("{} {}", goal.aim, grid.name(goal.at)),
            })
            .collect();
        if contingency.critic {
            why.insert(0, "critic".to_owned());
        }
        why
    };
    fn turn(
        contingency: &Contingency<Goal, Move>,
        color: Color,
        words: &dyn Fn(&Contingency<Goal, Move>) -> Vec<String>,
    ) -> Step {
        Step {
            color,
            action: contingency.action,
            wins: contingency.winner.map(|winner| winner == contingency.agent),
            why: words(contingency),
            replies: contingency.replies.iter().map(|reply| turn(reply, color.other(), words)).collect(),
        }
    }
    tree.contingency(tree.root()).iter().map(|contingency| turn(contingency, first, &words)).collect()
}

/// At most so many moves are taken from a table.
const MOST: usize = 4000;

/// The tree of a finished proof-number search, read from its table.
pub fn from_table(local: &mut Local, known: impl Fn(u64) -> Option<Numbers>, first: Move) -> Step {
    let mut seen = FxHashSet::default();
    seen.insert(local.key());
    let mut left = MOST;
    read(local, &known, first, &mut seen, &mut left, 0)
}

fn read(
    local: &mut Local,
    known: &impl Fn(u64) -> Option<Numbers>,
    action: Move,
    seen: &mut FxHashSet<u64>,
    left: &mut usize,
    depth: usize,
) -> Step {
    let color = local.color(local.turn);
    let key = local.key_after(action);
    let numbers = known(key);
    let wins = numbers.and_then(|n| match (n.phi, n.delta) {
        (0, _) => Some(false),
        (_, 0) => Some(true),
        _ => None,
    });
    let mut step = Step { color, action, wins, why: Vec::new(), replies: Vec::new() };
    *left = left.saturating_sub(1);
    if *left == 0 || depth > 200 || wins.is_none() || !seen.insert(key) {
        return step;
    }
    local.play(action);
    if local.winner().is_none() {
        let mut moves = Vec::new();
        local.moves(&mut moves);
        let lost = |local: &mut Local, action: Move| known(local.key_after(action)).is_some_and(|n| n.delta == 0);
        if wins == Some(true) {
            for reply in moves {
                step.replies.push(read(local, known, reply, seen, left, depth + 1));
            }
        } else if let Some(&refutation) = moves.iter().find(|&&m| lost(local, m)) {
            step.replies.push(read(local, known, refutation, seen, left, depth + 1));
        }
    }
    local.undo();
    step
}

/// A single line as a tree, for guesses.
pub fn from_line(local: &Local, line: &[Move]) -> Option<Step> {
    let mut color = if line.len() % 2 == 1 { local.color(local.turn) } else { local.color(local.turn.other()) };
    let mut tree: Option<Step> = None;
    for &action in line.iter().rev() {
        let replies = tree.take().into_iter().collect();
        tree = Some(Step { color, action, wins: None, why: Vec::new(), replies });
        color = color.other();
    }
    tree
}

/// The side of a colour.
pub fn side_of(local: &Local, color: Color) -> Side {
    if color == local.defender { Side::Defender } else { Side::Attacker }
}
