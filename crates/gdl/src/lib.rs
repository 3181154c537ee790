//! The Game Description Language: from a rule sheet to checked rules.
//!
//! ```text
//! text ─► reader ─► rules (Horn, no `or`) ─► check: arity, safety, keywords ─► stratify ─► Rules
//! ```
//! GDL-I in KIF prefix form (Love, Hinrichs, Haley, Schkufza and Genesereth 2008), old style with `or` and new Horn
//! style. Words compare without regard to case. A rule with `or` becomes several rules; everything else keeps
//! the shape it was written in.
//! [`interpret`] answers what the rules say about a state. [`message`] reads what a game manager sends.
//! Nothing here searches.
//!
//! ```
//! use counterplay_base::Budget;
//! use counterplay_gdl::interpret::Interpreter;
//! use counterplay_syntax::Sources;
//!
//! let mut sources = Sources::default();
//! let file = sources.add("lamp", "
//!     (role player) (init dark) (legal player switch)
//!     (<= (next lit) (does player switch)) (<= terminal (true lit)) (<= (goal player 100) (true lit))");
//! let rules = counterplay_gdl::read(&sources, file).expect("sound rules");
//! let budget = Budget::unlimited();
//! let mut game = Interpreter::new(rules)?;
//! let state = game.initial(&budget)?;
//! let moves = game.legal(&state, 0, &budget)?;
//! assert_eq!(game.display(moves[0]), "switch");
//! let next = game.next(&state, &moves, &budget)?;
//! assert_eq!(game.goal(&next, 0, &budget)?, Some(100));
//! # Ok::<(), counterplay_gdl::interpret::InterpretError>(())
//! ```

mod check;
mod error;
mod imperfect;
pub mod interpret;
pub mod message;
mod model;
mod reader;
mod stratify;

pub use error::{Error, Restriction};
pub use imperfect::Imperfect;
pub use model::{Atom, Keyword, Literal, Rule, Rules, Symbol, Symbols, Term};

use counterplay_syntax::{FileId, Sources};

/// Reads and checks a rule sheet; all problems of the file come together.
pub fn read(sources: &Sources, file: FileId) -> Result<Rules, Vec<Error>> {
    let tree = counterplay_syntax::read(sources, file).map_err(|error| vec![Error::Read(error)])?;
    let mut rules = reader::rules(&tree)?;
    check::check(&mut rules, tree.span())?;
    Ok(rules)
}
