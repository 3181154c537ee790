//! Rules must not derive a predicate from its own negation.
//!
//! Derived predicates that depend on each other form the strongly connected components of a graph (Tarjan
//! 1972). A rule whose body negates a predicate of its head's own component has no clear meaning.

use counterplay_base::{Id, IdVec};

use crate::error::Error;
use crate::model::*;
use crate::resolver::Resolver;

impl Resolver {
    /// Notes the rules that lie on a cycle through a negation.
    pub(crate) fn refuse_negative_cycles(&mut self) {
        let predicates = &self.problem.predicates;
        let mut uses: IdVec<PredicateId, Vec<PredicateId>> = IdVec::filled(Vec::new(), predicates.len());
        let mut negations = Vec::new();
        for axiom in &self.problem.axioms {
            each_atom(&axiom.body, true, &mut |used, positive| {
                if predicates[used].derived {
                    uses[axiom.head].push(used);
                    if !positive {
                        negations.push((axiom.head, used, axiom.at));
                    }
                }
            });
        }
        if negations.is_empty() {
            return;
        }
        let component = components(&uses);
        for (head, used, at) in negations {
            if component[head] == component[used] {
                let name = predicates[used].name.clone();
                self.errors.push(Error::Unstratified { name, at });
            }
        }
    }
}

/// Calls `visit` for the predicate of each atom, with whether it stands under an even number of negations.
fn each_atom(condition: &Condition, positive: bool, visit: &mut impl FnMut(PredicateId, bool)) {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().for_each(|part| each_atom(part, positive, visit));
        }
        Condition::Not(part) => each_atom(part, !positive, visit),
        Condition::Exists(_, part) | Condition::Forall(_, part) | Condition::Preference(_, part, _) => {
            each_atom(part, positive, visit);
        }
        Condition::Atom(atom, _) => visit(atom.predicate, positive),
        Condition::Equal(..) | Condition::Compare(..) => {}
    }
}

/// Numbers the strongly connected components, with a stack of our own: chains of rules may be long.
fn components<I: Id>(successors: &IdVec<I, Vec<I>>) -> IdVec<I, usize> {
    let count = successors.len();
    let mut component: IdVec<I, Option<usize>> = IdVec::filled(None, count);
    // When a node was first met, and the earliest node still open that it reaches.
    let mut met: IdVec<I, Option<usize>> = IdVec::filled(None, count);
    let mut lowest: IdVec<I, usize> = IdVec::filled(0, count);
    let (mut time, mut found) = (0, 0);
    let mut open: Vec<I> = Vec::new();
    for root in successors.ids() {
        let mut path: Vec<(I, usize)> = if met[root].is_none() { vec![(root, 0)] } else { Vec::new() };
        while let Some((node, next)) = path.pop() {
            if next == 0 {
                met[node] = Some(time);
                lowest[node] = time;
                time += 1;
                open.push(node);
            } else {
                lowest[node] = lowest[node].min(lowest[successors[node][next - 1]]);
            }
            let mut at = next;
            let mut deeper = None;
            while let Some(&successor) = successors[node].get(at) {
                at += 1;
                match met[successor] {
                    None => {
                        deeper = Some(successor);
                        break;
                    }
                    Some(earlier) if component[successor].is_none() => {
                        lowest[node] = lowest[node].min(earlier);
                    }
                    Some(_) => {}
                }
            }
            if let Some(successor) = deeper {
                path.push((node, at));
                path.push((successor, 0));
            } else if met[node] == Some(lowest[node]) {
                while let Some(member) = open.pop() {
                    component[member] = Some(found);
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component.into_iter().map(|number| number.expect("every node lies in a component")).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The slow twin: which nodes reach which, by trying all middles.
    fn reachability(successors: &IdVec<PredicateId, Vec<PredicateId>>) -> Vec<Vec<bool>> {
        let count = successors.len();
        let mut reaches = vec![vec![false; count]; count];
        for (node, list) in successors.enumerate() {
            reaches[node.index()][node.index()] = true;
            list.iter().for_each(|successor| reaches[node.index()][successor.index()] = true);
        }
        for middle in 0..count {
            for from in 0..count {
                for to in 0..count {
                    reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
                }
            }
        }
        reaches
    }

    proptest! {
        #[test]
        fn components_are_mutual_reachability(edges in prop::collection::vec((0..8usize, 0..8usize), 0..20)) {
            let mut successors = IdVec::filled(Vec::new(), 8);
            for (from, to) in edges {
                successors[PredicateId::new(from)].push(PredicateId::new(to));
            }
            let reaches = reachability(&successors);
            let component = components(&successors);
            for one in successors.ids() {
                for other in successors.ids() {
                    let mutual = reaches[one.index()][other.index()] && reaches[other.index()][one.index()];
                    prop_assert_eq!(component[one] == component[other], mutual);
                }
            }
        }
    }
}
