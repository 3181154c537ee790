//! The check of a certificate: each node by itself, nothing is searched.

use counterplay_base::Budget;
use counterplay_pddl::model::Problem;

use super::arena::{Arena, Moves, Starts};
use super::beliefs::BeliefArena;
use super::situations::SituationArena;
use super::states::{StateArena, rank};
use super::text::Body;
use super::{CheckedClosure, ClosureClaim, ClosureFlaw, ClosureNodes, not_covered};
use crate::Guarantee;
use crate::derive::Axioms;
use crate::evaluate::CheckContext;
use crate::exhaust::space::{Numbers, Space};
use crate::policy_file::Rule;

/// At most so many initial states of a hidden problem are enumerated.
const MOST_STARTS: usize = 1_000_000;

/// Checks a certificate about a problem; with the rules of a policy, also that these say what the certificate does.
///
/// # Errors
/// The first thing that is wrong, with its line, or the limit that was reached.
pub fn check_closure(
    problem: &Problem,
    text: &str,
    policy: Option<&[Rule]>,
    budget: &Budget,
) -> Result<CheckedClosure, ClosureFlaw> {
    let body = Body::read(text)?;
    if let Some(what) = not_covered(problem, body.about) {
        return Err(ClosureFlaw::NotCovered(what));
    }
    if matches!(body.claim, ClosureClaim::Is(_)) && body.about != ClosureNodes::States {
        return Err(malformed(3, "a positive claim is about states"));
    }
    if body.claim == ClosureClaim::No(Guarantee::StrongCyclic) && body.about == ClosureNodes::Beliefs {
        return Err(malformed(2, "`no-strong-cyclic` is not covered for belief states"));
    }
    let world = CheckContext::new(problem, budget);
    let axioms = Axioms::new(&world)?;
    let space = Space::new(&world, axioms, Numbers::Constant);
    if space.numbers_matter() {
        return Err(ClosureFlaw::NotCovered(super::NUMBERS));
    }
    match body.about {
        ClosureNodes::States => {
            let mut arena = StateArena::new(problem, space);
            let listed = read(&mut arena, body, budget)?;
            match listed.claim {
                ClosureClaim::Is(wanted) => positive(&mut arena, &listed, wanted, policy, budget),
                ClosureClaim::No(wanted) => negative(&mut arena, &listed, wanted, budget),
            }
        }
        ClosureNodes::Beliefs => {
            let mut arena = BeliefArena::new(problem, space, MOST_STARTS, budget);
            let listed = read(&mut arena, body, budget)?;
            negative_claim(&mut arena, &listed, budget)
        }
        ClosureNodes::Situations => {
            let mut arena = SituationArena::new(&world);
            let listed = read(&mut arena, body, budget)?;
            negative_claim(&mut arena, &listed, budget)
        }
    }
}

fn malformed(line: usize, what: &str) -> ClosureFlaw {
    ClosureFlaw::Malformed { line, what: what.to_owned() }
}

fn wrong(line: usize, why: String) -> ClosureFlaw {
    ClosureFlaw::Wrong { line, why }
}

/// The nodes of a certificate: those with a rank are listed.
struct Listed {
    claim: ClosureClaim,
    about: ClosureNodes,
    /// The nodes with rank and line, in the order of the file.
    nodes: Vec<(usize, usize, usize)>,
    /// The rank of each listed node.
    ranks: Vec<Option<usize>>,
}

impl Listed {
    fn rank(&self, node: usize) -> Option<usize> {
        self.ranks.get(node).copied().flatten()
    }

    fn checked(&self, moves: usize, is_compared: bool) -> CheckedClosure {
        CheckedClosure { claim: self.claim, about: self.about, nodes: self.nodes.len(), moves, is_compared }
    }
}

fn read<A: Arena>(arena: &mut A, mut body: Body<'_>, budget: &Budget) -> Result<Listed, ClosureFlaw> {
    let mut listed = Listed { claim: body.claim, about: body.about, nodes: Vec::new(), ranks: Vec::new() };
    while let Some(entry) = body.next(budget)? {
        let line = entry.line;
        let told = |what: String| ClosureFlaw::Malformed { line, what };
        if entry.keyword == "facts" {
            arena.read_facts(&entry).map_err(told)?;
            continue;
        }
        let rank = rank(&entry).map_err(told)?;
        let node = arena.read(&entry).map_err(told)?;
        listed.ranks.resize(listed.ranks.len().max(node + 1), None);
        if listed.ranks[node].replace(rank).is_some() {
            return Err(malformed(line, "this node is listed a second time"));
        }
        listed.nodes.push((node, rank, line));
    }
    Ok(listed)
}

/// A certificate of a kind that has negative claims only.
fn negative_claim<A: Arena>(
    arena: &mut A,
    listed: &Listed,
    budget: &Budget,
) -> Result<CheckedClosure, ClosureFlaw> {
    match listed.claim {
        ClosureClaim::No(wanted) => negative(arena, listed, wanted, budget),
        ClosureClaim::Is(_) => Err(malformed(3, "a positive claim is about states")),
    }
}

/// Nature stays among the listed nodes.
fn negative<A: Arena>(
    arena: &mut A,
    listed: &Listed,
    wanted: Guarantee,
    budget: &Budget,
) -> Result<CheckedClosure, ClosureFlaw> {
    let (starts, quantifier) = arena.starts()?;
    let mut lost = starts.iter().map(|&start| listed.rank(start).is_some());
    let is_lost = match quantifier {
        Starts::Any => lost.any(|is_lost| is_lost),
        Starts::All => lost.all(|is_lost| is_lost),
    };
    if !is_lost {
        return Err(wrong(3, "the beginning is not listed".to_owned()));
    }
    let mut looked = 0;
    for &(node, rank, line) in &listed.nodes {
        budget.check()?;
        let Moves { is_end, moves } = arena.look(node)?;
        if is_end {
            return Err(wrong(line, format!("everything is done in {}", arena.describe(node))));
        }
        for outcomes in &moves {
            looked += 1;
            let ranks = || outcomes.iter().map(|&next| listed.rank(next));
            let holds = match wanted {
                Guarantee::Weak => ranks().all(|rank| rank.is_some()),
                Guarantee::Strong => ranks().any(|rank| rank.is_some()),
                Guarantee::StrongCyclic => {
                    ranks().any(|next| next.is_some_and(|next| next < rank))
                        || ranks().all(|next| next == Some(rank))
                }
            };
            if !holds {
                let next = outcomes.iter().find(|&&next| listed.rank(next) != Some(rank));
                let next = next.map(|&next| arena.describe(next)).unwrap_or_default();
                let from = arena.describe(node);
                let how = match wanted {
                    Guarantee::StrongCyclic => {
                        "which is not of the same rank, and nothing of a smaller rank follows"
                    }
                    _ => "which is not listed",
                };
                return Err(wrong(line, format!("a move from {from} leads to {next}, {how}")));
            }
        }
    }
    Ok(listed.checked(looked, false))
}

/// The actions of the listed states lead to the goal.
fn positive(
    arena: &mut StateArena<'_>,
    listed: &Listed,
    wanted: Guarantee,
    policy: Option<&[Rule]>,
    budget: &Budget,
) -> Result<CheckedClosure, ClosureFlaw> {
    let (starts, _) = arena.starts()?;
    if let Some(&start) = starts.iter().find(|&&start| listed.rank(start).is_none()) {
        return Err(wrong(3, format!("an initial state is not listed: {}", arena.describe(start))));
    }
    for &(state, rank, line) in &listed.nodes {
        budget.check()?;
        if arena.space.is_goal(state)? {
            continue;
        }
        let Some((action, arguments)) = arena.action(state).cloned() else {
            return Err(wrong(line, "the goal does not hold, and no action is given".to_owned()));
        };
        if let Some(rules) = policy {
            let said = arena.space.first_rule(state, rules)?;
            let same =
                said.is_some_and(|rule| rule.step.action == action && rule.step.arguments == arguments);
            if !same {
                return Err(wrong(line, "the policy says something else here".to_owned()));
            }
        }
        let Some(next) = arena.space.step(state, action, &arguments)? else {
            return Err(wrong(line, "the action is not applicable".to_owned()));
        };
        if let Some(&outside) = next.iter().find(|&&next| listed.rank(next).is_none()) {
            let why = format!("the action may lead to {}, which is not listed", arena.describe(outside));
            return Err(wrong(line, why));
        }
        let is_smaller = |&next: &usize| listed.rank(next).is_some_and(|next| next < rank);
        let holds = match wanted {
            Guarantee::Strong => next.iter().all(is_smaller),
            _ => next.iter().any(is_smaller),
        };
        if !holds {
            let what = if wanted == Guarantee::Strong { "every outcome" } else { "an outcome" };
            return Err(wrong(line, format!("the rank does not fall with {what} of the action")));
        }
    }
    Ok(listed.checked(listed.nodes.len(), policy.is_some()))
}
