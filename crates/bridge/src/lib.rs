//! Contract bridge.
pub mod card;
pub mod contract;
pub mod deal;
pub mod play;
pub mod seat;
