//! The answer of [`solve`](super::solve).

use counterplay_base::{Evidence, Number};
use counterplay_ggp::explicit::{self, Order};
use counterplay_ggp::{layered, symbolic};
use serde::Serialize;

use super::request::Engine;
use crate::effort::Phases;
use crate::figures::grouped;

/// The solution of a game. Its JSON form is what `counterplay game solve --json` prints; what does not apply is null or left
/// out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolveAnswer {
    /// Whether the game has a value.
    pub verdict: GameVerdict,
    /// The value for each role; empty if there is none.
    pub value: Vec<u32>,
    /// What the answer rests on.
    pub evidence: Evidence,
    /// What each role can be sure of and can be held to, where there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Vec<RoleBound>>,
    /// Reachable states.
    pub states: u128,
    /// Layers of states.
    pub layers: usize,
    /// The engine that solved it: `explicit`, `layered` or `symbolic`.
    pub engine: &'static str,
    /// States of each layer.
    pub layer_states: Vec<u128>,
    /// Diagram nodes that hold the states of each layer; only of the symbolic engine.
    pub layer_nodes: Option<Vec<u64>>,
    /// States in which the game is over.
    pub terminal: u128,
    /// States for each outcome.
    pub outcomes: Vec<OutcomeCount>,
    /// States from which play can go on for ever.
    pub endless: u128,
    /// States that are not over and in which some role has no move; they are taken as ends.
    pub stuck: u128,
    /// Ends at which some role has no reward, or several.
    pub odd_rewards: u128,
    /// States in which several roles choose at once: 0 wherever there is a value.
    pub simultaneous: u128,
    /// Whether a measure of progress is proved to keep the layers apart; only where layers are looked at.
    pub progress: Option<bool>,
    /// What it is.
    pub measure: Option<String>,
    /// Symmetries of the rules that were proved and used, the one that changes nothing included.
    pub symmetries: usize,
    /// Whether the rewards of all ends have the same sum.
    pub constant_sum: bool,
    /// The most diagram nodes at once; only of the symbolic engine.
    pub peak_nodes: Option<usize>,
    /// Diagram nodes looked up or made; only of the symbolic engine.
    pub work: Option<u64>,
    /// Positions that were compared with the plain reading of the rules.
    pub checked: usize,
    /// The position that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// Seconds of wall time.
    pub seconds: f64,
    /// Seconds of each phase.
    pub phases: Phases,
    /// The most bytes that the process held, if the caller knows.
    pub peak_memory: Option<usize>,
    /// The names of the roles.
    #[serde(skip)]
    pub(super) roles: Vec<String>,
}

/// Whether a game has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum GameVerdict {
    /// The value is found and proved.
    Solved,
    /// It has none: the game never ends.
    Unsolvable,
    /// The value is open, since roles choose at once or play can go on for ever; there may be bounds.
    Stopped,
}

/// What a role can be sure of, and what it can be held to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoleBound {
    pub role: String,
    /// The reward that it can force.
    pub lower: u32,
    /// The reward to which the others can hold it.
    pub upper: u32,
}

/// A position that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Position {
    /// The joint moves that lead there.
    pub moves: Vec<Vec<String>>,
    /// Whether the game is over there.
    pub over: bool,
    /// The value for each role; `None` if play can go on for ever.
    pub value: Option<Vec<u32>>,
    /// What the roles with a choice can do.
    pub choices: Vec<Choice>,
}

/// A move of a role that has several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Choice {
    pub role: String,
    #[serde(rename = "move")]
    pub own: String,
    /// The value of the position after it.
    pub value: Option<Vec<u32>>,
    /// Whether no other move is worth more.
    pub optimal: bool,
}

/// How many states are worth the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutcomeCount {
    /// For each role.
    pub rewards: Vec<u32>,
    pub states: u128,
}

impl SolveAnswer {
    /// Figures that every engine has; the others are filled in by the one that has them.
    fn new(engine: Engine, value: Option<Vec<u32>>, mut outcomes: Vec<OutcomeCount>) -> SolveAnswer {
        let constant_sum = has_constant_sum(outcomes.iter().map(|outcome| &outcome.rewards[..]));
        outcomes.sort_by(|a, b| b.rewards.cmp(&a.rewards));
        SolveAnswer {
            verdict: if value.is_some() { GameVerdict::Solved } else { GameVerdict::Unsolvable },
            value: value.unwrap_or_default(),
            evidence: Evidence::proved(engine.name(), None),
            bounds: None,
            states: 0,
            layers: 0,
            engine: engine.name(),
            layer_states: Vec::new(),
            layer_nodes: None,
            terminal: 0,
            outcomes,
            endless: 0,
            stuck: 0,
            odd_rewards: 0,
            simultaneous: 0,
            progress: None,
            measure: None,
            symmetries: 1,
            constant_sum,
            peak_nodes: None,
            work: None,
            checked: 0,
            position: None,
            seconds: 0.0,
            phases: Phases::default(),
            peak_memory: None,
            roles: Vec::new(),
        }
    }

    pub(super) fn of_states(solution: &explicit::Solution) -> SolveAnswer {
        let counts = solution.outcome_states();
        let decided: usize = counts.iter().sum();
        let outcomes = outcome_counts(&solution.outcomes, counts.into_iter().map(|count| count as u128));
        SolveAnswer {
            states: solution.len() as u128,
            layers: solution.layers.len(),
            layer_states: solution.layers.iter().map(|&count| count as u128).collect(),
            terminal: solution.terminal as u128,
            endless: (solution.len() - decided) as u128,
            stuck: solution.stuck as u128,
            odd_rewards: solution.odd_rewards as u128,
            ..SolveAnswer::new(Engine::Explicit, solution.value(0).map(<[u32]>::to_vec), outcomes)
        }
    }

    pub(super) fn of_layers(solution: &layered::Solution) -> SolveAnswer {
        let counts = solution.outcome_states.iter().map(|&count| u128::from(count));
        let value = solution.outcomes[solution.value].clone();
        SolveAnswer {
            states: solution.layer_states.iter().map(|&count| u128::from(count)).sum(),
            layers: solution.layer_states.len(),
            layer_states: solution.layer_states.iter().map(|&count| count.into()).collect(),
            terminal: solution.terminal.into(),
            stuck: solution.stuck.into(),
            odd_rewards: solution.odd_rewards.into(),
            progress: Some(true),
            measure: Some(solution.measure.clone()),
            symmetries: solution.symmetries,
            ..SolveAnswer::new(Engine::Layered, Some(value), outcome_counts(&solution.outcomes, counts))
        }
    }

    pub(super) fn of_sets(solution: &symbolic::Solution<'_>) -> SolveAnswer {
        let value = solution.value.map(|outcome| solution.outcomes[outcome].clone());
        let counts = solution.outcome_states.iter().copied();
        SolveAnswer {
            states: solution.layer_states.iter().sum(),
            layers: solution.layer_states.len(),
            layer_states: solution.layer_states.clone(),
            layer_nodes: Some(solution.layer_nodes.clone()),
            terminal: solution.terminal,
            endless: solution.endless,
            stuck: solution.stuck,
            odd_rewards: solution.odd_rewards,
            progress: Some(solution.measure.is_some()),
            measure: solution.measure.clone(),
            peak_nodes: Some(solution.peak_nodes),
            work: Some(solution.work),
            ..SolveAnswer::new(Engine::Symbolic, value, outcome_counts(&solution.outcomes, counts))
        }
    }

    /// An answer that has bounds only.
    pub(super) fn of_bounds(bounds: &explicit::Bounds, roles: &[String]) -> SolveAnswer {
        let mut answer = SolveAnswer {
            states: bounds.layers.iter().sum::<usize>() as u128,
            layers: bounds.layers.len(),
            layer_states: bounds.layers.iter().map(|&count| count as u128).collect(),
            terminal: bounds.terminal as u128,
            stuck: bounds.stuck as u128,
            odd_rewards: bounds.odd_rewards as u128,
            simultaneous: bounds.simultaneous as u128,
            constant_sum: false,
            ..SolveAnswer::new(Engine::Explicit, None, Vec::new())
        };
        answer.bound(Some(bounds), roles);
        answer
    }

    /// Whether the value at the beginning is open although the game can end.
    pub(super) fn is_open(&self) -> bool {
        self.value.is_empty() && self.terminal + self.stuck > 0
    }

    /// Says that there is no value but perhaps bounds.
    pub(super) fn bound(&mut self, bounds: Option<&explicit::Bounds>, roles: &[String]) {
        self.verdict = GameVerdict::Stopped;
        self.bounds = bounds.map(|bounds| {
            let of = roles.iter().zip(&bounds.roles);
            of.map(|(role, own)| RoleBound { role: role.clone(), lower: own.sure, upper: own.held_to })
                .collect()
        });
        let first = self.bounds.as_ref().and_then(|bounds| bounds.first());
        self.evidence = Evidence::Bounded {
            engine: self.engine.to_owned(),
            lower: first.map(|first| Number(first.lower.into())),
            upper: first.map(|first| Number(first.upper.into())),
        };
    }

    /// Says what a value rests on, once it is known what was checked.
    pub(super) fn prove(&mut self, order: Order, checked_by: Option<String>) {
        if let Evidence::Proved { .. } = self.evidence {
            let within = self.assumptions(order);
            let engine = self.engine.to_owned();
            self.evidence = Evidence::Proved { engine, checked_by, within };
        }
    }

    /// What the value presupposes beyond the rules, if it does.
    fn assumptions(&self, order: Order) -> Option<String> {
        let mut assumed = Vec::new();
        let roles = self.outcomes.first().map_or(1, |outcome| outcome.rewards.len());
        // With one role, or two that share a constant sum, all ways to break ties lead to the same value.
        if roles > 2 || roles == 2 && !self.constant_sum {
            assumed.push(match order {
                Order::Own => {
                    "backward induction in which each role takes its greatest reward and, among equal ones, the least \
                     sum for the others, then the greatest rewards of the first roles (other ways to break ties may \
                     give other values)"
                        .to_owned()
                }
                Order::Difference => {
                    "backward induction in which each role wants the greatest difference to the sum of the others' \
                     rewards and, among equal ones, the greatest reward"
                        .to_owned()
                }
            });
        }
        if roles > 1 && self.endless > 0 {
            assumed.push(
                "the assumption that play without an end is worth no more than the best end".to_owned(),
            );
        }
        if self.stuck > 0 {
            assumed.push(format!(
                "a reading of the rules that takes {} states in which some role has no legal move as ends",
                self.stuck
            ));
        }
        if self.odd_rewards > 0 {
            assumed.push(format!(
                "a reading of the rules in which, at {} ends, a role without a reward gets 0 and a role with several the \
                 greatest",
                self.odd_rewards
            ));
        }
        (!assumed.is_empty()).then(|| assumed.join("; and "))
    }

    /// A table for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(bounds) = &self.bounds {
            let reason = match self.simultaneous {
                0 => "play can go on for ever, and the rules do not say what that is worth".to_owned(),
                count => format!("in {} states several roles choose at once", grouped(count)),
            };
            text.push_str(&format!("no value in pure strategies: {reason}\n"));
            for bound in bounds {
                let RoleBound { role, lower, upper } = bound;
                text.push_str(&format!("{role:22}{:>12}\n", format!("{lower} to {upper}")));
            }
        } else if self.is_open() {
            text.push_str(
                "no value is decided: play can go on for ever, and the rules do not say what that is worth\n",
            );
        } else if self.value.is_empty() {
            text.push_str("no value: the game never ends\n");
        }
        for (role, value) in self.roles.iter().zip(&self.value) {
            text.push_str(&format!("{role:22}{value:>12}\n"));
        }
        text.push_str(&format!("{:22}{:>12}\n", "states", grouped(self.states)));
        text.push_str(&format!("{:22}{:>12}\n", "layers", self.layers));
        for outcome in &self.outcomes {
            let rewards: Vec<String> = outcome.rewards.iter().map(u32::to_string).collect();
            let name = format!("worth {}", rewards.join(" "));
            text.push_str(&format!("{name:22}{:>12}\n", grouped(outcome.states)));
        }
        if self.endless > 0 {
            text.push_str(&format!("{:22}{:>12}\n", "without an end", grouped(self.endless)));
        }
        text.push_str(&match &self.evidence {
            Evidence::Bounded { engine, .. } => format!(
                "bounded by {engine}: each role can be sure of the first figure even if the others see its moves, and can \
                 be held to the second even if it sees theirs\n"
            ),
            other => format!("{}\n", other.sentence()),
        });
        if let Some(position) = &self.position {
            text.push_str(&position.text());
        }
        text
    }
}

impl Position {
    fn text(&self) -> String {
        let show = |value: &Option<Vec<u32>>| match value {
            Some(value) => value.iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
            None => "no value: play can go on for ever".to_owned(),
        };
        let over = if self.over { ", which is an end" } else { "" };
        let moves = match self.moves.len() {
            1 => "1 move".to_owned(),
            count => format!("{count} moves"),
        };
        let mut text = format!("after {moves}{over}: {}\n", show(&self.value));
        for choice in &self.choices {
            let mark = if choice.optimal { "*" } else { " " };
            text.push_str(&format!("{mark} {} {:20} {}\n", choice.role, choice.own, show(&choice.value)));
        }
        text
    }
}

fn outcome_counts(outcomes: &[Vec<u32>], states: impl Iterator<Item = u128>) -> Vec<OutcomeCount> {
    outcomes
        .iter()
        .zip(states)
        .map(|(rewards, states)| OutcomeCount { rewards: rewards.clone(), states })
        .collect()
}

fn has_constant_sum<'o>(outcomes: impl Iterator<Item = &'o [u32]>) -> bool {
    let mut sums = outcomes.map(|rewards| rewards.iter().sum::<u32>());
    let first = sums.next();
    sums.all(|sum| Some(sum) == first)
}
