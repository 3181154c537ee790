//! HDDL methods as [`Knowledge`] of `counterplay-tasknet`: for explanations, and for the plain twin of the searches
//! in the tests.

use std::sync::Arc;

use counterplay_base::{Id, IdVec};
use counterplay_pddl::model::{Condition, MethodId, ObjectId};
use counterplay_pddl::print::{Binding, Printer};

use crate::facts::State;
use crate::plan::Plan;
use crate::prepared::{PreparedProblem, Task};
use crate::unify::{Match, literal_holds};
use counterplay_tasknet::tree::{Decomposed, DecompositionNode};
use counterplay_tasknet::{
    DecompositionTree, Explanation, Knowledge, NodeId, Outcomes, Refinement, TaskWorld, Way,
};

/// A state of an HDDL problem, as a world to decompose in.
#[derive(Clone)]
pub struct Situation<'k> {
    known: &'k PreparedProblem<'k>,
    state: Arc<State>,
}

impl<'k> Situation<'k> {
    pub fn initial(known: &'k PreparedProblem<'k>) -> Situation<'k> {
        Situation { known, state: Arc::new(State::initial(known.lifted)) }
    }

    /// Whether the goal formula holds.
    pub fn is_goal(&self) -> bool {
        self.known.is_goal(&self.state)
    }
}

/// A method with the values of its parameters.
pub(crate) type Instance = (usize, Vec<u32>);

impl TaskWorld for Situation<'_> {
    type Guard = Instance;
    type Op = Task;

    fn split(&self, (method, binding): &Instance) -> (Option<Self>, Option<Self>) {
        let rule = &self.known.lifted.methods[*method].rule;
        let now = self.known.now(&self.state);
        let holds = rule.literals.iter().all(|literal| literal_holds(literal, binding, &now));
        if holds { (Some(self.clone()), None) } else { (None, Some(self.clone())) }
    }

    fn apply(&self, task: &Task) -> Outcomes<Self> {
        if !self.known.is_applicable(&self.known.now(&self.state), *task) {
            return Outcomes::None;
        }
        let count = self.known.lifted.actions[task.symbol as usize].outcomes.len();
        let after = |outcome| Situation {
            known: self.known,
            state: Arc::new(self.known.successor(&self.state, *task, outcome)),
        };
        (0..count).map(after).collect()
    }
}

/// The methods of a problem.
#[derive(Clone, Copy, Debug)]
pub struct Methods<'k>(pub &'k PreparedProblem<'k>);

/// The ways of one task in one state.
pub struct TaskWays<'k> {
    world: Situation<'k>,
    task: Task,
    method: usize,
    matching: Option<Match>,
}

impl<'k> Iterator for TaskWays<'k> {
    type Item = Way<Methods<'k>>;

    fn next(&mut self) -> Option<Self::Item> {
        let known = self.world.known;
        while let Some(&method) = known.lifted.methods_of[self.task.symbol as usize].get(self.method) {
            if self.matching.is_none() {
                self.matching = known.open(method, self.task);
            }
            if let Some(matching) = &mut self.matching
                && matching.advance(known.matcher(method), &known.now(&self.world.state))
            {
                let own = &known.lifted.methods[method];
                let binding = matching.binding[..own.parameters].to_vec();
                let subtasks = known.subtasks(own, &binding).collect();
                return Some(Way { method: (method, binding), guard: None, subtasks });
            }
            self.matching = None;
            self.method += 1;
        }
        None
    }
}

impl<'k> Knowledge for Methods<'k> {
    type World = Situation<'k>;
    type Task = Task;
    type Method = Instance;
    type Ways = TaskWays<'k>;

    fn refine(&self, world: &Situation<'k>, task: &Task) -> Refinement<Self> {
        if self.0.lifted.is_primitive(task.symbol as usize) {
            return Refinement::Do(*task);
        }
        Refinement::By(TaskWays { world: world.clone(), task: *task, method: 0, matching: None })
    }

    fn task_words(&self, task: &Task) -> String {
        format!("({})", self.0.task_words(*task))
    }

    fn explain(&self, (method, binding): &Instance) -> Explanation {
        let problem = &self.0.lifted.problem;
        let hierarchy = problem.hierarchy.as_ref().expect("methods belong to a hierarchy");
        let own = &hierarchy.methods[MethodId::new(*method)];
        let mut values: Binding = IdVec::filled(None, own.schema.variables.len());
        let ids: Vec<_> = own.schema.variables.ids().collect();
        for (&id, &object) in ids.iter().zip(binding) {
            values[id] = Some(ObjectId::new(object as usize));
        }
        let printer = Printer::new(problem, &own.schema).bound(&values);
        let free = ids
            .iter()
            .zip(binding)
            .filter(|(id, _)| !own.arguments.contains(&counterplay_pddl::model::Term::Variable(**id)));
        let binding = free.map(|(&id, &object)| {
            (own.schema.variables[id].name.clone(), self.0.lifted.object_name(object).to_owned())
        });
        let because = match &own.precondition {
            Condition::And(parts) => parts.iter().map(|part| printer.condition(part)).collect(),
            condition => vec![printer.condition(condition)],
        };
        Explanation { method: own.name.clone(), binding: binding.collect(), because }
    }
}

impl Plan {
    /// The decomposition tree, with the reasons of each choice.
    pub fn tree<'k>(&self) -> DecompositionTree<Methods<'k>> {
        let nodes = self.nodes.iter().map(|node| {
            let decomposed = match &node.refined {
                None => Decomposed::Done(node.task),
                Some((method, binding, children)) => {
                    let children = children.iter().map(|&child| NodeId::new(child)).collect();
                    Decomposed::Refined((*method, binding.clone()), children)
                }
            };
            DecompositionNode { task: node.task, decomposed: Some(decomposed) }
        });
        DecompositionTree {
            nodes: nodes.collect(),
            roots: self.roots.iter().map(|&root| NodeId::new(root)).collect(),
            done: self.steps.iter().map(|&step| NodeId::new(step)).collect(),
        }
    }
}
