//! Iterated games of two players with two moves each, played with noise.
//!
//! A match ([`play`]) is played by two [`Strategy`] objects under [`Rules`]: any 2 × 2 payoffs, a noise level, a known
//! or random length. [`strategies`] lists the strategies of the literature by name, each with its source; [`dbs`] is
//! the Derived Belief Strategy and its relatives, [`modeller`] the general
//! predictive player with conditions of any kind, and [`teams`] the masters and slaves of the 2005 competition.
//! [`tournament`] plays round robins, on all cores and still bit-identical by seed, and [`ecology`] lets
//! the better ones multiply. [`roshambo`] takes the machinery of models out of the dilemma, to show that it is general.
//!
//! Nothing here reads files or prints.

mod chance;
pub mod dbs;
pub mod ecology;
pub mod modeller;
mod moves;
mod payoffs;
mod play;
pub mod roshambo;
mod session;
pub mod statistics;
pub mod strategies;
mod strategy;
mod tables;
pub mod teams;
pub mod tournament;

pub use chance::Chance;
pub use moves::{Move, Moves, Past, outcome};
pub use payoffs::{Game, PayoffError, Payoffs};
pub use play::{Board, Dice, Length, Rules, Tally, play};
pub use session::{Session, TurnResult};
pub use strategies::{Entry, Memory, Unknown};
pub use strategy::{Belief, Beliefs, Fault, Setting, Strategy};
