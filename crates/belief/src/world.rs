//! What a search over belief states needs to know about a world.

use std::fmt::Debug;

/// What a step leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After<S, P> {
    Won,
    /// It is over, and the solver has not won.
    Lost,
    /// It goes on: what the solver perceives, and the new state.
    Open(P, S),
}

/// A world with attempts, percepts and hidden replies.
///
/// The solver attempts actions. An attempt that is not feasible in the true state is rejected, changes nothing, and
/// may be followed by another one; a feasible one is carried out. Then the other side (an opponent, nature) makes a
/// step that the solver does not see. After each step there is a percept.
///
/// Laws:
/// - all states of a belief state that a search meets have the same [`attempts`](HiddenWorld::attempts), and
///   [`feasible`](HiddenWorld::feasible) is a part of them;
/// - [`winning`](HiddenWorld::winning) lists exactly the feasible attempts for which [`act`](HiddenWorld::act) says `Won`;
/// - a state without replies, which `act` may leave `Open`, counts as lost;
/// - equal states have equal keys, and different ones almost never do.
pub trait HiddenWorld {
    /// One way the world may be.
    type State: Clone + Eq;
    /// What the solver may try.
    type Attempt: Copy + Ord + Debug;
    /// What the solver hears or sees after a step.
    type Percept: Copy + Ord + Debug;

    /// A hash of a state.
    fn key(&self, state: &Self::State) -> u64;

    /// Appends everything that makes sense to try, given only what the solver knows.
    fn attempts(&self, state: &Self::State, out: &mut Vec<Self::Attempt>);

    /// Appends the attempts that would be carried out in this state.
    fn feasible(&self, state: &Self::State, out: &mut Vec<Self::Attempt>);

    /// Whether an attempt would be carried out in this state.
    fn is_feasible(&self, state: &Self::State, attempt: Self::Attempt) -> bool;

    /// Carries out a feasible attempt.
    fn act(&self, state: &Self::State, attempt: Self::Attempt) -> After<Self::State, Self::Percept>;

    /// Appends what the other side's steps lead to.
    fn replies(&self, state: &Self::State, out: &mut Vec<After<Self::State, Self::Percept>>);

    /// Appends the attempts that win at once; returns how many states were built to find out.
    fn winning(&self, state: &Self::State, out: &mut Vec<Self::Attempt>) -> u64 {
        winning_by_trying(self, state, out)
    }

    /// Whether there is an attempt that wins at once; adds to `built` the states that were built.
    fn can_win(&self, state: &Self::State, built: &mut u64) -> bool {
        let mut found = Vec::new();
        *built += self.winning(state, &mut found);
        !found.is_empty()
    }
}

/// Finds the attempts that win at once by carrying out all.
pub fn winning_by_trying<W: HiddenWorld + ?Sized>(
    world: &W,
    state: &W::State,
    out: &mut Vec<W::Attempt>,
) -> u64 {
    let mut feasible = Vec::new();
    world.feasible(state, &mut feasible);
    let built = feasible.len() as u64;
    out.extend(feasible.into_iter().filter(|&attempt| world.act(state, attempt) == After::Won));
    built
}
