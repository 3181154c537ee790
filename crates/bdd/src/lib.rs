//! Binary decision diagrams with limits that are values.
//!
//! Reduced, ordered diagrams with complement edges (Bryant 1986; Brace, Rudell and Bryant 1990) in one growing
//! table with hashed unique nodes and a computed cache that grows along. Three things set this kernel apart
//! from the general packages and are the reason it exists:
//!
//! - every operation looks at a [`Budget`](counterplay_base::Budget) while it runs and gives up with a
//!   [`Limit`](counterplay_base::Limit), so a single image can be stopped, and memory is never exceeded by an
//!   operation that cannot be stopped;
//! - the relational product, quantification and renaming of an image are one recursion ([`Manager::image`],
//!   [`Manager::pre_image`]), over levels that come in pairs: level `2i` holds bit `i` now, `2i + 1` the same
//!   bit in the next state;
//! - tables start at a few hundred kilobytes, so a toy problem costs nothing.
//!
//! It knows nothing of planning: levels are numbers, and what they mean is the caller's affair.
//!
//! ```
//! use counterplay_base::Budget;
//! use counterplay_bdd::Manager;
//!
//! let manager = Manager::new(Budget::unlimited());
//! let (x, y) = (manager.literal(0, true)?, manager.literal(2, true)?);
//! let either = x.or(&y)?;
//! assert_eq!(either.minus(&x)?, y.minus(&x)?);
//! // Equal functions are equal diagrams: De Morgan is a comparison of two numbers.
//! assert_eq!(x.not().and(&y.not())?.not(), either);
//! assert_eq!(either.count(&manager.constant(true), &[0, 2]), Some(3));
//! # Ok::<(), counterplay_base::Limit>(())
//! ```

mod apply;
mod cache;
mod collect;
mod count;
mod edge;
mod image;
mod labels;
mod manager;
mod plain;
mod quantify;
mod store;
mod transfer;

pub use manager::{Bdd, Changed, Manager};
pub use plain::{PlainNode, PlainNodes};
pub use transfer::Unreadable;
