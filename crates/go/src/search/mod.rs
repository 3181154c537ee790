//! Proof by search within a zone.

pub mod capture;
pub(crate) mod chance;
pub mod dfpn;
pub mod local;
pub mod order;
pub mod sample;
pub(crate) mod sense;

pub use dfpn::{Dfpn, DfpnResult};
pub use local::{LocalGame, Side, Stake};
