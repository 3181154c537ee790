//! The hallway of section 4.2: two agents meet, and moving right gets us past with probability 3/4.
//!
//! In state 0 they face each other. If we move right, the other moves right as well with probability 3/4 (state 1: they
//! can pass) or left with probability 1/4 (state 2: neither can). From state 1 we walk on to the goal, state 3. From
//! state 2 we may move back, which leads to state 0 again, or give up (state 4). The paper gives the probabilities
//! only; rewards and costs are ours: the goal is worth 10, a move costs 1.

use counterplay_base::Verdict;
use counterplay_opponent::{ActionDescription, Mdp, MdpDescription, solve_discounted, solve_truncated};
use serde_json::json;

use super::{Product, Size};
use crate::settings::Settings;
use counterplay::Halt;

const STATES: [&str; 5] =
    ["s0: face to face", "s1: free to pass", "s2: blocked", "s3: passed", "s4: gave up"];
/// What can be done in each state, in order.
const MOVES: [&[&str]; 5] = [&["move right", "give up"], &["walk on"], &["step back", "give up"], &[], &[]];

fn hallway() -> Mdp {
    let choice = |cost, outcomes: &[(f64, usize)]| ActionDescription { cost, outcomes: outcomes.to_vec() };
    let give_up = || choice(0.0, &[(1.0, 4)]);
    let draft = MdpDescription {
        states: vec![
            (0.0, vec![choice(1.0, &[(0.75, 1), (0.25, 2)]), give_up()]),
            (0.0, vec![choice(1.0, &[(1.0, 3)])]),
            (0.0, vec![choice(1.0, &[(1.0, 0)]), give_up()]),
            (10.0, vec![]),
            (0.0, vec![]),
        ],
    };
    Mdp::new(&draft).expect("the hallway is sound")
}

/// Solves the process for a number of steps and for ever.
pub(crate) fn make(settings: &Settings, _: Size) -> Result<Product, Halt> {
    let mdp = hallway();
    let budget = &settings.budget;
    let truncated = match solve_truncated(&mdp, 60, budget) {
        Verdict::Solved(solution) => solution,
        Verdict::Stopped(limit) => return Err(limit.into()),
        Verdict::Unsolvable => unreachable!("every decision process has a best policy"),
    };
    let discounted = match solve_discounted(&mdp, 0.95, budget) {
        Verdict::Solved(solution) => solution,
        Verdict::Stopped(limit) => return Err(limit.into()),
        Verdict::Unsolvable => unreachable!("every decision process has a best policy"),
    };
    let mut text = "The hallway: P(s0, move right, s1) = 3/4, P(s0, move right, s2) = 1/4\n\n".to_owned();
    text.push_str("state               best move     60 steps   for ever, discount 0.95\n");
    let mut csv = "state,move,value_60_steps,value_discounted\n".to_owned();
    let mut rows = Vec::new();
    for (number, state) in mdp.states().enumerate() {
        let best = discounted.policy[state].map_or("-", |choice| MOVES[number][choice]);
        let (steps, ever) = (truncated.values[60][state], discounted.values[state]);
        text.push_str(&format!("{:18}  {best:12}  {steps:>8.4}   {ever:>8.4}\n", STATES[number]));
        csv.push_str(&format!("{},{best},{steps:.9},{ever:.9}\n", STATES[number]));
        rows.push(json!({"state": STATES[number], "move": best, "steps": steps, "discounted": ever}));
    }
    // V(s0) = -1 + 3/4 (10 - 1) + 1/4 (V(s0) - 1) without discounting.
    let by_hand = (-1.0 + 0.75 * 9.0 - 0.25) / 0.75;
    text.push_str(&format!("\nBy hand, without discounting: V(s0) = {by_hand:.4}\n"));
    Ok(Product { text, csv, svg: None, figures: json!({"states": rows, "by_hand": by_hand}) })
}

#[cfg(test)]
mod tests {
    use counterplay_base::{Budget, Id};
    use counterplay_opponent::StateId;

    use super::*;

    #[test]
    fn the_value_is_the_one_computed_by_hand() {
        let Verdict::Solved(solution) = solve_truncated(&hallway(), 60, &Budget::unlimited()) else {
            panic!("no limit");
        };
        let start = StateId::new(0);
        assert!((solution.values[60][start] - 5.5 / 0.75).abs() < 1e-9);
        assert_eq!(solution.policy[60][start], Some(0));
        assert_eq!(solution.policy[1][StateId::new(0)], Some(1), "with one step to go nothing can be won");
    }
}
