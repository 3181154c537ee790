//! A board with men, and with shades for what may be where.

use std::fmt::Write;

/// A square of the picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Square {
    /// The letter of a man in FEN: capitals are White's.
    pub man: Option<char>,
    /// Men that may be here and how likely they are, from 0 to 1.
    pub maybe: Vec<(char, f64)>,
}

/// The width of a square.
const SIDE: f64 = 48.0;
const EDGE: f64 = 20.0;

/// Draws a board; `rows` begin with the last rank. Squares where unseen men may stand are shaded, and show the likeliest
/// of them in grey.
pub fn board(title: &str, rows: &[Vec<Square>]) -> String {
    let files = rows.first().map_or(0, Vec::len);
    let (width, height) = (2.0 * EDGE + SIDE * files as f64, 2.0 * EDGE + SIDE * rows.len() as f64);
    let mut text = String::new();
    let _ = writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\">\n<title>{}</title>",
        plain(title)
    );
    for (i, row) in rows.iter().enumerate() {
        let rank = rows.len() - i;
        let y = EDGE + SIDE * i as f64;
        label(&mut text, EDGE / 2.0, y + SIDE / 2.0 + 4.0, &rank.to_string());
        for (file, square) in row.iter().enumerate() {
            draw_square(&mut text, EDGE + SIDE * file as f64, y, (rank + file) % 2 == 1, square);
        }
    }
    for file in 0..files {
        let letter = char::from(b'a' + file as u8).to_string();
        label(&mut text, EDGE + SIDE * (file as f64 + 0.5), height - 5.0, &letter);
    }
    text.push_str("</svg>\n");
    text
}

fn draw_square(text: &mut String, x: f64, y: f64, dark: bool, square: &Square) {
    let fill = if dark { "#c8b090" } else { "#f0e4d0" };
    let _ = writeln!(text, "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{fill}\"/>");
    let total: f64 = square.maybe.iter().map(|(_, part)| part).sum();
    if total > 0.0 {
        let parts: Vec<String> =
            square.maybe.iter().map(|(man, part)| format!("{man} {:.0} %", part * 100.0)).collect();
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"#a01020\" \
             fill-opacity=\"{:.2}\"><title>{}</title></rect>",
            0.1 + 0.6 * total.min(1.0),
            plain(&parts.join(", "))
        );
    }
    let (x, y) = (x + SIDE / 2.0, y + SIDE * 0.78);
    match square.man {
        Some(man) => {
            let _ = writeln!(
                text,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"38\" text-anchor=\"middle\">{}</text>",
                figure(man)
            );
        }
        None => {
            let likeliest = square.maybe.iter().max_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((man, part)) = likeliest {
                let _ = writeln!(
                    text,
                    "<text x=\"{x}\" y=\"{y}\" font-size=\"38\" text-anchor=\"middle\" fill-opacity=\"{:.2}\">{}</text>",
                    (0.25 + part).min(0.9),
                    figure(*man)
                );
            }
        }
    }
}

/// The chess figure of a letter.
fn figure(man: char) -> char {
    match man {
        'K' => '♔',
        'Q' => '♕',
        'R' => '♖',
        'B' => '♗',
        'N' => '♘',
        'P' => '♙',
        'k' => '♚',
        'q' => '♛',
        'r' => '♜',
        'b' => '♝',
        'n' => '♞',
        'p' => '♟',
        other => other,
    }
}

fn label(text: &mut String, x: f64, y: f64, words: &str) {
    let _ =
        writeln!(text, "<text x=\"{x}\" y=\"{y}\" font-size=\"12\" text-anchor=\"middle\">{words}</text>");
}

/// Text that XML accepts.
pub(crate) fn plain(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_and_shades_are_drawn() {
        let hidden = Square { man: None, maybe: vec![('k', 0.5), ('n', 0.25)] };
        let rows =
            vec![vec![hidden, Square { man: Some('Q'), maybe: Vec::new() }], vec![Square::default(); 2]];
        let svg = board("a < b", &rows);
        assert!(svg.contains('♚') && svg.contains('♕') && svg.contains("a &lt; b") && svg.contains("n 25 %"));
        assert_eq!(svg.matches("<rect").count(), 5);
    }
}
