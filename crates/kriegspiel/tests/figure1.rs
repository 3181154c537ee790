//! Figure 1 of Russell and Wolfe (2005): a 3-ply mate on a 4 × 4 board, with three positions that may be.
//!
//! The drawing is not in the text of the paper, but the strategy under it is, move by move and announcement by
//! announcement. These positions were found by looking for all that the strategy says.

use std::rc::Rc;

use counterplay_base::{Budget, Verdict};
use counterplay_belief::{Algorithm, Plan, solve};
use counterplay_kriegspiel::chess::{Board, Move, Square};
use counterplay_kriegspiel::{Checks, Direction, Kriegspiel, Percept, PlanFlaw, check_belief, check_plan};

/// Two in which a man on a3 is in the way of Qa4, and one in which Qa4 mates.
const POSITIONS: [&str; 3] =
    ["4/p3/1PBk/QK1n w - - 0 1", "1k1b/p3/1PB1/QK2 w - - 0 1", "1k2/2p1/1PBp/QK2 w - - 0 1"];

type KriegPlan = Plan<Move, Percept>;

fn belief() -> Vec<Board> {
    let boards: Vec<Board> = POSITIONS.iter().map(|text| text.parse().unwrap()).collect();
    check_belief(&boards).unwrap();
    boards
}

fn mate(attempt: &str) -> Rc<KriegPlan> {
    Rc::new(Plan { attempt: attempt.parse().unwrap(), rejected: None, after: Vec::new() })
}

fn said(capture: Option<&str>, check: Option<Direction>) -> Percept {
    let capture = capture.map(|square| square.parse::<Square>().unwrap());
    Percept { capture, checks: check.map_or(Checks::NONE, |direction| Checks::NONE.with(direction)) }
}

/// The strategy as the paper tells it.
fn strategy() -> KriegPlan {
    let quiet =
        vec![(said(Some("b2"), None), mate("a3b4")), (said(None, Some(Direction::Knight)), mate("a3c3"))];
    let check = vec![(said(None, None), mate("a3b3"))];
    let second = Plan {
        attempt: "a1a3".parse().unwrap(),
        rejected: None,
        after: vec![(said(Some("a3"), None), quiet), (said(Some("a3"), Some(Direction::Short)), check)],
    };
    Plan { attempt: "a1a4".parse().unwrap(), rejected: Some(Rc::new(second)), after: Vec::new() }
}

#[test]
fn the_strategy_of_the_paper_passes_the_referee() {
    let world = Kriegspiel::default();
    let plan = Rc::new(strategy());
    assert_eq!(plan.depth(), 3);
    check_plan(&world, &belief(), &plan, 3, &Budget::unlimited()).unwrap();
    // One ply less is too short, and without the second try it has no answer to the rejection.
    let short = check_plan(&world, &belief(), &plan, 1, &Budget::unlimited());
    assert!(matches!(*short.unwrap_err(), PlanFlaw::TooLong { .. }));
    let half = Rc::new(Plan { rejected: None, ..strategy() });
    let flaw = check_plan(&world, &belief(), &half, 3, &Budget::unlimited());
    assert!(matches!(*flaw.unwrap_err(), PlanFlaw::NothingAfterRejection { .. }));
}

#[test]
fn every_algorithm_finds_a_plan() {
    let world = Kriegspiel::default();
    let positions = belief();
    for algorithm in Algorithm::ALL {
        let name = algorithm.name();
        match solve(&world, &positions, 3, algorithm, &Budget::unlimited()).verdict {
            Verdict::Solved(plan) => {
                check_plan(&world, &positions, &plan, 3, &Budget::unlimited())
                    .unwrap_or_else(|flaw| panic!("{name}: {flaw:?}"));
            }
            other => panic!("{name}: {other:?}"),
        }
        let shallow = solve(&world, &positions, 1, algorithm, &Budget::unlimited()).verdict;
        assert!(matches!(shallow, Verdict::Unsolvable), "{name} at one ply");
    }
}
