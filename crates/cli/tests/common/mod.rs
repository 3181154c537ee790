//! Running the built binary, for the end-to-end tests.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// What the binary did.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// Exit code; none if a signal ended it.
    pub(crate) code: Option<i32>,
    /// What it answered.
    pub(crate) stdout: String,
    /// What else it said.
    pub(crate) stderr: String,
    /// How long it took.
    pub(crate) took: Duration,
}

impl Outcome {
    /// The one JSON object of the answer.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.stdout.lines().count(), 1, "one object on a line: {self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// The binary with nothing of the surroundings that matters to it.
pub(crate) fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counterplay"));
    command.env_remove("NO_COLOR").env_remove("RUST_BACKTRACE").current_dir(root());
    command
}

/// The folder of the workspace; tests give paths relative to it, as the README does.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the binary with arguments that are separated by blanks.
pub(crate) fn run(arguments: &str) -> Outcome {
    run_with(arguments.split_whitespace(), "")
}

/// Runs the binary with arguments and standard input.
pub(crate) fn run_with<'a>(arguments: impl IntoIterator<Item = &'a str>, stdin: &str) -> Outcome {
    let mut child = start(arguments);
    // A process that ends before it has read everything is fine.
    let _ = child.stdin.take().expect("stdin is piped").write_all(stdin.as_bytes());
    finish(child)
}

/// Starts the binary with pipes on all sides.
pub(crate) fn start<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Child {
    let mut command = binary();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary starts")
}

/// Waits for the end.
pub(crate) fn finish(child: Child) -> Outcome {
    let started = Instant::now();
    let output = child.wait_with_output().expect("the binary ends");
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("stdout is text"),
        stderr: String::from_utf8(output.stderr).expect("stderr is text"),
        took: started.elapsed(),
    }
}

/// A folder that goes away with the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A new folder for the test of this name.
    pub(crate) fn new(test: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("counterplay-test-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).expect("there is room for a folder");
        Folder(path)
    }

    /// The path of a file in it, as text.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("the path is text").to_owned()
    }

    /// Writes a file and returns its path.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, content).expect("the file can be written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// One line of `examples/index.csv`.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// The domain file.
    pub(crate) domain: String,
    /// The problem file.
    pub(crate) problem: String,
    /// The optimal cost; none for an unsolvable problem.
    pub(crate) optimal: Option<f64>,
}

/// All bundled examples.
pub(crate) fn examples() -> Vec<Example> {
    let index = fs::read_to_string(root().join("examples/index.csv")).expect("the index is bundled");
    let example = |line: &str| {
        let mut fields = line.split(',');
        let mut field = || fields.next().expect("three fields").to_owned();
        let (folder, instance, optimal) = (field(), field(), field());
        let own = format!("examples/{folder}/{}-domain.pddl", instance.trim_end_matches(".pddl"));
        let domain = if root().join(&own).exists() { own } else { format!("examples/{folder}/domain.pddl") };
        let optimal = (optimal != "unsolvable").then(|| optimal.parse().expect("a cost"));
        Example { domain, problem: format!("examples/{folder}/{instance}"), optimal }
    };
    index.lines().skip(1).map(example).collect()
}

/// All bundled examples with preferences; `optimal` is the best value of the metric.
pub(crate) fn benefit_examples() -> Vec<Example> {
    let index = root().join("examples/net-benefit/index.csv");
    let index = fs::read_to_string(index).expect("the index is bundled");
    let example = |line: &str| {
        let mut fields = line.split(',');
        let mut field = || fields.next().expect("three fields").to_owned();
        let (folder, instance, optimal) = (field(), field(), field());
        let optimal = (optimal != "unsolvable").then(|| optimal.parse().expect("a value"));
        let folder = format!("examples/net-benefit/{folder}");
        Example { domain: format!("{folder}/domain.pddl"), problem: format!("{folder}/{instance}"), optimal }
    };
    index.lines().skip(1).map(example).collect()
}

/// Twenty-four tiles on five by five squares, well shuffled: far too hard for the seconds of a test.
pub(crate) fn hard_problem(folder: &Folder) -> (String, String) {
    let domain = "(define (domain tiles) (:requirements :strips :typing) (:types tile square)
        (:predicates (on ?t - tile ?s - square) (gap ?s - square) (next ?s ?r - square))
        (:action slide :parameters (?t - tile ?s ?r - square)
          :precondition (and (on ?t ?s) (gap ?r) (next ?s ?r))
          :effect (and (on ?t ?r) (gap ?s) (not (on ?t ?s)) (not (gap ?r)))))";
    let squares: Vec<(i32, i32)> = (0..5).flat_map(|y| (0..5).map(move |x| (x, y))).collect();
    let mut init = String::new();
    let mut goal = String::new();
    for (i, (x, y)) in squares.iter().enumerate() {
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            if squares.contains(&(x + dx, y + dy)) {
                init.push_str(&format!("(next s{x}{y} s{}{}) ", x + dx, y + dy));
            }
        }
        // Multiplying by 5 modulo 24 is an even permutation of the tiles, so the goal can be reached.
        match i {
            24 => init.push_str(&format!("(gap s{x}{y}) ")),
            _ => {
                init.push_str(&format!("(on t{} s{x}{y}) ", i * 5 % 24));
                goal.push_str(&format!("(on t{i} s{x}{y}) "));
            }
        }
    }
    let tiles: String = (0..24).map(|i| format!("t{i} ")).collect();
    let names: String = squares.iter().map(|(x, y)| format!("s{x}{y} ")).collect();
    let problem = format!(
        "(define (problem p) (:domain tiles) (:objects {tiles} - tile {names} - square) (:init {init}) (:goal (and {goal})))"
    );
    (folder.write("tiles.pddl", domain), folder.write("shuffled.pddl", problem))
}

/// Most bytes that a process ever held, asked until it ends.
#[cfg(target_os = "linux")]
pub(crate) fn peak_until_the_end(child: &mut Child) -> u64 {
    let mut peak = 0;
    while child.try_wait().expect("the process can be asked").is_none() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or(0) << 10);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    peak
}
