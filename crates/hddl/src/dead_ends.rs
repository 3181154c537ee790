//! Dead ends: which goal atoms a network can still make true.
//!
//! An atom of the goal that is false and that no task of the network can add will stay false, so the search may
//! turn back at once instead of at the end. What a task can add is found for symbols, not for ground tasks: an
//! added atom's arguments are arguments of the task, fixed objects, or anything. The answer is never too
//! pessimistic.

use counterplay_base::Id;
use rustc_hash::FxHashSet;

use crate::facts::State;
use crate::lifted::{Arg, HddlProblem, Packing, Tuple};
use crate::prepared::Task;
use counterplay_tasknet::network::{NetworkId, Networks};

/// An argument of an atom that a symbol can add.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Slot {
    /// The same as an argument of the task.
    Same(usize),
    Object(u32),
    /// Any object.
    Any,
}

/// An atom that a symbol can add: a predicate and its arguments.
type Pattern = (usize, Vec<Slot>);

/// Objects that stand at places of a task's arguments.
type Wanted = Vec<(usize, u32)>;

/// The goal atoms, and what networks can do about them. Only the first 128 are watched.
#[derive(Debug)]
pub(crate) struct DeadEndTest {
    packing: Packing,
    goals: Vec<(usize, Tuple)>,
    /// By symbol: for each goal atom that it can add, the arguments that the task must then have.
    wanted: Vec<Vec<(usize, Wanted)>>,
    /// By network, as far as they have been asked for: the goal atoms it can add.
    addable: Vec<u128>,
}

impl DeadEndTest {
    pub(crate) fn new(lifted: &HddlProblem) -> DeadEndTest {
        let fixed = lifted
            .goal
            .literals
            .iter()
            .filter(|literal| literal.positive && lifted.is_fluent[literal.predicate]);
        let goals: Vec<(usize, Tuple)> = fixed
            .filter_map(|literal| {
                let objects: Option<Vec<u32>> = literal.arguments.iter().map(|&arg| object(arg)).collect();
                Some((literal.predicate, lifted.packing.pack(objects?.into_iter())))
            })
            .take(128)
            .collect();
        if goals.is_empty() {
            return DeadEndTest {
                packing: lifted.packing.clone(),
                goals,
                wanted: Vec::new(),
                addable: Vec::new(),
            };
        }
        let patterns = patterns(lifted);
        let wanted = patterns.iter().map(|patterns| {
            let mut wanted = Vec::new();
            for (at, &(predicate, tuple)) in goals.iter().enumerate() {
                let fitting = patterns.iter().filter(|(own, _)| *own == predicate);
                wanted
                    .extend(fitting.filter_map(|(_, slots)| Some((at, fit(slots, &lifted.packing, tuple)?))));
            }
            wanted.sort();
            wanted.dedup();
            wanted
        });
        DeadEndTest { packing: lifted.packing.clone(), wanted: wanted.collect(), goals, addable: vec![0] }
    }

    /// Whether a goal atom is false in a state and out of reach of a network.
    pub(crate) fn is_dead_end(
        &mut self,
        state: &State,
        networks: &Networks<Task>,
        network: NetworkId,
    ) -> bool {
        if self.goals.is_empty() {
            return false;
        }
        while self.addable.len() <= network.index() {
            let next = NetworkId::new(self.addable.len());
            let rest = self.addable[networks.rest(next).index()];
            let all = networks.front(next).fold(rest, |all, &task| all | self.of_task(task));
            self.addable.push(all);
        }
        let addable = self.addable[network.index()];
        let mut goals = self.goals.iter().enumerate();
        goals.any(|(at, &(predicate, tuple))| addable >> at & 1 == 0 && !state.has(predicate, tuple))
    }

    fn of_task(&self, task: Task) -> u128 {
        let fits = |wanted: &[(usize, u32)]| {
            wanted.iter().all(|&(at, object)| self.packing.unpack(task.arguments, at) == object)
        };
        let wanted = self.wanted[task.symbol as usize].iter().filter(|(_, wanted)| fits(wanted));
        wanted.fold(0, |all, (goal, _)| all | 1 << goal)
    }
}

fn object(arg: Arg) -> Option<u32> {
    match arg {
        Arg::Obj(object) => Some(object),
        Arg::Var(_) => None,
    }
}

/// The arguments that a task must have for a pattern to be an atom.
fn fit(slots: &[Slot], packing: &Packing, tuple: Tuple) -> Option<Wanted> {
    let mut wanted = Vec::new();
    for (at, slot) in slots.iter().enumerate() {
        match *slot {
            Slot::Same(place) => wanted.push((place, packing.unpack(tuple, at))),
            Slot::Object(object) if object != packing.unpack(tuple, at) => return None,
            Slot::Object(_) | Slot::Any => {}
        }
    }
    Some(wanted)
}

/// What each symbol can add, by going round until nothing new comes up.
fn patterns(lifted: &HddlProblem) -> Vec<FxHashSet<Pattern>> {
    let mut patterns: Vec<FxHashSet<Pattern>> = vec![FxHashSet::default(); lifted.methods_of.len()];
    for (action, patterns) in lifted.actions.iter().zip(&mut patterns) {
        for change in action.outcomes.iter().flatten().filter(|change| change.literal.positive) {
            let slots = change.literal.arguments.iter().map(|&arg| match arg {
                Arg::Var(variable) if (variable as usize) < action.parameters => {
                    Slot::Same(variable as usize)
                }
                Arg::Var(_) => Slot::Any,
                Arg::Obj(object) => Slot::Object(object),
            });
            patterns.insert((change.literal.predicate, slots.collect()));
        }
    }
    loop {
        let mut changed = false;
        for method in &lifted.methods {
            let place = |arg: Arg| match arg {
                Arg::Obj(object) => Slot::Object(object),
                variable => {
                    method.arguments.iter().position(|&own| own == variable).map_or(Slot::Any, Slot::Same)
                }
            };
            for (symbol, arguments) in &method.network.subtasks {
                let inherited: Vec<Pattern> = patterns[*symbol]
                    .iter()
                    .map(|(predicate, slots)| {
                        let slots = slots.iter().map(|slot| match *slot {
                            Slot::Same(at) => place(arguments[at]),
                            slot => slot,
                        });
                        (*predicate, slots.collect())
                    })
                    .collect();
                for pattern in inherited {
                    changed |= patterns[method.symbol].insert(pattern);
                }
            }
        }
        if !changed {
            return patterns;
        }
    }
}
