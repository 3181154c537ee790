//! Grounding: from a lifted problem to a finite-domain task.
//!
//! ```text
//! metric       the metric, compiled: costs of actions, soft goals with weights
//! numbers      fluents with finitely many values, as tables
//! lifted       the problem in one shape, what is not supported refused
//! explore      a datalog program: which atoms and actions can be reached
//! instantiate  ground operators and axioms
//! prune        atoms that keep their value, operators that never apply
//! invariants   groups of atoms of which at most one is true, proved
//! encode       variables with several values
//! simplify     unreachable values, irrelevant variables, superfluous operators
//! h2           pairs of facts that exclude each other, and what follows
//! ```
//! The plans of the task are those of the problem, with the same costs; what cannot be part of an optimal
//! plan may be missing. The [`datalog`] engine knows no planning and serves game rules as well. Nothing
//! here knows text: what is not supported is refused with the place where it was written.
//!
//! ```
//! use counterplay_base::{Budget, Silent};
//! use counterplay_ground::{Options, ground};
//! use counterplay_syntax::Sources;
//!
//! let mut sources = Sources::default();
//! let domain = sources.add("domain.pddl", "(define (domain lamps) (:predicates (lit ?l) (wire ?a ?b))
//!     (:action pass :parameters (?a ?b) :precondition (and (lit ?a) (wire ?a ?b))
//!      :effect (and (lit ?b) (not (lit ?a)))))");
//! let problem = sources.add("problem.pddl", "(define (problem three) (:domain lamps) (:objects a b c)
//!     (:init (lit a) (wire a b) (wire b c)) (:goal (lit c)))");
//! let problem = counterplay_pddl::read(&sources, domain, problem).unwrap();
//! let task = ground(&problem, &Options::default(), &Budget::unlimited(), &Silent).unwrap();
//! // One lamp is lit at a time, so there is one variable with three values.
//! assert_eq!(task.variables.len(), 1);
//! let names: Vec<&str> = task.operators.iter().map(|operator| operator.name.as_str()).collect();
//! assert_eq!(names, ["pass a b", "pass b c"]);
//! ```

pub mod datalog;
mod encode;
mod error;
mod explore;
mod figures;
pub mod game;
mod h2;
mod hidden;
mod instantiate;
mod invariants;
mod lifted;
mod metric;
mod names;
mod numbers;
mod outcomes;
mod propositional;
mod prune;
mod scale;
mod simplify;
mod stratify;
mod substitute;

use std::time::{Duration, Instant};

use counterplay_base::{Budget, Progress, Report};
use counterplay_pddl::model::Problem;
use counterplay_task::Task;

pub use error::{Error, Feature};
pub use figures::{Figures, H2Outcome};
pub use hidden::ground_hidden;
pub use metric::{CompiledMetric, is_net_benefit, metric_of, unweighed_preferences};
pub use outcomes::{ground_odds, ground_outcomes, may_earn, outcomes_of};

use lifted::NormalisedProblem;
use metric::Preference;
use propositional::{AtomId, Origin, Propositional};

/// What grounding may leave out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether to look for pairs of facts that exclude each other (h²), and to use them.
    pub h2: bool,
    /// How long that may take.
    pub h2_time: Duration,
    /// Whether preconditions get all the facts that follow from them by h², not just those on variables that
    /// the operator changes.
    pub disambiguate_all: bool,
    /// Whether variables and actions stay that play no part in reaching the goal, where actions have outcomes: for
    /// searches that follow more than the goal, such as methods that mention them.
    pub keep_irrelevant: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            h2: true,
            h2_time: Duration::from_secs(10),
            disambiguate_all: false,
            keep_irrelevant: false,
        }
    }
}

pub fn ground(
    problem: &Problem,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Task, Error> {
    ground_measured(problem, options, budget, progress).map(|(task, _)| task)
}

/// Grounds a problem and tells how large things were and how long they took.
pub fn ground_measured(
    problem: &Problem,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<(Task, Figures), Error> {
    refuse_hidden(problem)?;
    let mut clock = Clock { figures: Figures::default(), since: Instant::now(), progress };
    clock.begin("metric");
    let counted = numbers::tabulate(metric::compile_metric(problem, budget)?, budget)?;
    let mut task = finite(&counted.problem, &counted.preferences, false, &mut clock, budget)?;
    task.has_metric = problem.metric.is_some();
    clock.begin("simplify");
    simplify::simplify(&mut task, budget)?;
    if options.h2 {
        clock.begin("h2");
        clock.figures.h2 = h2::strengthen(&mut task, options, budget)?;
        if clock.figures.h2 != H2Outcome::Skipped {
            simplify::simplify(&mut task, budget)?;
        }
    }
    if options.h2 {
        h2::find_lost(&mut task, options, budget)?;
    }
    clock.figures.measure(&task);
    Ok((task, clock.end()))
}

/// Only [`ground_hidden`] is for problems whose state is hidden.
fn refuse_hidden(problem: &Problem) -> Result<(), Error> {
    let observing = problem.actions.iter().find_map(|action| action.observe.first());
    let clause = problem.init_clauses.first().map(|clause| clause.at);
    let unknown = problem.init_unknown.first().map(|&(_, at)| at);
    let declared = problem.declares_partial_observability.then_some(problem.goal.at);
    match observing.map(|&(_, at)| at).or(clause).or(unknown).or(declared) {
        Some(at) => Err(Error::unsupported(Feature::HiddenState, at)),
        None => Ok(()),
    }
}

/// Grounds a problem for searches that want more than one plan: no action that can be applied is left out, be it useless, dearer than
/// another or without effect. The parts of an action with a disjunctive precondition have the same name.
pub fn ground_all_actions(
    problem: &Problem,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Task, Error> {
    refuse_hidden(problem)?;
    let mut clock = Clock { figures: Figures::default(), since: Instant::now(), progress };
    clock.begin("metric");
    let counted = numbers::tabulate(metric::compile_metric(problem, budget)?, budget)?;
    let mut task = finite(&counted.problem, &counted.preferences, true, &mut clock, budget)?;
    task.has_metric = problem.metric.is_some();
    for operator in task.operators.iter_mut() {
        // Names that are to be told apart begin with the part of the precondition.
        if let Some((_, name)) = operator.name.split_once(';') {
            operator.name = name.to_owned();
        }
    }
    clock.begin("simplify");
    simplify::drop_unreachable(&mut task, budget)?;
    Ok(task)
}

/// From the lifted problem to the first finite task, before anything is simplified.
fn finite(
    problem: &Problem,
    preferences: &[Preference],
    keeps_idle: bool,
    clock: &mut Clock<'_>,
    budget: &Budget,
) -> Result<Task, Error> {
    clock.begin("normalise");
    let lifted = NormalisedProblem::new(problem, preferences)?;
    clock.begin("explore");
    let mut explored = explore::explore(&lifted, budget)?;
    clock.begin("instantiate");
    let ground = instantiate::instantiate(&lifted, &mut explored, keeps_idle, budget)?;
    clock.figures.ground_actions =
        explored.actions.iter().map(|&action| explored.database.relation(action).len()).sum();
    clock.begin("prune");
    let mut ground = prune::prune(&ground, &[], budget)?;
    clock.begin("invariants");
    let mut invariants = invariants::find(&ground, &explored, budget)?;
    while !invariants.never.is_empty() {
        ground = prune::prune(&ground, &invariants.never, budget)?;
        invariants = invariants::find(&ground, &explored, budget)?;
    }
    clock.figures.atoms = ground.atoms.len();
    clock.figures.candidates = invariants.candidates;
    clock.figures.groups = invariants.groups.len();
    clock.begin("encode");
    let layers = stratify::stratify(&ground).map_err(|atom| cyclic_negation(problem, &ground, atom))?;
    let scaled = scale::scale(problem, &explored, &ground)?;
    let source = encode::Source {
        names: problem,
        explored: &explored,
        problem: &ground,
        invariants: &invariants,
        layers: &layers,
        costs: &scaled.costs,
        weights: &scaled.weights,
        unit: scaled.unit,
    };
    Ok(encode::encode(source, budget)?)
}

/// Where the derived predicate of an atom is defined.
fn cyclic_negation(problem: &Problem, ground: &Propositional, atom: AtomId) -> Error {
    let own = problem.axioms.iter().find(|axiom| match ground.atoms[atom] {
        Origin::Predicate(predicate, _) => axiom.head == predicate,
        Origin::Auxiliary(_) => true,
    });
    let at = own.map_or(problem.goal.at, |axiom| axiom.at);
    Error::unsupported(Feature::CyclicNegation, at)
}

/// Measures phases and announces them.
struct Clock<'a> {
    figures: Figures,
    since: Instant,
    progress: &'a dyn Progress,
}

impl Clock<'_> {
    fn begin(&mut self, phase: &'static str) {
        self.lap();
        self.figures.phases.push((phase, Duration::ZERO));
        self.progress.report(Report { phase, counts: &[] });
    }

    fn lap(&mut self) {
        let now = Instant::now();
        if let Some((_, time)) = self.figures.phases.last_mut() {
            *time = now - self.since;
        }
        self.since = now;
    }

    fn end(mut self) -> Figures {
        self.lap();
        self.figures
    }
}
