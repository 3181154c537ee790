//! Planning: plans of least cost, of best net benefit, policies, and task networks.

mod acting;
mod answer;
mod certificate;
mod check;
mod check_certificate;
mod closure;
mod confirm;
mod contingent;
mod grounding;
mod many;
mod net_benefit;
mod network;
mod network_policy;
mod plan;
mod policy;
mod progress;
mod request;
mod scene;
mod text;
pub mod verify;

use std::time::Instant;

use counterplay_base::{Budget, Progress};
use counterplay_check::ClosureNodes;

pub use self::acting::{ActAnswer, ActRequest, AgentKind, NatureKind, RunEnd, act};
pub use self::answer::{
    Answer, Coverage, FoundPlan, Interim, InterimFound, InterimPolicy, Kind, PlanBranch, PlanPlace, PlanStep,
    PolicyBody, PolicyRule, Preference, SearchReport,
};
pub use self::certificate::{CERTIFICATE_FILES, Certificate};
pub use self::check::{CheckRequest, Validity, check};
pub use self::check_certificate::{CertificateTexts, CertificateValidity, check_certificate_texts};
pub use self::closure::{ClosureTexts, check_closure_texts};
pub use self::grounding::{Grounding, ground};
pub use self::policy::check_options;
pub use self::request::{Class, Decomposition, Direction, Heuristic, Plans, Quality, Request, Search, Which};
pub use self::scene::{PolicyStates, ReachedState, Scene, SceneChange, SceneObject, scene};

use crate::effort::{Phases, seconds};
use crate::error::{Error, Halt};
use crate::problem::Problem;

/// One call of [`solve`]: what was asked for, what may be used, and what it took so far.
struct Run<'a> {
    request: &'a Request,
    budget: &'a Budget,
    progress: &'a dyn Progress,
    interim: &'a dyn Fn(Interim),
    phases: Phases,
}

impl Run<'_> {
    /// Says what is done next.
    fn announce(&self, phase: &'static str) {
        self.progress.begin(phase);
    }
}

/// Solves a problem and checks the answer.
///
/// Reaching a limit is an answer too: its verdict is `stopped`, and it has the best plan and the bounds that were known by then.
///
/// # Errors
/// Bad input, options that do not fit, or a bug that the check of the answer found.
pub fn solve(
    problem: &Problem,
    request: &Request,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Answer, Error> {
    solve_telling(problem, request, budget, progress, &|_| ())
}

/// The same, and tells of each plan or policy as soon as it is found and checked: it is the answer for the time being, should the run be
/// ended from outside.
///
/// # Errors
/// As of [`solve`].
pub fn solve_telling(
    problem: &Problem,
    request: &Request,
    budget: &Budget,
    progress: &dyn Progress,
    interim: &dyn Fn(Interim),
) -> Result<Answer, Error> {
    let started = Instant::now();
    let last = std::cell::RefCell::new(None);
    let remembered = |better: Interim| {
        last.replace(Some(better.clone()));
        interim(better);
    };
    let mut run = Run { request, budget, progress, interim: &remembered, phases: Phases::default() };
    let mut parse = 0.0;
    if let Problem::Lifted(lifted) = problem {
        parse = lifted.parse;
        run.phases.parse = Some(lifted.parse);
    }
    let mut answer = match run.solve(problem) {
        Ok(answer) => answer,
        Err(Halt::Limit(limit)) => {
            let stopped = Answer::stopped(Kind::Plan, limit);
            // A limit while the last answer is checked does not take the one before away.
            match last.take() {
                Some(known) => stopped.with_interim(known),
                None => stopped,
            }
        }
        Err(Halt::Error(error)) => return Err(error),
    };
    answer.phases = run.phases;
    answer.seconds = seconds(started.elapsed()) + parse;
    Ok(answer)
}

impl Run<'_> {
    fn solve(&mut self, problem: &Problem) -> Result<Answer, Halt> {
        let request = self.request;
        let lifted = match problem {
            Problem::Lifted(lifted) => Some(&**lifted),
            Problem::Finite(_) => None,
        };
        if let Some(lifted) = lifted
            && lifted.problem.hierarchy.is_some()
        {
            if lifted.problem.is_partially_observable() || request.hidden {
                return Err(Error::request(
                    "task networks are not supported where the state is hidden",
                    "leave out `:htn`, or `:observe`, `unknown` and `or`",
                )
                .into());
            }
            let is_advised = matches!(request.htn, Some(Decomposition::Nd | Decomposition::Yoyo));
            if is_advised {
                self.refuse_certificate_of("a policy that methods only advise")?;
            }
            let mut answer = self.decompose(lifted)?;
            self.certify_closure(lifted, &mut answer, ClosureNodes::Situations)?;
            return Ok(answer);
        }
        if request.htn.is_some() || request.effort.is_some() {
            return Err(Error::request(
                "`htn` and `effort` are for task networks, and the problem declares none",
                "leave them out, or give HDDL",
            )
            .into());
        }
        if let Some(lifted) = lifted
            && (lifted.problem.is_partially_observable() || request.hidden)
        {
            let mut answer = self.contingent(lifted)?;
            self.certify_closure(lifted, &mut answer, ClosureNodes::Beliefs)?;
            return Ok(answer);
        }
        if let Some(lifted) = lifted
            && (lifted.problem.is_nondeterministic() || request.class.is_some())
        {
            let mut answer = self.policy(lifted)?;
            self.certify_closure(lifted, &mut answer, ClosureNodes::States)?;
            return Ok(answer);
        }
        if request.hidden {
            return Err(Error::request(
                "`hidden` is for problems with several initial states, and a finite task has one",
                "leave it out, or give the PDDL files that the task was made from",
            )
            .into());
        }
        if request.class.is_some() {
            return Err(Error::request(
                "`class` is for policies, and in a finite task every action has one outcome",
                "leave it out, or give the PDDL files that the task was made from",
            )
            .into());
        }
        if request.quality != Quality::Optimal {
            self.refuse_certificate_of("any plan, without a proof that none is better")?;
        }
        if request.plans.is_some() {
            self.refuse_certificate_of("several plans")?;
        }
        let options = request.plan_options()?;
        if let Some(lifted) = lifted
            && counterplay_ground::is_net_benefit(&lifted.problem)
        {
            if request.plans.is_some() {
                return Err(Error::request(
                    "`plans` is for costs, and this problem asks for a net benefit",
                    "leave it out",
                )
                .into());
            }
            return match self.net_benefit(lifted, &options) {
                Err(Halt::Limit(limit)) => Ok(self.net_benefit_stopped(limit, lifted)),
                other => other,
            };
        }
        match request.plans {
            Some(plans) => self.many(problem, plans),
            None => self.plan(problem, &options),
        }
    }
}
