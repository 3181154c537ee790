//! Mutually exclusive conditions on what has happened.
//!
//! A condition set is a finite automaton that reads rounds: the state it is in is the one condition that holds. That
//! makes the conditions exclusive and exhaustive by construction, and Markov: which condition holds after the next
//! round depends on the present one and on that round only. So the conditions are also the equivalence classes of
//! section 4.3 of the survey, and a decision process over them is exact for a model that speaks in them.
//!
//! The four conditions of DBS are [`Conditions::memory`] with one round; any other automaton will do.

use std::collections::HashMap;

use counterplay_base::{Id, IdVec, id};

use crate::game::{Act, Joint, Reply};

id! {
    /// One condition, and the class of histories in which it holds.
    pub struct Class;
}

/// A condition set: which condition holds at the start, and which after one more round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions {
    names: IdVec<Class, String>,
    acts: usize,
    replies: usize,
    start: Class,
    next: Vec<Class>,
}

/// Why an automaton is no condition set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConditionsError {
    /// It has no condition.
    #[error("there is no condition")]
    Empty,
    /// The start is not one of the conditions.
    #[error("the conditions start with number {start}, but there are only {count}")]
    Start {
        /// The number that was given.
        start: usize,
        /// How many conditions there are.
        count: usize,
    },
    /// A round leads out of the set.
    #[error("from condition `{from}` a round leads to number {to}, but there are only {count}")]
    Next {
        /// Where the round begins.
        from: String,
        /// The number it leads to.
        to: usize,
        /// How many conditions there are.
        count: usize,
    },
    /// Two conditions have the same name.
    #[error("two conditions are called `{0}`")]
    SameName(String),
}

/// More conditions than this are refused: there would be too few observations of each.
const MOST_CLASSES: usize = 1 << 12;

impl Conditions {
    /// Any automaton: conditions by name, the first to hold, and for a condition and a round the next one.
    pub fn new(
        names: Vec<String>,
        (acts, replies): (usize, usize),
        start: usize,
        next: impl Fn(usize, Joint) -> usize,
    ) -> Result<Conditions, ConditionsError> {
        let count = names.len();
        if count == 0 {
            return Err(ConditionsError::Empty);
        }
        if start >= count {
            return Err(ConditionsError::Start { start, count });
        }
        let mut seen = HashMap::new();
        for name in &names {
            if seen.insert(name.as_str(), ()).is_some() {
                return Err(ConditionsError::SameName(name.clone()));
            }
        }
        let mut table = Vec::with_capacity(count * acts * replies);
        for (from, name) in names.iter().enumerate() {
            for act in (0..acts).map(Act::new) {
                for reply in (0..replies).map(Reply::new) {
                    let to = next(from, Joint { act, reply });
                    if to >= count {
                        return Err(ConditionsError::Next { from: name.clone(), to, count });
                    }
                    table.push(Class::new(to));
                }
            }
        }
        Ok(Conditions { names: names.into(), acts, replies, start: Class::new(start), next: table })
    }

    /// The last `rounds` rounds, exactly; before they have been played, what there is of them. `acts` and `replies`
    /// are the letters of the moves, for names such as `CD DD` (latest round last).
    ///
    /// `None` if that makes more conditions than can be learned.
    pub fn memory(rounds: u32, acts: &[char], replies: &[char]) -> Option<Conditions> {
        let per_round = acts.len() * replies.len();
        // Histories of each length up to `rounds`, shortest first; a history is a number in base `per_round`.
        let mut starts = vec![0usize];
        for length in 0..=rounds {
            let more = per_round.checked_pow(length)?;
            starts.push(starts.last()?.checked_add(more)?);
        }
        let count = *starts.last()?;
        if count > MOST_CLASSES || count == 0 {
            return None;
        }
        let length_of = |class: usize| starts.partition_point(|&start| start <= class) - 1;
        let name = |class: usize| {
            let length = length_of(class);
            let mut code = class - starts[length];
            let mut words = Vec::new();
            for _ in 0..length {
                let round = code % per_round;
                words.push(format!("{}{}", acts[round / replies.len()], replies[round % replies.len()]));
                code /= per_round;
            }
            words.reverse();
            if words.is_empty() { "start".to_owned() } else { words.join(" ") }
        };
        let next = |class: usize, joint: Joint| {
            let length = length_of(class);
            let round = joint.act.index() * replies.len() + joint.reply.index();
            let code = (class - starts[length]) * per_round + round;
            let kept = (length + 1).min(rounds as usize);
            starts[kept] + code % per_round.pow(kept as u32)
        };
        Conditions::new((0..count).map(name).collect(), (acts.len(), replies.len()), 0, next).ok()
    }

    /// The condition that holds before anything has happened.
    pub fn start(&self) -> Class {
        self.start
    }

    /// The condition that holds after one more round.
    pub fn next(&self, class: Class, joint: Joint) -> Class {
        self.next[(class.index() * self.acts + joint.act.index()) * self.replies + joint.reply.index()]
    }

    pub fn classes(&self) -> impl ExactSizeIterator<Item = Class> + use<> {
        self.names.ids()
    }

    /// What a condition is called.
    pub fn name(&self, class: Class) -> &str {
        &self.names[class]
    }

    /// How many moves we have, and how many the other has.
    pub fn moves(&self) -> (usize, usize) {
        (self.acts, self.replies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVES: [char; 2] = ['C', 'D'];

    fn joint(act: usize, reply: usize) -> Joint {
        Joint { act: Act::new(act), reply: Reply::new(reply) }
    }

    #[test]
    fn memory_one_is_the_four_conditions_and_the_start() {
        let conditions = Conditions::memory(1, &MOVES, &MOVES).expect("small");
        let names: Vec<&str> = conditions.classes().map(|class| conditions.name(class)).collect();
        assert_eq!(names, ["start", "CC", "CD", "DC", "DD"]);
        let class = conditions.next(conditions.start(), joint(1, 0));
        assert_eq!(conditions.name(class), "DC");
        assert_eq!(conditions.name(conditions.next(class, joint(0, 1))), "CD");
    }

    #[test]
    fn memory_two_remembers_two_rounds_in_order() {
        let conditions = Conditions::memory(2, &MOVES, &MOVES).expect("small");
        assert_eq!(conditions.classes().len(), 1 + 4 + 16);
        let mut class = conditions.start();
        for (act, reply) in [(0, 0), (0, 1), (1, 1)] {
            class = conditions.next(class, joint(act, reply));
        }
        assert_eq!(conditions.name(class), "CD DD");
    }

    #[test]
    fn what_is_no_automaton_is_refused() {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let make = |list: &[&str], start, to| Conditions::new(names(list), (2, 2), start, move |_, _| to);
        assert_eq!(make(&[], 0, 0), Err(ConditionsError::Empty));
        assert!(matches!(make(&["a"], 1, 0), Err(ConditionsError::Start { .. })));
        assert!(matches!(make(&["a"], 0, 1), Err(ConditionsError::Next { .. })));
        assert!(matches!(make(&["a", "a"], 0, 0), Err(ConditionsError::SameName(_))));
        assert!(Conditions::memory(30, &MOVES, &MOVES).is_none());
    }
}
