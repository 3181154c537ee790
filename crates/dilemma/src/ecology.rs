//! Ecological tournaments: strategies multiply in proportion to what they earn.
//!
//! The replicator dynamics in discrete generations (Axelrod 1984, chapter 2): the share of a strategy in the next
//! generation is its present share times what it earns against the present population, divided by the mean.

use counterplay_base::{Budget, BudgetPoll, Limit};

/// The shares of all strategies, generation by generation, the first included.
#[derive(Clone, Debug, PartialEq)]
pub struct Ecology {
    /// `shares[g][i]`: the share of strategy `i` in generation `g`.
    pub shares: Vec<Vec<f64>>,
}

/// Lets strategies with these mutual scores multiply for so many generations, from equal shares.
///
/// Scores may be negative: they are shifted until the worst is zero, since only differences matter then.
pub fn evolve(scores: &[Vec<f64>], generations: usize, budget: &Budget) -> Result<Ecology, Limit> {
    let count = scores.len();
    let least = scores.iter().flatten().fold(0.0f64, |least, &score| least.min(score));
    let mut shares = vec![vec![1.0 / count as f64; count]];
    let mut poll = BudgetPoll::every(16);
    for generation in 0..generations {
        poll.step(budget)?;
        let now = &shares[generation];
        let fitness: Vec<f64> = scores
            .iter()
            .map(|row| row.iter().zip(now).map(|(score, share)| (score - least) * share).sum())
            .collect();
        let mean: f64 = fitness.iter().zip(now).map(|(fit, share)| fit * share).sum();
        let next = match mean > 0.0 {
            true => fitness.iter().zip(now).map(|(fit, share)| share * fit / mean).collect(),
            false => now.clone(),
        };
        shares.push(next);
    }
    Ok(Ecology { shares })
}

impl Ecology {
    /// The strategies by their final shares, largest first.
    pub fn ranking(&self) -> Vec<(usize, f64)> {
        let last = self.shares.last().cloned().unwrap_or_default();
        let mut order: Vec<(usize, f64)> = last.into_iter().enumerate().collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defectors_die_out_among_those_who_retaliate() {
        // Cooperators, defectors, tit for tat over 100 turns.
        let scores = vec![vec![300.0, 0.0, 300.0], vec![500.0, 100.0, 104.0], vec![300.0, 99.0, 300.0]];
        let ecology = evolve(&scores, 500, &Budget::unlimited()).expect("no limit");
        for shares in &ecology.shares {
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
        // The defector prospers on the cooperators before it starves.
        assert!(ecology.shares[3][1] > 1.0 / 3.0);
        let (best, share) = ecology.ranking()[0];
        assert_eq!(best, 2);
        assert!(share > 0.7, "{share}");
        assert!(ecology.shares[500][1] < 1e-6);
    }
}
