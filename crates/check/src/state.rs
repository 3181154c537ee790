//! States of the lifted problem.

use std::collections::{BTreeMap, HashMap, HashSet};

use counterplay_pddl::model::{GroundAtom, GroundFluent, Number, Problem};

/// What is the case at one moment.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// The true atoms of basic predicates.
    pub(crate) facts: HashSet<GroundAtom>,
    /// The true atoms of derived predicates.
    pub(crate) derived: HashSet<GroundAtom>,
    /// The functions that have a value.
    pub(crate) values: HashMap<GroundFluent, Number>,
    /// How many steps led here.
    pub(crate) steps: u32,
    /// How often each preference has been violated so far.
    pub(crate) violations: BTreeMap<String, u32>,
}

impl State {
    /// The state at the start, before axioms are applied.
    pub(crate) fn initial(problem: &Problem) -> State {
        State {
            facts: problem.init.iter().cloned().collect(),
            derived: HashSet::new(),
            values: problem.values.iter().cloned().collect(),
            steps: 0,
            violations: BTreeMap::new(),
        }
    }

    /// Whether an atom is true.
    pub(crate) fn is_true(&self, atom: &GroundAtom) -> bool {
        self.facts.contains(atom) || self.derived.contains(atom)
    }
}
