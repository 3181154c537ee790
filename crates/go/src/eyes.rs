//! What is known of small eye spaces without search.
//!
//! A single string that holds all the room it has in one eye space of up to four points: whether it lives depends on the shape, on the stones
//! inside, and on whose turn it is (the nakade shapes of every textbook; J. Davies, Life and Death, 1975). Each rule here is
//! compared with exhaustive search in the tests. Shapes of four points in a corner are left to search: there they may
//! become a ko.

use crate::board::{Cell, Suicide};
use crate::point::Point;
use crate::search::local::{LocalGame, Side};

/// Eye spaces with more points are left to search.
const LARGEST: usize = 4;

/// Who wins, if the target is one string around one small eye space.
pub fn winner(local: &LocalGame) -> Option<Side> {
    // Taking several of one's own stones off is one more way to play on: such rules are left to search.
    if local.board.suicide() != Suicide::Forbidden {
        return None;
    }
    let (space, filled) = space(local)?;
    let count = space.len();
    // To take the target the attacker fills all points but one, again and again with one point less, while the defender may pass.
    if !local.endures(count * (count + 1) / 2) {
        return None;
    }
    let next_to = |a: Point, b: Point| local.board.around(a).contains(&b);
    let degree = |i: usize| space.iter().filter(|&&other| next_to(space[i], other)).count();
    // Connected: a tree of count - 1 neighbourships, or the square.
    let edges: usize = (0..count).map(degree).sum::<usize>() / 2;
    let attacks = local.turn == Side::Attacker;
    match (count, edges) {
        (1, _) | (2, 1) => Some(Side::Attacker),
        (3, 2) => {
            let centre = (0..3).find(|&i| degree(i) == 2).expect("three in a row have a centre");
            Some(if attacks || filled[centre] { Side::Attacker } else { Side::Defender })
        }
        (4, _) if space.iter().any(|&p| is_corner(local, p)) => None,
        (4, 4) => Some(Side::Attacker),
        (4, 3) => match (0..4).find(|&i| degree(i) == 3) {
            Some(centre) => Some(if attacks || filled[centre] { Side::Attacker } else { Side::Defender }),
            None => {
                // Four in a row, straight or bent: the two inner points are both needed to kill.
                let inner = (0..4).filter(|&i| degree(i) == 2 && filled[i]).count();
                let dead = inner == 2 || (inner == 1 && attacks);
                Some(if dead { Side::Attacker } else { Side::Defender })
            }
        },
        _ => None,
    }
}

fn is_corner(local: &LocalGame, point: Point) -> bool {
    let border = local.board.around(point).into_iter().filter(|&n| local.board.cell(n) == Cell::Border);
    border.count() >= 2
}

/// The eye space of the target and which of its points hold attacking stones; `None` if the target is not a single string
/// around all the room in the zone.
fn space(local: &LocalGame) -> Option<(Vec<Point>, Vec<bool>)> {
    let board = &local.board;
    let own = Cell::of(local.defender);
    let head = board.head(local.target);
    let (mut space, mut filled) = (Vec::with_capacity(LARGEST), Vec::with_capacity(LARGEST));
    for &p in local.zone.points() {
        match board.cell(p) {
            cell if cell == own => {
                if board.head(p) != head {
                    return None;
                }
            }
            cell => {
                if space.len() == LARGEST {
                    return None;
                }
                space.push(p);
                filled.push(cell != Cell::Empty);
            }
        }
    }
    for (i, &p) in space.iter().enumerate() {
        // Room outside the zone, stones that reach outside, and points that are not next to the target change the matter.
        let mut touches = false;
        for n in board.around(p) {
            let cell = board.cell(n);
            touches |= cell == own;
            let outside = cell != Cell::Border && cell != own && !space.contains(&n);
            if outside && (filled[i] || cell == Cell::Empty) {
                return None;
            }
            // The wall: an empty point next to it is no eye yet, but it is room.
            if outside {
                return None;
            }
        }
        if !touches {
            return None;
        }
    }
    (!space.is_empty()).then_some((space, filled))
}
