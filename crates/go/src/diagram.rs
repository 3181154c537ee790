//! A position as text, with coordinates: what people read, and what tests are written in.

use std::fmt::Write;

use crate::board::{Board, Cell};
use crate::point::{Color, Grid, Point};

/// The position with letters and numbers at the edge. `marks` are shown instead of what is on their points.
pub fn diagram(board: &Board, marks: &[(Point, char)]) -> String {
    let grid = board.grid();
    let mut text = String::new();
    let letters = |text: &mut String| {
        text.push_str("  ");
        for column in 0..grid.width() {
            let letter = b'A' + column as u8 + u8::from(column >= 8);
            let _ = write!(text, " {}", char::from(letter));
        }
        text.push('\n');
    };
    letters(&mut text);
    for row in 0..grid.height() {
        let _ = write!(text, "{:2}", grid.height() - row);
        for column in 0..grid.width() {
            let point = grid.point(column, row).expect("within the board");
            let marked = marks.iter().find(|(at, _)| *at == point);
            let symbol = marked.map_or(
                match board.cell(point) {
                    Cell::Black => 'X',
                    Cell::White => 'O',
                    _ => '.',
                },
                |mark| mark.1,
            );
            let _ = write!(text, " {symbol}");
        }
        let _ = writeln!(text, " {}", grid.height() - row);
    }
    letters(&mut text);
    text
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    pub grid: Grid,
    pub stones: Vec<(Point, Color)>,
    /// Points with other symbols, such as a marked target.
    pub marks: Vec<(Point, char)>,
}

/// Reads stones from rows of `.`, `X` (black), `O` (white); other symbols are marks. Blanks do not count.
/// `None` if the rows are no rectangle of a supported size.
pub fn parse(rows: &str) -> Option<Diagram> {
    let lines: Vec<Vec<char>> = rows
        .lines()
        .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect())
        .filter(|line: &Vec<char>| !line.is_empty())
        .collect();
    let grid = Grid::new(lines.first()?.len(), lines.len())?;
    let (mut stones, mut marks) = (Vec::new(), Vec::new());
    for (row, line) in lines.iter().enumerate() {
        if line.len() != grid.width() {
            return None;
        }
        for (column, &symbol) in line.iter().enumerate() {
            let point = grid.point(column, row).expect("within the board");
            match symbol {
                'X' => stones.push((point, Color::Black)),
                'O' => stones.push((point, Color::White)),
                '.' => {}
                other => marks.push((point, other)),
            }
        }
    }
    Some(Diagram { grid, stones, marks })
}
