//! The search itself, the same for states and for sets of them.

use std::collections::{BTreeMap, VecDeque};

use counterplay_base::{Budget, Limit, Progress, Report, Verdict};
use counterplay_policy::{Class, Policy};
use counterplay_task::ChoiceId;

use super::instances::{MethodAdvice, Refined};
use super::{Answer, Figures, Sets};
use counterplay_tasknet::network::NetworkId;

/// A part of the policy: what to do in these states, and the task list that said so.
struct Entry<S> {
    set: S,
    choice: ChoiceId,
    network: NetworkId,
}

struct AdviceSearch<'a, 's, 'l, S: Sets> {
    sets: &'s S,
    advice: &'a mut MethodAdvice<'l>,
    class: Class,
    /// For each task list the states in which it fails.
    dead: BTreeMap<NetworkId, S::Set>,
    /// Whether situations are widened; not any more once something failed.
    widens: bool,
    figures: Figures,
}

/// After so many restarts the search gives up.
const RESTARTS: u64 = 1_000;
/// So many tasks may be refined inside each other on the way to one action, and so many in all.
const DEPTH: usize = 1_000;
const REFINEMENTS: usize = 1_000_000;

/// Looks for a policy. `Unsolvable` only means that this search found none.
pub(super) fn run<S: Sets>(
    sets: &S,
    advice: &mut MethodAdvice<'_>,
    class: Class,
    budget: &Budget,
    progress: &dyn Progress,
) -> Answer {
    let mut search = AdviceSearch {
        sets,
        advice,
        class,
        dead: BTreeMap::new(),
        widens: true,
        figures: Figures::default(),
    };
    let found = search.solve(budget, progress);
    let mut figures = search.figures;
    figures.peak = sets.peak();
    let verdict = match found {
        Ok(Some(entries)) => {
            let entries = by_choice(sets, &entries);
            match entries.and_then(|entries| sets.pairs(&entries, budget)) {
                Ok(pairs) => Verdict::Solved(Policy { class, pairs }),
                Err(limit) => Verdict::Stopped(limit),
            }
        }
        Ok(None) => Verdict::Unsolvable,
        Err(limit) => Verdict::Stopped(limit),
    };
    Answer { verdict, figures }
}

/// One set for each action.
fn by_choice<S: Sets>(sets: &S, entries: &[Entry<S::Set>]) -> Result<Vec<(S::Set, ChoiceId)>, Limit> {
    let mut all: BTreeMap<ChoiceId, S::Set> = BTreeMap::new();
    for entry in entries {
        let set = match all.get(&entry.choice) {
            Some(before) => sets.union(before, &entry.set)?,
            None => entry.set.clone(),
        };
        all.insert(entry.choice, set);
    }
    Ok(all.into_iter().map(|(choice, set)| (set, choice)).collect())
}

impl<S: Sets> AdviceSearch<'_, '_, '_, S> {
    /// Tries until nothing fails, or the start does.
    fn solve(
        &mut self,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Entry<S::Set>>>, Limit> {
        loop {
            match self.attempt(budget, progress)? {
                Attempt::Done(entries) => return Ok(Some(entries)),
                Attempt::StartIsDeadEnd => return Ok(None),
                Attempt::DeadEndsFound if self.figures.restarts >= RESTARTS => return Ok(None),
                Attempt::DeadEndsFound => {
                    self.figures.restarts += 1;
                    self.widens = false;
                }
            }
        }
    }

    fn attempt(&mut self, budget: &Budget, progress: &dyn Progress) -> Result<Attempt<S::Set>, Limit> {
        let sets = self.sets;
        let start = sets.without_goal(&sets.initial()?)?;
        let start_network = self.advice.start;
        let mut open: BTreeMap<NetworkId, S::Set> = BTreeMap::new();
        let mut queue: VecDeque<NetworkId> = VecDeque::new();
        let mut answered = sets.none();
        let mut entries: Vec<Entry<S::Set>> = Vec::new();
        if !sets.is_empty(&start) {
            open.insert(start_network, start.clone());
            queue.push_back(start_network);
        }
        while let Some(network) = queue.pop_front() {
            budget.check()?;
            let set = open.remove(&network).expect("each task list of the queue has its states");
            let set = sets.minus(&set, &answered)?;
            if sets.is_empty(&set) {
                continue;
            }
            self.figures.situations += 1;
            if self.figures.situations.is_multiple_of(64) {
                let counts = [("situations", self.figures.situations as f64), ("nodes", sets.peak() as f64)];
                progress.report(Report { phase: "advice", counts: &counts });
            }
            let wide = if self.widens {
                sets.minus(&sets.without_goal(&sets.widened(&set)?)?, &answered)?
            } else {
                set.clone()
            };
            let Some((parts, failed)) = self.decompose(wide, network, budget)? else {
                return Ok(Attempt::StartIsDeadEnd);
            };
            // States that only widening brought in may fail.
            let handled = sets.minus(&set, &failed)?;
            let failed = sets.minus(&set, &handled)?;
            if !sets.is_empty(&failed) {
                self.mark_dead_ends(network, &failed)?;
                let dead_ends = &self.dead[&network];
                let all_dead = network == start_network && {
                    let left = sets.minus(&start, dead_ends)?;
                    sets.is_empty(&left) || !sets.is_empty(&sets.minus(&start, &left)?)
                };
                return Ok(if all_dead { Attempt::StartIsDeadEnd } else { Attempt::DeadEndsFound });
            }
            for (set, choice, rest) in parts {
                let next = sets.without_goal(&sets.image(&set, choice)?)?;
                answered = sets.union(&answered, &set)?;
                entries.push(Entry { set, choice, network });
                let next = sets.minus(&next, &answered)?;
                if sets.is_empty(&next) {
                    continue;
                }
                match open.get(&rest) {
                    Some(before) => {
                        let union = sets.union(before, &next)?;
                        open.insert(rest, union);
                    }
                    None => {
                        open.insert(rest, next);
                        queue.push_back(rest);
                    }
                }
            }
        }
        self.figures.states = sets.count(&answered);
        let bad = self.bad(&entries, &answered, budget)?;
        if sets.is_empty(&bad) {
            return Ok(Attempt::Done(entries));
        }
        if self.widens {
            return Ok(Attempt::DeadEndsFound);
        }
        let mut is_news = false;
        for entry in &entries {
            let good = sets.minus(&entry.set, &bad)?;
            let own = sets.minus(&entry.set, &good)?;
            if !sets.is_empty(&own) {
                is_news |= self.mark_dead_ends(entry.network, &own)?;
            }
        }
        let is_start_dead = match self.dead.get(&start_network) {
            Some(dead) => {
                let left = sets.minus(&start, dead)?;
                !sets.is_empty(&sets.minus(&start, &left)?)
            }
            None => false,
        };
        Ok(if !is_news || is_start_dead { Attempt::StartIsDeadEnd } else { Attempt::DeadEndsFound })
    }

    /// Notes that a task list fails in some states; whether that is news.
    fn mark_dead_ends(&mut self, network: NetworkId, states: &S::Set) -> Result<bool, Limit> {
        let before = self.dead.get(&network).cloned().unwrap_or_else(|| self.sets.none());
        let news = !self.sets.is_empty(&self.sets.minus(states, &before)?);
        let all = self.sets.union(&before, states)?;
        self.dead.insert(network, all);
        Ok(news)
    }

    /// Follows the methods to the next action: parts with their action and what is to be done after it, and the
    /// states for which no way is left. `None` if task lists grow and grow before an action comes up.
    #[allow(clippy::type_complexity, reason = "the triples of the paper")]
    fn decompose(
        &mut self,
        set: S::Set,
        network: NetworkId,
        budget: &Budget,
    ) -> Result<Option<(Vec<(S::Set, ChoiceId, NetworkId)>, S::Set)>, Limit> {
        let sets = self.sets;
        let mut found = Vec::new();
        // Frames of an explicit depth-first walk: states that still look for a way, and the next instance.
        struct Frame<T> {
            rest: T,
            network: NetworkId,
            refined: Refined,
            next: usize,
        }
        let mut stack: Vec<Frame<S::Set>> = Vec::new();
        let mut returned: Option<S::Set> = None;
        let mut entering = Some((set, network));
        let mut refinements = 0;
        loop {
            budget.check()?;
            if let Some((set, network)) = entering.take() {
                let task = self.advice.networks.front(network).next().copied();
                match task {
                    // States left that are no goals, and no task tells what to do.
                    None => returned = Some(set),
                    // Going round without an action leads nowhere that the first time round does not.
                    Some(_) if stack.iter().any(|frame| frame.network == network) => returned = Some(set),
                    Some(task) => {
                        refinements += 1;
                        if stack.len() > DEPTH || refinements > REFINEMENTS {
                            return Ok(None);
                        }
                        let refined = self.advice.task(task);
                        stack.push(Frame { rest: set, network, refined, next: 0 });
                    }
                }
            }
            let Some(frame) = stack.last_mut() else {
                return Ok(Some((found, returned.unwrap_or_else(|| sets.none()))));
            };
            if let Some(failed) = returned.take() {
                frame.rest = sets.union(&frame.rest, &failed)?;
            }
            if sets.is_empty(&frame.rest) {
                returned = Some(frame.rest.clone());
                stack.pop();
                if stack.is_empty() {
                    return Ok(Some((found, returned.expect("just set"))));
                }
                continue;
            }
            match &frame.refined {
                Refined::Do(choices) => {
                    let after = self.advice.networks.done(frame.network, 0);
                    let mut rest = frame.rest.clone();
                    for &choice in choices {
                        let mut own = sets.applicable(&rest, choice)?;
                        if let Some(dead) = self.dead.get(&after)
                            && !sets.is_empty(&own)
                        {
                            let into_dead_ends = sets.may_reach(&own, choice, dead)?;
                            own = sets.minus(&own, &into_dead_ends)?;
                        }
                        if !sets.is_empty(&own) {
                            rest = sets.minus(&rest, &own)?;
                            found.push((own, choice, after));
                        }
                    }
                    stack.pop();
                    returned = Some(rest);
                    if stack.is_empty() {
                        return Ok(Some((found, returned.expect("just set"))));
                    }
                }
                Refined::By(instances) => match instances.get(frame.next) {
                    None => {
                        returned = Some(frame.rest.clone());
                        stack.pop();
                        if stack.is_empty() {
                            return Ok(Some((found, returned.expect("just set"))));
                        }
                    }
                    Some(instance) => {
                        frame.next += 1;
                        let own = sets.restrict(&frame.rest, instance)?;
                        if !sets.is_empty(&own) {
                            frame.rest = sets.minus(&frame.rest, &own)?;
                            let subtasks = instance.subtasks.clone();
                            let network = self.advice.networks.refined(frame.network, 0, subtasks, None);
                            entering = Some((own, network));
                        }
                    }
                },
            }
        }
    }

    /// States that the policy answers and that do not have the guarantee.
    fn bad(&self, entries: &[Entry<S::Set>], answered: &S::Set, budget: &Budget) -> Result<S::Set, Limit> {
        let sets = self.sets;
        let mut left = by_choice(sets, entries)?;
        let mut reached = sets.none();
        for (set, choice) in &left {
            reached = sets.union(&reached, &sets.goal_of(&sets.image(set, *choice)?)?)?;
        }
        // From the goal backwards along the answers. What the instances of one action add, those of the next may use
        // at once: there are fewer rounds than with layers of equal distance. Instances of one action see the same,
        // or the sets would depend on values that the policy does not care about.
        left.sort_by_key(|(_, choice)| (self.advice.action_of(*choice), *choice));
        let mut good = sets.none();
        let mut changed = true;
        while changed {
            changed = false;
            for group in
                left.chunk_by_mut(|one, other| self.advice.action_of(one.1) == self.advice.action_of(other.1))
            {
                let mut new = sets.none();
                for (set, choice) in group {
                    budget.check()?;
                    if sets.is_empty(set) {
                        continue;
                    }
                    let mut own = sets.may_reach(set, *choice, &reached)?;
                    if self.class == Class::Strong && !sets.is_empty(&own) {
                        let outside = sets.minus(&sets.image(&own, *choice)?, &reached)?;
                        let thrown = sets.may_reach(&own, *choice, &outside)?;
                        own = sets.minus(&own, &thrown)?;
                    }
                    if !sets.is_empty(&own) {
                        *set = sets.minus(set, &own)?;
                        new = sets.union(&new, &own)?;
                        changed = true;
                    }
                }
                good = sets.union(&good, &new)?;
                reached = sets.union(&reached, &new)?;
            }
        }
        sets.minus(answered, &good)
    }
}

enum Attempt<T> {
    Done(Vec<Entry<T>>),
    /// Something failed that the next attempt will avoid.
    DeadEndsFound,
    /// The start itself fails.
    StartIsDeadEnd,
}
