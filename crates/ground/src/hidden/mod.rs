//! Problems whose state is hidden: an initial belief state, and actions that observe.
//!
//! Few initial states are listed and become the outcomes of the action that comes first, so that invariants hold from
//! the start; of many only the atoms are told to the grounder, which can then rely on less, and the states stay a description. Nothing is
//! left out that does not play a part in reaching the goal, because it may be observed.

mod initial;

use counterplay_base::{Budget, Id, IdVec, Progress};
use counterplay_pddl::model::*;
use counterplay_syntax::Span;
use counterplay_task::{
    Choice, Description, Fact, HiddenAction, HiddenTask, InitialStates, NondetTask, Task, Value, VarId,
    Variable, apply, close_under_axioms,
};
use rustc_hash::FxHashMap;

use crate::names;
use crate::{Error, Options, outcomes};
use initial::OpenStart;

/// Up to so many initial states are listed.
const LISTED: usize = 1000;
/// The actions that make an open atom true before the start begin with this name.
const OPEN: &str = ";open";

/// Grounds a problem whose state is hidden.
///
/// # Errors
/// What is not supported, an initial description that contradicts itself, or the limit that was reached.
pub fn ground_hidden(
    problem: &Problem,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<HiddenTask, Error> {
    let open = OpenStart::new(problem);
    let states = open.states(LISTED, budget)?;
    if states.is_empty() {
        return Err(Error::ContradictoryStart { clauses: open.conflict(budget)?, at: problem.goal.at });
    }
    let mut plain = Problem { hierarchy: None, ..problem.clone() };
    plain.declares_partial_observability = false;
    plain.init_clauses.clear();
    plain.init_unknown.clear();
    plain.init_choices.clear();
    plain.actions.iter_mut().for_each(|action| action.observe.clear());
    let is_listed = states.len() <= LISTED;
    match is_listed {
        true => list_states(&mut plain, &open, &states, problem.goal.at),
        false => open_atoms(&mut plain, &open, problem.goal.at),
    }
    let options = Options { h2: false, keep_irrelevant: true, ..Options::default() };
    let (mut nondet, _) = outcomes::ground_outcomes(&plain, &options, budget, progress)?;
    let facts = FactNames::new(&nondet.task);
    let initial = match is_listed {
        true => InitialStates::Listed(listed_states(&nondet)),
        false => {
            let after_start = listed_states(&nondet).swap_remove(0);
            InitialStates::Described(describe(&mut nondet.task, after_start, &facts, problem, &open))
        }
    };
    let actions = actions(problem, &nondet, &facts);
    nondet.start = None;
    Ok(HiddenTask { nondet, actions, initial })
}

/// The listed states become alternatives of one choice.
fn list_states(plain: &mut Problem, open: &OpenStart, states: &[Vec<usize>], at: Span) {
    let atoms = |state: &Vec<usize>| state.iter().map(|&number| open.atoms[number].clone()).collect();
    let alternatives: Vec<Vec<GroundAtom>> = states.iter().map(atoms).collect();
    let literals = alternatives
        .iter()
        .map(|atoms: &Vec<GroundAtom>| atoms.iter().map(|atom| (atom.clone(), true)).collect());
    let literals = literals.collect();
    if !open.atoms.is_empty() {
        plain.init_choices = vec![InitChoice { alternatives, literals, at }];
    }
}

/// Before the start each open atom may be made true.
fn open_atoms(plain: &mut Problem, open: &OpenStart, at: Span) {
    plain.init_choices = vec![InitChoice { alternatives: vec![Vec::new()], literals: vec![Vec::new()], at }];
    outcomes::add_start(plain);
    let begun = plain.predicates.ids().last().expect("the start has a predicate");
    for (number, atom) in open.atoms.iter().enumerate() {
        let arguments = atom.arguments.iter().copied().map(Term::Object).collect();
        let effect = Effect::Add(Atom { predicate: atom.predicate, arguments }, at);
        plain.actions.push(Action {
            name: format!("{OPEN}{number}"),
            schema: Schema::default(),
            precondition: Condition::Atom(Atom { predicate: begun, arguments: Vec::new() }, at),
            effect,
            observe: Vec::new(),
            at,
        });
    }
}

/// The states that the first action leads to, or the one initial state.
fn listed_states(nondet: &NondetTask) -> Vec<IdVec<VarId, Value>> {
    let task = &nondet.task;
    let mut initial = task.initial.clone();
    close_under_axioms(task, &mut initial);
    match nondet.start {
        None => vec![initial],
        Some(start) => nondet.choices[start].operators().map(|op| apply(task, &initial, op)).collect(),
    }
}

/// Where each atom is found in a task.
struct FactNames(FxHashMap<String, Fact>);

impl FactNames {
    fn new(task: &Task) -> FactNames {
        let mut names = FxHashMap::default();
        for (var, variable) in task.variables.enumerate() {
            for (value, name) in variable.values.iter().enumerate() {
                names.insert(name.clone(), Fact { var, value: value as u32 });
            }
        }
        FactNames(names)
    }

    fn get(&self, problem: &Problem, atom: &GroundAtom) -> Option<Fact> {
        let tuple: Vec<u32> = atom.arguments.iter().map(|object| object.index() as u32).collect();
        self.0.get(&names::atom(problem, atom.predicate, &tuple)).copied()
    }
}

/// The open start in terms of facts. Atoms that the task does not have get a variable of their own: constraints mention them.
fn describe(
    task: &mut Task,
    mut certain: IdVec<VarId, Value>,
    facts: &FactNames,
    problem: &Problem,
    open: &OpenStart,
) -> Description {
    let mut own = Vec::new();
    for (atom, known) in open.atoms.iter().zip(&open.certain) {
        let fact = facts.get(problem, atom).unwrap_or_else(|| {
            let name = problem.atom_text(atom);
            let values = vec![format!("not {name}"), name.clone()];
            let var = task.variables.push(Variable { name, values, derived: None });
            task.initial.push(0);
            certain.push(u32::from(*known == Some(true)));
            Fact { var, value: 1 }
        });
        own.push(fact);
    }
    let literal = |&(atom, truth): &(usize, bool)| (own[atom], truth);
    let literals = |list: &Vec<(usize, bool)>| list.iter().map(literal).collect::<Vec<_>>();
    let mut clauses: Vec<Vec<(Fact, bool)>> = open.clauses.iter().map(|(list, _)| literals(list)).collect();
    let known = open.certain.iter().enumerate().filter(|(_, known)| **known == Some(true));
    clauses.extend(known.map(|(atom, _)| vec![(own[atom], true)]));
    let closed = (0..own.len()).filter(|&atom| open.closed[atom] && open.certain[atom].is_none());
    Description {
        certain,
        choices: open.choices.iter().map(|(list, _)| list.iter().map(literals).collect()).collect(),
        clauses,
        closed: closed.map(|atom| own[atom]).collect(),
        open: own,
    }
}

/// The actions, each with the parts of its precondition and with what it tells.
fn actions(problem: &Problem, nondet: &NondetTask, facts: &FactNames) -> Vec<HiddenAction> {
    let schemas: FxHashMap<&str, &Action> =
        problem.actions.iter().map(|action| (action.name.as_str(), action)).collect();
    let objects: FxHashMap<&str, ObjectId> =
        problem.objects.enumerate().map(|(id, object)| (object.name.as_str(), id)).collect();
    let mut actions: Vec<HiddenAction> = Vec::new();
    let mut known: FxHashMap<&str, usize> = FxHashMap::default();
    for (id, Choice { name, .. }) in nondet.choices.enumerate() {
        let mut words = name.split(' ');
        // What comes before the start is no action of the problem.
        let Some(action) = words.next().and_then(|word| schemas.get(word)) else { continue };
        let arguments: Vec<ObjectId> = words.filter_map(|word| objects.get(word).copied()).collect();
        let at = *known.entry(name.as_str()).or_insert_with(|| {
            let observed = action.observe.iter().map(|(atom, _)| ground_atom(atom, &arguments));
            let observed =
                observed.filter_map(|atom| Some((facts.get(problem, &atom)?, problem.atom_text(&atom))));
            let observed = observed.collect();
            actions.push(HiddenAction { name: name.clone(), parts: Vec::new(), observed });
            actions.len() - 1
        });
        actions[at].parts.push(id);
    }
    actions
}

fn ground_atom(atom: &Atom, arguments: &[ObjectId]) -> GroundAtom {
    let object = |term: &Term| match *term {
        Term::Object(object) => object,
        Term::Variable(variable) => arguments[variable.index()],
    };
    GroundAtom { predicate: atom.predicate, arguments: atom.arguments.iter().map(object).collect() }
}
