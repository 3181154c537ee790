//! Confirms that no strategy wins: the definition, tried out.
//!
//! The solver holds a set of states possible. An attempt splits it into the states that reject it and, by announcement, those that
//! follow it; the replies split these again. A strategy exists if some attempt leads only to sets for which one exists. There is one
//! shortcut: a strategy for a set is one for each of its states, so a state that is lost alone loses every set with it.
//! Only the rules are asked; nothing is shared with the searches.

use std::collections::{HashMap, HashSet};

use counterplay_base::{Budget, Limit};

use crate::strategy::{Referee, Ruling};

/// Whether some strategy wins from all `states` within `depth` steps of both sides. `attempts` lists what a state accepts.
///
/// # Errors
/// The limit that came first; each question to the referee counts as a node of the budget.
pub fn strategy_exists<R>(
    referee: &R,
    states: &[R::State],
    depth: usize,
    attempts: impl Fn(&R::State) -> Vec<R::Attempt>,
    budget: &Budget,
) -> Result<bool, Limit>
where
    R: Referee,
    R::Attempt: Eq,
{
    let mut seen = HashSet::new();
    let unique: Vec<R::State> =
        states.iter().filter(|state| seen.insert((*state).clone())).cloned().collect();
    let mut search = StrategySearch { referee, attempts, budget, asked: 0, alone: HashMap::new() };
    search.exists(unique, depth)
}

struct StrategySearch<'a, R: Referee, F> {
    referee: &'a R,
    attempts: F,
    budget: &'a Budget,
    asked: u64,
    /// Whether a strategy exists for a state that is known to be the true one.
    alone: HashMap<(R::State, usize), bool>,
}

/// States by what was announced before them.
type Announced<R> = Vec<(<R as Referee>::Percept, Vec<<R as Referee>::State>)>;

impl<R: Referee, F: Fn(&R::State) -> Vec<R::Attempt>> StrategySearch<'_, R, F>
where
    R::Attempt: Eq,
{
    fn exists(&mut self, states: Vec<R::State>, depth: usize) -> Result<bool, Limit> {
        if let [only] = states.as_slice() {
            let key = (only.clone(), depth);
            if let Some(&known) = self.alone.get(&key) {
                return Ok(known);
            }
            let found = self.some_attempt(&states, depth)?;
            self.alone.insert(key, found);
            return Ok(found);
        }
        for state in &states {
            if !self.exists(vec![state.clone()], depth)? {
                return Ok(false);
            }
        }
        self.some_attempt(&states, depth)
    }

    fn some_attempt(&mut self, states: &[R::State], depth: usize) -> Result<bool, Limit> {
        if depth == 0 {
            return Ok(states.is_empty());
        }
        let mut attempts: Vec<R::Attempt> = Vec::new();
        for attempt in states.iter().flat_map(|state| (self.attempts)(state)) {
            if !attempts.contains(&attempt) {
                attempts.push(attempt);
            }
        }
        // No states at all need no attempt.
        if states.is_empty() {
            return Ok(true);
        }
        for attempt in attempts {
            if self.works(states, attempt, depth)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an attempt is the first of a strategy.
    fn works(&mut self, states: &[R::State], attempt: R::Attempt, depth: usize) -> Result<bool, Limit> {
        let mut rejected = Vec::new();
        let mut accepted: Announced<R> = Vec::new();
        for state in states {
            self.ask()?;
            match self.referee.attempt(state, attempt) {
                Ruling::Won => {}
                Ruling::Rejected => rejected.push(state.clone()),
                Ruling::Over => return Ok(false),
                Ruling::Open(..) if depth < 3 => return Ok(false),
                Ruling::Open(percept, next) => note::<R>(&mut accepted, percept, next),
            }
        }
        // An attempt that all states reject tells nothing.
        if rejected.len() == states.len() {
            return Ok(false);
        }
        for (_, states) in accepted {
            if !self.survives_replies(&states, depth)? {
                return Ok(false);
            }
        }
        self.exists(rejected, depth)
    }

    fn survives_replies(&mut self, states: &[R::State], depth: usize) -> Result<bool, Limit> {
        let mut reached: Announced<R> = Vec::new();
        for state in states {
            self.ask()?;
            let replies = self.referee.replies(state);
            if replies.is_empty() {
                return Ok(false);
            }
            for reply in replies {
                match reply {
                    Ruling::Won => {}
                    Ruling::Over | Ruling::Rejected => return Ok(false),
                    Ruling::Open(percept, next) => note::<R>(&mut reached, percept, next),
                }
            }
        }
        for (_, states) in reached {
            if !self.exists(states, depth - 2)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn ask(&mut self) -> Result<(), Limit> {
        self.asked += 1;
        self.budget.allow_nodes(self.asked)?;
        if self.asked.is_multiple_of(64) { self.budget.check() } else { Ok(()) }
    }
}

/// Adds a state to those with the same announcement, once.
fn note<R: Referee>(cases: &mut Announced<R>, percept: R::Percept, state: R::State) {
    match cases.iter_mut().find(|(known, _)| *known == percept) {
        Some((_, states)) if states.contains(&state) => {}
        Some((_, states)) => states.push(state),
        None => cases.push((percept, vec![state])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A coin lies heads (0) or tails (1) under a cup. Guessing right wins; a wrong guess is rejected if `forgiving`, else lost.
    struct Coin {
        forgiving: bool,
    }

    impl Referee for Coin {
        type State = u8;
        type Attempt = u8;
        type Percept = ();

        fn attempt(&self, state: &u8, attempt: u8) -> Ruling<u8, ()> {
            match (attempt == *state, self.forgiving) {
                (true, _) => Ruling::Won,
                (false, true) => Ruling::Rejected,
                (false, false) => Ruling::Over,
            }
        }

        fn replies(&self, _: &u8) -> Vec<Ruling<u8, ()>> {
            Vec::new()
        }
    }

    #[test]
    fn a_hidden_coin_is_guessed_only_if_wrong_guesses_cost_nothing() {
        let exists = |forgiving, states: &[u8]| {
            strategy_exists(&Coin { forgiving }, states, 1, |_| vec![0, 1], &Budget::unlimited())
        };
        assert_eq!(exists(true, &[0, 1]), Ok(true));
        assert_eq!(exists(false, &[0, 1]), Ok(false));
        assert_eq!(exists(false, &[1]), Ok(true));
        let few = Budget::unlimited().with_nodes(1);
        assert!(strategy_exists(&Coin { forgiving: true }, &[0, 1], 1, |_| vec![0, 1], &few).is_err());
    }

    /// A lock with two wheels, 0 or 1 each, is opened by setting both right: `1` turns the first wheel, `2` the second, `0` opens it and
    /// loses if they are wrong. After each turn the guard may turn the second wheel back if `meddles`, unseen.
    struct Lock {
        meddles: bool,
    }

    impl Referee for Lock {
        type State = (u8, u8);
        type Attempt = u8;
        type Percept = u8;

        fn attempt(&self, &(first, second): &(u8, u8), attempt: u8) -> Ruling<(u8, u8), u8> {
            match attempt {
                0 if (first, second) == (1, 1) => Ruling::Won,
                0 => Ruling::Over,
                1 if first == 1 => Ruling::Rejected,
                1 => Ruling::Open(0, (1, second)),
                2 if second == 1 => Ruling::Rejected,
                _ => Ruling::Open(0, (first, 1)),
            }
        }

        fn replies(&self, &(first, second): &(u8, u8)) -> Vec<Ruling<(u8, u8), u8>> {
            let stay = Ruling::Open(0, (first, second));
            if self.meddles { vec![stay, Ruling::Open(0, (first, 0))] } else { vec![stay] }
        }
    }

    #[test]
    fn strategies_of_several_turns_exist_within_the_depth_they_need() {
        let exists = |meddles, states: &[(u8, u8)], depth| {
            strategy_exists(&Lock { meddles }, states, depth, |_| vec![0, 1, 2], &Budget::unlimited())
        };
        // One turn, a reply, and opening are three steps; two turns take five.
        assert_eq!([1, 3, 5].map(|depth| exists(false, &[(0, 1)], depth)), [Ok(false), Ok(true), Ok(true)]);
        assert_eq!([1, 3, 5].map(|depth| exists(false, &[(0, 0)], depth)), [Ok(false), Ok(false), Ok(true)]);
        // A wheel that is right already rejects the turn, which costs nothing: all four states are opened in two turns.
        let all = [(0, 0), (0, 1), (1, 0), (1, 1)];
        assert_eq!([3, 5].map(|depth| exists(false, &all, depth)), [Ok(false), Ok(true)]);
        // What the guard turns back is not seen, and opening is risky.
        assert_eq!([1, 3, 5, 7].map(|depth| exists(true, &[(0, 1)], depth)), [Ok(false); 4]);
        assert_eq!(exists(true, &[(1, 1)], 1), Ok(true));
    }
}
