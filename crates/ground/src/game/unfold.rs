//! Rules without auxiliary atoms.
//!
//! Rules are split before they are instantiated, and what a split introduces has a direction: the first two cells of a row of four, then the third.
//! A symmetry of the rules as they were written need not be one of the split rules. So definitions are put in the place of atoms (unfolding, Tamaki and
//! Sato 1984): an atom that is used positively, and does not depend on itself, gives way to the bodies of its rules. What the rules say of any state
//! stays the same; atoms that are negated, recursive or would multiply the rules stay as they are.

use counterplay_base::{Budget, BudgetPoll, Id, IdLists, IdVec, Limit};

use super::components::components;
use super::model::{AtomId, Game, Literal, RuleId, Signal};

/// The bodies that an atom gives way to, at most.
const MOST_BODIES: usize = 2_000;
/// Literals of all rules, at most.
const MOST_LITERALS: usize = 1_000_000;

type Bodies = Vec<Vec<Literal>>;

/// The game with definitions in the place of atoms; `None` if nothing changes or the rules would become too many.
pub(super) fn unfolded(game: &Game, budget: &Budget) -> Result<Option<Game>, Limit> {
    let first = game.first_derived();
    let mut rules: Vec<Vec<RuleId>> = vec![Vec::new(); game.atoms - first];
    for (rule, head) in game.heads.enumerate() {
        rules[head.index() - first].push(rule);
    }
    let mut unfolder = Unfolder { game, definitions: vec![None; game.atoms - first], literals: 0 };
    let mut own: Vec<Bodies> = vec![Vec::new(); game.atoms - first];
    let mut poll = BudgetPoll::every(16);
    for component in &game.components {
        for atom in component {
            poll.step(budget)?;
            let at = atom.index() - first;
            let is_recursive = component.len() > 1
                || rules[at]
                    .iter()
                    .flat_map(|&rule| &game.bodies[rule])
                    .any(|literal| literal.atom() == *atom);
            own[at] = match unfolder.bodies(&rules[at]) {
                Some(bodies) => bodies,
                None => rules[at].iter().map(|&rule| sorted(game.bodies[rule].to_vec())).collect(),
            };
            unfolder.literals += own[at].iter().map(Vec::len).sum::<usize>();
            if unfolder.literals > MOST_LITERALS {
                return Ok(None);
            }
            if !is_recursive {
                unfolder.definitions[at] = Some(own[at].clone());
            }
        }
    }
    Ok(rebuilt(game, &own))
}

struct Unfolder<'g> {
    game: &'g Game,
    /// For each derived atom what it gives way to.
    definitions: Vec<Option<Bodies>>,
    literals: usize,
}

impl Unfolder<'_> {
    /// What the bodies of rules become; `None` if they would become too many.
    fn bodies(&self, rules: &[RuleId]) -> Option<Bodies> {
        let mut all: Bodies = Vec::new();
        for &rule in rules {
            let mut partial: Bodies = vec![Vec::new()];
            for &literal in &self.game.bodies[rule] {
                let derived = literal.atom().index().checked_sub(self.game.first_derived());
                let definition = derived.and_then(|at| self.definitions[at].as_ref());
                match definition.filter(|_| literal.is_positive()) {
                    None => partial.iter_mut().for_each(|body| body.push(literal)),
                    Some(bodies) => {
                        if partial.len() * bodies.len() > MOST_BODIES {
                            return None;
                        }
                        let longer = partial.iter().flat_map(|start| {
                            bodies.iter().map(move |more| [start.as_slice(), more.as_slice()].concat())
                        });
                        partial = longer.collect();
                    }
                }
            }
            all.extend(partial.into_iter().map(sorted).filter(|body| !is_contradictory(body)));
            if all.len() > MOST_BODIES {
                return None;
            }
        }
        all.sort_unstable();
        all.dedup();
        Some(all)
    }
}

fn sorted(mut body: Vec<Literal>) -> Vec<Literal> {
    body.sort_unstable();
    body.dedup();
    body
}

/// Whether a sorted body has an atom and its negation, which stand side by side.
fn is_contradictory(body: &[Literal]) -> bool {
    body.windows(2).any(|pair| pair[0].atom() == pair[1].atom())
}

/// The game of the atoms that are still used.
fn rebuilt(game: &Game, own: &[Bodies]) -> Option<Game> {
    let first = game.first_derived();
    let mut used = vec![false; own.len()];
    let percepts = game.percepts.iter().flatten().map(|percept| percept.when);
    let results = game.next.iter().chain(&game.legal).copied().chain([game.terminal]);
    let results = results.chain(game.goals.iter().map(|goal| goal.when)).chain(percepts);
    let mut open: Vec<usize> = results
        .filter_map(|signal| match signal {
            Signal::Literal(literal) => literal.atom().index().checked_sub(first),
            Signal::Constant(_) => None,
        })
        .collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut used[at], true) {
            let inner =
                own[at].iter().flatten().filter_map(|literal| literal.atom().index().checked_sub(first));
            open.extend(inner);
        }
    }
    if used.iter().all(|&used| used) {
        return None;
    }
    let mut number = Vec::with_capacity(game.atoms);
    number.extend(0..first);
    let mut next = first;
    for &used in &used {
        number.push(next);
        next += usize::from(used);
    }
    let literal = |own: Literal| Literal::new(AtomId::new(number[own.atom().index()]), own.is_positive());
    let signal = |own: Signal| match own {
        Signal::Literal(own) => Signal::Literal(literal(own)),
        constant => constant,
    };
    let mut heads = IdVec::new();
    let mut bodies = IdLists::new();
    for (at, own) in own.iter().enumerate().filter(|(at, _)| used[*at]) {
        for body in own {
            heads.push(AtomId::new(number[first + at]));
            bodies.push(body.iter().map(|&own| literal(own)));
        }
    }
    let mut goals = game.goals.clone();
    goals.iter_mut().for_each(|goal| goal.when = signal(goal.when));
    let mut percepts = game.percepts.clone();
    percepts.iter_mut().flatten().for_each(|percept| percept.when = signal(percept.when));
    let mut new = Game {
        next: game.next.iter().map(|&own| signal(own)).collect(),
        legal: game.legal.iter().map(|&own| signal(own)).collect(),
        goals,
        terminal: signal(game.terminal),
        percepts,
        atoms: next,
        heads,
        bodies,
        components: Vec::new(),
        ..game.clone()
    };
    new.components = components(&new);
    Some(new)
}
