//! What a method needs although it does not say so.
//!
//! If the first thing a method does is an action, that action's precondition must hold when the method is
//! chosen. The same is true of a later action for every atom that nothing before it can change. Moving such
//! conditions up to the method binds its variables early and loses no plan, since they are necessary. (The
//! idea is HyperTensioN's pull-up: Magnaguagno, Meneguzzi and de Silva, IPC 2020.)
//!
//! Where tasks are unordered, actions of one may come between those of the other, even between the choice of a
//! method and its first action. A totally ordered method is no exception if it refines a task, or a part of a task,
//! that is unordered with another one. For such methods only conditions on what nothing ever changes are moved.

use rustc_hash::FxHashSet;

use crate::lifted::{Arg, Extent, Formula, HddlProblem, Literal, Rule};

/// Which predicates carrying out a symbol can make true or false.
#[derive(Clone, Default, PartialEq)]
struct Touched {
    added: FxHashSet<usize>,
    deleted: FxHashSet<usize>,
}

impl Touched {
    fn extend(&mut self, other: &Touched) {
        self.added.extend(&other.added);
        self.deleted.extend(&other.deleted);
    }
}

/// Adds to each method the conditions that its actions make necessary.
pub(crate) fn hoist(lifted: &mut HddlProblem) {
    let touched = touched(lifted);
    let shared = interleaved(lifted);
    for at in 0..lifted.methods.len() {
        let mut rule = lifted.methods[at].rule.clone();
        let others = shared[lifted.methods[at].symbol];
        necessary(lifted, at, others, &touched, &mut rule);
        narrow(lifted, at, &mut rule);
        lifted.methods[at].rule = rule;
    }
    let mut rule = lifted.initial.rule.clone();
    let subtasks = lifted.initial.network.subtasks.clone();
    narrow_subtasks(lifted, &subtasks, &mut rule);
    lifted.initial.rule = rule;
}

/// What each symbol can change, by going round until nothing new comes up.
fn touched(lifted: &HddlProblem) -> Vec<Touched> {
    let mut touched = vec![Touched::default(); lifted.methods_of.len()];
    for (action, touched) in lifted.actions.iter().zip(&mut touched) {
        for change in action.outcomes.iter().flatten() {
            let set = if change.literal.positive { &mut touched.added } else { &mut touched.deleted };
            set.insert(change.literal.predicate);
        }
    }
    loop {
        let mut changed = false;
        for method in &lifted.methods {
            let mut all = touched[method.symbol].clone();
            method.network.subtasks.iter().for_each(|(symbol, _)| all.extend(&touched[*symbol]));
            changed |= all != touched[method.symbol];
            touched[method.symbol] = all;
        }
        if !changed {
            return touched;
        }
    }
}

/// The symbols whose tasks may be carried out while another task is under way: those that are unordered with another
/// subtask somewhere, and the subtasks of their methods.
fn interleaved(lifted: &HddlProblem) -> Vec<bool> {
    let mut shared = vec![false; lifted.methods_of.len()];
    let networks = || lifted.methods.iter().chain([&lifted.initial]);
    for network in networks().map(|method| &method.network).filter(|network| network.after.is_some()) {
        network.subtasks.iter().for_each(|(symbol, _)| shared[*symbol] = true);
    }
    loop {
        let mut changed = false;
        for method in &lifted.methods {
            if shared[method.symbol] {
                for (symbol, _) in &method.network.subtasks {
                    changed |= !std::mem::replace(&mut shared[*symbol], true);
                }
            }
        }
        if !changed {
            return shared;
        }
    }
}

/// Conditions of a method's actions that must hold from the start. `others` says whether actions of other tasks may come
/// between those of the method.
fn necessary(lifted: &HddlProblem, at: usize, others: bool, touched: &[Touched], rule: &mut Rule) {
    let network = &lifted.methods[at].network;
    let mut before = Touched::default();
    if others || network.after.is_some() {
        // Only what no action changes is safe.
        touched.iter().for_each(|touched| before.extend(touched));
    }
    for (symbol, arguments) in &network.subtasks {
        if let Some(action) = lifted.actions.get(*symbol) {
            let own = |arg: Arg| match arg {
                Arg::Var(variable) => arguments.get(variable as usize).copied(),
                object => Some(object),
            };
            for literal in &action.rule.literals {
                let changed = if literal.positive { &before.added } else { &before.deleted };
                if changed.contains(&literal.predicate) {
                    continue;
                }
                let arguments: Option<Vec<Arg>> = literal.arguments.iter().map(|&arg| own(arg)).collect();
                if let Some(arguments) = arguments {
                    rule.require(Formula::Literal(Literal { arguments, ..literal.clone() }));
                }
            }
            for &(left, right, equal) in &action.rule.equalities {
                if let (Some(left), Some(right)) = (own(left), own(right)) {
                    rule.require(Formula::Equal(left, right, equal));
                }
            }
        }
        before.extend(&touched[*symbol]);
    }
}

/// Restricts the variables of a method to objects that its task and subtasks can take.
fn narrow(lifted: &mut HddlProblem, at: usize, rule: &mut Rule) {
    let subtasks = lifted.methods[at].network.subtasks.clone();
    narrow_subtasks(lifted, &subtasks, rule);
}

fn narrow_subtasks(lifted: &mut HddlProblem, subtasks: &[(usize, Vec<Arg>)], rule: &mut Rule) {
    for (symbol, arguments) in subtasks {
        let Some(action) = lifted.actions.get(*symbol) else { continue };
        let wanted: Vec<usize> = action.rule.types[..action.parameters].to_vec();
        for (&argument, wanted) in arguments.iter().zip(wanted) {
            let Arg::Var(variable) = argument else { continue };
            let own = &mut rule.types[variable as usize];
            if *own == wanted
                || lifted.extents[*own].members.iter().all(|&it| lifted.extents[wanted].has[it as usize])
            {
                continue;
            }
            let members = &lifted.extents[*own].members;
            let both =
                members.iter().copied().filter(|&it| lifted.extents[wanted].has[it as usize]).collect();
            let objects = lifted.extents[wanted].has.len();
            *own = lifted.extents.len();
            lifted.extents.push(Extent::new(both, objects));
        }
    }
}
