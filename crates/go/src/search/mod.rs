//! Proof by search within a zone.

pub mod dfpn;
pub mod local;

pub use dfpn::{Answer, Dfpn};
pub use local::{Local, Side};
