//! A rank for every state, as one diagram.
//!
//! Rank `r` is written as the set of thresholds below `r`, on bits of their own below those of the states. The union of
//! two such sets is that of the greater rank: so the ordinary pre-image of a ranked diagram has at every state the best
//! rank among its successors, for all ranks in one recursion. The alternative is a diagram and a pre-image for each
//! rank (Kissmann 2012, Algorithms 10.1 to 10.4).

use counterplay_base::{IdVec, Limit};
use counterplay_bdd::{Bdd, Unreadable};
use counterplay_task::{Value, VarId};

use crate::{Partition, Space, StateSet};

/// Ranks from 1 up to some greatest one; states without a rank have 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    diagram: Bdd,
    greatest: u32,
}

/// Bits for the thresholds of so many ranks.
fn width(greatest: u32) -> u32 {
    u32::BITS - greatest.saturating_sub(1).leading_zeros()
}

impl Space {
    /// The thresholds below a rank.
    fn thresholds(&self, rank: u32, greatest: u32) -> Result<Bdd, Limit> {
        let mut below = self.manager.constant(false);
        let width = width(greatest);
        if rank >> width > 0 {
            return Ok(self.manager.constant(true));
        }
        // From the least significant bit up: where the rank has a one, a threshold with a zero is below it.
        for bit in (0..width).rev() {
            let zero = self.manager.literal(self.label_level() + 2 * bit, false)?;
            below = if rank >> (width - 1 - bit) & 1 == 1 { zero.or(&below)? } else { zero.and(&below)? };
        }
        Ok(below)
    }

    /// The labels of ranks 0 to the greatest.
    fn labels(&self, greatest: u32) -> Result<Vec<Bdd>, Limit> {
        (0..=greatest).map(|rank| self.thresholds(rank, greatest)).collect()
    }

    /// States with ranks: those of the first set have rank 1, and so on. The sets have no state in common.
    pub fn ranked(&self, sets: &[StateSet]) -> Result<Ranked, Limit> {
        let greatest = sets.len() as u32;
        let mut parts = Vec::new();
        for (rank, set) in (1..).zip(sets).filter(|(_, set)| !set.is_empty()) {
            parts.push(StateSet(set.0.and(&self.thresholds(rank, greatest)?)?));
        }
        let all = crate::union(parts)?.unwrap_or_else(|| self.none());
        Ok(Ranked { diagram: all.0, greatest })
    }

    /// Changes the ranks: rank `r` becomes `ranks[r - 1]`.
    pub fn reranked(&self, ranked: &Ranked, ranks: &[u32]) -> Result<Ranked, Limit> {
        if ranks.iter().zip(1..).all(|(&rank, own)| rank == own) {
            return Ok(ranked.clone());
        }
        let labels = self.labels(ranked.greatest)?;
        let pairs: Vec<(&Bdd, &Bdd)> =
            ranks.iter().zip(&labels[1..]).map(|(&rank, from)| (from, &labels[rank as usize])).collect();
        let diagram = self.manager.relabel(&ranked.diagram, self.label_level(), &pairs)?;
        Ok(Ranked { diagram, greatest: ranked.greatest })
    }

    /// The states with a rank that `is_meant` names.
    pub fn with_rank(&self, ranked: &Ranked, is_meant: impl Fn(u32) -> bool) -> Result<StateSet, Limit> {
        let labels = self.labels(ranked.greatest)?;
        let ends = [self.manager.constant(false), self.manager.constant(true)];
        let pairs: Vec<(&Bdd, &Bdd)> =
            (0..).zip(&labels).map(|(rank, from)| (from, &ends[usize::from(is_meant(rank))])).collect();
        Ok(StateSet(self.manager.relabel(&ranked.diagram, self.label_level(), &pairs)?))
    }

    /// The rank of a state.
    pub fn rank(&self, ranked: &Ranked, state: &IdVec<VarId, Value>) -> u32 {
        let on = self.word(state);
        let width = width(ranked.greatest);
        let is_below = |threshold: u32| {
            ranked.diagram.evaluate(|level| match level.checked_sub(self.label_level()) {
                Some(label) => threshold >> (width - 1 - label / 2) & 1 == 1,
                None => on[level as usize / 2],
            })
        };
        (0..ranked.greatest).take_while(|&threshold| is_below(threshold)).count() as u32
    }

    /// The number of states with each rank from 1 on; `None` if one does not fit.
    pub fn count_ranks(&self, ranked: &Ranked) -> Result<Option<Vec<u128>>, Limit> {
        let labels = self.labels(ranked.greatest)?;
        let labels: Vec<&Bdd> = labels[1..].iter().collect();
        Ok(self.count_labels(&ranked.diagram, &labels))
    }

    /// Writes ranks as bytes.
    pub fn export_ranked(&self, ranked: &Ranked) -> Vec<u8> {
        self.manager.export(&[&ranked.diagram])
    }

    /// Reads ranks up to `greatest` that a space with the same variables in the same order has written.
    pub fn import_ranked(&self, bytes: &[u8], greatest: u32) -> Result<Ranked, Unreadable> {
        let end = self.label_level() + 2 * width(greatest);
        match <[Bdd; 1]>::try_from(self.manager.import(bytes, end)?) {
            Ok([diagram]) => Ok(Ranked { diagram, greatest }),
            Err(_) => Err(Unreadable::Short),
        }
    }
}

impl Ranked {
    /// The better rank of the two.
    pub fn union(&self, other: &Ranked) -> Result<Ranked, Limit> {
        Ok(Ranked { diagram: self.diagram.or(&other.diagram)?, greatest: self.greatest })
    }

    /// The ranks of the states of a set; the others have none.
    pub fn within(&self, set: &StateSet) -> Result<Ranked, Limit> {
        Ok(Ranked { diagram: self.diagram.and(&set.0)?, greatest: self.greatest })
    }

    /// The greatest rank that a state could have.
    pub fn greatest(&self) -> u32 {
        self.greatest
    }

    /// Diagram nodes that hold it.
    pub fn nodes(&self) -> usize {
        self.diagram.size()
    }
}

impl Partition {
    /// For each state of `states` the best rank among its successors.
    pub fn best_before(&self, space: &Space, ranked: &Ranked, states: &StateSet) -> Result<Ranked, Limit> {
        let found = self.pre_image(space, &StateSet(ranked.diagram.clone()))?;
        Ok(Ranked { diagram: found.0.and(&states.0)?, greatest: ranked.greatest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_hold_all_thresholds() {
        for greatest in 1..40u32 {
            assert!(greatest <= 1 << width(greatest), "{greatest} ranks");
            assert!(greatest == 1 || greatest > 1 << (width(greatest) - 1), "{greatest} ranks");
        }
    }
}
