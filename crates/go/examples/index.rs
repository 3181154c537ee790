//! Runs all problems of an index and tells which first moves are accepted: `index FOLDER [PATTERN] [dfpn]`.

use std::time::{Duration, Instant};

use counterplay_base::Budget;
use counterplay_go::search::dfpn::{Answer, Dfpn, Plain};
use counterplay_go::search::{Local, Side};
use counterplay_go::zone::{Reach, Zone};
use counterplay_go::{Move, sgf};

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let pattern = std::env::args().nth(2).unwrap_or_default();
    let index = std::fs::read_to_string(format!("{folder}/index.csv")).expect("an index");
    let (mut good, mut all, mut nodes) = (0, 0, 0);
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        if !fields[0].contains(&pattern) {
            continue;
        }
        let text = std::fs::read_to_string(format!("{folder}/{}", fields[1])).expect("a file");
        let record = sgf::read_problem(&text, 0).expect("a problem");
        let problem = record.problem;
        let start = Instant::now();
        let zone = Zone::around(&problem.board, problem.target, Reach { steps: 3, weak: 2, most: 25 });
        let size = zone.points().len();
        let favoured = if problem.goal.is_defence() { Side::Attacker } else { Side::Defender };
        let mut local = Local::new(&problem, zone, favoured);
        let mut search = Dfpn::new(&mut local, Plain, 300_000);
        let answer = search.run(&Budget::unlimited().with_time(Duration::from_secs(3)));
        let known = search.known();
        let tried = search.tried;
        let best = known.iter().min_by_key(|(_, n)| n.map_or(1 << 29, |n| n.delta)).map(|m| m.0);
        let name = best.map_or("-".to_owned(), |action| problem.board.grid().move_name(action));
        let ok = matches!(best, Some(Move::Play(_))) && fields[7].split('|').any(|a| a == name);
        all += 1;
        good += usize::from(ok);
        nodes += tried;
        let word = match answer {
            Ok(Answer::Won) => "won",
            Ok(Answer::Lost) => "lost",
            Err(_) => "stop",
        };
        println!(
            "{:22} {:5} {word:4} {} {name:4} of {:12} nodes {tried:7} ref {:5} zone {size:3} {:.2}s",
            fields[0],
            fields[4],
            if ok { "ok " } else { "BAD" },
            fields[7],
            fields[14],
            start.elapsed().as_secs_f64()
        );
    }
    println!("{good} of {all}, {} nodes each", nodes / all.max(1) as u64);
}
