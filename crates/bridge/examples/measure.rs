//! Measures one declarer against one defence: `measure DEALS FROM TO DECLARER[:N] DEFENCE[:N]`, with `N` layouts or
//! samples. `DEALS` is a CSV file (board, deal, contract, declarer, lead) or `notrump/SEED`, `major/SEED` for drawn
//! deals. A line for each board (number, tricks, score, CPU seconds), then the means. CPU seconds include the defence.

use std::fs;

use bridge::card::{Card, Suit};
use bridge::contract::{Bid, Contract, Strain};
use bridge::deal::Deal;
use bridge::generate::DealConstraints;
use bridge::players::{
    Chair, DoubleDummyPlayer, GoodDefence, NetworkPlayer, Pimc, Planner, PlannerSettings, Rules,
};
use bridge::seat::Seat;
use bridge::table::{DealContext, play_deal};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// CPU seconds of this process, as Linux counts them.
fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn chair(name: &str) -> Chair {
    let (kind, number) = name.split_once(':').unwrap_or((name, "20"));
    let (number, options) = number.split_once(',').unwrap_or((number, ""));
    let number: usize = number.parse().expect("a number of layouts or samples");
    match kind {
        "rules" => Chair::ImperfectInformation(Box::new(Rules)),
        "pimc" => Chair::ImperfectInformation(Box::new(Pimc::new(number, 1))),
        "network" => Chair::ImperfectInformation(Box::new(NetworkPlayer::new(number, 1))),
        "planner" => planner(PlannerSettings::quick(number, 20), options),
        "hybrid" => planner(PlannerSettings::deep(40, number), options),
        "good" => Chair::ImperfectInformation(Box::new(GoodDefence::new(number, 1))),
        "double-dummy" => Chair::PerfectInformation(Box::new(DoubleDummyPlayer::default())),
        other => panic!("there is no player called {other}"),
    }
}

/// `layouts=60,most=0.9,slip=0.1,depth=2`: what of a planner is not as usual.
fn planner(mut settings: PlannerSettings, options: &str) -> Chair {
    for option in options.split(',').filter(|option| !option.is_empty()) {
        let (name, value) = option.split_once('=').expect("name=value");
        let number: f64 = value.parse().expect("a number");
        match name {
            "layouts" => settings.layouts = number as usize,
            "solved" => settings.judge.layouts = number as usize,
            "depth" => settings.judge.depth = number as u8,
            "nodes" => settings.judge.nodes = number as u64,
            "exact" => settings.judge.exact_from = number as usize,
            "least" => settings.weight.0 = number,
            "most" => settings.weight.1 = number,
            "slip" => settings.slip = number,
            "waste" => settings.waste = number,
            "doubt" => settings.doubt = number,
            "deep" => settings.judge.deep_from = number as usize,
            other => panic!("there is no setting called {other}"),
        }
    }
    Chair::ImperfectInformation(Box::new(Planner::with(settings, 1)))
}

/// A board number, its deal, the contract, and the lead if it is given.
type Given = (u64, Deal, Contract, Option<Card>);

fn from_file(file: &str) -> Vec<Given> {
    let text = fs::read_to_string(file).expect("a file of deals");
    let read = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let deal = Deal::new(&fields[1].parse().expect("a layout")).expect("a deal");
        let seat = fields[3].chars().next().and_then(Seat::from_letter).expect("a seat");
        let contract = fields[2].parse::<Bid>().expect("a contract").by(seat);
        (fields[0].parse().expect("a board number"), deal, contract, fields[4].parse().ok())
    };
    text.lines().skip(1).map(read).collect()
}

fn drawn(kind: &str, seed: u64, count: usize) -> Vec<Given> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let draw = |number: usize| {
        let major = if number.is_multiple_of(2) { Suit::Hearts } else { Suit::Spades };
        let (wanted, level, strain) = match kind {
            "notrump" => (DealConstraints::notrump(Seat::South), 3, Strain::Notrump),
            "major" => (DealConstraints::major(Seat::South, major), 4, Strain::Trump(major)),
            other => panic!("there are no deals called {other}"),
        };
        let contract = Contract::new(level, strain, Seat::South).expect("3NT and four of a major exist");
        (number as u64, wanted.draw(&mut rng).expect("such deals are common"), contract, None)
    };
    (1..=count).map(draw).collect()
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, deals, from, to, declarer, defence] = arguments.as_slice() else {
        panic!("measure DEALS FROM TO DECLARER[:N] DEFENCE[:N]");
    };
    let (from, to): (usize, usize) = (from.parse().expect("a number"), to.parse().expect("a number"));
    let given = match deals.split_once('/').filter(|(kind, _)| matches!(*kind, "notrump" | "major")) {
        Some((kind, seed)) => drawn(kind, seed.parse().expect("a seed"), to),
        None => from_file(deals),
    };
    let (mut ours, mut theirs) = (chair(declarer), chair(defence));
    let (mut tricks, mut made, mut moves, mut replans) = (Vec::new(), 0u32, 0u64, 0u32);
    let mut scores = Vec::new();
    let mut by_trick = [0u64; 13];
    let before = cpu_seconds();
    for (board, deal, contract, lead) in given.iter().skip(from - 1).take(to + 1 - from) {
        let start = cpu_seconds();
        let played = play_deal(deal, *contract, *lead, &mut ours, &mut theirs, &DealContext::seeded(*board))
            .expect("no limit");
        let score = contract.score(played.tricks, false);
        println!("{board},{},{score},{:.2}", played.tricks, cpu_seconds() - start);
        made += u32::from(played.tricks >= contract.target());
        moves += played.moves;
        for (at, choice) in played.choices.iter().enumerate() {
            by_trick[at / 4] += choice.moves;
        }
        replans += played.replans;
        tricks.push(f64::from(played.tricks));
        scores.push(f64::from(score));
    }
    let count = tricks.len().max(1) as f64;
    println!("moves by trick, both sides: {:?}", by_trick.map(|moves| (moves as f64 / count) as u64));
    let (mean, half) = bridge::matches::interval(&tricks);
    println!(
        "{declarer} against {defence}: {} deals, {mean:.3} ± {half:.3} tricks, {:.1} % made, mean score {:.1}, {:.3} CPU s, {:.0} moves and {:.1} plans a deal",
        tricks.len(),
        100.0 * f64::from(made) / count,
        bridge::matches::interval(&scores).0,
        (cpu_seconds() - before) / count,
        moves as f64 / count,
        f64::from(replans) / count
    );
}
