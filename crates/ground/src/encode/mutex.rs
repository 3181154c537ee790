//! What the groups say about conditions.

use counterplay_base::{Id, IdLists, id};

use crate::propositional::Literal;

id! {
    /// The index of a literal.
    pub struct LiteralKey;
}

/// The groups that each literal belongs to.
#[derive(Debug)]
pub(super) struct Mutexes {
    groups: IdLists<LiteralKey, u32>,
    /// The question in which each group was last seen, and with which literal.
    seen: Vec<(u32, Option<Literal>)>,
    question: u32,
}

impl Mutexes {
    pub(super) fn new(groups: &[Vec<Literal>], literals: usize) -> Mutexes {
        let mut pairs = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            pairs.extend(group.iter().map(|literal| (LiteralKey::new(literal.index()), number as u32)));
        }
        Mutexes {
            groups: IdLists::from_pairs(literals, &pairs),
            seen: vec![(0, None); groups.len()],
            question: 0,
        }
    }

    fn of(&self, literal: Literal) -> &[u32] {
        &self.groups[LiteralKey::new(literal.index())]
    }

    /// Whether two of these literals are never true together.
    pub(super) fn clash(&mut self, literals: impl Iterator<Item = Literal>) -> bool {
        self.question += 1;
        for literal in literals {
            for &group in &self.groups[LiteralKey::new(literal.index())] {
                match &mut self.seen[group as usize] {
                    (question, Some(other)) if *question == self.question => {
                        if *other != literal {
                            return true;
                        }
                    }
                    slot => *slot = (self.question, Some(literal)),
                }
            }
        }
        false
    }

    /// Whether a literal is false wherever all the others are true.
    pub(super) fn is_ruled_out(&self, literal: Literal, others: impl Iterator<Item = Literal>) -> bool {
        let own = self.of(literal);
        if own.is_empty() {
            return false;
        }
        others.into_iter().any(|other| other != literal && self.of(other).iter().any(|g| own.contains(g)))
    }
}
