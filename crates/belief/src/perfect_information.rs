//! Perfect-information pruning, the search that measures best: every attempt is first tested with perfect information.
//!
//! A plan that wins without seeing the state wins with perfect information too. So before an attempt is searched
//! for a belief state, it is tested in the single states as an ordinary game of perfect information, where
//! transpositions are many and a transposition table of states remembers them; one state in which the attempt fails is enough
//! to drop it (Theorem 2 of Russell and Wolfe 2005, with the smallest possible subset). What passes is searched greedily
//! and legal-first, with a transposition table of belief states, under iterative deepening. The last step is not searched at all: the attempts that win at
//! once in each state are enough to build the row of attempts, or to see that there is none.

use std::num::NonZeroU16;
use std::rc::Rc;

use counterplay_base::{Budget, Limit};
use rustc_hash::FxHashMap;

use crate::algorithm::{PlanOf, RepliesOf};
use crate::belief::{make_set, runs};
use crate::dominance::Dominance;
use crate::effort::{Effort, Meter};
use crate::plan::Plan;
use crate::world::{After, HiddenWorld};

type Cases<W> = Vec<(<W as HiddenWorld>::Percept, RepliesOf<W>)>;

/// What is known about one state seen with perfect information.
#[derive(Clone, Copy, Default)]
struct StateBounds {
    /// The least number of steps within which it is won; `None` if no win is known.
    won: Option<NonZeroU16>,
    /// It is not won within so many steps; zero if nothing is known.
    lost: u16,
}

impl StateBounds {
    fn is_won_within(self, depth: usize) -> bool {
        self.won.is_some_and(|won| usize::from(won.get()) <= depth)
    }

    fn note(&mut self, depth: usize, wins: bool) {
        if wins {
            let depth = NonZeroU16::new(depth as u16);
            self.won = self.won.min(depth).or(depth);
        } else {
            self.lost = self.lost.max(depth as u16);
        }
    }
}

/// Searches one belief state.
pub(crate) struct PerfectInformationSearch<'a, W: HiddenWorld> {
    world: &'a W,
    meter: Meter<'a>,
    /// States in which the solver is to act.
    own_turns: FxHashMap<u64, StateBounds>,
    /// States in which the other side is to act.
    opponent_turns: FxHashMap<u64, StateBounds>,
    beliefs: Dominance<PlanOf<W>>,
    /// For each number of steps the attempts that won last with perfect information, the latest first.
    killers: Vec<[Option<W::Attempt>; 2]>,
    attempts: Pool<W::Attempt>,
    states: Pool<After<W::State, W::Percept>>,
    observed: Pool<(W::Percept, W::State)>,
}

/// Vectors that are used again.
struct Pool<T>(Vec<Vec<T>>);

impl<T> Pool<T> {
    fn take(&mut self) -> Vec<T> {
        self.0.pop().unwrap_or_default()
    }

    fn give(&mut self, mut list: Vec<T>) {
        list.clear();
        self.0.push(list);
    }
}

/// Looks for a plan that wins within `depth` steps in every one of `states`.
pub(crate) fn search<W: HiddenWorld>(
    world: &W,
    states: &[W::State],
    depth: usize,
    budget: &Budget,
) -> (Result<Option<PlanOf<W>>, Limit>, Effort) {
    let mut search = PerfectInformationSearch {
        world,
        meter: Meter::new(budget),
        own_turns: FxHashMap::default(),
        opponent_turns: FxHashMap::default(),
        beliefs: Dominance::new(),
        killers: vec![[None; 2]; depth + 1],
        attempts: Pool(Vec::new()),
        states: Pool(Vec::new()),
        observed: Pool(Vec::new()),
    };
    let mut belief = states.to_vec();
    make_set(world, &mut belief);
    // A shorter win is found first: it is cheap to look for, and the tables it fills are of use later.
    let mut found = Ok(None);
    for within in (1..=depth).step_by(2) {
        found = search.solve(belief.clone(), within);
        if !matches!(found, Ok(None)) {
            break;
        }
    }
    (found, search.meter.effort)
}

impl<W: HiddenWorld> PerfectInformationSearch<'_, W> {
    /// A plan for a canonical set of states, if there is one.
    fn solve(&mut self, mut belief: Vec<W::State>, depth: usize) -> Result<Option<PlanOf<W>>, Limit> {
        self.meter.node()?;
        if depth <= 1 {
            return self.last(&belief);
        }
        for state in &belief {
            if self.own_turn(state).lost as usize >= depth {
                return Ok(None);
            }
        }
        let keys: Box<[u64]> = belief.iter().map(|state| self.world.key(state)).collect();
        if let Some(known) = self.beliefs.look_up(&keys, depth) {
            return Ok(known);
        }
        let found = match self.last(&belief)? {
            Some(plan) => Some(plan),
            None => self.choose(&mut belief, depth)?,
        };
        if self.beliefs.may_grow(&mut self.meter) {
            match &found {
                Some(plan) => self.beliefs.note_won(keys, depth, plan.clone()),
                None => self.beliefs.note_lost(keys, depth),
            }
        }
        Ok(found)
    }

    /// What wins at once in every state, one attempt after the other. Greedy is complete: an attempt that wins
    /// wherever it is not rejected leaves fewer states, which is never worse.
    fn last(&mut self, belief: &[W::State]) -> Result<Option<PlanOf<W>>, Limit> {
        let mut wins = self.attempts.take();
        let mut ends: Vec<usize> = Vec::new();
        for state in belief {
            self.meter.step()?;
            let before = wins.len();
            self.meter.effort.states += self.world.winning(state, &mut wins);
            if wins.len() == before {
                self.attempts.give(wins);
                return Ok(None);
            }
            ends.push(wins.len());
        }
        let mut left: Vec<usize> = (0..belief.len()).collect();
        let mut row = Vec::new();
        while !left.is_empty() {
            let wins_in = |i: usize| &wins[if i == 0 { 0 } else { ends[i - 1] }..ends[i]];
            let rejected = |attempt, i: &usize| {
                !wins_in(*i).contains(&attempt) && !self.world.is_feasible(&belief[*i], attempt)
            };
            let good =
                left.iter().flat_map(|&i| wins_in(i)).copied().find(|&attempt| {
                    left.iter().all(|i| wins_in(*i).contains(&attempt) || rejected(attempt, i))
                });
            let Some(attempt) = good else { break };
            row.push(attempt);
            left.retain(|i| rejected(attempt, i));
        }
        self.attempts.give(wins);
        Ok(if left.is_empty() { Plan::row(&row) } else { None })
    }

    /// Tries one attempt after the other on a belief state that is not won at once.
    fn choose(&mut self, belief: &mut Vec<W::State>, depth: usize) -> Result<Option<PlanOf<W>>, Limit> {
        let mut pairs: Vec<(W::Attempt, u32)> = Vec::new();
        let mut feasible = self.attempts.take();
        for (i, state) in belief.iter().enumerate() {
            feasible.clear();
            self.world.feasible(state, &mut feasible);
            pairs.extend(feasible.iter().map(|&attempt| (attempt, i as u32)));
        }
        self.attempts.give(feasible);
        if belief.len() > 1 {
            pairs.sort_unstable();
        }
        // The state that refuted an attempt is asked first about the next one.
        let mut refuter = None;
        for (attempt, run) in runs(&pairs) {
            let mut observed = self.observed.take();
            let asked = run.iter().filter(|(_, i)| Some(*i) == refuter);
            let others = run.iter().filter(|(_, i)| Some(*i) != refuter);
            let mut passes = true;
            for &(_, i) in asked.chain(others) {
                if !self.passes_in_state(&belief[i as usize], attempt, depth, &mut observed)? {
                    refuter = Some(i);
                    passes = false;
                    break;
                }
            }
            let after = if passes { self.carry_out(&mut observed, depth)? } else { None };
            self.observed.give(observed);
            let Some(after) = after else { continue };
            if run.len() == belief.len() {
                return Ok(Some(Rc::new(Plan { attempt, rejected: None, after })));
            }
            let mut accepted = run.iter().map(|(_, i)| *i as usize).peekable();
            let mut index = 0;
            let mut rest = std::mem::take(belief);
            rest.retain(|_| {
                let keep = accepted.next_if_eq(&index).is_none();
                index += 1;
                keep
            });
            let rejected = self.solve(rest, depth)?;
            return Ok(rejected.map(|plan| Rc::new(Plan { attempt, rejected: Some(plan), after })));
        }
        Ok(None)
    }

    /// Whether an attempt wins in one state with perfect information; notes the state that it leads to.
    fn passes_in_state(
        &mut self,
        state: &W::State,
        attempt: W::Attempt,
        depth: usize,
        observed: &mut Vec<(W::Percept, W::State)>,
    ) -> Result<bool, Limit> {
        self.meter.effort.states += 1;
        match self.world.act(state, attempt) {
            After::Won => Ok(true),
            After::Lost => Ok(false),
            After::Open(percept, next) => {
                let holds = self.wins_on_opponents_turn(&next, depth - 1)?;
                observed.push((percept, next));
                Ok(holds)
            }
        }
    }

    /// The plans after an accepted attempt: for each percept all replies together, for each percept of these a plan.
    fn carry_out(
        &mut self,
        observed: &mut [(W::Percept, W::State)],
        depth: usize,
    ) -> Result<Option<Cases<W>>, Limit> {
        observed.sort_unstable_by_key(|(percept, _)| *percept);
        let mut after = Vec::new();
        for (percept, run) in runs(observed) {
            self.meter.node()?;
            let mut all = self.observed.take();
            let mut replies = self.states.take();
            for (_, state) in run {
                self.world.replies(state, &mut replies);
                self.meter.effort.states += replies.len() as u64;
                for reply in replies.drain(..) {
                    // Lost replies were seen when the attempt was tested.
                    if let After::Open(percept, state) = reply {
                        all.push((percept, state));
                    }
                }
            }
            self.states.give(replies);
            all.sort_unstable_by_key(|(percept, state)| (*percept, self.world.key(state)));
            all.dedup();
            let mut plans = Vec::new();
            // Large sets fail more often than small ones, so they come first.
            let mut groups: Vec<_> = runs(&all).collect();
            groups.sort_by_key(|(_, run)| std::cmp::Reverse(run.len()));
            for (percept, group) in groups {
                let belief = group.iter().map(|(_, state)| state.clone()).collect();
                match self.solve(belief, depth - 2)? {
                    Some(plan) => plans.push((percept, plan)),
                    None => {
                        self.observed.give(all);
                        return Ok(None);
                    }
                }
            }
            self.observed.give(all);
            after.push((percept, plans));
        }
        Ok(Some(after))
    }

    fn own_turn(&self, state: &W::State) -> StateBounds {
        self.own_turns.get(&self.world.key(state)).copied().unwrap_or_default()
    }

    fn note_own_turn(&mut self, state: &W::State, depth: usize, wins: bool) {
        let key = self.world.key(state);
        if self.meter.may_grow(&self.own_turns) {
            self.own_turns.entry(key).or_default().note(depth, wins);
        } else if let Some(known) = self.own_turns.get_mut(&key) {
            known.note(depth, wins);
        }
    }

    /// Whether the solver, seeing everything, wins from a state in which it is to act.
    fn wins_on_own_turn(&mut self, state: &W::State, depth: usize) -> Result<bool, Limit> {
        self.meter.step()?;
        let known = self.own_turn(state);
        if known.is_won_within(depth) {
            return Ok(true);
        }
        if known.lost as usize >= depth {
            return Ok(false);
        }
        if known.lost == 0 {
            let mut built = 0;
            let wins = self.world.can_win(state, &mut built);
            self.meter.effort.states += built;
            self.note_own_turn(state, 1, wins);
            if wins || depth <= 1 {
                return Ok(wins);
            }
        }
        let mut feasible = self.attempts.take();
        self.world.feasible(state, &mut feasible);
        self.killers_first(&mut feasible, depth);
        let mut wins = false;
        for &attempt in &feasible {
            self.meter.effort.states += 1;
            if let After::Open(_, next) = self.world.act(state, attempt)
                && self.wins_on_opponents_turn(&next, depth - 1)?
            {
                wins = true;
                self.note_killer(attempt, depth);
                break;
            }
        }
        self.attempts.give(feasible);
        self.note_own_turn(state, depth, wins);
        Ok(wins)
    }

    /// What won in the last states comes first: it often wins here too.
    fn killers_first(&self, feasible: &mut [W::Attempt], depth: usize) {
        for killer in self.killers[depth].iter().rev().flatten() {
            if let Some(place) = feasible.iter().position(|attempt| attempt == killer) {
                feasible[..=place].rotate_right(1);
            }
        }
    }

    fn note_killer(&mut self, attempt: W::Attempt, depth: usize) {
        let [first, second] = &mut self.killers[depth];
        if *first != Some(attempt) {
            *second = first.replace(attempt);
        }
    }

    /// Whether the solver, seeing everything, wins from a state in which the other side is to act.
    fn wins_on_opponents_turn(&mut self, state: &W::State, depth: usize) -> Result<bool, Limit> {
        let known = self.opponent_turns.get(&self.world.key(state)).copied().unwrap_or_default();
        if known.is_won_within(depth) {
            return Ok(true);
        }
        if known.lost as usize >= depth {
            return Ok(false);
        }
        let mut replies = self.states.take();
        self.world.replies(state, &mut replies);
        self.meter.effort.states += replies.len() as u64;
        // A reply that is known to save the other side needs no search; it may come late in the list.
        let saves = |reply: &After<W::State, W::Percept>| match reply {
            After::Won => false,
            After::Lost => true,
            After::Open(_, next) => depth > 2 && self.own_turn(next).lost as usize + 1 >= depth,
        };
        let mut wins = !replies.is_empty() && !replies.iter().any(saves);
        for reply in if wins { &replies[..] } else { &[] } {
            if let After::Open(_, next) = reply
                && !self.wins_on_own_turn(next, depth - 1)?
            {
                wins = false;
                break;
            }
        }
        self.states.give(replies);
        let key = self.world.key(state);
        if self.meter.may_grow(&self.opponent_turns) {
            self.opponent_turns.entry(key).or_default().note(depth, wins);
        } else if let Some(known) = self.opponent_turns.get_mut(&key) {
            known.note(depth, wins);
        }
        Ok(wins)
    }
}
