//! Source text, places in it, and what can be said about it.
//!
//! PDDL, HDDL and GDL are all written as s-expressions, so one reader serves the three. This crate knows
//! spans, tokens and diagnostics; it knows no planning and draws nothing: the rim renders a [`Diagnostic`].
//!
//! ```
//! use counterplay_syntax::{Sources, read};
//!
//! let mut sources = Sources::default();
//! let file = sources.add("rules.kif", "(role white)\n(init (cell 1 1 b))");
//! let tree = read(&sources, file).unwrap();
//! let (_, head, mut arguments) = tree.items().nth(1).unwrap().form().unwrap();
//! assert_eq!(head, "init");
//! let cell = arguments.next().unwrap();
//! assert_eq!(sources.text(cell.span()), "(cell 1 1 b)");
//! assert_eq!(sources.position(cell.span()), (2, 7));
//! ```

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
