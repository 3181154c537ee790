//! The protocol of general game playing over HTTP, from both sides: a player that a game manager talks to, and a manager
//! that runs matches between players.
//!
//! ```text
//! session   a player as the protocol sees it: messages in, replies out
//! http      a session behind a socket, and the way to players at other hosts
//! manager   matches from START to STOP: players here, at other hosts, and a person
//! ```
//! A manager opens a connection for each message and sends it by `POST /`; the reply is the body of the response
//! (Love, Hinrichs, Haley, Schkufza and Genesereth 2008; spelling and headers as ggp-base has them). The messages
//! themselves are read and written by [`counterplay_gdl::message`]. Nothing here knows terminals: what is shown of a match, and
//! the moves of a person, go through a [`Console`](manager::Console).

mod http;
pub mod manager;
mod options;
mod session;

pub use http::serve;
pub use options::{BuiltIn, MemoryLimit, PlayerOptions};
pub use session::{GameSession, Over, Reply, SessionOptions};
