//! How time and diagrams grow with the problem: gripper 1 to 20 and blocks 4 to 14.

use std::path::Path;
use std::{env, fs, io};

use crate::generate::{self, Pddl};
use crate::suite::{Planner, Run};

/// One point of a curve.
#[derive(Clone, Debug)]
pub struct Point {
    /// The family of problems.
    pub family: &'static str,
    /// The number of the problem in its family.
    pub size: usize,
    /// What is known of its cost.
    pub expected: Option<f64>,
    /// Our run.
    pub run: Run,
}

impl Point {
    /// Whether the answer contradicts what is known.
    pub fn is_wrong(&self) -> bool {
        match self.run.verdict.as_str() {
            "solved" => self.expected.is_some_and(|expected| self.run.cost != Some(expected)),
            "stopped" | "killed" => false,
            // All of these problems have plans.
            _ => true,
        }
    }
}

/// The head of the table that [`line()`] prints the rows of.
pub const HEAD: &str = "family    size       cost   wall s    cpu s  peak nodes       MB  ran";

/// One row for people.
pub fn line(point: &Point) -> String {
    let run = &point.run;
    let cost = run.cost.map_or_else(|| run.verdict.clone(), |cost| cost.to_string());
    format!(
        "{:8} {:>5} {cost:>10} {:>8.3} {:>8.3} {:>11} {:>8.1}  {}{}",
        point.family,
        point.size,
        run.wall,
        run.cpu,
        run.peak_nodes.unwrap_or(0),
        run.peak_memory as f64 / 1e6,
        run.ran,
        if point.is_wrong() { "  WRONG" } else { "" },
    )
}

/// A problem before it is run.
struct Step {
    family: &'static str,
    size: usize,
    pddl: Pddl,
    expected: Option<f64>,
}

/// Problem k of the gripper of the first planning competition has 2k + 2 balls.
fn gripper() -> impl Iterator<Item = Step> {
    (1..=20).map(|size| {
        let balls = 2 * size + 2;
        let expected = Some(generate::gripper_cost(balls) as f64);
        Step { family: "gripper", size, pddl: generate::gripper(balls), expected }
    })
}

fn blocks(seed: u64) -> impl Iterator<Item = Step> {
    (4..=14).map(move |size| Step {
        family: "blocks",
        size,
        pddl: generate::blocks(size, seed),
        expected: None,
    })
}

/// Runs both families, telling each point as it is known. A family ends after its first unsolved problem: the
/// larger ones would only wait for the limit too. Returns whether every answer was right.
pub fn run(planner: &Planner, seed: u64, tell: &mut dyn FnMut(&Point)) -> io::Result<bool> {
    let folder = env::temp_dir().join(format!("counterplay-growth-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let mut right = true;
    let mut given_up = None;
    for step in gripper().chain(blocks(seed)) {
        if given_up == Some(step.family) {
            continue;
        }
        let point = solve(step, planner, &folder)?;
        tell(&point);
        right &= !point.is_wrong();
        if !point.run.is_solved() {
            given_up = Some(point.family);
        }
    }
    fs::remove_dir_all(&folder)?;
    Ok(right)
}

fn solve(step: Step, planner: &Planner, folder: &Path) -> io::Result<Point> {
    let (domain, problem) = (folder.join("domain.pddl"), folder.join("problem.pddl"));
    fs::write(&domain, &step.pddl.domain)?;
    fs::write(&problem, &step.pddl.problem)?;
    let run = planner.run(&domain, &problem)?;
    Ok(Point { family: step.family, size: step.size, expected: step.expected, run })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_their_sizes() {
        assert_eq!(gripper().count(), 20);
        assert_eq!(gripper().last().unwrap().expected, Some(125.0));
        assert_eq!(blocks(1).map(|step| step.size).collect::<Vec<_>>(), (4..=14).collect::<Vec<_>>());
    }

    #[test]
    fn a_wrong_answer_is_noticed() {
        let point = |verdict: &str, cost| Point {
            family: "gripper",
            size: 1,
            expected: Some(11.0),
            run: Run { verdict: verdict.to_owned(), cost, ..Run::default() },
        };
        assert!(!point("solved", Some(11.0)).is_wrong());
        assert!(point("solved", Some(12.0)).is_wrong());
        assert!(point("unsolvable", None).is_wrong());
        assert!(point("exit 101", None).is_wrong());
        assert!(!point("stopped", None).is_wrong());
    }
}
