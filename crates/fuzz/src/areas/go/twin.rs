//! Life and death on a whole small board, by fixpoints over all reachable states.
//!
//! A state is the stones, the side to move, the point that was just vacated by a ko, and the passes since the last stone. Both sides
//! may play on every empty point of the board, and pass; nothing is left out, so that "outside" is real. A move takes the
//! other side's strings without liberties, then its own string if that has none: this is suicide, allowed for strings of several stones only,
//! and only if the rule says so.
//!
//! One side is *favoured*. Only the other one has to obey the ko rule: it may not play on the point where exactly one stone
//! was taken by the last move, if the taker is a single stone in atari. The game ends
//! - when the target's point holds no stone of the defender: the attacker has won, unless the target was a single stone taken in a ko,
//!   the defender is favoured, and it is his move, so that he may take it back at once;
//! - in the capture game, after two passes in a row: the defender has won.
//!
//! Games that do not end, whatever the length of the repetition:
//! - *capture, defender favoured*: the defender has won; the attacker needs a forced capture in finitely many moves;
//! - *capture, attacker favoured*: the attacker has won, unless the defender does nothing but pass from some move on: a target that
//!   stands although its owner passes for ever is not taken;
//! - *eyes*: the attacker is favoured, and the defender has to reach a state in which the target is *alive*: it would not
//!   be taken even if he only passed from then on. Everything else is a failure.
//!
//! The class for the side to move: to kill, `clean` if the attacker wins with the defender favoured, `ko` if he wins only
//! with himself favoured, else `none`. To save, `clean` if the defender wins the eyes game, `seki` if he wins the capture game with the
//! attacker favoured, `ko` if he wins it only with himself favoured, else `none`.

use std::collections::HashMap;

/// A small board: bit `row * width + column` of the masks.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub(super) width: u32,
    pub(super) height: u32,
    /// The stones of the defender and of the attacker.
    pub(super) stones: [u32; 2],
    /// The point of the target.
    pub(super) target: u32,
    /// Whether a move may take several of the mover's own stones.
    pub(super) suicide: bool,
}

pub(super) const DEFENDER: usize = 0;
pub(super) const ATTACKER: usize = 1;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    stones: [u32; 2],
    turn: usize,
    ko: Option<u32>,
    /// Passes since the last stone, if they count.
    passes: u32,
}

/// A state's moves, each with the number of the state after it; ended games have a winner and no moves.
struct Node {
    turn: usize,
    winner: Option<usize>,
    moves: Vec<(Option<u32>, usize)>,
}

/// Who wins what from the beginning, for the side that moves first there.
pub(super) struct Judgement {
    /// `clean`, `seki`, `ko` or `none`.
    pub(super) class: &'static str,
    /// The first moves that achieve it; a pass is `None`. Empty if the class is `none`.
    pub(super) moves: Vec<Option<u32>>,
    /// The first moves of a defender that keep the target without a ko, with two eyes or without.
    pub(super) keeping: Vec<Option<u32>>,
}

/// The class of a position for the side to move; `None` if there are more than `most` states.
pub(super) fn judge(position: &Position, turn: usize, most: usize) -> Option<Judgement> {
    let hard = Graph::explore(position, turn, 1 - turn, true, most)?;
    if turn == ATTACKER {
        if let Some(moves) = hard.first_moves(&hard.taken_by_force()) {
            return Some(Judgement { class: "clean", moves, keeping: Vec::new() });
        }
    } else if let Some(keeping) = hard.first_moves(&hard.kept()) {
        let endless = Graph::explore(position, turn, ATTACKER, false, most)?;
        return Some(match endless.first_moves(&endless.eyes()) {
            Some(moves) => Judgement { class: "clean", moves, keeping },
            None => Judgement { class: "seki", moves: keeping.clone(), keeping },
        });
    }
    let easy = Graph::explore(position, turn, turn, true, most)?;
    let wins = if turn == ATTACKER { negate(&easy.kept()) } else { negate(&easy.taken_by_force()) };
    let (class, moves) = easy.first_moves(&wins).map_or(("none", Vec::new()), |moves| ("ko", moves));
    Some(Judgement { class, moves, keeping: Vec::new() })
}

fn negate(set: &[bool]) -> Vec<bool> {
    set.iter().map(|&member| !member).collect()
}

/// All states that can be reached, with one side favoured. The first one is the beginning.
struct Graph {
    nodes: Vec<Node>,
}

impl Graph {
    fn explore(
        position: &Position,
        turn: usize,
        favoured: usize,
        passes_end: bool,
        most: usize,
    ) -> Option<Graph> {
        let start = State { stones: position.stones, turn, ko: None, passes: 0 };
        let mut states = vec![start];
        let mut number = HashMap::from([(start, 0)]);
        let mut nodes: Vec<Node> = Vec::new();
        while nodes.len() < states.len() {
            let state = states[nodes.len()];
            let winner = position.winner(&state, favoured);
            let mut moves = Vec::new();
            if winner.is_none() {
                for action in (0..position.width * position.height).map(Some).chain([None]) {
                    if let Some(mut next) = position.play(&state, action, favoured) {
                        next.passes *= u32::from(passes_end);
                        let at = *number.entry(next).or_insert_with(|| {
                            states.push(next);
                            states.len() - 1
                        });
                        moves.push((action, at));
                    }
                }
            }
            if states.len() > most {
                return None;
            }
            nodes.push(Node { turn: state.turn, winner, moves });
        }
        Some(Graph { nodes })
    }

    /// The first moves into a set, if the beginning belongs to it.
    fn first_moves(&self, wins: &[bool]) -> Option<Vec<Option<u32>>> {
        let moves = self.nodes[0].moves.iter().filter(|&&(_, to)| wins[to]).map(|&(action, _)| action);
        wins[0].then(|| moves.collect())
    }

    /// The least set that holds a node if `rule` says so, given the set so far.
    fn least(&self, rule: impl Fn(&Node, &[bool]) -> bool) -> Vec<bool> {
        let mut set = vec![false; self.nodes.len()];
        loop {
            let mut grown = false;
            for at in (0..set.len()).rev() {
                if !set[at] && rule(&self.nodes[at], &set) {
                    set[at] = true;
                    grown = true;
                }
            }
            if !grown {
                return set;
            }
        }
    }

    /// From where the attacker takes the target in finitely many moves, whatever the defender does.
    fn taken_by_force(&self) -> Vec<bool> {
        self.least(|node, set| forces(node, ATTACKER, set))
    }

    /// From where the defender keeps the target, or only passes from some move on.
    fn kept(&self) -> Vec<bool> {
        let mut kept = vec![false; self.nodes.len()];
        loop {
            // The least set outside which the defender can stay by passing, or by getting to where he is known to keep the target.
            let lost = self.least(|node, lost| match node.winner {
                Some(winner) => winner == ATTACKER,
                None if node.turn == ATTACKER => node.moves.iter().any(|&(_, to)| lost[to]),
                None => node.moves.iter().all(|&(action, to)| !kept[to] && (action.is_some() || lost[to])),
            });
            let next = negate(&lost);
            if next == kept {
                return kept;
            }
            kept = next;
        }
    }

    /// From where the defender gets to a state in which he could pass for ever; passes do not end this game.
    fn eyes(&self) -> Vec<bool> {
        let passing_fails = self.least(|node, set| match node.winner {
            Some(winner) => winner == ATTACKER,
            None if node.turn == ATTACKER => node.moves.iter().any(|&(_, to)| set[to]),
            None => node.moves.iter().any(|&(action, to)| action.is_none() && set[to]),
        });
        let mut set = negate(&passing_fails);
        loop {
            let mut grown = false;
            for at in (0..set.len()).rev() {
                if !set[at] && forces(&self.nodes[at], DEFENDER, &set) {
                    set[at] = true;
                    grown = true;
                }
            }
            if !grown {
                return set;
            }
        }
    }
}

/// Whether a side has won, or can move into a set, or the other side can only move into it.
fn forces(node: &Node, side: usize, set: &[bool]) -> bool {
    match node.winner {
        Some(winner) => winner == side,
        None if node.turn == side => node.moves.iter().any(|&(_, to)| set[to]),
        None => node.moves.iter().all(|&(_, to)| set[to]),
    }
}

impl Position {
    /// The points of a column.
    fn column(&self, column: u32) -> u32 {
        (0..self.height).fold(0, |points, row| points | 1 << (row * self.width + column))
    }

    /// All points next to a set of points, and the set.
    fn swell(&self, set: u32) -> u32 {
        let all = (1 << (self.width * self.height)) - 1;
        let (left, right) = (set & !self.column(0), set & !self.column(self.width - 1));
        (set | left >> 1 | right << 1 | set >> self.width | set << self.width) & all
    }

    /// The string of a stone.
    fn string(&self, point: u32, of: u32) -> u32 {
        let mut string = 1 << point;
        loop {
            let larger = self.swell(string) & of;
            if larger == string {
                return string;
            }
            string = larger;
        }
    }

    fn has_liberty(&self, string: u32, stones: [u32; 2]) -> bool {
        self.swell(string) & !(stones[0] | stones[1]) != 0
    }

    fn play(&self, state: &State, action: Option<u32>, favoured: usize) -> Option<State> {
        let (own, other) = (state.turn, 1 - state.turn);
        let Some(point) = action else {
            return Some(State { turn: other, ko: None, passes: state.passes + 1, ..*state });
        };
        let mut stones = state.stones;
        if (stones[0] | stones[1]) >> point & 1 == 1 || (state.ko == Some(point) && own != favoured) {
            return None;
        }
        stones[own] |= 1 << point;
        let mut taken = 0;
        let mut near = self.swell(1 << point) & stones[other];
        while near != 0 {
            let string = self.string(near.trailing_zeros(), stones[other]);
            if !self.has_liberty(string, stones) {
                taken |= string;
            }
            near &= !string;
        }
        stones[other] &= !taken;
        let string = self.string(point, stones[own]);
        if !self.has_liberty(string, stones) {
            if !self.suicide || string.count_ones() == 1 {
                return None;
            }
            stones[own] &= !string;
        }
        let liberties = self.swell(string) & !(stones[0] | stones[1]);
        let is_ko = taken.count_ones() == 1 && string.count_ones() == 1 && liberties == taken;
        Some(State { stones, turn: other, ko: is_ko.then(|| taken.trailing_zeros()), passes: 0 })
    }

    fn winner(&self, state: &State, favoured: usize) -> Option<usize> {
        if state.stones[DEFENDER] >> self.target & 1 == 0 {
            let returns = favoured == DEFENDER && state.turn == DEFENDER && state.ko == Some(self.target);
            return (!returns).then_some(ATTACKER);
        }
        (state.passes == 2).then_some(DEFENDER)
    }
}
