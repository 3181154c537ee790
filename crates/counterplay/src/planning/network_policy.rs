//! Policies by decomposition: over state and network, or over states with methods as advice.

use counterplay_base::{Budget, Evidence, Verdict};
use counterplay_check::{
    Existence, Guarantee as Checked, NetworkPolicyFlaw, check_network_policy, read_network_policy, try_advice,
};
use counterplay_hddl::advice::{Algorithm, advised_policy};
use counterplay_hddl::{Guarantee, PreparedProblem, network_policy};
use counterplay_policy::Statistics;
use counterplay_syntax::Sources;

use super::Run;
use super::answer::{Answer, Kind, PolicyBody, SearchReport, bounded};
use super::network::{ENGINE, MOST_SITUATIONS, TRYING, lift};
use super::request::{Class, Decomposition};
use super::text::Body;
use crate::effort::Phase;
use crate::error::{Error, Halt};
use crate::problem::LiftedProblem;

impl Run<'_> {
    /// A policy for the goal, found with methods as advice: ND-SHOP2 and Yoyo.
    pub(super) fn advised_policy(
        &mut self,
        lifted: &LiftedProblem,
        way: Decomposition,
    ) -> Result<Answer, Halt> {
        self.request.refuse_search_options()?;
        let (budget, progress, seed) = (self.budget, self.progress, self.request.seed);
        let network = lift(lifted)?;
        self.announce("grounding");
        let task = self.phases.measure(Phase::Ground, || lifted.ground_outcomes(true, budget, progress))?;
        self.announce("searching");
        let class = self.request.class.unwrap_or(Class::StrongCyclic);
        let (algorithm, name) = match way {
            Decomposition::Yoyo => (Algorithm::Yoyo, "yoyo"),
            _ => (Algorithm::NdShop2, "nd-shop2"),
        };
        let found = self.phases.measure(Phase::Search, || {
            advised_policy(&network, &task, class.into(), algorithm, seed, budget, progress)
        });
        let found = found.map_err(|error| lifted.input_error(vec![error.diagnostic()]))?;
        let is_unsolvable = matches!(found.verdict, Verdict::Unsolvable);
        let statistics = Statistics {
            ran: name.to_owned(),
            rounds: found.figures.restarts + 1,
            expanded: found.figures.situations,
            peak_nodes: found.figures.peak,
        };
        let (impossible, open) = (Vec::new(), Vec::new());
        let found =
            counterplay_policy::Answer { verdict: found.verdict, best: None, statistics, impossible, open };
        let mut answer = self.policy_answer(lifted, &task, found, Some(class), None)?;
        if is_unsolvable && self.request.check {
            let budget = budget.slice(TRYING);
            let confirmed = self.phases.measure(Phase::Check, || confirm_advice(lifted, class, &budget))?;
            answer.evidence = Evidence::proved(name, confirmed);
        }
        Ok(answer)
    }

    /// A policy that carries out the network whatever happens.
    pub(super) fn network_policy(&mut self, lifted: &LiftedProblem) -> Result<Answer, Halt> {
        self.request.refuse_search_options()?;
        if self.request.effort.is_some() {
            return Err(Error::request("`effort` is for plans", "leave it out").into());
        }
        let wanted = match self.request.class {
            None => None,
            Some(Class::Strong) => Some(Guarantee::Strong),
            Some(Class::StrongCyclic) => Some(Guarantee::StrongCyclic),
            Some(Class::Weak) => {
                return Err(Error::request(
                    "policies over state and network are strong or strong-cyclic",
                    "leave `class` out",
                )
                .into());
            }
        };
        let (budget, progress, check) = (self.budget, self.progress, self.request.check);
        let network = self.phases.measure(Phase::Ground, || lift(lifted))?;
        let known = PreparedProblem::new(&network);
        self.announce("decomposing");
        let found = self.phases.measure(Phase::Search, || network_policy(&known, wanted, budget, progress));
        let looping = found.looping.map(|task| known.task_words(task));
        let mut answer = match found.verdict {
            Verdict::Solved(policy) => {
                let text = policy.to_text(&known);
                if check {
                    self.phases.measure(Phase::Check, || verify(lifted, &text, budget))?;
                }
                let evidence = Evidence::proved(ENGINE, check.then_some("the network policy checker"));
                let mut answer = Answer::new(Kind::Htn, Verdict::Solved(()), evidence);
                answer.class = Some(match policy.guarantee {
                    Guarantee::Strong => Class::Strong,
                    Guarantee::StrongCyclic => Class::StrongCyclic,
                });
                answer.length = Some(policy.len());
                answer.policy = Some(PolicyBody::Lines(text.lines().map(str::to_owned).collect()));
                answer.body = Body::NetworkPolicy { text: Some(text) };
                answer
            }
            Verdict::Unsolvable => {
                let class = match wanted {
                    Some(Guarantee::Strong) => Checked::Strong,
                    Some(Guarantee::StrongCyclic) | None => Checked::StrongCyclic,
                };
                let evidence = match check {
                    false => Evidence::proved(ENGINE, None),
                    true => self.confirm_no_decomposition(lifted, class)?,
                };
                Answer::new(Kind::Htn, Verdict::Unsolvable, evidence)
            }
            Verdict::Stopped(limit) => {
                Answer::new(Kind::Htn, Verdict::Stopped(limit), bounded(ENGINE, None, None))
            }
        };
        answer.impossible = Some(found.is_strong_impossible.then_some(Class::Strong).into_iter().collect());
        answer.search = Some(SearchReport {
            ran: "decomposition".to_owned(),
            pairs: Some(found.pairs),
            ..SearchReport::default()
        });
        if !matches!(answer.body, Body::NetworkPolicy { .. }) {
            answer.body = Body::NetworkPolicy { text: None };
        }
        answer.note_loop(looping);
        Ok(answer)
    }
}

/// Has "there is no such policy" confirmed by following all methods on the lifted problem, if there is not too much to follow.
/// A contradiction is a bug, never an answer.
fn confirm_advice(
    lifted: &LiftedProblem,
    class: Class,
    budget: &Budget,
) -> Result<Option<&'static str>, Halt> {
    match try_advice(&lifted.problem, class.into(), MOST_SITUATIONS, budget) {
        Ok(Existence::Possible) => {
            let message = "the search found no policy, but following every method finds one";
            Err(Error::Internal { message: message.to_owned() }.into())
        }
        Ok(Existence::Impossible) => Ok(Some("following every method")),
        Ok(Existence::Open) | Err(_) => Ok(None),
    }
}

/// Gives the policy, as text, to the checker. One that fails is a bug, never an answer.
fn verify(lifted: &LiftedProblem, text: &str, budget: &Budget) -> Result<(), Halt> {
    let mut sources = Sources::default();
    let file = sources.add("the policy", text);
    let bug = |flaw: NetworkPolicyFlaw| Error::Internal {
        message: format!("the policy that was found does not pass the check: {flaw}"),
    };
    let read = read_network_policy(&sources, file, &lifted.problem).map_err(bug)?;
    match check_network_policy(&lifted.problem, &read, read.claimed, budget) {
        Ok(_) => Ok(()),
        Err(NetworkPolicyFlaw::Stopped { limit }) => Err(Halt::Limit(limit)),
        Err(flaw) => Err(bug(flaw).into()),
    }
}
