//! One value of several possible moves of an agent that we do not control.

/// An external-agent criterion.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Criterion {
    /// The mean of the values, weighted by belief.
    #[default]
    WeightedAverage,
    /// The worst value (Wald).
    Maximin,
    /// So much of the best value and the rest of the worst one (Hurwicz); 0 is maximin.
    Hurwicz(f64),
    /// Between alternatives, the one whose largest regret over the moves of the others is smallest (Savage). A single
    /// node is worth its weighted average.
    MinimaxRegret,
}

impl Criterion {
    /// The value of a node from the weights and values of its branches; the weights need not sum to one.
    pub fn value(self, branches: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
        let worst = || branches.clone().map(|(_, value)| value).fold(f64::INFINITY, f64::min);
        let best = || branches.clone().map(|(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
        match self {
            Criterion::WeightedAverage | Criterion::MinimaxRegret => {
                let total: f64 = branches.clone().map(|(weight, _)| weight).sum();
                if total > 0.0 {
                    branches.map(|(weight, value)| weight * value).sum::<f64>() / total
                } else {
                    worst()
                }
            }
            Criterion::Maximin => worst(),
            Criterion::Hurwicz(optimism) => optimism * best() + (1.0 - optimism) * worst(),
        }
    }

    /// Which of several alternatives to take. Each has its value, and its values by what the others may do, in the
    /// same order for all where the alternatives meet the same moves.
    pub fn choose(self, alternatives: &[(f64, Vec<f64>)]) -> usize {
        let first_best = |scores: &[f64]| {
            (1..scores.len()).fold(0, |best, at| if scores[at] > scores[best] { at } else { best })
        };
        let values: Vec<f64> = alternatives.iter().map(|(value, _)| *value).collect();
        let width = alternatives.first().map_or(0, |(_, outcomes)| outcomes.len());
        let comparable = width > 0 && alternatives.iter().all(|(_, outcomes)| outcomes.len() == width);
        if self != Criterion::MinimaxRegret || !comparable {
            return first_best(&values);
        }
        let best_of =
            |column: usize| alternatives.iter().map(|(_, row)| row[column]).fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<f64> = (0..width).map(best_of).collect();
        let regret =
            |row: &Vec<f64>| row.iter().zip(&best).map(|(value, best)| best - value).fold(0.0, f64::max);
        let scores: Vec<f64> = alternatives.iter().map(|(_, row)| -regret(row)).collect();
        first_best(&scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_criterion_weighs_its_own_way() {
        let branches = [(0.75, 1.0), (0.25, 0.2)];
        let of = |criterion: Criterion| criterion.value(branches.iter().copied());
        assert!((of(Criterion::WeightedAverage) - 0.8).abs() < 1e-12);
        assert!((of(Criterion::Maximin) - 0.2).abs() < 1e-12);
        assert!((of(Criterion::Hurwicz(0.5)) - 0.6).abs() < 1e-12);
    }

    /// Savage's example: the safe row regrets most where the bold one shines.
    #[test]
    fn regret_may_choose_what_nothing_else_does() {
        let table = [(0.5, vec![0.5, 0.5]), (0.45, vec![0.9, 0.0]), (0.48, vec![0.7, 0.26])];
        assert_eq!(Criterion::WeightedAverage.choose(&table), 0);
        assert_eq!(Criterion::MinimaxRegret.choose(&table), 2);
    }
}
