//! Which patterns of variables to look at.
//!
//! Small ones systematically: every goal variable, every pair of a goal variable and one that its operators need, and triples
//! of that kind while they are few (Pommerening, Röger and Helmert 2013). And for each goal variable a large one: what its
//! operators need, and what those need, as far as the size allows.

use counterplay_base::IdVec;
use counterplay_task::{Task, VarId};

use super::projection::{MOST_STATES, size};

/// The patterns have at most so many states together.
const ALL_STATES: u64 = 200_000;
/// And there are at most so many.
const MOST_PATTERNS: usize = 400;

/// The patterns in the order in which they are built.
pub(super) fn choose(task: &Task) -> Vec<Vec<VarId>> {
    let needs = needed_variables(task);
    let goals: Vec<VarId> = task.goal.iter().map(|fact| fact.var).collect();
    let mut chosen = Chosen { task, patterns: Vec::new(), states: 0 };
    for &goal in &goals {
        chosen.add(vec![goal]);
    }
    for &goal in &goals {
        chosen.add(grown(task, &needs, goal));
    }
    let pairs: Vec<Vec<VarId>> =
        goals.iter().flat_map(|&goal| needs[goal].iter().map(move |&need| vec![goal, need])).collect();
    pairs.iter().for_each(|pair| chosen.add(pair.clone()));
    for pair in &pairs {
        for &var in pair.iter().flat_map(|&var| &needs[var]) {
            if !pair.contains(&var) {
                chosen.add(pair.iter().copied().chain([var]).collect());
            }
        }
    }
    chosen.patterns
}

struct Chosen<'t> {
    task: &'t Task,
    patterns: Vec<Vec<VarId>>,
    states: u64,
}

impl Chosen<'_> {
    fn add(&mut self, mut pattern: Vec<VarId>) {
        pattern.sort_unstable();
        let states = size(self.task, &pattern);
        let fits = states <= MOST_STATES && self.states + states <= ALL_STATES;
        if fits && self.patterns.len() < MOST_PATTERNS && !self.patterns.contains(&pattern) {
            self.states += states;
            self.patterns.push(pattern);
        }
    }
}

/// For each variable the others that operators which change it need or change too.
fn needed_variables(task: &Task) -> IdVec<VarId, Vec<VarId>> {
    let mut needs: IdVec<VarId, Vec<VarId>> = IdVec::filled(Vec::new(), task.variables.len());
    for operator in &task.operators {
        for effect in &operator.effects {
            let var = effect.fact.var;
            let others = operator.precondition.iter().map(|fact| fact.var);
            let others = others.chain(operator.effects.iter().map(|other| other.fact.var));
            needs[var].extend(others.filter(|&other| other != var));
        }
    }
    for list in needs.iter_mut() {
        list.sort_unstable();
        list.dedup();
    }
    needs
}

/// A goal variable with what it needs, directly and indirectly, as far as the size allows.
fn grown(task: &Task, needs: &IdVec<VarId, Vec<VarId>>, goal: VarId) -> Vec<VarId> {
    let mut pattern = vec![goal];
    let mut next = 0;
    while next < pattern.len() {
        for &var in &needs[pattern[next]] {
            if !pattern.contains(&var)
                && size(task, &pattern).saturating_mul(u64::from(task.domain_size(var))) <= MOST_STATES
            {
                pattern.push(var);
            }
        }
        next += 1;
    }
    pattern
}
