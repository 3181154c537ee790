//! Processes as text, and what is wrong with them.

use counterplay_base::Budget;
use counterplay_mdp::{Objective, Value, read, solve};
use counterplay_syntax::Sources;
use num_rational::{BigRational, Ratio};

const HALLWAY: &str = "(mdp hallway (initial face-to-face) (goal passed)
    (action face-to-face move-right (cost 1) (3/4 free) (1/4 blocked))
    (action face-to-face give-up (cost 0) gave-up)
    (action free walk-on (cost 1) passed)
    (action blocked step-back (cost 1) face-to-face)
    (action blocked give-up (cost 0) gave-up))";

fn value(text: &str, objective: Objective) -> Value {
    let mut sources = Sources::default();
    let file = sources.add("table", text);
    let table = read(&sources, file).expect("the table is sound");
    solve(&table.mdp, objective, &Budget::unlimited()).expect("there is a policy").value
}

fn exact(above: i64, below: i64) -> Value {
    Value::Exact(BigRational::new(above.into(), below.into()))
}

#[test]
fn the_hallway_has_the_values_computed_by_hand() {
    assert_eq!(value(HALLWAY, Objective::MaxProb), exact(1, 1));
    // V = 1 + 3/4 + 1/4 (1 + V).
    assert_eq!(value(HALLWAY, Objective::MinCost), exact(8, 3));
    let paid = HALLWAY.replace("(goal passed)", "(goal passed) (reward passed 10)");
    assert_eq!(value(&paid, Objective::Horizon(1)), exact(0, 1), "with one step to go nothing can be won");
    assert_eq!(value(&paid, Objective::Horizon(2)), exact(23, 4));
    // V = -1 + 1/2 (3/4 (-1 + 1/2 10) + 1/4 max(0, -1 + V / 2)); stepping back is worth giving up for.
    assert_eq!(value(&paid, Objective::Discounted(Ratio::new(1, 2))), exact(1, 2));
}

#[test]
fn every_error_has_its_place() {
    let wrong = "(mdp w (states a b) (initial a) (goal b) (discount 1) (action b stay b)
        (action a go (1/2 b) (1/4 a)) (action a fly (2 b)) (action a swim c) (horizon x) (jump))";
    let mut sources = Sources::default();
    let file = sources.add("table", wrong);
    let errors = read(&sources, file).expect_err("it is full of errors");
    let texts: Vec<String> = errors
        .iter()
        .map(|error| format!("{}: {error}", sources.text(error.diagnostic().labels[0].span)))
        .collect();
    let expected = [
        "(discount 1): expected a discount of at least 0 and less than 1",
        "(action a go (1/2 b) (1/4 a)): the probabilities add up to 3/4, not to 1",
        "2: expected a probability above 0 and up to 1",
        "c: `c` is not listed under `states`",
        "(horizon x): expected a number of steps",
    ];
    for line in expected {
        assert!(texts.contains(&line.to_owned()), "{line} is missing among {texts:#?}");
    }
    assert!(texts.iter().any(|text| text.contains("(jump)")));
    assert!(texts.iter().any(|text| text.contains("`b` is a goal")));
    assert_eq!(texts.len(), 7);
}
