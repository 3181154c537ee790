//! Our kernel and OxiDD on the same sets: `cargo bench -p counterplay-bench --features oxidd`.
//!
//! Breadth-first reachability of the eight puzzle, with the same order, relations and number of layers in both. The
//! known number of states is asserted, so a wrong kernel cannot look fast. Times are wall times of one thread.

use std::time::Instant;

use counterplay_base::Budget;
use counterplay_bdd::{Bdd, Manager};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::SatCountCache;
use oxidd::util::num::F64;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, ManagerRef, Subst};

const SIDE: usize = 3;
const CELLS: usize = SIDE * SIDE;
/// Bits of a cell.
const BITS: usize = 4;
const STATES: u64 = 181_440;

/// What the bench needs of a kernel. Level `2i` is bit `i` now, level `2i + 1` the same bit next.
trait Kernel {
    type Set: Clone + PartialEq;
    fn constant(&self, value: bool) -> Self::Set;
    fn literal(&self, level: u32, value: bool) -> Self::Set;
    fn and(&self, a: &Self::Set, b: &Self::Set) -> Self::Set;
    fn or(&self, a: &Self::Set, b: &Self::Set) -> Self::Set;
    fn minus(&self, a: &Self::Set, b: &Self::Set) -> Self::Set;
    /// The image of a set under a relation that changes the given bits.
    fn image(&self, set: &Self::Set, relation: &Self::Set, changed: &[usize]) -> Self::Set;
    /// The number of models over the even levels.
    fn count(&self, set: &Self::Set) -> u64;
}

struct Ours(Manager);

impl Kernel for Ours {
    type Set = Bdd;
    fn constant(&self, value: bool) -> Bdd {
        self.0.constant(value)
    }
    fn literal(&self, level: u32, value: bool) -> Bdd {
        self.0.literal(level, value).unwrap()
    }
    fn and(&self, a: &Bdd, b: &Bdd) -> Bdd {
        a.and(b).unwrap()
    }
    fn or(&self, a: &Bdd, b: &Bdd) -> Bdd {
        a.or(b).unwrap()
    }
    fn minus(&self, a: &Bdd, b: &Bdd) -> Bdd {
        a.minus(b).unwrap()
    }
    fn image(&self, set: &Bdd, relation: &Bdd, changed: &[usize]) -> Bdd {
        let levels: Vec<u32> = changed.iter().map(|&bit| 2 * bit as u32).collect();
        self.0.image(set, relation, &self.0.changed(&levels).unwrap()).unwrap()
    }
    fn count(&self, set: &Bdd) -> u64 {
        let levels: Vec<u32> = (0..CELLS * BITS).map(|bit| 2 * bit as u32).collect();
        set.count(&levels).unwrap() as u64
    }
}

struct Theirs {
    manager: BCDDManagerRef,
    next_to_now: Subst<BCDDFunction>,
}

impl Theirs {
    fn new() -> Theirs {
        let manager = oxidd::bcdd::new_manager(1 << 24, 1 << 20, 1);
        let levels = 2 * (CELLS * BITS) as u32;
        manager.with_manager_exclusive(|manager| oxidd::Manager::add_vars(manager, levels));
        let now: Vec<BCDDFunction> = manager.with_manager_shared(|manager| {
            (0..levels).step_by(2).map(|level| BCDDFunction::var(manager, level).unwrap()).collect()
        });
        let next_to_now = Subst::new((0..levels).skip(1).step_by(2).collect::<Vec<_>>(), now);
        Theirs { manager, next_to_now }
    }
}

impl Kernel for Theirs {
    type Set = BCDDFunction;
    fn constant(&self, value: bool) -> BCDDFunction {
        self.manager.with_manager_shared(|manager| match value {
            true => BCDDFunction::t(manager),
            false => BCDDFunction::f(manager),
        })
    }
    fn literal(&self, level: u32, value: bool) -> BCDDFunction {
        self.manager.with_manager_shared(|manager| match value {
            true => BCDDFunction::var(manager, level).unwrap(),
            false => BCDDFunction::not_var(manager, level).unwrap(),
        })
    }
    fn and(&self, a: &BCDDFunction, b: &BCDDFunction) -> BCDDFunction {
        a.and(b).unwrap()
    }
    fn or(&self, a: &BCDDFunction, b: &BCDDFunction) -> BCDDFunction {
        a.or(b).unwrap()
    }
    fn minus(&self, a: &BCDDFunction, b: &BCDDFunction) -> BCDDFunction {
        a.and(&b.not().unwrap()).unwrap()
    }
    fn image(&self, set: &BCDDFunction, relation: &BCDDFunction, changed: &[usize]) -> BCDDFunction {
        let cube = changed
            .iter()
            .fold(self.constant(true), |cube, &bit| cube.and(&self.literal(2 * bit as u32, true)).unwrap());
        let next = set.apply_exists(BooleanOperator::And, relation, &cube).unwrap();
        next.substitute(&self.next_to_now).unwrap()
    }
    fn count(&self, set: &BCDDFunction) -> u64 {
        let mut cache: SatCountCache<F64, std::hash::RandomState> = SatCountCache::default();
        // Odd levels are free.
        let all: F64 = set.sat_count(2 * (CELLS * BITS) as u32, &mut cache);
        (all.0 / 2f64.powi((CELLS * BITS) as i32)) as u64
    }
}

/// A cell holds a tile, now (`next` = 0) or next (`next` = 1).
fn holds<K: Kernel>(kernel: &K, cell: usize, tile: usize, next: usize) -> K::Set {
    (0..BITS).rev().fold(kernel.constant(true), |set, i| {
        kernel.and(&set, &kernel.literal((2 * (cell * BITS + i) + next) as u32, tile >> i & 1 == 1))
    })
}

/// The blank moves from one cell to a neighbour: the tile there takes its place.
fn slide<K: Kernel>(kernel: &K, from: usize, to: usize) -> K::Set {
    let moved = kernel.and(&holds(kernel, from, 0, 0), &holds(kernel, to, 0, 1));
    let tiles = (1..CELLS).fold(kernel.constant(false), |set, tile| {
        kernel.or(&set, &kernel.and(&holds(kernel, to, tile, 0), &holds(kernel, from, tile, 1)))
    });
    kernel.and(&moved, &tiles)
}

fn reachable<K: Kernel>(kernel: &K) -> u64 {
    let mut steps = Vec::new();
    for from in 0..CELLS {
        let neighbours = [(from % SIDE + 1 < SIDE, from + 1), (from + SIDE < CELLS, from + SIDE)];
        for (_, to) in neighbours.into_iter().filter(|(exists, _)| *exists) {
            let changed: Vec<usize> =
                (0..BITS).map(|i| from * BITS + i).chain((0..BITS).map(|i| to * BITS + i)).collect();
            steps.push((slide(kernel, from, to), changed.clone()));
            steps.push((slide(kernel, to, from), changed));
        }
    }
    let start =
        (0..CELLS).fold(kernel.constant(true), |set, cell| kernel.and(&set, &holds(kernel, cell, cell, 0)));
    let (mut reached, mut frontier) = (start.clone(), start);
    while frontier != kernel.constant(false) {
        let next = steps.iter().fold(kernel.constant(false), |set, (relation, changed)| {
            kernel.or(&set, &kernel.image(&frontier, relation, changed))
        });
        frontier = kernel.minus(&next, &reached);
        reached = kernel.or(&reached, &frontier);
    }
    kernel.count(&reached)
}

fn measure(name: &str, run: impl Fn() -> u64) -> f64 {
    let best = (0..3)
        .map(|_| {
            let began = Instant::now();
            assert_eq!(run(), STATES, "{name}");
            began.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min);
    println!("{name}: {best:.3} s");
    best
}

fn main() {
    let ours = measure("ours", || reachable(&Ours(Manager::new(Budget::unlimited()))));
    let theirs = measure("OxiDD", || reachable(&Theirs::new()));
    println!("ours / OxiDD: {:.2}", ours / theirs);
}
