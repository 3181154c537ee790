//! What searches tell of themselves: which one ran, what it took, and bounds that hold.

use counterplay_base::{Budget, Silent, Verdict};
use counterplay_plan::{Direction, Options, PlanSearch, solve};
use counterplay_testkit::{Impatient, brute_force, random_task};

fn has_one_cost(task: &counterplay_task::Task) -> bool {
    let mut costs = task.operators.iter().map(|operator| operator.cost);
    costs.next().is_none_or(|first| costs.all(|cost| cost == first))
}

const SEARCHES: [(PlanSearch, Direction, &str); 7] = [
    (PlanSearch::Auto, Direction::Both, ""),
    (PlanSearch::Bfs, Direction::Both, "breadth-first"),
    (PlanSearch::Dijkstra, Direction::Both, "Dijkstra"),
    (PlanSearch::Dijkstra, Direction::Forward, "Dijkstra"),
    (PlanSearch::Dijkstra, Direction::Backward, "Dijkstra"),
    (PlanSearch::AStar, Direction::Both, "A*"),
    (PlanSearch::Explicit, Direction::Both, "A*"),
];

#[test]
fn searches_say_what_ran_and_what_it_took() {
    let mut expanded = [0u64; SEARCHES.len()];
    let mut layers = [0u64; SEARCHES.len()];
    let mut nodes = [0u64; SEARCHES.len()];
    for seed in 0..150 {
        let task = random_task(seed);
        let truth = brute_force(&task);
        for (at, (search, direction, name)) in SEARCHES.into_iter().enumerate() {
            if search == PlanSearch::Bfs && !has_one_cost(&task) {
                continue;
            }
            let options = Options { search, direction, ..Options::default() };
            let statistics = solve(&task, &options, &Budget::unlimited(), &Silent).statistics;
            assert!(
                !statistics.ran.is_empty() && statistics.ran.contains(name),
                "{search:?}: {}",
                statistics.ran
            );
            if let Some(truth) = truth {
                assert!(statistics.lower_bound <= truth, "seed {seed}, {search:?}: {statistics:?}");
                assert!(statistics.upper_bound.is_none_or(|upper| upper >= truth), "seed {seed}, {search:?}");
            }
            expanded[at] += statistics.expanded;
            layers[at] += statistics.layers;
            nodes[at] += statistics.peak_nodes;
        }
    }
    for (at, (search, ..)) in SEARCHES.into_iter().enumerate() {
        let is_symbolic = !matches!(search, PlanSearch::Auto | PlanSearch::Explicit);
        assert!(!is_symbolic || layers[at] > 0 && nodes[at] > 0, "{search:?} expands layers of diagrams");
        assert!(search != PlanSearch::Explicit || expanded[at] > 0, "{search:?} expands states");
    }
}

/// A search that is stopped early tells bounds that hold.
#[test]
fn bounds_of_stopped_searches_hold() {
    let (mut stopped, mut raised) = (0, [false; SEARCHES.len()]);
    for seed in 0..400 {
        let task = random_task(seed);
        let Some(truth) = brute_force(&task) else { continue };
        for (at, (search, direction, _)) in SEARCHES.into_iter().enumerate() {
            if search == PlanSearch::Bfs && !has_one_cost(&task) {
                continue;
            }
            let options = Options { search, direction, ..Options::default() };
            let impatient = Impatient::after(1 + seed % 5);
            let answer = solve(&task, &options, &impatient.budget, &impatient);
            if !matches!(answer.verdict, Verdict::Stopped(_)) {
                continue;
            }
            stopped += 1;
            let statistics = answer.statistics;
            assert!(
                statistics.lower_bound <= truth,
                "seed {seed}, {search:?}: {statistics:?}, truth {truth}"
            );
            assert!(statistics.upper_bound.is_none_or(|upper| upper >= truth), "seed {seed}, {search:?}");
            assert!(answer.best.is_none_or(|plan| plan.cost >= truth), "seed {seed}, {search:?}");
            raised[at] |= statistics.lower_bound > 0;
        }
    }
    assert!(stopped > 100, "{stopped} searches were stopped");
    assert!(raised.iter().filter(|&&raised| raised).count() >= 3, "{raised:?}");
}
