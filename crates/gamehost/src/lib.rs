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

//!
//! A match of two players in this process:
//!
//! ```
//! use std::time::Duration;
//! use counterplay_base::Budget;
//! use counterplay_gamehost::PlayerOptions;
//! use counterplay_gamehost::manager::{Clocks, Match, Participant, Unattended};
//! use counterplay_ggp::play::PlayerKind;
//!
//! let text = "(role a) (role b) (init start) (legal a go) (legal b stay)
//!     (<= (next over) (does a go)) (<= terminal (true over)) (goal a 100) (goal b 0)";
//! let mut sources = counterplay_syntax::Sources::default();
//! let file = sources.add("game", text);
//! let rules = counterplay_gdl::read(&sources, file).expect("sound rules");
//! let second = Duration::from_secs(1);
//! let record = Match {
//!     rules: &rules,
//!     text,
//!     players: &[Participant::BuiltIn(PlayerKind::Random), Participant::BuiltIn(PlayerKind::Random)],
//!     clocks: Clocks { start: second, play: second },
//!     options: PlayerOptions::default(),
//!     seed: 0,
//! }
//! .run(&Budget::unlimited(), &Unattended)
//! .expect("no limit");
//! assert_eq!(record.rewards, [100, 0]);
//! ```

mod http;
pub mod manager;
mod options;
mod session;

pub use http::serve;
pub use options::{MemoryLimit, PlayerOptions};
pub use session::{GameSession, Over, Reply, SessionOptions};
