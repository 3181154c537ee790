//! Layers as decision diagrams: a reader of its own for archives of sets.
//!
//! A record begins with three lines: the format, the key of the game with kind and number, length and checksum. Numbers after them are written seven bits to a byte, the least
//! significant first. A diagram is a list of nodes, each after its children: its level, the edge for 0 and the edge for 1; an edge is twice the distance back to a node (0 for
//! "true"), plus 1 if it is negated. Bit *i* of a state is level 2*i*. Below the bits of the states come those of a threshold: a state of outcome *n*, counted from 0,
//! holds with the thresholds 0 to *n*, a state that is not in the layer with none.
//!
//! Entries are lists of values, one for each variable. A variable of *n* values has words of two lengths: with *w* bits, the first 2^*w* − *n* values have
//! words of *w* − 1 bits. Entries are numbered in ascending order; the number of states below a node tells where each is.

use std::collections::HashMap;

use counterplay_base::{Budget, Limit};

use super::{Shelf, ShelfError};

/// How records begin.
const FORMAT: &str = "counterplay game layer 4";

/// The variables of the diagrams, from the top: how many values each has.
#[derive(Clone, Debug)]
pub struct Variables {
    sizes: Vec<u32>,
    /// The first bit of each, and how many it has.
    places: Vec<(u32, u32)>,
    bits: u32,
}

impl Variables {
    /// Variables with so many values, at least one each.
    pub fn new(sizes: Vec<u32>) -> Variables {
        let mut bits = 0;
        let place = |&size: &u32| {
            let width = u32::BITS - size.saturating_sub(1).leading_zeros();
            bits += width;
            (bits - width, width)
        };
        let places = sizes.iter().map(place).collect();
        Variables { sizes, places, bits }
    }

    /// The bits of a value of a variable that diagrams look at.
    fn word(&self, variable: usize, value: u32) -> impl Iterator<Item = (u32, bool)> + use<> {
        let (first, width) = self.places[variable];
        let short = ((1u64 << width) - u64::from(self.sizes[variable])) as u32;
        let (width, number) =
            if value < short { (width.saturating_sub(1), value) } else { (width, value + short) };
        (0..width).map(move |bit| (first + bit, number >> (width - 1 - bit) & 1 == 1))
    }
}

/// A record of an archive: its text, and what messages call it.
pub struct LayerRecord {
    /// All bytes.
    pub bytes: Vec<u8>,
    /// Its name.
    pub name: String,
}

impl LayerRecord {
    fn damaged(&self, why: &str) -> ShelfError {
        ShelfError::Damaged(format!("{}: {why}", self.name))
    }

    /// The content after the head, which must be of this game, kind and number.
    fn content(&self, key: &str, kind: &str) -> Result<&[u8], ShelfError> {
        let mut rest = self.bytes.as_slice();
        let mut line = || {
            let end = rest.iter().take(400).position(|&byte| byte == b'\n')?;
            let text = std::str::from_utf8(&rest[..end]).ok()?;
            rest = &rest[end + 1..];
            Some(text)
        };
        let (format, own, sizes) = (line(), line(), line());
        if format != Some(FORMAT) {
            return Err(self.damaged("it is no layer of a game, or another version wrote it"));
        }
        match own.and_then(|own| own.split_once(' ')) {
            Some((game, what)) if game == key && what == kind => {}
            Some((game, _)) if game != key => return Err(self.damaged("it belongs to another game")),
            _ => return Err(self.damaged("it holds something else than its name says")),
        }
        let sum = rest.iter().fold(0xcbf2_9ce4_8422_2325u64, |sum, &byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        });
        if sizes != Some(format!("{:x} {sum:016x}", rest.len()).as_str()) {
            return Err(self.damaged("length or checksum are wrong"));
        }
        Ok(rest)
    }
}

/// Takes a number off the front.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0u64, 0);
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if shift > 56 {
            return None;
        }
        number |= u64::from(byte & 127) << shift;
        shift += 7;
        if byte < 128 {
            return Some(number);
        }
    }
}

/// Takes outcomes off the front: how many, and a reward for each role.
fn outcomes(bytes: &mut &[u8], roles: usize) -> Option<Vec<Vec<u32>>> {
    let count = number(bytes).filter(|&count| count <= bytes.len() as u64)?;
    let mut reward = || number(bytes).and_then(|reward| u32::try_from(reward).ok());
    (0..count).map(|_| (0..roles).map(|_| reward()).collect()).collect()
}

/// Reads the record at the end of an archive: the number of layers, the outcomes, and whether something keeps the layers apart.
///
/// # Errors
/// What is wrong with the record.
pub fn read_end(
    record: &LayerRecord,
    key: &str,
    roles: usize,
) -> Result<(usize, Vec<Vec<u32>>, bool), ShelfError> {
    let content = record.content(key, "end 0")?;
    let read = |mut rest: &[u8]| {
        let layers = number(&mut rest).filter(|&count| count <= content.len() as u64)?;
        // For each layer its states, in halves, and its nodes; then three more large numbers.
        for _ in 0..3 * layers + 6 {
            number(&mut rest)?;
        }
        let outcomes = outcomes(&mut rest, roles)?;
        Some((layers as usize, outcomes, !rest.is_empty()))
    };
    read(content).ok_or_else(|| record.damaged("its content is not in order"))
}

/// Where an edge leads, and whether it is negated. Node 0 is "true".
type Edge = (u32, bool);
const FALSE: Edge = (0, true);

/// The values of one layer.
struct Layer {
    nodes: Vec<(u32, Edge, Edge)>,
    root: Edge,
    /// States below an edge, from the variable of its node on.
    counts: HashMap<Edge, u128>,
}

/// An archive of diagrams.
pub struct DiagramShelf<'a> {
    load: Box<dyn FnMut(usize) -> Result<LayerRecord, ShelfError> + 'a>,
    key: String,
    variables: Variables,
    outcomes: Vec<Vec<u32>>,
    budget: Budget,
    /// The layers that were asked for last.
    layers: Vec<(usize, Layer)>,
}

impl<'a> DiagramShelf<'a> {
    /// An archive whose records of values are loaded by number. `key` is how the game is called in them, `outcomes` are those of its last record.
    pub fn new(
        load: Box<dyn FnMut(usize) -> Result<LayerRecord, ShelfError> + 'a>,
        key: &str,
        variables: Variables,
        outcomes: Vec<Vec<u32>>,
        budget: &Budget,
    ) -> DiagramShelf<'a> {
        let budget = budget.clone();
        DiagramShelf { load, key: key.to_owned(), variables, outcomes, budget, layers: Vec::new() }
    }

    fn layer(&mut self, wanted: usize) -> Result<usize, ShelfError> {
        if let Some(at) = self.layers.iter().position(|&(number, _)| number == wanted) {
            return Ok(at);
        }
        let record = (self.load)(wanted)?;
        self.budget.check().map_err(ShelfError::Stopped)?;
        let mut rest = record.content(&self.key, &format!("solved {wanted}"))?;
        let roles = self.outcomes.first().map_or(0, Vec::len);
        let in_order = || record.damaged("its content is not in order");
        if outcomes(&mut rest, roles).ok_or_else(in_order)? != self.outcomes {
            return Err(record.damaged("its outcomes are not those of the archive"));
        }
        for _ in 0..2 * self.outcomes.len() {
            number(&mut rest).ok_or_else(in_order)?;
        }
        let layer = self.diagram(rest).map_err(|why| record.damaged(&why))?;
        // This layer and the one before or after it are enough.
        self.layers.truncate(1);
        self.layers.insert(0, (wanted, layer));
        Ok(0)
    }

    /// Reads a diagram.
    fn diagram(&self, mut rest: &[u8]) -> Result<Layer, String> {
        let labels = 2 * (self.variables.bits + label_bits(self.outcomes.len()));
        let short = || "the diagram ends too early".to_owned();
        let count = number(&mut rest).filter(|&count| count <= rest.len() as u64 / 3).ok_or_else(short)?;
        let mut nodes: Vec<(u32, Edge, Edge)> = vec![(u32::MAX, FALSE, FALSE)];
        let edge = |rest: &mut &[u8], nodes: &[(u32, Edge, Edge)]| -> Result<Edge, String> {
            let number = number(rest).ok_or_else(short)?;
            let node = match number >> 1 {
                0 => 0,
                back => (nodes.len() as u64)
                    .checked_sub(back)
                    .filter(|&node| node > 0)
                    .ok_or_else(|| format!("node {} leads to one that is not before it", nodes.len()))?,
            };
            Ok((node as u32, number & 1 == 1))
        };
        for node in 1..=count {
            let level =
                number(&mut rest).filter(|&level| level < u64::from(labels)).ok_or_else(short)? as u32;
            let low = edge(&mut rest, &nodes)?;
            let high = edge(&mut rest, &nodes)?;
            if level % 2 == 1 || nodes[low.0 as usize].0 <= level || nodes[high.0 as usize].0 <= level {
                return Err(format!("node {node} is not above its children"));
            }
            nodes.push((level, low, high));
        }
        if number(&mut rest) != Some(1) {
            return Err("it is not one diagram".to_owned());
        }
        let root = edge(&mut rest, &nodes)?;
        match rest.is_empty() {
            true => Ok(Layer { nodes, root, counts: HashMap::new() }),
            false => Err(format!("there are {} bytes after the diagram", rest.len())),
        }
    }
}

/// Bits for the thresholds of so many outcomes.
fn label_bits(outcomes: usize) -> u32 {
    usize::BITS - outcomes.saturating_sub(1).leading_zeros()
}

impl Layer {
    /// The variable of the node that an edge leads to; the number of variables if there is none below.
    fn variable(&self, edge: Edge, variables: &Variables) -> usize {
        let level = self.nodes[edge.0 as usize].0;
        if level / 2 >= variables.bits {
            return variables.sizes.len();
        }
        variables.places.partition_point(|&(first, _)| first <= level / 2) - 1
    }

    /// Follows a bit.
    fn follow(&self, edge: Edge, bit: u32, is_one: bool) -> Edge {
        let (level, low, high) = self.nodes[edge.0 as usize];
        if level != 2 * bit {
            return edge;
        }
        let (node, is_negated) = if is_one { high } else { low };
        (node, is_negated != edge.1)
    }

    /// Follows a value of a variable. The bit that a short word leaves open is 0.
    fn descend(&self, edge: Edge, variable: usize, value: u32, variables: &Variables) -> Edge {
        let (first, width) = variables.places[variable];
        let mut word: Vec<(u32, bool)> = variables.word(variable, value).collect();
        if word.len() < width as usize {
            word.push((first + width - 1, false));
        }
        word.into_iter().fold(edge, |edge, (bit, is_one)| self.follow(edge, bit, is_one))
    }

    /// The number of states in the layer below an edge, from a variable on.
    fn count(
        &mut self,
        edge: Edge,
        from: usize,
        variables: &Variables,
        budget: &Budget,
    ) -> Result<u128, ShelfError> {
        let many = || ShelfError::Damaged("a layer has more states than can be counted".to_owned());
        let own = self.variable(edge, variables);
        let mut skipped = variables.sizes[from..own.max(from)].iter();
        let skipped =
            skipped.try_fold(1u128, |all, &size| all.checked_mul(u128::from(size))).ok_or_else(many)?;
        let below = if own == variables.sizes.len() {
            // What is left is a threshold: a state without any is not in the layer.
            u128::from(edge != FALSE)
        } else if let Some(&known) = self.counts.get(&edge) {
            known
        } else {
            budget.check().map_err(ShelfError::Stopped)?;
            let mut sum = 0u128;
            for value in 0..variables.sizes[own] {
                let next = self.descend(edge, own, value, variables);
                sum = sum.checked_add(self.count(next, own + 1, variables, budget)?).ok_or_else(many)?;
            }
            self.counts.insert(edge, sum);
            sum
        };
        skipped.checked_mul(below).ok_or_else(many)
    }

    /// The number of the outcome at the end of a way through all variables.
    fn outcome(&self, edge: Edge, variables: &Variables, outcomes: usize) -> Option<usize> {
        let width = label_bits(outcomes);
        let holds = |threshold: usize| {
            let bits = (0..width).map(|bit| (variables.bits + bit, threshold >> (width - 1 - bit) & 1 == 1));
            bits.fold(edge, |edge, (bit, is_one)| self.follow(edge, bit, is_one)) == (0, false)
        };
        (0..outcomes).take_while(|&threshold| holds(threshold)).count().checked_sub(1)
    }
}

impl Shelf for DiagramShelf<'_> {
    type Key = Vec<u32>;

    fn entries(
        &mut self,
        layer: usize,
        from: u64,
        most: usize,
    ) -> Result<Vec<(Vec<u32>, usize)>, ShelfError> {
        let at = self.layer(layer)?;
        let (variables, outcomes) = (&self.variables, self.outcomes.len());
        let own = &mut self.layers[at].1;
        let many =
            || ShelfError::Damaged(format!("layer {layer} has more states than can be looked at one by one"));
        let total = own.count(own.root, 0, variables, &self.budget)?;
        let total = u64::try_from(total).map_err(|_| many())?;
        let mut found = Vec::new();
        for number in from..total.min(from.saturating_add(most as u64)) {
            self.budget.check().map_err(ShelfError::Stopped)?;
            // The number is below that of all states, so every variable gets a value.
            let (mut left, mut edge) = (u128::from(number), own.root);
            let mut key = Vec::with_capacity(variables.sizes.len());
            for variable in 0..variables.sizes.len() {
                for value in 0..variables.sizes[variable] {
                    let next = own.descend(edge, variable, value, variables);
                    let count = own.count(next, variable + 1, variables, &self.budget)?;
                    if left < count {
                        edge = next;
                        key.push(value);
                        break;
                    }
                    left -= count;
                }
            }
            let Some(outcome) = own.outcome(edge, variables, outcomes) else {
                return Err(ShelfError::Damaged(format!("a state of layer {layer} has no outcome")));
            };
            found.push((key, outcome));
        }
        Ok(found)
    }

    fn outcomes(&mut self, layer: usize, keys: &[Vec<u32>]) -> Result<Vec<Option<usize>>, ShelfError> {
        let at = self.layer(layer)?;
        let (own, variables) = (&self.layers[at].1, &self.variables);
        let find = |key: &Vec<u32>| {
            let is_whole = key.len() == variables.sizes.len()
                && key.iter().zip(&variables.sizes).all(|(value, size)| value < size);
            if !is_whole {
                return None;
            }
            let mut edge = own.root;
            for (variable, &value) in key.iter().enumerate() {
                edge = own.descend(edge, variable, value, variables);
            }
            own.outcome(edge, variables, self.outcomes.len())
        };
        Ok(keys.iter().map(find).collect())
    }
}

impl From<Limit> for ShelfError {
    fn from(limit: Limit) -> ShelfError {
        ShelfError::Stopped(limit)
    }
}
