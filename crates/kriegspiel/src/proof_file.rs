//! Proof trees and refutations as text, and their check by the slow referee.
//!
//! ```text
//! counterplay kriegspiel 1
//! claim mate                            or: no-mate
//! plies PLIES                           moves of both sides until mate, the most
//! material-wins                         only if known material wins count as wins
//! position NUMBER FEN                   numbered from 0
//! start NUMBER ...                      the positions that are possible at the beginning
//! node NUMBER [after NODE WHEN] try MOVE                       of a mate; numbered from 0, NODE is a lower number
//! node NUMBER plies PLIES positions NUMBER ...                 of a refutation; numbered from 0
//! refute MOVE in NUMBER                                        in this position it does not mate in time
//! refute MOVE illegal NODE                                     what is left after its rejection has no plan: a node of a higher number
//! refute MOVE heard HEARD reply HEARD NODE                     what is left after these announcements has none
//! end
//! ```
//! WHEN is `illegal` or `heard HEARD reply HEARD`. HEARD is `nothing`, or the square of a capture and directions of check, joined by `+`: `e4+file`.

use std::collections::HashMap;
use std::fmt::Write;

use counterplay_base::{Budget, Limit};
use counterplay_belief::PlanOf;
use counterplay_check::{
    Cases, Escape, NodesOf, RefutationFlaw, RefutedStates, Strategy, StrategyFlaw, check_refutation,
    check_strategy, find_refutation,
};

use crate::chess::{Board, Move, Square};
use crate::line::is_depth;
use crate::mailbox::{Mailbox, SlowReferee};
use crate::percept::{Checks, Direction, Percept};
use crate::problem::check_belief;
use crate::world::Kriegspiel;

/// How files begin.
const FORMAT: &str = "counterplay kriegspiel 1";
/// No tree is followed deeper.
const DEEPEST: usize = 1_000;
/// No refutation is written that has more nodes.
const MOST_NODES: usize = 20_000;

/// What a file proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedProof {
    /// Whether there is a mate.
    pub is_mate: bool,
    /// Within so many plies.
    pub plies: usize,
    /// Whether known material wins count as wins.
    pub material_wins: bool,
    /// The positions that it is about.
    pub positions: Vec<Board>,
    /// Nodes of the tree, or of the refutation.
    pub nodes: usize,
}

/// Why a file proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofFileFlaw {
    /// Something is wrong at this line, counted from 1.
    Wrong { line: usize, why: String },
    /// A limit came first.
    Stopped(Limit),
}

/// Whether a text is such a file.
pub fn is_proof_file(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.trim_end() == FORMAT)
}

/// The proof of a mate as text.
pub fn write_mate(world: &Kriegspiel, belief: &[Board], plan: &PlanOf<Kriegspiel>, depth: usize) -> String {
    let mut text = head(world, "mate", depth);
    for (number, board) in belief.iter().enumerate() {
        let _ = writeln!(text, "position {number} {board}");
    }
    let all: Vec<String> = (0..belief.len()).map(|number| number.to_string()).collect();
    let _ = writeln!(text, "start {}", all.join(" "));
    // Breadth first, so that a node comes after the one it belongs to.
    let mut open = std::collections::VecDeque::from([(String::new(), plan)]);
    let mut number = 0;
    while let Some((when, plan)) = open.pop_front() {
        let _ = writeln!(text, "node {number} {when}try {}", plan.attempt);
        if let Some(next) = &plan.rejected {
            open.push_back((format!("after {number} illegal "), next));
        }
        for (to_attempt, replies) in &plan.after {
            for (to_reply, next) in replies {
                let heard = format!("heard {} reply {}", word(*to_attempt), word(*to_reply));
                open.push_back((format!("after {number} {heard} "), next));
            }
        }
        number += 1;
    }
    text + "end\n"
}

/// The proof that there is no mate as text, found by the slow referee; `None` if there is one.
///
/// # Errors
/// The limit that came first; each question to the referee counts as a node of the budget.
pub fn write_refutation(
    world: &Kriegspiel,
    belief: &[Board],
    depth: usize,
    budget: &Budget,
) -> Result<Option<String>, Limit> {
    let referee = SlowReferee { material_wins: world.material_wins };
    let states: Vec<Mailbox> = belief.iter().map(Mailbox::of).collect();
    let found = find_refutation(&referee, &states, depth, Mailbox::legal_moves, MOST_NODES, budget)?;
    let Some(nodes) = found else { return Ok(None) };
    let mut text = head(world, "no-mate", depth);
    let mut numbers: HashMap<&Mailbox, usize> = HashMap::new();
    for state in states.iter().chain(nodes.iter().flat_map(|node| &node.states)) {
        let number = numbers.len();
        numbers.entry(state).or_insert_with(|| {
            let _ = writeln!(text, "position {number} {}", state.fen());
            number
        });
    }
    let list = |states: &[Mailbox]| {
        states.iter().map(|state| numbers[state].to_string()).collect::<Vec<_>>().join(" ")
    };
    let _ = writeln!(text, "start {}", list(&states));
    for (number, node) in nodes.iter().enumerate() {
        let _ = writeln!(text, "node {number} plies {} positions {}", node.steps, list(&node.states));
        for (attempt, escape) in &node.escapes {
            let why = match escape {
                Escape::State(state) => format!("in {}", numbers[&node.states[*state]]),
                Escape::Rejected(node) => format!("illegal {node}"),
                Escape::Heard(one, other, node) => {
                    format!("heard {} reply {} {node}", word(*one), word(*other))
                }
            };
            let _ = writeln!(text, "refute {attempt} {why}");
        }
    }
    Ok(Some(text + "end\n"))
}

fn head(world: &Kriegspiel, claim: &str, depth: usize) -> String {
    let material = if world.material_wins { "material-wins\n" } else { "" };
    format!("{FORMAT}\nclaim {claim}\nplies {depth}\n{material}")
}

/// An announcement as one word.
fn word(percept: Percept) -> String {
    let mut parts: Vec<String> = percept.capture.iter().map(ToString::to_string).collect();
    parts.extend(percept.checks.iter().map(|direction| direction.name().to_owned()));
    if parts.is_empty() { "nothing".to_owned() } else { parts.join("+") }
}

fn percept(word: &str) -> Option<Percept> {
    let mut percept = Percept::default();
    if word == "nothing" {
        return Some(percept);
    }
    for (number, part) in word.split('+').enumerate() {
        match Direction::ALL.into_iter().find(|direction| direction.name() == part) {
            Some(direction) if !percept.checks.has(direction) => {
                percept.checks = percept.checks.with(direction);
            }
            None if number == 0 => percept.capture = Some(part.parse::<Square>().ok()?),
            _ => return None,
        }
    }
    (percept.capture.is_some() || percept.checks != Checks::NONE).then_some(percept)
}

/// Checks a file: the tree is followed, or the refutation looked at, by the slow referee. Nothing is searched.
///
/// # Errors
/// The first thing that is wrong, with its line, or the limit that was reached.
pub fn check_proof_file(text: &str, budget: &Budget) -> Result<CheckedProof, ProofFileFlaw> {
    let file = ProofText::read(text, budget)?;
    let referee = SlowReferee { material_wins: file.material_wins };
    let start: Vec<Mailbox> = file.start.iter().map(|&number| Mailbox::of(&file.positions[number])).collect();
    let positions: Vec<Board> = file.start.iter().map(|&number| file.positions[number]).collect();
    if let Err(error) = check_belief(&positions) {
        return Err(ProofFileFlaw::Wrong { line: file.start_line, why: error.to_string() });
    }
    let nodes = match &file.nodes {
        ProofNodes::Mate(nodes) => {
            let strategy = strategy(nodes)?;
            check_strategy(&referee, &start, &strategy, file.plies, budget)
                .map_err(|flaw| tree_flaw(flaw, nodes))?;
            nodes.len()
        }
        ProofNodes::Refutation(nodes, lines) => {
            let first = nodes.first().filter(|node| node.steps >= file.plies);
            let is_part = first.is_some_and(|node| node.states.iter().all(|state| start.contains(state)));
            if !is_part {
                let why = "node 0 is not about the positions at the start, with all plies".to_owned();
                return Err(ProofFileFlaw::Wrong {
                    line: lines.first().copied().unwrap_or(file.start_line),
                    why,
                });
            }
            check_refutation(&referee, nodes, Mailbox::legal_moves, budget)
                .map_err(|flaw| refutation_flaw(flaw, lines))?;
            nodes.len()
        }
    };
    let is_mate = matches!(file.nodes, ProofNodes::Mate(_));
    Ok(CheckedProof { is_mate, plies: file.plies, material_wins: file.material_wins, positions, nodes })
}

fn tree_flaw(flaw: StrategyFlaw<Mailbox, Move, Percept>, nodes: &[TreeNode]) -> ProofFileFlaw {
    // The checker knows trees and no lines; the attempt tells which nodes may be meant.
    let at = |attempt: Move| nodes.iter().find(|node| node.attempt == attempt).map_or(1, |node| node.line);
    let last = nodes.last().map_or(1, |node| node.line);
    let (line, why) = match flaw {
        StrategyFlaw::Stopped(limit) => return ProofFileFlaw::Stopped(limit),
        StrategyFlaw::NothingAfterRejection { state, attempt } => {
            (at(attempt), format!("{attempt} is illegal in {}, and nothing is said for that", state.fen()))
        }
        StrategyFlaw::Unforeseen { state, attempt, percept } => (
            at(attempt),
            format!(
                "{} is heard after {attempt} in {}, and nothing is said for that",
                word(percept),
                state.fen()
            ),
        ),
        StrategyFlaw::UnforeseenReply { state, percept } => (
            last,
            format!("a reply to {} leads to {}, and nothing is said for that", word(percept), state.fen()),
        ),
        StrategyFlaw::NotWon { state } => {
            (last, format!("the game ends without mate in or after {}", state.fen()))
        }
        StrategyFlaw::TooLong { state } => (last, format!("there is no mate in time in {}", state.fen())),
    };
    ProofFileFlaw::Wrong { line, why }
}

fn refutation_flaw(flaw: RefutationFlaw<Move>, lines: &[usize]) -> ProofFileFlaw {
    let (node, why) = match flaw {
        RefutationFlaw::Stopped(limit) => return ProofFileFlaw::Stopped(limit),
        RefutationFlaw::Empty { node } => (node, "the node has no positions".to_owned()),
        RefutationFlaw::NoSuch { node, attempt } => {
            (node, format!("{attempt}: what is named is not there, or not later"))
        }
        RefutationFlaw::Missing { node, attempt } => (node, format!("nothing is said against {attempt}")),
        RefutationFlaw::NoEscape { node, attempt } => {
            (node, format!("{attempt} mates, is illegal or goes on in the position that is named"))
        }
        RefutationFlaw::NotLeft { node, attempt } => (
            node,
            format!("{attempt}: the node that is named has other positions than are left, or fewer plies"),
        ),
    };
    ProofFileFlaw::Wrong { line: lines.get(node).copied().unwrap_or(1), why: format!("node {node}: {why}") }
}

/// A node of a mate.
struct TreeNode {
    line: usize,
    attempt: Move,
    after: Option<(usize, When)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Illegal,
    Heard(Percept, Percept),
}

/// The tree of a list of nodes, from the last one to the first: children come after their parents.
fn strategy(nodes: &[TreeNode]) -> Result<Strategy<Move, Percept>, ProofFileFlaw> {
    let mut depths = vec![0; nodes.len()];
    let mut built: Vec<Option<Strategy<Move, Percept>>> = nodes
        .iter()
        .map(|node| Some(Strategy { attempt: node.attempt, rejected: None, after: Vec::new() }))
        .collect();
    let wrong = |line: usize, why: &str| ProofFileFlaw::Wrong { line, why: why.to_owned() };
    for (number, node) in nodes.iter().enumerate() {
        let Some((parent, _)) = node.after else { continue };
        depths[number] = depths[parent] + 1;
        if depths[number] > DEEPEST {
            return Err(wrong(node.line, "the tree is deeper than any that is followed"));
        }
    }
    for (number, node) in nodes.iter().enumerate().rev() {
        let Some((parent, when)) = node.after else { continue };
        let own = built[number].take().expect("each node has one place");
        let above = built[parent].as_mut().expect("a parent is placed after its children");
        let twice = || wrong(node.line, "there is another node for the same case");
        match when {
            When::Illegal if above.rejected.is_some() => return Err(twice()),
            When::Illegal => above.rejected = Some(Box::new(own)),
            When::Heard(to_attempt, to_reply) => {
                let at =
                    above.after.iter().position(|(heard, _)| *heard == to_attempt).unwrap_or_else(|| {
                        above.after.push((to_attempt, Vec::new()));
                        above.after.len() - 1
                    });
                let cases: &mut Cases<Move, Percept> = &mut above.after[at].1;
                if cases.iter().any(|(heard, _)| *heard == to_reply) {
                    return Err(twice());
                }
                cases.push((to_reply, own));
            }
        }
    }
    built.into_iter().next().flatten().ok_or_else(|| wrong(1, "there is no node"))
}

enum ProofNodes {
    Mate(Vec<TreeNode>),
    /// With the line of each node.
    Refutation(NodesOf<SlowReferee>, Vec<usize>),
}

/// A file as it is written.
struct ProofText {
    plies: usize,
    material_wins: bool,
    positions: Vec<Board>,
    start: Vec<usize>,
    start_line: usize,
    nodes: ProofNodes,
}

impl ProofText {
    fn read(text: &str, budget: &Budget) -> Result<ProofText, ProofFileFlaw> {
        let mut lines = text.lines().zip(1..).peekable();
        let mut reader = ProofReader { plies: 0, material_wins: false, positions: Vec::new() };
        let wrong = |line: usize, why: &str| ProofFileFlaw::Wrong { line, why: why.to_owned() };
        let mut expect = |what: &str| match lines.next() {
            Some((text, line)) => Ok((text.trim_end(), line)),
            None => Err(wrong(text.lines().count() + 1, &format!("the file ends before {what}"))),
        };
        if expect("its first line")?.0 != FORMAT {
            return Err(wrong(1, "it is no proof of Kriegspiel"));
        }
        let is_mate = match expect("`claim`")? {
            ("claim mate", _) => true,
            ("claim no-mate", _) => false,
            (_, line) => return Err(wrong(line, "expected `claim mate` or `claim no-mate`")),
        };
        let (words, line) = expect("`plies`")?;
        let plies = words.strip_prefix("plies ").and_then(|plies| plies.parse().ok());
        reader.plies = plies
            .filter(|&plies| is_depth(plies))
            .ok_or_else(|| wrong(line, "expected `plies` and an odd number"))?;
        let (start, start_line) = loop {
            budget.check().map_err(ProofFileFlaw::Stopped)?;
            let (words, line) = expect("`start`")?;
            match words.split_once(' ') {
                _ if words == "material-wins" && reader.positions.is_empty() => reader.material_wins = true,
                Some(("position", rest)) => reader.position(rest).map_err(|why| wrong(line, &why))?,
                Some(("start", rest)) => {
                    break (reader.numbers(rest).map_err(|why| wrong(line, &why))?, line);
                }
                _ => return Err(wrong(line, "expected `position` or `start`")),
            }
        };
        let mut nodes = match is_mate {
            true => ProofNodes::Mate(Vec::new()),
            false => ProofNodes::Refutation(Vec::new(), Vec::new()),
        };
        loop {
            budget.check().map_err(ProofFileFlaw::Stopped)?;
            let (words, line) = expect("`end`")?;
            if words == "end" {
                break;
            }
            let read = match &mut nodes {
                ProofNodes::Mate(nodes) => {
                    reader.tree_node(words, line, nodes.len()).map(|node| nodes.push(node))
                }
                ProofNodes::Refutation(nodes, lines) => reader.refuted(words, line, nodes, lines),
            };
            read.map_err(|why| wrong(line, &why))?;
        }
        if let Some((_, line)) = lines.next() {
            return Err(wrong(line, "there is something after `end`"));
        }
        let ProofReader { plies, material_wins, positions } = reader;
        Ok(ProofText { plies, material_wins, positions, start, start_line, nodes })
    }
}

/// What was read so far.
struct ProofReader {
    plies: usize,
    material_wins: bool,
    positions: Vec<Board>,
}

impl ProofReader {
    fn position(&mut self, rest: &str) -> Result<(), String> {
        let (number, fen) = rest.split_once(' ').ok_or("expected a number and a FEN")?;
        if number.parse() != Ok(self.positions.len()) {
            return Err(format!(
                "positions are numbered one after the other: expected {}",
                self.positions.len()
            ));
        }
        self.positions.push(fen.parse().map_err(|error| format!("{error}"))?);
        Ok(())
    }

    fn numbers(&self, rest: &str) -> Result<Vec<usize>, String> {
        let number = |word: &str| {
            let number = word.parse().ok().filter(|&number: &usize| number < self.positions.len());
            number.ok_or_else(|| format!("there is no position `{word}` above"))
        };
        rest.split(' ').map(number).collect()
    }

    fn tree_node(&self, words: &str, line: usize, count: usize) -> Result<TreeNode, String> {
        let words: Vec<&str> = words.split(' ').collect();
        let shape = "expected `node NUMBER [after NODE illegal|heard HEARD reply HEARD] try MOVE`";
        let parent = |word: &str| {
            let number = word.parse().ok().filter(|&number: &usize| number < count);
            number.ok_or_else(|| format!("there is no node `{word}` above"))
        };
        let hear = |word: &str| percept(word).ok_or_else(|| format!("`{word}` is no announcement"));
        let (number, after, attempt) = match words[..] {
            ["node", number, "try", attempt] => (number, None, attempt),
            ["node", number, "after", node, "illegal", "try", attempt] => {
                (number, Some((parent(node)?, When::Illegal)), attempt)
            }
            ["node", number, "after", node, "heard", one, "reply", other, "try", attempt] => {
                (number, Some((parent(node)?, When::Heard(hear(one)?, hear(other)?))), attempt)
            }
            _ => return Err(shape.to_owned()),
        };
        if number.parse() != Ok(count) {
            return Err(format!("nodes are numbered one after the other: expected {count}"));
        }
        if (count == 0) != after.is_none() {
            return Err("the first node, and no other one, comes after none".to_owned());
        }
        let attempt = attempt.parse().map_err(|_| format!("`{attempt}` is no move"))?;
        Ok(TreeNode { line, attempt, after })
    }

    fn refuted(
        &self,
        words: &str,
        line: usize,
        nodes: &mut NodesOf<SlowReferee>,
        lines: &mut Vec<usize>,
    ) -> Result<(), String> {
        let words: Vec<&str> = words.splitn(6, ' ').collect();
        let hear = |word: &str| percept(word).ok_or_else(|| format!("`{word}` is no announcement"));
        let later =
            |word: &str| word.parse::<usize>().map_err(|_| format!("`{word}` is no number of a node"));
        if let ["node", number, "plies", plies, "positions", ref rest @ ..] = words[..] {
            if number.parse() != Ok(nodes.len()) {
                return Err(format!("nodes are numbered one after the other: expected {}", nodes.len()));
            }
            let steps = plies.parse().ok().filter(|&plies: &usize| plies < 200);
            let steps = steps.ok_or_else(|| format!("`{plies}` is no number of plies"))?;
            let numbers = self.numbers(rest.first().copied().unwrap_or_default())?;
            let states = numbers.iter().map(|&number| Mailbox::of(&self.positions[number])).collect();
            nodes.push(RefutedStates { states, steps, escapes: Vec::new() });
            lines.push(line);
            return Ok(());
        }
        let (attempt, escape) = match words[..] {
            ["refute", attempt, "in", position] => {
                let wanted = Mailbox::of(&self.positions[self.numbers(position)?[0]]);
                let node = nodes.last().ok_or("there is no node above")?;
                let state = node.states.iter().position(|state| *state == wanted);
                (attempt, Escape::State(state.ok_or("the node does not have this position")?))
            }
            ["refute", attempt, "illegal", node] => (attempt, Escape::Rejected(later(node)?)),
            ["refute", attempt, "heard", one, "reply", rest] => {
                let (other, node) = rest.split_once(' ').ok_or("expected an announcement and a node")?;
                (attempt, Escape::Heard(hear(one)?, hear(other)?, later(node)?))
            }
            _ => return Err("expected `node`, `refute` or `end`".to_owned()),
        };
        let attempt: Move = attempt.parse().map_err(|_| format!("`{attempt}` is no move"))?;
        let node = nodes.last_mut().ok_or("there is no node above")?;
        node.escapes.push((attempt, escape));
        Ok(())
    }
}
