//! Writing constraints and proof steps, with the numbers that VeriPB gives to them.

use std::io::{self, Write};

use crate::variables::{Lit, Var};

/// The number of a constraint, as VeriPB counts.
pub(crate) type Id = u64;

/// A sink of lines that counts the constraints in them.
pub(crate) struct Lines<'w> {
    /// Nothing if the constraints are only counted.
    out: Option<&'w mut dyn Write>,
    line: Vec<u8>,
    last: Id,
}

impl<'w> Lines<'w> {
    /// The next constraint gets the number after `last`.
    pub(crate) fn new(out: &'w mut dyn Write, last: Id) -> Lines<'w> {
        Lines { out: Some(out), line: Vec::new(), last }
    }

    /// Counts the constraints and writes nothing.
    pub(crate) fn counting() -> Lines<'w> {
        Lines { out: None, line: Vec::new(), last: 0 }
    }

    /// The number of the constraint that was written last.
    pub(crate) fn last(&self) -> Id {
        self.last
    }

    /// Writes a line as it is.
    pub(crate) fn plain(&mut self, text: &str) -> io::Result<()> {
        let Some(out) = &mut self.out else { return Ok(()) };
        out.write_all(text.as_bytes())?;
        out.write_all(b"\n")
    }

    /// A constraint of the formula: the sum of the terms is at least `degree`.
    pub(crate) fn given(
        &mut self,
        terms: impl IntoIterator<Item = (u128, Lit)>,
        degree: u128,
    ) -> io::Result<Id> {
        if self.out.is_some() {
            self.line.clear();
            self.sum(terms, degree);
            self.line.extend_from_slice(b" ;\n");
        }
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
        self.line.extend_from_slice(b"rup ");
        self.sum(terms, degree);
        self.line.extend_from_slice(b" : ~");
        for &hint in hints {
            self.line.push(b' ');
            number(&mut self.line, hint);
        }
        self.line.extend_from_slice(b";\n");
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
        self.line.extend_from_slice(b"red ");
        self.sum(terms, degree);
        self.line.extend_from_slice(format!(" : {var} -> {};\n", u8::from(value)).as_bytes());
        self.end(true)
    }

    /// A constraint computed by a sequence of operations in reverse Polish notation.
    pub(crate) fn pol(&mut self, sequence: &str) -> io::Result<Id> {
        self.line.clear();
        self.line.extend_from_slice(b"pol ");
        self.line.extend_from_slice(sequence.as_bytes());
        self.line.extend_from_slice(b";\n");
        self.end(true)
    }

    /// Forgets the constraints from `first` to before `end`.
    pub(crate) fn forget(&mut self, first: Id, end: Id) -> io::Result<()> {
        if first < end {
            self.line.clear();
            self.line.extend_from_slice(format!("del range {first} {end};\n").as_bytes());
            self.end(false)?;
        }
        Ok(())
    }

    fn sum(&mut self, terms: impl IntoIterator<Item = (u128, Lit)>, degree: u128) {
        for (weight, lit) in terms {
            number(&mut self.line, weight);
            self.line.push(b' ');
            lit.append(&mut self.line);
            self.line.push(b' ');
        }
        self.line.extend_from_slice(b">= ");
        number(&mut self.line, degree);
    }

    fn end(&mut self, is_constraint: bool) -> io::Result<Id> {
        self.last += Id::from(is_constraint);
        if let Some(out) = &mut self.out {
            out.write_all(&self.line)?;
        }
        Ok(self.last)
    }
}

/// Appends a number in decimal. A proof is mostly numbers, and the general way to print one is several times slower.
pub(crate) fn number(text: &mut Vec<u8>, number: impl itoa::Integer) {
    text.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}
