//! The answer of every search.

use crate::Limit;

/// The answer of a search. `Err` is kept for input that could not be read; a bug panics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<S> {
    /// An answer, with whatever certifies it.
    Solved(S),
    /// Proved: there is no answer.
    Unsolvable,
    /// A limit was reached before either was known.
    Stopped(Limit),
}

impl<S> Verdict<S> {
    /// Changes the answer and keeps the kind of verdict.
    pub fn map<T>(self, change: impl FnOnce(S) -> T) -> Verdict<T> {
        match self {
            Verdict::Solved(answer) => Verdict::Solved(change(answer)),
            Verdict::Unsolvable => Verdict::Unsolvable,
            Verdict::Stopped(limit) => Verdict::Stopped(limit),
        }
    }

    /// The same verdict about a borrowed answer.
    pub fn as_ref(&self) -> Verdict<&S> {
        match self {
            Verdict::Solved(answer) => Verdict::Solved(answer),
            Verdict::Unsolvable => Verdict::Unsolvable,
            Verdict::Stopped(limit) => Verdict::Stopped(*limit),
        }
    }

    /// Its one word: `solved`, `unsolvable` or `stopped`.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Solved(_) => "solved",
            Verdict::Unsolvable => "unsolvable",
            Verdict::Stopped(_) => "stopped",
        }
    }

    /// The limit that was reached, if one was.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Verdict::Stopped(limit) => Some(*limit),
            _ => None,
        }
    }

    /// The answer, if there is one.
    pub fn solved(self) -> Option<S> {
        match self {
            Verdict::Solved(answer) => Some(answer),
            _ => None,
        }
    }
}

/// A search that either finds something, or has looked everywhere, or was stopped.
impl<S> From<Result<Option<S>, Limit>> for Verdict<S> {
    fn from(outcome: Result<Option<S>, Limit>) -> Self {
        match outcome {
            Ok(Some(answer)) => Verdict::Solved(answer),
            Ok(None) => Verdict::Unsolvable,
            Err(limit) => Verdict::Stopped(limit),
        }
    }
}
