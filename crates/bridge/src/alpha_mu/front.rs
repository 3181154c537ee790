//! Pareto fronts of outcomes.

/// Declarer's tricks in each layout; [`Outcome::ABSENT`] where the layout is not in question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome(Box<[u8]>);

impl Outcome {
    /// The entry of a layout that is not in question. It is above all numbers of tricks, so the smaller of it and a
    /// number is the number.
    pub const ABSENT: u8 = u8::MAX;

    /// No layout of so many is in question.
    pub fn absent(layouts: usize) -> Outcome {
        Outcome(vec![Outcome::ABSENT; layouts].into())
    }

    /// In this layout it may also be so many tricks.
    pub fn lower(&mut self, layout: usize, tricks: u8) {
        self.0[layout] = self.0[layout].min(tricks);
    }

    /// The tricks by layout.
    pub fn tricks(&self) -> &[u8] {
        &self.0
    }

    /// Whether this is at least as good in every layout.
    pub fn dominates(&self, other: &Outcome) -> bool {
        self.0.iter().zip(&*other.0).all(|(mine, theirs)| mine >= theirs)
    }

    /// The worse of both in each layout.
    fn worse(&self, other: &Outcome) -> Outcome {
        Outcome(self.0.iter().zip(&*other.0).map(|(&mine, &theirs)| mine.min(theirs)).collect())
    }
}

/// Outcomes of which none dominates another: what declarer can choose between.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Front(Vec<Outcome>);

impl Front {
    /// The front of one outcome.
    pub fn one(outcome: Outcome) -> Front {
        Front(vec![outcome])
    }

    pub fn outcomes(&self) -> &[Outcome] {
        &self.0
    }

    /// Whether there is an outcome that is at least as good everywhere.
    pub fn dominates(&self, outcome: &Outcome) -> bool {
        self.0.iter().any(|mine| mine.dominates(outcome))
    }

    /// Whether every outcome of the other is dominated here.
    pub fn covers(&self, other: &Front) -> bool {
        other.0.iter().all(|outcome| self.dominates(outcome))
    }

    /// Declarer may also choose this.
    pub fn insert(&mut self, outcome: Outcome) {
        if !self.dominates(&outcome) {
            self.0.retain(|mine| !outcome.dominates(mine));
            self.0.push(outcome);
        }
    }

    /// Declarer may also choose from the other.
    pub fn unite(&mut self, other: Front) {
        other.0.into_iter().for_each(|outcome| self.insert(outcome));
    }

    /// The defenders choose between the two, in each layout for itself: declarer answers either with an outcome of its front.
    #[must_use]
    pub fn join(&self, other: &Front) -> Front {
        let mut joined = Front::default();
        for mine in &self.0 {
            other.0.iter().for_each(|theirs| joined.insert(mine.worse(theirs)));
        }
        joined
    }

    /// Leaves out the outcomes of the least worth if there are more than `most`. What is left can still be reached.
    pub fn truncate(&mut self, most: usize, worth: impl Fn(&Outcome) -> f64) {
        if self.0.len() > most {
            self.0.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
            self.0.truncate(most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(tricks: &[u8]) -> Outcome {
        Outcome(tricks.into())
    }

    #[test]
    fn a_front_keeps_what_nothing_dominates() {
        let mut front = Front::one(outcome(&[1, 0]));
        front.insert(outcome(&[0, 1]));
        front.insert(outcome(&[0, 0]));
        assert_eq!(front.outcomes().len(), 2);
        front.insert(outcome(&[1, 1]));
        assert_eq!(front, Front::one(outcome(&[1, 1])));
    }

    /// Two choices of declarer after each of two plays: which of them the defenders make, declarer sees.
    #[test]
    fn a_join_takes_the_worse_of_both_in_each_layout() {
        let mut left = Front::one(outcome(&[2, 0]));
        left.insert(outcome(&[0, 2]));
        let joined = left.join(&Front::one(outcome(&[1, Outcome::ABSENT])));
        let mut expected = Front::one(outcome(&[1, 0]));
        expected.insert(outcome(&[0, 2]));
        assert!(joined.covers(&expected) && expected.covers(&joined));
    }
}
