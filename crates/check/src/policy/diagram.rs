//! Sets of states as decision diagrams, in the plainest form.
//!
//! A state is a row of bits. A node asks one bit and goes on to one of two nodes further down; equal nodes are one node,
//! so equal sets are one number (Bryant 1986). There is nothing here but what a check of a policy needs.

use counterplay_base::{Budget, Limit};
use rustc_hash::FxHashMap;

/// A set of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Set(u32);

impl Set {
    pub(super) const NONE: Set = Set(0);
    pub(super) const ALL: Set = Set(1);
}

/// A list of bits and the values they get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ListId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct DiagramNode {
    level: u32,
    no: Set,
    yes: Set,
}

/// The two sets without a node of their own end the row.
const END: DiagramNode = DiagramNode { level: u32::MAX, no: Set::NONE, yes: Set::NONE };

/// Results are remembered in as many places as there are nodes, within these bounds; a newer one takes the place of an
/// older one.
const FEWEST_PLACES: usize = 1 << 10;
const MOST_PLACES: usize = 1 << 22;

pub(super) struct Diagrams<'b> {
    nodes: Vec<DiagramNode>,
    number: FxHashMap<DiagramNode, Set>,
    lists: Vec<Vec<(u32, bool)>>,
    remembered: Vec<([u32; 3], Set)>,
    most: usize,
    budget: &'b Budget,
}

/// Marks a remembered question about a list; no set has so high a number.
const LIST: u32 = 1 << 31;

impl<'b> Diagrams<'b> {
    pub(super) fn new(most: usize, budget: &'b Budget) -> Diagrams<'b> {
        Diagrams {
            nodes: vec![END, END],
            number: FxHashMap::default(),
            lists: Vec::new(),
            remembered: vec![([0; 3], Set::NONE); FEWEST_PLACES],
            most,
            budget,
        }
    }

    fn node(&self, set: Set) -> DiagramNode {
        self.nodes[set.0 as usize]
    }

    fn make(&mut self, level: u32, no: Set, yes: Set) -> Result<Set, Limit> {
        if no == yes {
            return Ok(no);
        }
        let node = DiagramNode { level, no, yes };
        if let Some(&known) = self.number.get(&node) {
            return Ok(known);
        }
        if self.nodes.len() >= self.most {
            return Err(Limit::Nodes(self.most as u64));
        }
        if self.nodes.len().is_multiple_of(1 << 14) {
            self.budget.check()?;
        }
        if self.nodes.len() > self.remembered.len() && self.remembered.len() < MOST_PLACES {
            self.remembered = vec![([0; 3], Set::NONE); 4 * self.remembered.len()];
        }
        let set = Set(self.nodes.len() as u32);
        self.nodes.push(node);
        self.number.insert(node, set);
        Ok(set)
    }

    /// The states with a bit of this value.
    pub(super) fn bit(&mut self, level: u32, value: bool) -> Result<Set, Limit> {
        let (no, yes) = if value { (Set::NONE, Set::ALL) } else { (Set::ALL, Set::NONE) };
        self.make(level, no, yes)
    }

    fn place(&self, question: [u32; 3]) -> usize {
        let [a, b, c] = question.map(u64::from);
        let mixed = (a.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ b.wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
            .wrapping_add(c)
            .wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed >> 32) as usize & (self.remembered.len() - 1)
    }

    /// The states of `then` that are in `set`, and those of `other` that are not.
    fn choose(&mut self, set: Set, then: Set, other: Set) -> Result<Set, Limit> {
        if set == Set::ALL || then == other {
            return Ok(then);
        }
        if set == Set::NONE {
            return Ok(other);
        }
        if then == Set::ALL && other == Set::NONE {
            return Ok(set);
        }
        let question = [set.0, then.0, other.0];
        let place = self.place(question);
        let (asked, answer) = self.remembered[place];
        if asked == question {
            return Ok(answer);
        }
        let level = [set, then, other].map(|set| self.node(set).level).into_iter().min().unwrap_or(u32::MAX);
        let below = |diagrams: &Self, set: Set, value: bool| match diagrams.node(set) {
            node if node.level != level => set,
            node if value => node.yes,
            node => node.no,
        };
        let [no, yes] = [false, true].map(|value| [set, then, other].map(|set| below(self, set, value)));
        let no = self.choose(no[0], no[1], no[2])?;
        let yes = self.choose(yes[0], yes[1], yes[2])?;
        let answer = self.make(level, no, yes)?;
        let place = self.place(question);
        self.remembered[place] = (question, answer);
        Ok(answer)
    }

    /// States in both.
    pub(super) fn and(&mut self, a: Set, b: Set) -> Result<Set, Limit> {
        if a.0 <= b.0 { self.choose(a, b, Set::NONE) } else { self.choose(b, a, Set::NONE) }
    }

    /// States in one of them or both.
    pub(super) fn or(&mut self, a: Set, b: Set) -> Result<Set, Limit> {
        if a.0 <= b.0 { self.choose(a, Set::ALL, b) } else { self.choose(b, Set::ALL, a) }
    }

    /// States in the first but not in the second.
    pub(super) fn minus(&mut self, a: Set, b: Set) -> Result<Set, Limit> {
        self.choose(b, Set::NONE, a)
    }

    /// Notes a list of bits, in ascending order, with the values they get.
    pub(super) fn list(&mut self, bits: Vec<(u32, bool)>) -> ListId {
        debug_assert!(bits.windows(2).all(|pair| pair[0].0 < pair[1].0));
        self.lists.push(bits);
        ListId(self.lists.len() as u32 - 1)
    }

    /// The bits of a list.
    pub(super) fn bits(&self, list: ListId) -> &[(u32, bool)] {
        &self.lists[list.0 as usize]
    }

    /// The states of a region that are in the set after the bits of the list have got their values.
    pub(super) fn before(&mut self, list: ListId, set: Set, region: Set) -> Result<Set, Limit> {
        if set == Set::NONE || region == Set::NONE {
            return Ok(Set::NONE);
        }
        let (after, before) = (self.node(set), self.node(region));
        if self.bits(list).last().is_none_or(|&(last, _)| last < after.level) {
            return self.and(set, region);
        }
        let question = [set.0, region.0, list.0 | LIST];
        let place = self.place(question);
        let (asked, answer) = self.remembered[place];
        if asked == question {
            return Ok(answer);
        }
        let level = after.level.min(before.level);
        let given = self.bits(list).binary_search_by_key(&level, |&(level, _)| level);
        let given = given.ok().map(|at| self.bits(list)[at].1);
        let mut branches = [Set::NONE; 2];
        for value in [false, true] {
            let below = |set: Set, node: DiagramNode, value: bool| match node.level == level {
                true if value => node.yes,
                true => node.no,
                false => set,
            };
            let (set, region) = (below(set, after, given.unwrap_or(value)), below(region, before, value));
            branches[usize::from(value)] = self.before(list, set, region)?;
        }
        let answer = self.make(level, branches[0], branches[1])?;
        let place = self.place(question);
        self.remembered[place] = (question, answer);
        Ok(answer)
    }

    /// Whether a state is in a set.
    pub(super) fn contains(&self, mut set: Set, bit: impl Fn(u32) -> bool) -> bool {
        while self.node(set).level != END.level {
            let node = self.node(set);
            set = if bit(node.level) { node.yes } else { node.no };
        }
        set == Set::ALL
    }

    /// For each of the first `count` bits, whether it can be 0 and whether it can be 1 in states of a set.
    pub(super) fn values(&self, set: Set, count: u32) -> Vec<[bool; 2]> {
        let mut values = vec![[false; 2]; count as usize];
        if set == Set::NONE {
            return values;
        }
        let free = |from: u32, to: u32, values: &mut Vec<[bool; 2]>| {
            (from..to.min(count)).for_each(|level| values[level as usize] = [true; 2]);
        };
        let mut seen = FxHashMap::default();
        let mut open = vec![set];
        free(0, self.node(set).level, &mut values);
        while let Some(set) = open.pop() {
            let node = self.node(set);
            if node.level == END.level || seen.insert(set, ()).is_some() {
                continue;
            }
            for (value, next) in [(0, node.no), (1, node.yes)] {
                if next != Set::NONE {
                    values[node.level as usize][value] = true;
                    free(node.level + 1, self.node(next).level, &mut values);
                    open.push(next);
                }
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITS: u32 = 5;

    /// The members of a set, a bit of the number for each state.
    fn table(diagrams: &Diagrams<'_>, set: Set) -> u32 {
        let is_in = |state: u32| diagrams.contains(set, |bit| state >> bit & 1 == 1);
        (0..1 << BITS).filter(|&state| is_in(state)).fold(0, |table, state| table | 1 << state)
    }

    /// Every operation against tables of 32 states, on sets that come about by operations.
    #[test]
    fn sets_are_what_their_tables_say() {
        let budget = Budget::unlimited();
        let mut diagrams = Diagrams::new(1 << 20, &budget);
        let mut made: Vec<(Set, u32)> = vec![(Set::NONE, 0), (Set::ALL, u32::MAX)];
        for bit in 0..BITS {
            for value in [false, true] {
                let expected = (0..32).filter(|state| (state >> bit & 1 == 1) == value);
                let expected = expected.fold(0u32, |table, state: u32| table | 1 << state);
                made.push((diagrams.bit(bit, value).expect("small"), expected));
            }
        }
        let lists: Vec<ListId> = [vec![(0, true)], vec![(1, false), (3, true)], vec![(4, false)], vec![]]
            .map(|bits| diagrams.list(bits))
            .to_vec();
        let mut random = 12_345u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % below
        };
        for _ in 0..3_000 {
            let (a, of_a) = made[next(made.len())];
            let (b, of_b) = made[next(made.len())];
            let (set, expected) = match next(5) {
                0 => (diagrams.and(a, b), of_a & of_b),
                1 => (diagrams.or(a, b), of_a | of_b),
                2 => (diagrams.minus(a, b), of_a & !of_b),
                3 => (diagrams.choose(a, b, Set::ALL), of_a & of_b | !of_a),
                _ => {
                    let list = lists[next(lists.len())];
                    let changed = |state: u32| {
                        diagrams.bits(list).iter().fold(state, |state, &(bit, value)| match value {
                            true => state | 1 << bit,
                            false => state & !(1 << bit),
                        })
                    };
                    let before = (0..32u32).filter(|&state| of_a >> changed(state) & 1 == 1);
                    let before = before.fold(0, |table, state| table | 1 << state);
                    (diagrams.before(list, a, b), before & of_b)
                }
            };
            let set = set.expect("there is room");
            assert_eq!(table(&diagrams, set), expected);
            // Equal sets are one number.
            if let Some((known, _)) = made.iter().find(|(_, table)| *table == expected) {
                assert_eq!(*known, set);
            } else {
                made.push((set, expected));
            }
        }
        assert!(made.len() > 500, "{} sets", made.len());
    }
}
