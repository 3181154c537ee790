//! Findings about a text, drawn in the manner of rustc.
//!
//! The drawing itself is done by `annotate-snippets`; here we choose what it sees. Each label becomes an excerpt
//! of its own line, cut to a window around the place, so that a line of ten megabytes costs no more than a short
//! one. All findings are shown, up to a bound that no honest file reaches.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Level, Renderer, Snippet};
use counterplay_syntax::{Diagnostic, Severity, Sources, Span};

/// More findings than this are counted, not shown.
const MOST_SHOWN: usize = 100;
/// Characters of a line shown to the left and to the right of the start of a place: together what fits a line.
const LEFT: usize = 50;
const RIGHT: usize = 70;
/// Characters of a message; names in it may be as long as the file.
const LONGEST_MESSAGE: usize = 400;

/// Draws all findings, one after the other, and a last line with their number.
pub(crate) fn render(sources: &Sources, diagnostics: &[Diagnostic], colored: bool) -> String {
    let renderer = renderer(colored);
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(MOST_SHOWN) {
        text.push_str(&draw(&renderer, sources, diagnostic));
        text.push_str("\n\n");
    }
    let hidden = diagnostics.len().saturating_sub(MOST_SHOWN);
    if hidden > 0 {
        text.push_str(&format!("… and {hidden} more\n\n"));
    }
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    if errors > 1 {
        text.push_str(&plain_error(&format!("{errors} errors"), None, colored));
    }
    text
}

/// Draws an error that has no place in a text.
pub(crate) fn plain_error(message: &str, help: Option<&str>, colored: bool) -> String {
    let group =
        Level::ERROR.primary_title(shortened(message)).elements(help.map(|help| Level::HELP.message(help)));
    let mut text = renderer(colored).render(&[group]);
    text.push('\n');
    text
}

fn renderer(colored: bool) -> Renderer {
    if colored { Renderer::styled() } else { Renderer::plain() }
}

fn draw(renderer: &Renderer, sources: &Sources, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut elements: Vec<Element<'_>> = Vec::new();
    // Places as they are drawn for lines that were cut on the left, and as they are.
    let mut moved = Vec::new();
    for (i, label) in diagnostic.labels.iter().enumerate() {
        let excerpt = Excerpt::of(sources, label.span);
        let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let mut annotation = kind.span(excerpt.marked);
        if !label.text.is_empty() {
            annotation = annotation.label(shortened(&label.text));
        }
        let name = sources.files[label.span.file].name.as_str();
        if let Some(shown) = excerpt.shown_column {
            let place = |column| format!("{name}:{}:{column}", excerpt.line);
            moved.push((place(shown), place(excerpt.column)));
        }
        let snippet =
            Snippet::source(excerpt.text).path(name).line_start(excerpt.line).annotation(annotation);
        elements.push(snippet.into());
    }
    if let Some(help) = &diagnostic.help {
        elements.push(Level::HELP.message(shortened(help)).into());
    }
    let title = level.primary_title(shortened(&diagnostic.message)).id(diagnostic.code);
    let mut text = renderer.render(&[title.elements(elements)]);
    for (shown, real) in moved {
        text = text.replacen(&shown, &real, 1);
    }
    text
}

/// The part of a line that is shown.
#[derive(Debug, PartialEq, Eq)]
struct Excerpt {
    /// What is shown of the line.
    text: String,
    /// Its number, from 1.
    line: usize,
    /// The column of the place in the whole line, from 1.
    column: usize,
    /// Its column in `text`, from 1, if the line was cut before it.
    shown_column: Option<usize>,
    /// The place, in bytes of `text`; a place that goes over several lines ends with the first.
    marked: Range<usize>,
}

impl Excerpt {
    fn of(sources: &Sources, span: Span) -> Excerpt {
        let whole = &sources.files[span.file].text;
        let start = floor(whole, span.start as usize);
        let end = floor(whole, span.end as usize).max(start);
        let line_start = whole[..start].rfind('\n').map_or(0, |at| at + 1);
        let (line, column) = sources.position(Span { start: start as u32, ..span });

        let left = backward(whole, start, LEFT).max(line_start);
        let right = forward(whole, start, RIGHT);
        let right = whole[start..right].find(['\n', '\r']).map_or(right, |at| start + at);
        let cut_left = left > line_start;
        let cut_right = right < whole.len() && !whole[right..].starts_with(['\n', '\r']);

        let mut text = String::new();
        if cut_left {
            text.push('…');
        }
        let shift = text.len();
        text.push_str(&whole[left..right]);
        let marked = shift + start - left..shift + end.min(right) - left;
        let shown_column = cut_left.then(|| text[..marked.start].chars().count() + 1);
        if cut_right {
            text.push('…');
        }
        Excerpt { text, line, column, shown_column, marked }
    }
}

/// The nearest character boundary at or before a byte.
fn floor(text: &str, byte: usize) -> usize {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The byte `count` characters after `from`.
fn forward(text: &str, from: usize, count: usize) -> usize {
    text[from..].char_indices().nth(count).map_or(text.len(), |(at, _)| from + at)
}

/// The byte `count` characters before `from`.
fn backward(text: &str, from: usize, count: usize) -> usize {
    match count {
        0 => from,
        _ => text[..from].char_indices().rev().nth(count - 1).map_or(0, |(at, _)| at),
    }
}

/// A message, cut if a name in it is as long as a file.
fn shortened(message: &str) -> Cow<'_, str> {
    let end = forward(message, 0, LONGEST_MESSAGE);
    if end == message.len() { Cow::Borrowed(message) } else { Cow::Owned(format!("{}…", &message[..end])) }
}

#[cfg(test)]
mod tests {
    use counterplay_syntax::{FileId, Label};
    use expect_test::{Expect, expect};

    use super::*;

    fn sources(text: &str) -> (Sources, FileId) {
        let mut sources = Sources::default();
        let file = sources.add("blocks.pddl", text);
        (sources, file)
    }

    fn check(text: &str, place: Range<usize>, expected: Expect) {
        let (sources, file) = sources(text);
        let span = Span { file, start: place.start as u32, end: place.end as u32 };
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            code: "pddl::unknown-predicate",
            message: "unknown predicate `holdng`".to_owned(),
            labels: vec![Label { span, text: "not declared in (:predicates ...)".to_owned() }],
            help: Some("did you mean `holding`?".to_owned()),
        };
        expected.assert_eq(&render(&sources, &[diagnostic], false));
    }

    #[test]
    fn a_place_is_underlined() {
        check(
            "(:action x\n  :precondition (and (holdng ?x)))\n",
            32..38,
            expect![[r#"
                error[pddl::unknown-predicate]: unknown predicate `holdng`
                 --> blocks.pddl:2:22
                  |
                2 |   :precondition (and (holdng ?x)))
                  |                      ^^^^^^ not declared in (:predicates ...)
                  |
                  = help: did you mean `holding`?

            "#]],
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("(a {}) (holdng {})", "x".repeat(100_000), "y".repeat(10_000_000));
        check(
            &text,
            100_006..100_012,
            expect![[r#"
                error[pddl::unknown-predicate]: unknown predicate `holdng`
                 --> blocks.pddl:1:100007
                  |
                1 | …xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx) (holdng yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
                  |                                                    ^^^^^^ not declared in (:predicates ...)
                  |
                  = help: did you mean `holding`?

            "#]],
        );
    }

    #[test]
    fn places_at_the_end_and_within_a_character_do_no_harm() {
        check(
            "(ä",
            2..99,
            expect![[r#"
                error[pddl::unknown-predicate]: unknown predicate `holdng`
                 --> blocks.pddl:1:2
                  |
                1 | (ä
                  |  ^ not declared in (:predicates ...)
                  |
                  = help: did you mean `holding`?

            "#]],
        );
        check(
            "",
            0..0,
            expect![[r#"
                error[pddl::unknown-predicate]: unknown predicate `holdng`
                 --> blocks.pddl:1:1
                  |
                1 |
                  | ^ not declared in (:predicates ...)
                  |
                  = help: did you mean `holding`?

            "#]],
        );
    }

    #[test]
    fn a_flood_of_errors_is_counted() {
        let (sources, file) = sources("x");
        let diagnostic = Diagnostic {
            severity: Severity::Error,
            code: "a::b",
            message: "m".repeat(1_000),
            labels: vec![Label { span: Span { file, start: 0, end: 1 }, text: String::new() }],
            help: None,
        };
        let text = render(&sources, &vec![diagnostic; 1_000], false);
        assert!(text.len() < 100_000);
        assert!(text.contains("… and 900 more"));
        assert!(text.contains("1000 errors"));
    }
}
