//! The protocol between a game manager and players: messages in KIF, carried by HTTP.
//!
//! A manager opens a connection for each message and sends it by `POST /`; the reply is the body of the response
//! (Love, Hinrichs, Haley, Schkufza and Genesereth 2008; spelling and headers as ggp-base has them).

mod http;

pub(crate) use counterplay_gdl::message::{Message, terms};
pub(crate) use http::{Request, drain, respond, say, send};
