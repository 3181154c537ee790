//! A plan with its decomposition, and the text of the planning competition of 2020.

use std::fmt::Write;

use crate::lifted::Method;
use crate::prepared::{PreparedProblem, Task};
use counterplay_tasknet::network::Networks;

/// What was chosen for a task at a position of the network's front.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Decision {
    /// It is an action, and was done.
    Do(usize),
    /// It was refined by a method under a binding.
    Refine(usize, usize, Vec<u32>),
    /// It comes before all others.
    Select(usize),
}

/// Actions in order, and how they come from the tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The nodes of the initial network.
    pub(crate) roots: Vec<usize>,
    pub(crate) binding: Vec<u32>,
    pub(crate) nodes: Vec<PlanNode>,
    /// The nodes that are actions, in the order of time.
    pub(crate) steps: Vec<usize>,
}

/// One task of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlanNode {
    pub(crate) task: Task,
    /// Method, binding and subtasks; `None` for an action.
    pub(crate) refined: Option<(usize, Vec<u32>, Vec<usize>)>,
}

impl Plan {
    /// The plan that a list of decisions makes.
    pub(crate) fn replay(known: &PreparedProblem<'_>, binding: Vec<u32>, decisions: &[Decision]) -> Plan {
        let mut plan = Plan { roots: Vec::new(), binding, nodes: Vec::new(), steps: Vec::new() };
        let initial = &known.lifted.initial;
        plan.roots = plan.add(known, initial, &plan.binding.clone());
        let mut networks: Networks<usize> = Networks::new();
        let nothing = networks.empty();
        let mut network = networks.before(plan.roots.clone(), initial.network.after.as_deref(), nothing);
        for decision in decisions {
            match decision {
                Decision::Do(position) => {
                    plan.steps
                        .push(*networks.ready(network, *position).expect("each decision is about a task"));
                    network = networks.done(network, *position);
                }
                Decision::Select(position) => network = networks.selected(network, *position),
                Decision::Refine(position, method, binding) => {
                    let node = *networks.ready(network, *position).expect("each decision is about a task");
                    let own = &known.lifted.methods[*method];
                    let children = plan.add(known, own, binding);
                    network =
                        networks.refined(network, *position, children.clone(), own.network.after.as_deref());
                    plan.nodes[node].refined = Some((*method, binding.clone(), children));
                }
            }
        }
        debug_assert!(networks.is_empty(network), "a plan leaves nothing to do");
        plan
    }

    /// Adds the subtasks of a network.
    pub(crate) fn add(
        &mut self,
        known: &PreparedProblem<'_>,
        method: &Method,
        binding: &[u32],
    ) -> Vec<usize> {
        let first = self.nodes.len();
        self.nodes.extend(known.subtasks(method, binding).map(|task| PlanNode { task, refined: None }));
        (first..self.nodes.len()).collect()
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether nothing has to be done.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The actions in order, without parentheses.
    pub fn actions(&self, known: &PreparedProblem<'_>) -> Vec<String> {
        self.steps.iter().map(|&node| known.task_words(self.nodes[node].task)).collect()
    }

    /// The plan in the format of the International Planning Competition of 2020: actions by number, the roots,
    /// and for each compound task its method and the numbers of its subtasks. These are listed in an order that the method
    /// allows, which need not be that of the file: verifiers take the order of the numbers for one.
    pub fn to_text(&self, known: &PreparedProblem<'_>) -> String {
        let mut numbers = vec![0; self.nodes.len()];
        let mut text = "==>\n".to_owned();
        for (number, &node) in self.steps.iter().enumerate() {
            numbers[node] = number;
        }
        let mut next = self.steps.len();
        for (node, number) in self.nodes.iter().zip(&mut numbers) {
            if node.refined.is_some() {
                *number = next;
                next += 1;
            }
        }
        let mut line = |arguments: std::fmt::Arguments<'_>| {
            writeln!(text, "{arguments}").expect("writing to a string cannot fail");
        };
        for &node in &self.steps {
            line(format_args!("{} {}", numbers[node], known.task_words(self.nodes[node].task)));
        }
        let list =
            |nodes: &[usize]| nodes.iter().map(|&node| format!(" {}", numbers[node])).collect::<String>();
        line(format_args!("root{}", list(&self.roots)));
        for (node, number) in self.nodes.iter().zip(&numbers) {
            if let Some((method, _, children)) = &node.refined {
                let method = &known.lifted.methods[*method];
                let words = known.task_words(node.task);
                line(format_args!("{number} {words} -> {}{}", method.name, list(children)));
            }
        }
        line(format_args!("<=="));
        text
    }
}
