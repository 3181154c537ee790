//! How the planner alone fares: `planning FOLDER [PATTERN] [MOVES]`.

use counterplay_base::Budget;
use counterplay_go::plan::Field;
use counterplay_go::search::{Local, Side};
use counterplay_go::sgf;
use counterplay_go::zone::{Reach, Zone};
use counterplay_htn::adversary::{Settings, plan};

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let pattern = std::env::args().nth(2).unwrap_or_default();
    let moves: u64 = std::env::args().nth(3).map_or(1000, |n| n.parse().expect("a number"));
    let index = std::fs::read_to_string(format!("{folder}/index.csv")).expect("an index");
    let (mut good, mut all, mut sum) = (0, 0, 0);
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        if !fields[0].contains(&pattern) || !fields[10].contains(&std::env::args().nth(4).unwrap_or_default())
        {
            continue;
        }
        let text = std::fs::read_to_string(format!("{folder}/{}", fields[1])).expect("a file");
        let problem = sgf::read_problem(&text, 0).expect("a problem").problem;
        let zone =
            Zone::around(&problem.board, problem.target, Reach { steps: 5, weak: 2, most: 40, owned: 3 });
        let favoured = if problem.goal.is_defence() { Side::Attacker } else { Side::Defender };
        let mut local = Local::new(&problem, zone, favoured);
        let mut field = Field::new(&mut local);
        let inputs = field.inputs(problem.goal, false);
        let settings = Settings { critics: true, guard: [false, true], moves, depth: 60 };
        let (word, name, tried, cycles) = match plan(&mut field, inputs, settings, &Budget::unlimited()) {
            Ok(answer) => (
                format!("{:?}", answer.winner),
                answer.first.map_or("-".to_owned(), |m| problem.board.grid().move_name(m)),
                answer.tried,
                answer.cycles,
            ),
            Err(stopped) => ("stop".to_owned(), "-".to_owned(), stopped.tried, stopped.cycles),
        };
        let ok = fields[7].split('|').any(|a| a == name);
        all += 1;
        good += usize::from(ok);
        sum += tried;
        println!(
            "{:20} {:5} {word:5} {} {name:4} of {:9} tried {tried:5} cycles {cycles:6} ref {}",
            fields[0],
            fields[4],
            if ok { "ok " } else { "BAD" },
            fields[7],
            fields[14]
        );
    }
    println!("{good} of {all}, {} moves each", sum as f64 / f64::from(all.max(1)));
}
