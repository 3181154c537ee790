//! Table 4 of Smith, Nau and Throop: Tignum 2 against its rival on 5,000 notrump deals, once more.
//!
//! The rival of the paper was a commercial program; ours is the declarer by plain rules. Both meet the same defence by
//! rule on random deals for 3NT (24 to 27 points, no eight-card major). A time limit ends the match early with what
//! has been played. Monte Carlo and hybrid follow on the first of the deals, since they cost seconds a deal.

use std::fmt::Write;

use bridge::contract::{Contract, Strain};
use bridge::deal::Deal;
use bridge::generate::DealConstraints;
use bridge::matches::{Pairing, Tally, interval};
use bridge::players::{Chair, NetworkPlayer, Pimc, Planner, PlannerSettings, Rules};
use bridge::seat::Seat;
use bridge::table::{DealContext, play_deal};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::{Product, Size};
use crate::settings::Settings;
use counterplay::Halt;

pub(super) const DEALS: usize = 5000;
/// Deals for the declarers that solve layouts double dummy.
const SLOW_DEALS: usize = 30;
/// The same when it has to be quick.
const QUICK_DEALS: usize = 300;
const QUICK_SLOW_DEALS: usize = 4;
/// The paper's match: wins, losses, ties, and moves searched per deal.
const PAPER: (u32, u32, u32, f64) = (1394, 1302, 2304, 8745.6);

/// One declarer's results on the deals.
struct Run {
    tricks: Vec<u8>,
    moves: u64,
    most_moves: u64,
    replans: u32,
}

fn contract() -> Contract {
    Contract::new(3, Strain::Notrump, Seat::South).expect("3NT")
}

/// Plays deals until they are done or the budget is.
fn play(deals: &[Deal], chair: &mut Chair, settings: &Settings) -> Run {
    let mut run = Run { tricks: Vec::new(), moves: 0, most_moves: 0, replans: 0 };
    for (at, deal) in deals.iter().enumerate() {
        let mut defence = Chair::ImperfectInformation(Box::new(Rules));
        let seed = settings.seed.wrapping_add(at as u64);
        let context = DealContext { budget: settings.budget.clone(), ..DealContext::seeded(seed) };
        let Ok(played) = play_deal(deal, contract(), None, chair, &mut defence, &context) else { break };
        run.tricks.push(played.tricks);
        run.moves += played.moves;
        run.most_moves = run.most_moves.max(played.moves);
        run.replans += played.replans;
    }
    run
}

fn tally(one: &Run, two: &Run) -> Tally {
    let score = |tricks: u8| contract().score(tricks, false);
    let pairings = one.tricks.iter().zip(&two.tricks);
    let pairings = pairings.map(|(&a, &b)| Pairing { tricks: [a, b], scores: [score(a), score(b)] });
    Tally::new(&pairings.collect::<Vec<_>>())
}

/// Plays the match.
pub(crate) fn make(settings: &Settings, size: Size) -> Result<Product, Halt> {
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let wanted = DealConstraints::notrump(Seat::South);
    let deals: Vec<Deal> = (0..size.pick(QUICK_DEALS, DEALS))
        .map(|_| wanted.draw(&mut rng).expect("such deals are common"))
        .collect();
    let rules = play(&deals, &mut Chair::ImperfectInformation(Box::new(Rules)), settings);
    let planner = play(
        &deals,
        &mut Chair::ImperfectInformation(Box::new(NetworkPlayer::new(40, settings.seed))),
        settings,
    );
    let slow = &deals[..size.pick(QUICK_SLOW_DEALS, SLOW_DEALS)];
    let pimc = play(slow, &mut Chair::ImperfectInformation(Box::new(Pimc::new(20, settings.seed))), settings);
    let hybrid = play(
        slow,
        &mut Chair::ImperfectInformation(Box::new(Planner::with(
            PlannerSettings::deep(40, 20),
            settings.seed,
        ))),
        settings,
    );
    if planner.tricks.is_empty() {
        settings.budget.check()?;
    }
    let main = tally(&planner, &rules);
    let boards = planner.tricks.len();
    let moves = planner.moves as f64 / boards.max(1) as f64;
    let mut text = String::from(
        "                     deals    wins  losses    ties  decided won   p (one-sided)  moves per deal  most\n",
    );
    let paper = bridge::matches::sign_test(PAPER.0, PAPER.1);
    let _ = writeln!(
        text,
        "paper, Tignum 2     {:>6}  {:>6}  {:>6}  {:>6}  {:>10.1} %  {paper:>13.2e}  {:>14.1}  583638",
        5000, PAPER.0, PAPER.1, PAPER.2, 51.7, PAPER.3
    );
    let _ = writeln!(
        text,
        "here, the planner   {boards:>6}  {:>6}  {:>6}  {:>6}  {:>10.1} %  {:>13.2e}  {moves:>14.1}  {}",
        main.wins,
        main.losses,
        main.ties,
        100.0 * main.share(),
        main.p_value,
        planner.most_moves
    );
    let _ = writeln!(
        text,
        "\nMoves are operations in the decision tree; leaves are valued by playing each layout out by rule.\nPlans made per deal: {:.1}.\n",
        f64::from(planner.replans) / boards.max(1) as f64
    );
    let mut csv = String::from("pair,deals,wins,losses,ties,p_value,imps,imps_interval\n");
    let mut figures = vec![
        json!({"pair": "planner-rules", "deals": boards, "wins": main.wins, "losses": main.losses, "ties": main.ties,
        "p_value": main.p_value, "moves_searched": moves, "most_moves": planner.most_moves}),
    ];
    let _ = writeln!(
        csv,
        "planner-rules,{boards},{},{},{},{:.6e},{:.4},{:.4}",
        main.wins, main.losses, main.ties, main.p_value, main.imps.0, main.imps.1
    );
    for (name, one, two) in [
        ("planner-pimc", &planner, &pimc),
        ("hybrid-pimc", &hybrid, &pimc),
        ("hybrid-planner", &hybrid, &planner),
    ] {
        let count = one.tricks.len().min(two.tricks.len());
        let other = tally(one, two);
        let _ = writeln!(
            text,
            "{name:16} on the first {count:3} deals: {:3} wins {:3} losses {:3} ties, {:+.2} ± {:.2} IMPs a deal",
            other.wins, other.losses, other.ties, other.imps.0, other.imps.1
        );
        let _ = writeln!(
            csv,
            "{name},{count},{},{},{},{:.6e},{:.4},{:.4}",
            other.wins, other.losses, other.ties, other.p_value, other.imps.0, other.imps.1
        );
        figures.push(json!({"pair": name, "deals": count, "wins": other.wins, "losses": other.losses, "ties": other.ties, "imps": other.imps.0}));
    }
    text.push('\n');
    for (name, run) in
        [("rules", &rules), ("planner", &planner), ("pimc, 20 samples", &pimc), ("hybrid", &hybrid)]
    {
        let tricks: Vec<f64> = run.tricks.iter().map(|&tricks| f64::from(tricks)).collect();
        let made = run.tricks.iter().filter(|&&tricks| tricks >= contract().target()).count();
        let (mean, half) = interval(&tricks);
        let _ = writeln!(
            text,
            "{name:18} {:5} deals  {mean:6.3} ± {half:.3} tricks  {:5.1} % made",
            tricks.len(),
            100.0 * made as f64 / tricks.len().max(1) as f64
        );
    }
    Ok(Product { text, csv, svg: None, figures: json!(figures) })
}
