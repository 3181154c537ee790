//! Solving: the value of every reachable position.

use std::time::{Duration, Instant};

use counterplay_base::{Budget, Limit, Progress, Verdict};
use counterplay_check::{
    Claim, Liking, Scope, SolutionFlaw, check_solution, difference, look_ahead, own_reward,
};
use counterplay_cluster::{ClusterError, Plan};
use counterplay_gdl::interpret::{InterpretError, State};
use counterplay_ggp::archive::Archive;
use counterplay_ggp::explicit::{self, Order};
use counterplay_ggp::mixed::Concept;
use counterplay_ggp::{Simultaneous, layered, symbolic};
use counterplay_ground::game::{Game, Structure};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::answer::{Choice, Position, SolveAnswer, whole};
use super::grounding::prove;
use super::playbook::playbook;
use super::position::{NoAnswer, SolvedGame, Values, choices};
use super::request::{Engine, SolveRequest};
use super::rules::GameRules;
use super::single::is_left_to_others;
use crate::effort::{Phase, Phases, seconds};
use crate::error::{Error, Halt};

/// What is known of a game before it is solved.
struct Subject<'g, 'b> {
    game: &'g Game,
    structure: Structure,
    request: &'b SolveRequest,
    plan: Option<&'b Plan>,
    budget: &'b Budget,
    progress: &'b dyn Progress,
}

/// Why there is no solution.
enum Unsolved {
    /// Something is wrong, or a limit came first.
    Halt(Halt),
    /// Several roles choose at once.
    Simultaneous,
    /// A planner may find what one role gets sooner than sets of states do.
    Single,
}

impl<T: Into<Halt>> From<T> for Unsolved {
    fn from(halt: T) -> Unsolved {
        Unsolved::Halt(halt.into())
    }
}

/// A solution, if there is one.
type Found<'g, 'a> = Result<(SolveAnswer, Values<'g, 'a>), Unsolved>;

impl<'g> Subject<'g, '_> {
    /// Solves the game by sets of states.
    fn by_sets<'a>(&self, mut archive: Option<&'a mut dyn Archive>) -> Found<'g, 'a> {
        let Subject { game, structure, request, budget, progress, .. } = self;
        let lent = archive.as_deref_mut().map(|archive| archive as &mut dyn Archive);
        match symbolic::solve(game, structure, request.order, lent, budget, *progress) {
            Ok(Verdict::Solved(solution)) => {
                Ok((SolveAnswer::of_sets(&solution), Values::Symbolic(Box::new(solution), archive)))
            }
            Ok(Verdict::Unsolvable) => unreachable!("a state without a value is part of the solution"),
            Ok(Verdict::Stopped(limit)) => Err(limit.into()),
            Err(symbolic::Refusal::Simultaneous(_)) => Err(Unsolved::Simultaneous),
            Err(other) => Err(refused(&other).into()),
        }
    }

    /// Whether only the value of a game of one role is wanted, which a planner finds too.
    fn may_plan(&self) -> bool {
        let SolveRequest { from, playbook, check_positions, .. } = self.request;
        self.game.roles.len() == 1 && from.is_none() && !playbook && check_positions.is_some()
    }

    /// Solves the game by sets of states if that takes little time.
    fn by_few_sets<'a>(&self) -> Found<'g, 'a> {
        let Subject { game, structure, request, plan, budget, progress } = self;
        let slice = &budget.slice(FEW_SETS);
        let (structure, plan) = (structure.clone(), *plan);
        let subject = Subject { game, structure, request, plan, budget: slice, progress: *progress };
        match subject.by_sets(None) {
            Err(Unsolved::Halt(Halt::Limit(limit))) => match budget.check() {
                Ok(()) => Err(Unsolved::Single),
                Err(_) => Err(limit.into()),
            },
            found => found,
        }
    }

    /// Solves the game in layers; `None` if `auto` should try something else.
    fn by_layers<'a>(&self) -> Result<Option<(SolveAnswer, Values<'g, 'a>)>, Unsolved> {
        let is_auto = self.request.engine == Engine::Auto;
        let most = if is_auto { self.request.layered_states } else { u64::MAX };
        let Subject { game, structure, request, budget, progress, .. } = self;
        match layered::solve(game, structure, request.order, most, budget, *progress) {
            Ok(Verdict::Solved(solution)) => {
                Ok(Some((SolveAnswer::of_layers(&solution), Values::Layered(solution))))
            }
            Ok(Verdict::Unsolvable) => unreachable!("where a clock runs, every state has a value"),
            // Sets may need less memory.
            Ok(Verdict::Stopped(Limit::Nodes(_) | Limit::Bytes(_))) if is_auto => Ok(None),
            Ok(Verdict::Stopped(limit)) => Err(limit.into()),
            Err(layered::Refusal::Simultaneous(_)) => Err(Unsolved::Simultaneous),
            Err(_) if is_auto => Ok(None),
            Err(refusal) => {
                let help = "`engine auto` chooses one that can solve it";
                Err(Error::request(&refusal.to_string(), help).into())
            }
        }
    }

    /// Solves the game in layers on disk.
    fn on_disk<'a>(&self, plan: &Plan) -> Found<'g, 'a> {
        let Subject { game, structure, request, budget, progress, .. } = self;
        match counterplay_cluster::solve(game, structure, request.order, plan, budget, *progress) {
            Ok(solution) => Ok((SolveAnswer::of_files(&solution, plan), Values::Stored(Box::new(solution)))),
            Err(ClusterError::Refused(layered::Refusal::Simultaneous(_))) => Err(Unsolved::Simultaneous),
            Err(error) => Err(Unsolved::Halt(unsolved(error))),
        }
    }

    /// Solves the game state by state, or as `auto` decides.
    fn find<'a>(&self, archive: Option<&'a mut dyn Archive>) -> Found<'g, 'a> {
        let engine = self.request.engine;
        if let Some(plan) = self.plan {
            return self.on_disk(plan);
        }
        if archive.is_some() {
            self.request.refuse_archive()?;
        }
        let most = match (engine, &archive) {
            (Engine::Explicit, None) => u32::MAX as usize,
            (Engine::Auto, None) => self.request.explicit_states,
            (Engine::Layered, None) => {
                return Ok(self.by_layers()?.expect("it is refused or solved"));
            }
            _ => return self.by_sets(archive),
        };
        match explicit::solve(self.game, self.request.order, most, self.budget) {
            Ok(Verdict::Solved(solution)) => {
                Ok((SolveAnswer::of_states(&solution), Values::Explicit(solution)))
            }
            Ok(Verdict::Unsolvable) => unreachable!("a state without a value is part of the solution"),
            Ok(Verdict::Stopped(Limit::Nodes(_) | Limit::Bytes(_))) if engine == Engine::Auto => {
                match self.by_layers()? {
                    Some(found) => Ok(found),
                    None if self.may_plan() => self.by_few_sets(),
                    None => self.by_sets(archive),
                }
            }
            Ok(Verdict::Stopped(limit)) => Err(limit.into()),
            Err(Simultaneous { .. }) => Err(Unsolved::Simultaneous),
        }
    }
}

/// A game of one role is left to the planner after so long.
const FEW_SETS: Duration = Duration::from_secs(5);
/// The planner may take so long before sets of states get all the time there is, and at most a quarter of what is left.
const LONGEST_PLAN: Duration = Duration::from_secs(30);

/// The error for a game that the symbolic solver refuses.
pub fn refused(refusal: &symbolic::Refusal) -> Error {
    let message = refusal.to_string();
    let help = match refusal {
        symbolic::Refusal::Simultaneous(_) => return Error::Request { message, help: None },
        symbolic::Refusal::Archive(_) => {
            "`store` with a new folder starts again; what was kept belongs to one game and one order"
        }
        _ => "`engine explicit` solves it state by state",
    };
    Error::request(&message, help)
}

/// Why there is no solution on disk.
pub(super) fn unsolved(error: ClusterError) -> Halt {
    let help = match &error {
        ClusterError::Stopped(limit) => return Halt::Limit(*limit),
        // Its own process says which limit it was.
        ClusterError::Elsewhere { .. } => "what is whole is kept: start all processes again to go on",
        ClusterError::Refused(_) => "`engine auto` without `store` chooses one that can solve it",
        ClusterError::Foreign { .. } => "`store` with a new folder starts again",
        ClusterError::Damaged { .. } => "remove the file, and what is missing is computed again",
        ClusterError::File { .. } => "what is whole is kept: a run with the same `store` goes on from there",
        ClusterError::Hosts { .. } => {
            "a host file has a line `key …` and one address such as 10.0.0.1:7101 for each process"
        }
        ClusterError::Peer { .. } => "all processes need the same version, game, options and host file",
        ClusterError::Lost { .. } => "start all processes again to go on from the last whole layer",
    };
    Error::request(&error.to_string(), help).into()
}

/// Why rules could not be followed.
pub(super) fn troubled(trouble: InterpretError) -> Halt {
    match trouble {
        InterpretError::Stopped(limit) => Halt::Limit(limit),
        other => Error::Request { message: other.to_string(), help: None }.into(),
    }
}

/// What each role can be sure of and can be held to.
pub(super) fn bounds(game: &Game, budget: &Budget) -> Result<explicit::Bounds, Halt> {
    match explicit::bounds(game, u32::MAX as usize, budget) {
        Verdict::Solved(bounds) => Ok(bounds),
        Verdict::Stopped(limit) => Err(limit.into()),
        Verdict::Unsolvable => unreachable!("every role has bounds"),
    }
}

/// Compares values with the rules; a solution that is wrong is a bug. Returns how many positions were looked at; none if
/// that was not possible within the limits.
fn check(
    solved: &mut SolvedGame<Values<'_, '_>>,
    likes: Liking,
    request: &SolveRequest,
    budget: &Budget,
) -> Result<usize, Halt> {
    let mut random = ChaCha8Rng::seed_from_u64(request.seed);
    let mut choose = |count: usize| random.random_range(0..count);
    let started = Instant::now();
    let is_enough = || started.elapsed() > LONGEST_CHECK;
    let scope = match request.check_positions {
        None => Scope::All,
        // Where the plain reading of the rules is slow, few positions have to do.
        Some(positions) => Scope::Sample { positions, choose: &mut choose, is_enough: &is_enough },
    };
    let place = |solved: &SolvedGame<Values<'_, '_>>, state: &State| {
        let fluents: Vec<String> = state.fluents().iter().map(|&term| solved.display(term)).collect();
        fluents.join(" ")
    };
    match check_solution(solved, likes, scope, budget) {
        Ok(count) => Ok(count),
        // The value is there; it stays unchecked, and the answer says so.
        Err(SolutionFlaw::Stopped(_) | SolutionFlaw::Trouble(NoAnswer::Rules(_))) => Ok(0),
        Err(SolutionFlaw::Trouble(trouble)) => Err(trouble.into()),
        Err(SolutionFlaw::Simultaneous { state, .. }) => {
            let message = format!("several roles choose at once in the position {}", place(solved, &state));
            Err(Error::Internal { message }.into())
        }
        Err(SolutionFlaw::Wrong { state, made, claimed, expected }) => {
            let message = format!(
                "the value {claimed:?} of the position {} after {made} moves should be {expected:?}",
                place(solved, &state)
            );
            Err(Error::Internal { message }.into())
        }
    }
}

/// What the check did, in words: a position is consistent if its value is what the values one joint move later make of it.
fn checked_by(positions: Option<usize>, count: usize) -> Option<String> {
    let extent = match positions {
        _ if count == 0 => return None,
        None => format!("all {count} reachable positions"),
        Some(_) => format!("a sample of {count} positions"),
    };
    Some(format!("the interpreter of the rules: one-step consistency of {extent}"))
}

/// The value of a position and of all that can be done there.
fn position(
    solved: &mut SolvedGame<Values<'_, '_>>,
    moves: &str,
    roles: &[String],
) -> Result<Position, Halt> {
    let reached = solved.follow(moves)?;
    let ahead = look_ahead(solved, &reached.state, reached.made).map_err(Halt::from)?;
    let value = solved.value(&reached.state, reached.made).map_err(Halt::from)?;
    let choices = choices(solved, &ahead);
    let choices = choices.into_iter().map(|(role, own, comes)| Choice {
        role: roles[role].clone(),
        own,
        optimal: comes.is_some() && comes == value,
        value: comes.as_deref().map(whole),
        probability: None,
        probability_exact: None,
    });
    let choices = choices.collect();
    let value = value.as_deref().map(whole);
    Ok(Position { moves: reached.joint_moves, over: ahead.over.is_some(), value, value_exact: None, choices })
}

/// The sample of positions is checked for so long at most.
pub(super) const LONGEST_CHECK: Duration = Duration::from_secs(2);

/// Solves a game and checks values against the rules. With an archive, the game is solved by sets of states, layers and values
/// are kept there, and work goes on from what it has.
///
/// # Errors
/// What is wrong with the rules or the request, a bug that the check found, or the limit that was reached.
pub fn solve(
    rules: &GameRules,
    request: &SolveRequest,
    archive: Option<&mut dyn Archive>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<SolveAnswer, Halt> {
    solve_in(rules, request, archive, None, budget, progress)
}

/// Solves a game in layers on disk, by several workers or processes, from where an earlier run has ended. Positions are checked and shown where all parts of the layers
/// are in the folder of this process.
///
/// # Errors
/// As [`solve`], and what is wrong with files and other processes.
pub fn solve_on_disk(
    rules: &GameRules,
    request: &SolveRequest,
    plan: &Plan,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<SolveAnswer, Halt> {
    if !matches!(request.engine, Engine::Auto | Engine::Layered) || request.solution != Concept::Value {
        let message = "only the layered engine works on disk with several workers".to_owned();
        return Err(Error::Request { message, help: None }.into());
    }
    solve_in(rules, request, None, Some(plan), budget, progress)
}

fn solve_in(
    rules: &GameRules,
    request: &SolveRequest,
    archive: Option<&mut dyn Archive>,
    plan: Option<&Plan>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<SolveAnswer, Halt> {
    let started = Instant::now();
    let mut phases = Phases { parse: Some(rules.parse), ..Phases::default() };
    progress.begin("grounding");
    let game = phases.measure(Phase::Ground, || rules.ground(budget, progress))?;
    progress.begin("solving");
    let inquiry = Inquiry { rules, game: &game, request, plan, budget, progress };
    let is_expected = game.chance.is_some() || request.solution != Concept::Value;
    let is_kept = archive.is_some() || plan.is_some();
    let is_hidden = game.percepts.is_some();
    let is_single = matches!(request.engine, Engine::Plan | Engine::Proof);
    if is_single && (is_kept || is_expected || is_hidden) {
        let message =
            "planner and proof search solve games without chance, lots and hidden moves, and keep nothing";
        return Err(Error::request(message, "`engine auto` chooses one that can solve it").into());
    }
    let in_turns = match is_expected || is_hidden {
        true => None,
        false if request.engine == Engine::Plan => Some(inquiry.by_plan(&mut phases)?),
        false if request.engine == Engine::Proof => Some(inquiry.by_proof(&mut phases)?),
        false => inquiry.in_turns(archive, &mut phases)?,
    };
    let mut answer = match in_turns {
        Some(answer) => answer,
        None if is_kept => {
            let message = "only layers of games in turns and without chance can be kept".to_owned();
            return Err(Error::Request { message, help: None }.into());
        }
        None if is_hidden => inquiry.hidden(&mut phases)?,
        None => inquiry.expected(&mut phases)?,
    };
    answer.roles = game.roles.as_slice().to_vec();
    answer.seconds = seconds(started.elapsed()) + rules.parse;
    answer.phases = phases;
    Ok(answer)
}

/// A game and what is asked about it.
pub(super) struct Inquiry<'g> {
    pub(super) rules: &'g GameRules,
    pub(super) game: &'g Game,
    pub(super) request: &'g SolveRequest,
    pub(super) plan: Option<&'g Plan>,
    pub(super) budget: &'g Budget,
    pub(super) progress: &'g dyn Progress,
}

impl Inquiry<'_> {
    /// Solves a game in turns without chance; `None` if several roles choose at once and no bounds are wanted.
    fn in_turns(
        &self,
        archive: Option<&mut dyn Archive>,
        phases: &mut Phases,
    ) -> Result<Option<SolveAnswer>, Halt> {
        let Inquiry { rules, game, request, plan, budget, progress } = *self;
        let roles = game.roles.as_slice();
        let mut found = phases.measure(Phase::Search, || {
            let structure = prove(game, budget)?;
            Subject { game, structure, request, plan, budget, progress }.find(archive)
        });
        if let Err(Unsolved::Single) = found {
            let longest = budget.remaining().map_or(LONGEST_PLAN, |left| LONGEST_PLAN.min(left / 4));
            match (Inquiry { budget: &budget.slice(longest), ..*self }).by_plan(phases) {
                Err(halt) if is_left_to_others(&halt) => {}
                answer => return answer.map(Some),
            }
            found = phases.measure(Phase::Search, || {
                let structure = prove(game, budget)?;
                Subject { game, structure, request, plan, budget, progress }.by_sets(None)
            });
        }
        let mut answer = match found {
            Ok((mut answer, values)) => {
                // Parts that other processes have elsewhere cannot be looked at.
                let is_whole = !matches!(&values, Values::Stored(solution) if !solution.is_whole());
                let mut solved = SolvedGame::new(&rules.rules, game, values, budget)?;
                if request.check && is_whole {
                    progress.begin("checking");
                    let likes: Liking = match request.order {
                        Order::Own => own_reward,
                        Order::Difference => difference,
                    };
                    answer.checked =
                        phases.measure(Phase::Check, || check(&mut solved, likes, request, budget))?;
                }
                if let Some(moves) = request.from.as_ref().filter(|_| is_whole) {
                    answer.position = Some(position(&mut solved, moves, roles)?);
                }
                if request.playbook && is_whole {
                    let from = request.from.as_deref().unwrap_or_default();
                    progress.begin("certifying");
                    answer.playbook = Some(playbook(&mut solved, from, answer.constant_sum, budget)?);
                }
                if answer.is_open() {
                    let is_small = matches!(solved.values, Values::Explicit(_));
                    drop(solved);
                    let bounds = match request.bounds || is_small {
                        true => Some(phases.measure(Phase::Search, || bounds(game, budget))?),
                        false => None,
                    };
                    answer.bound(bounds.as_ref(), roles);
                }
                answer
            }
            Err(Unsolved::Simultaneous) if request.bounds && request.from.is_none() => {
                progress.begin("bounding");
                SolveAnswer::of_bounds(&phases.measure(Phase::Search, || bounds(game, budget))?, roles)
            }
            Err(Unsolved::Simultaneous) => return Ok(None),
            Err(Unsolved::Single) => unreachable!("sets of states get all the time there is"),
            Err(Unsolved::Halt(halt)) => return Err(halt),
        };
        answer.prove(request.order, checked_by(request.check_positions, answer.checked));
        Ok(Some(answer))
    }
}
