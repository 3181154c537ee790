//! Plans for problems whose state is hidden, run from every initial state with every outcome and every observation.
//!
//! The check knows nothing of belief states: it follows pairs of a place in the plan and a true state. An action must be applicable in the
//! true state, and the plan may go different ways only for different truth values of what the action observes; so a plan that
//! passes can be carried out by an agent that sees nothing else.

mod confirm;
mod file;
mod initial;
mod run;

pub use confirm::confirm_no_contingent;
pub use file::{
    BranchText, ContingentError, ContingentText, DoText, NodeText, is_contingent, read_contingent,
};
pub(crate) use initial::initial_states;
pub use run::{ContingentFlaw, check_conformant, check_contingent};
