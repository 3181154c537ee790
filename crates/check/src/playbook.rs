//! Strategies of games as files: what a role can make sure of in one position, move by move.
//!
//! ```text
//! counterplay strategy 1
//! after (mark 1 1) noop            a joint move from the beginning, one move for each role; any number of such lines
//! role x at-least 50               x gets at least this, whatever the others do
//! play (mark 2 2) : (cell 1 1 x) (cell 1 2 b) ...      the move in this position
//! role x at-most 50                the others keep x from getting more
//! play (mark 3 3) : ...            one move for each of the others
//! end
//! ```
//! A position is the list of its fluents. Where those who are bound by a strategy have one legal move each, no line is needed. The check follows the strategy
//! against every legal reply, with the plain reading of the rules; it chooses nothing. A position that comes back on the way is refused, since play
//! might then go on for ever. If the two numbers for a role are equal, they are the value of the position for this role.

use std::collections::HashMap;
use std::fmt::Write as _;

use counterplay_base::{Budget, Growth, Limit};

use crate::solution::{Claim, Rulebook, joint};

/// Rules whose positions and moves can be written down.
pub trait Notation: Rulebook {
    /// The fluents of a position as they are written, in lower case and sorted.
    fn fluents(&mut self, state: &Self::State) -> Vec<String>;
    /// A move as it is written, in lower case.
    fn move_text(&mut self, own: &Self::Move) -> String;
    /// The name of a role.
    fn role_text(&mut self, role: usize) -> String;
}

/// What a part of a strategy makes sure of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RewardBound {
    /// The role gets at least this.
    AtLeast(u32),
    /// The others keep it from getting more.
    AtMost(u32),
}

/// A strategy that does what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedPlaybook {
    /// Joint moves before the position.
    pub made: usize,
    /// For each part the role and what is sure.
    pub parts: Vec<(String, RewardBound)>,
    /// Positions that were looked at.
    pub positions: usize,
}

/// Why a strategy is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaybookFlaw<T> {
    /// The text is no strategy.
    Malformed {
        line: usize,
        what: String,
    },
    /// It does not do what it says; the line is that of the part.
    Wrong {
        line: usize,
        why: String,
    },
    /// The rules have no answer.
    Trouble(T),
    Stopped(Limit),
}

/// Why there is no strategy to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoPlaybook<T> {
    /// The position has no value.
    NoValue,
    /// The value is not what a role can make sure of alone.
    NotSure {
        role: usize,
    },
    /// The strategy may come back to a position.
    Endless,
    /// More positions than were allowed.
    TooMany(usize),
    Trouble(T),
    Stopped(Limit),
}

const TITLE: &str = "counterplay strategy 1";

/// Whether a text begins like a strategy.
pub fn is_playbook(text: &str) -> bool {
    text.trim_start().starts_with("counterplay strategy")
}

/// Checks a strategy; at most so many positions are looked at in each part.
///
/// # Errors
/// The first thing that is wrong, with its line.
pub fn check_playbook<N: Notation>(
    rules: &mut N,
    text: &str,
    most: usize,
    budget: &Budget,
) -> Result<CheckedPlaybook, PlaybookFlaw<N::Trouble>> {
    let book = read(text, budget)?;
    let start = follow(rules, &book)?;
    let mut checked = CheckedPlaybook { made: book.after.len(), parts: Vec::new(), positions: 0 };
    for part in &book.parts {
        let wrong = |why: String| PlaybookFlaw::Wrong { line: part.line, why };
        let role = (0..rules.roles()).find(|&role| rules.role_text(role) == part.role);
        let role = role.ok_or_else(|| wrong(format!("the game has no role `{}`", part.role)))?;
        let question = Question { role, bound: part.bound, most, made: checked.made };
        let choose = |rules: &mut N, state: &N::State, _: usize, own: &[(usize, Vec<N::Move>)]| {
            chosen(rules, &part.choices, state, own)
        };
        match walk(rules, &start, &question, choose, budget) {
            Ok(positions) => checked.positions += positions,
            Err(Halted::Told(why)) => return Err(wrong(why)),
            Err(Halted::Endless) => {
                return Err(wrong("a position comes back: play may go on for ever".to_owned()));
            }
            Err(Halted::TooMany) => return Err(wrong(format!("it leads to more than {most} positions"))),
            Err(Halted::Trouble(trouble)) => return Err(PlaybookFlaw::Trouble(trouble)),
            Err(Halted::Stopped(limit)) => return Err(PlaybookFlaw::Stopped(limit)),
        }
        checked.parts.push((part.role.clone(), part.bound));
    }
    Ok(checked)
}

/// Writes the strategies that prove the value of a position for some roles: what each can make sure of, and what it can be held to.
///
/// # Errors
/// Why there are none.
pub fn write_playbook<C: Claim + Notation>(
    claim: &mut C,
    after: &[Vec<C::Move>],
    roles: &[usize],
    most: usize,
    budget: &Budget,
) -> Result<String, NoPlaybook<C::Trouble>> {
    let mut text = format!("{TITLE}\n");
    let mut state = claim.initial().map_err(NoPlaybook::Trouble)?;
    for moves in after {
        let words: Vec<String> = moves.iter().map(|own| claim.move_text(own)).collect();
        let _ = writeln!(text, "after {}", words.join(" "));
        state = claim.next(&state, moves).map_err(NoPlaybook::Trouble)?;
    }
    let value = claim.value(&state, after.len()).map_err(NoPlaybook::Trouble)?.ok_or(NoPlaybook::NoValue)?;
    for &role in roles {
        for bound in [RewardBound::AtLeast(value[role]), RewardBound::AtMost(value[role])] {
            let name = claim.role_text(role);
            let _ = match bound {
                RewardBound::AtLeast(reward) => writeln!(text, "role {name} at-least {reward}"),
                RewardBound::AtMost(reward) => writeln!(text, "role {name} at-most {reward}"),
            };
            let question = Question { role, bound, most, made: after.len() };
            let choose = |claim: &mut C, state: &C::State, made: usize, own: &[(usize, Vec<C::Move>)]| {
                let found = keep(claim, state, made, &question)?;
                if own.iter().any(|(_, moves)| moves.len() > 1) {
                    let words: Vec<String> = found.iter().map(|own| claim.move_text(own)).collect();
                    let fluents = claim.fluents(state).join(" ");
                    let _ = writeln!(text, "play {} : {fluents}", words.join(" "));
                }
                Ok(found)
            };
            walk(claim, &state, &question, choose, budget).map_err(|halted| match halted {
                Halted::Told(_) => NoPlaybook::NotSure { role },
                Halted::Endless => NoPlaybook::Endless,
                Halted::TooMany => NoPlaybook::TooMany(most),
                Halted::Trouble(trouble) => NoPlaybook::Trouble(trouble),
                Halted::Stopped(limit) => NoPlaybook::Stopped(limit),
            })?;
        }
    }
    text += "end\n";
    Ok(text)
}

/// A text as it was read.
struct Playbook {
    after: Vec<(Vec<String>, usize)>,
    parts: Vec<Part>,
}

struct Part {
    role: String,
    bound: RewardBound,
    line: usize,
    /// The moves in each position, by its fluents.
    choices: HashMap<String, (Vec<String>, usize)>,
}

fn read<T>(text: &str, budget: &Budget) -> Result<Playbook, PlaybookFlaw<T>> {
    let malformed = |line: usize, what: &str| PlaybookFlaw::Malformed { line, what: what.to_owned() };
    let mut lines = text.lines().enumerate().map(|(at, text)| (at + 1, text.trim()));
    if lines.next().is_none_or(|(_, text)| text != TITLE) {
        return Err(malformed(1, "expected `counterplay strategy 1`"));
    }
    let mut book = Playbook { after: Vec::new(), parts: Vec::new() };
    let mut last = 1;
    for (line, text) in lines.by_ref() {
        last = line;
        budget.check().map_err(PlaybookFlaw::Stopped)?;
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let bad = || malformed(line, "parentheses do not match");
        match (word, book.parts.last_mut()) {
            ("after", None) => book.after.push((terms(rest).ok_or_else(bad)?, line)),
            ("role", _) => {
                let part = part(rest, line);
                let expected = "expected `role NAME at-least REWARD` or `role NAME at-most REWARD`";
                book.parts.push(part.ok_or_else(|| malformed(line, expected))?);
            }
            ("play", Some(part)) => {
                let mut all = terms(rest).ok_or_else(bad)?;
                let colon = all.iter().position(|word| word == ":");
                let colon = colon.ok_or_else(|| malformed(line, "expected `play MOVE ... : FLUENT ...`"))?;
                let mut fluents = all.split_off(colon + 1);
                all.pop();
                fluents.sort_unstable();
                match part.choices.growth(1) {
                    0 => {}
                    more => budget.allow_bytes(more).map_err(PlaybookFlaw::Stopped)?,
                }
                if part.choices.insert(fluents.join(" "), (all, line)).is_some() {
                    return Err(malformed(line, "this position is listed a second time"));
                }
            }
            ("end", Some(_)) if rest.is_empty() => {
                return match lines.find(|(_, text)| !text.is_empty()) {
                    None => Ok(book),
                    Some((line, _)) => Err(malformed(line, "there is text after the end")),
                };
            }
            ("end", None) => return Err(malformed(line, "it makes sure of nothing")),
            _ => return Err(malformed(line, "expected `after`, `role`, `play` or `end`")),
        }
    }
    Err(malformed(last, "the file ends without `end`: it was cut off"))
}

fn part(rest: &str, line: usize) -> Option<Part> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [role, word, reward] = words[..] else { return None };
    let reward: u32 = reward.parse().ok()?;
    let bound = match word {
        "at-least" => RewardBound::AtLeast(reward),
        "at-most" => RewardBound::AtMost(reward),
        _ => return None,
    };
    Some(Part { role: role.to_lowercase(), bound, line, choices: HashMap::new() })
}

/// Terms of a line, each in lower case with single spaces.
fn terms(text: &str) -> Option<Vec<String>> {
    let mut terms: Vec<String> = Vec::new();
    let mut depth = 0usize;
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    for word in spaced.split_whitespace() {
        if depth == 0 {
            terms.push(String::new());
        }
        let term = terms.last_mut()?;
        if !(term.is_empty() || term.ends_with('(') || word == ")") {
            term.push(' ');
        }
        term.push_str(&word.to_lowercase());
        match word {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    (depth == 0).then_some(terms)
}

/// The position that a strategy is about.
fn follow<N: Notation>(rules: &mut N, book: &Playbook) -> Result<N::State, PlaybookFlaw<N::Trouble>> {
    let mut state = rules.initial().map_err(PlaybookFlaw::Trouble)?;
    for (words, line) in &book.after {
        let wrong = |why: String| PlaybookFlaw::Wrong { line: *line, why };
        if words.len() != rules.roles() {
            return Err(wrong(format!("expected one move for each of the {} roles", rules.roles())));
        }
        if rules.is_over(&state).map_err(PlaybookFlaw::Trouble)? {
            return Err(wrong("the game is over before this move".to_owned()));
        }
        let mut moves = Vec::new();
        for (role, word) in words.iter().enumerate() {
            let legal = rules.moves(&state, role).map_err(PlaybookFlaw::Trouble)?;
            let meant = legal.into_iter().find(|own| rules.move_text(own) == *word);
            moves.push(meant.ok_or_else(|| wrong(format!("`{word}` is not legal here")))?);
        }
        state = rules.next(&state, &moves).map_err(PlaybookFlaw::Trouble)?;
    }
    Ok(state)
}

/// What a walk is about.
struct Question {
    role: usize,
    bound: RewardBound,
    most: usize,
    made: usize,
}

impl Question {
    /// Whether a role is bound by the strategy.
    fn is_bound(&self, role: usize) -> bool {
        match self.bound {
            RewardBound::AtLeast(_) => role == self.role,
            RewardBound::AtMost(_) => role != self.role,
        }
    }

    fn is_kept(&self, rewards: &[u32]) -> bool {
        match self.bound {
            RewardBound::AtLeast(reward) => rewards[self.role] >= reward,
            RewardBound::AtMost(reward) => rewards[self.role] <= reward,
        }
    }
}

/// Why a walk ended early.
enum Halted<T> {
    Told(String),
    Endless,
    TooMany,
    Trouble(T),
    Stopped(Limit),
}

/// A position on the way, and those that may follow and are still to be looked at.
struct Frame<S> {
    state: S,
    made: usize,
    open: Vec<S>,
}

/// Follows a strategy against every reply, depth first. `choose` gives the moves of the roles that are bound, in their order.
fn walk<N: Notation>(
    rules: &mut N,
    start: &N::State,
    question: &Question,
    mut choose: impl FnMut(
        &mut N,
        &N::State,
        usize,
        &[(usize, Vec<N::Move>)],
    ) -> Result<Vec<N::Move>, Halted<N::Trouble>>,
    budget: &Budget,
) -> Result<usize, Halted<N::Trouble>> {
    // Whether everything after a position was looked at; one that is on the way is not.
    let mut done: HashMap<N::State, bool> = HashMap::new();
    let mut way: Vec<Frame<N::State>> = Vec::new();
    let mut next = Some((start.clone(), question.made));
    loop {
        if let Some((state, made)) = next.take() {
            match done.get(&state) {
                Some(true) => {}
                Some(false) => return Err(Halted::Endless),
                None => {
                    budget.check().map_err(Halted::Stopped)?;
                    if done.len() >= question.most {
                        return Err(Halted::TooMany);
                    }
                    let open = after(rules, &state, made, question, &mut choose)?;
                    done.insert(state.clone(), false);
                    way.push(Frame { state, made, open });
                }
            }
        }
        let Some(frame) = way.last_mut() else { return Ok(done.len()) };
        match frame.open.pop() {
            Some(state) => next = Some((state, frame.made + 1)),
            None => {
                if let Some(frame) = way.pop() {
                    done.insert(frame.state, true);
                }
            }
        }
    }
}

/// What may follow a position under a strategy; nothing at an end, where the rewards have to be as promised.
fn after<N: Notation>(
    rules: &mut N,
    state: &N::State,
    made: usize,
    question: &Question,
    choose: &mut impl FnMut(
        &mut N,
        &N::State,
        usize,
        &[(usize, Vec<N::Move>)],
    ) -> Result<Vec<N::Move>, Halted<N::Trouble>>,
) -> Result<Vec<N::State>, Halted<N::Trouble>> {
    let mut moves: Vec<Vec<N::Move>> = Vec::new();
    let mut is_over = rules.is_over(state).map_err(Halted::Trouble)?;
    if !is_over {
        for role in 0..rules.roles() {
            moves.push(rules.moves(state, role).map_err(Halted::Trouble)?);
        }
        is_over = moves.iter().any(Vec::is_empty);
    }
    if is_over {
        let rewards = rules.rewards(state).map_err(Halted::Trouble)?;
        if question.is_kept(&rewards) {
            return Ok(Vec::new());
        }
        let place = rules.fluents(state).join(" ");
        return Err(Halted::Told(format!("play may end with {rewards:?} in the position {place}")));
    }
    let own: Vec<(usize, Vec<N::Move>)> = (0..moves.len())
        .filter(|&role| question.is_bound(role))
        .map(|role| (role, moves[role].clone()))
        .collect();
    let chosen = choose(rules, state, made, &own)?;
    for ((role, _), own) in own.iter().zip(chosen) {
        moves[*role] = vec![own];
    }
    let mut open = Vec::new();
    for row in 0..moves.iter().map(Vec::len).product() {
        open.push(rules.next(state, &joint(&moves, row)).map_err(Halted::Trouble)?);
    }
    Ok(open)
}

/// The moves that a text gives in a position; those that are forced need not be there.
fn chosen<N: Notation>(
    rules: &mut N,
    choices: &HashMap<String, (Vec<String>, usize)>,
    state: &N::State,
    own: &[(usize, Vec<N::Move>)],
) -> Result<Vec<N::Move>, Halted<N::Trouble>> {
    if own.iter().all(|(_, moves)| moves.len() == 1) {
        return Ok(own.iter().map(|(_, moves)| moves[0].clone()).collect());
    }
    let place = rules.fluents(state).join(" ");
    let Some((words, line)) = choices.get(&place) else {
        return Err(Halted::Told(format!("no line tells what to play in the position {place}")));
    };
    if words.len() != own.len() {
        return Err(Halted::Told(format!("line {line}: expected {} moves", own.len())));
    }
    let mut found = Vec::new();
    for (word, (_, moves)) in words.iter().zip(own) {
        match moves.iter().find(|own| rules.move_text(own) == *word) {
            Some(own) => found.push(own.clone()),
            None => return Err(Halted::Told(format!("line {line}: `{word}` is not legal there"))),
        }
    }
    Ok(found)
}

/// Moves of the roles that are bound after which the claimed values keep the bound, whatever the others do.
fn keep<C: Claim + Notation>(
    claim: &mut C,
    state: &C::State,
    made: usize,
    question: &Question,
) -> Result<Vec<C::Move>, Halted<C::Trouble>> {
    let mut moves: Vec<Vec<C::Move>> = Vec::new();
    for role in 0..claim.roles() {
        moves.push(claim.moves(state, role).map_err(Halted::Trouble)?);
    }
    let bound: Vec<usize> = (0..moves.len()).filter(|&role| question.is_bound(role)).collect();
    let own: Vec<Vec<C::Move>> = bound.iter().map(|&role| moves[role].clone()).collect();
    'choices: for row in 0..own.iter().map(Vec::len).product() {
        let choice = joint(&own, row);
        let mut fixed = moves.clone();
        for (&role, own) in bound.iter().zip(&choice) {
            fixed[role] = vec![own.clone()];
        }
        for reply in 0..fixed.iter().map(Vec::len).product() {
            let next = claim.next(state, &joint(&fixed, reply)).map_err(Halted::Trouble)?;
            let value = claim.value(&next, made + 1).map_err(Halted::Trouble)?;
            if !value.is_some_and(|value| question.is_kept(&value)) {
                continue 'choices;
            }
        }
        return Ok(choice);
    }
    Err(Halted::Told("no move keeps the value".to_owned()))
}
