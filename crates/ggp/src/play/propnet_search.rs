//! A search of one match on the network: the tree, and those who grow it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use counterplay_base::Budget;
use counterplay_ground::game::Game;

use super::batch::{Batch, Searcher, lock};
use super::decisive::DecisiveRules;
use super::oracle::Oracle;
use super::settings::UctSettings;
use super::tree::{Position, UctTree};
use super::walk::{View, Walker};

/// How long the first lanes run before it is decided how many there should be.
const TRIAL: Duration = Duration::from_millis(100);
/// At least so many playouts a second keep 4 and 2 words of lanes on their way: fewer would spread too thin.
const FAST: [(f64, usize); 2] = [(20_000.0, 4), (8_000.0, 2)];
/// Rules for winning moves may take so long to find.
const REGRESSION: Duration = Duration::from_secs(3);

/// A search that follows a match.
#[derive(Debug)]
pub struct PropnetSearch {
    walker: Walker,
    settings: UctSettings,
    decisive: Option<DecisiveRules>,
    tree: Mutex<UctTree>,
    searchers: Vec<Box<dyn Searcher>>,
    /// How many words of lanes each of them has.
    words: usize,
    /// How long the first lanes have run, while it is not decided how many there should be.
    trial: Option<Duration>,
    oracle: Option<Arc<dyn Oracle>>,
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
        let budget = Budget::unlimited().with_time(REGRESSION);
        let decisive =
            if settings.decisive { DecisiveRules::find(game, settings.seed, &budget) } else { None };
        let mut search = PropnetSearch {
            walker,
            settings: settings.clone(),
            decisive,
            tree: Mutex::new(tree),
            searchers: Vec::new(),
            words: 1,
            trial: (settings.words == 0).then_some(Duration::ZERO),
            oracle: None,
            position,
            view,
        };
        search.set_words(settings.words.max(1));
        search
    }

    /// Lets playouts know moves that win at once, from now on.
    pub fn set_decisive(&mut self, rules: DecisiveRules) {
        self.decisive = Some(rules);
        self.set_words(self.words);
    }

    /// Searches with so many words of lanes from now on.
    fn set_words(&mut self, words: usize) {
        self.words = words;
        self.searchers.iter_mut().for_each(|searcher| searcher.restart(&self.tree));
        let (game, decisive, settings) = (self.walker.game(), self.decisive.as_ref(), &self.settings);
        let searcher = |number: u64| -> Box<dyn Searcher> {
            match words {
                0 | 1 => Box::new(Batch::<1>::new(game, decisive, settings, number)),
                2 | 3 => Box::new(Batch::<2>::new(game, decisive, settings, number)),
                4..8 => Box::new(Batch::<4>::new(game, decisive, settings, number)),
                _ => Box::new(Batch::<8>::new(game, decisive, settings, number)),
            }
        };
        self.searchers = (0..settings.threads.max(1) as u64).map(searcher).collect();
        self.searchers.iter_mut().for_each(|searcher| searcher.set_oracle(self.oracle.clone()));
    }

    /// Decides how many lanes there should be, once the speed is known.
    fn look_at_speed(&mut self, more: Duration) {
        let Some(trial) = &mut self.trial else { return };
        *trial += more;
        if *trial >= TRIAL {
            let speed = lock(&self.tree).playouts as f64 / trial.as_secs_f64();
            self.trial = None;
            if let Some((_, words)) = FAST.iter().find(|(least, _)| speed >= *least) {
                self.set_words(*words);
            }
        }
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
        for searcher in &mut self.searchers {
            searcher.restart(&self.tree);
        }
        self.view = self.walker.view(&position);
        let proved = self.view.is_over.then(|| Arc::clone(&self.view.rewards));
        lock(&self.tree).set_root(made, &position, &self.view.legal, proved);
        self.position = position;
    }

    /// Lets solved positions end playouts early.
    pub fn set_oracle(&mut self, oracle: &Arc<dyn Oracle>) {
        self.oracle = Some(Arc::clone(oracle));
        for searcher in &mut self.searchers {
            searcher.set_oracle(Some(Arc::clone(oracle)));
        }
    }

    /// Searches until the budget ends, or nothing is left to search.
    pub fn run(&mut self, budget: &Budget) {
        if self.view.is_over || lock(&self.tree).is_settled() {
            return;
        }
        if self.trial.is_some() {
            let started = Instant::now();
            self.run_lanes(&budget.slice(TRIAL));
            self.look_at_speed(started.elapsed());
        }
        if !lock(&self.tree).is_settled() {
            self.run_lanes(budget);
        }
    }

    fn run_lanes(&mut self, budget: &Budget) {
        let tree = &self.tree;
        match &mut self.searchers[..] {
            [only] => only.run(tree, budget),
            several => std::thread::scope(|scope| {
                for searcher in several {
                    scope.spawn(|| searcher.run(tree, budget));
                }
            }),
        }
    }

    /// Moves that are known to win at once in some positions.
    pub fn decisive_moves(&self) -> usize {
        self.decisive.as_ref().map_or(0, |rules| rules.wins.len())
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

    /// How many moves a playout has, on average of the last ones.
    pub fn length(&self) -> f64 {
        lock(&self.tree).length()
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

    /// Bytes of the tree that are in use.
    pub fn bytes(&self) -> usize {
        lock(&self.tree).bytes()
    }

    /// How often room was made in the tree.
    pub fn sweeps(&self) -> u64 {
        lock(&self.tree).sweeps
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
