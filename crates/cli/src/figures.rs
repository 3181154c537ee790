//! Numbers as the answers show them.

pub(crate) use counterplay::grouped;
