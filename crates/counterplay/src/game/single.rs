//! Games of one role as planning problems: the greatest reward, and moves that lead to it.
//!
//! Rewards are asked for from the greatest on: an end with that reward is the goal of a planning task. The first one that can be
//! reached is the value. A task that leaves some rules out is tried first; what it finds is played by the plain reading of the rules,
//! and the task with all rules is solved where that fails. A task without a plan proves that a reward cannot be had.

use std::time::{Duration, Instant};

use counterplay_base::{Budget, Limit, Verdict};
use counterplay_check::Rulebook;
use counterplay_gdl::interpret::{State, TermId};
use counterplay_ground::game::{End, FluentId, Question, Reading, SingleError, Structure, single_task};
use counterplay_plan::{Options, Quality};
use serde::Serialize;

use super::answer::{Position, SolveAnswer};
use super::grounding::prove;
use super::playbook::{check_strategy_text, fluents};
use super::position::SolvedGame;
use super::request::Engine;
use super::solving::Inquiry;
use crate::effort::{Phase, Phases};
use crate::error::{Error, Halt};

/// Moves from a position to an end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Line {
    pub moves: Vec<String>,
    /// Whether it is proved that no play with the same reward has fewer moves.
    pub shortest: bool,
}

/// Once the value is known, a shortest play is looked for so long, and ten times as long as the value took if that is more.
const LONGEST_SHORTENING: Duration = Duration::from_secs(60);

/// A play that was found.
struct Play {
    moves: Vec<String>,
    /// The strategy file that it makes.
    text: String,
    is_stuck: bool,
    /// Whether none with the same reward has fewer moves.
    is_shortest: bool,
}

/// A task that was solved, to be solved once more with fewer moves.
struct Asked<'q> {
    question: Question<'q>,
    structure: &'q Structure,
}

impl Inquiry<'_> {
    /// Solves a game of one role by the planner.
    pub(super) fn by_plan(&self, phases: &mut Phases) -> Result<SolveAnswer, Halt> {
        let started = Instant::now();
        let structure = phases.measure(Phase::Search, || prove(self.game, self.budget))?;
        let mut book = SolvedGame::new(&self.rules.rules, self.game, (), self.budget)?;
        let start = book.follow(self.request.from.as_deref().unwrap_or_default())?;
        let from = book.ground_fluents(&start.state).ok_or_else(|| bug("a position has unknown fluents"))?;
        let mut search =
            Search { inquiry: self, structure: &structure, book, start: start.state, from: &from };
        let mut rewards: Vec<Option<u32>> = self.game.goals.iter().map(|goal| Some(goal.value)).collect();
        rewards.sort_unstable();
        rewards.dedup();
        // An end without a reward is worth nothing.
        rewards.insert(0, None);
        let greatest = rewards.last().copied().flatten().unwrap_or(0);
        let found = phases.measure(Phase::Search, || -> Result<_, Halt> {
            for &reward in rewards.iter().rev() {
                for end in [End::Terminal, End::Stuck] {
                    let asked = search.asked(reward, end);
                    if let Some(play) = search.play(&asked, Quality::Any, self.budget)? {
                        return Ok(Some((reward, asked, play)));
                    }
                }
            }
            Ok(None)
        })?;
        let Some((reward, asked, mut play)) = found else {
            return Ok(SolveAnswer::new(Engine::Plan, None, Vec::new()));
        };
        let value = reward.unwrap_or(0);
        let mut is_checked =
            self.request.check && phases.measure(Phase::Check, || search.check(&play, value))?;
        // `auto` was asked for the value only.
        if !play.is_shortest && self.request.engine == Engine::Plan {
            let budget = self.budget.slice(LONGEST_SHORTENING.max(10 * started.elapsed()));
            match phases.measure(Phase::Search, || search.play(&asked, Quality::Optimal, &budget)) {
                Ok(Some(fewest)) => {
                    play = fewest;
                    is_checked = is_checked && phases.measure(Phase::Check, || search.check(&play, value))?;
                }
                Ok(None) => return Err(bug("a play was found and then none").into()),
                // The value is known; a limit ends the search for fewer moves only.
                Err(Halt::Limit(_)) => {}
                Err(other) => return Err(other),
            }
        }
        let mut answer = SolveAnswer {
            stuck: u128::from(play.is_stuck),
            odd_rewards: u128::from(reward.is_none()),
            ..SolveAnswer::new(Engine::Plan, Some(vec![value.into()]), Vec::new())
        };
        let mut checked_by = format!("the interpreter of the rules: a play of {} moves", play.moves.len());
        if value < greatest {
            checked_by += ", not that there is no better one";
        }
        answer.checked = if is_checked { play.moves.len() } else { 0 };
        answer.prove(self.request.order, is_checked.then_some(checked_by));
        if self.request.from.is_some() {
            answer.position = Some(Position {
                moves: start.joint_moves,
                over: play.moves.is_empty(),
                value: Some(vec![value.into()]),
                value_exact: None,
                choices: Vec::new(),
            });
        }
        if self.request.playbook {
            answer.playbook = Some(Ok(play.text));
        }
        answer.line = Some(Line { shortest: play.is_shortest, moves: play.moves });
        Ok(answer)
    }
}

/// A planner for one game.
struct Search<'s, 'g> {
    inquiry: &'s Inquiry<'g>,
    structure: &'s Structure,
    book: SolvedGame<()>,
    start: State,
    from: &'s [FluentId],
}

impl<'s> Search<'s, '_> {
    fn asked(&self, reward: Option<u32>, end: End) -> Asked<'s> {
        let question = Question { from: self.from, reward, end, reading: Reading::Relaxed };
        Asked { question, structure: self.structure }
    }

    /// A play with a reward; `None` if it is proved that there is none.
    fn play(&mut self, asked: &Asked<'_>, quality: Quality, budget: &Budget) -> Result<Option<Play>, Halt> {
        let Inquiry { game, request, progress, .. } = *self.inquiry;
        for reading in [Reading::Relaxed, Reading::Exact] {
            let question = Question { reading, ..asked.question };
            let task = single_task(game, asked.structure, &question, budget).map_err(refused)?;
            let Some(single) = task else { return Ok(None) };
            let options = Options { quality, seed: request.seed, ..Options::default() };
            let plan = match counterplay_plan::solve(&single.task, &options, budget, progress).verdict {
                Verdict::Solved(plan) => plan,
                Verdict::Unsolvable => return Ok(None),
                Verdict::Stopped(limit) => return Err(limit.into()),
            };
            let made = plan.operators.iter().map_while(|&op| single.moves[op]);
            let names: Vec<String> = made.map(|own| game.moves[own].name.clone()).collect();
            match self.replay(&names, asked.question.reward.unwrap_or(0))? {
                Some(play) => {
                    let is_shortest = quality == Quality::Optimal || single.has_one_length;
                    return Ok(Some(Play { is_shortest, ..play }));
                }
                None if single.is_relaxed => {}
                None => return Err(bug(&format!("the moves {} are no play", names.join(" "))).into()),
            }
        }
        Err(bug("the task with all rules leaves some out").into())
    }

    /// Makes moves by the plain reading of the rules; `None` if that is not possible or does not end with the reward.
    fn replay(&mut self, names: &[String], reward: u32) -> Result<Option<Play>, Halt> {
        let book = &mut self.book;
        let moves = self.inquiry.request.from.as_deref().unwrap_or_default();
        let before = book.follow(moves)?.joint_moves;
        let role = book.interpreter().roles()[0];
        let role = book.display(role).to_lowercase();
        let mut text = String::from("counterplay strategy 1\n");
        before.iter().for_each(|own| text += &format!("after {}\n", own.join(" ").to_lowercase()));
        text += &format!("role {role} at-least {reward}\n");
        let mut state = self.start.clone();
        let mut way: Vec<(State, TermId, bool)> = Vec::new();
        for name in names {
            if book.is_over(&state)? {
                return Ok(None);
            }
            let wanted = name.to_lowercase();
            let legal = book.moves(&state, 0)?;
            let Some(&own) = legal.iter().find(|&&own| book.display(own).to_lowercase() == wanted) else {
                return Ok(None);
            };
            // What leads back to a position is left out.
            if let Some(again) = way.iter().position(|(known, ..)| *known == state) {
                way.truncate(again);
            }
            let next = book.next(&state, &[own])?;
            way.push((state, own, legal.len() > 1));
            state = next;
        }
        let mut moves = Vec::new();
        for (state, own, is_choice) in &way {
            moves.push(book.display(*own));
            if *is_choice {
                let own = book.display(*own).to_lowercase();
                text += &format!("play {own} : {}\n", fluents(book.interpreter(), state).join(" "));
            }
        }
        text += "end\n";
        let is_over = book.is_over(&state)?;
        let is_stuck = !is_over && book.moves(&state, 0)?.is_empty();
        let is_meant = (is_over || is_stuck) && book.rewards(&state)? == [reward];
        Ok(is_meant.then_some(Play { moves, text, is_stuck, is_shortest: false }))
    }

    /// Checks the strategy that a play makes by the rules alone; false if a limit comes first.
    fn check(&self, play: &Play, value: u32) -> Result<bool, Halt> {
        let validity = match check_strategy_text(self.inquiry.rules, &play.text, self.inquiry.budget) {
            Ok(validity) => validity,
            Err(Halt::Limit(_)) => return Ok(false),
            Err(other) => return Err(other),
        };
        match validity.valid && validity.rewards.iter().all(|own| own.at_least == Some(value)) {
            true => Ok(true),
            false => Err(bug(&validity.why.unwrap_or_default()).into()),
        }
    }
}

fn bug(why: &str) -> Error {
    Error::Internal { message: format!("the planner's play is refused: {why}") }
}

/// Why a game is no planning problem.
fn refused(error: SingleError) -> Halt {
    match error {
        SingleError::Stopped(limit) => Halt::Limit(limit),
        other => Error::request(&other.to_string(), "`engine auto` chooses one that can solve it").into(),
    }
}

/// Whether a halt leaves room for another engine.
pub(super) fn is_left_to_others(halt: &Halt) -> bool {
    matches!(
        halt,
        Halt::Limit(Limit::Time(_) | Limit::Nodes(_) | Limit::Bytes(_)) | Halt::Error(Error::Request { .. })
    )
}
