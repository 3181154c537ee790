//! `counterplay batch`, end to end.

mod common;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use common::{Folder, binary, finish, run_with, start};
use serde_json::Value;

const MATCHES: &str = r#"
seed = 3
[[job]]
name = "match"
command = ["dilemma", "match", "{one}", "{other}", "--turns", "20", "--noise", "0.1"]
[job.grid]
one = ["TitForTat", "Defector", "Random"]
other = ["Cooperator", "Random"]
"#;

fn batch(folder: &Folder, text: &str) -> String {
    folder.write("batch.toml", text)
}

fn json(arguments: &[&str], code: i32) -> Value {
    let outcome = run_with(arguments.iter().copied().chain(["--json"]), "");
    assert_eq!(outcome.code, Some(code), "{outcome:?}");
    outcome.json()
}

#[test]
fn any_number_of_workers_comes_to_the_same_table() {
    let folder = Folder::new("batch-workers");
    let file = batch(&folder, MATCHES);
    let mut tables = Vec::new();
    for workers in ["1", "3"] {
        let results = PathBuf::from(folder.path(&format!("results-{workers}")));
        let results = results.to_str().expect("text");
        let status = json(&["batch", &file, "--workers", workers, "--results", results], 0);
        assert_eq!((&status["done"], &status["outcomes"]["found"]), (&6.into(), &6.into()), "{status}");
        let table = run_with(["batch", "table", &file, "--without-measured", "--results", results], "");
        assert_eq!(table.stdout.lines().count(), 7, "{table:?}");
        tables.push(table.stdout);
    }
    assert_eq!(tables[0], tables[1]);
}

#[test]
fn only_what_is_missing_or_damaged_is_run() {
    let folder = Folder::new("batch-resume");
    let file = batch(&folder, MATCHES);
    let jobs = PathBuf::from(folder.path("batch.results/jobs"));
    json(&["batch", &file], 0);
    let read = || {
        let mut all: Vec<_> =
            fs::read_dir(&jobs).expect("readable").flatten().map(|entry| entry.path()).collect();
        all.sort();
        all.into_iter().map(|path| (fs::read(&path).expect("readable"), path)).collect::<Vec<_>>()
    };
    let before = read();
    assert_eq!(before.len(), 6);
    // One result is lost, one is cut off, one belongs to another job; nothing else is run again.
    fs::remove_file(&before[0].1).expect("removable");
    fs::write(&before[1].1, &before[1].0[..50]).expect("writable");
    fs::write(&before[2].1, &before[3].0).expect("writable");
    let status = json(&["batch", "status", &file], 3);
    assert_eq!((&status["done"], &status["missing"]), (&3.into(), &3.into()));
    assert_eq!(status["damaged"].as_array().map(Vec::len), Some(2), "{status}");
    let table = json(&["batch", "table", &file], 0);
    let count = |outcome: &str| {
        table["rows"].as_array().expect("rows").iter().filter(|row| row["outcome"] == outcome).count()
    };
    assert_eq!((count("found"), count("missing"), count("damaged")), (3, 1, 2));
    json(&["batch", &file], 0);
    let after = read();
    assert_eq!(after.len(), 6);
    assert!(before[3..] == after[3..], "results that were there are not touched");
}

#[test]
fn failures_have_their_reason_and_files_are_kept() {
    let folder = Folder::new("batch-failures");
    let text = r#"
        [limits]
        time = "20s"
        [[job]]
        name = "bad"
        command = ["solve", "no-domain.pddl", "no-problem.pddl"]
        [[job]]
        name = "killed"
        program = "sh"
        command = ["-c", "kill -9 $$"]
        [[job]]
        name = "text"
        program = "sh"
        command = ["-c", "echo hello; echo kept > {output}/note; test -d {scratch}; exit {code}"]
        grid = { code = [0, 7] }
    "#;
    let file = batch(&folder, text);
    let status = json(&["batch", &file], 3);
    assert_eq!((&status["done"], &status["missing"]), (&3.into(), &1.into()), "{status}");
    let failures: Vec<&String> = status["failures"].as_object().expect("an object").keys().collect();
    assert_eq!(failures.len(), 3, "{status}");
    for (failure, part) in
        failures.iter().zip(["bad: error: cannot read no-domain.pddl", "failed: ", "killed: signal 9"])
    {
        assert!(failure.starts_with(part), "{failure}");
    }
    let kept = fs::read_dir(PathBuf::from(folder.path("batch.results/files"))).expect("kept").flatten();
    assert!(
        kept.map(|job| fs::read_to_string(job.path().join("note")).expect("kept"))
            .all(|note| note == "kept\n")
    );
    let table = json(&["batch", "table", &file], 0);
    assert_eq!(table["rows"][2]["answer"], "hello\n");
}

#[test]
fn an_interrupted_batch_goes_on_and_a_second_run_waits() {
    let folder = Folder::new("batch-interrupt");
    let text = r#"
        [[job]]
        program = "sh"
        command = ["-c", "sleep {time}; echo {time}"]
        grid = { time = [0, 0.1, 30] }
    "#;
    let file = batch(&folder, text);
    let child = start(["batch", &file, "--workers", "1", "--json"]);
    let jobs = PathBuf::from(folder.path("batch.results/jobs"));
    let started = Instant::now();
    while fs::read_dir(&jobs).map_or(0, Iterator::count) < 2 && started.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let second = run_with(["batch", &file], "");
    assert_eq!(second.code, Some(2), "{second:?}");
    assert!(second.stderr.contains("another run"), "{second:?}");
    // SAFETY: a signal to a child of ours; no memory is involved.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let outcome = finish(child);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    assert!(outcome.took < Duration::from_secs(10), "{outcome:?}");
    assert_eq!(outcome.json()["missing"], 1);
    assert_eq!(fs::read_dir(&jobs).expect("readable").count(), 2, "nothing unfinished is left");
}

#[test]
fn what_is_wrong_with_a_batch_is_named() {
    let folder = Folder::new("batch-wrong");
    for (text, part) in [
        ("", "missing field `job`"),
        ("[[job]]\ncommand = []", "`command` is empty"),
        ("[[job]]\ncommand = [\"solve\"]\nspeed = 3", "unknown field `speed`"),
        ("[[job]]\ncommand = [\"solve\", \"{x}\"]", "`{x}` has no value"),
        ("[[job]]\ncommand = [\"solve\", \"{x}\"]\ngrid = { x = { files = \"*.none\" } }", "no file fits"),
        ("[[job]]\ncommand = [\"solve\"]\ngrid = { x = [1, 2] }", "are the same"),
        ("[[job]]\ncommand = [\"batch\", \"x\"]", "cannot be a job"),
        ("[limits]\ntime = \"soon\"\n[[job]]\ncommand = [\"solve\"]", "not a duration"),
        ("[[job]\n", "line 1"),
    ] {
        let outcome = run_with(["batch", &batch(&folder, text)], "");
        assert_eq!(outcome.code, Some(2), "{text}: {outcome:?}");
        assert!(outcome.stderr.contains(part), "{text}: {outcome:?}");
    }
}

#[test]
fn slurm_that_is_not_there_is_named() {
    let folder = Folder::new("batch-no-slurm");
    let file = batch(&folder, MATCHES);
    let output =
        binary().args(["batch", &file, "--slurm"]).env("PATH", "/nonexistent").output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot start `sbatch`"));
}

#[test]
fn the_array_gets_the_limits_of_the_jobs() {
    let folder = Folder::new("batch-array");
    let text = format!("{}{MATCHES}", "[limits]\ntime = \"90s\"\nmemory = \"1GiB\"\nthreads = 2\n[slurm]\npartition = \"long\"\njobs-per-task = 4\n")
        .replace("seed = 3\n", "");
    let file = batch(&folder, &text);
    // Programs in the place of Slurm's that write down what they are asked.
    let bin = PathBuf::from(folder.path("bin"));
    fs::create_dir(&bin).expect("a folder");
    let note = PathBuf::from(folder.path("note"));
    let script = format!("#!/bin/sh\necho \"$@\" > {}\necho 17\n", note.display());
    for (name, text) in [("sbatch", script.as_str()), ("squeue", "#!/bin/sh\n"), ("scontrol", "#!/bin/sh\n")]
    {
        let path = bin.join(name);
        fs::write(&path, text).expect("writable");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&path, mode).expect("ours");
    }
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let output = binary().args(["batch", &file, "--slurm"]).env("PATH", path).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let asked = fs::read_to_string(&note).expect("written down");
    for option in
        ["--array=0-1", "--time=10", "--mem=1191M", "--cpus-per-task=2", "--requeue", "--partition=long"]
    {
        assert!(asked.contains(option), "{option}: {asked}");
    }
    let results = PathBuf::from(folder.path("batch.results"));
    let script = fs::read_to_string(results.join("slurm/array-1.sh")).expect("written");
    // What a node would run, twice: the second time nothing is left to do.
    for index in ["0", "1", "1"] {
        let task =
            std::process::Command::new("sh").args(["-c", &script]).env("SLURM_ARRAY_TASK_ID", index).output();
        assert_eq!(task.expect("there is a shell").status.code(), Some(0));
    }
    assert_eq!(fs::read_dir(results.join("jobs")).expect("readable").count(), 6);
}
