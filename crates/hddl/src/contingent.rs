//! Policies over state and task network: the network is carried out whatever nature does.
//!
//! A policy says for each pair of state and network which task to refine by which method, or which action to
//! do; every outcome of an action must be answered for (Chen and Bercher, ICAPS 2021). The search is
//! depth-first over an and-or graph with a memory of pairs that are solved or failed for good. A pair that comes
//! back to itself fails for a strong policy; what failed only because of that is looked at again elsewhere.
//!
//! Where that does not decide, the graph is built breadth-first as far as a number of pairs goes, and fixpoints over it
//! decide twice: once as if pairs that were not looked into failed, once as if they were ends. A policy of the first kind
//! is a policy; if there is none of the second kind, there is none at all. The two agree once the graph is closed, and
//! often before, so that a network that grows without end may still be decided.

use counterplay_base::{Budget, BudgetPoll, Limit, Progress, Report, Verdict};
use rustc_hash::FxHashMap;

use crate::descend::GROWTH;
use crate::explored::Explored;
use crate::plan::Decision;
use crate::prepared::{PreparedProblem, Task};
use crate::successors::{Configuration, DecisionIter, SuccessorGenerator};
use counterplay_tasknet::network::NetworkId;

/// What a policy guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// The network is carried out within a bounded number of steps.
    Strong,
    /// It can always still be carried out.
    StrongCyclic,
}

/// A policy as a graph: node 0 is the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkPolicy {
    pub guarantee: Guarantee,
    /// Values of the initial network's variables.
    pub(crate) binding: Vec<u32>,
    pub(crate) nodes: Vec<PolicyNode>,
}

/// What to do at a node, and where each outcome leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PolicyNode {
    pub(crate) act: Act,
    pub(crate) next: Vec<u32>,
}

/// What to do at a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Nothing is left to do.
    End,
    Do(Task),
    /// Refine this task by a method under a binding.
    By(Task, usize, Vec<u32>),
}

/// What became of the search for a policy.
#[derive(Clone, Debug)]
pub struct PolicyAnswer {
    /// A policy, or that there is none, or the limit that was met.
    pub verdict: Verdict<NetworkPolicy>,
    /// Whether it was proved that there is no strong policy.
    pub is_strong_impossible: bool,
    /// The task that keeps coming up inside itself, if that is why the search stopped.
    pub looping: Option<Task>,
    /// Pairs of state and network that were looked at.
    pub pairs: usize,
}

/// How a pair stands.
#[derive(Clone, Debug)]
enum Status {
    Unknown,
    /// On the way down, at this place of the stack.
    Open(usize),
    Failed,
    /// By this decision; none at the end.
    Solved(Option<Decision>),
}

/// A pair on the way down.
struct Frame {
    pair: u32,
    configuration: Configuration,
    ways: DecisionIter,
    decision: Option<Decision>,
    /// Outcomes of the decision that are not yet solved.
    pending: Vec<Configuration>,
    /// The lowest place of the stack that a failure below rests on.
    lowest: usize,
    /// Whether a failure below rests on the cut of a loop.
    is_cut: bool,
    /// For loops: the task at the front, the tasks after it, and the frame it is part of.
    task: Option<Task>,
    rest_len: usize,
    parent: Option<usize>,
    /// The least number of tasks of a network since the state last changed.
    least: usize,
}

struct ContingentSearch<'k> {
    generator: SuccessorGenerator<'k>,
    known: FxHashMap<(u128, NetworkId), u32>,
    stands: Vec<Configuration>,
    status: Vec<Status>,
    looping: Option<Task>,
}

/// How a descent ended.
enum End {
    Solved,
    Failed,
    /// Failed, but perhaps only for the cut of a loop.
    Cut,
    Long,
}

/// What became of the descents from all starts.
enum Descent {
    Found(NetworkPolicy),
    /// There is no strong policy.
    None,
    /// There is none without more rounds of a task inside itself.
    Looping,
    Long,
}

/// What a part of the graph says.
enum Decided {
    Policy(NetworkPolicy),
    /// There is no policy of the kind that is wanted.
    None,
    /// More has to be looked at; a strong-cyclic policy is known, perhaps.
    Open(Option<NetworkPolicy>),
}

/// Steps of the first descent.
const FIRST_STEPS: u64 = 20_000;
/// So many pairs are explored before the search gives up.
const LAST_PAIRS: u64 = 100_000;
/// How often a task may come up inside itself in one state before the search gives up.
const ROUND_LIMIT: usize = 8;

/// Looks for a policy that carries out the network. With `wanted`, only for one with that guarantee.
pub fn network_policy(
    known: &PreparedProblem<'_>,
    wanted: Option<Guarantee>,
    budget: &Budget,
    progress: &dyn Progress,
) -> PolicyAnswer {
    let mut search = ContingentSearch {
        generator: SuccessorGenerator::new(known),
        known: FxHashMap::default(),
        stands: Vec::new(),
        status: Vec::new(),
        looping: None,
    };
    let mut answer =
        PolicyAnswer { verdict: Verdict::Unsolvable, is_strong_impossible: false, looping: None, pairs: 0 };
    let outcome = search.solve(wanted, &mut answer, budget, progress);
    answer.pairs = search.stands.len();
    answer.verdict = match outcome {
        Ok(None) if answer.looping.is_some() => Verdict::Stopped(Limit::Nodes(ROUND_LIMIT as u64)),
        outcome => outcome.into(),
    };
    answer
}

impl ContingentSearch<'_> {
    fn solve(
        &mut self,
        wanted: Option<Guarantee>,
        answer: &mut PolicyAnswer,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Option<NetworkPolicy>, Limit> {
        let starts = self.generator.starts();
        let mut steps = FIRST_STEPS;
        let mut rounds = 0;
        loop {
            progress.report(Report { phase: "decomposing", counts: &[("pairs", self.stands.len() as f64)] });
            let is_strong_open = wanted != Some(Guarantee::StrongCyclic) && !answer.is_strong_impossible;
            let descent = match is_strong_open {
                true => self.strong(&starts, rounds, steps, budget)?,
                false => Descent::Long,
            };
            let descent = match descent {
                Descent::Found(policy) => return Ok(Some(policy)),
                Descent::None => {
                    answer.is_strong_impossible = true;
                    if wanted == Some(Guarantee::Strong) {
                        return Ok(None);
                    }
                    Descent::None
                }
                undecided => undecided,
            };
            let is_last = matches!(descent, Descent::Looping) && rounds >= ROUND_LIMIT;
            // Loops that were cut are the better reason to go on with the descent.
            if !matches!(descent, Descent::Looping) || is_last {
                // A network that grows without end is looked at once more, but not for as long as one likes.
                let most = if is_last { steps.min(LAST_PAIRS) } else { steps };
                match self.explore(&starts, most as usize, wanted, answer, budget, progress)? {
                    Decided::Policy(policy) => return Ok(Some(policy)),
                    Decided::None => return Ok(None),
                    Decided::Open(Some(policy)) if is_last => return Ok(Some(policy)),
                    Decided::Open(_) => {}
                }
            }
            if is_last {
                answer.looping = self.looping;
                return Ok(None);
            }
            if matches!(descent, Descent::Looping) {
                rounds = (2 * rounds).max(1);
            }
            steps = steps.saturating_mul(4);
        }
    }

    /// One descent from each start, with the methods in two orders.
    fn strong(
        &mut self,
        starts: &[(Vec<u32>, Configuration)],
        rounds: usize,
        steps: u64,
        budget: &Budget,
    ) -> Result<Descent, Limit> {
        for cheapest_first in [true, false] {
            let mut is_complete = true;
            let mut cut = false;
            self.looping = None;
            for (binding, start) in starts {
                let root = self.pair(start);
                match self.descend(root, cheapest_first, rounds, steps, budget)? {
                    End::Solved => return Ok(Descent::Found(self.extract(binding.clone(), root))),
                    End::Failed => {}
                    End::Cut => cut = true,
                    End::Long => is_complete = false,
                }
            }
            if is_complete {
                return Ok(if cut { Descent::Looping } else { Descent::None });
            }
        }
        Ok(Descent::Long)
    }

    /// Builds the graph as far as a number of pairs goes, and decides what can be decided.
    fn explore(
        &mut self,
        starts: &[(Vec<u32>, Configuration)],
        most: usize,
        wanted: Option<Guarantee>,
        answer: &mut PolicyAnswer,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Decided, Limit> {
        let mut poll = BudgetPoll::every(64);
        let roots: Vec<u32> = starts.iter().map(|(_, start)| self.pair(start)).collect();
        let mut graph: Explored<Decision> = Explored::new();
        roots.iter().for_each(|&root| graph.meet(root));
        while let Some(pair) = graph.next_unexplored(most) {
            poll.step(budget)?;
            let configuration = self.stands[pair as usize].clone();
            if self.generator.networks.is_empty(configuration.network) {
                graph.close(pair, self.generator.known.is_goal(&configuration.state));
                continue;
            }
            if self.generator.is_dead_end(&configuration) {
                graph.close(pair, false);
                continue;
            }
            let mut all = self.generator.ways(true);
            while let Some(decision) = all.next(&self.generator, &configuration) {
                poll.step(budget)?;
                let outcomes = self.generator.outcomes(&configuration, &decision);
                let pairs: Vec<u32> = outcomes.iter().map(|next| self.pair(next)).collect();
                graph.way(pair, decision, pairs);
            }
            if graph.len().is_multiple_of(4096) {
                progress.report(Report { phase: "exploring", counts: &[("pairs", graph.len() as f64)] });
            }
        }
        let chosen = |root: u32, solved: &FxHashMap<u32, Option<Decision>>| solved.contains_key(&root);
        if wanted != Some(Guarantee::StrongCyclic) {
            let solved = graph.strong(false, budget)?;
            for (&root, (binding, _)) in roots.iter().zip(starts) {
                if chosen(root, &solved) {
                    let policy = self.graph(Guarantee::Strong, binding.clone(), root, &solved);
                    return Ok(Decided::Policy(policy));
                }
            }
            let assumed = graph.strong(true, budget)?;
            answer.is_strong_impossible |= !roots.iter().any(|&root| chosen(root, &assumed));
        }
        if wanted == Some(Guarantee::Strong) {
            return Ok(if answer.is_strong_impossible { Decided::None } else { Decided::Open(None) });
        }
        for (&root, (binding, _)) in roots.iter().zip(starts) {
            if let Some(solved) = graph.cyclic(root, false, budget)? {
                let policy = self.graph(Guarantee::StrongCyclic, binding.clone(), root, &solved);
                // A strong one may still be found, if the contrary is not proved.
                let is_best = wanted.is_some() || answer.is_strong_impossible;
                return Ok(if is_best { Decided::Policy(policy) } else { Decided::Open(Some(policy)) });
            }
        }
        for &root in &roots {
            if graph.cyclic(root, true, budget)?.is_some() {
                return Ok(Decided::Open(None));
            }
        }
        Ok(Decided::None)
    }

    fn pair(&mut self, configuration: &Configuration) -> u32 {
        let next = self.stands.len() as u32;
        let pair = *self.known.entry((configuration.state.hash(), configuration.network)).or_insert(next);
        if pair == next {
            self.stands.push(configuration.clone());
            self.status.push(Status::Unknown);
        }
        pair
    }

    /// Tries to solve a pair and all that it leads to.
    fn descend(
        &mut self,
        root: u32,
        cheapest_first: bool,
        rounds: usize,
        mut steps: u64,
        budget: &Budget,
    ) -> Result<End, Limit> {
        let mut poll = BudgetPoll::every(64);
        let mut stack: Vec<Frame> = Vec::new();
        let mut cut = false;
        if !self.enter(root, &mut stack, cheapest_first, rounds, &mut cut) {
            return Ok(self.end(root, cut));
        }
        loop {
            let tick = poll.step(budget);
            steps = steps.saturating_sub(1);
            if tick.is_err() || steps == 0 {
                // What is on the way down is simply not known.
                stack.iter().for_each(|frame| self.status[frame.pair as usize] = Status::Unknown);
                return tick.map(|()| End::Long);
            }
            let Some(depth) = stack.len().checked_sub(1) else { return Ok(self.end(root, cut)) };
            let frame = &mut stack[depth];
            if frame.decision.is_none() {
                let Some(decision) = frame.ways.next(&self.generator, &frame.configuration) else {
                    self.fail(&mut stack);
                    continue;
                };
                frame.pending = self.generator.outcomes(&frame.configuration, &decision);
                frame.decision = Some(decision);
            }
            let Some(next) = frame.pending.pop() else {
                let frame = stack.pop().expect("a frame is at hand");
                self.status[frame.pair as usize] = Status::Solved(frame.decision);
                continue;
            };
            let pair = self.pair(&next);
            let frame = &mut stack[depth];
            match self.status[pair as usize] {
                Status::Solved(_) => {}
                Status::Failed => frame.decision = None,
                Status::Open(place) => {
                    frame.lowest = frame.lowest.min(place);
                    frame.decision = None;
                }
                Status::Unknown => {
                    if !self.enter(pair, &mut stack, cheapest_first, rounds, &mut cut)
                        && !matches!(self.status[pair as usize], Status::Solved(_))
                    {
                        let frame = &mut stack[depth];
                        frame.decision = None;
                        // A pair that was cut may be entered another time.
                        frame.is_cut |= matches!(self.status[pair as usize], Status::Unknown);
                    }
                }
            }
        }
    }

    fn end(&self, root: u32, cut: bool) -> End {
        match self.status[root as usize] {
            Status::Solved(_) => End::Solved,
            _ if cut => End::Cut,
            _ => End::Failed,
        }
    }

    /// Puts a pair on the stack, unless it is decided at once or cut.
    fn enter(
        &mut self,
        pair: u32,
        stack: &mut Vec<Frame>,
        cheapest_first: bool,
        rounds: usize,
        cut: &mut bool,
    ) -> bool {
        let configuration = self.stands[pair as usize].clone();
        if self.generator.networks.is_empty(configuration.network) {
            let is_end = self.generator.known.is_goal(&configuration.state);
            self.status[pair as usize] = if is_end { Status::Solved(None) } else { Status::Failed };
            return false;
        }
        if self.generator.is_dead_end(&configuration) {
            self.status[pair as usize] = Status::Failed;
            return false;
        }
        let rest_len = self.generator.networks.len(configuration.network) - 1;
        let task = self.generator.networks.front(configuration.network).next().copied();
        let last =
            stack.last().filter(|frame| frame.configuration.state.hash() == configuration.state.hash());
        let least = last.map_or(rest_len + 1, |frame| frame.least.min(rest_len + 1));
        let is_forced = self.generator.networks.is_forced(configuration.network);
        let mut parent = stack.len().checked_sub(1);
        while let Some(at) = parent
            && stack[at].rest_len > rest_len
        {
            parent = stack[at].parent;
        }
        let mut inside = 0;
        let mut ancestor = parent;
        while let Some(at) = ancestor {
            let frame = &stack[at];
            if frame.configuration.state.hash() != configuration.state.hash() {
                break;
            }
            inside += usize::from(frame.task == task);
            ancestor = frame.parent;
        }
        let is_cut = match is_forced {
            true => inside > rounds,
            false => rest_len + 1 - least > GROWTH * (rounds + 1),
        };
        if is_cut {
            *cut = true;
            self.looping = self.looping.or(task);
            return false;
        }
        self.status[pair as usize] = Status::Open(stack.len());
        let ways = self.generator.ways(cheapest_first);
        let lowest = usize::MAX;
        stack.push(Frame {
            pair,
            configuration,
            ways,
            decision: None,
            pending: Vec::new(),
            lowest,
            is_cut: false,
            task,
            rest_len,
            parent,
            least,
        });
        true
    }

    /// The pair on top has no way left.
    fn fail(&mut self, stack: &mut Vec<Frame>) {
        let frame = stack.pop().expect("a frame is at hand");
        let place = stack.len();
        let rests_on_others = frame.lowest < place;
        let is_final = !rests_on_others && !frame.is_cut;
        self.status[frame.pair as usize] = if is_final { Status::Failed } else { Status::Unknown };
        if let Some(parent) = stack.last_mut() {
            parent.decision = None;
            parent.is_cut |= frame.is_cut;
            if rests_on_others {
                parent.lowest = parent.lowest.min(frame.lowest);
            }
        }
    }

    /// The policy of a solved pair.
    fn extract(&mut self, binding: Vec<u32>, root: u32) -> NetworkPolicy {
        let mut decisions: FxHashMap<u32, Option<Decision>> = FxHashMap::default();
        let mut open = vec![root];
        while let Some(pair) = open.pop() {
            if decisions.contains_key(&pair) {
                continue;
            }
            let Status::Solved(decision) = self.status[pair as usize].clone() else {
                unreachable!("what a solved pair leads to is solved");
            };
            if let Some(decision) = &decision {
                let configuration = self.stands[pair as usize].clone();
                let outcomes = self.generator.outcomes(&configuration, decision);
                open.extend(outcomes.iter().map(|next| self.pair(next)));
            }
            decisions.insert(pair, decision);
        }
        self.graph(Guarantee::Strong, binding, root, &decisions)
    }

    /// The part of a choice of decisions that a pair leads to, as a graph.
    fn graph(
        &mut self,
        guarantee: Guarantee,
        binding: Vec<u32>,
        root: u32,
        decisions: &FxHashMap<u32, Option<Decision>>,
    ) -> NetworkPolicy {
        let mut numbers: FxHashMap<u32, u32> = [(root, 0)].into_iter().collect();
        let mut order = vec![root];
        let mut nodes = Vec::new();
        while let Some(&pair) = order.get(nodes.len()) {
            let configuration = self.stands[pair as usize].clone();
            let (act, outcomes) = match &decisions[&pair] {
                None => (Act::End, Vec::new()),
                Some(decision) => {
                    let position = match decision {
                        Decision::Do(position)
                        | Decision::Refine(position, ..)
                        | Decision::Select(position) => *position,
                    };
                    let task = *self
                        .generator
                        .networks
                        .ready(configuration.network, position)
                        .expect("the task is ready");
                    let act = match decision {
                        Decision::Do(_) => Act::Do(task),
                        Decision::Select(_) => unreachable!("policies select no tasks"),
                        Decision::Refine(_, method, binding) => Act::By(task, *method, binding.clone()),
                    };
                    (act, self.generator.outcomes(&configuration, decision))
                }
            };
            let mut next = Vec::new();
            for outcome in outcomes {
                let pair = self.pair(&outcome);
                let number = *numbers.entry(pair).or_insert_with(|| {
                    order.push(pair);
                    order.len() as u32 - 1
                });
                next.push(number);
            }
            nodes.push(PolicyNode { act, next });
        }
        NetworkPolicy { guarantee, binding, nodes }
    }
}

impl NetworkPolicy {
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there is always a start.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The policy as text: a line for each node, with what to do there and the nodes that the outcomes lead to.
    pub fn to_text(&self, known: &PreparedProblem<'_>) -> String {
        let guarantee = match self.guarantee {
            Guarantee::Strong => "strong",
            Guarantee::StrongCyclic => "strong-cyclic",
        };
        let names = |binding: &[u32]| -> String {
            binding.iter().map(|&object| format!(" {}", known.lifted.object_name(object))).collect()
        };
        let mut text = format!("(network-policy {guarantee} (values{}))\n", names(&self.binding));
        for (number, node) in self.nodes.iter().enumerate() {
            let act = match &node.act {
                Act::End => "(end)".to_owned(),
                Act::Do(task) => format!("(do ({}))", known.task_words(*task)),
                Act::By(task, method, binding) => {
                    let method = &known.lifted.methods[*method];
                    format!("(by {} ({}) (values{}))", method.name, known.task_words(*task), names(binding))
                }
            };
            let next: String = node.next.iter().map(|next| format!(" {next}")).collect();
            text += &format!("({number} {act}{next})\n");
        }
        text
    }
}
