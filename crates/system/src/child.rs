//! One process: what it printed, how it ended, and what it used.
//!
//! CPU time and peak memory come from the operating system when it reaps the process (`wait4`), children of the
//! process included, so a planner that is a script around a binary is measured as a whole.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What became of a process.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Its exit code; `None` if a signal ended it, ours or another.
    pub code: Option<i32>,
    /// Whether we ended it, because it took too long or was cancelled.
    pub killed: bool,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// What it printed to stdout.
    pub stdout: String,
    /// The end of what it printed to stderr, if that was asked for.
    pub stderr: String,
    /// Wall time.
    pub wall: Duration,
    /// CPU time of the process and its children.
    pub cpu: Duration,
    /// Most bytes resident at once, in the largest of the processes.
    pub peak_memory: u64,
}

/// How much of stderr is kept.
const STDERR_KEPT: usize = 16 << 10;

/// Runs a command to its end, or ends it and its children after `patience`. What it prints to stderr is dropped.
pub fn run(command: &mut Command, patience: Duration) -> io::Result<Outcome> {
    wait(command.stderr(Stdio::null()), patience, &|| false)
}

/// The same, with the end of stderr; the command is also ended when `is_cancelled` says so, or when the thread that started it ends.
pub fn run_watched(
    command: &mut Command,
    patience: Duration,
    is_cancelled: &dyn Fn() -> bool,
) -> io::Result<Outcome> {
    end_with_parent(command);
    wait(command.stderr(Stdio::piped()), patience, is_cancelled)
}

/// Lets the kernel end the command when we are ended, so that nothing is left over from a run that was killed.
fn end_with_parent(command: &mut Command) {
    #[cfg(target_os = "linux")]
    // SAFETY: between fork and exec only one system call is made, which takes numbers and allocates nothing.
    unsafe {
        command.pre_exec(|| match libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        });
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// Reads a pipe to its end and keeps the last so many bytes.
fn reader(mut pipe: impl Read + Send + 'static, most: usize) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut block = [0; 1 << 16];
        // What was read before an error is still worth reading.
        while let Ok(count @ 1..) = pipe.read(&mut block) {
            bytes.extend_from_slice(&block[..count]);
            if bytes.len() / 2 > most {
                bytes.drain(..bytes.len() - most);
            }
        }
        bytes.drain(..bytes.len().saturating_sub(most));
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn wait(command: &mut Command, patience: Duration, is_cancelled: &dyn Fn() -> bool) -> io::Result<Outcome> {
    let started = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).process_group(0).spawn()?;
    let stdout = reader(child.stdout.take().expect("stdout is piped"), usize::MAX);
    let stderr = child.stderr.take().map(|pipe| reader(pipe, STDERR_KEPT));
    let process = libc::pid_t::try_from(child.id()).expect("process ids fit");
    let mut killed = false;
    let mut pause = Duration::from_micros(200);
    let (status, usage) = loop {
        if let Some(end) = reap(process)? {
            break end;
        }
        if !killed && (started.elapsed() > patience || is_cancelled()) {
            killed = true;
            // SAFETY: a signal to the group that we made for this child; no memory is involved.
            unsafe { libc::kill(-process, libc::SIGKILL) };
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    };
    let wall = started.elapsed();
    // Children of the child may hold its pipes open; without them it has ended as well.
    // SAFETY: as above; the group has no other members.
    unsafe { libc::kill(-process, libc::SIGKILL) };
    Ok(Outcome {
        code: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        killed,
        signal: libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.and_then(|stderr| stderr.join().ok()).unwrap_or_default(),
        wall,
        cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
        // Linux counts kibibytes.
        peak_memory: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
    })
}

/// Asks whether the process has ended, and how.
fn reap(process: libc::pid_t) -> io::Result<Option<(i32, libc::rusage)>> {
    let mut status = 0;
    // SAFETY: `rusage` is plain numbers, for which zeros are valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live, writable values of the right types. The process is our own child and is
    // reaped nowhere else: the `Child` that std keeps for it is never waited for.
    match unsafe { libc::wait4(process, &raw mut status, libc::WNOHANG, &raw mut usage) } {
        0 => Ok(None),
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(Some((status, usage))),
    }
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec.max(0) as u64) + Duration::from_micros(time.tv_usec.max(0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, patience: Duration) -> Outcome {
        run(Command::new("sh").args(["-c", script]), patience).expect("there is a shell")
    }

    #[test]
    fn output_and_code_come_back() {
        let outcome = shell("echo hello; exit 3", Duration::from_secs(20));
        assert_eq!((outcome.stdout.as_str(), outcome.code, outcome.killed), ("hello\n", Some(3), false));
        assert!(outcome.peak_memory > 0);
    }

    #[test]
    fn who_takes_too_long_is_ended_with_its_children() {
        let outcome = shell("sleep 100 & sleep 100", Duration::from_millis(50));
        assert!(outcome.killed && outcome.code.is_none());
        assert!(outcome.wall < Duration::from_secs(10));
    }

    #[test]
    fn stderr_is_kept_and_a_signal_is_told() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo oops >&2; kill -9 $$"]);
        let outcome =
            run_watched(&mut command, Duration::from_secs(20), &|| false).expect("there is a shell");
        assert_eq!((outcome.stderr.as_str(), outcome.signal, outcome.killed), ("oops\n", Some(9), false));
        let mut command = Command::new("sleep");
        let outcome = run_watched(command.arg("100"), Duration::from_secs(200), &|| true).expect("sleep");
        assert!(outcome.killed);
    }

    #[test]
    fn work_is_counted_children_included() {
        let script = "i=0; (while [ $i -lt 60000 ]; do i=$((i+1)); done)";
        let outcome = shell(script, Duration::from_secs(60));
        assert!(outcome.cpu > Duration::from_millis(5), "{:?}", outcome.cpu);
    }
}
