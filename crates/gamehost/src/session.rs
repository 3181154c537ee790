//! A player as the protocol sees it: messages in, replies out.
//!
//! One match at a time. The player thinks in threads of its own; a referee beside it knows what is legal, so that a
//! legal move goes out even if the player has none. Nothing here knows sockets.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use counterplay_base::Budget;
use counterplay_gdl::Rules;
use counterplay_gdl::interpret::TermId;
use counterplay_ggp::play::{Choice, Player, PlayerKind, Referee};
use counterplay_syntax::Sources;

use counterplay_gdl::message::{Message, terms};

use crate::options::PlayerOptions;

/// What every match of a session has in common.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// The name that `INFO` tells.
    pub name: String,
    /// How the player searches.
    pub kind: PlayerKind,
    /// How it thinks.
    pub player: PlayerOptions,
    /// How long a manager may be silent beyond its clocks before its match is given up.
    pub patience: Duration,
}

impl SessionOptions {
    /// When a reply goes out: the margin is at most a fifth of the clock, so that short clocks are used too.
    fn deadline(&self, arrived: Instant, clock: Duration) -> Instant {
        arrived + clock.saturating_sub(self.player.margin.min(clock / 5))
    }
}

/// A match in progress.
struct Match {
    id: String,
    role: usize,
    play: Duration,
    player: Option<Player>,
    progress: Mutex<MatchProgress>,
}

/// How far a match has come.
struct MatchProgress {
    /// `None` once the rules could not be followed in time.
    referee: Option<Referee>,
    rules: Rules,
    ply: usize,
    /// The manager is given up if nothing comes before this.
    silent_until: Instant,
}

/// What a message led to.
pub struct Reply {
    /// The body of the response.
    pub text: String,
    /// For the log.
    pub remark: Option<String>,
    /// A match that is over, to be dropped when the reply is out: its threads take a moment to end.
    pub over: Option<Over>,
}

/// A match that is over.
pub struct Over(#[expect(dead_code, reason = "held to be dropped later")] Arc<Match>);

impl Reply {
    fn plain(text: &str) -> Reply {
        Reply { text: text.to_owned(), remark: None, over: None }
    }

    fn with(text: &str, remark: String) -> Reply {
        Reply { text: text.to_owned(), remark: Some(remark), over: None }
    }
}

/// A player that waits for messages.
pub struct GameSession {
    options: SessionOptions,
    current: Mutex<Option<Arc<Match>>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that died in the middle leaves a match that the next message can still use.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads rules that came in a message. With them comes why no player can think about them, if none can.
fn read_rules(text: &str) -> Result<(Rules, Option<String>), String> {
    let mut sources = Sources::default();
    let file = sources.add("rules", text);
    let rules = counterplay_gdl::read(&sources, file).map_err(|errors| {
        let first = errors.first().map(|error| error.to_string()).unwrap_or_default();
        format!("the rules cannot be used: {first}")
    })?;
    let why = rules
        .imperfect_information()
        .first()
        .map(|own| format!("{} in `{}`: any legal move is played", own.sentence(), sources.text(own.at())));
    Ok((rules, why))
}

impl GameSession {
    pub fn new(options: SessionOptions) -> GameSession {
        GameSession { options, current: Mutex::new(None) }
    }

    /// The match that goes on, unless its manager has been silent for too long.
    fn current(&self) -> Option<Arc<Match>> {
        locked(&self.current).clone()
    }

    /// Gives up a match whose manager is gone; to be called now and then.
    pub fn give_up_if_silent(&self) -> Option<Over> {
        let mut current = locked(&self.current);
        // A match that is just being followed is not silent.
        let is_silent = current.as_ref().is_some_and(|running| {
            running.progress.try_lock().is_ok_and(|progress| progress.silent_until < Instant::now())
        });
        if is_silent { current.take().map(Over) } else { None }
    }

    /// Answers the text of a message that came at `arrived`.
    pub fn answer(&self, text: &str, arrived: Instant) -> Result<Reply, String> {
        let message = Message::read(text)?;
        let over = self.give_up_if_silent();
        let mut reply = match message {
            Message::Info => {
                let status = if self.current().is_some() { "busy" } else { "available" };
                Reply::plain(&format!(
                    "( ( name {} ) ( status {status} ) ( species alien ) )",
                    self.options.name
                ))
            }
            Message::Preview { rules } => match read_rules(&rules) {
                Ok((_, None)) => Reply::plain("ready"),
                Ok((_, Some(why))) => Reply::with("ready", why),
                Err(why) => Reply::with("ready", why),
            },
            Message::Start { id, role, rules, start, play } => {
                self.start(id, &role, &rules, [start, play], arrived)
            }
            Message::Play { id, moves } => self.in_match(&id, |running| self.play(running, moves, arrived)),
            Message::Stop { id, moves } => self.end(&id, moves, "done"),
            Message::Abort { id } => self.end(&id, None, "aborted"),
        };
        reply.over = reply.over.or(over);
        Ok(reply)
    }

    fn in_match(&self, id: &str, act: impl FnOnce(&Match) -> Reply) -> Reply {
        match self.current() {
            Some(running) if running.id == id => act(&running),
            _ => Reply::with("busy", format!("a message for match {id}, which is not played here")),
        }
    }

    fn start(&self, id: String, role: &str, rules: &str, clocks: [Duration; 2], arrived: Instant) -> Reply {
        let (rules, no_thinking) = match read_rules(rules) {
            Ok(read) => read,
            Err(why) => return Reply::with("busy", format!("match {id}: {why}")),
        };
        let own = rules.symbols.find(role);
        let Some(role) = rules.roles.iter().position(|name| Some(*name) == own) else {
            return Reply::with("busy", format!("match {id}: the game has no role `{role}`"));
        };
        let [start, play] = clocks;
        let deadline = self.options.deadline(arrived, start);
        let running = {
            let mut current = locked(&self.current);
            if let Some(running) = &*current {
                return Reply::with("busy", format!("match {id} refused: {} is played", running.id));
            }
            let SessionOptions { kind, player: options, .. } = &self.options;
            let begin = || Player::start(&rules, role, *kind, &options.search, options.budget());
            let player = kind.searches().then(begin);
            let silent_until = Instant::now() + start + play + self.options.patience;
            let progress = MatchProgress { referee: None, rules: rules.clone(), ply: 0, silent_until };
            let running = Arc::new(Match { id, role, play, player, progress: Mutex::new(progress) });
            *current = Some(Arc::clone(&running));
            running
        };
        let left = deadline.saturating_duration_since(Instant::now());
        let mut progress = locked(&running.progress);
        let remark = match Referee::new(rules, &Budget::unlimited().with_time(left.max(play))) {
            Ok(referee) => {
                let remark = format!("match {}: as {}", running.id, referee.role_name(role));
                progress.referee = Some(referee);
                remark
            }
            Err(trouble) => format!("match {}: no referee: {trouble}", running.id),
        };
        drop(progress);
        let remark = no_thinking.map_or(remark.clone(), |why| format!("{remark}; {why}"));
        // The start clock is for thinking; only a player that has nothing left to think about is ready sooner.
        if let Some(player) = &running.player {
            player.prepare(0, deadline);
        }
        Reply::with("ready", remark)
    }

    fn play(&self, running: &Match, moves: Option<Vec<String>>, arrived: Instant) -> Reply {
        let deadline = self.options.deadline(arrived, running.play);
        let mut remark = None;
        let (ply, legal) = {
            let mut progress = locked(&running.progress);
            if let Some(moves) = moves {
                remark = progress.follow(running, &moves, deadline);
            }
            progress.silent_until = Instant::now() + 2 * running.play + self.options.patience;
            let legal = progress.referee.as_ref().map(|referee| {
                let own = referee.legal(running.role).iter();
                own.map(|&own| referee.display(own)).collect::<Vec<_>>()
            });
            (progress.ply, legal)
        };
        let legal_moves = legal.unwrap_or_default();
        let choice = match &running.player {
            Some(player) if legal_moves.len() != 1 => player.choose(ply, deadline),
            _ => None,
        };
        let (text, note) =
            decide(choice, &legal_moves, self.options.player.search.seed.wrapping_add(ply as u64));
        let told = format!("match {}: move {}: {text} ({note})", running.id, ply + 1);
        let remark = remark.map_or(told.clone(), |remark| format!("{remark}; {told}"));
        Reply::with(&text, remark)
    }

    fn end(&self, id: &str, moves: Option<Vec<String>>, reply: &str) -> Reply {
        let mut current = locked(&self.current);
        match current.take_if(|running| running.id == id) {
            Some(running) => {
                let goals = moves.and_then(|moves| {
                    let mut progress = locked(&running.progress);
                    let deadline = Instant::now() + Duration::from_millis(500).min(running.play);
                    progress.follow(&running, &moves, deadline);
                    progress.referee.as_ref().map(|referee| format!("{:?}", referee.goals()))
                });
                let remark = match goals {
                    Some(goals) => format!("match {id} is over: {goals}"),
                    None => format!("match {id} is over"),
                };
                Reply { text: reply.to_owned(), remark: Some(remark), over: Some(Over(running)) }
            }
            None => Reply::with("busy", format!("an end of match {id}, which is not played here")),
        }
    }
}

impl MatchProgress {
    /// Follows the match by the moves that the manager tells; returns what was odd about them.
    fn follow(&mut self, running: &Match, moves: &[String], deadline: Instant) -> Option<String> {
        let roles = self.rules.roles.len();
        if moves.len() != roles {
            return Some(format!("a joint move of {} for {roles} roles is ignored", moves.len()));
        }
        let mut odd = None;
        let mut joint: Vec<TermId> = Vec::new();
        let mut texts: Vec<String> = Vec::new();
        for (role, text) in moves.iter().enumerate() {
            let term = terms(&self.rules, text);
            let written =
                term.as_ref().map_or_else(|| text.clone(), |term| term.display(&self.rules.symbols));
            if let Some(referee) = &self.referee {
                let legal = term.as_ref().and_then(|term| referee.find(role, term));
                if legal.is_none() {
                    odd = Some(format!("the manager tells `{text}`, which is not legal"));
                }
                // What the manager says has happened; if it cannot have, any legal move stands in for it.
                let known = legal.or_else(|| term.as_ref().and_then(|term| referee.find_any(term)));
                let Some(own) = known.or_else(|| referee.legal(role).first().copied()) else {
                    return Some(format!("`{text}` cannot be followed"));
                };
                texts.push(referee.display(own));
                joint.push(own);
            } else {
                texts.push(written);
            }
        }
        if let Some(referee) = &mut self.referee {
            let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(50));
            if let Err(trouble) = referee.make(&joint, &Budget::unlimited().with_time(left)) {
                odd = Some(format!("the referee gives up: {trouble}"));
                self.referee = None;
            }
        }
        self.ply += 1;
        if let Some(player) = &running.player {
            player.make(&texts);
        }
        odd
    }
}

/// The move that goes out, and how it was found.
fn decide(choice: Option<Choice>, legal: &[String], seed: u64) -> (String, String) {
    match choice {
        Some(choice) if legal.is_empty() || legal.contains(&choice.text) => {
            let note = format!("{:?}, {} playouts", choice.way, choice.playouts);
            (choice.text, note)
        }
        other => match legal.len() {
            0 => ("nil".to_owned(), "no move is known".to_owned()),
            1 => (legal[0].clone(), "forced".to_owned()),
            count => {
                let note = if other.is_some() { "not legal, replaced" } else { "any legal move" };
                let mixed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (legal[(mixed >> 33) as usize % count].clone(), note.to_owned())
            }
        },
    }
}
