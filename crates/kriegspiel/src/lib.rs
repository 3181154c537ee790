#![doc = include_str!("../README.md")]

pub mod chess;
pub mod contest;
pub mod database;
pub mod endings;
mod evaluate;
mod expert;
pub mod generator;
mod greedy;
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
pub mod protocol;
mod referee;
mod refutation;
mod rules;
pub mod steps;
mod view;
mod world;

pub use expert::Expert;
pub use greedy::Greedy;
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
pub use rules::{Extras, NoRuleSet, PawnTries, RuleSet, Taken};
pub use view::View;
pub use world::Kriegspiel;
