//! Random deals as boards.

use ::bridge::contract::Vulnerability;
use ::bridge::deal::Layout;
use ::bridge::formats::{Board, file_to_pbn};
use ::bridge::generate::DealKind;
use ::bridge::seat::Seat;
use counterplay_base::{Budget, Progress};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Halt};

/// Which deals are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct DealRequest {
    /// How many
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = DealRequest::default().count))]
    pub count: usize,

    /// The kind of deal
    #[cfg_attr(feature = "clap", arg(long, value_name = "KIND", value_enum, default_value_t))]
    pub kind: DealKind,

    /// High-card points of north and south together, such as `24-27`
    #[cfg_attr(feature = "clap", arg(long, value_name = "FROM-TO", value_parser = points))]
    pub points: Option<(u32, u32)>,

    /// The longest suit allowed in north's and south's hands
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub longest: Option<usize>,

    /// The shortest suit allowed in north's and south's hands
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub shortest: Option<usize>,

    /// The seed of the deals.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub seed: u64,
}

impl Default for DealRequest {
    fn default() -> DealRequest {
        DealRequest {
            count: 1,
            kind: DealKind::default(),
            points: None,
            longest: None,
            shortest: None,
            seed: 0,
        }
    }
}

#[cfg(feature = "clap")]
fn points(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('-').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    parts.filter(|(from, to)| from <= to).ok_or_else(|| format!("`{text}` is no range; write `24-27`"))
}

/// Random deals, as boards of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct DealAnswer {
    /// Numbered from 1, with a contract by South.
    pub boards: Vec<Board>,
}

/// Draws random deals.
///
/// # Errors
/// Deals of this kind are too rare, or the limit that was reached.
pub fn deal(request: &DealRequest, budget: &Budget, progress: &dyn Progress) -> Result<DealAnswer, Halt> {
    progress.begin("deal");
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    let (mut wanted, contract) = request.kind.wanted();
    wanted.points = request.points.unwrap_or(wanted.points);
    wanted.longest = request.longest.unwrap_or(wanted.longest);
    wanted.shortest = request.shortest.unwrap_or(wanted.shortest);
    let mut boards = Vec::new();
    for number in 1..=request.count {
        budget.check()?;
        let Some(deal) = wanted.draw(&mut rng) else {
            return Err(Error::request(
                "a million deals were drawn and none was of this kind",
                "ask for less",
            )
            .into());
        };
        boards.push(Board {
            name: number.to_string(),
            line: 0,
            dealer: Some(Seat::South),
            vulnerability: Vulnerability::default(),
            layout: Layout::from(&deal),
            deal: Some(deal),
            contract: Some(contract),
            lead: None,
            auction: None,
            play: Vec::new(),
            result: None,
            tags: Vec::new(),
        });
    }
    Ok(DealAnswer { boards })
}

impl DealAnswer {
    /// The boards as a PBN file.
    pub fn text(&self) -> String {
        file_to_pbn(&self.boards)
    }
}
