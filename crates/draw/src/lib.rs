//! Pictures of answers, as SVG text.
//!
//! A picture is a pure function of plain data; nothing here knows where the data comes from, and nothing here writes
//! files. [`chart`] draws bars and lines, [`heatmap`] a coloured matrix.

pub mod chart;
pub mod heatmap;
mod svg;
