//! Functions out of the way: terms by their shape.
//!
//! Datalog knows constants only, GDL has functions. The *shape* of a ground term is the term with its constants
//! blotted out, as `(move • • •)`. A fixpoint over the rules finds which shapes each relation can be given; a
//! relation with shapes is then a plain relation over the constants at their leaves, and a rule becomes one flat
//! rule for each way its conditions can be shaped. A rule that builds ever larger terms is found here, and named.

use counterplay_base::{Budget, IdVec, Limit, id};
use counterplay_gdl::{Atom, Literal, Rule, Symbol, Term};
use counterplay_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};

id! {
    pub struct ShapeId;
}

/// A game in which some relation takes more shapes than this has terms that grow without end.
const MOST_SHAPES: usize = 2000;
const DEEPEST: usize = 40;

/// What a term looks like without its constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    Constant,
    /// A function of shapes.
    Function(Symbol, Vec<ShapeId>),
}

/// All shapes that occur.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    shapes: IdVec<ShapeId, Shape>,
    /// How many constants a shape has, and how deep it is.
    sizes: IdVec<ShapeId, (usize, usize)>,
    known: FxHashMap<Shape, ShapeId>,
}

impl Shapes {
    fn intern(&mut self, shape: Shape) -> ShapeId {
        if let Some(&known) = self.known.get(&shape) {
            return known;
        }
        let size = match &shape {
            Shape::Constant => (1, 1),
            Shape::Function(_, args) => (
                args.iter().map(|&arg| self.sizes[arg].0).sum(),
                1 + args.iter().map(|&arg| self.sizes[arg].1).max().unwrap_or(0),
            ),
        };
        self.sizes.push(size);
        let id = self.shapes.push(shape.clone());
        self.known.insert(shape, id);
        id
    }

    /// How many constants a term of this shape has.
    pub(super) fn leaves(&self, shape: ShapeId) -> usize {
        self.sizes[shape].0
    }

    pub(super) fn get(&self, shape: ShapeId) -> &Shape {
        &self.shapes[shape]
    }

    /// Whether a term can have a shape; binds its variables to shapes.
    fn fits(&self, term: &Term, shape: ShapeId, binding: &mut Binding) -> bool {
        match (term, &self.shapes[shape]) {
            (Term::Variable(variable), _) => match binding[*variable as usize] {
                Some(bound) => bound == shape,
                None => {
                    binding[*variable as usize] = Some(shape);
                    true
                }
            },
            (Term::Symbol(_), Shape::Constant) => true,
            (Term::Function(name, args), Shape::Function(own, shapes)) => {
                name == own
                    && args.len() == shapes.len()
                    && args.iter().zip(shapes).all(|(arg, &shape)| self.fits(arg, shape, binding))
            }
            _ => false,
        }
    }

    /// The shape of a term whose variables are bound.
    pub(super) fn of(&mut self, term: &Term, binding: &Binding) -> ShapeId {
        match term {
            Term::Symbol(_) => self.intern(Shape::Constant),
            Term::Variable(variable) => binding[*variable as usize].expect("safe rules bind their variables"),
            Term::Function(name, args) => {
                let args = args.iter().map(|arg| self.of(arg, binding)).collect();
                self.intern(Shape::Function(*name, args))
            }
        }
    }
}

/// The shape of each variable of a rule.
pub(super) type Binding = Vec<Option<ShapeId>>;

/// A relation with the shapes of its arguments.
pub(super) type Shaped = (Symbol, Vec<ShapeId>);

/// Why shapes could not be found.
pub(super) enum ShapeError {
    /// A rule builds ever larger terms.
    Endless(Span),
    /// A limit came first.
    Stopped(Limit),
}

/// Which shapes the arguments of relations can have.
#[derive(Debug, Default)]
pub(super) struct Signatures {
    of: FxHashMap<Symbol, Vec<Vec<ShapeId>>>,
    known: FxHashSet<Shaped>,
}

impl Signatures {
    fn add(&mut self, relation: Symbol, shapes: Vec<ShapeId>) -> bool {
        let new = self.known.insert((relation, shapes.clone()));
        if new {
            self.of.entry(relation).or_default().push(shapes);
        }
        new
    }

    /// Whether the relation can have arguments of these shapes.
    pub(super) fn contains(&self, relation: Symbol, shapes: &[ShapeId]) -> bool {
        self.known.contains(&(relation, shapes.to_vec()))
    }

    /// The shapes of a relation's arguments, in the order they were found.
    pub(super) fn of(&self, relation: Symbol) -> &[Vec<ShapeId>] {
        self.of.get(&relation).map_or(&[], Vec::as_slice)
    }
}

/// Finds the shapes of all relations. `flows` says which relation's arguments become those of which other one
/// without a rule.
pub(super) fn infer(
    sheet: &[&Rule],
    flows: &[(Symbol, Symbol)],
    shapes: &mut Shapes,
    budget: &Budget,
) -> Result<Signatures, ShapeError> {
    let mut signatures = Signatures::default();
    let mut changed = true;
    while changed {
        changed = false;
        for &rule in sheet {
            budget.check().map_err(ShapeError::Stopped)?;
            for binding in bindings(rule, &signatures, shapes) {
                let head: Vec<ShapeId> =
                    rule.head.args.iter().map(|term| shapes.of(term, &binding)).collect();
                let deep = head.iter().any(|&shape| shapes.sizes[shape].1 > DEEPEST);
                if deep || signatures.of(rule.head.name).len() > MOST_SHAPES {
                    return Err(ShapeError::Endless(rule.at));
                }
                changed |= signatures.add(rule.head.name, head);
            }
        }
        for &(from, to) in flows {
            for shapes in signatures.of(from).to_vec() {
                changed |= signatures.add(to, shapes);
            }
        }
    }
    Ok(signatures)
}

/// All ways to shape the variables of a rule.
pub(super) fn bindings(rule: &Rule, signatures: &Signatures, shapes: &Shapes) -> Vec<Binding> {
    let positive: Vec<&Atom> = rule
        .body
        .iter()
        .filter_map(|literal| match literal {
            Literal::Positive(atom) => Some(atom),
            _ => None,
        })
        .collect();
    let mut found: Vec<Binding> = vec![vec![None; rule.variables.len()]];
    for atom in positive {
        let mut more: Vec<Binding> = Vec::new();
        let mut seen: FxHashSet<Binding> = FxHashSet::default();
        for binding in &found {
            for signature in signatures.of(atom.name) {
                let mut own = binding.clone();
                let fits =
                    atom.args.iter().zip(signature).all(|(term, &shape)| shapes.fits(term, shape, &mut own));
                if fits && seen.insert(own.clone()) {
                    more.push(own);
                }
            }
        }
        found = more;
    }
    found
}
