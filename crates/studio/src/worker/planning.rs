//! Plans, policies and task networks.

use counterplay::planning::{self, Request, scene};
use counterplay::syntax::{Diagnostic, Severity, Sources, Span};
use counterplay::{Halt, Problem, solve};
use serde_json::{Value, json};

use super::Desk;
use super::task::PlanningTexts;

impl PlanningTexts {
    fn problem(&self) -> Result<Problem, Halt> {
        Ok(Problem::read(&self.domain, &self.problem)?)
    }
}

impl Desk<'_> {
    pub(super) fn read(&self, texts: &PlanningTexts) -> Result<(), Halt> {
        let problem = texts.problem()?;
        let Problem::Lifted(lifted) = &problem else { return Ok(()) };
        let warnings: Vec<Value> =
            lifted.warnings().iter().map(|warning| diagnostic(&lifted.sources, warning)).collect();
        let is_policy = lifted.problem.is_nondeterministic();
        let scene = scene(&problem, &[], self.budget)?;
        self.answer(&json!({
            "scene": scene, "warnings": warnings, "network": lifted.has_network(), "policy": is_policy,
        }));
        Ok(())
    }

    pub(super) fn solve(&self, texts: &PlanningTexts, request: &Request) -> Result<(), Halt> {
        let problem = texts.problem()?;
        let answer = solve(&problem, request, self.budget, self.report)?;
        // The picture comes after the answer: it may not be lost because a limit leaves no time to draw.
        let plan = answer.plan.clone().unwrap_or_default();
        let scene = planning::scene(&problem, &plan, &counterplay::Budget::unlimited()).ok();
        let file = answer.file_text();
        self.report.flush();
        self.output.put(&json!({
            "answer": answer, "scene": scene, "states": answer.policy_states, "file": file, "summary": answer.summary(),
        }));
        Ok(())
    }
}

/// A finding with its place, for a page: lines and columns count from 1, columns in characters.
pub(super) fn diagnostic(sources: &Sources, found: &Diagnostic) -> Value {
    let place = found.labels.first().map(|label| {
        let (line, column) = sources.position(label.span);
        let end = Span { start: label.span.end.max(label.span.start), ..label.span };
        let (end_line, end_column) = sources.position(end);
        json!({
            "file": sources.files[label.span.file].name, "line": line, "column": column,
            "end_line": end_line, "end_column": end_column, "text": label.text,
        })
    });
    let severity = if found.severity == Severity::Error { "error" } else { "warning" };
    json!({"severity": severity, "code": found.code, "message": found.message, "place": place, "help": found.help})
}
