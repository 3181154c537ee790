//! Who plays: the players by their names on the command line.

use bridge::players::{Chair, DoubleDummyPlayer, Hybrid, Pimc, Planner, Rules};
use clap::ValueEnum;

/// Who declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Declarer {
    /// Task network over what declarer knows
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

/// Who defends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Defence {
    /// Plain rules: fourth best, second hand low, third hand high
    Rules,
    /// Sees all hands
    DoubleDummy,
    /// Double dummy over random layouts
    Pimc,
    /// You, at the terminal
    You,
}

/// How hard the players think.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Layouts that the planner considers.
    pub(crate) layouts: usize,
    /// Layouts that are solved double dummy for each card.
    pub(crate) samples: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { layouts: 40, samples: 20 }
    }
}

impl Declarer {
    /// The declarer's chair; `None` for a person.
    pub(crate) fn chair(self, effort: Effort, seed: u64) -> Option<Chair> {
        Some(match self {
            Declarer::Planner => Chair::Fair(Box::new(Planner::new(effort.layouts, seed))),
            Declarer::Rules => Chair::Fair(Box::new(Rules)),
            Declarer::Pimc => Chair::Fair(Box::new(Pimc::new(effort.samples, seed))),
            Declarer::Hybrid => Chair::Fair(Box::new(Hybrid::new(effort.layouts, effort.samples, seed))),
            Declarer::DoubleDummy => Chair::Seeing(Box::new(DoubleDummyPlayer::default())),
            Declarer::You => return None,
        })
    }

    /// The name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

impl Defence {
    /// The defenders' chair; `None` for a person.
    pub(crate) fn chair(self, effort: Effort, seed: u64) -> Option<Chair> {
        Some(match self {
            Defence::Rules => Chair::Fair(Box::new(Rules)),
            Defence::Pimc => Chair::Fair(Box::new(Pimc::new(effort.samples.min(10), seed))),
            Defence::DoubleDummy => Chair::Seeing(Box::new(DoubleDummyPlayer::default())),
            Defence::You => return None,
        })
    }
}
