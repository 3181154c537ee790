//! `counterplay bridge match`: two declarers on the same boards against the same defence.

use bridge::matches::{Pairing, Tally, interval};
use bridge::table::play_deal;
use clap::Args;
use serde_json::json;

use super::boards::BoardArguments;
use super::cpu_seconds;
use super::players::{Declarer, Defence, Effort};
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// Duplicate match: the same boards with two declarers against the same defence
///
/// Board-a-match (wins, losses, ties with a sign test), international match points and tricks with 95 % intervals.
///
/// Example: counterplay bridge match --deals 100 --declarers planner,rules
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct MatchArguments {
    #[command(flatten)]
    boards: BoardArguments,

    /// The two declarers
    #[arg(long, value_name = "A,B", value_enum, value_delimiter = ',', num_args = 1, default_values_t = [Declarer::Planner, Declarer::Rules])]
    declarers: Vec<Declarer>,

    /// Who defends
    #[arg(long, value_name = "WHO", value_enum, default_value_t = Defence::Rules)]
    defence: Defence,

    /// Layouts that the planner considers
    #[arg(long, value_name = "N", default_value_t = Effort::default().layouts)]
    layouts: usize,

    /// Layouts that pimc and hybrid solve for each card (hybrid: in the first tricks; later more)
    #[arg(long, value_name = "N", default_value_t = Effort::default().samples)]
    samples: usize,
}

/// Plays the match.
pub(crate) fn run(arguments: &MatchArguments, settings: &Settings) -> Result<Exit, Failure> {
    let usage = |message: &str| Failure::Usage { message: message.to_owned(), help: None };
    let &[first, second] = arguments.declarers.as_slice() else {
        return Err(usage("--declarers wants two names, such as planner,rules"));
    };
    let effort = Effort { layouts: arguments.layouts.max(1), samples: arguments.samples.max(1) };
    let chair =
        |who: Declarer| who.chair(effort, settings.seed).ok_or_else(|| usage("you cannot sit in a match"));
    let mut declarers = [chair(first)?, chair(second)?];
    let mut defence =
        arguments.defence.chair(effort, settings.seed).ok_or_else(|| usage("you cannot sit in a match"))?;
    let selection = arguments.boards.select(false, settings)?;
    let mut pairings = Vec::new();
    let mut rows = Vec::new();
    let mut seconds = [0.0; 2];
    let mut moves = [0u64; 2];
    let mut stopped = None;
    'boards: for (at, board) in selection.ready.iter().enumerate() {
        let mut pairing = Pairing { tricks: [0; 2], scores: [0; 2] };
        for (side, declarer) in declarers.iter_mut().enumerate() {
            let before = cpu_seconds(settings);
            let occasion = board.occasion(at, settings);
            let played =
                play_deal(&board.deal, board.contract, board.lead, declarer, &mut defence, &occasion);
            let played = match played {
                Ok(played) => played,
                Err(limit) => {
                    stopped = Some(limit);
                    break 'boards;
                }
            };
            seconds[side] += cpu_seconds(settings) - before;
            moves[side] += played.moves;
            pairing.tricks[side] = played.tricks;
            pairing.scores[side] =
                board.contract.score(played.tricks, board.vulnerability.of(board.contract.declarer));
        }
        rows.push(json!({"board": board.name, "tricks": pairing.tricks, "scores": pairing.scores}));
        pairings.push((pairing, board.contract.target()));
    }
    let count = pairings.len().max(1) as f64;
    let only: Vec<Pairing> = pairings.iter().map(|(pairing, _)| *pairing).collect();
    let tally = Tally::new(&only);
    let side = |side: usize, who: Declarer| {
        let tricks: Vec<f64> = only.iter().map(|pairing| f64::from(pairing.tricks[side])).collect();
        let made = pairings.iter().filter(|(pairing, target)| pairing.tricks[side] >= *target).count();
        (
            who.name(),
            interval(&tricks),
            100.0 * made as f64 / count,
            seconds[side] / count,
            moves[side] as f64 / count,
        )
    };
    let sides = [side(0, first), side(1, second)];
    if settings.json {
        let declarers = sides.iter().map(|(name, tricks, made, seconds, moves)| {
            json!({"declarer": name, "tricks": tricks.0, "tricks_interval": tricks.1, "made_percent": made,
                   "seconds_per_board": seconds, "moves_searched": moves})
        });
        output::json(&json!({
            "boards": only.len(),
            "wins": tally.wins, "losses": tally.losses, "ties": tally.ties,
            "share": tally.share(), "p_value": tally.p_value,
            "imps": tally.imps.0, "imps_interval": tally.imps.1,
            "tricks_difference": tally.tricks.0, "tricks_difference_interval": tally.tricks.1,
            "declarers": declarers.collect::<Vec<_>>(),
            "results": rows,
        }))?;
    } else {
        let mut text = format!("{} boards\n", only.len());
        for (name, tricks, made, seconds, moves) in &sides {
            text += &format!(
                "{name:12}  tricks {:6.3} ± {:.3}  made {made:5.1} %  {seconds:7.3} CPU s and {moves:9.0} moves a board\n",
                tricks.0, tricks.1
            );
        }
        text += &format!(
            "{} wins {}, loses {}, ties {}: {:.1} % of the decided boards (sign test, one-sided: p = {:.2e})\n{:+.3} ± {:.3} IMPs and {:+.3} ± {:.3} tricks a board\n",
            sides[0].0,
            tally.wins,
            tally.losses,
            tally.ties,
            100.0 * tally.share(),
            tally.p_value,
            tally.imps.0,
            tally.imps.1,
            tally.tricks.0,
            tally.tricks.1
        );
        output::answer(&text)?;
    }
    if let Some(limit) = stopped {
        output::remark(&format!("stopped: {limit}"));
        return Ok(Exit::Limit);
    }
    Ok(if selection.refused > 0 { Exit::Bad } else { Exit::Found })
}
