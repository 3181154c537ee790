//! Random positions on small boards as SGF, and smaller variants of them.

use counterplay_go::{Board, Color, Grid, Point, Problem, sgf};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Columns and rows.
const SIZES: [(usize, usize); 8] = [(3, 3), (4, 2), (5, 2), (4, 3), (6, 2), (7, 2), (5, 3), (4, 4)];

/// A random problem: a board almost full of stones, every string with a liberty, one stone marked. A third of the positions are
/// mixed at random; in the others the board is cut into two or three parts that belong to the sides in turn, so that there are
/// groups, walls, and liberties on the far side of them. Few points are empty, because the twin goes through every state.
pub(super) fn random(rng: &mut ChaCha8Rng) -> String {
    loop {
        let (width, height) = SIZES[rng.random_range(0..SIZES.len())];
        let grid = Grid::new(width, height).expect("the board is small");
        let points: Vec<Point> = grid.points().collect();
        let parts = rng.random_range(1..=3);
        let mut borders = [rng.random_range(1..width), rng.random_range(1..width)];
        borders.sort_unstable();
        let mut stones: Vec<(Point, Color)> = Vec::new();
        let vacant = rng.random_range(2..=if points.len() > 11 { 3 } else { 5 });
        let mut empty: Vec<Point> = Vec::new();
        while empty.len() < vacant {
            let point = points[rng.random_range(0..points.len())];
            if !empty.contains(&point) {
                empty.push(point);
            }
        }
        for &point in points.iter().filter(|p| !empty.contains(p)) {
            let column = grid.place(point).0;
            let part = borders[..parts - 1].iter().filter(|&&border| column >= border).count();
            let stray = rng.random_range(0..8) == 0;
            let black = if parts > 1 { (part == 1) == stray } else { rng.random_range(0..2) == 0 };
            stones.push((point, if black { Color::Black } else { Color::White }));
        }
        if Board::with_stones(grid, &stones).is_err() || stones.is_empty() {
            continue;
        }
        let target = stones[rng.random_range(0..stones.len())].0;
        let mover = if rng.random_range(0..2) == 0 { Color::Black } else { Color::White };
        return write(grid, &stones, target, mover);
    }
}

/// A random problem on a board of 6 to 9 lines: a group around a room in the corner or at an edge, a wall around it that may have a gap,
/// and stray stones outside, so that walls have few liberties there.
pub(super) fn enclosure(rng: &mut ChaCha8Rng) -> String {
    loop {
        let lines = rng.random_range(6..=9);
        let grid = Grid::new(lines, lines).expect("the board is small");
        let size = rng.random_range(2..=7);
        let mut room: Vec<(i32, i32)> = vec![(rng.random_range(0..4), rng.random_range(0..2))];
        while room.len() < size {
            let (x, y) = room[rng.random_range(0..room.len())];
            let (dx, dy) = [(0, 1), (1, 0), (0, -1), (-1, 0)][rng.random_range(0..4)];
            let next = (x + dx, y + dy);
            let fits = (0..5).contains(&next.0) && (0..3).contains(&next.1);
            if fits && !room.contains(&next) {
                room.push(next);
            }
        }
        let gaps = rng.random_range(0..3);
        let strays = rng.random_range(2..8);
        let mut stones: Vec<(Point, Color)> = Vec::new();
        let mut group: Vec<Point> = Vec::new();
        for point in grid.points() {
            let (column, row) = grid.place(point);
            let (x, y) = (column as i32, row as i32);
            let far = room.iter().map(|&(a, b)| (a - x).abs().max((b - y).abs())).min().unwrap_or(9);
            let color = match far {
                0 if rng.random_range(0..7) == 0 => Some(Color::Black),
                0 => None,
                1 if rng.random_range(0..14) == 0 => None,
                1 => {
                    group.push(point);
                    Some(Color::White)
                }
                2 if rng.random_range(0..12) < gaps => None,
                2 => Some(Color::Black),
                _ if rng.random_range(0..20) < strays => {
                    Some(if rng.random_range(0..3) == 0 { Color::Black } else { Color::White })
                }
                _ => None,
            };
            stones.extend(color.map(|color| (point, color)));
        }
        if group.is_empty() || Board::with_stones(grid, &stones).is_err() {
            continue;
        }
        let target = group[rng.random_range(0..group.len())];
        let mover = if rng.random_range(0..2) == 0 { Color::Black } else { Color::White };
        return write(grid, &stones, target, mover);
    }
}

/// The problem of a text; `None` if there is none.
pub(super) fn read(text: &str) -> Option<Problem> {
    Some(sgf::read_problem(text, 0).ok()?.problem)
}

/// The same problem with a stone less.
pub(super) fn smaller(text: &str) -> Vec<String> {
    let Some(problem) = read(text) else { return Vec::new() };
    let (board, grid) = (&problem.board, problem.board.grid());
    let stones: Vec<(Point, Color)> =
        grid.points().filter_map(|p| board.cell(p).color().map(|color| (p, color))).collect();
    stones
        .iter()
        .filter(|&&(p, _)| p != problem.target)
        .map(|removed| {
            let rest: Vec<(Point, Color)> = stones.iter().copied().filter(|stone| stone != removed).collect();
            write(grid, &rest, problem.target, problem.to_move)
        })
        .collect()
}

fn write(grid: Grid, stones: &[(Point, Color)], target: Point, mover: Color) -> String {
    let letters = |p: Point| {
        let (column, row) = grid.place(p);
        [column, row].map(|i| char::from(b'a' + i as u8)).iter().collect::<String>()
    };
    let list = |color: Color| -> String {
        let own = stones.iter().filter(|(_, c)| *c == color);
        own.map(|&(p, _)| format!("[{}]", letters(p))).collect()
    };
    let setup = |name: &str, list: String| if list.is_empty() { list } else { format!("{name}{list}") };
    let mover = if mover == Color::Black { "B" } else { "W" };
    format!(
        "(;FF[4]GM[1]SZ[{}:{}]PL[{mover}]{}{}MA[{}])\n",
        grid.width(),
        grid.height(),
        setup("AB", list(Color::Black)),
        setup("AW", list(Color::White)),
        letters(target)
    )
}
