//! A strategy that is another program, spoken to in lines.
//!
//! Two threads of our own stand between us and its pipes, so that neither a program that says nothing nor one that
//! listens to nothing can hold us up. When it fails, it is ended, and the match has no score.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use counterplay::dilemma::{Chance, Fault, History, Move, Setting, Strategy};

/// A longer line is nonsense.
const LONGEST_LINE: u64 = 256;
/// Lines a program may be ahead of us before it has to wait.
const AHEAD: usize = 64;

/// A program in a match.
#[derive(Debug)]
pub(super) struct Program {
    running: Option<Running>,
    timeout: Duration,
    fault: Option<Fault>,
}

#[derive(Debug)]
struct Running {
    child: RefCell<Child>,
    to: Sender<String>,
    from: Receiver<String>,
}

impl Program {
    /// Starts a program for one match.
    pub(super) fn start(command: &str, timeout: Duration, setting: &Setting) -> Program {
        let mut program = Program { running: None, timeout, fault: None };
        match launch(command) {
            Ok(running) => {
                let turns = setting.turns.map_or("?".to_owned(), |turns| turns.to_string());
                let [r, s, t, p] = setting.payoffs.by_outcome();
                let _ = running.to.send(format!("match {turns} {} {r} {s} {t} {p}", setting.noise));
                program.running = Some(running);
            }
            Err(error) => program.fail(1, format!("it cannot be started: {error}")),
        }
        program
    }

    fn fail(&mut self, turn: usize, why: String) {
        self.running = None;
        self.fault = Some(Fault { turn, why });
    }

    /// Asks for a move.
    fn ask(&self, question: String) -> Result<Move, String> {
        let Some(running) = &self.running else { return Ok(Move::D) };
        // If its writer is gone so is the program, which the reader will tell.
        let _ = running.to.send(question);
        match running.from.recv_timeout(self.timeout) {
            Ok(line) => match line.trim() {
                "C" | "c" => Ok(Move::C),
                "D" | "d" => Ok(Move::D),
                other => Err(format!("it answered {other:?} instead of C or D")),
            },
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("it did not answer within {} s", self.timeout.as_secs_f64()))
            }
            Err(RecvTimeoutError::Disconnected) => Err(running.how_it_ended()),
        }
    }
}

impl Strategy for Program {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let question = match history.outcome_ago(1) {
            None => "start".to_owned(),
            Some((own, other)) => format!("{own} {other}"),
        };
        self.ask(question).unwrap_or_else(|why| {
            self.fail(history.turns() + 1, why);
            Move::D
        })
    }

    fn fault(&self) -> Option<Fault> {
        self.fault.clone()
    }
}

impl Running {
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
        let _ = self.to.send("end".to_owned());
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

fn launch(command: &str) -> std::io::Result<Running> {
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
    Ok(Running { child: RefCell::new(child), to, from })
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
