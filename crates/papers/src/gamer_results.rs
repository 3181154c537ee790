//! Tables 11.3 and 11.4: what the hybrid player gets, alone and against UCT on the rules.
//!
//! The paper plays 100 matches with 30 seconds to start and 10 seconds for a move; the quick size plays a few matches
//! with a fraction of that. Cubicup and Quad are left out: their rule sheets are not public.

use std::time::Duration;

use counterplay::game::{GameRules, PlayerKind};
use counterplay_draw::chart::{self, Bar};
use counterplay_gamehost::PlayerOptions;
use counterplay_gamehost::manager::{
    Clocks, Match, MatchError, MatchRecord, Participant, Unattended, estimate,
};
use serde_json::json;

use super::gamer::{self, Entry};
use super::{Product, Size};
use crate::settings::Settings;
use counterplay::{Error, Halt};

/// A line of a table: mean and half of the 95 % interval in the paper with one and with four threads.
pub(super) struct Line {
    entry: Entry,
    /// The role of the hybrid player.
    role: usize,
    paper_one: Option<(f64, f64)>,
    paper_four: (f64, f64),
}

pub(super) const PUZZLES: [Line; 4] = [
    line(gamer::FROGS_AND_TOADS, 0, Some((41.63, 1.32)), (46.91, 1.27)),
    line(gamer::MAX_KNIGHTS, 0, Some((73.85, 2.97)), (74.35, 2.63)),
    line(gamer::PEG_SOLITAIRE, 0, Some((90.80, 0.60)), (91.80, 0.76)),
    line(gamer::TPEG, 0, Some((97.40, 0.95)), (99.00, 0.59)),
];

pub(super) const DUELS: [Line; 8] = [
    line(gamer::CHOMP, 0, None, (100.0, 0.0)),
    line(gamer::CHOMP, 1, None, (99.0, 1.96)),
    line(gamer::CLOBBER, 0, Some((39.24, 6.90)), (45.59, 7.28)),
    line(gamer::CLOBBER, 1, Some((62.32, 4.76)), (60.0, 4.63)),
    line(gamer::CONNECT_FOUR, 0, Some((43.0, 9.75)), (61.0, 9.61)),
    line(gamer::CONNECT_FOUR, 1, Some((22.5, 8.17)), (40.0, 9.65)),
    line(gamer::SHEEP_AND_WOLF, 0, None, (53.0, 9.83)),
    line(gamer::SHEEP_AND_WOLF, 1, None, (100.0, 0.0)),
];

const fn line(entry: Entry, role: usize, paper_one: Option<(f64, f64)>, paper_four: (f64, f64)) -> Line {
    Line { entry, role, paper_one, paper_four }
}

/// How often and how long is played.
struct Plan {
    matches: u64,
    clocks: Clocks,
}

impl Plan {
    fn of(size: Size, quick_start: u64) -> Plan {
        let [start, play] = size.pick(
            [Duration::from_secs(quick_start), Duration::from_millis(100)],
            [30, 10].map(Duration::from_secs),
        );
        Plan { matches: size.pick(4, 100), clocks: Clocks { start, play } }
    }
}

/// What came out for a line.
struct Outcome {
    name: String,
    paper_one: Option<(f64, f64)>,
    paper_four: (f64, f64),
    ours: (f64, f64),
    others: Option<(f64, f64)>,
    errors: usize,
}

/// Table 11.3.
pub(super) fn puzzles(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let plan = Plan::of(size, 1);
    let results = play(&PUZZLES, &plan, settings)?;
    Ok(product("The hybrid player in puzzles", &results, &plan))
}

/// Table 11.4.
pub(super) fn duels(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let plan = Plan::of(size, 4);
    let results = play(&DUELS, &plan, settings)?;
    Ok(product("The hybrid player against UCT on the rules", &results, &plan))
}

fn play(lines: &[Line], plan: &Plan, settings: &Settings) -> Result<Vec<Outcome>, Halt> {
    let threads = settings.threads.map_or(1, std::num::NonZero::get);
    let mut results = Vec::new();
    for line in lines {
        let sheet = line.entry.sheet();
        let roles = sheet.rules.roles.len();
        let players: Vec<PlayerKind> = (0..roles)
            .map(|role| if role == line.role { PlayerKind::Hybrid } else { PlayerKind::Rules })
            .collect();
        let mut own = Vec::new();
        let mut others = Vec::new();
        let mut errors = 0;
        for number in 0..plan.matches {
            settings.budget.check()?;
            let seed = settings.seed.wrapping_add(number);
            let record = between(&sheet, &players, plan.clocks, threads, seed, settings)?;
            errors += record.error_count();
            own.push(f64::from(record.rewards[line.role]));
            others.extend(
                record
                    .rewards
                    .get(1 - line.role.min(1))
                    .filter(|_| roles == 2)
                    .map(|&other| f64::from(other)),
            );
        }
        let role = match roles {
            1 => String::new(),
            _ => format!(" ({} player)", ["1st", "2nd"][line.role]),
        };
        results.push(Outcome {
            name: format!("{}{role}", line.entry.name),
            paper_one: line.paper_one,
            paper_four: line.paper_four,
            ours: estimate(&own),
            others: (roles == 2).then(|| estimate(&others)),
            errors,
        });
    }
    Ok(results)
}

fn cell((mean, half): (f64, f64)) -> String {
    format!("{mean:.2} ± {half:.2}")
}

fn product(title: &str, results: &[Outcome], plan: &Plan) -> Product {
    let mut text = format!(
        "{title}: mean reward with 95 % intervals\nThe paper: 100 matches, 30 s and 10 s. Here: {} matches, {:?} and {:?}.\n\n\
         {:28}  {:>14}  {:>14}   {:>14}  {:>14}  {:>6}\n",
        plan.matches,
        plan.clocks.start,
        plan.clocks.play,
        "game",
        "paper, 1 thr.",
        "paper, 4 thr.",
        "here",
        "opponent",
        "errors"
    );
    let mut csv =
        "game,paper_1,paper_1_half,paper_4,paper_4_half,mean,half,opponent,opponent_half,errors\n".to_owned();
    let mut figures = Vec::new();
    for result in results {
        text.push_str(&format!(
            "{:28}  {:>14}  {:>14}   {:>14}  {:>14}  {:>6}\n",
            result.name,
            result.paper_one.map_or("-".to_owned(), cell),
            cell(result.paper_four),
            cell(result.ours),
            result.others.map_or("-".to_owned(), cell),
            result.errors
        ));
        let pair = |pair: Option<(f64, f64)>| {
            pair.map_or(",".to_owned(), |(mean, half)| format!("{mean:.2},{half:.2}"))
        };
        csv.push_str(&format!(
            "{},{},{},{},{},{}\n",
            result.name,
            pair(result.paper_one),
            pair(Some(result.paper_four)),
            pair(Some(result.ours)),
            pair(result.others),
            result.errors
        ));
        figures.push(json!({
            "game": result.name,
            "paper": result.paper_four.0,
            "mean": result.ours.0,
            "half": result.ours.1,
            "opponent": result.others.map(|(mean, _)| mean),
            "errors": result.errors,
        }));
    }
    let bar = |result: &Outcome| Bar {
        label: result.name.clone(),
        value: result.ours.0,
        interval: Some((result.ours.0 - result.ours.1, result.ours.0 + result.ours.1)),
        marked: false,
    };
    let bars: Vec<Bar> = results.iter().map(bar).collect();
    Product {
        text,
        csv,
        svg: Some(chart::bars(title, "mean reward", &bars)),
        figures: json!({"matches": plan.matches, "rows": figures}),
    }
}

/// Plays a match of built-in players.
fn between(
    rules: &GameRules,
    players: &[PlayerKind],
    clocks: Clocks,
    threads: usize,
    seed: u64,
    settings: &Settings,
) -> Result<MatchRecord, Halt> {
    let players: Vec<Participant> = players.iter().map(|&own| Participant::BuiltIn(own)).collect();
    let options = PlayerOptions::within(&settings.budget, settings.resident, threads, seed);
    let game = Match { rules: &rules.rules, text: rules.text(), players: &players, clocks, options, seed };
    game.run(&settings.budget, &Unattended).map_err(|error| match error {
        MatchError::Stopped(limit) => Halt::Limit(limit),
        other => Error::Internal { message: other.to_string() }.into(),
    })
}
