//! Plans that carry out a task network.

use std::path::Path;
use std::{fs, io::IsTerminal};

use counterplay_base::{Budget, Evidence, Limit, Verdict};
use counterplay_check::{DecompositionFlaw, Guarantee, check_decomposition, read_decomposition};
use counterplay_draw::outline::{Row, outline};
use counterplay_draw::tree::Look;
use counterplay_htn::Knowledge;
use counterplay_htn::hddl::{Answer, Figures, Known, Methods, Options, Plan, shop};
use counterplay_htn::tree::Fate;
use counterplay_syntax::Sources;
use serde::Serialize;

use super::super::SolveArguments;
use super::{ENGINE, MOST_SITUATIONS, confirmed, lift, refuse_misfits};
use crate::clock::{Phase, Phases};
use crate::commands::solve::frame::{Frame, why};
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::input::Lifted;
use crate::output::{self, count, remark};
use crate::progress::Display;
use crate::settings::{Settings, Verbosity};

/// Everything that can be said about a plan of a task network, or that there is none.
#[derive(Debug)]
pub(crate) struct HtnReport {
    verdict: Verdict<Found>,
    /// What the verdict rests on; none if there is no verdict.
    evidence: Option<Evidence>,
    is_optimal: bool,
    looping: Option<String>,
    figures: Figures,
    phases: Phases,
}

/// A plan in words.
#[derive(Debug)]
struct Found {
    actions: Vec<String>,
    /// The plan file.
    text: String,
    /// The decomposition with its reasons, indented.
    tree: String,
}

/// The documented shape of `solve --json` for plans of task networks.
#[derive(Serialize)]
struct Json<'a> {
    verdict: &'static str,
    kind: &'static str,
    cost: Option<usize>,
    length: Option<usize>,
    optimal: bool,
    evidence: Option<&'a Evidence>,
    plan: Option<Vec<String>>,
    decomposition: Option<&'a str>,
    search: JsonSearch,
    #[serde(flatten)]
    frame: Frame,
}

#[derive(Serialize)]
struct JsonSearch {
    ran: &'static str,
    rounds: u32,
    first_length: u64,
    improvements: u32,
}

/// From the problem to the answer.
pub(crate) fn answer(
    arguments: &SolveArguments,
    lifted: &Lifted,
    settings: &Settings,
    display: &Display,
    phases: &mut Phases,
) -> Result<HtnReport, Halt> {
    refuse_misfits(arguments)?;
    let budget = &settings.budget;
    let network = phases.measure(Phase::Ground, || lift(lifted))?;
    let known = Known::new(&network);
    display.announce("decomposing");
    let options = Options { effort: arguments.effort.unwrap_or(Options::default().effort) };
    let Answer { verdict, is_optimal, looping, figures } =
        phases.measure(Phase::Search, || shop(&known, options, budget, display));
    let mut evidence = None;
    let verdict = match verdict {
        Verdict::Solved(plan) => {
            let text = plan.to_text(&known);
            if !arguments.no_check {
                phases.measure(Phase::Check, || verify(lifted, &text, budget))?;
            }
            let checker = (!arguments.no_check).then_some("the decomposition checker");
            evidence = Some(Evidence::proved(ENGINE, checker));
            if let Some(file) = &arguments.tree_file {
                write_tree(file, &plan, &known)?;
            }
            let actions = plan.actions(&known);
            Verdict::Solved(Found { actions, text, tree: plan.tree().to_text(&Methods(&known)) })
        }
        Verdict::Unsolvable if arguments.no_check => {
            evidence = Some(Evidence::proved(ENGINE, None));
            Verdict::Unsolvable
        }
        Verdict::Unsolvable => {
            // With one outcome for each action a weak policy is a plan.
            let found = phases.measure(Phase::Check, || confirmed(lifted, Guarantee::Weak, settings))?;
            if matches!(found, Evidence::Proved { checked_by: Some(_), .. }) {
                evidence = Some(found);
                Verdict::Unsolvable
            } else {
                // A search through task networks is intricate: alone it is not taken for a proof that there is no plan.
                let assumes = "the search, which found no plan, left nothing out: the check that tries every decomposition met its limit";
                evidence = Some(Evidence::Planned { engine: ENGINE.to_owned(), assumes: assumes.to_owned() });
                Verdict::Stopped(Limit::Nodes(MOST_SITUATIONS as u64))
            }
        }
        Verdict::Stopped(limit) => Verdict::Stopped(limit),
    };
    let looping = looping.map(|task| known.task_words(task));
    Ok(HtnReport { verdict, evidence, is_optimal, looping, figures, phases: *phases })
}

/// Gives the plan, as text, to the checker. One that fails is a bug of ours, never an answer.
fn verify(lifted: &Lifted, text: &str, budget: &Budget) -> Result<(), Halt> {
    let mut sources = Sources::default();
    let file = sources.add("the plan", text);
    let bug = |why: String| Failure::Bug {
        message: format!("the plan that was found does not pass the check: {why}"),
    };
    let read = read_decomposition(&sources, file, &lifted.problem)
        .map_err(|errors| bug(errors.first().map(ToString::to_string).unwrap_or_default()))?;
    match check_decomposition(&lifted.problem, &read, budget) {
        Ok(_) => Ok(()),
        Err(DecompositionFlaw::Stopped { limit }) => Err(Halt::Limit(limit)),
        Err(flaw) => Err(bug(flaw.to_string()).into()),
    }
}

/// Writes the decomposition tree: a picture if the name ends in `.svg`, else text.
fn write_tree(file: &Path, plan: &Plan, known: &Known<'_>) -> Result<(), Failure> {
    let (tree, methods) = (plan.tree(), Methods(known));
    let text = if file.extension().is_some_and(|it| it.eq_ignore_ascii_case("svg")) {
        let rows = tree.walk().into_iter().map(|(depth, id)| {
            let node = &tree.nodes[id];
            let (remark, look) = match &node.fate {
                Some(Fate::Refined(method, _)) => (methods.explain(method).to_text(), Look::Own),
                _ => (String::new(), Look::Won),
            };
            Row { depth, words: methods.task_words(&node.task), remark, look }
        });
        outline("decomposition", &rows.collect::<Vec<_>>())
    } else {
        tree.to_text(&methods)
    };
    fs::write(file, text).map_err(|error| Failure::Write { name: file.display().to_string(), error })
}

impl HtnReport {
    /// The exit code that says the same.
    pub(crate) fn exit(&self) -> Exit {
        Exit::of(&self.verdict)
    }

    /// The plan with its decomposition, if there is one.
    pub(crate) fn plan_text(&self) -> Option<String> {
        self.verdict.as_ref().solved().map(|found| found.text.clone())
    }

    /// Prints the answer to stdout and remarks on it to stderr.
    pub(crate) fn print(&self, settings: &Settings) -> Result<(), Failure> {
        if settings.json {
            output::json(&self.json(settings))?;
        } else {
            output::answer(&match &self.verdict {
                Verdict::Solved(found) => found.text.clone(),
                Verdict::Unsolvable => "; unsolvable: there is no plan\n".to_owned(),
                Verdict::Stopped(limit) => format!("; stopped: {}\n", why(*limit, self.looping.as_deref())),
            })?;
        }
        if let Verdict::Solved(found) = &self.verdict
            && (settings.verbosity == Verbosity::Verbose
                || settings.verbosity == Verbosity::Normal
                    && !settings.json
                    && std::io::stderr().is_terminal())
        {
            remark(found.tree.trim_end());
        }
        if settings.verbosity >= Verbosity::Normal {
            remark(&self.summary(settings));
        }
        Ok(())
    }

    fn json(&self, settings: &Settings) -> Json<'_> {
        let found = self.verdict.as_ref().solved();
        Json {
            verdict: self.verdict.word(),
            kind: "htn",
            cost: found.map(|found| found.actions.len()),
            length: found.map(|found| found.actions.len()),
            optimal: self.is_optimal,
            evidence: self.evidence.as_ref(),
            plan: found.map(|found| found.actions.iter().map(|action| format!("({action})")).collect()),
            decomposition: found.map(|found| found.tree.as_str()),
            search: JsonSearch {
                ran: "decomposition",
                rounds: self.figures.rounds,
                first_length: self.figures.first,
                improvements: self.figures.improvements,
            },
            frame: Frame::of_network(&self.verdict, self.looping.as_deref(), self.phases, settings),
        }
    }

    /// One line for people.
    fn summary(&self, settings: &Settings) -> String {
        let line = match &self.verdict {
            Verdict::Solved(found) => {
                let checked = if self.phases.check.is_some() { ", checked" } else { "" };
                let kind = if self.is_optimal { "shortest plan" } else { "plan" };
                format!("solved: {kind} of {}{checked}", count(found.actions.len(), "action"))
            }
            Verdict::Unsolvable => "unsolvable: proved that the network has no plan".to_owned(),
            Verdict::Stopped(limit) => format!("stopped: {}", why(*limit, self.looping.as_deref())),
        };
        let evidence = self.evidence.as_ref().map(|it| format!("; {}", it.sentence())).unwrap_or_default();
        format!("{line}{evidence} ({:.3} s, decomposition)", settings.started.elapsed().as_secs_f64())
    }
}
