//! The process.

use num_rational::Ratio;
use num_traits::ToPrimitive;

/// An exact number.
pub(crate) type Number = Ratio<i128>;

/// A finite Markov decision process. States, actions and outcomes are numbered from zero, each in the order of the text.
///
/// Laws: the probabilities of an action are positive and add up to one; a goal has no actions.
#[derive(Clone, Debug, Default)]
pub struct Mdp {
    pub(crate) initial: u32,
    pub(crate) goal: Vec<bool>,
    /// What being in a state is worth by itself, once for each visit.
    pub(crate) rewards: Vec<Number>,
    /// The actions of state `s` are `first_action[s]..first_action[s + 1]`.
    first_action: Vec<u32>,
    actions: Vec<Action>,
    outcomes: Vec<Outcome>,
}

/// What can be done in a state.
#[derive(Clone, Debug)]
pub struct Action {
    /// The number of its name.
    pub label: u32,
    pub cost: Number,
    first: u32,
    end: u32,
}

/// Where an action may lead.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    pub odds: Number,
    /// The same, rounded.
    pub(crate) p: f64,
    pub next: u32,
}

impl Mdp {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.goal.len()
    }

    pub fn is_empty(&self) -> bool {
        self.goal.is_empty()
    }

    pub fn initial(&self) -> usize {
        self.initial as usize
    }

    pub fn is_goal(&self, state: usize) -> bool {
        self.goal[state]
    }

    /// What being in a state is worth by itself.
    pub fn reward(&self, state: usize) -> Number {
        self.rewards[state]
    }

    /// The actions of a state.
    pub fn actions(&self, state: usize) -> &[Action] {
        &self.actions[self.action_numbers(state)]
    }

    /// The numbers of the actions of a state among all actions.
    pub(crate) fn action_numbers(&self, state: usize) -> std::ops::Range<usize> {
        self.first_action[state] as usize..self.first_action[state + 1] as usize
    }

    /// One of all actions.
    pub(crate) fn action(&self, number: usize) -> &Action {
        &self.actions[number]
    }

    pub(crate) fn action_count(&self) -> usize {
        self.actions.len()
    }

    pub fn outcomes(&self, action: &Action) -> &[Outcome] {
        &self.outcomes[action.first as usize..action.end as usize]
    }

    /// The first action that earns something, by its state.
    pub fn earning(&self) -> Option<usize> {
        let zero = Number::from(0);
        (0..self.len()).find(|&state| {
            self.rewards[state] > zero || self.actions(state).iter().any(|action| action.cost < zero)
        })
    }
}

/// Builds a process state by state.
#[derive(Clone, Debug)]
pub struct MdpBuilder {
    mdp: Mdp,
}

impl Default for MdpBuilder {
    fn default() -> MdpBuilder {
        MdpBuilder { mdp: Mdp { first_action: vec![0], ..Mdp::default() } }
    }
}

impl MdpBuilder {
    /// Adds the next state; its actions follow.
    pub fn state(&mut self, is_goal: bool, reward: Number) {
        self.mdp.goal.push(is_goal);
        self.mdp.rewards.push(reward);
        self.mdp.first_action.push(self.mdp.actions.len() as u32);
    }

    /// Adds an action to the latest state. Outcomes that lead to the same state are put together.
    ///
    /// # Panics
    /// If the probabilities do not add up to one, or the state is a goal.
    pub fn action(&mut self, label: u32, cost: Number, outcomes: impl IntoIterator<Item = (Number, u32)>) {
        assert!(self.mdp.goal.last() == Some(&false), "an action belongs to a state that is no goal");
        let first = self.mdp.outcomes.len();
        let mut sum = Number::from(0);
        for (odds, next) in outcomes {
            sum += odds;
            match self.mdp.outcomes[first..].iter_mut().find(|known| known.next == next) {
                Some(known) => known.odds += odds,
                None => self.mdp.outcomes.push(Outcome { odds, p: 0.0, next }),
            }
        }
        assert!(sum == Number::from(1), "the probabilities of an action add up to one");
        self.mdp.outcomes[first..].iter_mut().for_each(|outcome| outcome.p = to_f64(outcome.odds));
        let end = self.mdp.outcomes.len() as u32;
        self.mdp.actions.push(Action { label, cost, first: first as u32, end });
        *self.mdp.first_action.last_mut().expect("there is a state") = self.mdp.actions.len() as u32;
    }

    /// Bytes that the process takes, roughly.
    pub(crate) fn bytes(&self) -> usize {
        self.mdp.outcomes.len() * size_of::<Outcome>()
            + self.mdp.actions.len() * size_of::<Action>()
            + self.mdp.goal.len() * 2 * size_of::<Number>()
    }

    pub fn finish(mut self, initial: usize) -> Mdp {
        self.mdp.initial = initial as u32;
        self.mdp
    }
}

pub(crate) fn to_f64(number: Number) -> f64 {
    number.to_f64().unwrap_or(f64::NAN)
}
