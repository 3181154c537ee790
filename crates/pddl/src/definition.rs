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
        let expected = match kind {
            "domain" => "`(define (domain name) ...)`",
            _ => "`(define (problem name) ...)`",
        };
        let mut outermost = tree.items();
        let Some(mut first) = outermost.next() else {
            let at = Span { end: 0, ..tree.span() };
            errors.push(Error::Empty { expected, at });
            return None;
        };
        if let Some(second) = outermost.next() {
            // A domain and a problem may stand in one file.
            match (defined(first), defined(second), outermost.next()) {
                (Some("domain"), Some("problem"), None) if kind == "problem" => first = second,
                (Some("domain"), Some("problem"), None) => {}
                _ => errors.malformed("nothing after the definition", start_of(second)),
            }
        }
        let define = first.form().filter(|(_, word, _)| word.eq_ignore_ascii_case("define"));
        let Some((define, _, mut items)) = define else {
            errors.malformed(expected, start_of(first));
            return None;
        };
        let Some(head) = items.next() else {
            errors.malformed(expected, define.span());
            return None;
        };
        let at = head.span();
        let (word, name) = named_head(head).unwrap_or_default();
        match word.to_ascii_lowercase().as_str() {
            found if found == kind => {
                let sections = items.filter_map(|item| Section::new(item, errors)).collect();
                Some(Definition { name: name.to_lowercase(), at, sections })
            }
            found @ ("domain" | "problem") => {
                errors.push(Error::WrongFile { expected: kind, found: found.to_owned(), at });
                None
            }
            _ => {
                errors.malformed(expected, at);
                None
            }
        }
    }

    /// The domain that a problem says it is for, in lower case, and where it says so.
    pub(crate) fn domain_named(&self) -> Option<(String, Span)> {
        let section = self.all(":domain").next()?;
        let name = section.items.clone().next()?;
        Some((name.atom()?.to_lowercase(), name.span()))
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
                errors.malformed("a section such as `(:init ...)`", start_of(item));
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

/// The place where an expression begins: enough to point at, however long it is.
fn start_of(expr: Expr<'_>) -> Span {
    match expr.form() {
        Some((head, _, _)) => head.span(),
        None if expr.atom().is_some() => expr.span(),
        None => Span { end: expr.span().start + 1, ..expr.span() },
    }
}

/// Whether an expression defines a domain or a problem.
fn defined(expr: Expr<'_>) -> Option<&'static str> {
    let (_, word, mut items) = expr.form()?;
    let (kind, _) = named_head(items.next()?)?;
    let known = ["domain", "problem"].into_iter().find(|known| kind.eq_ignore_ascii_case(known));
    known.filter(|_| word.eq_ignore_ascii_case("define"))
}
