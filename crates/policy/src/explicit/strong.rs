//! Strong policies, state by state.
//!
//! An AND-OR search in the manner of LRTA* (Korf 1990) with labels: it follows the action whose worst outcome seems nearest to
//! the goal, down to a state that it does not know, and takes back with it what it has learned about distances. An action is
//! solved if all its outcomes are, which spreads at once to all states that lead there; so the order of solved states has no loops by construction.
//! States that only loop seem further away each time, until something else is tried; once every state that can be met has been looked into, what is
//! not solved has no strong policy.
//!
//! A solved state is solved for a reason: the facts that its action and the answers to all outcomes need, regressed as in PRP. Every
//! state with these facts is solved in the same way, at the same distance or nearer, and is not searched again.

use counterplay_base::{Budget, BudgetPoll, IdVec, Limit, Progress, Report, Verdict};
use counterplay_plan::explicit::SuccessorTree;
use counterplay_task::{ChoiceId, Fact, NondetTask, OpId, is_goal};
use rustc_hash::FxHashMap;

use super::dead::DeadEnds;
use super::index::Index;
use super::regress::regress_in;
use super::weak::Planner;
use crate::{Class, Pair, Policy, State, Statistics};

/// What is known of a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    /// Its actions have not been looked at.
    Unknown,
    Expanded,
    /// The goal holds.
    Goal,
    /// A rule answers it.
    Solved(u32),
    /// No strong policy answers it.
    Dead,
}

impl Label {
    fn is_final(self) -> bool {
        matches!(self, Label::Goal | Label::Solved(_) | Label::Dead)
    }
}

struct SearchNode {
    state: State,
    label: Label,
    /// How far the goal seems to be.
    estimate: u32,
    actions: Vec<Action>,
    /// The actions that lead here, by state and place; one entry for each outcome.
    parents: Vec<(u32, u32)>,
    /// The trial that came here last.
    met: u64,
}

struct Action {
    choice: ChoiceId,
    /// Where each outcome leads.
    next: Vec<u32>,
    /// How many of these are not solved.
    left: usize,
    is_dead: bool,
}

/// What to do under a condition, and how many steps are left at most.
struct StrongRule {
    condition: Vec<Fact>,
    choice: ChoiceId,
    rank: u32,
    /// The rules that answer its outcomes.
    after: Vec<u32>,
}

struct StrongSearch<'t> {
    nondet: &'t NondetTask,
    planner: Planner<'t>,
    tree: SuccessorTree,
    choice_of: IdVec<OpId, ChoiceId>,
    dead: DeadEnds,
    nodes: Vec<SearchNode>,
    number: FxHashMap<State, u32>,
    rules: Vec<StrongRule>,
    index: Index,
    /// All states before this one have been looked into.
    looked_into: usize,
    trials: u64,
    expanded: u64,
    looked: u64,
    /// Steps through states that are known.
    steps: u64,
    most_states: u64,
}

/// So many steps through states that are known take about as long as to look at a new one.
const STEPS_OF_STATE: u64 = 8;

/// Looks for a strong policy, giving up after so many states that were expanded or looked at.
pub(crate) fn solve(
    nondet: &NondetTask,
    most_states: u64,
    budget: &Budget,
    progress: &dyn Progress,
) -> (Verdict<Policy>, Statistics) {
    let mut search = StrongSearch {
        nondet,
        planner: Planner::new(nondet),
        tree: SuccessorTree::new(&nondet.task),
        choice_of: nondet.choice_of(),
        dead: DeadEnds::new(nondet),
        nodes: Vec::new(),
        number: FxHashMap::default(),
        rules: Vec::new(),
        index: Index::default(),
        looked_into: 0,
        trials: 0,
        expanded: 0,
        looked: 0,
        steps: 0,
        most_states,
    };
    let verdict = search.run(budget, progress);
    let statistics = Statistics {
        ran: "explicit".to_owned(),
        rounds: search.trials,
        expanded: search.expanded,
        peak_nodes: 0,
    };
    (verdict.unwrap_or_else(Verdict::Stopped), statistics)
}

impl StrongSearch<'_> {
    fn run(&mut self, budget: &Budget, progress: &dyn Progress) -> Result<Verdict<Policy>, Limit> {
        let initial = self.planner.initial();
        let root = self.add(initial, 0);
        let mut poll = BudgetPoll::every(16);
        loop {
            match self.nodes[root as usize].label {
                Label::Goal => {
                    return Ok(Verdict::Solved(Policy { class: Class::Strong, pairs: Vec::new() }));
                }
                Label::Solved(rule) => return Ok(Verdict::Solved(self.policy(rule))),
                Label::Dead => return Ok(Verdict::Unsolvable),
                Label::Unknown | Label::Expanded => {}
            }
            self.trials += 1;
            if self.trials.is_multiple_of(256) {
                let counts = [("states", self.nodes.len() as f64), ("solved", self.rules.len() as f64)];
                progress.report(Report { phase: "strong policy", counts: &counts });
            }
            let before = (self.expanded, self.rules.len());
            self.trial(root, budget, &mut poll)?;
            // A trial that only went round teaches distances. So that the search ends, one more state is then looked at; if
            // there is none left, everything that can be solved is.
            if before == (self.expanded, self.rules.len()) && !self.nodes[root as usize].label.is_final() {
                let left = (self.looked_into..self.nodes.len())
                    .find(|&node| self.nodes[node].label == Label::Unknown);
                let Some(next) = left else { return Ok(Verdict::Unsolvable) };
                self.looked_into = next;
                self.expand(next as u32)?;
            }
        }
    }

    /// The number of a state.
    fn add(&mut self, state: State, estimate: u32) -> u32 {
        if let Some(&known) = self.number.get(&state) {
            return known;
        }
        let label = if is_goal(&self.nondet.task, &state) {
            Label::Goal
        } else if let Some(rule) = self.index.first(&state) {
            Label::Solved(rule)
        } else if self.dead.contains(&state) {
            Label::Dead
        } else {
            Label::Unknown
        };
        let number = self.nodes.len() as u32;
        self.number.insert(state.clone(), number);
        self.nodes.push(SearchNode {
            state,
            label,
            estimate,
            actions: Vec::new(),
            parents: Vec::new(),
            met: 0,
        });
        number
    }

    /// Goes down from the root until a state is met again or is decided, and takes distances back.
    fn trial(&mut self, root: u32, budget: &Budget, poll: &mut BudgetPoll) -> Result<(), Limit> {
        let mut path: Vec<u32> = Vec::new();
        let mut at = root;
        loop {
            poll.step(budget)?;
            self.steps += 1;
            if self.steps / STEPS_OF_STATE + self.looked > self.most_states {
                return Err(Limit::Nodes(self.most_states));
            }
            let node = &mut self.nodes[at as usize];
            if node.label.is_final() || std::mem::replace(&mut node.met, self.trials) == self.trials {
                break;
            }
            if let Some(rule) = self.index.first(&self.nodes[at as usize].state) {
                self.decide(at, Label::Solved(rule))?;
                break;
            }
            path.push(at);
            if self.nodes[at as usize].label == Label::Unknown {
                self.expand(at)?;
                if self.nodes[at as usize].label.is_final() {
                    break;
                }
            }
            let Some((_, place)) = self.best(at) else { break };
            let action = &self.nodes[at as usize].actions[place];
            let open = action.next.iter().filter(|&&next| !self.nodes[next as usize].label.is_final());
            let furthest = open.max_by_key(|&&next| self.nodes[next as usize].estimate);
            at = *furthest.expect("an action that is not solved has an outcome that is not");
        }
        for &at in path.iter().rev() {
            if !self.nodes[at as usize].label.is_final()
                && let Some((estimate, _)) = self.best(at)
            {
                self.nodes[at as usize].estimate = estimate;
            }
        }
        Ok(())
    }

    /// The action whose worst outcome seems nearest to the goal, and how far the goal then is.
    fn best(&self, at: u32) -> Option<(u32, usize)> {
        let actions = self.nodes[at as usize].actions.iter().enumerate();
        let open = actions.filter(|(_, action)| !action.is_dead);
        let ranked = open.map(|(place, action)| {
            let left = action.next.iter().map(|&next| &self.nodes[next as usize]);
            let left = left.filter(|next| !next.label.is_final()).map(|next| next.estimate);
            ((left.max().unwrap_or(0).saturating_add(1), action.left, place), place)
        });
        ranked.min().map(|((estimate, ..), place)| (estimate, place))
    }

    /// Finds the actions of a state and where they lead.
    fn expand(&mut self, at: u32) -> Result<(), Limit> {
        self.expanded += 1;
        // To expand a state takes about four times as long as to look at one.
        self.looked += 4;
        let state = self.nodes[at as usize].state.clone();
        if self.planner.additive.estimate(&state).is_none() {
            return self.decide(at, Label::Dead);
        }
        let mut helpful = Vec::new();
        let estimate = self.planner.additive.helpful(&mut helpful);
        self.nodes[at as usize].estimate = self.nodes[at as usize].estimate.max(estimate);
        self.nodes[at as usize].label = Label::Expanded;
        let (mut stack, mut applicable) = (Vec::new(), Vec::new());
        self.tree.applicable(&state, &mut stack, &mut applicable);
        let mut choices: Vec<ChoiceId> = applicable.iter().map(|&op| self.choice_of[op]).collect();
        choices.sort_unstable();
        choices.dedup();
        choices.retain(|&choice| !self.dead.forbids(&state, choice));
        for choice in choices {
            let operators = self.nondet.choices[choice].operators();
            let states: Vec<State> = operators.clone().map(|op| self.planner.apply(&state, op)).collect();
            // What may change nothing may do so for ever.
            if states.contains(&state) {
                continue;
            }
            let is_helpful = operators.clone().any(|op| helpful.binary_search(&op).is_ok());
            let guess = estimate.saturating_sub(u32::from(is_helpful));
            let next: Vec<u32> = states.into_iter().map(|state| self.add(state, guess)).collect();
            if next.iter().any(|&next| self.nodes[next as usize].label == Label::Dead) {
                continue;
            }
            let place = self.nodes[at as usize].actions.len() as u32;
            let is_open = |next: &&u32| !self.nodes[**next as usize].label.is_final();
            let left = next.iter().filter(is_open).count();
            next.iter().for_each(|&next| self.nodes[next as usize].parents.push((at, place)));
            self.nodes[at as usize].actions.push(Action { choice, next, left, is_dead: false });
            if left == 0 {
                let label = self.rule(at, place as usize);
                return self.decide(at, label);
            }
        }
        if self.nodes[at as usize].actions.is_empty() {
            return self.decide(at, Label::Dead);
        }
        Ok(())
    }

    /// The rule of a state with an action of which all outcomes are solved.
    fn rule(&mut self, at: u32, place: usize) -> Label {
        let task = &self.nondet.task;
        let node = &self.nodes[at as usize];
        let action = &node.actions[place];
        let mut rule =
            StrongRule { condition: Vec::new(), choice: action.choice, rank: 1, after: Vec::new() };
        for (op, &next) in self.nondet.choices[action.choice].operators().zip(&action.next) {
            let after = match self.nodes[next as usize].label {
                Label::Solved(next) => {
                    let next_rule = &self.rules[next as usize];
                    rule.rank = rule.rank.max(next_rule.rank + 1);
                    rule.after.push(next);
                    &next_rule.condition
                }
                _ => &task.goal,
            };
            rule.condition.extend(regress_in(task, &task.operators[op], after, &node.state));
        }
        rule.condition.sort_unstable();
        rule.condition.dedup();
        let number = self.rules.len() as u32;
        self.index.insert(&rule.condition, number);
        self.rules.push(rule);
        Label::Solved(number)
    }

    /// Labels a state for good, and all those before it that this decides.
    fn decide(&mut self, at: u32, label: Label) -> Result<(), Limit> {
        self.nodes[at as usize].label = label;
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            let is_dead = self.nodes[at as usize].label == Label::Dead;
            if is_dead {
                let state = self.nodes[at as usize].state.clone();
                self.dead.note(self.nondet, &mut self.planner.additive, &state, None)?;
            }
            for (parent, place) in self.nodes[at as usize].parents.clone() {
                let before = &mut self.nodes[parent as usize];
                if before.label != Label::Expanded {
                    continue;
                }
                let action = &mut before.actions[place as usize];
                if is_dead {
                    action.is_dead = true;
                    if before.actions.iter().all(|action| action.is_dead) {
                        before.label = Label::Dead;
                        open.push(parent);
                    }
                    continue;
                }
                action.left -= 1;
                if action.left == 0 {
                    self.nodes[parent as usize].label = self.rule(parent, place as usize);
                    open.push(parent);
                }
            }
        }
        Ok(())
    }

    /// The rules that the first one needs, those nearest to the goal first: the first that fits is then at least as near as the
    /// one that was meant.
    fn policy(&self, first: u32) -> Policy {
        let mut is_needed = vec![false; self.rules.len()];
        is_needed[first as usize] = true;
        let mut open = vec![first];
        while let Some(rule) = open.pop() {
            for &after in &self.rules[rule as usize].after {
                if !std::mem::replace(&mut is_needed[after as usize], true) {
                    open.push(after);
                }
            }
        }
        let mut order: Vec<usize> = (0..self.rules.len()).filter(|&rule| is_needed[rule]).collect();
        order.sort_by_key(|&rule| (self.rules[rule].rank, rule));
        let pairs = order.into_iter().map(|rule| {
            let StrongRule { condition, choice, .. } = &self.rules[rule];
            Pair { condition: condition.clone(), choice: *choice }
        });
        Policy { class: Class::Strong, pairs: pairs.collect() }
    }
}
