//! One representative for each orbit of states: for all that the symmetries of the game make of a state.
//!
//! The rules cannot tell a state from its mirror image, so both have the same value (Kissmann 2012 leaves this open; the
//! idea is that of symmetry reduction in model checking, Emerson and Sistla 1996). Only the least word of them is kept; counts
//! are of all of them.

use counterplay_base::Id;
use counterplay_ground::game::Symmetry;

use super::code::Code;

/// Bits that are looked up together.
const CHUNK: usize = 11;

/// The symmetries as tables over words; the one that changes nothing is left out.
pub(super) struct OrbitRepresentatives {
    elements: Vec<Vec<Table>>,
}

/// What some bits of a word become.
struct Table {
    shift: usize,
    mask: u64,
    images: Vec<u64>,
}

impl OrbitRepresentatives {
    /// Tables for a group of symmetries; none of them if some variable does not become a variable.
    pub(super) fn new(code: &Code, group: &[Symmetry]) -> OrbitRepresentatives {
        let is_identity = |own: &Symmetry| own.enumerate().all(|(from, &to)| from.index() == to.index());
        let others = group.iter().filter(|own| !is_identity(own));
        OrbitRepresentatives {
            elements: others.map(|own| tables(code, own)).collect::<Option<_>>().unwrap_or_default(),
        }
    }

    /// How many states may be one.
    pub(super) fn order(&self) -> usize {
        self.elements.len() + 1
    }

    /// The representative of the orbit of a state: the least of the state and its images.
    #[inline]
    pub(super) fn least(&self, state: u64) -> u64 {
        self.elements.iter().map(|own| image(own, state)).fold(state, u64::min)
    }

    /// The orbit of a state, in ascending order.
    pub(super) fn all(&self, state: u64) -> Vec<u64> {
        let mut all: Vec<u64> = self.elements.iter().map(|own| image(own, state)).chain([state]).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The size of the orbit of a state.
    pub(super) fn count(&self, state: u64) -> u64 {
        let same = self.elements.iter().filter(|own| image(own, state) == state).count();
        (self.order() / (same + 1)) as u64
    }
}

#[inline]
fn image(tables: &[Table], state: u64) -> u64 {
    tables.iter().fold(0, |all, table| all | table.images[(state >> table.shift & table.mask) as usize])
}

/// The tables of one symmetry.
fn tables(code: &Code, symmetry: &Symmetry) -> Option<Vec<Table>> {
    let moved: Option<Vec<Vec<u64>>> =
        (0..code.variables()).map(|variable| code.moved(variable, symmetry)).collect();
    let moved = moved?;
    let tables = chunks(code).into_iter().map(|Chunk { from, to, shift, width }| {
        let images = (0..1u64 << width).map(|bits| {
            let part = |variable: usize| {
                let (first, width) = code.place_of(variable);
                let value = bits >> (first - shift) & ((1 << width) - 1);
                moved[variable].get(value as usize).copied().unwrap_or(0)
            };
            (from..to).map(part).fold(0, |all, part| all | part)
        });
        Table { shift, mask: (1 << width) - 1, images: images.collect() }
    });
    Some(tables.collect())
}

/// Variables whose bits are looked up together.
pub(super) struct Chunk {
    /// The first variable, and the one after the last.
    pub(super) from: usize,
    pub(super) to: usize,
    /// The first bit, and how many there are.
    pub(super) shift: usize,
    pub(super) width: usize,
}

/// All variables in chunks of a few bits.
pub(super) fn chunks(code: &Code) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut from = 0;
    while from < code.variables() {
        let shift = code.place_of(from).0;
        let mut to = from + 1;
        let end = |to: usize| code.place_of(to - 1).0 + code.place_of(to - 1).1;
        while to < code.variables() && end(to + 1) - shift <= CHUNK {
            to += 1;
        }
        chunks.push(Chunk { from, to, shift, width: end(to) - shift });
        from = to;
    }
    chunks
}
