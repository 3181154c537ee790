//! The part of the board that a search plays on.
//!
//! There are two kinds of zone. A [sealed](Zone::sealed) one is for proofs that hold on the whole board: every empty point and every
//! stone of the defender next to it belongs to it, and so does every string of the attacker whose liberties all do. What surrounds it
//! are strings of the attacker with liberties outside, the *walls*. Nothing that happens outside can change what is inside, as long
//! as the walls stand. A zone [around](Zone::around) a target is for estimates: it holds what can be reached from the target without
//! crossing the attacker's stones, up to a distance, and the liberties of walls that are short of them. There liberties outside are
//! never filled, so that a target with one of them has escaped and a wall with one of them cannot be taken.

use crate::benson::Benson;
use crate::board::{Board, Cell};
use crate::point::{Color, Point};

/// A set of points to play on.
#[derive(Clone, Debug)]
pub struct Zone {
    inside: Vec<bool>,
    points: Vec<Point>,
    closed: bool,
    framed: Vec<Point>,
    sealed: bool,
    walls: Vec<Wall>,
}

/// A string of the attacker next to a sealed zone that the defender might take from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wall {
    /// One of its stones.
    pub stone: Point,
    /// Its liberties outside the zone.
    pub outside: usize,
}

/// How far a zone reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Steps over empty points from the target, if it is not shut in.
    pub steps: usize,
    /// A wall with at most so many liberties outside is looked at as well.
    pub weak: usize,
    /// At most so many empty points.
    pub most: usize,
    /// The attacker owns points outside that are so near to his stones, if no friend of the target is nearer.
    pub owned: u8,
    /// How the ground around the target is gone over.
    pub spread: Spread,
    /// A wall around a target that is shut in is looked at if it has at most so many liberties outside.
    pub thin: usize,
}

/// How the ground around a target that is not shut in is gone over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Step by step over empty points, in all directions alike.
    Even,
    /// Along the fight: through strings of the other side that are short of liberties, and open ground last.
    Contact,
}

/// What can be reached is taken to be shut in up to so many empty points.
const SHUT_IN: usize = 26;

impl Zone {
    /// Whether a point belongs to it.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.inside[point.index()]
    }

    /// Its points, the nearest to the target first.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Whether the target cannot get out of it.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// A zone of just these points.
    pub fn of(board: &Board, points: &[Point]) -> Zone {
        let mut zone = Zone {
            inside: vec![false; board.grid().cells()],
            points: Vec::new(),
            closed: false,
            framed: Vec::new(),
            sealed: false,
            walls: Vec::new(),
        };
        for &point in points {
            zone.add(point);
        }
        zone
    }

    /// The smallest sealed zone that holds some stones of the defender; `None` if it has more than `most` empty points.
    pub fn sealed(board: &Board, stones: &[Point], most: usize) -> Option<Zone> {
        let mut zone = Zone::of(board, &[]);
        for &stone in stones {
            board.stones(stone).for_each(|p| zone.add(p));
        }
        zone.seal(board, board.cell(*stones.first()?).color()?, most).then_some(zone)
    }

    /// The smallest sealed zone with this one in it and without walls that could fall: they belong to it.
    pub fn grown(&self, board: &Board, most: usize) -> Option<Zone> {
        let mut zone = self.clone();
        let attacker = board.cell(zone.walls.first()?.stone).color()?;
        while !zone.walls.is_empty() {
            for wall in std::mem::take(&mut zone.walls) {
                board.stones(wall.stone).for_each(|p| zone.add(p));
            }
            if !zone.seal(board, attacker.other(), most) {
                return None;
            }
        }
        Some(zone)
    }

    /// Adds what is needed to make the zone a sealed one; `false` if it gets more than `most` empty points.
    fn seal(&mut self, board: &Board, defender: Color, most: usize) -> bool {
        let mut walls: Vec<Point> = Vec::new();
        let (mut next, mut empty) = (0, 0);
        loop {
            let before = self.points.len();
            while next < self.points.len() {
                let at = self.points[next];
                next += 1;
                empty += usize::from(board.is_empty(at));
                if empty > most {
                    return false;
                }
                // Stones of the attacker in the zone belong to it with all that is next to them; of those around it only liberties count.
                for n in board.around(at) {
                    match board.cell(n).color() {
                        Some(color) if color == defender => board.stones(n).for_each(|p| self.add(p)),
                        Some(_) if self.contains(n) || walls.contains(&board.head(n)) => {}
                        Some(_) => walls.push(board.head(n)),
                        None if board.is_empty(n) => self.add(n),
                        None => {}
                    }
                }
            }
            // Strings without a liberty outside can be taken by playing inside: they and what is next to them belong to the zone.
            let (standing, mortal): (Vec<Point>, Vec<Point>) =
                walls.iter().partition(|&&wall| self.outside_liberties(board, wall) > 0);
            walls = standing;
            for &stone in &mortal {
                board.stones(stone).for_each(|p| self.add(p));
            }
            if self.points.len() == before && next == before {
                break;
            }
        }
        self.closed = true;
        self.sealed = true;
        let mut benson = Benson::default();
        self.walls = walls
            .into_iter()
            .filter(|&stone| !benson.is_alive_without(board, stone, |p| self.contains(p)))
            .map(|stone| Wall { stone, outside: self.outside_liberties(board, stone) })
            .collect();
        true
    }

    /// Whether nothing outside can change what is inside as long as the walls stand.
    pub fn is_sealed(&self) -> bool {
        self.sealed
    }

    /// The walls of a sealed zone that are not alive whatever happens.
    pub fn walls(&self) -> &[Wall] {
        &self.walls
    }

    /// How many liberties of the string of a stone are outside.
    pub fn outside_liberties(&self, board: &Board, stone: Point) -> usize {
        let mut liberties = Vec::new();
        board.liberties_of(stone, &mut liberties);
        liberties.retain(|&p| !self.contains(p));
        liberties.len()
    }

    /// The zone around the string of a stone.
    pub fn around(board: &Board, target: Point, reach: Reach) -> Zone {
        let defender = board.cell(target).color().expect("the target is a stone");
        let whole = spread(board, &[target], defender, usize::MAX, SHUT_IN + 1);
        let empty = |points: &[Point]| points.iter().filter(|&&p| board.is_empty(p)).count();
        let closed = empty(&whole) <= SHUT_IN;
        let mut zone = Zone {
            inside: vec![false; board.grid().cells()],
            points: Vec::new(),
            closed,
            framed: Vec::new(),
            sealed: false,
            walls: Vec::new(),
        };
        let near = if closed {
            whole
        } else {
            match reach.spread {
                Spread::Even => spread(board, &[target], defender, reach.steps, reach.most),
                Spread::Contact => contact(board, target, reach),
            }
        };
        for &point in &near {
            zone.add(point);
        }
        zone.add_walls(board, defender.other(), reach);
        let inside = &zone.inside;
        zone.framed.retain(|p| !inside[p.index()]);
        if !closed {
            zone.frame(board, defender, reach.owned);
        }
        zone
    }

    /// Points outside where the attacker is so much nearer that the defender gains nothing by reaching them.
    pub fn framed(&self) -> &[Point] {
        &self.framed
    }

    /// Finds the points next to the zone that belong to the attacker: he is near, and no friend of the target is nearer.
    fn frame(&mut self, board: &Board, defender: Color, owned: u8) {
        let attacker = defender.other();
        let enemies: Vec<Point> =
            board.grid().points().filter(|&p| board.cell(p) == Cell::of(attacker)).collect();
        let friends: Vec<Point> =
            board.grid().points().filter(|&p| board.cell(p) == Cell::of(defender)).collect();
        let (to_enemy, to_friend) = (distances(board, &enemies), distances(board, &friends));
        for i in 0..self.points.len() {
            for n in board.around(self.points[i]) {
                let at = n.index();
                if board.is_empty(n)
                    && !self.inside[at]
                    && to_enemy[at] <= owned
                    && to_enemy[at] < to_friend[at]
                    && !self.framed.contains(&n)
                {
                    self.framed.push(n);
                }
            }
        }
    }

    fn add(&mut self, point: Point) {
        if !self.inside[point.index()] {
            self.inside[point.index()] = true;
            self.points.push(point);
        }
    }

    /// Adds the attacker's stones that can be taken, and the liberties of weak walls with the room next to them.
    fn add_walls(&mut self, board: &Board, attacker: Color, reach: Reach) {
        let mut heads: Vec<Point> = Vec::new();
        for i in 0..self.points.len() {
            for n in board.around(self.points[i]) {
                if board.cell(n) == Cell::of(attacker) && !heads.contains(&board.head(n)) {
                    heads.push(board.head(n));
                }
            }
        }
        let mut liberties = Vec::new();
        for head in heads {
            liberties.clear();
            board.liberties_of(head, &mut liberties);
            let outside = liberties.iter().filter(|&&p| !self.contains(p)).count();
            // Walls around a target that is shut in are there to hold: only those about to fall are looked at.
            if outside > if self.closed { reach.thin } else { reach.weak } {
                continue;
            }
            for stone in board.stones(head) {
                self.add(stone);
            }
            if outside == 0 {
                self.add_beyond(board, head);
            }
            for &liberty in &liberties {
                // Where a string is short of liberties, the points next to them count: there it grows.
                if !self.contains(liberty) || liberties.len() <= 3 {
                    self.add(liberty);
                    for n in board.around(liberty) {
                        if board.is_empty(n) {
                            self.add(n);
                        }
                    }
                }
            }
        }
    }

    /// Adds the stones that a string of the attacker cuts off, with their liberties: when it is taken they belong to the target, and the
    /// attacker can still fill these liberties.
    fn add_beyond(&mut self, board: &Board, string: Point) {
        let mut liberties = Vec::new();
        for stone in board.stones(string) {
            for n in board.around(stone) {
                let cut_off = board.cell(n).color().is_some() && board.cell(n) != board.cell(stone);
                if cut_off && !self.contains(n) {
                    board.stones(n).for_each(|p| self.add(p));
                    board.liberties_of(n, &mut liberties);
                }
            }
        }
        for &liberty in &liberties {
            self.add(liberty);
        }
        // What is farther out is given to the attacker: whether the target could live there is another question.
        for n in liberties.into_iter().flat_map(|liberty| board.around(liberty)) {
            if self.closed && board.is_empty(n) && !self.framed.contains(&n) {
                self.framed.push(n);
            }
        }
    }
}

/// What can be reached from some stones over empty points and stones of their colour, nearest first, until there are `most` empty
/// points.
fn spread(board: &Board, from: &[Point], color: Color, steps: usize, most: usize) -> Vec<Point> {
    let mut distance = vec![usize::MAX; board.grid().cells()];
    let mut found: Vec<Point> = Vec::new();
    let mut layer: Vec<Point> = from.to_vec();
    for &p in from {
        distance[p.index()] = 0;
    }
    let mut empties = 0;
    for step in 0..=steps {
        let mut next = Vec::new();
        // Stones of the colour cost nothing: they belong to the layer that reaches them.
        let mut i = 0;
        while i < layer.len() {
            let at = layer[i];
            i += 1;
            found.push(at);
            if board.is_empty(at) {
                empties += 1;
                if empties >= most {
                    return found;
                }
            }
            for n in board.around(at) {
                if distance[n.index()] != usize::MAX {
                    continue;
                }
                match board.cell(n) {
                    Cell::Empty => {
                        distance[n.index()] = step + 1;
                        next.push(n);
                    }
                    cell if cell == Cell::of(color) => {
                        distance[n.index()] = step;
                        layer.push(n);
                    }
                    _ => {}
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    found
}

/// Steps over empty points from the nearest of some stones.
fn distances(board: &Board, from: &[Point]) -> Vec<u8> {
    let mut steps = vec![u8::MAX; board.grid().cells()];
    let mut queue = std::collections::VecDeque::new();
    for &p in from {
        steps[p.index()] = 0;
        queue.push_back(p);
    }
    while let Some(at) = queue.pop_front() {
        for n in board.around(at) {
            if board.is_empty(n) && steps[n.index()] == u8::MAX {
                steps[n.index()] = steps[at.index()] + 1;
                queue.push_back(n);
            }
        }
    }
    steps
}

/// Steps that a fight is followed, open ground counting twice.
const FARTHEST: usize = 9;

/// Strings of the other side with at most so many liberties belong to a fight.
const SHORT: usize = 4;

/// What a fight around a stone is about, nearest first, until there are enough empty points. Stones of its colour cost
/// nothing to pass, strings of the other colour that are short of liberties a step, and open ground two.
fn contact(board: &Board, target: Point, reach: Reach) -> Vec<Point> {
    let owner = board.cell(target).color().expect("the target is a stone");
    let mut cost = vec![usize::MAX; board.grid().cells()];
    let mut layers: Vec<Vec<Point>> = vec![Vec::new(); FARTHEST + 1];
    let mut found: Vec<Point> = Vec::new();
    cost[target.index()] = 0;
    layers[0].push(target);
    let mut empties = 0;
    for step in 0..=FARTHEST {
        let mut i = 0;
        while i < layers[step].len() {
            let at = layers[step][i];
            i += 1;
            if cost[at.index()] != step {
                continue;
            }
            found.push(at);
            let here = board.cell(at);
            if here == Cell::Empty {
                empties += 1;
                if empties >= reach.most {
                    return found;
                }
            }
            for n in board.around(at) {
                let next = match board.cell(n) {
                    Cell::Border => continue,
                    Cell::Empty => {
                        let mut near = board.around(n).into_iter().chain(board.diagonals(n));
                        step + if near.any(|m| board.cell(m).color().is_some()) { 1 } else { 2 }
                    }
                    cell if cell == Cell::of(owner) || cell == here => step,
                    _ if board.liberty_count(n) <= SHORT => step + 1,
                    _ => continue,
                };
                if next <= FARTHEST && next < cost[n.index()] {
                    cost[n.index()] = next;
                    layers[next].push(n);
                }
            }
        }
    }
    found
}
