//! Confirming that there is no plan or no policy, by looking at every reachable state.
//!
//! The searches work on a finite task that was grounded, simplified and strengthened by mutexes; a mistake on that way can make a
//! problem look unsolvable. Here every state that can be reached is visited on the problem as it is written, with the
//! semantics that plans are checked with. That takes long, so it is for small problems; what is too large is said to be so
//! and neither confirmed nor refuted.

pub(crate) mod space;

use counterplay_base::Budget;
use counterplay_pddl::model::Problem;

use crate::Guarantee;
use crate::derive::Axioms;
use crate::evaluate::CheckContext;
use space::{Numbers, Space};

/// What a second look says about the claim that there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// Every reachable state was looked at, and there is none.
    Confirmed {
        /// How many states these are.
        states: usize,
    },
    /// There is an answer; the text says which.
    Refuted(String),
    /// There are too many states, or numbers too large, for this kind of look.
    TooLarge,
}

/// Whether a problem without nondeterminism has no plan: no reachable state fulfils the hard goal.
pub fn confirm_no_plan(problem: &Problem, most_states: usize, budget: &Budget) -> Confirmation {
    let world = CheckContext::new(problem, budget);
    let Ok(axioms) = Axioms::new(&world) else { return Confirmation::TooLarge };
    let mut space = Space::new(&world, axioms, Numbers::Followed);
    if space.starts().is_none() {
        return Confirmation::TooLarge;
    }
    let mut next = 0;
    while next < space.len() {
        if space.len() > most_states {
            return Confirmation::TooLarge;
        }
        let Ok(node) = space.expand(next) else { return Confirmation::TooLarge };
        if node.is_goal {
            return Confirmation::Refuted(format!("the goal holds after {}", space.way_to(next)));
        }
        next += 1;
    }
    Confirmation::Confirmed { states: space.len() }
}

/// Whether a problem has no policy with this guarantee, from all its initial states.
pub fn confirm_no_policy(
    problem: &Problem,
    wanted: Guarantee,
    most_states: usize,
    budget: &Budget,
) -> Confirmation {
    let world = CheckContext::new(problem, budget);
    let Ok(axioms) = Axioms::new(&world) else { return Confirmation::TooLarge };
    let mut space = Space::new(&world, axioms, Numbers::Constant);
    let Some(starts) = space.starts() else { return Confirmation::TooLarge };
    let mut graph = Graph { nodes: Vec::new() };
    while graph.nodes.len() < space.len() {
        if space.len() > most_states {
            return Confirmation::TooLarge;
        }
        let Ok(node) = space.expand(graph.nodes.len()) else { return Confirmation::TooLarge };
        graph.nodes.push(node);
    }
    let winning = match wanted {
        Guarantee::Weak => graph.weak(),
        Guarantee::StrongCyclic => graph.strong_cyclic(),
        Guarantee::Strong => graph.strong(),
    };
    if starts.iter().all(|&start| winning[start]) {
        let name = match wanted {
            Guarantee::Weak => "weak",
            Guarantee::StrongCyclic => "strong-cyclic",
            Guarantee::Strong => "strong",
        };
        return Confirmation::Refuted(format!("a {name} policy exists from every initial state"));
    }
    Confirmation::Confirmed { states: space.len() }
}

/// A state: whether it is a goal, where the policy stops, and for each applicable action the states it may lead to.
#[derive(Clone, Debug, Default)]
struct StateNode {
    is_goal: bool,
    actions: Vec<Vec<usize>>,
}

struct Graph {
    nodes: Vec<StateNode>,
}

impl Graph {
    /// The states from which some outcomes lead to the goal.
    fn weak(&self) -> Vec<bool> {
        self.grow(|action, won| action.iter().any(|&next| won[next]))
    }

    /// The states from which the goal is reached whatever happens.
    fn strong(&self) -> Vec<bool> {
        self.grow(|action, won| action.iter().all(|&next| won[next]))
    }

    /// The largest set of states in which one can stay and from each of which the goal can still be reached without leaving it.
    fn strong_cyclic(&self) -> Vec<bool> {
        let mut safe = vec![true; self.nodes.len()];
        loop {
            let proper = self.grow(|action, won| {
                action.iter().all(|&next| safe[next]) && action.iter().any(|&next| won[next])
            });
            if proper == safe {
                return safe;
            }
            safe = proper;
        }
    }

    /// The least set that holds the goal states and every state with an action that `helps`.
    fn grow(&self, helps: impl Fn(&[usize], &[bool]) -> bool) -> Vec<bool> {
        let mut won: Vec<bool> = self.nodes.iter().map(|node| node.is_goal).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (at, node) in self.nodes.iter().enumerate() {
                if !won[at] && node.actions.iter().any(|action| helps(action, &won)) {
                    won[at] = true;
                    changed = true;
                }
            }
        }
        won
    }
}
