//! The rules of a game, from text.

use std::time::Instant;

use counterplay_base::{Budget, Progress};
use counterplay_gdl::Rules;
use counterplay_ground::game::{Game, GameError, ground_game};
use counterplay_syntax::{Diagnostic, FileId, Sources};

use crate::effort::seconds;
use crate::error::{Error, Halt};

/// A rule sheet in GDL, and the text it was read from.
#[derive(Clone, Debug)]
pub struct GameRules {
    /// The text, for messages.
    pub sources: Sources,
    file: FileId,
    /// What it says.
    pub rules: Rules,
    /// Seconds of reading.
    pub parse: f64,
}

impl GameRules {
    /// Reads a rule sheet. Its name is for messages.
    ///
    /// # Errors
    /// Everything that is wrong with the text, with places.
    pub fn read(name: &str, text: &str) -> Result<GameRules, Error> {
        let mut sources = Sources::default();
        let file = sources.add(name, text);
        GameRules::of_sources(sources, file)
    }

    /// Reads a rule sheet from a text that has a name.
    ///
    /// # Errors
    /// Everything that is wrong with the text, with places.
    pub fn of_sources(sources: Sources, file: FileId) -> Result<GameRules, Error> {
        let started = Instant::now();
        match counterplay_gdl::read(&sources, file) {
            Ok(rules) => Ok(GameRules { sources, file, rules, parse: seconds(started.elapsed()) }),
            Err(errors) => {
                let diagnostics = errors.iter().map(counterplay_gdl::Error::diagnostic).collect();
                Err(Error::Input { sources, diagnostics })
            }
        }
    }

    /// The text of the rules.
    pub fn text(&self) -> &str {
        &self.sources.files[self.file].text
    }

    /// The names of the roles, in the order of the rules.
    pub fn roles(&self) -> Vec<&str> {
        self.rules.roles.iter().map(|&role| self.rules.symbols.name(role)).collect()
    }

    /// Refuses rules in which moves are hidden or drawn by chance, where that would make the answer wrong; `done` says what
    /// cannot be done with them.
    ///
    /// # Errors
    /// The places that make the information imperfect.
    pub fn refuse_imperfect(&self, done: &str) -> Result<(), Error> {
        let found = self.rules.imperfect_information();
        if found.is_empty() {
            return Ok(());
        }
        Err(self.input_error(found.iter().map(|own| own.diagnostic(done)).collect()))
    }

    /// The rules without variables.
    ///
    /// # Errors
    /// What cannot be grounded, or the limit that was reached.
    pub fn ground(&self, budget: &Budget, progress: &dyn Progress) -> Result<Game, Halt> {
        ground_game(&self.rules, budget, progress).map_err(|error| match error {
            GameError::Stopped(limit) => Halt::Limit(limit),
            other => self.input_error(other.diagnostic().into_iter().collect()).into(),
        })
    }

    fn input_error(&self, diagnostics: Vec<Diagnostic>) -> Error {
        Error::Input { sources: self.sources.clone(), diagnostics }
    }
}
