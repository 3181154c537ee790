//! Pictures of answers, as SVG text.
//!
//! A picture is a pure function of plain data; nothing here knows where the data comes from, and nothing here writes
//! files. [`chart`] draws bars and lines, [`heatmap`] a coloured matrix, [`board`] chess boards with men and shades, [`goban`] Go
//! boards, [`hands`] bridge hands, [`tree`] trees of decisions, [`graph`] policies, [`outline`] indented outlines, [`survival`] how many
//! problems are solved as time goes on.
//!
//! ```
//! use counterplay_draw::tree::{Look, TreeNode, tree};
//!
//! let leaf = |words: &str| TreeNode { words: words.to_owned(), look: Look::Won, children: Vec::new() };
//! let root = TreeNode {
//!     words: "try Qa4".to_owned(),
//!     look: Look::Own,
//!     children: vec![("illegal".to_owned(), leaf("try Qa3")), ("check".to_owned(), leaf("mate"))],
//! };
//! let svg = tree("A plan", &root);
//! assert!(svg.starts_with("<svg") && svg.contains("try Qa3"));
//! ```

pub mod board;
pub mod chart;
pub mod goban;
pub mod graph;
pub mod hands;
pub mod heatmap;
pub mod outline;
pub mod survival;
mod svg;
pub mod tree;
