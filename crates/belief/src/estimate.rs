//! State estimation: which states agree with all that was attempted and perceived?
//!
//! Exact and breadth-first ([`update`]): the whole belief state is carried from event to event, duplicates removed.
//! Depth-first ([`Stream`]): one history of hidden steps is followed to the end before the next, so that consistent
//! states come one by one with moderate effort each; a search can look at them before all are known, and with shuffled
//! replies the first ones are a random sample (Russell and Wolfe 2005, section 2).

use rand::Rng;
use rand::seq::SliceRandom;
use rustc_hash::FxHashSet;

use crate::belief::make_set;
use crate::world::HiddenWorld;

/// A world that tells everything that the solver perceives, the end of the game included.
pub trait Observed: HiddenWorld {
    /// What is perceived after a step.
    type Heard: Copy + Eq;

    /// Carries out an attempt if it is feasible.
    fn hear_attempt(&self, state: &Self::State, attempt: Self::Attempt)
    -> Option<(Self::Heard, Self::State)>;

    /// Appends all steps of the other side, with what the solver perceives of them.
    fn hear_replies(&self, state: &Self::State, out: &mut Vec<(Self::Heard, Self::State)>);

    /// How many different attempts of the other side would be rejected in this state.
    fn rejectable(&self, state: &Self::State) -> usize;
}

/// An event as the solver observes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<A, H> {
    /// The solver attempted something; `None` was heard if it was rejected.
    Own {
        attempt: A,
        /// What was heard of it.
        heard: Option<H>,
    },
    /// The other side acted, after so many rejected attempts.
    Other {
        /// Rejected attempts that were heard.
        rejections: usize,
        /// What was heard of the step.
        heard: H,
    },
}

/// An event of a world.
pub type EventOf<W> = Event<<W as HiddenWorld>::Attempt, <W as Observed>::Heard>;

/// The states that agree with one more event: a canonical set.
pub fn update<W: Observed>(world: &W, belief: &[W::State], event: &EventOf<W>) -> Vec<W::State> {
    let mut next = Vec::new();
    let mut told = Vec::new();
    for state in belief {
        successors(world, state, event, &mut told);
        next.append(&mut told);
    }
    make_set(world, &mut next);
    next
}

/// Appends the states that may follow one state through an event.
fn successors<W: Observed>(world: &W, state: &W::State, event: &EventOf<W>, out: &mut Vec<W::State>) {
    match *event {
        Event::Own { attempt, heard } => match (world.hear_attempt(state, attempt), heard) {
            (None, None) => out.push(state.clone()),
            (Some((said, next)), Some(heard)) if said == heard => out.push(next),
            _ => {}
        },
        Event::Other { rejections, heard } => {
            if rejections > 0 && world.rejectable(state) < rejections {
                return;
            }
            let mut replies = Vec::new();
            world.hear_replies(state, &mut replies);
            out.extend(replies.into_iter().filter(|(said, _)| *said == heard).map(|(_, next)| next));
        }
    }
}

/// Consistent states one by one, each of them once.
pub struct Stream<'a, W: Observed, R> {
    world: &'a W,
    history: &'a [EventOf<W>],
    /// States still to be followed, with the number of events behind them; the last one first.
    open: Vec<(usize, W::State)>,
    /// What was met before, by the number of events.
    seen: Vec<FxHashSet<u64>>,
    shuffle: Option<R>,
    /// How many more states may be followed.
    patience: usize,
}

impl<'a, W: Observed, R: Rng> Stream<'a, W, R> {
    /// The states that agree with a history from one of `initial`; with `shuffle`, in random order.
    pub fn new(world: &'a W, initial: &[W::State], history: &'a [EventOf<W>], shuffle: Option<R>) -> Self {
        let open = initial.iter().rev().map(|state| (0, state.clone())).collect();
        let seen = vec![FxHashSet::default(); history.len() + 1];
        Stream { world, history, open, seen, shuffle, patience: usize::MAX }
    }

    /// Ends after so many states were followed on the way, found or not.
    #[must_use]
    pub fn with_state_limit(mut self, patience: usize) -> Self {
        self.patience = patience;
        self
    }
}

impl<W: Observed, R: Rng> Iterator for Stream<'_, W, R> {
    type Item = W::State;

    fn next(&mut self) -> Option<W::State> {
        let mut found = Vec::new();
        while let Some((done, state)) = self.open.pop() {
            if self.patience == 0 {
                return None;
            }
            self.patience -= 1;
            if !self.seen[done].insert(self.world.key(&state)) {
                continue;
            }
            let Some(event) = self.history.get(done) else { return Some(state) };
            successors(self.world, &state, event, &mut found);
            if let Some(random) = &mut self.shuffle {
                found.shuffle(random);
            }
            self.open.extend(found.drain(..).rev().map(|state| (done + 1, state)));
        }
        None
    }
}
