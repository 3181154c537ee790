//! The atoms that can become true at all, if nothing ever becomes false.
//!
//! Each atom is taken from a queue once. For each literal of an action that it fits, the other literals are matched with
//! the atoms taken before (semi-naive evaluation), so that every instance of an action is met when the last of
//! its preconditions is.

use std::collections::VecDeque;

use counterplay_base::{Budget, Pulse};
use rustc_hash::FxHashSet;

use super::NotGround;
use crate::facts::{Facts, Possible, Store};
use crate::lifted::{Arg, Tuple, UNBOUND};
use crate::prepared::{PreparedProblem, Sizes, for_all, variables};
use crate::unify::{Match, Matcher, Steps, tuple};

/// More instances of actions than this are not enumerated.
const MOST_ACTIONS: usize = 1_500_000;

/// A way to find instances of an action: from an atom that fits one of its literals, or from nothing.
struct Trigger {
    action: usize,
    literal: Option<usize>,
    steps: Steps,
}

/// All atoms that can become true, as far as actions tell.
pub(super) fn reachable(known: &PreparedProblem<'_>, budget: &Budget) -> Result<Store, NotGround> {
    let lifted = known.lifted;
    let used = used_symbols(known);
    let sizes = Sizes::new(lifted);
    let mut store = Store::new(lifted);
    let mut triggers = Vec::new();
    for (at, action) in lifted.actions.iter().enumerate().filter(|(at, _)| used[*at]) {
        let fluent = |&literal: &usize| {
            let literal = &action.rule.literals[literal];
            literal.positive && lifted.is_fluent[literal.predicate]
        };
        let literals: Vec<usize> = (0..action.rule.literals.len()).filter(fluent).collect();
        let mut add = |literal: Option<usize>| {
            let bound = literal.map_or(Vec::new(), |at| variables(&action.rule.literals[at].arguments));
            let size = |predicate, place| sizes.of(predicate, place);
            let steps = Steps::new(&action.rule, &lifted.extents, &bound, lifted.packing, &size);
            for (predicate, mask) in steps.selections(&action.rule) {
                store.prepare(predicate, mask);
            }
            triggers.push(Trigger { action: at, literal, steps });
        };
        if literals.is_empty() {
            add(None);
        }
        literals.into_iter().for_each(|literal| add(Some(literal)));
    }
    let mut queue: VecDeque<(usize, Tuple)> = VecDeque::new();
    for &(predicate, tuple) in &lifted.init {
        match lifted.is_fluent[predicate] {
            true => queue.push_back((predicate, tuple)),
            false => {
                store.insert(predicate, tuple);
            }
        }
    }
    let mut enumeration =
        Enumeration { known, store, queue, met: FxHashSet::default(), pulse: Pulse::every(256) };
    for trigger in triggers.iter().filter(|trigger| trigger.literal.is_none()) {
        let types = lifted.actions[trigger.action].rule.types.len();
        enumeration.instances(trigger, vec![UNBOUND; types], budget)?;
    }
    let mut by_predicate: Vec<Vec<usize>> = vec![Vec::new(); lifted.is_fluent.len()];
    for (at, trigger) in triggers.iter().enumerate() {
        if let Some(literal) = trigger.literal {
            by_predicate[lifted.actions[trigger.action].rule.literals[literal].predicate].push(at);
        }
    }
    while let Some((predicate, atom)) = enumeration.queue.pop_front() {
        if !enumeration.store.insert(predicate, atom) {
            continue;
        }
        for &at in &by_predicate[predicate] {
            if let Some(binding) = enumeration.bind(&triggers[at], atom) {
                enumeration.instances(&triggers[at], binding, budget)?;
            }
        }
    }
    Ok(enumeration.store)
}

struct Enumeration<'a> {
    known: &'a PreparedProblem<'a>,
    store: Store,
    queue: VecDeque<(usize, Tuple)>,
    met: FxHashSet<(u32, Tuple)>,
    pulse: Pulse,
}

impl Enumeration<'_> {
    /// The variables that an atom binds, if it fits the literal of a trigger.
    fn bind(&self, trigger: &Trigger, atom: Tuple) -> Option<Vec<u16>> {
        let lifted = self.known.lifted;
        let rule = &lifted.actions[trigger.action].rule;
        let mut binding = vec![UNBOUND; rule.types.len()];
        let literal = &rule.literals[trigger.literal?];
        for (at, &argument) in literal.arguments.iter().enumerate() {
            let object = lifted.packing.unpack(atom, at);
            match argument {
                Arg::Obj(own) if own != object => return None,
                Arg::Obj(_) => {}
                Arg::Var(variable) => {
                    let slot = &mut binding[usize::from(variable)];
                    let fits = lifted.extents[rule.types[usize::from(variable)]].has[usize::from(object)];
                    if !fits || (*slot != UNBOUND && *slot != object) {
                        return None;
                    }
                    *slot = object;
                }
            }
        }
        Some(binding)
    }

    /// Meets all instances that a trigger finds, and queues what they make true.
    fn instances(
        &mut self,
        trigger: &Trigger,
        binding: Vec<u16>,
        budget: &Budget,
    ) -> Result<(), NotGround> {
        let lifted = self.known.lifted;
        let action = &lifted.actions[trigger.action];
        let matcher = Matcher {
            rule: &action.rule,
            extents: &lifted.extents,
            steps: &trigger.steps,
            packing: lifted.packing,
        };
        let mut matching = Match::new(binding);
        loop {
            self.pulse.beat(budget)?;
            let possible = Possible { store: &self.store, is_fluent: &lifted.is_fluent };
            if !matching.advance(matcher, &possible) {
                return Ok(());
            }
            let arguments = lifted.packing.pack(matching.binding[..action.parameters].iter().copied());
            if !self.met.insert((trigger.action as u32, arguments)) {
                continue;
            }
            if self.met.len() > MOST_ACTIONS {
                return Err(NotGround::Large);
            }
            let mut binding = matching.binding.clone();
            for change in action.outcomes.iter().flatten().filter(|change| change.literal.positive) {
                for_all(&change.over, &action.rule.types, lifted, &mut binding, &mut |binding| {
                    let literal = &change.literal;
                    let atom = tuple(possible.packing(), &literal.arguments, binding);
                    if !self.store.contains(literal.predicate, atom) {
                        self.queue.push_back((literal.predicate, atom));
                    }
                });
            }
        }
    }
}

/// The actions and tasks that the initial network can come to, by their names.
fn used_symbols(known: &PreparedProblem<'_>) -> Vec<bool> {
    let lifted = known.lifted;
    let mut used = vec![false; lifted.methods_of.len()];
    let mut open: Vec<usize> = lifted.initial.network.subtasks.iter().map(|(symbol, _)| *symbol).collect();
    while let Some(symbol) = open.pop() {
        if !std::mem::replace(&mut used[symbol], true) {
            let methods = lifted.methods_of[symbol].iter();
            open.extend(methods.flat_map(|&method| {
                lifted.methods[method].network.subtasks.iter().map(|(symbol, _)| *symbol)
            }));
        }
    }
    used
}
