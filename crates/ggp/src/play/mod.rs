//! Playing: a search that always has a move, and gets better the longer it runs.

mod batch;
mod oracle;
mod search;
mod settings;
mod tree;
mod walk;

pub use batch::Batch;
pub use oracle::Oracle;
pub use search::{Opinion, Search};
pub use settings::Settings;
pub use tree::{Descent, Edge, NodeId, Path, Position, Rewards, Tree};
pub use walk::{View, Walker};
