//! Pictures of answers, as SVG text.
//!
//! A picture is a pure function of plain data; nothing here knows where the data comes from, and nothing here writes
//! files. [`chart`] draws bars and lines, [`heatmap`] a coloured matrix, [`board`] boards with men and shades,
//! [`hands`] bridge hands, [`tree`] trees of decisions, [`survival`] how many problems are solved as time goes on.

pub mod board;
pub mod chart;
pub mod goban;
pub mod graph;
pub mod hands;
pub mod heatmap;
pub mod survival;
mod svg;
pub mod tree;
