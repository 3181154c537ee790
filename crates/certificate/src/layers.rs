//! Proofs about layers, whose sets are decision diagrams.
//!
//! That a step of an operator leads from one set into another follows node by node. A *lemma* about a guard and two nodes says: if the guard holds and the
//! state before is in the set of the first node, then the state after is in the set of the second. It follows from lemmas about
//! the children. The guard is what is known about the step, and it changes on the way down, so that most lemmas serve many
//! operators: above the first variable that an operator looks at, it is a *group* of operators of one cost that all leave those variables alone; then
//! it is the operator itself; below the last variable that it changes, it is *kept*: nothing changes from here on.

use std::fmt::Write as _;

use counterplay_base::{Budget, BudgetPoll, IdVec};
use counterplay_task::{Fact, OpId, Task, VarId};
use rustc_hash::FxHashMap;

use crate::error::Error;
use crate::formula::{Numbers, by_child};
use crate::invariant::{ALL, Claim, Invariant, NONE};
use crate::lines::{Id, Lines};
use crate::operators::Steps;
use crate::steps::{Lemmas, Wanted};
use crate::variables::{Lit, Var};

/// A proof of layers with more lines is not written: no checker would read it in reasonable time.
pub const MOST_LEMMAS: u64 = 15_000_000;

/// So many lines are written before the length of the proof is foretold.
const FEW_LEMMAS: u64 = 500_000;

/// What is known about the step in a lemma.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Guard {
    /// An operator of a group is applied.
    Group(usize),
    Op(OpId),
    /// No variable from this place of the order on changes.
    Kept(usize),
}

impl Guard {
    fn var(self) -> Var {
        match self {
            Guard::Group(group) => Var::Group(group),
            Guard::Op(op) => Var::Op(op),
            Guard::Kept(place) => Var::Kept(place),
        }
    }
}

/// Operators of one cost that look at no variable above a place.
struct Group {
    from: usize,
    /// Those that look at the variable at just this place first.
    own: Vec<OpId>,
    /// The group of the others.
    rest: Option<usize>,
    /// That one of its own operators or of the others is applied.
    splits: Id,
    /// That the group is meant if one of its operators is applied.
    meant: Id,
    /// That no variable above its place changes.
    keeps: Option<Id>,
}

/// What an operator does to a variable.
#[derive(Clone, Copy, Debug)]
struct Touch {
    place: usize,
    needs: Option<u32>,
    makes: Option<u32>,
}

/// Whether a lemma needs a line, and which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// The first set is empty, or the second has all states.
    Trivial,
    Line(Id),
}

pub(crate) struct LayerProof<'a, 'l, 'w> {
    task: &'a Task,
    invariant: &'a Invariant,
    numbers: &'a Numbers,
    lemmas: &'l mut Lemmas<'a>,
    lines: &'l mut Lines<'w>,
    budget: &'a Budget,
    poll: BudgetPoll,
    place: IdVec<VarId, Option<usize>>,
    touches: IdVec<OpId, Vec<Touch>>,
    groups: Vec<Group>,
    /// The group of all operators of each cost.
    first_group: Vec<(u64, usize)>,
    known: FxHashMap<(Guard, u32, u32), Known>,
    /// What *kept* means, and when it holds.
    kept: Vec<Option<[Id; 2]>>,
    /// That one guard implies another one that is *kept*.
    implies: FxHashMap<(Guard, usize), Id>,
    written: u64,
    /// The most that may be written.
    most: u64,
}

impl<'a, 'l, 'w> LayerProof<'a, 'l, 'w> {
    pub(crate) fn new(
        task: &'a Task,
        invariant: &'a Invariant,
        (steps, numbers): (&'a Steps, &'a Numbers),
        lemmas: &'l mut Lemmas<'a>,
        lines: &'l mut Lines<'w>,
        budget: &'a Budget,
    ) -> Result<Self, Error> {
        if steps.of.iter().any(|step| !step.conditional.is_empty()) {
            return Err(Error::NotCovered("layers together with conditional effects"));
        }
        let mut place = IdVec::filled(None, task.variables.len());
        for (at, &var) in invariant.diagram.order.iter().enumerate() {
            place[var] = Some(at);
        }
        let touches = steps.of.iter().map(|step| {
            let mut touches: Vec<Touch> = Vec::new();
            let facts = step.precondition.iter().map(|fact| (fact, true));
            for (fact, is_needed) in facts.chain(step.always.iter().map(|fact| (fact, false))) {
                let Some(at) = place[fact.var] else { continue };
                let own = match touches.iter().position(|touch| touch.place == at) {
                    Some(known) => &mut touches[known],
                    None => {
                        touches.push(Touch { place: at, needs: None, makes: None });
                        touches.last_mut().expect("it was just added")
                    }
                };
                let value = if is_needed { &mut own.needs } else { &mut own.makes };
                *value = Some(fact.value);
            }
            touches.sort_unstable_by_key(|touch| touch.place);
            touches
        });
        let touches = touches.collect();
        let mut proof = LayerProof {
            task,
            invariant,
            numbers,
            lemmas,
            lines,
            budget,
            poll: BudgetPoll::every(1024),
            place,
            touches,
            groups: Vec::new(),
            first_group: Vec::new(),
            known: FxHashMap::default(),
            kept: vec![None; invariant.diagram.order.len() + 1],
            implies: FxHashMap::default(),
            written: 0,
            most: MOST_LEMMAS,
        };
        proof.make_groups()?;
        Ok(proof)
    }

    /// The first place that an operator looks at.
    fn first(&self, op: OpId) -> usize {
        self.touches[op].first().map_or(self.end(), |touch| touch.place)
    }

    /// The first place from which on it neither looks at anything nor changes it.
    fn after_last(&self, op: OpId) -> usize {
        self.touches[op].last().map_or(0, |touch| touch.place + 1)
    }

    /// The place after the last variable.
    fn end(&self) -> usize {
        self.invariant.diagram.order.len()
    }

    fn level(&self, set: u32) -> usize {
        let node = self.invariant.diagram.node(set);
        node.and_then(|node| self.place[node.var]).unwrap_or(self.end())
    }

    fn child(&self, set: u32, at: usize, value: u32) -> u32 {
        match self.invariant.diagram.node(set) {
            Some(node) if self.level(set) == at => node.children[value as usize],
            _ => set,
        }
    }

    fn rup(&mut self, lits: impl IntoIterator<Item = Lit>, hints: &[Id]) -> Result<Id, Error> {
        self.poll.step(self.budget)?;
        self.written += 1;
        if self.written > self.most {
            return Err(Error::TooLong(self.most));
        }
        Ok(self.lines.rup_clause(lits, hints)?)
    }

    /// Defines the groups of operators, those that begin lowest first.
    fn make_groups(&mut self) -> Result<(), Error> {
        let mut by_cost: Vec<(u64, Vec<OpId>)> = Vec::new();
        for op in self.task.operators.ids() {
            let cost = self.invariant.cost(self.task, op);
            match by_cost.iter_mut().find(|(known, _)| *known == cost) {
                Some((_, members)) => members.push(op),
                None => by_cost.push((cost, vec![op])),
            }
        }
        by_cost.sort_unstable_by_key(|&(cost, _)| cost);
        for (cost, mut members) in by_cost {
            members.sort_by_key(|&op| std::cmp::Reverse(self.first(op)));
            let mut below = 0;
            while below < members.len() {
                let from = self.first(members[below]);
                let count = members[below..].iter().take_while(|&&op| self.first(op) == from).count();
                let rest = (below > 0).then(|| self.groups.len() - 1);
                let own = members[below..below + count].to_vec();
                below += count;
                let group = self.make_group(from, own, rest)?;
                self.groups.push(group);
            }
            self.first_group.push((cost, self.groups.len() - 1));
        }
        Ok(())
    }

    fn make_group(&mut self, from: usize, own: Vec<OpId>, rest: Option<usize>) -> Result<Group, Error> {
        let var = Var::Group(self.groups.len());
        let parts: Vec<Var> = own.iter().map(|&op| Var::Op(op)).chain(rest.map(Var::Group)).collect();
        let some = std::iter::once(var.no()).chain(parts.iter().map(|part| part.yes()));
        let splits = self.lines.define(some.map(|lit| (1, lit)), 1, var, false)?;
        let count = parts.len() as u128;
        let all = parts.iter().map(|part| (1, part.no()));
        let meant = self.lines.define(std::iter::once((count, var.yes())).chain(all), count, var, true)?;
        let above = self.invariant.diagram.order[..from].to_vec();
        let keeps = match above.len() as u128 {
            0 => None,
            count => {
                // One of the members is applied, so no other operator is, and only others change what lies above.
                let mut sum = format!("{splits} {} +", self.numbers.one_operator);
                for at in self.chain(rest) {
                    let _ = write!(sum, " {} +", self.groups[at].splits);
                }
                let others = self.lines.pol(&sum)?;
                let mut hints = vec![others];
                hints.extend(above.iter().map(|&var| self.numbers.changes[var]));
                let lits = above.iter().map(|&var| (1, Var::Changes(var).no()));
                let keeps = self.lines.rup(std::iter::once((count, var.no())).chain(lits), count, &hints)?;
                self.lines.forget(others, others + 1)?;
                Some(keeps)
            }
        };
        Ok(Group { from, own, rest, splits, meant, keeps })
    }

    /// A group and those that it goes on to.
    fn chain(&self, first: Option<usize>) -> Vec<usize> {
        std::iter::successors(first, |&group| self.groups[group].rest).collect()
    }

    /// That each step from a layer stays in the set, a line for each layer.
    pub(crate) fn steps(&mut self, most: u64) -> Result<Vec<Id>, Error> {
        self.most = most;
        let mut concluded = Vec::new();
        for at in 0..self.invariant.layers.len() {
            let mut hints = Vec::new();
            for (cost, group) in self.first_group.clone() {
                hints.push(self.step_of_layer(at, cost, group)?);
                hints.extend(self.chain(Some(group)).iter().map(|&group| self.groups[group].meant));
            }
            hints.push(self.numbers.step_operator);
            concluded.push(self.rup([Var::Layer(at).no(), Var::Step.no(), Var::InsideNext.yes()], &hints)?);
            // Later layers are rarely easier than earlier ones: if these add up to too much, the rest need not be tried.
            let likely = self.written / (at as u64 + 1) * self.invariant.layers.len() as u64;
            if self.written > FEW_LEMMAS && likely > most {
                return Err(Error::TooLong(most));
            }
        }
        Ok(concluded)
    }

    /// That operators of one cost lead from a layer into the set.
    fn step_of_layer(&mut self, at: usize, cost: u64, group: usize) -> Result<Id, Error> {
        let layer = self.invariant.layers[at];
        let mut hints = vec![self.numbers.layers[at][0]];
        let priced = matches!(self.invariant.claim, Claim::AtLeast(_));
        if priced && let Some(member) = self.lemmas.member_of_class(cost, self.lines)? {
            let mut why = vec![member];
            why.extend(self.chain(Some(group)).iter().map(|&group| self.groups[group].splits));
            hints.push(self.rup([Var::Group(group).no(), Var::Class(cost).yes()], &why)?);
        }
        let total = u128::from(layer.cost) + u128::from(cost);
        let group_holds = Var::Group(group).no();
        if priced && total >= u128::from(self.invariant.bound()) {
            hints.push(self.lemmas.reaches(layer.cost, cost, Wanted::TooDear, self.lines)?);
            return self.rup([Var::Layer(at).no(), group_holds, Var::InsideNext.yes()], &hints);
        }
        let layers = self.invariant.layers.iter().enumerate();
        let target =
            layers.filter(|(_, layer)| u128::from(layer.cost) <= total).max_by_key(|(_, layer)| layer.cost);
        let Some((to, target)) = target else { return Err(Error::NotInvariant) };
        if let Known::Line(line) = self.prove(Guard::Group(group), layer.set, target.set)? {
            hints.push(line);
        }
        if target.cost > 0 {
            hints.push(self.lemmas.reaches(layer.cost, cost, Wanted::Cost(target.cost), self.lines)?);
        }
        hints.extend(&self.numbers.layers[to][1..]);
        self.rup([Var::Layer(at).no(), group_holds, Var::InsideNext.yes()], &hints)
    }
}

/// That no goal state is in a layer, a line for each layer.
pub(crate) fn goals(
    task: &Task,
    invariant: &Invariant,
    numbers: &Numbers,
    lines: &mut Lines<'_>,
    budget: &Budget,
) -> Result<Vec<Id>, Error> {
    let mut excluded: FxHashMap<u32, Id> = FxHashMap::default();
    let mut concluded = Vec::new();
    let mut poll = BudgetPoll::every(1024);
    for (at, layer) in invariant.layers.iter().enumerate() {
        let mut open = vec![layer.set];
        while let Some(&set) = open.last() {
            poll.step(budget)?;
            let Some(node) = invariant.diagram.node(set) else { return Err(Error::NotInvariant) };
            if excluded.contains_key(&set) {
                open.pop();
                continue;
            }
            let wanted = task.goal.iter().find(|fact| fact.var == node.var);
            let children: Vec<u32> = match wanted {
                Some(fact) => vec![node.children[fact.value as usize]],
                None => by_child(node).into_iter().map(|(child, _)| child).collect(),
            };
            let is_open = |child: &u32| *child != NONE && !excluded.contains_key(child);
            let missing: Vec<u32> = children.iter().copied().filter(is_open).collect();
            if !missing.is_empty() {
                open.extend(missing);
                continue;
            }
            open.pop();
            let mut hints: Vec<Id> = wanted.and(numbers.goal_state).into_iter().collect();
            hints.extend(children.iter().filter_map(|child| excluded.get(child)));
            let own = &numbers.nodes[set as usize - 2].before;
            hints.extend(own.iter().filter(|(child, _)| children.contains(child)).map(|&(_, id)| id));
            if wanted.is_none() {
                hints.push(numbers.at_least_one(node.var));
            }
            excluded.insert(set, lines.rup_clause([Var::Goal.no(), Var::Set(set).no()], &hints)?);
        }
        let hints = [numbers.layers[at][0], excluded[&layer.set]];
        concluded.push(lines.rup_clause([Var::Goal.no(), Var::Layer(at).no()], &hints)?);
    }
    Ok(concluded)
}

/// A lemma on the way: what it needs first, and then how it follows.
struct Open {
    guard: Guard,
    from: u32,
    to: u32,
}

impl LayerProof<'_, '_, '_> {
    /// What is known about a guard and two sets without a line.
    fn trivial(&self, from: u32, to: u32) -> bool {
        from == NONE || to == ALL
    }

    /// The guard that is used for two sets further down.
    fn lowered(&self, guard: Guard, from: u32, to: u32) -> Guard {
        let level = self.level(from).min(self.level(to));
        match guard {
            Guard::Op(op) if level >= self.after_last(op) => Guard::Kept(level),
            Guard::Kept(_) => Guard::Kept(level),
            _ => guard,
        }
    }

    /// Proves a lemma and all that it needs.
    fn prove(&mut self, guard: Guard, from: u32, to: u32) -> Result<Known, Error> {
        if self.trivial(from, to) {
            return Ok(Known::Trivial);
        }
        let mut open = vec![Open { guard, from, to }];
        let mut needed = Vec::new();
        while let Some(&Open { guard, from, to }) = open.last() {
            if self.known.contains_key(&(guard, from, to)) {
                open.pop();
                continue;
            }
            needed.clear();
            self.needs(guard, from, to, &mut needed)?;
            let before = open.len();
            for &(guard, from, to) in &needed {
                if !self.trivial(from, to) && !self.known.contains_key(&(guard, from, to)) {
                    open.push(Open { guard, from, to });
                }
            }
            if open.len() > before {
                continue;
            }
            open.pop();
            let id = self.conclude(guard, from, to)?;
            self.known.insert((guard, from, to), Known::Line(id));
        }
        Ok(self.known[&(guard, from, to)])
    }

    /// The lemmas from which one follows.
    fn needs(
        &self,
        guard: Guard,
        from: u32,
        to: u32,
        needed: &mut Vec<(Guard, u32, u32)>,
    ) -> Result<(), Error> {
        let level = self.level(from).min(self.level(to));
        if level == self.end() {
            // All states lead to none.
            return Err(Error::NotInvariant);
        }
        let mut guard = guard;
        if let Guard::Group(group) = guard {
            let mut next = Some(group);
            while let Some(group) = next
                && self.groups[group].from <= level
            {
                let own = self.groups[group].own.iter();
                needed.extend(own.map(|&op| (self.lowered(Guard::Op(op), from, to), from, to)));
                next = self.groups[group].rest;
            }
            match next {
                Some(group) => guard = Guard::Group(group),
                None => return Ok(()),
            }
        }
        for (_, from, to) in self.branches(guard, level, from, to) {
            let guard = match guard {
                Guard::Group(group) => Guard::Group(group),
                other => self.lowered(other, from, to),
            };
            needed.push((guard, from, to));
        }
        Ok(())
    }

    /// Where the values of the variable at a level lead under a guard: for each value before that is possible the two sets.
    fn branches(&self, guard: Guard, level: usize, from: u32, to: u32) -> Vec<(u32, u32, u32)> {
        let size = self.task.variables[self.invariant.diagram.order[level]].values.len() as u32;
        let touch = match guard {
            Guard::Op(op) => self.touches[op].iter().find(|touch| touch.place == level).copied(),
            _ => None,
        };
        let (needs, makes) = touch.map_or((None, None), |touch| (touch.needs, touch.makes));
        let values = match needs {
            Some(value) => value..value + 1,
            None => 0..size,
        };
        values
            .map(|value| {
                (value, self.child(from, level, value), self.child(to, level, makes.unwrap_or(value)))
            })
            .collect()
    }

    /// The line of a lemma that was proved, if it needs one.
    fn line(&self, guard: Guard, from: u32, to: u32) -> Option<Id> {
        match self.known.get(&(guard, from, to)) {
            Some(&Known::Line(id)) => Some(id),
            _ => None,
        }
    }

    /// Writes the lines of a lemma whose needs are met.
    fn conclude(&mut self, guard: Guard, from: u32, to: u32) -> Result<Id, Error> {
        let level = self.level(from).min(self.level(to));
        let mut hints: Vec<Id> = Vec::new();
        let mut inner = Some(guard);
        if let Guard::Group(group) = guard {
            let mut next = Some(group);
            while let Some(group) = next
                && self.groups[group].from <= level
            {
                for at in 0..self.groups[group].own.len() {
                    let op = Guard::Op(self.groups[group].own[at]);
                    let lowered = self.lowered(op, from, to);
                    hints.extend(self.line(lowered, from, to));
                    if let Guard::Kept(place) = lowered {
                        hints.push(self.implied(op, place)?);
                    }
                }
                hints.push(self.groups[group].splits);
                next = self.groups[group].rest;
            }
            inner = next.map(Guard::Group);
        }
        let first = match inner {
            Some(inner) => self.split(inner, level, from, to, &mut hints)?,
            None => self.lines.last() + 1,
        };
        let id = self.rup(lemma(guard, from, to), &hints)?;
        self.lines.forget(first, id)?;
        Ok(id)
    }

    /// Why a lemma follows from those about its children, by the values of one variable. Lines from the number that is returned on serve this
    /// lemma only.
    fn split(
        &mut self,
        guard: Guard,
        level: usize,
        from: u32,
        to: u32,
        hints: &mut Vec<Id>,
    ) -> Result<Id, Error> {
        let var = self.invariant.diagram.order[level];
        let branches = self.branches(guard, level, from, to);
        let touch = match guard {
            Guard::Op(op) => self.touches[op].iter().find(|touch| touch.place == level).copied(),
            _ => None,
        };
        // What is known about the variable: its values, or that it stays.
        let mut facts: Vec<Id> = Vec::new();
        match guard {
            Guard::Op(op) => {
                if touch.is_some_and(|touch| touch.needs.is_some()) {
                    facts.extend(self.numbers.precondition[op]);
                }
                match touch.and_then(|touch| touch.makes) {
                    Some(_) => facts.extend(self.numbers.always[op]),
                    None => facts.extend(self.lemmas.operator(op, self.lines)?.untouched),
                }
            }
            Guard::Group(group) => facts.extend(self.groups[group].keeps),
            Guard::Kept(place) => facts.push(self.kept(place)?[0]),
        }
        let stays = touch.is_none_or(|touch| touch.makes.is_none());
        let is_fixed = touch.is_some_and(|touch| touch.needs.is_some() || touch.makes.is_some());
        let both_ask = self.level(from) == level && self.level(to) == level;
        hints.extend(&facts);
        if !is_fixed && both_ask {
            let mut cases: Vec<(u32, Vec<Id>)> = Vec::new();
            for &(value, below, above) in &branches {
                let inertia = self.numbers.inertia[var][value as usize];
                if below == NONE {
                    hints.extend(self.before(from, below));
                } else if above == ALL {
                    hints.extend(self.after(to, above));
                    hints.push(inertia);
                } else {
                    let mut why = facts.clone();
                    why.push(inertia);
                    why.extend(self.before(from, below));
                    self.child_line(guard, below, above, &mut why)?;
                    why.extend(self.after(to, above));
                    cases.push((value, why));
                }
            }
            let first = self.lines.last() + 1;
            for (value, why) in cases {
                let lits = lemma(guard, from, to).chain([Var::Now(Fact { var, value }).no()]);
                hints.push(self.rup(lits, &why)?);
            }
            hints.push(self.numbers.at_least_one(var));
            return Ok(first);
        }
        // The value before or after is known, or only one of the sets asks for it: unit propagation sees the rest.
        let mut seen: Vec<(u32, u32)> = Vec::new();
        if stays && let Some(value) = touch.and_then(|touch| touch.needs) {
            hints.push(self.numbers.inertia[var][value as usize]);
        }
        for &(_, below, above) in &branches {
            if seen.contains(&(below, above)) {
                continue;
            }
            seen.push((below, above));
            let mut child = Vec::new();
            self.child_line(guard, below, above, &mut child)?;
            let (down, up) = (self.before(from, below), self.after(to, above));
            match self.level(from) == level {
                // Back from the second set to the children of the first.
                true if branches.len() > 1 => hints.extend(up.into_iter().chain(child).chain(down)),
                _ => hints.extend(down.into_iter().chain(child).chain(up)),
            }
        }
        let made = touch.is_some_and(|touch| touch.makes.is_some());
        if branches.len() > 1 && self.level(from) == level {
            hints.push(self.numbers.at_least_one(var));
        } else if branches.len() > 1 && !made {
            hints.push(self.numbers.at_least_one_next(var));
        }
        Ok(self.lines.last() + 1)
    }

    /// The lines about two children, with the guard that is used for them.
    fn child_line(&mut self, guard: Guard, below: u32, above: u32, hints: &mut Vec<Id>) -> Result<(), Error> {
        if self.trivial(below, above) {
            return Ok(());
        }
        let lowered = match guard {
            Guard::Group(_) => guard,
            other => self.lowered(other, below, above),
        };
        if let (Guard::Kept(place), true) = (lowered, lowered != guard) {
            hints.push(self.implied(guard, place)?);
        }
        hints.extend(self.line(lowered, below, above));
        Ok(())
    }

    /// That a state before in the set of a node is in that of a child.
    fn before(&self, set: u32, child: u32) -> Option<Id> {
        let numbers = self.numbers.nodes.get((set as usize).checked_sub(2)?)?;
        numbers.before.iter().find(|(known, _)| *known == child).map(|&(_, id)| id)
    }

    /// That a state after in the set of a child is in that of the node.
    fn after(&self, set: u32, child: u32) -> Option<Id> {
        let numbers = self.numbers.nodes.get((set as usize).checked_sub(2)?)?;
        numbers.after.iter().find(|(known, _)| *known == child).map(|&(_, id)| id)
    }

    /// The definition of *kept* from a place on.
    fn kept(&mut self, place: usize) -> Result<[Id; 2], Error> {
        if let Some(known) = self.kept[place] {
            return Ok(known);
        }
        let var = Var::Kept(place);
        let below = &self.invariant.diagram.order[place..];
        let count = below.len() as u128;
        let all = below.iter().map(|&var| (1, Var::Changes(var).no()));
        let means =
            self.lines.define(std::iter::once((count.max(1), var.no())).chain(all), count, var, false)?;
        let some = std::iter::once(var.yes()).chain(below.iter().map(|&var| Var::Changes(var).yes()));
        let holds = self.lines.define(some.map(|lit| (1, lit)), 1, var, true)?;
        self.kept[place] = Some([means, holds]);
        Ok([means, holds])
    }

    /// That a guard implies that everything is kept from a place on.
    fn implied(&mut self, guard: Guard, place: usize) -> Result<Id, Error> {
        if let Some(&known) = self.implies.get(&(guard, place)) {
            return Ok(known);
        }
        let why = match guard {
            Guard::Op(op) => self.lemmas.operator(op, self.lines)?.untouched,
            Guard::Kept(own) => Some(self.kept(own)?[0]),
            Guard::Group(_) => None,
        };
        let mut hints: Vec<Id> = why.into_iter().collect();
        hints.push(self.kept(place)?[1]);
        let id = self.rup([guard.var().no(), Var::Kept(place).yes()], &hints)?;
        self.implies.insert((guard, place), id);
        Ok(id)
    }
}

/// The clause of a lemma.
fn lemma(guard: Guard, from: u32, to: u32) -> impl Iterator<Item = Lit> {
    let from = (from > ALL).then(|| Var::Set(from).no());
    let to = (to > ALL).then(|| Var::SetNext(to).yes());
    std::iter::once(guard.var().no()).chain(from).chain(to)
}
