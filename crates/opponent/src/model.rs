//! The predictive model: a rule `condition -> probabilities of the other's moves` for each condition.
//!
//! The rules are learned from what the other did while the condition held. With discounting the weights are kept up
//! to date lazily: a condition's counts are decayed by `discount^rounds` only when it occurs again, because between
//! occurrences all of them shrink alike and their ratios stay the same.

use std::collections::VecDeque;

use counterplay_base::{Id, IdVec};

use crate::conditions::{Class, Conditions};
use crate::estimate::Estimator;
use crate::game::Reply;

/// What is known of the other agent.
#[derive(Clone, Debug)]
pub struct Model {
    estimator: Estimator,
    replies: usize,
    rules: IdVec<Class, Rule>,
    round: u64,
    /// The observations that a window still sees, oldest first.
    window: VecDeque<(u64, Class, Reply)>,
}

#[derive(Clone, Debug)]
struct Rule {
    weights: Vec<f64>,
    /// What is believed where nothing has been seen.
    prior: Vec<f64>,
    changed: u64,
}

impl Model {
    /// A model that has seen nothing: every move of the other is believed to be as likely as any other.
    pub fn new(conditions: &Conditions, estimator: Estimator) -> Model {
        let (_, replies) = conditions.moves();
        let rule =
            Rule { weights: vec![0.0; replies], prior: vec![1.0 / replies as f64; replies], changed: 0 };
        let rules = IdVec::filled(rule, conditions.classes().len());
        Model { estimator, replies, rules, round: 0, window: VecDeque::new() }
    }

    /// Believes `prior` under this condition. It counts as one observation made at the start; a window forgets it
    /// as soon as the condition has been seen within it.
    pub fn with_prior(mut self, class: Class, prior: &[f64]) -> Model {
        assert_eq!(prior.len(), self.replies, "a prior has a probability for each move of the other");
        self.rules[class].prior = prior.to_vec();
        if let Estimator::Discounted { .. } = self.estimator {
            self.rules[class].weights = prior.to_vec();
        }
        self
    }

    /// Takes note that the other played `reply` while `class` held.
    pub fn observe(&mut self, class: Class, reply: Reply) {
        self.round += 1;
        match self.estimator {
            Estimator::Discounted { discount } => {
                let rule = &mut self.rules[class];
                let aged = i32::try_from(self.round - rule.changed).unwrap_or(i32::MAX);
                let decay = discount.powi(aged);
                rule.weights.iter_mut().for_each(|weight| *weight *= decay);
                rule.weights[reply.index()] += 1.0;
                rule.changed = self.round;
            }
            Estimator::Window { size, .. } => {
                self.rules[class].weights[reply.index()] += 1.0;
                self.window.push_back((self.round, class, reply));
                while let Some(&(at, class, reply)) = self.window.front()
                    && at + u64::from(size) <= self.round
                {
                    self.rules[class].weights[reply.index()] -= 1.0;
                    self.window.pop_front();
                }
            }
        }
    }

    /// How likely the other is to play `reply` while `class` holds.
    pub fn predict(&self, class: Class, reply: Reply) -> f64 {
        let rule = &self.rules[class];
        let total: f64 = rule.weights.iter().sum();
        if total <= 0.0 {
            return rule.prior[reply.index()];
        }
        let rounded = |weight: &f64| self.estimator.round(weight / total);
        // Rounding may leave a rest, to be shared out; with two moves there is none.
        let sum: f64 = rule.weights.iter().map(rounded).sum();
        if sum > 0.0 {
            rounded(&rule.weights[reply.index()]) / sum
        } else {
            rule.weights[reply.index()] / total
        }
    }

    /// How many rounds have been observed.
    pub fn rounds(&self) -> u64 {
        self.round
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COOPERATE: usize = 0;

    fn memory_one() -> Conditions {
        Conditions::memory(1, &['C', 'D'], &['C', 'D']).expect("small")
    }

    /// The definition: a sum over all observations, each weighted by its age in rounds.
    fn by_definition(seen: &[(usize, usize)], class: usize, discount: f64) -> Option<f64> {
        let mut cooperated = 0.0;
        let mut all = 0.0;
        for (age, &(_, reply)) in seen.iter().rev().enumerate().filter(|(_, (c, _))| *c == class) {
            let weight = discount.powi(age as i32);
            all += weight;
            cooperated += if reply == COOPERATE { weight } else { 0.0 };
        }
        (all > 0.0).then_some(cooperated / all)
    }

    #[test]
    fn lazy_discounting_agrees_with_the_definition() {
        let conditions = memory_one();
        let mut model = Model::new(&conditions, Estimator::Discounted { discount: 0.75 });
        let mut seen = Vec::new();
        let mut state = 12345u64;
        for _ in 0..200 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (class, reply) = ((state >> 33) as usize % 5, (state >> 40) as usize % 2);
            model.observe(Class::new(class), Reply::new(reply));
            seen.push((class, reply));
            for class in 0..5 {
                let expected = by_definition(&seen, class, 0.75).unwrap_or(0.5);
                let found = model.predict(Class::new(class), Reply::new(COOPERATE));
                assert!((expected - found).abs() < 1e-9, "{expected} {found}");
            }
        }
    }

    #[test]
    fn a_window_forgets_what_is_older() {
        let conditions = memory_one();
        let mut model = Model::new(&conditions, Estimator::Window { size: 4, threshold: 0.3 });
        let (class, other) = (Class::new(1), Class::new(2));
        for _ in 0..10 {
            model.observe(class, Reply::new(1));
        }
        assert_eq!(model.predict(class, Reply::new(COOPERATE)), 0.0);
        for _ in 0..3 {
            model.observe(class, Reply::new(0));
        }
        // Three of the last four: within the threshold of certainty.
        assert_eq!(model.predict(class, Reply::new(COOPERATE)), 1.0);
        for _ in 0..4 {
            model.observe(other, Reply::new(0));
        }
        assert_eq!(model.predict(class, Reply::new(COOPERATE)), 0.5);
    }

    #[test]
    fn a_prior_is_one_observation() {
        let conditions = memory_one();
        let class = Class::new(1);
        let model = Model::new(&conditions, Estimator::Discounted { discount: 1.0 });
        let mut model = model.with_prior(class, &[1.0, 0.0]);
        assert_eq!(model.predict(class, Reply::new(0)), 1.0);
        model.observe(class, Reply::new(1));
        assert_eq!(model.predict(class, Reply::new(0)), 0.5);
    }
}
