//! Archives of a small game: what is right passes, everything else is refused with its place.

use std::collections::BTreeMap;

use counterplay_base::{Budget, Limit};
use counterplay_check::{
    ArchiveCheck, ArchiveFlaw, CheckedArchive, Checkpoint, Naming, Rulebook, Shelf, ShelfError,
    check_archive, own_reward,
};

/// Two players in turn take one or two of some matches; who takes the last one wins.
struct Matches {
    /// Whether an entry stands for positions with both players to move, although they differ.
    confused: bool,
}

/// Matches that are left, and who is to move.
type Position = (u8, usize);

impl Rulebook for Matches {
    type State = Position;
    type Move = u8;
    type Trouble = String;

    fn roles(&self) -> usize {
        2
    }

    fn initial(&mut self) -> Result<Position, String> {
        Ok((7, 0))
    }

    fn is_over(&mut self, state: &Position) -> Result<bool, String> {
        Ok(state.0 == 0)
    }

    fn rewards(&mut self, state: &Position) -> Result<Vec<u32>, String> {
        Ok(if state.1 == 0 { vec![0, 100] } else { vec![100, 0] })
    }

    fn moves(&mut self, state: &Position, role: usize) -> Result<Vec<u8>, String> {
        Ok(if role == state.1 { (1..=state.0.min(2)).collect() } else { vec![0] })
    }

    fn next(&mut self, state: &Position, moves: &[u8]) -> Result<Position, String> {
        Ok((state.0 - moves[0] - moves[1], 1 - state.1))
    }
}

impl Naming<u8> for Matches {
    fn positions(&mut self, key: &u8, layer: usize) -> Result<Vec<Position>, String> {
        let own = (*key, layer % 2);
        Ok(if self.confused { vec![own, (*key, 1 - layer % 2)] } else { vec![own] })
    }

    fn key(&mut self, state: &Position, _: usize) -> Result<Option<u8>, String> {
        Ok(Some(state.0))
    }

    fn show(&mut self, state: &Position) -> String {
        format!("{state:?}")
    }
}

/// Layers of matches with the number of the outcome: 0 if the second player wins.
#[derive(Clone)]
struct Layers(Vec<BTreeMap<u8, usize>>);

impl Layers {
    /// The right ones.
    fn solved() -> Layers {
        let mut layers = vec![BTreeMap::from([(7, 0)])];
        while let Some(last) = layers.last().filter(|last| last.keys().any(|&left| left > 0)) {
            let next = last
                .keys()
                .filter(|&&left| left > 0)
                .flat_map(|&left| (1..=left.min(2)).map(move |own| left - own));
            let next = next.map(|left| (left, 0)).collect();
            layers.push(next);
        }
        for (layer, own) in layers.iter_mut().enumerate() {
            for (left, outcome) in own {
                // Who has to move with a multiple of three left loses.
                let mover_wins = *left % 3 != 0;
                *outcome = usize::from(mover_wins == (layer % 2 == 0));
            }
        }
        Layers(layers)
    }
}

impl Shelf for Layers {
    type Key = u8;

    fn entries(&mut self, layer: usize, from: u64, most: usize) -> Result<Vec<(u8, usize)>, ShelfError> {
        Ok(self.0[layer].iter().skip(from as usize).take(most).map(|(key, value)| (*key, *value)).collect())
    }

    fn outcomes(&mut self, layer: usize, keys: &[u8]) -> Result<Vec<Option<usize>>, ShelfError> {
        assert!(keys.is_sorted());
        let own =
            self.0.get(layer).ok_or_else(|| ShelfError::Damaged(format!("layer {layer} is missing")))?;
        Ok(keys.iter().map(|key| own.get(key).copied()).collect())
    }
}

fn check(
    layers: &Layers,
    confused: bool,
    from: Checkpoint,
    batch: usize,
    budget: &Budget,
) -> (Result<CheckedArchive, ArchiveFlaw<String>>, Vec<Checkpoint>) {
    let outcomes = [vec![0, 100], vec![100, 0]];
    let mut notes = Vec::new();
    let found = check_archive(
        &mut layers.clone(),
        &mut Matches { confused },
        ArchiveCheck {
            outcomes: &outcomes,
            layers: layers.0.len(),
            likes: own_reward,
            batch,
            from,
            note: &mut |at| notes.push(at),
            list: None,
        },
        budget,
    );
    (found, notes)
}

#[test]
fn every_mutation_of_a_right_archive_is_refused() {
    let right = Layers::solved();
    let budget = Budget::unlimited();
    let whole = |layers: &Layers| check(layers, false, Checkpoint::default(), 3, &budget).0;
    let found = whole(&right).expect("it is right");
    let all: usize = right.0.iter().map(BTreeMap::len).sum();
    assert_eq!((found.value, found.positions), (vec![100, 0], all as u64));
    for layer in 0..right.0.len() {
        for key in right.0[layer].keys() {
            let mut flipped = right.clone();
            flipped.0[layer].entry(*key).and_modify(|outcome| *outcome = 1 - *outcome);
            let flaw = whole(&flipped).expect_err("a value is wrong");
            assert!(matches!(flaw, ArchiveFlaw::Wrong { .. }), "{layer} {key}: {flaw:?}");
            let mut dropped = right.clone();
            dropped.0[layer].remove(key);
            assert!(whole(&dropped).is_err(), "{layer} {key}");
            let mut unknown = right.clone();
            unknown.0[layer].insert(*key, 7);
            assert!(whole(&unknown).is_err(), "{layer} {key}");
        }
        let mut short = right.clone();
        short.0.remove(layer);
        assert!(whole(&short).is_err(), "{layer}");
    }
    // All values the other way round agree with each other, and not with the ends.
    let turned = Layers(
        right.0.iter().map(|own| own.iter().map(|(key, value)| (*key, 1 - value)).collect()).collect(),
    );
    assert!(whole(&turned).is_err());
}

#[test]
fn what_entries_stand_for_is_not_believed() {
    let (found, _) = check(&Layers::solved(), true, Checkpoint::default(), 100, &Budget::unlimited());
    assert!(found.is_err(), "{found:?}");
}

#[test]
fn a_check_goes_on_where_it_was_and_keeps_limits() {
    let right = Layers::solved();
    let budget = Budget::unlimited();
    let (whole, notes) = check(&right, false, Checkpoint::default(), 1, &budget);
    let whole = whole.expect("it is right");
    assert_eq!(notes.len() as u64, whole.positions);
    for &at in &notes {
        let (again, _) = check(&right, false, at, 2, &budget);
        assert_eq!(again.expect("it is right"), whole);
    }
    budget.cancel();
    let (stopped, _) = check(&right, false, Checkpoint::default(), 1, &budget);
    assert_eq!(stopped, Err(ArchiveFlaw::Stopped(Limit::Cancelled)));
}
