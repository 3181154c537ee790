//! Games against the program: a process that talks in lines of JSON and waits for lines of text.
//!
//! It prints objects; the one with `"waiting": true` ends its turn. What it printed last is kept, so that a page that is
//! loaded again finds the game as it was.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex as Lock};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::sync::Mutex;

use crate::name::Name;
use crate::offers::Job;
use crate::process::Process;

/// So many games are kept; a new one ends the oldest.
const MOST: usize = 16;
/// The program has to answer within this.
const PATIENCE: Duration = Duration::from_secs(120);
/// A line from the page is no longer than this.
const LONGEST_LINE: usize = 10_000;

/// Why a session does not go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error("cannot start: {0}")]
    Start(std::io::Error),
    #[error("the game is over or was closed")]
    Gone,
    #[error("no answer in time; the game was closed")]
    Late,
    #[error("that is not one line")]
    NotALine,
}

struct Session {
    name: Name,
    talk: Mutex<Talk>,
}

/// Both ends of the conversation.
struct Talk {
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    /// All that was printed since the game began.
    said: Vec<Value>,
    process: Process,
}

/// All games that go on.
pub(crate) struct Sessions {
    program: Arc<Path>,
    list: Lock<VecDeque<Arc<Session>>>,
}

impl Sessions {
    pub(crate) fn new(program: Arc<Path>) -> Sessions {
        Sessions { program, list: Lock::default() }
    }

    /// Starts a game; returns its name and what the program says first.
    pub(crate) async fn begin(&self, job: Job) -> Result<(Name, Vec<Value>), Trouble> {
        let name = Name::new().map_err(Trouble::Start)?;
        let mut process = Process::start(&self.program, &job).map_err(Trouble::Start)?;
        let input = process.child.stdin.take();
        let output = BufReader::new(process.child.stdout.take().expect("it is piped")).lines();
        // What it says aside is not for the page; the pipe must be drained all the same.
        if let Some(mut errors) = process.child.stderr.take() {
            tokio::spawn(async move { tokio::io::copy(&mut errors, &mut tokio::io::sink()).await });
        }
        let talk = Mutex::new(Talk { input, output, said: Vec::new(), process });
        let session = Arc::new(Session { name, talk });
        {
            let mut list = self.list.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if list.len() >= MOST {
                list.pop_front();
            }
            list.push_back(session.clone());
        }
        let said = session.talk.lock().await.listen().await?;
        Ok((name, said))
    }

    fn find(&self, name: &str) -> Result<Arc<Session>, Trouble> {
        let name: Name = name.parse().map_err(|_| Trouble::Gone)?;
        let list = self.list.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        list.iter().find(|session| session.name == name).cloned().ok_or(Trouble::Gone)
    }

    /// Says a line; returns what the program says then.
    pub(crate) async fn say(&self, name: &str, line: &str) -> Result<Vec<Value>, Trouble> {
        if line.len() > LONGEST_LINE || line.contains(['\n', '\r']) {
            return Err(Trouble::NotALine);
        }
        let session = self.find(name)?;
        let mut talk = session.talk.lock().await;
        let input = talk.input.as_mut().ok_or(Trouble::Gone)?;
        let line = format!("{line}\n");
        if input.write_all(line.as_bytes()).await.is_err() || input.flush().await.is_err() {
            talk.input = None;
            return Err(Trouble::Gone);
        }
        talk.listen().await
    }

    /// All that was said in a game.
    pub(crate) async fn recall(&self, name: &str) -> Result<Vec<Value>, Trouble> {
        let session = self.find(name)?;
        let talk = session.talk.lock().await;
        Ok(talk.said.clone())
    }

    /// Ends all games.
    pub(crate) fn close_all(&self) {
        self.list.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clear();
    }
}

impl Talk {
    /// Listens until it is our turn, or the program has ended.
    async fn listen(&mut self) -> Result<Vec<Value>, Trouble> {
        let before = self.said.len();
        let turn = async {
            while let Ok(Some(line)) = self.output.next_line().await {
                let Ok(value) = serde_json::from_str::<Value>(&line) else { continue };
                let waits = value["waiting"] == true;
                self.said.push(value);
                if waits {
                    return;
                }
            }
            self.input = None;
        };
        if tokio::time::timeout(PATIENCE, turn).await.is_err() {
            self.input = None;
            let _ = self.process.child.start_kill();
            return Err(Trouble::Late);
        }
        Ok(self.said[before..].to_vec())
    }
}
