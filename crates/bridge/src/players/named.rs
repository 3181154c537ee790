//! The players by name.

use serde::{Deserialize, Serialize};

use super::{Chair, DoubleDummyPlayer, Hybrid, Pimc, Planner, Rules};

/// A declarer by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Declarer {
    /// Task network over what declarer knows
    #[default]
    Planner,
    /// Plain rules
    Rules,
    /// Double dummy over random layouts
    Pimc,
    /// Planner and sampled double dummy together, over layouts followed through the deal
    Hybrid,
    /// Sees all hands
    DoubleDummy,
    /// You, at the terminal
    You,
}

/// A defence by name: one player for both defenders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Defence {
    /// Plain rules: fourth best, second hand low, third hand high
    #[default]
    Rules,
    /// Sees all hands
    DoubleDummy,
    /// Double dummy over random layouts
    Pimc,
    /// You, at the terminal
    You,
}

/// How hard the players think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Layouts that the planner considers.
    pub layouts: usize,
    /// Layouts that are solved double dummy for each card.
    pub samples: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { layouts: 40, samples: 20 }
    }
}

impl Declarer {
    /// A declarer for any number of deals; `None` for a person.
    pub fn chair(self, effort: Effort, seed: u64) -> Option<Chair> {
        Some(match self {
            Declarer::Planner => Chair::ImperfectInformation(Box::new(Planner::new(effort.layouts, seed))),
            Declarer::Rules => Chair::ImperfectInformation(Box::new(Rules)),
            Declarer::Pimc => Chair::ImperfectInformation(Box::new(Pimc::new(effort.samples, seed))),
            Declarer::Hybrid => {
                Chair::ImperfectInformation(Box::new(Hybrid::new(effort.layouts, effort.samples, seed)))
            }
            Declarer::DoubleDummy => Chair::PerfectInformation(Box::new(DoubleDummyPlayer::default())),
            Declarer::You => return None,
        })
    }

    /// The name in requests and answers.
    pub fn name(self) -> &'static str {
        match self {
            Declarer::Planner => "planner",
            Declarer::Rules => "rules",
            Declarer::Pimc => "pimc",
            Declarer::Hybrid => "hybrid",
            Declarer::DoubleDummy => "double-dummy",
            Declarer::You => "you",
        }
    }
}

impl Defence {
    /// Defenders for any number of deals; `None` for a person.
    pub fn chair(self, effort: Effort, seed: u64) -> Option<Chair> {
        Some(match self {
            Defence::Rules => Chair::ImperfectInformation(Box::new(Rules)),
            Defence::Pimc => Chair::ImperfectInformation(Box::new(Pimc::new(effort.samples.min(10), seed))),
            Defence::DoubleDummy => Chair::PerfectInformation(Box::new(DoubleDummyPlayer::default())),
            Defence::You => return None,
        })
    }
}
