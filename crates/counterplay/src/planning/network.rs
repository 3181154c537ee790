//! Task networks: which way to use them, and plans that carry them out.

use std::time::Duration;

use counterplay_base::{Budget, Evidence, Limit, Verdict};
use counterplay_check::{
    DecompositionFlaw, Existence, Guarantee, check_decomposition, read_decomposition, try_decompositions,
};
use counterplay_draw::outline::{Row, outline};
use counterplay_draw::tree::Look;
use counterplay_hddl::{Methods, Options, Plan, PreparedProblem, shop};
use counterplay_syntax::Sources;
use counterplay_tasknet::Knowledge;
use counterplay_tasknet::tree::Decomposed;

use super::Run;
use super::answer::{Answer, Kind, SearchReport, bounded};
use super::request::Decomposition;
use super::text::Body;
use crate::amount::Amount;
use crate::effort::Phase;
use crate::error::{Error, Halt};
use crate::problem::LiftedProblem;

/// The name of the search in the evidence.
pub(super) const ENGINE: &str = "lifted task decomposition";
/// A negative answer is confirmed by trying everything if there are no more situations than this, and within this time.
pub(super) const MOST_SITUATIONS: usize = 50_000;
pub(super) const TRYING: Duration = Duration::from_secs(5);

impl Run<'_> {
    /// From HDDL texts to the answer, in the way that was asked for.
    pub(super) fn decompose(&mut self, lifted: &LiftedProblem) -> Result<Answer, Halt> {
        let request = self.request;
        let is_nondeterministic = lifted.problem.is_nondeterministic();
        let default = if is_nondeterministic { Decomposition::Network } else { Decomposition::Shop };
        match request.htn.unwrap_or(default) {
            Decomposition::Shop if is_nondeterministic => Err(Error::request(
                "`htn shop` is for actions with one outcome, and some here have several",
                "use `htn network`, `htn nd` or `htn yoyo`",
            )
            .into()),
            Decomposition::Shop if request.class.is_some() => {
                Err(Error::request("`class` is for policies", "leave it out, or use another `htn`").into())
            }
            Decomposition::Shop => self.network_plan(lifted),
            Decomposition::Network => self.network_policy(lifted),
            way @ (Decomposition::Nd | Decomposition::Yoyo) => self.advised_policy(lifted, way),
        }
    }

    /// A plan that carries out the network.
    fn network_plan(&mut self, lifted: &LiftedProblem) -> Result<Answer, Halt> {
        self.request.refuse_search_options()?;
        let (budget, progress) = (self.budget, self.progress);
        let network = self.phases.measure(Phase::Ground, || lift(lifted))?;
        let known = PreparedProblem::new(&network);
        self.announce("decomposing");
        let default = Options::default();
        let options = Options { effort: self.request.effort.unwrap_or(default.effort), ..default };
        let found = self.phases.measure(Phase::Search, || shop(&known, options, budget, progress));
        let looping = found.looping.map(|task| known.task_words(task));
        let check = self.request.check;
        let mut answer = match found.verdict {
            Verdict::Solved(plan) => {
                let text = plan.to_text(&known);
                let checked = match check {
                    true => self.phases.measure(Phase::Check, || verify(lifted, &text, budget))?,
                    false => false,
                };
                let checker = checked.then_some("the decomposition checker");
                let evidence = Evidence::proved(ENGINE, checker);
                let mut answer = Answer::new(Kind::Htn, Verdict::Solved(()), evidence);
                let actions = plan.actions(&known);
                answer.length = Some(actions.len());
                answer.cost = Some(Amount((actions.len() as i128).into()));
                answer.plan = Some(actions.iter().map(|action| format!("({action})")).collect());
                answer.decomposition = Some(plan.tree().to_text(&Methods(&known)));
                let picture = self.request.picture.then(|| draw(&plan, &known));
                answer.body = Body::Network { text: Some(text), picture };
                answer
            }
            Verdict::Unsolvable => {
                let evidence = match check {
                    false => Evidence::proved(ENGINE, None),
                    // With one outcome for each action a weak policy is a plan.
                    true => self.confirm_no_decomposition(lifted, Guarantee::Weak)?,
                };
                if !check || matches!(evidence, Evidence::Proved { checked_by: Some(_), .. }) {
                    Answer::new(Kind::Htn, Verdict::Unsolvable, evidence)
                } else {
                    // A search through task networks is intricate: alone it is not taken for a proof that there is no plan.
                    let assumes = "the search, which found no plan, left nothing out: the check that tries every decomposition met its limit";
                    let evidence =
                        Evidence::Planned { engine: ENGINE.to_owned(), assumes: assumes.to_owned() };
                    let limit = Limit::Nodes(MOST_SITUATIONS as u64);
                    Answer::new(Kind::Htn, Verdict::Stopped(limit), evidence)
                }
            }
            Verdict::Stopped(limit) => {
                Answer::new(Kind::Htn, Verdict::Stopped(limit), bounded(ENGINE, None, None))
            }
        };
        answer.optimal = Some(found.is_optimal);
        answer.search = Some(SearchReport {
            ran: "decomposition".to_owned(),
            rounds: Some(found.figures.rounds),
            first_length: Some(found.figures.first),
            improvements: Some(found.figures.improvements),
            ..SearchReport::default()
        });
        if !matches!(answer.body, Body::Network { .. }) {
            answer.body = Body::Network { text: None, picture: None };
        }
        answer.note_loop(looping);
        Ok(answer)
    }

    /// The evidence for "there is none". All decompositions are tried by code that shares nothing with the search, if there are few
    /// enough of them; a contradiction is a bug, never an answer.
    pub(super) fn confirm_no_decomposition(
        &mut self,
        lifted: &LiftedProblem,
        wanted: Guarantee,
    ) -> Result<Evidence, Halt> {
        let budget = self.budget.slice(TRYING);
        let tried = self
            .phases
            .measure(Phase::Check, || try_decompositions(&lifted.problem, wanted, MOST_SITUATIONS, &budget));
        match tried {
            Ok(Existence::Impossible) => Ok(Evidence::proved(ENGINE, Some("trying every decomposition"))),
            Ok(Existence::Possible) => {
                let message = "the search found that there is none, but trying every decomposition finds one";
                Err(Error::Internal { message: message.to_owned() }.into())
            }
            Ok(Existence::Open) | Err(_) => Ok(Evidence::proved(ENGINE, None)),
        }
    }
}

impl Answer {
    /// A search that stopped because a task keeps coming up inside itself says so.
    pub(super) fn note_loop(&mut self, looping: Option<String>) {
        if let (Some(task), Verdict::Stopped(_)) = (looping, &self.verdict) {
            self.limit = Some("loop");
            self.why = Some(format!("the task ({task}) keeps coming up inside itself without any progress"));
        }
    }
}

/// The problem in the form that decomposition needs.
pub(super) fn lift(lifted: &LiftedProblem) -> Result<counterplay_hddl::HddlProblem, Halt> {
    counterplay_hddl::HddlProblem::new(&lifted.problem)
        .map_err(|error| lifted.input_error(vec![error.diagnostic()]).into())
}

/// Gives the plan, as text, to the checker; whether there was time to check it. One that fails is a bug, never an answer.
fn verify(lifted: &LiftedProblem, text: &str, budget: &Budget) -> Result<bool, Halt> {
    let mut sources = Sources::default();
    let file = sources.add("the plan", text);
    let bug = |why: String| Error::Internal {
        message: format!("the plan that was found does not pass the check: {why}"),
    };
    let read = read_decomposition(&sources, file, &lifted.problem)
        .map_err(|errors| bug(errors.first().map(ToString::to_string).unwrap_or_default()))?;
    match check_decomposition(&lifted.problem, &read, budget) {
        Ok(_) => Ok(true),
        // The plan is shown all the same: it took the time that the check would have needed.
        Err(DecompositionFlaw::Stopped { .. }) => Ok(false),
        Err(flaw) => Err(bug(flaw.to_string()).into()),
    }
}

/// The decomposition tree as SVG.
fn draw(plan: &Plan, known: &PreparedProblem<'_>) -> String {
    let (tree, methods) = (plan.tree(), Methods(known));
    let rows = tree.walk().into_iter().map(|(depth, id)| {
        let node = &tree.nodes[id];
        let (remark, look) = match &node.decomposed {
            Some(Decomposed::Refined(method, _)) => (methods.explain(method).to_text(), Look::Own),
            _ => (String::new(), Look::Won),
        };
        Row { depth, words: methods.task_words(&node.task), remark, look }
    });
    outline("decomposition", &rows.collect::<Vec<_>>())
}
