//! Certificates are found here, by looking at everything; whoever checks them need not trust any of this.

use counterplay_base::{Budget, BudgetPoll};
use counterplay_pddl::model::Problem;

use super::arena::{Arena, Moves, Starts};
use super::beliefs::BeliefArena;
use super::situations::SituationArena;
use super::states::StateArena;
use super::text::whole;
use super::{ClosureClaim, ClosureNodes, NotCertified, not_covered};
use crate::Guarantee;
use crate::derive::Axioms;
use crate::evaluate::CheckContext;
use crate::exhaust::space::{Numbers, Space};
use crate::policy_file::Rule;

/// The certificate that a policy has a guarantee: its states with their ranks.
///
/// # Errors
/// Why there is none.
pub fn certify_policy(
    problem: &Problem,
    rules: &[Rule],
    wanted: Guarantee,
    most: usize,
    budget: &Budget,
) -> Result<String, NotCertified> {
    if wanted == Guarantee::Weak {
        return Err(NotCertified::NotCovered("weak policies, which a single run shows,"));
    }
    let world = CheckContext::new(problem, budget);
    let space = space(&world, ClosureNodes::States)?;
    let mut arena = StateArena::new(problem, space);
    let (starts, _) = arena.starts()?;
    let mut next: Vec<Vec<usize>> = Vec::new();
    // The starts come first, and what is reached gets the next numbers.
    while next.len() < arena.len() {
        let state = next.len();
        if state > most {
            return Err(NotCertified::TooMany(most, "states"));
        }
        if arena.space.is_goal(state)? {
            next.push(Vec::new());
            continue;
        }
        let rule = arena.space.first_rule(state, rules)?.ok_or(NotCertified::Refuted)?;
        let (action, arguments) = (rule.step.action, rule.step.arguments.clone());
        let after = arena.space.step(state, action, &arguments)?.ok_or(NotCertified::Refuted)?;
        arena.set_action(state, (action, arguments));
        next.push(after);
    }
    let ranks = ranks(&next, wanted, budget)?;
    let mut lines = Vec::new();
    for (state, rank) in ranks.iter().enumerate() {
        arena.write(state, rank.ok_or(NotCertified::Refuted)?, &mut lines);
    }
    debug_assert!(starts.iter().all(|&start| start < ranks.len()));
    Ok(whole(ClosureClaim::Is(wanted), ClosureNodes::States, &lines))
}

/// How far each state is from its goal: by the longest way for a strong policy, by the shortest for a strong-cyclic one.
fn ranks(
    next: &[Vec<usize>],
    wanted: Guarantee,
    budget: &Budget,
) -> Result<Vec<Option<usize>>, NotCertified> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); next.len()];
    for (state, after) in next.iter().enumerate() {
        after.iter().for_each(|&after| before[after].push(state));
    }
    let mut open: Vec<usize> = next.iter().map(Vec::len).collect();
    let mut ranks: Vec<Option<usize>> = open.iter().map(|&open| (open == 0).then_some(0)).collect();
    let mut queue: std::collections::VecDeque<usize> = (0..next.len()).filter(|&at| open[at] == 0).collect();
    let mut poll = BudgetPoll::every(1024);
    while let Some(at) = queue.pop_front() {
        poll.step(budget)?;
        let rank = ranks[at].unwrap_or_default();
        for &earlier in &before[at] {
            open[earlier] -= 1;
            let is_ready = match wanted {
                Guarantee::Strong => open[earlier] == 0,
                _ => ranks[earlier].is_none(),
            };
            if is_ready {
                ranks[earlier] = Some(rank + 1);
                queue.push_back(earlier);
            }
        }
    }
    Ok(ranks)
}

/// The certificate that no policy has a guarantee.
///
/// # Errors
/// Why there is none.
pub fn certify_no_policy(
    problem: &Problem,
    wanted: Guarantee,
    most: usize,
    budget: &Budget,
) -> Result<String, NotCertified> {
    let world = CheckContext::new(problem, budget);
    let space = space(&world, ClosureNodes::States)?;
    refute(&mut StateArena::new(problem, space), ClosureNodes::States, wanted, most, budget)
}

/// The certificate that a problem with hidden states has no plan that is sure to reach the goal.
///
/// # Errors
/// Why there is none.
pub fn certify_no_contingent(
    problem: &Problem,
    wanted: Guarantee,
    most: usize,
    budget: &Budget,
) -> Result<String, NotCertified> {
    if wanted != Guarantee::Strong {
        return Err(NotCertified::NotCovered("strong-cyclic plans for hidden states"));
    }
    let world = CheckContext::new(problem, budget);
    let space = space(&world, ClosureNodes::Beliefs)?;
    let mut arena = BeliefArena::new(problem, space, most, budget);
    refute(&mut arena, ClosureNodes::Beliefs, wanted, most, budget)
}

/// The certificate that a task network cannot be carried out with a guarantee. Where networks can grow without end there may be none.
///
/// # Errors
/// Why there is none.
pub fn certify_no_decomposition(
    problem: &Problem,
    wanted: Guarantee,
    most: usize,
    budget: &Budget,
) -> Result<String, NotCertified> {
    let world = CheckContext::new(problem, budget);
    space(&world, ClosureNodes::Situations)?;
    refute(&mut SituationArena::new(&world), ClosureNodes::Situations, wanted, most, budget)
}

fn space<'a>(world: &'a CheckContext<'a>, about: ClosureNodes) -> Result<Space<'a>, NotCertified> {
    if let Some(what) = not_covered(world.problem, about) {
        return Err(NotCertified::NotCovered(what));
    }
    let space = Space::new(world, Axioms::new(world)?, Numbers::Constant);
    if space.numbers_matter() {
        return Err(NotCertified::NotCovered(super::NUMBERS));
    }
    Ok(space)
}

/// Looks at all nodes, finds those where nature wins, and keeps what a certificate needs of them.
fn refute<A: Arena>(
    arena: &mut A,
    about: ClosureNodes,
    wanted: Guarantee,
    most: usize,
    budget: &Budget,
) -> Result<String, NotCertified> {
    let (starts, quantifier) = arena.starts()?;
    let mut graph: Vec<Moves> = Vec::new();
    let mut count = starts.iter().max().map_or(0, |&start| start + 1);
    while graph.len() < count {
        budget.check()?;
        if arena.len() > most {
            return Err(NotCertified::TooMany(most, about.word()));
        }
        let moves = arena.look(graph.len())?;
        let reached = moves.moves.iter().flatten().max().map_or(0, |&next| next + 1);
        count = count.max(reached);
        graph.push(moves);
    }
    let rounds = rounds(&graph, wanted, budget)?;
    let is_lost = |start: &usize| rounds[*start].is_some();
    let first: Vec<usize> = match quantifier {
        Starts::Any => starts.iter().copied().filter(is_lost).take(1).collect(),
        Starts::All => starts.iter().copied().filter(is_lost).collect(),
    };
    let enough = match quantifier {
        Starts::Any => !first.is_empty(),
        Starts::All => first.len() == starts.len(),
    };
    if !enough {
        return Err(NotCertified::Refuted);
    }
    let mut lines = Vec::new();
    for (node, rank) in needed(&graph, &rounds, wanted, first, budget)? {
        arena.write(node, rank, &mut lines);
    }
    Ok(whole(ClosureClaim::No(wanted), about, &lines))
}

/// The round in which each node is found lost; none where nature does not win.
fn rounds(graph: &[Moves], wanted: Guarantee, budget: &Budget) -> Result<Vec<Option<usize>>, NotCertified> {
    let mut rounds: Vec<Option<usize>> = vec![None; graph.len()];
    let mut round = 0;
    loop {
        let won = won(graph, &rounds, wanted, budget)?;
        let lost: Vec<usize> =
            (0..graph.len()).filter(|&node| !won[node] && rounds[node].is_none()).collect();
        lost.iter().for_each(|&node| rounds[node] = Some(round));
        if lost.is_empty() || wanted != Guarantee::StrongCyclic {
            return Ok(rounds);
        }
        round += 1;
    }
}

/// The nodes from which the goal is reached without those that are lost already: by all outcomes of a move for a strong policy, else by one.
fn won(
    graph: &[Moves],
    lost: &[Option<usize>],
    wanted: Guarantee,
    budget: &Budget,
) -> Result<Vec<bool>, NotCertified> {
    // For each node the moves that may lead to it.
    let mut into: Vec<Vec<(usize, usize)>> = vec![Vec::new(); graph.len()];
    let mut open: Vec<Vec<usize>> = Vec::with_capacity(graph.len());
    for (node, moves) in graph.iter().enumerate() {
        open.push(Vec::with_capacity(moves.moves.len()));
        for (number, outcomes) in moves.moves.iter().enumerate() {
            let usable =
                wanted != Guarantee::StrongCyclic || outcomes.iter().all(|&next| lost[next].is_none());
            let mut different = outcomes.clone();
            different.sort_unstable();
            different.dedup();
            open[node].push(different.len());
            if usable {
                different.iter().for_each(|&next| into[next].push((node, number)));
            }
        }
    }
    let mut won: Vec<bool> =
        (0..graph.len()).map(|node| graph[node].is_end && lost[node].is_none()).collect();
    let mut queue: Vec<usize> = (0..graph.len()).filter(|&node| won[node]).collect();
    let mut poll = BudgetPoll::every(1024);
    while let Some(node) = queue.pop() {
        poll.step(budget)?;
        for &(before, number) in &into[node] {
            open[before][number] -= 1;
            let is_won = wanted != Guarantee::Strong || open[before][number] == 0;
            if is_won && !won[before] && lost[before].is_none() {
                won[before] = true;
                queue.push(before);
            }
        }
    }
    Ok(won)
}

/// The lost nodes that a certificate has to list, with their ranks.
fn needed(
    graph: &[Moves],
    rounds: &[Option<usize>],
    wanted: Guarantee,
    first: Vec<usize>,
    budget: &Budget,
) -> Result<Vec<(usize, usize)>, NotCertified> {
    let mut is_listed = vec![false; graph.len()];
    first.iter().for_each(|&node| is_listed[node] = true);
    let mut list = first;
    let mut at = 0;
    let mut poll = BudgetPoll::every(1024);
    while let Some(&node) = list.get(at) {
        poll.step(budget)?;
        at += 1;
        for outcomes in &graph[node].moves {
            let lost = outcomes.iter().copied().filter(|&next| rounds[next].is_some());
            let chosen: Vec<usize> = match wanted {
                Guarantee::Weak => outcomes.clone(),
                // One is enough, if possible one that is listed anyway.
                Guarantee::Strong => lost.min_by_key(|&next| (!is_listed[next], next)).into_iter().collect(),
                Guarantee::StrongCyclic => {
                    let smaller = lost.filter(|&next| rounds[next] < rounds[node]);
                    match smaller.min_by_key(|&next| (!is_listed[next], next)) {
                        Some(next) => vec![next],
                        None => outcomes.clone(),
                    }
                }
            };
            for next in chosen {
                if !std::mem::replace(&mut is_listed[next], true) {
                    list.push(next);
                }
            }
        }
    }
    let ranked = list.into_iter().map(|node| rounds[node].map(|rank| (node, rank)));
    ranked.collect::<Option<Vec<_>>>().ok_or(NotCertified::Refuted)
}
