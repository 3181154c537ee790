//! A player of one match: thinks in threads of its own, and has a move whenever it is asked.
//!
//! ```text
//! at once      the rules themselves: UCT on the interpreter
//! grounded     UCT on the network, from the position that the match has come to
//! beside it    the solver, from the position of the moment; if that is too large, from positions further along the line
//!              that UCT follows, which ends playouts there and is pulled nearer as long as it works, while the whole
//!              game is solved by sets of states
//! solved       the best move, at once
//! ```
//! After Kissmann 2012, section 11.3, where players write their best move into a file for the communicator to read.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use counterplay_base::{Budget, Id, Limit, Silent, Verdict};
use counterplay_gdl::Rules;
use counterplay_ground::game::{FluentId, Game, ground_game};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::decisive::DecisiveRules;
use super::oracle::{Oracle, Oracles};
use super::propnet_search::PropnetSearch;
use super::rules_search::RulesSearch;
use super::settings::UctSettings;
use super::share::SolverShare;
use super::solved;
use super::whole_game::WholeGameSolver;
use crate::explicit::{self, Order};

/// How a player searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// Any legal move
    Random,
    /// UCT on the rules, without grounding
    Rules,
    /// UCT on the rules, then on the network
    Uct,
    /// UCT, and the solver beside it
    #[default]
    Hybrid,
}

impl PlayerKind {
    /// All of them, from the weakest to the strongest.
    pub const ALL: [PlayerKind; 4] =
        [PlayerKind::Random, PlayerKind::Rules, PlayerKind::Uct, PlayerKind::Hybrid];

    /// The name in requests and records.
    pub fn name(self) -> &'static str {
        match self {
            PlayerKind::Random => "random",
            PlayerKind::Rules => "rules",
            PlayerKind::Uct => "uct",
            PlayerKind::Hybrid => "hybrid",
        }
    }

    /// Whether it searches at all.
    pub fn searches(self) -> bool {
        self != PlayerKind::Random
    }
}

/// How a move was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveSource {
    /// There was only one.
    Forced,
    /// By UCT on the rules.
    Rules,
    /// By UCT on the network.
    Network,
    /// The search proved what it is worth.
    Proved,
    /// Out of the solution.
    Solved,
}

/// A move, and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The move, as it is written.
    pub text: String,
    /// How it was found.
    pub way: MoveSource,
    /// Whether thinking longer would change nothing.
    pub is_final: bool,
    /// Playouts of the match so far.
    pub playouts: u64,
    /// What the player expects to get, from 0 to 1.
    pub value: Option<f32>,
}

/// How long the player thinks before it looks at its messages.
const SLICE: Duration = Duration::from_millis(20);
/// The interpreter may take so long to follow a move; else the referee is left alone.
const FOLLOW: Duration = Duration::from_secs(10);
/// The explicit solver gives up beyond so many positions, later in a match.
const LATER_STATES: usize = 1_000_000;
/// And so many when it works ahead of the match.
const AHEAD_STATES: usize = 400_000;
/// How far ahead it looks first, and by how much further if that is too large.
const AHEAD: usize = 4;
/// Rules for winning moves may take so long to find.
const REGRESSION: Duration = Duration::from_secs(20);
/// States that are looked at to see whether the solver has a chance.
const PROBE_STATES: usize = 30_000;
/// It tries positions that seem to have so many times the states that it may look at, at most.
const HOPE: f64 = 6.0;
/// The whole game is begun if it seems to have at most so many states, and for so long.
const WHOLE_STATES: f64 = 3e9;
const WHOLE_TIME: Duration = Duration::from_secs(60);
/// Before so many playouts nothing is known about the length of the game.
const FEW_PLAYOUTS: u64 = 200;
/// Solutions of parts that are kept.
const PARTS: usize = 6;

/// What the thinking thread and the others have in common.
#[derive(Debug, Default)]
struct Shared {
    /// The best move for the position after so many joint moves.
    choice: Mutex<(usize, Option<Choice>)>,
    changed: Condvar,
}

impl Shared {
    fn publish(&self, ply: usize, choice: Option<Choice>) {
        let mut own = self.choice.lock().unwrap_or_else(PoisonError::into_inner);
        *own = (ply, choice);
        self.changed.notify_all();
    }
}

/// A player of one match.
#[derive(Debug)]
pub struct Player {
    shared: Arc<Shared>,
    moves: Option<Sender<Vec<String>>>,
    budget: Budget,
    thread: Option<JoinHandle<()>>,
}

impl Player {
    /// Begins to think about a match. The budget is the player's own: it is cancelled when the player is dropped.
    ///
    /// It does not think if it is random, or about rules with hidden moves or chance, since a search would take them for
    /// open moves of an opponent: it has no choice then, and the referee has one.
    pub fn start(
        rules: &Rules,
        role: usize,
        kind: PlayerKind,
        settings: &UctSettings,
        budget: Budget,
    ) -> Player {
        let shared = Arc::new(Shared::default());
        let (moves, received) = channel();
        let think = || {
            let (shared, budget, rules, settings) =
                (Arc::clone(&shared), budget.clone(), rules.clone(), settings.clone());
            std::thread::Builder::new()
                .name("player".to_owned())
                .spawn(move || PlayerThread::new(rules, role, kind, settings, budget, shared, received).run())
        };
        // A thread that cannot be started leaves the player without a choice of its own; the referee has one.
        let can_think = kind.searches() && rules.imperfect_information().is_empty();
        let thread = if can_think { think().ok() } else { None };
        Player { shared, moves: Some(moves), budget, thread }
    }

    /// Tells the player what each role did, in the order of the roles.
    pub fn make(&self, joint: &[String]) {
        if let Some(moves) = &self.moves {
            // A player that has died is noticed when it is asked for a move.
            let _ = moves.send(joint.to_vec());
        }
    }

    /// The best move for the position after `ply` joint moves, at the latest at the deadline; `None` if there is none.
    pub fn choose(&self, ply: usize, deadline: Instant) -> Option<Choice> {
        self.wait(ply, deadline, |choice| choice.is_final)
    }

    /// Lets the player think about the position after `ply` joint moves until the deadline, or until it knows all
    /// about it.
    pub fn prepare(&self, ply: usize, deadline: Instant) {
        self.wait(ply, deadline, |choice| {
            choice.is_final && matches!(choice.way, MoveSource::Solved | MoveSource::Proved)
        });
    }

    fn wait(&self, ply: usize, deadline: Instant, is_enough: impl Fn(&Choice) -> bool) -> Option<Choice> {
        let mut own = self.shared.choice.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if own.0 == ply && own.1.as_ref().is_some_and(&is_enough) {
                break;
            }
            let now = Instant::now();
            if now >= deadline || self.thread.as_ref().is_none_or(JoinHandle::is_finished) {
                break;
            }
            let wait = (deadline - now).min(Duration::from_millis(100));
            own = self.shared.changed.wait_timeout(own, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
        if own.0 == ply { own.1.clone() } else { None }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        self.budget.cancel();
        self.moves = None;
        if let Some(thread) = self.thread.take() {
            // It notices within a slice; a panic in it has been reported already.
            let _ = thread.join();
        }
    }
}

/// What a helper thread found out.
enum News {
    Ground(Option<Arc<Game>>),
    Decisive(Option<Box<DecisiveRules>>),
    /// What the solver found, how many states it thought there are, as a logarithm, and whether it tried.
    Solved(Option<Arc<dyn Oracle>>, f64, bool),
    WholeGameSolver(Option<Arc<WholeGameSolver>>),
}

/// How far the solution of the whole game is.
enum WholeGame {
    Untried,
    Begun,
    Solved(Arc<WholeGameSolver>),
    /// It was too much.
    Unsolved,
}

/// The thinking thread.
struct PlayerThread {
    role: usize,
    kind: PlayerKind,
    settings: UctSettings,
    budget: Budget,
    shared: Arc<Shared>,
    received: Receiver<Vec<String>>,
    rules: Rules,
    /// All joint moves so far.
    history: Vec<Vec<String>>,
    by_rules: Option<RulesSearch>,
    by_network: Option<PropnetSearch>,
    /// Moves by role and text.
    names: FxHashMap<(usize, String), u32>,
    oracle: Option<Arc<Oracles>>,
    whole: WholeGame,
    news: (Sender<News>, Receiver<News>),
    helpers: Vec<JoinHandle<()>>,
    is_solving: bool,
    share: SolverShare,
    /// How many states the first position seemed to have that was not solved at once, as a logarithm.
    first_states: Option<f64>,
    /// The solver has tried the position after so many joint moves.
    tried_at: Option<usize>,
    /// How far ahead of that it tries next.
    ahead: usize,
}

impl PlayerThread {
    fn new(
        rules: Rules,
        role: usize,
        kind: PlayerKind,
        settings: UctSettings,
        budget: Budget,
        shared: Arc<Shared>,
        received: Receiver<Vec<String>>,
    ) -> PlayerThread {
        PlayerThread {
            role,
            kind,
            settings,
            budget,
            shared,
            received,
            rules,
            history: Vec::new(),
            by_rules: None,
            by_network: None,
            names: FxHashMap::default(),
            oracle: None,
            whole: WholeGame::Untried,
            news: channel(),
            helpers: Vec::new(),
            is_solving: false,
            share: SolverShare::new(Instant::now()),
            first_states: None,
            tried_at: None,
            ahead: AHEAD,
        }
    }

    fn run(mut self) {
        if self.kind != PlayerKind::Rules {
            self.ground();
        }
        let budget = Budget::unlimited().with_time(FOLLOW);
        self.by_rules = RulesSearch::new(self.rules.clone(), &self.settings, &budget).ok();
        // Memory and time bound the helpers; thinking itself ends only when the player is dropped.
        while self.budget.check() != Err(Limit::Cancelled) {
            while let Ok(news) = self.news.1.try_recv() {
                self.hear(news);
            }
            match self.received.try_recv() {
                Ok(joint) => self.make(joint),
                Err(TryRecvError::Disconnected) => break,
                Err(TryRecvError::Empty) => {}
            }
            self.solve_beside();
            if self.think() {
                continue;
            }
            // Nothing to think about: wait for a message, and look for news now and then.
            match self.received.recv_timeout(SLICE) {
                Ok(joint) => self.make(joint),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
            }
        }
        self.budget.cancel();
        // The solver of the whole game ends when its channel is closed.
        self.whole = WholeGame::Unsolved;
        for helper in self.helpers {
            let _ = helper.join();
        }
    }

    /// Starts a helper; without a thread for it there is simply no news.
    fn help(&mut self, work: impl FnOnce() -> News + Send + 'static) -> bool {
        let sender = self.news.0.clone();
        self.run_beside(move || {
            let _ = sender.send(work());
        })
    }

    fn run_beside(&mut self, work: impl FnOnce() + Send + 'static) -> bool {
        self.helpers.retain(|helper| !helper.is_finished());
        let spawned = std::thread::Builder::new().spawn(work);
        spawned.map(|helper| self.helpers.push(helper)).is_ok()
    }

    fn ground(&mut self) {
        let (rules, budget) = (self.rules.clone(), self.budget.clone());
        self.help(move || News::Ground(ground_game(&rules, &budget, &Silent).ok().map(Arc::new)));
    }

    fn hear(&mut self, news: News) {
        match news {
            News::Ground(Some(game)) => self.switch(&game),
            News::Decisive(rules) => {
                if let (Some(search), Some(rules)) = (&mut self.by_network, rules) {
                    search.set_decisive(*rules);
                }
            }
            // Rules that do not ground are played by the interpreter to the end.
            News::Ground(None) => {}
            News::Solved(found, states, has_tried) => {
                self.is_solving = false;
                match has_tried {
                    true => self.share.end(Instant::now(), found.is_some()),
                    false => self.share.skip(Instant::now()),
                }
                let Some(part) = found else {
                    self.ahead += AHEAD;
                    if *self.first_states.get_or_insert(states) <= WHOLE_STATES.ln() {
                        self.solve_whole();
                    }
                    return;
                };
                self.ahead = self.ahead.saturating_sub(1).max(1);
                let mut parts = self.oracle.as_ref().map_or(Vec::new(), |oracle| oracle.0.clone());
                if parts.len() == PARTS {
                    parts.remove(0);
                }
                parts.push(part);
                let oracle = Arc::new(Oracles(parts));
                if let Some(search) = &mut self.by_network {
                    search.set_oracle(&(Arc::clone(&oracle) as Arc<dyn Oracle>));
                }
                self.oracle = Some(oracle);
            }
            News::WholeGameSolver(whole) => {
                self.whole = whole.map_or(WholeGame::Unsolved, WholeGame::Solved);
            }
        }
    }

    /// What is too large state by state is begun by sets of states, once.
    fn solve_whole(&mut self) {
        if !matches!(self.whole, WholeGame::Untried) {
            return;
        }
        let Some(search) = &mut self.by_network else { return };
        let game = search.walker().game().clone();
        let (budget, sender) = (self.budget.slice(WHOLE_TIME), self.news.0.clone());
        let begun = self.run_beside(move || {
            WholeGameSolver::serve(&game, &budget, |whole| {
                let _ = sender.send(News::WholeGameSolver(whole));
            });
        });
        self.whole = if begun { WholeGame::Begun } else { WholeGame::Unsolved };
    }

    /// From the rules to the network, in the middle of the match.
    fn switch(&mut self, game: &Arc<Game>) {
        // The search begins at once; what wins at once is found out beside it.
        let settings = UctSettings { decisive: false, ..self.settings.clone() };
        let mut search = PropnetSearch::new(game, &settings);
        if self.settings.decisive {
            let (game, seed) = (Arc::clone(game), self.settings.seed);
            let budget = self.budget.slice(REGRESSION);
            self.help(move || News::Decisive(DecisiveRules::find(&game, seed, &budget).map(Box::new)));
        }
        self.names = game
            .moves
            .enumerate()
            .map(|(id, own)| ((own.role.index(), own.name.clone()), id.index() as u32))
            .collect();
        for joint in &self.history {
            match self.numbers(joint) {
                Some(joint) => search.make(&joint),
                None => return,
            }
        }
        self.by_network = Some(search);
        self.by_rules = None;
    }

    fn numbers(&self, joint: &[String]) -> Option<Vec<u32>> {
        let number = |(role, text): (usize, &String)| self.names.get(&(role, text.clone())).copied();
        joint.iter().enumerate().map(number).collect()
    }

    fn make(&mut self, joint: Vec<String>) {
        if let Some(search) = &mut self.by_rules {
            let mut moves = Vec::new();
            for (role, text) in joint.iter().enumerate() {
                let legal = search.view().legal.get(role).into_iter().flatten();
                moves.extend(legal.copied().find(|&own| search.display(own) == *text));
            }
            let budget = Budget::unlimited().with_time(FOLLOW);
            let followed = moves.len() == joint.len() && search.make(&moves, &budget).is_ok();
            if !followed {
                self.by_rules = None;
            }
        }
        if self.by_network.is_some() {
            match self.numbers(&joint) {
                Some(joint) => self.by_network.as_mut().expect("just seen").make(&joint),
                // A move that the network does not know: the referee is better off alone.
                None => self.by_network = None,
            }
        }
        self.history.push(joint);
        self.share.follow(Instant::now());
        // What the tree says already is better than nothing, should the clock be short.
        let thought = self.first_thought();
        self.shared.publish(self.history.len(), thought);
    }

    /// The best move before any thinking about the new position.
    fn first_thought(&mut self) -> Option<Choice> {
        let thought = |text, way, playouts| Choice { text, way, is_final: false, playouts, value: None };
        if let Some(search) = &mut self.by_network {
            let best = search.best(self.role)?;
            let text = search.walker().game().moves.as_slice()[best as usize].name.clone();
            return Some(thought(text, MoveSource::Network, search.playouts()));
        }
        let search = self.by_rules.as_ref()?;
        let best = search.best(self.role)?;
        Some(thought(search.display(best), MoveSource::Rules, search.playouts()))
    }

    /// Lets the solver run: from the current position once, then from positions ahead of it.
    fn solve_beside(&mut self) {
        if self.kind != PlayerKind::Hybrid || self.is_solving {
            return;
        }
        let Some(search) = &self.by_network else { return };
        if search.playouts() < FEW_PLAYOUTS || !self.share.may_begin(Instant::now()) {
            return;
        }
        if search.is_settled() || matches!(self.whole, WholeGame::Solved(_)) || self.knows(search.position())
        {
            return;
        }
        let ply = self.history.len();
        let (position, most) = if self.tried_at == Some(ply) {
            let Some(position) = search.ahead(self.ahead) else { return };
            if self.knows(&position) {
                self.ahead = self.ahead.saturating_sub(1).max(1);
                return;
            }
            (position, AHEAD_STATES)
        } else {
            let most = if self.tried_at.is_none() { self.settings.states } else { LATER_STATES };
            // What was ahead has come nearer.
            self.ahead = self.ahead.saturating_sub(ply - self.tried_at.unwrap_or(ply)).max(1);
            self.tried_at = Some(ply);
            (Arc::clone(search.position()), most)
        };
        let mut game = Game::clone(self.by_network.as_mut().expect("just seen").walker().game());
        game.initial = (0..game.fluents.len())
            .filter(|at| position[at / 64] >> (at % 64) & 1 == 1)
            .map(FluentId::new)
            .collect();
        let length = self.by_network.as_ref().map_or(0.0, PropnetSearch::length);
        let budget = self.budget.clone();
        self.share.begin(Instant::now());
        self.is_solving = self.help(move || {
            let states = explicit::estimate_states(&game, length, PROBE_STATES, &budget);
            if states > (HOPE * most as f64).ln() {
                return News::Solved(None, states, false);
            }
            // A part in which several roles choose at once has no values that could end playouts.
            let solution = explicit::solve(&game, Order::Own, most, &budget).ok().and_then(Verdict::solved);
            News::Solved(solution.map(|solution| Arc::new(solution) as Arc<dyn Oracle>), states, true)
        });
    }

    fn knows(&self, position: &[u64]) -> bool {
        self.oracle.as_ref().is_some_and(|oracle| oracle.rewards(position).is_some())
    }

    /// Thinks for a slice and publishes the best move; `false` if there is nothing to think about.
    fn think(&mut self) -> bool {
        let slice = Budget::unlimited().with_time(SLICE);
        let (role, ply) = (self.role, self.history.len());
        let mut choice = match (&mut self.by_network, &mut self.by_rules) {
            (Some(search), _) => {
                if search.view().is_over {
                    return false;
                }
                let position = Arc::clone(search.position());
                let whole = match &self.whole {
                    WholeGame::Solved(whole) => {
                        whole.follow(ply);
                        Some(whole.as_ref() as &dyn Oracle)
                    }
                    _ => None,
                };
                let part = self.oracle.as_deref().map(|oracle| oracle as &dyn Oracle);
                for oracle in [part, whole].into_iter().flatten() {
                    let estimates = search.estimates(role);
                    let found = solved::choose(search.walker(), oracle, &position, role, &estimates);
                    if let Some(found) = found {
                        let choice = Choice {
                            text: search.walker().game().moves.as_slice()[found.a_move as usize].name.clone(),
                            way: MoveSource::Solved,
                            is_final: true,
                            playouts: search.playouts(),
                            value: Some(found.value),
                        };
                        self.shared.publish(ply, Some(choice));
                        return false;
                    }
                }
                search.run(&slice);
                let settled = search.is_settled();
                let Some(best) = search.best(role) else { return false };
                let estimates = search.estimates(role);
                let estimate = estimates.iter().find(|estimate| estimate.a_move == best);
                let value = estimate.and_then(|estimate| estimate.proved.or(estimate.mean));
                // The solver may know better how to let others go wrong.
                let is_solving = self.is_solving || matches!(self.whole, WholeGame::Begun);
                let may_improve = is_solving && value.is_none_or(|value| value < 1.0);
                Choice {
                    text: search.walker().game().moves.as_slice()[best as usize].name.clone(),
                    way: if settled { MoveSource::Proved } else { MoveSource::Network },
                    is_final: settled && !may_improve || estimates.len() == 1,
                    playouts: search.playouts(),
                    value,
                }
            }
            (None, Some(search)) => {
                if search.view().is_over {
                    return false;
                }
                if search.run(&slice).is_err() {
                    self.by_rules = None;
                    return false;
                }
                let Some(best) = search.best(role) else { return false };
                let settled = search.is_settled();
                Choice {
                    text: search.display(best),
                    way: if settled { MoveSource::Proved } else { MoveSource::Rules },
                    is_final: settled || search.view().legal[role].len() == 1,
                    playouts: search.playouts(),
                    value: None,
                }
            }
            (None, None) => return false,
        };
        let goes_on =
            choice.way != MoveSource::Proved || self.is_solving || matches!(self.whole, WholeGame::Begun);
        if choice.is_final && choice.way != MoveSource::Proved {
            choice.way = MoveSource::Forced;
        }
        self.shared.publish(ply, Some(choice));
        goes_on
    }
}
