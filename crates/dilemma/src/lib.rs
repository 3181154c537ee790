//! Iterated games of two players with two moves each, played with noise.
//!
//! A match ([`play`]) is played by two [`Strategy`] objects under [`Rules`]: any 2 × 2 payoffs, a noise level, a known
//! or random length. [`strategies`] lists the strategies of the literature by name, each with its source; [`dbs`] is
//! the Derived Belief Strategy and its relatives, [`modeller`] the general
//! predictive player with conditions of any kind, and [`teams`] the masters and slaves of the 2005 competition.
//! [`tournament`] plays round robins, on all cores and still bit-identical by seed, and [`ecology`] lets
//! the better ones multiply. [`roshambo`] takes the machinery of models out of the dilemma, to show that it is general.
//!
//! A round robin of three strategies, with noise:
//!
//! ```
//! use counterplay_base::{Budget, Silent};
//! use counterplay_dilemma::tournament::{Entrant, Options, run};
//! use counterplay_dilemma::{Game, Length, Rules};
//!
//! let entrants = ["TitForTat", "Defector", "Grudger"].map(|name| Entrant::find(name).expect("a strategy"));
//! let rules = Rules { game: Game::DILEMMA, noise: 0.05, length: Length::Unknown(200) };
//! let options = Options { rules, repetitions: 10, self_play: true, seed: 1, threads: 1 };
//! let results = run(&entrants, &options, &Budget::unlimited(), &Silent);
//! assert_eq!(results.ranking().len(), 3);
//! assert!(results.means.iter().all(|estimate| estimate.margin.is_some()), "95 % intervals over the repetitions");
//! ```
//!
//! Nothing here reads files or prints. `counterplay::dilemma` is the same with requests and answers that have a JSON form.

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
pub use moves::{History, Move, Moves, outcome};
pub use payoffs::{Game, PayoffError, Payoffs};
pub use play::{Dice, Length, MatchMoves, Rules, Tally, play};
pub use session::{Session, TurnResult};
pub use strategies::{Memory, StrategyEntry, UnknownStrategy};
pub use strategy::{Belief, Beliefs, Fault, Setting, Strategy};
