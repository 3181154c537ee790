//! Planning problems, from text.

use std::time::Instant;

use counterplay_base::{Budget, Progress};
use counterplay_ground::ground_outcomes;
use counterplay_pddl::model;
use counterplay_syntax::{Diagnostic, FileId, Label, Severity, Sources, Span};
use counterplay_task::{NondetTask, OddsTask, Task, sas};

use crate::effort::seconds;
use crate::error::{Error, Halt};

/// A planning problem.
#[derive(Clone, Debug)]
pub enum Problem {
    /// A PDDL or HDDL domain with a problem.
    Lifted(Box<LiftedProblem>),
    /// A finite task in Fast Downward's translator format.
    Finite(Box<Task>),
}

/// A PDDL or HDDL domain with a problem, and the texts they were read from.
#[derive(Clone, Debug)]
pub struct LiftedProblem {
    /// The texts, for messages.
    pub sources: Sources,
    /// What they say.
    pub problem: model::Problem,
    /// Seconds of reading.
    pub parse: f64,
}

impl Problem {
    /// Reads a domain and a problem in PDDL or HDDL.
    ///
    /// # Errors
    /// Everything that is wrong with the texts, with places.
    pub fn read(domain: &str, problem: &str) -> Result<Problem, Error> {
        let mut sources = Sources::default();
        let domain = sources.add("domain", domain);
        let problem = sources.add("problem", problem);
        Problem::of_sources(sources, domain, problem)
    }

    /// Reads a domain and a problem from texts that have names.
    ///
    /// # Errors
    /// Everything that is wrong with the texts, with places.
    pub fn of_sources(sources: Sources, domain: FileId, problem: FileId) -> Result<Problem, Error> {
        let started = Instant::now();
        match counterplay_pddl::read(&sources, domain, problem) {
            Ok(problem) => {
                let parse = seconds(started.elapsed());
                Ok(Problem::Lifted(Box::new(LiftedProblem { sources, problem, parse })))
            }
            Err(errors) => {
                let diagnostics = errors.iter().map(counterplay_pddl::Error::diagnostic).collect();
                Err(Error::Input { sources, diagnostics })
            }
        }
    }

    /// Reads a finite task in Fast Downward's translator format (`output.sas`).
    ///
    /// # Errors
    /// What is wrong with the text, with its line.
    pub fn of_sas(sources: Sources, file: FileId) -> Result<Problem, Error> {
        match sas::read(&sources.files[file].text) {
            Ok(task) => Ok(Problem::Finite(Box::new(task))),
            Err(error) => {
                let span = line_span(&sources, file, error.line);
                let diagnostic = Diagnostic {
                    severity: Severity::Error,
                    code: "sas::malformed",
                    message: error.problem.to_string(),
                    labels: vec![Label { span, text: String::new() }],
                    help: None,
                };
                Err(Error::Input { sources, diagnostics: vec![diagnostic] })
            }
        }
    }
}

impl LiftedProblem {
    /// The finite task that the problem stands for.
    ///
    /// # Errors
    /// What cannot be grounded, or the limit that was reached.
    pub fn ground(&self, budget: &Budget, progress: &dyn Progress) -> Result<Task, Halt> {
        self.ground_for(false, budget, progress)
    }

    /// The same; `plain` leaves out what is deduced by h², for certificates.
    pub(crate) fn ground_for(
        &self,
        plain: bool,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Task, Halt> {
        let options = counterplay_ground::Options { h2: !plain, ..Default::default() };
        counterplay_ground::ground(&self.problem, &options, budget, progress)
            .map_err(|error| self.refuse(&error))
    }

    /// The finite task with every action that can be applied, useful or not.
    ///
    /// # Errors
    /// What cannot be grounded, or the limit that was reached.
    pub fn ground_all_actions(&self, budget: &Budget, progress: &dyn Progress) -> Result<Task, Halt> {
        counterplay_ground::ground_all_actions(&self.problem, budget, progress)
            .map_err(|error| self.refuse(&error))
    }

    /// The finite task with all outcomes of its actions. With `keep_irrelevant` it has all facts that methods may mention,
    /// whether the goal needs them or not.
    ///
    /// # Errors
    /// What cannot be grounded, or the limit that was reached.
    pub fn ground_outcomes(
        &self,
        keep_irrelevant: bool,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<NondetTask, Halt> {
        let options = counterplay_ground::Options { keep_irrelevant, ..Default::default() };
        // Actions and goal are the same with a task network and without.
        let plain = model::Problem { hierarchy: None, ..self.problem.clone() };
        let grounded = ground_outcomes(&plain, &options, budget, progress);
        grounded.map(|(task, _)| task).map_err(|error| self.refuse(&error))
    }

    /// The finite task with the probabilities and costs of its outcomes. With `uniform` the outcomes of `oneof` are equally likely,
    /// with `keep_irrelevant` actions stay that play no part in reaching the goal.
    ///
    /// # Errors
    /// What cannot be grounded, or the limit that was reached.
    pub fn ground_odds(
        &self,
        uniform: bool,
        keep_irrelevant: bool,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<OddsTask, Halt> {
        // What plays no part in reaching the goal may still earn something.
        let keep_irrelevant = keep_irrelevant || counterplay_ground::may_earn(&self.problem);
        let options = counterplay_ground::Options { keep_irrelevant, ..Default::default() };
        let grounded = counterplay_ground::ground_odds(&self.problem, uniform, &options, budget, progress);
        grounded.map(|(task, _)| task).map_err(|error| self.refuse(&error))
    }

    /// What deserves a remark although it is allowed: actions that stand there twice, preferences without a weight in the metric.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let repeated = self.problem.repeated_actions.iter();
        let mut all: Vec<Diagnostic> = repeated.map(|(name, span)| repetition(name, *span)).collect();
        if !counterplay_ground::is_net_benefit(&self.problem) {
            return all;
        }
        let unweighed = counterplay_ground::unweighed_preferences(&self.problem).into_iter();
        let warning = |(name, span): (String, Span)| Diagnostic {
            severity: Severity::Warning,
            code: "ground::unweighed-preference",
            message: match &name[..] {
                "" => "a preference without a name cannot be weighed: violating it costs nothing".to_owned(),
                name => format!("the metric does not mention `{name}`: violating it costs nothing"),
            },
            labels: vec![Label { span, text: String::new() }],
            help: None,
        };
        all.extend(unweighed.map(warning));
        all
    }

    /// Whether there is a task network.
    pub fn has_network(&self) -> bool {
        self.problem.hierarchy.is_some()
    }

    /// The error for a problem that cannot be grounded.
    pub(crate) fn refuse(&self, error: &counterplay_ground::Error) -> Halt {
        match error {
            counterplay_ground::Error::Stopped(limit) => Halt::Limit(*limit),
            other => self.input_error(other.diagnostic().into_iter().collect()).into(),
        }
    }

    /// An error in these texts.
    pub(crate) fn input_error(&self, diagnostics: Vec<Diagnostic>) -> Error {
        Error::Input { sources: self.sources.clone(), diagnostics }
    }
}

/// The remark on an action that stands there twice.
fn repetition(name: &str, span: Span) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        code: "pddl::repeated-action",
        message: format!("the action `{name}` stands here a second time and says the same"),
        labels: vec![Label { span, text: String::new() }],
        help: None,
    }
}

/// The span of a line, counted from one; the end of the text if it has no such line.
fn line_span(sources: &Sources, file: FileId, line: usize) -> Span {
    let text = &sources.files[file].text;
    let mut start = 0;
    for (number, content) in text.split_inclusive('\n').enumerate() {
        if number + 1 == line {
            let end = start + content.trim_end().len();
            return Span { file, start: start as u32, end: end as u32 };
        }
        start += content.len();
    }
    Span { file, start: text.len() as u32, end: text.len() as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found() {
        let mut sources = Sources::default();
        let file = sources.add("x", "ab\ncde\n\nf");
        let text = |line| sources.text(line_span(&sources, file, line)).to_owned();
        assert_eq!([text(1), text(2), text(3), text(4), text(5)], ["ab", "cde", "", "f", ""]);
    }
}
