//! The same policy as a shorter decision list.
//!
//! A search gives each pair the condition under which its proof works, and what a proof needs differs from what tells
//! one action from another: whose turn it is may be all there is to know. So the pairs are learned anew as a
//! decision list from examples of what the policy does (Rivest 1987; grown fact by fact as in FOIL, Quinlan 1990).
//! A rule may be listed if every example left that it can meet has its action; the examples that it covers are then
//! gone. No state for which the examples speak gets another answer, so the class stays what it was.
//!
//! The examples are the old pairs, or, if these are few enough, the states that the policy can reach: all other states do
//! not matter.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use counterplay_base::{Budget, Limit};
use counterplay_task::{ChoiceId, Fact, NondetTask, Task, VarId};
use rustc_hash::FxHashMap;

use crate::explicit::plain_facts;
use crate::graph::Walk;
use crate::{Pair, Policy};

/// With more states than these, or more for each pair, nothing is learned from them.
const MOST_STATES: usize = 50_000;
const MOST_STATES_OF_PAIR: usize = 100;
/// Facts and actions times examples: with more of these the tables would grow too large.
const MOST_BITS: usize = 1 << 28;
/// So many examples of an action are tried as the seed of a rule.
const SEEDS: usize = 4;

/// The policy with as few pairs as are found; the same policy if that is not fewer.
pub(crate) fn learn_decision_list(
    nondet: &NondetTask,
    policy: &Policy,
    budget: &Budget,
) -> Result<Policy, Limit> {
    let mut best = policy.pairs.clone();
    if let Some(mut pairs) = Examples::new(&nondet.task, policy.pairs.clone()) {
        let learned = pairs.learn(budget)?;
        if learned.len() < best.len() {
            best = learned;
        }
    }
    let most_states = MOST_STATES.min(MOST_STATES_OF_PAIR * policy.pairs.len());
    let walk = Walk::new(nondet, policy, most_states, budget)?;
    let examples = walk.is_whole.then(|| reached(nondet, policy, &walk));
    if let Some(mut states) = examples.and_then(|states| Examples::new(&nondet.task, states)) {
        let learned = states.learn(budget)?;
        if learned.len() < best.len() {
            best = learned;
        }
    }
    Ok(Policy { class: policy.class, pairs: best })
}

/// What is done in each state that the policy can reach.
fn reached(nondet: &NondetTask, policy: &Policy, walk: &Walk) -> Vec<Pair> {
    let answered = walk.states.iter().zip(&walk.answers);
    let examples = answered.filter_map(|(state, answer)| {
        let choice = policy.pairs[(*answer)?].choice;
        Some(Pair { condition: plain_facts(&nondet.task, state), choice })
    });
    examples.collect()
}

/// A set of examples.
#[derive(Clone, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn none(count: usize) -> Bits {
        Bits(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, item: usize) {
        self.0[item / 64] |= 1 << (item % 64);
    }

    fn and(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own &= other);
    }

    fn or(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn minus(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own &= !other);
    }

    fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn count_common(&self, other: &Bits) -> u32 {
        self.0.iter().zip(&other.0).map(|(own, other)| (own & other).count_ones()).sum()
    }

    fn items(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

/// What is known of a policy: where conditions hold the actions are taken, unless an earlier condition holds too.
struct Examples {
    pairs: Vec<Pair>,
    /// The examples that ask for a fact, and those that ask for something that excludes it.
    asking: FxHashMap<Fact, Bits>,
    against: FxHashMap<Fact, Bits>,
    of_choice: FxHashMap<ChoiceId, Bits>,
    /// The examples that no rule covers yet.
    left: Bits,
}

/// A rule with the examples that it covers.
struct Grown {
    pair: Pair,
    covered: Bits,
}

impl Examples {
    /// Gathers examples, sorted by what counts first; `None` if they are too many to learn from.
    fn new(task: &Task, pairs: Vec<Pair>) -> Option<Examples> {
        let none = Bits::none(pairs.len());
        let mut asking: FxHashMap<Fact, Bits> = FxHashMap::default();
        let mut of_var: FxHashMap<VarId, Bits> = FxHashMap::default();
        let mut of_choice: FxHashMap<ChoiceId, Bits> = FxHashMap::default();
        let mut left = none.clone();
        for (item, pair) in pairs.iter().enumerate() {
            left.insert(item);
            of_choice.entry(pair.choice).or_insert_with(|| none.clone()).insert(item);
            for &fact in &pair.condition {
                asking.entry(fact).or_insert_with(|| none.clone()).insert(item);
                of_var.entry(fact.var).or_insert_with(|| none.clone()).insert(item);
            }
            if (asking.len() + of_choice.len()).saturating_mul(pairs.len()) > MOST_BITS {
                return None;
            }
        }
        let against = asking.iter().map(|(&fact, own)| {
            let mut others = of_var[&fact.var].clone();
            others.minus(own);
            (fact, others)
        });
        let mut against: FxHashMap<Fact, Bits> = against.collect();
        let mut exclude = |a: Fact, b: Fact| {
            if let (Some(against), Some(asking)) = (against.get_mut(&a), asking.get(&b)) {
                against.or(asking);
            }
        };
        for group in &task.mutex_groups {
            let present: Vec<Fact> = group.iter().copied().filter(|fact| asking.contains_key(fact)).collect();
            for (a, b) in present.iter().flat_map(|&a| present.iter().map(move |&b| (a, b))) {
                if a.var != b.var {
                    exclude(a, b);
                }
            }
        }
        for &(a, b) in &task.mutex_pairs {
            exclude(a, b);
            exclude(b, a);
        }
        Some(Examples { against, pairs, asking, of_choice, left })
    }

    /// Rules for all examples. The action whose rule covers most comes first.
    fn learn(&mut self, budget: &Budget) -> Result<Vec<Pair>, Limit> {
        let mut rules = Vec::new();
        // Actions by what their last rule covered, and by their first example.
        let first = |own: &Bits| Reverse(own.items().next());
        let mut open: BinaryHeap<(u32, Reverse<Option<usize>>, ChoiceId)> =
            self.of_choice.iter().map(|(&choice, own)| (u32::MAX, first(own), choice)).collect();
        while let Some((_, order, choice)) = open.pop() {
            budget.check()?;
            let mut own = self.of_choice[&choice].clone();
            own.and(&self.left);
            let count = own.len() as usize;
            if count == 0 {
                continue;
            }
            let seeds: Vec<usize> = own.items().step_by(count.div_ceil(SEEDS)).collect();
            let grown = seeds.into_iter().filter_map(|seed| self.grow(seed));
            let best = grown.max_by_key(|grown| grown.covered.len());
            let Some(best) = best else {
                // Something else has to be said before; the first example never waits for another.
                let seed = self.left.items().next().expect("an example of this action is left");
                let grown = self.grow(seed).expect("nothing comes before the first example");
                self.list(grown, &mut rules);
                open.push((0, order, choice));
                continue;
            };
            let covered = best.covered.len();
            if open.peek().is_none_or(|&(next, _, _)| covered >= next) {
                self.list(best, &mut rules);
            }
            open.push((covered, order, choice));
        }
        Ok(rules)
    }

    fn list(&mut self, grown: Grown, rules: &mut Vec<Pair>) {
        self.left.minus(&grown.covered);
        rules.push(grown.pair);
    }

    /// A rule that covers an example and many others; `None` if an example before it has to be listed first.
    fn grow(&self, seed: usize) -> Option<Grown> {
        let Pair { condition: all, choice } = &self.pairs[seed];
        let (mut right, mut wrong) = (self.left.clone(), self.left.clone());
        right.and(&self.of_choice[choice]);
        wrong.minus(&self.of_choice[choice]);
        let mut facts: Vec<Fact> = Vec::new();
        while wrong.len() > 0 {
            let (rights, wrongs) = (f64::from(right.len()), f64::from(wrong.len()));
            let gain = |fact: &Fact| {
                let kept = f64::from(right.count_common(&self.asking[fact]));
                let gone = f64::from(wrong.count_common(&self.against[fact]));
                let purity = |rights: f64, wrongs: f64| (rights / (rights + wrongs)).log2();
                (gone > 0.0).then(|| kept * (purity(kept, wrongs - gone) - purity(rights, wrongs)))
            };
            let gains = all.iter().filter_map(|fact| Some((gain(fact)?, *fact)));
            let best = gains.max_by(|(a, left), (b, right)| a.total_cmp(b).then(right.cmp(left)));
            let Some((_, fact)) = best else { break };
            facts.push(fact);
            right.and(&self.asking[&fact]);
            wrong.minus(&self.against[&fact]);
        }
        for item in wrong.items() {
            if item < seed {
                return None;
            }
            // Where both conditions hold the seed is what counts: the rule must not say more than the seed there.
            let asked = |fact: &&Fact| !facts.contains(fact) && !self.pairs[item].condition.contains(fact);
            let missing: Vec<Fact> = all.iter().filter(asked).copied().collect();
            facts.extend(missing);
        }
        for fact in facts.clone() {
            let rest: Vec<Fact> = facts.iter().copied().filter(|&other| other != fact).collect();
            if self.is_right(seed, &rest) {
                facts = rest;
            }
        }
        facts.sort_unstable();
        let mut covered = self.left.clone();
        covered.and(&self.of_choice[choice]);
        facts.iter().for_each(|fact| covered.and(&self.asking[fact]));
        Some(Grown { pair: Pair { condition: facts, choice: *choice }, covered })
    }

    /// Whether all that is left and can be met where these facts of an example hold is answered as it is.
    fn is_right(&self, seed: usize, facts: &[Fact]) -> bool {
        let Pair { condition: all, choice } = &self.pairs[seed];
        let mut wrong = self.left.clone();
        wrong.minus(&self.of_choice[choice]);
        facts.iter().for_each(|fact| wrong.minus(&self.against[fact]));
        wrong.items().all(|item| {
            let other = &self.pairs[item].condition;
            item > seed && all.iter().all(|fact| facts.contains(fact) || other.contains(fact))
        })
    }
}

#[cfg(test)]
mod tests {
    use counterplay_base::{Id, IdVec};
    use counterplay_task::{Value, holds};
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// All states that can be written down.
    fn every_state(task: &Task) -> Vec<IdVec<VarId, Value>> {
        let mut states: Vec<Vec<Value>> = vec![Vec::new()];
        for var in task.variables.ids() {
            let longer = |state: &Vec<Value>| {
                let state = state.clone();
                (0..task.domain_size(var)).map(move |value| [&state[..], &[value]].concat())
            };
            states = states.iter().flat_map(longer).collect();
        }
        states.into_iter().map(|state| state.into_iter().collect()).collect()
    }

    fn answer(pairs: &[Pair], state: &IdVec<VarId, Value>) -> Option<ChoiceId> {
        pairs.iter().find(|pair| holds(state, &pair.condition)).map(|pair| pair.choice)
    }

    /// Wherever one of the old pairs holds, the new ones say the same; a slow look at every state.
    #[test]
    fn what_is_learned_says_the_same_wherever_the_examples_speak() {
        let (mut before, mut after) = (0, 0);
        for seed in 0..200 {
            let mut task = counterplay_testkit::random_task(seed);
            task.mutex_groups.clear();
            task.mutex_pairs.clear();
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut vars: Vec<VarId> = task.variables.ids().collect();
            let mut pairs: Vec<Pair> = Vec::new();
            for _ in 0..random.random_range(1..25) {
                vars.shuffle(&mut random);
                let some = vars[..random.random_range(1..=vars.len())].iter();
                let fact = |&var: &VarId| Fact { var, value: task.initial[var] };
                let mut condition: Vec<Fact> = some.map(fact).collect();
                for fact in &mut condition {
                    fact.value = random.random_range(0..task.domain_size(fact.var));
                }
                condition.sort_unstable();
                pairs.push(Pair { condition, choice: ChoiceId::new(random.random_range(0..4)) });
            }
            let examples = Examples::new(&task, pairs.clone());
            let learned = examples.expect("they are few").learn(&Budget::unlimited()).unwrap();
            for state in every_state(&task) {
                if let Some(choice) = answer(&pairs, &state) {
                    assert_eq!(answer(&learned, &state), Some(choice), "seed {seed}: {pairs:?} {learned:?}");
                }
            }
            before += pairs.len();
            after += learned.len();
        }
        assert!(after < before, "{before} pairs became {after}");
    }

    /// Whose turn it is tells all: what else the states differ in is not asked.
    #[test]
    fn facts_that_tell_nothing_are_not_asked_for() {
        let mut task = counterplay_testkit::random_task(1);
        task.mutex_groups.clear();
        let vars: Vec<VarId> = task.variables.ids().collect();
        let pair = |turn, other| Pair {
            condition: vec![Fact { var: vars[0], value: turn }, Fact { var: vars[1], value: other }],
            choice: ChoiceId::new(turn as usize),
        };
        let pairs = vec![pair(0, 0), pair(1, 0), pair(0, 1), pair(1, 1)];
        let learned = Examples::new(&task, pairs).expect("they are few").learn(&Budget::unlimited());
        assert_eq!(learned.map(|learned| learned.len()), Ok(2));
    }
}
