//! What steps do to the patterns of blocks, proved once each and used for all states that have them.
//!
//! An operator leaves most blocks alone: then a pattern stays as it is, whatever the operator. In the others the pattern and the operator together say what
//! comes out. For an estimate it is enough that the block adds nothing to the zones that the state has not entered; a new
//! variable for a zone and a block says that a fact of both holds after the step.

use counterplay_base::IdVec;
use counterplay_task::{Fact, OpId, Task, Value, VarId};
use rustc_hash::FxHashMap;

use crate::blocks::Blocks;
use crate::error::Error;
use crate::formula::Numbers;
use crate::invariant::{Invariant, is_entered};
use crate::lines::{Id, Lines};
use crate::operators::Steps;
use crate::steps::Lemmas;
use crate::variables::{Lit, Var};

/// Lemmas about patterns, made when they are needed first.
pub(crate) struct BlockLemmas<'a> {
    blocks: &'a Blocks,
    invariant: &'a Invariant,
    steps: &'a Steps,
    numbers: &'a Numbers,
    /// For each block: that it being still means that nothing in it changes, and the converse.
    still: Vec<[Id; 2]>,
    operators: IdVec<OpId, Option<Touched>>,
    /// That a pattern stays, or what an operator makes of it.
    outcomes: FxHashMap<(u32, Option<OpId>), Id>,
    /// That the same adds nothing to zones; nothing if the block has no part in those.
    outside: FxHashMap<(u32, Option<OpId>), Option<Id>>,
    /// The zones that have facts in a block, with these facts and what the variable of both means.
    parts: Vec<Vec<Part>>,
    /// For each zone: that an entered one has been entered in some block, and the blocks in which it has facts.
    splits: Vec<(Id, Vec<usize>)>,
    /// For each fact: the zones that it is in, as bits.
    zones_of: IdVec<VarId, Vec<Vec<u64>>>,
}

/// The blocks that an operator touches, and that the others are still if it is applied.
type Touched = (Vec<usize>, Option<Id>);

#[derive(Debug)]
struct Part {
    zone: usize,
    facts: Vec<Fact>,
    /// That the variable implies one of the facts.
    means: Id,
}

impl<'a> BlockLemmas<'a> {
    pub(crate) fn new(
        task: &Task,
        blocks: &'a Blocks,
        invariant: &'a Invariant,
        (steps, numbers): (&'a Steps, &'a Numbers),
        lines: &mut Lines<'_>,
    ) -> Result<BlockLemmas<'a>, Error> {
        let mut still = Vec::with_capacity(blocks.members.len());
        for (block, vars) in blocks.members.iter().enumerate() {
            let own = Var::Still(block);
            let count = vars.len() as u128;
            let kept = vars.iter().map(|&var| (1, Var::Changes(var).no()));
            let means = lines.define(std::iter::once((count, own.no())).chain(kept), count, own, false)?;
            let changed = vars.iter().map(|&var| (1, Var::Changes(var).yes()));
            let holds = lines.define(std::iter::once((1, own.yes())).chain(changed), 1, own, true)?;
            still.push([means, holds]);
        }
        let mut parts: Vec<Vec<Part>> = blocks.members.iter().map(|_| Vec::new()).collect();
        let mut splits = Vec::with_capacity(invariant.zones.len());
        let words = invariant.zones.len().div_ceil(64);
        let mut zones_of: IdVec<VarId, Vec<Vec<u64>>> =
            task.variables.iter().map(|variable| vec![vec![0; words]; variable.values.len()]).collect();
        for (zone, facts) in invariant.zones.iter().enumerate() {
            let mut by_block: Vec<(usize, Vec<Fact>)> = Vec::new();
            for &fact in facts {
                let block = blocks.of[fact.var];
                match by_block.iter_mut().find(|(known, _)| *known == block) {
                    Some((_, facts)) => facts.push(fact),
                    None => by_block.push((block, vec![fact])),
                }
            }
            let own_blocks = by_block.iter().map(|&(block, _)| block).collect();
            let mut hints = Vec::new();
            let mut entered = vec![Var::ZoneNext(zone).no()];
            for (block, facts) in by_block {
                let own = Var::ZoneIn(zone, block);
                let count = facts.len() as u128;
                let some = facts.iter().map(|&fact| (1, Var::Next(fact).yes()));
                let means = lines.define(std::iter::once((1, own.no())).chain(some), 1, own, false)?;
                let none = facts.iter().map(|&fact| (1, Var::Next(fact).no()));
                hints.push(lines.define(
                    std::iter::once((count, own.yes())).chain(none),
                    count,
                    own,
                    true,
                )?);
                entered.push(own.yes());
                parts[block].push(Part { zone, facts, means });
            }
            hints.push(numbers.zones[zone][1]);
            splits.push((lines.rup_clause(entered, &hints)?, own_blocks));
            for fact in facts {
                zones_of[fact.var][fact.value as usize][zone / 64] |= 1 << (zone % 64);
            }
        }
        Ok(BlockLemmas {
            blocks,
            invariant,
            steps,
            numbers,
            still,
            operators: IdVec::filled(None, task.operators.len()),
            outcomes: FxHashMap::default(),
            outside: FxHashMap::default(),
            parts,
            splits,
            zones_of,
        })
    }

    /// Why an operator leads from one closed state to the facts of another: hints that follow from the first.
    pub(crate) fn successor(
        &mut self,
        (from, op, to): (usize, OpId, usize),
        lemmas: &mut Lemmas<'_>,
        lines: &mut Lines<'_>,
        hints: &mut Vec<Id>,
    ) -> Result<(), Error> {
        let blocks = self.blocks;
        let (touched, kept) = self.operator(op, lemmas, lines)?;
        hints.extend(kept);
        for (block, (&before, &after)) in blocks.of_state(from).iter().zip(blocks.of_state(to)).enumerate() {
            let by = touched.contains(&block).then_some(op);
            hints.push(self.outcome(before, by, after, lemmas, lines)?);
        }
        Ok(())
    }

    /// Why the state after an operator is outside those zones of an estimate that it has not entered.
    pub(crate) fn outside(
        &mut self,
        (from, op, estimate): (usize, OpId, usize),
        after: &IdVec<VarId, Value>,
        lemmas: &mut Lemmas<'_>,
        lines: &mut Lines<'_>,
        hints: &mut Vec<Id>,
    ) -> Result<(), Error> {
        let (blocks, invariant) = (self.blocks, self.invariant);
        let mut entered = vec![0u64; invariant.zones.len().div_ceil(64)];
        for (var, &value) in after.enumerate() {
            entered.iter_mut().zip(&self.zones_of[var][value as usize]).for_each(|(all, own)| *all |= own);
        }
        let zones = invariant.estimates[estimate].parts.iter().map(|&(zone, _)| zone);
        let outside: Vec<usize> = zones.filter(|zone| entered[zone / 64] >> (zone % 64) & 1 == 0).collect();
        let mut concerned = vec![false; blocks.members.len()];
        for &block in outside.iter().flat_map(|&zone| &self.splits[zone].1) {
            concerned[block] = true;
        }
        let (touched, kept) = self.operator(op, lemmas, lines)?;
        hints.extend(kept);
        for (block, &before) in blocks.of_state(from).iter().enumerate() {
            if concerned[block] {
                let by = touched.contains(&block).then_some(op);
                hints.extend(self.adds_nothing(before, by, after, lemmas, lines)?);
            }
        }
        hints.extend(outside.into_iter().map(|zone| self.splits[zone].0));
        Ok(())
    }

    /// The blocks that an operator touches, and that the others are still if it is applied.
    fn operator(
        &mut self,
        op: OpId,
        lemmas: &mut Lemmas<'_>,
        lines: &mut Lines<'_>,
    ) -> Result<Touched, Error> {
        if let Some(known) = &self.operators[op] {
            return Ok(known.clone());
        }
        let mut touched: Vec<usize> =
            self.steps.of[op].always.iter().map(|fact| self.blocks.of[fact.var]).collect();
        touched.sort_unstable();
        touched.dedup();
        let kept: Vec<usize> =
            (0..self.blocks.members.len()).filter(|block| !touched.contains(block)).collect();
        let mut hints: Vec<Id> = lemmas.operator(op, lines)?.untouched.into_iter().collect();
        hints.extend(kept.iter().map(|&block| self.still[block][1]));
        let count = kept.len() as u128;
        let own = std::iter::once((count, Var::Op(op).no()));
        let all = kept.iter().map(|&block| (1, Var::Still(block).yes()));
        let kept = match count {
            0 => None,
            _ => Some(lines.rup(own.chain(all), count, &hints)?),
        };
        self.operators[op] = Some((touched.clone(), kept));
        Ok((touched, kept))
    }

    /// Why the facts of a pattern are what they are after an operator, or after any that leaves the block alone; and what is assumed.
    fn facts_after(
        &self,
        pattern: u32,
        by: Option<OpId>,
        lemmas: &mut Lemmas<'_>,
        lines: &mut Lines<'_>,
    ) -> Result<(Vec<Id>, [Var; 2]), Error> {
        let numbers = self.numbers;
        let block = self.blocks.patterns[pattern as usize].block;
        let mut hints = vec![numbers.patterns[pattern as usize][0]];
        let is_set =
            |var: VarId| by.is_some_and(|op| self.steps.of[op].always.iter().any(|fact| fact.var == var));
        let guard = match by {
            Some(op) => {
                hints.extend(numbers.always[op]);
                hints.extend(lemmas.operator(op, lines)?.untouched);
                Var::Op(op)
            }
            None => {
                hints.push(self.still[block][0]);
                Var::Still(block)
            }
        };
        let facts = self.blocks.facts(pattern).filter(|fact| !is_set(fact.var));
        hints.extend(facts.map(|fact| numbers.inertia[fact.var][fact.value as usize]));
        Ok((hints, [Var::Pattern(pattern), guard]))
    }

    fn outcome(
        &mut self,
        before: u32,
        by: Option<OpId>,
        after: u32,
        lemmas: &mut Lemmas<'_>,
        lines: &mut Lines<'_>,
    ) -> Result<Id, Error> {
        if let Some(&known) = self.outcomes.get(&(before, by)) {
            return Ok(known);
        }
        let (mut hints, given) = self.facts_after(before, by, lemmas, lines)?;
        hints.push(self.numbers.patterns[after as usize][1]);
        let id = lines.rup_clause([given[0].no(), given[1].no(), Var::PatternNext(after).yes()], &hints)?;
        self.outcomes.insert((before, by), id);
        Ok(id)
    }

    /// That a block adds nothing to the zones in which it has no fact after the step.
    fn adds_nothing(
        &mut self,
        before: u32,
        by: Option<OpId>,
        after: &IdVec<VarId, Value>,
        lemmas: &mut Lemmas<'_>,
        lines: &mut Lines<'_>,
    ) -> Result<Option<Id>, Error> {
        if let Some(&known) = self.outside.get(&(before, by)) {
            return Ok(known);
        }
        let (mut hints, given) = self.facts_after(before, by, lemmas, lines)?;
        let block = self.blocks.patterns[before as usize].block;
        hints.extend(self.blocks.members[block].iter().map(|&var| self.numbers.at_most_one_next[var]));
        let free: Vec<&Part> =
            self.parts[block].iter().filter(|part| !is_entered(&part.facts, after)).collect();
        hints.extend(free.iter().map(|part| part.means));
        let count = free.len() as u128;
        let own = given.map(|var| (count, var.no()));
        let none = free.iter().map(|part| (1, Var::ZoneIn(part.zone, block).no()));
        let terms: Vec<(u128, Lit)> = own.into_iter().chain(none).collect();
        let id = match count {
            0 => None,
            _ => Some(lines.rup(terms, count, &hints)?),
        };
        self.outside.insert((before, by), id);
        Ok(id)
    }
}
