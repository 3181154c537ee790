//! The states that a policy can reach, one by one.

use std::collections::{HashMap, HashSet};

use counterplay_pddl::model::*;

use super::ground::Grounder;
use super::{CheckedPolicy, Examined, Guarantee, PolicyFlaw};
use crate::derive::Axioms;
use crate::effect::outcomes;
use crate::evaluate::{CheckContext, Trouble, unbound};
use crate::policy_file::Rule;
use crate::state::State;

/// A set of true atoms of predicates that change, as sorted numbers.
pub(super) type Key = Box<[u32]>;

#[derive(Default)]
struct StateNode {
    next: Vec<u32>,
    rule: Option<u32>,
    is_goal: bool,
    parent: Option<u32>,
}

pub(super) struct Run<'a> {
    pub(super) world: &'a CheckContext<'a>,
    axioms: Axioms<'a>,
    pub(super) rules: &'a [Rule],
    /// For each atom the rules for which it is the first that has to be true; and those that ask for none.
    by_atom: HashMap<&'a GroundAtom, Vec<u32>>,
    without_atom: Vec<u32>,
    number: HashMap<GroundAtom, u32>,
    atoms: Vec<GroundAtom>,
    changing: HashSet<PredicateId>,
    /// The state at hand and its key.
    state: State,
    current: Key,
    keys: Vec<Key>,
    known: HashMap<Key, u32>,
    nodes: Vec<StateNode>,
}

impl<'a> Run<'a> {
    pub(super) fn new(world: &'a CheckContext<'a>, axioms: Axioms<'a>, rules: &'a [Rule]) -> Run<'a> {
        let problem = world.problem;
        let mut changing = HashSet::new();
        problem.actions.iter().for_each(|action| note_changing(&action.effect, &mut changing));
        let chosen = problem.init_choices.iter().flat_map(|choice| &choice.alternatives).flatten();
        changing.extend(chosen.map(|atom| atom.predicate));
        let mut by_atom: HashMap<&GroundAtom, Vec<u32>> = HashMap::new();
        let mut without_atom = Vec::new();
        for (at, rule) in (0..).zip(rules) {
            match rule
                .condition
                .iter()
                .filter(|(_, truth)| *truth)
                .max_by_key(|(atom, _)| atom.arguments.len())
            {
                Some((atom, _)) => by_atom.entry(atom).or_default().push(at),
                None => without_atom.push(at),
            }
        }
        let mut state = State::initial(problem);
        let (moving, fixed): (HashSet<GroundAtom>, HashSet<GroundAtom>) =
            state.facts.drain().partition(|atom| changing.contains(&atom.predicate));
        state.facts = fixed;
        let mut run = Run {
            world,
            axioms,
            rules,
            by_atom,
            without_atom,
            number: HashMap::new(),
            atoms: Vec::new(),
            changing,
            state,
            current: Box::default(),
            keys: Vec::new(),
            known: HashMap::new(),
            nodes: Vec::new(),
        };
        let key = run.key(moving);
        run.enter(&key);
        run
    }

    fn number(&mut self, atom: GroundAtom) -> u32 {
        if let Some(&known) = self.number.get(&atom) {
            return known;
        }
        let number = self.atoms.len() as u32;
        self.atoms.push(atom.clone());
        self.number.insert(atom, number);
        number
    }

    fn key(&mut self, atoms: impl IntoIterator<Item = GroundAtom>) -> Key {
        let mut numbers: Vec<u32> = Vec::new();
        for atom in atoms {
            debug_assert!(self.changing.contains(&atom.predicate));
            let number = self.number(atom);
            numbers.push(number);
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into()
    }

    /// Makes a state the one at hand.
    fn enter(&mut self, key: &Key) {
        for &gone in self.current.iter().filter(|number| key.binary_search(number).is_err()) {
            self.state.facts.remove(&self.atoms[gone as usize]);
        }
        for &new in key.iter().filter(|number| self.current.binary_search(number).is_err()) {
            self.state.facts.insert(self.atoms[new as usize].clone());
        }
        self.current = key.clone();
    }

    pub(super) fn starts(&mut self) -> Vec<Key> {
        let mut all = vec![self.current.to_vec()];
        for choice in &self.world.problem.init_choices {
            let mut more = Vec::new();
            for begun in &all {
                for alternative in &choice.alternatives {
                    let mut longer = begun.clone();
                    longer.extend(self.key(alternative.iter().cloned()).iter());
                    more.push(longer);
                }
            }
            all = more;
        }
        for state in &mut all {
            state.sort_unstable();
            state.dedup();
        }
        all.sort_unstable();
        all.dedup();
        all.into_iter().map(Vec::into_boxed_slice).collect()
    }

    fn holds(&self, rule: &Rule) -> bool {
        rule.condition.iter().all(|(atom, truth)| self.state.is_true(atom) == *truth)
    }

    /// The first rule whose condition holds.
    pub(super) fn answer(&self) -> Option<u32> {
        let facts = self.current.iter().map(|&number| &self.atoms[number as usize]);
        let others = self.by_atom.keys().copied().filter(|atom| !self.changing.contains(&atom.predicate));
        let others = others.filter(|atom| self.state.is_true(atom));
        let lists = facts.chain(others).filter_map(|atom| self.by_atom.get(atom)).flatten();
        lists.chain(&self.without_atom).copied().filter(|&at| self.holds(&self.rules[at as usize])).min()
    }

    pub(super) fn is_goal(&self) -> Result<bool, Trouble> {
        let goal = &self.world.problem.goal;
        self.world.view(&self.state, &goal.schema).holds(&goal.condition, true, &mut unbound(&goal.schema))
    }

    /// The states that the action of a rule may lead to; `None` if it cannot be applied.
    pub(super) fn successors(&mut self, rule: &Rule) -> Result<Option<Vec<Key>>, Trouble> {
        let action = &self.world.problem.actions[rule.step.action];
        let mut binding = unbound(&action.schema);
        for ((id, variable), &argument) in action.schema.variables.enumerate().zip(&rule.step.arguments) {
            if !self.world.problem.belongs(argument, &variable.types) {
                return Ok(None);
            }
            binding[id] = Some(argument);
        }
        let view = self.world.view(&self.state, &action.schema);
        if !view.holds(&action.precondition, true, &mut binding)? {
            return Ok(None);
        }
        let found = match outcomes(&view, &action.effect, &mut binding) {
            Err(Trouble::Undefined(_)) => return Ok(None),
            found => found?,
        };
        let before = self.current.clone();
        let mut next = Vec::new();
        for changes in found {
            let deleted = self.key(changes.deletes);
            let mut after: Vec<u32> =
                before.iter().copied().filter(|number| deleted.binary_search(number).is_err()).collect();
            after.extend(self.key(changes.adds).iter());
            after.sort_unstable();
            after.dedup();
            next.push(after.into_boxed_slice());
        }
        Ok(Some(next))
    }

    pub(super) fn look(&mut self, key: &Key) -> Result<(), Trouble> {
        self.enter(key);
        if self.world.problem.axioms.is_empty() {
            Ok(())
        } else {
            self.axioms.apply(self.world, &mut self.state)
        }
    }

    fn add(&mut self, key: Key, parent: Option<u32>) -> (u32, bool) {
        if let Some(&known) = self.known.get(&key) {
            return (known, false);
        }
        let number = self.nodes.len() as u32;
        self.known.insert(key.clone(), number);
        self.keys.push(key);
        self.nodes.push(StateNode { parent, ..StateNode::default() });
        (number, true)
    }

    /// Builds the graph; `false` if it became too large.
    pub(super) fn explore(&mut self, starts: &[Key], most: usize) -> Result<bool, PolicyFlaw> {
        self.known.clear();
        self.keys.clear();
        self.nodes.clear();
        let mut open: Vec<u32> = Vec::new();
        for start in starts {
            let (number, is_new) = self.add(start.clone(), None);
            open.extend(is_new.then_some(number));
        }
        let mut at = 0;
        while at < open.len() {
            let node = open[at];
            at += 1;
            self.world.budget.check().map_err(|limit| PolicyFlaw::Stopped { limit })?;
            if self.nodes.len() > most {
                return Ok(false);
            }
            let key = self.keys[node as usize].clone();
            self.look(&key).map_err(flaw)?;
            if self.is_goal().map_err(flaw)? {
                self.nodes[node as usize].is_goal = true;
                continue;
            }
            let Some(answer) = self.answer() else { continue };
            self.nodes[node as usize].rule = Some(answer);
            let rule = &self.rules[answer as usize];
            let Some(next) = self.successors(rule).map_err(flaw)? else {
                let action = rule.step.text(self.world.problem);
                return Err(PolicyFlaw::Inapplicable { action, trace: self.trace(node), at: rule.at });
            };
            for key in next {
                let (number, is_new) = self.add(key, Some(node));
                self.nodes[node as usize].next.push(number);
                open.extend(is_new.then_some(number));
            }
        }
        Ok(true)
    }

    /// The actions that lead to a state.
    fn trace(&self, mut at: u32) -> Vec<String> {
        let mut steps = Vec::new();
        while let Some(parent) = self.nodes[at as usize].parent {
            let rule = self.nodes[parent as usize].rule.expect("only answered states have successors");
            steps.push(self.rules[rule as usize].step.text(self.world.problem));
            at = parent;
        }
        steps.reverse();
        steps
    }

    fn describe(&self, at: u32) -> Vec<String> {
        self.words(&self.keys[at as usize])
    }

    /// A state in words.
    pub(super) fn words(&self, key: &Key) -> Vec<String> {
        let atoms = key.iter().map(|&number| &self.atoms[number as usize]);
        atoms.map(|atom| self.world.problem.atom_text(atom)).collect()
    }

    /// The atoms that are true in a state, of those that change.
    pub(super) fn true_atoms(&self, key: &Key) -> HashSet<GroundAtom> {
        key.iter().map(|&number| self.atoms[number as usize].clone()).collect()
    }

    /// For formulas over the atoms that change.
    pub(super) fn grounder(&self) -> Grounder<'a> {
        Grounder::new(self.world, self.changing.clone())
    }

    /// The class of the policy, from the graph.
    pub(super) fn judge(&self, starts: &[Key], wanted: Guarantee) -> Result<CheckedPolicy, PolicyFlaw> {
        let reaching = self.reaching();
        let states = self.nodes.len();
        let starts: Vec<u32> = starts.iter().map(|key| self.known[key]).collect();
        if let Some(&at) = starts.iter().find(|&&at| !reaching[at as usize]) {
            return Err(self.lost(at));
        }
        let lost = (0..states as u32).find(|&at| !reaching[at as usize]);
        let guarantee = match (lost, self.cycle()) {
            (Some(at), _) if wanted > Guarantee::Weak => return Err(self.lost(at)),
            (Some(_), _) => Guarantee::Weak,
            (None, Some(at)) if wanted == Guarantee::Strong => {
                return Err(PolicyFlaw::Cycle { trace: self.trace(at), state: self.describe(at) });
            }
            (None, Some(_)) => Guarantee::StrongCyclic,
            (None, None) => Guarantee::Strong,
        };
        Ok(CheckedPolicy { guarantee, looked: Examined::States(states) })
    }

    fn lost(&self, at: u32) -> PolicyFlaw {
        // The cause is a state without an answer if there is one ahead.
        let mut seen = vec![false; self.nodes.len()];
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            let node = &self.nodes[at as usize];
            if node.rule.is_none() && !node.is_goal {
                return PolicyFlaw::Unanswered { trace: self.trace(at), state: self.describe(at) };
            }
            for &next in &node.next {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    open.push(next);
                }
            }
        }
        PolicyFlaw::Lost { trace: self.trace(at), state: self.describe(at) }
    }

    /// From which states the goal can be reached.
    fn reaching(&self) -> Vec<bool> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            node.next.iter().for_each(|&next| before[next as usize].push(at as u32));
        }
        let mut reaching: Vec<bool> = self.nodes.iter().map(|node| node.is_goal).collect();
        let mut open: Vec<u32> = (0..reaching.len() as u32).filter(|&at| reaching[at as usize]).collect();
        while let Some(at) = open.pop() {
            for &from in &before[at as usize] {
                if !std::mem::replace(&mut reaching[from as usize], true) {
                    open.push(from);
                }
            }
        }
        reaching
    }

    /// A state that can come back, if there is one: states without open predecessors are struck out in turn.
    fn cycle(&self) -> Option<u32> {
        let mut incoming = vec![0usize; self.nodes.len()];
        self.nodes.iter().flat_map(|node| &node.next).for_each(|&next| incoming[next as usize] += 1);
        let mut open: Vec<u32> =
            (0..incoming.len() as u32).filter(|&at| incoming[at as usize] == 0).collect();
        while let Some(at) = open.pop() {
            for &next in &self.nodes[at as usize].next {
                incoming[next as usize] -= 1;
                if incoming[next as usize] == 0 {
                    open.push(next);
                }
            }
        }
        (0..incoming.len() as u32).find(|&at| incoming[at as usize] > 0)
    }
}

fn note_changing(effect: &Effect, out: &mut HashSet<PredicateId>) {
    match effect {
        Effect::And(parts) | Effect::OneOf(parts, _) => {
            parts.iter().for_each(|part| note_changing(part, out));
        }
        Effect::Forall(_, part) | Effect::When(_, part) => note_changing(part, out),
        Effect::Add(atom, _) | Effect::Delete(atom, _) => {
            out.insert(atom.predicate);
        }
        Effect::Change(..) => {}
    }
}

pub(super) fn flaw(trouble: Trouble) -> PolicyFlaw {
    match trouble {
        Trouble::Stopped(limit) => PolicyFlaw::Stopped { limit },
        _ => PolicyFlaw::Numbers,
    }
}
