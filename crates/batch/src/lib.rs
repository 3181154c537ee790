//! Many runs of a command, on the cores of this machine or on a cluster.
//!
//! A batch is a text in TOML: commands with placeholders and a grid of values for them ([`Batch::read`]). Each combination is a [`Job`] with a
//! name that depends on what it runs only, never on its place. Its result is one JSON object in a folder ([`Results`]), written all at once or not at all, and
//! never a second time. So a batch can be stopped and started again, by any number of workers ([`run_jobs`]) or by Slurm ([`Slurm`]), and comes to
//! the same results. [`Table`] joins them.
//!
//! ```
//! use counterplay_batch::Batch;
//!
//! let text = r#"
//!     [[job]]
//!     command = ["dilemma", "match", "{one}", "{other}"]
//!     [job.grid]
//!     one = ["TitForTat", "Defector"]
//!     other = ["Cooperator", "TitForTat", "Defector"]
//! "#;
//! let batch = Batch::read(text, "matches.toml".as_ref())?;
//! assert_eq!(batch.jobs.len(), 6);
//! assert_eq!(batch.jobs[1].command[..4], ["dilemma", "match", "TitForTat", "TitForTat"]);
//! # Ok::<(), counterplay_batch::BatchError>(())
//! ```

mod description;
mod error;
mod grid;
mod job;
mod results;
mod run;
mod slurm;
mod status;
mod table;

pub use description::{Batch, Limits, SlurmOptions};
pub use error::BatchError;
pub use job::{Job, Outcome, Record};
pub use results::{Hold, Results, Stored};
pub use run::{Finished, Runner, run_job, run_jobs};
pub use slurm::{Array, Slurm};
pub use status::{Queue, Status};
pub use table::{Cell, Table};
