//! The solvers against slow twins, and the way from a game and a model to a policy.

use counterplay_base::{Budget, Id, IdVec, Limit, Verdict};
use counterplay_opponent::{
    ActionDescription, Conditions, Estimator, Horizon, Joint, MatrixGame, Mdp, MdpDescription, Model,
    Predictor, Reply, StateId, respond, solve_discounted, solve_truncated,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn random_mdp(rng: &mut ChaCha8Rng) -> Mdp {
    let count = rng.random_range(1..6usize);
    let states = (0..count).map(|_| {
        let actions = (0..rng.random_range(0..4)).map(|_| {
            let weights: Vec<f64> = (0..count).map(|_| rng.random_range(0.0..1.0)).collect();
            let total: f64 = weights.iter().sum();
            let outcomes = weights.iter().enumerate().map(|(next, weight)| (weight / total, next)).collect();
            ActionDescription { cost: rng.random_range(-2.0..2.0), outcomes }
        });
        (0.0, actions.collect::<Vec<_>>())
    });
    let mut draft = MdpDescription { states: states.collect() };
    for (reward, _) in &mut draft.states {
        *reward = rng.random_range(-5.0..5.0);
    }
    Mdp::new(&draft).expect("sound by construction")
}

/// What a state is worth with so many steps to go, by looking at every future.
fn tree_search(mdp: &Mdp, state: StateId, steps: usize) -> f64 {
    let worth = |action| {
        let ahead = |outcome: &counterplay_opponent::Outcome| {
            outcome.probability * tree_search(mdp, outcome.next, steps - 1)
        };
        mdp.outcomes(action).iter().map(ahead).sum::<f64>() - action.cost
    };
    let best = mdp.actions(state).iter().filter(|_| steps > 0).map(|&action| worth(action)).reduce(f64::max);
    mdp.reward(state) + best.unwrap_or(0.0)
}

#[test]
fn dynamic_programming_agrees_with_tree_search() {
    for seed in 0..60 {
        let mdp = random_mdp(&mut ChaCha8Rng::seed_from_u64(seed));
        let Verdict::Solved(solution) = solve_truncated(&mdp, 4, &Budget::unlimited()) else {
            panic!("no limit")
        };
        for steps in 0..=4 {
            for state in mdp.states() {
                let (fast, slow) = (solution.values[steps][state], tree_search(&mdp, state, steps));
                assert!((fast - slow).abs() < 1e-9, "seed {seed}: {fast} {slow}");
            }
        }
    }
}

/// The values that repeated updates converge to.
fn value_iteration(mdp: &Mdp, discount: f64) -> IdVec<StateId, f64> {
    let mut values: IdVec<StateId, f64> = IdVec::filled(0.0, mdp.states().len());
    for _ in 0..2000 {
        let best = |state: StateId| {
            let worths = mdp.actions(state).iter().map(|&action| mdp.worth(action, &values, discount));
            mdp.reward(state) + worths.reduce(f64::max).unwrap_or(0.0)
        };
        values = mdp.states().map(best).collect();
    }
    values
}

#[test]
fn policy_iteration_agrees_with_value_iteration() {
    for seed in 0..60 {
        let mdp = random_mdp(&mut ChaCha8Rng::seed_from_u64(1000 + seed));
        let Verdict::Solved(solution) = solve_discounted(&mdp, 0.95, &Budget::unlimited()) else {
            panic!("no limit")
        };
        let expected = value_iteration(&mdp, 0.95);
        for state in mdp.states() {
            let (fast, slow) = (solution.values[state], expected[state]);
            assert!((fast - slow).abs() < 1e-6, "seed {seed}: {fast} {slow}");
        }
    }
}

#[test]
fn a_limit_ends_both_solvers() {
    let mdp = random_mdp(&mut ChaCha8Rng::seed_from_u64(5));
    let budget = Budget::unlimited();
    budget.cancel();
    assert!(matches!(solve_truncated(&mdp, 10, &budget), Verdict::Stopped(Limit::Cancelled)));
}

fn dilemma() -> MatrixGame {
    MatrixGame::new(&[vec![3.0, 0.0], vec![5.0, 1.0]]).expect("a matrix")
}

/// Section 4.3: the other repeats our last move with probability 0.9. The best response is to cooperate, always.
#[test]
fn the_best_response_to_nearly_tit_for_tat_is_cooperation() {
    let conditions = Conditions::memory(1, &['C', 'D'], &['C', 'D']).expect("small");
    let mut model = Model::new(&conditions, Estimator::Discounted { discount: 1.0 });
    for class in conditions.classes() {
        let likely = if conditions.name(class).starts_with('D') { 0.1 } else { 0.9 };
        model = model.with_prior(class, &[likely, 1.0 - likely]);
    }
    let mdp = respond(&dilemma(), &conditions, &model);
    let Verdict::Solved(solution) = solve_truncated(&mdp, 60, &Budget::unlimited()) else {
        panic!("no limit")
    };
    for class in conditions.classes() {
        assert_eq!(solution.policy[60][StateId::new(class.index())], Some(0), "{}", conditions.name(class));
        assert_eq!(solution.policy[1][StateId::new(class.index())], Some(1), "nothing to lose at the end");
    }
    // Sixty rounds of 0.9 * 3, from the start.
    assert!((solution.values[60][StateId::new(0)] - (60.0 * 2.7 + 0.9 * 2.0 + 0.1)).abs() < 1e-9);
}

/// Conditions of the user's own: for how many turns, up to two, the other has cooperated in a row.
#[test]
fn user_defined_conditions_see_what_memory_one_cannot() {
    // The other plays C, C, D, C, C, D, …; only a condition that counts can predict it.
    let play = |conditions: Conditions| {
        let mut player = Predictor::new(
            dilemma(),
            conditions,
            Estimator::Discounted { discount: 0.98 },
            Horizon::Rounds(1),
        );
        let mut right = 0;
        for round in 0..300usize {
            let reply = Reply::new(usize::from(round % 3 == 2));
            let expected = player.model().predict(player.class(), reply);
            right += usize::from(round >= 100 && expected > 0.9);
            let act = player.choose();
            player.observe(Joint { act, reply });
        }
        right
    };
    let counting = Conditions::new(
        ["none", "one", "two"].map(str::to_owned).to_vec(),
        (2, 2),
        0,
        |cooperations, joint| if joint.reply.index() == 1 { 0 } else { (cooperations + 1).min(2) },
    );
    assert_eq!(play(counting.expect("sound")), 200);
    let memory_one = Conditions::memory(1, &['C', 'D'], &['C', 'D']).expect("small");
    assert!(play(memory_one) < 150);
}
