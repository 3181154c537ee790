//! Files that have been read, and places in them.

use counterplay_base::{IdVec, id};

id! {
    pub struct FileId;
}

/// A stretch of bytes of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file it lies in.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The stretch from the start of `self` to the end of `other`, which lies later in the same file.
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.file, other.file);
        Span { end: other.end.max(self.end), ..self }
    }
}

/// One file: its name as the user gave it, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Name for messages.
    pub name: String,
    pub text: String,
}

/// All files of one problem.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The files, in the order they were added.
    pub files: IdVec<FileId, Source>,
}

impl Sources {
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.files.push(Source { name: name.into(), text: text.into() })
    }

    /// Adds a file as it lies on the disk. Bytes that are no UTF-8 (old benchmark files have Latin-1 names in
    /// their comments) become replacement characters, which the reader refuses outside comments.
    pub fn add_bytes(&mut self, name: impl Into<String>, bytes: Vec<u8>) -> FileId {
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        self.add(name, text)
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        &self.files[span.file].text[span.start as usize..span.end as usize]
    }

    /// Line and column of the start of a span, both from 1, columns counted in characters.
    pub fn position(&self, span: Span) -> (usize, usize) {
        let before = &self.files[span.file].text[..span.start as usize];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}
