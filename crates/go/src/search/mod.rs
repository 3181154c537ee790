//! Proof by search within a zone.

pub mod dfpn;
pub mod local;
pub mod order;
pub mod sample;

pub use dfpn::{Answer, Dfpn};
pub use local::{Local, Side, Stake};
