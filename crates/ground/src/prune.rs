//! What can be true and what can be false, atom by atom.
//!
//! Relaxed reachability once more, now over ground operators and with a truth value of its own for "false":
//! an atom can be false if it starts so or some reachable effect deletes it. This is exact about universal
//! and negated conditions, which the lifted exploration takes for granted. Atoms that keep their value
//! leave the problem, and so do operators, effects and axioms that can never happen.

use counterplay_base::{Budget, BudgetPoll, IdVec, Limit};

use crate::propositional::{AtomId, Axiom, Effect, Literal, Operator, Propositional, Soft, Stretch};

/// Removes what cannot happen and what cannot change. The atoms in `never` are known to stay false.
pub(crate) fn prune(
    problem: &Propositional,
    never: &[AtomId],
    budget: &Budget,
) -> Result<Propositional, Limit> {
    let network = Dependencies::new(problem);
    let mut excluded = vec![false; problem.atoms.len() * 2];
    for &atom in never {
        excluded[Literal::new(atom, true).index()] = true;
    }
    loop {
        let reached = network.reach(problem, &excluded, budget)?;
        // An axiom whose body always holds makes its head always true, which may rule out more.
        if !network.exclude_negations(problem, &reached, &mut excluded) {
            return Ok(rebuild(problem, &reached));
        }
    }
}

/// Operators, effects and axioms as nodes that fire once all their literals have been reached.
struct Dependencies {
    /// How many literals (and, for an effect, its operator) each node waits for.
    waits: Vec<u32>,
    /// For each literal the nodes that wait for it: `nodes[start[l]..start[l + 1]]`.
    start: Vec<u32>,
    nodes: Vec<u32>,
    /// First node that is an effect; first that is an axiom.
    effects: usize,
    axioms: usize,
}

impl Dependencies {
    fn new(problem: &Propositional) -> Dependencies {
        let effects = problem.operators.len();
        let axioms = effects + problem.effects.len();
        let lists = || {
            let operators = problem.operators.iter().map(|operator| operator.precondition);
            let effects = problem.effects.iter().map(|effect| effect.condition);
            operators.chain(effects).chain(problem.axioms.iter().map(|axiom| axiom.body))
        };
        let mut waits: Vec<u32> = lists().map(|list| list.range().len() as u32).collect();
        waits[effects..axioms].iter_mut().for_each(|waits| *waits += 1);
        let mut start = vec![0u32; problem.atoms.len() * 2 + 1];
        for list in lists() {
            for literal in problem.list(list) {
                start[literal.index() + 1] += 1;
            }
        }
        for at in 1..start.len() {
            start[at] += start[at - 1];
        }
        let mut next = start.clone();
        let mut nodes = vec![0u32; start[start.len() - 1] as usize];
        for (node, list) in lists().enumerate() {
            for literal in problem.list(list) {
                nodes[next[literal.index()] as usize] = node as u32;
                next[literal.index()] += 1;
            }
        }
        Dependencies { waits, start, nodes, effects, axioms }
    }

    /// Which literals can become true, except those that are known not to.
    fn reach(&self, problem: &Propositional, excluded: &[bool], budget: &Budget) -> Result<Vec<bool>, Limit> {
        let mut poll = BudgetPoll::every(4096);
        let mut waits = self.waits.clone();
        let mut reached = vec![false; problem.atoms.len() * 2];
        let mut open: Vec<Literal> = Vec::new();
        for (atom, &initial) in problem.initial.enumerate() {
            let literal = Literal::new(atom, initial && !problem.derived[atom]);
            if !excluded[literal.index()] {
                reached[literal.index()] = true;
                open.push(literal);
            }
        }
        let mut fired: Vec<u32> = (0..waits.len() as u32).filter(|&node| waits[node as usize] == 0).collect();
        loop {
            while let Some(node) = fired.pop() {
                poll.step(budget)?;
                let node = node as usize;
                let literal = if node < self.effects {
                    let effects = problem.operators[node].effects.range();
                    for effect in effects.map(|at| self.effects + at) {
                        waits[effect] -= 1;
                        if waits[effect] == 0 {
                            fired.push(effect as u32);
                        }
                    }
                    continue;
                } else if node < self.axioms {
                    problem.effects[node - self.effects].literal
                } else {
                    Literal::new(problem.axioms[node - self.axioms].head, true)
                };
                if !reached[literal.index()] && !excluded[literal.index()] {
                    reached[literal.index()] = true;
                    open.push(literal);
                }
            }
            let Some(literal) = open.pop() else { return Ok(reached) };
            for &node in self.waiting_for(literal) {
                waits[node as usize] -= 1;
                if waits[node as usize] == 0 {
                    fired.push(node);
                }
            }
        }
    }

    /// Excludes the negations of derived atoms that always hold; whether there was a new one.
    fn exclude_negations(&self, problem: &Propositional, reached: &[bool], excluded: &mut [bool]) -> bool {
        let mut waits = self.waits.clone();
        let mut found = false;
        let atoms = problem.atoms.ids();
        let both = atoms.flat_map(|atom| [true, false].map(|truth| Literal::new(atom, truth)));
        let mut open: Vec<Literal> = both.filter(|l| !reached[l.negated().index()]).collect();
        let facts = (self.axioms..waits.len()).filter(|&node| waits[node] == 0);
        let mut fired: Vec<usize> = facts.collect();
        loop {
            while let Some(node) = fired.pop() {
                let head = Literal::new(problem.axioms[node - self.axioms].head, true);
                if reached[head.negated().index()] && !excluded[head.negated().index()] {
                    excluded[head.negated().index()] = true;
                    found = true;
                    open.push(head);
                }
            }
            let Some(literal) = open.pop() else { return found };
            for node in self.waiting_for(literal).iter().map(|&node| node as usize) {
                if node >= self.axioms {
                    waits[node] -= 1;
                    if waits[node] == 0 {
                        fired.push(node);
                    }
                }
            }
        }
    }

    fn waiting_for(&self, literal: Literal) -> &[u32] {
        &self.nodes[self.start[literal.index()] as usize..self.start[literal.index() + 1] as usize]
    }
}

/// The problem without constant atoms and without what never happens.
fn rebuild(problem: &Propositional, reached: &[bool]) -> Propositional {
    let keeps_idle = problem.keeps_idle;
    let mut out = Propositional { costs: problem.costs.clone(), keeps_idle, ..Propositional::default() };
    let mut number: IdVec<AtomId, Option<AtomId>> = IdVec::new();
    for (atom, &origin) in problem.atoms.enumerate() {
        let changes = [true, false].map(|truth| reached[Literal::new(atom, truth).index()]) == [true; 2];
        number.push(changes.then(|| {
            out.initial.push(problem.initial[atom]);
            out.derived.push(problem.derived[atom]);
            out.atoms.push(origin)
        }));
    }
    let rename =
        |literal: Literal| number[literal.atom()].map(|atom| Literal::new(atom, literal.is_positive()));
    // The list without what always holds; `None` if it never does.
    let restrict = |list: Stretch, out: &mut Propositional| {
        let literals = problem.list(list);
        literals.iter().all(|literal| reached[literal.index()]).then(|| {
            let start = out.literals.len();
            out.literals.extend(literals.iter().filter_map(|&literal| rename(literal)));
            Stretch { start, end: out.literals.len() }
        })
    };
    for operator in &problem.operators {
        let Some(precondition) = restrict(operator.precondition, &mut out) else { continue };
        let start = out.effects.len();
        for effect in problem.effects_of(operator) {
            if let Some(literal) = rename(effect.literal)
                && let Some(condition) = restrict(effect.condition, &mut out)
            {
                out.effects.push(Effect { condition, literal });
            }
        }
        let effects = Stretch { start, end: out.effects.len() };
        if !effects.is_empty() || keeps_idle {
            out.operators.push(Operator { precondition, effects, ..*operator });
        }
    }
    for axiom in &problem.axioms {
        if let Some(head) = number[axiom.head]
            && let Some(body) = restrict(axiom.body, &mut out)
        {
            out.axioms.push(Axiom { body, head });
        }
    }
    let goal = problem.goal.as_ref().filter(|goal| goal.iter().all(|literal| reached[literal.index()]));
    out.goal = goal.map(|goal| goal.iter().filter_map(|&literal| rename(literal)).collect());
    for soft in &problem.soft {
        let possible = |list: &&Vec<Literal>| list.iter().all(|literal| reached[literal.index()]);
        let lists = soft.alternatives.iter().filter(possible);
        let alternatives =
            lists.map(|list| list.iter().filter_map(|&literal| rename(literal)).collect()).collect();
        out.soft.push(Soft { alternatives, weight: soft.weight });
    }
    out
}
