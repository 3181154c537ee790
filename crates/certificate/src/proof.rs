//! The proof that the formula is unsatisfiable.
//!
//! Each flaw is excluded in turn. `init`: the initial state is in the set. `goal`: no closed state is a goal, and an estimate charges
//! too much for one. `step`: from a closed state each applicable operator leads into the set; an estimate is consistent, by
//! a sum over its zones in which the weights that an operator can take are at most what it costs.

use std::fmt::Write as _;
use std::io::Write;

use counterplay_base::{Budget, BudgetPoll, Id as _, IdVec};
use counterplay_task::{Fact, OpId, Task, Value, VarId};

use crate::block_steps::BlockLemmas;
use crate::blocks::Blocks;
use crate::error::Error;
use crate::formula::{self, Numbers, facts_of, variables_of};
use crate::invariant::{Claim, Invariant, Target, is_entered};
use crate::layers::{self, LayerProof, MOST_LEMMAS};
use crate::lines::{Id, Lines};
use crate::operators::{Setter, Steps};
use crate::steps::{Lemmas, Wanted};
use crate::tree::Tree;
use crate::variables::{Lit, Var};

/// Writes the proof, for VeriPB 3 and the formula of [`write_formula`](crate::write_formula).
///
/// # Errors
/// A file that cannot be written, or the limit that was reached.
pub fn write_proof(
    task: &Task,
    invariant: &Invariant,
    out: &mut dyn Write,
    budget: &Budget,
) -> Result<(), Error> {
    write_proof_within(MOST_LEMMAS, task, invariant, out, budget)
}

/// Writes the proof if that takes no more than so many lemmas about layers; they have no bound otherwise but the largest one.
///
/// # Errors
/// A file that cannot be written, a proof that is too long, or the limit that was reached.
pub fn write_proof_within(
    most: u64,
    task: &Task,
    invariant: &Invariant,
    out: &mut dyn Write,
    budget: &Budget,
) -> Result<(), Error> {
    let (steps, blocks) = (Steps::new(task), Blocks::new(task, invariant));
    let blocks = blocks.as_ref();
    let numbers = formula::number(task, invariant, &steps, blocks)?;
    let mut lines = Lines::new(out, numbers.last);
    lines.plain("pseudo-Boolean proof version 3.0")?;
    lines.plain(&format!("f {};", numbers.last))?;
    let mut proof =
        Proof { task, invariant, steps: &steps, blocks, numbers: &numbers, lines, crossings: Vec::new() };
    let no_init = proof.no_init()?;
    let no_goal = proof.no_goal(budget)?;
    let no_step = proof.no_step(most, budget)?;
    let end = proof.lines.rup([], 1, &[no_init, no_goal, no_step, numbers.some_flaw])?;
    proof.lines.plain("output NONE;")?;
    proof.lines.plain(&format!("conclusion UNSAT : {end};"))?;
    proof.lines.plain("end pseudo-Boolean proof;")?;
    Ok(())
}

struct Proof<'a> {
    task: &'a Task,
    invariant: &'a Invariant,
    steps: &'a Steps,
    blocks: Option<&'a Blocks>,
    numbers: &'a Numbers,
    lines: Lines<'a>,
    /// For each zone: that it is entered by certain operators only.
    crossings: Vec<Id>,
}

impl Proof<'_> {
    /// The patterns of a closed state; none where states are lists of facts.
    fn patterns(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        self.blocks
            .into_iter()
            .flat_map(move |blocks| blocks.of_state(state))
            .map(|&pattern| pattern as usize)
    }

    fn no_init(&mut self) -> Result<Id, Error> {
        let numbers = self.numbers;
        let initial = &self.task.initial;
        let mut hints = vec![numbers.init_state, numbers.init_outside];
        hints.extend(numbers.init_cost);
        let closed = self.invariant.states.iter().position(|state| state.values == *initial);
        let mut layers = self.invariant.layers.iter();
        let layer =
            layers.position(|layer| layer.cost == 0 && self.invariant.diagram.contains(layer.set, initial));
        match (closed, layer) {
            (Some(state), _) => {
                hints.extend(self.patterns(state).map(|pattern| numbers.patterns[pattern][1]));
                hints.extend(&numbers.states[state][1..]);
            }
            (None, Some(layer)) => {
                let (mut set, mut path) = (self.invariant.layers[layer].set, Vec::new());
                while let Some(node) = self.invariant.diagram.node(set) {
                    let child = node.children[initial[node.var] as usize];
                    let after = &numbers.nodes[set as usize - 2].after;
                    path.extend(after.iter().filter(|(known, _)| *known == child).map(|&(_, id)| id));
                    set = child;
                }
                hints.extend(path.into_iter().rev());
                hints.extend(&numbers.layers[layer][1..]);
            }
            (None, None) => {
                let covers = |estimate| self.invariant.charge(estimate, initial) == 0;
                let covering = self.invariant.estimates.iter().position(covers).unwrap_or_default();
                hints.extend(facts_of(initial).map(|fact| numbers.at_most_one_next[fact.var]));
                if let Some(estimate) = self.invariant.estimates.get(covering) {
                    hints.extend(estimate.parts.iter().map(|&(zone, _)| numbers.zones[zone][1]));
                    hints.extend(&numbers.estimates[covering][1..]);
                }
            }
        }
        Ok(self.lines.rup_clause([Var::Init.no()], &hints)?)
    }

    fn no_goal(&mut self, budget: &Budget) -> Result<Id, Error> {
        let numbers = self.numbers;
        let first = self.lines.last() + 1;
        let mut hints = vec![numbers.goal_inside];
        let mut poll = BudgetPoll::every(64);
        for (i, state) in self.invariant.states.iter().enumerate() {
            poll.step(budget)?;
            let missing = self.task.goal.iter().find(|fact| state.values[fact.var] != fact.value);
            let mut why = vec![numbers.states[i][0]];
            if let (Some(blocks), Some(fact)) = (self.blocks, missing) {
                why.push(numbers.patterns[blocks.of_state(i)[blocks.of[fact.var]] as usize][0]);
            }
            why.extend(missing.map(|fact| numbers.at_most_one[fact.var]));
            why.extend(numbers.goal_state);
            hints.push(self.lines.rup_clause([Var::Goal.no(), Var::State(i).no()], &why)?);
        }
        for (i, estimate) in self.invariant.estimates.iter().enumerate() {
            poll.step(budget)?;
            let mut why: Vec<Id> = numbers.goal_state.into_iter().collect();
            why.extend(estimate.parts.iter().map(|&(zone, _)| numbers.zones[zone][0]));
            why.push(match numbers.below {
                Some([now, _]) => self.lines.pol(&format!("{} {now} +", numbers.estimates[i][0]))?,
                None => numbers.estimates[i][0],
            });
            hints.push(self.lines.rup_clause([Var::Goal.no(), Var::Estimate(i).no()], &why)?);
        }
        hints.extend(layers::goals(self.task, self.invariant, numbers, &mut self.lines, budget)?);
        hints.push(numbers.inside);
        let no_goal = self.lines.rup_clause([Var::Goal.no()], &hints)?;
        self.lines.forget(first, no_goal)?;
        Ok(no_goal)
    }

    fn no_step(&mut self, most: u64, budget: &Budget) -> Result<Id, Error> {
        let numbers = self.numbers;
        let mut hints = vec![numbers.step_inside, numbers.step_outside];
        let mut lemmas = Lemmas::new(self.task, self.invariant, self.steps, numbers);
        if !self.invariant.states.is_empty() {
            self.steps_of_states(&mut lemmas, budget, &mut hints)?;
        }
        if !self.invariant.layers.is_empty() {
            let known = (self.steps, numbers);
            let lines = &mut self.lines;
            let mut proof = LayerProof::new(self.task, self.invariant, known, &mut lemmas, lines, budget)?;
            hints.extend(proof.steps(most)?);
        }
        let mut poll = BudgetPoll::every(16);
        for zone in &self.invariant.zones {
            poll.step(budget)?;
            let crossing = self.crossing(self.crossings.len(), zone)?;
            self.crossings.push(crossing);
        }
        for i in 0..self.invariant.estimates.len() {
            poll.step(budget)?;
            hints.push(self.consistent(i)?);
        }
        hints.push(numbers.inside);
        Ok(self.lines.rup_clause([Var::Step.no()], &hints)?)
    }

    /// That each step from a closed state stays in the set.
    fn steps_of_states(
        &mut self,
        lemmas: &mut Lemmas<'_>,
        budget: &Budget,
        hints: &mut Vec<Id>,
    ) -> Result<(), Error> {
        let mut tree = Tree::new(self.task, self.steps, self.numbers, &mut self.lines)?;
        let known = (self.steps, self.numbers);
        let mut patterns = match self.blocks {
            Some(blocks) => {
                Some(BlockLemmas::new(self.task, blocks, self.invariant, known, &mut self.lines)?)
            }
            None => None,
        };
        let mut poll = BudgetPoll::every(16);
        for (i, state) in self.invariant.states.iter().enumerate() {
            poll.step(budget)?;
            let mut outcomes = Vec::with_capacity(state.steps.len());
            for &(op, target) in &state.steps {
                outcomes.push(self.successor(i, op, target, lemmas, patterns.as_mut())?);
            }
            let reasons = outcomes.iter().copied();
            let mut meaning = vec![self.numbers.states[i][0]];
            meaning.extend(self.patterns(i).map(|pattern| self.numbers.patterns[pattern][0]));
            let given = (Var::State(i), meaning);
            let inside = Var::InsideNext.yes();
            hints.push(tree.conclude(given, inside, &state.values, reasons, known, &mut self.lines)?);
            for run in outcomes.chunk_by(|a, b| a + 1 == *b) {
                self.lines.forget(run[0], run[run.len() - 1] + 1)?;
            }
        }
        Ok(())
    }

    /// That an operator leads from a closed state into the set.
    fn successor(
        &mut self,
        from: usize,
        op: OpId,
        target: Target,
        lemmas: &mut Lemmas<'_>,
        patterns: Option<&mut BlockLemmas<'_>>,
    ) -> Result<Id, Error> {
        let numbers = self.numbers;
        let state = &self.invariant.states[from];
        let cost = self.invariant.cost(self.task, op);
        let priced = matches!(self.invariant.claim, Claim::AtLeast(_));
        let mut hints = vec![numbers.states[from][0]];
        hints.extend(lemmas.operator(op, &mut self.lines)?.class);
        match target {
            Target::TooDear => hints.push(lemmas.reaches(state.g, cost, Wanted::TooDear, &mut self.lines)?),
            Target::State(to) => {
                match patterns {
                    Some(patterns) => {
                        patterns.successor((from, op, to), lemmas, &mut self.lines, &mut hints)?;
                    }
                    None => lemmas.successor(op, &state.values, &mut self.lines, &mut hints)?,
                }
                let g = self.invariant.states[to].g;
                if g > 0 {
                    hints.push(lemmas.reaches(state.g, cost, Wanted::Cost(g), &mut self.lines)?);
                }
                hints.extend(&numbers.states[to][1..]);
            }
            Target::Estimate(to) => {
                let after = counterplay_task::apply(self.task, &state.values, op);
                match patterns {
                    Some(patterns) => {
                        patterns.outside((from, op, to), &after, lemmas, &mut self.lines, &mut hints)?;
                    }
                    None => {
                        lemmas.successor(op, &state.values, &mut self.lines, &mut hints)?;
                        self.zones_after(&after, to, &mut hints);
                    }
                }
                hints.push(match priced {
                    true => lemmas.reaches(state.g, cost, Wanted::Estimate(to), &mut self.lines)?,
                    false => numbers.estimates[to][1],
                });
                hints.push(numbers.estimates[to][2]);
            }
        }
        Ok(self.lines.rup_clause([Var::State(from).no(), Var::Op(op).no(), Var::InsideNext.yes()], &hints)?)
    }

    /// Why the state after an operator is outside those zones of an estimate that it has not entered.
    fn zones_after(&self, after: &IdVec<VarId, Value>, estimate: usize, hints: &mut Vec<Id>) {
        let zones = self.invariant.estimates[estimate].parts.iter().map(|&(zone, _)| zone);
        let outside: Vec<usize> =
            zones.filter(|&zone| !is_entered(&self.invariant.zones[zone], after)).collect();
        let mut vars: Vec<_> =
            outside.iter().flat_map(|&zone| variables_of(&self.invariant.zones[zone])).collect();
        vars.sort_unstable_by_key(|var| var.index());
        vars.dedup();
        hints.extend(vars.into_iter().map(|var| self.numbers.at_most_one_next[var]));
        hints.extend(outside.into_iter().map(|zone| self.numbers.zones[zone][1]));
    }

    /// That a zone is entered only by operators that need nothing in it.
    fn crossing(&mut self, zone: usize, facts: &[Fact]) -> Result<Id, Error> {
        let numbers = self.numbers;
        let [now, next] = numbers.zones[zone];
        let is_in = |fact: &Fact| facts.binary_search(fact).is_ok();
        let mut crossing: Vec<OpId> = Vec::new();
        let mut hints = vec![now];
        for fact in facts {
            for &(setter, _) in self.steps.setters[fact.var].iter().filter(|&&(_, value)| value == fact.value)
            {
                let Setter { op, conditional } = setter;
                let step = &self.steps.of[op];
                let condition = conditional.map(|effect| &step.conditional[effect].0[..]).unwrap_or_default();
                if step.precondition.iter().any(is_in) {
                    hints.extend(numbers.precondition[op]);
                } else if !condition.iter().any(is_in) {
                    crossing.push(op);
                }
                hints.extend(conditional.map(|effect| numbers.fires[&(op, effect)][0]));
            }
            hints.push(numbers.support[fact.var][fact.value as usize]);
        }
        hints.push(next);
        crossing.sort_unstable();
        crossing.dedup();
        let lits = [Var::ZoneNext(zone).no(), Var::Zone(zone).yes()];
        let lits = lits.into_iter().chain(crossing.into_iter().map(|op| Var::Op(op).yes()));
        Ok(self.lines.rup_clause(lits, &hints)?)
    }

    /// That an estimate holds after a step if it holds before.
    fn consistent(&mut self, estimate: usize) -> Result<Id, Error> {
        let [before, after, member] = self.numbers.estimates[estimate];
        let mut sum = format!("{before} {after} +");
        for &(zone, weight) in &self.invariant.estimates[estimate].parts {
            let crossing = self.crossings[zone];
            let _ = match weight {
                1 => write!(sum, " {crossing} +"),
                _ => write!(sum, " {crossing} {weight} * +"),
            };
        }
        if let Some(grows) = self.numbers.cost_grows {
            let _ = write!(sum, " {grows} +");
        }
        let sum = self.lines.pol(&sum)?;
        let lits: [Lit; 2] = [Var::Estimate(estimate).no(), Var::InsideNext.yes()];
        let kept = self.lines.rup_clause(lits, &[sum, member])?;
        self.lines.forget(sum, sum + 1)?;
        Ok(kept)
    }
}
