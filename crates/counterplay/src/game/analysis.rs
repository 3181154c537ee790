//! A position of a game after some joint moves, for callers that keep the moves and nothing else.

use std::sync::Arc;
use std::time::{Duration, Instant};

use counterplay_base::{Budget, Id, Progress};
use counterplay_gdl::message::terms;
use counterplay_ggp::play::{PropnetSearch, Referee, UctSettings};
use counterplay_ground::game::{Game, MoveId};
use serde::Serialize;

use super::rules::GameRules;
use super::solving::troubled;
use crate::error::{Error, Halt};

/// A position as the rules see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionView {
    /// The names of the roles.
    pub roles: Vec<String>,
    /// The fluents that hold, such as `(cell 1 1 x)`.
    pub fluents: Vec<String>,
    /// For each role, its legal moves.
    pub legal: Vec<Vec<String>>,
    /// Whether the game is over.
    pub over: bool,
    /// What each role gets if the game ends here; null where the rules do not say.
    pub rewards: Vec<Option<u32>>,
}

/// What a game looks like: its first position, and all fluents that may ever hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameOutline {
    /// The first position.
    pub position: PositionView,
    /// All fluents of the ground rules.
    pub fluents: Vec<String>,
}

/// What a search thinks of a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveValue {
    #[serde(rename = "move")]
    pub text: String,
    /// Playouts through it.
    pub visits: u32,
    /// Their mean reward, from 0 to 1; null before the first one.
    pub mean: Option<f32>,
    /// The reward, from 0 to 1, if it is proved.
    pub proved: Option<f32>,
}

/// What a search thinks of the moves of one role.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Analysis {
    pub role: String,
    pub moves: Vec<MoveValue>,
    /// Playouts so far.
    pub playouts: u64,
    /// Whether thinking longer would change nothing.
    pub settled: bool,
}

/// The position after some joint moves: for each of them, what each role did, in the order of the rules.
///
/// # Errors
/// A move that is not legal, rules that cannot be followed, or the limit that was reached.
pub fn position(rules: &GameRules, moves: &[Vec<String>], budget: &Budget) -> Result<PositionView, Halt> {
    let referee = follow(rules, moves, budget)?;
    let roles = 0..referee.roles();
    Ok(PositionView {
        roles: roles.clone().map(|role| referee.role_name(role).to_owned()).collect(),
        fluents: referee.fluents(),
        legal: roles
            .map(|role| referee.legal(role).iter().map(|&own| referee.display(own)).collect())
            .collect(),
        over: referee.is_over(),
        rewards: referee.goals().to_vec(),
    })
}

/// What a game looks like, for callers that draw it.
///
/// # Errors
/// Rules that cannot be grounded or followed, or the limit that was reached.
pub fn outline(rules: &GameRules, budget: &Budget, progress: &dyn Progress) -> Result<GameOutline, Halt> {
    let game = rules.ground(budget, progress)?;
    let fluents = game.fluents.iter().cloned().collect();
    Ok(GameOutline { position: position(rules, &[], budget)?, fluents })
}

/// The referee after some joint moves.
fn follow(rules: &GameRules, moves: &[Vec<String>], budget: &Budget) -> Result<Referee, Halt> {
    let mut referee = Referee::new(rules.rules.clone(), budget).map_err(troubled)?;
    for (number, joint) in moves.iter().enumerate() {
        let wrong = |what: &str| {
            Halt::from(Error::Request { message: format!("move {}: {what}", number + 1), help: None })
        };
        if joint.len() != referee.roles() {
            return Err(wrong(&format!("{} roles move, not {}", referee.roles(), joint.len())));
        }
        let mut found = Vec::new();
        for (role, text) in joint.iter().enumerate() {
            let legal = terms(referee.rules(), text).and_then(|term| referee.find(role, &term));
            found.push(legal.ok_or_else(|| wrong(&format!("`{text}` is not legal")))?);
        }
        referee.make(&found, budget).map_err(troubled)?;
    }
    Ok(referee)
}

/// Thinks about the position after some joint moves by UCT on the network. `tell` hears what it thinks of the moves of a role every
/// `interval`, and once more at the end, which comes when nothing is left to search or after `time`.
///
/// # Errors
/// Hidden moves or chance, a role that the game does not have, a move that is not legal, or a limit that came before the search began.
pub fn analyse(
    rules: &GameRules,
    moves: &[Vec<String>],
    role: usize,
    time: Duration,
    budget: &Budget,
    progress: &dyn Progress,
    tell: &mut dyn FnMut(Analysis),
) -> Result<(), Halt> {
    const INTERVAL: Duration = Duration::from_millis(300);
    rules.refuse_imperfect("analysed")?;
    let roles = rules.roles();
    let Some(name) = roles.get(role) else {
        let message = format!("the game has {} roles", roles.len());
        return Err(Error::Request { message, help: None }.into());
    };
    progress.begin("grounding");
    let game = Arc::new(rules.ground(budget, progress)?);
    let settings = UctSettings { threads: 1, ..UctSettings::default() };
    let mut search = PropnetSearch::new(&game, &settings);
    for (number, joint) in moves.iter().enumerate() {
        let made: Option<Vec<u32>> = (0..roles.len())
            .map(|role| {
                let text = joint.get(role)?;
                let legal = search.view().legal.get(role)?;
                legal.iter().copied().find(|&own| written(&game, own).eq_ignore_ascii_case(text))
            })
            .collect();
        let Some(made) = made else {
            let message = format!("move {}: `{}` is not legal", number + 1, joint.join(" "));
            return Err(Error::Request { message, help: None }.into());
        };
        search.make(&made);
    }
    progress.begin("thinking");
    let end = Instant::now() + time;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        search.run(&budget.slice(INTERVAL.min(left)));
        let settled = search.is_settled();
        let values = search.estimates(role).into_iter().map(|estimate| MoveValue {
            text: written(&game, estimate.a_move).to_owned(),
            visits: estimate.visits,
            mean: estimate.mean,
            proved: estimate.proved,
        });
        tell(Analysis {
            role: (*name).to_owned(),
            moves: values.collect(),
            playouts: search.playouts(),
            settled,
        });
        if settled || Instant::now() >= end || budget.check().is_err() {
            return Ok(());
        }
    }
}

/// A move as the rules write it.
fn written(game: &Game, own: u32) -> &str {
    &game.moves[MoveId::new(own as usize)].name
}

#[cfg(test)]
mod tests {
    use super::*;
    use counterplay_base::Silent;

    const RULES: &str = "(role player) (init dark)
        (legal player wait) (legal player switch)
        (<= (next lit) (does player switch)) (<= (next dark) (does player wait))
        (<= terminal (true lit)) (<= (goal player 100) (true lit))";

    fn made(text: &str) -> Vec<Vec<String>> {
        vec![vec![text.to_owned()]]
    }

    #[test]
    fn a_position_is_what_the_rules_say() {
        let rules = GameRules::read("lamp", RULES).unwrap();
        let here = position(&rules, &made("wait"), &Budget::unlimited()).unwrap();
        assert_eq!((here.fluents, here.over), (vec!["dark".to_owned()], false));
        let over = position(&rules, &made("switch"), &Budget::unlimited()).unwrap();
        assert_eq!((over.over, over.rewards), (true, vec![Some(100)]));
        assert!(position(&rules, &made("jump"), &Budget::unlimited()).is_err());
    }

    #[test]
    fn the_winning_move_is_found() {
        let rules = GameRules::read("lamp", RULES).unwrap();
        let mut last = None;
        let time = Duration::from_millis(200);
        analyse(&rules, &made("wait"), 0, time, &Budget::unlimited(), &Silent, &mut |found| {
            last = Some(found)
        })
        .unwrap();
        let last = last.unwrap();
        let best = last.moves.iter().max_by_key(|one| one.visits).unwrap();
        assert_eq!(best.text, "switch");
    }
}
