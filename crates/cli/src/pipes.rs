//! Other programs that are spoken to in lines.
//!
//! Two threads of our own stand between us and the pipes of a program, so that neither one that says nothing nor one that
//! listens to nothing can hold us up.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel, sync_channel};
use std::thread;
use std::time::Duration;

/// A longer line is nonsense.
const LONGEST_LINE: u64 = 256;
/// Lines a program may be ahead of us before it has to wait.
const AHEAD: usize = 64;

/// How long a program may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProgramLimits {
    /// For the first answer after it was started.
    pub(crate) start: Duration,
    /// For any other answer.
    pub(crate) answer: Duration,
}

/// A program that runs.
#[derive(Debug)]
pub(crate) struct Running {
    child: RefCell<Child>,
    /// `None` once its input is closed.
    to: Option<Sender<String>>,
    from: Receiver<String>,
    /// Whether it has answered since it was started.
    has_answered: bool,
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// Its output is closed.
    Ended(String),
    /// Anything else that it did wrong.
    Wrong(String),
}

impl NoAnswer {
    pub(crate) fn words(self) -> String {
        match self {
            NoAnswer::Ended(why) | NoAnswer::Wrong(why) => why,
        }
    }
}

impl Running {
    /// Starts a program.
    pub(crate) fn launch(command: &str) -> std::io::Result<Running> {
        let mut child = Command::new("sh")
            .arg("-c")
            // The shell is replaced by the program, so that ending one ends the other.
            .arg(format!("exec {command}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let stdin = child.stdin.take().expect("stdin is piped");
        let stdout = child.stdout.take().expect("stdout is piped");
        let (to, questions) = channel();
        let (answers, from) = sync_channel(AHEAD);
        thread::Builder::new().spawn(move || write_lines(stdin, &questions))?;
        thread::Builder::new().spawn(move || read_lines(stdout, |line| answers.send(line).is_ok()))?;
        Ok(Running { child: RefCell::new(child), to: Some(to), from, has_answered: false })
    }

    /// Says a line. If its writer is gone so is the program, which the reader will tell.
    pub(crate) fn say(&self, line: &str) {
        if let Some(to) = &self.to {
            let _ = to.send(line.to_owned());
        }
    }

    /// Whether it has answered since it was started.
    pub(crate) fn has_answered(&self) -> bool {
        self.has_answered
    }

    /// Says a line, and waits for one.
    pub(crate) fn ask(&mut self, question: &str, limits: ProgramLimits) -> Result<String, NoAnswer> {
        self.say(question);
        let allowed = if self.has_answered { limits.answer } else { limits.start.max(limits.answer) };
        let answered = self.from.recv_timeout(allowed);
        self.has_answered = true;
        match answered {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => {
                Err(NoAnswer::Wrong(format!("it did not answer within {} s", allowed.as_secs_f64())))
            }
            Err(RecvTimeoutError::Disconnected) => Err(NoAnswer::Ended(self.how_it_ended())),
        }
    }

    /// Whether it waits for a match. One that said more than it was asked for would answer the questions of another match.
    pub(crate) fn is_ready(&self) -> bool {
        self.from.try_recv() == Err(TryRecvError::Empty)
    }

    fn how_it_ended(&self) -> String {
        // Its output is closed, so it is over or about to be.
        thread::sleep(Duration::from_millis(20));
        match self.child.borrow_mut().try_wait() {
            Ok(Some(status)) => format!("it ended ({status}) instead of answering"),
            _ => "it closed its output instead of answering".to_owned(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Its input ends.
        self.to = None;
        let child = self.child.get_mut();
        // A moment to end by itself; after it the program is ended.
        for _ in 0..5 {
            if let Ok(Some(_)) = child.try_wait() {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, mut take: impl FnMut(String) -> bool) {
    let mut reader = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                if !take(String::from_utf8_lossy(&line).into_owned()) {
                    return;
                }
            }
        }
    }
}

/// Splits `NAME=COMMAND`.
pub(crate) fn definition(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, command)) if !name.trim().is_empty() && !command.trim().is_empty() => {
            Ok((name.trim().to_owned(), command.trim().to_owned()))
        }
        _ => Err(format!("`{text}` is not of the form NAME=COMMAND or NAME=FILE")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_have_a_name_and_a_command() {
        assert_eq!(definition("me=./me --fast=1"), Ok(("me".to_owned(), "./me --fast=1".to_owned())));
        for text in ["me", "=x", "me=", ""] {
            assert!(definition(text).is_err(), "{text}");
        }
    }
}
