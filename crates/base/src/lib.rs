//! The few types every Counterplay crate shares.
//!
//! A search answers with a [`Verdict`], says what the answer rests on with [`Evidence`], looks at one [`Budget`] in its long loops, and tells how far it is
//! through [`Progress`]. Tables are indexed by their own id type only ([`IdVec`], [`IdLists`]). Nothing here
//! knows planning, games, files or terminals.

mod budget;
mod evidence;
mod growth;
mod ids;
pub mod limits;
mod progress;
mod verdict;

pub use budget::{Budget, BudgetPoll, Limit};
pub use evidence::{Evidence, Number};
pub use growth::Growth;
pub use ids::{Id, IdLists, IdVec};
pub use progress::{Progress, Report, Silent};
pub use verdict::Verdict;
