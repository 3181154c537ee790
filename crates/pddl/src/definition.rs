//! The outer shape that domain and problem files share: `(define (kind name) (:section ...) ...)`.

use counterplay_syntax::{Expr, Items, Span, Tree};

use crate::error::{Error, Errors};

/// A definition taken apart into its sections.
#[derive(Debug)]
pub(crate) struct Definition<'t> {
    /// Its name, in lower case.
    pub(crate) name: String,
    /// Its head `(domain name)`.
    pub(crate) at: Span,
    /// Its sections in the order of the text.
    pub(crate) sections: Vec<Section<'t>>,
}

/// One section.
#[derive(Clone, Debug)]
pub(crate) struct Section<'t> {
    /// Its keyword in lower case, with the colon.
    pub(crate) keyword: String,
    /// Where the keyword stands.
    pub(crate) at: Span,
    /// The whole section.
    pub(crate) span: Span,
    /// What follows the keyword.
    pub(crate) items: Items<'t>,
}

impl<'t> Definition<'t> {
    /// Takes a file apart. `kind` is `domain` or `problem`.
    pub(crate) fn new(tree: &'t Tree<'t>, kind: &'static str, errors: &mut Errors) -> Option<Definition<'t>> {
        let expected =
            if kind == "domain" { "`(define (domain ...) ...)`" } else { "`(define (problem ...) ...)`" };
        let mut outermost = tree.items();
        let Some(first) = outermost.next() else {
            errors.push(Error::Empty { expected, at: tree.span() });
            return None;
        };
        if let Some(second) = outermost.next() {
            errors.malformed("nothing after the definition", second.span());
        }
        let Some((_, mut items)) = first
            .form()
            .and_then(|(_, define, items)| define.eq_ignore_ascii_case("define").then_some((define, items)))
        else {
            errors.malformed(expected, first.span());
            return None;
        };
        let head = items.next();
        let Some((head, word, name)) =
            head.and_then(|head| named_head(head).map(|(word, name)| (head, word, name)))
        else {
            errors.malformed(expected, head.map_or(first.span(), Expr::span));
            return None;
        };
        if !word.eq_ignore_ascii_case(kind) {
            let error = match word.to_ascii_lowercase().as_str() {
                found @ ("domain" | "problem") => {
                    Error::WrongFile { expected: kind, found: found.to_owned(), at: head.span() }
                }
                _ => Error::Malformed { expected, at: head.span() },
            };
            errors.push(error);
            return None;
        }
        let sections = items.filter_map(|item| Section::new(item, errors)).collect();
        Some(Definition { name: name.to_lowercase(), at: head.span(), sections })
    }

    /// The sections with a keyword.
    pub(crate) fn all<'d>(&'d self, keyword: &'d str) -> impl Iterator<Item = &'d Section<'t>> {
        self.sections.iter().filter(move |section| section.keyword == keyword)
    }
}

impl<'t> Section<'t> {
    fn new(item: Expr<'t>, errors: &mut Errors) -> Option<Section<'t>> {
        match item.form() {
            Some((head, keyword, items)) if keyword.starts_with(':') => {
                Some(Section { keyword: keyword.to_lowercase(), at: head.span(), span: item.span(), items })
            }
            _ => {
                errors.malformed("a section such as `(:init ...)`", item.span());
                None
            }
        }
    }
}

/// The parts of `(domain name)`.
fn named_head<'t>(head: Expr<'t>) -> Option<(&'t str, &'t str)> {
    let (_, word, mut rest) = head.form()?;
    let name = rest.next()?.atom()?;
    rest.next().is_none().then_some((word, name))
}
