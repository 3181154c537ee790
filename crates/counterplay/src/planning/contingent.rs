//! Plans for problems whose state is hidden: sequences, and plans that branch on what is seen.

use counterplay_base::{Budget, Evidence, Silent, Verdict};
use counterplay_check::{
    Confirmation, ContingentFlaw, Guarantee, check_conformant, check_contingent, confirm_no_contingent,
    read_contingent, read_plan,
};
use counterplay_contingent::{self as engine, BranchingPlan, Found, Representation};
use counterplay_ground::ground_hidden;
use counterplay_syntax::Sources;
use counterplay_task::HiddenTask;

use super::answer::{
    Answer, Coverage, Kind, PlanBranch, PlanPlace, PlanStep, PolicyBody, SearchReport, bounded,
};
use super::request::{Class, Request, Search};
use super::text::Body;
use super::{Run, confirm};
use crate::effort::Phase;
use crate::error::{Error, Halt};
use crate::problem::LiftedProblem;

/// So many pairs of place and state are checked one by one.
pub(super) const MOST_PAIRS: usize = 1_000_000;
/// So many belief states are looked at to confirm that there is no plan.
const MOST_BELIEFS: usize = 20_000;

impl Request {
    /// The options of the search over belief states.
    fn contingent_options(&self) -> Result<engine::Options, Error> {
        let representation = match self.search {
            Search::Auto => Representation::Auto,
            Search::Explicit => Representation::Explicit,
            Search::Symbolic => Representation::Symbolic,
            Search::Bfs | Search::Dijkstra | Search::Astar => {
                return Err(Error::request(
                    "this search is for plans, and the state of this problem is hidden",
                    "use `search auto`, `search explicit` or `search symbolic`",
                ));
            }
        };
        if self.direction.is_some() || self.heuristic.is_some() {
            return Err(Error::request(
                "`direction` and `heuristic` are for plans, and the state of this problem is hidden",
                "leave them out",
            ));
        }
        let wanted = match self.class {
            None => None,
            Some(Class::Strong) => Some(engine::Guarantee::Strong),
            Some(Class::StrongCyclic) => Some(engine::Guarantee::StrongCyclic),
            Some(Class::Weak) => {
                return Err(Error::request(
                    "`class weak` is for policies, and the state of this problem is hidden",
                    "use `class strong` or `class strong-cyclic`",
                ));
            }
        };
        Ok(engine::Options { wanted, representation, seed: self.seed })
    }
}

impl Run<'_> {
    /// From the problem to the answer.
    pub(super) fn contingent(&mut self, lifted: &LiftedProblem) -> Result<Answer, Halt> {
        let options = self.request.contingent_options()?;
        let (budget, progress) = (self.budget, self.progress);
        let kind = if lifted.problem.has_sensing() { Kind::Contingent } else { Kind::Conformant };
        self.announce("grounding");
        let task = self.phases.measure(Phase::Ground, || ground_hidden(&lifted.problem, budget, progress));
        let task = task.map_err(|error| lifted.refuse(&error));
        let task = match task {
            Err(Halt::Limit(limit)) => return Ok(Answer::stopped(kind, limit)),
            other => other?,
        };
        self.announce("searching");
        let found = self.phases.measure(Phase::Search, || engine::solve(&task, &options, budget, progress));
        let ran = found.statistics.ran.clone();
        let evidence = match &found.verdict {
            Verdict::Stopped(_) => bounded(&ran, None, None),
            _ => Evidence::proved(&ran, None),
        };
        let mut answer = Answer::new(kind, found.verdict.as_ref().map(drop), evidence);
        answer.search = Some(SearchReport {
            ran: ran.clone(),
            beliefs: Some(found.statistics.beliefs),
            expanded: Some(found.statistics.expanded),
            peak_nodes: found.statistics.peak_nodes,
            ..SearchReport::default()
        });
        let mut impossible = Vec::new();
        if found.no_strong {
            impossible.push(Class::Strong);
        }
        if matches!(found.verdict, Verdict::Unsolvable) && self.request.class != Some(Class::Strong) {
            impossible.push(Class::StrongCyclic);
        }
        answer.impossible = Some(impossible);
        answer.body = Body::Contingent { text: None, wanted: self.request.class };
        match &found.verdict {
            Verdict::Solved(plan) => self.describe(&mut answer, lifted, &task, plan, &ran)?,
            Verdict::Unsolvable if self.request.check => {
                self.announce("checking");
                let confirmed = self.confirm_none(lifted, &task, &found, &options)?;
                answer.evidence = Evidence::proved(&ran, confirmed.as_deref());
            }
            _ => {}
        }
        Ok(answer)
    }

    /// Puts a plan into words and has it checked.
    fn describe(
        &mut self,
        answer: &mut Answer,
        lifted: &LiftedProblem,
        task: &HiddenTask,
        plan: &BranchingPlan,
        ran: &str,
    ) -> Result<(), Halt> {
        let sequence = plan.sequence().filter(|_| !task.has_sensing());
        let text = engine::text(task, plan);
        answer.class = Some(match plan.guarantee {
            engine::Guarantee::Strong => Class::Strong,
            engine::Guarantee::StrongCyclic => Class::StrongCyclic,
        });
        answer.depth = plan.depth();
        answer.length = Some(plan.nodes.iter().filter(|node| !node.steps.is_empty()).count());
        match sequence {
            Some(actions) => {
                let steps = actions.iter().map(|&action| format!("({})", task.actions[action].name));
                answer.plan = Some(steps.collect());
            }
            None => answer.policy = Some(PolicyBody::Places(places(task, plan))),
        }
        if self.request.check {
            self.announce("checking");
            let whole = self.budget;
            let is_sequence = answer.plan.is_some();
            let checked = self.phases.measure(Phase::Check, || verify(lifted, &text, is_sequence, whole))?;
            answer.checked = Some(if checked { Coverage::Complete } else { Coverage::None });
            let checker =
                checked.then_some("contingent checker (every initial state, outcome and observation)");
            answer.evidence = Evidence::proved(ran, checker);
        }
        answer.body = Body::Contingent { text: Some(text), wanted: self.request.class };
        Ok(())
    }

    /// What confirmed that there is no plan: a look at every belief state, or the other way to hold them.
    fn confirm_none(
        &mut self,
        lifted: &LiftedProblem,
        task: &HiddenTask,
        found: &Found,
        options: &engine::Options,
    ) -> Result<Option<String>, Halt> {
        let (budget, search) = (self.budget, self.phases.search);
        self.phases.measure(Phase::Check, || {
            let allowance = confirm::allowance(budget, search);
            let wanted = match options.wanted {
                Some(engine::Guarantee::Strong) => Guarantee::Strong,
                _ => Guarantee::StrongCyclic,
            };
            let first = confirm::first_half(&allowance);
            match confirm_no_contingent(&lifted.problem, wanted, MOST_BELIEFS, &first) {
                Confirmation::Confirmed { .. } => {
                    return Ok(Some("exhaustive search of the lifted problem".to_owned()));
                }
                Confirmation::Refuted(why) => return Err(confirm::refuted("no plan", &why)),
                Confirmation::TooLarge => {}
            }
            let representation = match found.statistics.ran.starts_with("symbolic") {
                true => Representation::Explicit,
                false => Representation::Symbolic,
            };
            let other =
                engine::solve(task, &engine::Options { representation, ..*options }, &allowance, &Silent);
            confirm::second(other.verdict, &other.statistics.ran, "no plan")
        })
    }
}

/// Gives a plan, as text, to the checker; whether it could look at everything. A plan that fails is a bug, never an answer.
fn verify(lifted: &LiftedProblem, text: &str, is_sequence: bool, whole: &Budget) -> Result<bool, Halt> {
    let mut sources = Sources::default();
    let file = sources.add("the plan", text);
    let bug = |why: String| -> Halt {
        Error::Internal { message: format!("the plan that was found does not pass the check: {why}") }.into()
    };
    let problem = &lifted.problem;
    // What cannot be checked to the end in half of the time that is left is shown all the same, and said to be.
    let budget = match whole.remaining() {
        Some(left) => whole.slice(left / 2),
        None => whole.clone(),
    };
    let result = if is_sequence {
        let steps = read_plan(&sources, file, problem);
        let steps =
            steps.map_err(|errors| bug(errors.first().map(ToString::to_string).unwrap_or_default()))?;
        check_conformant(problem, &steps, MOST_PAIRS, &budget)
    } else {
        let read = read_contingent(&sources, file, problem);
        let read = read.map_err(|errors| bug(errors.first().map(ToString::to_string).unwrap_or_default()))?;
        check_contingent(problem, &read, read.claimed, MOST_PAIRS, &budget)
    };
    match result {
        Ok(_) => Ok(true),
        Err(ContingentFlaw::TooLarge) => Ok(false),
        Err(ContingentFlaw::Stopped { .. }) if whole.check().is_ok() => Ok(false),
        Err(ContingentFlaw::Stopped { limit }) => Err(Halt::Limit(limit)),
        Err(flaw) => Err(bug(flaw.to_string())),
    }
}

/// The plan in the words of the problem.
fn places(task: &HiddenTask, plan: &BranchingPlan) -> Vec<PlanPlace> {
    let nodes = plan.nodes.iter().enumerate();
    let place = |(node, place): (usize, &engine::PlanNode)| PlanPlace {
        node,
        steps: place.steps.iter().map(|step| step_words(task, step)).collect(),
    };
    nodes.map(place).collect()
}

fn step_words(task: &HiddenTask, step: &engine::PlanStep) -> PlanStep {
    let action = &task.actions[step.action];
    let branches = step
        .branches
        .iter()
        .map(|branch| PlanBranch { seen: engine::seen(action, step, branch), node: branch.next });
    PlanStep { action: format!("({})", action.name), next: branches.collect() }
}
