//! Planning against a memory-one model: the truncated decision process over four outcomes, by dynamic programming.
//!
//! This is the special case of `counterplay_opponent::solve_truncated` that DBS asks for in every turn, written for
//! speed and tested against the general solver. It stops early when the answer is settled: the operator of dynamic
//! programming never increases the span (largest minus smallest) of a difference of value functions, so with `r`
//! steps to go the preference between two moves can change by at most `r` times the span of the last change.

use crate::moves::Move;

/// Preferences smaller than this are rounding, and a tie goes to cooperation.
const TIE: f64 = 1e-9;
/// How many steps lie between two looks at whether the answer is settled.
const STRIDE: u32 = 4;

/// The move that maximizes the expected payoff of the next `depth` turns after `outcome`, if the other cooperates with
/// the probabilities of `model` after CC, CD, DC, DD.
pub fn best_move(model: &[f64; 4], payoffs: &[f64; 4], outcome: usize, depth: u32) -> Move {
    let scale = payoffs.iter().fold(1.0f64, |most, worth| most.max(worth.abs()));
    let tie = TIE * scale;
    let mut values = *payoffs;
    let mut left = depth.saturating_sub(1);
    while left > 0 {
        let steps = STRIDE.min(left);
        let mut before = values;
        for _ in 0..steps {
            before = values;
            values = step(&values, model, payoffs);
        }
        left -= steps;
        let mut low = f64::INFINITY;
        let mut high = f64::NEG_INFINITY;
        for (now, then) in values.iter().zip(&before) {
            low = low.min(now - then);
            high = high.max(now - then);
        }
        let preference = preference(&values, model[outcome]);
        if preference.abs() > f64::from(left) * (high - low) + tie {
            return Move::c_if(preference > 0.0);
        }
    }
    Move::c_if(preference(&values, model[outcome]) >= -tie)
}

/// How much more cooperating is worth than defecting, if the other cooperates with this probability.
#[inline]
fn preference(values: &[f64; 4], cooperates: f64) -> f64 {
    cooperates * (values[0] - values[2]) + (1.0 - cooperates) * (values[1] - values[3])
}

/// Values with one more turn to go.
#[inline]
fn step(values: &[f64; 4], model: &[f64; 4], payoffs: &[f64; 4]) -> [f64; 4] {
    let [cc, cd, dc, dd] = *values;
    let mut next = [0.0; 4];
    for i in 0..4 {
        let cooperating = cd + model[i] * (cc - cd);
        let defecting = dd + model[i] * (dc - dd);
        // Neither is ever NaN, so a plain comparison will do and needs no special cases.
        let best = if cooperating > defecting { cooperating } else { defecting };
        next[i] = payoffs[i] + best;
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    const DILEMMA: [f64; 4] = [3.0, 0.0, 5.0, 1.0];

    fn moves(model: [f64; 4], depth: u32) -> String {
        (0..4).map(|outcome| best_move(&model, &DILEMMA, outcome, depth).to_string()).collect()
    }

    #[test]
    fn expected_behaviours() {
        for depth in [1, 5, 60] {
            assert_eq!(moves([1.0; 4], depth), "DDDD", "always cooperates");
            assert_eq!(moves([0.0; 4], depth), "DDDD", "always defects");
            assert_eq!(moves([0.5; 4], depth), "DDDD", "random");
        }
        for depth in [5, 60] {
            assert_eq!(moves([1.0, 1.0, 0.0, 0.0], depth), "CCCC", "tit for tat");
            assert_eq!(moves([1.0, 0.0, 0.0, 0.0], depth), "CDDD", "grudger");
            assert_eq!(moves([0.0, 1.0, 0.0, 1.0], depth), "DDDD", "alternator");
        }
        assert_eq!(moves([1.0, 1.0, 0.0, 0.0], 1), "DDDD", "nothing to gain at the end");
    }
}
