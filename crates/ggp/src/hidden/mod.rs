//! Games with hidden moves (GDL-II): what can be made sure of by roles that see only what the rules tell them.
//!
//! A role knows the rules, its own moves, what it perceives of each joint move (`sees`), and its legal moves. Histories that it
//! cannot tell apart form an information set. All histories are unrolled, round by round; those that agree in the state and in
//! what every role knows are one. What remains is the game in sequence form: for one role a best response to chance, for
//! two roles the linear program of the sequence form, or regret matching where that is too large.
//!
//! Perception semantics: Thielscher 2010, *A general game description language for incomplete information games*.

mod knowledge;
mod rounds;
mod solve;

use counterplay_base::{Budget, Id, Limit};
use counterplay_equilibrium::Rational;
use counterplay_equilibrium::fraction;
use counterplay_equilibrium::sequence::{Leaf, SequenceForm};
use counterplay_ground::game::{Game, MoveId, RoleId};
use num_traits::One;
use rustc_hash::FxHashMap;

pub use counterplay_equilibrium::sequence::Plan;
pub use solve::{Experience, Guarantee, InformationSet, Refusal, Settings, Solution, solve};

use crate::explicit::explore::{AtOnce, Kind, explore};
use crate::explicit::parents;
use crate::halt::Halt;
use knowledge::{Knowledge, KnowledgeNumber};
use rounds::{Round, Rounds, StateNumber};

/// A game with hidden moves, as its roles see it.
pub struct HiddenGame {
    /// The roles that choose: all but chance.
    pub players: Vec<RoleId>,
    knowledge: Vec<Knowledge>,
    form: SequenceForm,
    /// The reward of chance at each leaf of the form.
    chance_rewards: Vec<u32>,
    /// Numbers of moves and percepts by name, for each player.
    moves: Vec<FxHashMap<String, MoveId>>,
    percepts: Vec<FxHashMap<String, u32>>,
    first_legal: Vec<Vec<MoveId>>,
    /// Histories that differ in the state or in what some role knows, by their number of joint moves.
    pub histories: Vec<usize>,
    /// Ends at which some role has no reward, or several.
    pub odd_rewards: usize,
    /// States that are not over and in which some role has no legal move; they are taken as ends.
    pub stuck: usize,
}

/// The states of a game, looked at without regard to what roles see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Number of states first reached after so many moves.
    pub layers: Vec<usize>,
    /// States in which the game is over.
    pub terminal: usize,
    /// States from which play can go on for ever.
    pub endless: usize,
    /// States in which several roles besides chance choose at once.
    pub simultaneous: usize,
    /// States in which chance has several moves.
    pub drawn: usize,
}

/// Looks at all states of a game of at most so many.
///
/// # Errors
/// The limit that was reached.
pub fn figures(game: &Game, most: usize, budget: &Budget) -> Result<Figures, Limit> {
    let graph = match explore(game, AtOnce::Explore, most, budget) {
        Ok(graph) => graph,
        Err(Halt::Stopped(limit)) => return Err(limit),
        Err(Halt::Refused(_)) => unreachable!("states in which several roles choose are explored"),
    };
    let chance = game.chance.map(Id::index);
    let mut waiting = vec![0u32; graph.kinds.len()];
    let mut open = Vec::new();
    let (mut simultaneous, mut drawn) = (0, 0);
    for (state, waiting) in waiting.iter_mut().enumerate() {
        match graph.kinds.get(state) {
            Kind::Over(_) => open.push(state as u32),
            Kind::Open { widths, .. } => {
                let widths = &graph.widths[widths as usize];
                *waiting = widths.joint;
                let choosers =
                    (0..widths.of.len()).filter(|&role| widths.of[role] > 1 && Some(role) != chance);
                simultaneous += usize::from(choosers.count() > 1);
                drawn += usize::from(chance.is_some_and(|chance| widths.of[chance] > 1));
            }
        }
    }
    let (start, parents) = parents(&graph, budget)?;
    let mut endless = graph.kinds.len();
    while let Some(state) = open.pop() {
        endless -= 1;
        for &parent in &parents[start[state as usize] as usize..start[state as usize + 1] as usize] {
            waiting[parent as usize] -= 1;
            if waiting[parent as usize] == 0 {
                open.push(parent);
            }
        }
    }
    Ok(Figures { layers: graph.layers, terminal: graph.terminal, endless, simultaneous, drawn })
}

/// The last sequence of each player, and the rewards of all roles.
type LeafKey = (Vec<u32>, Vec<u32>);

/// A moment of a game: a state and what each player knows.
type Moment = (StateNumber, Box<[KnowledgeNumber]>);

impl HiddenGame {
    /// Unrolls a game that always ends, of at most so many histories.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn unroll(game: &Game, most: usize, budget: &Budget) -> Result<HiddenGame, Limit> {
        let players: Vec<RoleId> = game.roles.ids().filter(|role| Some(*role) != game.chance).collect();
        let mut rounds = Rounds::new(game);
        let first = rounds.initial();
        let first_legal: Vec<Vec<MoveId>> = match rounds.round(first) {
            Round::Over(_) => vec![Vec::new(); players.len()],
            Round::Open(open) => players.iter().map(|role| open.legal[role.index()].clone()).collect(),
        };
        let mut unrolled = HiddenGame {
            knowledge: first_legal.iter().map(|legal| Knowledge::new(legal)).collect(),
            moves: players.iter().map(|&role| move_names(game, role)).collect(),
            percepts: players.iter().map(|&role| percept_names(game, role)).collect(),
            players,
            form: SequenceForm::default(),
            chance_rewards: Vec::new(),
            first_legal,
            histories: Vec::new(),
            odd_rewards: 0,
            stuck: 0,
        };
        let start: Moment = (first, vec![0; unrolled.players.len()].into());
        let mut layer: FxHashMap<Moment, Rational> = FxHashMap::from_iter([(start, Rational::one())]);
        let mut leaves: FxHashMap<LeafKey, Rational> = FxHashMap::default();
        while !layer.is_empty() {
            unrolled.histories.push(layer.len());
            if unrolled.histories.iter().sum::<usize>() > most {
                return Err(Limit::Nodes(most as u64));
            }
            // A moment, its place in the table, what its players know and the weight.
            budget.allow_bytes(layer.len() * (96 + 16 * unrolled.players.len()))?;
            let mut sorted: Vec<(Moment, Rational)> = layer.drain().collect();
            // Information sets are numbered in an order that does not depend on hashes.
            sorted.sort_by(|one, two| one.0.cmp(&two.0));
            for ((state, known), weight) in sorted {
                budget.check()?;
                unrolled.expand(game, &mut rounds, (state, &known), &weight, &mut layer, &mut leaves);
            }
        }
        let mut leaves: Vec<(LeafKey, Rational)> = leaves.into_iter().collect();
        leaves.sort_by(|one, two| one.0.cmp(&two.0));
        for ((sequences, rewards), weight) in leaves {
            let own = unrolled.players.iter().map(|role| rewards[role.index()]).collect();
            unrolled.form.leaves.push(Leaf { sequences, weight, rewards: own });
            unrolled.chance_rewards.push(game.chance.map_or(0, |chance| rewards[chance.index()]));
        }
        unrolled.form.infosets = unrolled.knowledge.iter().map(|own| own.infosets.clone()).collect();
        (unrolled.odd_rewards, unrolled.stuck) = (rounds.odd_rewards, rounds.stuck);
        Ok(unrolled)
    }

    /// All that follows a moment.
    fn expand(
        &mut self,
        game: &Game,
        rounds: &mut Rounds<'_>,
        (state, known): (StateNumber, &[KnowledgeNumber]),
        weight: &Rational,
        layer: &mut FxHashMap<Moment, Rational>,
        leaves: &mut FxHashMap<LeafKey, Rational>,
    ) {
        let legal = match rounds.round(state) {
            Round::Over(rewards) if self.histories.len() == 1 => {
                // The game is over at once.
                let key = (vec![0; known.len()], rewards.clone());
                leaves.insert(key, weight.clone());
                return;
            }
            Round::Over(_) => unreachable!("ends become leaves"),
            Round::Open(open) => open.legal.clone(),
        };
        let drawn = game.chance.map_or(1, |chance| legal[chance.index()].len());
        let share = weight * fraction(1, drawn as i64);
        for joint in 0..legal.iter().map(Vec::len).product() {
            let (next, percepts) = rounds.after(state, joint);
            let choice = |role: RoleId| {
                let step: usize = legal[role.index() + 1..].iter().map(Vec::len).product();
                joint / step % legal[role.index()].len()
            };
            let choices: Vec<usize> = self.players.iter().map(|&role| choice(role)).collect();
            match rounds.round(next) {
                Round::Over(rewards) => {
                    let own = self.knowledge.iter().zip(known).zip(&choices);
                    let sequences = own.map(|((own, &known), &choice)| own.sequence(known, choice)).collect();
                    *leaves.entry((sequences, rewards.clone())).or_default() += &share;
                }
                Round::Open(open) => {
                    let steps = self.players.iter().zip(&mut self.knowledge).zip(known).zip(&choices);
                    let after = steps.map(|(((role, own), &known), &choice)| {
                        let role = role.index();
                        own.step(known, (legal[role][choice], choice), &percepts[role], &open.legal[role])
                    });
                    *layer.entry((next, after.collect())).or_default() += &share;
                }
            }
        }
    }

    /// Information sets of each player.
    pub fn infosets(&self) -> Vec<usize> {
        self.form.infosets.iter().map(Vec::len).collect()
    }

    /// Whether somewhere a player learns something only from its legal moves.
    pub fn legality_informs(&self) -> bool {
        self.knowledge.iter().any(|own| own.legality_informs)
    }

    /// Whether the rewards of all players have a constant sum.
    pub fn is_constant_sum(&self) -> bool {
        self.form.constant_sum().is_some()
    }
}

fn move_names(game: &Game, role: RoleId) -> FxHashMap<String, MoveId> {
    game.moves_of(role).map(|own| (game.moves[own].name.to_lowercase(), own)).collect()
}

fn percept_names(game: &Game, role: RoleId) -> FxHashMap<String, u32> {
    let all = game.percepts.iter().flatten().enumerate().filter(|(_, own)| own.role == role);
    all.map(|(number, own)| (own.name.to_lowercase(), number as u32)).collect()
}
