//! What a policy does, as a graph: for pictures.
//!
//! Each state that the policy can reach is a node. If there are many, the states for which the same pair answers are one
//! node, so that the graph is as large as the policy and not as its states.

use counterplay_base::{Budget, BudgetPoll, Limit};
use counterplay_task::{Fact, NondetTask, holds, is_goal};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::explicit::{Index, Planner};
use crate::{Policy, State, literals};

/// A node of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyGraphNode {
    /// The atoms that are true, or the condition that the states have in common.
    pub condition: Vec<String>,
    /// What to do; none at the goal and where there is no answer.
    pub action: Option<String>,
    /// Whether the goal holds.
    pub is_goal: bool,
    /// How many states it stands for.
    pub states: usize,
}

/// The graph of a policy; the first node holds the first initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyGraph {
    pub nodes: Vec<PolicyGraphNode>,
    /// Pairs of nodes such that an outcome leads from one to the other, sorted.
    pub edges: Vec<(usize, usize)>,
    /// Whether all states that the policy can reach were followed.
    pub is_whole: bool,
}

/// Follows a policy through at most `most_states` states. With more than `single` of them, those with the same
/// answer are put together.
pub fn graph(
    nondet: &NondetTask,
    policy: &Policy,
    single: usize,
    most_states: usize,
    budget: &Budget,
) -> Result<PolicyGraph, Limit> {
    let Walk { states, answers, edges, is_whole } = Walk::new(nondet, policy, most_states, budget)?;
    let is_grouped = states.len() > single;
    let mut nodes: Vec<PolicyGraphNode> = Vec::new();
    let mut node_of: FxHashMap<(Option<usize>, bool, usize), usize> = FxHashMap::default();
    let mut place = Vec::with_capacity(states.len());
    for (at, state) in states.iter().enumerate() {
        let is_goal = is_goal(&nondet.task, state);
        let key = (answers[at], is_goal, if is_grouped { 0 } else { at });
        let node = *node_of.entry(key).or_insert_with(|| {
            nodes.push(PolicyGraphNode {
                condition: match answers[at].filter(|_| is_grouped) {
                    Some(pair) => words(nondet, policy.pairs[pair].condition.iter().copied()),
                    None if is_grouped => Vec::new(),
                    None => words(nondet, plain(nondet, state)),
                },
                action: answers[at]
                    .map(|pair| format!("({})", nondet.choices[policy.pairs[pair].choice].name)),
                is_goal,
                states: 0,
            });
            nodes.len() - 1
        });
        nodes[node].states += 1;
        place.push(node);
    }
    let edges: FxHashSet<(usize, usize)> =
        edges.into_iter().map(|(from, to)| (place[from], place[to])).collect();
    let mut edges: Vec<(usize, usize)> = edges.into_iter().collect();
    edges.sort_unstable();
    Ok(PolicyGraph { nodes, edges, is_whole })
}

/// The states that a policy can reach.
pub(crate) struct Walk {
    pub(crate) states: Vec<State>,
    /// The pair that answers in each state; none at the goal and where there is no answer.
    pub(crate) answers: Vec<Option<usize>>,
    /// Where outcomes lead.
    edges: Vec<(usize, usize)>,
    /// Whether these are all of them.
    pub(crate) is_whole: bool,
}

impl Walk {
    /// Follows a policy through at most so many states.
    pub(crate) fn new(
        nondet: &NondetTask,
        policy: &Policy,
        most_states: usize,
        budget: &Budget,
    ) -> Result<Walk, Limit> {
        let mut index = Index::default();
        for (item, pair) in policy.pairs.iter().enumerate() {
            index.insert(&pair.condition, item as u32);
        }
        let mut planner = Planner::new(nondet);
        let initial = planner.initial();
        let mut number: FxHashMap<State, usize> = FxHashMap::default();
        number.insert(initial.clone(), 0);
        let mut walk = Walk { states: vec![initial], answers: Vec::new(), edges: Vec::new(), is_whole: true };
        let mut poll = BudgetPoll::every(64);
        while walk.answers.len() < walk.states.len() {
            poll.step(budget)?;
            let at = walk.answers.len();
            let state = walk.states[at].clone();
            let answer = match is_goal(&nondet.task, &state) {
                true => None,
                false => index.first(&state).map(|item| item as usize),
            };
            walk.answers.push(answer);
            let choice = answer.map(|pair| policy.pairs[pair].choice);
            let choice = choice.filter(|&choice| holds(&state, nondet.precondition(choice)));
            for op in choice.into_iter().flat_map(|choice| nondet.choices[choice].operators()) {
                let next = planner.apply(&state, op);
                let to = match number.get(&next) {
                    Some(&known) => known,
                    None if walk.states.len() < most_states => {
                        number.insert(next.clone(), walk.states.len());
                        walk.states.push(next);
                        walk.states.len() - 1
                    }
                    None => {
                        walk.is_whole = false;
                        continue;
                    }
                };
                walk.edges.push((at, to));
            }
        }
        Ok(walk)
    }
}

fn plain<'a>(nondet: &'a NondetTask, state: &'a State) -> impl Iterator<Item = Fact> + 'a {
    let facts = state.enumerate().map(|(var, &value)| Fact { var, value });
    facts.filter(|fact| nondet.task.variables[fact.var].derived.is_none())
}

/// The atoms that facts say are true.
fn words(nondet: &NondetTask, facts: impl Iterator<Item = Fact>) -> Vec<String> {
    let all = facts.flat_map(|fact| literals(&nondet.task, fact));
    all.filter(|literal| !literal.starts_with("(not ")).collect()
}
