//! The list of strategies, and finding one in it.

use counterplay_syntax::similar;

use super::{
    cycler, first_tournament, gradual, grudger, machine, majority, memory_one, pavlov, prober, punisher,
    second_tournament, tit_for_tat,
};
use crate::dbs;
use crate::strategy::{Setting, Strategy};

/// How much of the history a strategy depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The outcomes of the last so many turns, and nothing else.
    Turns(usize),
    /// All turns, their number, or what it intended itself.
    Whole,
}

/// One strategy of the literature.
#[derive(Clone, Copy, Debug)]
pub struct StrategyEntry {
    /// The name it is called by.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// How much of the history it depends on.
    pub memory: Memory,
    /// Whether it takes chances.
    pub stochastic: bool,
    pub(crate) make: fn(&Setting) -> Box<dyn Strategy>,
}

impl StrategyEntry {
    /// A player for one match.
    pub fn player(&self, setting: &Setting) -> Box<dyn Strategy> {
        (self.make)(setting)
    }

    /// An entry for a strategy that takes no chances and may remember everything.
    pub(crate) const fn new(
        name: &'static str,
        about: &'static str,
        source: &'static str,
        make: fn(&Setting) -> Box<dyn Strategy>,
    ) -> StrategyEntry {
        StrategyEntry { name, about, source, memory: Memory::Whole, stochastic: false, make }
    }

    /// The same, but it depends on the last `turns` outcomes only.
    pub(crate) const fn remembering(self, turns: usize) -> StrategyEntry {
        StrategyEntry { memory: Memory::Turns(turns), ..self }
    }

    /// The same, but it takes chances.
    pub(crate) const fn by_chance(self) -> StrategyEntry {
        StrategyEntry { stochastic: true, ..self }
    }
}

const FAMILIES: &[&[StrategyEntry]] = &[
    memory_one::ENTRIES,
    tit_for_tat::ENTRIES,
    gradual::ENTRIES,
    grudger::ENTRIES,
    punisher::ENTRIES,
    prober::ENTRIES,
    majority::ENTRIES,
    cycler::ENTRIES,
    pavlov::ENTRIES,
    first_tournament::ENTRIES,
    second_tournament::ENTRIES,
    machine::ENTRIES,
    dbs::ENTRIES,
];

/// All strategies, family by family.
pub fn all() -> impl Iterator<Item = &'static StrategyEntry> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// Relatives that are known by name but stay out of the usual field.
pub fn extras() -> impl Iterator<Item = &'static StrategyEntry> {
    dbs::EXTRAS.iter()
}

/// A name that no strategy has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no strategy `{name}`")]
pub struct UnknownStrategy {
    pub name: String,
    /// The name that was probably meant.
    pub similar: Option<&'static str>,
}

/// Short names of the literature.
const ALIASES: [(&str, &str); 9] = [
    ("ALLC", "Cooperator"),
    ("ALLD", "Defector"),
    ("GRIM", "Grudger"),
    ("Pavlov", "WinStayLoseShift"),
    ("RAND", "Random"),
    ("STFT", "SuspiciousTitForTat"),
    ("TF2T", "TitFor2Tats"),
    ("TFT", "TitForTat"),
    ("WSLS", "WinStayLoseShift"),
];

/// Finds a strategy by its name or its short name; case does not matter.
pub fn find(name: &str) -> Result<&'static StrategyEntry, UnknownStrategy> {
    let full =
        ALIASES.iter().find(|(short, _)| short.eq_ignore_ascii_case(name)).map_or(name, |(_, full)| full);
    let found = all().chain(extras()).find(|entry| entry.name.eq_ignore_ascii_case(full));
    found.ok_or_else(|| UnknownStrategy { name: name.to_owned(), similar: suggestion(name) })
}

/// Compares without case, spaces and punctuation: `tit-for-tat` means `TitForTat`.
fn suggestion(name: &str) -> Option<&'static str> {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(name);
    let names: Vec<(String, &'static str)> =
        all().chain(extras()).map(|entry| (plain(entry.name), entry.name)).collect();
    let near = similar(&wanted, names.iter().map(|(plain, _)| plain.as_str()))?;
    names.iter().find(|(plain, _)| plain == near).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn short_names_are_found_and_hide_no_strategy() {
        for (short, full) in ALIASES {
            assert_eq!(find(short).map(|entry| entry.name), Ok(full));
            assert!(!all().chain(extras()).any(|entry| entry.name.eq_ignore_ascii_case(short)), "{short}");
        }
    }

    #[test]
    fn names_are_unique_and_everything_has_a_source() {
        let mut seen = HashSet::new();
        for entry in all().chain(extras()) {
            assert!(seen.insert(entry.name.to_ascii_lowercase()), "{} twice", entry.name);
            assert!(!entry.source.is_empty() && entry.about.ends_with('.'), "{}", entry.name);
        }
        assert!(seen.len() >= 60, "{} strategies", seen.len());
    }

    #[test]
    fn a_misspelt_name_gets_a_suggestion() {
        assert_eq!(find("titfortat").map(|entry| entry.name), Ok("TitForTat"));
        let meant = |name: &str| find(name).err().and_then(|unknown| unknown.similar);
        assert_eq!(meant("Tit For Tat"), Some("TitForTat"));
        assert_eq!(meant("Gruger"), Some("Grudger"));
        assert_eq!(meant("qqqqqqqqqqqq"), None);
    }
}
