//! Who takes part: strategies of the library by name, and players of the caller's own.

use std::sync::Arc;

use counterplay_dilemma::modeller::{Modeller, TextError, read_conditions};
use counterplay_dilemma::tournament::Entrant;
use counterplay_dilemma::{Setting, Strategy, strategies, teams};
use counterplay_syntax::{FileId, Sources};

use crate::error::Error;

/// More players make more pairs than can be played.
const MOST: usize = 5000;

/// Players of the caller's own, which join those of the library. An own player takes precedence over a strategy of the same name.
#[derive(Clone, Debug, Default)]
pub struct Players {
    own: Vec<Entrant>,
}

impl Players {
    /// Adds a player of any kind.
    #[must_use]
    pub fn with(mut self, player: Entrant) -> Players {
        self.own.push(player);
        self
    }

    /// Adds a player that learns a model with the conditions of a text and plays the best response to it.
    ///
    /// # Errors
    /// Everything that is wrong with the text, with places.
    pub fn with_conditions(self, name: &str, sources: Sources, file: FileId) -> Result<Players, Error> {
        let set = match read_conditions(&sources, file) {
            Ok(set) => set,
            Err(errors) => {
                let diagnostics = errors.iter().map(TextError::diagnostic).collect();
                return Err(Error::Input { sources, diagnostics });
            }
        };
        let make = move |setting: &Setting| -> Box<dyn Strategy> { Box::new(Modeller::new(&set, setting)) };
        Ok(self.with(Entrant::new(name.to_owned(), Arc::new(make))))
    }

    /// Adds a player that cooperates with a probability for the first turn, and one for each outcome of the last turn: CC, CD, DC, DD,
    /// its own move first.
    ///
    /// # Errors
    /// A number that is no probability.
    pub fn with_table(self, name: &str, first: f64, after: [f64; 4]) -> Result<Players, Error> {
        if [first].iter().chain(&after).any(|share| !(0.0..=1.0).contains(share)) {
            let message = format!("`{name}`: probabilities lie between 0 and 1");
            return Err(Error::Request { message, help: None });
        }
        let make =
            move |_: &Setting| -> Box<dyn Strategy> { Box::new(strategies::MemoryOne { first, after }) };
        Ok(self.with(Entrant::new(name.to_owned(), Arc::new(make))))
    }

    /// The player of this name: an own one, a strategy of the library, or a version of DBS.
    ///
    /// # Errors
    /// There is none; the error says which name was probably meant.
    pub fn find(&self, name: &str) -> Result<Entrant, Error> {
        if let Some(own) = self.own.iter().find(|own| own.name == name) {
            return Ok(own.clone());
        }
        Entrant::find(name).map_err(|unknown| {
            let help = match unknown.similar {
                Some(similar) => format!("did you mean `{similar}`?"),
                None => "`counterplay dilemma strategies` lists them all".to_owned(),
            };
            Error::Request { message: unknown.to_string(), help: Some(help) }
        })
    }

    /// The field of a tournament: the players named, or the whole library; then all own players, then teams of these sizes.
    pub(super) fn field(&self, named: &[String], team_sizes: &[u32]) -> Result<Vec<Entrant>, Error> {
        let mut field = Vec::new();
        if named.is_empty() {
            field.extend(strategies::all().map(Entrant::from));
        }
        for name in named.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
            field.push(self.find(name)?);
        }
        for own in &self.own {
            if !field.iter().any(|entrant| entrant.name == own.name) {
                field.push(own.clone());
            }
        }
        // Before the members of teams are made: there may be billions of them.
        let members: u64 = team_sizes.iter().map(|&size| u64::from(size)).sum();
        let count = field.len() as u64 + members;
        if count > MOST as u64 {
            let message = format!("{count} players are too many: at most {MOST} can meet");
            return Err(Error::Request { message, help: None });
        }
        for (number, &size) in team_sizes.iter().enumerate() {
            field.extend(teams::team(number as u32, size as usize));
        }
        if field.is_empty() {
            return Err(Error::request("no player takes part", "leave `players` out for the whole library"));
        }
        Ok(field)
    }
}
