//! Know-how: what can be done about a task.
//!
//! A task is either carried out by one operation or refined by a method into further tasks. A method counts
//! together with its binding: two instances of one method with different values are two ways.

use std::fmt::Debug;

use crate::TaskWorld;

/// Tasks and the ways to carry them out, in one kind of world.
pub trait Knowledge: Sized {
    /// What the tasks are carried out in.
    type World: TaskWorld;
    /// One task with its arguments. An agent's name may be part of it.
    type Task: Clone + Debug;
    /// One method with its binding: what makes two ways different, and what an explanation names.
    type Method: Clone + Debug;
    /// The ways of one compound task, tried in this order and made only as far as they are asked for.
    type Ways: Iterator<Item = Way<Self>>;

    /// What can be done about a task. Ways that cannot work in `world` may be left out, and must be left out
    /// or guarded.
    fn refine(&self, world: &Self::World, task: &Self::Task) -> Refinement<Self>;

    /// A task in the words of its field.
    fn task_words(&self, task: &Self::Task) -> String {
        format!("{task:?}")
    }

    /// Which method, which binding, and why it could be used.
    fn explain(&self, method: &Self::Method) -> Explanation {
        Explanation { method: format!("{method:?}"), ..Explanation::default() }
    }
}

/// What can be done about a task.
pub enum Refinement<K: Knowledge> {
    /// It is carried out by this operation.
    Do(<K::World as TaskWorld>::Op),
    /// One of these ways carries it out.
    By(K::Ways),
}

/// One way to carry out a compound task: where the guard holds, do the subtasks in order.
pub struct Way<K: Knowledge> {
    /// The method and its binding.
    pub method: K::Method,
    /// Where it may be used; without one, wherever it was offered.
    pub guard: Option<<K::World as TaskWorld>::Guard>,
    /// What remains to be done, in order.
    pub subtasks: Vec<K::Task>,
}

/// Why a task was refined as it was, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// Name of the method.
    pub method: String,
    /// Its variables and their values, those of the task itself left out.
    pub binding: Vec<(String, String)>,
    /// The conditions that held under that binding.
    pub because: Vec<String>,
}
