//! Our kernel and OxiDD on the same sets: `cargo bench -p counterplay-bench --features oxidd`.
//!
//! Breadth-first reachability of five models, with the same variable order, relations and layers in both kernels. The
//! known number of states is asserted, so a wrong kernel cannot look fast. Times are wall times of one thread.

mod models;

use std::collections::BTreeMap;
use std::time::Instant;

use counterplay_base::Budget;
use counterplay_bdd::{Bdd, Manager};
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::SatCountCache;
use oxidd::util::num::F64;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, ManagerRef, Subst};

use models::{Fact, Model};

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
    /// The number of states in a set over this many bits.
    fn count(&self, set: &Self::Set, bits: usize) -> u64;
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
    fn count(&self, set: &Bdd, bits: usize) -> u64 {
        let levels: Vec<u32> = (0..bits).map(|bit| 2 * bit as u32).collect();
        set.count(&self.constant(true), &levels).unwrap() as u64
    }
}

struct Theirs {
    manager: BCDDManagerRef,
    next_to_now: Subst<BCDDFunction>,
}

impl Theirs {
    fn new(bits: usize) -> Theirs {
        let manager = oxidd::bcdd::new_manager(1 << 24, 1 << 20, 1);
        let levels = 2 * bits as u32;
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
    fn count(&self, set: &BCDDFunction, bits: usize) -> u64 {
        let mut cache: SatCountCache<F64, std::hash::RandomState> = SatCountCache::default();
        // Odd levels are free.
        let all: F64 = set.sat_count(2 * bits as u32, &mut cache);
        (all.0 / 2f64.powi(bits as i32)) as u64
    }
}

/// Where the bits of each variable of a model begin; the last entry is their number.
fn layout(model: &Model) -> Vec<usize> {
    let width = |&values: &usize| values.next_power_of_two().ilog2() as usize;
    let ends = model.domains.iter().map(width).scan(0, |end, width| {
        *end += width;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// The states in which all facts hold, now (`next` = 0) or next (`next` = 1).
fn conjunction<K: Kernel>(kernel: &K, starts: &[usize], facts: &[Fact], next: usize) -> K::Set {
    let mut literals: Vec<(usize, bool)> = facts
        .iter()
        .flat_map(|&(variable, value)| {
            (starts[variable]..starts[variable + 1])
                .enumerate()
                .map(move |(i, bit)| (bit, value >> i & 1 == 1))
        })
        .collect();
    literals.sort_unstable();
    // From the bottom up, so that each conjunction adds one node.
    literals.iter().rev().fold(kernel.constant(true), |set, &(bit, value)| {
        kernel.and(&kernel.literal((2 * bit + next) as u32, value), &set)
    })
}

/// The number of reachable states. Steps that change the same variables are one relation.
fn reachable<K: Kernel>(kernel: &K, model: &Model) -> u64 {
    let starts = layout(model);
    let mut relations: BTreeMap<Vec<usize>, K::Set> = BTreeMap::new();
    for step in &model.steps {
        let before = conjunction(kernel, &starts, &step.before, 0);
        let relation = kernel.and(&before, &conjunction(kernel, &starts, &step.after, 1));
        let mut changed: Vec<usize> =
            step.after.iter().flat_map(|&(variable, _)| starts[variable]..starts[variable + 1]).collect();
        changed.sort_unstable();
        let set = relations.entry(changed).or_insert_with(|| kernel.constant(false));
        *set = kernel.or(set, &relation);
    }
    let terminal = model
        .terminal
        .iter()
        .fold(kernel.constant(false), |set, facts| kernel.or(&set, &conjunction(kernel, &starts, facts, 0)));
    let initial: Vec<Fact> = model.initial.iter().copied().enumerate().collect();
    let initial = conjunction(kernel, &starts, &initial, 0);
    let (mut reached, mut frontier) = (initial.clone(), initial);
    while frontier != kernel.constant(false) {
        let open = kernel.minus(&frontier, &terminal);
        let next = relations.iter().fold(kernel.constant(false), |set, (changed, relation)| {
            kernel.or(&set, &kernel.image(&open, relation, changed))
        });
        frontier = kernel.minus(&next, &reached);
        reached = kernel.or(&reached, &frontier);
    }
    kernel.count(&reached, starts[model.domains.len()])
}

/// The least of three times, in seconds.
fn measure(model: &Model, run: impl Fn() -> u64) -> f64 {
    let times = (0..3).map(|_| {
        let began = Instant::now();
        assert_eq!(run(), model.states, "{}", model.name);
        began.elapsed().as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

fn main() {
    println!("{:32} {:>9} {:>9} {:>7}", "model", "ours", "OxiDD", "ratio");
    let mut product = 1.0;
    let models = models::all();
    for model in &models {
        let bits = layout(model)[model.domains.len()];
        let ours = measure(model, || reachable(&Ours(Manager::new(Budget::unlimited())), model));
        let theirs = measure(model, || reachable(&Theirs::new(bits), model));
        println!("{:32} {ours:>7.3} s {theirs:>7.3} s {:>7.2}", model.name, ours / theirs);
        product *= ours / theirs;
    }
    let mean = f64::powf(product, 1.0 / models.len() as f64);
    println!("geometric mean of the ratios: {mean:.2}");
}
