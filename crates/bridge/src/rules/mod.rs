//! Plain rules: leads, defence and declarer play without search.
//!
//! Each is a function from what the player sees to a card, a few hundred nanoseconds long, so that the same rules
//! serve as a player, as the model of the opponents, and as the end of every imagined line of play.

mod attack;
mod declare;
mod defence;
mod follow;
mod lead;
mod outlook;

pub use declare::{Intent, declare};
pub use defence::defend;
pub use lead::opening_lead;
pub use outlook::{Ours, Outlook};
