//! One relation: its tuples, back to back, and the ways to find them.
//!
//! A tuple is *stored* first and takes part in joins once it is *active*; tuples become active in the order
//! in which they were stored. Look-ups never allocate: an index chains the tuples with equal key through
//! one `next` table, newest first.

use counterplay_base::{Budget, Limit};

use super::Symbol;

/// A link to a tuple in hash tables and chains: its number plus one, and zero for none. Private to the
/// datalog engine, where eight bytes per link instead of four would double the tables.
pub(super) type Link = u32;

/// A set of tuples of equal length.
#[derive(Clone, Debug)]
pub struct Relation {
    arity: usize,
    len: usize,
    active: usize,
    values: Vec<Symbol>,
    /// Open addressing over whole tuples; its length is a power of two.
    table: Vec<Link>,
    columns: Vec<Column>,
    indexes: Vec<Index>,
    symbols: usize,
}

/// Which symbols occur in one column of the active tuples.
#[derive(Clone, Debug)]
struct Column {
    seen: Vec<u64>,
    distinct: usize,
}

/// Active tuples by the values of some columns.
#[derive(Clone, Debug)]
struct Index {
    columns: Vec<usize>,
    /// Open addressing over keys; a slot leads to the newest tuple with that key.
    heads: Vec<Link>,
    /// From each active tuple to the next older one with the same key.
    next: Vec<Link>,
    keys: usize,
}

impl Relation {
    pub(super) fn new(arity: usize, symbols: usize) -> Relation {
        let column = Column { seen: vec![0; symbols.div_ceil(64)], distinct: 0 };
        Relation {
            arity,
            len: 0,
            active: 0,
            values: Vec::new(),
            table: vec![0; 16],
            columns: vec![column; arity],
            indexes: Vec::new(),
            symbols,
        }
    }

    pub fn arity(&self) -> usize {
        self.arity
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no tuple.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The tuple with this number; numbers run from 0 in the order of derivation.
    #[inline]
    pub fn tuple(&self, number: usize) -> &[Symbol] {
        &self.values[number * self.arity..(number + 1) * self.arity]
    }

    /// All tuples, in the order of their numbers.
    pub fn tuples(&self) -> impl ExactSizeIterator<Item = &[Symbol]> {
        (0..self.len).map(|number| self.tuple(number))
    }

    /// The number of a tuple, if it is there.
    #[inline]
    pub fn find(&self, tuple: &[Symbol]) -> Option<usize> {
        let mask = self.table.len() - 1;
        let mut slot = hash(tuple.iter().copied()) as usize & mask;
        loop {
            let link = self.table[slot];
            if link == 0 {
                return None;
            }
            if self.tuple(link as usize - 1) == tuple {
                return Some(link as usize - 1);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Whether a tuple is there and active.
    #[inline]
    pub(super) fn holds(&self, tuple: &[Symbol]) -> bool {
        match *tuple {
            [symbol] => self.columns[0].contains(symbol),
            _ => self.find(tuple).is_some_and(|number| number < self.active),
        }
    }

    /// Stores a tuple unless it is there. `true` if it is new.
    pub(super) fn store(&mut self, tuple: &[Symbol], budget: &Budget) -> Result<bool, Limit> {
        debug_assert_eq!(tuple.len(), self.arity);
        if self.len * 2 >= self.table.len() {
            self.grow(budget)?;
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(tuple.iter().copied()) as usize & mask;
        while self.table[slot] != 0 {
            if self.tuple(self.table[slot] as usize - 1) == tuple {
                return Ok(false);
            }
            slot = (slot + 1) & mask;
        }
        self.values.extend_from_slice(tuple);
        self.len += 1;
        self.table[slot] = self.len as Link;
        Ok(true)
    }

    /// Doubles the table and makes room for as many tuples as it may then hold.
    fn grow(&mut self, budget: &Budget) -> Result<(), Limit> {
        let slots = self.table.len() * 2;
        if slots > Link::MAX as usize {
            return Err(Limit::Nodes(Link::MAX as u64));
        }
        let link = size_of::<Link>();
        budget.allow_bytes(slots * link + slots / 2 * (self.arity + self.indexes.len()) * link)?;
        self.values.reserve_exact((slots / 2 + 1).saturating_sub(self.len) * self.arity);
        let mut table = vec![0; slots];
        for number in 0..self.len {
            let mut slot = hash(self.tuple(number).iter().copied()) as usize & (slots - 1);
            while table[slot] != 0 {
                slot = (slot + 1) & (slots - 1);
            }
            table[slot] = number as Link + 1;
        }
        self.table = table;
        Ok(())
    }

    /// Number of tuples that take part in joins.
    pub(super) fn active(&self) -> usize {
        self.active
    }

    /// Lets the next stored tuple take part in joins; its number.
    pub(super) fn activate(&mut self) -> Option<usize> {
        if self.active == self.len {
            return None;
        }
        let number = self.active;
        let tuple = &self.values[number * self.arity..(number + 1) * self.arity];
        for (column, &symbol) in self.columns.iter_mut().zip(tuple) {
            column.insert(symbol);
        }
        for index in &mut self.indexes {
            index.append(&self.values, self.arity);
        }
        self.active += 1;
        Some(number)
    }

    /// The number of an index on these columns (ascending), which is made if there is none.
    pub(super) fn index_on(&mut self, columns: &[usize]) -> usize {
        if let Some(at) = self.indexes.iter().position(|index| index.columns == columns) {
            return at;
        }
        let slots = if columns.len() == 1 { self.symbols.next_power_of_two() } else { 16 };
        let mut index = Index { columns: columns.to_vec(), heads: vec![0; slots], next: Vec::new(), keys: 0 };
        for _ in 0..self.active {
            index.append(&self.values, self.arity);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The newest active tuple with this key.
    #[inline]
    pub(super) fn first(&self, index: usize, key: &[Symbol]) -> Link {
        let index = &self.indexes[index];
        index.heads[index.slot(&self.values, self.arity, key)]
    }

    /// The next older tuple with the same key.
    #[inline]
    pub(super) fn next(&self, index: usize, link: Link) -> Link {
        self.indexes[index].next[link as usize - 1]
    }

    /// About how many active tuples have given values in these columns (ascending).
    pub(super) fn estimate(&self, columns: &[usize]) -> f64 {
        if let Some(index) = self.indexes.iter().find(|index| index.columns == columns) {
            return self.active as f64 / index.keys.max(1) as f64;
        }
        let keys: f64 = columns.iter().map(|&column| self.columns[column].distinct.max(1) as f64).product();
        self.active as f64 / keys
    }
}

impl Column {
    #[inline]
    fn contains(&self, symbol: Symbol) -> bool {
        self.seen[symbol as usize / 64] >> (symbol % 64) & 1 == 1
    }

    #[inline]
    fn insert(&mut self, symbol: Symbol) {
        let word = &mut self.seen[symbol as usize / 64];
        let bit = 1 << (symbol % 64);
        self.distinct += usize::from(*word & bit == 0);
        *word |= bit;
    }
}

impl Index {
    /// The slot of a key, or the empty one where it would go.
    #[inline]
    fn slot(&self, values: &[Symbol], arity: usize, key: &[Symbol]) -> usize {
        let mask = self.heads.len() - 1;
        let mut slot = self.hash_key(key.iter().copied()) as usize & mask;
        loop {
            let link = self.heads[slot];
            if link == 0 {
                return slot;
            }
            let at = (link as usize - 1) * arity;
            if self.columns.iter().zip(key).all(|(&column, &symbol)| values[at + column] == symbol) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// A single column needs no mixing: its table has a slot for every symbol.
    #[inline]
    fn hash_key(&self, mut key: impl Iterator<Item = Symbol>) -> u64 {
        if self.columns.len() == 1 { u64::from(key.next().unwrap_or(0)) } else { hash(key) }
    }

    /// Adds the tuple after those it has.
    fn append(&mut self, values: &[Symbol], arity: usize) {
        if self.columns.len() > 1 && self.keys * 2 >= self.heads.len() {
            self.grow(values, arity);
        }
        let at = self.next.len() * arity;
        let mask = self.heads.len() - 1;
        let mut slot = self.hash_key(self.columns.iter().map(|&column| values[at + column])) as usize & mask;
        loop {
            let link = self.heads[slot];
            if link == 0 {
                self.keys += 1;
                break;
            }
            let other = (link as usize - 1) * arity;
            if self.columns.iter().all(|&column| values[at + column] == values[other + column]) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        self.next.push(self.heads[slot]);
        self.heads[slot] = self.next.len() as Link;
    }

    fn grow(&mut self, values: &[Symbol], arity: usize) {
        let old = std::mem::take(&mut self.heads);
        self.heads = vec![0; old.len() * 2];
        let mask = self.heads.len() - 1;
        for link in old.into_iter().filter(|&link| link != 0) {
            let at = (link as usize - 1) * arity;
            let mut slot = hash(self.columns.iter().map(|&column| values[at + column])) as usize & mask;
            while self.heads[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.heads[slot] = link;
        }
    }
}

/// A multiplicative hash; the strongest bits end up below.
#[inline]
fn hash(symbols: impl Iterator<Item = Symbol>) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut state = 0u64;
    for symbol in symbols {
        state = (state.rotate_left(23) ^ u64::from(symbol)).wrapping_mul(FACTOR);
    }
    state ^ (state >> 32)
}
