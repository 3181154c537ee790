#![doc = include_str!("../README.md")]

pub mod chess;
pub mod database;
mod evaluate;
pub mod generator;
mod history;
mod knowledge;
pub mod line;
pub mod mailbox;
pub mod material;
mod percept;
pub mod pgn;
mod player;
mod problem;
mod proof_file;
mod referee;
mod refutation;
pub mod steps;
mod world;

pub use history::{Heard, KriegEvent};
pub use knowledge::Knowledge;
pub use percept::{Announcement, Checks, Direction, End, Percept};
pub use player::{Careful, Player, RandomPlayer, Rash};
pub use problem::{BeliefError, PlanFlaw, check_belief, check_plan, plan_exists};
pub use proof_file::{
    CheckedProof, ProofFileFlaw, check_proof_file, is_proof_file, write_mate, write_refutation,
};
pub use referee::Game;
pub use refutation::{Refutation, refutation};
pub use world::Kriegspiel;
