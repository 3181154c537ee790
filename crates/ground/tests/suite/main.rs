//! Tests of grounding as a whole.

mod benchmarks;
mod benefit;
mod hidden;
mod lifted;
mod limits;
mod meaning;
mod problems;
mod random;
mod refusals;
mod shape;
mod twin;
