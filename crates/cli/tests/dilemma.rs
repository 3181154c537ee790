//! The dilemma from outside: the contract, programs as players, bad input.

mod common;

use std::fs;
use std::time::Duration;

use common::{Folder, run, run_with};
use expect_test::expect;

#[test]
fn a_match_is_told_as_text_and_as_json() {
    let outcome = run("dilemma match TitForTat CyclerDDC --turns 12");
    expect![[r#"
        TitForTat  CDDCDDCDDCDD  24
        CyclerDDC  DDCDDCDDCDDC  24
    "#]]
    .assert_eq(&outcome.stdout);
    let answer = run("dilemma match TitForTat CyclerDDC --turns 12 --json").json();
    assert_eq!(answer["moves"][0], "CDDCDDCDDCDD");
    assert_eq!(answer["moves"][1], "DDCDDCDDCDDC");
    assert_eq!(answer["scores"].as_array().map(Vec::len), Some(2));
    assert_eq!(answer["scores"][0].as_f64(), Some(24.0));
}

#[test]
fn other_payoffs_change_the_scores() {
    let answer = run("dilemma match Cooperator Defector --turns 2 --payoffs 4,-1,6,2 --json").json();
    assert_eq!((answer["scores"][0].as_f64(), answer["scores"][1].as_f64()), (Some(-2.0), Some(12.0)));
    let answer = run("dilemma match Cooperator Defector --turns 2 --payoffs 4,-1,6,2,1,2,3,4 --json").json();
    assert_eq!((answer["scores"][0].as_f64(), answer["scores"][1].as_f64()), (Some(-2.0), Some(6.0)));
}

#[test]
fn a_tournament_is_bit_identical_by_seed_whatever_the_threads() {
    let ranking = |extra: &str| {
        let arguments =
            format!("dilemma tournament --turns 40 --noise 0.1 --repetitions 3 --matrices --json {extra}");
        let mut answer = run(&arguments).json();
        answer["seconds"] = 0.into();
        answer.to_string()
    };
    let one = ranking("--seed 5 --threads 1");
    assert_eq!(one, ranking("--seed 5 --threads 3"));
    assert_ne!(one, ranking("--seed 6"));
}

#[test]
fn a_tournament_has_the_documented_shape() {
    let answer = run("dilemma tournament --turns 20 --noise 0.1 --repetitions 2 --seed 1 --json").json();
    let ranking = answer["ranking"].as_array().expect("a list");
    assert!(ranking.len() >= 60);
    let pairs = (ranking.len() * (ranking.len() + 1) / 2) as u64;
    assert_eq!(answer["turns"].as_u64(), Some(20 * 2 * pairs));
    let mean = |entry: &serde_json::Value, field: &str| entry[field].as_f64().expect("a number");
    for pair in ranking.windows(2) {
        assert!(mean(&pair[0], "mean") >= mean(&pair[1], "mean"));
        assert!(mean(&pair[0], "low") <= mean(&pair[0], "mean"));
        assert!(mean(&pair[0], "high") >= mean(&pair[0], "mean"));
    }
}

#[test]
fn dbs_is_first_in_the_noisy_field() {
    let answer = run("dilemma tournament --noise 0.1 --repetitions 20 --seed 2 --json").json();
    let first = answer["ranking"][0]["strategy"].as_str().expect("a name");
    assert!(first.starts_with("DBS"), "{first} is first");
}

#[test]
fn results_are_written_as_tables_and_pictures() {
    let folder = Folder::new("dilemma-files");
    let files =
        ["ranking.csv", "pairs.csv", "eco.csv", "ranking.svg", "map.svg", "eco.svg"].map(|f| folder.path(f));
    let options = ["--csv", "--pairs-csv", "--ecology-csv", "--ranking-svg", "--heat-map", "--ecology-svg"];
    let mut arguments =
        "dilemma tournament --players TitForTat,Defector,Cooperator --turns 50 --ecology 100 --teams 2"
            .split(' ')
            .collect::<Vec<_>>();
    for (option, file) in options.iter().zip(&files) {
        arguments.extend([*option, file.as_str()]);
    }
    let outcome = run_with(arguments, "");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let content = files.map(|file| fs::read_to_string(file).expect("it was written"));
    assert_eq!(content[0].lines().count(), 6);
    assert_eq!(content[1].lines().count(), 26);
    assert_eq!(content[2].lines().count(), 102);
    assert!(content[3..].iter().all(|picture| picture.starts_with("<svg") && picture.ends_with("</svg>\n")));
    assert!(outcome.stdout.contains("shares after 100 generations"));
}

/// A shell script that plays tit for tat by the protocol.
const SCRIPT: &str = r#"#!/bin/sh
read header
while read own other; do
  case "$own" in end) exit 0;; start) echo C;; *) echo $other;; esac
done
"#;

#[test]
fn a_program_plays_like_the_strategy_it_copies() {
    let folder = Folder::new("dilemma-program");
    let script = folder.write("tft.sh", SCRIPT);
    let program = format!("mine=sh {script}");
    let with = |first: &str| {
        let arguments = ["dilemma", "match", first, "Prober4", "--turns", "40", "--noise", "0.2", "--json"];
        run_with(arguments.into_iter().chain(["--program", &program]), "").json()
    };
    let (own, built_in) = (with("mine"), with("TitForTat"));
    assert_eq!(own["moves"], built_in["moves"]);
    assert_eq!(own["faults"].as_array().map(Vec::len), Some(0));
}

/// Each start of a program counted against its one second for a move, and there was a start for each match.
#[test]
fn a_program_stays_alive_for_the_whole_tournament() {
    let folder = Folder::new("dilemma-alive");
    let starts = folder.write("starts", "");
    let script = r#"echo x >> "$1"; sleep 3
        while read own other; do
          case "$own" in match|end) ;; start) echo C;; *) echo $other;; esac
        done"#;
    let script = folder.write("alive.sh", script);
    let program = format!("mine=sh {script} {starts}");
    let arguments = "dilemma tournament --players TitForTat,Prober4,Defector --turns 30 --repetitions 4 \
        --threads 1 --program-timeout 2s --json";
    let with = run_with(arguments.split_whitespace().chain(["--program", &program]), "").json();
    let mean = |name: &str| {
        let ranking = with["ranking"].as_array().expect("a list").iter();
        ranking.filter(|row| row["strategy"] == name).map(|row| row["mean"].as_f64()).next().flatten()
    };
    assert!(mean("mine").is_some() && mean("mine") == mean("TitForTat"), "{with}");
    // It meets itself, so there are two copies.
    let started = std::fs::read_to_string(&starts).expect("the program writes it").lines().count();
    assert!((1..=2).contains(&started), "started {started} times");
}

/// Programs that fail, with a part of the reason.
const FAILING: [(&str, &str); 4] = [
    ("silent=sleep 60", "did not answer within"),
    ("dead=false", "ended (exit status: 1)"),
    ("missing=/no/such/program", "ended"),
    ("babbler=yes maybe", "it answered \"maybe\" instead of C or D"),
];

/// A program that crashed after some turns was scored 24:19 as if it had defected from then on.
#[test]
fn a_program_that_fails_has_no_score() {
    let folder = Folder::new("dilemma-crash");
    let script =
        folder.write("crash.sh", "read header\nread turn; echo C\nread turn; echo C\nread turn; exit 7\n");
    let crash = format!("crash=sh {script}");
    let cases = FAILING.into_iter().map(|(program, why)| (program, why, 1));
    for (program, why, turn) in cases.chain([(crash.as_str(), "ended (exit status: 7)", 3)]) {
        let name = program.split('=').next().expect("a name");
        let arguments =
            ["dilemma", "match", name, "TitForTat", "--turns", "10", "--json", "--program-timeout", "200ms"];
        let outcome =
            run_with(arguments.into_iter().chain(["--program-start", "1s", "--program", program]), "");
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        let answer = outcome.json();
        assert!(answer["scores"].is_null() && answer["cooperation"].is_null(), "{answer}");
        assert_eq!(answer["moves"][1].as_str().map(str::len), Some(turn - 1), "{answer}");
        assert_eq!(answer["faults"][0]["turn"], turn, "{answer}");
        let told = answer["faults"][0]["why"].as_str().expect("a reason");
        assert!(told.contains(why), "{program}: {told}");
        assert!(outcome.stderr.contains(&format!("{name} failed in turn {turn}")), "{outcome:?}");
        let (short, full) = (["match", name, "TitForTat"], ["--program", program, "--program-start", "1s"]);
        let text = run_with(["dilemma"].into_iter().chain(short).chain(full), "");
        assert!(text.stdout.contains("no score"), "{text:?}");
    }
}

#[test]
fn matches_of_programs_that_fail_do_not_count_and_the_tournament_goes_on() {
    for (program, why) in FAILING.into_iter().chain([("deaf=yes C", "")]) {
        let arguments = "dilemma tournament --players TitForTat,Cooperator --turns 5 --repetitions 2 \
            --program-timeout 200ms --program-start 1s --json";
        let outcome = run_with(arguments.split_whitespace().chain(["--program", program]), "");
        assert!(outcome.took < Duration::from_secs(100), "{program} took {:?}", outcome.took);
        let answer = outcome.json();
        let ranking = answer["ranking"].as_array().expect("a list");
        let faults = answer["faults"].as_array().expect("a list");
        if why.is_empty() {
            assert!(faults.is_empty() && ranking.len() == 3, "{answer}");
            assert_eq!(outcome.code, Some(0), "{outcome:?}");
            continue;
        }
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
        assert_eq!(faults.len(), 1, "{program}: {faults:?}");
        assert!(faults[0]["why"].as_str().is_some_and(|found| found.contains(why)), "{program}: {faults:?}");
        assert_eq!(faults[0]["turn"], 1);
        assert!(outcome.stderr.contains(why), "{outcome:?}");
        // Three points a turn, from the matches of the two that work, and from nothing else.
        assert_eq!(ranking.len(), 2);
        assert!(ranking.iter().all(|row| row["mean"] == 15.0), "{answer}");
        assert_eq!(answer["evidence"]["kind"], "proved", "{answer}");
    }
}

/// What was played before a limit is not thrown away.
#[test]
fn a_tournament_that_meets_its_limit_ranks_what_was_played() {
    let outcome = run(
        "dilemma tournament --turns 2000 --repetitions 200 --noise 0.1 --time-limit 2s --threads 1 --json",
    );
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    let answer = outcome.json();
    assert_eq!(answer["verdict"], "stopped");
    assert!(!answer["ranking"].as_array().expect("a list").is_empty(), "{answer}");
    assert_eq!(answer["evidence"]["kind"], "sampled");
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let cases = [
        ("dilemma match TitForTa Defector", "did you mean `TitForTat`?"),
        ("dilemma match qqqqqqqqqq Defector", "lists them all"),
        ("dilemma match TitForTat Defector --noise 1.5", "between 0 and 1"),
        ("dilemma match TitForTat Defector --noise -0.1", "between 0 and 1"),
        ("dilemma match TitForTat Defector --turns 0", "at least 1"),
        ("dilemma match TitForTat Defector --turns x", "not a whole number"),
        ("dilemma match TitForTat Defector --going-on 1", "never end"),
        ("dilemma match TitForTat Defector --payoffs 3,0,x,1", "`x` is not a number"),
        ("dilemma match TitForTat Defector --payoffs 3,0,5", "write four"),
        ("dilemma tournament --repetitions 0", "at least 1"),
        ("dilemma tournament --players ,", "no player takes part"),
        ("dilemma tournament --players TitForTat --no-self-play", "has no opponent"),
        ("dilemma tournament --program nothing", "NAME=COMMAND"),
        ("dilemma tournament --teams 100000", "too many"),
        ("dilemma roshambo predictve", "did you mean `predictive`?"),
        ("reproduce dbs-tabel2", "did you mean `dbs-table2`?"),
    ];
    for (arguments, why) in cases {
        let outcome = run(arguments);
        assert_eq!(outcome.code, Some(2), "{arguments}: {outcome:?}");
        assert!(outcome.stderr.contains(why), "{arguments}: {}", outcome.stderr);
        assert!(outcome.stdout.is_empty(), "{arguments}");
    }
}

#[test]
fn a_time_limit_ends_a_long_tournament() {
    let outcome = run("dilemma tournament --turns 4000000 --repetitions 1000 --time-limit 300ms --json");
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    assert_eq!(outcome.json()["limit"], "time");
    assert!(outcome.took < Duration::from_secs(60));
}

#[test]
fn a_person_can_play_and_see_what_is_believed() {
    let outcome = run_with("dilemma play DBS --turns 6".split(' '), "c\nc\nwhat\n?\nd\nc\nc\nd\n");
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("it believes about you"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("it advises C"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("you CCDCCD"), "{}", outcome.stdout);
    // Who goes away ends the match.
    let answer = run_with("dilemma play Grudger --turns 50 --json".split(' '), "c\nd\n").json();
    assert_eq!(answer["moves"][0], "CD");
    assert_eq!(answer["moves"][1], "CC");
}

#[test]
fn the_table_of_the_paper_is_reproduced() {
    let folder = Folder::new("dbs-table2");
    let files = folder.path("out");
    let outcome = run(&format!("reproduce dbs-table2 --json --output {files}"));
    let answer = outcome.json();
    let sizes = answer["figures"]["team_sizes"].as_array().expect("a list");
    for row in sizes {
        let (size, place) = (row["size"].as_u64(), row["best_dbs_place"].as_u64().expect("a place"));
        let (size, score) = (size.expect("a number"), row["best_dbs_score"].as_f64().expect("a score"));
        match size {
            // The paper: first if teams have less than ten members.
            0..10 => assert_eq!(place, 1, "{row}"),
            // And with teams of twenty, behind the masters but among the first ten.
            20 => assert!(place <= 10 && row["dbs_in_top_ten"].as_u64() >= Some(5), "{row}"),
            _ => {}
        }
        if let Some(team) = row["team_mean"].as_f64().filter(|_| size <= 20) {
            assert!(score > team, "DBS does better than a team on average: {row}");
        }
    }
    for ending in ["txt", "csv", "svg"] {
        assert!(fs::metadata(format!("{files}/dbs-table2.{ending}")).is_ok_and(|file| file.len() > 100));
    }
    assert!(run("reproduce --list").stdout.contains("dbs-table2"));
}

#[test]
fn a_modeller_reads_its_conditions_from_a_file() {
    let own = ["--modeller", "mine=examples/dilemma/streak.conditions", "--json"];
    let arguments = "dilemma match mine CyclerCCD --turns 300".split(' ').chain(own);
    let answer = run_with(arguments, "").json();
    // It finds out that nothing it does matters, and defects: one temptation or punishment per turn.
    assert!(answer["scores"][0].as_f64() > Some(950.0), "{answer}");
    let folder = Folder::new("dilemma-conditions");
    let file = folder.write("bad.conditions", "(conditions\n  (calm (CC clam) (else calm)))\n");
    let outcome = run(&format!("dilemma match mine Random --modeller mine={file}"));
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stderr.contains("there is no condition `clam`"), "{outcome:?}");
    assert!(
        outcome.stderr.contains("bad.conditions:2:13") && outcome.stderr.contains("did you mean `calm`?"),
        "{outcome:?}"
    );
}

#[test]
fn a_person_who_thinks_too_long_meets_the_limit() {
    let mut person = common::start("dilemma play Grudger --time-limit 300ms".split(' '));
    // The pipe stays open, and nothing ever comes.
    let stdin = person.stdin.take();
    let outcome = common::finish(person);
    drop(stdin);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
}
