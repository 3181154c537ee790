//! Shows the zone of a problem: `zone FILE STEPS WEAK MOST`.

use counterplay_go::zone::{Reach, Zone};
use counterplay_go::{diagram, sgf};

fn main() {
    let arg = |n: usize| std::env::args().nth(n).expect("an argument");
    let text = std::fs::read_to_string(arg(1)).expect("a file");
    let problem = sgf::read_problem(&text, 0).expect("a problem").problem;
    let number = |n: usize| arg(n).parse().expect("a number");
    let reach = Reach { steps: number(2), weak: number(3), most: number(4), owned: 3 };
    let zone = Zone::around(&problem.board, problem.target, reach);
    let mut marks = vec![(problem.target, '@')];
    for &p in zone.points() {
        let stone = problem.board.cell(p).color();
        if p != problem.target {
            marks.push((
                p,
                match stone {
                    None => '+',
                    Some(counterplay_go::Color::Black) => 'x',
                    Some(counterplay_go::Color::White) => 'o',
                },
            ));
        }
    }
    marks.extend(zone.framed().iter().map(|&p| (p, '#')));
    println!("{}closed {}", diagram::diagram(&problem.board, &marks), zone.is_closed());
}
