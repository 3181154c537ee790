//! Processes as text.
//!
//! ```text
//! (mdp hallway
//!   (initial face-to-face) (goal passed)
//!   (action face-to-face move-right (cost 1) (3/4 free) (1/4 blocked))
//!   (action free walk-on (cost 1) passed))
//! ```
//! States are what is mentioned; with a list `(states …)` only those. A cost that is left out is one, a state in the place of
//! outcomes is reached for sure, `(reward s 10)` is what being in a state is worth. `(discount 0.95)` and `(horizon 60)` say what is
//! wanted if the caller does not.

use counterplay_syntax::{
    Diagnostic, Expr, FileId, Items, Label, ReadError, Severity, Sources, Span, read_pddl,
};
use num_traits::{CheckedAdd, CheckedDiv};
use rustc_hash::FxHashMap;

use crate::model::{Mdp, MdpBuilder, Number};

/// A process that was read, with its names.
#[derive(Clone, Debug)]
pub struct Table {
    pub name: String,
    pub mdp: Mdp,
    /// The names of the states.
    pub states: Vec<String>,
    /// The names that actions have.
    pub labels: Vec<String>,
    /// How much a reward counts one step later.
    pub discount: Option<Number>,
    /// After so many steps everything ends.
    pub horizon: Option<usize>,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// Not even s-expressions.
    #[error(transparent)]
    Syntax(#[from] ReadError),
    #[error("expected {expected}")]
    Malformed { expected: &'static str, at: Span },
    #[error("the probabilities add up to {sum}, not to 1")]
    Sum { sum: String, at: Span },
    #[error("`{name}` is not listed under `states`")]
    Undeclared { name: String, at: Span },
    #[error("`{what}` stands here for the second time")]
    Twice { what: String, at: Span },
    #[error("`{name}` is a goal, where everything ends: it has no actions")]
    ActionAtGoal { name: String, at: Span },
    #[error("`{name}` is missing")]
    Missing { name: &'static str, at: Span },
}

impl TableError {
    /// The error with its place, for people.
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, at) = match self {
            TableError::Syntax(error) => return error.diagnostic(),
            TableError::Malformed { at, .. } => ("mdp::malformed", at),
            TableError::Sum { at, .. } => ("mdp::probabilities", at),
            TableError::Undeclared { at, .. } => ("mdp::undeclared-state", at),
            TableError::Twice { at, .. } => ("mdp::twice", at),
            TableError::ActionAtGoal { at, .. } => ("mdp::action-at-goal", at),
            TableError::Missing { at, .. } => ("mdp::missing", at),
        };
        let labels = vec![Label { span: *at, text: String::new() }];
        Diagnostic { severity: Severity::Error, code, message: self.to_string(), labels, help: None }
    }
}

/// Whether a text is meant to be a process.
pub fn is_table(sources: &Sources, file: FileId) -> bool {
    let Ok(tree) = read_pddl(sources, file) else { return false };
    tree.items().next().and_then(Expr::form).is_some_and(|(_, name, _)| name.eq_ignore_ascii_case("mdp"))
}

/// Reads a process. All errors come back together.
///
/// # Errors
/// What is wrong with the text, with places.
pub fn read(sources: &Sources, file: FileId) -> Result<Table, Vec<TableError>> {
    let tree = read_pddl(sources, file).map_err(|error| vec![error.into()])?;
    let mut items = tree.items();
    let form = items.next().and_then(Expr::form).filter(|(_, name, _)| name.eq_ignore_ascii_case("mdp"));
    let Some((head, _, items_inside)) = form else {
        return Err(vec![TableError::Malformed { expected: "`(mdp name …)`", at: tree.span() }]);
    };
    let mut reader = Reader::default();
    if let Some(second) = items.next() {
        reader.malformed("nothing after the process", second.span());
    }
    reader.process(items_inside, head.span());
    reader.finish(head.span())
}

/// An action as it was read.
struct Draft {
    state: usize,
    label: u32,
    cost: Number,
    outcomes: Vec<(Number, u32)>,
    at: Span,
}

#[derive(Default)]
struct Reader {
    name: String,
    errors: Vec<TableError>,
    states: Vec<String>,
    numbers: FxHashMap<String, usize>,
    /// Whether states were listed.
    is_closed: bool,
    labels: Vec<String>,
    label_numbers: FxHashMap<String, u32>,
    initial: Option<usize>,
    goals: Vec<usize>,
    rewards: FxHashMap<usize, Number>,
    drafts: Vec<Draft>,
    discount: Option<Number>,
    horizon: Option<usize>,
}

impl Reader {
    fn malformed(&mut self, expected: &'static str, at: Span) {
        self.errors.push(TableError::Malformed { expected, at });
    }

    fn process(&mut self, mut items: Items<'_>, at: Span) {
        match items.next().and_then(Expr::atom) {
            Some(name) => name.clone_into(&mut self.name),
            None => self.malformed("a name after `mdp`", at),
        }
        let sections: Vec<Expr<'_>> = items.collect();
        // The list of states counts wherever it stands.
        let is_list =
            |item: &&Expr<'_>| item.form().is_some_and(|(_, word, _)| word.eq_ignore_ascii_case("states"));
        let lists: Vec<Expr<'_>> = sections.iter().filter(is_list).copied().collect();
        for list in &lists {
            list.form().into_iter().flat_map(|(_, _, names)| names).for_each(|name| {
                self.state(name);
            });
        }
        self.is_closed = !lists.is_empty();
        for section in sections {
            self.section(section);
        }
    }

    fn section(&mut self, expr: Expr<'_>) {
        let at = expr.span();
        let Some((_, word, items)) = expr.form() else {
            return self.malformed("a section such as `(initial s)` or `(action s a …)`", at);
        };
        let items: Vec<Expr<'_>> = items.collect();
        match (word.to_ascii_lowercase().as_str(), &items[..]) {
            ("states", _) => {}
            ("initial", [state]) => {
                let state = self.state(*state);
                self.once(state, |reader| &mut reader.initial, "initial", at);
            }
            ("goal", _) => {
                let goals: Vec<usize> = items.iter().filter_map(|state| self.state(*state)).collect();
                self.goals.extend(goals);
            }
            ("reward", [state, value]) => {
                let (state, value) = (self.state(*state), self.number(*value));
                if let (Some(state), Some(value)) = (state, value)
                    && self.rewards.insert(state, value).is_some()
                {
                    self.errors.push(TableError::Twice { what: format!("reward {}", self.states[state]), at });
                }
            }
            ("discount", [value]) => {
                let value = self.number(*value);
                let sound = value.filter(|it| *it >= Number::from(0) && *it < Number::from(1));
                if sound.is_none() {
                    self.malformed("a discount of at least 0 and less than 1", at);
                }
                self.once(sound, |reader| &mut reader.discount, "discount", at);
            }
            ("horizon", [value]) => {
                let steps = value.atom().and_then(|text| text.parse().ok());
                if steps.is_none() {
                    self.malformed("a number of steps", at);
                }
                self.once(steps, |reader| &mut reader.horizon, "horizon", at);
            }
            ("action", [state, label, rest @ ..]) => self.action(*state, *label, rest, at),
            _ => self.malformed(
                "`states`, `initial`, `goal`, `reward`, `discount`, `horizon` or `action`, and what belongs to it",
                at,
            ),
        }
    }

    fn once<T>(&mut self, value: Option<T>, place: fn(&mut Reader) -> &mut Option<T>, what: &str, at: Span) {
        let Some(value) = value else { return };
        if place(self).replace(value).is_some() {
            self.errors.push(TableError::Twice { what: what.to_owned(), at });
        }
    }

    fn action(&mut self, state: Expr<'_>, label: Expr<'_>, rest: &[Expr<'_>], at: Span) {
        let (state, Some(name)) = (self.state(state), label.atom()) else {
            return self.malformed("a state and the name of an action", at);
        };
        let next = self.labels.len() as u32;
        let label = *self.label_numbers.entry(name.to_owned()).or_insert(next);
        if label == next {
            self.labels.push(name.to_owned());
        }
        let (cost, rest) = self.cost(rest);
        let mut outcomes = Vec::new();
        let mut is_sound = cost.is_some() && !rest.is_empty();
        for outcome in rest {
            match self.outcome(*outcome) {
                Some(outcome) => outcomes.push(outcome),
                None => is_sound = false,
            }
        }
        if rest.is_empty() {
            self.malformed("outcomes such as `(1/2 s)`", at);
        }
        let (Some(state), Some(cost)) = (state, cost) else { return };
        if !is_sound {
            return;
        }
        let sum = outcomes.iter().try_fold(Number::from(0), |sum, (odds, _)| sum.checked_add(odds));
        if sum != Some(Number::from(1)) {
            let sum = sum.map_or_else(|| "a fraction that is too fine".to_owned(), |sum| sum.to_string());
            return self.errors.push(TableError::Sum { sum, at });
        }
        self.drafts.push(Draft { state, label, cost, outcomes, at });
    }

    /// The cost in front of the outcomes, one if there is none.
    fn cost<'a, 't>(&mut self, rest: &'a [Expr<'t>]) -> (Option<Number>, &'a [Expr<'t>]) {
        let Some((first, after)) = rest.split_first() else { return (Some(Number::from(1)), rest) };
        match first.form().filter(|(_, word, _)| word.eq_ignore_ascii_case("cost")) {
            None => (Some(Number::from(1)), rest),
            Some((_, _, mut items)) => match (items.next(), items.next()) {
                (Some(value), None) => (self.number(value), after),
                _ => {
                    self.malformed("`(cost number)`", first.span());
                    (None, after)
                }
            },
        }
    }

    fn outcome(&mut self, expr: Expr<'_>) -> Option<(Number, u32)> {
        if expr.atom().is_some() {
            return self.state(expr).map(|state| (Number::from(1), state as u32));
        }
        let items: Vec<Expr<'_>> = expr.list().into_iter().flatten().collect();
        let [odds, state] = items[..] else {
            self.malformed("an outcome such as `(1/2 s)`", expr.span());
            return None;
        };
        let (odds_at, odds) = (odds.span(), self.number(odds));
        let state = self.state(state);
        let odds = odds?;
        if odds <= Number::from(0) || odds > Number::from(1) {
            self.malformed("a probability above 0 and up to 1", odds_at);
            return None;
        }
        Some((odds, state? as u32))
    }

    /// The state of a name; a new one unless states were listed.
    fn state(&mut self, expr: Expr<'_>) -> Option<usize> {
        let Some(name) = expr.atom() else {
            self.malformed("a state", expr.span());
            return None;
        };
        if let Some(&known) = self.numbers.get(name) {
            return Some(known);
        }
        if self.is_closed {
            self.errors.push(TableError::Undeclared { name: name.to_owned(), at: expr.span() });
            return None;
        }
        self.numbers.insert(name.to_owned(), self.states.len());
        self.states.push(name.to_owned());
        Some(self.states.len() - 1)
    }

    fn number(&mut self, expr: Expr<'_>) -> Option<Number> {
        let number = expr.atom().and_then(read_number);
        if number.is_none() {
            self.malformed("a number such as `2`, `0.25` or `1/3`, with up to nine digits", expr.span());
        }
        number
    }

    fn finish(mut self, at: Span) -> Result<Table, Vec<TableError>> {
        let mut is_goal = vec![false; self.states.len()];
        self.goals.iter().for_each(|&goal| is_goal[goal] = true);
        for draft in self.drafts.iter().filter(|draft| is_goal[draft.state]) {
            let name = self.states[draft.state].clone();
            self.errors.push(TableError::ActionAtGoal { name, at: draft.at });
        }
        let Some(initial) = self.initial else {
            self.errors.push(TableError::Missing { name: "initial", at });
            return Err(self.errors);
        };
        if !self.errors.is_empty() {
            return Err(self.errors);
        }
        let mut by_state: Vec<Vec<Draft>> = self.states.iter().map(|_| Vec::new()).collect();
        self.drafts.into_iter().for_each(|draft| by_state[draft.state].push(draft));
        let mut builder = MdpBuilder::default();
        for (state, drafts) in by_state.into_iter().enumerate() {
            builder.state(is_goal[state], self.rewards.get(&state).copied().unwrap_or_default());
            drafts.into_iter().for_each(|draft| builder.action(draft.label, draft.cost, draft.outcomes));
        }
        Ok(Table {
            name: self.name,
            mdp: builder.finish(initial),
            states: self.states,
            labels: self.labels,
            discount: self.discount,
            horizon: self.horizon,
        })
    }
}

/// A decimal number or a fraction, with up to nine digits above and below.
fn read_number(text: &str) -> Option<Number> {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let (above, below) = (read_decimal(above)?, read_decimal(below)?);
    if *below.numer() == 0 { None } else { above.checked_div(&below) }
}

fn read_decimal(text: &str) -> Option<Number> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let all: String = [whole, part].concat();
    if all.is_empty() || all.len() > 9 || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value: i128 = all.parse().ok()?;
    Some(Number::new(if negative { -value } else { value }, 10i128.pow(part.len() as u32)))
}
