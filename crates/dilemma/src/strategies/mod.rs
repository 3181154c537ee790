//! The strategies of the literature, by name.
//!
//! Names are those of the Axelrod library where it has the strategy, so that results can be compared. Each family is
//! a file; a [`StrategyEntry`] says where a strategy comes from and what it does.

mod cycler;
mod first_tournament;
mod gradual;
mod grudger;
mod library;
mod machine;
mod majority;
mod memory_one;
mod pavlov;
mod prober;
mod punisher;
mod second_tournament;
mod sources;
mod tit_for_tat;

pub use library::{Memory, StrategyEntry, UnknownStrategy, all, extras, find};
pub use memory_one::MemoryOne;
pub(crate) use tit_for_tat::Omega;
