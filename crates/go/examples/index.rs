//! Runs all problems of an index and tells which first moves are accepted: `index FOLDER [PATTERN]`.

use std::time::{Duration, Instant};

use counterplay_base::Budget;
use counterplay_go::sgf;
use counterplay_go::solve::{Options, solve};

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let pattern = std::env::args().nth(2).unwrap_or_default();
    let samples: u32 =
        std::env::args().nth(3).map_or(Options::default().samples, |n| n.parse().expect("a number"));
    let options = Options { samples, ..Options::default() };
    let index = std::fs::read_to_string(format!("{folder}/index.csv")).expect("an index");
    let (mut good, mut all, mut nodes, mut seconds) = (0, 0, 0, 0.0);
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        if !fields[0].contains(&pattern) {
            continue;
        }
        let text = std::fs::read_to_string(format!("{folder}/{}", fields[1])).expect("a file");
        let record = sgf::read_problem(&text, 0).expect("a problem");
        let problem = record.problem;
        let start = Instant::now();
        let found = solve(&problem, &options, &Budget::unlimited().with_time(Duration::from_secs(10)));
        let name = found.action().map_or("-".to_owned(), |action| problem.board.grid().move_name(action));
        let verified = counterplay_go::verify::verify(&problem, &found, &Budget::unlimited());
        if let Err(flaw) = &verified {
            println!("{} FLAW {flaw}", fields[0]);
        }
        let ok = fields[7].split('|').any(|a| a == name);
        all += 1;
        good += usize::from(ok);
        nodes += found.statistics.moves_tried;
        seconds += start.elapsed().as_secs_f64();
        println!(
            "{:20} {:5} {:5?} {:7?} {} {name:4} of {:9} {:3} {:7} ref {:5} {:.2}s {} {}",
            fields[0],
            fields[4],
            found.class(),
            found.tier,
            if ok { "ok " } else { "BAD" },
            fields[7],
            &fields[8][..2],
            found.statistics.moves_tried,
            fields[14],
            start.elapsed().as_secs_f64(),
            if verified == Ok(true) { "checked" } else { "unchecked" },
            found.line.iter().map(|&m| problem.board.grid().move_name(m)).collect::<Vec<_>>().join(" ")
        );
    }
    println!("{good} of {all}, {} nodes each, {seconds:.1} s", nodes / all.max(1) as u64);
}
