//! What the checker says about a plan, as text.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fmt::Write as _;

use counterplay_base::Budget;
use counterplay_check::{check_plan, read_plan};
use counterplay_pddl::print::number_text;
use counterplay_syntax::{Diagnostic, Sources};
use expect_test::Expect;

fn show(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let mut text = format!("{}: {}\n", diagnostic.code, diagnostic.message);
    for label in &diagnostic.labels {
        let (line, column) = sources.position(label.span);
        let (file, place) = (&sources.files[label.span.file].name, sources.text(label.span));
        writeln!(text, "  {file}:{line}:{column} [{place}] {}", label.text).expect("strings grow");
    }
    if let Some(help) = &diagnostic.help {
        writeln!(text, "  help: {help}").expect("strings grow");
    }
    text
}

/// What the checker says about a plan, in full.
pub(crate) fn verdict(domain: &str, problem: &str, plan: &str, budget: &Budget) -> String {
    let mut sources = Sources::default();
    let files = [("domain", domain), ("problem", problem), ("plan", plan)];
    let [domain, problem, plan] = files.map(|(name, text)| sources.add(name, text));
    let problem = counterplay_pddl::read(&sources, domain, problem).unwrap_or_else(|errors| {
        panic!("{}", errors.iter().map(|error| show(&sources, &error.diagnostic())).collect::<String>())
    });
    let steps = match read_plan(&sources, plan, &problem) {
        Ok(steps) => steps,
        Err(errors) => return errors.iter().map(|error| show(&sources, &error.diagnostic())).collect(),
    };
    match check_plan(&problem, &steps, budget) {
        Err(flaw) => show(&sources, &flaw.diagnostic()),
        Ok(checked) => {
            let mut text = format!("valid: length {}", checked.length);
            if let Some(cost) = checked.cost {
                write!(text, ", cost {}", number_text(cost)).expect("strings grow");
            }
            if let Some(metric) = checked.metric {
                write!(text, ", metric {}", number_text(metric)).expect("strings grow");
            }
            for (name, count) in &checked.violations {
                write!(text, ", {name:?} violated {count} times").expect("strings grow");
            }
            text + "\n"
        }
    }
}

/// Checks a plan and compares all that is said about it.
pub(crate) fn check(domain: &str, problem: &str, plan: &str, expected: Expect) {
    expected.assert_eq(&verdict(domain, problem, plan, &Budget::unlimited()));
}
