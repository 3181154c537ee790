//! What the player holds possible: all positions while they are few, and a sample of them later.
//!
//! A sample follows a model of the opponent: of the moves that agree with what was heard, some are likelier than others. When few
//! positions of the sample agree with what is heard, it is drawn again from positions that were possible some moves earlier. Once the
//! opponent has nothing but the king, which is known from the captures, the belief state is whole again.

use counterplay_belief::Event;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use super::judge;
use crate::chess::{Board, Color, Move, Piece, Square};
use crate::history::KriegEvent;
use crate::percept::{Checks, End, Percept};
use crate::rules::{Extras, RuleSet};

/// All positions are kept up to this number.
const EXACT: usize = 3_000;
/// Positions of a sample.
const KEPT: usize = 500;
/// With fewer it is drawn again.
const FEW: usize = 120;
/// Positions that are followed at most when a sample is drawn again.
const PATIENCE: usize = 20_000;

#[derive(Debug)]
pub(super) struct Particles {
    color: Color,
    rules: RuleSet,
    events: Vec<(KriegEvent, Extras)>,
    /// The positions before each event, and at the end those of now.
    layers: Vec<Vec<Board>>,
    exact: bool,
    /// The own men, for belief states that are built anew.
    own: [Option<Piece>; 64],
    size: u8,
    /// How many men the opponent has.
    others: u32,
}

impl Particles {
    pub(super) fn new(root: Board, color: Color, rules: RuleSet) -> Particles {
        let mut own = [None; 64];
        for square in crate::chess::attacks::squares(root.of(color)) {
            own[square.index()] = root.at(square).map(|(_, piece)| piece);
        }
        Particles {
            color,
            rules,
            events: Vec::new(),
            layers: vec![vec![root]],
            exact: true,
            own,
            size: root.size(),
            others: root.of(color.other()).count_ones(),
        }
    }

    pub(super) fn positions(&self) -> &[Board] {
        self.layers.last().map_or(&[], Vec::as_slice)
    }

    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether the opponent has only the king. The positions are all that are possible then.
    pub(super) fn is_lone_king(&self) -> bool {
        self.others == 1 && self.exact
    }

    /// A number for where the own men stand after a move.
    pub(super) fn placement_after(&self, mv: Move) -> u64 {
        let mut own = self.own;
        own[mv.to().index()] = own[mv.from().index()].take();
        own.iter().fold(0u64, |hash, piece| {
            let code = piece.map_or(0, |piece| piece as u64 + 1);
            (hash.rotate_left(5) ^ code).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
    }

    pub(super) fn hear(&mut self, event: KriegEvent, extras: Extras, random: &mut ChaCha8Rng) {
        self.follow_own_men(&event);
        let mut next = Vec::new();
        let heard = (event, extras);
        // A sample keeps its size best if each position has a few followers.
        let few = if self.exact { None } else { Some(2) };
        for board in self.positions() {
            self.successors(board, &heard, few, random, &mut next);
        }
        make_set(&mut next);
        if self.exact && next.len() > EXACT {
            self.exact = false;
        }
        if !self.exact {
            thin(&mut next, KEPT, random);
        }
        self.events.push(heard);
        self.layers.push(next);
        if !self.exact && self.others == 1 {
            self.find_lone_king(&heard);
        } else if !self.exact && self.positions().len() < FEW {
            self.draw_again(random);
        }
    }

    fn follow_own_men(&mut self, event: &KriegEvent) {
        match *event {
            Event::Own { attempt, heard: Some((percept, _)) } => {
                self.others -= u32::from(percept.capture.is_some());
                let (from, to) = (attempt.from().index(), attempt.to().index());
                let piece = self.own[from].take();
                self.own[to] = attempt.promotion().or(piece);
                if piece == Some(Piece::King) && from.abs_diff(to) == 2 {
                    let (corner, beside) = if to > from { (to + 1, to - 1) } else { (to - 2, to + 1) };
                    self.own[beside] = self.own[corner].take();
                }
            }
            Event::Other { heard: (Percept { capture: Some(square), .. }, _), .. } => {
                self.own[square.index()] = None;
            }
            _ => {}
        }
    }

    /// Appends the positions that may follow one: all of them, or `few` that are drawn by how likely the opponent's moves are.
    fn successors(
        &self,
        board: &Board,
        (event, extras): &(KriegEvent, Extras),
        few: Option<usize>,
        random: &mut ChaCha8Rng,
        out: &mut Vec<Board>,
    ) {
        match *event {
            Event::Own { attempt, heard: None } => out.extend((!board.is_legal(attempt)).then_some(*board)),
            Event::Own { attempt, heard: Some(heard) } => {
                if board.is_legal(attempt) {
                    out.extend(self.after(board, attempt, heard, extras));
                }
            }
            Event::Other { rejections, heard } => {
                if rejections > 0 && self.rejectable(board) < rejections {
                    return;
                }
                let mut replies = Vec::new();
                board.each_move(|_, mv| {
                    replies.extend(self.after(board, mv, heard, extras).map(|next| (mv, next)));
                });
                match few {
                    Some(few) if replies.len() > few => {
                        let weigh = |(mv, next): &(Move, Board)| judge::likelihood(board, *mv, next);
                        let weights: Vec<u32> = replies.iter().map(weigh).collect();
                        out.extend((0..few).map(|_| replies[draw(&weights, random)].1));
                    }
                    _ => out.extend(replies.into_iter().map(|(_, next)| next)),
                }
            }
        }
    }

    /// The position after a legal move, if that is what was heard.
    fn after(&self, board: &Board, mv: Move, heard: (Percept, Option<End>), extras: &Extras) -> Option<Board> {
        let (next, capture) = board.play(mv);
        let (percept, end) = heard;
        let agrees = capture == percept.capture
            && Checks::of(&next) == percept.checks
            && End::of(&next) == end
            && (self.rules == RuleSet::Paper || self.rules.extras(board, mv, &next) == *extras);
        agrees.then_some(next)
    }

    fn rejectable(&self, board: &Board) -> usize {
        let (mut tries, mut legal) = (Vec::new(), Vec::new());
        board.tries(&mut tries);
        board.legal_moves(&mut legal);
        tries.retain(|&mv| self.rules.admits(board, mv));
        tries.len() - legal.len()
    }

    /// The opponent has only the king: it is anywhere that agrees with the last announcement.
    fn find_lone_king(&mut self, (event, extras): &(KriegEvent, Extras)) {
        let turn = match event {
            Event::Own { heard: Some(_), .. } => self.color.other(),
            _ => self.color,
        };
        let heard = match *event {
            Event::Own { heard, .. } => heard,
            Event::Other { heard, .. } => Some(heard),
        };
        let mut found = Vec::new();
        for square in (0..64).map(Square) {
            let outside = square.file() >= self.size || square.rank() >= self.size;
            if outside || self.own[square.index()].is_some() {
                continue;
            }
            let board = self.with_lone_king(square, turn);
            let them = turn.other();
            let is_legal = board.attackers(turn, board.king(them), board.blocked()) == 0;
            let agrees = heard.is_none_or(|(percept, end)| {
                Checks::of(&board) == percept.checks && End::of(&board) == end
            });
            if is_legal && agrees && extras.pawn_tries.is_none_or(|said| self.rules.pawn_tries(&board) == Some(said))
            {
                found.push(board);
            }
        }
        if let Some(layer) = self.layers.last_mut() {
            *layer = found;
        }
        self.exact = true;
    }

    fn with_lone_king(&self, square: Square, turn: Color) -> Board {
        let mut board = Board::empty(self.size, turn);
        for (index, piece) in self.own.iter().enumerate() {
            if let Some(piece) = piece {
                board.put(self.color, *piece, Square(index as u8));
            }
        }
        board.put(self.color.other(), Piece::King, square);
        board
    }

    /// Draws a sample again from the positions of some moves ago, further and further back.
    fn draw_again(&mut self, random: &mut ChaCha8Rng) {
        let now = self.events.len();
        let mut patience = PATIENCE;
        for back in [2, 4, 8, 16, 32] {
            let from = now.saturating_sub(back);
            let mut layer = self.layers[from].clone();
            let mut drawn = Vec::new();
            for index in from..now {
                let few = if layer.len() < KEPT { 8 } else { 3 };
                let mut next = Vec::new();
                for board in &layer {
                    patience = patience.saturating_sub(1);
                    self.successors(board, &self.events[index], Some(few), random, &mut next);
                }
                make_set(&mut next);
                thin(&mut next, 4 * KEPT, random);
                layer = next;
                drawn.push(layer.clone());
            }
            for (index, more) in (from + 1..).zip(drawn) {
                let kept = &mut self.layers[index];
                kept.extend(more);
                make_set(kept);
                thin(kept, KEPT, random);
            }
            if self.positions().len() >= FEW || from == 0 || patience == 0 {
                return;
            }
        }
    }
}

/// Sorts, and drops what is there twice.
fn make_set(boards: &mut Vec<Board>) {
    let mut seen = FxHashSet::default();
    boards.retain(|board| seen.insert(board.key()));
}

/// Keeps so many at random.
fn thin(boards: &mut Vec<Board>, most: usize, random: &mut ChaCha8Rng) {
    for i in 0..most.min(boards.len()) {
        let j = random.random_range(i..boards.len());
        boards.swap(i, j);
    }
    boards.truncate(most);
}

/// An index with a chance in proportion to its weight.
fn draw(weights: &[u32], random: &mut ChaCha8Rng) -> usize {
    let mut point = random.random_range(0..weights.iter().sum::<u32>().max(1));
    for (index, &weight) in weights.iter().enumerate() {
        if point < weight {
            return index;
        }
        point -= weight;
    }
    0
}
