//! Positions by number, and what can be done in those that were looked at.

use counterplay_base::{Budget, Id};
use counterplay_ground::game::{FluentId, Game, MoveId, RoleId, Symmetry};

use super::Refusal;
use crate::explicit::table::StateTable;
use crate::growth::{Allowance, Pages};
use crate::halt::Halt;
use crate::propnet::{Part, Propnet};
use crate::simultaneous::Simultaneous;

const W: usize = 1;
const LANES: usize = 64 * W;

/// What a position is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// The game is over, and the first role has this reward.
    Over(u32),
    /// Who chooses, and where the positions that follow begin.
    Open { mover: u8, first: u64, count: u32 },
}

/// The part of the game that was met.
pub(super) struct Graph<'g, 'b> {
    game: &'g Game,
    /// The sum of both rewards at every end that was met.
    pub(super) sum: Option<u32>,
    words: usize,
    network: Propnet<W>,
    table: StateTable,
    kinds: Vec<Option<Kind>>,
    edges: Pages<u32>,
    symmetries: Vec<Symmetry>,
    allowance: Allowance<'b>,
    /// Positions whose moves were looked at.
    pub(super) expanded: u64,
}

impl<'g, 'b> Graph<'g, 'b> {
    pub(super) fn new(
        game: &'g Game,
        sum: Option<u32>,
        symmetries: &[Symmetry],
        budget: &'b Budget,
    ) -> Graph<'g, 'b> {
        let is_identity = |own: &&Symmetry| own.enumerate().all(|(from, &to)| from == to);
        let words = game.fluents.len().div_ceil(64).max(1);
        Graph {
            game,
            sum,
            words,
            network: Propnet::new(game),
            table: StateTable::new(words),
            kinds: Vec::new(),
            edges: Pages::new(1),
            symmetries: symmetries.iter().filter(|own| !is_identity(own)).cloned().collect(),
            allowance: Allowance::new(budget),
            expanded: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// The representative of a position: the least of its images.
    fn representative(&self, row: &[u64]) -> Vec<u64> {
        let mut least = row.to_vec();
        for symmetry in &self.symmetries {
            let mut image = vec![0u64; self.words];
            for (word, &bits) in row.iter().enumerate() {
                let mut bits = bits;
                while bits != 0 {
                    let to = symmetry[FluentId::new(64 * word + bits.trailing_zeros() as usize)].index();
                    image[to / 64] |= 1 << (to % 64);
                    bits &= bits - 1;
                }
            }
            if image < least {
                least = image;
            }
        }
        least
    }

    fn row(&self, state: &[FluentId]) -> Vec<u64> {
        let mut row = vec![0u64; self.words];
        state.iter().for_each(|fluent| row[fluent.index() / 64] |= 1 << (fluent.index() % 64));
        row
    }

    /// The number of a position, which is added if it is new.
    pub(super) fn node(&mut self, state: &[FluentId]) -> Result<u32, Halt<Refusal>> {
        let row = self.row(state);
        self.insert(&row)
    }

    /// The number of a position that was met.
    pub(super) fn find(&self, state: &[FluentId]) -> Option<u32> {
        self.table.find(&self.representative(&self.row(state)))
    }

    fn insert(&mut self, row: &[u64]) -> Result<u32, Halt<Refusal>> {
        let row = self.representative(row);
        let number = self.table.insert(&row, &mut self.allowance)?;
        if self.kinds.len() <= number as usize {
            if self.kinds.len() == self.kinds.capacity() {
                // The numbers of both provers grow along.
                let entry = size_of::<Option<Kind>>() + 2 * size_of::<(u32, u32, u32)>();
                self.allowance.take(2 * entry * (self.kinds.len() + 1))?;
            }
            self.kinds.push(None);
        }
        Ok(number)
    }

    /// Whether the moves of a position were not looked at.
    pub(super) fn is_new(&self, node: u32) -> bool {
        self.kinds[node as usize].is_none()
    }

    pub(super) fn kind(&self, node: u32) -> Kind {
        self.kinds[node as usize].expect("it is expanded")
    }

    /// The positions that may follow; none at an end.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let (first, count) = match self.kind(node) {
            Kind::Over(_) => (0, 0),
            Kind::Open { first, count, .. } => (first, u64::from(count)),
        };
        (first..first + count).map(|edge| self.edges.get(edge as usize))
    }

    fn holds(&self, row: &[u64]) -> Vec<FluentId> {
        let held = |fluent: &FluentId| row[fluent.index() / 64] >> (fluent.index() % 64) & 1 == 1;
        self.game.fluents.ids().filter(held).collect()
    }

    /// Sets the fluents of all lanes to those of one position.
    fn load(&mut self, row: &[u64]) {
        for fluent in self.game.fluents.ids() {
            let is_set = row[fluent.index() / 64] >> (fluent.index() % 64) & 1 == 1;
            self.network.set_fluent(fluent, [if is_set { !0 } else { 0 }; W]);
        }
    }

    /// Looks at the moves of a position, if that was not done.
    pub(super) fn expand(&mut self, node: u32) -> Result<(), Halt<Refusal>> {
        if !self.is_new(node) {
            return Ok(());
        }
        self.expanded += 1;
        let row = self.table.row(node as usize).to_vec();
        self.load(&row);
        self.network.evaluate(Part::State);
        let mut legal: Vec<Vec<MoveId>> = vec![Vec::new(); self.game.roles.len()];
        for (id, own) in self.game.moves.enumerate() {
            if self.network.legal(id)[0] & 1 == 1 {
                legal[own.role.index()].push(id);
            }
        }
        if self.network.terminal()[0] & 1 == 1 || legal.iter().any(Vec::is_empty) {
            self.network.evaluate(Part::Goals);
            let (rewards, _) = self.network.rewards(self.game, 0);
            let sum = rewards.iter().sum::<u32>();
            if rewards.len() == 2 && *self.sum.get_or_insert(sum) != sum {
                return Err(Refusal::Sum.into());
            }
            self.kinds[node as usize] = Some(Kind::Over(rewards[0]));
            return Ok(());
        }
        let choosing: Vec<usize> = (0..legal.len()).filter(|&role| legal[role].len() > 1).collect();
        if choosing.len() > 1 {
            let roles = choosing.into_iter().map(RoleId::new).collect();
            return Err(Simultaneous { state: self.holds(&row), roles }.into());
        }
        let mover = choosing.first().copied().unwrap_or(0);
        let mut next: Vec<u32> = Vec::with_capacity(legal[mover].len());
        for some in legal[mover].chunks(LANES) {
            let forced = legal.iter().enumerate().filter(|(role, _)| *role != mover).map(|(_, own)| own[0]);
            let forced: Vec<MoveId> = forced.collect();
            forced.iter().for_each(|&own| self.network.set_move(own, [!0; W]));
            some.iter().enumerate().for_each(|(lane, &own)| self.network.set_move(own, [1 << lane; W]));
            self.network.evaluate(Part::Moves);
            let mut rows = vec![vec![0u64; self.words]; some.len()];
            for fluent in self.game.fluents.ids() {
                let mut lanes = self.network.next(fluent)[0];
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    if let Some(row) = rows.get_mut(lane) {
                        row[fluent.index() / 64] |= 1 << (fluent.index() % 64);
                    }
                }
            }
            forced.iter().chain(some).for_each(|&own| self.network.set_move(own, [0; W]));
            for row in &rows {
                let child = self.insert(row)?;
                if !next.contains(&child) {
                    next.push(child);
                }
            }
        }
        let first = self.edges.len() as u64;
        let count = next.len() as u32;
        for child in next {
            self.edges.push(&[child], &mut self.allowance)?;
        }
        self.kinds[node as usize] = Some(Kind::Open { mover: mover as u8, first, count });
        Ok(())
    }
}
