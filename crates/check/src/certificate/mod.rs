//! Certificates that there is no plan, or none below a cost.
//!
//! A certificate names a set of pairs of a state and a cost. Nothing is searched here: it is checked that the initial state is in the set, that every
//! step from a pair of the set leads to a pair of the set or to the claimed cost, and that no pair with a goal state costs less than the claim. The
//! set is a union of single states, of *estimates* and of *layers*. An estimate charges a weight for each zone (a set of facts) that a state
//! has entered. Its steps need no look at states: it is enough that no operator enters zones of more weight than it costs. A *layer* is a set
//! of states given by a decision diagram.
//!
//! The files are the finite task in the translator format of Fast Downward and the invariant, a line for each part. Neither
//! reader shares code with the programs that write them.

mod grounding;
mod invariant;
mod kernel;
mod layers;
mod plan;
mod task;

use counterplay_base::{Budget, Limit};

pub use grounding::{ComparedGrounding, compare_grounding};

/// What a certificate proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateClaim {
    /// There is no plan.
    Unsolvable,
    /// Every plan costs at least this, in the units of the task.
    AtLeast(u64),
}

/// What was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckedCertificate {
    pub claim: CertificateClaim,
    /// Closed states.
    pub states: usize,
    /// Estimates, each for many states.
    pub estimates: usize,
    /// Layers, each a set of states given by a diagram.
    pub layers: usize,
    /// Nodes of their diagrams.
    pub nodes: usize,
    /// Steps from closed states, and pairs of nodes of diagrams, that were looked at.
    pub steps: usize,
}

/// The files of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateFile {
    Task,
    Invariant,
    Plan,
}

impl CertificateFile {
    /// The name of the file in the folder.
    pub fn name(self) -> &'static str {
        match self {
            CertificateFile::Task => "task.sas",
            CertificateFile::Invariant => "invariant.txt",
            CertificateFile::Plan => "plan",
        }
    }
}

/// Why a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateFlaw {
    /// A file is not what it should be.
    #[error("{}:{line}: {what}", file.name())]
    Malformed { file: CertificateFile, line: usize, what: String },
    /// The files can be read, and the proof is none. The line is that of the first part that fails.
    #[error("{}:{line}: {why}", file.name())]
    Wrong { file: CertificateFile, line: usize, why: String },
    #[error("{0}")]
    Stopped(Limit),
}

impl From<Limit> for CertificateFlaw {
    fn from(limit: Limit) -> CertificateFlaw {
        CertificateFlaw::Stopped(limit)
    }
}

/// Checks an invariant for a task, both as texts.
///
/// # Errors
/// The first thing that is wrong, with its line, or the limit that was reached.
pub fn check_certificate(
    task: &str,
    invariant: &str,
    budget: &Budget,
) -> Result<CheckedCertificate, CertificateFlaw> {
    let task = task::read(task, budget)?;
    let invariant = invariant::read(invariant, &task, budget)?;
    kernel::check(&task, &invariant, budget)
}

/// Checks that a plan is one of the task, and returns its cost in the units of the task.
///
/// # Errors
/// The first thing that is wrong, with its line, or the limit that was reached.
pub fn check_task_plan(task: &str, plan: &str, budget: &Budget) -> Result<u64, CertificateFlaw> {
    plan::check(&task::read(task, budget)?, plan, budget)
}
