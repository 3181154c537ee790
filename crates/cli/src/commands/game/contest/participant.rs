//! Who plays a role.

use clap::ValueEnum;

use super::BuiltIn;
use crate::failure::Failure;

/// A player as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Participant {
    /// In this process.
    BuiltIn(BuiltIn),
    /// Over the network, at a host and port.
    Remote(String),
    /// At this terminal.
    Person,
}

impl Participant {
    /// Reads `hybrid`, `me`, `http://localhost:9147` or `localhost:9147`.
    pub(crate) fn read(text: &str) -> Result<Participant, Failure> {
        if text == "me" {
            return Ok(Participant::Person);
        }
        if let Ok(built_in) = BuiltIn::from_str(text, true) {
            return Ok(Participant::BuiltIn(built_in));
        }
        let host = text.strip_prefix("http://").unwrap_or(text).trim_end_matches('/');
        let port = host.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
        match port {
            Some(_) => Ok(Participant::Remote(host.to_owned())),
            None => Err(Failure::Usage {
                message: format!("`{text}` is no player"),
                help: Some("use random, rules, uct, hybrid, me, or a URL with its port, such as http://localhost:9147".to_owned()),
            }),
        }
    }

    /// As it is named in records.
    pub(crate) fn name(&self) -> String {
        match self {
            Participant::BuiltIn(built_in) => {
                built_in.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
            }
            Participant::Remote(host) => format!("http://{host}"),
            Participant::Person => "me".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_as_they_are_named() {
        for (text, wanted) in [
            ("hybrid", Participant::BuiltIn(BuiltIn::Hybrid)),
            ("random", Participant::BuiltIn(BuiltIn::Random)),
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
