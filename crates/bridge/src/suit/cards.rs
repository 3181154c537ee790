//! The two holdings, the missing cards in groups, and the layouts.

use crate::card::Rank;
use crate::suit::bits::Bits;

/// The ways to deal thirteen of the defenders' 26 cards to west; all are equally likely.
pub const DIVISIONS: u64 = 10_400_600;

/// Declarer's cards in one suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuitHolding {
    /// North's and South's cards, bit `r` for rank `r`.
    pub(super) hands: [u16; 2],
}

/// A holding that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuitError {
    /// A letter that is no rank.
    #[error("`{0}` is no rank (A K Q J T 9 … 2)")]
    Rank(char),
    /// A card is in both hands, or twice in one.
    #[error("the {} is there twice", .0.name())]
    Twice(Rank),
    /// No card at all.
    #[error("neither hand has a card")]
    Nothing,
}

impl SuitHolding {
    /// Reads the two hands, `KJ74` and `A2`; `-` is a void.
    ///
    /// # Errors
    /// A letter that is no rank, or a card that is there twice.
    pub fn new(north: &str, south: &str) -> Result<SuitHolding, SuitError> {
        let mut hands = [0u16; 2];
        for (at, text) in [north, south].into_iter().enumerate() {
            for letter in text.replace("10", "T").chars().filter(|&c| c != '-') {
                let rank = Rank::from_letter(letter).ok_or(SuitError::Rank(letter))?;
                let bit = 1 << rank.number();
                if (hands[0] | hands[1]) & bit != 0 {
                    return Err(SuitError::Twice(rank));
                }
                hands[at] |= bit;
            }
        }
        if hands == [0, 0] { Err(SuitError::Nothing) } else { Ok(SuitHolding { hands }) }
    }

    /// The most tricks there can be.
    pub fn most(&self) -> usize {
        self.hands.iter().map(|hand| hand.count_ones() as usize).max().unwrap_or(0)
    }
}

/// Missing cards that none of ours parts, and all the ways in which they may lie.
#[derive(Clone, Debug)]
pub(super) struct Missing {
    /// By group, from the top: a rank of it, and how many cards it has.
    pub(super) groups: Vec<(u8, u8)>,
    /// By layout, how many cards of each group west holds.
    pub(super) west: Vec<Vec<u8>>,
    /// By layout, in how many of the [`DIVISIONS`] the cards lie like this.
    pub(super) weight: Vec<u64>,
}

impl Missing {
    pub(super) fn new(holding: &SuitHolding) -> Missing {
        let ours = holding.hands[0] | holding.hands[1];
        let mut groups: Vec<(u8, u8)> = Vec::new();
        let mut open = false;
        for rank in (2..=14u8).rev() {
            if ours >> rank & 1 == 1 {
                open = false;
            } else if let (true, Some(group)) = (open, groups.last_mut()) {
                group.1 += 1;
            } else {
                groups.push((rank, 1));
                open = true;
            }
        }
        let total: usize = groups.iter().map(|&(_, count)| usize::from(count)).sum();
        let mut west: Vec<Vec<u8>> = vec![Vec::new()];
        for &(_, count) in &groups {
            west = west
                .iter()
                .flat_map(|known| (0..=count).map(|held| [known.as_slice(), &[held]].concat()))
                .collect();
        }
        let weight = west.iter().map(|held| divisions(&groups, held, total)).collect();
        Missing { groups, west, weight }
    }

    /// In how many of the [`DIVISIONS`] the cards lie as in one of the layouts.
    pub(super) fn ways(&self, set: Bits) -> u64 {
        set.iter().take_while(|&at| at < self.weight.len()).map(|at| self.weight[at]).sum()
    }
}

/// Thirteen vacant places each.
fn divisions(groups: &[(u8, u8)], west: &[u8], total: usize) -> u64 {
    let held: usize = west.iter().map(|&n| usize::from(n)).sum();
    if held > 13 || total - held > 13 {
        return 0;
    }
    let ways: u64 = groups.iter().zip(west).map(|(&(_, n), &k)| choose(n.into(), k.into())).product();
    ways * choose(26 - total, 13 - held)
}

/// Binomial coefficients of at most 26, exactly.
fn choose(n: usize, k: usize) -> u64 {
    (0..k as u64).fold(1, |product, at| product * (n as u64 - at) / (at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layouts_of_a_suit_share_all_divisions() {
        for (north, south) in
            [("AQ", "32"), ("KJ74", "A2"), ("2", "-"), ("AKQJT98765432", "-"), ("K9532", "A64")]
        {
            let missing = Missing::new(&SuitHolding::new(north, south).expect("a holding"));
            assert_eq!(missing.weight.iter().sum::<u64>(), DIVISIONS, "{north} {south}");
        }
    }
}
