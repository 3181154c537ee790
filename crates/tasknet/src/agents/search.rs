//! Building and valuing the decision tree, depth first.

use counterplay_base::{Budget, Limit};

use crate::agents::{Agents, Alternative, Branch, Criterion, Mover, Plan, PlanNode};
use crate::{Agenda, Outcomes, Refinement, TaskWorld};

/// How far to plan.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How the moves of others are valued together.
    pub criterion: Criterion,
    /// The longest line in refinements and operations together; beyond it nodes are leaves. It also ends know-how that
    /// refines for ever.
    pub depth: usize,
    /// The most operations in the tree; beyond them nodes are leaves.
    pub moves: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { criterion: Criterion::default(), depth: 400, moves: u64::MAX }
    }
}

/// A plan and what it took.
pub struct Planned<K: Agents> {
    pub plan: Plan<K>,
    /// What it is worth.
    pub value: f64,
    /// Operations in the decision tree.
    pub moves: u64,
    /// Leaves valued by the field's estimate.
    pub leaves: u64,
    /// The limit that made leaves of inner nodes, if one did.
    pub stopped: Option<Limit>,
}

/// Plans for `agenda` in `world`. A budget that runs out makes leaves of what is not yet looked at.
pub fn plan<K: Agents>(
    knowledge: &K,
    world: K::World,
    agenda: Agenda<K::Task>,
    settings: Settings,
    budget: &Budget,
) -> Planned<K> {
    let mut search = AgentSearch { knowledge, settings, budget, moves: 0, leaves: 0, stopped: None };
    let root = search.expand(world, agenda, 0);
    let value = root.value();
    let AgentSearch { moves, leaves, stopped, .. } = search;
    Planned { plan: Plan::new(root), value, moves, leaves, stopped }
}

struct AgentSearch<'a, K: Agents> {
    knowledge: &'a K,
    settings: Settings,
    budget: &'a Budget,
    moves: u64,
    leaves: u64,
    stopped: Option<Limit>,
}

impl<K: Agents> AgentSearch<'_, K> {
    fn leaf(&mut self, world: &K::World, agenda: &Agenda<K::Task>) -> PlanNode<K> {
        self.leaves += 1;
        PlanNode::Leaf { value: self.knowledge.utility(world, agenda) }
    }

    /// Whether planning has to end here.
    fn is_at_limit(&mut self, depth: usize) -> bool {
        if self.stopped.is_none() {
            self.stopped = self.budget.check().err();
        }
        if self.moves >= self.settings.moves {
            self.stopped.get_or_insert(Limit::Nodes(self.settings.moves));
        }
        self.stopped.is_some() || depth >= self.settings.depth
    }

    fn expand(&mut self, world: K::World, agenda: Agenda<K::Task>, depth: usize) -> PlanNode<K> {
        let mover = self.knowledge.mover(&world);
        let Some((task, rest)) = agenda.split_first() else { return self.leaf(&world, &agenda) };
        if mover == Mover::Over || self.is_at_limit(depth) {
            return self.leaf(&world, &agenda);
        }
        match self.knowledge.refine(&world, task) {
            Refinement::Do(op) => match world.apply(&op) {
                Outcomes::One(next) => {
                    self.moves += 1;
                    let then = Box::new(self.expand(next, rest.clone(), depth + 1));
                    PlanNode::Move { op, ours: mover == Mover::Ours, then }
                }
                _ => self.leaf(&world, &agenda),
            },
            Refinement::By(ways) if mover == Mover::Ours => self.alternatives(&world, &agenda, ways, depth),
            Refinement::By(ways) => self.assumptions(world, &agenda, ways, depth),
        }
    }

    /// One of our agents moves: the ways that apply are alternatives.
    fn alternatives(
        &mut self,
        world: &K::World,
        agenda: &Agenda<K::Task>,
        ways: K::Ways,
        depth: usize,
    ) -> PlanNode<K> {
        let (task, rest) = agenda.split_first().expect("the agenda has a foremost task");
        let mut options = Vec::new();
        for way in ways {
            let applies = match &way.guard {
                Some(guard) => matches!(world.split(guard), (Some(_), None)),
                None => true,
            };
            if applies {
                let node = self.expand(world.clone(), rest.after(way.subtasks), depth + 1);
                options.push(Alternative { method: way.method, node });
            }
        }
        if options.is_empty() {
            return self.leaf(world, agenda);
        }
        let values: Vec<_> = match self.settings.criterion {
            Criterion::MinimaxRegret => {
                options.iter().map(|option| (option.node.value(), option.node.outcomes())).collect()
            }
            _ => options.iter().map(|option| (option.node.value(), Vec::new())).collect(),
        };
        let chosen = self.settings.criterion.choose(&values);
        PlanNode::Choice { task: task.clone(), options, chosen }
    }

    /// An agent that we do not control moves: the guards are assumed in turn.
    fn assumptions(
        &mut self,
        world: K::World,
        agenda: &Agenda<K::Task>,
        ways: K::Ways,
        depth: usize,
    ) -> PlanNode<K> {
        let (task, rest) = agenda.split_first().expect("the agenda has a foremost task");
        let total = self.knowledge.mass(&world);
        let mut left = Some(world);
        let mut branches = Vec::new();
        for way in ways {
            let Some(open) = left.take() else { break };
            let part = match &way.guard {
                Some(guard) => {
                    let (part, other) = open.split(guard);
                    left = other;
                    part
                }
                None => Some(open),
            };
            if let Some(part) = part {
                let weight = self.knowledge.mass(&part) / total;
                let node = self.expand(part, rest.after(way.subtasks), depth + 1);
                branches.push(Branch { method: Some(way.method), weight, node });
            }
        }
        if let Some(open) = left {
            if branches.is_empty() {
                return self.leaf(&open, agenda);
            }
            let weight = self.knowledge.mass(&open) / total;
            let node = self.leaf(&open, agenda);
            branches.push(Branch { method: None, weight, node });
        }
        let value =
            self.settings.criterion.value(branches.iter().map(|branch| (branch.weight, branch.node.value())));
        PlanNode::Theirs { task: task.clone(), branches, value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Knowledge, Way};

    /// A coin lies in one of two hands; we may guess at once, or ask its keeper, who opens an empty hand.
    #[derive(Clone, Debug)]
    struct Coin {
        /// Belief that it is left, and right.
        belief: [f64; 2],
        guess: Option<usize>,
        asked: bool,
    }

    #[derive(Clone, Debug, PartialEq)]
    enum Op {
        Guess(usize),
        Ask,
        Open(usize),
    }

    impl TaskWorld for Coin {
        type Guard = usize;
        type Op = Op;
        /// The guard: the coin is not in that hand.
        fn split(&self, empty: &usize) -> (Option<Coin>, Option<Coin>) {
            let part = |hand: usize| {
                let mut belief = [0.0; 2];
                belief[hand] = self.belief[hand];
                (belief[hand] > 0.0).then(|| Coin { belief, ..self.clone() })
            };
            (part(1 - empty), part(*empty))
        }
        fn apply(&self, op: &Op) -> Outcomes<Coin> {
            let mut next = self.clone();
            match op {
                Op::Guess(hand) => next.guess = Some(*hand),
                Op::Ask => next.asked = true,
                Op::Open(_) => next.asked = false,
            }
            Outcomes::One(next)
        }
    }

    struct Guessing;

    impl Knowledge for Guessing {
        type World = Coin;
        type Task = &'static str;
        type Method = &'static str;
        type Ways = std::vec::IntoIter<Way<Guessing>>;
        fn refine(&self, _: &Coin, task: &&'static str) -> Refinement<Guessing> {
            let way =
                |method, guard, subtasks: &[&'static str]| Way { method, guard, subtasks: subtasks.to_vec() };
            Refinement::By(
                match *task {
                    "left" => return Refinement::Do(Op::Guess(0)),
                    "right" => return Refinement::Do(Op::Guess(1)),
                    "ask" => return Refinement::Do(Op::Ask),
                    "open-left" => return Refinement::Do(Op::Open(0)),
                    "open-right" => return Refinement::Do(Op::Open(1)),
                    "guess" => vec![way("guess left", None, &["left"]), way("guess right", None, &["right"])],
                    "find" => vec![
                        way("at once", None, &["guess"]),
                        way("after asking", None, &["ask", "answer", "guess"]),
                    ],
                    "answer" => vec![
                        way("left is empty", Some(0), &["open-left"]),
                        way("right is empty", Some(1), &["open-right"]),
                    ],
                    "for ever" => vec![way("again", None, &["for ever"])],
                    other => unreachable!("no task {other}"),
                }
                .into_iter(),
            )
        }
    }

    impl Agents for Guessing {
        type Seen = usize;
        fn mover(&self, world: &Coin) -> Mover {
            match (world.guess, world.asked) {
                (Some(_), _) => Mover::Over,
                (None, true) => Mover::Theirs,
                (None, false) => Mover::Ours,
            }
        }
        fn mass(&self, world: &Coin) -> f64 {
            world.belief.iter().sum()
        }
        fn utility(&self, world: &Coin, _: &Agenda<&'static str>) -> f64 {
            world.guess.map_or(0.0, |hand| world.belief[hand] / self.mass(world))
        }
        fn accepts(&self, planned: &Op, seen: &usize) -> bool {
            *planned == Op::Open(*seen)
        }
    }

    fn planned(task: &'static str, criterion: Criterion) -> Planned<Guessing> {
        let coin = Coin { belief: [0.7, 0.3], guess: None, asked: false };
        let settings = Settings { criterion, depth: 20, ..Settings::default() };
        plan(&Guessing, coin, [task].into_iter().collect(), settings, &Budget::unlimited())
    }

    #[test]
    fn guessing_is_worth_the_better_chance() {
        let answer = planned("guess", Criterion::WeightedAverage);
        assert!((answer.value - 0.7).abs() < 1e-12);
        assert_eq!(answer.moves, 2);
    }

    #[test]
    fn asking_first_is_certain_and_the_plan_follows_the_answer() {
        let mut answer = planned("find", Criterion::WeightedAverage);
        assert!((answer.value - 1.0).abs() < 1e-12);
        assert_eq!(answer.plan.advance().expect("a move"), (Op::Ask, vec!["after asking"]));
        let Some(PlanNode::Theirs { branches, .. }) = answer.plan.node() else { panic!("they answer") };
        let weights: Vec<f64> = branches.iter().map(|branch| branch.weight).collect();
        assert!((weights[0] - 0.3).abs() < 1e-12 && (weights[1] - 0.7).abs() < 1e-12);
        assert!(answer.plan.advance().is_none(), "it is not our turn");
        assert!(answer.plan.observe(&Guessing, &1));
        assert_eq!(answer.plan.advance().expect("a move").0, Op::Guess(0));
    }

    #[test]
    fn a_surprise_voids_the_plan() {
        let mut answer = planned("find", Criterion::Maximin);
        answer.plan.advance().expect("a move");
        assert!(!answer.plan.observe(&Guessing, &7));
        assert!(answer.plan.advance().is_none() && !answer.plan.is_useful());
    }

    #[test]
    fn endless_know_how_ends_in_a_leaf() {
        let answer = planned("for ever", Criterion::WeightedAverage);
        assert_eq!((answer.moves, answer.leaves), (0, 1));
    }
}
