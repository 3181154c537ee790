//! Strong solutions of a small game: right values pass, and every wrong one is found.

use std::collections::HashMap;

use counterplay_base::Budget;
use counterplay_check::{Claim, Rulebook, Scope, SolutionFlaw, check_solution, difference, own_reward};

/// Take one, two or three matches in turns; who takes the last one wins.
struct Matches {
    values: HashMap<(u32, usize), Vec<u32>>,
    /// Whether both may also put a match back, so that play can go on for ever.
    back: bool,
}

impl Matches {
    fn new(matches: u32) -> Matches {
        let mut game = Matches { values: HashMap::new(), back: false };
        for left in 0..=matches {
            for turn in [0, 1] {
                let value = match left {
                    0 => [[100, 0], [0, 100]][1 - turn].to_vec(),
                    _ => {
                        let after =
                            (1..=left.min(3)).map(|taken| game.values[&(left - taken, 1 - turn)].clone());
                        after.max_by_key(|value| value[turn]).expect("there is a move")
                    }
                };
                game.values.insert((left, turn), value);
            }
        }
        game
    }
}

const START: u32 = 9;

impl Rulebook for Matches {
    type State = (u32, usize);
    type Move = i32;
    type Trouble = ();

    fn roles(&self) -> usize {
        2
    }

    fn initial(&mut self) -> Result<(u32, usize), ()> {
        Ok((START, 0))
    }

    fn is_over(&mut self, state: &(u32, usize)) -> Result<bool, ()> {
        Ok(state.0 == 0)
    }

    fn rewards(&mut self, state: &(u32, usize)) -> Result<Vec<u32>, ()> {
        Ok(if state.1 == 1 { vec![100, 0] } else { vec![0, 100] })
    }

    fn moves(&mut self, state: &(u32, usize), role: usize) -> Result<Vec<i32>, ()> {
        let mut taken: Vec<i32> = (1..=state.0.min(3) as i32).collect();
        if self.back && state.0 < START {
            taken.push(-1);
        }
        Ok(if role == state.1 { taken } else { vec![0] })
    }

    fn next(&mut self, state: &(u32, usize), moves: &[i32]) -> Result<(u32, usize), ()> {
        Ok((state.0.checked_add_signed(-moves[state.1]).expect("legal"), 1 - state.1))
    }
}

impl Claim for Matches {
    fn value(&mut self, state: &(u32, usize), _: usize) -> Result<Option<Vec<u32>>, ()> {
        Ok(self.values.get(state).cloned())
    }
}

#[test]
fn right_values_pass() {
    let mut game = Matches::new(START);
    let budget = Budget::unlimited();
    let positions = check_solution(&mut game, own_reward, Scope::All, &budget);
    // With nine matches it is the first one's turn, all others are met with both to move but for a few.
    assert!(matches!(positions, Ok(10..20)), "{positions:?}");
    assert_eq!(check_solution(&mut game, difference, Scope::All, &budget), positions);
    let mut turn = 0;
    let mut choose = |count: usize| {
        turn += 1;
        turn % count
    };
    let scope = Scope::Sample { positions: 40, choose: &mut choose, is_enough: &|| false };
    assert_eq!(check_solution(&mut game, own_reward, scope, &budget), Ok(40));
}

#[test]
fn every_wrong_or_missing_value_is_found() {
    let right = Matches::new(START);
    let budget = Budget::unlimited();
    for left in 0..=START {
        for turn in [0, 1] {
            let is_met = (left, turn) != (START, 1) && (left, turn) != (START - 1, 0);
            for wrong in [Some(vec![50, 50]), None] {
                let mut game = Matches { values: right.values.clone(), back: false };
                match &wrong {
                    Some(value) => game.values.insert((left, turn), value.clone()),
                    None => game.values.remove(&(left, turn)),
                };
                let found = check_solution(&mut game, own_reward, Scope::All, &budget);
                let is_found = matches!(found, Err(SolutionFlaw::Wrong { .. }));
                assert_eq!(
                    is_found,
                    is_met && is_reachable(left, turn),
                    "{left} {turn} {wrong:?}: {found:?}"
                );
            }
        }
    }
}

/// Whether a position is met at all: some way of taking leads there.
fn is_reachable(left: u32, turn: usize) -> bool {
    let taken = START - left;
    // With so many moves made, between one and three were taken by each.
    (0..=taken).any(|made| made as usize % 2 == turn && made <= taken && taken <= 3 * made)
}

#[test]
fn a_game_without_an_end_may_lack_values() {
    let mut game = Matches { values: HashMap::new(), back: true };
    game.values.insert((0, 1), vec![100, 0]);
    game.values.insert((0, 0), vec![0, 100]);
    // Who can take the last match has won, whatever else may be done.
    for left in 1..=3 {
        game.values.insert((left, 0), vec![100, 0]);
        game.values.insert((left, 1), vec![0, 100]);
    }
    assert!(check_solution(&mut game, own_reward, Scope::All, &Budget::unlimited()).is_ok());
    // But a claim that nothing supports is refused.
    game.values.insert((START, 0), vec![100, 0]);
    let found = check_solution(&mut game, own_reward, Scope::All, &Budget::unlimited());
    assert!(matches!(found, Err(SolutionFlaw::Wrong { state: (START, 0), .. })), "{found:?}");
}

/// Two roles show heads or tails at once.
struct Pennies;

impl Rulebook for Pennies {
    /// What was shown.
    type State = Option<[usize; 2]>;
    type Move = usize;
    type Trouble = ();

    fn roles(&self) -> usize {
        2
    }

    fn initial(&mut self) -> Result<Self::State, ()> {
        Ok(None)
    }

    fn is_over(&mut self, state: &Self::State) -> Result<bool, ()> {
        Ok(state.is_some())
    }

    fn rewards(&mut self, state: &Self::State) -> Result<Vec<u32>, ()> {
        Ok(if state.is_some_and(|[one, two]| one == two) { vec![100, 0] } else { vec![0, 100] })
    }

    fn moves(&mut self, _: &Self::State, _: usize) -> Result<Vec<usize>, ()> {
        Ok(vec![0, 1])
    }

    fn next(&mut self, _: &Self::State, moves: &[usize]) -> Result<Self::State, ()> {
        Ok(Some([moves[0], moves[1]]))
    }
}

impl Claim for Pennies {
    fn value(&mut self, state: &Self::State, _: usize) -> Result<Option<Vec<u32>>, ()> {
        // What the second role gets if it sees the first one's move.
        Ok(if state.is_some() { self.rewards(state).ok() } else { Some(vec![0, 100]) })
    }
}

/// The checker used to let later roles see earlier moves, as the solver did, and confirmed a value that is none.
#[test]
fn a_value_where_roles_choose_at_once_is_refused() {
    let found = check_solution(&mut Pennies, own_reward, Scope::All, &Budget::unlimited());
    assert_eq!(found, Err(SolutionFlaw::Simultaneous { state: None, roles: vec![0, 1] }));
}
