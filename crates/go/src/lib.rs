#![doc = include_str!("../README.md")]

pub mod benson;
pub mod board;
pub mod book;
pub mod certificate;
pub mod claim;
pub mod diagram;
pub mod eyes;
pub mod gtp;
pub mod plan;
pub mod player;
pub mod point;
pub mod problem;
pub mod sgf;

pub use board::{Board, Cell, Illegal, Suicide};
pub use point::{Color, Grid, Move, Point};
pub use problem::{Goal, Problem};
pub mod record;
pub mod search;
pub mod solve;
pub mod tactics;
pub mod target;
pub mod tree;
pub mod verify;
pub mod words;
pub mod zone;
