//! Plans that win in every state of a belief state.

use std::rc::Rc;

/// What to attempt, and how to go on after everything that may be perceived. It is the proof tree of a won belief
/// state: OR-nodes with the chosen attempt only, AND-nodes with all percepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan<A, P> {
    pub attempt: A,
    /// How to go on if it is rejected; none if it cannot be.
    pub rejected: Option<Rc<Plan<A, P>>>,
    /// For what is perceived after the attempt was carried out (unless that wins), then after the other side's
    /// step, how to go on.
    pub after: Vec<(P, Replies<A, P>)>,
}

/// How to go on after each percept of the other side's step.
pub type Replies<A, P> = Vec<(P, Rc<Plan<A, P>>)>;

impl<A: Copy, P: Copy> Plan<A, P> {
    /// A plan that attempts one thing after the other; each of them wins if it is carried out.
    pub(crate) fn row(attempts: &[A]) -> Option<Rc<Plan<A, P>>> {
        let mut plan = None;
        for &attempt in attempts.iter().rev() {
            plan = Some(Rc::new(Plan { attempt, rejected: plan, after: Vec::new() }));
        }
        plan
    }

    /// The most steps, of both sides, until it has won; an odd number, as the last step is the solver's turn.
    pub fn depth(&self) -> usize {
        let replies =
            |replies: &Replies<A, P>| replies.iter().map(|(_, plan)| plan.depth()).max().unwrap_or(1);
        let carried_out = self.after.iter().map(|(_, cases)| 2 + replies(cases)).max().unwrap_or(1);
        carried_out.max(self.rejected.as_ref().map_or(0, |plan| plan.depth()))
    }

    /// The number of attempts in it.
    pub fn size(&self) -> usize {
        let later = self.after.iter().flat_map(|(_, replies)| replies);
        1 + later.map(|(_, plan)| plan.size()).sum::<usize>()
            + self.rejected.as_ref().map_or(0, |plan| plan.size())
    }
}
