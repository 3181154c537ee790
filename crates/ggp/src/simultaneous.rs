//! States in which several roles choose at once.
//!
//! What such a state is worth is in general no outcome of the game but a mixture of them: neither role knows what the other
//! does. The solvers here find pure values only, so they refuse a game in which such a state can be reached.

use counterplay_ground::game::{FluentId, Game, RoleId};

/// A reachable state in which more than one role has several legal moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("several roles choose at once in a state that can be reached")]
pub struct Simultaneous {
    /// The fluents that hold there.
    pub state: Vec<FluentId>,
    /// The roles that have several legal moves there.
    pub roles: Vec<RoleId>,
}

impl Simultaneous {
    /// The state as it is written.
    pub fn state_text(&self, game: &Game) -> String {
        let fluents: Vec<&str> = self.state.iter().map(|&fluent| game.fluents[fluent].as_str()).collect();
        fluents.join(" ")
    }

    /// The names of the roles.
    pub fn role_names<'g>(&self, game: &'g Game) -> Vec<&'g str> {
        self.roles.iter().map(|&role| game.roles[role].as_str()).collect()
    }
}
