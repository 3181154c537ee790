//! Figures 5 and 6 of Smith, Nau and Throop: the deal on which Tignum 2 beat its rival, 2NT by East.

use bridge::contract::{Contract, Strain};
use bridge::deal::Deal;
use bridge::diagram::diagram;
use bridge::play::Position;
use bridge::players::{Chair, NetworkPlayer, Rules};
use bridge::seat::Seat;
use bridge::table::{DealContext, play_deal};
use serde_json::json;

use super::{Product, Size};
use crate::settings::Settings;
use counterplay::Halt;

const DEAL: &str = "N:KJ852.T.43.QJ952 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A63";

/// Plays the deal with the planner and, beside it, by plain rules.
pub(crate) fn make(settings: &Settings, _: Size) -> Result<Product, Halt> {
    let deal = Deal::new(&DEAL.parse().expect("a layout")).expect("a deal");
    let contract = Contract::new(2, Strain::Notrump, Seat::East).expect("2NT");
    let lead = "DQ".parse().ok();
    let mut text = format!(
        "{contract}, South leads the queen of diamonds; all vulnerable\n\n{}\n",
        diagram(deal.hands().map(Some), true)
    );
    let mut csv = String::from("declarer,trick,seat,card,why\n");
    let mut results = Vec::new();
    let declarers = [
        ("planner", Chair::ImperfectInformation(Box::new(NetworkPlayer::new(40, settings.seed)))),
        ("rules", Chair::ImperfectInformation(Box::new(Rules))),
    ];
    for (name, mut declarer) in declarers {
        settings.budget.check()?;
        let context = DealContext {
            vulnerable: true,
            budget: settings.budget.clone(),
            ..DealContext::seeded(settings.seed)
        };
        let played = play_deal(
            &deal,
            contract,
            lead,
            &mut declarer,
            &mut Chair::ImperfectInformation(Box::new(Rules)),
            &context,
        )?;
        text += &format!("{name}: {} tricks, {:+}\n", played.tricks, contract.score(played.tricks, true));
        let mut position = Position::new(&deal, contract);
        for choice in &played.choices {
            let trick = position.public().tricks_played() + 1;
            let seat = position.public().turn();
            csv += &format!(
                "{name},{trick},{},{},\"{}\"\n",
                seat.letter(),
                choice.card,
                choice.why.replace('"', "'")
            );
            if name == "planner" {
                let mark = if position.public().trick().is_empty() {
                    format!("{trick:2} ")
                } else {
                    "   ".to_owned()
                };
                let why = if position.public().is_ours(seat) { choice.why.as_str() } else { "" };
                text += format!("  {mark}{} {}  {why}", seat.letter(), choice.card).trim_end();
                text.push('\n');
            }
            position.put(choice.card);
        }
        results.push((name, played.tricks, contract.score(played.tricks, true)));
    }
    text += "\nIn the paper Tignum 2 made 2NT (+120); its rival went one down (-100).\n";
    let figures = json!(
        results
            .iter()
            .map(|(name, tricks, score)| json!({"declarer": name, "tricks": tricks, "score": score}))
            .collect::<Vec<_>>()
    );
    Ok(Product { text, csv, svg: None, figures })
}
