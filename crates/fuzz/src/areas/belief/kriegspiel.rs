//! Kriegspiel on small boards: every algorithm and the checker against a twin with rules of its own.

use std::collections::BTreeSet;

use counterplay_base::{Budget, Verdict};
use counterplay_belief::{Algorithm, solve};
use counterplay_kriegspiel::chess::Board;
use counterplay_kriegspiel::{Kriegspiel, check_belief, check_plan, plan_exists};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::chess::{After, Chess, Step, Told};
use crate::{Area, Case, Outcome};

/// Mates in positions that are partly hidden.
pub(super) struct KriegspielArea;

/// The twin gives up after so many moves made.
const MOST_MOVES: u64 = 400_000;

/// The twin: whether a mate can be forced from all positions within `depth` moves of both sides, from the definition.
struct Twin {
    moves: u64,
}

impl Twin {
    /// `None` if it takes too long.
    fn mates(&mut self, belief: &BTreeSet<Chess>, depth: usize) -> Option<bool> {
        if belief.is_empty() {
            return Some(true);
        }
        let tries: BTreeSet<Step> = belief.iter().flat_map(Chess::moves).collect();
        for step in tries {
            if self.works(belief, step, depth)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn works(&mut self, belief: &BTreeSet<Chess>, step: Step, depth: usize) -> Option<bool> {
        let (accepting, rejecting): (Vec<&Chess>, Vec<&Chess>) =
            belief.iter().partition(|position| position.moves().contains(&step));
        let mut cases: Vec<(Told, BTreeSet<Chess>)> = Vec::new();
        for position in accepting {
            self.count()?;
            match position.after(step) {
                After::Mate => {}
                After::Drawn => return Some(false),
                After::Open(..) if depth == 1 => return Some(false),
                After::Open(told, next) => sort_in(&mut cases, told, next),
            }
        }
        for (_, positions) in &cases {
            let mut replies: Vec<(Told, BTreeSet<Chess>)> = Vec::new();
            for position in positions {
                for reply in position.moves() {
                    self.count()?;
                    match position.after(reply) {
                        // The other side mates, or neither side can any more.
                        After::Mate | After::Drawn => return Some(false),
                        After::Open(told, next) => sort_in(&mut replies, told, next),
                    }
                }
            }
            for (_, belief) in &replies {
                if !self.mates(belief, depth - 2)? {
                    return Some(false);
                }
            }
        }
        self.mates(&rejecting.into_iter().cloned().collect(), depth)
    }

    fn count(&mut self) -> Option<()> {
        self.moves += 1;
        (self.moves <= MOST_MOVES).then_some(())
    }
}

/// Adds a position to those after the same announcement.
fn sort_in(cases: &mut Vec<(Told, BTreeSet<Chess>)>, told: Told, position: Chess) {
    match cases.iter_mut().find(|(known, _)| *known == told) {
        Some((_, positions)) => {
            positions.insert(position);
        }
        None => cases.push((told, [position].into())),
    }
}

fn read(case: &Case) -> Option<(Vec<String>, usize)> {
    let text = case.text("problem.txt");
    let (depth, fens) = text.split_once('\n')?;
    let depth = depth.trim().parse().ok().filter(|depth| [1, 3].contains(depth))?;
    let fens: Vec<String> = fens.lines().map(str::to_owned).filter(|line| !line.trim().is_empty()).collect();
    (!fens.is_empty()).then_some((fens, depth))
}

impl Area for KriegspielArea {
    fn name(&self) -> &'static str {
        "kriegspiel"
    }

    fn about(&self) -> &'static str {
        "mates on boards from 4 to 6 with hidden men: every algorithm and the slow referee against rules of its own"
    }

    fn sample(&self) -> u64 {
        800
    }

    fn generate(&self, rng: &mut ChaCha8Rng) -> Case {
        let size = rng.random_range(4..=6i8);
        let white = rng.random_bool(0.7);
        let square = |rng: &mut ChaCha8Rng| (rng.random_range(0..size), rng.random_range(0..size));
        // A pawn on its last rank cannot be.
        let place = |rng: &mut ChaCha8Rng, board: &mut Chess, man: char| loop {
            let at = square(rng);
            let pawn_at_end = man.eq_ignore_ascii_case(&'p') && (at.1 == 0 || at.1 == size - 1);
            if !pawn_at_end && board.put(at, man) {
                break;
            }
        };
        let side = |man: char, white: bool| if white { man.to_ascii_uppercase() } else { man };
        let strong = ['q', 'q', 'r', 'r', 'b', 'n', 'p'];
        let mut own = Chess::empty(size, white);
        place(rng, &mut own, side('k', white));
        for _ in 0..rng.random_range(1..=3) {
            let man = strong[rng.random_range(0..7)];
            place(rng, &mut own, side(man, white));
        }
        let hidden: Vec<char> = (0..rng.random_range(0..=2))
            .map(|_| ['r', 'b', 'n', 'p', 'p', 'q'][rng.random_range(0..6)])
            .collect();
        let wanted = rng.random_range(1..=4);
        let mut fens = Vec::new();
        for _ in 0..40 {
            let mut board = own.clone();
            place(rng, &mut board, side('k', !white));
            for &man in &hidden {
                if rng.random_bool(0.8) {
                    place(rng, &mut board, side(man, !white));
                }
            }
            let sound = !board.is_impossible() && !board.moves().is_empty();
            if sound && !fens.contains(&board.fen()) {
                fens.push(board.fen());
            }
            if fens.len() == wanted {
                break;
            }
        }
        let depth = if rng.random_bool(0.4) { 1 } else { 3 };
        Case::new([("problem.txt", format!("{depth}\n{}\n", fens.join("\n")))])
    }

    fn examine(&self, case: &Case) -> Outcome {
        let Some((fens, depth)) = read(case) else { return Outcome::Rejected("not a problem".to_owned()) };
        let mut belief = Vec::new();
        let mut twins = BTreeSet::new();
        for fen in &fens {
            match (Board::from_fen(fen), Chess::read(fen)) {
                (Ok(board), Some(twin)) => {
                    belief.push(board);
                    twins.insert(twin);
                }
                _ => return Outcome::Rejected(format!("not a position: {fen}")),
            }
        }
        if let Err(error) = check_belief(&belief) {
            return Outcome::Rejected(error.to_string());
        }
        let Some(expected) = (Twin { moves: 0 }).mates(&twins, depth) else {
            return Outcome::Rejected("too large for the twin".to_owned());
        };
        let world = Kriegspiel { material_wins: false };
        // The slowest algorithms need minutes for what the others do in a moment.
        let budget = Budget::unlimited().with_nodes(200_000);
        let mut answers = 0;
        for algorithm in Algorithm::ALL {
            let name = algorithm.name();
            let disagree = |what: String| Outcome::Disagreed { what, detail: format!("within {depth}") };
            match solve(&world, &belief, depth, algorithm, &budget).verdict {
                Verdict::Stopped(_) => continue,
                Verdict::Solved(_) if !expected => {
                    return disagree(format!("{name}: solved, twin: unsolvable"));
                }
                Verdict::Unsolvable if expected => {
                    return disagree(format!("{name}: unsolvable, twin: solved"));
                }
                Verdict::Solved(plan) => {
                    if let Err(flaw) = check_plan(&world, &belief, &plan, depth, &Budget::unlimited()) {
                        return disagree(format!("{name}: the referee refuses the plan: {flaw:?}"));
                    }
                }
                Verdict::Unsolvable => {}
            }
            answers += 1;
        }
        match plan_exists(&world, &belief, depth, &budget) {
            Ok(found) if found != expected => Outcome::Disagreed {
                what: format!("referee: a plan exists: {found}, twin: {expected}"),
                detail: format!("within {depth}"),
            },
            found => Outcome::Agreed {
                answers: answers + u32::from(found.is_ok()),
                kind: if expected { "solved" } else { "unsolvable" },
            },
        }
    }

    /// Leaves out positions, then shortens the depth.
    fn shrink(&self, case: &Case) -> Vec<Case> {
        let Some((fens, depth)) = read(case) else { return Vec::new() };
        let write = |fens: &[String], depth: usize| {
            Case::new([("problem.txt", format!("{depth}\n{}\n", fens.join("\n")))])
        };
        let mut smaller = Vec::new();
        for at in 0..fens.len() {
            let mut fewer = fens.clone();
            fewer.remove(at);
            smaller.push(write(&fewer, depth));
        }
        if depth > 1 {
            smaller.push(write(&fens, depth - 2));
        }
        smaller
    }
}
