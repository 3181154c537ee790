//! Tables 11.1 and 11.2: how many UCT runs two minutes allow, on the rules and on the network.
//!
//! The paper's player evaluates rules by Prolog, ours by its interpreter; both then use the ground rules. Fewer
//! seconds are played and the figures scaled to two minutes: runs grow linearly with time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use counterplay_base::{Budget, Silent};
use counterplay_ggp::play::{PropnetSearch, RulesSearch, UctSettings};
use counterplay_ground::game::ground_game;
use serde_json::json;

use super::gamer::{self, Entry};
use super::{Product, Size};
use crate::settings::Settings;
use counterplay::grouped;
use counterplay::{Error, Halt};

/// Runs after two minutes on a 2.67 GHz Core i7 920: by Prolog with one thread (Table 11.1), then on the instantiated
/// rules with one and with four threads (Table 11.2).
pub(super) const PAPER: [(Entry, u64, u64, u64); 6] = [
    (gamer::FROGS_AND_TOADS, 745, 20_421, 72_105),
    (gamer::MAX_KNIGHTS, 25_970, 3_132_020, 10_885_410),
    (gamer::PEG_SOLITAIRE, 7_917, 1_158_908, 4_306_140),
    (gamer::CLOBBER, 21_881, 611_022, 4_174_324),
    (gamer::CONNECT_FOUR, 19_638, 1_495_015, 5_721_257),
    (gamer::SHEEP_AND_WOLF, 4_514, 250_920, 1_071_300),
];

const TWO_MINUTES: f64 = 120.0;

struct Row {
    game: &'static str,
    paper: [u64; 3],
    /// Runs in two minutes: on the rules, on the network with one thread, and with all.
    ours: [u64; 3],
}

/// Runs a search for a while and scales its runs to two minutes.
fn scaled(seconds: f64, run: impl FnOnce(&Budget) -> u64) -> u64 {
    let started = Instant::now();
    let runs = run(&Budget::unlimited().with_time(Duration::from_secs_f64(seconds)));
    // A puzzle that is solved ends early; what counts is the speed.
    (runs as f64 / started.elapsed().as_secs_f64().max(1e-9) * TWO_MINUTES) as u64
}

/// Counts the runs.
pub(crate) fn make(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let seconds = size.pick(1.0, TWO_MINUTES);
    let threads = settings.threads_for_parallel_work();
    let mut rows = Vec::new();
    for (entry, prolog, one, four) in &PAPER {
        settings.budget.check()?;
        let sheet = entry.sheet();
        // Plain runs, as in the paper, which does not know when to stop.
        let search = UctSettings { seed: settings.seed, ..UctSettings::default() };
        let game = ground_game(&sheet.rules, &settings.budget, &Silent)
            .map_err(|error| Error::Internal { message: error.to_string() })?;
        let game = Arc::new(game);
        let on_network = |threads: usize| {
            scaled(seconds, |budget| {
                let mut search = PropnetSearch::new(&game, &UctSettings { threads, ..search.clone() });
                search.run(budget);
                search.playouts()
            })
        };
        let on_rules = scaled(seconds, |budget| {
            let mut own =
                RulesSearch::new(sheet.rules.clone(), &search, budget).expect("bundled games are small");
            own.run(budget).expect("bundled games are small");
            own.playouts()
        });
        rows.push(Row {
            game: entry.name,
            paper: [*prolog, *one, *four],
            ours: [on_rules, on_network(1), on_network(threads)],
        });
    }
    Ok(Product {
        text: text(&rows, threads, seconds),
        csv: csv(&rows, threads),
        svg: None,
        figures: figures(&rows, threads),
    })
}

fn text(rows: &[Row], threads: usize, seconds: f64) -> String {
    let mut text = format!(
        "UCT runs in two minutes, scaled from {seconds} s each. The paper: Prolog, then instantiated with 1 and 4 threads;\n\
         here: the interpreter, then the network with 1 and {threads} threads, 64 lanes each.\n\n\
         {:16} {:>9} {:>11} {:>11}   {:>11} {:>13} {:>13}\n",
        "game",
        "Prolog",
        "1 thread",
        "4 threads",
        "rules",
        "1 thread",
        format!("{threads} threads")
    );
    for row in rows {
        let [a, b, c] = row.paper.map(grouped);
        let [d, e, f] = row.ours.map(grouped);
        text.push_str(&format!("{:16} {a:>9} {b:>11} {c:>11}   {d:>11} {e:>13} {f:>13}\n", row.game));
    }
    text
}

fn csv(rows: &[Row], threads: usize) -> String {
    let mut text = format!(
        "game,paper_prolog,paper_1_thread,paper_4_threads,rules,network_1_thread,network_{threads}_threads\n"
    );
    for row in rows {
        let figures: Vec<String> = row.paper.iter().chain(&row.ours).map(u64::to_string).collect();
        text.push_str(&format!("{},{}\n", row.game, figures.join(",")));
    }
    text
}

fn figures(rows: &[Row], threads: usize) -> serde_json::Value {
    let row = |row: &Row| json!({"game": row.game, "paper": row.paper, "ours": row.ours});
    json!({"threads": threads, "rows": rows.iter().map(row).collect::<Vec<_>>()})
}
