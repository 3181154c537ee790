//! A Go board with stones, numbered moves and marks.

use std::fmt::Write;

use crate::board::plain;

/// What is on a point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stone {
    /// `Some(true)` for a black stone, `Some(false)` for a white one.
    pub black: Option<bool>,
    /// Words on it, such as the number of a move.
    pub words: String,
    /// Whether it is pointed out.
    pub marked: bool,
    /// Whether the point is shaded, such as those of a region.
    pub shaded: bool,
}

const STEP: f64 = 28.0;
const EDGE: f64 = 34.0;

/// Draws a board; `rows` begin at the top.
pub fn goban(title: &str, rows: &[Vec<Stone>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let at = |i: usize| EDGE + STEP * i as f64;
    let (width, height) = (at(columns.max(1) - 1) + EDGE, at(rows.len().max(1) - 1) + EDGE);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#e8c98a\"/>\n",
        plain(title)
    );
    for (i, row) in rows.iter().enumerate() {
        for (j, stone) in row.iter().enumerate() {
            if stone.shaded {
                let (x, y) = (at(j) - STEP / 2.0, at(i) - STEP / 2.0);
                let _ = writeln!(
                    text,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{STEP}\" height=\"{STEP}\" fill=\"#d8b060\"/>"
                );
            }
        }
    }
    for i in 0..rows.len() {
        let _ = writeln!(
            text,
            "<path d=\"M{} {} H{}\" stroke=\"#333\" stroke-width=\"0.8\"/>",
            at(0),
            at(i),
            at(columns.max(1) - 1)
        );
        label(&mut text, 12.0, at(i) + 4.0, &(rows.len() - i).to_string(), "#333", 10);
    }
    for j in 0..columns {
        let _ = writeln!(
            text,
            "<path d=\"M{} {} V{}\" stroke=\"#333\" stroke-width=\"0.8\"/>",
            at(j),
            at(0),
            at(rows.len().max(1) - 1)
        );
        let letter = char::from(b'A' + j as u8 + u8::from(j >= 8)).to_string();
        label(&mut text, at(j), height - 8.0, &letter, "#333", 10);
    }
    for (i, row) in rows.iter().enumerate() {
        for (j, stone) in row.iter().enumerate() {
            draw(&mut text, at(j), at(i), stone);
        }
    }
    text.push_str("</svg>\n");
    text
}

fn draw(text: &mut String, x: f64, y: f64, stone: &Stone) {
    let ink = match stone.black {
        Some(true) => "#fff",
        _ => "#000",
    };
    if let Some(black) = stone.black {
        let fill = if black { "#111" } else { "#fff" };
        let _ = writeln!(text, "<circle cx=\"{x}\" cy=\"{y}\" r=\"13\" fill=\"{fill}\" stroke=\"#333\"/>");
    }
    if stone.marked {
        let _ = writeln!(
            text,
            "<path d=\"M{} {} l10 10 m0 -10 l-10 10\" stroke=\"#c02020\" stroke-width=\"2\"/>",
            x - 5.0,
            y - 5.0
        );
    }
    if !stone.words.is_empty() {
        label(text, x, y + 4.5, &stone.words, ink, 13);
    }
}

fn label(text: &mut String, x: f64, y: f64, words: &str, ink: &str, size: u32) {
    let _ = writeln!(
        text,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
        plain(words)
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_numbers_and_marks_are_drawn() {
        let black = Stone { black: Some(true), words: "1".to_owned(), ..Stone::default() };
        let white = Stone { black: Some(false), marked: true, ..Stone::default() };
        let shaded = Stone { shaded: true, ..Stone::default() };
        let svg = goban("a & b", &[vec![black, shaded], vec![white, Stone::default()]]);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert_eq!(svg.matches("<rect x").count(), 1);
        assert!(svg.contains("a &amp; b") && svg.contains(">1</text>") && svg.contains("#c02020"));
    }
}
