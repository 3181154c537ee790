//! What the operating system tells of this process: [`memory`] and CPU time ([`clock`]).
//!
//! Engines ask through a `Budget` only; the programs around them put these functions into it.
//!
//! ```
//! use counterplay_system::{clock, memory};
//!
//! // Both are known on Linux.
//! if let (Some(now), Some(peak)) = (memory::resident(), memory::peak()) {
//!     assert!(now > 0 && peak > 0);
//! }
//! assert!(clock::thread_time() <= clock::process_time());
//! ```

pub mod clock;
pub mod memory;
