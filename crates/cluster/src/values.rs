//! Values of the next layer in memory, and what they make of the values of this one.

use counterplay_ggp::layered::place_of;

/// Parts of the next layer that a worker has in memory, and the best values of its own states so far.
#[derive(Default)]
pub(crate) struct Lookup {
    parts: usize,
    workers: usize,
    /// Moves of all roles, times workers: each goes along a part on its own.
    marks_per_part: usize,
    /// By own part; those that are not in memory are empty.
    tables: Vec<Table>,
    marks: Vec<usize>,
    /// The role of each move.
    roles: Vec<usize>,
    /// For each role how much it likes each outcome.
    ranks: Vec<Vec<u32>>,
    /// For each own state the number of its outcome plus one, or 0.
    pub(crate) values: Vec<u8>,
    /// Whether a state was not found: files are not what they should be.
    pub(crate) is_missing: bool,
}

/// A part: sorted states and their outcomes.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) states: Vec<u64>,
    pub(crate) outcomes: Vec<u8>,
}

impl Lookup {
    pub(crate) fn new(parts: usize, workers: usize, roles: Vec<usize>, ranks: Vec<Vec<u32>>) -> Lookup {
        let marks_per_part = workers * roles.len();
        Lookup { parts, workers, marks_per_part, roles, ranks, ..Lookup::default() }
    }

    /// Puts other parts into memory.
    pub(crate) fn load(&mut self, tables: Vec<Table>) {
        self.marks = vec![0; tables.len() * self.marks_per_part];
        self.tables = tables;
    }

    pub(crate) fn role_of(&self, a_move: usize) -> usize {
        self.roles.get(a_move).copied().unwrap_or_default()
    }

    /// The outcome of a state of the next layer plus one, or 0 if it is not there.
    #[inline]
    pub(crate) fn answer(&mut self, state: u64, mark: usize) -> u8 {
        let own = crate::store::part_of(state, self.parts) / self.workers;
        let Some(table) = self.tables.get(own).filter(|table| !table.states.is_empty()) else {
            self.is_missing = true;
            return 0;
        };
        let place = &mut self.marks[own * self.marks_per_part + mark];
        *place = place_of(&table.states, *place, state);
        match table.states.get(*place) {
            Some(&found) if found == state => table.outcomes[*place] + 1,
            _ => {
                *place = 0;
                self.is_missing = true;
                0
            }
        }
    }

    /// Takes a value for a state if the role likes it better.
    #[inline]
    pub(crate) fn improve(&mut self, place: usize, role: usize, value: u8) {
        let Some(best) = self.values.get_mut(place).filter(|_| value > 0) else { return };
        let rank = |value: u8| self.ranks[role][usize::from(value) - 1];
        if *best == 0 || rank(value) > rank(*best) {
            *best = value;
        }
    }
}
