//! Signs of GDL-II: hidden moves and chance.
//!
//! GDL-II (Thielscher 2010) gives two more words a meaning: a role `random` draws its moves, each with the same chance, and
//! `(sees r p)` says what a role perceives of a joint move, which it does not see otherwise. Such games have expected values
//! and mixed strategies; players that search as if everything were seen refuse them.

use counterplay_syntax::{Diagnostic, Label, Severity, Span};

use crate::model::{Keyword, Rules, Symbol, Term};

/// Something of GDL-II that a rule sheet uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imperfect {
    /// A role `random`.
    Chance { at: Span },
    /// Rules for `sees`.
    Percepts {
        /// The first of them.
        at: Span,
    },
}

impl Imperfect {
    /// What it is, in one sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Imperfect::Chance { .. } => "the role `random` is chance (GDL-II)",
            Imperfect::Percepts { .. } => "`sees` hides moves from the players (GDL-II)",
        }
    }

    /// Its place in the rule sheet.
    pub fn at(self) -> Span {
        match self {
            Imperfect::Chance { at } | Imperfect::Percepts { at } => at,
        }
    }

    /// That rules with it cannot be used; `done` says for what, such as `solved`.
    pub fn diagnostic(self, done: &str) -> Diagnostic {
        let help = match self {
            Imperfect::Chance { .. } => {
                "`game solve` finds expected values; `game ground` and `game simulate` work too"
            }
            Imperfect::Percepts { .. } => {
                "`game solve` solves small games with hidden moves, and `game ground` and `game simulate` work; if `sees` is \
                 a relation of your own, use it in a rule or rename it"
            }
        };
        Diagnostic {
            severity: Severity::Error,
            code: "gdl::imperfect-information",
            message: format!("{}, and such games cannot be {done}", self.sentence()),
            labels: vec![Label { span: self.at(), text: String::new() }],
            help: Some(help.to_owned()),
        }
    }
}

impl Rules {
    /// The relation `sees`, if it tells players what they perceive.
    pub fn percepts(&self) -> Option<Symbol> {
        let is_percept = |own: &Imperfect| matches!(own, Imperfect::Percepts { .. });
        self.imperfect_information().iter().any(is_percept).then(|| self.symbols.find("sees"))?
    }

    /// The number of the role `random`, if there is one.
    pub fn chance(&self) -> Option<usize> {
        let random = self.symbols.find("random")?;
        self.roles.iter().position(|&role| role == random)
    }

    /// What of GDL-II the rules use. A relation `sees` that is a condition of some rule is one of the author's own.
    pub fn imperfect_information(&self) -> Vec<Imperfect> {
        let mut found = Vec::new();
        let (role, random) = (self.symbol(Keyword::Role), self.symbols.find("random"));
        let is_chance = |term: &Term| matches!(term, Term::Symbol(name) if Some(*name) == random);
        if let Some(rule) =
            self.rules.iter().find(|rule| rule.head.name == role && rule.head.args.iter().any(is_chance))
        {
            found.push(Imperfect::Chance { at: rule.at });
        }
        if let Some(sees) = self.symbols.find("sees") {
            let mut own =
                self.rules.iter().filter(|rule| rule.head.name == sees && rule.head.args.len() == 2);
            let is_asked = self.rules.iter().flat_map(|rule| rule.atoms()).any(|atom| atom.name == sees);
            if let Some(first) = own.next().filter(|_| !is_asked) {
                found.push(Imperfect::Percepts { at: first.at });
            }
        }
        found
    }
}
