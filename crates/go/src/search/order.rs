//! Which moves to look at first: what stones and liberties around a point suggest.

use super::dfpn::{MoveOrder, Numbers};
use super::local::{LocalGame, Side};
use crate::board::Cell;
use crate::point::{Move, Point};

/// Orders moves by what they do to the strings next to them.
#[derive(Clone, Debug)]
pub struct HeuristicOrder {
    /// Buffer for sorting, the best move first.
    pub scored: Vec<(i32, Move)>,
    /// How many ranks one more step of work stands for.
    pub ranks: u32,
    /// How often a move has been proved to win, by side and point.
    pub history: Vec<[u16; 2]>,
}

impl MoveOrder for HeuristicOrder {
    fn moves(&mut self, local: &mut LocalGame, out: &mut Vec<(Move, Numbers)>) {
        self.scored.clear();
        for &point in local.zone.points() {
            if local.is_legal(point) {
                let before = self.history.get(point.index()).map_or(0, |h| h[local.turn as usize]);
                let bonus = (u16::BITS - before.leading_zeros()) as i32 / 2;
                self.scored.push((-score(local, point) - bonus, Move::Play(point)));
            }
        }
        if local.may_pass() {
            self.scored.push((2, Move::Pass));
        }
        self.scored.sort_by_key(|&(score, _)| score);
        let ranks = self.ranks.max(1);
        out.extend(self.scored.iter().enumerate().map(|(rank, &(_, action))| {
            (action, Numbers { phi: 1, delta: 1 + (rank as u32 / ranks).min(8) })
        }));
    }

    fn proved(&mut self, side: Side, action: Move) {
        let Move::Play(point) = action else { return };
        if self.history.len() <= point.index() {
            self.history.resize(point.index() + 1, [0; 2]);
        }
        let count = &mut self.history[point.index()][side as usize];
        *count = count.saturating_add(1);
    }
}

impl Default for HeuristicOrder {
    fn default() -> HeuristicOrder {
        HeuristicOrder { scored: Vec::new(), ranks: 3, history: Vec::new() }
    }
}

/// How promising a stone here is for the side to move.
pub(crate) fn score(local: &LocalGame, point: Point) -> i32 {
    let board = &local.board;
    let side = local.turn;
    let own = Cell::of(local.color(side));
    let target = board.head(local.target);
    let mut score = 0;
    let (mut empty, mut mine, mut room, mut taken) = (0, 0, 0, 0);
    let mut seen = [Point(0); 4];
    for (i, n) in board.around(point).into_iter().enumerate() {
        match board.cell(n) {
            Cell::Border => mine += 1,
            Cell::Empty => empty += 1,
            cell => {
                if cell == own {
                    mine += 1;
                }
                let head = board.head(n);
                if seen[..i].contains(&head) {
                    continue;
                }
                seen[i] = head;
                let liberties = board.liberty_count(n) as i32;
                let size = board.string_size(n) as i32;
                if cell == own {
                    room += liberties - 1;
                    if liberties == 1 {
                        score += 3 + size.min(4);
                    } else if liberties == 2 {
                        score += 1;
                    }
                    if head == target {
                        score += 1;
                    }
                } else {
                    match liberties {
                        1 => {
                            taken += size;
                            score += 5 + 2 * size.min(5);
                        }
                        2 => score += 2 + i32::from(head == target) * 2,
                        3 => score += 1,
                        _ => {}
                    }
                    if head == target {
                        score += 2;
                    }
                }
            }
        }
    }
    score += empty;
    let liberties = empty + room + taken;
    if taken == 0 && liberties <= 1 {
        score -= if room + mine > 0 { 4 } else { 2 };
    }
    if mine == 4 && taken == 0 {
        score -= 5;
    }
    let (column, row) = board.grid().place(point);
    let across = |i: usize, n: usize| 1 + i.min(n - 1 - i);
    let (x, y) = (across(column, board.grid().width()), across(row, board.grid().height()));
    match (x.min(y), x.max(y)) {
        (1, 2) => score += 2,
        (2, 2) | (1, 3) => score += 1,
        _ => {}
    }
    if let Some(Move::Play(last)) = local.last() {
        let (lc, lr) = board.grid().place(last);
        let far = lc.abs_diff(column) + lr.abs_diff(row);
        if far <= 2 {
            score += 3 - far as i32;
        }
    }
    score
}
