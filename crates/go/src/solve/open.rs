//! Targets with room: sampling orders the moves, and search tries to prove or to refute the best of them.
//!
//! What belongs to a fight in the open is itself a guess, so several zones are sampled and vote. Where the first two agree they are
//! believed; where not, a third is asked. A zone in which every move succeeds, or none, has nothing to say and is passed over.

use counterplay_base::Limit;

use super::{Class, Solver, Success, Tier};
use crate::board::Cell;
use crate::point::{Move, Point};
use crate::search::dfpn::{Dfpn, DfpnResult};
use crate::search::order::HeuristicOrder;
use crate::search::sample::{Estimate, Samples, Settings, sample};
use crate::search::{LocalGame, Side};
use crate::tree;
use crate::zone::{Reach, Spread, Zone};

/// Votes of a zone that does not tell moves apart count so much.
const MUTE: f32 = 0.01;

/// The share of `search_nodes` that the proof of one promising move may take.
const PROMISING: u64 = 25;

/// The share of `search_nodes` that the proof of a larger success may take.
const LARGER: u64 = 4;

/// What a fight may be about, and how random playouts are played in it.
fn views(base: Reach) -> [(Reach, u32); 5] {
    [
        (base, 0),
        (Reach { spread: Spread::Contact, ..base }, 0),
        (base, 50),
        // For fights in which the ones before have nothing to say: nothing is given to the attacker outside, and walls are weaker.
        (Reach { owned: 0, thin: 4, ..base }, 0),
        (Reach { owned: 0, thin: 4, weak: 5, spread: Spread::Contact, ..base }, 0),
    ]
}

impl Solver<'_> {
    fn settings(&self, shapes: u32) -> Settings {
        Settings { playouts: self.options.samples, seed: self.options.seed, shapes }
    }

    /// Samples in the zone of the proof, with kos in favour of a side.
    fn sample(&mut self, favoured: Side) -> Option<(LocalGame, Samples)> {
        let mut local = self.local(favoured);
        match sample(&mut local, self.settings(0), self.budget) {
            Ok(samples) => {
                self.draft.statistics.playouts += samples.playouts;
                Some((local, samples))
            }
            Err(limit) => {
                self.draft.limit = Some(limit);
                None
            }
        }
    }

    /// Samples under several views and lets them vote; the moves with the most votes come first.
    fn vote(&mut self, favoured: Side) -> Option<(LocalGame, Samples)> {
        let mut ballot = Ballot::default();
        let mut seen: Vec<(Vec<Point>, Vec<Point>, u32)> = Vec::new();
        for (reach, shapes) in views(self.options.reach) {
            if ballot.is_settled() {
                break;
            }
            let zone = Zone::around(&self.problem.board, self.problem.target, reach);
            let view = (zone.points().to_vec(), zone.framed().to_vec(), shapes);
            if seen.contains(&view) {
                continue;
            }
            seen.push(view);
            let mut local = LocalGame::new(self.problem, zone, favoured);
            match sample(&mut local, self.settings(shapes), self.budget) {
                Ok(samples) => ballot.count(samples),
                Err(limit) => {
                    self.draft.limit = Some(limit);
                    break;
                }
            }
        }
        self.draft.statistics.playouts += ballot.playouts;
        (!ballot.votes.is_empty()).then(|| (self.local(favoured), ballot.result()))
    }

    /// A guess where exact search gave up.
    pub(super) fn guess(&mut self) {
        if let Some((local, samples)) = self.sample(self.side.other()) {
            self.take_guess(&local, &samples, 0, Class::Clean);
        }
    }

    /// A guess with all kos won, where search found a ko that cannot be replayed.
    pub(super) fn guess_ko(&mut self) {
        self.draft.tier = Tier::Guess;
        self.draft.limit.get_or_insert(Limit::Nodes(self.options.search_nodes));
        if let Some((local, samples)) = self.sample(self.side) {
            self.take_guess(&local, &samples, 0, Class::Ko);
        }
    }

    pub(super) fn take_guess(&mut self, local: &LocalGame, samples: &Samples, choice: usize, class: Class) {
        let Some(best) = samples.moves.get(choice) else { return };
        self.draft.success = Some(Success { action: best.action, class });
        self.draft.tier = Tier::Guess;
        self.draft.limit.get_or_insert(Limit::Nodes(self.options.search_nodes));
        // The line belongs to the move that one of the views liked best.
        if samples.line.first() == Some(&best.action) {
            self.draft.line.clone_from(&samples.line);
        } else {
            self.draft.line = vec![best.action];
        }
        self.draft.tree = tree::from_line(local, &self.draft.line).into_iter().collect();
    }

    /// Tries to prove that a move wins without a ko, if not on the whole board then in the zone, and takes it over if it does.
    fn prove(&mut self, action: Move, nodes: u64) -> Result<DfpnResult, Limit> {
        let order = HeuristicOrder::default();
        let again = order.clone();
        let mut ended = Ok(false);
        if self.in_sealed_zone(|solver| {
            ended = solver.prove_move(action, order, nodes);
            ended == Ok(true)
        }) {
            return Ok(DfpnResult::Won);
        }
        if let Err(limit @ (Limit::Time(_) | Limit::Cancelled)) = ended {
            return Err(limit);
        }
        let mut local = self.local(self.side.other());
        let mut search = Dfpn::new(&mut local, again, nodes);
        search.only = Some(action);
        let answer = search.run(self.budget);
        self.draft.statistics.moves_tried += search.tried;
        if answer == Ok(DfpnResult::Won) {
            let wins = std::mem::take(&mut search.wins);
            self.take_tree(&mut local, &wins, action);
            self.found(action, self.side.other());
        }
        answer
    }

    /// Solves a problem whose target is not shut in: votes of samples, then proofs of the best moves.
    pub(super) fn open(&mut self) {
        let Some((local, samples)) = self.vote(self.side.other()) else { return };
        let promising: Vec<Move> = samples
            .moves
            .iter()
            .take(3)
            .filter(|e| e.visits * 12 >= samples.moves[0].visits)
            .map(|e| e.action)
            .collect();
        let mut standing = Vec::new();
        for (i, &action) in promising.iter().enumerate() {
            match self.prove(action, self.options.search_nodes / PROMISING) {
                Ok(DfpnResult::Won) => return,
                Ok(DfpnResult::Lost) => {}
                Err(limit) => {
                    self.draft.limit = Some(limit);
                    standing.push(i);
                }
            }
        }
        let refuted: Vec<Move> =
            (0..promising.len()).filter(|i| !standing.contains(i)).map(|i| promising[i]).collect();
        let may_read = self.side == Side::Attacker || !standing.is_empty();
        if may_read && self.read_capture(&local, &samples, &refuted) {
            return;
        }
        if let Some(&first) = standing.first() {
            self.take_guess(&local, &samples, first, Class::Clean);
        } else if let Some((local, samples)) = self.vote(self.side) {
            // If all were refuted, a ko is the likeliest reason.
            self.take_guess(&local, &samples, 0, Class::Ko);
        } else {
            self.take_guess(&local, &samples, 0, Class::Clean);
        }
    }

    /// Where the target falls to several moves, the one that takes the rest of its group along is better.
    pub(super) fn take_more(&mut self) {
        let done = self.side == Side::Attacker
            && self.draft.success.is_some_and(|success| success.class == Class::Clean)
            && (self.draft.tier.is_proof() || self.draft.tier == Tier::Region)
            && self.zone.is_closed()
            && self.problem.goal.friend().is_none();
        let also = self.rest_of_group();
        if !done || also.is_empty() {
            return;
        }
        let mut local = self.local(self.side.other());
        local.also = also;
        let Ok(samples) = sample(&mut local, self.settings(0), self.budget) else { return };
        self.draft.statistics.playouts += samples.playouts;
        if let Some(best) = samples.moves.first()
            && Some(best.action) != self.draft.success.map(|success| success.action)
        {
            // If it cannot be proved, what has been proved stays.
            let nodes = self.options.search_nodes / LARGER;
            if self.zone.is_sealed() {
                let _ = self.prove_move(best.action, HeuristicOrder::default(), nodes);
            } else {
                let _ = self.prove(best.action, nodes);
            }
        }
    }

    /// Other strings of the defender in the zone that are at least as large as the target's.
    fn rest_of_group(&self) -> Vec<Point> {
        let board = &self.problem.board;
        let target = board.head(self.problem.target);
        let mut found: Vec<Point> = Vec::new();
        for &stone in self.zone.points() {
            if board.cell(stone) == Cell::of(self.problem.defender()) {
                let head = board.head(stone);
                let large = board.string_size(head) >= board.string_size(target);
                if head != target && large && !found.contains(&head) {
                    found.push(head);
                }
            }
        }
        found
    }
}

/// The votes of the views that have been heard.
#[derive(Default)]
struct Ballot {
    /// Moves with their votes, and the best that a view says of them.
    votes: Vec<(Move, f32, f32)>,
    /// The first choices of the views that tell moves apart.
    firsts: Vec<Move>,
    line: Vec<Move>,
    playouts: u64,
}

impl Ballot {
    /// Two views agree, or three have been heard.
    fn is_settled(&self) -> bool {
        match self.firsts[..] {
            [one, other] => one == other,
            ref several => several.len() > 2,
        }
    }

    fn count(&mut self, samples: Samples) {
        let telling = samples.is_telling();
        if self.line.is_empty() || (telling && self.firsts.is_empty()) {
            self.line.clone_from(&samples.line);
        }
        let all = samples.moves.iter().map(|e| e.visits as f32).sum::<f32>().max(1.0);
        for e in &samples.moves {
            let vote = if e.decided { e.share } else { e.visits as f32 / all };
            let vote = if telling { vote } else { vote * MUTE };
            match self.votes.iter_mut().find(|(action, ..)| *action == e.action) {
                Some((_, votes, share)) => {
                    *votes += vote;
                    *share = share.max(e.share);
                }
                None => self.votes.push((e.action, vote, e.share)),
            }
        }
        if telling {
            self.firsts.extend(samples.moves.first().map(|e| e.action));
        }
        self.playouts += samples.playouts;
    }

    fn result(mut self) -> Samples {
        self.votes.sort_by(|a, b| b.1.total_cmp(&a.1));
        // Votes become visits again: so many out of ten thousand of one view.
        let estimate = |&(action, votes, share): &(Move, f32, f32)| Estimate {
            action,
            visits: (votes * 10_000.0) as u32,
            share,
            decided: false,
        };
        let moves = self.votes.iter().map(estimate).collect();
        Samples { moves, line: self.line, playouts: self.playouts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::Grid;

    fn said(visits: &[(Move, u32, f32)]) -> Samples {
        let moves =
            visits.iter().map(|&(action, visits, share)| Estimate { action, visits, share, decided: false });
        Samples { moves: moves.collect(), line: Vec::new(), playouts: 10 }
    }

    #[test]
    fn two_that_agree_are_enough_and_the_mute_do_not_count() {
        let grid = Grid::new(5, 5).unwrap();
        let [a, b, c, d] = [0, 1, 2, 3].map(|column| Move::Play(grid.point(column, 0).unwrap()));
        let mut ballot = Ballot::default();
        ballot.count(said(&[(b, 1, 1.0), (c, 1, 1.0), (d, 1, 1.0), (a, 1, 1.0)]));
        assert!(ballot.firsts.is_empty() && !ballot.is_settled());
        ballot.count(said(&[(a, 8, 0.7), (b, 2, 0.4)]));
        assert!(!ballot.is_settled());
        let mut torn =
            Ballot { votes: ballot.votes.clone(), firsts: ballot.firsts.clone(), ..Ballot::default() };
        ballot.count(said(&[(a, 6, 0.6), (c, 4, 0.5)]));
        assert!(ballot.is_settled());
        assert_eq!(ballot.result().moves[0].action, a);
        torn.count(said(&[(b, 9, 0.6), (a, 1, 0.1)]));
        assert!(!torn.is_settled());
        torn.count(said(&[(b, 5, 0.6), (a, 5, 0.5)]));
        assert!(torn.is_settled());
        assert_eq!(torn.result().moves[0].action, b);
    }
}
