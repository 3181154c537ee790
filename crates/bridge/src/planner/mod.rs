//! Declarer play by task networks, after Tignum 2 (Smith, Nau and Throop, "A planning approach to declarer play in
//! contract bridge").
//!
//! The world is an information set: weighted layouts of the unseen cards that agree on all that declarer knows
//! ([`infoset`]). The tasks carry the names of the paper's Tables 2 and 3 ([`task`]); [`network`] says which scheme may
//! carry out which task, and each scheme is a file of small functions in [`schemes`]. Where we depart from the paper:
//!
//! * The opponents' moves are those that the rules of defence make in each layout, grouped by what they mean to us, so
//!   the weight of a branch is the belief in the layouts where it happens; the paper has hand-made weights.
//! * A plan covers two tricks. Its leaves are valued by playing every layout out by rule, with the suit to work on
//!   chosen once for the whole information set ([`value`]).
//! * Layouts are drawn from exact counts and weighed by what the defenders' leads and plays tell, so the same tree
//!   serves notrump and suit contracts without tables of odds.

pub mod advice;
pub mod explain;
pub mod infoset;
pub mod network;
pub mod schemes;
pub mod task;
pub mod value;
