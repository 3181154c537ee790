//! Writing constraints and proof steps, with the numbers that VeriPB gives to them.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::variables::{Lit, Var};

/// The number of a constraint, as VeriPB counts.
pub(crate) type Id = u64;

/// A sink of lines that counts the constraints in them.
pub(crate) struct Lines<'w> {
    out: &'w mut dyn Write,
    line: String,
    last: Id,
}

impl<'w> Lines<'w> {
    /// The next constraint gets the number after `last`.
    pub(crate) fn new(out: &'w mut dyn Write, last: Id) -> Lines<'w> {
        Lines { out, line: String::new(), last }
    }

    /// The number of the constraint that was written last.
    pub(crate) fn last(&self) -> Id {
        self.last
    }

    /// Writes a line as it is.
    pub(crate) fn plain(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// A constraint of the formula: the sum of the terms is at least `degree`.
    pub(crate) fn given(
        &mut self,
        terms: impl IntoIterator<Item = (u128, Lit)>,
        degree: u128,
    ) -> io::Result<Id> {
        self.line.clear();
        self.sum(terms, degree);
        self.line.push_str(" ;\n");
        self.end(true)
    }

    /// A constraint of the formula that is a clause.
    pub(crate) fn given_clause(&mut self, lits: impl IntoIterator<Item = Lit>) -> io::Result<Id> {
        self.given(lits.into_iter().map(|lit| (1, lit)), 1)
    }

    /// If `lit`, then all of `lits`, as one constraint.
    pub(crate) fn given_all(&mut self, lit: Var, lits: &[Lit]) -> io::Result<Id> {
        let count = lits.len() as u128;
        let terms = std::iter::once((count, lit.no())).chain(lits.iter().map(|&lit| (1, lit)));
        self.given(terms, count)
    }

    /// A constraint that follows by unit propagation from the hints, in their order.
    pub(crate) fn rup(
        &mut self,
        terms: impl IntoIterator<Item = (u128, Lit)>,
        degree: u128,
        hints: &[Id],
    ) -> io::Result<Id> {
        self.line.clear();
        self.line.push_str("rup ");
        self.sum(terms, degree);
        self.line.push_str(" : ~");
        for hint in hints {
            let _ = write!(self.line, " {hint}");
        }
        self.line.push_str(";\n");
        self.end(true)
    }

    pub(crate) fn rup_clause(&mut self, lits: impl IntoIterator<Item = Lit>, hints: &[Id]) -> io::Result<Id> {
        self.rup(lits.into_iter().map(|lit| (1, lit)), 1, hints)
    }

    /// A constraint about a new variable, which the value satisfies.
    pub(crate) fn define(
        &mut self,
        terms: impl IntoIterator<Item = (u128, Lit)>,
        degree: u128,
        var: Var,
        value: bool,
    ) -> io::Result<Id> {
        self.line.clear();
        self.line.push_str("red ");
        self.sum(terms, degree);
        let _ = writeln!(self.line, " : {var} -> {};", u8::from(value));
        self.end(true)
    }

    /// A constraint computed by a sequence of operations in reverse Polish notation.
    pub(crate) fn pol(&mut self, sequence: &str) -> io::Result<Id> {
        self.line.clear();
        let _ = writeln!(self.line, "pol {sequence};");
        self.end(true)
    }

    /// Forgets the constraints from `first` to before `end`.
    pub(crate) fn forget(&mut self, first: Id, end: Id) -> io::Result<()> {
        if first < end {
            self.line.clear();
            let _ = writeln!(self.line, "del range {first} {end};");
            self.end(false)?;
        }
        Ok(())
    }

    fn sum(&mut self, terms: impl IntoIterator<Item = (u128, Lit)>, degree: u128) {
        for (weight, lit) in terms {
            let _ = write!(self.line, "{weight} {lit} ");
        }
        let _ = write!(self.line, ">= {degree}");
    }

    fn end(&mut self, is_constraint: bool) -> io::Result<Id> {
        self.last += Id::from(is_constraint);
        self.out.write_all(self.line.as_bytes())?;
        Ok(self.last)
    }
}
