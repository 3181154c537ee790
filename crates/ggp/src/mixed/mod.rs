//! Expected values: games in which roles choose at once, or chance takes part.
//!
//! Every reachable state once, then values backwards in exact fractions: a state is decided when all its successors are, by
//! its stage game. So the game must not go on for ever; states from which it can stay undecided, and are counted. What is
//! found is a value where roles have opposite wishes, and else what was asked for by name: what each role can make sure of, or
//! one equilibrium.
//!
//! Zero-sum games by matrix games backwards: Shapley 1953 (without discount, on a finite horizon).

mod stage;

use counterplay_base::{Budget, BudgetPoll, Id, Verdict};
use counterplay_equilibrium::{Rational, fraction};
use counterplay_ground::game::{FluentId, Game, RoleId};
use rustc_hash::FxHashMap;

pub use stage::{Concept, MOST_JOINT_MOVES, Stage, StageSolution, Unsolved};

use crate::explicit::explore::{AtOnce, Graph, Kind, explore};
use crate::explicit::parents;
use crate::explicit::table::StateTable;
use crate::halt::{Halt, verdict};
use crate::simultaneous::Simultaneous;
use stage::choosers;

/// Why a game has no solution of the kind that was asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Several roles choose at once whose wishes are not opposite.
    #[error("several roles choose at once, and their rewards do not have a constant sum of two roles")]
    GeneralSum(Simultaneous),
    /// More than two roles choose at once.
    #[error("more than two roles choose at once")]
    ManyChoose(Simultaneous),
    /// Too many joint moves.
    #[error("in some state there are {joint} joint moves, too many for an exact mixture")]
    Wide { joint: usize, at: Simultaneous },
}

/// What a state is worth: its number among the distinct values plus one, or 0 if it is open.
type ValueNumber = u32;

/// Expected values of all reachable states.
#[derive(Clone, Debug)]
pub struct Solution {
    table: StateTable,
    /// The distinct values: an expected reward for each role.
    pub distinct: Vec<Vec<Rational>>,
    values: Vec<ValueNumber>,
    /// Number of states first reached after so many moves.
    pub layers: Vec<usize>,
    /// States in which the game is over.
    pub terminal: usize,
    /// States that are not over and in which some role has no legal move; they are taken as ends.
    pub stuck: usize,
    /// Ends at which some role has no reward, or several; the greatest counts, and none counts as 0.
    pub odd_rewards: usize,
    /// States in which several roles besides chance choose at once.
    pub simultaneous: usize,
    /// States in which chance has several moves.
    pub drawn: usize,
    /// Whether there are two roles besides chance, whose rewards have a constant sum at all ends.
    pub is_opposite: bool,
    /// Whether the rewards of all roles besides chance have a constant sum at all ends.
    pub is_constant_sum: bool,
}

impl Solution {
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no state; there always is one.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The number of a state.
    pub fn find(&self, state: &[u64]) -> Option<usize> {
        self.table.find(state).map(|number| number as usize)
    }

    /// What a state is worth to each role; `None` if play can go on for ever.
    pub fn value(&self, number: usize) -> Option<&[Rational]> {
        let value = self.values[number].checked_sub(1)?;
        Some(&self.distinct[value as usize])
    }

    /// How many states have each of the distinct values.
    pub fn value_states(&self) -> Vec<usize> {
        let mut counts = vec![0; self.distinct.len()];
        self.values.iter().filter(|&&value| value > 0).for_each(|&value| counts[value as usize - 1] += 1);
        counts
    }
}

/// Solves a game of at most so many states; `Limit::Nodes` says that there are more. The verdict is about all states
/// together, so it is never `Unsolvable`.
///
/// # Errors
/// Why there is no such solution.
pub fn solve(
    game: &Game,
    concept: Concept,
    most: usize,
    budget: &Budget,
) -> Result<Verdict<Solution>, Refusal> {
    verdict(find(game, concept, most, budget))
}

fn find(game: &Game, concept: Concept, most: usize, budget: &Budget) -> Result<Solution, Halt<Refusal>> {
    let graph = match explore(game, AtOnce::Explore, most, budget) {
        Ok(graph) => graph,
        Err(Halt::Stopped(limit)) => return Err(limit.into()),
        Err(Halt::Refused(_)) => unreachable!("states in which several roles choose are explored"),
    };
    let chance = game.chance.map(Id::index);
    let players = (0..game.roles.len()).filter(|&role| Some(role) != chance);
    let players: Vec<usize> = players.collect();
    let mut sums = graph.outcomes.iter().map(|own| players.iter().map(|&role| own[role]).sum::<u32>());
    let first = sums.next();
    let is_constant_sum = sums.all(|sum| Some(sum) == first);
    let mut backward = Backward {
        widths: graph.widths.iter().map(|own| own.of.iter().map(|&width| width as usize).collect()).collect(),
        chance,
        concept,
        is_opposite: is_constant_sum && players.len() == 2,
        distinct: Vec::new(),
        number: FxHashMap::default(),
        stages: FxHashMap::default(),
        remembered: 0,
        values: vec![0; graph.kinds.len()],
        graph: &graph,
        budget,
    };
    backward.run(game)?;
    let is_opposite = backward.is_opposite;
    let (mut simultaneous, mut drawn) = (0, 0);
    for state in 0..graph.kinds.len() {
        if let Kind::Open { widths, .. } = graph.kinds.get(state) {
            let widths = &backward.widths[widths as usize];
            simultaneous += usize::from(choosers(widths, chance).len() > 1);
            drawn += usize::from(chance.is_some_and(|chance| widths[chance] > 1));
        }
    }
    let (distinct, values) = (backward.distinct, backward.values);
    let Graph { table, layers, terminal, stuck, odd_rewards, .. } = graph;
    Ok(Solution {
        table,
        distinct,
        values,
        layers,
        terminal,
        stuck,
        odd_rewards,
        simultaneous,
        drawn,
        is_opposite,
        is_constant_sum,
    })
}

/// Values from the ends backwards.
struct Backward<'g> {
    graph: &'g Graph,
    /// The distinct numbers of moves of the roles.
    widths: Vec<Vec<usize>>,
    chance: Option<usize>,
    concept: Concept,
    is_opposite: bool,
    distinct: Vec<Vec<Rational>>,
    number: FxHashMap<Vec<Rational>, ValueNumber>,
    /// Stage games that were solved: numbers of moves, values of joint moves.
    stages: FxHashMap<(u32, Vec<ValueNumber>), ValueNumber>,
    /// How many joint moves they have together.
    remembered: usize,
    values: Vec<ValueNumber>,
    budget: &'g Budget,
}

/// Joint moves of all stage games that are remembered, at most.
const MOST_REMEMBERED: usize = 1 << 23;

impl Backward<'_> {
    fn run(&mut self, game: &Game) -> Result<(), Halt<Refusal>> {
        let graph = self.graph;
        let count = graph.kinds.len();
        self.budget.allow_bytes(4 * (3 * count + 1 + graph.edges.len()))?;
        let mut waiting: Vec<u32> = vec![0; count];
        let mut open: Vec<u32> = Vec::new();
        for (state, waiting) in waiting.iter_mut().enumerate() {
            match graph.kinds.get(state) {
                Kind::Over(outcome) => {
                    let rewards = &graph.outcomes[outcome as usize];
                    let value = rewards.iter().map(|&own| fraction(own.into(), 1)).collect();
                    self.values[state] = self.number(value);
                    open.push(state as u32);
                }
                Kind::Open { widths, .. } => *waiting = graph.widths[widths as usize].joint,
            }
        }
        let (start, parents) = parents(graph, self.budget)?;
        let mut poll = BudgetPoll::every(256);
        while let Some(state) = open.pop() {
            poll.step(self.budget)?;
            let range = start[state as usize] as usize..start[state as usize + 1] as usize;
            for &parent in &parents[range] {
                waiting[parent as usize] -= 1;
                if waiting[parent as usize] == 0 {
                    let found = self.state(parent as usize);
                    self.values[parent as usize] = found.map_err(|why| refused(game, graph, parent, why))?;
                    open.push(parent);
                }
            }
        }
        Ok(())
    }

    fn number(&mut self, value: Vec<Rational>) -> ValueNumber {
        if let Some(&known) = self.number.get(&value) {
            return known;
        }
        self.distinct.push(value.clone());
        let number = self.distinct.len() as ValueNumber;
        self.number.insert(value, number);
        number
    }

    /// The value of a state all of whose successors have one.
    fn state(&mut self, state: usize) -> Result<ValueNumber, Unsolved> {
        let Kind::Open { first, widths } = self.graph.kinds.get(state) else {
            unreachable!("an end has no moves")
        };
        let edges = first..first + self.graph.widths[widths as usize].joint;
        let after: Vec<ValueNumber> =
            edges.map(|edge| self.values[self.graph.edges.get(edge as usize) as usize]).collect();
        if after.iter().all(|own| *own == after[0]) {
            return Ok(after[0]);
        }
        let key = (widths, after);
        if let Some(&known) = self.stages.get(&key) {
            return Ok(known);
        }
        let stage = Stage {
            widths: &self.widths[widths as usize],
            chance: self.chance,
            values: key.1.iter().map(|&own| &self.distinct[own as usize - 1][..]).collect(),
        };
        let solution = stage.solve(self.concept, self.is_opposite, self.budget)?;
        let number = self.number(solution.value);
        if self.remembered < MOST_REMEMBERED {
            self.remembered += key.1.len();
            self.stages.insert(key, number);
        }
        Ok(number)
    }
}

/// The refusal of a game in a state of which no stage game can be solved.
fn refused(game: &Game, graph: &Graph, state: u32, why: Unsolved) -> Halt<Refusal> {
    let row = graph.table.row(state as usize);
    let holds = |fluent: &FluentId| row[fluent.index() / 64] >> (fluent.index() % 64) & 1 == 1;
    let Kind::Open { widths, .. } = graph.kinds.get(state as usize) else {
        unreachable!("an end has no moves")
    };
    let widths: Vec<usize> = graph.widths[widths as usize].of.iter().map(|&own| own as usize).collect();
    let at = Simultaneous {
        state: game.fluents.ids().filter(holds).collect(),
        roles: choosers(&widths, game.chance.map(Id::index)).into_iter().map(RoleId::new).collect(),
    };
    Halt::Refused(match why {
        Unsolved::GeneralSum => Refusal::GeneralSum(at),
        Unsolved::ManyChoose => Refusal::ManyChoose(at),
        Unsolved::Wide { joint } => Refusal::Wide { joint, at },
        Unsolved::Stopped(limit) => return Halt::Stopped(limit),
    })
}
