//! What one lane of a batch is doing.

use super::tree::TreePath;

#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Doing {
    /// It has been given a position to start from, and makes the last move of its path next.
    Starts,
    /// The move of its path is made; the tree is to be told of the position.
    Arrives,
    Plays,
    /// Nothing is left to do.
    #[default]
    Rests,
}

/// A playout on its way.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    pub(super) doing: Doing,
    pub(super) path: TreePath,
    /// The joint move that the path ends with.
    pub(super) joint: Vec<u32>,
    /// Joint moves after the path.
    pub(super) later: Vec<u32>,
    /// The position to be loaded before the next step, if `loads`.
    pub(super) load: Vec<u64>,
    pub(super) loads: bool,
    /// The role that has just made a move that should win.
    pub(super) expected: Option<usize>,
    /// The role that made the last move, if it had a choice.
    mover: Option<usize>,
    /// The move that was taken back last, and how long the playout was before it.
    regretted: Option<(usize, u32)>,
    /// How often a move has been taken back there.
    regrets: u32,
    /// The move with which the opponent would have won, if it has not been answered yet.
    pub(super) threat: Option<u32>,
}

impl Lane {
    /// Forgets everything.
    pub(super) fn rest(&mut self) {
        self.path.clear();
        self.later.clear();
        self.loads = false;
        self.doing = Doing::Rests;
    }

    /// Begins to play out.
    pub(super) fn begin(&mut self) {
        self.doing = Doing::Plays;
        self.later.clear();
        self.expected = None;
        self.mover = None;
        self.regretted = None;
        self.regrets = 0;
        self.threat = None;
    }

    /// A joint move was made: whose choice it was, and who should have won by it.
    pub(super) fn moved(&mut self, mover: Option<usize>, winner: Option<usize>) {
        self.mover = mover;
        self.expected = winner;
    }

    /// Takes back the last joint move if it lets another role win at once; `false` if that cannot be helped.
    pub(super) fn take_back(&mut self, (winner, wins): (usize, u32), roles: usize, most: u32) -> bool {
        let Some(mover) = self.mover.filter(|&mover| mover != winner) else { return false };
        let Some(length) = self.later.len().checked_sub(roles) else { return false };
        let again = self.regretted.is_some_and(|(other, _)| other == length);
        self.regrets = if again { self.regrets + 1 } else { 1 };
        if self.regrets > most {
            return false;
        }
        self.regretted = Some((length, self.later[length + mover]));
        self.later.truncate(length);
        self.threat = (self.regrets == 1).then_some(wins);
        self.mover = None;
        true
    }

    /// The move that was just taken back.
    pub(super) fn avoided(&self) -> Option<usize> {
        let (length, a_move) = self.regretted?;
        (length == self.later.len()).then_some(a_move as usize)
    }
}
