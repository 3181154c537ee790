//! From the files of a planning problem to a finite task.

use std::path::Path;

use counterplay_base::{Budget, Progress};
use counterplay_pddl::model::Problem;
use counterplay_syntax::{Diagnostic, FileId, Label, Severity, Sources, Span};
use counterplay_task::{Task, sas};

use crate::failure::{Failure, Halt};
use crate::files::Reader;

/// What the user gave: a problem with variables still in it, or a finite task.
pub(crate) enum Input {
    /// A PDDL domain with a problem.
    Lifted(Box<Lifted>),
    /// A task in Fast Downward's translator format.
    Finite(Box<Task>),
}

/// A PDDL domain with a problem, and the text they came from.
pub(crate) struct Lifted {
    /// The texts, for messages.
    pub(crate) sources: Sources,
    /// What they say.
    pub(crate) problem: Problem,
}

impl Input {
    /// Reads a domain and a problem, or one file with a whole task.
    pub(crate) fn read(first: &Path, second: Option<&Path>, budget: &Budget) -> Result<Input, Halt> {
        let Some(second) = second else {
            return Ok(Input::Finite(Box::new(read_task(first, budget)?)));
        };
        Ok(Input::Lifted(Box::new(Lifted::read(first, second, budget)?)))
    }
}

/// Reads a domain and a problem; all their errors come together.
pub(crate) fn read_problem(
    reader: &mut Reader,
    domain: &Path,
    problem: &Path,
    budget: &Budget,
) -> Result<Problem, Halt> {
    let domain = reader.read(domain, budget)?;
    let problem = reader.read(problem, budget)?;
    counterplay_pddl::read(&reader.sources, domain, problem).map_err(|errors| {
        let diagnostics = errors.iter().map(counterplay_pddl::Error::diagnostic).collect();
        Failure::Input { sources: std::mem::take(&mut reader.sources), diagnostics }.into()
    })
}

impl Lifted {
    /// Reads a domain and a problem.
    pub(crate) fn read(domain: &Path, problem: &Path, budget: &Budget) -> Result<Lifted, Halt> {
        let mut reader = Reader::default();
        let problem = read_problem(&mut reader, domain, problem, budget)?;
        Ok(Lifted { sources: reader.sources, problem })
    }

    /// The finite task that the problem stands for.
    pub(crate) fn ground(&self, budget: &Budget, progress: &dyn Progress) -> Result<Task, Halt> {
        let options = counterplay_ground::Options::default();
        counterplay_ground::ground(&self.problem, &options, budget, progress)
            .map_err(|error| self.refuse(&error))
    }

    /// What to tell of a problem that cannot be grounded.
    pub(crate) fn refuse(&self, error: &counterplay_ground::Error) -> Halt {
        match error {
            counterplay_ground::Error::Stopped(limit) => Halt::Limit(*limit),
            other => {
                let diagnostics = other.diagnostic().into_iter().collect();
                Failure::Input { sources: self.sources.clone(), diagnostics }.into()
            }
        }
    }
}

/// Reads a task in the translator format.
fn read_task(path: &Path, budget: &Budget) -> Result<Task, Halt> {
    let mut reader = Reader::default();
    let file = reader.read(path, budget)?;
    let sources = reader.sources;
    if !sources.files[file].text.trim_start().starts_with("begin_version") {
        let message =
            format!("{} is not a task in Fast Downward's translator format", sources.files[file].name);
        let help = Some("PDDL needs two files: `counterplay solve DOMAIN PROBLEM`".to_owned());
        return Err(Failure::Usage { message, help }.into());
    }
    match sas::read(&sources.files[file].text) {
        Ok(task) => Ok(task),
        Err(error) => {
            let span = line_span(&sources, file, error.line);
            let diagnostic = Diagnostic {
                severity: Severity::Error,
                code: "sas::malformed",
                message: error.problem.to_string(),
                labels: vec![Label { span, text: String::new() }],
                help: None,
            };
            Err(Failure::Input { sources, diagnostics: vec![diagnostic] }.into())
        }
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
