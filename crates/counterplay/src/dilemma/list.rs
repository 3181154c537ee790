//! The strategies of the library.

use counterplay_dilemma::{Memory, StrategyEntry, dbs, strategies as library};
use serde::Serialize;

/// The strategies of the library. Its JSON form is what `counterplay dilemma strategies --json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StrategyList {
    /// Those of the usual field, family by family, and then those that are known by name only.
    pub strategies: Vec<StrategyInfo>,
}

/// A strategy of the library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StrategyInfo {
    /// The name that requests use; case does not matter there.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// The publication or program that it comes from.
    pub source: &'static str,
    /// How many of the last turns it depends on; null if it may depend on all of them.
    pub memory: Option<usize>,
    /// Whether it takes chances.
    pub stochastic: bool,
    /// Whether it plays in a tournament without named players.
    pub in_field: bool,
}

impl StrategyInfo {
    fn new(entry: &'static StrategyEntry, in_field: bool) -> StrategyInfo {
        let memory = match entry.memory {
            Memory::Turns(turns) => Some(turns),
            Memory::Whole => None,
        };
        let StrategyEntry { name, about, source, stochastic, .. } = *entry;
        StrategyInfo { name, about, source, memory, stochastic, in_field }
    }
}

/// All strategies of the library.
pub fn strategies() -> StrategyList {
    let field = library::all().map(|entry| StrategyInfo::new(entry, true));
    let extras = library::extras().map(|entry| StrategyInfo::new(entry, false));
    StrategyList { strategies: field.chain(extras).collect() }
}

impl StrategyList {
    /// A line for each strategy, with a second one for its source if that is wanted, and the versions of DBS.
    pub fn text(&self, sources: bool) -> String {
        let width = self.strategies.iter().map(|info| info.name.len()).max().unwrap_or(0);
        let mut text = String::new();
        for info in &self.strategies {
            let chance = if info.stochastic { " (by chance)" } else { "" };
            let field = if info.in_field { "" } else { " (by name only)" };
            text.push_str(&format!("{:width$}  {}{chance}{field}\n", info.name, info.about));
            if sources {
                text.push_str(&format!("{:width$}    {}\n", "", info.source));
            }
        }
        text.push_str("\nversions of DBS, by name only\n");
        for version in dbs::variants() {
            text.push_str(&format!("{:width$}  {}\n", version.name, version.about));
        }
        text
    }
}
