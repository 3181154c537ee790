//! Games in sequence form: players with perfect recall who do not see everything.
//!
//! A sequence is what a player has done on the way to a point of the game: an action at an information set, and with it all
//! its own actions before. A realisation plan gives each sequence the probability with which the player contributes to it. What
//! a play is worth depends on the game through its leaves only: the sequence of each player, the weight of chance, the
//! rewards. For two players whose rewards have a constant sum, the value and a plan of each come from one linear program of the
//! size of the game (von Stengel 1996; Koller, Megiddo and von Stengel 1996). For larger games, regret matching with
//! positive regrets finds plans in floating point (CFR+: Tammelin 2014); what the plans guarantee is then computed exactly
//! by best responses, so that the bounds hold whatever the search did.

use counterplay_base::{Budget, BudgetPoll, Limit};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

use crate::linear::Program;
use crate::{Rational, scaled};

/// A place where a player chooses without seeing everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infoset {
    /// The player's last sequence before it; 0 is the empty one.
    pub parent: u32,
    /// The sequence of its first action; the others follow.
    pub first: u32,
    pub actions: u32,
}

/// Ends of the game that the same sequences lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The last sequence of each player.
    pub sequences: Vec<u32>,
    /// The probability that chance contributes.
    pub weight: Rational,
    /// For each player; none is negative.
    pub rewards: Vec<u32>,
}

/// A game as its players see it.
///
/// Laws: information sets come after those that their parents belong to, and sequences are numbered in the order of
/// information sets, from 1.
#[derive(Clone, Debug, Default)]
pub struct SequenceForm {
    /// The information sets of each player.
    pub infosets: Vec<Vec<Infoset>>,
    pub leaves: Vec<Leaf>,
}

/// The probability of each sequence of a player; that of the empty one is 1.
pub type Plan = Vec<Rational>;

/// What a game of two players is worth to the first, and a plan for each.
#[derive(Clone, Debug)]
pub struct Solution {
    pub value: Rational,
    pub plans: [Plan; 2],
}

impl SequenceForm {
    /// The number of sequences of a player, the empty one included.
    pub fn sequences(&self, player: usize) -> usize {
        self.infosets[player].last().map_or(1, |last| (last.first + last.actions) as usize)
    }

    /// The sum of the rewards of all players, if it is the same at all leaves.
    pub fn constant_sum(&self) -> Option<u32> {
        let mut sums = self.leaves.iter().map(|leaf| leaf.rewards.iter().sum::<u32>());
        let first = sums.next()?;
        sums.all(|sum| sum == first).then_some(first)
    }

    /// What a role can be sure of against another that only wants to harm it, and plans of both: the first player of the
    /// solution is `player`. For two players.
    ///
    /// # Errors
    /// The limit that was reached.
    pub fn maximin(&self, player: usize, budget: &Budget) -> Result<Solution, Limit> {
        let other = 1 - player;
        let (own, theirs) = (self.sequences(player), self.sequences(other));
        let (weights, factor) = scaled(self.leaves.iter().map(|leaf| &leaf.weight));
        let sets = &self.infosets[other];
        let columns = own + sets.len();
        let mut rows = vec![vec![BigInt::ZERO; columns]; theirs];
        for (leaf, weight) in self.leaves.iter().zip(weights) {
            let place = &mut rows[leaf.sequences[other] as usize][leaf.sequences[player] as usize];
            *place -= weight * leaf.rewards[player];
        }
        // Columns: sequences of the player, then what each information set of the other is worth. A row for each sequence of
        // the other: the worth of its information set is at most what comes of the sequence.
        for (number, set) in sets.iter().enumerate() {
            rows[set.parent as usize][own + number] -= 1;
            for action in set.first..set.first + set.actions {
                rows[action as usize][own + number] += 1;
            }
        }
        let gains: Vec<BigInt> = rows.remove(0).into_iter().map(|entry| -entry).collect();
        let mut limits = vec![BigInt::ZERO; rows.len()];
        let mut flow = |parent: u32, actions: std::ops::Range<u32>, limit: i32| {
            let mut row = vec![BigInt::ZERO; columns];
            actions.for_each(|action| row[action as usize] += 1);
            if limit == 0 {
                row[parent as usize] -= 1;
            }
            rows.push(row);
            limits.push(limit.into());
        };
        // Rewards are not negative, so that it does no harm to let probability be lost.
        for set in &self.infosets[player] {
            flow(set.parent, set.first..set.first + set.actions, 0);
        }
        flow(0, 0..1, 1);
        let optimum = Program { rows, limits, gains }.maximise(budget)?;
        let mut plan: Plan = optimum.primal[..own].to_vec();
        let mut reply: Plan = vec![Rational::one()];
        reply.extend(optimum.dual[..theirs - 1].iter().cloned());
        complete(&self.infosets[player], &mut plan);
        complete(sets, &mut reply);
        Ok(Solution { value: optimum.value / Rational::from(factor), plans: [plan, reply] })
    }

    /// The most that a player can get if the others keep to their plans, and a pure plan that gets it.
    pub fn best_response(&self, player: usize, plans: &[&Plan]) -> (Rational, Plan) {
        let mut worth = vec![Rational::zero(); self.sequences(player)];
        for leaf in &self.leaves {
            let mut weight = leaf.weight.clone();
            for (other, plan) in plans.iter().enumerate().filter(|(other, _)| *other != player) {
                weight *= &plan[leaf.sequences[other] as usize];
            }
            worth[leaf.sequences[player] as usize] +=
                weight * Rational::from(BigInt::from(leaf.rewards[player]));
        }
        let mut choice = Vec::new();
        for set in self.infosets[player].iter().rev() {
            let actions = set.first..set.first + set.actions;
            let best = actions.rev().max_by_key(|&action| &worth[action as usize]).expect("an action");
            choice.push(best);
            let best = worth[best as usize].clone();
            worth[set.parent as usize] += best;
        }
        let mut plan = vec![Rational::zero(); worth.len()];
        plan[0] = Rational::one();
        for (set, best) in self.infosets[player].iter().zip(choice.into_iter().rev()) {
            plan[best as usize] = plan[set.parent as usize].clone();
        }
        (worth.swap_remove(0), plan)
    }

    /// What the plans of two players with opposite wishes guarantee the first: at least, and at most.
    pub fn guarantees(&self, player: usize, plans: [&Plan; 2]) -> (Rational, Rational) {
        let mut against = SequenceForm { infosets: self.infosets.clone(), leaves: self.leaves.clone() };
        let most = against.leaves.iter().map(|leaf| leaf.rewards[player]).max().unwrap_or(0);
        let other = 1 - player;
        for leaf in &mut against.leaves {
            leaf.rewards[other] = most - leaf.rewards[player];
        }
        let [own, theirs] = plans;
        let ordered = if player == 0 { [own, theirs] } else { [theirs, own] };
        let weight: Rational = self
            .leaves
            .iter()
            .map(|leaf| {
                &leaf.weight
                    * &ordered[0][leaf.sequences[0] as usize]
                    * &ordered[1][leaf.sequences[1] as usize]
            })
            .sum();
        debug_assert!(weight.is_one(), "all ends together are certain");
        let lower = Rational::from(BigInt::from(most)) - against.best_response(other, &ordered).0;
        (lower, self.best_response(player, &ordered).0)
    }

    /// Plans for two players with opposite wishes (the reward of `player`), by regret matching in so many rounds at most;
    /// after each power of two `is_enough` is asked.
    ///
    /// # Errors
    /// The limit that was reached before the first round was over.
    pub fn minimise_regret(
        &self,
        player: usize,
        rounds: u32,
        budget: &Budget,
        is_enough: &mut dyn FnMut([&Plan; 2]) -> bool,
    ) -> Result<[Plan; 2], Limit> {
        let other = 1 - player;
        let mut sides = [Side::new(&self.infosets[player]), Side::new(&self.infosets[other])];
        let leaves: Vec<FloatLeaf> = self
            .leaves
            .iter()
            .map(|leaf| FloatLeaf {
                sequences: [leaf.sequences[player] as usize, leaf.sequences[other] as usize],
                worth: leaf.weight.to_f64().unwrap_or(0.0) * f64::from(leaf.rewards[player]),
            })
            .collect();
        let mut poll = BudgetPoll::every(16);
        let mut found = None;
        for round in 1..=rounds {
            if let Err(limit) = poll.step(budget) {
                return found.ok_or(limit);
            }
            for at in 0..2 {
                let sign = if at == 0 { 1.0 } else { -1.0 };
                let mut worth = vec![0.0; sides[at].plan.len()];
                for leaf in &leaves {
                    worth[leaf.sequences[at]] +=
                        sign * leaf.worth * sides[1 - at].plan[leaf.sequences[1 - at]];
                }
                sides[at].learn(worth, round);
            }
            if round.is_power_of_two() || round == rounds {
                let plans = [sides[0].average(), sides[1].average()];
                let stop = is_enough([&plans[0], &plans[1]]);
                found = Some(plans);
                if stop {
                    break;
                }
            }
        }
        Ok(found.expect("at least one round"))
    }
}

/// Makes a plan of a vector of which probability may have been lost: what a player does at an information set that it never
/// comes to is the first action, and what is missing elsewhere goes to the first action as well.
fn complete(sets: &[Infoset], plan: &mut Plan) {
    plan[0] = Rational::one();
    for set in sets {
        let sum: Rational = (set.first..set.first + set.actions).map(|action| &plan[action as usize]).sum();
        let missing = &plan[set.parent as usize] - sum;
        plan[set.first as usize] += missing;
    }
}

struct FloatLeaf {
    sequences: [usize; 2],
    worth: f64,
}

/// One player while regrets are minimised.
struct Side {
    sets: Vec<Infoset>,
    /// The current plan.
    plan: Vec<f64>,
    regret: Vec<f64>,
    /// The sum of all plans, later ones with more weight.
    sum: Vec<f64>,
}

impl Side {
    fn new(sets: &[Infoset]) -> Side {
        let count = sets.last().map_or(1, |last| (last.first + last.actions) as usize);
        let mut side = Side {
            sets: sets.to_vec(),
            plan: vec![1.0; count],
            regret: vec![0.0; count],
            sum: vec![0.0; count],
        };
        side.match_regret();
        side
    }

    fn match_regret(&mut self) {
        for set in &self.sets {
            let actions = set.first as usize..(set.first + set.actions) as usize;
            let sum: f64 = self.regret[actions.clone()].iter().sum();
            for action in actions {
                let share = if sum > 0.0 { self.regret[action] / sum } else { 1.0 / f64::from(set.actions) };
                self.plan[action] = share * self.plan[set.parent as usize];
            }
        }
    }

    /// Updates regrets by what the sequences are worth, and the plan by the regrets.
    fn learn(&mut self, mut worth: Vec<f64>, round: u32) {
        for set in self.sets.iter().rev() {
            let actions = set.first as usize..(set.first + set.actions) as usize;
            let sum: f64 = self.regret[actions.clone()].iter().sum();
            let share = |action: usize| {
                if sum > 0.0 { self.regret[action] / sum } else { 1.0 / f64::from(set.actions) }
            };
            let value: f64 = actions.clone().map(|action| share(action) * worth[action]).sum();
            for action in actions {
                self.regret[action] = (self.regret[action] + worth[action] - value).max(0.0);
            }
            worth[set.parent as usize] += value;
        }
        self.match_regret();
        for (sum, own) in self.sum.iter_mut().zip(&self.plan) {
            *sum += f64::from(round) * own;
        }
    }

    /// The average plan in fractions.
    fn average(&self) -> Plan {
        let mut plan = vec![Rational::zero(); self.plan.len()];
        plan[0] = Rational::one();
        for set in &self.sets {
            let actions = set.first as usize..(set.first + set.actions) as usize;
            let sum: f64 = self.sum[actions.clone()].iter().sum();
            // Shares as whole numbers of small size, so that products of many of them stay readable.
            let share = |action: usize| match sum > 0.0 {
                true => (self.sum[action] / sum * SHARES).round() as u32,
                false => 1,
            };
            let shares: Vec<u32> = actions.clone().map(share).collect();
            let all = Rational::from(BigInt::from(shares.iter().sum::<u32>()));
            for (action, share) in actions.zip(shares) {
                plan[action] = Rational::from(BigInt::from(share)) / &all * &plan[set.parent as usize];
            }
        }
        plan
    }
}

/// Average probabilities are rounded to fractions with about this denominator.
const SHARES: f64 = 65_536.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fraction;

    /// Kuhn poker with rewards 0 to 4, where 2 is even; cards 0, 1, 2. Sequences: for each card, first an ante decision.
    fn kuhn() -> SequenceForm {
        let mut form = SequenceForm { infosets: vec![Vec::new(), Vec::new()], leaves: Vec::new() };
        for card in 0..3u32 {
            // Player 0: bet or check; after check and bet: call or fold.
            form.infosets[0].push(Infoset { parent: 0, first: 1 + 4 * card, actions: 2 });
            form.infosets[0].push(Infoset { parent: 2 + 4 * card, first: 3 + 4 * card, actions: 2 });
            // Player 1: after a bet call or fold; after a check bet or check.
            form.infosets[1].push(Infoset { parent: 0, first: 1 + 4 * card, actions: 2 });
            form.infosets[1].push(Infoset { parent: 0, first: 3 + 4 * card, actions: 2 });
        }
        for (one, two) in
            (0..3).flat_map(|one| (0..3).map(move |two| (one, two))).filter(|(one, two)| one != two)
        {
            let mut leaf = |own: u32, theirs: u32, win: i64| {
                let reward = (2 + win) as u32;
                form.leaves.push(Leaf {
                    sequences: vec![own + 4 * one, theirs + 4 * two],
                    weight: fraction(1, 6),
                    rewards: vec![reward, 4 - reward],
                });
            };
            let high = if one > two { 1 } else { -1 };
            leaf(1, 1, 2 * high); // bet, call
            leaf(1, 2, 1); // bet, fold
            leaf(2, 4, high); // check, check
            leaf(3, 3, 2 * high); // check, bet, call
            leaf(4, 3, -1); // check, bet, fold
        }
        form
    }

    #[test]
    fn kuhn_poker_costs_the_first_player_an_eighteenth() {
        let form = kuhn();
        let budget = Budget::unlimited();
        let solution = form.maximin(0, &budget).expect("no limit");
        assert_eq!(solution.value, fraction(2, 1) - fraction(1, 18));
        let [own, theirs] = &solution.plans;
        assert_eq!(form.guarantees(0, [own, theirs]), (solution.value.clone(), solution.value));
        let second = form.maximin(1, &budget).expect("no limit");
        assert_eq!(second.value, fraction(2, 1) + fraction(1, 18));
    }

    #[test]
    fn regret_matching_brackets_the_value() {
        let form = kuhn();
        let plans = form.minimise_regret(0, 2000, &Budget::unlimited(), &mut |_| false).expect("no limit");
        let (lower, upper) = form.guarantees(0, [&plans[0], &plans[1]]);
        let value = fraction(2, 1) - fraction(1, 18);
        assert!(lower <= value && value <= upper);
        assert!(upper - lower < fraction(1, 100), "close");
    }
}
