//! Nodes that are situations: a state, and the tasks that are still to be done.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use counterplay_pddl::model::*;

use super::arena::{Arena, Moves, Starts, fixed_atoms};
use super::text::{Dictionary, Entry, Line, Word, atoms_text, number};
use crate::evaluate::{CheckContext, Trouble};
use crate::network_policy::{Open, Situation};
use crate::network_search::DecompositionSearch;

type Facts = Rc<BTreeSet<GroundAtom>>;

pub(super) struct SituationArena<'a> {
    world: &'a CheckContext<'a>,
    rules: DecompositionSearch<'a>,
    names: Dictionary<'a>,
    changing: Vec<PredicateId>,
    fixed: Vec<GroundAtom>,
    list: Vec<Rc<Situation>>,
    known: HashMap<Rc<Situation>, usize>,
    /// The states of the lines `facts`, in order.
    listed: Vec<Facts>,
    /// The number that a state was written under.
    written: HashMap<Facts, usize>,
}

impl<'a> SituationArena<'a> {
    pub(super) fn new(world: &'a CheckContext<'a>) -> SituationArena<'a> {
        let (changing, fixed) = fixed_atoms(world.problem);
        SituationArena {
            world,
            rules: DecompositionSearch::new(world, false),
            names: Dictionary::new(world.problem),
            changing,
            fixed,
            list: Vec::new(),
            known: HashMap::new(),
            listed: Vec::new(),
            written: HashMap::new(),
        }
    }

    fn number(&mut self, situation: Situation) -> usize {
        let next = self.list.len();
        *self.known.entry(Rc::new(situation)).or_insert_with_key(|situation| {
            self.list.push(Rc::clone(situation));
            next
        })
    }

    fn state_text(&self, facts: &BTreeSet<GroundAtom>) -> String {
        let open = facts.iter().filter(|atom| self.changing.binary_search(&atom.predicate).is_ok());
        atoms_text(self.world.problem, open)
    }

    fn task_text(&self, open: &Open) -> String {
        let problem = self.world.problem;
        let name = match open.task {
            TaskRef::Action(action) => Some(&problem.actions[action].name),
            TaskRef::Compound(task) => problem.hierarchy.as_ref().map(|it| &it.tasks[task].name),
        };
        let mut text = problem.application(name.map_or("", String::as_str), &open.arguments);
        if !open.after.is_empty() {
            text += " after";
            open.after.iter().for_each(|before| text += &format!(" {before}"));
        }
        text
    }

    /// `(task a b) after 0 2`
    fn task(&self, at: usize, words: &[Word<'_>]) -> Result<Open, String> {
        let expected = || "expected `| TASK` or `| TASK after I ...`".to_owned();
        let (form, after) = match words {
            [Word::Form(form)] => (form, &[][..]),
            [Word::Form(form), Word::Plain("after"), after @ ..] => (form, after),
            _ => return Err(expected()),
        };
        let (task, arguments) = self.names.task(form)?;
        let after: BTreeSet<usize> =
            after.iter().map(|word| number(Some(word))).collect::<Result<_, String>>()?;
        let after: Option<BTreeSet<u32>> =
            after.into_iter().map(|before| u32::try_from(before).ok()).collect();
        Ok(Open { number: at as u32, task, arguments, after: after.ok_or_else(expected)? })
    }
}

impl Arena for SituationArena<'_> {
    fn starts(&mut self) -> Result<(Vec<usize>, Starts), Trouble> {
        let first = self.rules.first_situations()?;
        Ok((first.into_iter().map(|situation| self.number(situation)).collect(), Starts::All))
    }

    fn look(&mut self, node: usize) -> Result<Moves, Trouble> {
        self.world.budget.check()?;
        let here = Rc::clone(&self.list[node]);
        let (is_end, moves) = self.rules.moves_from(&here)?;
        let mut numbered = Vec::new();
        for next in moves {
            numbered.push(next.into_iter().map(|next| self.number(next)).collect());
        }
        Ok(Moves { is_end, moves: numbered })
    }

    fn len(&self) -> usize {
        self.list.len()
    }

    fn read(&mut self, entry: &Entry<'_>) -> Result<usize, String> {
        if entry.keyword != "situation" {
            return Err("expected `facts ATOM ...` or `situation RANK STATE [| TASK] ...`".to_owned());
        }
        let place = number(entry.words.get(1))?;
        let facts = self.listed.get(place).ok_or_else(|| format!("there is no state {place} above"))?;
        let facts = Rc::clone(facts);
        let mut network = Vec::new();
        let mut parts = entry.words[2..].split(|word| *word == Word::Plain("|"));
        if parts.next().is_some_and(|before| !before.is_empty()) {
            return Err("expected `|` before each task".to_owned());
        }
        for part in parts {
            network.push(self.task(network.len(), part)?);
        }
        let count = network.len() as u32;
        if network.iter().any(|open: &Open| open.after.iter().any(|&before| before >= count)) {
            return Err("a task waits for one that is not there".to_owned());
        }
        if is_cyclic(&network) {
            return Err("tasks wait for each other".to_owned());
        }
        Ok(self.number(Situation { facts, network }))
    }

    fn write(&mut self, node: usize, rank: usize, out: &mut Vec<Line>) {
        let here = Rc::clone(&self.list[node]);
        let next = self.written.len();
        let place = match self.written.get(&here.facts) {
            Some(&place) => place,
            None => {
                out.push(format!("facts{}", self.state_text(&here.facts)));
                self.written.insert(Rc::clone(&here.facts), next);
                next
            }
        };
        let mut line = format!("situation {rank} {place}");
        here.network.iter().for_each(|open| line += &format!(" | {}", self.task_text(open)));
        out.push(line);
    }

    fn describe(&self, node: usize) -> String {
        let here = &self.list[node];
        let tasks: Vec<String> = here.network.iter().map(|open| self.task_text(open)).collect();
        let tasks = if tasks.is_empty() { "nothing".to_owned() } else { tasks.join(", ") };
        format!("the situation with{} and {tasks} left to do", self.state_text(&here.facts))
    }

    fn read_facts(&mut self, entry: &Entry<'_>) -> Result<(), String> {
        let atoms = self.names.atoms(&entry.words)?;
        let still = atoms.iter().find(|atom| self.changing.binary_search(&atom.predicate).is_err());
        if let Some(atom) = still {
            let text = self.world.problem.atom_text(atom);
            return Err(format!("nothing changes `{text}`, so it cannot be listed"));
        }
        self.listed.push(Rc::new(atoms.into_iter().chain(self.fixed.iter().cloned()).collect()));
        Ok(())
    }
}

/// Whether some tasks wait for each other. No network that comes up has such tasks.
fn is_cyclic(network: &[Open]) -> bool {
    let mut waiting: Vec<usize> = network.iter().map(|open| open.after.len()).collect();
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); network.len()];
    for (at, open) in network.iter().enumerate() {
        open.after.iter().for_each(|&before| followers[before as usize].push(at));
    }
    let mut free: Vec<usize> = (0..network.len()).filter(|&at| waiting[at] == 0).collect();
    let mut ordered = 0;
    while let Some(at) = free.pop() {
        ordered += 1;
        for &next in &followers[at] {
            waiting[next] -= 1;
            if waiting[next] == 0 {
                free.push(next);
            }
        }
    }
    ordered < network.len()
}
