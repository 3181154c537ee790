//! Figures 7 and 8 of Nau and others: hunter and prey with the symbolic planner, ND-SHOP2 and Yoyo.
//!
//! The papers' programs are not to be had; this runs ours on the same kind of problem, one after the other on one
//! core, with CPU seconds. Each policy goes through the checker; its time does not count.

use std::time::Duration;

use counterplay::generate::hddl::hunter_prey;
use counterplay::planning::check_options;
use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{Guarantee, PolicyFlaw, check_policy, read_policy};
use counterplay_draw::chart::{Line, lines};
use counterplay_ground::ground_outcomes;
use counterplay_hddl::HddlProblem;
use counterplay_hddl::advice::{Algorithm, advised_policy};
use counterplay_pddl::model::Problem;
use counterplay_policy::{Class, Options, Policy, PolicySearch, rules, solve, text};
use counterplay_syntax::Sources;
use counterplay_task::NondetTask;
use serde_json::json;

use super::{Product, Size};
use crate::settings::Settings;
use counterplay::{Error, Halt};

/// Growing grids with one prey.
pub(super) fn fig7(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let edges: &[u32] = size.pick(&[2, 4, 6, 8, 10], &[2, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32]);
    let points = edges.iter().map(|&edge| (edge, 1)).collect();
    figure("Hunter and prey: one prey, growing grid", points, settings, size)
}

/// Growing numbers of prey on a grid of 4 × 4, then both growing together.
pub(super) fn fig8(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let prey: &[u32] = size.pick(&[1, 2, 3], &[1, 2, 3, 4, 5, 6]);
    let mut points: Vec<(u32, u32)> = prey.iter().map(|&prey| (4, prey)).collect();
    points.extend(size.pick(&[(5, 2)][..], &[(5, 2), (6, 3), (8, 4)][..]));
    figure("Hunter and prey: growing prey on 4 x 4, then both growing", points, settings, size)
}

/// The planners, in the order of the columns.
pub(super) const PLANNERS: [&str; 3] = ["symbolic", "nd-shop2", "yoyo"];

/// What one planner did on one problem.
enum Outcome {
    /// CPU seconds and pairs of the policy, and whether all its states were checked.
    Solved { seconds: f64, pairs: usize, complete: bool },
    /// Not within the limit.
    Past,
}

fn figure(title: &str, points: Vec<(u32, u32)>, settings: &Settings, size: Size) -> Result<Product, Halt> {
    let limit = Duration::from_secs(size.pick(5, 60));
    let mut table = Vec::new();
    for &(edge, prey) in &points {
        settings.budget.check()?;
        let (problem, nondet) = ground(edge, prey, &settings.budget)?;
        let mut row = Vec::new();
        for planner in 0..PLANNERS.len() {
            // What failed on a smaller problem of the same row of sizes is not tried on a larger one.
            row.push(run(planner, &problem, &nondet, limit, settings)?);
        }
        table.push(row);
    }
    Ok(product(title, &points, &table, limit))
}

fn ground(edge: u32, prey: u32, budget: &Budget) -> Result<(Problem, NondetTask), Halt> {
    let files = hunter_prey(edge, prey, false);
    let mut sources = Sources::default();
    let (domain, problem) = (sources.add("domain", files.domain), sources.add("problem", files.problem));
    let problem = counterplay_pddl::read(&sources, domain, problem).expect("what we write we can read");
    let plain = Problem { hierarchy: None, ..problem.clone() };
    let options = counterplay_ground::Options { keep_irrelevant: true, ..Default::default() };
    match ground_outcomes(&plain, &options, budget, &Silent) {
        Ok((nondet, _)) => Ok((problem, nondet)),
        Err(counterplay_ground::Error::Stopped(limit)) => Err(Halt::Limit(limit)),
        Err(error) => unreachable!("what we write is supported: {error}"),
    }
}

fn run(
    planner: usize,
    problem: &Problem,
    nondet: &NondetTask,
    limit: Duration,
    settings: &Settings,
) -> Result<Outcome, Halt> {
    let budget = settings.budget.slice(limit);
    let clock = settings.stopwatch();
    let verdict = match planner {
        0 => {
            let options = Options {
                class: Some(Class::StrongCyclic),
                search: PolicySearch::Symbolic,
                seed: settings.seed,
            };
            solve(nondet, &options, &budget, &Silent).verdict
        }
        _ => {
            let lifted = HddlProblem::new(problem).expect("what we write is supported");
            let algorithm = if planner == 1 { Algorithm::NdShop2 } else { Algorithm::Yoyo };
            let answer = advised_policy(
                &lifted,
                nondet,
                Class::StrongCyclic,
                algorithm,
                settings.seed,
                &budget,
                &Silent,
            );
            answer.expect("what we write is supported").verdict
        }
    };
    let seconds = clock.seconds();
    match verdict {
        Verdict::Solved(policy) => {
            let complete = check(problem, nondet, &policy, settings)?;
            Ok(Outcome::Solved { seconds, pairs: policy.pairs.len(), complete })
        }
        Verdict::Stopped(limit) => {
            // Only the slice may run out; the whole is the user's limit.
            settings.budget.check().map_err(|_| limit)?;
            Ok(Outcome::Past)
        }
        Verdict::Unsolvable => {
            let message = format!("{} finds no policy where there is one", PLANNERS[planner]);
            Err(Error::Internal { message }.into())
        }
    }
}

/// Gives a policy to the checker; whether all its states could be looked at.
fn check(problem: &Problem, nondet: &NondetTask, policy: &Policy, settings: &Settings) -> Result<bool, Halt> {
    let bug = |why: String| Error::Internal { message: format!("a policy does not pass the check: {why}") };
    let mut sources = Sources::default();
    let file = sources.add("policy", text(policy.class, &rules(nondet, policy)));
    let read = read_policy(&sources, file, problem)
        .map_err(|errors| bug(errors.first().map(ToString::to_string).unwrap_or_default()))?;
    let options = check_options(Guarantee::StrongCyclic, settings.seed);
    // Large policies are looked at as far as ten seconds go.
    let budget = settings.budget.slice(Duration::from_secs(10));
    match check_policy(problem, &read.rules, options, &budget) {
        Ok(checked) => Ok(checked.is_certain()),
        Err(PolicyFlaw::Stopped { limit }) => {
            settings.budget.check().map_err(|_| limit)?;
            Ok(false)
        }
        Err(flaw) => Err(bug(flaw.to_string()).into()),
    }
}

fn product(title: &str, points: &[(u32, u32)], table: &[Vec<Outcome>], limit: Duration) -> Product {
    let past = limit.as_secs_f64();
    let mut text = format!("{title} (CPU seconds; > {past} is past the limit)\n{:>8}{:>6}", "grid", "prey");
    PLANNERS.iter().for_each(|name| text.push_str(&format!("{name:>12}")));
    text.push_str("   policies checked\n");
    let mut csv = String::from("edge,prey,planner,seconds,pairs,checked\n");
    let mut figures = Vec::new();
    for (&(edge, prey), row) in points.iter().zip(table) {
        text.push_str(&format!("{:>8}{prey:>6}", format!("{edge}x{edge}")));
        let mut checked = Vec::new();
        for (name, outcome) in PLANNERS.iter().zip(row) {
            match outcome {
                Outcome::Solved { seconds, pairs, complete } => {
                    let how = if *complete { "complete" } else { "sampled" };
                    text.push_str(&format!("{seconds:>12.3}"));
                    csv.push_str(&format!("{edge},{prey},{name},{seconds:.6},{pairs},{how}\n"));
                    checked.push(how);
                    figures.push(json!({"edge": edge, "prey": prey, "planner": name, "seconds": seconds, "pairs": pairs}));
                }
                Outcome::Past => {
                    text.push_str(&format!("{:>12}", format!("> {past}")));
                    csv.push_str(&format!("{edge},{prey},{name},,,past the limit\n"));
                    checked.push("-");
                    figures.push(json!({"edge": edge, "prey": prey, "planner": name, "seconds": null}));
                }
            }
        }
        text.push_str(&format!("   {}\n", checked.join(" ")));
    }
    let curve = |planner: usize| Line {
        label: PLANNERS[planner].to_owned(),
        values: table
            .iter()
            .map(|row| match &row[planner] {
                Outcome::Solved { seconds, .. } => *seconds,
                Outcome::Past => past,
            })
            .collect(),
    };
    let svg = lines(
        title,
        "CPU seconds over the rows of the table; the limit stands for points past it",
        &[0, 1, 2].map(curve),
    );
    Product { text, csv, svg: Some(svg), figures: json!(figures) }
}
