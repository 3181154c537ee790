//! LM-cut with a memory.
//!
//! A landmark of a state is one of its successor as well unless the step between them is in the landmark
//! (Pommerening and Helmert, "Incremental LM-cut", ICAPS 2013): if every plan from the state uses one of the
//! operators, and the first step is none of them, then a later one is. So a state starts with what its parent
//! leaves, and LM-cut adds what is missing. For the same reason the landmarks of a state tell, before any
//! successor is looked at, how much of the estimate each operator can use up at most.

use counterplay_base::{Budget, Id, IdVec, Limit};
use counterplay_task::{OpId, Task, Value, VarId};

use super::landmarks::{Landmarks, ListId};
use super::lmcut::{LmCut, SupporterChoice};
use super::relaxed::{GroupId, Relaxed};
use super::symmetry::Symmetries;

/// Landmarks may fill this many bytes, if the budget says nothing about memory.
const MOST_BYTES: usize = 1 << 30;

/// Orders of facts that are tried, and ways of choosing that are tried on more than one state.
const ORDERS: u32 = 10;
const FINALISTS: usize = 4;

/// LM-cut with the landmarks of the states evaluated so far.
#[derive(Debug)]
pub(super) struct IncrementalLmCut {
    lmcut: LmCut,
    landmarks: Landmarks,
    /// The sum of the landmarks of the state under expansion, and how much of it each group can use up.
    sum: u64,
    used: IdVec<GroupId, u64>,
    /// Applicable operators in each group; all zero between calls.
    width: IdVec<GroupId, u32>,
    /// The image of each group under each symmetry.
    images: Vec<IdVec<GroupId, GroupId>>,
    image: Vec<GroupId>,
}

/// Where a state comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParentLandmarks<'a> {
    /// The landmarks of the state before.
    pub(super) list: ListId,
    /// The operator that was applied there.
    pub(super) op: OpId,
    /// The symmetries that were applied to the result.
    pub(super) applied: &'a [u32],
}

impl IncrementalLmCut {
    /// Prepares the heuristic for a task whose operators cost `costs`.
    pub(super) fn new(task: &Task, costs: &IdVec<OpId, u64>) -> IncrementalLmCut {
        let relaxed = Relaxed::new(task, costs);
        let groups = relaxed.group_count();
        IncrementalLmCut {
            lmcut: LmCut::new(relaxed),
            landmarks: Landmarks::new(),
            sum: 0,
            used: IdVec::filled(0, groups),
            width: IdVec::filled(0, groups),
            images: Vec::new(),
            image: Vec::new(),
        }
    }

    /// The estimate of a state and its list of landmarks, unless they are too many to keep; `None` for a dead end.
    pub(super) fn evaluate(
        &mut self,
        state: &IdVec<VarId, Value>,
        parent: Option<ParentLandmarks<'_>>,
        budget: &Budget,
    ) -> Result<Option<(u64, Option<ListId>)>, Limit> {
        let IncrementalLmCut { lmcut, landmarks, images, image, .. } = self;
        lmcut.restore();
        let mut sum = 0;
        if let Some(ParentLandmarks { list, op, applied }) = parent {
            let group = lmcut.relaxed().group_of[op];
            for position in landmarks.range(list) {
                let landmark = landmarks.entry(position);
                let (groups, cost) = landmarks.get(landmark);
                if group.is_some_and(|group| groups.contains(&group)) {
                    continue;
                }
                sum += u64::from(cost);
                if applied.is_empty() {
                    lmcut.pay(groups, cost);
                    landmarks.append_known(landmark);
                } else {
                    image.clear();
                    image.extend(groups.iter().map(|&group| {
                        applied.iter().fold(group, |group, &generator| images[generator as usize][group])
                    }));
                    lmcut.pay(image, cost);
                    landmarks.append_new(image, cost);
                }
            }
        }
        let most = landmarks.bytes() + MOST_BYTES;
        let mut complete = true;
        let more = lmcut.cut_all(state, budget, |groups, cost| {
            complete &= landmarks.bytes() < most;
            if complete {
                landmarks.append_new(groups, cost);
            }
        });
        match more {
            Ok(Some(more)) if complete => Ok(Some((sum + more, Some(landmarks.finish_list())))),
            _ => {
                landmarks.abandon_list();
                more.map(|more| more.map(|more| (sum + more, None)))
            }
        }
    }

    /// The estimate of a state on its own, with each cut as groups and cost; `None` for a dead end.
    pub(super) fn cuts(
        &mut self,
        state: &IdVec<VarId, Value>,
        budget: &Budget,
        found: impl FnMut(&[GroupId], u32),
    ) -> Result<Option<u64>, Limit> {
        self.lmcut.restore();
        self.lmcut.cut_all(state, budget, found)
    }

    pub(super) fn relaxed(&self) -> &Relaxed {
        self.lmcut.relaxed()
    }

    /// Tries several ways of choosing supporters on some states, the initial state first, and takes the one with the
    /// highest estimates. Returns whether it is another one than before.
    pub(super) fn choose(&mut self, states: &[IdVec<VarId, Value>], budget: &Budget) -> Result<bool, Limit> {
        let before = self.lmcut.choice();
        let orders = 0..ORDERS;
        let mut choices: Vec<(SupporterChoice, u64)> = orders
            .flat_map(|order| [true, false].map(|narrow| (SupporterChoice { narrow, order }, 0)))
            .collect();
        let result = self.rank(&mut choices, states, budget);
        let best = if result.is_ok() { choices[0].0 } else { before };
        self.lmcut.set_choice(best);
        result.map(|()| best != before)
    }

    /// Sorts the choices, the best first. With each state, fewer of them remain in the contest.
    fn rank(
        &mut self,
        choices: &mut [(SupporterChoice, u64)],
        states: &[IdVec<VarId, Value>],
        budget: &Budget,
    ) -> Result<(), Limit> {
        let mut remaining = choices.len();
        for state in states {
            for (choice, sum) in &mut choices[..remaining] {
                self.lmcut.set_choice(*choice);
                self.lmcut.restore();
                *sum += self.lmcut.cut_all(state, budget, |_, _| {})?.unwrap_or(0);
            }
            choices[..remaining].sort_by_key(|&(_, sum)| std::cmp::Reverse(sum));
            remaining = remaining.min(FINALISTS);
        }
        Ok(())
    }

    /// Gets to know symmetries under which landmarks may have to be mapped. A symmetry maps groups to groups, because
    /// it respects what makes their operators equal.
    pub(super) fn use_symmetries(&mut self, symmetries: &Symmetries) {
        let relaxed = self.lmcut.relaxed();
        let image = |generator: u32, group: GroupId| {
            let member = relaxed.operators[group].first();
            member.and_then(|&op| relaxed.group_of[symmetries.image(generator, op)]).unwrap_or(group)
        };
        self.images = (0..symmetries.len() as u32)
            .map(|generator| {
                (0..relaxed.group_count()).map(|group| image(generator, GroupId::new(group))).collect()
            })
            .collect();
    }

    /// Operators looked at since the beginning.
    pub(super) fn work(&self) -> u64 {
        self.lmcut.work()
    }

    /// Begins the expansion of a state with these landmarks.
    pub(super) fn open(&mut self, list: ListId) {
        for position in self.landmarks.range(list) {
            let (groups, cost) = self.landmarks.get(self.landmarks.entry(position));
            self.sum += u64::from(cost);
            groups.iter().for_each(|&group| self.used[group] += u64::from(cost));
        }
    }

    /// Ends the expansion of a state with these landmarks.
    pub(super) fn close(&mut self, list: ListId) {
        self.sum = 0;
        for position in self.landmarks.range(list) {
            let (groups, _) = self.landmarks.get(self.landmarks.entry(position));
            groups.iter().for_each(|&group| self.used[group] = 0);
        }
    }

    /// What is left of the estimate of the state under expansion after an operator, at least.
    pub(super) fn bound_after(&self, op: OpId) -> u64 {
        self.sum - self.lmcut.relaxed().group_of[op].map_or(0, |group| self.used[group])
    }

    /// Of the landmarks of a state, the operators of the one with the fewest applicable ones; none if there is no
    /// landmark.
    pub(super) fn narrowest(&mut self, list: ListId, applicable: &[OpId], out: &mut Vec<OpId>) {
        let IncrementalLmCut { lmcut, landmarks, width, .. } = self;
        let relaxed = lmcut.relaxed();
        let groups = || applicable.iter().filter_map(|&op| relaxed.group_of[op]);
        groups().for_each(|group| width[group] += 1);
        let narrowest = landmarks
            .range(list)
            .map(|position| landmarks.get(landmarks.entry(position)).0)
            .min_by_key(|groups| (groups.iter().map(|&group| width[group]).sum::<u32>(), groups.len()));
        groups().for_each(|group| width[group] = 0);
        for &group in narrowest.into_iter().flatten() {
            out.extend_from_slice(&relaxed.operators[group]);
        }
    }

    /// Whether landmarks take so much memory that they had better be forgotten.
    pub(super) fn is_full(&self, budget: &Budget) -> bool {
        let most = budget.bytes().map_or(MOST_BYTES, |bytes| MOST_BYTES.min(bytes / 8));
        self.landmarks.bytes() > most
    }

    /// Forgets all landmarks; no list may be used any more.
    pub(super) fn forget(&mut self) {
        self.landmarks = Landmarks::new();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_task::{apply, is_applicable};
    use counterplay_testkit::{State, goal_distances, random_task};
    use std::collections::HashMap;

    /// Along random walks, estimates that start from inherited landmarks never exceed the true distance, nor
    /// fall below what was promised before the step.
    #[test]
    fn inherited_landmarks_stay_admissible() {
        let budget = Budget::unlimited();
        for seed in 0..400 {
            let task = random_task(seed);
            let costs: IdVec<OpId, u64> = task.operators.iter().map(|op| op.cost).collect();
            let distances = goal_distances(&task);
            let index: HashMap<&[Value], Option<u64>> =
                distances.iter().map(|(state, distance)| (state.as_slice(), *distance)).collect();
            let mut lmcut = IncrementalLmCut::new(&task, &costs);
            let mut state: State = distances[0].0.clone();
            let mut parent = None;
            let mut promised = 0;
            for step in 0..30 {
                let estimate = lmcut.evaluate(&state, parent, &budget).expect("no limit");
                let truth = index[state.as_slice()];
                let Some((h, list)) = estimate else {
                    assert_eq!(truth, None, "seed {seed}");
                    break;
                };
                assert!(truth.is_none_or(|truth| h <= truth), "seed {seed}: {h} > {truth:?}");
                assert!(h >= promised, "seed {seed}");
                let applicable: Vec<OpId> =
                    task.operators.ids().filter(|&op| is_applicable(&task, &state, op)).collect();
                let Some(&op) = applicable.get((seed as usize * 31 + step * 17) % applicable.len().max(1))
                else {
                    break;
                };
                let list = list.expect("few landmarks");
                lmcut.open(list);
                promised = lmcut.bound_after(op);
                lmcut.close(list);
                assert!(promised + costs[op] >= h, "seed {seed}: a step uses up more than it costs");
                state = apply(&task, &state, op);
                parent = Some(ParentLandmarks { list, op, applied: &[] });
            }
        }
    }
}
