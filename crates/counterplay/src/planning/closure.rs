//! Certificates of policies, task networks and plans for hidden states.

use std::time::Instant;

use counterplay_base::{Budget, Verdict};
use counterplay_check::{
    CheckedClosure, ClosureClaim, ClosureFlaw, ClosureNodes, Guarantee, NotCertified, certify_no_contingent,
    certify_no_decomposition, certify_no_policy, certify_policy, check_closure, read_policy,
};
use counterplay_syntax::Sources;

use super::Run;
use super::answer::Answer;
use super::certificate::{Certificate, NONE, Proof, RANKS};
use super::check::{CheckRequest, check};
use super::check_certificate::CertificateValidity;
use super::request::Class;
use crate::effort::seconds;
use crate::error::{Error, Halt};
use crate::problem::LiftedProblem;

/// So many nodes are listed in a certificate at most.
const MOST_NODES: usize = 2_000_000;

/// Files that were made, or why there are none.
type Made = Result<Vec<(&'static str, String)>, NotCertified>;

impl Run<'_> {
    /// Makes the certificate for an answer whose nodes are of this kind.
    pub(super) fn certify_closure(
        &mut self,
        lifted: &LiftedProblem,
        answer: &mut Answer,
        about: ClosureNodes,
    ) -> Result<(), Halt> {
        if !self.request.certificate {
            return Ok(());
        }
        self.announce("certifying");
        let started = Instant::now();
        let mut report = Certificate::of_closure();
        let made = match &answer.verdict {
            Verdict::Solved(()) => {
                report.claim = answer.class.map_or("plan", Class::name);
                self.positive(lifted, answer, about, &mut report)
            }
            Verdict::Unsolvable => self.negative(lifted, answer, about, &mut report),
            Verdict::Stopped(_) => {
                report.claim = "nothing";
                report.why = Some(match about {
                    ClosureNodes::Situations => "only a bound was searched: whether a task network can be \
                                                 carried out is undecidable in general"
                        .to_owned(),
                    _ => "the search did not come to an end".to_owned(),
                });
                Ok(Vec::new())
            }
        };
        match made {
            Ok(files) => {
                let nodes = |text: &String| text.lines().filter(|line| is_node(line)).count();
                report.states = files.iter().map(|(_, text)| nodes(text)).sum();
                answer.proof = Some(Box::new(Proof::Texts(files)));
            }
            Err(NotCertified::Refuted) => {
                let message = "the certificate contradicts the answer".to_owned();
                return Err(Error::Internal { message }.into());
            }
            Err(why) => report.why = Some(why.to_string()),
        }
        report.seconds = seconds(started.elapsed());
        answer.certificate = Some(report);
        Ok(())
    }

    /// What a policy guarantees, and that nothing stronger exists.
    fn positive(
        &self,
        lifted: &LiftedProblem,
        answer: &Answer,
        about: ClosureNodes,
        report: &mut Certificate,
    ) -> Made {
        let mut files = Vec::new();
        let guarantee = answer.class.map(Guarantee::from);
        if let (ClosureNodes::States, Some(wanted), Some(text)) = (about, guarantee, answer.file_text()) {
            let mut sources = Sources::default();
            let file = sources.add("the policy", text);
            let rules = read_policy(&sources, file, &lifted.problem).map(|policy| policy.rules);
            let rules = rules.map_err(|_| NotCertified::Refuted)?;
            if wanted != Guarantee::Weak {
                let ranks = certify_policy(&lifted.problem, &rules, wanted, MOST_NODES, self.budget)?;
                files.push((RANKS, ranks));
                report.proved_inside.push("ranks of the states of the policy");
            }
        }
        let stronger = answer.impossible.as_deref().and_then(<[Class]>::last);
        let none = match (about, stronger) {
            (ClosureNodes::States, Some(&stronger)) => {
                Some(certify_no_policy(&lifted.problem, stronger.into(), MOST_NODES, self.budget))
            }
            (ClosureNodes::Beliefs, Some(Class::Strong)) => {
                Some(certify_no_contingent(&lifted.problem, Guarantee::Strong, MOST_NODES, self.budget))
            }
            _ => None,
        };
        match none {
            Some(Ok(text)) => {
                files.push((NONE, text));
                report.proved_inside.push("nodes in which nature stays for ever");
            }
            Some(Err(NotCertified::Refuted)) => return Err(NotCertified::Refuted),
            // The policy has its ranks; that nothing is stronger stays without a certificate.
            Some(Err(why)) => {
                report.why = Some(format!("that nothing stronger exists is not certified: {why}"))
            }
            None => {}
        }
        Ok(files)
    }

    fn negative(
        &self,
        lifted: &LiftedProblem,
        answer: &Answer,
        about: ClosureNodes,
        report: &mut Certificate,
    ) -> Made {
        let problem = &lifted.problem;
        let asked = self.request.class.map(Guarantee::from);
        let weakest = answer.impossible.as_deref().and_then(<[Class]>::last).copied().map(Guarantee::from);
        let wanted = match about {
            ClosureNodes::States => asked.or(weakest).unwrap_or(Guarantee::Weak),
            ClosureNodes::Situations if problem.is_nondeterministic() => {
                asked.unwrap_or(Guarantee::StrongCyclic)
            }
            ClosureNodes::Situations => Guarantee::Weak,
            ClosureNodes::Beliefs => Guarantee::Strong,
        };
        report.claim = ClosureClaim::No(wanted).word();
        report.proved_inside.push("nodes in which nature stays for ever");
        let text = match about {
            ClosureNodes::States => certify_no_policy(problem, wanted, MOST_NODES, self.budget),
            ClosureNodes::Situations => certify_no_decomposition(problem, wanted, MOST_NODES, self.budget),
            ClosureNodes::Beliefs => certify_no_contingent(problem, wanted, MOST_NODES, self.budget),
        };
        if about == ClosureNodes::Beliefs && asked != Some(Guarantee::Strong) {
            report.why = Some("that there is no strong-cyclic plan either is not certified".to_owned());
        }
        Ok(vec![(NONE, text?)])
    }
}

fn is_node(line: &str) -> bool {
    ["state ", "situation ", "belief "].iter().any(|word| line.starts_with(word))
}

/// The files of a certificate about a policy, a task network or hidden states.
#[derive(Clone, Debug, Default)]
pub struct ClosureTexts {
    /// The plan or policy.
    pub plan: Option<String>,
    /// The states of the policy with their ranks, `ranks.txt`.
    pub ranks: Option<String>,
    /// What shows that there is none, or nothing stronger, `none.txt`.
    pub none: Option<String>,
}

/// Checks the files of a certificate on the problem as it is written.
///
/// # Errors
/// A problem that certificates of this kind do not cover, or the limit that was reached. A certificate that does not verify is no error.
pub fn check_closure_texts(
    texts: &ClosureTexts,
    lifted: &LiftedProblem,
    request: &CheckRequest,
    budget: &Budget,
) -> Result<CertificateValidity, Halt> {
    let started = Instant::now();
    let mut validity = CertificateValidity::nothing();
    let mut look = || -> Result<(), Halt> {
        if let Some(ranks) = &texts.ranks {
            let rules = texts.plan.as_ref().map(|plan| {
                let mut sources = Sources::default();
                let file = sources.add("plan", plan.clone());
                read_policy(&sources, file, &lifted.problem)
            });
            let rules = match rules {
                Some(Err(_)) => {
                    validity.refuse("plan: it cannot be read as a policy".to_owned());
                    return Ok(());
                }
                Some(Ok(policy)) => Some(policy.rules),
                None => None,
            };
            let checked = verify(&mut validity, RANKS, ranks, rules.as_deref(), lifted, budget)?;
            match checked.map(|checked| checked.claim) {
                Some(ClosureClaim::Is(_)) | None => {}
                Some(ClosureClaim::No(_)) => {
                    validity.refuse(format!("{RANKS}:2: a claim about a policy is wanted here"));
                }
            }
        } else if let Some(plan) = &texts.plan {
            let checked = check(lifted, "plan", plan, request, budget)?;
            validity.claim = checked.class.map(Class::name).or(Some("plan"));
            validity.problem_cost = checked.metric.or(checked.cost);
            if !checked.valid {
                validity.refuse(format!("plan: {}", checked.why.unwrap_or_default()));
            }
        }
        if let Some(none) = &texts.none
            && validity.valid
        {
            let checked = verify(&mut validity, NONE, none, None, lifted, budget)?;
            match checked.map(|checked| checked.claim) {
                Some(claim @ ClosureClaim::No(excluded)) => {
                    let has = validity.claim.and_then(guarantee);
                    if has.is_some_and(|has| has >= excluded) {
                        validity.refuse(format!("{NONE}:2: the policy has what this excludes"));
                    }
                    validity.excluded = Some(claim.word());
                    validity.claim = validity.claim.or(Some(claim.word()));
                }
                Some(ClosureClaim::Is(_)) => {
                    validity.refuse(format!("{NONE}:2: a claim that there is none is wanted here"));
                }
                None => {}
            }
        }
        Ok(())
    };
    look()?;
    if validity.valid && validity.claim.is_none() {
        validity.refuse("the folder holds neither a plan nor a proof that there is none".to_owned());
    }
    validity.seconds = seconds(started.elapsed());
    Ok(validity)
}

fn guarantee(word: &str) -> Option<Guarantee> {
    [Guarantee::Weak, Guarantee::StrongCyclic, Guarantee::Strong]
        .into_iter()
        .find(|&guarantee| ClosureClaim::Is(guarantee).word() == word)
}

/// Checks one file; `None` if it does not verify.
fn verify(
    validity: &mut CertificateValidity,
    name: &str,
    text: &str,
    rules: Option<&[counterplay_check::Rule]>,
    lifted: &LiftedProblem,
    budget: &Budget,
) -> Result<Option<CheckedClosure>, Halt> {
    match check_closure(&lifted.problem, text, rules, budget) {
        Ok(checked) => {
            if matches!(checked.claim, ClosureClaim::Is(_)) {
                validity.claim = Some(checked.claim.word());
            }
            *validity.states.get_or_insert(0) += checked.nodes;
            *validity.steps.get_or_insert(0) += checked.moves;
            Ok(Some(checked))
        }
        Err(ClosureFlaw::Stopped(limit)) => Err(limit.into()),
        Err(flaw @ ClosureFlaw::NotCovered(_)) => {
            Err(Error::Request { message: flaw.to_string(), help: None }.into())
        }
        Err(flaw) => {
            validity.refuse(format!("{name}: {flaw}"));
            Ok(None)
        }
    }
}
