//! The answer of `solve`, as text and as JSON.

use std::fmt::Write;
use std::io::IsTerminal;

use counterplay_base::{Evidence, Limit, Verdict};
use counterplay_plan::{Answer, Plan, Statistics};
use counterplay_task::Task;
use num_rational::Ratio;
use serde::Serialize;

use super::frame::{Frame, bounded, confirmed_by};
use crate::clock::Phases;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::figures::Figure;
use crate::memory;
use crate::output::{self, remark};
use crate::progress::KnownBounds;
use crate::settings::{Settings, Verbosity};

/// Everything that can be said about an answer.
#[derive(Debug)]
pub(crate) struct Report {
    verdict: Verdict<()>,
    /// The plan that was proved to be of least cost, or the best that was found before a limit.
    found: Option<Steps>,
    evidence: Evidence,
    /// What the search took; nothing if it was not begun.
    statistics: Option<Statistics>,
    /// What one unit of cost is worth.
    cost_unit: Ratio<i128>,
    phases: Phases,
}

/// A plan in the words of the problem.
#[derive(Debug)]
struct Steps {
    /// Each step as `(op a b)` with its cost in units of the task.
    steps: Vec<(String, u64)>,
    /// Their sum.
    cost: u64,
    /// What one unit is worth; the whole plan is known to fit, and so does each part of it.
    unit: Ratio<i128>,
    /// Whether every action of the problem costs one.
    unit_cost: bool,
    has_metric: bool,
}

/// The documented shape of `solve --json`. Fields that do not apply are null; `limit` and `why` appear with
/// `stopped` only.
#[derive(Serialize)]
struct Json<'a> {
    verdict: &'static str,
    kind: &'static str,
    cost: Option<Figure>,
    metric: Option<Figure>,
    length: Option<usize>,
    optimal: bool,
    plan: Option<Vec<&'a str>>,
    search: Option<JsonSearch<'a>>,
    #[serde(flatten)]
    frame: Frame,
}

#[derive(Serialize)]
struct JsonSearch<'a> {
    ran: &'a str,
    layers: u64,
    expanded: u64,
    peak_nodes: u64,
    lower_bound: Option<Figure>,
    upper_bound: Option<Figure>,
}

impl Report {
    /// The report on a search. `checked_by` says who checked the plan, or confirmed that there is none.
    pub(crate) fn new(
        task: &Task,
        answer: Answer,
        checked_by: Option<String>,
        phases: Phases,
    ) -> Result<Report, Failure> {
        let Answer { verdict, best, statistics } = answer;
        let plan = match &verdict {
            Verdict::Solved(plan) => Some(plan),
            _ => best.as_ref(),
        };
        let found = plan.map(|plan| Steps::of(task, plan)).transpose()?;
        let evidence = match &verdict {
            Verdict::Solved(_) | Verdict::Unsolvable => {
                Evidence::proved(&statistics.ran, checked_by.as_deref())
            }
            Verdict::Stopped(_) => {
                let figure = |units: u64| Figure::of_units(units, task.cost_unit);
                let upper = found.as_ref().map(|found| found.cost).or(statistics.upper_bound);
                bounded(&statistics.ran, figure(statistics.lower_bound), upper.and_then(figure))
            }
        };
        let (verdict, cost_unit) = (verdict.map(drop), task.cost_unit);
        Ok(Report { verdict, found, evidence, statistics: Some(statistics), cost_unit, phases })
    }

    /// The report on a run that a limit ended before its search did.
    pub(crate) fn stopped(limit: Limit, phases: Phases) -> Report {
        Report {
            verdict: Verdict::Stopped(limit),
            found: None,
            evidence: bounded("", None, None),
            statistics: None,
            cost_unit: Ratio::from_integer(1),
            phases,
        }
    }

    /// The same report with the bounds that the search told before it was ended.
    pub(crate) fn with_bounds(self, known: Option<KnownBounds>) -> Report {
        let Some(KnownBounds { lower, upper }) = known else { return self };
        Report { evidence: bounded("the search that was ended", lower, upper), ..self }
    }

    /// The exit code that says the same.
    pub(crate) fn exit(&self) -> Exit {
        Exit::of(&self.verdict)
    }

    /// The plan in the format of the planning competitions, if there is one.
    pub(crate) fn plan_text(&self) -> Option<String> {
        self.found.as_ref().map(|steps| steps.text(false))
    }

    /// Prints the answer to stdout and remarks on it to stderr.
    pub(crate) fn print(&self, settings: &Settings) -> Result<(), Failure> {
        if settings.verbosity == Verbosity::Verbose {
            self.log(settings);
        }
        if settings.json {
            output::json(&self.json(settings))?;
        } else {
            output::answer(&self.text(std::io::stdout().is_terminal()))?;
        }
        if settings.verbosity >= Verbosity::Normal {
            remark(&self.summary(settings));
        }
        Ok(())
    }

    fn lower_bound(&self) -> Option<Figure> {
        self.statistics.as_ref().and_then(|found| Figure::of_units(found.lower_bound, self.cost_unit))
    }

    fn upper_bound(&self) -> Option<Figure> {
        let bound = self.statistics.as_ref()?.upper_bound?;
        Figure::of_units(bound, self.cost_unit)
    }

    /// The answer as text. All of it but the steps is comment, so that it is a plan file in any case.
    fn text(&self, annotated: bool) -> String {
        let mut text = match &self.verdict {
            Verdict::Solved(()) => String::new(),
            Verdict::Unsolvable => "; unsolvable: there is no plan\n".to_owned(),
            Verdict::Stopped(limit) => format!("; stopped: {limit}\n"),
        };
        text.extend(self.found.iter().map(|steps| steps.text(annotated)));
        text
    }

    fn json(&self, settings: &Settings) -> Json<'_> {
        let steps = self.found.as_ref();
        Json {
            verdict: self.verdict.word(),
            kind: "plan",
            cost: steps.map(Steps::total),
            metric: steps.filter(|steps| steps.has_metric).map(Steps::total),
            length: steps.map(|steps| steps.steps.len()),
            optimal: matches!(self.verdict, Verdict::Solved(())),
            plan: steps.map(|steps| steps.steps.iter().map(|(step, _)| step.as_str()).collect()),
            search: self.statistics.as_ref().map(|found| JsonSearch {
                ran: &found.ran,
                layers: found.layers,
                expanded: found.expanded,
                peak_nodes: found.peak_nodes,
                lower_bound: self.lower_bound(),
                upper_bound: self.upper_bound(),
            }),
            frame: Frame::new(&self.verdict, self.phases, settings).resting_on(&self.evidence),
        }
    }

    /// One line for people.
    fn summary(&self, settings: &Settings) -> String {
        let mut line = match (&self.verdict, &self.found) {
            (Verdict::Solved(()), Some(steps)) => {
                let checked = if self.phases.check.is_some() { ", checked" } else { "" };
                format!(
                    "solved: optimal plan of {} steps, cost {}{checked}",
                    steps.steps.len(),
                    steps.total()
                )
            }
            (Verdict::Solved(()), None) => unreachable!("a solved problem has a plan"),
            (Verdict::Unsolvable, _) => {
                format!("unsolvable: proved that there is no plan, {}", confirmed_by(&self.evidence))
            }
            (Verdict::Stopped(limit), found) => {
                let mut line = format!("stopped: {limit}");
                let proved = self.statistics.as_ref().is_some_and(|found| found.lower_bound > 0);
                if let Some(bound) = self.lower_bound().filter(|_| proved) {
                    let _ = write!(line, "; no plan costs less than {bound}");
                }
                if let Some(found) = found {
                    let _ = write!(line, "; the best plan so far costs {}", found.total());
                }
                line
            }
        };
        let _ = write!(line, " ({:.3} s", settings.started.elapsed().as_secs_f64());
        if let Some(found) = &self.statistics {
            let _ = write!(line, ", {}", found.ran);
        }
        line.push(')');
        line
    }

    /// The lines that Downward Lab's parsers look for, and the phases.
    fn log(&self, settings: &Settings) {
        let stamp = || {
            let held = memory::peak().unwrap_or(0) / 1024;
            format!("[t={:.6}s, {held} KB]", settings.started.elapsed().as_secs_f64())
        };
        if let Some(found) = &self.statistics {
            remark(&format!("{} Search: {}", stamp(), found.ran));
            remark(&format!("{} Layers: {}, peak nodes: {}", stamp(), found.layers, found.peak_nodes));
        }
        if let (Verdict::Solved(()), Some(steps)) = (&self.verdict, &self.found) {
            remark(&format!("{} Solution found!", stamp()));
            remark(&format!("{} Plan length: {} step(s).", stamp(), steps.steps.len()));
            remark(&format!("{} Plan cost: {}", stamp(), steps.total()));
        }
        if let Some(found) = self.statistics.as_ref().filter(|found| found.expanded > 0) {
            remark(&format!("{} Expanded {} state(s).", stamp(), found.expanded));
        }
        let phases =
            [("Parsing", self.phases.parse), ("Grounding", self.phases.ground), ("Check", self.phases.check)];
        for (name, took) in phases {
            if let Some(took) = took {
                remark(&format!("{} {name} time: {took:.6}s", stamp()));
            }
        }
        if let Some(took) = self.phases.search {
            remark(&format!("{} Search time: {took:.6}s", stamp()));
        }
        remark(&format!("{} Total time: {:.6}s", stamp(), settings.started.elapsed().as_secs_f64()));
        match &self.verdict {
            Verdict::Solved(_) => remark("Solution found."),
            Verdict::Unsolvable => remark("Task is provably unsolvable."),
            Verdict::Stopped(limit) => {
                remark(&format!("Search stopped without finding a solution: {limit}."))
            }
        }
        if let Some(bytes) = memory::peak() {
            remark(&format!("Peak memory: {} KB", bytes / 1024));
        }
    }
}

impl Steps {
    fn of(task: &Task, plan: &Plan) -> Result<Steps, Failure> {
        if Figure::of_units(plan.cost, task.cost_unit).is_none() {
            let message = "the cost of the plan is too large to be told exactly".to_owned();
            return Err(Failure::Usage { message, help: Some("use smaller costs".to_owned()) });
        }
        let steps = plan.operators.iter().map(|&op| {
            let operator = &task.operators[op];
            (format!("({})", operator.name), operator.cost)
        });
        let unit_is_one = task.cost_unit == Ratio::from_integer(1);
        Ok(Steps {
            steps: steps.collect(),
            cost: plan.cost,
            unit: task.cost_unit,
            unit_cost: unit_is_one && task.operators.iter().all(|op| op.cost == 1),
            has_metric: task.has_metric,
        })
    }

    fn figure(&self, units: u64) -> Figure {
        Figure::of_units(units, self.unit).expect("no part costs more than the whole, which fits")
    }

    fn total(&self) -> Figure {
        self.figure(self.cost)
    }

    /// A line for each step and one for the cost. With annotation, what has been spent stands beside each step.
    fn text(&self, annotated: bool) -> String {
        let mut text = String::new();
        let width = self.steps.iter().map(|(step, _)| step.chars().count()).max().unwrap_or(0);
        let digits = self.steps.len().to_string().len();
        let mut spent = 0;
        for (i, (step, cost)) in self.steps.iter().enumerate() {
            spent += cost;
            let (cost, spent) = (self.figure(*cost), self.figure(spent));
            let _ = match annotated {
                true => writeln!(text, "{step:width$}  ; {:>digits$}: {cost}, together {spent}", i + 1),
                false => writeln!(text, "{step}"),
            };
        }
        let kind = if self.unit_cost { "unit cost" } else { "general cost" };
        let _ = writeln!(text, "; cost = {} ({kind})", self.total());
        text
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn steps() -> Steps {
        Steps {
            steps: vec![("(walk a bridge)".to_owned(), 3), ("(catch)".to_owned(), 0)],
            cost: 3,
            unit: Ratio::new(1, 2),
            unit_cost: false,
            has_metric: true,
        }
    }

    #[test]
    fn a_plan_in_the_competition_format() {
        expect![[r#"
            (walk a bridge)
            (catch)
            ; cost = 1.5 (general cost)
        "#]]
        .assert_eq(&steps().text(false));
    }

    #[test]
    fn a_plan_for_a_terminal_is_a_plan_file_too() {
        expect![[r#"
            (walk a bridge)  ; 1: 1.5, together 1.5
            (catch)          ; 2: 0, together 1.5
            ; cost = 1.5 (general cost)
        "#]]
        .assert_eq(&steps().text(true));
    }
}
