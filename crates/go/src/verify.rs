//! The checker: replays a proof with slow rules of its own.
//!
//! It shares no line with the board and the searches: strings are found by walking, captures by counting, positions are
//! compared as they are. It first tests the region by itself: whatever is next to it outside must be a stone of the attacker whose
//! string has a liberty outside, or something outside could change the answer. Then every reply in the region has to be answered by
//! the tree, and every end has to be one: the target taken, alive after Benson, or decided by trying everything in the few points
//! that are left. The side that is not favoured in kos must not need a repetition; the favoured one may. Where the attacker claims to
//! win, each pass of the defender is counted as a stone on a liberty outside of every surrounding string, and the claim fails when
//! one of them has none left; only strings that are alive after Benson without the region are exempt.

use std::collections::{HashMap, HashSet};

use counterplay_base::{Budget, Limit, Verdict};

use crate::board::{Cell, Suicide};
use crate::claim::Claim;
use crate::point::{Color, Move, Point};
use crate::problem::Problem;
use crate::search::{Side, Stake};
use crate::solve::{Class, Solution};
use crate::tree::Step;
use crate::zone::Zone;

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
    /// The attacker, who would win by repetition, takes his own stones off: he could go round for ever while the defender passes,
    /// and that is no success.
    #[error("the winner takes his own stones off\n{0}")]
    Idle(String),
    /// Something next to the region can change what happens in it.
    #[error("the region leaves out what is next to it\n{0}")]
    Leak(String),
    /// The claims are not those that the answer needs.
    #[error("the answer does not follow from what is claimed")]
    Claims,
    /// The proof is too long to be replayed by slow rules.
    #[error("the proof is too long to be replayed")]
    Long,
    /// A limit ended the check.
    #[error("{0}")]
    Limit(Limit),
}

/// So many points are looked at, all positions together, before a proof counts as too long.
const MOST: usize = 1_500_000;

/// No line is tried out any longer.
const LONGEST: usize = 200;

/// Ends with at most so many empty points in the region are decided by trying everything.
const FEW: usize = 4;

/// Replays the proof of a solution; `false` if it claims none, its tree is not written out in full, or it is too long.
pub fn verify(problem: &Problem, solution: &Solution, budget: &Budget) -> Result<bool, Flaw> {
    let success = match &solution.verdict {
        Verdict::Solved(success) => Some(success),
        Verdict::Unsolvable => None,
        Verdict::Stopped(_) => return Ok(false),
    };
    let success = success.map(|success| (success.action, success.class));
    verify_claims(problem, success, &solution.region.points, &solution.claims, budget)
}

/// Replays claims that together are to prove a success by a move, or that there is none; `false` if one is not written out in full or too long.
pub fn verify_claims(
    problem: &Problem,
    success: Option<(Move, Class)>,
    region: &[Point],
    claims: &[Claim],
    budget: &Budget,
) -> Result<bool, Flaw> {
    let found: Vec<(Side, Side, Stake)> =
        claims.iter().map(|claim| (claim.winner, claim.favoured, claim.stake)).collect();
    let first = claims.first().and_then(|claim| claim.tree.first()).map(|step| step.action);
    let stated = success.is_none_or(|(action, _)| first == Some(action));
    if !needed(problem, success.map(|(_, class)| class)).contains(&found) || !stated {
        return Err(Flaw::Claims);
    }
    let mut whole = true;
    for claim in claims {
        whole &= replay(problem, region, claim, budget)?;
    }
    Ok(whole)
}

/// What may be claimed for a success of a class, or for no success: who wins, who is favoured, and what the defender has to achieve.
fn needed(problem: &Problem, class: Option<Class>) -> Vec<Vec<(Side, Side, Stake)>> {
    use Side::{Attacker, Defender};
    use Stake::{Capture, Eyes};
    match (class, problem.goal.is_defence()) {
        (Some(Class::Clean), false) => vec![vec![(Attacker, Defender, Capture)]],
        (Some(Class::Ko), false) => vec![vec![(Attacker, Attacker, Capture), (Defender, Defender, Capture)]],
        (None, false) => vec![vec![(Defender, Attacker, Capture)]],
        // Two eyes are more than is needed, unless strings are to be joined.
        (Some(Class::Clean), true) if problem.goal.friend().is_some() => {
            vec![vec![(Defender, Attacker, Capture)]]
        }
        (Some(Class::Clean), true) => {
            vec![vec![(Defender, Attacker, Capture)], vec![(Defender, Attacker, Eyes)]]
        }
        (Some(Class::Seki), true) => vec![vec![(Defender, Attacker, Capture), (Attacker, Attacker, Eyes)]],
        (Some(Class::Ko), true) => vec![vec![(Defender, Defender, Capture), (Attacker, Attacker, Capture)]],
        (None, true) => vec![vec![(Attacker, Defender, Capture)]],
        (Some(Class::Seki), false) => Vec::new(),
    }
}

/// Replays one claim about the whole board; `false` if it is not written out in full or too long.
pub fn replay(problem: &Problem, region: &[Point], claim: &Claim, budget: &Budget) -> Result<bool, Flaw> {
    let (mut rules, start) = set_up(problem, region, claim);
    if !rules.is_sealed(&start.cells) {
        return Err(Flaw::Leak(rules.show(&start)));
    }
    rules.sealed = true;
    if claim.winner == Side::Attacker {
        rules.immortal = rules.alive(&start.cells, 3 - rules.defender, true);
        // If no string around the region could ever fall from outside, passes need not be counted.
        rules.pressed = rules.is_wall_broken(&Position { presses: usize::MAX, ..start.clone() });
    }
    replay_from(problem, rules, &start, claim, budget)
}

/// Replays a claim about a zone outside which neither side plays; with `safe` liberties the target is safe, if that is given.
pub(crate) fn replay_in_zone(
    problem: &Problem,
    zone: &Zone,
    safe: Option<usize>,
    claim: &Claim,
    budget: &Budget,
) -> Result<bool, Flaw> {
    let (mut rules, mut start) = set_up(problem, zone.points(), claim);
    rules.safe = safe;
    // The frame: points that the attacker is taken to own, as far as there is room for a stone.
    let attacker = 3 - rules.defender;
    for &p in zone.framed() {
        start.turn = attacker;
        if let Some(next) = rules.play(&start, Some(place(problem, p)), true) {
            start = Position { ko: None, ..next };
        }
    }
    start.turn = number(problem.to_move);
    replay_from(problem, rules, &start, claim, budget)
}

fn place(problem: &Problem, point: Point) -> usize {
    let grid = problem.board.grid();
    let (column, row) = grid.place(point);
    row * grid.width() + column
}

/// The rules of a claim's game, and the position in which it begins.
fn set_up(problem: &Problem, region: &[Point], claim: &Claim) -> (Rules, Position) {
    let grid = problem.board.grid();
    let (width, height) = (grid.width(), grid.height());
    let defender = problem.defender();
    let mut cells = vec![0u8; width * height];
    for p in grid.points() {
        cells[place(problem, p)] = match problem.board.cell(p) {
            Cell::Black => number(Color::Black),
            Cell::White => number(Color::White),
            _ => 0,
        };
    }
    let rules = Rules {
        width,
        height,
        region: region.iter().map(|&p| place(problem, p)).collect(),
        target: place(problem, problem.target),
        friend: problem.goal.friend().map(|p| place(problem, p)),
        defender: number(defender),
        favoured: number(if claim.favoured == Side::Defender { defender } else { defender.other() }),
        eyes: claim.stake == Stake::Eyes,
        safe: None,
        suicide: problem.board.suicide() == Suicide::OfSeveral,
        sealed: false,
        pressed: false,
        immortal: HashSet::new(),
    };
    let ko = problem.board.ko().map(|p| place(problem, p));
    let start = Position { cells, turn: number(problem.to_move), ko, presses: 0 };
    (rules, start)
}

fn replay_from(
    problem: &Problem,
    rules: Rules,
    start: &Position,
    claim: &Claim,
    budget: &Budget,
) -> Result<bool, Flaw> {
    if !claim.complete {
        return Ok(false);
    }
    let winner = if claim.winner == Side::Defender { rules.defender } else { 3 - rules.defender };
    let left = MOST / (rules.width * rules.height);
    let mut check =
        Check { rules, answers: HashMap::new(), done: HashSet::new(), path: HashSet::new(), left, budget };
    for step in &claim.tree {
        check.learn(start, step, winner, &|p| place(problem, p));
    }
    match check.walk(start, winner) {
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
    /// Passes of the defender, if they count.
    presses: usize,
}

struct Rules {
    width: usize,
    height: usize,
    region: HashSet<usize>,
    target: usize,
    friend: Option<usize>,
    defender: u8,
    favoured: u8,
    safe: Option<usize>,
    /// Whether the defender has to make two eyes.
    eyes: bool,
    /// Whether several stones may take themselves off.
    suicide: bool,
    /// Whether nothing can get out of the region.
    sealed: bool,
    /// Whether passes of the defender count against the strings around the region.
    pressed: bool,
    /// Stones of the attacker that cannot be taken from outside.
    immortal: HashSet<usize>,
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
        let presses = position.presses;
        let Some(at) = at else {
            let presses = presses + usize::from(self.pressed && turn == self.defender);
            return Some(Position { cells: position.cells.clone(), turn: other, ko: None, presses });
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
            return Some(Position { cells, turn: other, ko: None, presses });
        }
        let ko = (taken.len() == 1 && own.len() == 1 && liberties.len() == 1).then(|| taken[0]);
        Some(Position { cells, turn: other, ko, presses })
    }

    fn moves(&self, position: &Position) -> Vec<(Option<usize>, Position)> {
        let mut region: Vec<usize> = self.region.iter().copied().collect();
        region.sort_unstable();
        let mut found: Vec<(Option<usize>, Position)> = region
            .into_iter()
            .filter_map(|at| self.play(position, Some(at), false).map(|next| (Some(at), next)))
            .collect();
        if position.turn == self.defender || self.eyes {
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
            let joined = stones.contains(&friend);
            return (joined || self.is_wall_broken(position)).then_some(self.defender);
        }
        let out = !self.sealed && liberties.iter().any(|p| !self.region.contains(p));
        if out
            || self.safe.is_some_and(|safe| liberties.len() >= safe)
            || self.is_wall_broken(position)
            || self.alive(&position.cells, self.defender, false).contains(&self.target)
        {
            return Some(self.defender);
        }
        None
    }

    /// Whether nothing outside can change what happens in the region, as long as the strings around it stand.
    fn is_sealed(&self, cells: &[u8]) -> bool {
        let within = self.region.contains(&self.target)
            && self.friend.is_none_or(|friend| self.region.contains(&friend));
        within
            && self.region.iter().all(|&at| {
                self.next_to(at).into_iter().filter(|n| !self.region.contains(n)).all(|n| {
                    cells[n] == 3 - self.defender
                        && self.string(cells, n).1.iter().any(|liberty| !self.region.contains(liberty))
                })
            })
    }

    /// Whether so many stones outside as the defender has passed might take the last liberty there of a string of the attacker.
    fn is_wall_broken(&self, position: &Position) -> bool {
        if position.presses == 0 {
            return false;
        }
        let near: HashSet<usize> =
            self.region.iter().flat_map(|&at| self.next_to(at).into_iter().chain([at])).collect();
        near.into_iter().filter(|&at| position.cells[at] == 3 - self.defender).any(|at| {
            let (stones, liberties) = self.string(&position.cells, at);
            let outside = liberties.iter().filter(|p| !self.region.contains(p)).count();
            outside > 0 && outside <= position.presses && stones.is_disjoint(&self.immortal)
        })
    }

    /// Whether a move of the attacker takes his own stones off where a repetition would be his win.
    fn is_idle(&self, position: &Position, next: &Position, winner: u8) -> bool {
        let count = |cells: &[u8]| cells.iter().filter(|&&cell| cell == winner).count();
        winner != self.defender && winner == self.favoured && count(&next.cells) < count(&position.cells)
    }

    /// Benson's theorem, from its definition: chains, the regions between them, and what is left after striking out. The stones of
    /// a colour that are alive whatever happens; `barred` leaves out what the searched region has a part in.
    fn alive(&self, cells: &[u8], color: u8, barred: bool) -> HashSet<usize> {
        let mut chains: Vec<(HashSet<usize>, HashSet<usize>)> = Vec::new();
        let mut regions: Vec<HashSet<usize>> = Vec::new();
        for at in 0..cells.len() {
            if cells[at] == color {
                if !chains.iter().any(|(stones, _)| stones.contains(&at)) {
                    chains.push(self.string(cells, at));
                }
            } else if !regions.iter().any(|region| region.contains(&at)) {
                let mut region = HashSet::from([at]);
                let mut open = vec![at];
                while let Some(p) = open.pop() {
                    for n in self.next_to(p) {
                        if cells[n] != color && region.insert(n) {
                            open.push(n);
                        }
                    }
                }
                regions.push(region);
            }
        }
        if barred {
            regions.retain(|region| region.is_disjoint(&self.region));
        }
        let touches = |chain: &HashSet<usize>, region: &HashSet<usize>| {
            region.iter().any(|&p| self.next_to(p).iter().any(|n| chain.contains(n)))
        };
        let vital = |liberties: &HashSet<usize>, region: &HashSet<usize>| {
            region.iter().all(|p| cells[*p] != 0 || liberties.contains(p))
        };
        // Stones in a region may take themselves off where the rules allow it: then their points have to be next to the chain, too.
        let safe = |stones: &HashSet<usize>, region: &HashSet<usize>| {
            !self.suicide || region.iter().all(|&p| self.next_to(p).iter().any(|n| stones.contains(n)))
        };
        loop {
            let before = chains.len();
            let kept: Vec<(HashSet<usize>, HashSet<usize>)> = chains
                .iter()
                .filter(|(stones, liberties)| {
                    regions
                        .iter()
                        .filter(|r| touches(stones, r) && vital(liberties, r) && safe(stones, r))
                        .count()
                        >= 2
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
                return chains.into_iter().flat_map(|(stones, _)| stones).collect();
            }
        }
    }

    /// Tries everything; whether this side wins. A position that comes back is won by the favoured side.
    fn wins(&self, position: &Position, side: u8, path: &mut Vec<Position>, left: &mut u32) -> Option<bool> {
        *left = left.checked_sub(1).filter(|_| path.len() < LONGEST)?;
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
            if own && self.is_idle(position, &next, side) {
                continue;
            }
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
    path: HashSet<Position>,
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

    /// Goes through all positions that can be reached against the tree, depth first, with a stack of its own: lines may be long.
    fn walk(&mut self, start: &Position, winner: u8) -> Result<(), Flaw> {
        let mut line: Vec<(Position, Vec<Position>)> = Vec::new();
        let mut waiting = Some(start.clone());
        loop {
            if let Some(position) = waiting.take() {
                self.budget.check().map_err(Flaw::Limit)?;
                self.left = self.left.checked_sub(1).ok_or(Flaw::Long)?;
                if self.is_settled(&position, winner, line.is_empty())? {
                    continue;
                }
                let next = self.next(&position, winner)?;
                self.path.insert(position.clone());
                line.push((position, next));
            }
            let Some((_, next)) = line.last_mut() else { return Ok(()) };
            waiting = next.pop();
            if waiting.is_none()
                && let Some((position, _)) = line.pop()
            {
                self.path.remove(&position);
                self.done.insert(position);
            }
        }
    }

    /// Whether nothing is left to be shown of a position.
    fn is_settled(&self, position: &Position, winner: u8, beginning: bool) -> Result<bool, Flaw> {
        if !beginning && let Some(won) = self.rules.end(position) {
            return if won == winner { Ok(true) } else { Err(Flaw::Open(self.rules.show(position))) };
        }
        if self.path.contains(position) && winner != self.rules.favoured {
            return Err(Flaw::Repetition(self.rules.show(position)));
        }
        Ok(self.path.contains(position) || self.done.contains(position))
    }

    /// What may follow: every move of the loser, the answer of the winner.
    fn next(&self, position: &Position, winner: u8) -> Result<Vec<Position>, Flaw> {
        if position.turn != winner {
            return Ok(self.rules.moves(position).into_iter().map(|(_, next)| next).collect());
        }
        let Some(&answer) = self.answers.get(position) else {
            // The tree ends here: the few points left are tried out.
            if self.rules.moves(position).iter().any(|(_, next)| self.rules.end(next) == Some(winner)) {
                return Ok(Vec::new());
            }
            let empty = self.rules.region.iter().filter(|&&p| position.cells[p] == 0).count();
            let mut left = 200_000;
            let won =
                empty <= FEW && self.rules.wins(position, winner, &mut Vec::new(), &mut left) == Some(true);
            return if won { Ok(Vec::new()) } else { Err(Flaw::NoAnswer(self.rules.show(position))) };
        };
        match self.rules.play(position, answer, false) {
            Some(next) if self.rules.is_idle(position, &next, winner) => {
                Err(Flaw::Idle(self.rules.show(position)))
            }
            Some(next) => Ok(vec![next]),
            None => Err(Flaw::Illegal(self.rules.show(position))),
        }
    }
}
