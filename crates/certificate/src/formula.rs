//! The formula: task, invariant, and the negation of what makes it an invariant.
//!
//! All constraints are sums of literals with positive weights that reach a degree. A definition is written in the direction in which it is
//! used: for the pair before the step, *in the set* must imply what it stands for; for the pair after the step the
//! converse. Every real counterexample to the invariant is a model of the formula that way.

use std::io::{self, Write};

use counterplay_base::{Budget, IdVec};
use counterplay_task::{Fact, OpId, Task, VarId};
use rustc_hash::FxHashMap;

use crate::blocks::Blocks;
use crate::error::Error;
use crate::invariant::{ALL, Claim, DiagramNode, Invariant, NONE};
use crate::lines::{Id, Lines};
use crate::operators::Steps;
use crate::variables::{Lit, Var};
use crate::watched::Watched;

/// The numbers of the constraints of the formula.
#[derive(Debug)]
pub(crate) struct Numbers {
    pub(crate) at_most_one: IdVec<VarId, Id>,
    pub(crate) at_most_one_next: IdVec<VarId, Id>,
    pub(crate) one_operator: Id,
    pub(crate) precondition: IdVec<OpId, Option<Id>>,
    pub(crate) always: IdVec<OpId, Option<Id>>,
    /// For each effect with a condition: what it needs, that it takes place, what it does.
    pub(crate) fires: FxHashMap<(OpId, usize), [Id; 3]>,
    pub(crate) changes: IdVec<VarId, Id>,
    pub(crate) inertia: IdVec<VarId, Vec<Id>>,
    pub(crate) support: IdVec<VarId, Vec<Id>>,
    /// The cost after the step is at least that before and that of the operator.
    pub(crate) cost_grows: Option<Id>,
    /// The cost stays below the bound, before and after.
    pub(crate) below: Option<[Id; 2]>,
    pub(crate) some_flaw: Id,
    pub(crate) init_state: Id,
    pub(crate) init_cost: Option<Id>,
    pub(crate) init_outside: Id,
    pub(crate) goal_state: Option<Id>,
    pub(crate) goal_inside: Id,
    pub(crate) step_inside: Id,
    pub(crate) step_outside: Id,
    pub(crate) step_operator: Id,
    pub(crate) at_least: FxHashMap<u64, [Id; 2]>,
    /// For each closed state: what it means before the step, when it holds after, and that the set has it.
    pub(crate) states: Vec<[Id; 3]>,
    /// For each pattern of a block: what it means before the step, and when it holds after.
    pub(crate) patterns: Vec<[Id; 2]>,
    pub(crate) zones: Vec<[Id; 2]>,
    pub(crate) estimates: Vec<[Id; 3]>,
    /// For each node of the diagrams.
    pub(crate) nodes: Vec<NodeNumbers>,
    /// For each layer: what it means before the step, when it holds after, and that the set has it.
    pub(crate) layers: Vec<[Id; 3]>,
    pub(crate) inside: Id,
    pub(crate) last: Id,
}

impl Numbers {
    /// That a variable has a value before the step: it stands just before that it has only one.
    pub(crate) fn at_least_one(&self, var: VarId) -> Id {
        self.at_most_one[var] - 1
    }

    /// The same after the step.
    pub(crate) fn at_least_one_next(&self, var: VarId) -> Id {
        self.at_most_one_next[var] - 1
    }
}

/// The numbers of the constraints about a node of a diagram, each with the child that it is about.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeNumbers {
    pub(crate) before: Vec<(u32, Id)>,
    pub(crate) after: Vec<(u32, Id)>,
}

/// How many bits the cost has.
pub(crate) fn bits(invariant: &Invariant) -> u32 {
    u64::BITS - invariant.bound().saturating_sub(1).leading_zeros()
}

/// The bits of the cost with their weights.
pub(crate) fn cost_terms(bits: u32, lit: impl Fn(u32) -> Lit) -> impl Iterator<Item = (u128, Lit)> {
    (0..bits).map(move |bit| (1u128 << bit, lit(bit)))
}

/// Writes the formula in OPB. It is unsatisfiable exactly if the invariant is one.
///
/// # Errors
/// A file that cannot be written, or the limit that was reached.
pub fn write_formula(
    task: &Task,
    invariant: &Invariant,
    out: &mut dyn Write,
    budget: &Budget,
) -> Result<(), Error> {
    let (steps, blocks) = (Steps::new(task), Blocks::new(task, invariant));
    let numbers = number(task, invariant, &steps, blocks.as_ref())?;
    let patterns = blocks.as_ref().map_or(0, |blocks| blocks.patterns.len());
    let count = variable_count(task, invariant, &steps) + 2 * patterns;
    let mut out = Watched::new(out, budget);
    writeln!(out, "* #variable= {count} #constraint= {}", numbers.last)?;
    write(task, invariant, &steps, blocks.as_ref(), Lines::new(&mut out, 0))?;
    Ok(())
}

/// The numbers that the constraints have in the file.
pub(crate) fn number(
    task: &Task,
    invariant: &Invariant,
    steps: &Steps,
    blocks: Option<&Blocks>,
) -> Result<Numbers, Error> {
    Ok(write(task, invariant, steps, blocks, Lines::counting())?)
}

fn variable_count(task: &Task, invariant: &Invariant, steps: &Steps) -> usize {
    let facts: usize = task.variables.iter().map(|variable| variable.values.len()).sum();
    let fires: usize = steps.of.iter().map(|step| step.conditional.len()).sum();
    let pairs = bits(invariant) as usize
        + thresholds(invariant).len()
        + invariant.states.len()
        + invariant.zones.len()
        + invariant.estimates.len()
        + invariant.diagram.nodes.len()
        + invariant.layers.len();
    2 * facts + task.operators.len() + fires + task.variables.len() + 2 * pairs + 5
}

/// The costs of closed states and layers above zero, each once.
fn thresholds(invariant: &Invariant) -> Vec<u64> {
    let states = invariant.states.iter().map(|state| state.g);
    let layers = invariant.layers.iter().map(|layer| layer.cost);
    let mut costs: Vec<u64> = states.chain(layers).filter(|&cost| cost > 0).collect();
    costs.sort_unstable();
    costs.dedup();
    costs
}

struct Writer<'a> {
    task: &'a Task,
    invariant: &'a Invariant,
    steps: &'a Steps,
    blocks: Option<&'a Blocks>,
    lines: Lines<'a>,
    bits: u32,
}

fn write<'a>(
    task: &'a Task,
    invariant: &'a Invariant,
    steps: &'a Steps,
    blocks: Option<&'a Blocks>,
    lines: Lines<'a>,
) -> io::Result<Numbers> {
    let mut writer = Writer { task, invariant, steps, blocks, lines, bits: bits(invariant) };
    writer.formula()
}

impl Writer<'_> {
    fn formula(&mut self) -> io::Result<Numbers> {
        self.title("1. The state before the step (x) and after it (y): each variable has one value.")?;
        let at_most_one = self.one_value(Var::Now)?;
        let at_most_one_next = self.one_value(Var::Next)?;
        self.title("2. At most one operator is applied. It needs its precondition and has its effects.")?;
        let ops: Vec<Lit> = self.task.operators.ids().map(|op| Var::Op(op).no()).collect();
        let most = ops.len().saturating_sub(1) as u128;
        let one_operator = self.lines.given(ops.into_iter().map(|lit| (1, lit)), most)?;
        let (precondition, always, fires) = self.operators()?;
        self.title("3. A variable changes by an effect only, and a fact becomes true by an effect only.")?;
        let (changes, inertia, support) = self.frame()?;
        self.title("4. The cost before (c) and after (d) the step, in binary.")?;
        let (cost_grows, below) = self.costs()?;
        self.title("5. The invariant, before the step (from the name to what it means).")?;
        let before = self.before()?;
        self.title("6. The invariant, after the step (from what it means to the name).")?;
        let after = self.after()?;
        self.title("7. What would show that the invariant is none.")?;
        let some_flaw = self.lines.given_clause([Var::Init, Var::Goal, Var::Step].map(Var::yes))?;
        let initial: Vec<Lit> = facts_of(&self.task.initial).map(|fact| Var::Next(fact).yes()).collect();
        let init_state = self.lines.given_all(Var::Init, &initial)?;
        let nothing: Vec<Lit> = (0..self.bits).map(|bit| Var::CostNext(bit).no()).collect();
        let init_cost = self.unless_empty(Var::Init, &nothing)?;
        let init_outside = self.lines.given_clause([Var::Init.no(), Var::InsideNext.no()])?;
        let goal: Vec<Lit> = self.task.goal.iter().map(|&fact| Var::Now(fact).yes()).collect();
        let goal_state = self.unless_empty(Var::Goal, &goal)?;
        let goal_inside = self.lines.given_clause([Var::Goal.no(), Var::Inside.yes()])?;
        let step_inside = self.lines.given_clause([Var::Step.no(), Var::Inside.yes()])?;
        let step_outside = self.lines.given_clause([Var::Step.no(), Var::InsideNext.no()])?;
        let ops = self.task.operators.ids().map(|op| Var::Op(op).yes());
        let step_operator = self.lines.given_clause(std::iter::once(Var::Step.no()).chain(ops))?;
        let pair = |(a, b): (&Id, &Id)| [*a, *b];
        let triple = |(a, b): (&Id, &[Id; 2])| [*a, b[0], b[1]];
        Ok(Numbers {
            at_most_one,
            at_most_one_next,
            one_operator,
            precondition,
            always,
            fires,
            changes,
            inertia,
            support,
            cost_grows,
            below,
            some_flaw,
            init_state,
            init_cost,
            init_outside,
            goal_state,
            goal_inside,
            step_inside,
            step_outside,
            step_operator,
            at_least: before.thresholds.iter().map(|(&g, &id)| (g, [id, after.thresholds[&g]])).collect(),
            states: before.states.iter().zip(&after.states).map(triple).collect(),
            patterns: before.patterns.iter().zip(&after.patterns).map(pair).collect(),
            zones: before.zones.iter().zip(&after.zones).map(pair).collect(),
            estimates: before.estimates.iter().zip(&after.estimates).map(triple).collect(),
            nodes: before
                .nodes
                .into_iter()
                .zip(after.nodes)
                .map(|(before, after)| NodeNumbers { before, after })
                .collect(),
            layers: before.layers.iter().zip(&after.layers).map(triple).collect(),
            inside: before.inside,
            last: self.lines.last(),
        })
    }

    fn title(&mut self, text: &str) -> io::Result<()> {
        self.lines.plain(&format!("* {text}"))
    }

    fn unless_empty(&mut self, var: Var, lits: &[Lit]) -> io::Result<Option<Id>> {
        if lits.is_empty() { Ok(None) } else { self.lines.given_all(var, lits).map(Some) }
    }

    /// At least and at most one value for each variable; the numbers of the latter.
    fn one_value(&mut self, name: fn(Fact) -> Var) -> io::Result<IdVec<VarId, Id>> {
        let mut most = IdVec::new();
        for (var, variable) in self.task.variables.enumerate() {
            let values = 0..variable.values.len() as u32;
            let facts = || values.clone().map(|value| name(Fact { var, value }));
            self.lines.given_clause(facts().map(Var::yes))?;
            let degree = u128::from(values.end.saturating_sub(1));
            let _: VarId = most.push(self.lines.given(facts().map(|fact| (1, fact.no())), degree)?);
        }
        Ok(most)
    }

    #[expect(clippy::type_complexity, reason = "three tables of numbers, used once")]
    fn operators(
        &mut self,
    ) -> io::Result<(IdVec<OpId, Option<Id>>, IdVec<OpId, Option<Id>>, FxHashMap<(OpId, usize), [Id; 3]>)>
    {
        let (mut precondition, mut always, mut fires) = (IdVec::new(), IdVec::new(), FxHashMap::default());
        for (op, step) in self.steps.of.enumerate() {
            let needs: Vec<Lit> = step.precondition.iter().map(|&fact| Var::Now(fact).yes()).collect();
            let _: OpId = precondition.push(self.unless_empty(Var::Op(op), &needs)?);
            let makes: Vec<Lit> = step.always.iter().map(|&fact| Var::Next(fact).yes()).collect();
            let _: OpId = always.push(self.unless_empty(Var::Op(op), &makes)?);
            for (i, (condition, fact)) in step.conditional.iter().enumerate() {
                let fire = Var::Fires(op, i);
                let mut all = vec![Var::Op(op).yes()];
                all.extend(condition.iter().map(|&fact| Var::Now(fact).yes()));
                let needs = self.lines.given_all(fire, &all)?;
                let mut some = vec![fire.yes(), Var::Op(op).no()];
                some.extend(condition.iter().map(|&fact| Var::Now(fact).no()));
                let happens = self.lines.given_clause(some)?;
                let makes = self.lines.given_clause([fire.no(), Var::Next(*fact).yes()])?;
                fires.insert((op, i), [needs, happens, makes]);
            }
        }
        Ok((precondition, always, fires))
    }

    #[expect(clippy::type_complexity, reason = "three tables of numbers, used once")]
    fn frame(&mut self) -> io::Result<(IdVec<VarId, Id>, IdVec<VarId, Vec<Id>>, IdVec<VarId, Vec<Id>>)> {
        let (mut changes, mut inertia, mut support) = (IdVec::new(), IdVec::new(), IdVec::new());
        for (var, variable) in self.task.variables.enumerate() {
            let setters = &self.steps.setters[var];
            let some = setters.iter().map(|(setter, _)| setter.var().yes());
            let change = self.lines.given_clause(std::iter::once(Var::Changes(var).no()).chain(some))?;
            let _: VarId = changes.push(change);
            let (mut stays, mut comes) = (Vec::new(), Vec::new());
            for value in 0..variable.values.len() as u32 {
                let fact = Fact { var, value };
                let (now, next) = (Var::Now(fact), Var::Next(fact));
                stays.push(self.lines.given_clause([now.no(), next.yes(), Var::Changes(var).yes()])?);
                let makes = setters.iter().filter(|&&(_, made)| made == value);
                let makes = makes.map(|(setter, _)| setter.var().yes());
                comes.push(self.lines.given_clause([next.no(), now.yes()].into_iter().chain(makes))?);
            }
            let _: VarId = inertia.push(stays);
            let _: VarId = support.push(comes);
        }
        Ok((changes, inertia, support))
    }

    fn costs(&mut self) -> io::Result<(Option<Id>, Option<[Id; 2]>)> {
        let Claim::AtLeast(bound) = self.invariant.claim else { return Ok((None, None)) };
        let most = (1u128 << self.bits) - 1;
        let priced: Vec<(u128, Var)> = self
            .task
            .operators
            .enumerate()
            .filter(|(_, operator)| operator.cost > 0)
            .map(|(op, operator)| (u128::from(operator.cost), Var::Op(op)))
            .collect();
        let total: u128 = priced.iter().map(|(cost, _)| cost).sum();
        let after = cost_terms(self.bits, |bit| Var::CostNext(bit).yes());
        let before = cost_terms(self.bits, |bit| Var::Cost(bit).no());
        let paid = priced.iter().map(|&(cost, op)| (cost, op.no()));
        let grows = self.lines.given(after.chain(before).chain(paid), most + total)?;
        let after = cost_terms(self.bits, |bit| Var::CostNext(bit).no());
        let before = cost_terms(self.bits, |bit| Var::Cost(bit).yes());
        let paid = priced.iter().map(|&(cost, op)| (cost, op.yes()));
        self.lines.given(after.chain(before).chain(paid), most)?;
        let room = (most + 1).saturating_sub(u128::from(bound));
        if room == 0 {
            return Ok((Some(grows), None));
        }
        let now = self.lines.given(cost_terms(self.bits, |bit| Var::Cost(bit).no()), room)?;
        let next = self.lines.given(cost_terms(self.bits, |bit| Var::CostNext(bit).no()), room)?;
        Ok((Some(grows), Some([now, next])))
    }
}

/// The numbers of the constraints about the invariant before the step.
struct Before {
    thresholds: FxHashMap<u64, Id>,
    states: Vec<Id>,
    patterns: Vec<Id>,
    zones: Vec<Id>,
    estimates: Vec<Id>,
    nodes: Vec<Vec<(u32, Id)>>,
    layers: Vec<Id>,
    inside: Id,
}

/// The same after the step; for states and estimates also that the set has them.
struct After {
    thresholds: FxHashMap<u64, Id>,
    states: Vec<[Id; 2]>,
    patterns: Vec<Id>,
    zones: Vec<Id>,
    estimates: Vec<[Id; 2]>,
    nodes: Vec<Vec<(u32, Id)>>,
    layers: Vec<[Id; 2]>,
}

impl<'a> Writer<'a> {
    /// The patterns of blocks, if there are any.
    fn patterns(&self) -> impl Iterator<Item = (u32, &'a Blocks)> + use<'a> {
        self.blocks
            .into_iter()
            .flat_map(|blocks| (0..blocks.patterns.len() as u32).map(move |one| (one, blocks)))
    }

    fn before(&mut self) -> io::Result<Before> {
        let invariant = self.invariant;
        let mut thresholds_of = FxHashMap::default();
        for cost in thresholds(invariant) {
            let bits = cost_terms(self.bits, |bit| Var::Cost(bit).yes());
            let own = std::iter::once((u128::from(cost), Var::AtLeast(cost).no()));
            thresholds_of.insert(cost, self.lines.given(own.chain(bits), u128::from(cost))?);
        }
        let mut patterns = Vec::new();
        for (pattern, blocks) in self.patterns() {
            let facts: Vec<Lit> = blocks.facts(pattern).map(|fact| Var::Now(fact).yes()).collect();
            patterns.push(self.lines.given_all(Var::Pattern(pattern), &facts)?);
        }
        let mut states = Vec::with_capacity(invariant.states.len());
        for (i, state) in invariant.states.iter().enumerate() {
            let mut all: Vec<Lit> = match self.blocks {
                Some(blocks) => blocks.of_state(i).iter().map(|&one| Var::Pattern(one).yes()).collect(),
                None => facts_of(&state.values).map(|fact| Var::Now(fact).yes()).collect(),
            };
            all.extend((state.g > 0).then_some(Var::AtLeast(state.g).yes()));
            states.push(self.lines.given_all(Var::State(i), &all)?);
        }
        let mut zones = Vec::with_capacity(invariant.zones.len());
        for (i, zone) in invariant.zones.iter().enumerate() {
            let count = zone.len() as u128;
            let facts = zone.iter().map(|&fact| (1, Var::Now(fact).no()));
            let own = std::iter::once((count, Var::Zone(i).yes()));
            zones.push(self.lines.given(own.chain(facts), count)?);
        }
        let mut estimates = Vec::with_capacity(invariant.estimates.len());
        for (i, estimate) in invariant.estimates.iter().enumerate() {
            let parts =
                estimate.parts.iter().map(|&(zone, weight)| (u128::from(weight), Var::Zone(zone).no()));
            let full = u128::from(estimate.base) + weight(estimate);
            let bits = cost_terms(self.bits, |bit| Var::Cost(bit).yes());
            let own = std::iter::once((full, Var::Estimate(i).no()));
            estimates.push(self.lines.given(own.chain(bits).chain(parts), full)?);
        }
        let mut nodes = Vec::with_capacity(invariant.diagram.nodes.len());
        for (i, node) in invariant.diagram.nodes.iter().enumerate() {
            let mut own = Vec::new();
            for (child, values) in by_child(node).into_iter().filter(|&(child, _)| child != ALL) {
                let count = values.len() as u128;
                let names = std::iter::once((count, Var::Set(i as u32 + 2).no()));
                let names = names.chain((child != NONE).then_some((count, Var::Set(child).yes())));
                let facts = values.iter().map(|&value| (1, Var::Now(Fact { var: node.var, value }).no()));
                own.push((child, self.lines.given(names.chain(facts), count)?));
            }
            nodes.push(own);
        }
        let mut layers = Vec::with_capacity(invariant.layers.len());
        for (i, layer) in invariant.layers.iter().enumerate() {
            let mut all: Vec<Lit> =
                (layer.set > ALL).then_some(Var::Set(layer.set).yes()).into_iter().collect();
            all.extend((layer.cost > 0).then_some(Var::AtLeast(layer.cost).yes()));
            layers.push(self.lines.given_all(Var::Layer(i), &all)?);
        }
        let members = (0..states.len()).map(Var::State).chain((0..estimates.len()).map(Var::Estimate));
        let members = members.chain((0..layers.len()).map(Var::Layer));
        let some = std::iter::once(Var::Inside.no()).chain(members.map(Var::yes));
        let inside = self.lines.given_clause(some)?;
        Ok(Before { thresholds: thresholds_of, states, patterns, zones, estimates, nodes, layers, inside })
    }

    fn after(&mut self) -> io::Result<After> {
        let invariant = self.invariant;
        let full = 1u128 << self.bits;
        let mut thresholds_of = FxHashMap::default();
        for cost in thresholds(invariant) {
            let room = full - u128::from(cost);
            let bits = cost_terms(self.bits, |bit| Var::CostNext(bit).no());
            let own = std::iter::once((room, Var::AtLeastNext(cost).yes()));
            thresholds_of.insert(cost, self.lines.given(own.chain(bits), room)?);
        }
        let mut patterns = Vec::new();
        for (pattern, blocks) in self.patterns() {
            let facts = blocks.facts(pattern).map(|fact| Var::Next(fact).no());
            let own = std::iter::once(Var::PatternNext(pattern).yes());
            patterns.push(self.lines.given_clause(own.chain(facts))?);
        }
        let mut states = Vec::with_capacity(invariant.states.len());
        for (i, state) in invariant.states.iter().enumerate() {
            let facts: Vec<Lit> = match self.blocks {
                Some(blocks) => blocks.of_state(i).iter().map(|&one| Var::PatternNext(one).no()).collect(),
                None => facts_of(&state.values).map(|fact| Var::Next(fact).no()).collect(),
            };
            let cost = (state.g > 0).then_some(Var::AtLeastNext(state.g).no());
            let own = std::iter::once(Var::StateNext(i).yes());
            let holds = self.lines.given_clause(own.chain(facts).chain(cost))?;
            let member = self.lines.given_clause([Var::StateNext(i).no(), Var::InsideNext.yes()])?;
            states.push([holds, member]);
        }
        let mut zones = Vec::with_capacity(invariant.zones.len());
        for (i, zone) in invariant.zones.iter().enumerate() {
            let facts = zone.iter().map(|&fact| Var::Next(fact).yes());
            zones.push(self.lines.given_clause(std::iter::once(Var::ZoneNext(i).no()).chain(facts))?);
        }
        let mut estimates = Vec::with_capacity(invariant.estimates.len());
        for (i, estimate) in invariant.estimates.iter().enumerate() {
            let room = full - u128::from(estimate.base);
            let parts = estimate.parts.iter();
            let parts = parts.map(|&(zone, weight)| (u128::from(weight), Var::ZoneNext(zone).yes()));
            let bits = cost_terms(self.bits, |bit| Var::CostNext(bit).no());
            let own = std::iter::once((room, Var::EstimateNext(i).yes()));
            let holds = self.lines.given(own.chain(bits).chain(parts), room)?;
            let member = self.lines.given_clause([Var::EstimateNext(i).no(), Var::InsideNext.yes()])?;
            estimates.push([holds, member]);
        }
        let mut nodes = Vec::with_capacity(invariant.diagram.nodes.len());
        for (i, node) in invariant.diagram.nodes.iter().enumerate() {
            let mut own = Vec::new();
            for (child, values) in by_child(node).into_iter().filter(|&(child, _)| child != NONE) {
                let count = values.len() as u128;
                let names = std::iter::once((count, Var::SetNext(i as u32 + 2).yes()));
                let names = names.chain((child != ALL).then_some((count, Var::SetNext(child).no())));
                let facts = values.iter().map(|&value| (1, Var::Next(Fact { var: node.var, value }).no()));
                own.push((child, self.lines.given(names.chain(facts), count)?));
            }
            nodes.push(own);
        }
        let mut layers = Vec::with_capacity(invariant.layers.len());
        for (i, layer) in invariant.layers.iter().enumerate() {
            let set = (layer.set > ALL).then_some(Var::SetNext(layer.set).no());
            let cost = (layer.cost > 0).then_some(Var::AtLeastNext(layer.cost).no());
            let own = std::iter::once(Var::LayerNext(i).yes());
            let holds = self.lines.given_clause(own.chain(set).chain(cost))?;
            let member = self.lines.given_clause([Var::LayerNext(i).no(), Var::InsideNext.yes()])?;
            layers.push([holds, member]);
        }
        Ok(After { thresholds: thresholds_of, states, patterns, zones, estimates, nodes, layers })
    }
}

/// The children of a node, each once, with the values that lead to it.
pub(crate) fn by_child(node: &DiagramNode) -> Vec<(u32, Vec<u32>)> {
    let mut groups: Vec<(u32, Vec<u32>)> = Vec::new();
    for (value, &child) in node.children.iter().enumerate() {
        match groups.iter_mut().find(|(known, _)| *known == child) {
            Some((_, values)) => values.push(value as u32),
            None => groups.push((child, vec![value as u32])),
        }
    }
    groups
}

/// The weights of an estimate together.
pub(crate) fn weight(estimate: &crate::Estimate) -> u128 {
    estimate.parts.iter().map(|&(_, weight)| u128::from(weight)).sum()
}

/// The facts of a state.
pub(crate) fn facts_of(state: &IdVec<VarId, u32>) -> impl Iterator<Item = Fact> + '_ {
    state.enumerate().map(|(var, &value)| Fact { var, value })
}

/// The variables of facts, each once.
pub(crate) fn variables_of(facts: &[Fact]) -> impl Iterator<Item = VarId> + '_ {
    facts.chunk_by(|a, b| a.var == b.var).filter_map(|same| same.first()).map(|fact| fact.var)
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::Id as _;

    #[test]
    fn each_variable_is_named_once() {
        let facts: Vec<Fact> =
            [(0, 1), (0, 2), (3, 0)].map(|(var, value)| Fact { var: VarId::new(var), value }).to_vec();
        let vars: Vec<usize> = variables_of(&facts).map(|var| var.index()).collect();
        assert_eq!(vars, [0, 3]);
    }
}
