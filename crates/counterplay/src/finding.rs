//! What is wrong with a text, with its place, as data.

use counterplay_syntax::{Diagnostic, Severity, Sources};
use serde::Serialize;

/// One thing that is wrong with a text, or deserves a remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Finding {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// A name for this kind of finding, such as `pddl::unknown-predicate`.
    pub code: &'static str,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The name of the text; null if the finding has no place.
    pub file: Option<String>,
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// The column, counted from 1 in characters.
    pub column: Option<usize>,
    /// The line at the place.
    pub source: Option<String>,
}

impl Finding {
    /// A diagnostic with its place in lines and columns.
    pub fn new(sources: &Sources, diagnostic: &Diagnostic) -> Finding {
        let mut finding = Finding {
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            code: diagnostic.code,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            file: None,
            line: None,
            column: None,
            source: None,
        };
        if let Some(label) = diagnostic.labels.first() {
            let file = &sources.files[label.span.file];
            let start = file.text.floor_char_boundary((label.span.start as usize).min(file.text.len()));
            let (before, after) = file.text.split_at(start);
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            let line_end = start + after.find('\n').unwrap_or(after.len());
            finding.file = Some(file.name.clone());
            finding.line = Some(before.matches('\n').count() + 1);
            finding.column = Some(before[line_start..].chars().count() + 1);
            finding.source = Some(file.text[line_start..line_end].trim_end().to_owned());
        }
        finding
    }
}
