//! The schemas: how each goal is achieved, in the order in which the ways are tried.
//!
//! Preconditions look at the position as it now is. A schema that names a point binds it, so that one way to
//! achieve a goal becomes as many schemas as there are points worth naming.

use counterplay_tasknet::adversary::Schema;

use super::aim::{Aim, Goal};
use super::facts::{Facts, liberties, stones_of};
use crate::point::Point;
use crate::search::local::{LocalGame, Side};
use crate::tactics::{self, TacticalResult};

type Schemas = Vec<Schema<Goal>>;

fn way(name: &'static str, subgoals: &[(Aim, Point)]) -> Schema<Goal> {
    Schema { name, subgoals: subgoals.iter().map(|&(aim, at)| Goal::new(aim, at)).collect() }
}

/// Appends the schemas of a goal whose preconditions hold.
pub(super) fn schemas(local: &mut LocalGame, facts: &Facts, goal: Goal, out: &mut Schemas) {
    match goal.aim {
        Aim::KillGroup
        | Aim::SaveGroup
        | Aim::CaptureString
        | Aim::RescueString
        | Aim::ConnectGroups
        | Aim::SeparateGroups => objectives(local, facts, goal, out),
        Aim::SurroundGroup
        | Aim::SqueezeSpace
        | Aim::PreventEyes
        | Aim::BreakUpGroup
        | Aim::MakeEyeSpace
        | Aim::MakeEyes
        | Aim::EscapeGroup
        | Aim::ConnectOut
        | Aim::CounterAttack
        | Aim::LiveBySeki
        | Aim::KillByKo
        | Aim::LiveByKo
        | Aim::RemoveWallStone => strategies(local, facts, goal, out),
        _ => plans(local, facts, goal, out),
    }
}

fn objectives(local: &LocalGame, facts: &Facts, goal: Goal, out: &mut Schemas) {
    let at = goal.at;
    let race = !facts.weak_walls.is_empty();
    match goal.aim {
        Aim::KillGroup => {
            if local.zone.is_closed() {
                out.push(way("enclosed", &[(Aim::PreventEyes, at), (Aim::SqueezeSpace, at)]));
            } else {
                out.push(way(
                    "open",
                    &[(Aim::PreventEyes, at), (Aim::SurroundGroup, at), (Aim::SqueezeSpace, at)],
                ));
            }
            if !facts.joints.is_empty() {
                out.push(way("loose shape", &[(Aim::BreakUpGroup, at)]));
            }
            if race {
                out.push(way("race", &[(Aim::ShortenLiberties, at)]));
            }
            if local.favoured == Side::Attacker {
                out.push(way("ko", &[(Aim::KillByKo, at)]));
            }
        }
        Aim::SaveGroup => {
            out.push(way("find eyes", &[(Aim::MakeEyes, at), (Aim::MakeEyeSpace, at)]));
            if race {
                out.push(way("weak wall", &[(Aim::CounterAttack, at), (Aim::RemoveWallStone, at)]));
                out.push(way("race", &[(Aim::GainLiberties, at)]));
            }
            if !local.zone.is_closed() {
                out.push(way("outlet", &[(Aim::EscapeGroup, at)]));
            }
            if !facts.joints.is_empty() {
                out.push(way("friend near", &[(Aim::ConnectOut, at)]));
            }
            out.push(way("seki", &[(Aim::LiveBySeki, at)]));
            if local.favoured == Side::Defender {
                out.push(way("ko", &[(Aim::LiveByKo, at)]));
            }
        }
        Aim::CaptureString => out.push(way("tactics", &[(Aim::AttackString, at)])),
        Aim::RescueString => out.push(way("tactics", &[(Aim::DefendString, at)])),
        Aim::ConnectGroups => out.push(way("link", &[(Aim::LinkAt, at), (Aim::KeepLink, at)])),
        Aim::SeparateGroups => out.push(way("cut", &[(Aim::KeepCut, at), (Aim::CaptureOrIsolate, at)])),
        _ => {}
    }
}

fn strategies(local: &LocalGame, facts: &Facts, goal: Goal, out: &mut Schemas) {
    let at = goal.at;
    match goal.aim {
        Aim::SurroundGroup => {
            for &exit in facts.exits.iter().take(3) {
                out.push(way("nearest exit", &[(Aim::CloseExit, exit)]));
            }
            out.push(way("friends", &[(Aim::BlockConnection, at)]));
        }
        Aim::SqueezeSpace => {
            out.push(way("from the edge", &[(Aim::ReduceFromEdge, at)]));
            out.push(way("through a gap", &[(Aim::ReduceThroughGap, at)]));
            out.push(way("from inside", &[(Aim::ReduceFromInside, at)]));
        }
        Aim::PreventEyes => {
            out.push(way("vital point", &[(Aim::OccupyVital, at)]));
            out.push(way("weaker eye", &[(Aim::FalsifyEye, at)]));
            out.push(way("eye point", &[(Aim::TakeEyePoint, at)]));
            out.push(way("squeeze", &[(Aim::SqueezePlay, at)]));
        }
        Aim::BreakUpGroup => {
            for &joint in facts.joints.iter().take(3) {
                out.push(way("cut point", &[(Aim::CutAt, joint)]));
            }
            out.push(way("part", &[(Aim::CaptureOrIsolate, at)]));
        }
        Aim::MakeEyeSpace => {
            out.push(way("ambitious", &[(Aim::LargeExtend, at), (Aim::ConsolidateSpace, at)]));
            out.push(way("creep", &[(Aim::CreepExtend, at), (Aim::ConsolidateSpace, at)]));
            for &wall in facts.weak_walls.iter().take(2) {
                out.push(way("stones inside", &[(Aim::CaptureOrGain, wall)]));
            }
        }
        Aim::MakeEyes => {
            for &wall in facts.weak_walls.iter().filter(|&&w| local.board.liberty_count(w) == 1).take(2) {
                out.push(way("capture", &[(Aim::AttackString, wall)]));
            }
            for &vital in facts.vital.iter().take(3) {
                out.push(way("vital point", &[(Aim::TakeVital, vital)]));
            }
            out.push(way("split", &[(Aim::SplitSpace, at)]));
            out.push(way("eye by eye", &[(Aim::SecureEye, at), (Aim::FormEye, at)]));
        }
        Aim::EscapeGroup => out.push(way("run", &[(Aim::RunSequence, at), (Aim::SecureEscape, at)])),
        Aim::ConnectOut => out.push(way("link", &[(Aim::LinkAt, at), (Aim::KeepLink, at)])),
        Aim::CounterAttack | Aim::RemoveWallStone => {
            for &wall in facts.weak_walls.iter().take(3) {
                out.push(way("vulnerable string", &[(Aim::CaptureOrGain, wall)]));
            }
        }
        Aim::LiveBySeki if facts.space.len() >= 2 && !facts.weak_walls.is_empty() => {
            out.push(way("leave shared liberties", &[(Aim::Wait, at)]));
        }
        Aim::KillByKo | Aim::LiveByKo => {
            out.push(way("start a ko", &[(Aim::TakeKo, at)]));
            out.push(way("threat", &[(Aim::KoThreat, at)]));
        }
        _ => {}
    }
}

fn plans(local: &mut LocalGame, facts: &Facts, goal: Goal, out: &mut Schemas) {
    let at = goal.at;
    match goal.aim {
        Aim::CloseExit => out.push(way("block", &[(Aim::BlockAt, at)])),
        Aim::BlockConnection | Aim::KeepCut | Aim::CaptureOrIsolate => {
            for &joint in facts.joints.iter().take(3) {
                out.push(way("cut", &[(Aim::CutAt, joint)]));
            }
        }
        Aim::ReduceFromEdge => {
            out.push(way("hane", &[(Aim::Hane, at)]));
            out.push(way("descend", &[(Aim::Descend, at)]));
        }
        Aim::ReduceThroughGap => {
            out.push(way("push in", &[(Aim::FillLiberty, at)]));
            out.push(way("throw in", &[(Aim::ThrowIn, at)]));
        }
        Aim::ReduceFromInside | Aim::OccupyVital | Aim::TakeEyePoint => {
            for &vital in &facts.vital {
                out.push(way("placement", &[(Aim::Placement, vital)]));
            }
        }
        Aim::TakeVital => out.push(way("play it", &[(Aim::EyeMove, at)])),
        Aim::FalsifyEye => {
            out.push(way("diagonal", &[(Aim::GuardDiagonal, at)]));
            out.push(way("throw in", &[(Aim::ThrowIn, at)]));
            for &own in facts.weak_own.iter().take(2) {
                out.push(way("rim", &[(Aim::AttackString, own)]));
            }
        }
        Aim::SplitSpace => {
            for &vital in &facts.vital {
                out.push(way("eye move", &[(Aim::EyeMove, vital)]));
            }
        }
        Aim::LargeExtend => {
            out.push(way("hane", &[(Aim::Hane, at)]));
            out.push(way("jump", &[(Aim::Extend, at)]));
        }
        Aim::CreepExtend => {
            out.push(way("step", &[(Aim::Extend, at)]));
            out.push(way("descend", &[(Aim::Descend, at)]));
        }
        Aim::ConsolidateSpace => {
            for &exit in facts.exits.iter().take(2) {
                out.push(way("entrance", &[(Aim::BlockAt, exit)]));
            }
            for &joint in facts.joints.iter().take(2) {
                out.push(way("weak link", &[(Aim::ConnectAt, joint)]));
            }
        }
        Aim::FormEye | Aim::SecureEye => {
            out.push(way("diagonal", &[(Aim::GuardDiagonal, at)]));
            for &joint in facts.joints.iter().take(2) {
                out.push(way("rim", &[(Aim::ConnectAt, joint)]));
            }
        }
        Aim::RunSequence | Aim::SecureEscape => {
            for &exit in facts.exits.iter().take(3) {
                out.push(way("towards the exit", &[(Aim::BlockAt, exit)]));
            }
            out.push(way("extend", &[(Aim::Extend, at)]));
        }
        Aim::LinkAt | Aim::KeepLink => {
            for &joint in facts.joints.iter().take(4) {
                out.push(way("joint", &[(Aim::ConnectAt, joint)]));
            }
        }
        Aim::ShortenLiberties => out.push(way("outside first", &[(Aim::FillLiberty, at)])),
        Aim::GainLiberties => {
            out.push(way("extend", &[(Aim::Extend, at)]));
            out.push(way("ladder breaker", &[(Aim::LadderBreaker, at)]));
        }
        Aim::CaptureOrGain => {
            if local.board.cell(at).color() == Some(local.color(local.turn).other())
                && local.board.liberty_count(at) == 2
            {
                out.push(way("ladder", &[(Aim::Ladder, at)]));
                out.push(way("net", &[(Aim::Net, at)]));
            }
            out.push(way("attack", &[(Aim::AttackString, at)]));
        }
        Aim::SqueezePlay => out.push(way("throw in", &[(Aim::ThrowIn, at)])),
        _ => tactics(local, facts, goal, out),
    }
}

fn tactics(local: &mut LocalGame, facts: &Facts, goal: Goal, out: &mut Schemas) {
    let at = goal.at;
    let board = &local.board;
    match goal.aim {
        Aim::AttackString => {
            if board.cell(at).color() != Some(local.color(local.turn).other()) {
                return;
            }
            match board.liberty_count(at) {
                1 => out.push(way("take", &[(Aim::Capture, at)])),
                2 => match tactics::attack(&mut local.board, at) {
                    TacticalResult::Yes(point) => out.push(way("read to the end", &[(Aim::HandMove, point)])),
                    TacticalResult::No | TacticalResult::Unknown => {
                        out.push(way("atari", &[(Aim::FillLiberty, at)]));
                        out.push(way("squeeze", &[(Aim::ThrowIn, at)]));
                    }
                },
                _ => out.push(way("liberties", &[(Aim::FillLiberty, at)])),
            }
        }
        Aim::DefendString => {
            let side = local.turn;
            if board.cell(at) != stones_of(local, side) {
                return;
            }
            let mut chasers: Vec<Point> = Vec::new();
            for stone in board.stones(at) {
                for n in board.around(stone) {
                    let cell = board.cell(n);
                    if cell == stones_of(local, side.other())
                        && board.liberty_count(n) == 1
                        && !chasers.contains(&board.head(n))
                    {
                        chasers.push(board.head(n));
                    }
                }
            }
            for chaser in chasers {
                out.push(way("take the attacker", &[(Aim::Capture, chaser)]));
            }
            out.push(way("extend", &[(Aim::Extend, at)]));
        }
        // A ladder goes on from liberty to liberty, a net is thrown from further off; both are read to the end, and with
        // them snapbacks and whatever else two liberties allow.
        Aim::Ladder | Aim::Net => {
            let next_to = liberties(local, at);
            if let TacticalResult::Yes(point) = tactics::attack(&mut local.board, at)
                && next_to.contains(&point) == (goal.aim == Aim::Ladder)
            {
                out.push(way("read to the end", &[(Aim::HandMove, point)]));
            }
        }
        Aim::CutAt | Aim::ConnectAt => out.push(way("play it", &[(Aim::HandMove, at)])),
        Aim::LadderBreaker => out.push(way("extend", &[(Aim::Extend, at)])),
        Aim::TakeKo => {
            for &string in facts.weak_walls.iter().chain(&facts.weak_own).take(3) {
                out.push(way("retake", &[(Aim::Capture, string)]));
            }
            out.push(way("throw in", &[(Aim::ThrowIn, at)]));
        }
        Aim::KoThreat => {
            for liberty in liberties(local, at).into_iter().take(2) {
                out.push(way("threaten", &[(Aim::HandMove, liberty)]));
            }
        }
        _ => {}
    }
}
