//! What the operating system tells of this process: [`memory`] and CPU time ([`clock`]); and of one that it starts (`child`).
//!
//! Engines ask through a `Budget` only; the programs around them put these functions into it.

#[cfg(unix)]
pub mod child;
pub mod clock;
pub mod memory;
