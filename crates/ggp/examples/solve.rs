//! Solves a game by sets of states and prints figures of each layer: for measuring.

use std::time::Instant;

use counterplay_base::{Budget, Progress, Report};
use counterplay_ggp::explicit::Order;
use counterplay_ggp::{layered, symbolic};
use counterplay_ground::game::{ground_game, prove_structure};
use counterplay_syntax::Sources;

struct Print(Instant);

impl Progress for Print {
    fn report(&self, report: Report<'_>) {
        eprintln!("{:9.2} {} {:?}", self.seconds(), report.phase, report.counts);
    }
}

impl Print {
    /// CPU seconds where the system tells them, else seconds of the clock.
    fn seconds(&self) -> f64 {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        let nanos = told.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
        nanos.map_or_else(|| self.0.elapsed().as_secs_f64(), |nanos| nanos / 1e9)
    }
}

fn main() {
    let path = std::env::args().nth(1).expect("a game");
    let text = std::fs::read_to_string(&path).expect("readable");
    let mut sources = Sources::default();
    let file = sources.add(&path, &text);
    let rules = counterplay_gdl::read(&sources, file).expect("a rule sheet");
    let print = Print(Instant::now());
    let budget = Budget::unlimited();
    let game = ground_game(&rules, &budget, &print).expect("ground rules");
    let structure = prove_structure(&game, &budget).expect("no limit");
    if std::env::args().nth(2).is_some_and(|way| way == "layered") {
        let solution =
            layered::solve(&game, &structure, Order::Own, u64::MAX, &budget, &print).expect("not refused");
        let solution = solution.solved().expect("no limit");
        println!("{:?}", solution.layer_states);
        println!("value {:?}, states {}", solution.value, solution.layer_states.iter().sum::<u64>());
        println!("outcomes {:?} {:?}", solution.outcomes, solution.outcome_states);
        println!("{:.2} s", print.seconds());
        return;
    }
    let solution =
        symbolic::solve(&game, &structure, Order::Own, None, &budget, &print).expect("not refused");
    let solution = solution.solved().expect("no limit");
    let value = solution.value.map(|outcome| &solution.outcomes[outcome]);
    println!("measure {:?}", solution.measure);
    println!("value {value:?}, states {}", solution.layer_states.iter().sum::<u128>());
    println!("outcomes {:?} {:?}", solution.outcomes, solution.outcome_states);
    println!("{:.2} s, {} nodes, {} work", print.seconds(), solution.peak_nodes, solution.work);
}
