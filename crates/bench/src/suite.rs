//! Running planners on problems, one row each.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs};

use serde_json::Value;

use crate::problems::Instance;
use counterplay_system::child::{self, Outcome};

/// What a planner said and what it took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// `solved`, `unsolvable`, `stopped`; or how it failed: `exit 2`, `killed`, `signal`.
    pub verdict: String,
    /// The cost of its plan; with preferences, the value of its metric.
    pub cost: Option<f64>,
    /// The number of steps.
    pub length: Option<u64>,
    /// The number of pairs of its policy.
    pub size: Option<u64>,
    /// What ran, in its own words.
    pub ran: String,
    /// Seconds of parsing, grounding, searching and checking, as it says itself.
    pub phases: [Option<f64>; 4],
    /// Most diagram nodes alive at once, as it says itself.
    pub peak_nodes: Option<u64>,
    /// Wall seconds.
    pub wall: f64,
    /// CPU seconds.
    pub cpu: f64,
    /// Most bytes resident.
    pub peak_memory: u64,
}

/// The names of [`Run::phases`].
pub const PHASES: [&str; 4] = ["parse", "ground", "search", "check"];

impl Run {
    /// Whether there is a plan.
    pub fn is_solved(&self) -> bool {
        self.verdict == "solved"
    }

    /// Whether there is a plan, or the proof that there is none.
    pub fn is_answered(&self) -> bool {
        self.is_solved() || self.verdict == "unsolvable"
    }

    fn of(outcome: &Outcome) -> Run {
        let verdict = match outcome.code {
            _ if outcome.killed => "killed".to_owned(),
            Some(code) => format!("exit {code}"),
            None => "signal".to_owned(),
        };
        Run {
            verdict,
            wall: outcome.wall.as_secs_f64(),
            cpu: outcome.cpu.as_secs_f64(),
            peak_memory: outcome.peak_memory,
            ..Run::default()
        }
    }
}

/// How the `counterplay` binary is run.
#[derive(Clone, Debug)]
pub struct Planner {
    /// The binary.
    pub binary: PathBuf,
    /// Seconds that it may take.
    pub limit: f64,
    /// Memory that it may take, as its option wants it.
    pub memory: String,
    /// More options for `solve`.
    pub options: Vec<String>,
}

impl Planner {
    /// Runs it on one problem.
    pub fn run(&self, domain: &Path, problem: &Path) -> io::Result<Run> {
        let mut command = Command::new(&self.binary);
        command.arg("solve").arg(domain).arg(problem).arg("--json");
        command.args(["--time-limit", &format!("{}s", self.limit), "--memory-limit", &self.memory]);
        command.args(&self.options);
        // It keeps its limit by itself; we wait far beyond, so that a failure to do so shows.
        let outcome = child::run(&mut command, patience(self.limit))?;
        Ok(read_answer(&outcome))
    }
}

fn patience(limit: f64) -> Duration {
    Duration::try_from_secs_f64(limit * 1.5 + 10.0).unwrap_or(Duration::MAX)
}

/// Reads what `solve --json` printed.
fn read_answer(outcome: &Outcome) -> Run {
    let mut run = Run::of(outcome);
    let Ok(answer) = serde_json::from_str::<Value>(&outcome.stdout) else { return run };
    if let Some(verdict) = answer["verdict"].as_str() {
        run.verdict = verdict.to_owned();
    }
    let value = if answer["kind"] == "net-benefit" { "metric" } else { "cost" };
    run.cost = answer[value].as_f64();
    run.length = answer["length"].as_u64();
    if answer["kind"] == "policy" {
        run.size = answer["policy"].as_array().map(|pairs| pairs.len() as u64);
    }
    run.ran = answer["search"]["ran"].as_str().unwrap_or_default().to_owned();
    run.peak_nodes = answer["search"]["peak_nodes"].as_u64();
    run.phases = PHASES.map(|phase| answer["phases"][phase].as_f64());
    run
}

/// Another planner, to be run beside ours: `name=command`, where `{domain}`, `{problem}` and `{plan}` stand for
/// the files. The command goes through the shell; it has found a plan if the plan file is there at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// Its name in the tables.
    pub name: String,
    /// What the shell runs.
    pub command: String,
}

impl Peer {
    /// Reads `name=command`.
    pub fn parse(text: &str) -> Result<Peer, String> {
        match text.split_once('=') {
            Some((name, command)) if !name.is_empty() && command.contains("{problem}") => {
                Ok(Peer { name: name.to_owned(), command: command.to_owned() })
            }
            _ => Err("write NAME=COMMAND with {domain}, {problem} and {plan} in the command".to_owned()),
        }
    }

    /// Runs it on one problem, in a folder of its own since planners leave files about.
    pub fn run(&self, domain: &Path, problem: &Path, limit: f64) -> io::Result<Run> {
        let folder = env::temp_dir().join(format!("counterplay-bench-{}-{}", std::process::id(), self.name));
        fs::create_dir_all(&folder)?;
        let plan = folder.join("plan");
        // A plan of the problem before must not pass for this one's.
        let _ = fs::remove_file(&plan);
        let script = self
            .command
            .replace("{domain}", "\"$1\"")
            .replace("{problem}", "\"$2\"")
            .replace("{plan}", "\"$3\"");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh"]).args([domain, problem, &plan]).current_dir(&folder);
        let allowed = Duration::try_from_secs_f64(limit).unwrap_or(Duration::MAX);
        let outcome = child::run(&mut command, allowed)?;
        let mut run = Run::of(&outcome);
        if let Some((cost, length)) = fs::read_to_string(&plan).ok().as_deref().and_then(cost_of_plan) {
            run.verdict = "solved".to_owned();
            run.cost = Some(cost);
            run.length = Some(length);
        }
        fs::remove_dir_all(&folder)?;
        Ok(run)
    }
}

/// Cost and length of a plan in the format of the planning competitions.
fn cost_of_plan(text: &str) -> Option<(f64, u64)> {
    let comment = text.lines().rev().find_map(|line| line.trim().strip_prefix("; cost ="))?;
    let cost = comment.split_whitespace().next()?.parse().ok()?;
    Some((cost, text.lines().filter(|line| line.trim_start().starts_with('(')).count() as u64))
}

/// One problem with all runs on it.
#[derive(Clone, Debug)]
pub struct Row {
    /// The problem.
    pub instance: Instance,
    /// Our run.
    pub own: Run,
    /// The runs of the peers, in their order.
    pub peers: Vec<Run>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(stdout: &str, code: i32) -> Outcome {
        Outcome {
            code: Some(code),
            killed: false,
            signal: None,
            stdout: stdout.to_owned(),
            stderr: String::new(),
            wall: Duration::from_millis(20),
            cpu: Duration::from_millis(10),
            peak_memory: 1 << 20,
        }
    }

    #[test]
    fn an_answer_is_read() {
        let text = r#"{"verdict":"solved","cost":31.5,"length":23,"search":{"ran":"x","peak_nodes":7},
            "phases":{"parse":0.1,"ground":0.2,"search":0.3,"check":null}}"#;
        let run = read_answer(&outcome(text, 0));
        assert!(run.is_solved());
        assert_eq!((run.cost, run.length, run.peak_nodes), (Some(31.5), Some(23), Some(7)));
        assert_eq!(run.phases, [Some(0.1), Some(0.2), Some(0.3), None]);
    }

    #[test]
    fn a_failure_is_named() {
        assert_eq!(read_answer(&outcome("", 2)).verdict, "exit 2");
        assert_eq!(read_answer(&outcome("{\"verdict\":\"stopped\"}", 3)).verdict, "stopped");
    }

    #[test]
    fn plans_of_peers_are_read() {
        assert_eq!(cost_of_plan("(a b)\n(c)\n; cost = 2 (unit cost)\n"), Some((2.0, 2)));
        assert_eq!(cost_of_plan("(a b)\n"), None);
    }

    #[test]
    fn a_peer_is_a_command() {
        let peer = Peer::parse("echo=cat {problem} > {plan}").unwrap();
        assert!(Peer::parse("nothing").is_err());
        let file = env::temp_dir().join(format!("counterplay-bench-test-{}", std::process::id()));
        fs::write(&file, "(a)\n; cost = 1 (unit cost)\n").unwrap();
        let run = peer.run(&file, &file, 20.0).unwrap();
        fs::remove_file(&file).unwrap();
        assert_eq!((run.is_solved(), run.cost), (true, Some(1.0)));
    }
}
