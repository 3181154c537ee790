//! Kissmann 2012, Tables 6.2, 6.4 and 7.2: how many problems of the planning competitions are solved.
//!
//! The problems are not ours to pass on: the tables take a folder with one sub-folder for each domain, named as in the
//! common collections of benchmarks (`elevators-opt08-strips`, …), with `domain.pddl` or a domain for each instance.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use counterplay::planning::verify;
use counterplay_base::{Silent, Verdict};
use counterplay_plan::Options;
use serde_json::json;

use super::ggp::table;
use super::{Product, Size};
use crate::settings::Settings;
use crate::settings::{read_lifted, unreadable};
use counterplay::{Error, Halt};

/// A domain: the paper's name, how many problems it had, what folders begin with, and the paper's solved problems.
type Row = (&'static str, u32, &'static str, [u32; 3]);

/// A table: its title, the planners of the paper, and the domains.
pub(super) struct Table {
    title: &'static str,
    planners: [&'static str; 3],
    pub(super) rows: &'static [Row],
}

pub(super) const IPC_2008: Table = Table {
    title: "Table 6.2: sequential optimal track of 2008",
    planners: ["blind", "Gamer 2008", "Gamer 2011"],
    rows: &[
        ("elevators", 30, "elevators-opt08", [17, 24, 24]),
        ("openstacks", 30, "openstacks-opt08-strips", [23, 22, 30]),
        ("parc-printer", 30, "parcprinter-08", [11, 0, 11]),
        ("peg-solitaire", 30, "pegsol-08", [28, 25, 27]),
        ("scanalyzer", 30, "scanalyzer-08", [12, 9, 9]),
        ("sokoban", 30, "sokoban-opt08", [24, 19, 22]),
        ("transport", 30, "transport-opt08", [11, 11, 11]),
        ("woodworking", 30, "woodworking-opt08", [9, 14, 22]),
    ],
};

pub(super) const IPC_2011: Table = Table {
    title: "Table 6.4: sequential optimal track of 2011",
    planners: ["merge and shrink", "Gamer 2011", "Gamer later"],
    rows: &[
        ("nomystery", 20, "nomystery-opt11", [20, 14, 14]),
        ("parking", 20, "parking-opt11", [7, 0, 0]),
        ("tidybot", 20, "tidybot-opt11", [13, 0, 6]),
        ("visitall", 20, "visitall-opt11", [14, 9, 11]),
        ("barman", 20, "barman-opt11", [4, 4, 5]),
        ("elevators", 20, "elevators-opt11", [11, 19, 19]),
        ("floortile", 20, "floortile-opt11", [7, 8, 9]),
        ("openstacks", 20, "openstacks-opt11", [16, 20, 20]),
        ("parc-printer", 20, "parcprinter-opt11", [14, 7, 7]),
        ("peg-solitaire", 20, "pegsol-opt11", [19, 17, 17]),
        ("scanalyzer", 20, "scanalyzer-opt11", [10, 6, 9]),
        ("sokoban", 20, "sokoban-opt11", [20, 19, 19]),
        ("transport", 20, "transport-opt11", [7, 7, 7]),
        ("woodworking", 20, "woodworking-opt11", [9, 16, 16]),
    ],
};

pub(super) const NET_BENEFIT: Table = Table {
    title: "Table 7.2: optimal net-benefit track of 2008",
    planners: ["Gamer 2008", "reordered", "if no numbers"],
    rows: &[
        ("crew planning", 30, "crewplanning-numeric", [8, 8, 8]),
        ("elevators", 30, "elevators-strips", [19, 19, 19]),
        ("openstacks", 30, "openstacks-strips", [7, 12, 12]),
        ("peg-solitaire", 30, "pegsol-strips", [30, 30, 30]),
        ("transport", 30, "transport-numeric", [15, 15, 15]),
        ("woodworking", 30, "woodworking-numeric", [16, 16, 16]),
    ],
};

/// Table 6.2.
pub(super) fn of_2008(settings: &Settings, size: Size, data: Option<&Path>) -> Result<Product, Halt> {
    make(&IPC_2008, settings, size, data)
}

/// Table 6.4.
pub(super) fn of_2011(settings: &Settings, size: Size, data: Option<&Path>) -> Result<Product, Halt> {
    make(&IPC_2011, settings, size, data)
}

/// Table 7.2.
pub(super) fn net_benefit(settings: &Settings, size: Size, data: Option<&Path>) -> Result<Product, Halt> {
    make(&NET_BENEFIT, settings, size, data)
}

/// What was done in one domain.
#[derive(Default)]
struct Tally {
    problems: u32,
    solved: u32,
    seconds: f64,
}

fn make(paper: &Table, settings: &Settings, size: Size, data: Option<&Path>) -> Result<Product, Halt> {
    let Some(folder) = data else {
        let message =
            "this table needs the problems of the planning competition, which are not part of this program";
        let help =
            format!("give a folder that has folders such as `{}` with `--data FOLDER`", paper.rows[0].2);
        return Err(Error::Request { message: message.to_owned(), help: Some(help) }.into());
    };
    let limit = Duration::from_secs(size.pick(5, 1800));
    let mut head: Vec<String> =
        ["domain", "problems here", "solved", "CPU s", "paper: problems"].map(str::to_owned).to_vec();
    head.extend(paper.planners.map(str::to_owned));
    let mut rows = vec![head];
    let mut figures = Vec::new();
    let mut sum = (Tally::default(), 0, [0; 3]);
    for &(name, of, prefix, published) in paper.rows {
        let mut tally = Tally::default();
        for (domain, problem) in instances(folder, prefix)? {
            settings.budget.check()?;
            let (solved, seconds) = attempt(&domain, &problem, limit, settings)?;
            tally.problems += 1;
            tally.solved += u32::from(solved);
            tally.seconds += seconds;
        }
        rows.push(row(name, &tally, of, published));
        figures.push(json!({"domain": name, "problems": tally.problems, "solved": tally.solved,
            "seconds": tally.seconds, "paper_problems": of, "paper_solved": published}));
        sum.0.problems += tally.problems;
        sum.0.solved += tally.solved;
        sum.0.seconds += tally.seconds;
        sum.1 += of;
        sum.2 = [0, 1, 2].map(|at| sum.2[at] + published[at]);
    }
    rows.push(row("all", &sum.0, sum.1, sum.2));
    if sum.0.problems == 0 {
        let message = format!("{} has no folder of this table's domains", folder.display());
        let help = format!("they begin with `{}` and the like", paper.rows[0].2);
        return Err(Error::Request { message, help: Some(help) }.into());
    }
    let note = format!(
        "Solved: the best plan found, proved best and checked within {} s each; the paper's within 1,800 s on a Core i7 920.",
        limit.as_secs()
    );
    let (text, csv) = table(paper.title, &rows, &note);
    Ok(Product { text, csv, svg: None, figures: json!(figures) })
}

fn row(name: &str, tally: &Tally, of: u32, published: [u32; 3]) -> Vec<String> {
    let mut row = vec![
        name.to_owned(),
        tally.problems.to_string(),
        tally.solved.to_string(),
        format!("{:.1}", tally.seconds),
        of.to_string(),
    ];
    row.extend(published.map(|solved| solved.to_string()));
    row
}

/// The problems of all folders whose name begins so, with their domains, by name.
fn instances(folder: &Path, prefix: &str) -> Result<Vec<(PathBuf, PathBuf)>, Error> {
    let mut pairs = Vec::new();
    for domain in entries(folder)? {
        if !file_name(&domain).starts_with(prefix) || !domain.is_dir() {
            continue;
        }
        let files = entries(&domain)?;
        for problem in &files {
            let name = file_name(problem);
            let Some(stem) = name.strip_suffix(".pddl").filter(|stem| !stem.contains("domain")) else {
                continue;
            };
            let names = [format!("{stem}-domain.pddl"), format!("domain_{name}"), "domain.pddl".to_owned()];
            if let Some(found) = names.iter().map(|name| domain.join(name)).find(|path| files.contains(path))
            {
                pairs.push((found, problem.clone()));
            }
        }
    }
    Ok(pairs)
}

/// The paths in a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |error| unreadable(&folder.display().to_string(), &error);
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(failed)?;
    paths.sort();
    Ok(paths)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Whether a problem is solved within a limit, and the CPU seconds that took.
fn attempt(domain: &Path, problem: &Path, limit: Duration, settings: &Settings) -> Result<(bool, f64), Halt> {
    let budget = settings.budget.slice(limit);
    let watch = settings.stopwatch();
    let work = || -> Result<bool, Halt> {
        let lifted = read_lifted(domain, problem)?;
        let task = lifted.ground(&budget, &Silent)?;
        let options = Options { seed: settings.seed, ..Options::default() };
        match counterplay_plan::solve(&task, &options, &budget, &Silent).verdict {
            Verdict::Solved(plan) => match verify::evaluate(&lifted.problem, &task, &plan, &settings.budget)?
            {
                Ok(_) => Ok(true),
                Err(why) => {
                    let message = format!("{}: the plan does not pass the check: {why}", problem.display());
                    Err(Error::Internal { message }.into())
                }
            },
            Verdict::Unsolvable => Ok(true),
            Verdict::Stopped(_) => Ok(false),
        }
    };
    let solved = match work() {
        Err(Halt::Limit(limit)) => {
            settings.budget.check().map_err(|_| limit)?;
            false
        }
        other => other?,
    };
    Ok((solved, watch.seconds()))
}
