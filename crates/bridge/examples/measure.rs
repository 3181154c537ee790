//! Measures one declarer against one defence on the deals of a CSV file (board, deal, contract, declarer, lead):
//! `measure FILE FROM TO DECLARER[:N] DEFENCE[:N]`, with `N` layouts or samples. CPU seconds a deal include the defence.

use std::fs;

use bridge::contract::Bid;
use bridge::deal::Deal;
use bridge::players::{Chair, DoubleDummyPlayer, Hybrid, Pimc, Planner, Rules};
use bridge::seat::Seat;
use bridge::table::{Occasion, play_deal};

/// CPU seconds of this process, as Linux counts them.
fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn chair(name: &str) -> Chair {
    let (kind, number) = name.split_once(':').unwrap_or((name, "20"));
    let number: usize = number.parse().expect("a number of layouts or samples");
    match kind {
        "rules" => Chair::Fair(Box::new(Rules)),
        "pimc" => Chair::Fair(Box::new(Pimc::new(number, 1))),
        "planner" => Chair::Fair(Box::new(Planner::new(number, 1))),
        "hybrid" => Chair::Fair(Box::new(Hybrid::new(40, number, 1))),
        "double-dummy" => Chair::Seeing(Box::new(DoubleDummyPlayer::default())),
        other => panic!("there is no player called {other}"),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, from, to, declarer, defence] = arguments.as_slice() else {
        panic!("measure FILE FROM TO DECLARER[:N] DEFENCE[:N]");
    };
    let (from, to): (usize, usize) = (from.parse().expect("a number"), to.parse().expect("a number"));
    let text = fs::read_to_string(file).expect("a file of deals");
    let (mut ours, mut theirs) = (chair(declarer), chair(defence));
    let (mut tricks, mut made, mut moves, mut replans) = (Vec::new(), 0u32, 0u64, 0u32);
    let before = cpu_seconds();
    for line in text.lines().skip(from).take(to + 1 - from) {
        let fields: Vec<&str> = line.split(',').collect();
        let deal = Deal::new(&fields[1].parse().expect("a layout")).expect("a deal");
        let seat = fields[3].chars().next().and_then(Seat::from_letter).expect("a seat");
        let contract = fields[2].parse::<Bid>().expect("a contract").by(seat);
        let occasion = Occasion::seeded(fields[0].parse().expect("a board number"));
        let played = play_deal(&deal, contract, fields[4].parse().ok(), &mut ours, &mut theirs, occasion);
        made += u32::from(played.tricks >= contract.target());
        moves += played.moves;
        replans += played.replans;
        tricks.push(f64::from(played.tricks));
    }
    let count = tricks.len().max(1) as f64;
    let (mean, half) = bridge::matches::interval(&tricks);
    println!(
        "{declarer} against {defence}: {} deals, {mean:.3} ± {half:.3} tricks, {:.1} % made, {:.3} CPU s, {:.0} moves and {:.1} plans a deal",
        tricks.len(),
        100.0 * f64::from(made) / count,
        (cpu_seconds() - before) / count,
        moves as f64 / count,
        f64::from(replans) / count
    );
}
