//! From s-expressions to rules.
//!
//! Conditions are brought into disjunctive normal form on the way: a rule with `or` becomes one rule for each way to
//! satisfy it. Negation moves inwards until it stands before relations only.

use counterplay_syntax::{Expr, Span, Tree};
use rustc_hash::FxHashMap;

use crate::error::{Error, Restriction};
use crate::model::{Atom, Literal, Rule, Rules, Symbols, Term};

/// A rule may have so many alternatives before it is refused.
const ALTERNATIVES: usize = 4096;

/// All alternatives of a rule together may have so many conditions.
const CONDITIONS: usize = 1 << 18;

/// A condition that is one of several, each a conjunction.
type Alternatives = Vec<Vec<Literal>>;

/// All rules of a file.
pub(crate) fn rules(tree: &Tree<'_>) -> Result<Rules, Vec<Error>> {
    let mut symbols = Symbols::default();
    let mut rules = Vec::new();
    let mut errors = Vec::new();
    for expr in tree.items() {
        let mut reader =
            RuleParser { symbols: &mut symbols, variables: Vec::new(), numbers: FxHashMap::default() };
        match reader.rule(expr) {
            Ok(more) => rules.extend(more),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(Rules::new(symbols, rules)) } else { Err(errors) }
}

/// The term that an expression stands for if it has no variables and all its words are known.
pub(crate) fn ground_term(symbols: &Symbols, expr: Expr<'_>) -> Option<Term> {
    if let Some(word) = expr.atom() {
        return symbols.find(word).map(Term::Symbol);
    }
    let (_, name, items) = expr.form()?;
    let name = symbols.find(name)?;
    let args: Vec<Term> = items.map(|item| ground_term(symbols, item)).collect::<Option<_>>()?;
    Some(if args.is_empty() { Term::Symbol(name) } else { Term::Function(name, args) })
}

struct RuleParser<'s> {
    symbols: &'s mut Symbols,
    /// Variables of the rule at hand.
    variables: Vec<String>,
    /// Their numbers, by name in lower case.
    numbers: FxHashMap<String, u32>,
}

impl RuleParser<'_> {
    fn rule(&mut self, expr: Expr<'_>) -> Result<Vec<Rule>, Error> {
        let at = expr.span();
        let (head, alternatives) = match expr.form() {
            Some((_, "<=", mut items)) => {
                let head = items.next().ok_or(Error::Malformed { wanted: "the head of the rule", at })?;
                let head = self.head(head)?;
                let mut alternatives: Alternatives = vec![Vec::new()];
                for condition in items {
                    let more = self.condition(condition, true)?;
                    alternatives = both(alternatives, &more, at)?;
                }
                (head, alternatives)
            }
            _ => (self.head(expr)?, vec![Vec::new()]),
        };
        let variables = std::mem::take(&mut self.variables);
        let rule = |body| Rule { head: head.clone(), body, variables: variables.clone(), at };
        Ok(alternatives.into_iter().map(rule).collect())
    }

    fn head(&mut self, expr: Expr<'_>) -> Result<Atom, Error> {
        let atom = self.atom(expr)?;
        let name = self.symbols.name(atom.name).to_lowercase();
        if matches!(name.as_str(), "true" | "does" | "not" | "or" | "and" | "distinct" | "<=") {
            return Err(Error::Restricted { name, rule: Restriction::Head, at: atom.at });
        }
        Ok(atom)
    }

    /// The ways in which a condition can hold, or with `wanted` false can fail to hold.
    fn condition(&mut self, expr: Expr<'_>, wanted: bool) -> Result<Alternatives, Error> {
        let at = expr.span();
        let word = expr.form().map(|(_, word, _)| word.to_lowercase());
        let parts: Vec<Expr<'_>> = expr.form().map(|(_, _, items)| items.collect()).unwrap_or_default();
        match word.as_deref() {
            Some("not") => match parts[..] {
                [inner] => self.condition(inner, !wanted),
                _ => Err(Error::Malformed { wanted: "one condition after `not`", at }),
            },
            Some(connective @ ("or" | "and")) => {
                if parts.is_empty() {
                    return Err(Error::Malformed { wanted: "conditions", at });
                }
                let parts: Vec<Alternatives> =
                    parts.iter().map(|&part| self.condition(part, wanted)).collect::<Result<_, _>>()?;
                if (connective == "or") == wanted {
                    return Ok(parts.into_iter().flatten().collect());
                }
                parts.iter().try_fold(vec![Vec::new()], |all, part| both(all, part, at))
            }
            Some("distinct") => match parts[..] {
                [left, right] => {
                    let (left, right) = (self.term(left)?, self.term(right)?);
                    let literal = match wanted {
                        true => Literal::Distinct(left, right, at),
                        false => Literal::Same(left, right, at),
                    };
                    Ok(vec![vec![literal]])
                }
                _ => Err(Error::Malformed { wanted: "two terms after `distinct`", at }),
            },
            _ => {
                let atom = self.atom(expr)?;
                Ok(vec![vec![if wanted { Literal::Positive(atom) } else { Literal::Negative(atom) }]])
            }
        }
    }

    fn atom(&mut self, expr: Expr<'_>) -> Result<Atom, Error> {
        let at = expr.span();
        match self.term(expr)? {
            Term::Symbol(name) => Ok(Atom { name, args: Vec::new(), at }),
            Term::Function(name, args) => Ok(Atom { name, args, at }),
            Term::Variable(_) => Err(Error::Malformed { wanted: "a relation, not a variable", at }),
        }
    }

    fn term(&mut self, expr: Expr<'_>) -> Result<Term, Error> {
        let at = expr.span();
        if let Some(word) = expr.atom() {
            return match word.strip_prefix('?') {
                Some("") => Err(Error::Malformed { wanted: "a name after `?`", at }),
                Some(_) => Ok(Term::Variable(self.variable(word))),
                None => Ok(Term::Symbol(self.symbol(word, at)?)),
            };
        }
        let Some((_, name, items)) = expr.form() else {
            return Err(Error::Malformed { wanted: "a name at the beginning of this list", at });
        };
        if name.starts_with('?') {
            return Err(Error::Malformed {
                wanted: "a name, not a variable, at the beginning of this list",
                at,
            });
        }
        let name = self.symbol(name, at)?;
        let args: Vec<Term> = items.map(|item| self.term(item)).collect::<Result<_, _>>()?;
        Ok(if args.is_empty() { Term::Symbol(name) } else { Term::Function(name, args) })
    }

    fn symbol(&mut self, word: &str, at: Span) -> Result<crate::Symbol, Error> {
        if word == "<=" {
            return Err(Error::Malformed { wanted: "a name; `<=` begins a rule of its own", at });
        }
        Ok(self.symbols.intern(word))
    }

    fn variable(&mut self, name: &str) -> u32 {
        *self.numbers.entry(name.to_ascii_lowercase()).or_insert_with(|| {
            self.variables.push(name.to_owned());
            self.variables.len() as u32 - 1
        })
    }
}

/// Each way to satisfy one together with each way to satisfy the other.
fn both(left: Alternatives, right: &Alternatives, at: Span) -> Result<Alternatives, Error> {
    let count = |ways: &Alternatives| ways.iter().map(Vec::len).sum::<usize>();
    let conditions =
        count(&left).saturating_mul(right.len()).saturating_add(count(right).saturating_mul(left.len()));
    if left.len().saturating_mul(right.len()) > ALTERNATIVES || conditions > CONDITIONS {
        return Err(Error::TooMany { at });
    }
    if let [only] = &right[..] {
        // The usual case, and the only one in which a long rule need not be copied for each of its conditions.
        let mut left = left;
        left.iter_mut().for_each(|one| one.extend_from_slice(only));
        return Ok(left);
    }
    let joined = left
        .iter()
        .flat_map(|one| right.iter().map(move |other| [one.as_slice(), other.as_slice()].concat()));
    Ok(joined.collect())
}
