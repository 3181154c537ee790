//! Solving games with hidden moves (GDL-II).

use std::time::Duration;

use counterplay_base::{Budget, Evidence, Id, Number};
use counterplay_check::{Experience, HiddenClaim, Response, ResponseFlaw, Rulebook, best_response};
use counterplay_equilibrium::Rational;
use counterplay_gdl::interpret::{State, TermId};
use counterplay_ggp::explicit::Order;
use counterplay_ggp::hidden::{self, Guarantee, HiddenGame, Settings, figures};
use counterplay_ggp::mixed::Concept;
use serde::Serialize;

use super::answer::{Choice, Position, RoleBound, SolveAnswer};
use super::exact::Exact;
use super::position::{NoAnswer, SolvedGame};
use super::request::Engine;
use super::solving::Inquiry;
use crate::effort::{Phase, Phases};
use crate::error::{Error, Halt};

/// Histories of a game that are unrolled at most.
const MOST_HISTORIES: usize = 2_000_000;
/// Information sets that an answer writes out at most.
const MOST_WRITTEN: usize = 1000;
/// Best responses by the interpreter are looked for so long, unless everything is to be checked.
const LONGEST_RESPONSE: Duration = Duration::from_secs(5);

/// What is special about a game with hidden moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HiddenFigures {
    /// Histories that differ in the state or in what some role knows.
    pub histories: usize,
    /// Information sets at which a role has a choice, for each role but chance.
    pub infosets: Vec<usize>,
    /// How it was solved: `sequence form`, `regret matching` or `best response to chance`.
    pub method: &'static str,
    /// What the two roles could gain on average by best responses to the strategies found; 0 for exact solutions, null for
    /// one role.
    pub exploitability: Option<Exact>,
    /// The same as a fraction.
    pub exploitability_exact: Option<String>,
}

/// What a role does where it cannot tell some histories apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InformationSet {
    pub role: String,
    /// What it did and what it perceived of it, round by round.
    pub knows: Vec<KnownRound>,
    pub mixture: Vec<Lot>,
}

/// A round as a role knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnownRound {
    #[serde(rename = "move")]
    pub own: String,
    pub sees: Vec<String>,
}

/// A move and how often it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lot {
    #[serde(rename = "move")]
    pub own: String,
    pub probability: Exact,
    pub exact: String,
}

/// Strategies of a solved game: those of one guarantee at a time.
struct Strategies {
    game: HiddenGame,
    guarantees: Vec<Guarantee>,
    /// The guarantee whose plans are looked at.
    current: usize,
    chance: Option<usize>,
    budget: Budget,
}

impl Strategies {
    /// The number of a role among the players.
    fn player(&self, role: usize) -> Option<usize> {
        self.game.players.iter().position(|own| own.index() == role)
    }
}

impl HiddenClaim for SolvedGame<Strategies> {
    fn chance(&self) -> Option<usize> {
        self.values.chance
    }

    fn percepts(&mut self, state: &State, moves: &[TermId], role: usize) -> Result<Vec<String>, NoAnswer> {
        let budget = self.values.budget.clone();
        let percepts = self.interpreter().percepts(state, moves, role, &budget)?;
        Ok(percepts.into_iter().map(|percept| self.display(percept).to_lowercase()).collect())
    }

    fn name(&self, own: &TermId) -> String {
        self.display(*own).to_lowercase()
    }

    fn draw(
        &mut self,
        role: usize,
        past: &[Experience],
        legal: &[String],
    ) -> Result<Option<Vec<Rational>>, NoAnswer> {
        let Some(player) = self.values.player(role) else { return Ok(None) };
        let past = with_legal_moves(past, legal);
        let plan = &self.values.guarantees[self.values.current].plans[player];
        Ok(self.values.game.mixture(plan, player, &past, legal))
    }
}

/// Experiences with the legal moves after each; `legal` are those after the last.
fn with_legal_moves(past: &[Experience], legal: &[String]) -> Vec<(hidden::Experience, Vec<String>)> {
    let after = past.iter().skip(1).map(|own| &own.legal[..]).chain([legal]);
    let pairs = past.iter().zip(after);
    pairs.map(|(own, after)| ((own.own.clone(), own.percepts.clone()), after.to_vec())).collect()
}

impl Inquiry<'_> {
    /// Solves a game with hidden moves.
    pub(super) fn hidden(&self, phases: &mut Phases) -> Result<SolveAnswer, Halt> {
        let Inquiry { rules, game, request, budget, progress, .. } = *self;
        self.refuse_for_hidden()?;
        let roles = game.roles.as_slice();
        let (figures, solution) = phases.measure(Phase::Search, || -> Result<_, Halt> {
            let figures = figures(game, u32::MAX as usize, budget)?;
            if figures.endless > 0 {
                let message =
                    "play can go on for ever, and a game with hidden moves is solved only if it always ends";
                return Err(Error::Request { message: message.to_owned(), help: None }.into());
            }
            let unrolled = HiddenGame::unroll(game, MOST_HISTORIES, budget)?;
            Ok((figures, hidden::solve(unrolled, Settings::default(), budget)?))
        })?;
        let solution =
            solution.map_err(|refusal| Error::Request { message: refusal.to_string(), help: None })?;
        let mut answer = SolveAnswer::of_hidden(&figures, &solution, game);
        let chance = game.chance.map(Id::index);
        let hidden::Solution { game: unrolled, guarantees, .. } = solution;
        let is_written = unrolled.infosets().iter().sum::<usize>() <= MOST_WRITTEN;
        answer.strategy = is_written.then(|| self.strategy(&unrolled, &guarantees));
        let values = Strategies { game: unrolled, guarantees, current: 0, chance, budget: budget.clone() };
        let mut solved = SolvedGame::new(&rules.rules, game, values, budget)?;
        let mut checked_by = None;
        if request.check {
            progress.begin("checking");
            let limited = match request.check_positions {
                None => budget.clone(),
                Some(_) => budget.slice(LONGEST_RESPONSE),
            };
            answer.checked = phases.measure(Phase::Check, || check(&mut solved, &limited))?;
            checked_by = (answer.checked > 0).then(|| {
                format!(
                    "the interpreter of the rules: best responses against each strategy, {} positions",
                    answer.checked
                )
            });
        }
        if let Some(moves) = &request.from {
            answer.position = Some(position(&mut solved, moves, roles)?);
        }
        answer.conclude(&solved.values, request.solution, checked_by, roles);
        Ok(answer)
    }

    /// Refuses what games with hidden moves do not have.
    fn refuse_for_hidden(&self) -> Result<(), Error> {
        let request = self.request;
        let what = match request.engine {
            Engine::Symbolic | Engine::Layered => Some(format!("engine {}", request.engine.name())),
            _ if request.bounds => Some("bounds".to_owned()),
            _ if request.order == Order::Difference => Some("order difference".to_owned()),
            _ if request.solution == Concept::Nash => Some("solution nash".to_owned()),
            _ => None,
        };
        match what {
            None => Ok(()),
            Some(what) => {
                let message =
                    format!("`{what}` is for games without hidden moves, and `sees` hides some here");
                Err(Error::Request { message, help: None })
            }
        }
    }

    /// The strategies of all players, written out.
    fn strategy(&self, unrolled: &HiddenGame, guarantees: &[Guarantee]) -> Vec<InformationSet> {
        let mut written = Vec::new();
        for (player, role) in unrolled.players.iter().enumerate() {
            let plan = &guarantees[player].plans[player];
            for set in unrolled.strategy(self.game, plan, player) {
                let round = |(own, sees): (String, Vec<String>)| KnownRound { own, sees };
                let lot = |(own, weight): (String, Rational)| Lot {
                    own,
                    exact: weight.to_string(),
                    probability: Exact(weight),
                };
                written.push(InformationSet {
                    role: self.game.roles[*role].clone(),
                    knows: set.past.into_iter().map(round).collect(),
                    mixture: set.mixture.into_iter().map(lot).collect(),
                });
            }
        }
        written
    }
}

/// Confirms each guarantee by best responses; returns how many positions were looked at, none if a limit came first.
fn check(solved: &mut SolvedGame<Strategies>, budget: &Budget) -> Result<usize, Halt> {
    let mut positions = 0;
    for current in 0..solved.values.guarantees.len() {
        solved.values.current = current;
        let role = solved.values.game.players[current].index();
        let other = solved.values.game.players.iter().copied().map(Id::index).find(|&other| other != role);
        let Guarantee { lower, upper, .. } = solved.values.guarantees[current].clone();
        // Held to its own strategy it gets no less, and against the strategy of the other no more.
        let questions = [
            (Response { responder: other, reward_of: role, wants_least: true }, lower),
            (Response { responder: Some(role), reward_of: role, wants_least: false }, upper),
        ];
        for (response, claimed) in questions {
            match best_response(solved, response, budget) {
                Ok(found) if found.value == claimed => positions += found.positions,
                Ok(found) => {
                    let message = format!("role {role} gets {} instead of {claimed}", found.value);
                    return Err(Error::Internal { message }.into());
                }
                Err(ResponseFlaw::Stopped(_) | ResponseFlaw::Trouble(NoAnswer::Rules(_))) => return Ok(0),
                Err(ResponseFlaw::Trouble(trouble)) => return Err(trouble.into()),
                Err(ResponseFlaw::Strategy { role, .. }) => {
                    let message = format!("the strategy of role {role} does not say what it does");
                    return Err(Error::Internal { message }.into());
                }
            }
        }
    }
    Ok(positions)
}

/// How the roles draw their moves in a position.
fn position(solved: &mut SolvedGame<Strategies>, moves: &str, roles: &[String]) -> Result<Position, Halt> {
    let reached = solved.follow(moves)?;
    let mut state = solved.initial().map_err(Halt::from)?;
    let mut pasts: Vec<Vec<Experience>> = vec![Vec::new(); roles.len()];
    for names in &reached.joint_moves {
        let mut joint = Vec::new();
        let mut legal = Vec::new();
        for (role, name) in names.iter().enumerate() {
            let own = solved.moves(&state, role).map_err(Halt::from)?;
            joint.extend(own.iter().copied().find(|&own| solved.display(own) == *name));
            legal.push(own.iter().map(|own| solved.name(own)).collect::<Vec<String>>());
        }
        for (role, (past, legal)) in pasts.iter_mut().zip(legal).enumerate() {
            let percepts = solved.percepts(&state, &joint, role).map_err(Halt::from)?;
            past.push(Experience { own: solved.name(&joint[role]), percepts, legal });
        }
        state = solved.next(&state, &joint).map_err(Halt::from)?;
    }
    let over = solved.is_over(&state).map_err(Halt::from)?;
    let rewards = solved.rewards(&state).map_err(Halt::from)?;
    let value = over.then(|| rewards.into_iter().map(Exact::from).collect());
    let mut found =
        Position { moves: reached.joint_moves, over, value, value_exact: None, choices: Vec::new() };
    if over {
        return Ok(found);
    }
    for (role, name) in roles.iter().enumerate() {
        let legal = solved.moves(&state, role).map_err(Halt::from)?;
        let names: Vec<String> = legal.iter().map(|own| solved.name(own)).collect();
        let mixture = match solved.values.player(role) {
            Some(player) => {
                solved.values.current = player;
                let past = with_legal_moves(&pasts[role], &names);
                let Strategies { game, guarantees, .. } = &solved.values;
                match game.comes_to(&guarantees[player].plans[player], player, &past) {
                    true => solved.draw(role, &pasts[role], &names).map_err(Halt::from)?,
                    // Its strategy never comes here and says nothing about it.
                    false => None,
                }
            }
            None => Some(vec![Rational::new(1.into(), legal.len().into()); legal.len()]),
        };
        for (at, own) in legal.iter().enumerate().filter(|_| legal.len() > 1) {
            let weight = mixture.as_ref().map(|mixture| mixture[at].clone());
            let is_drawn = weight.as_ref().is_some_and(|weight| *weight > Rational::from_integer(0.into()));
            found.choices.push(Choice {
                role: name.clone(),
                own: solved.display(*own),
                value: None,
                optimal: is_drawn && solved.values.player(role).is_some(),
                probability_exact: weight.as_ref().map(ToString::to_string),
                probability: weight.map(Exact),
            });
        }
    }
    Ok(found)
}

impl SolveAnswer {
    fn of_hidden(
        figures: &hidden::Figures,
        solution: &hidden::Solution,
        game: &counterplay_ground::game::Game,
    ) -> SolveAnswer {
        let unrolled = &solution.game;
        let player = |role: usize| unrolled.players.iter().position(|own| own.index() == role);
        let value = (0..game.roles.len()).map(|role| match player(role) {
            Some(player) => Exact(solution.guarantees[player].lower.clone()),
            None => Exact(solution.chance.clone()),
        });
        let gaps = solution.guarantees.iter().map(|own| &own.upper - &own.lower);
        let exploitability = (unrolled.players.len() == 2)
            .then(|| Exact(gaps.sum::<Rational>() / Rational::from_integer(4.into())));
        SolveAnswer {
            states: figures.layers.iter().sum::<usize>() as u128,
            layers: figures.layers.len(),
            layer_states: figures.layers.iter().map(|&count| count as u128).collect(),
            terminal: figures.terminal as u128,
            simultaneous: figures.simultaneous as u128,
            drawn: figures.drawn as u128,
            stuck: unrolled.stuck as u128,
            odd_rewards: unrolled.odd_rewards as u128,
            constant_sum: unrolled.is_constant_sum(),
            has_chance: game.chance.is_some(),
            legality_informs: unrolled.legality_informs(),
            hidden: Some(HiddenFigures {
                histories: unrolled.histories.iter().sum(),
                infosets: unrolled.infosets(),
                method: solution.method,
                exploitability_exact: exploitability.as_ref().map(ToString::to_string),
                exploitability,
            }),
            ..SolveAnswer::new(Engine::Explicit, Some(value.collect()), Vec::new())
        }
    }

    /// Says what was found: a value, bounds, or what each role can make sure of.
    fn conclude(
        &mut self,
        strategies: &Strategies,
        concept: Concept,
        checked_by: Option<String>,
        roles: &[String],
    ) {
        self.engine = self.hidden.as_ref().map_or(self.engine, |hidden| hidden.method);
        self.solution = concept;
        let is_exact = strategies.guarantees.iter().all(|own| own.lower == own.upper);
        if !is_exact {
            let first = &strategies.guarantees[0];
            let number = |own: &Rational| Some(Number(Exact(own.clone()).to_f64()));
            self.evidence = Evidence::Bounded {
                engine: self.engine.to_owned(),
                lower: number(&first.lower),
                upper: number(&first.upper),
            };
            let players = strategies.game.players.iter().zip(&strategies.guarantees);
            let bound = |(role, own): (&counterplay_ground::game::RoleId, &Guarantee)| RoleBound {
                role: roles[role.index()].clone(),
                lower: Exact(own.lower.clone()),
                upper: Exact(own.upper.clone()),
            };
            self.bounds = Some(players.map(bound).collect());
            self.verdict = super::answer::GameVerdict::Stopped;
            self.value.clear();
            return;
        }
        self.value_exact = Some(Exact::texts(&self.value));
        self.prove(Order::Own, checked_by);
        if concept == Concept::Value && strategies.game.players.len() == 2 && !self.constant_sum {
            self.secure(roles);
        }
    }
}
