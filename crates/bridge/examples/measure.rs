//! Plays deals of a CSV file with one declarer and one defence: `measure FILE FROM TO DECLARER DEFENCE`.
use bridge::{belief::evidence::Trust, contract::*, deal::*, players::*, seat::*, table::*};

fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) / 100.0
}

fn e(k: &str, d: f64) -> f64 {
    std::env::var(k).map_or(d, |t| t.parse().unwrap())
}

fn chair(name: &str) -> Chair {
    let (kind, n) = name.split_once(':').unwrap_or((name, "20"));
    let n: usize = n.parse().unwrap();
    match kind {
        "rules" => Chair::Fair(Box::new(Rules)),
        "pimc" => Chair::Fair(Box::new(Pimc::new(n, 1))),
        "pimct" => Chair::Fair(Box::new(Pimc::new(n, 1).with_trust(Trust::USUAL))),
        "planner" => {
            let mut planner = Planner::new(n, 1).with_tricks(e("TT", 2.0) as u8);
            if std::env::var("TC").is_ok() {
                planner = planner.with_trust(Trust { lead: e("TL", 0.02), card: e("TC", 0.35) });
            }
            Chair::Fair(Box::new(planner))
        }
        "hybrid" => Chair::Fair(Box::new(
            Hybrid::new(e("HL", 40.0) as usize, n, 1).with_weight(e("W0", 0.3), e("W1", 0.95)),
        )),
        "dd" => Chair::Seeing(Box::new(DoubleDummyPlayer::default())),
        _ => panic!("{name}"),
    }
}

fn main() {
    let a: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&a[1]).unwrap();
    let (from, to): (usize, usize) = (a[2].parse().unwrap(), a[3].parse().unwrap());
    let (mut us, mut them) = (chair(&a[4]), chair(&a[5]));
    let (mut total, mut made, mut boards, mut moves, mut replans, mut secs) =
        (0u32, 0u32, 0u32, 0u64, 0u32, 0.0);
    let mut list = String::new();
    for line in text.lines().skip(from).take(to + 1 - from) {
        let f: Vec<&str> = line.split(',').collect();
        let deal = Deal::new(&f[1].parse().unwrap()).unwrap();
        let c = f[2].parse::<Bid>().unwrap().by(Seat::South);
        let t = cpu();
        let p = play_deal(
            &deal,
            c,
            f[4].parse().ok(),
            &mut us,
            &mut them,
            Occasion::seeded(f[0].parse().unwrap()),
        );
        secs += cpu() - t;
        boards += 1;
        total += u32::from(p.tricks);
        made += u32::from(p.tricks >= c.target());
        moves += p.moves;
        replans += p.replans;
        list += &format!("{:x}", p.tricks);
        let b = f64::from(boards);
        if boards % 20 > 0 && boards as usize <= to - from {
            continue;
        }
        println!(
            "{} v {}: {boards} boards, tricks {:.3} made {:.1}% cpu {:.3} moves {:.0} replans {:.1}\n{list}",
            a[4],
            a[5],
            f64::from(total) / b,
            100.0 * f64::from(made) / b,
            secs / b,
            moves as f64 / b,
            f64::from(replans) / b
        );
    }
}
