//! The text of a certificate: a line for each node.
//!
//! ```text
//! counterplay certificate 1
//! claim no-strong
//! about states                            or: situations, beliefs
//! state RANK ATOM ... [do STEP]           a node of a certificate about states
//! facts ATOM ...                          a state that nodes below refer to; these are numbered from 0
//! situation RANK STATE [| TASK [after I ...]] ...   a state and the tasks that are left, numbered from 0
//! belief RANK STATE ...                   a set of states
//! end
//! ```
//! Atoms, steps and tasks are written `(name argument ...)`. A state lists the true atoms of predicates that actions or the initial state leave open; all
//! others are as in `:init`.

use std::collections::HashMap;
use std::fmt::Write as _;

use counterplay_base::{Budget, BudgetPoll};
use counterplay_pddl::model::{ActionId, GroundAtom, ObjectId, PredicateId, Problem, TaskId, TaskRef};

use super::{ClosureClaim, ClosureFlaw, ClosureNodes};
use crate::Guarantee;

/// The first line of every file.
const TITLE: &str = "counterplay certificate 1";

/// Whether a text begins like a certificate of this kind.
pub fn is_closure(text: &str) -> bool {
    text.trim_start().starts_with("counterplay certificate")
}

/// A line to be written, without its end.
pub(super) type Line = String;

/// `(name argument ...)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form<'t> {
    pub(super) name: &'t str,
    pub(super) arguments: Vec<&'t str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word<'t> {
    Plain(&'t str),
    Form(Form<'t>),
}

/// A line of the body: its first word and the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry<'t> {
    pub(super) line: usize,
    pub(super) keyword: &'t str,
    pub(super) words: Vec<Word<'t>>,
}

/// The head of a certificate, and its lines in turn.
pub(super) struct Body<'t> {
    pub(super) claim: ClosureClaim,
    pub(super) about: ClosureNodes,
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    last: usize,
    poll: BudgetPoll,
}

/// Lines of more letters are rare; before they are read, the memory for them is asked for.
const LONG_LINE: usize = 1 << 16;
/// What a line of atoms or tasks takes in memory for each of its letters, as measured on a million tasks.
const BYTES_PER_LETTER: usize = 24;

fn malformed(line: usize, what: &str) -> ClosureFlaw {
    ClosureFlaw::Malformed { line, what: what.to_owned() }
}

impl<'t> Body<'t> {
    pub(super) fn read(text: &'t str) -> Result<Body<'t>, ClosureFlaw> {
        let mut lines = text.lines().enumerate();
        let mut next = || lines.next().map(|(_, line)| line.trim());
        if next() != Some(TITLE) {
            return Err(malformed(1, "expected `counterplay certificate 1`"));
        }
        let claim = next().and_then(|line| line.strip_prefix("claim ")).and_then(claim);
        let claim = claim.ok_or_else(|| {
            malformed(2, "expected `claim` and strong, strong-cyclic, no-weak, no-strong or no-strong-cyclic")
        })?;
        let about = match next().and_then(|line| line.strip_prefix("about ")) {
            Some("states") => ClosureNodes::States,
            Some("situations") => ClosureNodes::Situations,
            Some("beliefs") => ClosureNodes::Beliefs,
            _ => return Err(malformed(3, "expected `about` and states, situations or beliefs")),
        };
        Ok(Body { claim, about, lines, last: 3, poll: BudgetPoll::every(64) })
    }

    /// The next line of the body; `None` at the end.
    pub(super) fn next(&mut self, budget: &Budget) -> Result<Option<Entry<'t>>, ClosureFlaw> {
        self.poll.step(budget)?;
        let Some((at, text)) = self.lines.next() else {
            return Err(malformed(self.last, "the file ends without `end`: it was cut off"));
        };
        self.last = at + 1;
        if text.len() > LONG_LINE {
            budget.allow_bytes(text.len().saturating_mul(BYTES_PER_LETTER))?;
        }
        if text.trim() == "end" {
            return match self.lines.find(|(_, text)| !text.trim().is_empty()) {
                None => Ok(None),
                Some((at, _)) => Err(malformed(at + 1, "there is text after the end")),
            };
        }
        let words = split(text).ok_or_else(|| malformed(at + 1, "parentheses do not match"))?;
        let mut words = words.into_iter();
        match words.next() {
            Some(Word::Plain(keyword)) => Ok(Some(Entry { line: at + 1, keyword, words: words.collect() })),
            _ => Err(malformed(at + 1, "expected `state`, `facts`, `situation`, `belief` or `end`")),
        }
    }
}

fn claim(word: &str) -> Option<ClosureClaim> {
    let all = [Guarantee::Strong, Guarantee::StrongCyclic]
        .map(ClosureClaim::Is)
        .into_iter()
        .chain([Guarantee::Weak, Guarantee::Strong, Guarantee::StrongCyclic].map(ClosureClaim::No));
    all.into_iter().find(|claim| claim.word() == word)
}

/// The words of a line; forms do not nest.
fn split(text: &str) -> Option<Vec<Word<'_>>> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('(') {
            let end = inner.find([')', '('])?;
            if inner.as_bytes()[end] == b'(' {
                return None;
            }
            let mut parts = inner[..end].split_whitespace();
            words.push(Word::Form(Form { name: parts.next()?, arguments: parts.collect() }));
            rest = inner[end + 1..].trim_start();
        } else {
            let end = rest.find([' ', '\t', '(', ')']).unwrap_or(rest.len());
            if end == 0 {
                return None;
            }
            words.push(Word::Plain(&rest[..end]));
            rest = rest[end..].trim_start();
        }
    }
    Some(words)
}

/// The names of a problem, in lower case.
pub(super) struct Dictionary<'p> {
    problem: &'p Problem,
    predicates: HashMap<String, PredicateId>,
    actions: HashMap<String, ActionId>,
    tasks: HashMap<String, TaskId>,
    objects: HashMap<String, ObjectId>,
}

impl<'p> Dictionary<'p> {
    pub(super) fn new(problem: &'p Problem) -> Dictionary<'p> {
        let tasks = problem.hierarchy.iter().flat_map(|hierarchy| hierarchy.tasks.enumerate());
        Dictionary {
            problem,
            predicates: problem.predicates.enumerate().map(|(id, it)| (it.name.to_lowercase(), id)).collect(),
            actions: problem.actions.enumerate().map(|(id, it)| (it.name.to_lowercase(), id)).collect(),
            tasks: tasks.map(|(id, it)| (it.name.to_lowercase(), id)).collect(),
            objects: problem.objects.enumerate().map(|(id, it)| (it.name.to_lowercase(), id)).collect(),
        }
    }

    fn objects(&self, form: &Form<'_>, count: usize) -> Result<Vec<ObjectId>, String> {
        if form.arguments.len() != count {
            let found = form.arguments.len();
            return Err(format!("`{}` takes {count} arguments, found {found}", form.name));
        }
        let object = |name: &&str| {
            let known = self.objects.get(&name.to_lowercase()).copied();
            known.ok_or_else(|| format!("the problem has no object `{name}`"))
        };
        form.arguments.iter().map(object).collect()
    }

    pub(super) fn atom(&self, form: &Form<'_>) -> Result<GroundAtom, String> {
        let predicate = self.predicates.get(&form.name.to_lowercase()).copied();
        let predicate = predicate.ok_or_else(|| format!("the domain has no predicate `{}`", form.name))?;
        let count = self.problem.predicates[predicate].parameters.len();
        Ok(GroundAtom { predicate, arguments: self.objects(form, count)? })
    }

    pub(super) fn atoms(&self, words: &[Word<'_>]) -> Result<Vec<GroundAtom>, String> {
        let atom = |word: &Word<'_>| match word {
            Word::Form(form) => self.atom(form),
            Word::Plain(word) => Err(format!("expected an atom `(name argument ...)`, found `{word}`")),
        };
        words.iter().map(atom).collect()
    }

    pub(super) fn step(&self, form: &Form<'_>) -> Result<(ActionId, Vec<ObjectId>), String> {
        let action = self.actions.get(&form.name.to_lowercase()).copied();
        let action = action.ok_or_else(|| format!("the domain has no action `{}`", form.name))?;
        let count = self.problem.actions[action].schema.parameters;
        Ok((action, self.objects(form, count)?))
    }

    /// A task of either kind. A name that is both is that of the compound task.
    pub(super) fn task(&self, form: &Form<'_>) -> Result<(TaskRef, Vec<ObjectId>), String> {
        if let (Some(&task), Some(hierarchy)) =
            (self.tasks.get(&form.name.to_lowercase()), &self.problem.hierarchy)
        {
            let count = hierarchy.tasks[task].parameters.len();
            return Ok((TaskRef::Compound(task), self.objects(form, count)?));
        }
        let (action, arguments) = self.step(form)?;
        Ok((TaskRef::Action(action), arguments))
    }
}

/// A number in decimal.
pub(super) fn number(word: Option<&Word<'_>>) -> Result<usize, String> {
    match word {
        Some(Word::Plain(word)) => word.parse().map_err(|_| format!("expected a number, found `{word}`")),
        _ => Err("expected a number".to_owned()),
    }
}

/// The lines of a certificate as one text.
pub(super) fn whole(claim: ClosureClaim, about: ClosureNodes, lines: &[Line]) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{TITLE}\nclaim {}\nabout {}", claim.word(), about.word());
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    text.push_str("end\n");
    text
}

/// Atoms as text, each after a space, in the order of their texts.
pub(super) fn atoms_text<'a>(problem: &Problem, atoms: impl Iterator<Item = &'a GroundAtom>) -> String {
    let mut texts: Vec<String> = atoms.map(|atom| problem.atom_text(atom)).collect();
    texts.sort_unstable();
    texts.iter().fold(String::new(), |all, text| all + " " + text)
}
