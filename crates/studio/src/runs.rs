//! Runs: queued, started when their turn comes, followed by the page, stopped when it asks.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::sync::{Semaphore, watch};

use crate::name::Name;
use crate::offers::Job;
use crate::process::{Process, interrupt};

/// So many runs may wait.
const LONGEST_QUEUE: usize = 32;
/// So many are remembered after their end.
const REMEMBERED: usize = 64;
/// So much of what a run says is kept: lines, and bytes of the answer.
const MOST_LINES: usize = 2_000;
const MOST_BYTES: u64 = 64 << 20;
/// A run that was asked to stop is killed after this.
const GRACE: Duration = Duration::from_secs(5);

/// How a run stands.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Account {
    pub(crate) status: Status,
    /// What it said on the way.
    pub(crate) lines: Vec<String>,
    /// The answer as it was printed.
    pub(crate) answer: Option<String>,
    pub(crate) exit: Option<i32>,
    pub(crate) seconds: f64,
}

/// Where a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// Others are before it.
    #[default]
    Queued,
    /// At work.
    Running,
    /// It has ended.
    Ended,
}

/// One run.
pub(crate) struct Run {
    name: Name,
    account: watch::Sender<Account>,
    stop: watch::Sender<bool>,
}

impl Run {
    /// Its state now, and word of each change.
    pub(crate) fn follow(&self) -> watch::Receiver<Account> {
        self.account.subscribe()
    }

    /// Ends it, whether it waits or works.
    pub(crate) fn stop(&self) {
        self.stop.send_replace(true);
    }

    fn say(&self, line: String) {
        self.account.send_modify(|account| {
            if account.lines.len() < MOST_LINES {
                account.lines.push(line);
            }
        });
    }

    fn end(&self, exit: Option<i32>, answer: Option<String>, seconds: f64) {
        self.account.send_modify(|account| {
            account.status = Status::Ended;
            account.exit = exit;
            account.answer = answer;
            account.seconds = seconds;
        });
    }
}

/// All runs.
pub(crate) struct Runs {
    program: Arc<Path>,
    turns: Arc<Semaphore>,
    list: Mutex<VecDeque<Arc<Run>>>,
}

impl Runs {
    pub(crate) fn new(program: Arc<Path>, at_once: usize) -> Runs {
        Runs { program, turns: Arc::new(Semaphore::new(at_once.max(1))), list: Mutex::default() }
    }

    fn list(&self) -> MutexGuard<'_, VecDeque<Arc<Run>>> {
        self.list.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Queues a job; none if too many wait already, or if no name can be made for it.
    pub(crate) fn begin(&self, job: Job) -> Option<Name> {
        let mut list = self.list();
        let ended = |run: &Arc<Run>| run.account.borrow().status == Status::Ended;
        if list.iter().filter(|run| !ended(run)).count() >= LONGEST_QUEUE {
            return None;
        }
        while list.len() >= REMEMBERED {
            let oldest = list.iter().position(ended)?;
            list.remove(oldest);
        }
        let name = Name::new().ok()?;
        let run = Arc::new(Run {
            name,
            account: watch::Sender::new(Account::default()),
            stop: watch::Sender::new(false),
        });
        list.push_back(run.clone());
        tokio::spawn(work(run, job, self.program.clone(), self.turns.clone()));
        Some(name)
    }

    pub(crate) fn find(&self, name: &str) -> Option<Arc<Run>> {
        let name = name.parse().ok()?;
        self.list().iter().find(|run| run.name == name).cloned()
    }

    /// Ends all of them.
    pub(crate) fn stop_all(&self) {
        self.list().iter().for_each(|run| run.stop());
    }
}

/// Until a run is asked to stop.
async fn asked(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// Waits for a turn, runs the job, and tells what happens.
async fn work(run: Arc<Run>, job: Job, program: Arc<Path>, turns: Arc<Semaphore>) {
    let mut stop = run.stop.subscribe();
    let turn = tokio::select! {
        turn = turns.acquire() => turn,
        () = asked(&mut stop) => {
            run.say("stopped before it began".to_owned());
            run.end(None, None, 0.0);
            return;
        }
    };
    let begun = Instant::now();
    run.account.send_modify(|account| account.status = Status::Running);
    match Process::start(&program, &job) {
        Ok(process) => attend(&run, process, stop, begun).await,
        Err(error) => {
            run.say(format!("cannot start: {error}"));
            run.end(None, None, 0.0);
        }
    }
    drop(turn);
}

/// Reads what a process says until it ends.
async fn attend(run: &Arc<Run>, mut process: Process, mut stop: watch::Receiver<bool>, begun: Instant) {
    let errors = process.child.stderr.take().expect("it is piped");
    let talker = run.clone();
    let listening = tokio::spawn(async move {
        let mut lines = BufReader::new(errors).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            talker.say(line);
        }
    });
    let output = process.child.stdout.take().expect("it is piped");
    let reading = tokio::spawn(async move {
        let mut bytes = Vec::new();
        let mut output = output.take(MOST_BYTES);
        output.read_to_end(&mut bytes).await.map(|_| String::from_utf8_lossy(&bytes).into_owned())
    });
    let status = tokio::select! {
        status = process.child.wait() => status,
        () = asked(&mut stop) => {
            if let Some(id) = process.child.id() {
                interrupt(id);
            }
            match tokio::time::timeout(GRACE, process.child.wait()).await {
                Ok(status) => status,
                Err(_) => {
                    let _ = process.child.kill().await;
                    process.child.wait().await
                }
            }
        }
    };
    let _ = listening.await;
    let answer = reading.await.ok().and_then(Result::ok).filter(|text| !text.is_empty());
    run.end(status.ok().and_then(|status| status.code()), answer, begun.elapsed().as_secs_f64());
}
