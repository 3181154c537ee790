//! Sources of exact values of positions.

use std::sync::Arc;

use super::tree::Rewards;
use crate::explicit;

/// Values of some positions, as the network packs them.
pub trait Oracle: Send + Sync + std::fmt::Debug {
    /// The rewards from a position on, if they are known, from 0 to 1.
    fn rewards(&self, position: &[u64]) -> Option<Rewards>;
}

impl Oracle for explicit::Solution {
    fn rewards(&self, position: &[u64]) -> Option<Rewards> {
        let value = self.value(self.find(position)?)?;
        Some(value.iter().map(|&reward| reward as f32 / 100.0).collect())
    }
}

/// Several that know different parts of a game; all of them are right.
#[derive(Clone, Debug, Default)]
pub struct Oracles(pub Vec<Arc<dyn Oracle>>);

impl Oracle for Oracles {
    fn rewards(&self, position: &[u64]) -> Option<Rewards> {
        self.0.iter().rev().find_map(|oracle| oracle.rewards(position))
    }
}
