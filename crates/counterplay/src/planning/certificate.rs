//! Certificates: files by which a stranger verifies that no plan is better, or that there is none.

use std::io::{self, Write};
use std::time::Instant;

use counterplay_base::{Budget, Limit, Silent, Verdict};
use counterplay_certificate::{
    Claim, Error as WriteError, Invariant, MOST_LEMMAS, write_formula, write_invariant, write_proof_within,
};
use counterplay_plan::explicit::{CertifyError, certify};
use counterplay_plan::{Direction, Heuristic, Plan, certify_by_layers, without_soft_goals};
use counterplay_task::{Task, sas};
use serde::Serialize;

use super::Run;
use super::answer::Answer;
use super::request::Search;
use crate::amount::Amount;
use crate::effort::seconds;
use crate::error::{Error, Halt};
use crate::figures::count;

/// What a certificate consists of, and what it rests on.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Certificate {
    /// Whether the files were written; if not, `why` says what kept them from being.
    pub written: bool,
    /// Why there is no proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// `unsolvable` or `at-least`; of a policy its class; `no-weak`, `no-strong` or `no-strong-cyclic` where there is none.
    pub claim: &'static str,
    /// What every plan costs at least, in the problem's own units; soft goals that are violated count as costs.
    pub bound: Option<Amount>,
    /// The format of the proof.
    pub format: &'static str,
    /// The files, in the folder that was asked for.
    pub files: Vec<&'static str>,
    /// Bytes of formula and proof together, or of the lists of nodes.
    pub bytes: Option<u64>,
    /// States that were expanded one by one in the proof, or nodes that are listed.
    pub states: usize,
    /// Estimates that cover states that were not.
    pub estimates: usize,
    /// Layers, each a set of states given by a decision diagram.
    pub layers: usize,
    /// Nodes of these diagrams.
    pub nodes: usize,
    /// What the proof uses, and proves.
    pub proved_inside: Vec<&'static str>,
    /// What searches use otherwise and the proof does without.
    pub switched_off: Vec<&'static str>,
    /// Seconds for the invariant.
    pub seconds: f64,
    /// Seconds for writing the files.
    pub write_seconds: Option<f64>,
}

/// What is behind a certificate.
#[derive(Clone, Debug)]
pub(super) enum Proof {
    /// The task and its invariant.
    Invariant(Box<Task>, Invariant),
    /// Files that are there already, by name.
    Texts(Vec<(&'static str, String)>),
}

/// The finite task in the translator format.
const TASK: &str = "task.sas";
/// The formula that has to be unsatisfiable.
const FORMULA: &str = "task.opb";
/// The proof that it is.
const PROOF: &str = "proof.pbp";
/// The invariant for the checker of this project.
const INVARIANT: &str = "invariant.txt";
/// The plan, if there is one.
const PLAN: &str = "plan";

/// The states of a policy with their ranks.
pub(super) const RANKS: &str = "ranks.txt";
/// What shows that there is no policy, decomposition or plan, or none that is stronger.
pub(super) const NONE: &str = "none.txt";

/// All files that a certificate may have.
pub const CERTIFICATE_FILES: [&str; 7] = [TASK, FORMULA, PROOF, INVARIANT, PLAN, RANKS, NONE];

impl Run<'_> {
    /// Certificates are for plans so far.
    pub(super) fn refuse_certificate_of(&self, what: &str) -> Result<(), Error> {
        match self.request.certificate {
            false => Ok(()),
            true => Err(Error::request(
                &format!("`certificate` is for plans, and the answer here is {what}"),
                "leave it out",
            )),
        }
    }

    /// A certificate is refused before the search where there can be none.
    pub(super) fn refuse_certificate(&self, task: &Task) -> Result<(), Error> {
        if !self.request.certificate {
            return Ok(());
        }
        let plain = Task { soft: Vec::new(), ..task.clone() };
        match counterplay_certificate::unsupported(&plain) {
            None => Ok(()),
            Some(what) => Err(Error::request(
                &format!("`certificate` does not cover {what} yet, and this problem has some"),
                "leave it out",
            )),
        }
    }

    /// Makes the certificate for an answer that a search has proved.
    pub(super) fn certify(
        &mut self,
        task: &Task,
        verdict: &Verdict<Plan>,
        answer: &mut Answer,
        bound: Option<Amount>,
    ) -> Result<(), Halt> {
        let claim = match verdict {
            Verdict::Solved(plan) => Claim::AtLeast(plan.cost),
            Verdict::Unsolvable => Claim::Unsolvable,
            Verdict::Stopped(_) => return Ok(()),
        };
        if !self.request.certificate {
            return Ok(());
        }
        self.announce("certifying");
        let started = Instant::now();
        let task = without_soft_goals(task);
        let mut report = Certificate::new(claim, bound);
        if claim == Claim::AtLeast(0) {
            report.why = Some("there is nothing to prove: no plan costs less than nothing".to_owned());
            answer.certificate = Some(report);
            return Ok(());
        }
        match self.invariant(&task, claim) {
            Ok(invariant) => {
                report.describe(&invariant);
                answer.proof = Some(Box::new(Proof::Invariant(Box::new(task), invariant)));
            }
            Err(CertifyError::Stopped(limit)) => report.why = Some(limit.to_string()),
            Err(CertifyError::Refuted) => {
                let message = "the certificate finds a better plan than the search".to_owned();
                return Err(Error::Internal { message }.into());
            }
        }
        report.seconds = seconds(started.elapsed());
        answer.certificate = Some(report);
        Ok(())
    }

    /// An invariant by the engine that the request names: states for the explicit search, layers for the symbolic ones. If it names none,
    /// both are tried, beginning with few states: a certificate of those is small.
    fn invariant(&self, task: &Task, claim: Claim) -> Result<Invariant, CertifyError> {
        let request = self.request;
        let heuristic = match request.heuristic {
            Some(super::request::Heuristic::Blind) => Heuristic::Blind,
            _ => Heuristic::LmCut,
        };
        let direction = match request.direction {
            Some(super::request::Direction::Forward) => Direction::Forward,
            Some(super::request::Direction::Backward) => Direction::Backward,
            Some(super::request::Direction::Both) | None => Direction::Both,
        };
        let by_states = |most| certify(task, claim, heuristic, most, self.budget, self.progress);
        let by_layers = |work| {
            certify_by_layers(task, claim, direction, (request.seed, work), self.budget, self.progress)
        };
        match request.search {
            Search::Bfs | Search::Dijkstra | Search::Astar => return by_layers(u64::MAX),
            _ if request.direction.is_some() => return by_layers(u64::MAX),
            Search::Explicit => return by_states(usize::MAX),
            _ if request.heuristic.is_some() => return by_states(usize::MAX),
            _ => {}
        }
        let is_too_much = |error: &CertifyError| matches!(error, CertifyError::Stopped(Limit::Nodes(_)));
        match by_states(FEW_STATES) {
            Err(error) if is_too_much(&error) => {}
            done => return done,
        }
        let layers = match by_layers(LAYER_WORK) {
            Err(error) if is_too_much(&error) => return by_states(usize::MAX),
            done => done?,
        };
        if layers.diagram.nodes.len() <= SHORT_NODES && !task.has_conditional_effects() {
            return Ok(layers);
        }
        // The proof from these layers would be too long for VeriPB, or cannot be written; one from states may be shorter.
        match by_states(MANY_STATES) {
            Err(CertifyError::Stopped(_)) => Ok(layers),
            done => done,
        }
    }
}

/// So many states are expanded before layers are tried, and so many nodes of diagrams looked up before states are tried again.
const FEW_STATES: usize = 20_000;
const LAYER_WORK: u64 = 400_000_000;
/// Layers with at most so many nodes are taken, and states in place of larger ones up to this number.
const SHORT_NODES: usize = 150_000;
const MANY_STATES: usize = 600_000;
/// A proof from layers that takes more lemmas is compared with one from so many states before it is written.
const SHORT_LEMMAS: u64 = 2_000_000;
const SOME_STATES: usize = 200_000;

impl Certificate {
    /// Notes what the invariant consists of.
    fn describe(&mut self, invariant: &Invariant) {
        self.states = invariant.states.len();
        self.estimates = invariant.estimates.len();
        self.layers = invariant.layers.len();
        self.nodes = invariant.diagram.nodes.len();
        let parts = [
            (self.states, "closed states"),
            (self.estimates, "landmarks of LM-cut"),
            (self.layers, "layers of symbolic search"),
        ];
        self.proved_inside =
            parts.into_iter().filter(|&(count, _)| count > 0).map(|(_, what)| what).collect();
    }

    fn new(claim: Claim, bound: Option<Amount>) -> Certificate {
        Certificate {
            written: false,
            why: None,
            claim: match claim {
                Claim::Unsolvable => "unsolvable",
                Claim::AtLeast(_) => "at-least",
            },
            bound: bound.filter(|_| claim != Claim::Unsolvable),
            format: "VeriPB 3.0",
            files: Vec::new(),
            bytes: None,
            states: 0,
            estimates: 0,
            layers: 0,
            nodes: 0,
            proved_inside: Vec::new(),
            switched_off: vec!["h2", "mutex groups", "symmetries", "stubborn sets"],
            seconds: 0.0,
            write_seconds: None,
        }
    }
}

impl Certificate {
    /// A report about a list of nodes, before anything is known.
    pub(super) fn of_closure() -> Certificate {
        Certificate {
            written: false,
            why: None,
            claim: "",
            bound: None,
            format: "counterplay certificate 1",
            files: Vec::new(),
            bytes: None,
            states: 0,
            estimates: 0,
            layers: 0,
            nodes: 0,
            proved_inside: Vec::new(),
            switched_off: Vec::new(),
            seconds: 0.0,
            write_seconds: None,
        }
    }

    /// One line for people.
    pub fn text(&self) -> String {
        match (self.written, self.bytes, &self.why) {
            (true, Some(bytes), None) => format!("certificate: {} of proof", count(bytes, "byte")),
            (true, Some(bytes), Some(why)) => {
                format!("certificate: {} of proof; {why}", count(bytes, "byte"))
            }
            (_, _, Some(why)) => format!("no certificate: {why}"),
            _ => "no certificate".to_owned(),
        }
    }
}

impl Answer {
    /// Writes the files of the certificate, if one was asked for and made. `open` gives the sink of a file by its name.
    /// Afterwards the answer tells which files there are.
    ///
    /// # Errors
    /// A file that cannot be written. A limit is no error: the answer then says why there is no certificate, and the caller
    /// should remove what was begun.
    pub fn write_certificate<W: Write>(
        &mut self,
        budget: &Budget,
        mut open: impl FnMut(&'static str) -> io::Result<W>,
    ) -> io::Result<()> {
        let plan = self.file_text();
        let Some(report) = &mut self.certificate else { return Ok(()) };
        let started = Instant::now();
        if let Some(plan) = plan {
            open(PLAN)?.write_all(plan.as_bytes())?;
            report.files.push(PLAN);
        }
        let Some(proof) = &self.proof else { return Ok(()) };
        let (task, invariant) = match &**proof {
            Proof::Invariant(task, invariant) => (task, invariant),
            Proof::Texts(texts) => {
                for (name, text) in texts {
                    open(name)?.write_all(text.as_bytes())?;
                    report.files.push(name);
                }
                report.bytes = Some(texts.iter().map(|(_, text)| text.len() as u64).sum());
                report.written = !report.files.is_empty();
                report.write_seconds = Some(seconds(started.elapsed()));
                return Ok(());
            }
        };
        // A proof from single states may be shorter, and if there is none, the layers are still there.
        let mut written = write_files(SHORT_LEMMAS, task, invariant, budget, &mut open)?;
        for (states, lemmas) in [(SOME_STATES, MOST_LEMMAS), (MANY_STATES, 0)] {
            if !matches!(written, (_, Err(WriteError::TooLong(_)))) {
                break;
            }
            let states = certify(task, invariant.claim, Heuristic::LmCut, states, budget, &Silent);
            if let Ok(states) = states {
                let shorter = write_files(MOST_LEMMAS, task, &states, budget, &mut open)?;
                if shorter.1.is_ok() {
                    report.describe(&states);
                    written = shorter;
                    break;
                }
            }
            // Without lemmas this writes the layers alone.
            written = write_files(lemmas, task, invariant, budget, &mut open)?;
            if let (_, Err(WriteError::TooLong(most))) = &mut written {
                *most = MOST_LEMMAS;
            }
        }
        match written {
            (_, Ok(bytes)) => {
                report.files.extend([TASK, INVARIANT, FORMULA, PROOF]);
                report.bytes = Some(bytes);
                report.written = true;
            }
            (_, Err(WriteError::NotInvariant)) => {
                report.why = Some(format!("internal error: {}", WriteError::NotInvariant));
            }
            // Layers are checked without a proof: what is written so far is a certificate, for the checker of this project.
            (bytes, Err(error)) if report.layers > 0 => {
                report.files.extend([TASK, INVARIANT]);
                report.bytes = Some(bytes);
                report.written = true;
                report.format = "counterplay invariant";
                report.why = Some(format!("no proof for VeriPB: {error}"));
            }
            (_, Err(WriteError::Stopped(limit))) => report.why = Some(limit.to_string()),
            (_, Err(error)) => report.why = Some(error.to_string()),
        }
        report.write_seconds = Some(seconds(started.elapsed()));
        Ok(())
    }
}

/// Writes the files for the checker of this project, then those for VeriPB; the bytes of the first two, and those of the others or why they are not
/// complete.
fn write_files<W: Write>(
    lemmas: u64,
    task: &Task,
    invariant: &Invariant,
    budget: &Budget,
    mut open: impl FnMut(&'static str) -> io::Result<W>,
) -> io::Result<(u64, Result<u64, WriteError>)> {
    let mut write = |name, writer: &mut dyn FnMut(&mut dyn Write) -> Result<(), WriteError>| {
        let mut sink = Counting { inner: io::BufWriter::new(open(name)?), bytes: 0 };
        writer(&mut sink)?;
        sink.inner.flush()?;
        Ok::<u64, WriteError>(sink.bytes)
    };
    let mut for_us = || {
        let task = write(TASK, &mut |out| Ok(out.write_all(sas::write(task).as_bytes())?))?;
        Ok(task + write(INVARIANT, &mut |out| Ok(write_invariant(invariant, out)?))?)
    };
    let bytes = match for_us() {
        Ok(bytes) => bytes,
        Err(WriteError::Write(error)) => return Err(error),
        Err(error) => return Ok((0, Err(error))),
    };
    let mut for_all = || {
        let formula = write(FORMULA, &mut |out| write_formula(task, invariant, out, budget))?;
        Ok(formula + write(PROOF, &mut |out| write_proof_within(lemmas, task, invariant, out, budget))?)
    };
    match for_all() {
        Err(WriteError::Write(error)) => Err(error),
        written => Ok((bytes, written)),
    }
}

/// Counts the bytes that pass.
struct Counting<W: Write> {
    inner: io::BufWriter<W>,
    bytes: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(buffer)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
