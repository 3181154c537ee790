//! The checker: replays a proof with slow rules of its own.
//!
//! It shares no line with the board and the searches: strings are found by walking, captures by counting, positions are
//! compared as they are. Every reply in the stated region has to be answered by the tree, and every end has to be one: the target
//! taken, alive after Benson, out of the region, or decided by trying everything in the few points that are left. The side that
//! is not favoured in kos must not need a repetition; the favoured one may.

use std::collections::{HashMap, HashSet};

use counterplay_base::{Budget, Limit};

use crate::board::{Cell, Suicide};
use crate::point::{Color, Move, Point};
use crate::problem::Problem;
use crate::search::Side;
use crate::solve::{Class, Solution};
use crate::tree::Step;

/// What is wrong with a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// The tree has no answer in this position.
    #[error("no answer in the position\n{0}")]
    NoAnswer(String),
    /// The answer is not allowed by the rules.
    #[error("an answer that is not allowed in the position\n{0}")]
    Illegal(String),
    /// The position comes back, and the winner may not repeat.
    #[error("the winner repeats the position\n{0}")]
    Repetition(String),
    /// It is not the end that it is said to be.
    #[error("the end is not decided\n{0}")]
    Open(String),
    /// The proof is too long to be replayed by slow rules.
    #[error("the proof is too long to be replayed")]
    Long,
    /// A limit ended the check.
    #[error("{0}")]
    Limit(Limit),
}

/// So many points are looked at, all positions together, before a proof counts as too long.
const MOST: usize = 1_500_000;

/// Ends with at most so many empty points in the region are decided by trying everything.
const FEW: usize = 4;

/// Replays the proof of a solution; `false` if it claims none, its tree is not written out in full, or it is too long.
pub fn verify(problem: &Problem, solution: &Solution, budget: &Budget) -> Result<bool, Flaw> {
    if !solution.tier.is_proof() || solution.class == Class::None || !solution.complete {
        return Ok(false);
    }
    let Some(first) = solution.tree.first() else { return Ok(false) };
    let grid = problem.board.grid();
    let (width, height) = (grid.width(), grid.height());
    let place = |p: Point| {
        let (column, row) = grid.place(p);
        row * width + column
    };
    let defender = problem.defender();
    let mut cells = vec![0u8; width * height];
    for p in grid.points() {
        cells[place(p)] = match problem.board.cell(p) {
            Cell::Black => number(Color::Black),
            Cell::White => number(Color::White),
            _ => 0,
        };
    }
    let rules = Rules {
        width,
        height,
        region: solution.zone.iter().map(|&p| place(p)).collect(),
        target: place(problem.target),
        friend: problem.goal.friend().map(place),
        defender: number(defender),
        favoured: number(if solution.favoured == Side::Defender { defender } else { defender.other() }),
        safe: solution.safe,
        suicide: problem.board.suicide() == Suicide::OfSeveral,
    };
    // The frame: points that the attacker is taken to own, as far as there is room for a stone.
    let mut start = Position { cells, turn: number(defender.other()), ko: None };
    for &p in &solution.framed {
        if let Some(next) = rules.play(&start, Some(place(p)), true) {
            start = Position { turn: number(defender.other()), ko: None, ..next };
        }
    }
    start.turn = number(problem.to_move);
    let left = MOST / (width * height);
    let mut check =
        Check { rules, answers: HashMap::new(), done: HashSet::new(), path: Vec::new(), left, budget };
    check.learn(&start, first, number(problem.to_move), &place);
    match check.walk(&start, number(problem.to_move)) {
        Ok(()) => Ok(true),
        Err(Flaw::Long) => Ok(false),
        Err(flaw) => Err(flaw),
    }
}

fn number(color: Color) -> u8 {
    match color {
        Color::Black => 1,
        Color::White => 2,
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Position {
    cells: Vec<u8>,
    turn: u8,
    ko: Option<usize>,
}

struct Rules {
    width: usize,
    height: usize,
    region: HashSet<usize>,
    target: usize,
    friend: Option<usize>,
    defender: u8,
    favoured: u8,
    safe: usize,
    /// Whether several stones may take themselves off.
    suicide: bool,
}

impl Rules {
    fn next_to(&self, at: usize) -> Vec<usize> {
        let (column, row) = (at % self.width, at / self.width);
        let mut found = Vec::new();
        if column > 0 {
            found.push(at - 1);
        }
        if column + 1 < self.width {
            found.push(at + 1);
        }
        if row > 0 {
            found.push(at - self.width);
        }
        if row + 1 < self.height {
            found.push(at + self.width);
        }
        found
    }

    /// The stones connected with this one, and their liberties.
    fn string(&self, cells: &[u8], at: usize) -> (HashSet<usize>, HashSet<usize>) {
        let (mut stones, mut liberties) = (HashSet::from([at]), HashSet::new());
        let mut open = vec![at];
        while let Some(p) = open.pop() {
            for n in self.next_to(p) {
                if cells[n] == 0 {
                    liberties.insert(n);
                } else if cells[n] == cells[at] && stones.insert(n) {
                    open.push(n);
                }
            }
        }
        (stones, liberties)
    }

    /// The position after a move; `None` if the rules forbid it.
    fn play(&self, position: &Position, at: Option<usize>, anywhere: bool) -> Option<Position> {
        let (turn, other) = (position.turn, 3 - position.turn);
        let Some(at) = at else {
            return Some(Position { cells: position.cells.clone(), turn: other, ko: None });
        };
        let forbidden = position.ko == Some(at) && turn != self.favoured;
        if position.cells[at] != 0 || forbidden || !(anywhere || self.region.contains(&at)) {
            return None;
        }
        let mut cells = position.cells.clone();
        cells[at] = turn;
        let mut taken = Vec::new();
        for n in self.next_to(at) {
            if cells[n] == other {
                let (stones, liberties) = self.string(&cells, n);
                if liberties.is_empty() {
                    for stone in stones {
                        cells[stone] = 0;
                        taken.push(stone);
                    }
                }
            }
        }
        let (own, liberties) = self.string(&cells, at);
        if liberties.is_empty() {
            if !self.suicide || own.len() == 1 {
                return None;
            }
            for stone in own {
                cells[stone] = 0;
            }
            return Some(Position { cells, turn: other, ko: None });
        }
        let ko = (taken.len() == 1 && own.len() == 1 && liberties.len() == 1).then(|| taken[0]);
        Some(Position { cells, turn: other, ko })
    }

    fn moves(&self, position: &Position) -> Vec<(Option<usize>, Position)> {
        let mut region: Vec<usize> = self.region.iter().copied().collect();
        region.sort_unstable();
        let mut found: Vec<(Option<usize>, Position)> = region
            .into_iter()
            .filter_map(|at| self.play(position, Some(at), false).map(|next| (Some(at), next)))
            .collect();
        if position.turn == self.defender {
            found.extend(self.play(position, None, false).map(|next| (None, next)));
        }
        found
    }

    /// Who has won by the stones and liberties of the target.
    fn end(&self, position: &Position) -> Option<u8> {
        let attacker = 3 - self.defender;
        if position.cells[self.target] != self.defender {
            let returns = self.favoured == self.defender
                && position.turn == self.defender
                && position.ko == Some(self.target);
            return (!returns).then_some(attacker);
        }
        let (stones, liberties) = self.string(&position.cells, self.target);
        if let Some(friend) = self.friend {
            if position.cells[friend] != self.defender {
                return Some(attacker);
            }
            return stones.contains(&friend).then_some(self.defender);
        }
        let out = liberties.iter().any(|p| !self.region.contains(p));
        if out || liberties.len() >= self.safe || self.is_alive(position) {
            return Some(self.defender);
        }
        None
    }

    /// Benson's theorem, from its definition: chains, the regions between them, and what is left after striking out.
    fn is_alive(&self, position: &Position) -> bool {
        let cells = &position.cells;
        let mut chains: Vec<(HashSet<usize>, HashSet<usize>)> = Vec::new();
        let mut regions: Vec<HashSet<usize>> = Vec::new();
        for at in 0..cells.len() {
            if cells[at] == self.defender {
                if !chains.iter().any(|(stones, _)| stones.contains(&at)) {
                    chains.push(self.string(cells, at));
                }
            } else if !regions.iter().any(|region| region.contains(&at)) {
                let mut region = HashSet::from([at]);
                let mut open = vec![at];
                while let Some(p) = open.pop() {
                    for n in self.next_to(p) {
                        if cells[n] != self.defender && region.insert(n) {
                            open.push(n);
                        }
                    }
                }
                regions.push(region);
            }
        }
        let touches = |chain: &HashSet<usize>, region: &HashSet<usize>| {
            region.iter().any(|&p| self.next_to(p).iter().any(|n| chain.contains(n)))
        };
        let vital = |liberties: &HashSet<usize>, region: &HashSet<usize>| {
            region.iter().all(|p| cells[*p] != 0 || liberties.contains(p))
        };
        loop {
            let before = chains.len();
            let kept: Vec<(HashSet<usize>, HashSet<usize>)> = chains
                .iter()
                .filter(|(stones, liberties)| {
                    regions.iter().filter(|r| touches(stones, r) && vital(liberties, r)).count() >= 2
                })
                .cloned()
                .collect();
            let struck: Vec<HashSet<usize>> = chains
                .iter()
                .filter(|(stones, _)| !kept.iter().any(|(other, _)| other == stones))
                .map(|(stones, _)| stones.clone())
                .collect();
            regions.retain(|region| !struck.iter().any(|stones| touches(stones, region)));
            chains = kept;
            if chains.len() == before {
                return chains.iter().any(|(stones, _)| stones.contains(&self.target));
            }
        }
    }

    /// Tries everything; whether this side wins. A position that comes back is won by the favoured side.
    fn wins(&self, position: &Position, side: u8, path: &mut Vec<Position>, left: &mut u32) -> Option<bool> {
        *left = left.checked_sub(1)?;
        if let Some(winner) = self.end(position) {
            return Some(winner == side);
        }
        if path.contains(position) {
            return Some(self.favoured == side);
        }
        path.push(position.clone());
        let own = position.turn == side;
        let mut result = Some(!own);
        for (_, next) in self.moves(position) {
            match self.wins(&next, side, path, left) {
                None => {
                    result = None;
                    break;
                }
                Some(won) if won == own => {
                    result = Some(own);
                    break;
                }
                Some(_) => {}
            }
        }
        path.pop();
        result
    }

    fn show(&self, position: &Position) -> String {
        let mut text = String::new();
        for (i, &cell) in position.cells.iter().enumerate() {
            text.push(match cell {
                1 => 'X',
                2 => 'O',
                _ if self.region.contains(&i) => '.',
                _ => ' ',
            });
            text.push(if (i + 1) % self.width == 0 { '\n' } else { ' ' });
        }
        text
    }
}

struct Check<'a> {
    rules: Rules,
    /// What the tree says in positions in which it is the winner's turn.
    answers: HashMap<Position, Option<usize>>,
    done: HashSet<Position>,
    path: Vec<Position>,
    /// Positions that may still be looked at.
    left: usize,
    budget: &'a Budget,
}

impl Check<'_> {
    /// Learns the winner's moves from the tree.
    fn learn(&mut self, at: &Position, step: &Step, winner: u8, place: &dyn Fn(Point) -> usize) {
        let mut open = vec![(at.clone(), step)];
        while let Some((position, step)) = open.pop() {
            let to = match step.action {
                Move::Play(point) => Some(place(point)),
                Move::Pass => None,
            };
            if position.turn == winner {
                self.answers.entry(position.clone()).or_insert(to);
            }
            if let Some(next) = self.rules.play(&position, to, false) {
                open.extend(step.replies.iter().map(|reply| (next.clone(), reply)));
            }
        }
    }

    fn walk(&mut self, position: &Position, winner: u8) -> Result<(), Flaw> {
        self.budget.check().map_err(Flaw::Limit)?;
        self.left = self.left.checked_sub(1).ok_or(Flaw::Long)?;
        let beginning = self.path.is_empty();
        if !beginning && let Some(won) = self.rules.end(position) {
            return if won == winner { Ok(()) } else { Err(Flaw::Open(self.rules.show(position))) };
        }
        if self.path.contains(position) {
            return if winner == self.rules.favoured {
                Ok(())
            } else {
                Err(Flaw::Repetition(self.rules.show(position)))
            };
        }
        if self.done.contains(position) {
            return Ok(());
        }
        self.path.push(position.clone());
        let result = self.turn(position, winner);
        self.path.pop();
        result?;
        self.done.insert(position.clone());
        Ok(())
    }

    fn turn(&mut self, position: &Position, winner: u8) -> Result<(), Flaw> {
        if position.turn != winner {
            for (_, next) in self.rules.moves(position) {
                self.walk(&next, winner)?;
            }
            return Ok(());
        }
        let Some(&answer) = self.answers.get(position) else {
            // The tree ends here: the few points left are tried out.
            if self.rules.moves(position).iter().any(|(_, next)| self.rules.end(next) == Some(winner)) {
                return Ok(());
            }
            let empty = self.rules.region.iter().filter(|&&p| position.cells[p] == 0).count();
            let mut left = 200_000;
            let won =
                empty <= FEW && self.rules.wins(position, winner, &mut Vec::new(), &mut left) == Some(true);
            return if won { Ok(()) } else { Err(Flaw::NoAnswer(self.rules.show(position))) };
        };
        match self.rules.play(position, answer, false) {
            Some(next) => self.walk(&next, winner),
            None => Err(Flaw::Illegal(self.rules.show(position))),
        }
    }
}
