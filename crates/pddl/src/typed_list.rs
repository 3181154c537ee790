//! Typed lists: `a b - t c - (either t u) d`, of names or of variables.

use counterplay_syntax::{Expr, Items};

use crate::error::Errors;

/// One entry of a typed list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'t> {
    pub(crate) item: Expr<'t>,
    /// What follows the next `-`, if there is one.
    pub(crate) types: Option<Expr<'t>>,
}

/// Pairs each entry with its type.
pub(crate) fn typed_list<'t>(items: Items<'t>, errors: &mut Errors) -> Vec<Entry<'t>> {
    let mut entries: Vec<Entry<'t>> = Vec::new();
    let mut untyped = 0;
    let mut items = items;
    while let Some(item) = items.next() {
        let types = match item.atom() {
            Some("-") => items.next(),
            // `-type` without a space: no name begins with `-`.
            Some(glued) if glued.starts_with('-') => Some(item),
            _ => {
                entries.push(Entry { item, types: None });
                continue;
            }
        };
        let Some(types) = types else {
            errors.malformed("a type after this `-`", item.span());
            break;
        };
        if untyped == entries.len() {
            errors.malformed("a name before this `-`", item.span());
        }
        for entry in &mut entries[untyped..] {
            entry.types = Some(types);
        }
        untyped = entries.len();
    }
    entries
}

/// Names only: entries that are lists, or variables where names are wanted, or the reverse, are errors.
pub(crate) fn typed_names<'t>(
    items: Items<'t>,
    variables: bool,
    errors: &mut Errors,
) -> Vec<(&'t str, Entry<'t>)> {
    let entries = typed_list(items, errors);
    let mut names = Vec::with_capacity(entries.len());
    for entry in entries {
        match entry.item.atom() {
            Some(name) if is_variable(name) == variables && !name.starts_with(':') => {
                names.push((name, entry))
            }
            _ if variables => errors.malformed("a variable such as `?x`", entry.item.span()),
            _ => errors.malformed("a name", entry.item.span()),
        }
    }
    names
}

/// The name of a type, which may have been written right after its `-`.
pub(crate) fn type_name(text: &str) -> &str {
    text.strip_prefix('-').unwrap_or(text)
}

/// Whether an atom is a variable.
pub(crate) fn is_variable(name: &str) -> bool {
    name.len() > 1 && name.starts_with('?')
}
