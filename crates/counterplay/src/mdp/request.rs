//! What may be asked of [`solve`](super::solve).

use serde::{Deserialize, Serialize};

/// How a decision process is to be solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct MdpRequest {
    /// What a policy is to achieve. Left open: what a discount or horizon says, else the least expected cost if a goal can be reached
    /// for sure, else the greatest probability.
    pub objective: Option<Objective>,
    /// How much rewards and costs count one step later, such as `0.95` or `19/20`.
    pub discount: Option<String>,
    /// After so many steps everything ends.
    pub horizon: Option<usize>,
    /// Whether the outcomes of `oneof` are equally likely; else they are refused.
    pub uniform: bool,
    /// Whether the policy is checked.
    pub check: bool,
}

impl Default for MdpRequest {
    fn default() -> MdpRequest {
        MdpRequest { objective: None, discount: None, horizon: None, uniform: false, check: true }
    }
}

/// What a policy is to achieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Objective {
    /// The greatest probability of reaching a goal
    MaxProb,
    /// The least expected cost among policies that reach a goal for sure
    MinCost,
    /// The greatest discounted sum of rewards less costs
    Discounted,
    /// The greatest sum of rewards less costs within so many steps
    Horizon,
}
