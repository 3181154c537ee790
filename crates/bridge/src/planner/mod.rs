//! Declarer play by task networks, after Tignum 2.

pub mod advice;
pub mod explain;
pub mod infoset;
pub mod network;
pub mod schemes;
pub mod task;
pub mod value;
