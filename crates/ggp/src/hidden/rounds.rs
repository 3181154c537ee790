//! What happens in a round of a game with hidden moves, each state looked at once.

use counterplay_base::Id;
use counterplay_ground::game::{FluentId, Game, MoveId};
use rustc_hash::FxHashMap;

use crate::propnet::{Part, Propnet};

/// A state by its number.
pub(super) type StateNumber = u32;

/// What the rules say about a state.
#[derive(Clone, Debug)]
pub(super) enum Round {
    /// The game is over, with a reward for each role.
    Over(Vec<u32>),
    Open(OpenRound),
}

/// A state in which the game goes on.
#[derive(Clone, Debug)]
pub(super) struct OpenRound {
    /// The legal moves of each role.
    pub(super) legal: Vec<Vec<MoveId>>,
    /// What each joint move leads to, and what each role perceives of it; the moves of the last role vary fastest. Found
    /// when it is first asked for.
    pub(super) after: Vec<(StateNumber, Vec<Vec<u32>>)>,
}

/// The states that have come up.
pub(super) struct Rounds<'g> {
    game: &'g Game,
    network: Propnet<1>,
    number: FxHashMap<Box<[u64]>, StateNumber>,
    states: Vec<Box<[u64]>>,
    rounds: Vec<Round>,
    /// Ends at which some role has no reward, or several.
    pub(super) odd_rewards: usize,
    /// States that are not over and in which some role has no legal move.
    pub(super) stuck: usize,
}

impl<'g> Rounds<'g> {
    pub(super) fn new(game: &'g Game) -> Rounds<'g> {
        Rounds {
            game,
            network: Propnet::new(game),
            number: FxHashMap::default(),
            states: Vec::new(),
            rounds: Vec::new(),
            odd_rewards: 0,
            stuck: 0,
        }
    }

    /// The state in which the game begins.
    pub(super) fn initial(&mut self) -> StateNumber {
        let mut row = vec![0u64; self.game.fluents.len().div_ceil(64).max(1)];
        for fluent in &self.game.initial {
            row[fluent.index() / 64] |= 1 << (fluent.index() % 64);
        }
        self.insert(row.into())
    }

    /// What the rules say about a state.
    pub(super) fn round(&self, state: StateNumber) -> &Round {
        &self.rounds[state as usize]
    }

    /// The state after a joint move, and what each role perceives of it.
    pub(super) fn after(&mut self, state: StateNumber, joint: usize) -> (StateNumber, Vec<Vec<u32>>) {
        if let Round::Open(OpenRound { legal, after }) = &self.rounds[state as usize]
            && after.is_empty()
        {
            let legal = legal.clone();
            let count: usize = legal.iter().map(Vec::len).product();
            let found = (0..count).map(|number| self.make(state, &legal, number)).collect();
            if let Round::Open(open) = &mut self.rounds[state as usize] {
                open.after = found;
            }
        }
        match &self.rounds[state as usize] {
            Round::Open(open) => open.after[joint].clone(),
            Round::Over(_) => unreachable!("nothing follows an end"),
        }
    }

    fn load(&mut self, state: StateNumber) {
        let row = &self.states[state as usize];
        for at in 0..self.game.fluents.len() {
            self.network.set_fluent(FluentId::new(at), [row[at / 64] >> (at % 64) & 1]);
        }
        self.network.evaluate(Part::State);
    }

    fn make(
        &mut self,
        state: StateNumber,
        legal: &[Vec<MoveId>],
        mut number: usize,
    ) -> (StateNumber, Vec<Vec<u32>>) {
        let mut joint = Vec::new();
        for own in legal.iter().rev() {
            joint.push(own[number % own.len()]);
            number /= own.len();
        }
        self.load(state);
        joint.iter().for_each(|&own| self.network.set_move(own, [1]));
        self.network.evaluate(Part::Moves);
        let mut row = vec![0u64; self.states[state as usize].len()];
        for at in 0..self.game.fluents.len() {
            row[at / 64] |= (self.network.next(FluentId::new(at))[0] & 1) << (at % 64);
        }
        let mut percepts = vec![Vec::new(); legal.len()];
        for (number, percept) in self.game.percepts.iter().flatten().enumerate() {
            if self.network.percept(number)[0] & 1 == 1 {
                percepts[percept.role.index()].push(number as u32);
            }
        }
        joint.iter().for_each(|&own| self.network.set_move(own, [0]));
        (self.insert(row.into()), percepts)
    }

    /// The number of a state, which is looked at if it is new.
    fn insert(&mut self, row: Box<[u64]>) -> StateNumber {
        if let Some(&known) = self.number.get(&row) {
            return known;
        }
        let number = self.states.len() as StateNumber;
        self.number.insert(row.clone(), number);
        self.states.push(row);
        self.load(number);
        self.network.evaluate(Part::Goals);
        let mut legal = vec![Vec::new(); self.game.roles.len()];
        for (id, own) in self.game.moves.enumerate() {
            if self.network.legal(id)[0] & 1 == 1 {
                legal[own.role.index()].push(id);
            }
        }
        let is_terminal = self.network.terminal()[0] & 1 == 1;
        let round = match is_terminal || legal.iter().any(Vec::is_empty) {
            true => {
                let (rewards, is_odd) = self.network.rewards(self.game, 0);
                self.odd_rewards += usize::from(is_odd);
                self.stuck += usize::from(!is_terminal);
                Round::Over(rewards)
            }
            false => Round::Open(OpenRound { legal, after: Vec::new() }),
        };
        self.rounds.push(round);
        number
    }
}
