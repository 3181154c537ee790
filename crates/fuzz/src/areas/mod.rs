//! The areas, one module for each family of input languages.

mod belief;
mod bridge;
mod games;
mod go;
mod networks;
mod planning;

use crate::Area;

/// Every area, in the order of the report.
pub fn all() -> Vec<&'static dyn Area> {
    [planning::AREAS, networks::AREAS, games::AREAS, belief::AREAS, go::AREAS, bridge::AREAS].concat()
}
