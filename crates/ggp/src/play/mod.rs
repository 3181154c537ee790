//! Playing: a search that always has a move, and gets better the longer it runs.
//!
//! ```text
//! player ──► rules_search ────────────► tree   UCT on the interpreter, from the first second
//!        ──► propnet_search ──► batch ─► tree   UCT on the network, a playout in every lane
//!        ──► solved ──► oracle                  moves out of a solution: of parts, state by state,
//!                   ──► whole_game              or of the whole game, in layers or by sets of states
//! referee                                       what is legal, by the rules themselves
//! ```

mod batch;
mod decisive;
mod lane;
mod oracle;
mod player;
mod propnet_search;
mod referee;
mod rules_search;
mod settings;
mod share;
pub mod solved;
mod tree;
mod walk;
mod whole_game;
mod wins;

pub use decisive::DecisiveRules;
pub use oracle::{Oracle, Oracles};
pub use player::{Choice, MoveSource, Player, PlayerKind};
pub use propnet_search::{MoveEstimate, PropnetSearch};
pub use referee::{Referee, possible_fluents};
pub use rules_search::RulesSearch;
pub use settings::UctSettings;
pub use tree::{Arrival, Descent, Position, Rewards, TreeEdge, TreePath, UctNodeId, UctTree};
pub use walk::{View, Walker};
pub use whole_game::WholeGameSolver;
