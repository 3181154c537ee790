//! Playing and solving games given by ground rules.
//!
//! [`Network`] evaluates the rules for many states at once, one bit of a word for each; [`simulate`] plays at random
//! on it, [`explicit`] solves small games state by state, [`layered`] those that a clock takes apart and [`symbolic`] any
//! by sets of states; an [`archive`] keeps what it finds. Nothing here knows GDL text, files or terminals.

pub mod archive;
pub mod explicit;
mod growth;
mod halt;
mod lanes;
pub mod layered;
mod legal;
pub mod play;
mod propnet;
mod rules_hash;
pub mod simulate;
mod simultaneous;
pub mod symbolic;

pub use lanes::{Lanes, transpose};
pub use propnet::{Part, Propnet};
pub use rules_hash::rules_hash;
pub use simultaneous::Simultaneous;
