//! The whole game, solved by sets of states in a thread of its own.
//!
//! Diagrams belong to the thread that made them: it stays, and answers questions about single positions until nobody asks
//! any more. That is fast enough for choosing moves out of the solution, not for ending playouts; those end where the
//! explicit solver knows a part.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use counterplay_base::{Budget, Id, Silent};
use counterplay_ground::game::{FluentId, Game, prove_structure};

use super::oracle::Oracle;
use super::tree::Rewards;
use crate::explicit::Order;
use crate::symbolic::{self, Solution};

/// More diagram nodes than this are not made for a match: they would take some 2 GiB.
const MOST_NODES: u64 = 40_000_000;
/// How often the thread looks whether it is still wanted.
const PATIENCE: Duration = Duration::from_millis(200);

/// A question: the value of a state that may be reached after so many joint moves.
type Query = (Vec<FluentId>, [usize; 3]);

/// A way to ask for the values of all positions of a game.
#[derive(Debug)]
pub struct Whole {
    line: Mutex<(Sender<Query>, Receiver<Option<Rewards>>)>,
    fluents: usize,
    /// How many joint moves have been made in the match.
    made: AtomicUsize,
}

impl Whole {
    /// Solves a game, hands over the solution, and answers for it until it is dropped or the budget is cancelled.
    /// `None` is handed over if it cannot be solved within the budget.
    pub fn serve(game: &Game, budget: &Budget, hand_over: impl FnOnce(Option<Arc<Whole>>)) {
        let bounded = budget.clone().with_nodes(MOST_NODES);
        let solve = || {
            let structure = prove_structure(game, &bounded).ok()?;
            symbolic::solve(game, &structure, Order::Own, None, &bounded, &Silent).ok()
        };
        let Some(solution) = solve() else { return hand_over(None) };
        let (ask, asked) = channel();
        let (answer, answers) = channel();
        let line = Mutex::new((ask, answers));
        hand_over(Some(Arc::new(Whole { line, fluents: game.fluents.len(), made: AtomicUsize::new(0) })));
        respond(solution, &asked, &answer, budget);
    }

    /// Tells how many joint moves have been made: positions are looked for thereabouts.
    pub fn follow(&self, made: usize) {
        self.made.store(made, Ordering::Relaxed);
    }
}

impl Oracle for Whole {
    fn rewards(&self, position: &[u64]) -> Option<Rewards> {
        let holds = |at: &usize| position[at / 64] >> (at % 64) & 1 == 1;
        let state = (0..self.fluents).filter(holds).map(FluentId::new).collect();
        let made = self.made.load(Ordering::Relaxed);
        let line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        line.0.send((state, [made + 1, made + 2, made])).ok()?;
        line.1.recv().ok().flatten()
    }
}

fn respond(
    mut solution: Solution<'_>,
    asked: &Receiver<Query>,
    answer: &Sender<Option<Rewards>>,
    budget: &Budget,
) {
    while budget.check() != Err(counterplay_base::Limit::Cancelled) {
        let (state, made) = match asked.recv_timeout(PATIENCE) {
            Ok(query) => query,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let mut find = |made| solution.outcome(&state, made, None, Order::Own).ok().flatten();
        let outcome = made.into_iter().find_map(&mut find);
        let rewards = outcome.map(|outcome| {
            solution.outcomes[outcome].iter().map(|&reward| reward as f32 / 100.0).collect::<Rewards>()
        });
        if answer.send(rewards).is_err() {
            return;
        }
    }
}
