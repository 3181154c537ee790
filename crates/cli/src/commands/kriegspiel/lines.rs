//! Files of JSON lines: good lines are answered, bad ones are told with their number.

use std::path::Path;

use counterplay_syntax::{Diagnostic, FileId, Label, Severity, Sources, Span};
use serde::de::DeserializeOwned;

use crate::diagnostics;
use crate::failure::Halt;
use crate::files::Reader;
use crate::output::remark;
use crate::settings::Settings;

/// The lines of a file, and what is wrong with some of them.
pub(crate) struct Lines {
    sources: Sources,
    file: FileId,
    /// Whether a bad line was told.
    pub(crate) bad: bool,
}

/// A line with its place.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    start: usize,
    end: usize,
}

impl Lines {
    /// Reads a file.
    pub(crate) fn read(path: &Path, settings: &Settings) -> Result<Lines, Halt> {
        let mut reader = Reader::default();
        let file = reader.read(path, &settings.budget)?;
        Ok(Lines { sources: reader.sources, file, bad: false })
    }

    /// The places of all lines that are not empty.
    pub(crate) fn places(&self) -> Vec<Place> {
        let text = &self.sources.files[self.file].text;
        let mut start = 0;
        let mut places = Vec::new();
        for line in text.split_inclusive('\n') {
            let end = start + line.trim_end().len();
            if !line.trim().is_empty() {
                places.push(Place { start, end });
            }
            start += line.len();
        }
        places
    }

    /// What a line says; a line that cannot be read is told.
    pub(crate) fn parse<T: DeserializeOwned>(&mut self, place: Place, settings: &Settings) -> Option<T> {
        let text = &self.sources.files[self.file].text[place.start..place.end];
        match serde_json::from_str(text) {
            Ok(value) => Some(value),
            Err(error) => {
                let at = Place { start: place.start + error.column().saturating_sub(1), ..place };
                let column = format!(" at line 1 column {}", error.column());
                let message = error.to_string().replace(&column, "");
                self.tell(at, "jsonl::malformed", &message, settings);
                None
            }
        }
    }

    /// Tells what is wrong with a line.
    pub(crate) fn tell(&mut self, place: Place, code: &'static str, message: &str, settings: &Settings) {
        self.bad = true;
        let text = &self.sources.files[self.file].text;
        let mut start = place.start.min(place.end);
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let span = Span { file: self.file, start: start as u32, end: place.end as u32 };
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            code,
            message: message.to_owned(),
            labels: vec![Label { span, text: String::new() }],
            help: None,
        };
        remark(diagnostics::render(&self.sources, &[diagnostic], settings.color.stderr).trim_end());
    }
}
