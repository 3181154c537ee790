//! Somebody who knows what positions are worth.

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
