//! Only what is asked for.
//!
//! "The king at ?kx ?ky is threatened by a capture at ?cx ?cy from ?u ?v" has millions of instances, of which legal
//! moves ask for a few thousand. For each relation we find the arguments that are bound wherever it is used, and
//! restrict its rules by a relation of the values that are asked for: magic sets (Bancilhon, Maier, Sagiv and Ullman
//! 1986) with one binding pattern for each relation. The restriction is a guide: it costs nothing when the game
//! is played.

use counterplay_gdl::{Keyword, Rules, Symbol};

use super::flat::{Flat, FlatRelation, FlatRule};
use crate::datalog::{Atom, RelationId, Term};
use counterplay_base::IdVec;

/// Which columns of each relation are bound wherever it is used.
type Patterns = IdVec<RelationId, Vec<bool>>;

/// Restricts rules to what is asked for.
pub(super) fn restrict(rules: &Rules, flat: &mut Flat) {
    let patterns = patterns(rules, flat);
    let demands: IdVec<RelationId, Option<RelationId>> = patterns
        .iter()
        .map(|pattern| {
            let arity = pattern.iter().filter(|&&bound| bound).count();
            let relation = FlatRelation { origin: None, arity, dynamic: true };
            (arity > 0).then(|| flat.relations.push(relation))
        })
        .collect();
    let demand_of = |atom: &Atom| {
        demands[atom.relation].map(|relation| Atom { relation, terms: bound(atom, &patterns[atom.relation]) })
    };
    let mut asked: Vec<FlatRule> = Vec::new();
    for rule in &mut flat.rules {
        let guide = demand_of(rule.head());
        let ask = |head: Atom, positive: Vec<Atom>, different: Vec<(Term, Term)>| FlatRule {
            head: Some(head),
            positive,
            different,
            only_asks: true,
            ..FlatRule::default()
        };
        for atom in &rule.positive {
            if let Some(head) = demand_of(atom) {
                asked.push(ask(head, guide.iter().cloned().collect(), Vec::new()));
            }
        }
        for atom in &rule.negative {
            if let Some(head) = demand_of(atom) {
                let body = guide.iter().chain(&rule.positive).cloned().collect();
                asked.push(ask(head, body, rule.different.clone()));
            }
        }
        rule.guides.extend(guide);
    }
    flat.rules.extend(asked);
}

/// The terms in the bound columns.
fn bound(atom: &Atom, pattern: &[bool]) -> Vec<Term> {
    atom.terms.iter().zip(pattern).filter(|&(_, &bound)| bound).map(|(&term, _)| term).collect()
}

/// The greatest patterns that every use respects.
fn patterns(rules: &Rules, flat: &Flat) -> Patterns {
    // What the outside asks for is asked for as a whole, and what is static is computed before.
    let roots =
        [Keyword::True, Keyword::Does, Keyword::Next, Keyword::Legal, Keyword::Goal, Keyword::Terminal];
    let percepts = rules.percepts();
    let is_root = |name: Symbol| {
        Some(name) == percepts || rules.keyword(name).is_some_and(|keyword| roots.contains(&keyword))
    };
    let is_free = |relation: &FlatRelation| {
        relation.dynamic && !relation.origin.as_ref().is_some_and(|(name, _)| is_root(*name))
    };
    let mut patterns: Patterns =
        flat.relations.iter().map(|relation| vec![is_free(relation); relation.arity]).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for rule in &flat.rules {
            let known = bound(rule.head(), &patterns[rule.head().relation]);
            for atom in &rule.positive {
                for (column, term) in atom.terms.iter().enumerate() {
                    let is_bound = matches!(term, Term::Symbol(_)) || known.contains(term);
                    changed |= !is_bound && std::mem::replace(&mut patterns[atom.relation][column], false);
                }
            }
        }
    }
    patterns
}
