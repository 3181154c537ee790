//! What the planner considers after some cards: `why DEAL CONTRACT SEAT CARDS…`.
use bridge::{belief::evidence::Trust, contract::*, deal::*, planner::advice::*, play::*, seat::*};

fn main() {
    let a: Vec<String> = std::env::args().collect();
    let deal = Deal::new(&a[1].parse().unwrap()).unwrap();
    let mut p = Position::new(
        &deal,
        a[2].parse::<Bid>().unwrap().by(Seat::from_letter(a[3].chars().next().unwrap()).unwrap()),
    );
    let history: Vec<_> = a[4..].iter().map(|c| c.parse().unwrap()).collect();
    for &card in &history {
        p.play(card).unwrap();
    }
    for seed in 1..4 {
        let inquiry = Inquiry {
            layouts: 60,
            tricks: 2,
            trust: Trust::USUAL,
            criterion: Default::default(),
            vulnerable: true,
            seed,
        };
        let advice = advise(&p.sight(), &history, inquiry, &counterplay_base::Budget::unlimited()).unwrap();
        for (card, why, score, chance) in advice.considered {
            println!("{card} {score:.1} {chance:.2} {why}");
        }
        println!();
    }
}
