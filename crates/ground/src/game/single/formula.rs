//! Conditions of a game as few conjunctions of facts.
//!
//! A condition is a disjunction of conjunctions over *nodes*: the fluents, and the derived atoms whose conditions would be too many to
//! write down. Groups of fluents of which at most one holds decide some literals by others. For a move, the atoms that
//! depend on what is done are looked at once more, with that move made.

use std::rc::Rc;

use counterplay_base::Id;
use rustc_hash::FxHashMap;

use crate::game::{AtomId, Game, Literal, MoveId, RuleId, Signal};

/// A node or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Lit(u32);

impl Lit {
    pub(super) fn new(node: usize, positive: bool) -> Lit {
        Lit((node as u32) << 1 | u32::from(!positive))
    }

    pub(super) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    pub(super) fn negated(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A conjunction, sorted; none of its literals follows from another one by a group.
pub(super) type Term = Vec<Lit>;
/// A disjunction: no term is always true, the one empty term.
pub(super) type Dnf = Vec<Term>;

/// Terms of a condition; beyond, the atom becomes a node.
pub(super) const MOST_TERMS: usize = 32;

/// Groups of fluents of which at most one holds.
pub(super) struct Groups {
    /// The group of each fluent that has one.
    pub(super) group: Vec<Option<u32>>,
}

impl Groups {
    /// Whether two fluents exclude each other.
    fn exclude(&self, one: usize, other: usize) -> bool {
        let group = |node: usize| self.group.get(node).copied().flatten();
        one != other && group(one).is_some() && group(one) == group(other)
    }

    /// What is left of a literal where `known` holds: `Some(true)` if it follows, `Some(false)` if it cannot hold.
    fn decided(&self, literal: Lit, known: &[Lit]) -> Option<bool> {
        for &other in known {
            if other == literal {
                return Some(true);
            }
            if other == literal.negated() {
                return Some(false);
            }
            if other.is_positive() && self.exclude(other.node(), literal.node()) {
                return Some(!literal.is_positive());
            }
        }
        None
    }

    /// Both conjunctions; `None` if they contradict each other.
    pub(super) fn both(&self, one: &[Lit], other: &[Lit]) -> Option<Term> {
        let mut all: Term = Vec::with_capacity(one.len() + other.len());
        // Positive literals first: they decide others.
        let positive = |literal: &&Lit| literal.is_positive();
        let ordered = one.iter().chain(other).filter(positive);
        let negative = one.iter().chain(other).filter(|literal| !literal.is_positive());
        for &literal in ordered.chain(negative) {
            match self.decided(literal, &all) {
                Some(true) => {}
                Some(false) => return None,
                None => all.push(literal),
            }
        }
        all.sort_unstable();
        Some(all)
    }

    /// A conjunction where `known` holds; `None` if it cannot hold there.
    fn term_given(&self, term: &[Lit], known: &[Lit]) -> Option<Term> {
        let mut left = Vec::new();
        for &literal in term {
            match self.decided(literal, known) {
                Some(true) => {}
                Some(false) => return None,
                None => left.push(literal),
            }
        }
        Some(left)
    }

    /// A condition where `known` holds.
    pub(super) fn given(&self, condition: &[Term], known: &[Lit]) -> Dnf {
        reduced(condition.iter().filter_map(|term| self.term_given(term, known)).collect())
    }

    /// Both conditions; `None` if that takes too many terms.
    pub(super) fn product(&self, one: &[Term], other: &[Term]) -> Option<Dnf> {
        if one.len() * other.len() > MOST_TERMS * MOST_TERMS {
            return None;
        }
        let pairs = one.iter().flat_map(|a| other.iter().filter_map(move |b| self.both(a, b)));
        Some(reduced(pairs.collect())).filter(|all| all.len() <= MOST_TERMS)
    }

    /// The negation; `None` if that takes too many terms.
    pub(super) fn negation(&self, condition: &[Term]) -> Option<Dnf> {
        let mut all: Dnf = vec![Vec::new()];
        for term in condition {
            let none: Dnf = term.iter().map(|literal| vec![literal.negated()]).collect();
            all = self.product(&all, &none)?;
        }
        Some(all)
    }
}

/// Without terms that say more than another one.
pub(super) fn reduced(mut terms: Dnf) -> Dnf {
    terms.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    terms.dedup();
    let mut kept: Dnf = Vec::with_capacity(terms.len());
    for term in terms {
        let is_implied = kept.iter().any(|known| known.iter().all(|own| term.binary_search(own).is_ok()));
        if !is_implied {
            kept.push(term);
        }
    }
    kept
}

/// A derived node: an atom, perhaps with a move made.
pub(super) type Derived = (Option<MoveId>, AtomId);

/// Conditions of the atoms of a game.
pub(super) struct Conditions<'g> {
    game: &'g Game,
    pub(super) groups: Groups,
    rules: Vec<Vec<RuleId>>,
    depends: Vec<bool>,
    is_cyclic: Vec<bool>,
    /// Derived atoms in order: those that do not depend on moves, those that do.
    free: Vec<usize>,
    bound: Vec<usize>,
    positive: Vec<Option<Rc<Dnf>>>,
    negative: Vec<Option<Rc<Dnf>>>,
    /// The move that is made.
    made: Option<MoveId>,
    pub(super) nodes: Vec<Derived>,
    numbers: FxHashMap<Derived, usize>,
    /// Literals that were looked at.
    pub(super) work: u64,
}

impl<'g> Conditions<'g> {
    pub(super) fn new(game: &'g Game, groups: Groups) -> Conditions<'g> {
        let mut rules = vec![Vec::new(); game.atoms];
        for (rule, head) in game.heads.enumerate() {
            rules[head.index()].push(rule);
        }
        let is_move = game.fluents.len()..game.first_derived();
        let mut depends: Vec<bool> = (0..game.atoms).map(|atom| is_move.contains(&atom)).collect();
        let mut is_cyclic = vec![false; game.atoms];
        let (mut free, mut bound) = (Vec::new(), Vec::new());
        for component in &game.components {
            let bodies =
                component.iter().flat_map(|atom| &rules[atom.index()]).map(|&rule| &game.bodies[rule]);
            let literals: Vec<usize> = bodies.flatten().map(|literal| literal.atom().index()).collect();
            let any = literals.iter().any(|&atom| depends[atom]);
            let needs_itself = component.iter().any(|atom| literals.contains(&atom.index()));
            for atom in component.iter().map(|atom| atom.index()) {
                depends[atom] = any;
                is_cyclic[atom] = component.len() > 1 || needs_itself;
                if any { &mut bound } else { &mut free }.push(atom);
            }
        }
        let mut conditions = Conditions {
            game,
            groups,
            rules,
            depends,
            is_cyclic,
            free,
            bound,
            positive: vec![None; game.atoms],
            negative: vec![None; game.atoms],
            made: None,
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            work: 0,
        };
        for at in 0..conditions.free.len() {
            conditions.settle(conditions.free[at]);
        }
        conditions
    }

    /// The number of fluents: nodes from there on are derived.
    pub(super) fn fluents(&self) -> usize {
        self.game.fluents.len()
    }

    /// Looks at the atoms that depend on moves, with this one made.
    pub(super) fn make(&mut self, a_move: MoveId) {
        self.made = Some(a_move);
        for at in 0..self.bound.len() {
            let atom = self.bound[at];
            (self.positive[atom], self.negative[atom]) = (None, None);
            self.settle(atom);
        }
    }

    /// Finds the condition of an atom all of whose conditions are known, or makes it a node.
    fn settle(&mut self, atom: usize) {
        let found = match self.is_cyclic[atom] {
            true => None,
            false => self.disjunction(atom),
        };
        let condition = found.unwrap_or_else(|| vec![vec![Lit::new(self.node(AtomId::new(atom)), true)]]);
        self.positive[atom] = Some(Rc::new(condition));
    }

    fn disjunction(&mut self, atom: usize) -> Option<Dnf> {
        let game = self.game;
        let mut all: Dnf = Vec::new();
        for at in 0..self.rules[atom].len() {
            let body = &game.bodies[self.rules[atom][at]];
            let mut own: Dnf = vec![Vec::new()];
            for &literal in body {
                self.work += 1;
                let condition = self.condition(literal);
                own = self.groups.product(&own, &condition)?;
                if own.is_empty() {
                    break;
                }
            }
            all.extend(own);
            if all.len() > 2 * MOST_TERMS {
                return None;
            }
        }
        Some(reduced(all)).filter(|all| all.len() <= MOST_TERMS)
    }

    /// The node of a derived atom; with the move that is made, if it depends on that.
    pub(super) fn node(&mut self, atom: AtomId) -> usize {
        let made = self.made.filter(|_| self.depends[atom.index()]);
        let next = self.nodes.len();
        let number = *self.numbers.entry((made, atom)).or_insert(next);
        if number == next {
            self.nodes.push((made, atom));
        }
        self.game.fluents.len() + number
    }

    /// When a literal holds.
    pub(super) fn condition(&mut self, literal: Literal) -> Rc<Dnf> {
        let (atom, is_positive) = (literal.atom().index(), literal.is_positive());
        if atom < self.game.fluents.len() {
            return Rc::new(vec![vec![Lit::new(atom, is_positive)]]);
        }
        if atom < self.game.first_derived() {
            let is_made = self.made.is_some_and(|made| self.game.does(made).index() == atom);
            return Rc::new(constant(is_made == is_positive));
        }
        let positive = self.positive[atom].clone().expect("atoms below come first");
        if is_positive {
            return positive;
        }
        if let Some(known) = &self.negative[atom] {
            return Rc::clone(known);
        }
        let negation = self.groups.negation(&positive);
        let negation = negation.unwrap_or_else(|| vec![vec![Lit::new(self.node(literal.atom()), false)]]);
        let negation = Rc::new(negation);
        self.negative[atom] = Some(Rc::clone(&negation));
        negation
    }

    /// When a signal is true.
    pub(super) fn signal(&mut self, signal: Signal) -> Rc<Dnf> {
        match signal {
            Signal::Constant(value) => Rc::new(constant(value)),
            Signal::Literal(literal) => self.condition(literal),
        }
    }

    /// The bodies of the rules of a node, as conjunctions of nodes. What depends on a move is only known while that is made.
    pub(super) fn bodies(&mut self, (made, atom): Derived) -> Dnf {
        debug_assert!(made.is_none() || made == self.made, "looked at while its move is made");
        let game = self.game;
        let mut bodies = Vec::new();
        'rules: for at in 0..self.rules[atom.index()].len() {
            let mut all: Term = Vec::new();
            for &literal in &game.bodies[self.rules[atom.index()][at]] {
                let condition = self.condition(literal);
                let term = match &condition[..] {
                    [] => continue 'rules,
                    [term] => term.clone(),
                    _ => vec![Lit::new(self.node(literal.atom()), literal.is_positive())],
                };
                match self.groups.both(&all, &term) {
                    Some(both) => all = both,
                    None => continue 'rules,
                }
            }
            bodies.push(all);
        }
        bodies
    }
}

/// The condition that always holds, or never does.
pub(super) fn constant(value: bool) -> Dnf {
    if value { vec![Vec::new()] } else { Vec::new() }
}
