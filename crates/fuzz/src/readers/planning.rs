//! Domains, problems and finite tasks.

use counterplay_pddl::print::{domain_text, problem_text};
use counterplay_syntax::Sources;
use counterplay_task::sas;

use super::{Reader, check_diagnostic, text_of};

/// The line between the two files of one input; a comment to the reader.
const BETWEEN: &str = ";===";

pub(super) const PDDL: Reader = Reader {
    name: "pddl",
    about: "a PDDL domain and problem; what is printed reads back as the same",
    read: domain_and_problem,
    words: &[
        "(define (domain d)",
        "(define (problem p)",
        "(:domain d)",
        "(:requirements :adl :typing)",
        "(:types",
        "(:constants",
        "(:objects",
        "(:predicates",
        "(:functions",
        "(:derived (p)",
        "(:action a",
        ":parameters",
        ":precondition",
        ":effect",
        "(:init",
        "(:goal",
        "(:metric minimize",
        "(:metric maximize",
        "(and",
        "(or",
        "(not",
        "(imply",
        "(exists (?x - t)",
        "(forall (?x - t)",
        "(when",
        "(oneof",
        "(preference n",
        "(is-violated n)",
        "(increase",
        "(decrease",
        "(assign",
        "(scale-up",
        "(= ",
        "(< ",
        "(<= ",
        "(+ ",
        "(- ",
        "(* ",
        "(/ ",
        "(total-cost)",
        "total-time",
        "- number",
        "- (either a b)",
        "- object",
        "?x",
        "()",
        "0.5",
        "-1",
        "999999999999999999",
        "(at 5 (p))",
        "(unknown (p))",
        ";===\n",
    ],
    sample: 1500,
};

pub(super) const HDDL: Reader = Reader {
    name: "hddl",
    about: "an HDDL domain and problem; what is printed reads back as the same",
    read: domain_and_problem,
    words: &[
        "(:task t",
        "(:method m",
        ":task",
        ":subtasks",
        ":ordered-subtasks",
        ":tasks",
        ":ordered-tasks",
        ":ordering",
        ":constraints",
        "(< t0 t1)",
        "(t0 (a))",
        "(:htn",
        ":parameters ()",
        "(and",
        "(not (= ?x ?y))",
        "(a ?x)",
        "(sortof ?x - t)",
        ":precondition",
        "(:action a",
        "(:init",
        "(:goal",
        "(:hierarchy",
        "?x - object",
        "()",
        ";===\n",
    ],
    sample: 1500,
};

fn domain_and_problem(bytes: &[u8]) {
    let text = text_of(bytes);
    let (domain, problem) = match text.find(BETWEEN) {
        Some(at) => (&text[..at], &text[at + BETWEEN.len()..]),
        None => (text.as_str(), ""),
    };
    let mut sources = Sources::default();
    let files = (sources.add("domain", domain), sources.add("problem", problem));
    let read = match counterplay_pddl::read(&sources, files.0, files.1) {
        Ok(read) => read,
        Err(errors) => {
            assert!(!errors.is_empty(), "a failure has an error");
            errors.iter().for_each(|error| check_diagnostic(&sources, &error.diagnostic()));
            return;
        }
    };
    let printed = (domain_text(&read), problem_text(&read));
    let mut sources = Sources::default();
    let files = (sources.add("domain", printed.0.as_str()), sources.add("problem", printed.1.as_str()));
    let again = counterplay_pddl::read(&sources, files.0, files.1)
        .unwrap_or_else(|errors| panic!("what is printed does not read back: {errors:?}\n{printed:?}"));
    assert_eq!((domain_text(&again), problem_text(&again)), printed, "printing again changes the text");
}

pub(super) const SAS: Reader = Reader {
    name: "sas",
    about: "a task in the translator's format; what is written reads back as the same task",
    read: task,
    words: &[
        "begin_version\n3\nend_version\n",
        "begin_metric\n1\nend_metric\n",
        "begin_variable\nv\n-1\n2\na\nb\nend_variable\n",
        "begin_mutex_group\n1\n0 0\nend_mutex_group\n",
        "begin_state\n",
        "end_state\n",
        "begin_goal\n1\n0 1\nend_goal\n",
        "begin_operator\nop\n0\n1\n0 0 -1 1\n1\nend_operator\n",
        "begin_rule\n1\n0 0\n1 0 1\nend_rule\n",
        "18446744073709551615",
        "-1",
        "0",
        "1",
        "\r\n",
        "4294967296",
    ],
    sample: 3000,
};

fn task(bytes: &[u8]) {
    let text = text_of(bytes);
    match sas::read(&text) {
        Ok(task) => {
            let again = sas::read(&sas::write(&task));
            assert_eq!(again.as_ref(), Ok(&task), "what is written does not read back");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
