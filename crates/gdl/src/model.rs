//! Rules as they were written, with words as numbers.

use counterplay_base::{IdVec, id};
use counterplay_syntax::{Expr, Span};
use rustc_hash::FxHashMap;

id! {
    /// A word of a rule sheet: relation, function or constant.
    pub struct Symbol;
}

/// The words of a rule sheet.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// As first written.
    names: IdVec<Symbol, String>,
    by_name: FxHashMap<String, Symbol>,
}

impl Symbols {
    /// The number of a word; the case of letters does not matter.
    pub fn intern(&mut self, name: &str) -> Symbol {
        let key = name.to_lowercase();
        if let Some(&known) = self.by_name.get(&key) {
            return known;
        }
        let symbol = self.names.push(name.to_owned());
        self.by_name.insert(key, symbol);
        symbol
    }

    /// The number of a word that occurs.
    pub fn find(&self, name: &str) -> Option<Symbol> {
        self.by_name.get(&name.to_lowercase()).copied()
    }

    /// The word, as it was first written.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol]
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// The relations that GDL gives a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keyword {
    /// `(role r)`: a player.
    Role,
    /// `(init f)`: holds at the beginning.
    Init,
    /// `(true f)`: holds now.
    True,
    /// `(next f)`: will hold.
    Next,
    /// `(does r m)`: the player makes this move.
    Does,
    /// `(legal r m)`: the player may make this move.
    Legal,
    /// `(goal r n)`: what the state is worth to a player.
    Goal,
    /// `terminal`: the game is over.
    Terminal,
    /// `(base f)`: a fluent that may occur.
    Base,
    /// `(input r m)`: a move that may occur.
    Input,
}

impl Keyword {
    pub const ALL: [Keyword; 10] = [
        Keyword::Role,
        Keyword::Init,
        Keyword::True,
        Keyword::Next,
        Keyword::Does,
        Keyword::Legal,
        Keyword::Goal,
        Keyword::Terminal,
        Keyword::Base,
        Keyword::Input,
    ];

    /// How it is written.
    pub fn word(self) -> &'static str {
        match self {
            Keyword::Role => "role",
            Keyword::Init => "init",
            Keyword::True => "true",
            Keyword::Next => "next",
            Keyword::Does => "does",
            Keyword::Legal => "legal",
            Keyword::Goal => "goal",
            Keyword::Terminal => "terminal",
            Keyword::Base => "base",
            Keyword::Input => "input",
        }
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Keyword::Terminal => 0,
            Keyword::Role | Keyword::Init | Keyword::True | Keyword::Next | Keyword::Base => 1,
            Keyword::Does | Keyword::Legal | Keyword::Goal | Keyword::Input => 2,
        }
    }
}

/// A constant, a variable, or a function of terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    Symbol(Symbol),
    /// A variable of the rule, numbered from 0.
    Variable(u32),
    /// A function applied to at least one term.
    Function(Symbol, Vec<Term>),
}

impl Term {
    /// Appends the variables, as often as they occur.
    pub fn variables(&self, out: &mut Vec<u32>) {
        match self {
            Term::Symbol(_) => {}
            Term::Variable(variable) => out.push(*variable),
            Term::Function(_, args) => args.iter().for_each(|arg| arg.variables(out)),
        }
    }

    /// The term as it is written, variables as `?v0`, `?v1`, …
    pub fn display(&self, symbols: &Symbols) -> String {
        match self {
            Term::Symbol(symbol) => symbols.name(*symbol).to_owned(),
            Term::Variable(variable) => format!("?v{variable}"),
            Term::Function(name, args) => {
                let args: Vec<String> = args.iter().map(|arg| arg.display(symbols)).collect();
                format!("({} {})", symbols.name(*name), args.join(" "))
            }
        }
    }
}

/// A relation applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    pub name: Symbol,
    pub args: Vec<Term>,
    /// Where it was written.
    pub at: Span,
}

/// A condition in the body of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    Positive(Atom),
    /// It does not hold.
    Negative(Atom),
    /// Two terms differ.
    Distinct(Term, Term, Span),
    /// Two terms are the same: a negated `distinct`.
    Same(Term, Term, Span),
}

/// If the whole body holds, so does the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub head: Atom,
    /// From what; empty for a fact.
    pub body: Vec<Literal>,
    /// The names of the variables.
    pub variables: Vec<String>,
    /// Where it was written.
    pub at: Span,
}

impl Rule {
    /// The atoms among the conditions.
    pub fn atoms(&self) -> impl Iterator<Item = &Atom> {
        self.body.iter().filter_map(|literal| match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Distinct(..) | Literal::Same(..) => None,
        })
    }
}

/// A checked rule sheet.
///
/// Laws: the rules are safe and stratified by relation (where only instances were, patterns of heads have relations of their
/// own), each relation and function has one arity, there is a role, and `legal`,
/// `goal` and `terminal` have rules. `init` and `role` depend neither on the state nor on moves; `legal`, `goal` and
/// `terminal` do not depend on moves.
#[derive(Clone, Debug)]
pub struct Rules {
    pub symbols: Symbols,
    /// The rules, without `or`.
    pub rules: Vec<Rule>,
    /// The players, in the order of the file.
    pub roles: Vec<Symbol>,
    /// For each relation with rules, a number greater than those of the relations it negates and no less than those
    /// of the relations it uses.
    pub strata: FxHashMap<Symbol, u32>,
    /// The words that GDL gives a meaning.
    keywords: FxHashMap<Symbol, Keyword>,
}

impl Rules {
    pub(crate) fn new(mut symbols: Symbols, rules: Vec<Rule>) -> Rules {
        let keywords =
            Keyword::ALL.iter().map(|&keyword| (symbols.intern(keyword.word()), keyword)).collect();
        Rules { symbols, rules, roles: Vec::new(), strata: FxHashMap::default(), keywords }
    }

    /// The meaning that GDL gives a relation, if it does.
    pub fn keyword(&self, symbol: Symbol) -> Option<Keyword> {
        self.keywords.get(&symbol).copied()
    }

    /// The term that an expression stands for, such as a move that a player sent; `None` if it has variables or a
    /// word that the rule sheet does not have.
    pub fn term(&self, expr: Expr<'_>) -> Option<Term> {
        crate::reader::ground_term(&self.symbols, expr)
    }

    /// The symbol of a keyword.
    pub fn symbol(&self, keyword: Keyword) -> Symbol {
        self.symbols.find(keyword.word()).expect("keywords are interned")
    }
}
