//! What the operating system tells of this process: [`memory`] and CPU time ([`clock`]).
//!
//! Engines ask through a `Budget` only; the programs around them put these functions into it.

pub mod clock;
pub mod memory;
