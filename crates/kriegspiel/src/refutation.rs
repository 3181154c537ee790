//! Why there is no guaranteed mate.
//!
//! A belief state without a plan has a smallest part without one: often a single position, in which there is no mate
//! even with perfect information, or a few positions that need different moves. The line shows how one of them escapes: a good
//! try, and the reply after which nothing mates in time.

use counterplay_base::{Budget, Limit, Verdict};
use counterplay_belief::{After, Algorithm, HiddenWorld, solve};

use crate::chess::{Board, Move};
use crate::world::Kriegspiel;

/// Positions that together have no plan, and a line of play in the first of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// No position can be left out.
    pub states: Vec<Board>,
    /// Tries and replies from the first position.
    pub line: Vec<Move>,
}

/// Finds a refuting part of a belief state that has no plan within `depth`.
pub fn refutation(
    world: &Kriegspiel,
    belief: &[Board],
    depth: usize,
    budget: &Budget,
) -> Result<Refutation, Limit> {
    let has_plan = |states: &[Board]| match solve(world, states, depth, Algorithm::Auto, budget).verdict {
        Verdict::Solved(_) => Ok(true),
        Verdict::Unsolvable => Ok(false),
        Verdict::Stopped(limit) => Err(limit),
    };
    let mut states = belief.to_vec();
    for &state in belief {
        if !has_plan(&[state])? {
            states = vec![state];
            break;
        }
    }
    // Leave out what is not needed, one after the other.
    let mut index = 0;
    while states.len() > 1 && index < states.len() {
        let mut fewer = states.clone();
        fewer.remove(index);
        if has_plan(&fewer)? {
            index += 1;
        } else {
            states = fewer;
        }
    }
    let line = escape(world, &states[0], depth, budget)?;
    Ok(Refutation { states, line })
}

/// A line in which a position escapes: the move that lets the fewest replies escape, and the first of these.
fn escape(world: &Kriegspiel, state: &Board, depth: usize, budget: &Budget) -> Result<Vec<Move>, Limit> {
    if depth <= 1 {
        return Ok(Vec::new());
    }
    let mut best: Option<(usize, Move, Move, Board)> = None;
    let mut moves = Vec::new();
    state.legal_moves(&mut moves);
    for mv in moves {
        let After::Open(_, next) = world.act(state, mv) else { continue };
        let mut replies = Vec::new();
        next.legal_moves(&mut replies);
        let mut escapes = Vec::new();
        for reply in replies {
            let after = next.play(reply).0;
            match solve(world, &[after], depth - 2, Algorithm::Auto, budget).verdict {
                Verdict::Solved(_) => {}
                Verdict::Unsolvable => escapes.push((reply, after)),
                Verdict::Stopped(limit) => return Err(limit),
            }
        }
        if let Some(&(reply, after)) = escapes.first()
            && best.is_none_or(|(fewest, ..)| escapes.len() < fewest)
        {
            best = Some((escapes.len(), mv, reply, after));
        }
    }
    let Some((_, mv, reply, after)) = best else { return Ok(Vec::new()) };
    let mut line = vec![mv, reply];
    line.extend(escape(world, &after, depth - 2, budget)?);
    Ok(line)
}
