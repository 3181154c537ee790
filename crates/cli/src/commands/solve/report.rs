//! How an answer is shown: on stdout as text or JSON, with remarks on stderr.

use std::io::IsTerminal;

use counterplay::Answer;
use counterplay::planning::Kind;
use counterplay_base::Verdict;

use crate::failure::Failure;
use crate::output::{self, remark};
use crate::settings::{Settings, Verbosity};
use counterplay_system::memory;

/// Prints the answer to stdout and remarks on it to stderr.
pub(super) fn print(answer: &Answer, settings: &Settings) -> Result<(), Failure> {
    if settings.verbosity == Verbosity::Verbose && answer.kind == Kind::Plan {
        log(answer, settings);
    }
    if settings.json {
        output::json(answer)?;
    } else {
        output::answer(&answer.text(std::io::stdout().is_terminal()))?;
    }
    let is_read_by_people = !settings.json && std::io::stderr().is_terminal();
    if let Some(tree) = &answer.decomposition
        && (settings.verbosity == Verbosity::Verbose
            || settings.verbosity == Verbosity::Normal && is_read_by_people)
    {
        remark(tree.trim_end());
    }
    if settings.verbosity >= Verbosity::Normal {
        remark(&answer.summary());
        if let Some(certificate) = &answer.certificate {
            remark(&certificate.text());
        }
    }
    Ok(())
}

/// The lines that Downward Lab's parsers look for, and the phases.
fn log(answer: &Answer, settings: &Settings) {
    let stamp = || {
        let held = memory::peak().unwrap_or(0) / 1024;
        format!("[t={:.6}s, {held} KB]", settings.started.elapsed().as_secs_f64())
    };
    if let Some(search) = &answer.search {
        remark(&format!("{} Search: {}", stamp(), search.ran));
        let (layers, nodes) = (search.layers.unwrap_or(0), search.peak_nodes.unwrap_or(0));
        remark(&format!("{} Layers: {layers}, peak nodes: {nodes}", stamp()));
    }
    if let (Some(steps), Some(cost)) = (&answer.plan, answer.cost) {
        remark(&format!("{} Solution found!", stamp()));
        remark(&format!("{} Plan length: {} step(s).", stamp(), steps.len()));
        remark(&format!("{} Plan cost: {cost}", stamp()));
    }
    if let Some(expanded) =
        answer.search.as_ref().and_then(|search| search.expanded).filter(|&count| count > 0)
    {
        remark(&format!("{} Expanded {expanded} state(s).", stamp()));
    }
    let phases = answer.phases;
    for (name, took) in [
        ("Parsing", phases.parse),
        ("Grounding", phases.ground),
        ("Check", phases.check),
        ("Search", phases.search),
    ] {
        if let Some(took) = took {
            remark(&format!("{} {name} time: {took:.6}s", stamp()));
        }
    }
    remark(&format!("{} Total time: {:.6}s", stamp(), settings.started.elapsed().as_secs_f64()));
    match &answer.verdict {
        Verdict::Solved(()) => remark("Solution found."),
        Verdict::Unsolvable => remark("Task is provably unsolvable."),
        Verdict::Stopped(limit) if answer.plan.is_some() => {
            remark(&format!("Search stopped before the plan was proved to be optimal: {limit}."));
            remark("Solution found.");
        }
        Verdict::Stopped(limit) => remark(&format!("Search stopped without finding a solution: {limit}.")),
    }
    if let Some(bytes) = memory::peak() {
        remark(&format!("Peak memory: {} KB", bytes / 1024));
    }
}
