//! One suit alone: the best play for so many tricks against best defence.
//!
//! Declarer has as many entries to both hands as needed; the defenders see everything and know declarer's plan. What a
//! plan is worth is then the belief in the layouts it wins against every defence, and the best plan is found in the
//! manner of Frank and Basin's exhaustive strategy minimisation and of Cazenave and Ventos' alpha-mu: each position of
//! declarer's knowledge has a set of winnable sets of layouts, of which only those not contained in another are kept.
//! Where declarer chooses, these sets are united; where a defender chooses, every pick of one answer for each of his
//! cards is a plan, and wins the layouts in which all the cards he could play are answered.
//!
//! Cards of the defenders that none of declarer's parts are one card, so that seven missing cards are rarely more than
//! fifty layouts.

mod bits;
mod cards;
mod line;
mod solve;
mod strategy;

pub use cards::{DIVISIONS, SuitError, SuitHolding};
pub use line::Step;
pub use solve::{SuitAnswer, best_play, best_strategy};
pub use strategy::{SuitStrategy, write_strategies};
