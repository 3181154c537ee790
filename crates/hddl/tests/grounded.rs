//! The search over the ground problem against depth-first search, and both against the checker, on random small problems.

use std::fmt::Write;

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_check::{Existence, Guarantee, check_decomposition, read_decomposition, try_decompositions};
use counterplay_hddl::{HddlProblem, NetworkSearch, Options, PreparedProblem, shop};
use counterplay_pddl::model::Problem;
use counterplay_syntax::Sources;

/// A small generator: tests need no better one.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn literal(&mut self, variables: &[&str]) -> String {
        let predicate = ["p", "q", "r"][self.below(3)];
        let atom = format!("({predicate} {})", variables[self.below(variables.len())]);
        if self.below(3) == 0 { format!("(not {atom})") } else { atom }
    }

    fn condition(&mut self, variables: &[&str]) -> String {
        match self.below(6) {
            0 => "()".to_owned(),
            1 => format!("(forall (?z) (or {} (q ?z)))", self.literal(&["?z"])),
            2 => format!("(forall (?z) {})", self.literal(&["?z"])),
            _ => self.literal(variables),
        }
    }

    fn subtasks(&mut self, variables: &[&str]) -> String {
        let mut text = String::new();
        for label in 0..self.below(4) {
            let name = ["a0", "a1", "a2", "t0", "t1"][self.below(5)];
            let _ = write!(text, " (s{label} ({name} {}))", variables[self.below(variables.len())]);
        }
        let section = if self.below(2) == 0 { ":ordered-subtasks" } else { ":subtasks" };
        format!("{section} (and{text})")
    }

    fn domain(&mut self) -> String {
        let mut text = "(define (domain d) (:predicates (p ?x) (q ?x) (r ?x) (fixed ?x))
            (:task t0 :parameters (?x)) (:task t1 :parameters (?x))"
            .to_owned();
        for number in 0..5 {
            let (task, before) = (self.below(2), self.condition(&["?x", "?y"]));
            let subtasks = self.subtasks(&["?x", "?y"]);
            let _ = write!(
                text,
                "(:method m{number} :parameters (?x ?y) :task (t{task} ?x) :precondition {before} {subtasks})"
            );
        }
        for number in 0..3 {
            let before = self.condition(&["?x"]);
            let (one, other) = (self.literal(&["?x"]), self.literal(&["?x"]));
            let other = if self.below(3) == 0 { format!("(when (fixed ?x) {other})") } else { other };
            let _ = write!(
                text,
                "(:action a{number} :parameters (?x) :precondition {before} :effect (and {one} {other}))"
            );
        }
        text + ")"
    }

    fn problem(&mut self) -> String {
        let goal = if self.below(2) == 0 { self.literal(&["a", "b"]) } else { "()".to_owned() };
        let init: String =
            (0..3).map(|_| self.literal(&["a", "b"])).filter(|it| !it.contains("not")).collect();
        let subtasks = self.subtasks(&["a", "b"]);
        format!(
            "(define (problem p) (:domain d) (:objects a b) (:htn {subtasks})
            (:init (fixed a) {init}) (:goal {goal}))"
        )
    }
}

fn is_valid(problem: &Problem, text: &str) -> bool {
    let mut sources = Sources::default();
    let file = sources.add("plan", text);
    let read = read_decomposition(&sources, file, problem).expect("our plans can be read");
    check_decomposition(problem, &read, &Budget::unlimited()).is_ok()
}

#[test]
fn both_searches_agree_with_trying_everything() {
    let mut decided = [0, 0];
    for seed in 0..250 {
        let mut chance = Chance(seed);
        let (domain, text) = (chance.domain(), chance.problem());
        let mut sources = Sources::default();
        let (domain, text) = (sources.add("domain", domain), sources.add("problem", text));
        let problem = counterplay_pddl::read(&sources, domain, text).expect("the text is sound");
        let tried = try_decompositions(&problem, Guarantee::Weak, 200, &Budget::unlimited());
        let lifted = HddlProblem::new(&problem).expect("supported");
        let known = PreparedProblem::new(&lifted);
        for search in [NetworkSearch::Estimates, NetworkSearch::DepthFirst, NetworkSearch::Auto] {
            let options = Options { effort: 0, search };
            let budget = Budget::unlimited().slice(std::time::Duration::from_millis(20));
            match (shop(&known, options, &budget, &Silent).verdict, &tried) {
                (Verdict::Solved(plan), tried) => {
                    assert!(is_valid(&problem, &plan.to_text(&known)), "seed {seed} {search:?}");
                    assert!(!matches!(tried, Ok(Existence::Impossible)), "seed {seed} {search:?}");
                    decided[0] += 1;
                }
                (Verdict::Unsolvable, tried) => {
                    assert!(
                        !matches!(tried, Ok(Existence::Possible)),
                        "seed {seed} {search:?}: wrongly none"
                    );
                    decided[1] += 1;
                }
                (Verdict::Stopped(_), _) => {}
            }
        }
    }
    assert!(decided.iter().all(|&count| count > 80), "{decided:?}");
}
