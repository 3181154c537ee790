//! Sets of atoms that can be asked and selected from.
//!
//! [`Store`] only grows and keeps an index for each selection that rules ask for: it holds what never changes,
//! and what can be reached at all. [`State`] is what is true at one moment: a sorted list for each predicate
//! that changes, shared until it is written to, with a running hash.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lifted::{HddlProblem, Packing, Tuple};

/// What unification asks of a set of atoms.
pub(crate) trait Facts {
    /// Whether an atom is true, or may be.
    fn has(&self, predicate: usize, tuple: Tuple) -> bool;
    /// Whether an atom is false, or may be.
    fn lacks(&self, predicate: usize, tuple: Tuple) -> bool;
    /// How arguments are packed.
    fn packing(&self) -> &Packing;
    /// Appends the true atoms that agree with `key` where `mask` says.
    fn select(&self, predicate: usize, mask: Tuple, key: Tuple, out: &mut Vec<Tuple>);
}

/// One predicate of a [`Store`].
#[derive(Clone, Debug, Default)]
struct Relation {
    tuples: Vec<Tuple>,
    set: FxHashSet<Tuple>,
    /// For a mask the tuples by the masked bits.
    indices: Vec<(Tuple, FxHashMap<Tuple, Vec<Tuple>>)>,
}

/// A growing set of atoms.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    relations: Vec<Relation>,
    packing: Packing,
}

impl Store {
    pub(crate) fn new(lifted: &HddlProblem) -> Store {
        Store {
            relations: vec![Relation::default(); lifted.is_fluent.len()],
            packing: lifted.packing.clone(),
        }
    }

    /// An empty set of atoms of so many predicates.
    pub(crate) fn with_relations(count: usize, packing: Packing) -> Store {
        Store { relations: vec![Relation::default(); count], packing }
    }

    /// How arguments are packed.
    pub(crate) fn packing(&self) -> &Packing {
        &self.packing
    }

    /// Keeps an index for selections with this mask.
    pub(crate) fn prepare(&mut self, predicate: usize, mask: Tuple) {
        let (relation, packing) = (&mut self.relations[predicate], &self.packing);
        if mask == 0 || relation.indices.iter().any(|(known, _)| *known == mask) {
            return;
        }
        let mut index: FxHashMap<Tuple, Vec<Tuple>> = FxHashMap::default();
        for &tuple in &relation.tuples {
            index.entry(packing.masked(tuple, mask)).or_default().push(tuple);
        }
        relation.indices.push((mask, index));
    }

    /// Adds an atom; whether it is new.
    pub(crate) fn insert(&mut self, predicate: usize, tuple: Tuple) -> bool {
        let (relation, packing) = (&mut self.relations[predicate], &self.packing);
        if !relation.set.insert(tuple) {
            return false;
        }
        relation.tuples.push(tuple);
        for (mask, index) in &mut relation.indices {
            index.entry(packing.masked(tuple, *mask)).or_default().push(tuple);
        }
        true
    }

    pub(crate) fn contains(&self, predicate: usize, tuple: Tuple) -> bool {
        self.relations[predicate].set.contains(&tuple)
    }

    pub(crate) fn select(&self, predicate: usize, mask: Tuple, key: Tuple, out: &mut Vec<Tuple>) {
        let relation = &self.relations[predicate];
        if mask == 0 {
            out.extend(&relation.tuples);
        } else if let Some((_, index)) = relation.indices.iter().find(|(known, _)| *known == mask) {
            out.extend(index.get(&key).into_iter().flatten());
        } else {
            out.extend(relation.tuples.iter().filter(|&&tuple| self.packing.masked(tuple, mask) == key));
        }
    }
}

/// What is true of the predicates that change.
#[derive(Clone, Debug)]
pub struct State {
    relations: Vec<Arc<Vec<Tuple>>>,
    hash: u128,
}

impl State {
    /// The state at the start.
    pub(crate) fn initial(lifted: &HddlProblem) -> State {
        let mut state = State { relations: vec![Arc::default(); lifted.is_fluent.len()], hash: 0 };
        for &(predicate, tuple) in &lifted.init {
            if lifted.is_fluent[predicate] {
                state.set(predicate, tuple, true);
            }
        }
        state
    }

    /// Makes an atom true or false.
    pub(crate) fn set(&mut self, predicate: usize, tuple: Tuple, value: bool) {
        let relation = &mut self.relations[predicate];
        match (relation.binary_search(&tuple), value) {
            (Err(at), true) => Arc::make_mut(relation).insert(at, tuple),
            (Ok(at), false) => {
                Arc::make_mut(relation).remove(at);
            }
            _ => return,
        }
        self.hash ^= scatter(predicate, tuple);
    }

    pub(crate) fn has(&self, predicate: usize, tuple: Tuple) -> bool {
        self.relations[predicate].binary_search(&tuple).is_ok()
    }

    /// A number that equal states share and others hardly ever do.
    pub(crate) fn hash(&self) -> u128 {
        self.hash
    }

    /// The true atoms of a predicate.
    pub(crate) fn tuples(&self, predicate: usize) -> &[Tuple] {
        &self.relations[predicate]
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.hash == other.hash && self.relations == other.relations
    }
}

impl Eq for State {}

/// A random-looking word for an atom: both halves by the finaliser of MurmurHash3, under different keys. States are
/// told apart by the sum of these words alone, so all 128 bits have to depend on all bits of the atom: two of `n` states
/// then share a word with a probability of about n² / 2^129.
fn scatter(predicate: usize, tuple: Tuple) -> u128 {
    let half = |key: u64| {
        let low = mix(tuple as u64 ^ mix(predicate as u64 ^ key));
        mix((tuple >> 64) as u64 ^ low.rotate_left(29) ^ key)
    };
    u128::from(half(0x9e37_79b9_7f4a_7c15)) << 64 | u128::from(half(0xc2b2_ae3d_27d4_eb4f))
}

pub(crate) fn mix(mut word: u64) -> u64 {
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}

/// A state together with what never changes.
#[derive(Clone, Copy)]
pub(crate) struct Now<'a> {
    pub(crate) fixed: &'a Store,
    pub(crate) is_fluent: &'a [bool],
    pub(crate) state: &'a State,
}

impl Facts for Now<'_> {
    fn packing(&self) -> &Packing {
        &self.fixed.packing
    }

    fn has(&self, predicate: usize, tuple: Tuple) -> bool {
        if self.is_fluent[predicate] {
            self.state.has(predicate, tuple)
        } else {
            self.fixed.contains(predicate, tuple)
        }
    }

    fn lacks(&self, predicate: usize, tuple: Tuple) -> bool {
        !self.has(predicate, tuple)
    }

    fn select(&self, predicate: usize, mask: Tuple, key: Tuple, out: &mut Vec<Tuple>) {
        if self.is_fluent[predicate] {
            let packing = &self.fixed.packing;
            let fits = |tuple: &&Tuple| packing.masked(**tuple, mask) == key;
            out.extend(self.state.tuples(predicate).iter().filter(fits));
        } else {
            self.fixed.select(predicate, mask, key, out);
        }
    }
}

/// All atoms that may become true, with the negations that may.
#[derive(Clone, Copy)]
pub(crate) struct Possible<'a> {
    pub(crate) store: &'a Store,
    pub(crate) is_fluent: &'a [bool],
}

impl Facts for Possible<'_> {
    fn packing(&self) -> &Packing {
        &self.store.packing
    }

    fn has(&self, predicate: usize, tuple: Tuple) -> bool {
        self.store.contains(predicate, tuple)
    }

    fn lacks(&self, predicate: usize, tuple: Tuple) -> bool {
        self.is_fluent[predicate] || !self.store.contains(predicate, tuple)
    }

    fn select(&self, predicate: usize, mask: Tuple, key: Tuple, out: &mut Vec<Tuple>) {
        self.store.select(predicate, mask, key, out);
    }
}
