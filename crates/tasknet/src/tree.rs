//! A decomposition tree, and its readable text.

use std::fmt::Write;

use counterplay_base::{IdVec, id};

use crate::{Explanation, Knowledge, TaskWorld};

id! {
    /// One task of a decomposition tree.
    pub struct NodeId;
}

/// Who did what: each task with what was chosen for it.
pub struct DecompositionTree<K: Knowledge> {
    /// The tasks of the initial agenda.
    pub roots: Vec<NodeId>,
    /// All tasks, by order of appearance.
    pub nodes: IdVec<NodeId, DecompositionNode<K>>,
    /// The nodes that were carried out, in order of time.
    pub done: Vec<NodeId>,
}

/// One task of a tree.
pub struct DecompositionNode<K: Knowledge> {
    pub task: K::Task,
    /// What became of it; `None` if the decomposition ends before its turn.
    pub decomposed: Option<Decomposed<K>>,
}

/// What became of a task.
pub enum Decomposed<K: Knowledge> {
    /// It was carried out.
    Done(<K::World as TaskWorld>::Op),
    /// It was refined by a method into the tasks of these nodes.
    Refined(K::Method, Vec<NodeId>),
}

impl<K: Knowledge> DecompositionTree<K> {
    /// The nodes from the roots down, each before its subtasks, with their depth. Uses a stack of its own.
    pub fn walk(&self) -> Vec<(usize, NodeId)> {
        let mut found = Vec::with_capacity(self.nodes.len());
        let mut open: Vec<(usize, NodeId)> = self.roots.iter().rev().map(|&root| (0, root)).collect();
        while let Some((depth, id)) = open.pop() {
            found.push((depth, id));
            if let Some(Decomposed::Refined(_, children)) = &self.nodes[id].decomposed {
                open.extend(children.iter().rev().map(|&child| (depth + 1, child)));
            }
        }
        found
    }

    /// An indented text, a line for each task: carried out, or by which method, with which values, and why.
    pub fn to_text(&self, knowledge: &K) -> String {
        let mut text = String::new();
        for (depth, id) in self.walk() {
            let node = &self.nodes[id];
            let words = knowledge.task_words(&node.task);
            let pad = "  ".repeat(depth);
            match &node.decomposed {
                None => writeln!(text, "{pad}? {words}"),
                Some(Decomposed::Done(_)) => writeln!(text, "{pad}! {words}"),
                Some(Decomposed::Refined(method, _)) => {
                    writeln!(text, "{pad}{words}  <- {}", knowledge.explain(method).to_text())
                }
            }
            .expect("writing to a string cannot fail");
        }
        text
    }
}

impl Explanation {
    /// On one line: `method with ?x = a because (p a), (q a)`.
    pub fn to_text(&self) -> String {
        let mut text = self.method.clone();
        if !self.binding.is_empty() {
            let values: Vec<String> =
                self.binding.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            text += &format!(" with {}", values.join(", "));
        }
        if !self.because.is_empty() {
            text += &format!(" because {}", self.because.join(", "));
        }
        text
    }
}
