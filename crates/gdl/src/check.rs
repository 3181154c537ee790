//! What GDL asks of rules beyond their form: one arity for each name, safe rules, and keywords in their places.
//! Strata are the affair of `stratify`.

use counterplay_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{Error, Restriction};
use crate::model::{Atom, Keyword, Literal, Rule, Rules, Symbol, Term};
use crate::stratify::stratify;

/// Checks all rules, and finds roles and strata.
pub(crate) fn check(rules: &mut Rules, file: Span) -> Result<(), Vec<Error>> {
    let mut errors = Vec::new();
    arities(rules, &mut errors);
    for rule in &rules.rules {
        safety(rule, &mut errors);
    }
    places(rules, &mut errors);
    roles(rules, file, &mut errors);
    for keyword in [Keyword::Legal, Keyword::Goal, Keyword::Terminal] {
        let symbol = rules.symbol(keyword);
        if rules.rules.iter().all(|rule| rule.head.name != symbol) {
            errors.push(Error::Missing { name: keyword.word(), at: file });
        }
    }
    if errors.is_empty() {
        dependencies(rules, &mut errors);
    }
    if errors.is_empty()
        && let Err(error) = stratify(rules)
    {
        errors.push(error);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The atoms of a rule, the head first.
fn atoms(rule: &Rule) -> impl Iterator<Item = &Atom> {
    std::iter::once(&rule.head).chain(rule.atoms())
}

fn arities(rules: &Rules, errors: &mut Vec<Error>) {
    let mut relations: FxHashMap<Symbol, (usize, Option<Span>)> =
        Keyword::ALL.iter().map(|&keyword| (rules.symbol(keyword), (keyword.arity(), None))).collect();
    let mut functions: FxHashMap<Symbol, (usize, Option<Span>)> = FxHashMap::default();
    for rule in &rules.rules {
        for atom in atoms(rule) {
            let mut uses = vec![(atom.name, atom.args.len(), true)];
            atom.args.iter().for_each(|term| functions_of(term, &mut uses));
            for (name, found, is_relation) in uses {
                let known = if is_relation { &mut relations } else { &mut functions };
                let &mut (expected, first) = known.entry(name).or_insert((found, Some(atom.at)));
                if expected != found {
                    let name = rules.symbols.name(name).to_owned();
                    errors.push(Error::Arity { name, expected, found, at: atom.at, first });
                }
            }
        }
    }
}

fn functions_of(term: &Term, out: &mut Vec<(Symbol, usize, bool)>) {
    if let Term::Function(name, args) = term {
        out.push((*name, args.len(), false));
        args.iter().for_each(|arg| functions_of(arg, out));
    }
}

fn safety(rule: &Rule, errors: &mut Vec<Error>) {
    let mut bound = Vec::new();
    let mut used = Vec::new();
    rule.head.args.iter().for_each(|term| term.variables(&mut used));
    for literal in &rule.body {
        match literal {
            Literal::Positive(atom) => atom.args.iter().for_each(|term| term.variables(&mut bound)),
            Literal::Negative(atom) => atom.args.iter().for_each(|term| term.variables(&mut used)),
            Literal::Distinct(left, right, _) | Literal::Same(left, right, _) => {
                left.variables(&mut used);
                right.variables(&mut used);
            }
        }
    }
    used.sort_unstable();
    used.dedup();
    bound.sort_unstable();
    for variable in used.into_iter().filter(|variable| bound.binary_search(variable).is_err()) {
        errors.push(Error::Unsafe { name: rule.variables[variable as usize].clone(), at: rule.at });
    }
}

/// Keywords that are no conditions.
fn places(rules: &Rules, errors: &mut Vec<Error>) {
    for rule in &rules.rules {
        for atom in atoms(rule).skip(1) {
            if let Some(Keyword::Init | Keyword::Next) = rules.keyword(atom.name) {
                let name = rules.symbols.name(atom.name).to_owned();
                errors.push(Error::Restricted { name, rule: Restriction::Body, at: atom.at });
            }
        }
    }
}

fn roles(rules: &mut Rules, file: Span, errors: &mut Vec<Error>) {
    let role = rules.symbol(Keyword::Role);
    for rule in rules.rules.iter().filter(|rule| rule.head.name == role) {
        match (&rule.head.args[..], &rule.body[..]) {
            ([Term::Symbol(name)], []) => {
                if !rules.roles.contains(name) {
                    rules.roles.push(*name);
                }
            }
            _ => errors.push(Error::Restricted {
                name: "role".to_owned(),
                rule: Restriction::Role,
                at: rule.at,
            }),
        }
    }
    if rules.roles.is_empty() && errors.is_empty() {
        errors.push(Error::Missing { name: "role", at: file });
    }
}

/// `init` must not look at the state, `legal`, `goal` and `terminal` not at moves.
fn dependencies(rules: &Rules, errors: &mut Vec<Error>) {
    let [state, does] = [Keyword::True, Keyword::Does].map(|keyword| rules.symbol(keyword));
    let heads = heads_by_condition(rules);
    let on_moves = dependents(&heads, &[does]);
    let on_either = dependents(&heads, &[does, state]);
    for rule in &rules.rules {
        let (wrong, restriction) = match rules.keyword(rule.head.name) {
            Some(Keyword::Init | Keyword::Base | Keyword::Input) => (&on_either, Restriction::InitState),
            Some(Keyword::Legal | Keyword::Goal | Keyword::Terminal) => (&on_moves, Restriction::Moves),
            _ => continue,
        };
        if let Some(atom) = atoms(rule).skip(1).find(|atom| wrong.contains(&atom.name)) {
            let name = rules.symbols.name(atom.name).to_owned();
            errors.push(Error::Restricted { name, rule: restriction, at: atom.at });
        }
    }
}

/// For each relation, the heads of the rules with a condition on it.
fn heads_by_condition(rules: &Rules) -> FxHashMap<Symbol, Vec<Symbol>> {
    let mut heads: FxHashMap<Symbol, Vec<Symbol>> = FxHashMap::default();
    for rule in &rules.rules {
        for atom in atoms(rule).skip(1) {
            heads.entry(atom.name).or_default().push(rule.head.name);
        }
    }
    heads
}

/// The relations that depend on some of the given ones, these included.
fn dependents(heads: &FxHashMap<Symbol, Vec<Symbol>>, on: &[Symbol]) -> FxHashSet<Symbol> {
    let mut found: FxHashSet<Symbol> = on.iter().copied().collect();
    let mut open: Vec<Symbol> = on.to_vec();
    while let Some(symbol) = open.pop() {
        let dependents = heads.get(&symbol).into_iter().flatten();
        open.extend(dependents.filter(|&&head| found.insert(head)));
    }
    found
}
