//! Garbage collection between operations, against truth tables of six levels.
//!
//! The places of freed nodes are used again at once, so a remembered result that mentions a freed node would soon be found for
//! another function. After every operation some handles are dropped and everything else is collected.

use counterplay_base::Budget;
use counterplay_bdd::{Bdd, Manager};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const LEVELS: u32 = 6;

fn bit(assignment: usize, level: u32) -> bool {
    assignment >> level & 1 == 1
}

fn to_table(bdd: &Bdd) -> u64 {
    (0..64).filter(|&a| bdd.evaluate(|level| bit(a, level))).fold(0, |table, a| table | 1 << a)
}

fn literal(level: u32, value: bool) -> u64 {
    (0..64).filter(|&a| bit(a, level) == value).fold(0, |table, a| table | 1 << a)
}

/// The assignments that agree with one of the table on all other levels.
fn some(table: u64, level: u32) -> u64 {
    (0..64usize)
        .filter(|&a| table >> a & 1 == 1 || table >> (a ^ 1 << level) & 1 == 1)
        .fold(0, |found, a| found | 1 << a)
}

#[test]
fn results_that_mention_freed_nodes_are_forgotten() {
    for seed in 0..40 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let manager = Manager::new(Budget::unlimited());
        let mut held: Vec<(Bdd, u64)> = Vec::new();
        for step in 0..400 {
            if held.len() < 2 || rng.random_range(0..8) == 0 {
                let (level, value) = (rng.random_range(0..LEVELS), rng.random());
                held.push((manager.literal(level, value).unwrap(), literal(level, value)));
            }
            let (f, f_table) = held[rng.random_range(0..held.len())].clone();
            let (g, g_table) = held[rng.random_range(0..held.len())].clone();
            let level = rng.random_range(0..LEVELS);
            let cube = manager.cube(&[(level, true)]).unwrap();
            let (made, table) = match rng.random_range(0..6) {
                0 => (f.and(&g).unwrap(), f_table & g_table),
                1 => (f.or(&g).unwrap(), f_table | g_table),
                2 => (f.xor(&g).unwrap(), f_table ^ g_table),
                3 => (f.exists(&cube).unwrap(), some(f_table, level)),
                4 => (f.forall(&cube).unwrap(), !some(!f_table, level)),
                _ => {
                    let simple = f.simplify(&g).unwrap();
                    assert_eq!(to_table(&simple) & g_table, f_table & g_table, "seed {seed}, step {step}");
                    let table = to_table(&simple);
                    (simple, table)
                }
            };
            assert_eq!(to_table(&made), table, "seed {seed}, step {step}");
            held.push((made, table));
            drop((f, g, cube));
            // An operand, a result, or both are freed while the others live on.
            while held.len() > 6 || rng.random_range(0..3) == 0 && held.len() > 1 {
                held.swap_remove(rng.random_range(0..held.len()));
            }
            manager.collect();
            for (kept, table) in &held {
                assert_eq!(to_table(kept), *table, "seed {seed}, step {step}: a kept diagram changed");
            }
        }
    }
}

/// Bytes that the process pretends to hold; the limit is a mebibyte.
fn nearly_full() -> Option<usize> {
    Some((1 << 20) - (300 << 10))
}

/// Near the memory limit tables grow in small steps, become fuller than usual, and the cache gives way. Functions stay what they are.
#[test]
fn functions_made_near_the_memory_limit_are_right() {
    let (levels, mut rng) = (40u32, ChaCha8Rng::seed_from_u64(9));
    let assignments: Vec<Vec<bool>> = (0..50).map(|_| (0..levels).map(|_| rng.random()).collect()).collect();
    let values = |bdd: &Bdd| -> Vec<bool> {
        assignments.iter().map(|bits| bdd.evaluate(|level| bits[level as usize])).collect()
    };
    let manager = Manager::new(Budget::unlimited().with_memory(1 << 20, nearly_full));
    let mut held: Vec<(Bdd, Vec<bool>)> = (0..levels)
        .map(|level| manager.literal(level, true).expect("small"))
        .map(|bdd| (bdd.clone(), values(&bdd)))
        .collect();
    let stopped = (0..100_000).any(|_| {
        let pick = |rng: &mut ChaCha8Rng| held[rng.random_range(0..held.len())].clone();
        let ((f, f_values), (g, g_values)) = (pick(&mut rng), pick(&mut rng));
        let Ok(made) = f.xor(&g).and_then(|made| made.or(&held[0].0)) else { return true };
        let expected: Vec<bool> =
            f_values.iter().zip(&g_values).zip(&held[0].1).map(|((f, g), first)| f != g || *first).collect();
        assert_eq!(values(&made), expected);
        held.push((made, expected));
        false
    });
    assert!(stopped, "the limit was never reached");
    // Nothing that is held has changed.
    for (bdd, expected) in &held {
        assert_eq!(values(bdd), *expected);
    }
}
