//! Kissmann 2012, chapter 4: how sets of states and the diagrams that hold them grow from layer to layer.
//!
//! Each puzzle lays out its own space, in the order of variables that the thesis names, and gives the steps as relations;
//! [`explore`] does the breadth-first search and [`Figure`] the table and the picture.

pub(super) mod gripper;
pub(super) mod rows;
pub(super) mod sliding;
pub(super) mod sokoban;

use counterplay_base::{Budget, IdVec, Limit};
use counterplay_draw::chart::{Line, lines};
use counterplay_symbolic::{Partition, Relation, Space, StateSet};
use counterplay_task::{Fact, Value, VarId};
use serde_json::json;

use super::Product;
use super::ggp::table;
use counterplay::grouped;

/// What a layer holds, and all layers up to it where that is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Layer {
    states: u128,
    nodes: usize,
    total: Option<(u128, usize)>,
}

/// The layers of one search.
#[derive(Clone, Debug)]
struct Growth {
    name: String,
    layers: Vec<Layer>,
    /// Whether the search came to its end, not only to the bound it was given.
    complete: bool,
}

impl Growth {
    /// States of all layers.
    fn states(&self) -> u128 {
        match self.layers.last().and_then(|last| last.total) {
            Some((states, _)) => states,
            None => self.layers.iter().map(|layer| layer.states).sum(),
        }
    }
}

/// A space, where a search begins in it, and its steps: one set of them, or several that take turns.
struct Puzzle {
    space: Space,
    initial: StateSet,
    turns: Vec<Partition>,
    /// Whether a layer can meet states of earlier ones.
    returns: bool,
}

/// A puzzle laid out in the order of its variables.
fn space(sizes: Vec<Value>, budget: &Budget) -> Result<Space, Limit> {
    let sizes: IdVec<VarId, Value> = sizes.into_iter().collect();
    let order: Vec<VarId> = sizes.ids().collect();
    Space::new(sizes, &order, budget)
}

/// A step that needs some facts and makes others true.
fn step(space: &Space, needs: &[Fact], makes: &[Fact], sizes: &[Value]) -> Result<Relation, Limit> {
    let guard = space.facts(needs)?;
    let becomes = |fact: &Fact| {
        let set = |value| if value == fact.value { space.all() } else { space.none() };
        let size = sizes[counterplay_base::Id::index(fact.var)];
        (fact.var, (0..size).map(set).collect::<Vec<_>>())
    };
    Relation::from_updates(space, &guard, &makes.iter().map(becomes).collect::<Vec<_>>())
}

/// Searches layer by layer; `rest` takes from a layer what has no successors. Ends after `most` steps, or when the
/// time of the space's budget is over.
fn explore(
    name: &str,
    puzzle: &Puzzle,
    most: usize,
    budget: &Budget,
    rest: impl Fn(&StateSet, usize) -> Result<StateSet, Limit>,
) -> Result<Growth, Limit> {
    let space = &puzzle.space;
    let mut growth = Growth { name: name.to_owned(), layers: Vec::new(), complete: false };
    let mut layer = puzzle.initial.clone();
    let mut reached = puzzle.initial.clone();
    let count = |set: &StateSet| space.count(set).unwrap_or(u128::MAX);
    loop {
        let total = puzzle.returns.then(|| (count(&reached), reached.nodes()));
        growth.layers.push(Layer { states: count(&layer), nodes: layer.nodes(), total });
        let depth = growth.layers.len() - 1;
        if depth == most {
            return Ok(growth);
        }
        let turn = &puzzle.turns[depth % puzzle.turns.len()];
        let next = || -> Result<(StateSet, StateSet), Limit> {
            let mut next = turn.image(space, &rest(&layer, depth)?)?;
            if puzzle.returns {
                next = next.minus(&reached)?;
                return Ok((next.clone(), reached.union(&next)?));
            }
            Ok((next.clone(), next))
        };
        match next() {
            Ok((next, _)) if next.is_empty() => {
                growth.complete = true;
                return Ok(growth);
            }
            Ok(both) => (layer, reached) = both,
            // The share of one search is used up; the whole is the user's limit.
            Err(limit) => {
                budget.check().map_err(|_| limit)?;
                return Ok(growth);
            }
        }
    }
}

/// Searches side by side, as a table and a picture.
struct Figure<'a> {
    title: &'a str,
    searches: &'a [Growth],
    note: &'a str,
}

impl Figure<'_> {
    fn product(&self) -> Product {
        let mut head = vec!["layer".to_owned()];
        for growth in self.searches {
            let prefix = if self.searches.len() > 1 { format!("{}: ", growth.name) } else { String::new() };
            head.extend([format!("{prefix}states"), "nodes".to_owned()]);
            if growth.layers[0].total.is_some() {
                head.extend(["in all: states", "nodes"].map(str::to_owned));
            }
        }
        let mut rows = vec![head];
        let depth = self.searches.iter().map(|growth| growth.layers.len()).max().unwrap_or(0);
        for at in 0..depth {
            let mut row = vec![at.to_string()];
            for growth in self.searches {
                let layer = growth.layers.get(at);
                let shown = |number: Option<u128>| number.map_or(String::new(), number_of);
                row.push(shown(layer.map(|layer| layer.states)));
                row.push(shown(layer.map(|layer| layer.nodes as u128)));
                if growth.layers[0].total.is_some() {
                    let total = layer.and_then(|layer| layer.total);
                    row.push(shown(total.map(|(states, _)| states)));
                    row.push(shown(total.map(|(_, nodes)| nodes as u128)));
                }
            }
            rows.push(row);
        }
        let mut note = String::new();
        for growth in self.searches {
            let end = if growth.complete { "to the end" } else { "not to the end" };
            let (last, states) = (growth.layers.len() - 1, number_of(growth.states()));
            note.push_str(&format!("{}: {states} states in layers 0 to {last}, {end}.\n", growth.name));
        }
        note.push_str(self.note);
        let (text, csv) = table(self.title, &rows, &note);
        let figures = self.searches.iter().map(|growth| {
            let part = |of: fn(&Layer) -> f64| growth.layers.iter().map(of).collect::<Vec<_>>();
            json!({"name": growth.name, "complete": growth.complete, "all_states": growth.states() as f64,
                "states": part(|layer| layer.states as f64), "nodes": part(|layer| layer.nodes as f64)})
        });
        let figures = json!(figures.collect::<Vec<_>>());
        Product { text, csv, svg: Some(self.picture()), figures }
    }

    /// Powers of ten over the layers.
    fn picture(&self) -> String {
        let several = self.searches.len() > 1;
        let line = |growth: &Growth, what: &str, of: fn(&Layer) -> f64| Line {
            label: if several { format!("{}: {what}", growth.name) } else { what.to_owned() },
            values: growth.layers.iter().map(|layer| of(layer).max(1.0).log10()).collect(),
        };
        let curves: Vec<Line> = self
            .searches
            .iter()
            .flat_map(|growth| {
                [
                    line(growth, "states", |layer| layer.states as f64),
                    line(growth, "nodes", |layer| layer.nodes as f64),
                ]
            })
            .collect();
        lines(self.title, "powers of ten over the layers", &curves)
    }
}

/// A number with its digits in groups; very large ones with their power of ten.
fn number_of(number: u128) -> String {
    u64::try_from(number).map_or_else(|_| format!("{:.3e}", number as f64), grouped)
}

/// A fact about the variable at an index.
fn fact(var: usize, value: Value) -> Fact {
    Fact { var: counterplay_base::Id::new(var), value }
}
