//! One run of the program: an empty folder with the texts, a child process in it, and its end.

use std::io;
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::offers::Job;

/// A child and the folder it works in, which goes with it.
pub(crate) struct Process {
    pub(crate) child: Child,
    _folder: TempDir,
}

impl Process {
    /// Starts the program on a job.
    pub(crate) fn start(program: &Path, job: &Job) -> io::Result<Process> {
        let folder = tempfile::Builder::new().prefix("counterplay-").tempdir()?;
        for (name, text) in &job.files {
            std::fs::write(folder.path().join(name), text)?;
        }
        let child = Command::new(program)
            .args(&job.arguments)
            .current_dir(folder.path())
            .stdin(if job.talks { Stdio::piped() } else { Stdio::null() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        Ok(Process { child, _folder: folder })
    }
}

/// Asks a process to stop; it still tells how far it got.
pub(crate) fn interrupt(id: u32) {
    // SAFETY: `kill` takes two numbers and touches no memory of ours. The child is ours and has not been waited for,
    // so the number is still its own.
    unsafe {
        libc::kill(id as libc::pid_t, libc::SIGINT);
    }
}
