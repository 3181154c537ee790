//! The players by name.

use serde::{Deserialize, Serialize};

use super::{Chair, DoubleDummyPlayer, GoodDefence, NetworkPlayer, Pimc, Planner, PlannerSettings, Rules};

/// A declarer by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Declarer {
    /// Task network over what declarer knows, its lines judged by a quick search
    #[default]
    Planner,
    /// Task network alone, as in the paper
    Network,
    /// Plain rules
    Rules,
    /// Double dummy over random layouts
    Pimc,
    /// The planner with a search of more layouts and more depth
    Hybrid,
    /// Sees all hands
    DoubleDummy,
    /// You, at the terminal
    #[cfg_attr(feature = "clap", value(aliases = ["me", "human"]))]
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
    /// Search from what each defender sees, with agreements
    Good,
    /// Sees all hands
    DoubleDummy,
    /// Double dummy over random layouts
    Pimc,
    /// You, at the terminal
    #[cfg_attr(feature = "clap", value(aliases = ["me", "human"]))]
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

/// Layouts that each good defender looks at in the first tricks.
const GOOD_LAYOUTS: usize = 10;

impl Declarer {
    /// A declarer for any number of deals; `None` for a person.
    pub fn chair(self, effort: Effort, seed: u64) -> Option<Chair> {
        Some(match self {
            Declarer::Planner => {
                let settings = PlannerSettings::quick(effort.layouts, effort.samples);
                Chair::ImperfectInformation(Box::new(Planner::with(settings, seed)))
            }
            Declarer::Network => {
                Chair::ImperfectInformation(Box::new(NetworkPlayer::new(effort.layouts, seed)))
            }
            Declarer::Rules => Chair::ImperfectInformation(Box::new(Rules)),
            Declarer::Pimc => Chair::ImperfectInformation(Box::new(Pimc::new(effort.samples, seed))),
            Declarer::Hybrid => {
                let settings = PlannerSettings::deep(effort.layouts, effort.samples);
                Chair::ImperfectInformation(Box::new(Planner::with(settings, seed)))
            }
            Declarer::DoubleDummy => Chair::PerfectInformation(Box::new(DoubleDummyPlayer::default())),
            Declarer::You => return None,
        })
    }

    /// The name in requests and answers.
    pub fn name(self) -> &'static str {
        match self {
            Declarer::Planner => "planner",
            Declarer::Network => "network",
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
            Defence::Good => Chair::ImperfectInformation(Box::new(GoodDefence::new(GOOD_LAYOUTS, seed))),
            Defence::Pimc => Chair::ImperfectInformation(Box::new(Pimc::new(effort.samples.min(10), seed))),
            Defence::DoubleDummy => Chair::PerfectInformation(Box::new(DoubleDummyPlayer::default())),
            Defence::You => return None,
        })
    }
}
