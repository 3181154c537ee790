//! The order in which derived atoms are computed.
//!
//! An atom lies above those whose negation it depends on, and level with or above those it depends on
//! positively. Atoms that depend on each other form a strongly connected component (Tarjan 1972, here
//! without recursion); if there is a negation inside one, there is no order. We look at ground atoms, which
//! allows a little more than PDDL's definition by predicates.

use counterplay_base::IdVec;

use crate::propositional::{AtomId, Propositional};

/// For each derived atom its layer; others have layer 0. `Err` names an atom that depends on its own
/// negation.
pub(crate) fn stratify(problem: &Propositional) -> Result<IdVec<AtomId, u32>, AtomId> {
    let mut edges: IdVec<AtomId, Vec<(AtomId, bool)>> = problem.atoms.iter().map(|_| Vec::new()).collect();
    for axiom in &problem.axioms {
        for literal in problem.list(axiom.body) {
            if problem.derived[literal.atom()] {
                edges[axiom.head].push((literal.atom(), literal.is_positive()));
            }
        }
    }
    let mut layers: IdVec<AtomId, u32> = IdVec::filled(0, problem.atoms.len());
    let mut component: IdVec<AtomId, usize> = IdVec::filled(0, problem.atoms.len());
    let components = components(&edges);
    for (number, members) in components.iter().enumerate() {
        members.iter().for_each(|&atom| component[atom] = number + 1);
        let mut layer = 0;
        for &atom in members {
            for &(below, positive) in &edges[atom] {
                if component[below] != number + 1 {
                    layer = layer.max(layers[below] + u32::from(!positive));
                } else if !positive {
                    return Err(atom);
                }
            }
        }
        members.iter().for_each(|&atom| layers[atom] = layer);
    }
    Ok(layers)
}

/// Strongly connected components, those that others point to first.
fn components(edges: &IdVec<AtomId, Vec<(AtomId, bool)>>) -> Vec<Vec<AtomId>> {
    let mut order: IdVec<AtomId, Option<usize>> = IdVec::filled(None, edges.len());
    let mut low: IdVec<AtomId, usize> = IdVec::filled(0, edges.len());
    let mut on_stack: IdVec<AtomId, bool> = IdVec::filled(false, edges.len());
    let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0);
    for root in edges.ids() {
        if order[root].is_some() || edges[root].is_empty() {
            continue;
        }
        // Atoms on the way from the root, each with the number of its next edge.
        let mut way: Vec<(AtomId, usize)> = vec![(root, 0)];
        while let Some(&(atom, next)) = way.last() {
            if next == 0 {
                order[atom] = Some(count);
                low[atom] = count;
                count += 1;
                stack.push(atom);
                on_stack[atom] = true;
            }
            if let Some(&(below, _)) = edges[atom].get(next) {
                let last = way.len() - 1;
                way[last].1 += 1;
                match order[below] {
                    None => way.push((below, 0)),
                    Some(seen) if on_stack[below] => low[atom] = low[atom].min(seen),
                    Some(_) => {}
                }
                continue;
            }
            way.pop();
            if let Some(&(above, _)) = way.last() {
                low[above] = low[above].min(low[atom]);
            }
            if order[atom] == Some(low[atom]) {
                let start = stack.iter().rposition(|&member| member == atom).expect("it was pushed");
                let members: Vec<AtomId> = stack.split_off(start);
                members.iter().for_each(|&member| on_stack[member] = false);
                found.push(members);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use counterplay_base::Id;

    use super::*;
    use crate::propositional::{Axiom, Literal};

    /// Atoms 1, 2, … are derived; each rule is a head and its body, negative numbers for negations.
    fn layers(rules: &[(usize, &[i32])]) -> Option<Vec<u32>> {
        let mut problem = Propositional::default();
        for _ in 0..6 {
            problem.auxiliary();
        }
        for (head, body) in rules {
            let atom = |number: i32| AtomId::new(number.unsigned_abs() as usize);
            let literals: Vec<Literal> = body.iter().map(|&b| Literal::new(atom(b), b > 0)).collect();
            let body = problem.store(&literals);
            problem.axioms.push(Axiom { body, head: AtomId::new(*head) });
        }
        stratify(&problem).ok().map(|layers| layers.iter().copied().collect())
    }

    #[test]
    fn negation_goes_one_layer_up() {
        let found = layers(&[(1, &[2]), (2, &[1]), (3, &[-1]), (4, &[3, -2]), (5, &[4])]);
        assert_eq!(found, Some(vec![0, 0, 0, 1, 1, 1]));
    }

    #[test]
    fn negation_in_a_cycle_is_found() {
        assert_eq!(layers(&[(1, &[2]), (2, &[-1])]), None);
        assert_eq!(layers(&[(1, &[-1])]), None);
    }
}
