//! Facts, with an index for each set of columns that is asked for.

use super::rows::Rows;
use super::terms::TermId;

/// Columns as a set of bits. Columns beyond the 64th are never in it: they are compared one by one instead.
pub(super) type Columns = u64;

/// Facts of one relation.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    pub(super) rows: Rows,
    indexes: Vec<Index>,
}

/// Rows by the values in some columns.
#[derive(Clone, Debug)]
struct Index {
    columns: Columns,
    keys: Rows,
    buckets: Vec<Vec<u32>>,
    /// How many rows it covers.
    covered: usize,
}

/// Rows that agree with a key.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bucket {
    All,
    /// A single row, or none.
    One(Option<u32>),
    /// A list of an index.
    Listed {
        index: usize,
        list: usize,
    },
}

impl Store {
    pub(super) fn insert(&mut self, row: &[TermId]) {
        self.rows.insert(row);
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear();
        for index in &mut self.indexes {
            index.keys.clear();
            index.buckets.iter_mut().for_each(Vec::clear);
            index.covered = 0;
        }
    }

    /// The rows whose values in `columns` are those of `key`. `arity` is the number of columns.
    pub(super) fn select(&mut self, columns: Columns, arity: usize, key: &[TermId]) -> Bucket {
        if columns == 0 && arity > 0 {
            return Bucket::All;
        }
        if columns.count_ones() as usize == arity {
            return Bucket::One(self.rows.find(key).map(|number| number as u32));
        }
        let at = self.indexes.iter().position(|index| index.columns == columns).unwrap_or_else(|| {
            self.indexes.push(Index { columns, keys: Rows::default(), buckets: Vec::new(), covered: 0 });
            self.indexes.len() - 1
        });
        let index = &mut self.indexes[at];
        if index.covered < self.rows.len() {
            index.cover(&self.rows);
        }
        match index.keys.find(key) {
            Some(list) => Bucket::Listed { index: at, list },
            None => Bucket::One(None),
        }
    }

    /// The `n`-th row of a bucket.
    pub(super) fn row(&self, bucket: Bucket, n: usize) -> Option<&[TermId]> {
        let number = match bucket {
            Bucket::All => (n < self.rows.len()).then_some(n),
            Bucket::One(only) => only.filter(|_| n == 0).map(|number| number as usize),
            Bucket::Listed { index, list } => {
                self.indexes[index].buckets[list].get(n).map(|&number| number as usize)
            }
        };
        number.map(|number| self.rows.get(number))
    }
}

impl Index {
    fn cover(&mut self, rows: &Rows) {
        let mut key = Vec::new();
        for number in self.covered..rows.len() {
            key.clear();
            select(self.columns, rows.get(number), &mut key);
            let (list, new) = self.keys.insert(&key);
            if new && list == self.buckets.len() {
                self.buckets.push(Vec::new());
            }
            self.buckets[list].push(number as u32);
        }
        self.covered = rows.len();
    }
}

/// Appends the items in the given columns.
fn select(columns: Columns, row: &[TermId], out: &mut Vec<TermId>) {
    let mut left = columns;
    while left != 0 {
        out.push(row[left.trailing_zeros() as usize]);
        left &= left - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::Id;

    #[test]
    fn an_index_finds_the_rows_that_a_scan_finds() {
        let mut store = Store::default();
        let row = |n: usize| [TermId::new(n % 3), TermId::new(n % 5), TermId::new(n % 4)];
        (0..60).for_each(|n| store.insert(&row(n)));
        for columns in 0..8u64 {
            for n in 0..60 {
                let mut key = Vec::new();
                select(columns, &row(n), &mut key);
                let bucket = store.select(columns, 3, &key);
                let found = (0..).map_while(|n| store.row(bucket, n)).count();
                let agrees = |other: &[TermId]| {
                    let mut own = Vec::new();
                    select(columns, other, &mut own);
                    own == key
                };
                let scan = (0..store.rows.len()).filter(|&n| agrees(store.rows.get(n))).count();
                assert_eq!(found, scan, "columns {columns:b}, row {n}");
            }
        }
    }
}
