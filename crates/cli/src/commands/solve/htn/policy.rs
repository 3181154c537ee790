//! Policies by decomposition: over state and network, or over states with methods as advice.

use counterplay_base::{Evidence, Verdict};
use counterplay_check::{
    Guarantee as Checked, NetworkPolicyFlaw, Tried, check_network_policy, read_network_policy, try_advice,
};
use counterplay_ground::{NondetTask, ground_outcomes};
use counterplay_htn::hddl::{Guarantee, Known, PolicyAnswer, network_policy};
use counterplay_htn::steer::{Answer, Representation, steer};
use counterplay_pddl::model::Problem;
use counterplay_policy::{Class, Statistics};
use counterplay_syntax::Sources;
use serde::Serialize;

use super::super::policy::{ClassChoice, PolicyReport, report};
use super::super::{SolveArguments, misfit};
use super::{ENGINE, HtnChoice, MOST_SITUATIONS, TRYING, confirmed, input_failure, lift, refuse_misfits};
use crate::clock::{Phase, Phases};
use crate::commands::solve::frame::{Frame, why};
use crate::exit::Exit;
use crate::failure::{Failure, Halt};
use crate::input::Lifted;
use crate::output::{self, count, remark};
use crate::progress::Display;
use crate::settings::{Settings, Verbosity};

/// A policy for the goal, found with methods as advice.
pub(crate) fn steered(
    arguments: &SolveArguments,
    lifted: &Lifted,
    way: HtnChoice,
    settings: &Settings,
    display: &Display,
    phases: &mut Phases,
) -> Result<PolicyReport, Halt> {
    refuse_misfits(arguments)?;
    let network = lift(lifted)?;
    display.announce("grounding");
    let nondet = phases.measure(Phase::Ground, || ground(lifted, settings, display))?;
    display.announce("searching");
    let class = arguments.class.map_or(Class::StrongCyclic, Class::from);
    let (representation, name) = match way {
        HtnChoice::Yoyo => (Representation::Diagrams, "yoyo"),
        _ => (Representation::Explicit, "nd-shop2"),
    };
    let found = phases.measure(Phase::Search, || {
        steer(&network, &nondet, class, representation, settings.seed, &settings.budget, display)
    });
    let Answer { verdict, figures } =
        found.map_err(|error| input_failure(&lifted.sources, error.diagnostic()))?;
    if matches!(verdict, Verdict::Unsolvable) && !arguments.no_check {
        phases.measure(Phase::Check, || confirm_advice(lifted, class, settings))?;
    }
    let statistics = Statistics {
        ran: name.to_owned(),
        rounds: figures.restarts + 1,
        expanded: figures.situations,
        peak_nodes: figures.peak,
    };
    report(arguments, lifted, &nondet, verdict, Some(class), statistics, settings, phases)
}

/// Has "there is no such policy" confirmed by following all methods on the lifted problem, if there is not too much to follow.
/// A contradiction is a bug of ours, never an answer.
fn confirm_advice(lifted: &Lifted, class: Class, settings: &Settings) -> Result<(), Halt> {
    let wanted = match class {
        Class::Strong => Checked::Strong,
        Class::StrongCyclic => Checked::StrongCyclic,
        Class::Weak => Checked::Weak,
    };
    let budget = settings.budget.slice(TRYING);
    match try_advice(&lifted.problem, wanted, MOST_SITUATIONS, &budget) {
        Ok(Tried::Possible) => {
            let message = "the search found no policy, but following every method finds one";
            Err(Failure::Bug { message: message.to_owned() }.into())
        }
        Ok(Tried::Impossible | Tried::Open) | Err(_) => Ok(()),
    }
}

/// The finite task with all that methods may mention, whether the goal needs it or not.
fn ground(lifted: &Lifted, settings: &Settings, display: &Display) -> Result<NondetTask, Halt> {
    let options = counterplay_ground::Options { keep_irrelevant: true, ..Default::default() };
    let plain = Problem { hierarchy: None, ..lifted.problem.clone() };
    match ground_outcomes(&plain, &options, &settings.budget, display) {
        Ok((nondet, _)) => Ok(nondet),
        Err(counterplay_ground::Error::Stopped(limit)) => Err(Halt::Limit(limit)),
        Err(other) => {
            let diagnostics = other.diagnostic().into_iter().collect();
            Err(Failure::Input { sources: lifted.sources.clone(), diagnostics }.into())
        }
    }
}

/// Everything that can be said about a policy over state and network, or that there is none.
#[derive(Debug)]
pub(crate) struct NetworkReport {
    verdict: Verdict<Found>,
    /// What the verdict rests on; none if there is no verdict.
    evidence: Option<Evidence>,
    is_strong_impossible: bool,
    looping: Option<String>,
    pairs: usize,
    phases: Phases,
}

#[derive(Debug)]
struct Found {
    guarantee: Guarantee,
    nodes: usize,
    text: String,
}

/// The documented shape of `solve --json` for policies over state and network.
#[derive(Serialize)]
struct Json<'a> {
    verdict: &'static str,
    kind: &'static str,
    class: Option<&'static str>,
    impossible: Vec<&'static str>,
    evidence: Option<&'a Evidence>,
    length: Option<usize>,
    policy: Option<Vec<&'a str>>,
    search: JsonSearch,
    #[serde(flatten)]
    frame: Frame,
}

#[derive(Serialize)]
struct JsonSearch {
    ran: &'static str,
    pairs: usize,
}

/// A policy that carries out the network whatever happens.
pub(crate) fn network(
    arguments: &SolveArguments,
    lifted: &Lifted,
    settings: &Settings,
    display: &Display,
    phases: &mut Phases,
) -> Result<NetworkReport, Halt> {
    refuse_misfits(arguments)?;
    if arguments.tree_file.is_some() || arguments.effort.is_some() {
        return Err(misfit("`--tree-file` and `--effort` are for plans", "leave them out").into());
    }
    let wanted = match arguments.class {
        None => None,
        Some(ClassChoice::Strong) => Some(Guarantee::Strong),
        Some(ClassChoice::StrongCyclic) => Some(Guarantee::StrongCyclic),
        Some(ClassChoice::Weak) => {
            return Err(misfit(
                "policies over state and network are strong or strong-cyclic",
                "leave `--class` out",
            )
            .into());
        }
    };
    let network = phases.measure(Phase::Ground, || lift(lifted))?;
    let known = Known::new(&network);
    display.announce("decomposing");
    let PolicyAnswer { verdict, is_strong_impossible, looping, pairs } =
        phases.measure(Phase::Search, || network_policy(&known, wanted, &settings.budget, display));
    let mut evidence = None;
    let verdict = match verdict {
        Verdict::Solved(policy) => {
            let text = policy.to_text(&known);
            if !arguments.no_check {
                phases.measure(Phase::Check, || verify(lifted, &text, settings))?;
            }
            let checker = (!arguments.no_check).then_some("the network policy checker");
            evidence = Some(Evidence::proved(ENGINE, checker));
            Verdict::Solved(Found { guarantee: policy.guarantee, nodes: policy.len(), text })
        }
        Verdict::Unsolvable => {
            let wanted = match wanted {
                Some(Guarantee::Strong) => Checked::Strong,
                Some(Guarantee::StrongCyclic) | None => Checked::StrongCyclic,
            };
            evidence = Some(match arguments.no_check {
                true => Evidence::proved(ENGINE, None),
                false => phases.measure(Phase::Check, || confirmed(lifted, wanted, settings))?,
            });
            Verdict::Unsolvable
        }
        Verdict::Stopped(limit) => Verdict::Stopped(limit),
    };
    let looping = looping.map(|task| known.task_words(task));
    Ok(NetworkReport { verdict, evidence, is_strong_impossible, looping, pairs, phases: *phases })
}

/// Gives the policy, as text, to the checker. One that fails is a bug of ours, never an answer.
fn verify(lifted: &Lifted, text: &str, settings: &Settings) -> Result<(), Halt> {
    let mut sources = Sources::default();
    let file = sources.add("the policy", text);
    let bug = |flaw: NetworkPolicyFlaw| Failure::Bug {
        message: format!("the policy that was found does not pass the check: {flaw}"),
    };
    let read = read_network_policy(&sources, file, &lifted.problem).map_err(bug)?;
    match check_network_policy(&lifted.problem, &read, read.claimed, &settings.budget) {
        Ok(_) => Ok(()),
        Err(NetworkPolicyFlaw::Stopped { limit }) => Err(Halt::Limit(limit)),
        Err(flaw) => Err(bug(flaw).into()),
    }
}

/// The name of a guarantee.
fn class_name(guarantee: Guarantee) -> &'static str {
    match guarantee {
        Guarantee::Strong => "strong",
        Guarantee::StrongCyclic => "strong-cyclic",
    }
}

/// What a checked policy over state and network guarantees, in a word.
pub(crate) fn checked_name(guarantee: Checked) -> &'static str {
    match guarantee {
        Checked::Strong => "strong",
        Checked::StrongCyclic => "strong-cyclic",
        Checked::Weak => "weak",
    }
}

impl NetworkReport {
    /// The exit code that says the same.
    pub(crate) fn exit(&self) -> Exit {
        Exit::of(&self.verdict)
    }

    /// The policy as a file, if there is one.
    pub(crate) fn policy_text(&self) -> Option<String> {
        self.verdict.as_ref().solved().map(|found| found.text.clone())
    }

    /// Prints the answer to stdout and remarks on it to stderr.
    pub(crate) fn print(&self, settings: &Settings) -> Result<(), Failure> {
        if settings.json {
            output::json(&self.json(settings))?;
        } else {
            output::answer(&match &self.verdict {
                Verdict::Solved(found) => found.text.clone(),
                Verdict::Unsolvable => "; unsolvable: no policy carries out the network\n".to_owned(),
                Verdict::Stopped(limit) => format!("; stopped: {}\n", why(*limit, self.looping.as_deref())),
            })?;
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
            class: found.map(|found| class_name(found.guarantee)),
            impossible: self.is_strong_impossible.then_some("strong").into_iter().collect(),
            evidence: self.evidence.as_ref(),
            length: found.map(|found| found.nodes),
            policy: found.map(|found| found.text.lines().collect()),
            search: JsonSearch { ran: "decomposition", pairs: self.pairs },
            frame: Frame::of_network(&self.verdict, self.looping.as_deref(), self.phases, settings),
        }
    }

    fn summary(&self, settings: &Settings) -> String {
        let line = match &self.verdict {
            Verdict::Solved(found) => {
                let checked = if self.phases.check.is_some() { ", checked" } else { "" };
                let class = class_name(found.guarantee);
                format!("solved: {class} policy of {}{checked}", count(found.nodes, "node"))
            }
            Verdict::Unsolvable => "unsolvable: proved that no policy carries out the network".to_owned(),
            Verdict::Stopped(limit) => format!("stopped: {}", why(*limit, self.looping.as_deref())),
        };
        let seconds = settings.started.elapsed().as_secs_f64();
        let pairs = if self.pairs == 1 { "pair" } else { "pairs" };
        let evidence = self.evidence.as_ref().map(|it| format!("; {}", it.sentence())).unwrap_or_default();
        format!("{line}{evidence} ({seconds:.3} s, {} {pairs} of state and network)", self.pairs)
    }
}
