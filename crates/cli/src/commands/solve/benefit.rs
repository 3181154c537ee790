//! `solve` where wishes have prices: the answer is a plan of best net benefit.

use std::fmt::Write;
use std::time::Duration;

use counterplay_base::{Budget, Evidence, Limit, Progress, Report as Figures, Verdict};
use counterplay_check::{Checked, check_plan};
use counterplay_ground::{Worth, unweighed, worth_of};
use counterplay_pddl::model::Number;
use counterplay_plan::{Answer, Options, Plan, Search, Statistics};
use counterplay_syntax::{Diagnostic, Label, Severity};
use counterplay_task::Task;
use num_rational::Ratio;
use serde::Serialize;

use super::frame::{Frame, JsonSearch, bounded, confirmed_by};
use super::{SolveArguments, confirm, misfit, verify};
use crate::clock::{Phase, Phases};
use crate::diagnostics;
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::figures::Figure;
use crate::input::Lifted;
use crate::output::{self, count, remark};
use crate::progress::Display;
use crate::settings::{Settings, Verbosity};

/// Everything that can be said about a plan and its net benefit, or that there is none.
#[derive(Debug)]
pub(crate) struct BenefitReport {
    verdict: Verdict<()>,
    /// The plan that was proved best, or the best that was found before a limit.
    found: Option<Valued>,
    /// Plans better than this do not exist, as far as was proved.
    bound: Option<Figure>,
    evidence: Evidence,
    statistics: Statistics,
    phases: Phases,
}

/// A plan and what it is worth in the problem's own terms.
#[derive(Debug)]
struct Valued {
    steps: Vec<String>,
    metric: Option<Figure>,
    /// What the steps cost, violated preferences left aside; unknown if nobody checked.
    cost: Option<Figure>,
    preferences: Vec<Preference>,
}

/// How one preference fares under a plan.
#[derive(Debug, Serialize)]
struct Preference {
    name: String,
    held: bool,
    /// How many of its instances are violated; one in a precondition counts at each application.
    violated: u32,
    /// By how much each of them changes the metric.
    weight: Figure,
}

/// The documented shape of `solve --json` for net benefit.
#[derive(Serialize)]
struct Json<'a> {
    verdict: &'static str,
    kind: &'static str,
    /// What the actions cost, in the metric's own units.
    cost: Option<Figure>,
    /// The value of the problem's `:metric`.
    metric: Option<Figure>,
    length: Option<usize>,
    optimal: bool,
    plan: Option<&'a [String]>,
    preferences: Option<&'a [Preference]>,
    /// No plan has a better metric than this.
    bound: Option<Figure>,
    search: JsonSearch<'a>,
    #[serde(flatten)]
    frame: Frame,
}

/// From the problem to the answer.
pub(crate) fn answer(
    arguments: &SolveArguments,
    options: &Options,
    lifted: &Lifted,
    settings: &Settings,
    display: &Display,
    phases: &mut Phases,
) -> Result<BenefitReport, Halt> {
    let budget = &settings.budget;
    if options.search == Search::Bfs {
        let message = "`--search bfs` looks for the fewest steps, and this problem asks for a net benefit";
        return Err(misfit(message, "use `--search dijkstra`").into());
    }
    warn(lifted, settings);
    let worth = worth_of(&lifted.problem, budget).map_err(|error| lifted.refuse(&error))?;
    display.announce("grounding");
    let task = phases.measure(Phase::Ground, || lifted.ground(budget, display))?;
    let unit = task.cost_unit;
    let value = |units: u64| worth.as_ref().and_then(|worth| worth.of_units(units, unit)).map(Figure);
    display.announce("searching");
    let announcer = Announcer { display, value: &value, aloud: settings.verbosity == Verbosity::Verbose };
    let Answer { verdict, best, statistics } =
        phases.measure(Phase::Search, || counterplay_plan::solve(&task, options, budget, &announcer));
    let checker = Checker { lifted, task: &task, worth: worth.as_ref(), arguments, settings };
    let plan = match &verdict {
        Verdict::Solved(plan) => Some(plan),
        _ => best.as_ref(),
    };
    let mut found = plan.map(|plan| phases.measure(Phase::Check, || checker.value(plan))).transpose()?;
    if found.is_none() && matches!(verdict, Verdict::Stopped(_)) {
        found = empty_plan(lifted, worth.as_ref());
    }
    let bound = match &verdict {
        Verdict::Solved(plan) => value(plan.cost),
        Verdict::Unsolvable => None,
        Verdict::Stopped(_) => value(statistics.lower_bound),
    };
    let ran = &statistics.ran;
    let evidence = match &verdict {
        Verdict::Solved(_) => Evidence::proved(ran, (!arguments.no_check).then_some(VALIDATOR)),
        Verdict::Unsolvable if arguments.no_check => Evidence::proved(ran, None),
        Verdict::Unsolvable => {
            display.announce("checking");
            let search = phases.search;
            let confirmed = phases.measure(Phase::Check, || {
                confirm::no_plan(Some(&lifted.problem), &task, ran, settings, search)
            })?;
            Evidence::proved(ran, confirmed.as_deref())
        }
        Verdict::Stopped(_) => bounded(ran, bound, found.as_ref().and_then(|found| found.metric)),
    };
    if arguments.no_check {
        phases.check = None;
    }
    Ok(BenefitReport { verdict: verdict.map(drop), found, bound, evidence, statistics, phases: *phases })
}

/// What is said to have checked a plan and its net benefit.
const VALIDATOR: &str = "plan validator (validity and metric)";

/// The plan without steps, if it reaches the hard goal: where all goals are soft it does, and is worth something before any
/// search has begun.
fn empty_plan(lifted: &Lifted, worth: Option<&Worth>) -> Option<Valued> {
    // It is asked for when a limit has been reached, and takes no time to speak of.
    let checked = check_plan(&lifted.problem, &[], &Budget::unlimited()).ok()?;
    Some(Valued::new(Vec::new(), checked, worth))
}

/// Says which preferences nobody weighs.
fn warn(lifted: &Lifted, settings: &Settings) {
    let diagnostics: Vec<Diagnostic> = unweighed(&lifted.problem)
        .into_iter()
        .map(|(name, span)| Diagnostic {
            severity: Severity::Warning,
            code: "ground::unweighed-preference",
            message: match &name[..] {
                "" => "a preference without a name cannot be weighed: violating it costs nothing".to_owned(),
                name => format!("the metric does not mention `{name}`: violating it costs nothing"),
            },
            labels: vec![Label { span, text: String::new() }],
            help: None,
        })
        .collect();
    if !diagnostics.is_empty() && settings.verbosity >= Verbosity::Normal {
        remark(diagnostics::render(&lifted.sources, &diagnostics, settings.color.stderr).trim_end());
    }
}

/// Passes reports on, and says aloud when there is a better plan.
struct Announcer<'a, V> {
    display: &'a Display,
    value: &'a V,
    aloud: bool,
}

impl<V: Fn(u64) -> Option<Figure> + Sync> Progress for Announcer<'_, V> {
    fn report(&self, report: Figures<'_>) {
        if self.aloud
            && report.phase == "better plan"
            && let Some(&(_, best)) = report.counts.iter().find(|(name, _)| *name == "best")
            && let Some(metric) = (self.value)(best as u64)
        {
            self.display.clear();
            remark(&format!("better plan: metric {metric}"));
        }
        self.display.report(report);
    }

    fn is_watched(&self) -> bool {
        self.aloud || self.display.is_watched()
    }
}

/// Finds out what plans are worth.
struct Checker<'a> {
    lifted: &'a Lifted,
    task: &'a Task,
    worth: Option<&'a Worth>,
    arguments: &'a SolveArguments,
    settings: &'a Settings,
}

impl Checker<'_> {
    /// The plan with its figures, as the checker recomputes them from the files.
    fn value(&self, plan: &Plan) -> Result<Valued, Halt> {
        let steps = plan.operators.iter().map(|&op| format!("({})", self.task.operators[op].name)).collect();
        let metric = match self.worth {
            None => None,
            Some(worth) => Some(worth.of_units(plan.cost, self.task.cost_unit).ok_or_else(too_large)?),
        };
        if self.arguments.no_check {
            return Ok(Valued { steps, metric: metric.map(Figure), cost: None, preferences: Vec::new() });
        }
        // A limit that has been reached is no reason to show a plan unchecked: checking takes no time to speak of.
        let budget = counterplay_base::Budget::unlimited();
        let budget = if self.settings.budget.check().is_ok() { &self.settings.budget } else { &budget };
        let checked = verify::evaluate(&self.lifted.problem, self.task, plan, budget)?;
        let bug = |why: String| {
            let message = format!("the plan that was found does not pass the check: {why}");
            Halt::from(Failure::Bug { message })
        };
        let checked = checked.map_err(bug)?;
        if checked.metric != metric {
            let told = |value: Option<Number>| value.map_or("none".to_owned(), |it| it.to_string());
            return Err(bug(format!("its metric is {}, not {}", told(checked.metric), told(metric))));
        }
        Ok(Valued::new(steps, checked, self.worth))
    }
}

impl Valued {
    /// The figures of a plan as the checker told them.
    fn new(steps: Vec<String>, checked: Checked, worth: Option<&Worth>) -> Valued {
        let Checked { cost, metric, violations, .. } = checked;
        let preferences = violations.into_iter().map(|(name, violated)| {
            let weight = worth.and_then(|worth| worth.weights.get(&name));
            let weight = Figure(weight.copied().unwrap_or_else(|| Ratio::from_integer(0)));
            Preference { name, held: violated == 0, violated, weight }
        });
        Valued {
            steps,
            metric: metric.map(Figure),
            cost: cost.map(Figure),
            preferences: preferences.collect(),
        }
    }
}

fn too_large() -> Halt {
    let message = "the value of the plan is too large to be told exactly".to_owned();
    Failure::Usage { message, help: Some("use smaller weights".to_owned()) }.into()
}

impl BenefitReport {
    /// The report on a run that a limit ended before its search did. The empty plan may be known all the same.
    pub(crate) fn stopped(limit: Limit, lifted: &Lifted, no_check: bool, phases: Phases) -> BenefitReport {
        let a_moment = Budget::unlimited().with_time(Duration::from_secs(1));
        let worth = worth_of(&lifted.problem, &a_moment).ok().flatten();
        let found = if no_check { None } else { empty_plan(lifted, worth.as_ref()) };
        BenefitReport {
            verdict: Verdict::Stopped(limit),
            evidence: bounded("", None, found.as_ref().and_then(|found| found.metric)),
            found,
            bound: None,
            statistics: Statistics::default(),
            phases,
        }
    }

    /// The exit code that says the same.
    pub(crate) fn exit(&self) -> Exit {
        Exit::of(&self.verdict)
    }

    /// The plan with its figures as comments, if there is one.
    pub(crate) fn plan_text(&self) -> Option<String> {
        self.found.as_ref().map(|found| {
            let mut text = String::new();
            found.steps.iter().for_each(|step| {
                let _ = writeln!(text, "{step}");
            });
            if let Some(cost) = found.cost {
                let _ = writeln!(text, "; cost = {cost}");
            }
            if let Some(metric) = found.metric {
                let _ = writeln!(text, "; metric = {metric}");
            }
            found.preferences.iter().for_each(|preference| {
                let _ = writeln!(text, "; {}", preference.text());
            });
            text
        })
    }

    /// Prints the answer to stdout and remarks on it to stderr.
    pub(crate) fn print(&self, settings: &Settings) -> Result<(), Failure> {
        if settings.json {
            output::json(&self.json(settings))?;
        } else {
            let mut text = match &self.verdict {
                Verdict::Solved(()) => String::new(),
                Verdict::Unsolvable => "; unsolvable: the hard goal cannot be reached\n".to_owned(),
                Verdict::Stopped(limit) => format!("; stopped: {limit}\n"),
            };
            text.push_str(&self.plan_text().unwrap_or_default());
            output::answer(&text)?;
        }
        if settings.verbosity >= Verbosity::Normal {
            remark(&self.summary(settings));
        }
        Ok(())
    }

    fn json(&self, settings: &Settings) -> Json<'_> {
        let found = self.found.as_ref();
        Json {
            verdict: self.verdict.word(),
            kind: "net-benefit",
            cost: found.and_then(|found| found.cost),
            metric: found.and_then(|found| found.metric),
            length: found.map(|found| found.steps.len()),
            optimal: matches!(self.verdict, Verdict::Solved(())),
            plan: found.map(|found| &found.steps[..]),
            preferences: found.map(|found| &found.preferences[..]),
            bound: self.bound,
            search: JsonSearch {
                ran: &self.statistics.ran,
                layers: self.statistics.layers,
                expanded: self.statistics.expanded,
                peak_nodes: self.statistics.peak_nodes,
            },
            frame: Frame::new(&self.verdict, self.phases, settings).resting_on(&self.evidence),
        }
    }

    /// One line for people.
    fn summary(&self, settings: &Settings) -> String {
        let told = |figure: Option<Figure>| figure.map_or("none".to_owned(), |it| it.to_string());
        let mut line = match (&self.verdict, &self.found) {
            (Verdict::Solved(()), Some(found)) => {
                let checked = if self.phases.check.is_some() { ", checked" } else { "" };
                let steps = count(found.steps.len(), "step");
                format!("solved: best plan, {steps}, metric {}{checked}", told(found.metric))
            }
            (Verdict::Stopped(limit), found) => {
                let mut line = format!("stopped: {limit}");
                if let Some(found) = found {
                    let _ = write!(line, "; best plan so far has metric {}", told(found.metric));
                }
                if let Some(bound) = self.bound {
                    let _ = write!(line, "; none is better than {bound}");
                }
                line
            }
            _ => {
                let confirmed = confirmed_by(&self.evidence);
                format!("unsolvable: proved that the hard goal cannot be reached, {confirmed}")
            }
        };
        let _ = write!(line, " ({:.3} s", settings.started.elapsed().as_secs_f64());
        if !self.statistics.ran.is_empty() {
            let _ = write!(line, ", {}", self.statistics.ran);
        }
        line.push(')');
        line
    }
}

impl Preference {
    fn text(&self) -> String {
        let name = if self.name.is_empty() { "(unnamed)" } else { &self.name };
        match self.violated {
            0 => format!("{name}: held"),
            1 => format!("{name}: violated, {}", self.weight),
            times => {
                let all = Figure(self.weight.0 * Ratio::from_integer(i128::from(times)));
                format!("{name}: violated {times} times, {} each, {all} together", self.weight)
            }
        }
    }
}
