//! The open game: chess on boards of 4 × 4 to 8 × 8, as fast as belief states need it.
//!
//! Own bitboards instead of a crate, for three reasons: a position of 48 bytes without clocks (belief states hold
//! thousands), successors generated in bulk together with what the referee says, and boards smaller than 8 × 8.
//! The move counts of cozy-chess and a slow twin ([`crate::mailbox`]) keep it honest.

pub(crate) mod attacks;
mod board;
mod fen;
pub(crate) mod keys;
mod moves;
mod san;
mod types;

pub use board::{Board, Castling};
pub use fen::FenError;
pub(crate) use moves::Walk;
pub use types::{Color, Move, NotAMove, Piece, Square};
