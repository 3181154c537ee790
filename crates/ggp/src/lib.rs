//! Playing and solving games given by ground rules.
//!
//! [`Network`] evaluates the rules for many states at once, one bit for each; [`simulate`] plays at random on it.
//! Nothing here knows GDL text, files or terminals.

