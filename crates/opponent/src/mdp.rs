//! Finite Markov decision processes.
//!
//! States have rewards, actions have costs, and a action leads to one of its outcomes by chance (section 4.1 of the
//! survey). [`MdpDescription`] may be nonsense; [`Mdp`] is known to be sound.

use counterplay_base::{Id, IdLists, IdVec, id};

id! {
    /// One state of a decision process.
    pub struct StateId;
    /// One action in one state.
    pub struct ActionId;
}

/// A decision process as it is written down, not checked yet: for each state its reward and its actions.
#[derive(Clone, Debug, Default)]
pub struct MdpDescription {
    /// The states, by number.
    pub states: Vec<(f64, Vec<ActionDescription>)>,
}

/// One action: what it costs, and with which probability it leads where.
#[derive(Clone, Debug)]
pub struct ActionDescription {
    /// What choosing it costs; negative if it pays.
    pub cost: f64,
    /// Probabilities and the numbers of the states they lead to.
    pub outcomes: Vec<(f64, usize)>,
}

/// A sound decision process. A state without a action is an end.
#[derive(Clone, Debug)]
pub struct Mdp {
    rewards: IdVec<StateId, f64>,
    actions: IdLists<StateId, MdpAction>,
    outcomes: IdLists<ActionId, Outcome>,
}

/// A action of a sound process.
#[derive(Clone, Copy, Debug)]
pub struct MdpAction {
    /// What choosing it costs.
    pub cost: f64,
    id: ActionId,
}

/// Where a action may lead.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// From 0 to 1; those of one action sum to 1.
    pub probability: f64,
    /// The next state.
    pub next: StateId,
}

/// What is wrong with a draft.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MdpError {
    /// A reward or a cost is not a finite number.
    #[error("state {state}: a reward or cost is not a finite number")]
    NotFinite {
        /// The number of the state.
        state: usize,
    },
    /// A probability is not between 0 and 1.
    #[error("state {state}, action {action}: {probability} is not a probability")]
    Probability {
        /// The number of the state.
        state: usize,
        /// The number of its action.
        action: usize,
        probability: f64,
    },
    /// The probabilities of a action do not add up to one.
    #[error("state {state}, action {action}: the probabilities add up to {sum}, not to 1")]
    Sum {
        /// The number of the state.
        state: usize,
        /// The number of its action.
        action: usize,
        /// What they add up to.
        sum: f64,
    },
    /// An outcome leads to a state that does not exist.
    #[error("state {state}, action {action}: there is no state {next}")]
    NoState {
        /// The number of the state.
        state: usize,
        /// The number of its action.
        action: usize,
        next: usize,
    },
}

/// How far from one a sum of probabilities may be, for rounding.
const SLACK: f64 = 1e-9;

impl Mdp {
    /// Checks a draft; the only way in.
    pub fn new(draft: &MdpDescription) -> Result<Mdp, Vec<MdpError>> {
        let flaws = flaws(draft);
        if !flaws.is_empty() {
            return Err(flaws);
        }
        let mut actions = IdLists::new();
        let mut outcomes = IdLists::new();
        for (_, drafted) in &draft.states {
            let list: Vec<MdpAction> = drafted
                .iter()
                .map(|action| {
                    let list = action.outcomes.iter().filter(|(probability, _)| *probability > 0.0);
                    let list =
                        list.map(|&(probability, next)| Outcome { probability, next: StateId::new(next) });
                    MdpAction { cost: action.cost, id: outcomes.push(list) }
                })
                .collect();
            let _: StateId = actions.push(list);
        }
        Ok(Mdp { rewards: draft.states.iter().map(|(reward, _)| *reward).collect(), actions, outcomes })
    }

    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        self.rewards.ids()
    }

    /// What being in a state is worth by itself.
    pub fn reward(&self, state: StateId) -> f64 {
        self.rewards[state]
    }

    /// What can be chosen in a state; nothing in an end.
    pub fn actions(&self, state: StateId) -> &[MdpAction] {
        &self.actions[state]
    }

    /// Where a action may lead.
    pub fn outcomes(&self, action: MdpAction) -> &[Outcome] {
        &self.outcomes[action.id]
    }

    /// What a action is worth if its outcomes are worth `values`, each discounted once.
    pub fn worth(&self, action: MdpAction, values: &IdVec<StateId, f64>, discount: f64) -> f64 {
        let ahead: f64 = self.outcomes(action).iter().map(|o| o.probability * values[o.next]).sum();
        discount * ahead - action.cost
    }
}

fn flaws(draft: &MdpDescription) -> Vec<MdpError> {
    let mut flaws = Vec::new();
    for (state, (reward, actions)) in draft.states.iter().enumerate() {
        if !reward.is_finite() || actions.iter().any(|action| !action.cost.is_finite()) {
            flaws.push(MdpError::NotFinite { state });
        }
        for (number, action) in actions.iter().enumerate() {
            for &(probability, next) in &action.outcomes {
                if !(0.0..=1.0 + SLACK).contains(&probability) {
                    flaws.push(MdpError::Probability { state, action: number, probability });
                }
                if next >= draft.states.len() {
                    flaws.push(MdpError::NoState { state, action: number, next });
                }
            }
            let sum: f64 = action.outcomes.iter().map(|(probability, _)| probability).sum();
            if (sum - 1.0).abs() > SLACK {
                flaws.push(MdpError::Sum { state, action: number, sum });
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
        let action = |outcomes: &[(f64, usize)]| ActionDescription { cost: 0.0, outcomes: outcomes.to_vec() };
        let draft = MdpDescription {
            states: vec![
                (f64::NAN, vec![action(&[(1.0, 0)]), action(&[(1.5, 0), (-0.5, 1)])]),
                (0.0, vec![action(&[(0.5, 0)]), action(&[(1.0, 7)])]),
            ],
        };
        let flaws = Mdp::new(&draft).expect_err("it is full of flaws");
        assert_eq!(flaws.len(), 5, "{flaws:?}");
    }
}
