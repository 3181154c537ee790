//! Differential fuzzing: random problems, every engine and option, and a slow twin that knows the answer.
//!
//! An [`Area`] generates a [`Case`] (one or more files of text) from a random generator, and examines it: all engines answer, a
//! slow twin written from the definition answers, every answer goes through the checker, and any difference is a
//! disagreement. A twin shares no code with the engines. [`campaign`] runs an area over consecutive seeds and shrinks what
//! disagrees to a minimal case. Every case that ever failed stays under `cases/AREA/` and is examined again by the tests.
//!
//! [`readers`] fuzzes what reads text and bytes from outside.

mod area;
pub mod areas;
mod campaign;
pub mod readers;
mod shrink;

pub use area::{Area, Case, Outcome};
pub use campaign::{Disagreement, Effort, Extent, campaign, examine, replay};
pub use shrink::smaller_expressions;
