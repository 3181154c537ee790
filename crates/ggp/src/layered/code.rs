//! States as words of 64 bits.
//!
//! The clock is left out: it tells the layer. A group of fluents of which one always holds is a number among them; where
//! none may hold, that is a number too. Whether one always holds is taken from the initial state, and *looked at in every
//! state that is reached*: a game in which it does not is refused.

use counterplay_base::IdVec;
use counterplay_ground::game::{FluentId, Game, Structure, Symmetry, cover};

use super::Refusal;
use crate::lanes::Lanes;

/// A number of a few bits.
struct Variable {
    fluents: Vec<FluentId>,
    first: usize,
    width: usize,
    /// What the first fluent is: 1 if 0 says that none holds.
    least: u64,
}

/// How states are written.
pub(super) struct Code {
    variables: Vec<Variable>,
    /// Number of bits.
    pub(super) bits: usize,
    /// For each fluent that is not the clock's its variable and number there.
    place: IdVec<FluentId, Option<(usize, u64)>>,
}

impl Code {
    /// A code for all fluents but those of a clock, if there is one.
    pub(super) fn new(game: &Game, structure: &Structure, clock: &[FluentId]) -> Result<Code, Refusal> {
        let mut rest = structure.clone();
        rest.groups.iter_mut().for_each(|group| group.retain(|fluent| !clock.contains(fluent)));
        let mut code =
            Code { variables: Vec::new(), bits: 0, place: IdVec::filled(None, game.fluents.len()) };
        for fluents in cover(game, &rest).into_iter().filter(|group| !clock.contains(&group[0])) {
            let holds = fluents.iter().any(|fluent| game.initial.contains(fluent));
            let least = u64::from(fluents.len() == 1 || !holds);
            let width = (u64::BITS - (fluents.len() as u64 + least - 1).leading_zeros()) as usize;
            for (number, &fluent) in (least..).zip(&fluents) {
                code.place[fluent] = Some((code.variables.len(), number));
            }
            code.variables.push(Variable { fluents, first: code.bits, width, least });
            code.bits += width;
        }
        if code.bits > 64 { Err(Refusal::Wide { bits: code.bits }) } else { Ok(code) }
    }

    /// Number of variables.
    pub(super) fn variables(&self) -> usize {
        self.variables.len()
    }

    /// The first bit of a variable, and how many it has.
    pub(super) fn place_of(&self, variable: usize) -> (usize, usize) {
        (self.variables[variable].first, self.variables[variable].width)
    }

    /// Which values of a variable stand for one of these fluents.
    pub(super) fn values_of(&self, variable: usize, fluents: &[FluentId]) -> Vec<u64> {
        let own = &self.variables[variable];
        let held = (own.least..).zip(&own.fluents).filter(|(_, fluent)| fluents.contains(fluent));
        held.map(|(number, _)| number).collect()
    }

    /// What each value of a variable becomes in a word when fluents are exchanged; `None` if they do not become those of
    /// one variable.
    pub(super) fn moved(&self, variable: usize, symmetry: &Symmetry) -> Option<Vec<u64>> {
        let own = &self.variables[variable];
        let mut target = None;
        // With a least number of 1, 0 stands for none of them, and becomes none of them.
        let mut words = vec![0; own.least as usize];
        for &fluent in &own.fluents {
            let (to, number) = self.place[symmetry[fluent]]?;
            if *target.get_or_insert(to) != to {
                return None;
            }
            words.push(number << self.variables[to].first);
        }
        let to = &self.variables[target?];
        (to.least == own.least && to.fluents.len() == own.fluents.len()).then_some(words)
    }

    /// The word of a state; `None` if it has none.
    pub(super) fn word(&self, state: &[FluentId]) -> Option<u64> {
        let mut values: Vec<Option<u64>> = vec![None; self.variables.len()];
        for (variable, number) in state.iter().filter_map(|&fluent| self.place[fluent]) {
            if values[variable].replace(number).is_some() {
                return None;
            }
        }
        let mut word = 0;
        for (variable, value) in self.variables.iter().zip(values) {
            let value = match value {
                Some(value) => value,
                None if variable.least == 1 => 0,
                None => return None,
            };
            word |= value << variable.first;
        }
        Some(word)
    }

    /// The fluents of a word; `None` if it stands for no state.
    pub(super) fn fluents(&self, word: u64) -> Option<Vec<FluentId>> {
        let mut found = Vec::new();
        for variable in &self.variables {
            let mask = u64::MAX.checked_shl(variable.width as u32).map_or(u64::MAX, |above| !above);
            let number = word.checked_shr(variable.first as u32).unwrap_or(0) & mask;
            match number.checked_sub(variable.least) {
                None => {}
                Some(at) => found.push(*variable.fluents.get(at as usize)?),
            }
        }
        Some(found)
    }

    /// Writes fluents in lanes as bits in lanes. `None` if in some of the lanes `used` none of a group holds that should.
    #[inline]
    pub(super) fn write<const W: usize>(
        &self,
        fluent: impl Fn(FluentId) -> Lanes<W>,
        used: Lanes<W>,
        bits: &mut [Lanes<W>],
    ) -> Option<()> {
        for variable in &self.variables {
            let own = &mut bits[variable.first..variable.first + variable.width];
            own.fill([0; W]);
            let mut any = if variable.least == 1 { used } else { [0; W] };
            for (number, &id) in (variable.least..).zip(&variable.fluents) {
                let lanes = fluent(id);
                for (bit, own) in own.iter_mut().enumerate() {
                    if number >> bit & 1 == 1 {
                        (0..W).for_each(|word| own[word] |= lanes[word]);
                    }
                }
                (0..W).for_each(|word| any[word] |= lanes[word]);
            }
            if (0..W).any(|word| used[word] & !any[word] != 0) {
                return None;
            }
        }
        Some(())
    }

    /// Reads fluents in lanes from bits in lanes.
    pub(super) fn read<const W: usize>(&self, bits: &[Lanes<W>], mut set: impl FnMut(FluentId, Lanes<W>)) {
        for variable in &self.variables {
            let own = &bits[variable.first..variable.first + variable.width];
            for (number, &id) in (variable.least..).zip(&variable.fluents) {
                let mut lanes = [!0u64; W];
                for (bit, own) in own.iter().enumerate() {
                    let flip = if number >> bit & 1 == 1 { 0 } else { !0 };
                    (0..W).for_each(|word| lanes[word] &= own[word] ^ flip);
                }
                set(id, lanes);
            }
        }
    }
}
