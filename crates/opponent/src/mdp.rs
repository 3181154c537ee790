//! Finite Markov decision processes.
//!
//! States have rewards, choices have costs, and a choice leads to one of its outcomes by chance (section 4.1 of the
//! survey). [`Draft`] may be nonsense; [`Mdp`] is known to be sound.

use counterplay_base::{Id, IdLists, IdVec, id};

id! {
    /// One state of a decision process.
    pub struct StateId;
    /// One choice in one state.
    pub struct ChoiceId;
}

/// A decision process as it is written down, not checked yet: for each state its reward and its actions.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The states, by number.
    pub states: Vec<(f64, Vec<DraftChoice>)>,
}

/// One choice: what it costs, and with which probability it leads where.
#[derive(Clone, Debug)]
pub struct DraftChoice {
    /// What choosing it costs; negative if it pays.
    pub cost: f64,
    /// Probabilities and the numbers of the states they lead to.
    pub outcomes: Vec<(f64, usize)>,
}

/// A sound decision process. A state without a choice is an end.
#[derive(Clone, Debug)]
pub struct Mdp {
    rewards: IdVec<StateId, f64>,
    choices: IdLists<StateId, Choice>,
    outcomes: IdLists<ChoiceId, Outcome>,
}

/// A choice of a sound process.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// What choosing it costs.
    pub cost: f64,
    id: ChoiceId,
}

/// Where a choice may lead.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// From 0 to 1; those of one action sum to 1.
    pub probability: f64,
    /// The next state.
    pub next: StateId,
}

/// What is wrong with a draft.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Flaw {
    /// A reward or a cost is not a finite number.
    #[error("state {state}: a reward or cost is not a finite number")]
    NotFinite {
        /// The number of the state.
        state: usize,
    },
    /// A probability is not between 0 and 1.
    #[error("state {state}, choice {choice}: {probability} is not a probability")]
    Probability {
        /// The number of the state.
        state: usize,
        /// The number of its choice.
        choice: usize,
        probability: f64,
    },
    /// The probabilities of a choice do not add up to one.
    #[error("state {state}, choice {choice}: the probabilities add up to {sum}, not to 1")]
    Sum {
        /// The number of the state.
        state: usize,
        /// The number of its choice.
        choice: usize,
        /// What they add up to.
        sum: f64,
    },
    /// An outcome leads to a state that does not exist.
    #[error("state {state}, choice {choice}: there is no state {next}")]
    NoState {
        /// The number of the state.
        state: usize,
        /// The number of its choice.
        choice: usize,
        next: usize,
    },
}

/// How far from one a sum of probabilities may be, for rounding.
const SLACK: f64 = 1e-9;

impl Mdp {
    /// Checks a draft; the only way in.
    pub fn new(draft: &Draft) -> Result<Mdp, Vec<Flaw>> {
        let flaws = flaws(draft);
        if !flaws.is_empty() {
            return Err(flaws);
        }
        let mut choices = IdLists::new();
        let mut outcomes = IdLists::new();
        for (_, drafted) in &draft.states {
            let list: Vec<Choice> = drafted
                .iter()
                .map(|choice| {
                    let list = choice.outcomes.iter().filter(|(probability, _)| *probability > 0.0);
                    let list =
                        list.map(|&(probability, next)| Outcome { probability, next: StateId::new(next) });
                    Choice { cost: choice.cost, id: outcomes.push(list) }
                })
                .collect();
            let _: StateId = choices.push(list);
        }
        Ok(Mdp { rewards: draft.states.iter().map(|(reward, _)| *reward).collect(), choices, outcomes })
    }

    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        self.rewards.ids()
    }

    /// What being in a state is worth by itself.
    pub fn reward(&self, state: StateId) -> f64 {
        self.rewards[state]
    }

    /// What can be chosen in a state; nothing in an end.
    pub fn choices(&self, state: StateId) -> &[Choice] {
        &self.choices[state]
    }

    /// Where a choice may lead.
    pub fn outcomes(&self, choice: Choice) -> &[Outcome] {
        &self.outcomes[choice.id]
    }

    /// What a choice is worth if its outcomes are worth `values`, each discounted once.
    pub fn worth(&self, choice: Choice, values: &IdVec<StateId, f64>, discount: f64) -> f64 {
        let ahead: f64 = self.outcomes(choice).iter().map(|o| o.probability * values[o.next]).sum();
        discount * ahead - choice.cost
    }
}

fn flaws(draft: &Draft) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    for (state, (reward, choices)) in draft.states.iter().enumerate() {
        if !reward.is_finite() || choices.iter().any(|choice| !choice.cost.is_finite()) {
            flaws.push(Flaw::NotFinite { state });
        }
        for (number, choice) in choices.iter().enumerate() {
            for &(probability, next) in &choice.outcomes {
                if !(0.0..=1.0 + SLACK).contains(&probability) {
                    flaws.push(Flaw::Probability { state, choice: number, probability });
                }
                if next >= draft.states.len() {
                    flaws.push(Flaw::NoState { state, choice: number, next });
                }
            }
            let sum: f64 = choice.outcomes.iter().map(|(probability, _)| probability).sum();
            if (sum - 1.0).abs() > SLACK {
                flaws.push(Flaw::Sum { state, choice: number, sum });
            }
        }
    }
    flaws
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flaw_is_reported() {
        let choice = |outcomes: &[(f64, usize)]| DraftChoice { cost: 0.0, outcomes: outcomes.to_vec() };
        let draft = Draft {
            states: vec![
                (f64::NAN, vec![choice(&[(1.0, 0)]), choice(&[(1.5, 0), (-0.5, 1)])]),
                (0.0, vec![choice(&[(0.5, 0)]), choice(&[(1.0, 7)])]),
            ],
        };
        let flaws = Mdp::new(&draft).expect_err("it is full of flaws");
        assert_eq!(flaws.len(), 5, "{flaws:?}");
    }
}
