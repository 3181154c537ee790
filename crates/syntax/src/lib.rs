//! Source text, places in it, and what can be said about it.
//!
//! PDDL, HDDL and GDL are all written as s-expressions, so one reader serves the three. This crate knows
//! spans, tokens and diagnostics; it knows no planning and draws nothing: the rim renders a [`Diagnostic`].

mod diagnostic;
mod reader;
mod similar;
mod source;
mod tree;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use reader::{ATOM_LIMIT, NESTING_LIMIT, ReadError, read, read_pddl};
pub use similar::similar;
pub use source::{FileId, Source, Sources, Span};
pub use tree::{Expr, Items, Tree};
