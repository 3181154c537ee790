//! Source text, places in it, and what can be said about it.
//!
//! PDDL, HDDL and GDL are all written as s-expressions, so one reader serves the three. This crate knows
//! spans, tokens and diagnostics; it knows no planning and draws nothing: the rim renders a [`Diagnostic`].

mod diagnostic;
mod source;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use source::{FileId, Source, Sources, Span};
