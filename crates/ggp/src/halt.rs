//! Why a solver ends early, inside of it: a limit, which is a verdict, or a game that it does not solve, which is an error.

use counterplay_base::{Limit, Verdict};

/// A limit, or a reason why a game is not solved in some way.
#[derive(Debug)]
pub enum Halt<R> {
    Stopped(Limit),
    Refused(R),
}

impl<R> From<Limit> for Halt<R> {
    fn from(limit: Limit) -> Halt<R> {
        Halt::Stopped(limit)
    }
}

/// What callers see of it.
pub(crate) fn verdict<S, R>(outcome: Result<S, Halt<R>>) -> Result<Verdict<S>, R> {
    match outcome {
        Ok(solution) => Ok(Verdict::Solved(solution)),
        Err(Halt::Stopped(limit)) => Ok(Verdict::Stopped(limit)),
        Err(Halt::Refused(refusal)) => Err(refusal),
    }
}
