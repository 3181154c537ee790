//! The benchmark files, where they are there: all are grounded, and not larger than by Fast Downward's
//! translator.

use std::path::{Path, PathBuf};

use counterplay_base::{Budget, Silent};
use counterplay_ground::{Options, ground};
use counterplay_pddl::model::Problem;
use counterplay_syntax::Sources;

/// Variables, facts and operators that Fast Downward 26.6 writes for each problem.
const TRANSLATED: &str = include_str!("translated.csv");

fn folder(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/pddl").join(name);
    if !path.is_dir() {
        println!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

fn read(folder: &Path, instance: &str) -> Problem {
    let own = folder.join(format!("{instance}-domain.pddl"));
    let domain = if own.is_file() { own } else { folder.join("domain.pddl") };
    let mut sources = Sources::default();
    let mut add = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a benchmark file");
        sources.add(path.display().to_string(), text)
    };
    let (domain, problem) = (add(domain), add(folder.join(format!("{instance}.pddl"))));
    counterplay_pddl::read(&sources, domain, problem).expect("benchmarks are readable")
}

#[test]
fn sequential_benchmarks_are_no_larger_than_translated() {
    let Some(folder) = folder("seq-opt") else { return };
    for line in TRANSLATED.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let problem = read(&folder.join(fields[0]), fields[1]);
        let limits: Vec<usize> = fields[2..].iter().map(|field| field.parse().expect("a number")).collect();
        let options = Options { h2: false, ..Options::default() };
        let task = ground(&problem, &options, &Budget::unlimited(), &Silent).expect("grounded");
        let facts = task.variables.iter().map(|variable| variable.values.len()).sum();
        let own = [task.variables.len(), facts, task.operators.len(), task.axioms.len()];
        assert!(own.iter().zip(&limits).all(|(own, limit)| own <= limit), "{line}: {own:?}");
    }
}

/// The first problems of each domain with preferences and numbers; none is refused.
#[test]
fn net_benefit_problems_are_grounded() {
    let Some(folder) = folder("net-benefit") else { return };
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let domain = entry.expect("a folder").path();
        for instance in ["p01", "p02", "p03"] {
            let problem = read(&domain, instance);
            let options = Options { h2: false, ..Options::default() };
            let grounded = ground(&problem, &options, &Budget::unlimited(), &Silent);
            let task = grounded.unwrap_or_else(|error| panic!("{} {instance}: {error}", domain.display()));
            let counted = task.operators.iter().any(|operator| operator.cost > 0);
            assert!(counted || !task.soft.is_empty(), "{} {instance}", domain.display());
        }
    }
}
