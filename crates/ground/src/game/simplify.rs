//! Smaller networks: constants, other names of the same thing, equal definitions and what no rule asks for go away.

use counterplay_base::{Budget, Limit};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of an atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// It has no simpler form.
    Nothing,
    Constant(bool),
    /// The same as this literal (twice the atom, plus one if negated).
    Same(u32),
}

/// Ground rules over numbered atoms, some of which are inputs.
pub(super) struct RuleNetwork {
    /// What is known of each atom.
    pub(super) known: Vec<Known>,
    /// Whether an atom is given from outside.
    pub(super) is_input: Vec<bool>,
    /// Head and sorted body of each rule, sorted.
    pub(super) rules: Vec<(u32, Box<[u32]>)>,
}

impl RuleNetwork {
    /// What a literal comes to.
    pub(super) fn resolve(&self, literal: u32) -> Result<u32, bool> {
        let mut literal = literal;
        // Chains are short because each pass resolves them; a cycle has no first cause and never holds.
        for _ in 0..=self.known.len() {
            match self.known[(literal >> 1) as usize] {
                Known::Nothing => return Ok(literal),
                Known::Constant(value) => return Err(value != (literal & 1 == 1)),
                Known::Same(other) => literal = other ^ (literal & 1),
            }
        }
        Err(literal & 1 == 1)
    }

    /// Repeats all simplifications until nothing changes.
    pub(super) fn simplify(&mut self, budget: &Budget) -> Result<(), Limit> {
        loop {
            budget.check()?;
            self.rewrite();
            if !self.learn() {
                return Ok(());
            }
        }
    }

    /// Resolves all literals; drops rules that cannot fire or say nothing, and rules that occur twice.
    fn rewrite(&mut self) {
        let rules = std::mem::take(&mut self.rules);
        let mut kept = Vec::with_capacity(rules.len());
        let mut body = Vec::new();
        'rules: for (head, old) in rules {
            if self.known[head as usize] != Known::Nothing {
                continue;
            }
            body.clear();
            for &literal in &old {
                match self.resolve(literal) {
                    Ok(literal) => body.push(literal),
                    Err(true) => {}
                    Err(false) => continue 'rules,
                }
            }
            body.sort_unstable();
            body.dedup();
            let contradicts = body.windows(2).any(|pair| pair[0] ^ 1 == pair[1]);
            if contradicts || body.contains(&(head << 1)) {
                continue;
            }
            let body = if body[..] == old[..] { old } else { body.as_slice().into() };
            kept.push((head, body));
        }
        kept.sort_unstable();
        kept.dedup();
        self.rules = kept;
    }

    /// Finds constants, other names and equal definitions. Whether there were any.
    fn learn(&mut self) -> bool {
        let mut learnt = false;
        let mut defined = vec![false; self.known.len()];
        let mut definitions: FxHashMap<Vec<&[u32]>, u32> = FxHashMap::default();
        let mut found: Vec<(u32, Known)> = Vec::new();
        for own in self.rules.chunk_by(|a, b| a.0 == b.0) {
            let head = own[0].0;
            defined[head as usize] = true;
            if own.iter().any(|(_, body)| body.is_empty()) {
                found.push((head, Known::Constant(true)));
            } else if let [(_, body)] = own
                && let [literal] = body[..]
            {
                found.push((head, Known::Same(literal)));
            } else {
                let key: Vec<&[u32]> = own.iter().map(|(_, body)| &body[..]).collect();
                let first = *definitions.entry(key).or_insert(head);
                if first != head {
                    found.push((head, Known::Same(first << 1)));
                }
            }
        }
        for (atom, known) in self.known.iter_mut().enumerate() {
            if *known == Known::Nothing && !self.is_input[atom] && !defined[atom] {
                *known = Known::Constant(false);
                learnt = true;
            }
        }
        learnt |= !found.is_empty();
        for (head, known) in found {
            self.known[head as usize] = known;
            if let Known::Same(literal) = known
                && self.resolve(literal).is_ok_and(|end| end >> 1 == head)
            {
                self.known[head as usize] = Known::Constant(false);
            }
        }
        learnt
    }

    /// Keeps only rules that the given literals depend on.
    pub(super) fn keep_for(&mut self, wanted: impl Iterator<Item = u32>) {
        let mut rules_of: FxHashMap<u32, (usize, usize)> = FxHashMap::default();
        let mut at = 0;
        for own in self.rules.chunk_by(|a, b| a.0 == b.0) {
            rules_of.insert(own[0].0, (at, at + own.len()));
            at += own.len();
        }
        let mut open: Vec<u32> =
            wanted.filter_map(|literal| self.resolve(literal).ok()).map(|l| l >> 1).collect();
        let mut seen: FxHashSet<u32> = open.iter().copied().collect();
        while let Some(atom) = open.pop() {
            let Some(&(from, to)) = rules_of.get(&atom) else { continue };
            for (_, body) in &self.rules[from..to] {
                open.extend(body.iter().map(|literal| literal >> 1).filter(|&atom| seen.insert(atom)));
            }
        }
        self.rules.retain(|(head, _)| seen.contains(head));
    }
}
