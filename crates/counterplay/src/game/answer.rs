//! The answer of [`solve`](super::solve).

use counterplay_base::{Evidence, Number};
use counterplay_cluster::Plan;
use counterplay_equilibrium::Rational;
use counterplay_ggp::explicit::{self, Order};
use counterplay_ggp::mixed::{self, Concept};
use counterplay_ggp::{layered, symbolic};
use serde::Serialize;

use super::exact::Exact;
use super::hidden::{HiddenFigures, InformationSet};
use super::proof::ProofFigures;
use super::request::Engine;
use super::single::Line;
use crate::effort::Phases;
use crate::figures::grouped;

/// What a solution on disk took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiskFigures {
    /// Threads of each process.
    pub workers: usize,
    pub processes: usize,
    /// Parts of each layer.
    pub parts: usize,
    /// Bytes of the files in the folder of this process.
    pub bytes: u64,
    /// Bytes of sorted runs that memory had no room for, of all processes.
    pub spilled_bytes: u64,
    /// Bytes that went from worker to worker, of all processes, without framing.
    pub exchanged_bytes: u64,
}

/// The solution of a game. Its JSON form is what `counterplay game solve --json` prints; what does not apply is null or left
/// out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolveAnswer {
    /// Whether the game has a value.
    pub verdict: GameVerdict,
    /// The value for each role; empty if there is none. An expected value is the nearest number; see `value_exact`.
    pub value: Vec<Exact>,
    /// The value as fractions such as `200/3`, where lots or chance take part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_exact: Option<Vec<String>>,
    /// What is meant by the value.
    pub solution: Concept,
    /// What the answer rests on.
    pub evidence: Evidence,
    /// What each role can be sure of and can be held to, where there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Vec<RoleBound>>,
    /// What each role can make sure of by lots, where roles choose at once and there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub security: Option<Vec<SecurityLevel>>,
    /// Reachable states; 0 where only one position was solved (`plan`, `proof`).
    pub states: u128,
    /// Layers of states.
    pub layers: usize,
    /// The engine that solved it: `explicit`, `layered`, `symbolic`, `plan` or `proof`.
    pub engine: &'static str,
    /// States of each layer.
    pub layer_states: Vec<u128>,
    /// Diagram nodes that hold the states of each layer; only of the symbolic engine.
    pub layer_nodes: Option<Vec<u64>>,
    /// States in which the game is over.
    pub terminal: u128,
    /// States for each value; with lots or chance only if there are at most a thousand different values.
    pub outcomes: Vec<OutcomeCount>,
    /// States from which play can go on for ever.
    pub endless: u128,
    /// States that are not over and in which some role has no move; they are taken as ends.
    pub stuck: u128,
    /// Ends at which some role has no reward, or several.
    pub odd_rewards: u128,
    /// States in which several roles besides chance choose at once.
    pub simultaneous: u128,
    /// States in which chance has several moves.
    pub drawn: u128,
    /// Whether a measure of progress is proved to keep the layers apart; only where layers are looked at.
    pub progress: Option<bool>,
    /// What it is.
    pub measure: Option<String>,
    /// Symmetries of the rules that were proved and used, the one that changes nothing included.
    pub symmetries: usize,
    /// A hash of all states and values, the same for equal solutions; only of the layered engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// What a solution on disk took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk: Option<DiskFigures>,
    /// Whether the rewards of all ends have the same sum.
    pub constant_sum: bool,
    /// The most diagram nodes at once; only of the symbolic engine.
    pub peak_nodes: Option<usize>,
    /// Diagram nodes looked up or made; only of the symbolic engine.
    pub work: Option<u64>,
    /// Positions that were compared with the plain reading of the rules.
    pub checked: usize,
    /// What is special about hidden moves, if there are some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hidden: Option<HiddenFigures>,
    /// How the roles draw their moves, for games with hidden moves and at most a thousand information sets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Vec<InformationSet>>,
    /// The position that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// Moves that lead to the value; only of the planner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Line>,
    /// What the proof search took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofFigures>,
    /// Seconds of wall time.
    pub seconds: f64,
    /// Seconds of each phase.
    pub phases: Phases,
    /// The most bytes that the process held, if the caller knows.
    pub peak_memory: Option<usize>,
    /// Strategies that prove the value of a position, as text, or why there are none; if they were asked for.
    #[serde(skip)]
    pub playbook: Option<Result<String, String>>,
    /// The names of the roles.
    #[serde(skip)]
    pub(super) roles: Vec<String>,
    /// Whether one of them is chance.
    #[serde(skip)]
    pub(super) has_chance: bool,
    /// Whether a role learns something only from its legal moves.
    #[serde(skip)]
    pub(super) legality_informs: bool,
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
    pub lower: Exact,
    /// The reward to which the others can hold it.
    pub upper: Exact,
}

/// What a role can make sure of by lots, whatever the others do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SecurityLevel {
    pub role: String,
    /// The nearest number.
    pub level: Exact,
    /// The fraction.
    pub exact: String,
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
    pub value: Option<Vec<Exact>>,
    /// The value as fractions, where lots or chance take part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_exact: Option<Vec<String>>,
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
    /// The value of the position after it; the expectation if other roles draw lots at the same moment.
    pub value: Option<Vec<Exact>>,
    /// Whether no other move is worth more to the role.
    pub optimal: bool,
    /// How often the role makes it, where lots or chance take part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<Exact>,
    /// The same as a fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability_exact: Option<String>,
}

/// Different values of states that an answer lists at most.
const MOST_VALUES: usize = 1000;

/// How many states are worth the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutcomeCount {
    /// For each role.
    pub rewards: Vec<Exact>,
    pub states: u128,
}

impl SolveAnswer {
    /// Figures that every engine has; the others are filled in by the one that has them.
    pub(super) fn new(
        engine: Engine,
        value: Option<Vec<Exact>>,
        mut outcomes: Vec<OutcomeCount>,
    ) -> SolveAnswer {
        let constant_sum = has_constant_sum(outcomes.iter().map(|outcome| &outcome.rewards[..]));
        outcomes.sort_by(|a, b| b.rewards.cmp(&a.rewards));
        SolveAnswer {
            verdict: if value.is_some() { GameVerdict::Solved } else { GameVerdict::Unsolvable },
            value: value.unwrap_or_default(),
            value_exact: None,
            solution: Concept::Value,
            evidence: Evidence::proved(engine.name(), None),
            bounds: None,
            security: None,
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
            drawn: 0,
            progress: None,
            measure: None,
            symmetries: 1,
            digest: None,
            disk: None,
            constant_sum,
            peak_nodes: None,
            work: None,
            checked: 0,
            hidden: None,
            strategy: None,
            position: None,
            line: None,
            proof: None,
            playbook: None,
            seconds: 0.0,
            phases: Phases::default(),
            peak_memory: None,
            roles: Vec::new(),
            has_chance: false,
            legality_informs: false,
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
            ..SolveAnswer::new(Engine::Explicit, solution.value(0).map(whole), outcomes)
        }
    }

    pub(super) fn of_layers(solution: &layered::Solution) -> SolveAnswer {
        let counts = solution.outcome_states.iter().map(|&count| u128::from(count));
        let value = whole(&solution.outcomes[solution.value]);
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
            digest: Some(layered::digest_of_layers(&solution.layer_digests)),
            ..SolveAnswer::new(Engine::Layered, Some(value), outcome_counts(&solution.outcomes, counts))
        }
    }

    pub(super) fn of_files(solution: &counterplay_cluster::Solution, plan: &Plan) -> SolveAnswer {
        let counts = solution.outcome_states.iter().map(|&count| u128::from(count));
        let value = whole(&solution.outcomes[solution.value]);
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
            digest: Some(layered::digest_of_layers(&solution.layer_digests)),
            disk: Some(DiskFigures {
                workers: plan.workers,
                processes: plan.processes.as_ref().map_or(1, |(hosts, _)| hosts.addresses.len()),
                parts: plan.parts,
                bytes: solution.disk,
                spilled_bytes: solution.spilled,
                exchanged_bytes: solution.sent,
            }),
            ..SolveAnswer::new(Engine::Layered, Some(value), outcome_counts(&solution.outcomes, counts))
        }
    }

    pub(super) fn of_sets(solution: &symbolic::Solution<'_>) -> SolveAnswer {
        let value = solution.value.map(|outcome| whole(&solution.outcomes[outcome]));
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

    /// Expected values.
    pub(super) fn of_expected(solution: &mixed::Solution, concept: Concept) -> SolveAnswer {
        let counts = solution.value_states();
        let decided: usize = counts.iter().sum();
        let outcomes = match solution.distinct.len() > MOST_VALUES {
            true => Vec::new(),
            false => solution
                .distinct
                .iter()
                .zip(counts)
                .map(|(value, states)| OutcomeCount { rewards: Exact::list(value), states: states as u128 })
                .collect(),
        };
        let value = solution.value(0).map(Exact::list);
        SolveAnswer {
            value_exact: value.as_deref().map(Exact::texts),
            solution: concept,
            states: solution.len() as u128,
            layers: solution.layers.len(),
            layer_states: solution.layers.iter().map(|&count| count as u128).collect(),
            terminal: solution.terminal as u128,
            endless: (solution.len() - decided) as u128,
            stuck: solution.stuck as u128,
            odd_rewards: solution.odd_rewards as u128,
            simultaneous: solution.simultaneous as u128,
            drawn: solution.drawn as u128,
            constant_sum: solution.is_constant_sum,
            ..SolveAnswer::new(Engine::Explicit, value, outcomes)
        }
    }

    /// Says that there is no value, but what each role can make sure of.
    pub(super) fn secure(&mut self, roles: &[String]) {
        let levels = std::mem::take(&mut self.value);
        self.evidence = Evidence::Bounded {
            engine: self.engine.to_owned(),
            lower: levels.first().map(|first| Number(first.to_f64())),
            upper: None,
        };
        let level = |(role, level): (&String, Exact)| SecurityLevel {
            role: role.clone(),
            exact: level.to_string(),
            level,
        };
        self.security = Some(roles.iter().zip(levels).map(level).collect());
        self.verdict = GameVerdict::Stopped;
        self.value_exact = None;
        self.solution = Concept::Value;
        self.outcomes.clear();
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
            of.map(|(role, own)| RoleBound {
                role: role.clone(),
                lower: own.sure.into(),
                upper: own.held_to.into(),
            })
            .collect()
        });
        let first = self.bounds.as_ref().and_then(|bounds| bounds.first());
        self.evidence = Evidence::Bounded {
            engine: self.engine.to_owned(),
            lower: first.map(|first| Number(first.lower.to_f64())),
            upper: first.map(|first| Number(first.upper.to_f64())),
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
        let roles = self.value.len().max(1) - usize::from(self.has_chance);
        // With one role, or two that share a constant sum, all ways to break ties lead to the same value.
        match self.solution {
            Concept::Value => {}
            Concept::Maximin => assumed.push(
                "security levels: what each role can make sure of by lots whatever the others do, which is not what it \
                 gets when they follow their own wishes"
                    .to_owned(),
            ),
            Concept::Nash => assumed.push(
                "one equilibrium, the same moves and lots in every position (others may have other values)".to_owned(),
            ),
        }
        if self.solution == Concept::Value && (roles > 2 || roles == 2 && !self.constant_sum) {
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
        if self.legality_informs {
            assumed.push(
                "a reading of the rules in which a role knows its legal moves, also where only they tell it something"
                    .to_owned(),
            );
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
            match &self.hidden {
                None => text.push_str(&format!("no value in pure strategies: {reason}\n")),
                Some(_) => text.push_str("the value lies between\n"),
            }
            for bound in bounds {
                let RoleBound { role, lower, upper } = bound;
                let range = match self.hidden {
                    None => format!("{lower} to {upper}"),
                    // Fractions of strategies that regret matching found have many digits.
                    Some(_) => format!("{:.6} to {:.6}", lower.to_f64(), upper.to_f64()),
                };
                text.push_str(&format!("{role:22}{range:>12}\n"));
            }
        } else if let Some(levels) = &self.security {
            text.push_str(&format!(
                "no value: in {} states several roles choose at once, and their wishes are not opposite\n",
                grouped(self.simultaneous)
            ));
            text.push_str("what each role can make sure of by lots:\n");
            for own in levels {
                text.push_str(&format!("{:22}{:>12}\n", own.role, own.exact));
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
        if self.states > 0 {
            text.push_str(&format!("{:22}{:>12}\n", "states", grouped(self.states)));
            text.push_str(&format!("{:22}{:>12}\n", "layers", self.layers));
        }
        if let Some(proof) = &self.proof {
            text.push_str(&format!("{:22}{:>12}\n", "positions met", grouped(proof.positions as u128)));
        }
        if let Some(hidden) = &self.hidden {
            let sets = hidden.infosets.iter().sum::<usize>() as u128;
            text.push_str(&format!("{:22}{:>12}\n", "histories", grouped(hidden.histories as u128)));
            text.push_str(&format!("{:22}{:>12}\n", "information sets", grouped(sets)));
        }
        for outcome in &self.outcomes {
            let rewards: Vec<String> = outcome.rewards.iter().map(ToString::to_string).collect();
            let name = format!("worth {}", rewards.join(" "));
            text.push_str(&format!("{name:22}{:>12}\n", grouped(outcome.states)));
        }
        if self.endless > 0 {
            text.push_str(&format!("{:22}{:>12}\n", "without an end", grouped(self.endless)));
        }
        text.push_str(&match &self.evidence {
            Evidence::Bounded { engine, .. } if self.security.is_some() => {
                format!("found by {engine}; `--solution nash` finds one equilibrium\n")
            }
            Evidence::Bounded { engine, .. } if self.hidden.is_some() => {
                format!("bounded by {engine}: what the strategies found guarantee, computed exactly by best responses\n")
            }
            Evidence::Bounded { engine, .. } => format!(
                "bounded by {engine}: each role can be sure of the first figure even if the others see its moves, and can \
                 be held to the second even if it sees theirs\n"
            ),
            other => format!("{}\n", other.sentence()),
        });
        if let Some(position) = &self.position {
            text.push_str(&position.text(self.hidden.is_some()));
        }
        if let Some(line) = &self.line {
            let fewest =
                if line.shortest { "no play to this reward is shorter" } else { "perhaps not the shortest" };
            text.push_str(&format!("{} moves ({fewest}): {}\n", line.moves.len(), line.moves.join(" ")));
        }
        text
    }
}

impl Position {
    fn text(&self, is_hidden: bool) -> String {
        let show = |value: &Option<Vec<Exact>>| match value {
            Some(value) => Exact::texts(value).join(" "),
            None if is_hidden => String::new(),
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
            let often = choice.probability_exact.as_ref().map_or(String::new(), |own| format!("{own:>8} "));
            text.push_str(&format!(
                "{mark} {} {:20} {often}{}\n",
                choice.role,
                choice.own,
                show(&choice.value)
            ));
        }
        text
    }
}

fn outcome_counts(outcomes: &[Vec<u32>], states: impl Iterator<Item = u128>) -> Vec<OutcomeCount> {
    outcomes
        .iter()
        .zip(states)
        .map(|(rewards, states)| OutcomeCount { rewards: whole(rewards), states })
        .collect()
}

/// Rewards as they come from the rules.
pub(super) fn whole(rewards: &[u32]) -> Vec<Exact> {
    rewards.iter().map(|&own| own.into()).collect()
}

fn has_constant_sum<'o>(outcomes: impl Iterator<Item = &'o [Exact]>) -> bool {
    let mut sums = outcomes.map(|rewards| rewards.iter().map(|own| &own.0).sum::<Rational>());
    let first = sums.next();
    sums.all(|sum| Some(sum) == first)
}
