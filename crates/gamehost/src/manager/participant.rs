//! Who plays a role.

use counterplay_gdl::{Imperfect, Rules};
use counterplay_ggp::play::PlayerKind;

/// A player as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Participant {
    /// In this process.
    BuiltIn(PlayerKind),
    /// Over the network, at a host and port.
    Remote(String),
    /// At this terminal.
    Person,
}

impl Participant {
    /// Reads `hybrid`, `you` (or `me`, `human`), `http://localhost:9147` or `localhost:9147`.
    ///
    /// # Errors
    /// A text that names no player.
    pub fn read(text: &str) -> Result<Participant, SeatError> {
        if ["you", "me", "human"].iter().any(|name| text.eq_ignore_ascii_case(name)) {
            return Ok(Participant::Person);
        }
        let named = |built_in: &PlayerKind| built_in.name().eq_ignore_ascii_case(text);
        if let Some(built_in) = PlayerKind::ALL.into_iter().find(named) {
            return Ok(Participant::BuiltIn(built_in));
        }
        let host = text.strip_prefix("http://").unwrap_or(text).trim_end_matches('/');
        let port = host.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
        match port {
            Some(_) => Ok(Participant::Remote(host.to_owned())),
            None => Err(SeatError::NoPlayer(text.to_owned())),
        }
    }

    /// As it is named in records.
    pub fn name(&self) -> String {
        match self {
            Participant::BuiltIn(built_in) => built_in.name().to_owned(),
            Participant::Remote(host) => format!("http://{host}"),
            Participant::Person => "you".to_owned(),
        }
    }
}

/// Why players cannot take their seats.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeatError {
    #[error("`{0}` is no player")]
    NoPlayer(String),
    /// The names of the roles, and the number of players.
    #[error("the game has {}, but {} named", counted(roles.len(), "role"), are_named(*players))]
    Count { roles: Vec<String>, players: usize },
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn are_named(players: usize) -> String {
    format!("{} {}", counted(players, "player"), if players == 1 { "is" } else { "are" })
}

impl SeatError {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            SeatError::NoPlayer(_) => {
                "use random, rules, uct, hybrid, me, or a URL with its port, such as http://localhost:9147"
                    .to_owned()
            }
            SeatError::Count { roles, .. } => format!("the roles are {}", roles.join(", ")),
        }
    }
}

/// The player of each role; a role called `random` is played by the manager if no player is named for it.
///
/// # Errors
/// A text that names no player, or the wrong number of players.
pub fn seat_players(players: &[String], roles: &[&str]) -> Result<Vec<Participant>, SeatError> {
    let named: Vec<Participant> =
        players.iter().map(|text| Participant::read(text)).collect::<Result<_, _>>()?;
    if named.len() == roles.len() {
        return Ok(named);
    }
    let mut rest = named.into_iter();
    let chance = Participant::BuiltIn(PlayerKind::Random);
    let seated: Option<Vec<Participant>> = roles
        .iter()
        .map(|role| if role.eq_ignore_ascii_case("random") { Some(chance.clone()) } else { rest.next() })
        .collect();
    match (seated, rest.next()) {
        (Some(seated), None) => Ok(seated),
        _ => {
            let roles = roles.iter().map(|&role| role.to_owned()).collect();
            Err(SeatError::Count { roles, players: players.len() })
        }
    }
}

/// Whether these players cannot play a game with hidden moves or chance: the manager shows all moves to all players,
/// whatever `sees` says, and a search would take chance for an opponent.
pub fn need_perfect_information(rules: &Rules, players: &[Participant]) -> bool {
    let found = rules.imperfect_information();
    let hides = found.iter().any(|own| matches!(own, Imperfect::Percepts { .. }));
    let searches = |player: &Participant| matches!(player, Participant::BuiltIn(own) if own.searches());
    hides || players.iter().any(searches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_as_they_are_named() {
        for (text, wanted) in [
            ("hybrid", Participant::BuiltIn(PlayerKind::Hybrid)),
            ("random", Participant::BuiltIn(PlayerKind::Random)),
            ("you", Participant::Person),
            ("me", Participant::Person),
            ("http://localhost:9147/", Participant::Remote("localhost:9147".to_owned())),
            ("10.0.0.2:80", Participant::Remote("10.0.0.2:80".to_owned())),
        ] {
            let found = Participant::read(text).expect("a player");
            assert_eq!(found, wanted);
        }
        for text in ["", "hybird", "http://localhost", "localhost:port"] {
            assert!(Participant::read(text).is_err(), "{text}");
        }
    }
}
