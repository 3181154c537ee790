//! Depth-first decomposition with backtracking: the strategy of SHOP.
//!
//! Tasks are decomposed in the order in which they will be carried out, so the world is always known when a
//! method or an operation is tried (Nau, Cao, Lotem and Muñoz-Avila, IJCAI 1999). The choice points live on an
//! explicit stack; however deep methods recurse, the program stack stays flat. Every outcome of an operation
//! with several must be handled by somebody else: here such an operation fails.

use counterplay_base::{Budget, Id, Limit, Pulse, Verdict};

use crate::{Agenda, Knowledge, NodeId, Refinement, Trace, Tree, World};

/// A way through all tasks.
pub struct Decomposition<K: Knowledge> {
    /// The tasks it began with.
    pub roots: Vec<K::Task>,
    /// What was chosen for each task.
    pub trace: Trace<K>,
    /// The world in the end.
    pub world: K::World,
}

impl<K: Knowledge> Decomposition<K>
where
    <K::World as World>::Op: Clone,
{
    /// The operations, in order.
    pub fn ops(&self) -> impl Iterator<Item = <K::World as World>::Op> + use<K> {
        let choices = self.trace.choices().into_iter();
        let ops: Vec<_> = choices
            .filter_map(|(_, choice)| match choice {
                crate::Choice::Done(op) => Some(op.clone()),
                crate::Choice::Refined { .. } => None,
            })
            .collect();
        ops.into_iter()
    }

    /// Its tree.
    pub fn tree(&self) -> Tree<K> {
        Tree::new(&self.roots, &self.trace)
    }
}

/// The part of a search that one choice point remembers.
struct Frame<K: Knowledge> {
    world: K::World,
    node: NodeId,
    rest: Agenda<(NodeId, K::Task)>,
    trace: Trace<K>,
    ways: K::Ways,
}

/// Where the search stands: a world, what is to be done in it, and how it got there.
struct Stand<K: Knowledge> {
    world: K::World,
    agenda: Agenda<(NodeId, K::Task)>,
    trace: Trace<K>,
}

/// The first decomposition, in the order of the ways, after which `accepts` holds of the world.
///
/// Methods that recurse without progress keep it busy until the budget ends: its nodes count the tasks looked
/// at, and the stack of choice points is within its memory.
pub fn decompose<K: Knowledge>(
    knowledge: &K,
    world: K::World,
    agenda: Agenda<K::Task>,
    accepts: impl Fn(&K::World) -> bool,
    budget: &Budget,
) -> Verdict<Decomposition<K>>
where
    <K::World as World>::Op: Clone,
{
    let roots: Vec<K::Task> = agenda.iter().cloned().collect();
    let numbered = roots.iter().cloned().enumerate().map(|(i, task)| (NodeId::new(i), task)).collect();
    let start = Stand { world, agenda: numbered, trace: Trace::new(roots.len()) };
    let found = search(knowledge, start, accepts, budget);
    Verdict::from(found).map(|stand| Decomposition { roots, trace: stand.trace, world: stand.world })
}

fn search<K: Knowledge>(
    knowledge: &K,
    start: Stand<K>,
    accepts: impl Fn(&K::World) -> bool,
    budget: &Budget,
) -> Result<Option<Stand<K>>, Limit>
where
    <K::World as World>::Op: Clone,
{
    let mut pulse = Pulse::every(256);
    let mut seen = 0;
    let mut stack: Vec<Frame<K>> = Vec::new();
    let mut stand = Some(start);
    loop {
        pulse.beat(budget)?;
        let Some(here) = stand.take() else {
            stand = backtrack(&mut stack);
            match stand {
                Some(_) => continue,
                None => return Ok(None),
            }
        };
        seen += 1;
        budget.allow_nodes(seen)?;
        let Some(((node, task), rest)) = here.agenda.split_first() else {
            if accepts(&here.world) {
                return Ok(Some(here));
            }
            continue;
        };
        match knowledge.refine(&here.world, task) {
            Refinement::Do(op) => {
                stand = here.world.apply(&op).only().map(|world| Stand {
                    world,
                    agenda: rest.clone(),
                    trace: here.trace.done(*node, op),
                });
            }
            Refinement::By(ways) => {
                let (node, rest) = (*node, rest.clone());
                stack.push(Frame { node, rest, world: here.world, trace: here.trace, ways });
            }
        }
    }
}

/// The next untried way of the latest choice point that has one.
fn backtrack<K: Knowledge>(stack: &mut Vec<Frame<K>>) -> Option<Stand<K>> {
    while let Some(frame) = stack.last_mut() {
        for way in frame.ways.by_ref() {
            let world = match &way.guard {
                Some(guard) => frame.world.restrict(guard),
                None => Some(frame.world.clone()),
            };
            let Some(world) = world else { continue };
            let first = frame.trace.next_node().index();
            let numbered = way.subtasks.iter().cloned().enumerate();
            let numbered = numbered.map(|(i, task)| (NodeId::new(first + i), task));
            let agenda = frame.rest.after(numbered.collect::<Vec<_>>());
            let trace = frame.trace.refined(frame.node, way.method, way.subtasks);
            return Some(Stand { world, agenda, trace });
        }
        stack.pop();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcomes, Way};

    /// Walks on a line of numbers: `go` tries each step size in turn and then goes on.
    #[derive(Clone, Debug, PartialEq)]
    struct Line(i64);

    impl World for Line {
        type Guard = i64;
        type Op = i64;
        fn split(&self, most: &i64) -> (Option<Line>, Option<Line>) {
            if self.0 <= *most { (Some(self.clone()), None) } else { (None, Some(self.clone())) }
        }
        fn apply(&self, step: &i64) -> Outcomes<Line> {
            if *step == 0 { Outcomes::None } else { Outcomes::One(Line(self.0 + step)) }
        }
    }

    struct Steps {
        sizes: Vec<i64>,
        target: i64,
    }

    #[derive(Clone, Debug, PartialEq)]
    enum Task {
        Go,
        Step(i64),
    }

    impl Knowledge for Steps {
        type World = Line;
        type Task = Task;
        type Method = i64;
        type Ways = std::vec::IntoIter<Way<Steps>>;
        fn refine(&self, world: &Line, task: &Task) -> Refinement<Steps> {
            match task {
                Task::Step(size) => Refinement::Do(*size),
                Task::Go if world.0 == self.target => {
                    Refinement::By(vec![Way { method: 0, guard: None, subtasks: vec![] }].into_iter())
                }
                Task::Go => Refinement::By(
                    self.sizes
                        .iter()
                        .map(|&size| Way {
                            method: size,
                            guard: Some(self.target - size),
                            subtasks: vec![Task::Step(size), Task::Go],
                        })
                        .collect::<Vec<_>>()
                        .into_iter(),
                ),
            }
        }
    }

    fn walk(sizes: &[i64], target: i64, budget: &Budget) -> Verdict<Decomposition<Steps>> {
        let steps = Steps { sizes: sizes.to_vec(), target };
        decompose(&steps, Line(0), Agenda::from_iter([Task::Go]), |_| true, budget)
    }

    #[test]
    fn it_backtracks_over_ways_that_fail() {
        let found = walk(&[5, 0, 3], 11, &Budget::unlimited()).solved().expect("5 + 3 + 3");
        assert_eq!(found.ops().collect::<Vec<_>>(), [5, 3, 3]);
        assert_eq!(found.world, Line(11));
        assert_eq!(
            found.tree().to_text(&Steps { sizes: vec![], target: 11 }),
            "Go  <- 5\n  ! Step(5)\n  Go  <- 3\n    ! Step(3)\n    Go  <- 3\n      ! Step(3)\n      Go  <- 0\n"
        );
    }

    #[test]
    fn it_knows_when_there_is_none() {
        assert!(matches!(walk(&[4, 6], 11, &Budget::unlimited()), Verdict::Unsolvable));
    }

    #[test]
    fn the_end_must_be_accepted() {
        let steps = Steps { sizes: vec![1], target: 3 };
        let agenda = Agenda::from_iter([Task::Step(1), Task::Step(1)]);
        let answer = decompose(&steps, Line(0), agenda.clone(), |world| world.0 == 3, &Budget::unlimited());
        assert!(matches!(answer, Verdict::Unsolvable));
        assert!(
            decompose(&steps, Line(1), agenda, |world| world.0 == 3, &Budget::unlimited()).solved().is_some()
        );
    }

    #[test]
    fn recursion_a_million_tasks_deep_leaves_the_stack_flat() {
        let found = walk(&[1], 1_000_000, &Budget::unlimited()).solved().expect("a long walk");
        assert_eq!(found.trace.nodes(), 2_000_001);
        assert_eq!(found.tree().walk().last().map(|(depth, _)| *depth), Some(1_000_000));
    }

    #[test]
    fn recursion_without_progress_ends_with_the_budget() {
        let answer = walk(&[-1], 10, &Budget::unlimited().with_nodes(5_000));
        assert_eq!(answer.limit(), Some(Limit::Nodes(5_000)));
    }
}
