//! Solving games in which roles choose at once or chance takes part: expected values in exact fractions.

use std::time::Instant;

use counterplay_base::{Budget, Verdict};
use counterplay_check::{
    MixedClaim, MixtureFlaw, MixtureFlawIn, Profile, Promise, Rulebook, Scope, check_mixtures,
};
use counterplay_equilibrium::Rational;
use counterplay_gdl::interpret::{State, TermId};
use counterplay_ggp::explicit::Order;
use counterplay_ggp::mixed::{self, Concept, Refusal, Stage, StageSolution, Unsolved};
use counterplay_ground::game::Game;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::answer::{Choice, Position, SolveAnswer};
use super::exact::Exact;
use super::position::{NoAnswer, SolvedGame};
use super::request::{Engine, SolveRequest};
use super::solving::{Inquiry, LONGEST_CHECK, bounds};
use crate::effort::{Phase, Phases};
use crate::error::{Error, Halt};

/// Expected values, and how they are to be understood.
struct MixedValues {
    solution: mixed::Solution,
    concept: Concept,
    chance: Option<usize>,
    budget: Budget,
}

impl MixedValues {
    fn stage(&self, widths: &[usize], values: &[Vec<Rational>]) -> Result<StageSolution, NoAnswer> {
        let values = values.iter().map(Vec::as_slice).collect();
        let stage = Stage { widths, chance: self.chance, values };
        stage.solve(self.concept, self.solution.is_opposite, &self.budget).map_err(|why| match why {
            Unsolved::Stopped(limit) => NoAnswer::Stopped(limit),
            _ => unreachable!("every state was solved before"),
        })
    }
}

impl MixedClaim for SolvedGame<MixedValues> {
    fn chance(&self) -> Option<usize> {
        self.values.chance
    }

    fn expected(&mut self, state: &State, _made: usize) -> Result<Option<Vec<Rational>>, NoAnswer> {
        let Some(row) = self.row(state) else { return Ok(None) };
        let solution = &self.values.solution;
        Ok(solution.find(&row).and_then(|number| solution.value(number)).map(<[Rational]>::to_vec))
    }

    fn profile(&mut self, moves: &[Vec<TermId>], values: &[Vec<Rational>]) -> Result<Profile, NoAnswer> {
        let widths: Vec<usize> = moves.iter().map(Vec::len).collect();
        let StageSolution { mixtures, threats, .. } = self.values.stage(&widths, values)?;
        Ok(Profile { mixtures, threats })
    }
}

impl Inquiry<'_> {
    /// Solves a game by expected values.
    pub(super) fn expected(&self, phases: &mut Phases) -> Result<SolveAnswer, Halt> {
        let Inquiry { rules, game, request, budget, progress, .. } = *self;
        refuse(request)?;
        let roles = game.roles.as_slice();
        if request.bounds && request.from.is_none() {
            let bounds = phases.measure(Phase::Search, || bounds(game, budget))?;
            return Ok(SolveAnswer::of_bounds(&bounds, roles));
        }
        let (solution, concept) = phases.measure(Phase::Search, || self.find())?;
        let mut answer = SolveAnswer::of_expected(&solution, concept);
        let chance = game.chance.map(counterplay_base::Id::index);
        answer.has_chance = chance.is_some();
        let values = MixedValues { solution, concept, chance, budget: budget.clone() };
        let mut solved = SolvedGame::new(&rules.rules, game, values, budget)?.in_ground_order(game);
        if request.check {
            progress.begin("checking");
            answer.checked = phases.measure(Phase::Check, || check(&mut solved, request, budget))?;
        }
        if let Some(moves) = &request.from {
            answer.position = Some(position(&mut solved, moves, roles)?);
        }
        drop(solved);
        answer.prove(request.order, checked_by(request.check_positions, answer.checked));
        if answer.is_open() {
            let bounds = phases.measure(Phase::Search, || bounds(game, budget))?;
            answer.bound(Some(&bounds), roles);
        } else if concept != request.solution {
            answer.secure(roles);
        }
        Ok(answer)
    }

    /// The values that were asked for, or security levels where there are none.
    fn find(&self) -> Result<(mixed::Solution, Concept), Halt> {
        let Inquiry { game, request, budget, .. } = *self;
        for concept in [request.solution, Concept::Maximin] {
            match mixed::solve(game, concept, u32::MAX as usize, budget) {
                Ok(Verdict::Solved(solution)) => return Ok((solution, concept)),
                Ok(Verdict::Stopped(limit)) => return Err(limit.into()),
                Ok(Verdict::Unsolvable) => unreachable!("a state without a value is part of the solution"),
                Err(Refusal::GeneralSum(_)) => {}
                Err(refusal) => return Err(refused(game, &refusal).into()),
            }
        }
        unreachable!("every game without too many joint moves has security levels")
    }
}

/// Refuses what these games do not have.
fn refuse(request: &SolveRequest) -> Result<(), Error> {
    if request.order == Order::Difference {
        let message = "`order difference` is for games in turns and without chance".to_owned();
        return Err(Error::Request { message, help: None });
    }
    if let Engine::Symbolic | Engine::Layered = request.engine {
        let message = format!("`engine {}` is for games in turns and without chance", request.engine.name());
        return Err(Error::request(&message, "`engine auto` solves it state by state"));
    }
    Ok(())
}

/// The error for a game that has no solution of this kind.
fn refused(game: &Game, refusal: &Refusal) -> Error {
    let (Refusal::GeneralSum(at) | Refusal::ManyChoose(at) | Refusal::Wide { at, .. }) = refusal;
    let message = format!(
        "{refusal}: {} choose in the state {}",
        at.role_names(game).join(" and "),
        at.state_text(game)
    );
    let help = match refusal {
        Refusal::ManyChoose(_) => "`solution maximin` tells what each role can make sure of",
        _ => "`bounds` tells what each role can be sure of, and what it can be held to",
    };
    Error::request(&message, help)
}

/// Compares values and mixtures with the rules; a solution that is wrong is a bug. Returns how many positions were looked at;
/// none if that was not possible within the limits.
fn check(
    solved: &mut SolvedGame<MixedValues>,
    request: &SolveRequest,
    budget: &Budget,
) -> Result<usize, Halt> {
    let mut random = ChaCha8Rng::seed_from_u64(request.seed);
    let mut choose = |count: usize| random.random_range(0..count);
    let started = Instant::now();
    let is_enough = || started.elapsed() > LONGEST_CHECK;
    let scope = match request.check_positions {
        None => Scope::All,
        Some(positions) => Scope::Sample { positions, choose: &mut choose, is_enough: &is_enough },
    };
    let promise = match solved.values.concept {
        Concept::Maximin => Promise::Security,
        Concept::Value | Concept::Nash => Promise::Equilibrium,
    };
    match check_mixtures(solved, promise, scope, budget) {
        Ok(count) => Ok(count),
        // The value is there; it stays unchecked, and the answer says so.
        Err(MixtureFlaw::Stopped(_) | MixtureFlaw::Trouble(NoAnswer::Rules(_) | NoAnswer::Stopped(_))) => {
            Ok(0)
        }
        Err(MixtureFlaw::Trouble(trouble)) => Err(trouble.into()),
        Err(flaw) => Err(Error::Internal { message: describe(solved, &flaw) }.into()),
    }
}

/// What is wrong with a solution, in words.
fn describe(solved: &SolvedGame<MixedValues>, flaw: &MixtureFlawIn<SolvedGame<MixedValues>>) -> String {
    let place = |state: &State| {
        let fluents: Vec<String> = state.fluents().iter().map(|&term| solved.display(term)).collect();
        fluents.join(" ")
    };
    match flaw {
        MixtureFlaw::Value { state, claimed, expected } => {
            format!("the value {claimed:?} of the position {} should be {expected:?}", place(state))
        }
        MixtureFlaw::Mixture { state, role } => {
            format!("the lots of role {role} in the position {} are none", place(state))
        }
        MixtureFlaw::Response { state, role, rewards } => {
            let [claimed, found] = &**rewards;
            format!("role {role} gets {found} instead of {claimed} in the position {}", place(state))
        }
        MixtureFlaw::Trouble(_) | MixtureFlaw::Stopped(_) => "no answer".to_owned(),
    }
}

/// What the check did, in words.
fn checked_by(positions: Option<usize>, count: usize) -> Option<String> {
    let extent = match positions {
        _ if count == 0 => return None,
        None => format!("all {count} reachable positions"),
        Some(_) => format!("a sample of {count} positions"),
    };
    Some(format!("the interpreter of the rules: best responses at {extent}"))
}

/// The value of a position, and how the roles play there.
fn position(solved: &mut SolvedGame<MixedValues>, moves: &str, roles: &[String]) -> Result<Position, Halt> {
    let reached = solved.follow(moves)?;
    let value = solved.expected(&reached.state, reached.made).map_err(Halt::from)?;
    let value = value.as_deref().map(Exact::list);
    let mut found = Position {
        moves: reached.joint_moves,
        over: true,
        value_exact: value.as_deref().map(Exact::texts),
        value,
        choices: Vec::new(),
    };
    if solved.is_over(&reached.state).map_err(Halt::from)? {
        return Ok(found);
    }
    let mut legal: Vec<Vec<TermId>> = Vec::new();
    for role in 0..roles.len() {
        legal.push(solved.moves(&reached.state, role).map_err(Halt::from)?);
    }
    found.over = legal.iter().any(Vec::is_empty);
    if found.over {
        return Ok(found);
    }
    let widths: Vec<usize> = legal.iter().map(Vec::len).collect();
    let mut values = Vec::new();
    for row in 0..widths.iter().product() {
        let joint: Vec<TermId> = (0..roles.len()).map(|role| legal[role][part(&widths, row, role)]).collect();
        let next = solved.next(&reached.state, &joint).map_err(Halt::from)?;
        values.push(solved.expected(&next, reached.made + 1).map_err(Halt::from)?);
    }
    let Some(values) = values.into_iter().collect::<Option<Vec<Vec<Rational>>>>() else { return Ok(found) };
    let StageSolution { mixtures, .. } = solved.values.stage(&widths, &values).map_err(Halt::from)?;
    for role in (0..roles.len()).filter(|&role| widths[role] > 1) {
        let replies = replies(&widths, &values, &mixtures, role);
        let best = replies.iter().map(|reply| &reply[role]).max().cloned();
        for action in solved.moves_as_written(&reached.state, role).map_err(Halt::from)? {
            let Some(own) = legal[role].iter().position(|&other| other == action) else { continue };
            let reply = &replies[own];
            let probability = Exact(mixtures[role][own].clone());
            found.choices.push(Choice {
                role: roles[role].clone(),
                own: solved.display(action),
                optimal: Some(role) != solved.values.chance && Some(&reply[role]) == best.as_ref(),
                value: Some(Exact::list(reply)),
                probability_exact: Some(probability.to_string()),
                probability: Some(probability),
            });
        }
    }
    Ok(found)
}

/// The move of a role in a joint move; those of the last role vary fastest.
fn part(widths: &[usize], row: usize, role: usize) -> usize {
    row / widths[role + 1..].iter().product::<usize>() % widths[role]
}

/// What each move of a role is worth to all if the others draw their lots.
fn replies(
    widths: &[usize],
    values: &[Vec<Rational>],
    mixtures: &[Vec<Rational>],
    role: usize,
) -> Vec<Vec<Rational>> {
    let zero = || Rational::from_integer(0.into());
    let mut sums = vec![vec![zero(); widths.len()]; widths[role]];
    for (row, value) in values.iter().enumerate() {
        let others = (0..widths.len()).filter(|&other| other != role);
        let weight: Rational = others.map(|other| &mixtures[other][part(widths, row, other)]).product();
        let sum = &mut sums[part(widths, row, role)];
        sum.iter_mut().zip(value).for_each(|(sum, own)| *sum += own * &weight);
    }
    sums
}
