//! A tree as an outline: a row for each node, further in the deeper it lies.
//!
//! Trees of tasks are deep, lopsided and full of long names. An outline has room for them, and is drawn in one
//! pass over the rows, however deep the tree.

use std::fmt::Write;

use crate::board::plain;
use crate::tree::Look;

/// A node of an outline. Its parent is the nearest row above it that lies less deep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// How deep it lies; the roots lie at 0.
    pub depth: usize,
    pub words: String,
    /// What else there is to say, in a lighter hand.
    pub remark: String,
    pub look: Look,
}

const STEP: f64 = 18.0;
const LINE: f64 = 20.0;
const LETTER: f64 = 6.6;

pub fn outline(title: &str, rows: &[Row]) -> String {
    let end = |row: &Row| {
        let letters = row.words.chars().count() + row.remark.chars().count() + 3;
        STEP * row.depth as f64 + LETTER * letters as f64
    };
    let width = rows.iter().map(end).fold(200.0, f64::max) + 40.0;
    let height = LINE * rows.len() as f64 + 20.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"monospace\" font-size=\"11\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        plain(title)
    );
    // The row of the latest node at each depth of the path at hand.
    let mut path: Vec<usize> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        path.truncate(row.depth);
        let (x, y) = (20.0 + STEP * row.depth as f64, 20.0 + LINE * at as f64);
        if let Some(&parent) = path.last() {
            let from = 20.0 + LINE * parent as f64 + 6.0;
            let left = x - STEP;
            let _ = writeln!(
                text,
                "<path d=\"M{left} {from:.1} V{y:.1} H{:.1}\" fill=\"none\" stroke=\"#bbb\"/>",
                x - 5.0
            );
        }
        path.push(at);
        let fill = match row.look {
            Look::Own => "#4a78b8",
            Look::Other => "#c08a3e",
            Look::Won => "#3f8f4f",
        };
        let _ = writeln!(
            text,
            "<circle cx=\"{x}\" cy=\"{y:.1}\" r=\"4\" fill=\"{fill}\"/>\n\
             <text x=\"{}\" y=\"{:.1}\">{}<tspan fill=\"#777\" dx=\"8\">{}</tspan></text>",
            x + 9.0,
            y + 4.0,
            plain(&row.words),
            plain(&row.remark)
        );
    }
    text.push_str("</svg>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_drawn_however_deep() {
        let rows: Vec<Row> = (0..2_000)
            .map(|depth| Row { depth, words: format!("<{depth}>"), remark: String::new(), look: Look::Own })
            .collect();
        let text = outline("deep", &rows);
        assert_eq!(text.matches("<circle").count(), 2_000);
        assert_eq!(text.matches("<path").count(), 1_999);
        assert!(text.contains("&lt;1999&gt;"));
    }
}
