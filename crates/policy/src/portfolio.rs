//! Which searches run, in which order and for how long.
//!
//! Where no class is asked for, an answer comes first and is made stronger after that: a strong-cyclic policy usually takes milliseconds, and whether
//! there is a strong one may take for ever. Each policy is told of as soon as it is there. What is proved about stronger classes goes into the
//! answer; what is not stays open, and the answer says so.

use std::time::{Duration, Instant};

use counterplay_base::{Budget, Limit, Progress, Report, Verdict};
use counterplay_task::NondetTask;

use crate::symbolic::{self, Method};
use crate::{
    Answer, Class, Found, Options, Policy, PolicySearch, Statistics, acyclic, decision_list, explicit,
};

/// Work allowed for a first attempt with plans, in states expanded or looked at, and for one in stages, in nodes. Both
/// are the same on every machine, and so is what comes of them.
const FIRST_STATES: u64 = 60_000;
const FIRST_NODES: u64 = 30_000_000;
/// And for a second attempt at a strong policy.
const MORE_STATES: u64 = 1_000_000;
/// How much of the time that is left a second attempt with plans may take.
const SECOND_SHARE: f64 = 0.3;
/// How much of the rest one with fixpoints may take.
const THIRD_SHARE: f64 = 0.6;
/// How much of the time that is left goes into a strong policy once there is a strong-cyclic one. The rest is for the check of it.
const STRENGTHENING_SHARE: f64 = 0.8;
/// Without a limit, at least so much goes into it.
const STRENGTHENING: Duration = Duration::from_secs(2);
/// Without a limit, this is taken to be the time that is left.
const PATIENCE: Duration = Duration::from_secs(600);

/// What a search found, and what it took.
type Attempt = (Verdict<Policy>, Statistics);

/// The searches for one task.
pub(crate) struct Portfolio<'a> {
    pub(crate) nondet: &'a NondetTask,
    pub(crate) options: &'a Options,
    pub(crate) budget: &'a Budget,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) tell: &'a dyn Fn(Found<'_>),
}

impl Portfolio<'_> {
    /// A policy of one class, or the proof that there is none.
    pub(crate) fn only(&self, class: Class) -> Answer {
        let (verdict, statistics) = match class {
            Class::Strong => self.strong(),
            Class::StrongCyclic => self.strong_cyclic(&|| None),
            Class::Weak => self.weak(self.budget),
        };
        let mut impossible = Vec::new();
        if matches!(verdict, Verdict::Unsolvable) {
            impossible.push(class);
            if class != Class::Weak && explicit::is_out_of_reach(self.nondet) {
                impossible.push(Class::Weak);
            }
        }
        // A strong policy is a strong-cyclic one as well.
        let verdict = verdict.map(|policy| self.shortened(Policy { class, ..policy }));
        Answer { verdict, best: None, statistics, impossible, open: Vec::new() }
    }

    /// The strongest policy there is, as far as time allows.
    pub(crate) fn strongest(&self) -> Answer {
        let started = Instant::now();
        let weak = std::cell::OnceCell::new();
        let meanwhile = || {
            let (verdict, statistics) = self.weak(self.budget);
            match verdict {
                Verdict::Solved(policy) => {
                    let open = &[Class::Strong, Class::StrongCyclic];
                    (self.tell)(Found { policy: &policy, statistics: &statistics, open });
                    let _ = weak.set(policy);
                    None
                }
                // Without a weak policy there is none at all.
                Verdict::Unsolvable => Some((Verdict::Unsolvable, statistics)),
                Verdict::Stopped(_) => None,
            }
        };
        let (cyclic, statistics) = self.strong_cyclic(&meanwhile);
        match cyclic {
            Verdict::Unsolvable => self.weak_only(weak.into_inner()),
            Verdict::Solved(policy) => self.strengthened(policy, statistics, started),
            Verdict::Stopped(limit) => Answer {
                verdict: Verdict::Stopped(limit),
                best: weak.into_inner(),
                statistics,
                impossible: Vec::new(),
                open: vec![Class::Strong, Class::StrongCyclic],
            },
        }
    }

    /// There is no strong-cyclic policy, so a weak one is the best.
    fn weak_only(&self, known: Option<Policy>) -> Answer {
        let (verdict, statistics) = match known {
            Some(policy) => {
                (Verdict::Solved(policy), Statistics { ran: "explicit".to_owned(), ..Statistics::default() })
            }
            None => self.weak(self.budget),
        };
        let mut impossible = vec![Class::Strong, Class::StrongCyclic];
        if matches!(verdict, Verdict::Unsolvable) {
            impossible.push(Class::Weak);
        }
        Answer { verdict, best: None, statistics, impossible, open: Vec::new() }
    }

    /// A strong-cyclic policy is there: whether it is strong, or another one is.
    fn strengthened(&self, policy: Policy, statistics: Statistics, started: Instant) -> Answer {
        if policy.class == Class::Strong || acyclic::is_strong(self.nondet, &policy, self.budget) {
            let policy = self.shortened(Policy { class: Class::Strong, ..policy });
            let verdict = Verdict::Solved(policy);
            return Answer { verdict, best: None, statistics, impossible: Vec::new(), open: Vec::new() };
        }
        let policy = self.shortened(policy);
        (self.tell)(Found { policy: &policy, statistics: &statistics, open: &[Class::Strong] });
        // With a limit most of the time that is left goes into a stronger one, without one only as much as an impatient
        // reader waits for.
        self.progress.report(Report { phase: "strengthening", counts: &[] });
        let share = match self.budget.remaining() {
            Some(left) => self.budget.slice(left.mul_f64(STRENGTHENING_SHARE)),
            None => self.budget.slice((started.elapsed() * 10).max(STRENGTHENING)),
        };
        let (strong, own) = Portfolio { budget: &share, ..*self }.strong();
        let (mut impossible, mut open) = (Vec::new(), Vec::new());
        let (policy, statistics) = match strong {
            Verdict::Solved(strong) => (self.shortened(strong), own),
            Verdict::Unsolvable => {
                impossible.push(Class::Strong);
                (policy, statistics)
            }
            Verdict::Stopped(_) => {
                open.push(Class::Strong);
                (policy, statistics)
            }
        };
        Answer { verdict: Verdict::Solved(policy), best: None, statistics, impossible, open }
    }

    /// The same policy with fewer pairs. One that there is no time to shorten is as good as it was.
    fn shortened(&self, policy: Policy) -> Policy {
        // What a weak policy leaves open has to stay open: it may be met.
        if policy.class == Class::Weak {
            return policy;
        }
        decision_list::learn_decision_list(self.nondet, &policy, self.budget).unwrap_or(policy)
    }

    fn slice(&self, share: f64) -> Budget {
        let left = self.budget.remaining().unwrap_or(PATIENCE);
        self.budget.slice(left.mul_f64(share))
    }

    fn explicit(&self, class: Class, most_states: u64, budget: &Budget) -> Attempt {
        match class {
            Class::Strong => explicit::strong::solve(self.nondet, most_states, budget, self.progress),
            _ => explicit::solve(self.nondet, class, most_states, budget, self.progress),
        }
    }

    fn symbolic(&self, class: Class, budget: &Budget) -> Attempt {
        symbolic::solve(self.nondet, class, Method::Whole, self.options.seed, budget, self.progress)
    }

    fn staged(&self, class: Class, work: u64) -> Attempt {
        let method = Method::Staged { work };
        symbolic::solve(self.nondet, class, method, self.options.seed, self.budget, self.progress)
    }

    fn weak(&self, budget: &Budget) -> Attempt {
        match self.options.search {
            PolicySearch::Symbolic => self.symbolic(Class::Weak, budget),
            PolicySearch::Staged => self.staged(Class::Weak, u64::MAX),
            PolicySearch::Auto | PolicySearch::Explicit => self.explicit(Class::Weak, u64::MAX, budget),
        }
    }

    /// Plans are tried first, for a moment: where they work they take milliseconds. Where they wander, it is often over
    /// what one part of the goal has to do with another, and stages help. Longer attempts come after that, and before them
    /// `meanwhile`, which may have an answer as well.
    fn strong_cyclic(&self, meanwhile: &dyn Fn() -> Option<Attempt>) -> Attempt {
        let class = Class::StrongCyclic;
        match self.options.search {
            PolicySearch::Staged => return self.staged(class, u64::MAX),
            PolicySearch::Symbolic => return self.symbolic(class, self.budget),
            PolicySearch::Explicit => return self.explicit(class, u64::MAX, self.budget),
            PolicySearch::Auto => {}
        }
        let first = self.explicit(class, FIRST_STATES, self.budget);
        if !self.goes_on(&first.0) {
            return first;
        }
        if let Some(found) = meanwhile() {
            return found;
        }
        // Repair wanders where most plans end in dead ends that are far away; to look for a strong policy may be easier.
        let is_excluded = explicit::trap::excludes_strong(self.nondet, self.budget).unwrap_or(true);
        let strong = |most_states| {
            let most_states = if is_excluded { 0 } else { most_states };
            match self.explicit(Class::Strong, most_states, self.budget) {
                // That there is no strong policy decides nothing here.
                (Verdict::Unsolvable, statistics) => {
                    (Verdict::Stopped(Limit::Nodes(most_states)), statistics)
                }
                found => found,
            }
        };
        self.in_turn(&[
            &|| strong(FIRST_STATES),
            &|| self.staged(class, FIRST_NODES),
            &|| strong(MORE_STATES),
            &|| self.explicit(class, u64::MAX, &self.slice(SECOND_SHARE)),
            &|| self.symbolic(class, &self.slice(THIRD_SHARE)),
            &|| self.explicit(class, u64::MAX, self.budget),
        ])
    }

    /// What nature can prevent for a simple reason is seen without search. Then both searches take turns, as for
    /// strong-cyclic policies.
    fn strong(&self) -> Attempt {
        let class = Class::Strong;
        match self.options.search {
            PolicySearch::Staged => return self.staged(class, u64::MAX),
            PolicySearch::Symbolic => return self.symbolic(class, self.budget),
            PolicySearch::Auto | PolicySearch::Explicit => {}
        }
        if let Ok(true) = explicit::trap::excludes_strong(self.nondet, self.budget) {
            let statistics = Statistics { ran: explicit::TRAP.to_owned(), ..Statistics::default() };
            return (Verdict::Unsolvable, statistics);
        }
        if self.options.search == PolicySearch::Explicit {
            return self.explicit(class, u64::MAX, self.budget);
        }
        self.in_turn(&[
            &|| self.explicit(class, FIRST_STATES, self.budget),
            &|| self.staged(class, FIRST_NODES),
            &|| self.explicit(class, MORE_STATES, self.budget),
            &|| self.symbolic(class, &self.slice(THIRD_SHARE)),
            &|| self.explicit(class, u64::MAX, self.budget),
        ])
    }

    /// The first attempt that does not end for want of its own share, or else the last.
    fn in_turn(&self, attempts: &[&dyn Fn() -> Attempt]) -> Attempt {
        let mut last = None;
        for attempt in attempts {
            let found = attempt();
            if !self.goes_on(&found.0) {
                return found;
            }
            last = Some(found);
        }
        last.expect("there is an attempt")
    }

    /// Whether an attempt ended for want of its own share only.
    fn goes_on<T>(&self, verdict: &Verdict<T>) -> bool {
        matches!(verdict, Verdict::Stopped(_)) && self.budget.check().is_ok()
    }
}
