//! A strategy that is another program, spoken to in lines.
//!
//! A program stays alive from match to match: starting it may take longer than all of its moves. One that ends with its match is started
//! anew for the next. Two threads of our own stand between us and its pipes, so that neither a program that says nothing nor one that
//! listens to nothing can hold us up. When it fails, it is ended, and none of its matches has a score.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use counterplay::dilemma::{Chance, Fault, History, Move, Setting, Strategy};

/// A longer line is nonsense.
const LONGEST_LINE: u64 = 256;
/// Lines a program may be ahead of us before it has to wait.
const AHEAD: usize = 64;

/// How long a program may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProgramLimits {
    /// For the first answer after it was started.
    pub(super) start: Duration,
    /// For any other answer.
    pub(super) answer: Duration,
}

/// The running copies of one program: matches are played at the same time, and each has a copy to itself.
#[derive(Debug)]
pub(super) struct ProgramPool {
    command: String,
    limits: ProgramLimits,
    state: Mutex<PoolState>,
}

#[derive(Debug, Default)]
struct PoolState {
    idle: Vec<Running>,
    /// What a copy did wrong. From then on no match of the program counts, and none is played.
    failed: Option<String>,
}

impl ProgramPool {
    pub(super) fn new(command: String, limits: ProgramLimits) -> ProgramPool {
        ProgramPool { command, limits, state: Mutex::default() }
    }

    /// An idle copy, or a new one.
    fn take(&self) -> Result<Running, String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(why) = &state.failed {
            return Err(why.clone());
        }
        while let Some(running) = state.idle.pop() {
            if running.is_ready() {
                return Ok(running);
            }
        }
        drop(state);
        self.launch()
    }

    fn launch(&self) -> Result<Running, String> {
        launch(&self.command).map_err(|error| format!("it cannot be started: {error}"))
    }

    fn give_back(&self, running: Running) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).idle.push(running);
    }

    fn note_failure(&self, why: &str) {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .failed
            .get_or_insert_with(|| why.to_owned());
    }
}

/// A program in a match.
#[derive(Debug)]
pub(super) struct Program {
    pool: Arc<ProgramPool>,
    /// The line that begins the match.
    opening: String,
    running: Option<Running>,
    fault: Option<Fault>,
}

#[derive(Debug)]
struct Running {
    child: RefCell<Child>,
    /// `None` once its input is closed.
    to: Option<Sender<String>>,
    from: Receiver<String>,
    /// Whether it has answered since it was started.
    has_answered: bool,
}

impl Program {
    /// A copy of a program for one match.
    pub(super) fn start(pool: &Arc<ProgramPool>, setting: &Setting) -> Program {
        let turns = setting.turns.map_or("?".to_owned(), |turns| turns.to_string());
        let [r, s, t, p] = setting.payoffs.by_outcome();
        let opening = format!("match {turns} {} {r} {s} {t} {p}", setting.noise);
        let mut program = Program { pool: Arc::clone(pool), opening, running: None, fault: None };
        match pool.take() {
            Ok(running) => {
                running.say(&program.opening);
                program.running = Some(running);
            }
            Err(why) => program.fail(1, why),
        }
        program
    }

    fn fail(&mut self, turn: usize, why: String) {
        self.running = None;
        self.pool.note_failure(&why);
        self.fault = Some(Fault { turn, why });
    }

    /// Asks for a move. A program that ended with its last match is started again.
    fn ask(&mut self, question: &str) -> Result<Move, String> {
        let Some(running) = &mut self.running else { return Ok(Move::D) };
        let was_used = running.has_answered;
        match running.ask(question, self.pool.limits) {
            Err(NoAnswer::Ended(_)) if was_used && question == "start" => {
                let mut running = self.pool.launch()?;
                running.say(&self.opening);
                let answered = running.ask(question, self.pool.limits);
                self.running = Some(running);
                answered.map_err(NoAnswer::words)
            }
            answered => answered.map_err(NoAnswer::words),
        }
    }
}

impl Strategy for Program {
    fn choose(&mut self, history: &History<'_>, _: &mut Chance) -> Move {
        let question = match history.outcome_ago(1) {
            None => "start".to_owned(),
            Some((own, other)) => format!("{own} {other}"),
        };
        self.ask(&question).unwrap_or_else(|why| {
            self.fail(history.turns() + 1, why);
            Move::D
        })
    }

    fn fault(&self) -> Option<Fault> {
        self.fault.clone()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.say("end");
            self.pool.give_back(running);
        }
    }
}

/// Why there is no move.
enum NoAnswer {
    /// Its output is closed.
    Ended(String),
    /// Anything else that it did wrong.
    Wrong(String),
}

impl NoAnswer {
    fn words(self) -> String {
        match self {
            NoAnswer::Ended(why) | NoAnswer::Wrong(why) => why,
        }
    }
}

impl Running {
    /// Says a line. If its writer is gone so is the program, which the reader will tell.
    fn say(&self, line: &str) {
        if let Some(to) = &self.to {
            let _ = to.send(line.to_owned());
        }
    }

    fn ask(&mut self, question: &str, limits: ProgramLimits) -> Result<Move, NoAnswer> {
        self.say(question);
        let allowed = if self.has_answered { limits.answer } else { limits.start.max(limits.answer) };
        let answered = self.from.recv_timeout(allowed);
        self.has_answered = true;
        match answered {
            Ok(line) => match line.trim() {
                "C" | "c" => Ok(Move::C),
                "D" | "d" => Ok(Move::D),
                other => Err(NoAnswer::Wrong(format!("it answered {other:?} instead of C or D"))),
            },
            Err(RecvTimeoutError::Timeout) => {
                Err(NoAnswer::Wrong(format!("it did not answer within {} s", allowed.as_secs_f64())))
            }
            Err(RecvTimeoutError::Disconnected) => Err(NoAnswer::Ended(self.how_it_ended())),
        }
    }

    /// Whether it waits for a match. One that said more than it was asked for would answer the questions of another match.
    fn is_ready(&self) -> bool {
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
    Ok(Running { child: RefCell::new(child), to: Some(to), from, has_answered: false })
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
