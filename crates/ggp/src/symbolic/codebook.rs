//! How states are written in the diagrams of an archive, for those who read it without solving anything.

use counterplay_base::{Id, IdVec};
use counterplay_ground::game::{FluentId, Game, Structure};
use counterplay_task::{Fact, VarId};

use super::key;
use super::layout::Layout;
use crate::explicit::Order;

/// Fluents as values of variables, and back.
pub struct Codebook<'g> {
    game: &'g Game,
    layout: Layout,
    /// The place of each variable in the order.
    place: IdVec<VarId, usize>,
}

impl<'g> Codebook<'g> {
    /// The codebook of a game.
    pub fn new(game: &'g Game, structure: &Structure) -> Codebook<'g> {
        let layout = Layout::new(game, structure);
        let mut place = IdVec::filled(0, layout.variables.len());
        layout.order.iter().enumerate().for_each(|(at, &var)| place[var] = at);
        Codebook { game, layout, place }
    }

    /// Under which key records of solutions with this order are kept.
    pub fn key(&self, order: Order) -> String {
        key(self.game, &self.layout, order)
    }

    /// The number of values of each variable, from the top. The first says that none of its fluents holds.
    pub fn sizes(&self) -> Vec<u32> {
        self.layout.order.iter().map(|&var| self.layout.variables[var].len() as u32 + 1).collect()
    }

    /// The values of all variables when exactly these fluents hold; `None` if two of them share a variable.
    pub fn values(&self, fluents: &[FluentId]) -> Option<Vec<u32>> {
        let mut values = vec![0; self.layout.order.len()];
        for &fluent in fluents {
            let Fact { var, value } = self.layout.place[fluent];
            if std::mem::replace(&mut values[self.place[var]], value) != 0 {
                return None;
            }
        }
        Some(values)
    }

    /// The fluents that hold when the variables have these values; `None` if one is beyond its variable.
    pub fn fluents(&self, values: &[u32]) -> Option<Vec<FluentId>> {
        let mut found = Vec::new();
        for (&var, &value) in self.layout.order.iter().zip(values).filter(|(_, value)| **value > 0) {
            found.push(*self.layout.variables[var].get(value as usize - 1)?);
        }
        found.sort_unstable_by_key(|fluent: &FluentId| fluent.index());
        Some(found)
    }
}
