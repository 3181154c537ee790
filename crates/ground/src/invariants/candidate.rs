//! What an invariant looks like, and how one becomes another.

use counterplay_pddl::model::PredicateId;
use rustc_hash::FxHashMap;

use super::Facts;
use crate::datalog::Symbol;
use crate::propositional::Literal;

/// For every value of the parameters, at most one of the covered literals is true.
///
/// A candidate covers, for each of its parts, the literals of one predicate; the parameters stand in some
/// of its columns, the other columns are *counted*: their values may be anything.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Candidate {
    /// Sorted by predicate and sign, each of which occurs once.
    pub(super) parts: Vec<Part>,
    pub(super) parameters: usize,
}

/// Which literals of one predicate are covered.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) predicate: PredicateId,
    pub(super) positive: bool,
    /// The column of each parameter.
    pub(super) columns: Vec<usize>,
}

/// A predicate with more columns is tried with few counted or few other columns only.
const MANY_COLUMNS: usize = 5;

/// Of the ways to find the parameters of a candidate among the arguments of an atom, so many are tried: there
/// is more than one only if an object occurs several times.
const WAYS: usize = 24;

impl Candidate {
    /// The candidates with one predicate: each choice of counted columns, those that count most first.
    pub(super) fn simple(predicate: PredicateId, arity: usize) -> Vec<Candidate> {
        let mut choices: Vec<Vec<usize>> = Vec::new();
        for mask in 0..1usize << arity.min(16) {
            let columns: Vec<usize> = (0..arity).filter(|&column| mask >> column & 1 == 1).collect();
            if arity <= MANY_COLUMNS || columns.len() <= 1 || columns.len() + 1 >= arity {
                choices.push(columns);
            }
        }
        choices.sort_by_key(Vec::len);
        let part = |columns| Part { predicate, positive: true, columns };
        choices
            .into_iter()
            .map(|columns| Candidate { parameters: columns.len(), parts: vec![part(columns)] })
            .collect()
    }

    /// With one more part; parameters are renumbered so that equal candidates look equal.
    fn with(&self, part: Part) -> Candidate {
        let mut parts = self.parts.clone();
        parts.push(part);
        parts.sort_unstable_by_key(|part| (part.predicate, part.positive));
        let mut order: Vec<usize> = (0..self.parameters).collect();
        order.sort_by_key(|&parameter| parts[0].columns[parameter]);
        for part in &mut parts {
            part.columns = order.iter().map(|&parameter| part.columns[parameter]).collect();
        }
        Candidate { parts, parameters: self.parameters }
    }

    /// The part that covers literals of a predicate.
    fn part_of(&self, predicate: PredicateId, positive: bool) -> Option<&Part> {
        self.parts.iter().find(|part| part.predicate == predicate && part.positive == positive)
    }

    /// The candidates that cover `other` in the same instance as `covered`. Negated predicates are used
    /// without counted columns only: "at most one is false" is hardly ever true.
    pub(super) fn extended(&self, covered: Literal, other: Literal, facts: &Facts<'_>) -> Vec<Candidate> {
        let (predicate, _) = facts.atom(covered.atom());
        let Some(part) = self.part_of(predicate, covered.is_positive()) else { return Vec::new() };
        let (other_predicate, tuple) = facts.atom(other.atom());
        let taken = self.parts.iter().any(|part| part.predicate == other_predicate);
        let wide_enough = tuple.len() >= self.parameters;
        let counted = tuple.len() != self.parameters;
        if taken || !wide_enough || counted && !other.is_positive() {
            return Vec::new();
        }
        let (_, own) = facts.atom(covered.atom());
        let values: Vec<Symbol> = part.columns.iter().map(|&column| own[column]).collect();
        let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
        for &value in &values {
            ways = ways
                .iter()
                .flat_map(|way| {
                    let fits = |&column: &usize| tuple[column] == value && !way.contains(&column);
                    (0..tuple.len()).filter(fits).map(move |column| [&way[..], &[column]].concat())
                })
                .take(WAYS)
                .collect();
        }
        let positive = other.is_positive();
        let part = |columns| Part { predicate: other_predicate, positive, columns };
        ways.into_iter().map(|columns| self.with(part(columns))).collect()
    }
}

/// The instances of a candidate: which literals belong together.
#[derive(Debug)]
pub(super) struct Instances {
    /// For each literal its instance, if the candidate covers it.
    of: Vec<Option<u32>>,
    pub(super) members: Vec<Vec<Literal>>,
}

impl Instances {
    pub(super) fn new(candidate: &Candidate, facts: &Facts<'_>) -> Instances {
        let mut instances = Instances { of: vec![None; facts.literals()], members: Vec::new() };
        // A tuple of parameters is named by naming its beginning, then one more symbol, and so on.
        let mut names: FxHashMap<(u32, Symbol), u32> = FxHashMap::default();
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        for part in &candidate.parts {
            for &atom in facts.of_predicate(part.predicate) {
                let (_, tuple) = facts.atom(atom);
                let mut name = 0;
                for &column in &part.columns {
                    let fresh = names.len() as u32 + 1;
                    name = *names.entry((name, tuple[column])).or_insert(fresh);
                }
                let fresh = instances.members.len() as u32;
                let number = *numbers.entry(name).or_insert(fresh);
                if number == fresh {
                    instances.members.push(Vec::new());
                }
                let literal = Literal::new(atom, part.positive);
                instances.members[number as usize].push(literal);
                instances.of[literal.index()] = Some(number);
            }
        }
        instances
    }

    /// The instance that a literal belongs to.
    #[inline]
    pub(super) fn of(&self, literal: Literal) -> Option<u32> {
        self.of[literal.index()]
    }
}
