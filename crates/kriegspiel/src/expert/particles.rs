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
use crate::chess::attacks::squares;
use crate::chess::{Board, Color, Move, Piece, Square};
use crate::history::KriegEvent;
use crate::percept::{Checks, End, Percept};
use crate::rules::{Extras, RuleSet};
use crate::view::View;

/// All positions are kept up to this number.
const EXACT: usize = 3_000;
/// Positions of a sample.
const KEPT: usize = 1_000;
/// With fewer it is drawn again.
const FEW: usize = 120;
/// Positions that are followed at most when a sample is drawn again.
const PATIENCE: usize = 12_000;
/// Positions that are made up when no sample agrees, before those that do not fit are dropped.
const IMAGINED: usize = 1_500;

#[derive(Debug)]
pub(super) struct Particles {
    color: Color,
    rules: RuleSet,
    events: Vec<(KriegEvent, Extras)>,
    /// The positions before each event, and at the end those of now.
    layers: Vec<Vec<Board>>,
    exact: bool,
    view: View,
}

impl Particles {
    pub(super) fn new(root: Board, color: Color, rules: RuleSet) -> Particles {
        Particles {
            color,
            rules,
            events: Vec::new(),
            layers: vec![vec![root]],
            exact: true,
            view: View::new(&root, color, rules),
        }
    }

    pub(super) fn view(&self) -> &View {
        &self.view
    }

    pub(super) fn positions(&self) -> &[Board] {
        self.layers.last().map_or(&[], Vec::as_slice)
    }

    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether the opponent has only the king. The positions are all that are possible then.
    pub(super) fn is_lone_king(&self) -> bool {
        self.view.others() == 1 && self.exact
    }

    /// A number for where the own men stand after a move.
    pub(super) fn placement_after(&self, mv: Move) -> u64 {
        self.view.after(mv).key()
    }

    pub(super) fn hear(&mut self, event: KriegEvent, extras: Extras, random: &mut ChaCha8Rng) {
        self.view.hear(&event, &extras);
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
        if !self.exact && self.view.others() == 1 {
            self.find_lone_king(&heard);
        } else if !self.exact && self.positions().len() < FEW {
            self.draw_again(random);
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
    fn after(
        &self,
        board: &Board,
        mv: Move,
        heard: (Percept, Option<End>),
        extras: &Extras,
    ) -> Option<Board> {
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
        let (turn, heard) = self.last_heard(event);
        let mut found = Vec::new();
        for square in (0..64).map(Square) {
            if self.view.men().blocked() & square.bit() != 0 {
                continue;
            }
            let board = self.with_lone_king(square, turn);
            let them = turn.other();
            let is_legal = board.attackers(turn, board.king(them), board.blocked()) == 0;
            let agrees = heard
                .is_none_or(|(percept, end)| Checks::of(&board) == percept.checks && End::of(&board) == end);
            if is_legal
                && agrees
                && extras.pawn_tries.is_none_or(|said| self.rules.pawn_tries(&board) == Some(said))
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
        let mut board = *self.view.men();
        board.turn = turn;
        board.put(self.color.other(), Piece::King, square);
        // The key knows neither of the turn nor of the king yet.
        board.rekeyed()
    }

    /// Draws a sample again from the positions of some moves ago, further and further back.
    fn draw_again(&mut self, random: &mut ChaCha8Rng) {
        let now = self.events.len();
        let mut patience = PATIENCE;
        for back in [2, 4, 8, 16, 32, 64, 128] {
            let from = now.saturating_sub(back);
            if !self.layers[from].is_empty() {
                self.draw_from(from, &mut patience, random);
            }
            if self.positions().len() >= FEW || from == 0 || patience == 0 {
                break;
            }
        }
        if self.positions().len() < FEW / 4 {
            self.imagine(random);
        }
    }

    fn draw_from(&mut self, from: usize, patience: &mut usize, random: &mut ChaCha8Rng) {
        let mut layer = self.layers[from].clone();
        for index in from..self.events.len() {
            let few = match layer.len() {
                0..=60 => None,
                61..=400 => Some(12),
                _ => Some(4),
            };
            let mut next = Vec::new();
            for board in &layer {
                if *patience == 0 {
                    return;
                }
                *patience -= 1;
                self.successors(board, &self.events[index], few, random, &mut next);
            }
            make_set(&mut next);
            thin(&mut next, 2 * KEPT, random);
            layer = next;
            let kept = &mut self.layers[index + 1];
            kept.extend(&layer);
            make_set(kept);
            thin(kept, KEPT, random);
        }
    }

    /// No position that was followed agrees with all that was heard. Positions are made up that agree with the own men, the number of the
    /// others and the last announcement: men of the opponent from the last sample there was, after a few moves that nobody heard of.
    fn imagine(&mut self, random: &mut ChaCha8Rng) {
        let Some(&(event, extras)) = self.events.last() else { return };
        let (turn, heard) = self.last_heard(&event);
        let source = self.layers.iter().rev().skip(1).find(|layer| layer.len() >= 8);
        let Some(source) = source.or_else(|| self.layers.iter().rev().find(|layer| !layer.is_empty())) else {
            return;
        };
        let mut made = Vec::new();
        for _ in 0..IMAGINED {
            let from = &source[random.random_range(0..source.len())];
            let Some(board) = self.imagined(from, turn, random) else { continue };
            let agrees = heard
                .is_none_or(|(percept, end)| Checks::of(&board) == percept.checks && End::of(&board) == end);
            let rejects = self.view.rejected().iter().all(|&mv| !board.is_legal(mv));
            let says = extras.pawn_tries.is_none_or(|said| self.rules.pawn_tries(&board) == Some(said));
            if agrees && rejects && says {
                made.push(board);
            }
        }
        make_set(&mut made);
        thin(&mut made, KEPT, random);
        if let Some(layer) = self.layers.last_mut() {
            layer.extend(made);
            make_set(layer);
        }
    }

    /// Whose turn it is after an event, and what was announced of the last accepted move, as far as the event tells.
    fn last_heard(&self, event: &KriegEvent) -> (Color, Option<(Percept, Option<End>)>) {
        match *event {
            Event::Own { heard: Some(heard), .. } => (self.color.other(), Some(heard)),
            Event::Own { heard: None, .. } => (self.color, None),
            Event::Other { heard, .. } => (self.color, Some(heard)),
        }
    }

    /// The opponent's men of a position beside the own men of now, some of them moved.
    fn imagined(&self, from: &Board, turn: Color, random: &mut ChaCha8Rng) -> Option<Board> {
        let them = self.color.other();
        let king = from.king(them);
        let mut board = *self.view.men();
        if board.blocked() & king.bit() != 0 {
            return None;
        }
        let mut men: Vec<Square> = squares(from.of(them) & !king.bit() & !board.blocked()).collect();
        let wanted = self.view.others() as usize - 1;
        while men.len() > wanted {
            men.swap_remove(random.random_range(0..men.len()));
        }
        board.put(them, Piece::King, king);
        for square in men {
            if let Some((color, piece)) = from.at(square) {
                board.put(color, piece, square);
            }
        }
        for _ in 0..random.random_range(0..4) {
            board.turn = them;
            board.en_passant = None;
            let mut moves = Vec::new();
            board.legal_moves(&mut moves);
            moves.retain(|mv| board.at(mv.to()).is_none());
            if !moves.is_empty() && board.attackers(them, board.king(self.color), board.blocked()) == 0 {
                board = board.play(moves[random.random_range(0..moves.len())]).0;
            }
        }
        board.turn = turn;
        board.en_passant = None;
        let waiting = board.king(turn.other());
        (board.attackers(turn, waiting, board.blocked()) == 0).then(|| board.rekeyed())
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
