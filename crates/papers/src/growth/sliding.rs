//! Figure 4.2: the puzzle of sliding tiles, a game of permutations, for which diagrams do not help much.

use counterplay_base::{Budget, Limit};
use counterplay_symbolic::{Relation, StateSet, merge};
use counterplay_task::Value;

use super::{Figure, Growth, Puzzle, explore, fact, space};
use crate::settings::Settings;
use crate::{Product, Size};
use counterplay::Halt;

/// Layers of the fifteen puzzle after the first, at full size: 29 in all, as in the paper.
pub(crate) const LAYERS: usize = 28;

/// The fifteen puzzle from its goal on; the quick one goes less far, and adds the eight puzzle to its end.
pub(crate) fn make(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let budget = &settings.budget;
    let searches = [search(3, usize::MAX, budget)?, search(4, size.pick(18, LAYERS), budget)?];
    let figure = Figure {
        title: "Figure 4.2: sliding tiles from the goal on",
        searches: &searches,
        note: "Paper: 29 layers of the 15-puzzle with 822,416,571 states before the memory was full.",
    };
    Ok(figure.product())
}

fn search(edge: usize, most: usize, budget: &Budget) -> Result<Growth, Limit> {
    let name = format!("{}-puzzle", edge * edge - 1);
    explore(&name, &puzzle(edge, budget)?, most, budget, |layer, _| Ok(layer.clone()))
}

/// One variable for each cell: the tile on it, or 0 for none.
fn puzzle(edge: usize, budget: &Budget) -> Result<Puzzle, Limit> {
    let cells = edge * edge;
    let space = space(vec![cells as Value; cells], budget)?;
    let goal: Vec<_> = (0..cells).map(|cell| fact(cell, cell as Value)).collect();
    let initial = space.facts(&goal)?;
    let mut slides = Vec::new();
    for hole in 0..cells {
        let (x, y) = (hole % edge, hole / edge);
        let near = [
            (x > 0).then(|| hole - 1),
            (x + 1 < edge).then(|| hole + 1),
            (y > 0).then(|| hole - edge),
            (y + 1 < edge).then(|| hole + edge),
        ];
        for from in near.into_iter().flatten() {
            // The hole gets whatever was there.
            let guard = space.facts(&[fact(hole, 0)])?;
            let tile = |tile| space.facts(&[fact(from, tile)]);
            let filled = (0..cells as Value).map(tile).collect::<Result<Vec<StateSet>, _>>()?;
            let left = (0..cells as Value).map(|tile| if tile == 0 { space.all() } else { space.none() });
            let updates = [(fact(hole, 0).var, filled), (fact(from, 0).var, left.collect())];
            slides.push(Relation::from_updates(&space, &guard, &updates)?);
        }
    }
    let turns = vec![merge(&space, slides, 1, 0)?];
    Ok(Puzzle { space, initial, turns, returns: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_puzzle_is_known() {
        let growth = search(3, usize::MAX, &Budget::unlimited()).expect("no limit");
        assert!(growth.complete);
        assert_eq!(growth.states(), 181_440);
        // Two positions are farthest from the goal with the hole in a corner, 31 moves.
        assert_eq!((growth.layers.len(), growth.layers[31].states), (32, 2));
    }

    #[test]
    fn the_fifteen_puzzle_begins_as_korf_and_schultze_counted() {
        let growth = search(4, 10, &Budget::unlimited()).expect("no limit");
        let states: Vec<u128> = growth.layers.iter().map(|layer| layer.states).collect();
        assert_eq!(states, [1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948]);
    }
}
