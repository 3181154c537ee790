//! Messages over HTTP: what a player answers, and how a manager asks.

mod client;
mod server;

use std::time::Duration;

pub(crate) use client::send;
pub use server::serve;

/// No rule sheet is larger than this.
const LARGEST_BODY: usize = 16 << 20;
const LARGEST_HEAD: usize = 64 << 10;
/// The head and the body of a request have to arrive within this time each.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a player may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(5);
