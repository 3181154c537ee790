//! A player of one match.

use std::time::{Duration, Instant};

use counterplay_base::Budget;
use counterplay_gdl::message::terms;
use counterplay_ggp::play::{Player, PlayerKind, Referee, UctSettings};
use serde::{Deserialize, Serialize};

use super::rules::GameRules;
use super::solving::troubled;
use crate::error::{Error, Halt};

/// So long a player thinks before it is seen whether the caller wants to stop.
const SLICE: Duration = Duration::from_millis(50);
/// Longer times are as good as this one, and can be added to the time of day.
const LONGEST: Duration = Duration::from_secs(86_400);

/// How a player thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlayRequest {
    /// How the player searches.
    pub player: PlayerKind,
    /// Threads that search together.
    pub threads: usize,
    /// Bytes for the tree of the search.
    pub tree_bytes: usize,
    /// The seed of everything that is left to chance.
    pub seed: u64,
}

impl Default for PlayRequest {
    fn default() -> PlayRequest {
        let UctSettings { threads, bytes, seed, .. } = UctSettings::default();
        PlayRequest { player: PlayerKind::Hybrid, threads, tree_bytes: bytes, seed }
    }
}

/// A move, and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChosenMove {
    /// The move as the rules write it.
    #[serde(rename = "move")]
    pub text: String,
    /// Whether it is proved that no move is better.
    pub proved: bool,
    /// What the player expects to get, from 0 to 1; `None` if it has no opinion.
    pub value: Option<f32>,
    /// Playouts of the match so far.
    pub playouts: u64,
}

/// A player of one match. It thinks in threads of its own as long as it lives, also while the opponent does.
///
/// ```
/// use std::time::Duration;
/// use counterplay::game::{GamePlayer, GameRules, PlayRequest};
/// use counterplay::Budget;
///
/// let rules = GameRules::read("lamp", "
///     (role player) (init dark)
///     (legal player wait) (legal player switch)
///     (<= (next lit) (does player switch)) (<= (next late) (does player wait))
///     (<= terminal (true lit)) (<= terminal (true late))
///     (<= (goal player 100) (true lit)) (<= (goal player 0) (true late))")?;
/// let mut player = GamePlayer::new(&rules, "player", &PlayRequest::default(), Budget::unlimited()).unwrap();
/// let chosen = player.best_move(Duration::from_secs(1)).unwrap();
/// assert_eq!(chosen.text, "switch");
/// player.make(&["switch"]).unwrap();
/// assert!(player.is_over());
/// # Ok::<(), counterplay::Error>(())
/// ```
#[derive(Debug)]
pub struct GamePlayer {
    player: Player,
    referee: Referee,
    role: usize,
    /// Joint moves so far.
    made: usize,
    seed: u64,
    budget: Budget,
}

impl GamePlayer {
    /// Begins to think about a match in which it plays a role. The budget is the player's own: it is cancelled when the
    /// player is dropped.
    ///
    /// # Errors
    /// Hidden moves or chance, a role that the game does not have, rules that cannot be followed, or the limit that was
    /// reached.
    pub fn new(
        rules: &GameRules,
        role: &str,
        request: &PlayRequest,
        budget: Budget,
    ) -> Result<GamePlayer, Halt> {
        rules.refuse_imperfect("played by a search")?;
        let own = rules.rules.symbols.find(role);
        let Some(role) = rules.rules.roles.iter().position(|name| Some(*name) == own) else {
            let help = format!("the roles are {}", rules.roles().join(", "));
            return Err(Error::request(&format!("the game has no role `{role}`"), &help).into());
        };
        let referee = Referee::new(rules.rules.clone(), &budget).map_err(troubled)?;
        let settings = UctSettings {
            threads: request.threads,
            bytes: request.tree_bytes,
            seed: request.seed,
            ..UctSettings::default()
        };
        let player = Player::start(&rules.rules, role, request.player, &settings, budget.clone());
        Ok(GamePlayer { player, referee, role, made: 0, seed: request.seed, budget })
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.referee.is_over()
    }

    /// The legal moves of the player's role.
    pub fn legal_moves(&self) -> Vec<String> {
        self.referee.legal(self.role).iter().map(|&own| self.referee.display(own)).collect()
    }

    /// What each role gets if the match ends here; `None` where the rules do not say.
    pub fn rewards(&self) -> &[Option<u32>] {
        self.referee.goals()
    }

    /// Follows the match: what each role did, in the order of the rules.
    ///
    /// # Errors
    /// A move that is not legal, or the limit that was reached. The position is the old one then.
    pub fn make(&mut self, joint: &[&str]) -> Result<(), Halt> {
        let roles = self.referee.roles();
        if joint.len() != roles {
            let message = format!("a joint move has {roles} moves, not {}", joint.len());
            return Err(Error::Request { message, help: None }.into());
        }
        let mut found = Vec::new();
        for (role, text) in joint.iter().enumerate() {
            let legal = terms(self.referee.rules(), text).and_then(|term| self.referee.find(role, &term));
            let Some(legal) = legal else {
                let message =
                    format!("`{text}` is not a legal move of {} here", self.referee.role_name(role));
                return Err(Error::Request { message, help: None }.into());
            };
            found.push(legal);
        }
        let texts: Vec<String> = found.iter().map(|&own| self.referee.display(own)).collect();
        self.referee.make(&found, &self.budget).map_err(troubled)?;
        self.player.make(&texts);
        self.made += 1;
        Ok(())
    }

    /// The best move that the player finds within some time, or earlier if the caller's budget ends.
    ///
    /// # Errors
    /// A game that is over.
    pub fn best_move_within(&self, time: Duration, budget: &Budget) -> Result<ChosenMove, Error> {
        let end = Instant::now() + time.min(LONGEST);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let chosen = self.best_move(left.min(SLICE))?;
            if chosen.proved || left <= SLICE || budget.check().is_err() {
                return Ok(chosen);
            }
        }
    }

    /// The best move that the player finds within some time.
    ///
    /// # Errors
    /// A game that is over.
    pub fn best_move(&self, time: Duration) -> Result<ChosenMove, Error> {
        let legal = self.legal_moves();
        if self.is_over() || legal.is_empty() {
            return Err(Error::Request { message: "the game is over".to_owned(), help: None });
        }
        if let [only] = &legal[..] {
            return Ok(ChosenMove { text: only.clone(), proved: true, value: None, playouts: 0 });
        }
        match self.player.choose(self.made, Instant::now() + time) {
            Some(choice) if legal.contains(&choice.text) => Ok(ChosenMove {
                proved: choice.is_final,
                text: choice.text,
                value: choice.value,
                playouts: choice.playouts,
            }),
            // A player that has nothing yet makes any legal move in time.
            _ => {
                let place = (self.seed.wrapping_add(self.made as u64)) % legal.len() as u64;
                let text = legal[place as usize].clone();
                Ok(ChosenMove { text, proved: false, value: None, playouts: 0 })
            }
        }
    }
}
