//! A person at the terminal.

use std::io::BufRead;

use counterplay::bridge::{Card, CardPlayed, CardPrompt, PlayerView, visible_hands};

use crate::failure::Failure;
use crate::output;

/// Asks a program for a card until it is legal, in lines of JSON; the news are told once. `None` when it leaves.
pub(super) fn talk(view: &PlayerView, news: &mut Vec<CardPlayed>) -> Result<Option<Card>, Failure> {
    loop {
        output::json(&CardPrompt::new(view, std::mem::take(news)))?;
        let Some(line) = read_line()? else { return Ok(None) };
        if let Some(card) = line.trim().parse::<Card>().ok().filter(|&card| view.legal().has(card)) {
            return Ok(Some(card));
        }
    }
}

/// Asks for a card until it is legal; `None` when the person leaves.
pub(super) fn ask(view: &PlayerView) -> Result<Option<Card>, Failure> {
    let public = view.public();
    output::answer(&format!("\n{}", visible_hands(view)))?;
    let on_table: Vec<String> = public.trick().cards().map(|card| card.to_string()).collect();
    if !on_table.is_empty() {
        output::answer(&format!("on the table: {}\n", on_table.join(" ")))?;
    }
    let legal = view.legal();
    loop {
        output::answer(&format!("{}, your card: ", public.turn()))?;
        let Some(line) = read_line()?.filter(|line| !matches!(line.trim(), "quit" | "q")) else {
            return Ok(None);
        };
        match line.trim().parse::<Card>() {
            Ok(card) if legal.has(card) => return Ok(Some(card)),
            Ok(card) => {
                let cards: Vec<String> = legal.descending().map(|card| card.to_string()).collect();
                output::answer(&format!("{card} may not be played; legal: {}\n", cards.join(" ")))?;
            }
            Err(error) => output::answer(&format!("{error}; `quit` ends\n"))?,
        }
    }
}

/// A line of standard input; `None` at its end.
fn read_line() -> Result<Option<String>, Failure> {
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(line)),
        Err(error) => Err(Failure::Read { name: "standard input".to_owned(), error }),
    }
}
