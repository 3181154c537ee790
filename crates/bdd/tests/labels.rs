//! Diagrams with labels, and diagrams as bytes, against tables.

use counterplay_base::Budget;
use counterplay_bdd::{Bdd, Manager};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Levels of a state; labels are functions of the two levels below.
const LEVELS: u32 = 4;

fn labels(manager: &Manager) -> Vec<Bdd> {
    let literal = |level, value| manager.literal(level, value).unwrap();
    let both = literal(LEVELS, true).and(&literal(LEVELS + 1, true)).unwrap();
    vec![both, literal(LEVELS, false), literal(LEVELS + 1, true)]
}

fn cube(manager: &Manager, state: usize) -> Bdd {
    let bits: Vec<(u32, bool)> = (0..LEVELS).map(|level| (level, state >> level & 1 == 1)).collect();
    manager.cube(&bits).unwrap()
}

/// The diagram of a function from states to labels.
fn labelled(manager: &Manager, labels: &[Bdd], function: &[usize]) -> Bdd {
    function.iter().enumerate().fold(manager.constant(false), |all, (state, &label)| {
        all.or(&cube(manager, state).and(&labels[label]).unwrap()).unwrap()
    })
}

#[test]
fn labels_are_counted_and_exchanged_state_by_state() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let manager = Manager::new(Budget::unlimited());
    let labels = labels(&manager);
    let levels: Vec<u32> = (0..LEVELS).collect();
    for _ in 0..200 {
        let function: Vec<usize> = (0..16).map(|_| rng.random_range(0..3)).collect();
        let region: Vec<bool> = (0..16).map(|_| rng.random_range(0..4) > 0).collect();
        let diagram = labelled(&manager, &labels, &function);
        let within = (0..16)
            .filter(|&state| region[state])
            .fold(manager.constant(false), |all, state| all.or(&cube(&manager, state)).unwrap());
        let expected: Vec<u128> = (0..3)
            .map(|label| (0..16).filter(|&state| region[state] && function[state] == label).count() as u128)
            .collect();
        let names: Vec<&Bdd> = labels.iter().collect();
        let counted = manager.count_labels(&diagram, LEVELS, &names, &within, &levels);
        assert_eq!(counted, Some(expected), "{function:?} {region:?}");

        // The first label becomes the second, the second the third, and the third stays.
        let renamed =
            manager.relabel(&diagram, LEVELS, &[(&labels[0], &labels[1]), (&labels[1], &labels[2])]).unwrap();
        let after: Vec<usize> = function.iter().map(|&label| (label + 1).min(2)).collect();
        assert!(renamed == labelled(&manager, &labels, &after), "{function:?}");
    }
}

#[test]
fn diagrams_come_back_from_bytes() {
    let manager = Manager::new(Budget::unlimited());
    let labels = labels(&manager);
    let function: Vec<usize> = (0..16).map(|state| state * 7 % 3).collect();
    let diagram = labelled(&manager, &labels, &function);
    let bytes = manager.export(&[&diagram, &diagram.not(), &labels[0]]);
    let other = Manager::new(Budget::unlimited());
    let read = other.import(&bytes, LEVELS + 2).unwrap();
    for assignment in 0..64u32 {
        let value = |level: u32| assignment >> level & 1 == 1;
        let there = [diagram.evaluate(value), !diagram.evaluate(value), labels[0].evaluate(value)];
        let here: Vec<bool> = read.iter().map(|bdd| bdd.evaluate(value)).collect();
        assert_eq!(here, there);
    }
    assert!(other.import(&bytes, LEVELS + 1).is_err(), "there are more levels than told");
}

/// Bytes may be anything: a count that the bytes cannot hold asks for no memory, and a cut or changed text is an error or a diagram.
#[test]
fn broken_bytes_are_errors() {
    let manager = Manager::new(Budget::unlimited());
    let diagram = labelled(&manager, &labels(&manager), &[0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]);
    let bytes = manager.export(&[&diagram]);
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 2, 3];
    assert!(manager.import(&huge, 6).is_err());
    for end in 0..bytes.len() {
        assert!(manager.import(&bytes[..end], 6).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        for change in [1, 0x10, 0x80] {
            let mut broken = bytes.clone();
            broken[at] ^= change;
            // Whatever it is, it must not panic; a diagram that comes out is in order and can be used.
            if let Ok(read) = manager.import(&broken, 6) {
                assert!(read.iter().all(|bdd| bdd.and(bdd).unwrap() == *bdd));
            }
        }
    }
}
