//! Accident or intention: the symbolic part of the Derived Belief Strategy (Au and Nau, AAMAS 2006).
//!
//! The other agent answers yes or no (cooperates or not) under one of `N` conditions. What it always did lately
//! becomes a *deterministic rule*. An answer against such a rule is not believed at once: it may be noise. Only when
//! the rule has been broken several times in a row do we believe in a change of mind; then all deterministic rules
//! become *default rules*, which hold until they are contradicted too often. Where there is no rule of either kind,
//! the probability is a discounted frequency, beginning with one prior observation.
//!
//! All steps cost constant time: for each condition we keep the run of equal answers, and the discounted counts with
//! the round of their last change.

/// When rules come and go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// So many equal answers in a row make a deterministic rule.
    pub promotion: u32,
    /// So many violations in a row end the deterministic rules.
    pub violation: u32,
    /// More contradictions than this end the default rules.
    pub rejection: u32,
    /// What an observation weighs one round later, between 0 and 1.
    pub discount: f64,
}

impl Thresholds {
    /// The values of Au and Nau for a noise level of one tenth.
    pub const STANDARD: Thresholds = Thresholds { promotion: 3, violation: 4, rejection: 3, discount: 0.75 };
}

/// On what a prediction rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A deterministic rule, and how often in a row it has been violated.
    Deterministic {
        /// Violations since it was last confirmed.
        violations: u32,
    },
    /// A rule that holds until the evidence is against it.
    Default,
    /// An observed frequency, where no rule is believed.
    Frequency,
}

/// The beliefs about an agent that answers yes or no under `N` conditions.
#[derive(Clone, Debug)]
pub struct NoiseFilter<const N: usize> {
    thresholds: Thresholds,
    deterministic: [Option<bool>; N],
    default: [Option<bool>; N],
    violations: [u32; N],
    contradictions: u32,
    counts: [Count; N],
    round: u32,
    /// The predictions, kept up to date, because they are asked for far more often than they change.
    predictions: [f64; N],
}

#[derive(Clone, Copy, Debug)]
struct Count {
    yes: f64,
    all: f64,
    changed: u32,
    /// The last answer and how often it came in a row; the prior does not count.
    run: (bool, u32),
}

impl<const N: usize> NoiseFilter<N> {
    /// Begins with the belief that the other answers as `expected` says: as default rules and as the prior.
    pub fn new(expected: [bool; N], thresholds: Thresholds) -> NoiseFilter<N> {
        let share = |yes: bool| if yes { 1.0 } else { 0.0 };
        NoiseFilter {
            thresholds,
            deterministic: [None; N],
            default: expected.map(Some),
            violations: [0; N],
            contradictions: 0,
            counts: expected.map(|yes| Count { yes: share(yes), all: 1.0, changed: 0, run: (yes, 0) }),
            round: 0,
            predictions: expected.map(share),
        }
    }

    /// Takes note of an answer under a condition. Returns whether the predictions may have changed.
    pub fn observe(&mut self, condition: usize, answer: bool) -> bool {
        self.round += 1;
        self.count(condition, answer);
        if self.deterministic[condition].is_none()
            && self.counts[condition].run.1 >= self.thresholds.promotion
        {
            self.deterministic[condition] = Some(answer);
            self.violations[condition] = 0;
        }
        match self.deterministic[condition] {
            Some(rule) if rule == answer => self.violations[condition] = 0,
            Some(_) => {
                self.violations[condition] += 1;
                if self.violations[condition] >= self.thresholds.violation {
                    self.demote();
                }
            }
            None => {}
        }
        let contradicted = self.default[condition] == Some(!answer);
        self.contradictions += u32::from(contradicted);
        if self.contradictions > self.thresholds.rejection
            || contradicted && self.deterministic[condition] == Some(answer)
        {
            self.default = [None; N];
            self.contradictions = 0;
        }
        self.refresh()
    }

    fn count(&mut self, condition: usize, answer: bool) {
        let count = &mut self.counts[condition];
        let decay = self.thresholds.discount.powi((self.round - count.changed) as i32);
        count.yes = count.yes * decay + if answer { 1.0 } else { 0.0 };
        count.all = count.all * decay + 1.0;
        count.changed = self.round;
        count.run = if count.run.0 == answer { (answer, count.run.1 + 1) } else { (answer, 1) };
    }

    /// All deterministic rules become default rules, in the place of older ones.
    fn demote(&mut self) {
        for (default, rule) in self.default.iter_mut().zip(&mut self.deterministic) {
            *default = rule.take().or(*default);
        }
        self.violations = [0; N];
        self.contradictions = 0;
    }

    fn refresh(&mut self) -> bool {
        let mut changed = false;
        for condition in 0..N {
            let now = match self.deterministic[condition].or(self.default[condition]) {
                Some(yes) => f64::from(u8::from(yes)),
                None => self.counts[condition].yes / self.counts[condition].all,
            };
            changed |= now != self.predictions[condition];
            self.predictions[condition] = now;
        }
        changed
    }

    /// How likely the other is to answer yes, under each condition.
    pub fn predictions(&self) -> &[f64; N] {
        &self.predictions
    }

    /// On what the prediction under a condition rests.
    pub fn standing(&self, condition: usize) -> Standing {
        if self.deterministic[condition].is_some() {
            Standing::Deterministic { violations: self.violations[condition] }
        } else if self.default[condition].is_some() {
            Standing::Default
        } else {
            Standing::Frequency
        }
    }

    /// The deterministic rule for a condition.
    pub fn deterministic(&self, condition: usize) -> Option<bool> {
        self.deterministic[condition]
    }

    /// The default rule for a condition.
    pub fn default_rule(&self, condition: usize) -> Option<bool> {
        self.default[condition]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter() -> NoiseFilter<2> {
        NoiseFilter::new([true, false], Thresholds::STANDARD)
    }

    #[test]
    fn three_equal_answers_make_a_rule() {
        let mut beliefs = filter();
        for expected in [None, None, Some(true)] {
            beliefs.observe(0, true);
            assert_eq!(beliefs.deterministic(0), expected);
        }
    }

    #[test]
    fn an_accident_is_forgiven_and_a_change_of_mind_believed() {
        let mut beliefs = filter();
        for _ in 0..5 {
            beliefs.observe(0, true);
        }
        beliefs.observe(0, false);
        assert_eq!(beliefs.predictions()[0], 1.0);
        assert_eq!(beliefs.standing(0), Standing::Deterministic { violations: 1 });
        beliefs.observe(0, true);
        assert_eq!(beliefs.standing(0), Standing::Deterministic { violations: 0 });
        for _ in 0..4 {
            beliefs.observe(0, false);
        }
        assert_eq!(beliefs.standing(0), Standing::Default);
        // The run of refusals makes the opposite rule at the next one.
        beliefs.observe(0, false);
        assert_eq!(beliefs.deterministic(0), Some(false));
        assert_eq!(beliefs.default_rule(1), None);
    }

    #[test]
    fn contradicted_defaults_give_way_to_frequencies() {
        let mut beliefs = filter();
        for answer in [false, true, false, true, false] {
            beliefs.observe(0, answer);
        }
        assert_eq!(beliefs.standing(0), Standing::Default);
        beliefs.observe(0, true);
        beliefs.observe(0, false);
        assert_eq!(beliefs.standing(0), Standing::Frequency);
        let predicted = beliefs.predictions()[0];
        assert!(predicted > 0.3 && predicted < 0.5, "{predicted}");
    }
}
