//! The one s-expression reader: PDDL, HDDL and GDL all go through it.
//!
//! One pass over the text with a stack of open lists. Atoms are whatever stands between blanks, parentheses
//! and comments; what they mean is the business of the language. Depth and atom length are bounded, so that
//! everything downstream may recurse over a tree and copy a name without a second thought.

use crate::tree::{Kind, SexprNode};
use crate::{Diagnostic, FileId, Label, Severity, Sources, Span, Tree};

/// Lists may be nested so deep.
pub const NESTING_LIMIT: usize = 500;

/// An atom may have so many bytes.
pub const ATOM_LIMIT: usize = 4096;

/// Why a text is not a sequence of s-expressions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A list that is never closed.
    #[error("this list is never closed")]
    Unclosed {
        /// Its opening parenthesis.
        at: Span,
        /// The end of the file.
        end: Span,
        /// The list that probably lacks its parenthesis, judged by how the text is indented.
        suspect: Option<Span>,
    },
    /// A closing parenthesis too many.
    #[error("this `)` closes nothing")]
    Unopened {
        at: Span,
        /// The outermost list that ended just before.
        closed: Option<Span>,
    },
    /// Too many lists inside each other.
    #[error("lists are nested more than {NESTING_LIMIT} deep")]
    TooDeep {
        /// The parenthesis that is one too many.
        at: Span,
    },
    /// An atom of unreasonable length.
    #[error("a name of {length} bytes; at most {ATOM_LIMIT} are allowed")]
    TooLong { at: Span, length: usize },
    /// A character that is no part of any text in these languages.
    #[error("unexpected character {character:?}; is this a text file?")]
    Junk { character: char, at: Span },
    /// A file that spans cannot address.
    #[error("the file is larger than 4 GiB")]
    TooBig { at: Span },
}

impl ReadError {
    /// The error with its place, for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let label = |span: Span, text: &str| Label { span, text: text.to_owned() };
        let (code, labels, help) = match self {
            ReadError::Unclosed { at, end, suspect } => {
                let mut labels = vec![label(*at, "opened here"), label(*end, "the file ends here")];
                labels.extend(suspect.map(|span| label(span, "perhaps it is this one that lacks its `)`")));
                ("syntax::unclosed", labels, None)
            }
            ReadError::Unopened { at, closed } => {
                let mut labels = vec![label(*at, "")];
                labels.extend(closed.map(|span| label(span, "the list that opened here was closed before")));
                ("syntax::unopened", labels, None)
            }
            ReadError::TooDeep { at } => ("syntax::too-deep", vec![label(*at, "one too deep")], None),
            ReadError::TooLong { at, .. } => ("syntax::too-long", vec![label(*at, "begins here")], None),
            ReadError::Junk { at, .. } => ("syntax::junk", vec![label(*at, "")], None),
            ReadError::TooBig { at } => ("syntax::too-big", vec![label(*at, "")], None),
        };
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help }
    }
}

/// A list that has been opened: its node, and its column if nothing stands before it on its line.
struct Open {
    node: usize,
    indent: Option<usize>,
}

/// Reads all expressions of a file. A question mark may stand inside a word, as in KIF.
pub fn read(sources: &Sources, file: FileId) -> Result<Tree<'_>, ReadError> {
    read_words(sources, file, word_length)
}

/// Reads all expressions of a PDDL or HDDL file, where a question mark begins a variable even without a blank before it:
/// `(at ?x?y)` has two arguments.
pub fn read_pddl(sources: &Sources, file: FileId) -> Result<Tree<'_>, ReadError> {
    read_words(sources, file, pddl_word_length)
}

/// Reads all expressions of a file; `atom_length` tells how many bytes the atom has that begins a text.
fn read_words(
    sources: &Sources,
    file: FileId,
    atom_length: fn(&str) -> usize,
) -> Result<Tree<'_>, ReadError> {
    let text = &sources.files[file].text;
    let place = |start: usize, end: usize| Span { file, start: start as u32, end: end as u32 };
    if text.len() >= u32::MAX as usize {
        return Err(ReadError::TooBig { at: place(0, 0) });
    }
    let bytes = text.as_bytes();
    let mut nodes: Vec<SexprNode> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut suspect = None;
    let mut line_start = 0;
    let mut line_is_blank = true;
    // A byte order mark is no part of the text.
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => {
                at += 1;
                line_start = at;
                line_is_blank = true;
                continue;
            }
            b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => {
                at += 1;
                continue;
            }
            b';' => {
                at += bytes[at..].iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len() - at);
                continue;
            }
            b'(' => {
                if open.len() == NESTING_LIMIT {
                    return Err(ReadError::TooDeep { at: place(at, at + 1) });
                }
                let indent = line_is_blank.then_some(at - line_start);
                if suspect.is_none() {
                    suspect = unindented(&open, indent).map(|node| nodes[node].start as usize);
                }
                open.push(Open { node: nodes.len(), indent });
                nodes.push(SexprNode { start: at as u32, end: 0, kind: Kind::List, next: 0 });
                at += 1;
            }
            b')' => {
                let Some(list) = open.pop() else {
                    let closed = last_list(&nodes).map(|node| node.start as usize);
                    return Err(ReadError::Unopened {
                        at: place(at, at + 1),
                        closed: closed.map(|start| place(start, start + 1)),
                    });
                };
                at += 1;
                let next = nodes.len() as u32;
                let node = &mut nodes[list.node];
                node.end = at as u32;
                node.next = next;
            }
            _ => {
                let length = atom_length(&text[at..]);
                if length == 0 {
                    let character = text[at..].chars().next().expect("the text goes on");
                    if character.is_whitespace() {
                        at += character.len_utf8();
                        continue;
                    }
                    return Err(ReadError::Junk { character, at: place(at, at + character.len_utf8()) });
                }
                if length > ATOM_LIMIT {
                    let shown = (at..=at + 20).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(at);
                    return Err(ReadError::TooLong { at: place(at, shown), length });
                }
                let next = nodes.len() as u32 + 1;
                nodes.push(SexprNode { start: at as u32, end: (at + length) as u32, kind: Kind::Atom, next });
                at += length;
            }
        }
        line_is_blank = false;
    }
    if let Some(list) = open.last() {
        let start = nodes[list.node].start as usize;
        return Err(ReadError::Unclosed {
            at: place(start, start + 1),
            end: place(text.len(), text.len()),
            suspect: suspect.filter(|&suspect| suspect != start).map(|start| place(start, start + 1)),
        });
    }
    Ok(Tree { file, text, nodes })
}

/// Bytes of the PDDL atom that begins a text: it ends before a question mark that begins a variable. One that ends a name, as in
/// `empty?`, belongs to the name.
fn pddl_word_length(text: &str) -> usize {
    let length = word_length(text);
    let word = &text.as_bytes()[..length];
    let begins_variable =
        |&at: &usize| word[at] == b'?' && (word[at + 1].is_ascii_alphanumeric() || word[at + 1] == b'_');
    (1..length.saturating_sub(1)).find(begins_variable).unwrap_or(length)
}

/// Bytes of the atom that begins a text.
fn word_length(text: &str) -> usize {
    text.find(|c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '(' | ')' | ';' | '\u{feff}' | char::REPLACEMENT_CHARACTER)
    })
    .unwrap_or(text.len())
}

/// The innermost open list that begins a line no further left than the list about to begin: well indented
/// text would have closed it. The outermost list does not count, many authors do not indent its parts.
fn unindented(open: &[Open], indent: Option<usize>) -> Option<usize> {
    let (indent, outer) = (indent?, open.get(1..)?);
    let list = outer.iter().rev().find(|list| list.indent.is_some())?;
    (list.indent? >= indent).then_some(list.node)
}

/// The last of the outermost lists, all of which are closed.
fn last_list(nodes: &[SexprNode]) -> Option<&SexprNode> {
    let mut found = None;
    let mut at = 0;
    while let Some(node) = nodes.get(at) {
        if node.kind == Kind::List {
            found = Some(node);
        }
        at = node.next as usize;
    }
    found
}
