//! Sets of states and relations against plain lists of states, on random small tasks.

use std::collections::BTreeSet;

use counterplay_base::{Budget, Id, IdVec};
use counterplay_symbolic::{Encoding, OrderSearch, StateSet, causal_graph};
use counterplay_task::{Task, Value, VarId, apply, close_under_axioms, is_applicable, is_goal};
use counterplay_testkit::{add_true_mutexes, random_task, reachable};

type State = IdVec<VarId, Value>;

/// All states of a task, reachable or not, derived variables up to date.
fn all_states(task: &Task) -> Vec<State> {
    let mut states = vec![task.initial.clone()];
    for (var, _) in task.variables.enumerate().filter(|(_, variable)| variable.derived.is_none()) {
        let values = 0..task.domain_size(var);
        states = values
            .flat_map(|value| {
                states.iter().map(move |state| {
                    let mut state = state.clone();
                    state[var] = value;
                    state
                })
            })
            .collect();
    }
    states.iter_mut().for_each(|state| close_under_axioms(task, state));
    states
}

fn encode(task: &Task, seed: u64) -> Encoding<'_> {
    let order = OrderSearch { seed, ..OrderSearch::default() }.order(&causal_graph(task));
    Encoding::with_order(task, &order, &Budget::unlimited()).unwrap()
}

fn members(encoding: &Encoding<'_>, set: &StateSet, states: &[State]) -> BTreeSet<usize> {
    (0..states.len()).filter(|&i| encoding.space.contains(set, &states[i])).collect()
}

#[test]
fn goals_and_initial_states_are_the_right_sets() {
    for seed in 0..100 {
        let task = random_task(seed);
        let (encoding, states) = (encode(&task, seed), all_states(&task));
        let goals: BTreeSet<usize> = (0..states.len()).filter(|&i| is_goal(&task, &states[i])).collect();
        assert_eq!(members(&encoding, &encoding.states(&task.goal).unwrap(), &states), goals, "seed {seed}");
        assert_eq!(encoding.space.count(&encoding.states(&task.goal).unwrap()), Some(goals.len() as u128));
        assert_eq!(encoding.space.count(&encoding.space.all()), Some(states.len() as u128));
        assert_eq!(encoding.space.count(&encoding.initial().unwrap()), Some(1));
        if let Some(mut picked) = encoding.space.pick(&encoding.states(&task.goal).unwrap()) {
            close_under_axioms(&task, &mut picked);
            assert!(is_goal(&task, &picked), "seed {seed}");
        }
    }
}

#[test]
fn images_and_pre_images_follow_the_operators() {
    for seed in 0..100 {
        let task = random_task(seed);
        let (encoding, states) = (encode(&task, seed), all_states(&task));
        // Some set that has nothing to do with the task: every third state.
        let mut set = encoding.space.none();
        let is_in = |i: usize| i % 3 == seed as usize % 3;
        for state in (0..states.len()).filter(|&i| is_in(i)).map(|i| &states[i]) {
            let basic = state.enumerate().filter(|&(var, _)| task.variables[var].derived.is_none());
            let facts: Vec<_> = basic.map(|(var, &value)| counterplay_task::Fact { var, value }).collect();
            set = set.union(&encoding.states(&facts).unwrap()).unwrap();
        }
        let index = |state: &State| states.iter().position(|other| other == state).expect("a state");
        for op in task.operators.ids() {
            let steps: Vec<(usize, usize)> = (0..states.len())
                .filter(|&i| is_applicable(&task, &states[i], op))
                .map(|i| (i, index(&apply(&task, &states[i], op))))
                .collect();
            let relation = encoding.relation(op).unwrap();
            let image = relation.image(&encoding.space, &set).unwrap();
            let after: BTreeSet<usize> =
                steps.iter().filter(|step| is_in(step.0)).map(|step| step.1).collect();
            assert_eq!(members(&encoding, &image, &states), after, "seed {seed}");
            assert_eq!(
                encoding.space.count(&image),
                Some(after.len() as u128),
                "no codes that are no states"
            );
            let pre_image = relation.pre_image(&encoding.space, &set).unwrap();
            let before: BTreeSet<usize> =
                steps.iter().filter(|step| is_in(step.1)).map(|step| step.0).collect();
            assert_eq!(members(&encoding, &pre_image, &states), before, "seed {seed}");
        }
    }
}

/// One pre-image of ranks is the best rank among the successors, and ranks can be told, counted, changed and kept.
#[test]
fn ranks_come_back_at_their_best() {
    for seed in 0..60 {
        let task = random_task(seed);
        let (encoding, states) = (encode(&task, seed), all_states(&task));
        let space = &encoding.space;
        let greatest = 1 + seed as usize % 6;
        // Ranks that have nothing to do with the task; some states have none.
        let rank = |i: usize| (i * 7 + seed as usize) % (greatest + 1);
        let mut sets = vec![space.none(); greatest];
        for (i, state) in states.iter().enumerate().filter(|&(i, _)| rank(i) > 0) {
            let basic = state.enumerate().filter(|&(var, _)| task.variables[var].derived.is_none());
            let facts: Vec<_> = basic.map(|(var, &value)| counterplay_task::Fact { var, value }).collect();
            let place = &mut sets[rank(i) - 1];
            *place = place.union(&encoding.states(&facts).unwrap()).unwrap();
        }
        let ranked = space.ranked(&sets).unwrap();
        assert_eq!(ranked.greatest() as usize, greatest);
        for (i, state) in states.iter().enumerate() {
            assert_eq!(space.rank(&ranked, state) as usize, rank(i), "seed {seed}");
        }
        let counts: Vec<u128> =
            (1..=greatest).map(|own| (0..states.len()).filter(|&i| rank(i) == own).count() as u128).collect();
        assert_eq!(space.count_ranks(&ranked).unwrap(), Some(counts));
        let bytes = space.export_ranked(&ranked);
        assert_eq!(space.import_ranked(&bytes, greatest as u32).unwrap(), ranked);
        assert!(space.import_ranked(&bytes[..bytes.len() - 1], greatest as u32).is_err());
        // Backwards and back again.
        let turned: Vec<u32> = (1..=greatest as u32).rev().collect();
        let other = space.reranked(&ranked, &turned).unwrap();
        for (i, state) in states.iter().enumerate().filter(|&(i, _)| rank(i) > 0) {
            assert_eq!(space.rank(&other, state) as usize, greatest + 1 - rank(i), "seed {seed}");
        }
        assert_eq!(space.reranked(&other, &turned).unwrap(), ranked);
        assert_eq!(space.with_rank(&ranked, |own| own == 1).unwrap(), sets[0]);
        let index = |state: &State| states.iter().position(|other| other == state).expect("a state");
        let single = |op| encoding.relation(op);
        let Some(all) = encoding.partitions(|_| 0, single, 100_000, u64::MAX).unwrap().remove(&0) else {
            continue;
        };
        let best = all.best_before(space, &ranked, &space.all()).unwrap();
        for state in &states {
            let ops = task.operators.ids().filter(|&op| is_applicable(&task, state, op));
            let expected = ops.map(|op| rank(index(&apply(&task, state, op)))).max().unwrap_or(0);
            assert_eq!(space.rank(&best, state) as usize, expected, "seed {seed}");
        }
    }
}

#[test]
fn merging_changes_no_image() {
    for seed in 0..100 {
        let task = random_task(seed);
        let encoding = encode(&task, seed);
        let single = |op| encoding.relation(op);
        let apart = encoding.partitions(|_| 0, single, 0, u64::MAX).unwrap();
        let merged = encoding.partitions(|_| 0, single, 100_000, u64::MAX).unwrap();
        let set = encoding.states(&task.goal).unwrap();
        let (Some(apart), Some(merged)) = (apart.get(&0), merged.get(&0)) else { continue };
        assert_eq!(merged.parts.len(), 1, "small relations all merge");
        let space = &encoding.space;
        assert_eq!(apart.image(space, &set).unwrap(), merged.image(space, &set).unwrap(), "seed {seed}");
        assert_eq!(
            apart.pre_image(space, &set).unwrap(),
            merged.pre_image(space, &set).unwrap(),
            "seed {seed}"
        );
    }
}

/// Steps back that are held to the mutexes lose no state that can really be reached.
#[test]
fn mutexes_cut_off_only_unreachable_states() {
    for seed in 0..100 {
        let mut task = random_task(seed);
        add_true_mutexes(&mut task);
        let encoding = encode(&task, seed);
        let reached = reachable(&task);
        let goal = encoding.goal().unwrap();
        assert!(
            reached.iter().filter(|state| is_goal(&task, state)).all(|s| encoding.space.contains(&goal, s))
        );
        for op in task.operators.ids() {
            let all = encoding.space.all();
            let before = encoding.backward_relation(op).unwrap().pre_image(&encoding.space, &all).unwrap();
            for state in reached.iter().filter(|state| is_applicable(&task, state, op)) {
                assert!(encoding.space.contains(&before, state), "seed {seed}");
            }
        }
    }
}

#[test]
fn a_projection_forgets_exactly_the_hidden_variables() {
    for seed in 0..100 {
        let task = random_task(seed);
        let (encoding, states) = (encode(&task, seed), all_states(&task));
        let seen: Vec<VarId> =
            task.variables.ids().filter(|var| var.index() % 2 == seed as usize % 2).collect();
        let set = encoding.states(&task.goal).unwrap();
        let projected = encoding.space.projected_to(&set, &seen).unwrap();
        let agrees = |a: &State, b: &State| {
            seen.iter().all(|&var| task.variables[var].derived.is_some() || a[var] == b[var])
        };
        let expected: BTreeSet<usize> = (0..states.len())
            .filter(|&i| states.iter().any(|other| is_goal(&task, other) && agrees(&states[i], other)))
            .collect();
        assert_eq!(members(&encoding, &projected, &states), expected, "seed {seed}");
    }
}
