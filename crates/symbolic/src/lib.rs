//! Sets of states as decision diagrams.
//!
//! A [`Space`] lays finite-domain variables out as bits in some order; a [`StateSet`] is a set of its states;
//! a [`Relation`] says how states lead to states. Images and pre-images return a
//! [`Limit`](counterplay_base::Limit) when the budget runs out, and nothing of the decision-diagram kernel
//! shows through. What a set is *for* (search, policy, game) is the caller's affair.
//!
//! [`Encoding`] builds all of this for a planning task: variable order by linear arrangement of the causal graph
//! (Kissmann 2012, Algorithm 6.9), derived variables as sets over the others, one relation per operator, merged
//! by cost up to a node bound, and mutexes as constraints.

mod code;
mod encoding;
mod mutexes;
mod order;
mod ranked;
mod relation;
mod set;
mod space;

pub use code::Coding;
pub use counterplay_bdd::Unreadable;
pub use encoding::Encoding;
pub use order::{OrderSearch, causal_graph};
pub use ranked::Ranked;
pub use relation::{Partition, Relation, merge};
pub use set::{StateSet, union};
pub use space::Space;
