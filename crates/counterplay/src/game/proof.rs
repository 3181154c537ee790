//! The value of one position, proved without solving the game.
//!
//! The proof search ([`counterplay_ggp::proof`]) decides which reward the first role can make sure of and can be held to. Its proofs become
//! strategy files, which are followed by the plain reading of the rules against every reply: that is the check.

use std::collections::HashMap;
use std::time::Duration;

use counterplay_base::{Evidence, Number, Verdict};
use counterplay_check::Rulebook;
use counterplay_gdl::interpret::{State, TermId};
use counterplay_ggp::proof::{Proof, Proved, Prover, Refusal, Side};
use counterplay_ground::game::{FluentId, symmetries};

use super::answer::{GameVerdict, Position, RoleBound, SolveAnswer, whole};
use super::grounding::prove;
use super::playbook::{check_strategy_text, fluents};
use super::position::{Reached, SolvedGame};
use super::request::Engine;
use super::solving::Inquiry;
use crate::effort::{Phase, Phases};
use crate::error::{Error, Halt};
use crate::figures::grouped;

/// Symmetries that are used at most.
const MOST_SYMMETRIES: usize = 48;
/// Strategies that lead to more positions are not written unless a file is wanted.
const MOST_CHECKED: usize = 200_000;
/// Positions of a strategy that is wanted as a file.
const MOST_WRITTEN: usize = 10_000_000;
/// The check takes so long at most.
const LONGEST_CHECK: Duration = Duration::from_secs(60);

impl Inquiry<'_> {
    /// Proves the value of the position after `from`, or of the first one.
    pub(super) fn by_proof(&self, phases: &mut Phases) -> Result<SolveAnswer, Halt> {
        let Inquiry { rules, game, request, budget, progress, .. } = *self;
        let mut book = SolvedGame::new(&rules.rules, game, (), budget)?;
        let start = book.follow(request.from.as_deref().unwrap_or_default())?;
        let unknown =
            || Error::Internal { message: "a position has fluents that the ground rules do not".to_owned() };
        let from = book.ground_fluents(&start.state).ok_or_else(unknown)?;
        let structure = phases.measure(Phase::Search, || prove(game, budget))?;
        let group = phases.measure(Phase::Search, || symmetries(game, &[], MOST_SYMMETRIES, budget))?;
        let mut prover = Prover::new(game, &structure, &group, budget).map_err(|own| refused(&own))?;
        let proved = match phases.measure(Phase::Search, || prover.prove(&from, progress)) {
            Ok(Verdict::Solved(proved)) => proved,
            Ok(Verdict::Stopped(limit)) => return Err(limit.into()),
            Ok(Verdict::Unsolvable) => unreachable!("a position without a value has bounds"),
            Err(refusal) => return Err(refused(&refusal).into()),
        };
        let value = (proved.least == proved.most).then(|| prover.rewards(proved.least));
        let mut answer = SolveAnswer {
            symmetries: group.len(),
            constant_sum: game.roles.len() == 2,
            proof: Some(ProofFigures { positions: prover.positions(), expanded: prover.expanded() }),
            ..SolveAnswer::new(Engine::Proof, value.as_deref().map(whole), Vec::new())
        };
        let roles = game.roles.as_slice();
        let Some(value) = value else {
            answer.leave_open(proved, roles);
            return Ok(answer);
        };
        if request.from.is_some() {
            answer.position = Some(Position {
                moves: start.joint_moves.clone(),
                over: book.is_over(&start.state)?,
                value: Some(whole(&value)),
                value_exact: None,
                choices: Vec::new(),
            });
        }
        let mut checked_by = None;
        if request.check || request.playbook {
            progress.begin("certifying");
            let most = if request.playbook { MOST_WRITTEN } else { MOST_CHECKED };
            let mut writer = Writer { book: &mut book, prover: &prover, start: &start, root: from, most };
            let text = phases.measure(Phase::Check, || writer.write(value[0]))?;
            if let Some((text, positions)) = text.as_ref().filter(|_| request.check)
                && phases.measure(Phase::Check, || self.confirms(text, value[0]))?
            {
                answer.checked = *positions;
                let count = grouped(*positions as u128);
                checked_by = Some(format!(
                    "the interpreter of the rules: strategies against every reply, {count} positions"
                ));
            }
            if request.playbook {
                let why = || format!("it would lead to more than {most} positions");
                answer.playbook = Some(text.map(|(text, _)| text).ok_or_else(why));
            }
        }
        answer.prove(request.order, checked_by);
        if let (2, None, Evidence::Proved { within, .. }) =
            (game.roles.len(), structure.constant_sum, &mut answer.evidence)
        {
            let sum: u32 = value.iter().sum();
            let assumed = format!("rewards whose sum is {sum} at every end, as at all that were met");
            *within = Some(within.take().map_or(assumed.clone(), |own| format!("{own}; and {assumed}")));
        }
        Ok(answer)
    }

    /// Whether a strategy file proves a value by the rules alone; false if that takes too long.
    fn confirms(&self, text: &str, value: u32) -> Result<bool, Halt> {
        let budget = self.budget.slice(LONGEST_CHECK);
        let validity = match check_strategy_text(self.rules, text, &budget) {
            Ok(validity) => validity,
            Err(Halt::Limit(_)) => return Ok(false),
            Err(other) => return Err(other),
        };
        // What the least and the greatest reward of the rules make sure of needs no strategy.
        let is_meant = |own: &super::SureReward| {
            own.at_least.is_none_or(|least| least == value) && own.at_most.is_none_or(|most| most == value)
        };
        match validity.valid && !validity.rewards.is_empty() && validity.rewards.iter().all(is_meant) {
            true => Ok(true),
            false => {
                let why = validity.why.unwrap_or_else(|| "it proves another value".to_owned());
                Err(Error::Internal { message: format!("the proof is refused: {why}") }.into())
            }
        }
    }
}

/// What a proof took.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProofFigures {
    /// Positions that were met; symmetric ones are one.
    pub positions: usize,
    /// Positions whose moves were looked at.
    pub expanded: u64,
}

impl SolveAnswer {
    /// Says that a position is not decided, but what is proved.
    fn leave_open(&mut self, proved: Proved, roles: &[String]) {
        self.verdict = GameVerdict::Stopped;
        // What is not decided rests on play without an end: the second role's bounds follow from a sum that such play has not.
        let first =
            RoleBound { role: roles[0].clone(), lower: proved.least.into(), upper: proved.most.into() };
        self.bounds = Some(vec![first]);
        self.evidence = Evidence::Bounded {
            engine: self.engine.to_owned(),
            lower: Some(Number(f64::from(proved.least))),
            upper: Some(Number(f64::from(proved.most))),
        };
    }
}

fn refused(refusal: &Refusal) -> Error {
    let help = match refusal {
        Refusal::Simultaneous(_) => "`engine auto` finds mixed strategies",
        Refusal::Roles(_) | Refusal::Chance | Refusal::Sum => "`engine auto` chooses one that can solve it",
    };
    Error::request(&refusal.to_string(), help)
}

/// Writes the two strategies of a proof.
struct Writer<'w, 'g, 'b> {
    book: &'w mut SolvedGame<()>,
    prover: &'w Prover<'g, 'b>,
    start: &'w Reached,
    /// The fluents of that position.
    root: Vec<FluentId>,
    most: usize,
}

impl Writer<'_, '_, '_> {
    /// The file, and how many positions its strategies lead to; `None` if there are too many.
    fn write(&mut self, value: u32) -> Result<Option<(String, usize)>, Halt> {
        let mut text = String::from("counterplay strategy 1\n");
        for own in &self.start.joint_moves {
            text += &format!("after {}\n", own.join(" ").to_lowercase());
        }
        let role = self.book.interpreter().roles()[0];
        let role = self.book.display(role).to_lowercase();
        let mut positions = 0;
        for side in [Side::AtLeast(value), Side::AtMost(value)] {
            let prover = self.prover;
            let Some(proof) = prover.proof(side, &self.root) else { continue };
            let bound = match side {
                Side::AtLeast(_) => "at-least",
                Side::AtMost(_) => "at-most",
            };
            text += &format!("role {role} {bound} {value}\n");
            match self.part(side, &proof, &mut text)? {
                Some(count) => positions += count,
                None => return Ok(None),
            }
        }
        text += "end\n";
        Ok(Some((text, positions)))
    }

    /// One strategy: in each position the move whose result was settled first, so that none comes back.
    fn part(
        &mut self,
        side: Side,
        proof: &Proof<'_, '_, '_>,
        text: &mut String,
    ) -> Result<Option<usize>, Halt> {
        let mut known: HashMap<State, ()> = HashMap::new();
        let mut open = vec![self.start.state.clone()];
        while let Some(state) = open.pop() {
            if known.insert(state.clone(), ()).is_some() {
                continue;
            }
            if known.len() > self.most {
                return Ok(None);
            }
            let mut legal: Vec<Vec<TermId>> = Vec::new();
            for role in 0..self.book.roles() {
                legal.push(self.book.moves(&state, role)?);
            }
            if self.book.is_over(&state)? || legal.iter().any(Vec::is_empty) {
                continue;
            }
            let mover = (0..legal.len()).find(|&role| legal[role].len() > 1).unwrap_or(0);
            let mut next = Vec::new();
            for &own in &legal[mover] {
                let joint = |role: usize| if role == mover { own } else { legal[role][0] };
                let joint: Vec<TermId> = (0..legal.len()).map(joint).collect();
                next.push((own, self.book.next(&state, &joint)?));
            }
            let is_bound = match side {
                Side::AtLeast(_) => mover == 0,
                Side::AtMost(_) => mover != 0,
            };
            if !is_bound {
                open.extend(next.into_iter().map(|(_, state)| state));
                continue;
            }
            let mut best: Option<(u32, TermId, State)> = None;
            for (own, after) in next {
                let after_fluents = self.book.ground_fluents(&after);
                let Some(settled) = after_fluents.and_then(|own| proof.settled(&own)) else { continue };
                if best.as_ref().is_none_or(|(least, ..)| settled < *least) {
                    best = Some((settled, own, after));
                }
            }
            let Some((_, own, after)) = best else {
                return Err(
                    Error::Internal { message: "a proved position has no proved move".to_owned() }.into()
                );
            };
            if legal[mover].len() > 1 {
                let own = self.book.display(own).to_lowercase();
                // At most: one move for each of the others, of which there is one.
                *text += &format!("play {own} : {}\n", fluents(self.book.interpreter(), &state).join(" "));
            }
            open.push(after);
        }
        Ok(Some(known.len()))
    }
}
