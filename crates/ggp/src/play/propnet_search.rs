//! A search of one match on the network: the tree, and those who grow it.

use std::sync::{Arc, Mutex};

use counterplay_base::Budget;
use counterplay_ground::game::Game;

use super::batch::{Batch, lock};
use super::oracle::Oracle;
use super::settings::UctSettings;
use super::tree::{Position, UctTree};
use super::walk::{View, Walker};

/// How many words of lanes each thread plays in.
const WORDS: usize = 1;

/// A search that follows a match.
#[derive(Debug)]
pub struct PropnetSearch {
    walker: Walker,
    tree: Mutex<UctTree>,
    batches: Vec<Batch<WORDS>>,
    position: Position,
    view: View,
}

impl PropnetSearch {
    /// A search of a game from its beginning.
    pub fn new(game: &Arc<Game>, settings: &UctSettings) -> PropnetSearch {
        let mut walker = Walker::new(game);
        let position = walker.initial();
        let view = walker.view(&position);
        let mut tree = UctTree::new(walker.most(), settings.clone());
        tree.set_root(None, &position, &view.legal, view.is_over.then(|| Arc::clone(&view.rewards)));
        let threads = settings.threads.max(1) as u64;
        let batches = (0..threads).map(|number| Batch::new(game, settings, number)).collect();
        PropnetSearch { walker, tree: Mutex::new(tree), batches, position, view }
    }

    /// The position that is searched.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What the rules say about it.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Reads the rules for single positions.
    pub fn walker(&mut self) -> &mut Walker {
        &mut self.walker
    }

    /// Follows the match by a joint move.
    pub fn make(&mut self, joint: &[u32]) {
        let position = self.walker.next(&self.position, joint);
        self.go_to(Some(joint), position);
    }

    /// Goes to any position.
    pub fn go_to(&mut self, made: Option<&[u32]>, position: Position) {
        for batch in &mut self.batches {
            batch.restart(&self.tree);
        }
        self.view = self.walker.view(&position);
        let proved = self.view.is_over.then(|| Arc::clone(&self.view.rewards));
        lock(&self.tree).set_root(made, &position, &self.view.legal, proved);
        self.position = position;
    }

    /// Lets solved positions end playouts early.
    pub fn set_oracle(&mut self, oracle: &Arc<dyn Oracle>) {
        for batch in &mut self.batches {
            batch.set_oracle(Some(Arc::clone(oracle)));
        }
    }

    /// Searches until the budget ends, or nothing is left to search.
    pub fn run(&mut self, budget: &Budget) {
        if self.view.is_over || lock(&self.tree).is_settled() {
            return;
        }
        let tree = &self.tree;
        match &mut self.batches[..] {
            [only] => only.run(tree, budget),
            several => std::thread::scope(|scope| {
                for batch in several {
                    scope.spawn(|| batch.run(tree, budget));
                }
            }),
        }
    }

    /// A position further along the moves that were tried most.
    pub fn ahead(&self, depth: usize) -> Option<Position> {
        lock(&self.tree).ahead(depth)
    }

    /// Whether nothing is left to search.
    pub fn is_settled(&self) -> bool {
        self.view.is_over || lock(&self.tree).is_settled()
    }

    /// The best move of a role.
    pub fn best(&self, role: usize) -> Option<u32> {
        lock(&self.tree).best(role)
    }

    /// Playouts since the search began.
    pub fn playouts(&self) -> u64 {
        lock(&self.tree).playouts
    }

    /// Moves of a role with the playouts through them, the mean reward, and what is proved.
    pub fn estimates(&self, role: usize) -> Vec<MoveEstimate> {
        let tree = lock(&self.tree);
        let Some(root) = tree.root() else { return Vec::new() };
        let estimate = |edge: &super::tree::TreeEdge| MoveEstimate {
            a_move: edge.a_move,
            visits: edge.visits,
            mean: edge.mean(),
            proved: tree.proved_after(root, role, edge).map(|rewards| rewards[role]),
        };
        tree.edges(root, role).iter().map(estimate).collect()
    }

    /// Number of positions in the tree.
    pub fn size(&self) -> usize {
        lock(&self.tree).len()
    }
}

/// What the search thinks of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveEstimate {
    pub a_move: u32,
    /// Playouts through it.
    pub visits: u32,
    /// Their mean reward.
    pub mean: Option<f32>,
    /// The reward, if it is proved.
    pub proved: Option<f32>,
}
