//! Where no proof was found: what reading the target's string says, and which of the moves that it allows the samples like best.
//!
//! The liberties with which the string counts as safe are raised step by step. An attack that works with few of them works with more; a
//! defence that works with many is worth more than one that works with few. Moves that work equally are told apart by the samples.

use super::{Class, Solver, Success, Tier};
use crate::point::Move;
use crate::problem::Problem;
use crate::search::capture::{Capture, Reading, read};
use crate::search::sample::Samples;
use crate::search::{LocalGame, Side};

/// The share of `search_nodes` that one reading may take.
const SHARE: u64 = 20;

/// The least and the greatest number of liberties that count as safe.
const SAFE: std::ops::RangeInclusive<usize> = 5..=8;

/// Moves that are looked at so many times less often than the best one are not.
const RARE: u32 = 12;

/// So many of the moves that the samples like best are read one by one.
const LIKED: usize = 6;

impl Solver<'_> {
    /// Takes over a move that works by reading; whether there is one.
    pub(super) fn read_capture(&mut self, local: &LocalGame, samples: &Samples, refuted: &[Move]) -> bool {
        if self.problem.goal.friend().is_some() {
            return false;
        }
        let mut liked = liked(samples);
        liked.retain(|action| !refuted.contains(action));
        let found = match self.side {
            Side::Attacker => self.read_attack(liked),
            Side::Defender => self.read_defence(liked),
        };
        let Some(action) = found else { return false };
        let choice = samples.moves.iter().position(|e| e.action == action);
        match choice {
            Some(choice) => self.take_guess(local, samples, choice, Class::Clean),
            None => self.draft.line = vec![action],
        }
        self.draft.success = Some(Success { action, class: Class::Clean });
        self.draft.tier = Tier::Reading;
        true
    }

    fn read(&mut self, problem: &Problem, safe: usize, only: Option<Move>) -> Option<Capture> {
        let nodes = self.options.search_nodes / SHARE;
        let (found, tried) = read(problem, Reading { safe, nodes, only }, self.budget);
        self.draft.statistics.moves_tried += tried;
        found.ok()
    }

    fn works(&mut self, safe: usize, action: Move) -> bool {
        matches!(self.read(self.problem, safe, Some(action)), Some(Capture::Works(_)))
    }

    /// The move that the samples like best among those that take the string; else the one that reading found.
    fn read_attack(&mut self, liked: Vec<Move>) -> Option<Move> {
        for safe in SAFE {
            match self.read(self.problem, safe, None)? {
                Capture::Works(found) if self.is_saved_first(safe) => {
                    let works = |&action: &Move| action == found || self.works(safe, action);
                    return Some(liked.into_iter().find(works).unwrap_or(found));
                }
                Capture::Works(_) => return None,
                Capture::Fails => {}
            }
        }
        None
    }

    /// Whether the owner of the string would save it by moving first. If not, the problem is about something that reading does not see.
    fn is_saved_first(&mut self, safe: usize) -> bool {
        let Problem { board, to_move, target, goal } = self.problem.clone();
        let turned = Problem { board, to_move: to_move.other(), target, goal: goal.turned() };
        self.read(&turned, safe, None) != Some(Capture::Fails)
    }

    /// The move that the samples like best among those after which the string is not taken, if there are others after which it is.
    fn read_defence(&mut self, liked: Vec<Move>) -> Option<Move> {
        let mut standing = liked.clone();
        for safe in SAFE {
            let mut kept = standing.clone();
            kept.retain(|&action| !self.is_refuted(safe, action));
            if kept.is_empty() {
                break;
            }
            standing = kept;
            if standing.len() == 1 {
                break;
            }
        }
        standing.first().copied().filter(|_| standing.len() < liked.len())
    }

    /// Whether the other side takes the string after a move.
    fn is_refuted(&mut self, safe: usize, action: Move) -> bool {
        self.read(self.problem, safe, Some(action)) == Some(Capture::Fails)
    }
}

/// The moves that the samples like, the best first.
fn liked(samples: &Samples) -> Vec<Move> {
    let most = samples.moves.first().map_or(0, |e| e.visits);
    let liked = samples.moves.iter().take(LIKED).filter(|e| e.visits * RARE >= most);
    liked.map(|e| e.action).collect()
}
