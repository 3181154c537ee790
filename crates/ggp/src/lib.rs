//! Playing and solving games given by ground rules.
//!
//! A [`Propnet`] (propositional network) evaluates the rules for many states at once, one bit of a word for each;
//! [`simulate`] makes random playouts on it. Three solvers find the value of every reachable state: [`explicit`] keeps small
//! games in a table, [`layered`] keeps states in sorted layers where a clock takes the game apart, and [`symbolic`] keeps sets of
//! states as decision diagrams, of which an [`archive`] can keep the layers. [`play`] is a player for a match: UCT, and moves out
//! of a solution. Nothing here knows GDL text, files or terminals.
//!
//! ```
//! use counterplay_base::{Budget, Silent};
//! use counterplay_ggp::explicit::{self, Order};
//! use counterplay_ground::game::ground_game;
//!
//! let mut sources = counterplay_syntax::Sources::default();
//! let file = sources.add("lamp", "
//!     (role player) (init dark) (legal player switch)
//!     (<= (next lit) (does player switch)) (<= terminal (true lit)) (<= (goal player 100) (true lit))");
//! let rules = counterplay_gdl::read(&sources, file).expect("sound rules");
//! let budget = Budget::unlimited();
//! let game = ground_game(&rules, &budget, &Silent).expect("a finite game");
//! let verdict = explicit::solve(&game, Order::Own, 1000, &budget).expect("one role chooses at a time");
//! let solution = verdict.solved().expect("no limit");
//! assert_eq!(solution.value(0), Some(&[100][..]));
//! ```

pub mod archive;
pub mod explicit;
mod growth;
mod halt;
pub mod hidden;
mod lanes;
pub mod layered;
mod legal;
pub mod mixed;
pub mod play;
pub mod proof;
mod propnet;
mod rules_hash;
pub mod simulate;
mod simultaneous;
pub mod symbolic;

pub use lanes::{Lanes, transpose};
pub use propnet::{Part, Propnet};
pub use rules_hash::rules_hash;
pub use simultaneous::Simultaneous;
