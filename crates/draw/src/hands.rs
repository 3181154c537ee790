//! Bridge hands around the compass.

use crate::svg::{Anchor, Svg};

/// Width of a hand and of the compass.
const CELL: f64 = 130.0;
/// Height of a line of cards.
const LINE: f64 = 18.0;
const EDGE: f64 = 16.0;

/// The four hands (north, east, south, west), each with its spades, hearts, diamonds and clubs as text; `None` for a
/// hand that is not known.
pub fn hands(title: &str, hands: &[Option<[String; 4]>; 4]) -> String {
    let height = 4.0 * LINE + 10.0;
    let (width, full) = (3.0 * CELL + 2.0 * EDGE, 3.0 * height + 2.0 * EDGE + 24.0);
    let mut svg = Svg::new(width, full, title);
    svg.words((width / 2.0, EDGE + 6.0), Anchor::Middle, title);
    let top = EDGE + 24.0;
    let places = [(1.0, 0.0), (2.0, 1.0), (1.0, 2.0), (0.0, 1.0)];
    for (hand, (column, row)) in hands.iter().zip(places) {
        let (x, y) = (EDGE + column * CELL, top + row * height);
        for (at, sign) in ["♠", "♥", "♦", "♣"].into_iter().enumerate() {
            let cards = hand.as_ref().map_or("?", |suits| suits[at].as_str());
            svg.words((x + 8.0, y + LINE * (at as f64 + 0.8)), Anchor::Start, &format!("{sign} {cards}"));
        }
    }
    let (x, y) = (EDGE + CELL, top + height);
    svg.rect([x + 20.0, y + 4.0, CELL - 40.0, height - 18.0], "#3a7d44", "");
    let (middle, center) = (x + CELL / 2.0, y + height / 2.0 - 1.0);
    let names = [
        ("N", middle, y + 18.0),
        ("S", middle, y + height - 20.0),
        ("W", x + 30.0, center),
        ("E", x + CELL - 30.0, center),
    ];
    for (name, x, y) in names {
        svg.words((x, y), Anchor::Middle, name);
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_hands_are_marked_and_known_ones_written() {
        let known = ["AQ2", "-", "KT9", "8765432"].map(str::to_owned);
        let text = hands("3NT by South", &[Some(known), None, None, None]);
        assert!(text.contains("♠ AQ2") && text.contains("♥ -") && text.matches(" ?<").count() == 12);
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
    }
}
