//! Ground formulas: what is left of a condition once all variables have values.

use crate::propositional::Literal;

/// A formula over literals, kept flat, sorted and without constants inside.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Ground {
    Literal(Literal),
    /// All of them; without members: true.
    And(Vec<Ground>),
    /// One of them; without members: false.
    Or(Vec<Ground>),
}

impl Ground {
    pub(super) const TRUE: Ground = Ground::And(Vec::new());
    pub(super) const FALSE: Ground = Ground::Or(Vec::new());

    pub(super) fn constant(truth: bool) -> Ground {
        if truth { Ground::TRUE } else { Ground::FALSE }
    }

    pub(super) fn is_true(&self) -> bool {
        *self == Ground::TRUE
    }

    pub(super) fn is_false(&self) -> bool {
        *self == Ground::FALSE
    }

    pub(super) fn and(parts: Vec<Ground>) -> Ground {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Ground::And(inner) => flat.extend(inner),
                part if part.is_false() => return Ground::FALSE,
                part => flat.push(part),
            }
        }
        match normalise(flat) {
            None => Ground::FALSE,
            Some(flat) => only(flat, Ground::And),
        }
    }

    pub(super) fn or(parts: Vec<Ground>) -> Ground {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Ground::Or(inner) => flat.extend(inner),
                part if part.is_true() => return Ground::TRUE,
                part => flat.push(part),
            }
        }
        match normalise(flat) {
            None => Ground::TRUE,
            Some(flat) => only(flat, Ground::Or),
        }
    }

    pub(super) fn negated(&self) -> Ground {
        match self {
            Ground::Literal(literal) => Ground::Literal(literal.negated()),
            Ground::And(parts) => Ground::or(parts.iter().map(Ground::negated).collect()),
            Ground::Or(parts) => Ground::and(parts.iter().map(Ground::negated).collect()),
        }
    }

    /// Number of members of the disjunctive normal form, as far as it fits.
    pub(super) fn disjuncts(&self) -> usize {
        match self {
            Ground::Literal(_) => 1,
            Ground::And(parts) => parts.iter().fold(1, |all, part| all.saturating_mul(part.disjuncts())),
            Ground::Or(parts) => parts.iter().fold(0, |all, part| all.saturating_add(part.disjuncts())),
        }
    }

    /// The disjunctive normal form: lists of literals, each sorted and consistent, none containing another.
    pub(super) fn disjunctive(&self) -> Vec<Vec<Literal>> {
        let mut lists = self.expand();
        lists.sort_by_key(Vec::len);
        let mut minimal: Vec<Vec<Literal>> = Vec::with_capacity(lists.len());
        for list in lists {
            if !minimal.iter().any(|smaller| is_subset(smaller, &list)) {
                minimal.push(list);
            }
        }
        minimal
    }

    fn expand(&self) -> Vec<Vec<Literal>> {
        match self {
            Ground::Literal(literal) => vec![vec![*literal]],
            Ground::Or(parts) => parts.iter().flat_map(Ground::expand).collect(),
            Ground::And(parts) => {
                let mut all: Vec<Vec<Literal>> = vec![Vec::new()];
                for part in parts {
                    let more = part.expand();
                    all = all
                        .iter()
                        .flat_map(|left| more.iter().map(move |right| [&left[..], right].concat()))
                        .filter_map(|mut list| crate::propositional::tidy(&mut list).then_some(list))
                        .collect();
                }
                all
            }
        }
    }
}

/// Whether one sorted list is contained in another.
pub(crate) fn is_subset(smaller: &[Literal], larger: &[Literal]) -> bool {
    let mut rest = larger.iter();
    smaller.iter().all(|literal| rest.any(|other| other == literal))
}

/// Sorts and removes repetitions; `None` if a literal and its negation are both there.
fn normalise(mut parts: Vec<Ground>) -> Option<Vec<Ground>> {
    parts.sort_unstable();
    parts.dedup();
    let clash = parts.windows(2).any(|pair| match (&pair[0], &pair[1]) {
        (Ground::Literal(a), Ground::Literal(b)) => a.atom() == b.atom(),
        _ => false,
    });
    (!clash).then_some(parts)
}

fn only(mut parts: Vec<Ground>, join: fn(Vec<Ground>) -> Ground) -> Ground {
    if parts.len() == 1 { parts.remove(0) } else { join(parts) }
}

#[cfg(test)]
mod tests {
    use counterplay_base::Id;

    use super::*;
    use crate::propositional::AtomId;

    fn literal(number: i32) -> Ground {
        Ground::Literal(Literal::new(AtomId::new(number.unsigned_abs() as usize), number > 0))
    }

    fn holds(formula: &Ground, world: u32) -> bool {
        match formula {
            Ground::Literal(l) => (world >> l.atom().index() & 1 == 1) == l.is_positive(),
            Ground::And(parts) => parts.iter().all(|part| holds(part, world)),
            Ground::Or(parts) => parts.iter().any(|part| holds(part, world)),
        }
    }

    #[test]
    fn normal_forms_mean_the_same() {
        let formula = Ground::and(vec![
            Ground::or(vec![literal(1), literal(-2), Ground::and(vec![literal(3), literal(4)])]),
            Ground::or(vec![literal(-1), literal(3)]),
            literal(5),
        ]);
        assert_eq!(formula.disjuncts(), 6);
        let lists = formula.disjunctive();
        for world in 0..64 {
            let found = lists.iter().any(|list| list.iter().all(|&l| holds(&Ground::Literal(l), world)));
            assert_eq!(found, holds(&formula, world));
            assert_eq!(holds(&formula.negated(), world), !holds(&formula, world));
        }
    }

    #[test]
    fn contradictions_and_tautologies_are_seen() {
        assert!(Ground::and(vec![literal(1), literal(2), literal(-1)]).is_false());
        assert!(Ground::or(vec![literal(1), literal(2), literal(-1)]).is_true());
        assert_eq!(Ground::or(vec![literal(1), literal(1)]), literal(1));
    }
}
