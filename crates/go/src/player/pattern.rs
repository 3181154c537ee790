//! Shapes of 3 by 3 points that suggest a move in the middle.
//!
//! The kinds of shape are those of S. Gelly, Y. Wang, R. Munos and O. Teytaud, Modification of UCT with patterns in Monte-Carlo Go
//! (2006): hane, cuts, and moves at the edge. They are expanded once over all symmetries and colours into a table with one bit for
//! each neighbourhood.

use std::sync::OnceLock;

use crate::board::{Board, Cell};
use crate::point::{Color, Point};

/// The points around the middle, row by row: `X` and `O` are stones of opposite colours, `.` is empty, `#` the border, `?` anything, `x` all
/// but `X`, `o` all but `O`. The last letter tells which side the shape is for: `X` if only for the owner of those stones.
const SHAPES: &[(&str, char)] = &[
    // Hane: around the head of a stone, with own stones on both sides or on one.
    ("XOX ... ???", '?'),
    ("XO. ... ?.?", '?'),
    ("XO? X.. x.?", '?'),
    ("XOO ... ?.?", 'X'),
    // A stone on the shoulder.
    (".O. X.. ...", '?'),
    // Cuts.
    ("XO? O.o ?o?", '?'),
    ("XO? O.X ???", '?'),
    ("?X? O.O ooo", '?'),
    ("OX? o.O ???", '?'),
    // At the edge: a chase, a block, a cut, a way down.
    ("X.? O.? ##?", '?'),
    ("OX? X.O ###", '?'),
    ("?X? x.O ###", 'X'),
    ("?XO x.x ###", 'X'),
    ("?OX X.O ###", '?'),
];

/// One bit for each neighbourhood and side to move.
struct Table(Vec<u64>);

/// Whether the stones around an empty point form a shape that suggests a move of a side here.
#[inline]
pub(crate) fn suggests(board: &Board, color: Color, point: Point) -> bool {
    let code = neighbourhood(board, point) << 1 | color as usize;
    table().0[code >> 6] >> (code & 63) & 1 == 1
}

#[inline]
fn neighbourhood(board: &Board, point: Point) -> usize {
    let [north, west, east, south] = board.around(point);
    let [north_west, north_east, south_west, south_east] = board.diagonals(point);
    [north_west, north, north_east, west, east, south_west, south, south_east]
        .into_iter()
        .fold(0, |code, at| code << 2 | board.cell(at) as usize)
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table(vec![0; (1 << 17) / 64]);
        for &(rows, side) in SHAPES {
            let square: Vec<char> = rows.chars().filter(|c| *c != ' ').collect();
            for turned in symmetries(&square) {
                add(&mut table, &turned, side);
            }
        }
        table
    })
}

/// The eight images of a square of 3 by 3.
fn symmetries(square: &[char]) -> Vec<Vec<char>> {
    let turn = |s: &[char]| -> Vec<char> { (0..9).map(|i| s[(2 - i % 3) * 3 + i / 3]).collect() };
    let mirror = |s: &[char]| -> Vec<char> { (0..9).map(|i| s[i / 3 * 3 + 2 - i % 3]).collect() };
    let mut found = vec![square.to_vec()];
    for _ in 0..3 {
        found.push(turn(&found[found.len() - 1]));
    }
    let mirrored: Vec<Vec<char>> = found.iter().map(|s| mirror(s)).collect();
    found.extend(mirrored);
    found
}

/// Notes all neighbourhoods that a square stands for.
fn add(table: &mut Table, square: &[char], side: char) {
    let around: Vec<char> = (0..9).filter(|&i| i != 4).map(|i| square[i]).collect();
    for own in [Color::Black, Color::White] {
        let mut codes = vec![0usize];
        for &letter in &around {
            let cells = [Cell::Empty, Cell::Black, Cell::White, Cell::Border];
            let fitting: Vec<usize> =
                cells.into_iter().filter(|&cell| fits(letter, cell, own)).map(|cell| cell as usize).collect();
            codes = codes.iter().flat_map(|code| fitting.iter().map(move |cell| code << 2 | cell)).collect();
        }
        for mover in [Color::Black, Color::White] {
            if side == '?' || mover == own {
                for code in codes.iter().map(|code| code << 1 | mover as usize) {
                    table.0[code >> 6] |= 1 << (code & 63);
                }
            }
        }
    }
}

/// Whether a letter of a shape stands for what is on a point, if `X` are stones of a colour.
fn fits(letter: char, cell: Cell, own: Color) -> bool {
    let (mine, theirs) = (Cell::of(own), Cell::of(own.other()));
    match letter {
        'X' => cell == mine,
        'O' => cell == theirs,
        '.' => cell == Cell::Empty,
        '#' => cell == Cell::Border,
        'x' => cell != mine && cell != Cell::Border,
        'o' => cell != theirs && cell != Cell::Border,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram;

    fn suggested(rows: &str, color: Color) -> bool {
        let picture = diagram::parse(rows).unwrap();
        let board = Board::with_stones(picture.grid, &picture.stones).unwrap();
        suggests(&board, color, picture.grid.point(2, 2).unwrap())
    }

    #[test]
    fn hane_and_cuts_are_seen_from_every_side() {
        let hane = ". . . . .\n. X O . .\n. . . . .\n. . . . .\n. . . . .";
        let cut = ". . . . .\n. X O . .\n. O . . .\n. . . . .\n. . . . .";
        let turned = ". . . . .\n. . . . .\n. . . O .\n. . O X .\n. . . . .";
        let nothing = ". . . . .\n. X . . .\n. . . . .\n. . . . .\n. . . . .";
        for color in [Color::Black, Color::White] {
            assert!(suggested(hane, color) && suggested(cut, color) && suggested(turned, color));
            assert!(!suggested(nothing, color));
        }
        // To push on against two stones is for the side of the single stone.
        let wall = ". . . . .\n. X O O .\n. . . . .\n. . . . .\n. . . . .";
        assert!(suggested(wall, Color::Black) && !suggested(wall, Color::White));
    }
}
