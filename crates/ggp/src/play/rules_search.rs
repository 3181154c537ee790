//! Searching on the rules themselves, one playout after the other: slow, but there from the first second.

use std::sync::Arc;

use counterplay_base::{Budget, Id};
use counterplay_gdl::Rules;
use counterplay_gdl::interpret::{InterpretError, Interpreter, State, TermId};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rustc_hash::FxHashMap;

use super::settings::UctSettings;
use super::tree::{Arrival, Descent, Position, Rewards, TreePath, UctTree};
use super::walk::View;

/// A search on the rules that follows a match.
#[derive(Debug)]
pub struct RulesSearch {
    interpreter: Interpreter,
    tree: UctTree,
    random: Pcg64Mcg,
    settings: UctSettings,
    position: Position,
    view: View,
    /// How often a role made a move in playouts, and what came of it.
    mast: FxHashMap<(usize, u32), (f32, f32)>,
}

fn pack(state: &State) -> Position {
    state.fluents().iter().map(|fluent| fluent.index() as u64).collect()
}

fn unpack(position: &[u64]) -> State {
    State::new(position.iter().map(|&fluent| TermId::new(fluent as usize)))
}

impl RulesSearch {
    /// A search of a game from its beginning.
    pub fn new(rules: Rules, settings: &UctSettings, budget: &Budget) -> Result<RulesSearch, InterpretError> {
        let mut interpreter = Interpreter::new(rules)?;
        let position = pack(&interpreter.initial(budget)?);
        let roles = interpreter.roles().len();
        let view = View { is_over: false, legal: Vec::new(), rewards: vec![0.0; roles].into() };
        let mut search = RulesSearch {
            tree: UctTree::new(vec![1.0; roles], settings.clone()),
            interpreter,
            random: Pcg64Mcg::seed_from_u64(settings.seed),
            settings: settings.clone(),
            position: Arc::clone(&position),
            view,
            mast: FxHashMap::default(),
        };
        search.go_to(None, position, budget)?;
        Ok(search)
    }

    /// What the rules say about the position that is searched.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// A move as it is written.
    pub fn display(&self, a_move: u32) -> String {
        self.interpreter.display(TermId::new(a_move as usize))
    }

    /// Follows the match by a joint move.
    pub fn make(&mut self, joint: &[u32], budget: &Budget) -> Result<(), InterpretError> {
        let position = self.next(&Arc::clone(&self.position), joint, budget)?;
        self.go_to(Some(joint), position, budget)
    }

    fn go_to(
        &mut self,
        made: Option<&[u32]>,
        position: Position,
        budget: &Budget,
    ) -> Result<(), InterpretError> {
        self.view = self.look(&position, budget)?;
        let proved = self.view.is_over.then(|| Arc::clone(&self.view.rewards));
        self.tree.set_root(made, &position, &self.view.legal, proved);
        self.position = position;
        Ok(())
    }

    fn next(&mut self, position: &[u64], joint: &[u32], budget: &Budget) -> Result<Position, InterpretError> {
        let moves: Vec<TermId> = joint.iter().map(|&own| TermId::new(own as usize)).collect();
        self.interpreter.next(&unpack(position), &moves, budget).map(|state| pack(&state))
    }

    fn look(&mut self, position: &[u64], budget: &Budget) -> Result<View, InterpretError> {
        let state = unpack(position);
        let roles = self.interpreter.roles().len();
        let mut is_over = self.interpreter.is_terminal(&state, budget)?;
        let mut legal = vec![Vec::new(); roles];
        if !is_over {
            for (role, own) in legal.iter_mut().enumerate() {
                let moves = self.interpreter.legal(&state, role, budget)?;
                own.extend(moves.into_iter().map(|a_move| a_move.index() as u32));
            }
            is_over = legal.iter().any(Vec::is_empty);
        }
        let mut rewards = vec![0.0; roles];
        if is_over {
            for (role, reward) in rewards.iter_mut().enumerate() {
                *reward = self.interpreter.goal(&state, role, budget)?.unwrap_or(0) as f32 / 100.0;
            }
        }
        Ok(View { is_over, legal, rewards: rewards.into() })
    }

    /// Searches until the budget ends, or nothing is left to search.
    pub fn run(&mut self, budget: &Budget) -> Result<(), InterpretError> {
        let mut path = TreePath::default();
        while !self.is_settled() && budget.check().is_ok() {
            path.clear();
            if let Err(trouble) = self.playout(&mut path, budget) {
                self.tree.abandon(&path);
                match trouble {
                    InterpretError::Stopped(_) => return Ok(()),
                    other => return Err(other),
                }
            }
        }
        Ok(())
    }

    fn playout(&mut self, path: &mut TreePath, budget: &Budget) -> Result<(), InterpretError> {
        let mut from = None;
        loop {
            let before: Position = match self.tree.descend(from, path, &mut self.random, |_| 0.5) {
                Descent::Leaf(before) => self.tree.position(before).into(),
                Descent::Proved(rewards) => {
                    self.tree.back_up(path, &rewards, &[]);
                    return Ok(());
                }
                Descent::Cycle => {
                    self.tree.abandon(path);
                    return Ok(());
                }
            };
            let mut joint = Vec::new();
            self.tree.last_moves(path, &mut joint);
            let position = self.next(&before, &joint, budget)?;
            if let Some(known) = self.tree.find(&position) {
                self.tree.join(path, known);
                from = Some(known);
                continue;
            }
            let view = self.look(&position, budget)?;
            if view.is_over {
                self.tree.grow(path, &position, &Arrival::Proved(&view.rewards));
            } else if self.tree.wants_node(path) {
                self.tree.grow(path, &position, &Arrival::Open { legal: &view.legal, urgent: None });
            }
            let mut later = Vec::new();
            let rewards = self.play_out(position, view, &mut later, budget)?;
            self.learn(&later, &rewards);
            self.tree.back_up(path, &rewards, &later);
            return Ok(());
        }
    }

    fn play_out(
        &mut self,
        mut position: Position,
        mut view: View,
        later: &mut Vec<u32>,
        budget: &Budget,
    ) -> Result<Rewards, InterpretError> {
        while !view.is_over {
            let start = later.len();
            for (role, own) in view.legal.iter().enumerate() {
                let choice = self.draw(role, own);
                later.push(choice);
            }
            position = self.next(&position, &later[start..], budget)?;
            view = self.look(&position, budget)?;
        }
        Ok(view.rewards)
    }

    fn draw(&mut self, role: usize, legal: &[u32]) -> u32 {
        let mut draw = || legal[((u64::from(self.random.next_u32()) * legal.len() as u64) >> 32) as usize];
        let value = |a_move: u32| {
            let (visits, sum) = self.mast.get(&(role, a_move)).copied().unwrap_or_default();
            (sum + 0.5) / (visits + 1.0)
        };
        let mut best = draw();
        for _ in 1..self.settings.draw {
            let other = draw();
            if other != best && value(other) > value(best) {
                best = other;
            }
        }
        best
    }

    fn learn(&mut self, later: &[u32], rewards: &[f32]) {
        for (at, &a_move) in later.iter().enumerate() {
            let role = at % rewards.len();
            let (visits, sum) = self.mast.entry((role, a_move)).or_default();
            *visits += 1.0;
            *sum += rewards[role];
        }
    }

    /// Whether nothing is left to search.
    pub fn is_settled(&self) -> bool {
        self.view.is_over || self.tree.is_settled()
    }

    /// The best move of a role.
    pub fn best(&self, role: usize) -> Option<u32> {
        self.tree.best(role)
    }

    /// Playouts since the search began.
    pub fn playouts(&self) -> u64 {
        self.tree.playouts
    }
}
