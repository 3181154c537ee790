//! Tasks at work: queued, started when their turn comes, followed by the page, and ended when it asks or goes away.
//!
//! A task is done by a worker, a process of its own. The studio writes the task to its input and keeps the lines that it prints. The
//! input stays open for as long as the studio lives, so a worker notices when the studio has died. The limits of all workers together
//! stay within the memory that the studio was given.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{Semaphore, mpsc, watch};

use crate::name::Name;
use crate::worker::{STOP, Task, Weight};

/// So many tasks may wait.
const LONGEST_QUEUE: usize = 64;
/// So many are remembered after their end.
const REMEMBERED: usize = 128;
/// So many small tasks run at the same time, besides the others.
const LIGHT_AT_ONCE: usize = 2;
/// So many games are kept; a new one ends the oldest.
const MOST_TALKS: usize = 8;
/// So much of what a worker tells is kept.
const MOST_EVENTS: usize = 4_000;
const MOST_BYTES: u64 = 32 << 20;
/// A worker that was asked to stop is killed after this.
const GRACE: Duration = Duration::from_secs(3);
/// A task that no page follows is ended after this.
const UNWATCHED: Duration = Duration::from_secs(10);
/// A game without a move is ended after this.
const IDLE: Duration = Duration::from_secs(1800);
/// How often that is looked at.
const LOOK: Duration = Duration::from_secs(2);
/// Small tasks take no longer than this.
const LIGHT_SECONDS: f64 = 10.0;
/// Games take no longer than this.
const TALK_SECONDS: f64 = 4.0 * 3600.0;
/// The least memory that a worker is given.
const LEAST_MEMORY: usize = 64 << 20;

/// How a task stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Account {
    pub(crate) status: Status,
    /// What the worker told: lines of JSON.
    pub(crate) events: Vec<Arc<str>>,
}

/// Where a task is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// Others are before it.
    #[default]
    Queued,
    Running,
    Ended,
}

/// One task.
pub(crate) struct Work {
    name: Name,
    weight: Weight,
    account: watch::Sender<Account>,
    stop: watch::Sender<bool>,
    input: mpsc::Sender<String>,
    touched: Mutex<Instant>,
}

impl Work {
    /// Its state now, and word of each change.
    pub(crate) fn follow(&self) -> watch::Receiver<Account> {
        self.touch();
        self.account.subscribe()
    }

    /// Ends it, whether it waits or works.
    pub(crate) fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Passes on a line of a person; `false` if the worker does not take it.
    pub(crate) fn say(&self, line: String) -> bool {
        self.touch();
        self.input.try_send(line).is_ok()
    }

    fn touch(&self) {
        *self.touched.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn is_ended(&self) -> bool {
        self.account.borrow().status == Status::Ended
    }

    /// Whether no one has looked for a while.
    fn is_left(&self) -> bool {
        let since = self.touched.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
        match self.weight {
            Weight::Talk => since > IDLE,
            Weight::Light | Weight::Heavy => {
                if self.account.receiver_count() > 0 {
                    self.touch();
                }
                since > UNWATCHED
            }
        }
    }

    fn tell(&self, line: &str) {
        self.account.send_modify(|account| {
            if account.events.len() < MOST_EVENTS {
                account.events.push(line.into());
            } else if !["{\"phase\"", "{\"bounds\"", "{\"standings\"", "{\"analysis\""]
                .iter()
                .any(|kind| line.starts_with(kind))
            {
                // What matters is kept in the place of an old report of progress.
                let half = MOST_EVENTS / 2;
                account.events[half] = line.into();
                account.events[half..].rotate_left(1);
            }
        });
    }

    fn end(&self, why: Option<&str>) {
        self.account.send_modify(|account| {
            if let Some(why) = why {
                let event = serde_json::json!({"refused": {"message": why}});
                account.events.push(event.to_string().into());
            }
            account.status = Status::Ended;
        });
    }
}

/// How many tasks run at the same time, and what they may hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Long tasks at the same time.
    pub(crate) at_once: usize,
    /// Bytes of all workers together.
    pub(crate) memory: usize,
}

impl Room {
    /// Bytes for one worker: half of the memory is for long tasks, the rest for small ones and games.
    fn memory_of(self, weight: Weight) -> usize {
        let share = match weight {
            Weight::Heavy => self.memory / 2 / self.at_once.max(1),
            Weight::Light | Weight::Talk => self.memory / 2 / (LIGHT_AT_ONCE + MOST_TALKS),
        };
        share.max(LEAST_MEMORY)
    }
}

/// All tasks.
pub(crate) struct Works {
    program: Arc<Path>,
    room: Room,
    heavy: Arc<Semaphore>,
    light: Arc<Semaphore>,
    list: Mutex<VecDeque<Arc<Work>>>,
}

impl Works {
    pub(crate) fn new(program: Arc<Path>, room: Room) -> Works {
        Works {
            program,
            room,
            heavy: Arc::new(Semaphore::new(room.at_once.max(1))),
            light: Arc::new(Semaphore::new(LIGHT_AT_ONCE)),
            list: Mutex::default(),
        }
    }

    fn list(&self) -> MutexGuard<'_, VecDeque<Arc<Work>>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a task that may take so many seconds; none if too many wait already, or if no name can be made for it.
    pub(crate) fn begin(&self, task: &Task, seconds: f64) -> Option<Name> {
        let weight = task.weight();
        let text = serde_json::to_string(task).ok()?;
        let name = Name::new().ok()?;
        let (input, lines) = mpsc::channel(16);
        let work = Arc::new(Work {
            name,
            weight,
            account: watch::Sender::new(Account::default()),
            stop: watch::Sender::new(false),
            input,
            touched: Mutex::new(Instant::now()),
        });
        self.make_room(weight)?;
        self.list().push_back(work.clone());
        let seconds = match weight {
            Weight::Light => LIGHT_SECONDS,
            Weight::Heavy => seconds,
            Weight::Talk => TALK_SECONDS,
        };
        let order =
            Order { program: self.program.clone(), memory: self.room.memory_of(weight), seconds, text };
        let turns = match weight {
            Weight::Light => Some(self.light.clone()),
            Weight::Heavy => Some(self.heavy.clone()),
            Weight::Talk => None,
        };
        tokio::spawn(attend(work, order, turns, lines));
        Some(name)
    }

    /// Forgets what ended long ago, and ends the oldest game if there are too many.
    fn make_room(&self, weight: Weight) -> Option<()> {
        let mut list = self.list();
        if list.iter().filter(|work| !work.is_ended()).count() >= LONGEST_QUEUE {
            return None;
        }
        if weight == Weight::Talk {
            let talks: Vec<_> =
                list.iter().filter(|work| work.weight == Weight::Talk && !work.is_ended()).collect();
            if talks.len() >= MOST_TALKS {
                talks[0].stop();
            }
        }
        while list.len() >= REMEMBERED {
            let oldest = list.iter().position(|work| work.is_ended())?;
            list.remove(oldest);
        }
        Some(())
    }

    pub(crate) fn find(&self, name: &str) -> Option<Arc<Work>> {
        let name = name.parse().ok()?;
        self.list().iter().find(|work| work.name == name).cloned()
    }

    /// Ends all of them.
    pub(crate) fn stop_all(&self) {
        self.list().iter().for_each(|work| work.stop());
    }
}

/// What a worker is started with.
struct Order {
    program: Arc<Path>,
    memory: usize,
    seconds: f64,
    text: String,
}

impl Order {
    /// Starts a worker. It inherits neither files nor settings, and works in the root folder.
    fn start(&self) -> io::Result<Child> {
        Command::new(&*self.program)
            .arg("worker")
            .args(["--memory-limit", &format!("{}B", self.memory)])
            .args(["--time-limit", &format!("{}ms", (1000.0 * self.seconds).round())])
            .args(["--threads", "1", "--color", "never"])
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
    }
}

/// Until a flag is set, or can be set no more.
async fn is_set(flag: &mut watch::Receiver<bool>) {
    let _ = flag.wait_for(|set| *set).await;
}

/// Until a task is asked to stop, or no one follows it any more.
async fn asked(work: &Work, stop: &mut watch::Receiver<bool>) {
    loop {
        tokio::select! {
            () = is_set(stop) => return,
            () = tokio::time::sleep(LOOK) => if work.is_left() { return },
        }
    }
}

/// Waits for a turn, starts a worker and tells what it says.
async fn attend(work: Arc<Work>, order: Order, turns: Option<Arc<Semaphore>>, lines: mpsc::Receiver<String>) {
    let mut stop = work.stop.subscribe();
    let turn = async {
        match &turns {
            Some(turns) => turns.acquire().await.ok(),
            None => None,
        }
    };
    let turn = tokio::select! {
        turn = turn => turn,
        () = asked(&work, &mut stop) => return work.end(Some("stopped before it began")),
    };
    work.account.send_modify(|account| account.status = Status::Running);
    match order.start() {
        Ok(child) => converse(&work, child, &order.text, lines, stop).await,
        Err(error) => work.end(Some(&format!("cannot start: {error}"))),
    }
    drop(turn);
}

/// Talks with a worker until it ends, and waits for its end.
async fn converse(
    work: &Arc<Work>,
    mut child: Child,
    task: &str,
    lines: mpsc::Receiver<String>,
    mut stop: watch::Receiver<bool>,
) {
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return work.end(Some("cannot talk with the worker"));
    };
    let (halt, halted) = watch::channel(false);
    let writing = tokio::spawn(write(input, task.to_owned(), lines, halted));
    let teller = work.clone();
    let reading = tokio::spawn(async move { read(output, &teller).await });
    let status = tokio::select! {
        status = child.wait() => status,
        () = asked(work, &mut stop) => {
            halt.send_replace(true);
            match tokio::time::timeout(GRACE, child.wait()).await {
                Ok(status) => status,
                Err(_) => {
                    let _ = child.kill().await;
                    child.wait().await
                }
            }
        }
    };
    let _ = reading.await;
    writing.abort();
    let died = status.is_ok_and(|status| status.code().is_none());
    let ended_well = work.account.borrow().events.last().is_some_and(|last| is_last_word(last));
    let why = match (ended_well, died) {
        (true, _) => None,
        (false, true) => Some("the worker was killed"),
        (false, false) => Some("it ended without an answer"),
    };
    work.end(why);
}

fn is_last_word(event: &str) -> bool {
    ["{\"answer\"", "{\"refused\"", "{\"stopped\"", "{\"over\""].iter().any(|word| event.starts_with(word))
}

/// Writes the task, then what a person says, and `stop` when it is time; the input stays open until then.
async fn write(
    mut input: ChildStdin,
    task: String,
    mut lines: mpsc::Receiver<String>,
    mut halted: watch::Receiver<bool>,
) {
    let mut next = task;
    loop {
        next.push('\n');
        if input.write_all(next.as_bytes()).await.is_err() || input.flush().await.is_err() {
            return;
        }
        next = tokio::select! {
            Some(line) = lines.recv() => line,
            () = is_set(&mut halted) => {
                let _ = input.write_all(format!("{STOP}\n").as_bytes()).await;
                // Until the process ends: the end of the input would end it at once.
                return std::future::pending().await;
            }
        };
    }
}

async fn read(output: ChildStdout, work: &Work) {
    let mut lines = BufReader::new(output.take(MOST_BYTES)).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        if line.starts_with('{') {
            work.tell(&line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_workers_together_stay_within_the_memory() {
        let room = Room { at_once: 3, memory: 6 << 30 };
        let heavy = 3 * room.memory_of(Weight::Heavy);
        let rest = LIGHT_AT_ONCE * room.memory_of(Weight::Light) + MOST_TALKS * room.memory_of(Weight::Talk);
        assert!(heavy + rest <= 6 << 30);
    }

    #[tokio::test]
    async fn a_program_that_cannot_be_started_is_told() {
        let works = Works::new(Path::new("/no/such/program").into(), Room { at_once: 1, memory: 1 << 30 });
        let name = works.begin(&Task::DilemmaStrategies, 1.0).expect("a name").to_string();
        let mut account = works.find(&name).expect("it is remembered").follow();
        let account =
            account.wait_for(|account| account.status == Status::Ended).await.expect("it ends").clone();
        assert!(account.events[0].contains("cannot start"), "{:?}", account.events);
    }
}
