//! Markov decision processes: nature picks the outcomes by known odds.

mod answer;
mod request;
mod solve;
mod verify;

pub use answer::{MdpAnswer, MdpRule};
pub use request::{MdpRequest, Objective};
pub use solve::{MdpProblem, solve};
