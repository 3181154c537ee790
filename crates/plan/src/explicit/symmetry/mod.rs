//! Symmetries of a task (Shleyfman, Katz, Helmert, Sievers and Wehrle, AAAI 2015), and states up to symmetry
//! (orbit space search: Domshlak, Katz and Shleyfman 2015).
//!
//! A symmetry permutes variables, their values and the operators such that preconditions, effects, costs and the
//! goal stay what they are. States that a symmetry maps onto each other are equally far from the goal, so the search
//! keeps one of them: it applies each generator as long as that makes the state smaller. This need not find the least
//! state of the orbit, but always finds one of the orbit, which is all that correctness needs.
//!
//! Symmetries are the automorphisms of a graph with a vertex for each variable, fact and operator. They need not
//! keep the initial state. Tasks with conditional effects or axioms are left alone.

mod automorphism;
mod partition;

use counterplay_base::{Id, IdVec};
use counterplay_task::{Fact, OpId, Task, Value, VarId};

use partition::Graph;

/// Generators of the symmetries of a task.
#[derive(Debug)]
pub(super) struct Symmetries {
    generators: Vec<Generator>,
}

#[derive(Debug)]
struct Generator {
    /// The variables it changes, in order.
    moves: Vec<Move>,
    /// New values of moved variables, by old values.
    values: Vec<Value>,
    /// The image of each operator, and what each operator is the image of.
    operators: IdVec<OpId, OpId>,
    origins: IdVec<OpId, OpId>,
}

/// A variable of the image takes its value from a variable of the original.
#[derive(Clone, Copy, Debug)]
struct Move {
    to: VarId,
    from: VarId,
    /// Value `x` of `from` becomes `values[start + x]`.
    start: u32,
}

impl Symmetries {
    /// Finds symmetries of a task; `None` if there are none, or none can be found with `most_work` steps.
    pub(super) fn find(task: &Task, most_work: u64) -> Option<Symmetries> {
        if task.has_conditional_effects() || !task.axioms.is_empty() {
            return None;
        }
        let numbering = Numbering::new(task);
        let graph = numbering.graph(task);
        let images = automorphism::generators(&graph, numbering.first_op, most_work);
        let generators: Vec<Generator> = images
            .iter()
            .map(|image| numbering.generator(task, image))
            .filter(|generator| !generator.moves.is_empty())
            .collect();
        (!generators.is_empty()).then_some(Symmetries { generators })
    }

    /// Replaces a state by one that is symmetric to it, the same for most states of an orbit. Appends the generators
    /// that were applied to `applied`.
    pub(super) fn canonicalize(&self, state: &mut IdVec<VarId, Value>, applied: &mut Vec<u32>) {
        let mut buffer = Vec::new();
        // Ends when a whole round has changed nothing.
        let (mut unchanged, mut next) = (0, 0);
        while unchanged < self.generators.len() {
            if self.generators[next].makes_smaller(state) {
                self.generators[next].apply(state, &mut buffer);
                applied.push(next as u32);
                unchanged = 0;
            } else {
                unchanged += 1;
            }
            next = (next + 1) % self.generators.len();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.generators.len()
    }

    /// The image of an operator under a generator.
    pub(super) fn image(&self, generator: u32, op: OpId) -> OpId {
        self.generators[generator as usize].operators[op]
    }

    /// The operator whose image under a generator is `op`.
    pub(super) fn origin(&self, generator: u32, op: OpId) -> OpId {
        self.generators[generator as usize].origins[op]
    }
}

impl Generator {
    /// Whether the image of a state comes before it in lexicographic order.
    fn makes_smaller(&self, state: &IdVec<VarId, Value>) -> bool {
        for &Move { to, from, start } in &self.moves {
            let new = self.values[(start + state[from]) as usize];
            if new != state[to] {
                return new < state[to];
            }
        }
        false
    }

    fn apply(&self, state: &mut IdVec<VarId, Value>, buffer: &mut Vec<Value>) {
        buffer.clear();
        buffer.extend(self.moves.iter().map(|m| self.values[(m.start + state[m.from]) as usize]));
        for (m, &value) in self.moves.iter().zip(buffer.iter()) {
            state[m.to] = value;
        }
    }
}

/// The vertices of the graph: variables, then facts, then operators.
struct Numbering {
    first_fact: IdVec<VarId, u32>,
    first_op: u32,
}

impl Numbering {
    fn new(task: &Task) -> Numbering {
        let mut next = task.variables.len() as u32;
        let first_fact = task
            .variables
            .ids()
            .map(|var| {
                next += task.domain_size(var);
                next - task.domain_size(var)
            })
            .collect();
        Numbering { first_fact, first_op: next }
    }

    fn fact(&self, fact: Fact) -> u32 {
        self.first_fact[fact.var] + fact.value
    }

    fn op(&self, op: OpId) -> u32 {
        self.first_op + op.index() as u32
    }

    fn graph(&self, task: &Task) -> Graph {
        const VARIABLE: u64 = 0;
        const FACT: u64 = 1;
        const GOAL: u64 = 2;
        let mut colours = vec![VARIABLE; task.variables.len()];
        colours.resize(self.first_op as usize, FACT);
        for &fact in &task.goal {
            colours[self.fact(fact) as usize] = GOAL;
        }
        colours.extend(task.operators.iter().map(|op| op.cost.saturating_add(GOAL + 1)));
        let (mut of_variable, mut preconditions, mut effects) = (Vec::new(), Vec::new(), Vec::new());
        for var in task.variables.ids() {
            let facts = (0..task.domain_size(var)).map(|value| Fact { var, value });
            of_variable.extend(facts.map(|fact| (var.index() as u32, self.fact(fact))));
        }
        for (op, operator) in task.operators.enumerate() {
            let vertex = self.op(op);
            preconditions.extend(operator.precondition.iter().map(|&fact| (vertex, self.fact(fact))));
            effects.extend(operator.effects.iter().map(|effect| (vertex, self.fact(effect.fact))));
        }
        Graph::new(colours, &[of_variable, preconditions, effects])
    }

    fn generator(&self, task: &Task, image: &[u32]) -> Generator {
        let (mut moves, mut values) = (Vec::new(), Vec::new());
        for from in task.variables.ids() {
            let to = VarId::new(image[from.index()] as usize);
            let new = (0..task.domain_size(from))
                .map(|value| image[self.fact(Fact { var: from, value }) as usize] - self.first_fact[to]);
            if to != from || new.clone().enumerate().any(|(old, new)| old as u32 != new) {
                moves.push(Move { to, from, start: values.len() as u32 });
                values.extend(new);
            }
        }
        moves.sort_unstable_by_key(|m| m.to);
        let operators: IdVec<OpId, OpId> = task
            .operators
            .ids()
            .map(|op| OpId::new((image[self.op(op) as usize] - self.first_op) as usize))
            .collect();
        let mut origins = operators.clone();
        for (op, &image) in operators.enumerate() {
            origins[image] = op;
        }
        Generator { moves, values, operators, origins }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_task::apply;
    use counterplay_testkit::{random_symmetric_task, reachable};

    #[test]
    fn symmetries_commute_with_operators() {
        let mut some = 0;
        for seed in 0..40 {
            let task = random_symmetric_task(seed);
            let symmetries = Symmetries::find(&task, u64::MAX).expect("copies are symmetric");
            let mut buffer = Vec::new();
            for state in reachable(&task).iter().take(50) {
                for (i, generator) in symmetries.generators.iter().enumerate() {
                    let mut image = state.clone();
                    generator.apply(&mut image, &mut buffer);
                    assert_eq!(generator.makes_smaller(state), image.as_slice() < state.as_slice());
                    assert_eq!(
                        counterplay_task::is_goal(&task, state),
                        counterplay_task::is_goal(&task, &image)
                    );
                    for op in task.operators.ids() {
                        let op_image = symmetries.image(i as u32, op);
                        assert_eq!(symmetries.origin(i as u32, op_image), op);
                        assert_eq!(task.operators[op].cost, task.operators[op_image].cost);
                        let applicable = counterplay_task::is_applicable(&task, state, op);
                        assert_eq!(applicable, counterplay_task::is_applicable(&task, &image, op_image));
                        if applicable {
                            let mut after = apply(&task, state, op);
                            generator.apply(&mut after, &mut buffer);
                            assert_eq!(after, apply(&task, &image, op_image), "seed {seed}");
                            some += 1;
                        }
                    }
                }
            }
        }
        assert!(some > 1000);
    }

    #[test]
    fn canonical_states_do_not_change_again() {
        for seed in 0..40 {
            let task = random_symmetric_task(seed);
            let symmetries = Symmetries::find(&task, u64::MAX).expect("copies are symmetric");
            for state in reachable(&task).iter().take(50) {
                let (mut canonical, mut applied) = (state.clone(), Vec::new());
                symmetries.canonicalize(&mut canonical, &mut applied);
                assert!(canonical.as_slice() <= state.as_slice());
                applied.clear();
                symmetries.canonicalize(&mut canonical, &mut applied);
                assert!(applied.is_empty());
            }
        }
    }
}
