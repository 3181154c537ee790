//! The whole game, solved in a thread of its own: layer by layer where a clock keeps them apart and a state fits into a
//! word, else by sets of states.
//!
//! Diagrams belong to the thread that made them: it stays, and answers questions about single positions until its
//! channel is closed. That is fast enough for choosing moves out of the solution, not for ending playouts; those end where the
//! explicit solver knows a part.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use counterplay_base::{Budget, Id, Silent, Verdict};
use counterplay_ground::game::{FluentId, Game, prove_structure};

use super::oracle::Oracle;
use super::tree::Rewards;
use crate::explicit::Order;
use crate::layered;
use crate::symbolic::{self, Solution};

/// More diagram nodes than this are not made for a match: they would take some 2 GiB.
const MOST_NODES: u64 = 40_000_000;
/// More states than this are not kept one by one: they would take some 300 MB.
const MOST_STATES: u64 = 30_000_000;
/// How often the thread looks whether it is still wanted.
const PATIENCE: Duration = Duration::from_millis(200);

/// A question: the value of a state that may be reached after so many joint moves.
type Query = (Vec<FluentId>, [usize; 3]);

/// A way to ask for the values of all positions of a game.
#[derive(Debug)]
pub struct WholeGameSolver {
    source: Source,
    fluents: usize,
    /// How many joint moves have been made in the match.
    made: AtomicUsize,
}

/// Where the values are.
enum Source {
    Layers(layered::Solution),
    /// The thread that has the diagrams.
    Sets(Mutex<(Sender<Query>, Receiver<Option<Rewards>>)>),
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Layers(_) => "Layers",
            Source::Sets(_) => "Sets",
        })
    }
}

impl WholeGameSolver {
    /// Solves a game, hands over the solution, and answers for it until it is dropped or the budget is cancelled.
    /// `None` is handed over if it cannot be solved within the budget.
    pub fn serve(game: &Game, budget: &Budget, hand_over: impl FnOnce(Option<Arc<WholeGameSolver>>)) {
        let bounded = budget.clone().with_nodes(MOST_NODES);
        let Ok(structure) = prove_structure(game, &bounded) else { return hand_over(None) };
        let new = |source| {
            let whole = WholeGameSolver { source, fluents: game.fluents.len(), made: AtomicUsize::new(0) };
            Some(Arc::new(whole))
        };
        if let Ok(Verdict::Solved(layers)) =
            layered::solve(game, &structure, Order::Own, MOST_STATES, budget, &Silent)
        {
            return hand_over(new(Source::Layers(layers)));
        }
        let sets = symbolic::solve(game, &structure, Order::Own, None, &bounded, &Silent);
        let Ok(Verdict::Solved(solution)) = sets else { return hand_over(None) };
        let (ask, asked) = channel();
        let (answer, answers) = channel();
        hand_over(new(Source::Sets(Mutex::new((ask, answers)))));
        respond(solution, &asked, &answer, budget);
    }

    /// Tells how many joint moves have been made: positions are looked for thereabouts.
    pub fn follow(&self, made: usize) {
        self.made.store(made, Ordering::Relaxed);
    }
}

impl Oracle for WholeGameSolver {
    fn rewards(&self, position: &[u64]) -> Option<Rewards> {
        let holds = |at: &usize| position[at / 64] >> (at % 64) & 1 == 1;
        let state: Vec<FluentId> = (0..self.fluents).filter(holds).map(FluentId::new).collect();
        let made = self.made.load(Ordering::Relaxed);
        // The choice of a move asks for its replies and for those to them.
        let made = [made + 1, made + 2, made];
        match &self.source {
            Source::Layers(layers) => {
                let outcome = made.into_iter().find_map(|made| layers.outcome(&state, made))?;
                Some(rewards(&layers.outcomes[outcome]))
            }
            Source::Sets(line) => {
                let line = line.lock().unwrap_or_else(PoisonError::into_inner);
                line.0.send((state, made)).ok()?;
                line.1.recv().ok().flatten()
            }
        }
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
        let mut find = |made| solution.outcome(&state, made, None).ok().and_then(Verdict::solved);
        let outcome = made.into_iter().find_map(&mut find);
        if answer.send(outcome.map(|outcome| rewards(&solution.outcomes[outcome]))).is_err() {
            return;
        }
    }
}

/// Rewards as players see them.
fn rewards(outcome: &[u32]) -> Rewards {
    outcome.iter().map(|&reward| reward as f32 / 100.0).collect()
}
