//! A proof walked on the board: the positions that are possible at each of its tries.

use counterplay_belief::Observed;
use counterplay_kriegspiel::Kriegspiel;
use counterplay_kriegspiel::chess::{Board, Move};
use counterplay_kriegspiel::steps::{AnnouncedPercept, announced};
use serde::Serialize;

use super::proof::ProofTree;

/// So many positions of a node are written out, and so many nodes have any.
const MOST_POSITIONS: usize = 200;
const MOST_NODES: usize = 2_000;

/// The positions at each try of a proof, in the shape of the proof.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BeliefTree {
    /// How many positions are possible before the try.
    pub count: usize,
    /// The first of them, as FEN.
    pub positions: Vec<String>,
    /// The node after the try was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub illegal: Option<Box<BeliefTree>>,
    /// The nodes after each announcement and each announcement of a reply, in the order of the proof.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Vec<BeliefTree>>,
}

/// Follows a proof from positions, as FEN. Nodes beyond a number of them are left empty.
pub fn walk(tree: &ProofTree, positions: &[String]) -> BeliefTree {
    let belief: Vec<Board> = positions.iter().filter_map(|fen| Board::from_fen(fen).ok()).collect();
    Walk { world: Kriegspiel::default(), left: MOST_NODES }.node(tree, &belief)
}

struct Walk {
    world: Kriegspiel,
    left: usize,
}

impl Walk {
    fn node(&mut self, tree: &ProofTree, belief: &[Board]) -> BeliefTree {
        let Ok(attempt) = tree.attempt.parse::<Move>() else { return BeliefTree::default() };
        if self.left == 0 || belief.is_empty() {
            return BeliefTree::default();
        }
        self.left -= 1;
        let tried: Vec<_> =
            belief.iter().map(|state| (state, self.world.hear_attempt(state, attempt))).collect();
        let rejected: Vec<Board> =
            tried.iter().filter(|(_, heard)| heard.is_none()).map(|(state, _)| **state).collect();
        let illegal = tree.illegal.as_ref().map(|illegal| Box::new(self.node(illegal, &rejected)));
        let mut after = Vec::new();
        for said in &tree.after {
            let accepted = tried.iter().filter_map(|(_, heard)| heard.as_ref());
            let moved: Vec<Board> = accepted
                .filter(|((percept, end), _)| {
                    end.is_none() && announced(Some((*percept, None))) == said.heard
                })
                .map(|(_, next)| *next)
                .collect();
            let replies = said.replies.iter().map(|reply| (&reply.heard, &reply.then));
            after.push(replies.map(|(heard, then)| self.node(then, &self.replied(&moved, heard))).collect());
        }
        BeliefTree {
            count: belief.len(),
            positions: belief.iter().take(MOST_POSITIONS).map(ToString::to_string).collect(),
            illegal,
            after,
        }
    }

    /// The positions after replies of which the referee says this.
    fn replied(&self, moved: &[Board], heard: &AnnouncedPercept) -> Vec<Board> {
        let mut found: Vec<Board> = Vec::new();
        let mut replies = Vec::new();
        for state in moved {
            replies.clear();
            self.world.hear_replies(state, &mut replies);
            for ((percept, end), next) in &replies {
                if end.is_none() && announced(Some((*percept, None))) == *heard && !found.contains(next) {
                    found.push(*next);
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kriegspiel::{Problem, Proof, Request, solve};
    use counterplay_base::{Budget, Silent};

    /// Every node of a proof is reached: a node without positions would be an answer to nothing.
    fn all_are_reached(tree: &ProofTree, belief: &BeliefTree) {
        assert!(belief.count > 0, "{}", tree.attempt);
        assert_eq!(tree.illegal.is_some(), belief.illegal.is_some());
        if let (Some(tree), Some(belief)) = (&tree.illegal, &belief.illegal) {
            all_are_reached(tree, belief);
        }
        for (after, nodes) in tree.after.iter().zip(&belief.after) {
            assert_eq!(after.replies.len(), nodes.len());
            after.replies.iter().zip(nodes).for_each(|(reply, node)| all_are_reached(&reply.then, node));
        }
    }

    #[test]
    fn positions_are_known_at_each_try() {
        // The first figure of Russell and Wolfe: a board of 4 x 4.
        let fens = ["4/p3/1PBk/QK1n w - - 0 1", "1k1b/p3/1PB1/QK2 w - - 0 1", "1k2/2p1/1PBp/QK2 w - - 0 1"];
        let request = Request { proof: true, ..Request::default() };
        let problem = Problem::of_fens(&fens, 3).unwrap();
        let answer = solve(&problem, &request, &Budget::unlimited(), &Silent).unwrap();
        let Some(Proof::Tree(tree)) = &answer.proof else { panic!("{answer:?}") };
        let fens: Vec<String> = fens.iter().map(|&fen| fen.to_owned()).collect();
        let belief = walk(tree, &fens);
        assert_eq!(belief.count, 3);
        assert!(belief.after.len() > 1, "the referee may say several things");
        all_are_reached(tree, &belief);
    }
}
