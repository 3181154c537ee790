//! The ground rules of all relations as one network, simplified while they are written.
//!
//! A sheet such as chess has ten million ground rules, of which a tenth remain once it is known which conditions are constant and
//! which say the same. So relations are taken in an order in which each depends on earlier ones only: when the rules of an atom
//! are written, everything is known of what they depend on, and what the atom comes to is known at once. Relations that depend on
//! each other are taken together, and their atoms in such an order; atoms that depend on themselves are left as they are.

use std::hash::Hasher;

use counterplay_base::{Budget, BudgetPoll, Id, Limit};
use rustc_hash::{FxHashMap, FxHasher};

use super::components::strongly_connected;
use super::flat::{Flat, FlatRule};
use super::instantiate::{Batch, Instances};
use super::simplify::{Known, RuleNetwork};
use crate::datalog::RelationId;

/// All ground rules of a game.
pub(super) fn assemble(
    flat: &Flat,
    instances: &mut Instances,
    is_input: Vec<bool>,
    budget: &Budget,
) -> Result<RuleNetwork, Limit> {
    let known = vec![Known::Nothing; is_input.len()];
    let mut network = RuleNetwork { known, is_input, rules: Vec::new() };
    let mut definitions = Definitions::default();
    let mut poll = BudgetPoll::every(256);
    for group in Groups::new(flat).list {
        budget.check()?;
        let block = Block::write(flat, instances, &group, &network, budget)?;
        if !group.is_recursive {
            for own in 0..block.atoms.len() as u32 {
                poll.step(budget)?;
                definitions.load(&block, own);
                definitions.define(&mut network, block.atoms[own as usize]);
            }
            continue;
        }
        for component in block.components(&network) {
            poll.step(budget)?;
            for &own in &component {
                definitions.load_again(&block, own, &network);
                let head = block.atoms[own as usize];
                match component.len() > 1 || definitions.uses(head) {
                    true => definitions.keep(&mut network, head),
                    false => definitions.define(&mut network, head),
                }
            }
        }
    }
    Ok(network)
}

/// Relations with rules that depend on each other, and whether they do.
struct Group<'f> {
    relations: Vec<RelationId>,
    rules: Vec<&'f FlatRule>,
    is_recursive: bool,
}

struct Groups<'f> {
    list: Vec<Group<'f>>,
}

impl<'f> Groups<'f> {
    fn new(flat: &'f Flat) -> Groups<'f> {
        let count = flat.relations.len();
        let mut rules_of: Vec<Vec<&FlatRule>> = vec![Vec::new(); count];
        let is_real = |rule: &&FlatRule| flat.relations[rule.head().relation].dynamic && !rule.only_asks;
        for rule in flat.rules.iter().filter(is_real) {
            rules_of[rule.head().relation.index()].push(rule);
        }
        let mut start = vec![0];
        let mut below = Vec::new();
        for own in &rules_of {
            let conditions = own.iter().flat_map(|rule| rule.positive.iter().chain(&rule.negative));
            let used = conditions.map(|atom| atom.relation.index());
            below.extend(used.filter(|&used| !rules_of[used].is_empty()).map(|used| used as u32));
            start.push(below.len());
        }
        let found = strongly_connected(&start, &below).into_iter();
        let list = found.filter(|group| !rules_of[group[0] as usize].is_empty()).map(|group| {
            let first = group[0] as usize;
            let is_recursive = group.len() > 1 || below[start[first]..start[first + 1]].contains(&group[0]);
            Group {
                rules: group.iter().flat_map(|&own| rules_of[own as usize].iter().copied()).collect(),
                relations: group.into_iter().map(|own| RelationId::new(own as usize)).collect(),
                is_recursive,
            }
        });
        Groups { list: list.collect() }
    }
}

/// The ground rules of a group, by their heads.
struct Block {
    /// The atoms of the group.
    atoms: Vec<u32>,
    batch: Batch,
    /// The rules of an atom are `order[start[a]..start[a + 1]]`.
    start: Vec<u32>,
    order: Vec<u32>,
}

impl Block {
    fn write(
        flat: &Flat,
        instances: &mut Instances,
        group: &Group<'_>,
        network: &RuleNetwork,
        budget: &Budget,
    ) -> Result<Block, Limit> {
        let mut batch = Batch::default();
        for rule in &group.rules {
            instances.write(flat, rule, |literal| network.resolve(literal), &mut batch, budget)?;
        }
        let mut atoms = Vec::new();
        for &relation in &group.relations {
            let first = instances.first[relation];
            atoms.extend(first..first + instances.database.relation(relation).len() as u32);
        }
        // Relations come in the order of their numbers, and so do their atoms.
        let place = |head: u32| match group.relations[..] {
            [_] => (head - atoms[0]) as usize,
            _ => atoms.binary_search(&head).expect("the head is an atom of the group"),
        };
        let mut start = vec![0u32; atoms.len() + 1];
        batch.heads.iter_mut().for_each(|head| {
            *head = place(*head) as u32;
            start[*head as usize + 1] += 1;
        });
        (0..atoms.len()).for_each(|at| start[at + 1] += start[at]);
        let mut free = start.clone();
        let mut order = vec![0; batch.heads.len()];
        for (rule, &head) in batch.heads.iter().enumerate() {
            let slot = &mut free[head as usize];
            order[*slot as usize] = rule as u32;
            *slot += 1;
        }
        Ok(Block { atoms, batch, start, order })
    }

    /// The bodies of the rules of an atom.
    fn bodies(&self, own: u32) -> impl Iterator<Item = &[u32]> {
        let rules = &self.order[self.start[own as usize] as usize..self.start[own as usize + 1] as usize];
        rules.iter().map(|&rule| {
            let begin = if rule == 0 { 0 } else { self.batch.ends[rule as usize - 1] };
            &self.batch.body[begin as usize..self.batch.ends[rule as usize] as usize]
        })
    }

    /// The atoms by what depends on what, within the group.
    fn components(&self, network: &RuleNetwork) -> Vec<Vec<u32>> {
        let mut start = vec![0];
        let mut below = Vec::new();
        for own in 0..self.atoms.len() as u32 {
            for &literal in self.bodies(own).flatten() {
                // What is an input or was defined before has no rules here.
                if !network.is_input[(literal >> 1) as usize]
                    && let Ok(place) = self.atoms.binary_search(&(literal >> 1))
                {
                    below.push(place as u32);
                }
            }
            start.push(below.len());
        }
        strongly_connected(&start, &below)
    }
}

/// What atoms are defined by: the same definition is kept once.
#[derive(Default)]
struct Definitions {
    /// By hash, the rules of the first atom with a definition.
    known: FxHashMap<u64, (usize, usize)>,
    /// The definition that is looked at: literals, and where the body of each rule lies.
    literals: Vec<u32>,
    bodies: Vec<(usize, usize)>,
}

impl Definitions {
    /// Takes up the definition of an atom.
    fn load(&mut self, block: &Block, own: u32) {
        self.literals.clear();
        self.bodies.clear();
        for body in block.bodies(own) {
            let begin = self.literals.len();
            self.literals.extend_from_slice(body);
            self.close(begin);
        }
        self.sort();
    }

    /// The same with all that has become known since its rules were written.
    fn load_again(&mut self, block: &Block, own: u32, network: &RuleNetwork) {
        self.literals.clear();
        self.bodies.clear();
        'bodies: for body in block.bodies(own) {
            let begin = self.literals.len();
            for &literal in body {
                match network.resolve(literal) {
                    Ok(literal) => self.literals.push(literal),
                    Err(true) => {}
                    Err(false) => {
                        self.literals.truncate(begin);
                        continue 'bodies;
                    }
                }
            }
            self.close(begin);
        }
        self.sort();
    }

    /// Ends a body: its literals in order, each once; a contradiction is dropped.
    fn close(&mut self, begin: usize) {
        let body = &mut self.literals[begin..];
        body.sort_unstable();
        let mut kept = 0;
        for at in 0..body.len() {
            if kept == 0 || body[kept - 1] != body[at] {
                body[kept] = body[at];
                kept += 1;
            }
        }
        let contradicts = body[..kept].windows(2).any(|pair| pair[0] ^ 1 == pair[1]);
        if contradicts {
            self.literals.truncate(begin);
        } else {
            self.literals.truncate(begin + kept);
            self.bodies.push((begin, begin + kept));
        }
    }

    fn sort(&mut self) {
        let literals = &self.literals;
        self.bodies.sort_unstable_by(|one, two| literals[one.0..one.1].cmp(&literals[two.0..two.1]));
        self.bodies.dedup_by(|one, two| literals[one.0..one.1] == literals[two.0..two.1]);
    }

    /// Whether an atom is a condition of its own definition.
    fn uses(&self, head: u32) -> bool {
        self.literals.iter().any(|literal| literal >> 1 == head)
    }

    /// Writes down the rules of an atom as they are.
    fn keep(&mut self, network: &mut RuleNetwork, head: u32) {
        let bodies = self.bodies.iter().map(|&(from, to)| (head, self.literals[from..to].into()));
        network.rules.extend(bodies);
    }

    /// Finds out what an atom comes to.
    fn define(&mut self, network: &mut RuleNetwork, head: u32) {
        if network.is_input[head as usize] {
            return;
        }
        let simple = match self.bodies[..] {
            [] => Some(Known::Constant(false)),
            // The empty body comes first.
            [(from, to), ..] if from == to => Some(Known::Constant(true)),
            [(from, to)] if to - from == 1 => Some(Known::Same(self.literals[from])),
            _ => None,
        };
        if let Some(simple) = simple {
            network.known[head as usize] = simple;
            return;
        }
        let from = network.rules.len();
        let place = *self.known.entry(self.hash()).or_insert((from, from + self.bodies.len()));
        if place.0 == from {
            self.keep(network, head);
            return;
        }
        let rules = &network.rules[place.0..place.1];
        let first = rules[0].0;
        let own = self.bodies.iter().map(|&(from, to)| &self.literals[from..to]);
        match rules.iter().map(|(_, body)| &body[..]).eq(own) {
            true => network.known[head as usize] = Known::Same(first << 1),
            // Two definitions with one hash: the second is not shared.
            false => self.keep(network, head),
        }
    }

    fn hash(&self) -> u64 {
        let mut hasher = FxHasher::default();
        for &(from, to) in &self.bodies {
            hasher.write_usize(to - from);
            self.literals[from..to].iter().for_each(|&literal| hasher.write_u32(literal));
        }
        hasher.finish()
    }
}
