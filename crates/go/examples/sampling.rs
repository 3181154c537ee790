//! How often sampling alone finds an accepted move: `sampling FOLDER [PATTERN] [CONTINUATIONS]`.

use std::time::Instant;

use counterplay_base::Budget;
use counterplay_go::search::sample::sample;
use counterplay_go::search::{Local, Side};
use counterplay_go::sgf;
use counterplay_go::zone::{Reach, Zone};

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let pattern = std::env::args().nth(2).unwrap_or_default();
    let runs: u32 = std::env::args().nth(3).map_or(20_000, |n| n.parse().expect("a number"));
    let index = std::fs::read_to_string(format!("{folder}/index.csv")).expect("an index");
    let (mut good, mut all, mut seconds) = (0, 0, 0.0);
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        if !fields[0].contains(&pattern) {
            continue;
        }
        let text = std::fs::read_to_string(format!("{folder}/{}", fields[1])).expect("a file");
        let problem = sgf::read_problem(&text, 0).expect("a problem").problem;
        let start = Instant::now();
        let zone = Zone::around(
            &problem.board,
            problem.target,
            Reach { steps: arg(4), weak: arg(5), most: arg(6), owned: arg(7) as u8 },
        );
        let favoured = if problem.goal.is_defence() { Side::Attacker } else { Side::Defender };
        let mut local = Local::new(&problem, zone, favoured);
        let found = sample(&mut local, runs, 1, &Budget::unlimited()).expect("no limit");
        let names: Vec<String> = found
            .moves
            .iter()
            .take(4)
            .map(|e| format!("{} {} {:.2}", problem.board.grid().move_name(e.action), e.visits, e.share))
            .collect();
        let ok = fields[7].split('|').any(|a| names.first().is_some_and(|n| n.split(' ').next() == Some(a)));
        all += 1;
        good += usize::from(ok);
        seconds += start.elapsed().as_secs_f64();
        println!(
            "{:20} {:5} {} of {:9} {:.2}s {}",
            fields[0],
            fields[4],
            if ok { "ok " } else { "BAD" },
            fields[7],
            start.elapsed().as_secs_f64(),
            names.join(", ")
                + " | "
                + &found
                    .line
                    .iter()
                    .map(|&m| problem.board.grid().move_name(m))
                    .collect::<Vec<_>>()
                    .join(" ")
        );
    }
    println!("{good} of {all}, {seconds:.1} s");
}

fn arg(n: usize) -> usize {
    std::env::args().nth(n).expect("a number").parse().expect("a number")
}
