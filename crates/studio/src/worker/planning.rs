//! Plans, policies and task networks.

use counterplay::planning::{self, Interim, InterimFound, Request, scene, solve_telling};
use counterplay::syntax::{Diagnostic, Severity, Sources, Span};
use counterplay::{Budget, Halt, Problem};
use serde_json::{Value, json};

use super::task::PlanningTexts;
use super::{Desk, drawn};

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
        let tell = |better: Interim| self.found(&problem, better);
        let mut answer = solve_telling(&problem, request, self.budget, self.report, &tell)?;
        let certificate = self.certify(&problem, &mut answer)?;
        // The picture comes after the answer: it may not be lost because a limit leaves no time to draw.
        let plan = answer.plan.clone().unwrap_or_default();
        let scene = planning::scene(&problem, &plan, &Budget::unlimited()).ok();
        let file = answer.file_text();
        let svg = drawn(&answer);
        self.report.flush();
        self.output.put(&json!({
            "answer": answer, "scene": scene, "states": answer.policy_states, "file": file,
            "summary": answer.summary(), "svg": svg, "certificate": certificate,
        }));
        Ok(())
    }

    /// Tells of an answer for the time being, while a better one is looked for.
    fn found(&self, problem: &Problem, better: Interim) {
        let event = match better.found {
            InterimFound::Plan(found) => {
                let scene = planning::scene(problem, &found.plan, &Budget::unlimited()).ok();
                json!({"found": found, "scene": scene, "file": better.text})
            }
            InterimFound::Policy(policy) => {
                let open: Vec<&str> = policy.open.iter().map(|class| class.name()).collect();
                json!({"policy": {"class": policy.class.name(), "length": policy.rules.len(), "open": open}})
            }
        };
        self.output.put(&event);
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
