//! Ground terms, each stored once, so that equal terms have equal numbers.

use counterplay_base::{Id, id};

use super::InterpretError;
use super::rows::Rows;
use crate::model::{Symbol, Symbols, Term};

id! {
    /// A ground term: a constant or a function of ground terms.
    ///
    /// Numbers belong to one interpreter and its clones made before the term was.
    pub struct TermId;
}

/// Terms nest so deep; deeper ones come from rules that build ever larger terms.
const DEEPEST: u16 = 500;
/// So many compound terms may be made.
const MOST: usize = 1 << 26;

/// All ground terms that have come up.
///
/// The words of the rule sheet come first, under their own numbers; then compound terms as rows: the name, then the
/// arguments.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    constants: usize,
    compound: Rows,
    depths: Vec<u16>,
}

impl Terms {
    pub(super) fn new(constants: usize) -> Terms {
        Terms { constants, compound: Rows::default(), depths: Vec::new() }
    }

    pub(super) fn constant(&self, symbol: Symbol) -> TermId {
        TermId::new(symbol.index())
    }

    /// The term with this name as its first item and its arguments after it.
    pub(super) fn make(&mut self, row: &[TermId]) -> Result<TermId, InterpretError> {
        if let Some(known) = self.compound.find(row) {
            return Ok(TermId::new(self.constants + known));
        }
        let depth = 1 + row[1..].iter().map(|&arg| self.depth(arg)).max().unwrap_or(0);
        if depth > DEEPEST || self.compound.len() >= MOST {
            return Err(InterpretError::Endless);
        }
        self.depths.push(depth);
        Ok(TermId::new(self.constants + self.compound.insert(row).0))
    }

    fn depth(&self, term: TermId) -> u16 {
        term.index().checked_sub(self.constants).map_or(0, |number| self.depths[number])
    }

    /// Name and arguments of a compound term.
    pub(super) fn compound(&self, term: TermId) -> Option<&[TermId]> {
        term.index().checked_sub(self.constants).map(|number| self.compound.get(number))
    }

    /// The term of a term without variables, if it has come up.
    pub(super) fn find(&self, term: &Term) -> Option<TermId> {
        match term {
            Term::Symbol(symbol) => Some(self.constant(*symbol)),
            Term::Variable(_) => None,
            Term::Function(name, args) => {
                let mut row = vec![self.constant(*name)];
                for arg in args {
                    row.push(self.find(arg)?);
                }
                self.compound.find(&row).map(|number| TermId::new(self.constants + number))
            }
        }
    }

    /// The number of a term without variables, and of all its parts.
    pub(super) fn make_all(&mut self, term: &Term) -> Result<Option<TermId>, InterpretError> {
        match term {
            Term::Symbol(symbol) => Ok(Some(self.constant(*symbol))),
            Term::Variable(_) => Ok(None),
            Term::Function(name, args) => {
                let mut row = vec![self.constant(*name)];
                for arg in args {
                    let Some(own) = self.make_all(arg)? else { return Ok(None) };
                    row.push(own);
                }
                self.make(&row).map(Some)
            }
        }
    }

    /// As it is written.
    pub(super) fn display(&self, term: TermId, symbols: &Symbols, out: &mut String) {
        match self.compound(term) {
            None => out.push_str(symbols.name(Symbol::new(term.index()))),
            Some(row) => {
                out.push('(');
                for (at, &item) in row.iter().enumerate() {
                    if at > 0 {
                        out.push(' ');
                    }
                    self.display(item, symbols, out);
                }
                out.push(')');
            }
        }
    }
}
