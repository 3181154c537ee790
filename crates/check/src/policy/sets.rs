//! Policies with more states than one can look at, by sets of states.
//!
//! A policy is strong-cyclic from a state exactly if the state belongs to the largest set with two properties: each
//! action that the policy names for a state of it can be applied and leads back into the set, whatever its outcome, and
//! from each state of it the goal can be reached. So we begin with all states for which the policy has an answer that
//! can be carried out, strike out those that may leave, then those that cannot reach the goal, and begin anew until
//! nothing goes. Which states can be reached from the start is never asked; the start only has to be in what is left.
//! *Strong* and *weak* are the sets from which all ways, or some way, lead to the goal.

use std::collections::HashSet;

use counterplay_base::{Budget, Limit};
use counterplay_pddl::model::GroundAtom;

use super::diagram::{Diagrams, ListId, Set};
use super::exclusive::{self, Group};
use super::ground::{Formula, GroundAction, Grounder, Unfit};
use crate::plan_file::Step;
use crate::policy_file::Rule;

/// Most atoms that change; beyond, rows of bits and recursions get too long.
const MOST_ATOMS: usize = 4000;
/// Most nodes of diagrams at once.
const MOST_NODES: usize = 30_000_000;
/// Most cases of the guards of one outcome.
const MOST_CASES: usize = 64;

/// What an outcome does under one combination of its guards.
struct Case {
    guard: Set,
    list: ListId,
}

/// An action of the policy.
struct Deed {
    /// Where the policy takes it and it can be applied.
    region: Set,
    /// The same, block of rules by block.
    blocks: Vec<(usize, Set)>,
    outcomes: Vec<Vec<Case>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    All,
    /// Those that do the same everywhere. Where they lead from depends on less, so the sets are simpler; they are
    /// followed as far as they go before the others are.
    Plain,
}

/// A policy as sets of states.
pub(super) struct Sets<'a> {
    diagrams: Diagrams<'a>,
    /// The bit of each atom, and the atom of each bit.
    level: Vec<u32>,
    at_level: Vec<u32>,
    atoms: Vec<GroundAtom>,
    deeds: Vec<Deed>,
    blocks: usize,
    goal: Set,
    /// States in which one atom of each group is true, or at most one, as in all states that can come about.
    sound: Set,
}

pub(super) struct Judgement {
    /// From where all ways lead to the goal.
    pub(super) strong: Set,
    /// What was left after each round of striking out, beginning with all states that have an answer. Later ones are
    /// contained in earlier ones; the policy is strong-cyclic from the states of the last.
    pub(super) rounds: Vec<Set>,
}

impl Judgement {
    /// From where the policy is strong-cyclic.
    pub(super) fn left(&self) -> Set {
        *self.rounds.last().expect("there is a round before the first")
    }
}

impl<'a> Sets<'a> {
    /// Prepares the sets of a policy; `starts` are the initial states.
    pub(super) fn new(
        mut grounder: Grounder<'_>,
        rules: &[Rule],
        starts: &[HashSet<GroundAtom>],
        budget: &'a Budget,
    ) -> Result<Sets<'a>, Unfit> {
        let starts: Vec<Vec<u32>> = starts
            .iter()
            .map(|start| {
                let mut sorted: Vec<&GroundAtom> = start.iter().collect();
                sorted.sort();
                sorted.into_iter().map(|atom| grounder.number(atom.clone())).collect()
            })
            .collect();
        let goal = grounder.goal()?;
        let mut steps: Vec<&Step> = rules.iter().map(|rule| &rule.step).collect();
        steps.sort_by(|a, b| (a.action, &a.arguments).cmp(&(b.action, &b.arguments)));
        steps.dedup_by_key(|step| (step.action, &step.arguments));
        let place = |step: &Step| {
            let key = (step.action, &step.arguments);
            steps.binary_search_by(|other| (other.action, &other.arguments).cmp(&key)).ok()
        };
        let never = GroundAction { precondition: Formula::Constant(false), outcomes: Vec::new() };
        let mut actions = Vec::new();
        for step in &steps {
            actions.push(grounder.action(step)?.unwrap_or_else(|| never.clone()));
        }
        let mut conditions = Vec::new();
        for rule in rules {
            let mut parts = Vec::new();
            for (atom, truth) in &rule.condition {
                parts.push(grounder.literal(atom.clone(), *truth)?);
            }
            conditions.push(Formula::All(parts));
        }
        if grounder.atoms.len() > MOST_ATOMS {
            return Err(Unfit::Kind);
        }
        // Atoms of a group lie side by side.
        let count = grounder.atoms.len();
        let groups = exclusive::groups(count, &starts, &actions, budget)?;
        let at_level: Vec<u32> = groups.apart.iter().flat_map(|group| &group.atoms).copied().collect();
        let mut level = vec![0; count];
        at_level.iter().zip(0..).for_each(|(&atom, at)| level[atom as usize] = at);
        let diagrams = Diagrams::new(MOST_NODES, budget);
        let mut sets = Sets {
            diagrams,
            level,
            at_level,
            atoms: grounder.atoms,
            deeds: Vec::new(),
            blocks: 0,
            goal: Set::NONE,
            sound: Set::NONE,
        };
        sets.sound = Set::ALL;
        for group in groups.apart.iter().rev().chain(&groups.overlapping) {
            let own = sets.one_of(group)?;
            sets.sound = sets.diagrams.and(sets.sound, own)?;
        }
        let goal = sets.formula(&goal)?;
        sets.goal = sets.diagrams.and(goal, sets.sound)?;
        let applicable = sets.deeds(&actions)?;
        let places: Vec<usize> =
            rules.iter().map(|rule| place(&rule.step).expect("every step was listed")).collect();
        sets.regions(&conditions, &places, &applicable)?;
        Ok(sets)
    }

    /// The states in which one atom of a group is true, or at most one if it need not be one.
    fn one_of(&mut self, group: &Group) -> Result<Set, Limit> {
        let mut levels: Vec<u32> = group.atoms.iter().map(|&atom| self.level[atom as usize]).collect();
        levels.sort_unstable();
        // From the last bit up: what is sound if one was true before, and if none was.
        let mut after_one = Set::ALL;
        let mut after_none = if group.is_never_empty { Set::NONE } else { Set::ALL };
        for level in levels.into_iter().rev() {
            let bit = self.diagrams.bit(level, true)?;
            let is_true = self.diagrams.and(after_one, bit)?;
            let is_false = self.diagrams.minus(after_none, bit)?;
            after_none = self.diagrams.or(is_true, is_false)?;
            after_one = self.diagrams.minus(after_one, bit)?;
        }
        Ok(after_none)
    }

    /// The states in which a formula holds.
    fn formula(&mut self, formula: &Formula) -> Result<Set, Limit> {
        match formula {
            Formula::Constant(true) => Ok(Set::ALL),
            Formula::Constant(false) => Ok(Set::NONE),
            Formula::Literal(atom, value) => self.diagrams.bit(self.level[*atom as usize], *value),
            Formula::All(parts) => parts.iter().try_fold(Set::ALL, |all, part| {
                let part = self.formula(part)?;
                self.diagrams.and(all, part)
            }),
            Formula::Any(parts) => parts.iter().try_fold(Set::NONE, |all, part| {
                let part = self.formula(part)?;
                self.diagrams.or(all, part)
            }),
        }
    }

    /// Lists the actions; where each can be applied.
    fn deeds(&mut self, actions: &[GroundAction]) -> Result<Vec<Set>, Unfit> {
        let mut applicable = Vec::new();
        for action in actions {
            applicable.push(self.formula(&action.precondition)?);
            let mut outcomes = Vec::new();
            for changes in &action.outcomes {
                let mut guards: Vec<&Formula> = Vec::new();
                for change in changes {
                    if !guards.contains(&&change.guard) {
                        guards.push(&change.guard);
                    }
                }
                // Which guards hold, and where.
                let mut cases: Vec<(Set, Vec<&Formula>)> = vec![(Set::ALL, Vec::new())];
                for guard in guards {
                    let own = self.formula(guard)?;
                    let mut split = Vec::new();
                    for (set, holding) in cases {
                        let (with, without) = (self.diagrams.and(set, own)?, self.diagrams.minus(set, own)?);
                        let longer = [&holding[..], &[guard]].concat();
                        split.extend([(with, longer), (without, holding)]);
                    }
                    split.retain(|(set, _)| *set != Set::NONE);
                    if split.len() > MOST_CASES {
                        return Err(Unfit::Kind);
                    }
                    cases = split;
                }
                let cases = cases.into_iter().map(|(guard, holding)| {
                    let own = changes.iter().filter(|change| holding.contains(&&change.guard));
                    let mut bits: Vec<(u32, bool)> =
                        own.map(|change| (self.level[change.atom as usize], change.value)).collect();
                    // What is both deleted and added is true afterwards: the larger value is kept.
                    bits.sort_unstable_by_key(|&(level, value)| (level, !value));
                    bits.dedup_by_key(|&mut (level, _)| level);
                    Case { guard, list: self.diagrams.list(bits) }
                });
                outcomes.push(cases.collect());
            }
            self.deeds.push(Deed { region: Set::NONE, blocks: Vec::new(), outcomes });
        }
        Ok(applicable)
    }

    /// Where the policy takes each action: the first rule that fits counts, and at the goal none does. A block
    /// of rules ends where an action comes back that was left before: policies that reach one part of the goal after
    /// the other have a block for each part, and are followed back block by block.
    fn regions(&mut self, conditions: &[Formula], places: &[usize], applicable: &[Set]) -> Result<(), Limit> {
        let mut rest = self.diagrams.minus(self.sound, self.goal)?;
        let mut last_in: Vec<Option<usize>> = vec![None; self.deeds.len()];
        let mut previous = None;
        for (condition, &deed) in conditions.iter().zip(places) {
            if previous != Some(deed) && last_in[deed] == Some(self.blocks) {
                self.blocks += 1;
            }
            previous = Some(deed);
            last_in[deed] = Some(self.blocks);
            let condition = self.formula(condition)?;
            let own = self.diagrams.and(rest, condition)?;
            rest = self.diagrams.minus(rest, own)?;
            let own = self.diagrams.and(own, applicable[deed])?;
            let deed = &mut self.deeds[deed];
            deed.region = self.diagrams.or(deed.region, own)?;
            match deed.blocks.last_mut().filter(|(block, _)| *block == self.blocks) {
                Some((_, region)) => *region = self.diagrams.or(*region, own)?,
                None => deed.blocks.push((self.blocks, own)),
            }
        }
        self.blocks += 1;
        Ok(())
    }

    /// The states of a region from which an outcome leads into a set, whose bits have these values if they are known.
    fn before(
        &mut self,
        outcome: (usize, usize),
        region: Set,
        set: Set,
        values: Option<&[[bool; 2]]>,
    ) -> Result<Set, Limit> {
        let mut all = Set::NONE;
        for case in &self.deeds[outcome.0].outcomes[outcome.1] {
            let has = |&(level, value): &(u32, bool)| {
                values.is_none_or(|values| values[level as usize][usize::from(value)])
            };
            if self.diagrams.bits(case.list).iter().all(has) {
                let region = self.diagrams.and(region, case.guard)?;
                let own = self.diagrams.before(case.list, set, region)?;
                all = self.diagrams.or(all, own)?;
            }
        }
        Ok(all)
    }

    /// The states of a region that some outcome that counts leads into a set from.
    fn may_lead(
        &mut self,
        deed: usize,
        counts: Counts,
        region: Set,
        set: Set,
        values: &[[bool; 2]],
    ) -> Result<Set, Limit> {
        let is_plain = |outcome: &Vec<Case>| matches!(&outcome[..], [only] if only.guard == Set::ALL);
        let mut all = Set::NONE;
        for outcome in 0..self.deeds[deed].outcomes.len() {
            if counts == Counts::All || is_plain(&self.deeds[deed].outcomes[outcome]) {
                let own = self.before((deed, outcome), region, set, Some(values))?;
                all = self.diagrams.or(all, own)?;
            }
        }
        Ok(all)
    }

    /// The states of a region that every outcome leads into a set from.
    fn must_lead(&mut self, deed: usize, mut region: Set, set: Set) -> Result<Set, Limit> {
        for outcome in 0..self.deeds[deed].outcomes.len() {
            region = self.before((deed, outcome), region, set, None)?;
        }
        Ok(region)
    }

    /// The states of a set from which all ways, or some way, lead to the goal without leaving the set.
    fn back_from_goal(&mut self, within: Set, all_ways: bool) -> Result<Set, Limit> {
        let mut found = self.diagrams.and(self.goal, within)?;
        for counts in [Counts::Plain, Counts::All] {
            let mut active: Vec<Set> = vec![Set::NONE; self.deeds.len()];
            let mut missing = Set::NONE;
            for block in 0..self.blocks {
                for (active, deed) in active.iter_mut().zip(&self.deeds) {
                    if let Some((_, region)) = deed.blocks.iter().find(|(own, _)| *own == block) {
                        let region = self.diagrams.and(*region, within)?;
                        *active = self.diagrams.or(*active, region)?;
                        missing = self.diagrams.or(missing, region)?;
                    }
                }
                missing = self.diagrams.minus(missing, found)?;
                let mut last = found;
                while last != Set::NONE && missing != Set::NONE {
                    let values = self.diagrams.values(last, self.atoms.len() as u32);
                    let mut next = Set::NONE;
                    for (deed, &region) in active.iter().enumerate() {
                        let region = self.diagrams.and(region, missing)?;
                        let mut own = self.may_lead(deed, counts, region, last, &values)?;
                        if all_ways && own != Set::NONE {
                            own = self.must_lead(deed, own, found)?;
                        }
                        next = self.diagrams.or(next, own)?;
                    }
                    found = self.diagrams.or(found, next)?;
                    missing = self.diagrams.minus(missing, next)?;
                    last = next;
                }
            }
        }
        Ok(found)
    }

    /// Whether a state, told by which atoms are true, is in a set.
    pub(super) fn contains(&self, set: Set, is_true: impl Fn(&GroundAtom) -> bool) -> bool {
        self.diagrams.contains(set, |level| is_true(&self.atoms[self.at_level[level as usize] as usize]))
    }

    /// From where some way leads to the goal.
    pub(super) fn weak(&mut self, judgement: &Judgement) -> Result<Set, Limit> {
        self.back_from_goal(judgement.rounds[0], false)
    }

    /// Finds out from where the policy is strong and strong-cyclic.
    pub(super) fn judge(&mut self) -> Result<Judgement, Limit> {
        let mut answered = self.goal;
        for deed in 0..self.deeds.len() {
            answered = self.diagrams.or(answered, self.deeds[deed].region)?;
        }
        let strong = self.back_from_goal(answered, true)?;
        let mut rounds = vec![answered];
        let mut left = answered;
        loop {
            self.strike_leaving(&mut left, &mut rounds)?;
            let reaching = self.back_from_goal(left, false)?;
            if reaching == left {
                return Ok(Judgement { strong, rounds });
            }
            left = reaching;
            rounds.push(left);
        }
    }

    /// Strikes out the states that an outcome may lead out of what is left.
    fn strike_leaving(&mut self, left: &mut Set, rounds: &mut Vec<Set>) -> Result<(), Limit> {
        let mut gone = self.diagrams.minus(Set::ALL, *left)?;
        loop {
            let values = self.diagrams.values(gone, self.atoms.len() as u32);
            let mut leaving = Set::NONE;
            for deed in 0..self.deeds.len() {
                let region = self.diagrams.and(self.deeds[deed].region, *left)?;
                let own = self.may_lead(deed, Counts::All, region, gone, &values)?;
                leaving = self.diagrams.or(leaving, own)?;
            }
            if leaving == Set::NONE {
                return Ok(());
            }
            *left = self.diagrams.minus(*left, leaving)?;
            rounds.push(*left);
            gone = leaving;
        }
    }
}
