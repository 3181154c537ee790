//! Random games to the end, with enough sense that their results mean something.
//!
//! A move answers the last one if there is something to answer: stones in atari are taken or saved, the vital point of a small
//! room is played, a shape next to the last move is completed. Else a point is drawn at random that is neither an own eye nor puts
//! several own stones into atari. After S. Gelly and others (2006), see [`pattern`](super::pattern).

use super::pattern;
use crate::board::{Board, Cell};
use crate::point::{Color, Move, Point};
use crate::search::chance::Chance;
use crate::search::sense::{answer_to_atari, sensible};

/// Out of a hundred random moves so many look for each kind of answer to the last one.
const ANSWERS: [usize; 4] = [90, 60, 85, 25];

/// Where nothing is, in the list of empty points.
const NOWHERE: u16 = u16::MAX;

/// A board for playouts, with what they note.
pub(super) struct Playout {
    pub(super) board: Board,
    points: Vec<Point>,
    /// The empty points, and the place of each in this list.
    empty: Vec<Point>,
    place: Vec<u16>,
    /// Who played first on a point in this run, and the run.
    pub(super) first: Vec<(u32, Color)>,
    run: u32,
    pub(super) chance: Chance,
    list: Vec<Point>,
}

impl Playout {
    pub(super) fn new(board: &Board, seed: u64) -> Playout {
        let cells = board.grid().cells();
        Playout {
            board: board.clone(),
            points: board.grid().points().collect(),
            empty: Vec::new(),
            place: vec![NOWHERE; cells],
            first: vec![(0, Color::Black); cells],
            run: 0,
            chance: Chance::new(seed),
            list: Vec::new(),
        }
    }

    /// Goes back to a position and begins a run.
    pub(super) fn begin(&mut self, from: &Board) {
        self.board.copy_from(from);
        self.run += 1;
    }

    /// Whether this side was the first to play on a point in this run.
    #[inline]
    pub(super) fn was_first(&self, color: Color, point: Point) -> bool {
        self.first[point.index()] == (self.run, color)
    }

    /// Makes a move, and notes it.
    #[inline]
    pub(super) fn play(&mut self, color: Color, action: Move) -> usize {
        if let Move::Play(point) = action {
            let first = &mut self.first[point.index()];
            if first.0 != self.run {
                *first = (self.run, color);
            }
        }
        self.board.play(color, action)
    }

    /// Plays on at random to the end.
    pub(super) fn finish(&mut self, mut turn: Color, mut last: [Option<Point>; 2], mut passes: u32) {
        self.list_empty();
        let most = 3 * self.points.len();
        for _ in 0..most {
            if passes >= 2 {
                return;
            }
            let Some(point) = self.pick(turn, last) else {
                self.board.play(turn, Move::Pass);
                (last, turn, passes) = ([None, last[0]], turn.other(), passes + 1);
                continue;
            };
            let taken = self.play(turn, Move::Play(point));
            self.fill(point);
            if taken > 0 {
                self.list.clear();
                self.list.extend(self.board.vacated());
                for i in 0..self.list.len() {
                    self.vacate(self.list[i]);
                }
            }
            (last, turn, passes) = ([Some(point), last[0]], turn.other(), 0);
        }
    }

    fn list_empty(&mut self) {
        self.empty.clear();
        for i in 0..self.points.len() {
            let point = self.points[i];
            self.place[point.index()] = NOWHERE;
            if self.board.is_empty(point) {
                self.vacate(point);
            }
        }
    }

    fn vacate(&mut self, point: Point) {
        self.place[point.index()] = self.empty.len() as u16;
        self.empty.push(point);
    }

    fn fill(&mut self, point: Point) {
        let at = std::mem::replace(&mut self.place[point.index()], NOWHERE);
        self.empty.swap_remove(at as usize);
        if let Some(&moved) = self.empty.get(at as usize) {
            self.place[moved.index()] = at;
        }
    }

    fn may(&mut self, kind: usize) -> bool {
        self.chance.below(100) < ANSWERS[kind]
    }

    fn pick(&mut self, color: Color, last: [Option<Point>; 2]) -> Option<Point> {
        if let Some(last) = last[0]
            && let Some(point) = self.answer(color, last)
        {
            return Some(point);
        }
        if let Some(before) = last[1]
            && self.may(3)
            && let Some(point) = self.shape(color, before)
        {
            return Some(point);
        }
        self.any(color)
    }

    /// A move that the last one asks for.
    fn answer(&mut self, color: Color, last: Point) -> Option<Point> {
        if self.may(0)
            && let Some(point) =
                answer_to_atari(&self.board, color, last, |point| self.board.check(color, point).is_ok())
        {
            return Some(point);
        }
        if self.may(1)
            && let Some(point) = nakade(&self.board, color, last)
        {
            return Some(point);
        }
        if self.may(2) { self.shape(color, last) } else { None }
    }

    /// A shape next to a move.
    fn shape(&mut self, color: Color, near: Point) -> Option<Point> {
        let board = &self.board;
        let (mut found, mut count) = ([near; 8], 0);
        for point in board.around(near).into_iter().chain(board.diagonals(near)) {
            if board.cell(point) == Cell::Empty
                && pattern::suggests(board, color, point)
                && board.check(color, point).is_ok()
                && sensible(board, color, point)
            {
                found[count] = point;
                count += 1;
            }
        }
        (count > 0).then(|| found[self.chance.below(count)])
    }

    /// Any move that makes sense.
    fn any(&mut self, color: Color) -> Option<Point> {
        let count = self.empty.len();
        if count == 0 {
            return None;
        }
        let start = self.chance.below(count);
        (0..count)
            .map(|i| self.empty[(start + i) % count])
            .find(|&point| self.board.check(color, point).is_ok() && sensible(&self.board, color, point))
    }

    /// Points of black minus points of white at the end, by area; what either side owns is told to `owner`.
    pub(super) fn score(&self, owner: &mut impl FnMut(Point, Color)) -> i32 {
        let mut score = 0;
        for &point in &self.points {
            if let Some(color) = owner_of(&self.board, point) {
                score += if color == Color::Black { 1 } else { -1 };
                owner(point, color);
            }
        }
        score
    }
}

/// The owner of a point at the end of a playout: the stone on it, or the only colour next to it.
fn owner_of(board: &Board, point: Point) -> Option<Color> {
    if let Some(color) = board.cell(point).color() {
        return Some(color);
    }
    let mut owner = None;
    for n in board.around(point) {
        if let Some(color) = board.cell(n).color() {
            if owner.is_some_and(|known| known != color) {
                return None;
            }
            owner = Some(color);
        }
    }
    owner
}

/// The vital point of a small room of the other side, or of one's own, next to the last move.
pub(super) fn nakade(board: &Board, color: Color, last: Point) -> Option<Point> {
    board.around(last).into_iter().chain(board.diagonals(last)).find_map(|start| {
        let vital = board.is_empty(start).then(|| vital_point(board, start))??;
        board.check(color, vital).is_ok().then_some(vital)
    })
}

/// Rooms of more points have no single vital point.
const LARGEST: usize = 6;

/// The vital point of the room around an empty point, if stones of one colour shut it in and its shape has one.
fn vital_point(board: &Board, start: Point) -> Option<Point> {
    let (mut room, mut count) = ([start; LARGEST], 1);
    let (mut next, mut owner) = (0, None);
    while next < count {
        for n in board.around(room[next]) {
            match board.cell(n) {
                Cell::Border => {}
                Cell::Empty => {
                    if !room[..count].contains(&n) {
                        *room.get_mut(count)? = n;
                        count += 1;
                    }
                }
                cell => {
                    if owner.is_some_and(|known| known != cell) {
                        return None;
                    }
                    owner = Some(cell);
                }
            }
        }
        next += 1;
    }
    let room = &room[..count];
    let degree = |p: Point| board.around(p).into_iter().filter(|n| room.contains(n)).count();
    let edges = room.iter().map(|&p| degree(p)).sum::<usize>() / 2;
    let central = *room.iter().max_by_key(|&&p| degree(p))?;
    // Three in a row or bent, the pyramid, the bulky and the crossed five, the rabbity six.
    let vital =
        matches!((count, degree(central), edges), (3, 2, _) | (4, 3, 3) | (5, 4, 4) | (5, 3, 5) | (6, 4, 6));
    vital.then_some(central)
}
