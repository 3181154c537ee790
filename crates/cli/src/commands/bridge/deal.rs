//! `counterplay bridge deal`: random deals as PBN.

use bridge::contract::Vulnerability;
use bridge::deal::Layout;
use bridge::formats::{Board, file_to_pbn};
use bridge::seat::Seat;
use clap::Args;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::boards::Kind;
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// Draw random deals of a kind, as PBN
///
/// Example: counterplay bridge deal --count 10 --kind spades --points 25-27 --seed 7
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct DealArguments {
    /// How many
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: usize,

    /// The kind of deal
    #[arg(long, value_name = "KIND", value_enum, default_value_t = Kind::Notrump)]
    kind: Kind,

    /// High-card points of north and south together, such as `24-27`
    #[arg(long, value_name = "FROM-TO", value_parser = points)]
    points: Option<(u32, u32)>,

    /// The longest suit allowed in north's and south's hands
    #[arg(long, value_name = "N")]
    longest: Option<usize>,

    /// The shortest suit allowed in north's and south's hands
    #[arg(long, value_name = "N")]
    shortest: Option<usize>,
}

fn points(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('-').and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    parts.filter(|(from, to)| from <= to).ok_or_else(|| format!("`{text}` is no range; write `24-27`"))
}

/// Draws them.
pub(crate) fn run(arguments: &DealArguments, settings: &Settings) -> Result<Exit, Failure> {
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let (mut wanted, contract) = arguments.kind.wanted();
    wanted.points = arguments.points.unwrap_or(wanted.points);
    wanted.longest = arguments.longest.unwrap_or(wanted.longest);
    wanted.shortest = arguments.shortest.unwrap_or(wanted.shortest);
    let mut boards = Vec::new();
    for number in 1..=arguments.count {
        if let Err(limit) = settings.budget.check() {
            output::stopped(limit, settings);
            return Ok(Exit::Limit);
        }
        let Some(deal) = wanted.draw(&mut rng) else {
            let message = "a million deals were drawn and none was of this kind".to_owned();
            return Err(Failure::Usage { message, help: Some("ask for less".to_owned()) });
        };
        let mut layout = Layout::default();
        for seat in Seat::ALL {
            layout.hands[seat as usize] = Some(deal.hand(seat).iter().collect());
        }
        boards.push(Board {
            name: number.to_string(),
            line: 0,
            dealer: Some(Seat::South),
            vulnerability: Vulnerability::default(),
            layout,
            deal: Some(deal),
            contract: Some(contract),
            lead: None,
            auction: None,
            play: Vec::new(),
            result: None,
            tags: Vec::new(),
        });
    }
    output::answer(&file_to_pbn(&boards))?;
    Ok(Exit::Found)
}
