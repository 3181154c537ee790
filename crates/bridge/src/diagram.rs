//! Hand diagrams in text: the four hands around the compass.

use crate::card::{Cards, Suit};
use crate::seat::Seat;

/// The four hands as a book prints them, with suit signs or with letters; `None` for a hand that is not known.
pub fn diagram(hands: [Option<Cards>; 4], signs: bool) -> String {
    let lines = |seat: Seat| -> [String; 4] {
        Suit::DOWN.map(|suit| {
            let sign = if signs { suit.sign() } else { suit.letter() };
            match hands[seat as usize] {
                Some(hand) => format!("{sign} {}", hand.ranks(suit)),
                None => format!("{sign} ?"),
            }
        })
    };
    let (north, south, east, west) =
        (lines(Seat::North), lines(Seat::South), lines(Seat::East), lines(Seat::West));
    let width =
        west.iter().chain(&north).chain(&south).map(|line| line.chars().count()).max().unwrap_or(0).max(8)
            + 3;
    let mut text = String::new();
    let indent = " ".repeat(width);
    for line in &north {
        text += &format!("{indent}{line}\n");
    }
    let compass = ["  N  ", "W   E", "     ", "  S  "];
    for at in 0..4 {
        let pad =
            |line: &str, to: usize| format!("{line}{}", " ".repeat(to.saturating_sub(line.chars().count())));
        text += &format!("{}{}{}\n", pad(&west[at], width), pad(compass[at], width), east[at]);
    }
    for line in &south {
        text += &format!("{indent}{line}\n");
    }
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::deal::Deal;

    #[test]
    fn the_deal_of_figure_five_stands_around_the_compass() {
        let text = "N:KJ852.T.43.QJ952 Q964.Q8.AK62.874 .A9764.QJ9875.KT AT73.KJ532.T.A63";
        let deal = Deal::new(&text.parse().expect("a layout")).expect("a deal");
        expect![[r#"
                       ♠ KJ852
                       ♥ T
                       ♦ 43
                       ♣ QJ952
            ♠ AT73       N        ♠ Q964
            ♥ KJ532    W   E      ♥ Q8
            ♦ T                   ♦ AK62
            ♣ A63        S        ♣ 874
                       ♠ -
                       ♥ A9764
                       ♦ QJ9875
                       ♣ KT
        "#]]
        .assert_eq(&diagram(deal.hands().map(Some), true));
    }
}
