//! The exchange format: what is written can be read again, and nothing that is read can do harm.

use counterplay_task::sas::{self, Problem};
use counterplay_testkit::random_task;
use proptest::prelude::*;

#[test]
fn what_is_written_reads_back_as_the_same_task() {
    for seed in 0..500 {
        let mut task = random_task(seed);
        task.mutex_groups.push(task.goal.clone());
        let text = sas::write(&task);
        assert_eq!(sas::read(&text).as_ref(), Ok(&task), "seed {seed}");
    }
}

const GRIPPER_LIKE: &str = include_str!("data/small.sas");

#[test]
fn a_file_of_the_translator_reads_as_it_should() {
    let task = sas::read(GRIPPER_LIKE).expect("a valid file");
    assert_eq!(task.variables.len(), 3);
    assert_eq!(task.goal.len(), 1);
    let names: Vec<&str> = task.operators.iter().map(|op| op.name.as_str()).collect();
    assert_eq!(names, ["switch lamp", "carry box"]);
    // The value before an effect is part of the precondition, sorted in with the prevail conditions.
    let carry = &task.operators.as_slice()[1];
    assert_eq!(carry.precondition.len(), 2);
    assert!(carry.precondition.is_sorted());
    assert_eq!(carry.effects[0].condition.len(), 1);
    assert_eq!(carry.cost, 4);
    assert_eq!(task.axioms.len(), 1);
}

/// Replaces one line and tells which problem the reader found, and where.
fn with_line(number: usize, line: &str) -> (usize, Problem) {
    let mut lines: Vec<&str> = GRIPPER_LIKE.lines().collect();
    lines[number - 1] = line;
    let error = sas::read(&lines.join("\n")).expect_err("an invalid file");
    (error.line, error.problem)
}

#[test]
fn errors_name_their_line() {
    let line_of = |text: &str| GRIPPER_LIKE.lines().position(|line| line == text).map_or(0, |i| i + 1);
    let goal = line_of("begin_goal");
    assert_eq!(with_line(2, "4"), (2, Problem::Version(4)));
    assert_eq!(with_line(goal + 2, "7 0"), (goal + 2, Problem::Variable(7)));
    assert_eq!(with_line(goal + 2, "0 5"), (goal + 2, Problem::Value { variable: 0, value: 5 }));
    assert_eq!(with_line(goal + 2, "0"), (goal + 2, Problem::Width { expected: 2, found: 1 }));
    assert!(matches!(with_line(goal, "goal"), (line, Problem::Marker { .. }) if line == goal));
    // A rule must not look at the default value of its own stratum, nor compute a plain variable.
    let rule = line_of("begin_rule");
    assert!(matches!(with_line(rule + 2, "2 1"), (line, Problem::Stratum { .. }) if line == rule + 3));
    assert_eq!(with_line(rule + 3, "0 1 0"), (rule + 3, Problem::RuleForPlainVariable(0)));
}

#[test]
fn huge_counts_end_with_the_text() {
    for size in ["1000000000000000000", "18446744073709551615", "99999999999999999999999", "-1", "1e9"] {
        let counts: Vec<usize> = (1..=GRIPPER_LIKE.lines().count())
            .filter(|&i| GRIPPER_LIKE.lines().nth(i - 1).is_some_and(|line| line.parse::<i64>().is_ok()))
            .collect();
        for number in counts {
            let mut lines: Vec<&str> = GRIPPER_LIKE.lines().collect();
            lines[number - 1] = size;
            // A name may be anything; every other place must refuse.
            if let Ok(task) = sas::read(&lines.join("\n")) {
                let is_cost = task.operators.iter().any(|op| op.cost.to_string() == size);
                let is_layer = size == "-1";
                assert!(is_cost || is_layer, "line {number} became {size}");
            }
        }
    }
}

#[test]
fn truncated_files_are_refused() {
    for (end, _) in GRIPPER_LIKE.match_indices('\n') {
        if end + 1 < GRIPPER_LIKE.len() {
            assert!(sas::read(&GRIPPER_LIKE[..end]).is_err());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_reader_panic(text in any::<String>()) {
        let _ = sas::read(&text);
    }

    #[test]
    fn no_changed_file_makes_the_reader_panic(
        edits in prop::collection::vec((0usize..80, prop::sample::select(vec![
            "", "0", "1", "-1", "2", "3", "1000000000000", "0 0", "0 1", "1 2 3", "0 1 0 1", "end_operator", "\u{e9}\0",
        ])), 1..4),
    ) {
        let mut lines: Vec<&str> = GRIPPER_LIKE.lines().collect();
        for (at, line) in edits {
            let at = at % lines.len();
            lines[at] = line;
        }
        let text = lines.join("\n");
        if let Ok(task) = sas::read(&text) {
            prop_assert_eq!(sas::read(&sas::write(&task)), Ok(task));
        }
    }
}

/// A name that ended in a carriage return was written with an end of line that swallowed it.
#[test]
fn carriage_returns_are_no_part_of_a_name() {
    let text = GRIPPER_LIKE.replace('\n', "\r\r\n");
    assert_eq!(sas::read(&text), sas::read(GRIPPER_LIKE));
    let inside = sas::read(&GRIPPER_LIKE.replace("switch lamp", "switch\rlamp"));
    assert_eq!(inside, sas::read(GRIPPER_LIKE));
}
