//! Figure 4.8: a robot with two hands that carries balls, for which diagrams save nearly everything.

use counterplay_base::{Budget, Limit};
use counterplay_symbolic::merge;
use counterplay_task::Value;

use super::{Figure, Growth, Puzzle, explore, fact, space, step};
use crate::settings::Settings;
use crate::{Product, Size};
use counterplay::Halt;

/// The balls of the figure, the twentieth problem of the competition.
pub(crate) const BALLS: usize = 42;

/// All layers with the 42 balls of the figure, or with fewer.
pub(crate) fn make(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let balls = size.pick(12, BALLS);
    let searches = [search(balls, &settings.budget)?];
    let title = format!("Figure 4.8: gripper with {balls} balls");
    let note = "Paper: nodes polynomial in the number of balls (at most n^4 in a layer), states exponential.";
    Ok(Figure { title: &title, searches: &searches, note }.product())
}

fn search(balls: usize, budget: &Budget) -> Result<Growth, Limit> {
    let name = format!("{balls} balls");
    explore(&name, &puzzle(balls, budget)?, usize::MAX, budget, |layer, _| Ok(layer.clone()))
}

/// The robot's room, what each hand holds (0 for nothing), then each ball's place: one of two rooms, or a hand.
fn puzzle(balls: usize, budget: &Budget) -> Result<Puzzle, Limit> {
    const ROBOT: usize = 0;
    const HANDS: [usize; 2] = [1, 2];
    const CARRIED: Value = 2;
    let mut sizes = vec![2, balls as Value + 1, balls as Value + 1];
    sizes.extend(vec![3; balls]);
    let space = space(sizes.clone(), budget)?;
    let begin: Vec<_> = (0..sizes.len()).map(|var| fact(var, 0)).collect();
    let initial = space.facts(&begin)?;
    let mut steps = Vec::new();
    for room in 0..2 {
        steps.push(step(&space, &[fact(ROBOT, room)], &[fact(ROBOT, 1 - room)], &sizes)?);
        for (ball, hand) in (0..balls).flat_map(|ball| HANDS.map(|hand| (ball, hand))) {
            let (place, held) = (3 + ball, ball as Value + 1);
            let on_floor = [fact(hand, 0), fact(place, room)];
            let in_hand = [fact(hand, held), fact(place, CARRIED)];
            let with_robot = |facts: [_; 2]| [fact(ROBOT, room), facts[0], facts[1]];
            steps.push(step(&space, &with_robot(on_floor), &in_hand, &sizes)?);
            steps.push(step(&space, &with_robot(in_hand), &on_floor, &sizes)?);
        }
    }
    let turns = vec![merge(&space, steps, 2_000, 10_000_000)?];
    Ok(Puzzle { space, initial, turns, returns: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_placements_are_reached() {
        for balls in [2, 5, 8] {
            let growth = search(balls as usize, &Budget::unlimited()).expect("no limit");
            // Nothing, one ball in one of two hands, or two balls in them; the others lie in either room.
            let pow = |n: u32| 2u128.pow(n);
            let n = u128::from(balls);
            let placed = pow(balls) + 2 * n * pow(balls - 1) + n * (n - 1) * pow(balls - 2);
            assert_eq!(growth.states(), 2 * placed, "{balls}");
            assert!(growth.complete);
        }
    }
}
