//! The critics: they look at a position after each move, and name optional goals that no plan has asked for.
//!
//! Two more of their kind live elsewhere. What guards a proof before success is declared is the planner's guard, which tries every
//! move of the other side; what stops a line that has failed before is its memory of positions.

use super::aim::{Aim, Goal};
use super::facts::{Facts, liberties, stones_of};
use crate::board::Cell;
use crate::point::{Move, Point};
use crate::search::local::{LocalGame, Side};

/// The kinds of critics: each looks at a position and may insert one goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Critic {
    /// Their stones in atari can be taken.
    Capture,
    /// One's own stones in atari want to be saved; single stones may be given up.
    Rescue,
    /// A small eye space with one point that everything turns on.
    Vital,
    /// The last move took a stone or two and can be taken back: a snapback.
    Snapback,
    /// The last move took stones, and what they have left open is a place to cut or to play inside: under the stones.
    Vacated,
    /// The last move came next to a place where two strings of the defender meet.
    Cut,
    /// The target's space is open to the outside.
    Escape,
    /// A ko can be retaken by the side that wins kos.
    Ko,
    /// Stones inside share their liberties with the target: who fills them loses.
    Seki,
}

impl Critic {
    /// All of them, the most urgent first.
    pub const ALL: [Critic; 9] = [
        Critic::Snapback,
        Critic::Capture,
        Critic::Rescue,
        Critic::Vital,
        Critic::Vacated,
        Critic::Cut,
        Critic::Escape,
        Critic::Ko,
        Critic::Seki,
    ];

    /// Appends the goals that it sees for the side to move.
    pub(super) fn see(self, local: &LocalGame, facts: &Facts, out: &mut Vec<Goal>) {
        match self {
            Critic::Capture => {
                out.extend(in_atari(local, theirs(local, facts)).map(|s| Goal::new(Aim::AttackString, s)));
            }
            Critic::Rescue => {
                let target = local.board.head(local.target);
                let worth = |s: &Point| local.board.string_size(*s) >= 2 || *s == target;
                let mine = in_atari(local, mine(local, facts)).filter(worth);
                out.extend(mine.map(|s| Goal::new(Aim::DefendString, s)));
            }
            Critic::Vital => {
                // A bent or straight three, a pyramid four, a bulky five.
                if facts.space.len() <= 6
                    && let Some(&vital) = facts.vital.first()
                {
                    out.push(Goal::new(Aim::TakeVital, vital));
                }
            }
            Critic::Snapback => out.extend(snapback(local)),
            Critic::Vacated => vacated(local, out),
            Critic::Cut => cut(local, facts, out),
            Critic::Escape => escape(local, facts, out),
            Critic::Ko => out.extend(ko(local)),
            Critic::Seki => out.extend(seki(local, facts)),
        }
    }
}

fn theirs<'f>(local: &LocalGame, facts: &'f Facts) -> &'f [Point] {
    if local.turn == Side::Attacker { &facts.weak_own } else { &facts.weak_walls }
}

fn mine<'f>(local: &LocalGame, facts: &'f Facts) -> &'f [Point] {
    if local.turn == Side::Attacker { &facts.weak_walls } else { &facts.weak_own }
}

/// The strings among these with a single liberty, the largest first.
fn in_atari(local: &LocalGame, strings: &[Point]) -> impl Iterator<Item = Point> + use<> {
    let board = &local.board;
    let mut found: Vec<Point> = strings.iter().copied().filter(|&s| board.liberty_count(s) == 1).collect();
    found.sort_by_key(|&s| std::cmp::Reverse(board.string_size(s)));
    found.into_iter()
}

/// The last move, if its stone is still there.
fn last_stone(local: &LocalGame) -> Option<Point> {
    match local.last()? {
        Move::Play(point) if local.board.cell(point) == stones_of(local, local.turn.other()) => Some(point),
        _ => None,
    }
}

fn snapback(local: &LocalGame) -> Option<Goal> {
    let last = last_stone(local)?;
    let taken = local.board.vacated().count();
    let back = (1..=2).contains(&taken) && local.board.liberty_count(last) == 1;
    (back && local.board.string_size(last) > 1).then(|| Goal::new(Aim::Capture, last))
}

/// Three stones and more leave points to play on; those with the most company come first.
fn vacated(local: &LocalGame, out: &mut Vec<Goal>) {
    let mut points: Vec<Point> = local.board.vacated().collect();
    if points.len() < 3 {
        return;
    }
    let company = |p: Point| local.board.around(p).into_iter().filter(|&n| local.board.is_empty(n)).count();
    points.retain(|&p| local.zone.contains(p));
    points.sort_by_key(|&p| (std::cmp::Reverse(company(p)), p));
    out.extend(points.into_iter().take(3).map(|p| Goal::new(Aim::Placement, p)));
}

fn cut(local: &LocalGame, facts: &Facts, out: &mut Vec<Goal>) {
    let Some(last) = last_stone(local) else { return };
    let board = &local.board;
    let near = |p: &Point| board.around(last).contains(p) || board.diagonals(last).contains(p);
    let aim = if local.turn == Side::Attacker { Aim::CutAt } else { Aim::ConnectAt };
    out.extend(facts.joints.iter().copied().filter(near).take(2).map(|joint| Goal::new(aim, joint)));
}

fn escape(local: &LocalGame, facts: &Facts, out: &mut Vec<Goal>) {
    // An exit matters once the target itself stands next to it.
    let head = local.board.head(local.target);
    let next = |p: &Point| {
        let own = Cell::of(local.defender);
        local.board.around(*p).into_iter().any(|n| local.board.cell(n) == own && local.board.head(n) == head)
    };
    let exits = facts.exits.iter().copied().filter(next).take(2);
    match local.turn {
        Side::Attacker => out.extend(exits.map(|exit| Goal::new(Aim::CloseExit, exit))),
        Side::Defender => out.extend(exits.map(|exit| Goal::new(Aim::HandMove, exit))),
    }
}

fn ko(local: &LocalGame) -> Option<Goal> {
    let point = local.board.ko()?;
    (local.turn == local.favoured && local.is_legal(point)).then(|| Goal::new(Aim::HandMove, point))
}

fn seki(local: &LocalGame, facts: &Facts) -> Option<Goal> {
    if local.turn != Side::Defender || facts.weak_walls.is_empty() {
        return None;
    }
    // Every liberty of the target is one of the stones inside too: filling it helps neither side.
    let own = liberties(local, local.target);
    let shared = own.len() >= 2
        && own.iter().all(|&p| {
            let around = local.board.around(p);
            around.into_iter().any(|n| local.board.cell(n) == Cell::of(local.defender.other()))
        });
    shared.then(|| Goal::new(Aim::Wait, local.target))
}
