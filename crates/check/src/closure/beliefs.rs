//! Nodes that are belief states: sets of states that cannot be told apart.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use counterplay_base::{Budget, Id};
use counterplay_pddl::model::*;

use super::arena::{Arena, Moves, Starts};
use super::text::{Dictionary, Entry, Line, atoms_text, number};
use crate::evaluate::Trouble;
use crate::exhaust::space::Space;
use crate::hidden::initial_states;

/// A set of states.
type Belief = BTreeSet<usize>;

pub(super) struct BeliefArena<'a> {
    problem: &'a Problem,
    space: Space<'a>,
    names: Dictionary<'a>,
    budget: &'a Budget,
    /// Initial states are enumerated up to so many.
    most: usize,
    beliefs: Vec<Belief>,
    known: HashMap<Belief, usize>,
    /// The states of the lines `facts`, in order.
    listed: Vec<usize>,
    /// The number that a state was written under.
    written: HashMap<usize, usize>,
}

impl<'a> BeliefArena<'a> {
    pub(super) fn new(
        problem: &'a Problem,
        space: Space<'a>,
        most: usize,
        budget: &'a Budget,
    ) -> BeliefArena<'a> {
        BeliefArena {
            problem,
            space,
            names: Dictionary::new(problem),
            budget,
            most,
            beliefs: Vec::new(),
            known: HashMap::new(),
            listed: Vec::new(),
            written: HashMap::new(),
        }
    }

    fn number(&mut self, belief: Belief) -> usize {
        let next = self.beliefs.len();
        let number = *self.known.entry(belief.clone()).or_insert(next);
        if number == next {
            self.beliefs.push(belief);
        }
        number
    }

    /// What a step tells: the atoms of `:observe` with its arguments.
    fn observed(&self, action: ActionId, arguments: &[ObjectId]) -> Vec<GroundAtom> {
        let value = |term: &Term| match *term {
            Term::Object(object) => object,
            Term::Variable(variable) => arguments[variable.index()],
        };
        let ground = |(atom, _): &(Atom, _)| GroundAtom {
            predicate: atom.predicate,
            arguments: atom.arguments.iter().map(value).collect(),
        };
        self.problem.actions[action].observe.iter().map(ground).collect()
    }
}

impl Arena for BeliefArena<'_> {
    fn starts(&mut self) -> Result<(Vec<usize>, Starts), Trouble> {
        if self.space.numbers_matter() {
            return Err(Trouble::Overflow);
        }
        let starts = initial_states(self.problem, self.most, self.budget)?.ok_or(Trouble::Overflow)?;
        let start: Belief = starts.iter().map(|atoms| self.space.begin(atoms)).collect();
        Ok((vec![self.number(start)], Starts::Any))
    }

    fn look(&mut self, node: usize) -> Result<Moves, Trouble> {
        let belief = self.beliefs[node].clone();
        let mut is_end = true;
        for &state in &belief {
            is_end &= self.space.is_goal(state)?;
        }
        if is_end {
            return Ok(Moves { is_end, moves: Vec::new() });
        }
        // Only what is applicable in every state that may be the true one can be done.
        let mut after: Option<BTreeMap<(ActionId, Vec<ObjectId>), Belief>> = None;
        for &state in &belief {
            let steps = self.space.steps(state)?;
            after = Some(match after {
                None => steps.into_iter().map(|(step, next)| (step, next.into_iter().collect())).collect(),
                Some(mut common) => {
                    common.retain(|step, next| steps.get(step).map(|more| next.extend(more)).is_some());
                    common
                }
            });
        }
        let mut moves = Vec::new();
        for ((action, arguments), next) in after.unwrap_or_default() {
            let observed = self.observed(action, &arguments);
            let mut parts: BTreeMap<Vec<bool>, Belief> = BTreeMap::new();
            for state in next {
                parts.entry(self.space.truths(state, &observed)?).or_default().insert(state);
            }
            moves.push(parts.into_values().map(|part| self.number(part)).collect());
        }
        Ok(Moves { is_end, moves })
    }

    fn len(&self) -> usize {
        self.beliefs.len().max(self.space.len())
    }

    fn read(&mut self, entry: &Entry<'_>) -> Result<usize, String> {
        if entry.keyword != "belief" || entry.words.len() < 2 {
            return Err("expected `facts ATOM ...` or `belief RANK STATE ...`".to_owned());
        }
        let mut belief = Belief::new();
        for word in &entry.words[1..] {
            let place = number(Some(word))?;
            belief.insert(*self.listed.get(place).ok_or_else(|| format!("there is no state {place} above"))?);
        }
        Ok(self.number(belief))
    }

    fn write(&mut self, node: usize, rank: usize, out: &mut Vec<Line>) {
        let mut line = format!("belief {rank}");
        for state in self.beliefs[node].clone() {
            let next = self.written.len();
            let place = *self.written.entry(state).or_insert_with(|| {
                out.push(format!("facts{}", atoms_text(self.problem, self.space.atoms_of(state))));
                next
            });
            line += &format!(" {place}");
        }
        out.push(line);
    }

    fn describe(&self, node: usize) -> String {
        let belief = &self.beliefs[node];
        let first = belief.first().map(|&state| atoms_text(self.problem, self.space.atoms_of(state)));
        format!("the belief state of {} states, the first with{}", belief.len(), first.unwrap_or_default())
    }

    fn read_facts(&mut self, entry: &Entry<'_>) -> Result<(), String> {
        let atoms = self.names.atoms(&entry.words)?;
        let state = self.space.state_with(atoms).map_err(|atom| {
            format!("nothing changes `{}`, so it cannot be listed", self.problem.atom_text(&atom))
        })?;
        self.listed.push(state);
        Ok(())
    }
}
