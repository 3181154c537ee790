//! A word said bit by bit: each move changes one of many variables, and a counter says which.

use counterplay_base::{Budget, Silent};
use counterplay_ggp::explicit::Order;
use counterplay_ggp::symbolic;
use counterplay_ground::game::{ground_game, prove_structure};

/// All words of so many bits end the game; one of them wins.
fn needle(bits: usize) -> String {
    let steps: String = (0..bits).map(|bit| format!("(after {bit} {}) ", bit + 1)).collect();
    format!(
        "(role speaker) (init (step 0)) {steps} (bit 0) (bit 1)
        (<= (legal speaker (say ?b)) (bit ?b) (true (step ?n)))
        (legal speaker stop)
        (<= (next (said ?n ?b)) (does speaker (say ?b)) (true (step ?n)))
        (<= (next (said ?n ?b)) (true (said ?n ?b)))
        (<= (next (step ?m)) (true (step ?n)) (after ?n ?m) (does speaker (say ?b)))
        (<= (next stopped) (does speaker stop))
        (<= terminal (true stopped)) (<= terminal (true (step {bits})))
        (<= low (true (said ?n 0)))
        (<= (goal speaker 100) (true (step {bits})) (not low))
        (<= (goal speaker 0) (true stopped)) (<= (goal speaker 0) low)"
    )
}

#[test]
fn relations_are_divided_by_the_counter() {
    for bits in [10, 30] {
        let mut sources = counterplay_syntax::Sources::default();
        let file = sources.add("needle", needle(bits));
        let rules = counterplay_gdl::read(&sources, file).expect("sound rules");
        let budget = Budget::unlimited();
        let game = ground_game(&rules, &budget, &Silent).expect("a finite game");
        let structure = prove_structure(&game, &budget).expect("no limit");
        let verdict = symbolic::solve(&game, &structure, Order::Own, None, &budget, &Silent);
        let solution = verdict.expect("not refused").solved().expect("no limit");
        assert_eq!(solution.value.map(|outcome| solution.outcomes[outcome].clone()), Some(vec![100]));
        // Words of up to `bits` bits, and shorter ones after which the speaker stopped.
        let words = (1u128 << (bits + 1)) - 1;
        assert_eq!(solution.layer_states.iter().sum::<u128>(), words + (1 << bits) - 1);
        println!("{bits} bits: {} work, {} nodes", solution.work, solution.peak_nodes);
        assert!(solution.work < 4_000_000, "{}", solution.work);
    }
}
