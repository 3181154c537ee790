//! Back to text: whole files for generators and tests, single formulas for messages.

mod files;
mod formula;
mod network;

pub use files::{domain_text, problem_text};
pub use formula::{Binding, Printer};

pub use crate::number::number_text;
