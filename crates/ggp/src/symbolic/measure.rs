//! Measures of progress: something that tells the layers apart.
//!
//! A clock is a variable that has one value in all states of a layer, and another one in each layer. Otherwise the
//! number of fluents of one kind (of one functor, perhaps with one argument fixed) may go up or down by one with each
//! layer: pieces on a board, empty cells. A measure is guessed from two states and *proved* on every layer, by inclusion
//! in the set of states with the right measure.

use counterplay_base::{IdVec, Limit};
use counterplay_ground::game::{FluentId, Game};
use counterplay_symbolic::{Space, StateSet};
use counterplay_task::{Fact, VarId};

use super::layout::Layout;

/// Something that changes from layer to layer.
pub(crate) enum Measure {
    /// The value of a variable, and those of the layers so far.
    Clock { var: VarId, ticks: Vec<u32> },
    /// The number of fluents of a kind.
    Count {
        /// Variables from the bottom of the order upwards, with the values that count.
        kind: Vec<(VarId, Vec<u32>)>,
        first: usize,
        grows: bool,
    },
}

impl Measure {
    /// Whether a layer has the measure it must have.
    pub(crate) fn fits(&mut self, space: &Space, layer: &StateSet, number: usize) -> Result<bool, Limit> {
        match self {
            Measure::Clock { var, ticks } => {
                let Some(state) = space.pick(layer) else { return Ok(true) };
                let value = state[*var];
                if let Some(&known) = ticks.get(number) {
                    return layer.is_subset(&space.facts(&[Fact { var: *var, value: known }])?);
                }
                let is_new = !ticks.contains(&value);
                ticks.push(value);
                Ok(is_new && layer.is_subset(&space.facts(&[Fact { var: *var, value }])?)?)
            }
            Measure::Count { kind, first, grows } => {
                let wanted = if *grows { first.checked_add(number) } else { first.checked_sub(number) };
                match wanted {
                    Some(wanted) => layer.is_subset(&exactly(space, kind, wanted)?),
                    None => Ok(layer.is_empty()),
                }
            }
        }
    }

    /// What it is, in the words of the game.
    pub(crate) fn describe(&self, game: &Game, layout: &Layout) -> String {
        let name = |fluent: FluentId| game.fluents[fluent].clone();
        match self {
            Measure::Clock { var, .. } => format!("clock {}", name(layout.variables[*var][0])),
            Measure::Count { kind, grows, .. } => {
                let (var, values) = &kind[kind.len() - 1];
                let like = name(layout.variables[*var][values[0] as usize - 1]);
                let way = if *grows { "grows" } else { "shrinks" };
                format!("number of fluents like {like} {way} by one")
            }
        }
    }
}

/// States with exactly so many fluents of a kind.
fn exactly(space: &Space, kind: &[(VarId, Vec<u32>)], wanted: usize) -> Result<StateSet, Limit> {
    // From the bottom of the order upwards: sets with exactly so many among the variables passed so far.
    let mut exactly = vec![space.none(); wanted + 1];
    exactly[0] = space.all();
    for (var, values) in kind {
        let mut on = space.none();
        for &value in values {
            on = on.union(&space.facts(&[Fact { var: *var, value }])?)?;
        }
        for count in (0..=wanted).rev() {
            let fewer = if count > 0 { exactly[count - 1].intersect(&on)? } else { space.none() };
            exactly[count] = fewer.union(&exactly[count].minus(&on)?)?;
        }
    }
    Ok(exactly.swap_remove(wanted))
}

/// Measures that fit a state of the first layer and one of the second.
pub(crate) fn candidates(
    game: &Game,
    layout: &Layout,
    space: &Space,
    first: &StateSet,
    second: &StateSet,
) -> Vec<Measure> {
    let (Some(first), Some(second)) = (space.pick(first), space.pick(second)) else { return Vec::new() };
    let mut found: Vec<Measure> = layout
        .order
        .iter()
        .filter(|&&var| layout.variables[var].len() > 2 && first[var] != second[var])
        .map(|&var| Measure::Clock { var, ticks: vec![first[var]] })
        .collect();
    for kind in kinds(game) {
        let count = |state: &IdVec<VarId, u32>| {
            let held = kind.iter().filter(|&&fluent| {
                let place = layout.place[fluent];
                state[place.var] == place.value
            });
            held.count()
        };
        let (before, after) = (count(&first), count(&second));
        let grows = after == before + 1;
        if grows || after + 1 == before {
            found.push(Measure::Count { kind: by_variable(&kind, layout), first: before, grows });
        }
    }
    found
}

/// The fluents of a kind as variables from the bottom of the order upwards.
fn by_variable(kind: &[FluentId], layout: &Layout) -> Vec<(VarId, Vec<u32>)> {
    let mut values: IdVec<VarId, Vec<u32>> = IdVec::filled(Vec::new(), layout.variables.len());
    for &fluent in kind {
        values[layout.place[fluent].var].push(layout.place[fluent].value);
    }
    let own = layout.order.iter().rev().filter(|&&var| !values[var].is_empty());
    own.map(|&var| (var, values[var].clone())).collect()
}

/// Fluents of one functor, and those of them that agree in one argument.
pub(crate) fn kinds(game: &Game) -> Vec<Vec<FluentId>> {
    let mut known: Vec<((u32, usize, u32), Vec<FluentId>)> = Vec::new();
    for fluent in game.fluents.ids() {
        let terms = &game.terms[fluent];
        let mut keys = vec![(terms[0], 0, 0)];
        keys.extend(terms.iter().enumerate().skip(1).map(|(at, &term)| (terms[0], at, term)));
        for key in keys {
            match known.iter_mut().find(|(other, _)| *other == key) {
                Some((_, kind)) => kind.push(fluent),
                None => known.push((key, vec![fluent])),
            }
        }
    }
    known.sort_by_key(|((_, at, _), _)| *at);
    known.into_iter().map(|(_, kind)| kind).filter(|kind| kind.len() > 1).collect()
}
