//! Refutations: why no strategy wins from a set of states that the solver cannot tell apart.
//!
//! A node has some states and a number of steps, and tells for each attempt that one of the states accepts what is wrong with it: a state in which the game is
//! then not won in time, or a node that has none but states that remain possible, after the attempt was rejected or after two announcements. If a strategy
//! wins from a set of states, it wins from each part of it; so the node may leave states out. Nodes refer to later ones only. Looking at a node takes no search:
//! which attempts there are, which states reject them and what is announced, the referee says.

use std::collections::{HashMap, HashSet};

use counterplay_base::{Budget, Limit};

use crate::strategy::{Referee, Ruling};

/// Why an attempt is not the first one of a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Escape<P> {
    /// In this state of the node it does not win in time, or the other side ends the game.
    State(usize),
    /// After it was rejected, this node is left.
    Rejected(usize),
    /// After these announcements to the attempt and to a reply, this node is left.
    Heard(P, P, usize),
}

/// States from which no strategy wins within some steps of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefutedStates<S, A, P> {
    /// The states.
    pub states: Vec<S>,
    /// Within so many steps.
    pub steps: usize,
    /// What is wrong with each attempt.
    pub escapes: Vec<(A, Escape<P>)>,
}

/// A list of nodes in the words of a referee.
pub type NodesOf<R> =
    Vec<RefutedStates<<R as Referee>::State, <R as Referee>::Attempt, <R as Referee>::Percept>>;

/// What was announced to an attempt and to a reply, and the states that are left.
type HeardIn<R> = (<R as Referee>::Percept, <R as Referee>::Percept, Vec<<R as Referee>::State>);

/// What is wrong with a refutation, and in which node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefutationFlaw<A> {
    /// There is no node at all, or one without states.
    Empty { node: usize },
    /// A node or a state does not exist, or is not later.
    NoSuch { node: usize, attempt: A },
    /// Nothing is said about an attempt.
    Missing { node: usize, attempt: A },
    /// In the state that is named the attempt wins, is rejected, or leaves a game that goes on.
    NoEscape { node: usize, attempt: A },
    /// The node that is named has a state that cannot be left, or fewer steps than are left.
    NotLeft { node: usize, attempt: A },
    /// A limit came first.
    Stopped(Limit),
}

/// Checks that no strategy wins from the states of the first node.
///
/// # Errors
/// The first thing that is wrong.
pub fn check_refutation<R>(
    referee: &R,
    nodes: &NodesOf<R>,
    attempts: impl Fn(&R::State) -> Vec<R::Attempt>,
    budget: &Budget,
) -> Result<u64, RefutationFlaw<R::Attempt>>
where
    R: Referee,
    R::Attempt: Eq,
{
    if nodes.is_empty() {
        return Err(RefutationFlaw::Empty { node: 0 });
    }
    let mut looked = 0;
    for (number, node) in nodes.iter().enumerate() {
        if node.states.is_empty() {
            return Err(RefutationFlaw::Empty { node: number });
        }
        // Within no steps nothing is won.
        if node.steps == 0 {
            continue;
        }
        let mut all: Vec<R::Attempt> = Vec::new();
        for attempt in node.states.iter().flat_map(&attempts) {
            if !all.contains(&attempt) {
                all.push(attempt);
            }
        }
        for attempt in all {
            budget.check().map_err(RefutationFlaw::Stopped)?;
            looked += node.states.len() as u64;
            let Some((_, escape)) = node.escapes.iter().find(|(known, _)| *known == attempt) else {
                return Err(RefutationFlaw::Missing { node: number, attempt });
            };
            check_escape(referee, nodes, number, attempt, escape)?;
        }
    }
    Ok(looked)
}

fn check_escape<R: Referee>(
    referee: &R,
    nodes: &NodesOf<R>,
    number: usize,
    attempt: R::Attempt,
    escape: &Escape<R::Percept>,
) -> Result<(), RefutationFlaw<R::Attempt>> {
    let node = &nodes[number];
    let no_such = || RefutationFlaw::NoSuch { node: number, attempt };
    let later = |next: usize| nodes.get(next).filter(|_| next > number).ok_or_else(no_such);
    let (next, left, steps) = match *escape {
        Escape::State(state) => {
            let state = node.states.get(state).ok_or_else(no_such)?;
            return match escapes(referee, state, attempt, node.steps) {
                true => Ok(()),
                false => Err(RefutationFlaw::NoEscape { node: number, attempt }),
            };
        }
        Escape::Rejected(next) => {
            let is_rejected = |state: &&R::State| referee.attempt(state, attempt) == Ruling::Rejected;
            let left: HashSet<R::State> = node.states.iter().filter(is_rejected).cloned().collect();
            (later(next)?, left, node.steps)
        }
        Escape::Heard(to_attempt, to_reply, next) => {
            let left = after(referee, &node.states, attempt, to_attempt, to_reply);
            (later(next)?, left, node.steps.saturating_sub(2))
        }
    };
    match next.steps >= steps && next.states.iter().all(|state| left.contains(state)) {
        true => Ok(()),
        false => Err(RefutationFlaw::NotLeft { node: number, attempt }),
    }
}

/// Whether a state shows by itself that an attempt does not win within some steps.
fn escapes<R: Referee>(referee: &R, state: &R::State, attempt: R::Attempt, steps: usize) -> bool {
    match referee.attempt(state, attempt) {
        Ruling::Won | Ruling::Rejected => false,
        Ruling::Over => true,
        Ruling::Open(_, _) if steps < 3 => true,
        Ruling::Open(_, next) => {
            let replies = referee.replies(&next);
            replies.is_empty() || replies.iter().any(|reply| matches!(reply, Ruling::Over | Ruling::Rejected))
        }
    }
}

/// What is possible after an attempt, a reply, and what was announced to both.
fn after<R: Referee>(
    referee: &R,
    states: &[R::State],
    attempt: R::Attempt,
    to_attempt: R::Percept,
    to_reply: R::Percept,
) -> HashSet<R::State> {
    let mut left = HashSet::new();
    for state in states {
        let Ruling::Open(heard, next) = referee.attempt(state, attempt) else { continue };
        if heard != to_attempt {
            continue;
        }
        for reply in referee.replies(&next) {
            if let Ruling::Open(heard, next) = reply
                && heard == to_reply
            {
                left.insert(next);
            }
        }
    }
    left
}

/// Finds a refutation by trying everything; `None` if there is a strategy. `most` bounds the number of its nodes.
///
/// # Errors
/// The limit that came first; each question to the referee counts as a node of the budget.
pub fn find_refutation<R>(
    referee: &R,
    states: &[R::State],
    steps: usize,
    attempts: impl Fn(&R::State) -> Vec<R::Attempt>,
    most: usize,
    budget: &Budget,
) -> Result<Option<NodesOf<R>>, Limit>
where
    R: Referee,
    R::Attempt: Eq,
{
    let mut finder =
        Finder { referee, attempts, budget, asked: 0, most, nodes: Vec::new(), alone: HashMap::new() };
    let Some(root) = finder.refute(states.to_vec(), steps)? else { return Ok(None) };
    Ok(Some(renumbered(finder.nodes, root)))
}

struct Finder<'a, R: Referee, F> {
    referee: &'a R,
    attempts: F,
    budget: &'a Budget,
    asked: u64,
    most: usize,
    /// Nodes after those that they refer to.
    nodes: NodesOf<R>,
    /// The node of a single state within some steps, if it has one.
    alone: HashMap<(R::State, usize), Option<usize>>,
}

impl<R: Referee, F: Fn(&R::State) -> Vec<R::Attempt>> Finder<'_, R, F>
where
    R::Attempt: Eq,
{
    /// The node of some of the states; `None` if a strategy wins from all of them.
    fn refute(&mut self, states: Vec<R::State>, steps: usize) -> Result<Option<usize>, Limit> {
        for state in &states {
            let key = (state.clone(), steps);
            let known = match self.alone.get(&key) {
                Some(&known) => known,
                None => {
                    let found = self.refute_whole(vec![state.clone()], steps)?;
                    self.alone.insert(key, found);
                    found
                }
            };
            if known.is_some() || states.len() == 1 {
                return Ok(known);
            }
        }
        self.refute_whole(states, steps)
    }

    fn refute_whole(&mut self, states: Vec<R::State>, steps: usize) -> Result<Option<usize>, Limit> {
        if states.is_empty() {
            return Ok(None);
        }
        let mut all: Vec<R::Attempt> = Vec::new();
        if steps > 0 {
            for attempt in states.iter().flat_map(&self.attempts) {
                if !all.contains(&attempt) {
                    all.push(attempt);
                }
            }
        }
        let mut escapes = Vec::new();
        for attempt in all {
            match self.escape(&states, attempt, steps)? {
                Some(escape) => escapes.push((attempt, escape)),
                None => return Ok(None),
            }
        }
        self.budget.check()?;
        if self.nodes.len() >= self.most {
            return Err(Limit::Nodes(self.most as u64));
        }
        self.nodes.push(RefutedStates { states, steps, escapes });
        Ok(Some(self.nodes.len() - 1))
    }

    fn escape(
        &mut self,
        states: &[R::State],
        attempt: R::Attempt,
        steps: usize,
    ) -> Result<Option<Escape<R::Percept>>, Limit> {
        let mut rejected = Vec::new();
        let mut heard: Vec<HeardIn<R>> = Vec::new();
        for (number, state) in states.iter().enumerate() {
            self.asked += 1;
            self.budget.allow_nodes(self.asked)?;
            if escapes(self.referee, state, attempt, steps) {
                return Ok(Some(Escape::State(number)));
            }
            match self.referee.attempt(state, attempt) {
                Ruling::Rejected => rejected.push(state.clone()),
                Ruling::Won | Ruling::Over => {}
                Ruling::Open(to_attempt, next) => {
                    for reply in self.referee.replies(&next) {
                        let Ruling::Open(to_reply, next) = reply else { continue };
                        match heard.iter_mut().find(|known| (known.0, known.1) == (to_attempt, to_reply)) {
                            Some((_, _, states)) if states.contains(&next) => {}
                            Some((_, _, states)) => states.push(next),
                            None => heard.push((to_attempt, to_reply, vec![next])),
                        }
                    }
                }
            }
        }
        for (to_attempt, to_reply, states) in heard {
            if let Some(node) = self.refute(states, steps - 2)? {
                return Ok(Some(Escape::Heard(to_attempt, to_reply, node)));
            }
        }
        // An attempt that all states reject is none that one of them accepts.
        Ok(self.refute(rejected, steps)?.map(Escape::Rejected))
    }
}

/// The nodes that the root needs, each before those that it refers to.
fn renumbered<S, A, P: Copy>(nodes: Vec<RefutedStates<S, A, P>>, root: usize) -> Vec<RefutedStates<S, A, P>> {
    let referred = |escape: &Escape<P>| match escape {
        Escape::State(_) => None,
        Escape::Rejected(next) | Escape::Heard(_, _, next) => Some(*next),
    };
    let mut is_needed = vec![false; nodes.len()];
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut is_needed[node], true) {
            open.extend(nodes[node].escapes.iter().filter_map(|(_, escape)| referred(escape)));
        }
    }
    let mut number = vec![0; nodes.len()];
    let kept = (0..nodes.len()).rev().filter(|&node| is_needed[node]);
    kept.enumerate().for_each(|(at, node)| number[node] = at);
    let mut found: Vec<RefutedStates<S, A, P>> = Vec::new();
    for (node, mut own) in nodes.into_iter().enumerate().rev().filter(|&(node, _)| is_needed[node]) {
        debug_assert_eq!(number[node], found.len());
        for (_, escape) in &mut own.escapes {
            if let Escape::Rejected(next) | Escape::Heard(_, _, next) = escape {
                *next = number[*next];
            }
        }
        found.push(own);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::no_strategy::strategy_exists;

    /// A coin lies heads (0) or tails (1) under a cup: a wrong guess is lost. `2` turns it over, unseen, if `meddles` or not.
    struct Cup;

    impl Referee for Cup {
        type State = u8;
        type Attempt = u8;
        type Percept = u8;

        fn attempt(&self, state: &u8, attempt: u8) -> Ruling<u8, u8> {
            match attempt {
                2 => Ruling::Open(0, 1 - state),
                _ if attempt == *state => Ruling::Won,
                _ => Ruling::Over,
            }
        }

        fn replies(&self, state: &u8) -> Vec<Ruling<u8, u8>> {
            vec![Ruling::Open(0, *state)]
        }
    }

    #[test]
    fn what_is_found_holds_and_damage_is_noticed() {
        let budget = Budget::unlimited();
        let attempts = |_: &u8| vec![0, 1, 2];
        for (states, steps) in [(vec![0, 1], 5), (vec![0], 5), (vec![0, 1], 1), (vec![1], 0)] {
            let exists = strategy_exists(&Cup, &states, steps, attempts, &budget).unwrap();
            let found = find_refutation(&Cup, &states, steps, attempts, 1000, &budget).unwrap();
            assert_eq!(exists, found.is_none(), "{states:?} within {steps}");
            if let Some(nodes) = found {
                assert!(check_refutation(&Cup, &nodes, attempts, &budget).is_ok());
            }
        }
        let nodes = find_refutation(&Cup, &[0, 1], 5, attempts, 1000, &budget).unwrap().unwrap();
        let check = |change: &dyn Fn(&mut NodesOf<Cup>)| {
            let mut damaged = nodes.clone();
            change(&mut damaged);
            check_refutation(&Cup, &damaged, attempts, &budget)
        };
        assert!(check(&|_| {}).is_ok());
        assert_eq!(check(&Vec::clear), Err(RefutationFlaw::Empty { node: 0 }));
        assert_eq!(check(&|nodes| nodes[0].states.clear()), Err(RefutationFlaw::Empty { node: 0 }));
        assert!(matches!(check(&|nodes| nodes[0].escapes.truncate(0)), Err(RefutationFlaw::Missing { .. })));
        assert!(matches!(
            check(&|nodes| nodes[0].escapes[0].1 = Escape::State(9)),
            Err(RefutationFlaw::NoSuch { .. })
        ));
        assert!(matches!(
            check(&|nodes| nodes[0].escapes[2].1 = Escape::Heard(0, 0, 0)),
            Err(RefutationFlaw::NoSuch { .. })
        ));
        assert!(matches!(check(&|nodes| nodes[1].steps -= 2), Err(RefutationFlaw::NotLeft { .. })));
        // In the first state the first guess is right.
        assert!(matches!(
            check(&|nodes| nodes[0].escapes[0].1 = Escape::State(0)),
            Err(RefutationFlaw::NoEscape { .. })
        ));
        assert!(find_refutation(&Cup, &[0, 1], 9, attempts, 2, &budget).is_err());
    }
}
