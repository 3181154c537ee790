//! Proof by search within a zone.

pub mod dfpn;
pub mod local;
pub mod order;
pub mod sample;

pub use dfpn::{Dfpn, DfpnResult};
pub use local::{LocalGame, Side, Stake};
