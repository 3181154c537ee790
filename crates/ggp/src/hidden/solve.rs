//! Values and plans of games with hidden moves.

use counterplay_base::{Budget, Limit};
use counterplay_equilibrium::sequence::{Infoset, Plan, Solution as FormSolution};
use counterplay_equilibrium::{Rational, fraction};
use counterplay_ground::game::{Game, MoveId};
use num_traits::{One, Zero};

use super::HiddenGame;
use super::knowledge::{KnowledgeNumber, KnownChoice};

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Entries of a linear program up to which it is solved exactly.
    pub exact_entries: usize,
    /// Rounds of regret matching beyond that.
    pub rounds: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { exact_entries: 120_000, rounds: 4096 }
    }
}

/// Why there is no solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing is known for so many players.
    #[error("hidden moves are solved for one or two roles besides chance, and here are {players}")]
    Players { players: usize },
}

/// What a player can make sure of, and what it can be held to; both are the same if they are exact.
#[derive(Clone, Debug)]
pub struct Guarantee {
    pub lower: Rational,
    pub upper: Rational,
    /// For each player the plan that makes sure of this: the player's own for the lower figure, the other's for the upper.
    pub plans: Vec<Plan>,
}

/// What the players can make sure of.
pub struct Solution {
    pub game: HiddenGame,
    /// For each player, against another that only wants to harm it.
    pub guarantees: Vec<Guarantee>,
    /// What chance gets on average if the players keep to the plans of the first guarantee.
    pub chance: Rational,
    /// How it was found.
    pub method: &'static str,
}

/// Solves a game.
///
/// # Errors
/// Why it cannot be solved.
pub fn solve(
    game: HiddenGame,
    settings: Settings,
    budget: &Budget,
) -> Result<Result<Solution, Refusal>, Limit> {
    let players = game.players.len();
    let (guarantees, method) = match players {
        1 => (vec![alone(&game)], "best response to chance"),
        2 => {
            let entries = |player: usize| {
                let (own, other) = (game.form.sequences(player), game.form.sequences(1 - player));
                let [own_sets, other_sets] = [player, 1 - player].map(|side| game.form.infosets[side].len());
                (own + other_sets) * (other + own_sets)
            };
            match entries(0).max(entries(1)) <= settings.exact_entries {
                true => (by_program(&game, budget)?, "sequence form"),
                false => (by_regret(&game, settings.rounds, budget)?, "regret matching"),
            }
        }
        _ => return Ok(Err(Refusal::Players { players })),
    };
    let mut chance = Rational::zero();
    for (leaf, &reward) in game.form.leaves.iter().zip(&game.chance_rewards) {
        let plans = guarantees[0].plans.iter().zip(&leaf.sequences);
        let weight: Rational = plans.map(|(plan, &at)| &plan[at as usize]).product();
        chance += weight * &leaf.weight * fraction(reward.into(), 1);
    }
    Ok(Ok(Solution { game, guarantees, chance, method }))
}

/// A single player against chance.
fn alone(game: &HiddenGame) -> Guarantee {
    let (value, plan) = game.form.best_response(0, &[&Plan::new()]);
    Guarantee { lower: value.clone(), upper: value, plans: vec![plan] }
}

/// Plans of a player and the other, in the order of players.
fn ordered(player: usize, [own, other]: [Plan; 2]) -> Vec<Plan> {
    if player == 0 { vec![own, other] } else { vec![other, own] }
}

fn by_program(game: &HiddenGame, budget: &Budget) -> Result<Vec<Guarantee>, Limit> {
    let FormSolution { value, plans } = game.form.maximin(0, budget)?;
    let plans = ordered(0, plans);
    let first = Guarantee { lower: value.clone(), upper: value, plans };
    let second = match game.form.constant_sum() {
        // The plans of one player are those of the other as well.
        Some(sum) => {
            let value = fraction(sum.into(), 1) - &first.lower;
            Guarantee { lower: value.clone(), upper: value, plans: first.plans.clone() }
        }
        None => {
            let FormSolution { value, plans } = game.form.maximin(1, budget)?;
            Guarantee { lower: value.clone(), upper: value, plans: ordered(1, plans) }
        }
    };
    Ok(vec![first, second])
}

fn by_regret(game: &HiddenGame, rounds: u32, budget: &Budget) -> Result<Vec<Guarantee>, Limit> {
    let mut found = Vec::new();
    for player in 0..2 {
        if let (1, Some(sum)) = (player, game.form.constant_sum()) {
            let first: &Guarantee = &found[0];
            let sum = fraction(sum.into(), 1);
            let (lower, upper) = (&sum - &first.upper, sum - &first.lower);
            let plans = first.plans.clone();
            found.push(Guarantee { lower, upper, plans });
            continue;
        }
        let plans = game.form.minimise_regret(player, rounds, budget, &mut |_| false)?;
        let (lower, upper) = game.form.guarantees(player, [&plans[0], &plans[1]]);
        found.push(Guarantee { lower, upper, plans: ordered(player, plans) });
    }
    Ok(found)
}

/// An information set of a player, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InformationSet {
    /// What the player did and perceived; what is always perceived is left out.
    pub past: Vec<Experience>,
    /// Its legal moves, and how often it makes each.
    pub mixture: Vec<(String, Rational)>,
}

/// A move of a player and what it perceived then, as they are written.
pub type Experience = (String, Vec<String>);

impl HiddenGame {
    /// How a player that follows a plan draws its moves, information set by information set.
    pub fn strategy(&self, game: &Game, plan: &Plan, player: usize) -> Vec<InformationSet> {
        let named = |own: &MoveId| game.moves[*own].name.clone();
        let percept = |number: &u32| game.percepts.as_deref().unwrap_or(&[])[*number as usize].name.clone();
        let sets = self.knowledge[player].list(&self.first_legal[player]);
        let written = sets.into_iter().map(|KnownChoice { set, past, legal }| InformationSet {
            past: past
                .iter()
                .map(|(own, percepts)| (named(own), percepts.iter().map(percept).collect()))
                .collect(),
            mixture: (0..).zip(&legal).map(|(at, own)| (named(own), share(plan, set, at))).collect(),
        });
        written.collect()
    }

    /// What a player knows after its experiences, where its legal moves after each of them are given too; `None` if that
    /// cannot come up.
    fn known(&self, player: usize, past: &[(Experience, Vec<String>)]) -> Option<KnowledgeNumber> {
        past.iter().try_fold(0, |known, ((own, percepts), legal)| {
            let own = self.moves[player].get(own)?;
            // What is always perceived has no number.
            let mut percepts: Vec<u32> =
                percepts.iter().filter_map(|name| self.percepts[player].get(name).copied()).collect();
            percepts.sort_unstable();
            self.knowledge[player].find(known, *own, percepts, self.move_numbers(player, legal)?)
        })
    }

    fn move_numbers(&self, player: usize, names: &[String]) -> Option<Vec<MoveId>> {
        let mut moves: Vec<MoveId> =
            names.iter().map(|name| self.moves[player].get(name).copied()).collect::<Option<_>>()?;
        moves.sort_unstable();
        Some(moves)
    }

    /// Whether a player that follows a plan can have had these experiences, as far as its own moves tell.
    pub fn comes_to(&self, plan: &Plan, player: usize, past: &[(Experience, Vec<String>)]) -> bool {
        let set = self.known(player, past).and_then(|known| self.knowledge[player].infoset(known));
        set.is_none_or(|set| !plan[set.parent as usize].is_zero())
    }

    /// How a player that follows a plan draws its move after its experiences: the probability of each of its legal moves, which
    /// are the last of `past`, or those at the beginning (`legal`). Names are in lower case.
    pub fn mixture(
        &self,
        plan: &Plan,
        player: usize,
        past: &[(Experience, Vec<String>)],
        legal: &[String],
    ) -> Option<Vec<Rational>> {
        let known = self.known(player, past)?;
        let legal: Vec<MoveId> =
            legal.iter().map(|name| self.moves[player].get(name).copied()).collect::<Option<_>>()?;
        let Some(set) = self.knowledge[player].infoset(known) else { return Some(vec![Rational::one()]) };
        let mut sorted = legal.clone();
        sorted.sort_unstable();
        debug_assert!(!past.is_empty() || sorted == self.first_legal[player]);
        let at = |own: &MoveId| sorted.binary_search(own).expect("one of them");
        Some(legal.iter().map(|own| share(plan, set, at(own))).collect())
    }
}

/// The probability of an action at an information set; the first one where the player never comes.
fn share(plan: &Plan, set: Infoset, action: usize) -> Rational {
    let whole = &plan[set.parent as usize];
    match whole.is_zero() {
        true if action == 0 => Rational::one(),
        true => Rational::zero(),
        false => &plan[set.first as usize + action] / whole,
    }
}
