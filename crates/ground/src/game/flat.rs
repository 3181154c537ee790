//! Rules over constants: what is left when terms are replaced by their leaves.

use counterplay_base::{IdVec, Limit};
use counterplay_gdl::{Keyword, Literal, Rule, Rules, Symbol, Term as GdlTerm};
use counterplay_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use counterplay_base::Budget;

use super::shape::{Binding, Shape, ShapeError, ShapeId, Shaped, Shapes, Signatures, bindings, infer};
use crate::datalog::{Atom, RelationId, Term};

/// A rule over constants.
#[derive(Clone, Debug, Default)]
pub(super) struct FlatRule {
    pub(super) head: Option<Atom>,
    pub(super) positive: Vec<Atom>,
    pub(super) negative: Vec<Atom>,
    pub(super) different: Vec<(Term, Term)>,
    /// Atoms that only help to bind variables: they hold whenever the rule is asked for.
    pub(super) guides: Vec<Atom>,
    /// Whether it only finds out what is asked for, and is no rule of the game.
    pub(super) only_asks: bool,
}

impl FlatRule {
    pub(super) fn head(&self) -> &Atom {
        self.head.as_ref().expect("every finished rule has a head")
    }
}

/// What a flat relation is.
#[derive(Clone, Debug)]
pub(super) struct FlatRelation {
    /// The relation of the rule sheet and the shapes of its arguments; `None` for one that splitting made.
    pub(super) origin: Option<Shaped>,
    pub(super) arity: usize,
    /// Whether it depends on the state or on moves.
    pub(super) dynamic: bool,
}

/// A rule sheet without functions.
#[derive(Debug)]
pub(super) struct Flat {
    pub(super) relations: IdVec<RelationId, FlatRelation>,
    pub(super) rules: Vec<FlatRule>,
    pub(super) shapes: Shapes,
    by_shape: FxHashMap<Shaped, RelationId>,
}

impl Flat {
    /// The flat relation of a relation with shapes.
    pub(super) fn relation(&self, name: Symbol, shapes: &[ShapeId]) -> Option<RelationId> {
        self.by_shape.get(&(name, shapes.to_vec())).copied()
    }

    /// All flat relations of a relation.
    pub(super) fn relations_of(&self, name: Symbol) -> impl Iterator<Item = RelationId> + '_ {
        self.relations
            .enumerate()
            .filter(move |(_, relation)| relation.origin.as_ref().is_some_and(|origin| origin.0 == name))
            .map(|(id, _)| id)
    }

    /// The terms that a tuple of a flat relation stands for, one for each argument.
    pub(super) fn arguments(&self, relation: RelationId, tuple: &[u32]) -> Vec<GdlTerm> {
        use counterplay_base::Id;
        fn build(shapes: &Shapes, shape: ShapeId, rest: &mut std::slice::Iter<'_, u32>) -> GdlTerm {
            match shapes.get(shape) {
                Shape::Constant => {
                    GdlTerm::Symbol(Symbol::new(*rest.next().expect("a tuple fills its shapes") as usize))
                }
                Shape::Function(name, args) => {
                    GdlTerm::Function(*name, args.iter().map(|&arg| build(shapes, arg, rest)).collect())
                }
            }
        }
        let (_, shapes) = self.relations[relation].origin.as_ref().expect("only relations of the rule sheet");
        let mut rest = tuple.iter();
        shapes.iter().map(|&shape| build(&self.shapes, shape, &mut rest)).collect()
    }
}

/// The relations that the rest of the program asks for, and what they need.
fn needed(rules: &Rules) -> FxHashSet<Symbol> {
    let roots = [Keyword::Init, Keyword::Next, Keyword::Legal, Keyword::Goal, Keyword::Terminal];
    let mut found: FxHashSet<Symbol> = roots.iter().map(|&keyword| rules.symbol(keyword)).collect();
    found.extend(rules.percepts());
    let mut grows = true;
    while grows {
        grows = false;
        for rule in rules.rules.iter() {
            if found.contains(&rule.head.name) {
                for literal in &rule.body {
                    if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                        grows |= found.insert(atom.name);
                    }
                }
            }
        }
    }
    found
}

/// Relations that depend on the state or on moves.
fn dynamic(rules: &Rules) -> FxHashSet<Symbol> {
    let mut found: FxHashSet<Symbol> =
        [Keyword::True, Keyword::Does].iter().map(|&keyword| rules.symbol(keyword)).collect();
    // These are what other engines ask for, so they are kept as atoms even if they are constant.
    found.extend([Keyword::Next, Keyword::Legal, Keyword::Goal, Keyword::Terminal].map(|k| rules.symbol(k)));
    let mut grows = true;
    while grows {
        grows = false;
        for rule in &rules.rules {
            let depends = rule.body.iter().any(|literal| match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => found.contains(&atom.name),
                Literal::Distinct(..) | Literal::Same(..) => false,
            });
            if depends {
                grows |= found.insert(rule.head.name);
            }
        }
    }
    found
}

/// Why a rule sheet cannot be flattened.
pub(super) enum FlatError {
    Endless(Span),
    Stopped(Limit),
}

impl From<ShapeError> for FlatError {
    fn from(error: ShapeError) -> FlatError {
        match error {
            ShapeError::Endless(at) => FlatError::Endless(at),
            ShapeError::Stopped(limit) => FlatError::Stopped(limit),
        }
    }
}

/// Flattens a rule sheet.
pub(super) fn flatten(rules: &Rules, budget: &Budget) -> Result<Flat, FlatError> {
    let needed = needed(rules);
    let sheet: Vec<Rule> =
        rules.rules.iter().filter(|rule| needed.contains(&rule.head.name)).filter_map(without_same).collect();
    let sheet: Vec<&Rule> = sheet.iter().collect();
    let keyword = |keyword| rules.symbol(keyword);
    let flows = [
        (keyword(Keyword::Init), keyword(Keyword::True)),
        (keyword(Keyword::Next), keyword(Keyword::True)),
        (keyword(Keyword::Legal), keyword(Keyword::Does)),
    ];
    let mut shapes = Shapes::default();
    let signatures = infer(&sheet, &flows, &mut shapes, budget)?;
    let dynamic = dynamic(rules);
    let mut flat =
        Flat { relations: IdVec::new(), rules: Vec::new(), shapes, by_shape: FxHashMap::default() };
    let mut names: Vec<Symbol> = sheet.iter().map(|rule| rule.head.name).collect();
    names.extend([keyword(Keyword::True), keyword(Keyword::Does)]);
    let mut seen = FxHashSet::default();
    names.retain(|&name| seen.insert(name));
    for name in names {
        for signature in signatures.of(name) {
            let arity = signature.iter().map(|&shape| flat.shapes.leaves(shape)).sum();
            let origin = (name, signature.clone());
            let dynamic = dynamic.contains(&name);
            let relation = FlatRelation { origin: Some(origin.clone()), arity, dynamic };
            let id = flat.relations.push(relation);
            flat.by_shape.insert(origin, id);
        }
    }
    for rule in sheet {
        for binding in bindings(rule, &signatures, &flat.shapes) {
            flatten_rule(rule, &binding, &signatures, &mut flat);
        }
    }
    Ok(flat)
}

/// The rule with the terms that must be the same made the same; `None` if they cannot be.
fn without_same(rule: &Rule) -> Option<Rule> {
    let mut rule = rule.clone();
    while let Some(at) = rule.body.iter().position(|literal| matches!(literal, Literal::Same(..))) {
        let Literal::Same(left, right, _) = rule.body.remove(at) else { unreachable!("just found") };
        let (variable, term) = match (left, right) {
            (left, right) if left == right => continue,
            (GdlTerm::Variable(variable), term) | (term, GdlTerm::Variable(variable)) => (variable, term),
            (GdlTerm::Function(f, own), GdlTerm::Function(g, other))
                if f == g && own.len() == other.len() =>
            {
                let at = rule.at;
                rule.body.extend(own.into_iter().zip(other).map(|(l, r)| Literal::Same(l, r, at)));
                continue;
            }
            _ => return None,
        };
        let mut inner = Vec::new();
        term.variables(&mut inner);
        if inner.contains(&variable) {
            return None;
        }
        let replace = |place: &mut GdlTerm| substitute(place, variable, &term);
        rule.head.args.iter_mut().for_each(replace);
        for literal in &mut rule.body {
            match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => atom.args.iter_mut().for_each(replace),
                Literal::Distinct(left, right, _) | Literal::Same(left, right, _) => {
                    replace(left);
                    replace(right);
                }
            }
        }
    }
    Some(rule)
}

fn substitute(place: &mut GdlTerm, variable: u32, term: &GdlTerm) {
    match place {
        GdlTerm::Variable(own) if *own == variable => *place = term.clone(),
        GdlTerm::Function(_, args) => args.iter_mut().for_each(|arg| substitute(arg, variable, term)),
        _ => {}
    }
}

/// Adds the flat rules of a rule with given shapes: several if functions must differ, since one place suffices.
fn flatten_rule(rule: &Rule, binding: &Binding, signatures: &Signatures, flat: &mut Flat) {
    // Each variable owns as many flat variables as its shape has leaves.
    let mut first = Vec::with_capacity(binding.len());
    let mut count = 0u32;
    for shape in binding {
        first.push(count);
        count += shape.map_or(0, |shape| flat.shapes.leaves(shape)) as u32;
    }
    let atom = |atom: &counterplay_gdl::Atom, flat: &mut Flat| {
        let shapes: Vec<ShapeId> = atom.args.iter().map(|term| flat.shapes.of(term, binding)).collect();
        if !signatures.contains(atom.name, &shapes) {
            return None;
        }
        let relation = flat.relation(atom.name, &shapes).expect("every signature has a relation");
        let mut terms = Vec::new();
        atom.args.iter().for_each(|term| leaves(term, binding, &first, &flat.shapes, &mut terms));
        Some(Atom { relation, terms })
    };
    let mut flat_rule = FlatRule { head: atom(&rule.head, flat), ..FlatRule::default() };
    let mut choices: Vec<Vec<(Term, Term)>> = Vec::new();
    for literal in &rule.body {
        match literal {
            Literal::Positive(own) => {
                flat_rule.positive.push(atom(own, flat).expect("positive conditions were shaped"));
            }
            Literal::Negative(own) => flat_rule.negative.extend(atom(own, flat)),
            Literal::Distinct(left, right, _) => {
                if flat.shapes.of(left, binding) != flat.shapes.of(right, binding) {
                    continue;
                }
                let (mut own, mut other) = (Vec::new(), Vec::new());
                leaves(left, binding, &first, &flat.shapes, &mut own);
                leaves(right, binding, &first, &flat.shapes, &mut other);
                choices.push(own.into_iter().zip(other).filter(|(l, r)| may_differ(*l, *r)).collect());
            }
            Literal::Same(..) => unreachable!("removed before"),
        }
    }
    let mut variants = vec![flat_rule];
    for choice in choices {
        let extended = variants.iter().flat_map(|rule| {
            choice.iter().map(move |&(left, right)| {
                let mut rule = rule.clone();
                if matches!((left, right), (Term::Variable(_), _) | (_, Term::Variable(_))) {
                    rule.different.push((left, right));
                }
                rule
            })
        });
        variants = extended.collect();
    }
    flat.rules.extend(variants);
}

fn may_differ(left: Term, right: Term) -> bool {
    left != right
}

/// Appends the constants and flat variables at the leaves of a term.
fn leaves(term: &GdlTerm, binding: &Binding, first: &[u32], shapes: &Shapes, out: &mut Vec<Term>) {
    use counterplay_base::Id;
    match term {
        GdlTerm::Symbol(symbol) => out.push(Term::Symbol(symbol.index() as u32)),
        GdlTerm::Variable(variable) => {
            let shape = binding[*variable as usize].expect("safe rules bind their variables");
            let from = first[*variable as usize];
            out.extend((from..from + shapes.leaves(shape) as u32).map(Term::Variable));
        }
        GdlTerm::Function(_, args) => {
            args.iter().for_each(|arg| leaves(arg, binding, first, shapes, out));
        }
    }
}
