//! Table 2: DBS in the noisy tournament of the 2005 competition.
//!
//! Five runs of a round robin (self-play included) with 200 turns a match and noise 0.1. The programs of the other
//! participants are not public, so the field is ours: all strategies of the literature, seven versions of DBS, and two
//! teams of a master and its slaves. The paper reports one tournament, with teams of 20, and says that DBS would have
//! placed first with teams of less than 10; we play it with teams of several sizes.

use counterplay_base::Silent;
use counterplay_dilemma::dbs::variants;
use counterplay_dilemma::tournament::{self, Entrant, Options, Results};
use counterplay_dilemma::{Game, Length, Rules, strategies, teams};
use counterplay_draw::chart::{self, Bar};
use serde_json::json;

use super::{Product, Size};
use crate::settings::Settings;
use counterplay::Halt;

/// Table 2 as printed.
pub(super) const PAPER: [(&str, f64); 10] = [
    ("BWIN (master)", 433.8),
    ("IMM01 (master)", 414.1),
    ("DBSz", 408.0),
    ("DBSy", 408.0),
    ("DBSpl", 407.5),
    ("DBSx", 406.6),
    ("DBSf", 402.0),
    ("DBStft", 401.8),
    ("DBSd", 400.9),
    ("lowESTFT_classic", 397.2),
];

/// The sizes of the two teams; the competition had 20.
const TEAM_SIZES: [usize; 5] = [0, 5, 9, 20, 40];
const COMPETITION: usize = 20;

fn field(team_size: usize) -> Vec<Entrant> {
    let mut field: Vec<Entrant> =
        strategies::all().filter(|entry| !entry.name.starts_with("DBS")).map(Entrant::from).collect();
    field.extend(variants().iter().map(Entrant::from));
    for number in 0..2 {
        field.extend(teams::team(number, team_size));
    }
    field
}

/// Plays the tournaments.
pub(crate) fn make(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let options = Options {
        rules: Rules { game: Game::DILEMMA, noise: 0.1, length: Length::Unknown(200) },
        repetitions: size.pick(2, 5),
        self_play: true,
        seed: settings.seed,
        threads: settings.threads_for_parallel_work(),
    };
    let mut played = Vec::new();
    for team in TEAM_SIZES {
        let results = tournament::run(&field(team), &options, &settings.budget, &Silent);
        if let Some(limit) = results.stopped {
            return Err(limit.into());
        }
        played.push((team, results));
    }
    let competition = played.iter().find(|(size, _)| *size == COMPETITION).map(|(_, results)| results);
    let competition = competition.expect("the size of the competition is among the sizes");
    let places: Vec<Places> = played.iter().map(|(size, results)| Places::of(*size, results)).collect();
    Ok(Product {
        text: text(competition, &places),
        csv: csv(&played),
        svg: Some(picture(competition)),
        figures: json!({
            "paper": PAPER.map(|(name, score)| json!({"program": name, "score": score})),
            "ours": top(competition).map(|(name, score)| json!({"program": name, "score": score})).collect::<Vec<_>>(),
            "team_sizes": places.iter().map(Places::json).collect::<Vec<_>>(),
        }),
    })
}

/// The first ten.
fn top(results: &Results) -> impl Iterator<Item = (&str, f64)> {
    let order = results.ranking();
    order.into_iter().take(10).map(|player| (results.names[player].as_str(), results.means[player].mean))
}

/// How DBS and the masters fare with teams of one size.
struct Places {
    size: usize,
    entrants: usize,
    best_dbs: (String, usize, f64),
    dbs_in_top_ten: usize,
    masters: Vec<(usize, f64)>,
    /// The mean of a whole team, the master and its slaves.
    team_mean: Option<f64>,
}

impl Places {
    fn of(size: usize, results: &Results) -> Places {
        let ranked: Vec<(usize, &str, f64)> = results
            .ranking()
            .into_iter()
            .enumerate()
            .map(|(place, player)| (place + 1, results.names[player].as_str(), results.means[player].mean))
            .collect();
        let best = ranked.iter().find(|(_, name, _)| name.starts_with("DBS"));
        let &(place, name, mean) = best.expect("DBS takes part");
        let masters = ranked.iter().filter(|(_, name, _)| name.ends_with("-master"));
        let members: Vec<f64> = ranked
            .iter()
            .filter(|(_, name, _)| name.starts_with("TeamA-"))
            .map(|(_, _, mean)| *mean)
            .collect();
        Places {
            size,
            entrants: ranked.len(),
            best_dbs: (name.to_owned(), place, mean),
            dbs_in_top_ten: ranked.iter().take(10).filter(|(_, name, _)| name.starts_with("DBS")).count(),
            masters: masters.map(|(place, _, mean)| (*place, *mean)).collect(),
            team_mean: (!members.is_empty()).then(|| members.iter().sum::<f64>() / members.len() as f64),
        }
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "size": self.size,
            "entrants": self.entrants,
            "best_dbs": self.best_dbs.0,
            "best_dbs_place": self.best_dbs.1,
            "best_dbs_score": self.best_dbs.2,
            "dbs_in_top_ten": self.dbs_in_top_ten,
            "masters": self.masters.iter().map(|(place, mean)| json!({"place": place, "score": mean})).collect::<Vec<_>>(),
            "team_mean": self.team_mean,
        })
    }
}

fn text(competition: &Results, places: &[Places]) -> String {
    let mut text = format!(
        "Noisy tournament: noise 0.1, 5 runs of 200 turns, {} programs, two teams of {COMPETITION}\n\n",
        competition.names.len()
    );
    text.push_str("rank  the paper          score   here             score\n");
    for (rank, ((program, score), (name, mean))) in PAPER.iter().zip(top(competition)).enumerate() {
        text.push_str(&format!("{:>4}  {program:17}  {score:>5.1}   {name:16} {mean:>5.1}\n", rank + 1));
    }
    text.push_str("\nWith teams of other sizes (the paper: DBS first if teams have less than 10)\n");
    text.push_str(
        "size  programs  best DBS       place  score   DBS in top ten   masters at   a team's mean\n",
    );
    for row in places {
        let masters: Vec<String> = row.masters.iter().map(|(place, _)| place.to_string()).collect();
        text.push_str(&format!(
            "{:>4}  {:>8}  {:13}  {:>5}  {:>5.1}   {:>14}   {:>10}   {:>13}\n",
            row.size,
            row.entrants,
            row.best_dbs.0,
            row.best_dbs.1,
            row.best_dbs.2,
            row.dbs_in_top_ten,
            masters.join(", "),
            row.team_mean.map_or("-".to_owned(), |mean| format!("{mean:.1}")),
        ));
    }
    text.push_str("\nThe versions of DBS, in settings of our own (the paper does not give its):\n");
    for variant in variants() {
        text.push_str(&format!("  {:13}  {}\n", variant.name, variant.about));
    }
    text
}

fn csv(played: &[(usize, Results)]) -> String {
    let mut text = "team_size,rank,program,mean,low,high\n".to_owned();
    for (size, results) in played {
        for (rank, player) in results.ranking().into_iter().enumerate() {
            let estimate = results.means[player];
            let cell = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.6}"));
            text.push_str(&format!(
                "{size},{},{},{:.6},{},{}\n",
                rank + 1,
                results.names[player],
                estimate.mean,
                cell(estimate.low()),
                cell(estimate.high())
            ));
        }
    }
    text
}

fn picture(results: &Results) -> String {
    let bar = |player: usize| Bar {
        label: results.names[player].clone(),
        value: results.means[player].mean,
        interval: results.means[player].low().zip(results.means[player].high()),
        marked: results.names[player].starts_with("DBS"),
    };
    let bars: Vec<Bar> = results.ranking().into_iter().take(30).map(bar).collect();
    chart::bars("The first thirty of the noisy tournament", "mean score of a match", &bars)
}
