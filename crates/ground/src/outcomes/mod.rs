//! Actions whose outcome nature picks.
//!
//! Every combination of what `oneof` leaves open becomes an action without choices (the *all-outcomes
//! determinisation*), which is grounded like any other; afterwards the operators of one ground action are put
//! together again as a [`Choice`]. An outcome that changes nothing and outcomes that are equal stay what they are:
//! outcomes. Several initial states become the outcomes of one more action, [`START`], that has to come first.
//!
//! What is left out for plans must not be left out for policies: an operator may go only if its action can never
//! be applied, and mutexes hold only if they were found forward.

mod expand;
mod odds;

use counterplay_base::{Budget, IdVec, Progress};
use counterplay_pddl::model::*;
use counterplay_task::{Choice, Fact, NondetTask, OpId, Operator, START, Task};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use expand::add_start;
pub use expand::outcomes_of;
pub use odds::{ground_odds, may_earn};

use crate::{Clock, Error, Figures, Options, finite, h2, simplify};

/// Grounds a problem in which nature may have a say.
pub fn ground_outcomes(
    problem: &Problem,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<(NondetTask, Figures), Error> {
    crate::refuse_hidden(problem)?;
    let mut clock = Clock { figures: Figures::default(), since: std::time::Instant::now(), progress };
    let determinised = expand::determinise(problem)?;
    let mut task = finite(&determinised.problem, &[], true, &mut clock, budget)?;
    clock.begin("simplify");
    simplify::simplify_outcomes(&mut task, options.keep_irrelevant, budget)?;
    let (mut gathered, _) = gather(task, &determinised.outcomes, options.keep_irrelevant);
    if options.h2 {
        clock.begin("h2");
        clock.figures.h2 = h2::list_unreachable(&mut gathered.task, options, budget)?;
    }
    clock.figures.measure(&gathered.task);
    Ok((gathered, clock.end()))
}

/// An operator with the number of its outcome.
type Numbered = (usize, Operator);

/// Puts the outcomes of each ground action together. The list says which outcome of its action each operator is.
///
/// A disjunctive precondition was split into parts, and each part of an action with each of its outcomes became an operator,
/// named `part;action;outcome arguments`. Operators belong together if action, arguments and part agree. The
/// precondition does not tell: two parts that differ in facts that always hold have the same one after simplification.
/// An action that lacks an outcome can never be applied: outcomes share their precondition, and nothing but an
/// impossible precondition removes an operator.
fn gather(
    mut task: Task,
    expected: &FxHashMap<String, usize>,
    keep_idle: bool,
) -> (NondetTask, IdVec<OpId, usize>) {
    let mut groups: Vec<(String, usize, Vec<Numbered>)> = Vec::new();
    let mut known: FxHashMap<(String, String), usize> = FxHashMap::default();
    for mut operator in std::mem::take(&mut task.operators) {
        let (part, rest) = operator.name.split_once(';').expect("names of outcomes begin with their part");
        let (action, arguments) = rest.split_once(' ').unwrap_or((rest, ""));
        let (base, outcome) = action.rsplit_once(';').expect("names of outcomes end with their number");
        let (base, outcome) = (base.to_owned(), outcome.parse().expect("outcomes are numbered"));
        let count = expected[&base];
        let name = if arguments.is_empty() { base } else { format!("{base} {arguments}") };
        let key = (name.clone(), part.to_owned());
        operator.name.clone_from(&name);
        let group = *known.entry(key).or_insert_with(|| {
            groups.push((name, count, Vec::new()));
            groups.len() - 1
        });
        groups[group].2.push((outcome, operator));
    }
    let mut choices = IdVec::new();
    let mut start = None;
    let mut numbers = IdVec::new();
    let mut seen: FxHashSet<(String, Vec<Fact>)> = FxHashSet::default();
    for (name, count, operators) in groups {
        let is_idle = !keep_idle && operators.iter().all(|(_, operator)| operator.effects.is_empty());
        if operators.len() != count || is_idle {
            continue;
        }
        // Parts of one action that have become equal do the same.
        if !seen.insert((name.clone(), operators[0].1.precondition.clone())) {
            continue;
        }
        let first = task.operators.len() as u32;
        let is_start = name == START;
        for (outcome, operator) in operators {
            task.operators.push(operator);
            numbers.push(outcome);
        }
        let id = choices.push(Choice { name, outcomes: first..task.operators.len() as u32 });
        if is_start {
            start = Some(id);
        }
    }
    (NondetTask { task, choices, start }, numbers)
}
