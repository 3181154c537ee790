//! `counterplay bridge match`: two declarers on the same boards against the same defence.

use std::sync::{Arc, Mutex};

use bridge::matches::{Pairing, Tally, interval};
use bridge::table::play_deal;
use clap::Args;
use counterplay_base::Limit;
use serde_json::{Value, json};

use super::boards::BoardArguments;
use super::cpu_seconds;
use super::players::{Declarer, Defence, Effort};
use crate::arguments::EXIT_CODES;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::progress::Display;
use crate::sentinel;
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

/// What is known of the match so far. The guard of the limits reads it as well, so that no finished board is lost.
struct Standing {
    names: [String; 2],
    /// Boards that both have played, each with its name and the tricks wanted.
    boards: Vec<(String, Pairing, u8)>,
    seconds: [f64; 2],
    moves: [u64; 2],
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
    let standing = Arc::new(Mutex::new(Standing {
        names: [first.name(), second.name()],
        boards: Vec::new(),
        seconds: [0.0; 2],
        moves: [0; 2],
    }));
    let (known, own) = (Arc::clone(&standing), settings.clone());
    // The match is about to end; a report that cannot be written has no reader.
    let floor = sentinel::watch(&settings.budget, Arc::new(Display::new(settings)), move |limit| {
        let _ = known.lock().expect("no player panics with the standing").report(Some(limit), &own);
    });
    let selection = arguments.boards.select(false, settings)?;
    let mut stopped = None;
    'boards: for (at, board) in selection.ready.iter().enumerate() {
        let mut pairing = Pairing { tricks: [0; 2], scores: [0; 2] };
        let mut seconds = [0.0; 2];
        let mut moves = [0; 2];
        for (side, declarer) in declarers.iter_mut().enumerate() {
            let before = cpu_seconds(settings);
            let context = board.context(at, settings);
            match play_deal(&board.deal, board.contract, board.lead, declarer, &mut defence, &context) {
                Ok(played) => {
                    seconds[side] = cpu_seconds(settings) - before;
                    moves[side] = played.moves;
                    pairing.tricks[side] = played.tricks;
                    let vulnerable = board.vulnerability.of(board.contract.declarer);
                    pairing.scores[side] = board.contract.score(played.tricks, vulnerable);
                }
                Err(limit) => {
                    stopped = Some(limit);
                    break 'boards;
                }
            }
        }
        let mut standing = standing.lock().expect("no player panics with the standing");
        standing.boards.push((board.name.clone(), pairing, board.contract.target()));
        for side in 0..2 {
            standing.seconds[side] += seconds[side];
            standing.moves[side] += moves[side];
        }
    }
    floor.take_or_wait();
    standing.lock().expect("no player panics with the standing").report(stopped, settings)?;
    Ok(match stopped {
        Some(_) => Exit::Limit,
        None if selection.refused > 0 => Exit::Bad,
        None => Exit::Found,
    })
}

/// One declarer's results: the name, mean tricks with the margin, contracts made in percent, CPU seconds and moves a board.
type Side<'a> = (&'a str, (f64, f64), f64, f64, f64);

impl Standing {
    fn side(&self, side: usize) -> Side<'_> {
        let count = self.boards.len().max(1) as f64;
        let tricks: Vec<f64> =
            self.boards.iter().map(|(_, pairing, _)| f64::from(pairing.tricks[side])).collect();
        let made = self.boards.iter().filter(|(_, pairing, target)| pairing.tricks[side] >= *target).count();
        (
            &self.names[side],
            interval(&tricks),
            100.0 * made as f64 / count,
            self.seconds[side] / count,
            self.moves[side] as f64 / count,
        )
    }

    /// Prints the result of the finished boards, and the limit if one ended the match.
    fn report(&self, stopped: Option<Limit>, settings: &Settings) -> Result<(), Failure> {
        let pairings: Vec<Pairing> = self.boards.iter().map(|(_, pairing, _)| *pairing).collect();
        let tally = Tally::new(&pairings);
        let sides = [self.side(0), self.side(1)];
        if settings.json {
            output::json(&self.json(&tally, &sides, stopped))?;
        } else {
            output::answer(&text(pairings.len(), &tally, &sides))?;
        }
        if let Some(limit) = stopped {
            output::remark(&format!("stopped: {limit}"));
        }
        Ok(())
    }

    fn json(&self, tally: &Tally, sides: &[Side<'_>; 2], stopped: Option<Limit>) -> Value {
        let declarers = sides.iter().map(|(name, tricks, made, seconds, moves)| {
            json!({"declarer": name, "tricks": tricks.0, "tricks_interval": tricks.1, "made_percent": made,
                   "seconds_per_board": seconds, "moves_searched": moves})
        });
        let rows = self.boards.iter().map(
            |(name, pairing, _)| json!({"board": name, "tricks": pairing.tricks, "scores": pairing.scores}),
        );
        let mut answer = json!({
            "boards": self.boards.len(),
            "wins": tally.wins, "losses": tally.losses, "ties": tally.ties,
            "share": tally.share(), "p_value": tally.p_value,
            "imps": tally.imps.0, "imps_interval": tally.imps.1,
            "tricks_difference": tally.tricks.0, "tricks_difference_interval": tally.tricks.1,
            "declarers": declarers.collect::<Vec<_>>(),
            "results": rows.collect::<Vec<_>>(),
        });
        if let Some(limit) = stopped {
            answer["verdict"] = json!("stopped");
            answer["limit"] = json!(limit.name());
        }
        answer
    }
}

fn text(boards: usize, tally: &Tally, sides: &[Side<'_>; 2]) -> String {
    let mut text = format!("{boards} boards\n");
    for (name, tricks, made, seconds, moves) in sides {
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
    text
}
