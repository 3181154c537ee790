//! One run of a command, and what came of it.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::description::{JobText, Limits, has_option};
use crate::grid::Parameters;

/// One run of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its place in the batch, from 0.
    pub number: usize,
    /// A name that depends on the program and its arguments only.
    pub id: String,
    /// The name of its part of the batch.
    pub group: String,
    /// Values of the placeholders.
    pub parameters: Parameters,
    /// Another program than this one.
    pub program: Option<String>,
    /// Arguments. `{scratch}` and `{output}` still stand for folders that are known when it runs.
    pub command: Vec<String>,
}

/// How a job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Exit code 0: found or valid.
    Found,
    /// Exit code 1: proved that there is none, or not valid.
    None,
    /// Exit code 2: bad usage, bad input or a bug.
    Bad,
    /// Exit code 3: a limit was reached.
    Limit,
    /// Another exit code.
    Failed,
    /// It took longer than its time limit and the time to notice, and was ended.
    Overdue,
    /// A signal from outside ended it; the job is run again by the next run.
    Killed,
}

/// The result of a job, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The name of the job.
    pub job: String,
    pub batch: String,
    pub group: String,
    pub parameters: serde_json::Map<String, serde_json::Value>,
    pub program: String,
    pub command: Vec<String>,
    /// Of the program that ran the batch.
    pub version: String,
    pub outcome: Outcome,
    /// What failed, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub exit: Option<i32>,
    /// What it answered: the object, a list of them if there are several lines, or the text.
    pub answer: serde_json::Value,
    /// Wall time.
    pub seconds: f64,
    pub cpu_seconds: f64,
    /// Bytes.
    pub peak_memory: u64,
    /// The machine it ran on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub host: Option<String>,
}

impl Outcome {
    /// Whether the job is done; what was killed is run again.
    pub fn is_final(self) -> bool {
        self != Outcome::Killed
    }

    /// Whether it is an answer and not a failure.
    pub fn is_answer(self) -> bool {
        matches!(self, Outcome::Found | Outcome::None | Outcome::Limit)
    }

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Found => "found",
            Outcome::None => "none",
            Outcome::Bad => "bad",
            Outcome::Limit => "limit",
            Outcome::Failed => "failed",
            Outcome::Overdue => "overdue",
            Outcome::Killed => "killed",
        }
    }
}

impl Job {
    pub(crate) fn new(
        number: usize,
        group: &str,
        text: &JobText,
        parameters: Parameters,
        limits: &Limits,
        seed: Option<u64>,
    ) -> Result<Job, String> {
        let mut command: Vec<String> =
            text.command.iter().map(|word| fill(word, &parameters)).collect::<Result<_, _>>()?;
        if text.program.is_none() {
            let forbidden = ["batch", "serve", "worker"];
            match command.first() {
                None => return Err("`command` is empty".to_owned()),
                Some(first) if forbidden.contains(&first.as_str()) => {
                    return Err(format!("`{first}` cannot be a job"));
                }
                Some(_) => (),
            }
            command.extend(limits.options(&command));
            if let Some(seed) = seed.filter(|_| !has_option(&command, "--seed")) {
                command.extend(["--seed".to_owned(), seed.to_string()]);
            }
            if !text.text && !has_option(&command, "--json") {
                command.push("--json".to_owned());
            }
        }
        let program = text.program.as_deref().map(|program| fill(program, &parameters)).transpose()?;
        let id = id(program.as_deref(), &command);
        Ok(Job { number, id, group: group.to_owned(), parameters, program, command })
    }
}

/// A name for what is run, 20 hexadecimal digits of a SHA-256 hash.
fn id(program: Option<&str>, command: &[String]) -> String {
    let mut state = Sha256::new();
    let words = std::iter::once(program.unwrap_or("")).chain(command.iter().map(String::as_str));
    for word in words {
        state.update((word.len() as u64).to_le_bytes());
        state.update(word.as_bytes());
    }
    state.finalize().iter().take(10).map(|byte| format!("{byte:02x}")).collect()
}

/// Puts values in the place of `{name}`, `{name.stem}`, `{name.file}` and `{name.folder}`; `{{` is a brace.
fn fill(word: &str, parameters: &Parameters) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = word;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        let brace = &rest[at..=at];
        if rest[at + 1..].starts_with(brace) {
            out.push_str(brace);
            rest = &rest[at + 2..];
            continue;
        }
        let end = rest[at..].find('}').filter(|_| brace == "{").map(|end| at + end);
        let end = end.ok_or_else(|| {
            format!("a brace of `{word}` has no partner; write {{{{ or }}}} for the character")
        })?;
        out.push_str(&value(&rest[at + 1..end], parameters)?);
        rest = &rest[end + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

/// Folders that are known when the job runs.
pub(crate) const LATE: [&str; 2] = ["scratch", "output"];

fn value(placeholder: &str, parameters: &Parameters) -> Result<String, String> {
    if LATE.contains(&placeholder) {
        return Ok(format!("{{{placeholder}}}"));
    }
    let (name, part) =
        placeholder.split_once('.').map_or((placeholder, None), |(name, part)| (name, Some(part)));
    let known = parameters.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str());
    let Some(value) = known else {
        let names: Vec<&str> = parameters.iter().map(|(own, _)| own.as_str()).chain(LATE).collect();
        return Err(format!("`{{{placeholder}}}` has no value; there are: {}", names.join(", ")));
    };
    let path = Path::new(value);
    let text = |part: Option<&std::ffi::OsStr>| {
        part.map_or(String::new(), |part| part.to_string_lossy().into_owned())
    };
    match part {
        None => Ok(value.to_owned()),
        Some("stem") => Ok(text(path.file_stem())),
        Some("file") => Ok(text(path.file_name())),
        Some("folder") => {
            let folder = text(path.parent().map(Path::as_os_str));
            Ok(if folder.is_empty() { ".".to_owned() } else { folder })
        }
        Some(other) => Err(format!("`.{other}` is not known; there are: .stem, .file, .folder")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled() {
        let parameters = vec![("p".to_owned(), "a/b/p01.pddl".to_owned()), ("n".to_owned(), "3".to_owned())];
        let filled = |word: &str| fill(word, &parameters);
        assert_eq!(filled("{p.folder}/domain.pddl").as_deref(), Ok("a/b/domain.pddl"));
        assert_eq!(filled("x{n}{{n}}-{p.stem}").as_deref(), Ok("x3{n}-p01"));
        assert_eq!(filled("{scratch}/x").as_deref(), Ok("{scratch}/x"));
        for wrong in ["{q}", "{p", "p}", "{p.suffix}", "{}"] {
            assert!(filled(wrong).is_err(), "{wrong}");
        }
    }
}
