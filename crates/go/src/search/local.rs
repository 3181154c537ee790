//! The game that is searched: one side wants to take the target, the other to keep it, on the points of a zone.
//!
//! The attacker wins by taking the target. The defender wins when the target can no longer be taken: it is alive after Benson, it has a
//! liberty outside the zone, it is joined with the friend it was to be joined with, or the attacker finds no move. The
//! defender may pass, the attacker may not: a pass of his would let the defender pass too, and the target would stay.
//! If two eyes are [asked for](Stake::Eyes), only Benson's life is a win of the defender, and both sides may pass.
//!
//! Ko: one side is *favoured*, it has all the threats. It may retake a ko at once, and a repetition is its win. If the
//! side that is not favoured wins, it wins without a ko.
//!
//! What is outside: in a sealed zone a win of the defender holds on the whole board, because a move of the attacker outside is a
//! pass inside, and walls that cannot be taken are the worst case for the defender. A win of the attacker does not: the defender may
//! use his passes to fill the liberties of the walls from outside. In the *pressed* game each pass of the defender takes
//! a liberty outside from every wall at once, and the defender wins when a wall has none left; a win of the attacker in this game
//! holds on the whole board.

use crate::benson::Benson;
use crate::board::{Board, Cell};
use crate::point::{Color, Move, Point};
use crate::problem::Problem;
use crate::zone::Zone;

/// Who is who around a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that wants to take the target.
    Attacker,
    /// The owner of the target, who wants to keep it.
    Defender,
}

impl Side {
    #[inline]
    pub fn other(self) -> Side {
        match self {
            Side::Attacker => Side::Defender,
            Side::Defender => Side::Attacker,
        }
    }
}

/// What the defender has to achieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stake {
    /// That the target is never taken; seki will do.
    Capture,
    /// That the target gets two eyes: life after Benson.
    Eyes,
}

/// A position of the local game; moves are made and taken back on it.
#[derive(Clone, Debug)]
pub struct LocalGame {
    pub board: Board,
    /// The points to play on.
    pub zone: Zone,
    /// The stone it is about.
    pub target: Point,
    /// The stone that the target is to be joined with.
    pub friend: Option<Point>,
    pub defender: Color,
    pub turn: Side,
    /// The side that has all ko threats: it may retake a ko at once, and a repetition is its win.
    pub favoured: Side,
    /// Stones that have to fall with the target, when more than the target is asked for. Sampling alone looks at them.
    pub also: Vec<Point>,
    /// With so many liberties the target counts as safe; `None` in a zone that shuts it in, and for large targets.
    pub safe: Option<usize>,
    /// What the defender has to achieve.
    pub stake: Stake,
    /// Whether a pass of the defender takes a liberty outside from every wall.
    pub pressed: bool,
    /// How often the defender has passed, if that counts.
    presses: usize,
    /// The fewest liberties outside that a wall has; `None` without walls.
    reserve: Option<usize>,
    benson: Benson,
    line: Vec<Move>,
}

/// So many liberties more than at first, and so many at least, and a target that is not shut in counts as safe.
const SAFE: (usize, usize) = (4, 6);

impl LocalGame {
    /// The local game of a problem.
    pub fn new(problem: &Problem, zone: Zone, favoured: Side) -> LocalGame {
        let turn = if problem.goal.is_defence() { Side::Defender } else { Side::Attacker };
        let mut board = problem.board.clone();
        let attacker = problem.defender().other();
        for &point in zone.framed() {
            if board.has_room(attacker, point) {
                board.play(attacker, Move::Play(point));
            }
        }
        let liberties = board.liberty_count(problem.target);
        let small = liberties <= 3 && board.string_size(problem.target) <= 4;
        let safe = (small && !zone.is_closed()).then(|| (liberties + SAFE.0).max(SAFE.1));
        LocalGame {
            safe,
            stake: Stake::Capture,
            pressed: false,
            presses: 0,
            reserve: zone.walls().iter().map(|wall| wall.outside).min(),
            board,
            zone,
            target: problem.target,
            friend: problem.goal.friend(),
            defender: problem.defender(),
            turn,
            favoured,
            also: Vec::new(),
            benson: Benson::default(),
            line: Vec::new(),
        }
    }

    /// The local game about two eyes.
    #[must_use]
    pub fn about(mut self, stake: Stake) -> LocalGame {
        self.stake = stake;
        self
    }

    /// The pressed game, if there are walls to press.
    #[must_use]
    pub fn pressed(mut self) -> LocalGame {
        self.pressed = !self.zone.walls().is_empty();
        self
    }

    /// Whether the side to move may pass.
    #[inline]
    pub fn may_pass(&self) -> bool {
        self.turn == Side::Defender || self.stake == Stake::Eyes
    }

    /// Whether the defender could pass so many times and all walls would stand.
    #[inline]
    pub(crate) fn endures(&self, passes: usize) -> bool {
        !self.pressed || self.reserve.is_none_or(|reserve| self.presses + passes < reserve)
    }

    /// The colour of a side.
    #[inline]
    pub fn color(&self, side: Side) -> Color {
        match side {
            Side::Defender => self.defender,
            Side::Attacker => self.defender.other(),
        }
    }

    /// A number for the position, the turn, and what ko forbids.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key_of(self.board.hash(), self.turn, self.board.ko(), self.presses)
    }

    #[inline]
    fn key_of(&self, hash: u64, turn: Side, ko: Option<Point>, presses: usize) -> u64 {
        let hash = hash ^ (presses as u64).wrapping_mul(0x9fb2_1c65_1e98_df25);
        let turned = match turn {
            Side::Attacker => hash,
            Side::Defender => hash ^ 0x5851_f42d_4c95_7f2d,
        };
        match ko {
            // A target that was taken in a ko may come back: see `winner`.
            Some(point) if turn != self.favoured || point == self.target => {
                turned ^ (u64::from(point.0) + 1).wrapping_mul(0xd134_2543_de82_ef95)
            }
            _ => turned,
        }
    }

    /// Makes a move of the side whose turn it is.
    #[inline]
    pub fn play(&mut self, action: Move) {
        let color = self.color(self.turn);
        self.board.play(color, action);
        self.line.push(action);
        self.presses += usize::from(self.is_press(action, self.turn));
        self.turn = self.turn.other();
    }

    /// Whether a move of a side is a pass that counts.
    #[inline]
    fn is_press(&self, action: Move, side: Side) -> bool {
        self.pressed && action == Move::Pass && side == Side::Defender
    }

    /// Takes the last move back.
    #[inline]
    pub fn undo(&mut self) {
        self.board.undo();
        self.turn = self.turn.other();
        if let Some(last) = self.line.pop() {
            self.presses -= usize::from(self.is_press(last, self.turn));
        }
    }

    /// The moves made so far.
    pub fn line(&self) -> &[Move] {
        &self.line
    }

    #[inline]
    pub fn last(&self) -> Option<Move> {
        self.line.last().copied()
    }

    /// Whether the side to move may play here: room, zone and ko.
    #[inline]
    pub fn is_legal(&self, point: Point) -> bool {
        self.zone.contains(point)
            && self.board.has_room(self.color(self.turn), point)
            && (self.turn == self.favoured || self.board.ko() != Some(point))
    }

    /// Whether the side to move may make a move.
    #[inline]
    pub fn may(&self, action: Move) -> bool {
        match action {
            Move::Play(point) => self.is_legal(point),
            Move::Pass => self.may_pass(),
        }
    }

    /// Appends all legal moves, a pass last.
    pub fn moves(&self, out: &mut Vec<Move>) {
        out.extend(self.zone.points().iter().filter(|&&p| self.is_legal(p)).map(|&p| Move::Play(p)));
        if self.may_pass() {
            out.push(Move::Pass);
        }
    }

    /// Whether a wall may have lost its last liberty outside.
    fn is_wall_broken(&self) -> bool {
        !self.endures(0)
            && self.zone.walls().iter().any(|wall| {
                wall.outside <= self.presses
                    && self.zone.outside_liberties(&self.board, wall.stone) <= self.presses
            })
    }

    /// Who has won, if that can be seen without a further move.
    pub fn winner(&mut self) -> Option<Side> {
        if self.board.cell(self.target) != Cell::of(self.defender) {
            // A single stone taken in a ko comes back if the defender wins kos.
            let returns = self.favoured == Side::Defender
                && self.turn == Side::Defender
                && self.board.ko() == Some(self.target);
            return (!returns).then_some(Side::Attacker);
        }
        if let Some(friend) = self.friend {
            if self.board.cell(friend) != Cell::of(self.defender) {
                return Some(Side::Attacker);
            }
            let joined = self.board.head(friend) == self.board.head(self.target);
            return (joined || self.is_wall_broken()).then_some(Side::Defender);
        }
        let liberties = self.board.liberty_count(self.target);
        if self.has_escaped() || self.is_wall_broken() {
            return Some(Side::Defender);
        }
        if self.turn == Side::Attacker && liberties == 1 {
            // The last liberty is in the zone; only ko can forbid it, and a string of one stone.
            let last = self
                .board
                .stones(self.target)
                .find_map(|stone| self.board.around(stone).into_iter().find(|&n| self.board.is_empty(n)));
            let alone = self.board.string_size(self.target) == 1 && self.favoured == Side::Defender;
            return last.filter(|&point| !alone && self.is_legal(point)).map(|_| Side::Attacker);
        }
        if let Some(winner) = crate::eyes::winner(self) {
            return Some(winner);
        }
        if liberties >= 2 && self.benson.is_alive(&self.board, self.target) {
            return Some(Side::Defender);
        }
        None
    }

    /// Who has won, as far as stones and liberties of the target show it.
    pub(crate) fn quick_winner(&self) -> Option<Side> {
        if self.board.cell(self.target) != Cell::of(self.defender) {
            let all = self.also.iter().all(|&stone| self.board.cell(stone) != Cell::of(self.defender));
            return all.then_some(Side::Attacker);
        }
        if let Some(friend) = self.friend
            && self.board.cell(friend) == Cell::of(self.defender)
            && self.board.head(friend) == self.board.head(self.target)
        {
            return Some(Side::Defender);
        }
        self.has_escaped().then_some(Side::Defender)
    }

    /// The same, if the game was undecided before the last move: only a move that touches the target can have changed that.
    pub(crate) fn winner_after_last(&self) -> Option<Side> {
        match self.last() {
            Some(Move::Play(last))
                if self.board.cell(last) == Cell::of(self.defender)
                    && self.board.head(last) != self.board.head(self.target) =>
            {
                None
            }
            Some(Move::Play(last)) if self.board.cell(last) == Cell::of(self.defender.other()) => {
                let standing = |&stone: &Point| self.board.cell(stone) == Cell::of(self.defender);
                (!standing(&self.target) && !self.also.iter().any(standing)).then_some(Side::Attacker)
            }
            _ => self.quick_winner(),
        }
    }

    /// Whether the target's string has a liberty outside the zone.
    fn has_escaped(&self) -> bool {
        if self.safe.is_some_and(|safe| self.board.liberty_count(self.target) >= safe) {
            return true;
        }
        self.board.stones(self.target).any(|stone| {
            self.board.around(stone).into_iter().any(|n| self.board.is_empty(n) && !self.zone.contains(n))
        })
    }

    /// The key after a move of the side to move.
    #[inline]
    pub fn key_after(&mut self, action: Move) -> u64 {
        let quiet = match action {
            Move::Pass => Some(self.board.hash()),
            Move::Play(point) => self.board.quiet_hash(self.color(self.turn), point),
        };
        if let Some(hash) = quiet {
            let presses = self.presses + usize::from(self.is_press(action, self.turn));
            return self.key_of(hash, self.turn.other(), None, presses);
        }
        self.play(action);
        let key = self.key();
        self.undo();
        key
    }
}
