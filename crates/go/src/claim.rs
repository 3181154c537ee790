//! Statements about a local game that have been proved.
//!
//! Each class of result is one or two of them; `solve` lists which. The mover's win alone is not enough for a ko or a seki: that there
//! is nothing better has to be proved as well, and is a win of the other side in another game.

use crate::search::{Side, Stake};
use crate::tree::Step;

/// Who wins a local game in a sealed zone, and the tree that proves it for the whole board.
#[derive(Clone, Debug)]
pub struct Claim {
    pub winner: Side,
    /// Who may retake kos at once and wins by repetition.
    pub favoured: Side,
    /// What the defender has to achieve.
    pub stake: Stake,
    /// If the winner moves first, his move; else every first move of the loser. The winner's answers follow.
    pub tree: Vec<Step>,
    /// Whether the tree is written out in full.
    pub complete: bool,
}

impl Claim {
    /// Whether the claim needs no repetition: such a proof by search is well founded even if it is too long to be replayed.
    pub fn is_finite(&self) -> bool {
        self.winner != self.favoured
    }
}
