//! Which atoms and actions can be reached when nothing is ever deleted.
//!
//! The problem becomes a datalog program: one relation for each predicate, action and sort; an action
//! follows from what its precondition needs at least, what it adds follows from the action. Helmert (AIJ
//! 2009), section 6.

use counterplay_base::{Budget, Id, IdVec, Limit};
use counterplay_pddl::model::{PredicateId, VariableId};

use crate::datalog::{Atom, Database, Program, RelationId, Term, evaluate};
use crate::lifted::{Formula, Kind, NormalisedProblem, SortId, Vocabulary, symbol};

#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) database: Database,
    pub(crate) predicates: IdVec<PredicateId, RelationId>,
    pub(crate) sorts: IdVec<SortId, RelationId>,
    /// For each action its tuples of parameters.
    pub(crate) actions: Vec<RelationId>,
}

impl Explored {
    /// The relations that conditions speak about.
    pub(crate) fn vocabulary<'a>(&'a self, lifted: &'a NormalisedProblem<'_>) -> Vocabulary<'a> {
        Vocabulary { kinds: &lifted.kinds, predicates: &self.predicates, sorts: &self.sorts }
    }
}

/// Evaluates the program of a problem.
pub(crate) fn explore(lifted: &NormalisedProblem<'_>, budget: &Budget) -> Result<Explored, Limit> {
    let problem = lifted.problem;
    let mut program = Program::new(problem.objects.len());
    let predicates: IdVec<PredicateId, RelationId> =
        problem.predicates.iter().map(|predicate| program.relation(predicate.parameters.len())).collect();
    let mut tuple = Vec::new();
    for atom in &problem.init {
        tuple.clear();
        tuple.extend(atom.arguments.iter().map(|&object| symbol(object)));
        program.fact(predicates[atom.predicate], &tuple);
    }
    let sorts: IdVec<SortId, RelationId> = lifted.sorts.iter().map(|_| program.relation(1)).collect();
    for (sort, objects) in lifted.sorts.enumerate() {
        objects.iter().for_each(|&object| program.fact(sorts[sort], &[symbol(object)]));
    }
    let vocabulary = Vocabulary { kinds: &lifted.kinds, predicates: &predicates, sorts: &sorts };
    let mut actions = Vec::new();
    for action in &lifted.actions {
        let relation = program.relation(action.parameters);
        actions.push(relation);
        let parameters: Vec<VariableId> = (0..action.parameters).map(VariableId::new).collect();
        let head = apply(relation, &parameters);
        let mut rules =
            Rules { program: &mut program, vocabulary: &vocabulary, variables: &action.variables };
        rules.add(&head, &[], &parameters, &action.precondition);
        for effect in action.effects.iter().filter(|effect| effect.adds) {
            let added = vocabulary.atom(&effect.atom);
            rules.add(&added, std::slice::from_ref(&head), &effect.variables, &effect.condition);
        }
    }
    for axiom in &lifted.axioms {
        let parameters: Vec<VariableId> = (0..axiom.parameters).map(VariableId::new).collect();
        let head = apply(predicates[axiom.head], &parameters);
        let mut rules = Rules { program: &mut program, vocabulary: &vocabulary, variables: &axiom.variables };
        rules.add(&head, &[], &parameters, &axiom.body);
    }
    let database = evaluate(program, budget)?;
    Ok(Explored { database, predicates, sorts, actions })
}

fn apply(relation: RelationId, variables: &[VariableId]) -> Atom {
    let terms = variables.iter().map(|variable| Term::Variable(variable.index() as u32)).collect();
    Atom { relation, terms }
}

/// Conditions with more fluent atoms are not written out: each of them makes the rule be looked at again.
const FLUENTS: usize = 64;

/// Writes the rules of one schema.
struct Rules<'a> {
    program: &'a mut Program,
    vocabulary: &'a Vocabulary<'a>,
    variables: &'a IdVec<VariableId, SortId>,
}

impl Rules<'_> {
    /// The head follows from the given atoms and the formula, for variables of their sorts.
    fn add(&mut self, head: &Atom, given: &[Atom], sorted: &[VariableId], formula: &Formula) {
        for mut body in self.vocabulary.bodies(formula, self.variables) {
            self.shorten(&mut body.atoms);
            body.atoms.extend(given.iter().cloned());
            body.atoms.extend(sorted.iter().map(|&variable| self.vocabulary.sort(variable, self.variables)));
            if let Some(rule) = body.into_rule(head.clone()) {
                self.program.rule(rule);
            }
        }
    }

    /// Leaves out fluent atoms beyond the first so many; instantiation looks at all of them.
    fn shorten(&self, atoms: &mut Vec<Atom>) {
        let Vocabulary { kinds, predicates, .. } = self.vocabulary;
        let is_fluent = |atom: &Atom| {
            let own = predicates.enumerate().find(|&(_, &relation)| relation == atom.relation);
            own.is_some_and(|(predicate, _)| kinds[predicate] != Kind::Static)
        };
        let mut count = 0;
        if atoms.len() > FLUENTS {
            atoms.retain(|atom| {
                count += usize::from(is_fluent(atom));
                count <= FLUENTS || !is_fluent(atom)
            });
        }
    }
}
