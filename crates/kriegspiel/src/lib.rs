#![doc = include_str!("../README.md")]

pub mod chess;
pub mod material;
mod percept;
mod world;

pub use percept::{Announcement, Checks, Direction, End, Percept};
pub use world::Kriegspiel;
