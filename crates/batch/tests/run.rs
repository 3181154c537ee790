//! Batches from the text to the table, with the shell in the place of our command.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use counterplay_batch::{Batch, BatchError, Results, Runner, Status, Stored, Table, run_jobs};

const JOBS: &str = r#"
[[job]]
name = "echo"
program = "sh"
command = ["-c", "echo '{{\"sum\": '$(({a} + {b}))', \"seconds\": '$$'}}'"]
[job.grid]
a = { from = 1, to = 5 }
b = [10, 20]
[[job]]
name = "ends"
program = "sh"
command = ["-c", "echo oops >&2; touch {output}/x; exit {code}"]
rows = [{ code = 1 }, { code = 2 }, { code = 3 }, { code = 9 }]
"#;

fn runner(scratch: &Path) -> Runner {
    Runner { program: "false".into(), version: "1".to_owned(), scratch: scratch.to_owned(), host: None }
}

fn run(batch: &Batch, results: &Results, workers: usize, is_cancelled: &(dyn Fn() -> bool + Sync)) -> usize {
    let scratch = tempfile::tempdir().expect("a folder");
    let jobs = batch.open_jobs(results).expect("readable");
    let told = Mutex::new(BTreeSet::new());
    let tell = |finished: &counterplay_batch::Finished<'_>| {
        assert!(told.lock().expect("no panic").insert(finished.job.number), "each job once");
    };
    let count = run_jobs(batch, &jobs, results, &runner(scratch.path()), workers, is_cancelled, &tell);
    assert_eq!(fs::read_dir(scratch.path()).expect("readable").count(), 0, "scratch folders go away");
    count.expect("they run")
}

#[test]
fn workers_stops_and_damage_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let batch = Batch::read(JOBS, &folder.path().join("jobs.toml")).expect("sound");
    assert_eq!(batch.jobs.len(), 14);
    let mut tables = Vec::new();
    for workers in [1, 4] {
        let results = Results::create(&folder.path().join(format!("results-{workers}"))).expect("a folder");
        // Stopped after a few jobs, then started again.
        let looks = std::sync::atomic::AtomicUsize::new(0);
        let first =
            run(&batch, &results, workers, &|| looks.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 6);
        assert!(first < 14, "{first}");
        assert_eq!(run(&batch, &results, workers, &|| false), 14 - first);
        assert_eq!(run(&batch, &results, workers, &|| false), 0);
        let file = results.folder.join(format!("jobs/{}.json", batch.jobs[3].id));
        let whole = fs::read(&file).expect("readable");
        fs::write(&file, &whole[..whole.len() / 2]).expect("writable");
        assert!(matches!(results.load(&batch.jobs[3]).expect("readable"), Stored::Damaged(_)));
        assert_eq!(run(&batch, &results, workers, &|| false), 1);
        let status = Status::of(&batch, &results).expect("readable");
        assert_eq!((status.done, status.missing, status.damaged.len()), (14, 0, 0));
        let outcomes: Vec<(&str, usize)> =
            status.outcomes.iter().map(|(&name, &count)| (name, count)).collect();
        assert_eq!(outcomes, [("bad", 1), ("failed", 1), ("found", 10), ("limit", 1), ("none", 1)]);
        assert_eq!(status.failures.keys().collect::<Vec<_>>(), ["bad: oops", "failed: oops"]);
        let table = Table::of(&batch, &results, false).expect("readable");
        assert_eq!(table.rows[2]["sum"], 12);
        assert!(!table.columns.iter().any(|name| name == "seconds"));
        assert!(results.files(&batch.jobs[12].id).join("x").exists(), "what a job wrote is kept");
        tables.push(table.csv());
    }
    assert_eq!(tables[0], tables[1]);
    assert!(
        tables[0]
            .starts_with("job,group,a,b,outcome,reason,exit,version,sum,code\n1,echo,1,10,found,,0,1,11,\n"),
        "{}",
        tables[0]
    );
}

#[test]
fn one_run_at_a_time_and_the_first_result_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let batch = Batch::read(JOBS, &folder.path().join("jobs.toml")).expect("sound");
    let results = Results::create(&batch.results).expect("a folder");
    let hold = results.hold(false).expect("free");
    assert!(matches!(results.hold(true), Err(BatchError::Busy { .. })));
    drop(hold);
    let shared = [results.hold(true).expect("free"), results.hold(true).expect("shared")];
    assert!(matches!(results.hold(false), Err(BatchError::Busy { .. })));
    drop(shared);
    run(&batch, &results, 2, &|| false);
    let Stored::Done(mut record) = results.load(&batch.jobs[0]).expect("readable") else {
        panic!("no result")
    };
    record.seconds = 1e9;
    assert!(!results.save(&batch.jobs[0], &record).expect("writable"));
    let Stored::Done(kept) = results.load(&batch.jobs[0]).expect("readable") else { panic!("no result") };
    assert!(kept.seconds < 1e9);
}
