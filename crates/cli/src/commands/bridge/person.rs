//! A person at the terminal.

use std::io::BufRead;

use bridge::card::Card;
use bridge::diagram::diagram;
use bridge::play::Sight;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output;

/// The own hand and dummy's, if it lies open.
fn table(sight: &Sight) -> String {
    let public = sight.public();
    let mut hands = [None; 4];
    hands[sight.seat() as usize] = Some(sight.hand());
    if public.lead().is_some() {
        hands[public.dummy() as usize] = Some(public.dummy_hand());
    }
    diagram(hands, true)
}

/// Asks a program for a card until it is legal, in lines of JSON; the news are told once. `None` when it leaves.
pub(super) fn talk(sight: &Sight, news: &mut Vec<Value>) -> Result<Option<Card>, Failure> {
    let public = sight.public();
    let legal = sight.legal();
    let cards: Vec<String> = legal.descending().map(|card| card.to_string()).collect();
    let on_table: Vec<String> = public.trick().cards().map(|card| card.to_string()).collect();
    loop {
        output::json(&json!({
            "waiting": true,
            "seat": public.turn().to_string(),
            "legal": cards,
            "trick": on_table,
            "table": table(sight),
            "tricks": [public.declarer_tricks(), public.defence_tricks()],
            "news": std::mem::take(news),
        }))?;
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(0) => return Ok(None),
            Err(error) => return Err(Failure::Read { name: "standard input".to_owned(), error }),
            Ok(_) => {}
        }
        if let Some(card) = line.trim().parse::<Card>().ok().filter(|&card| legal.has(card)) {
            return Ok(Some(card));
        }
    }
}

/// Asks for a card until it is legal; `None` when the person leaves.
pub(super) fn ask(sight: &Sight) -> Result<Option<Card>, Failure> {
    let public = sight.public();
    output::answer(&format!("\n{}", table(sight)))?;
    let on_table: Vec<String> = public.trick().cards().map(|card| card.to_string()).collect();
    if !on_table.is_empty() {
        output::answer(&format!("on the table: {}\n", on_table.join(" ")))?;
    }
    let legal = sight.legal();
    let mut line = String::new();
    loop {
        output::answer(&format!("{}, your card: ", public.turn()))?;
        line.clear();
        let read = std::io::stdin().lock().read_line(&mut line);
        match read {
            Ok(0) => return Ok(None),
            Err(error) => return Err(Failure::Read { name: "standard input".to_owned(), error }),
            Ok(_) if matches!(line.trim(), "quit" | "q") => return Ok(None),
            Ok(_) => match line.trim().parse::<Card>() {
                Ok(card) if legal.has(card) => return Ok(Some(card)),
                Ok(card) => {
                    let cards: Vec<String> = legal.descending().map(|card| card.to_string()).collect();
                    output::answer(&format!("{card} may not be played; legal: {}\n", cards.join(" ")))?;
                }
                Err(error) => output::answer(&format!("{error}; `quit` ends\n"))?,
            },
        }
    }
}
