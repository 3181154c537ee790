//! SGF: problems in, contingency trees out.
//!
//! Reading and writing the format is `sgf-parse`'s business; here its properties become a position and a question. The
//! player to move is `PL`, or else the colour of the first move; the target is marked by `MA` (or `TR`, `SQ`, `CR`).

use counterplay_base::Budget;
use sgf_parse::go::{self, Prop};
use sgf_parse::{SgfNode, SgfParseError};

use crate::board::{Board, Illegal, Suicide};
use crate::point::{Color, Grid, Move, Point};
use crate::problem::{Goal, Problem, candidates};
use crate::solve::Options;
use crate::target;

/// Variations nested deeper than this are refused: reading them needs a stack as deep.
const DEEPEST: usize = 4000;

/// All rectangles `aa:cc` of a file together may have so many points: five letters stand for up to 2704 of them.
const MOST_POINTS: usize = 1_000_000;

/// Text longer than this before the end of the first node's properties is not looked through for its encoding.
const HEADER: usize = 4096;

/// Why a file is no problem.
#[derive(Debug, thiserror::Error)]
pub enum SgfError {
    /// Its text is in an encoding that is not read.
    #[error("the file is encoded as {0}: UTF-8 and ISO-8859-1 are read")]
    Encoding(String),
    /// It says that it is UTF-8, and is not.
    #[error("the file says that it is UTF-8, but byte {0} is not")]
    NotUtf8(usize),
    #[error("not an SGF file: {0}")]
    Syntax(SgfParseError),
    /// Its tree is too deep to be read.
    #[error("line {line}: the tree is more than {DEEPEST} nodes deep")]
    Deep {
        /// Where, counted from 1.
        line: usize,
    },
    /// Its rectangles of points are too many to be listed.
    #[error("line {line}: the rectangles of points have more than {MOST_POINTS} points")]
    ManyPoints {
        /// Where, counted from 1.
        line: usize,
    },
    /// It holds another game.
    #[error("the file holds another game than Go")]
    OtherGame,
    /// A board of this size is not supported.
    #[error("a board of {0} x {1} is not supported: 2 to 25 lines are")]
    Size(u8, u8),
    /// A property cannot be read.
    #[error("the property {0} cannot be read")]
    Property(String),
    /// A point is not on the board.
    #[error("{property} names a point outside the board (column {column}, row {row} from the top left)")]
    Outside {
        /// The SGF property that names it.
        property: &'static str,
        /// Its column, from 1.
        column: u8,
        /// Its row from the top, from 1.
        row: u8,
    },
    /// Two stones are set up on one point.
    #[error("both colours are set up on {0}")]
    Overlap(String),
    /// The position has a string without liberties.
    #[error("the string at {0} has no liberty")]
    Choked(String),
    /// Nothing says whose turn it is.
    #[error("whose turn it is is not said: neither PL nor a first move")]
    NoTurn,
    /// The first moves are not of the player to move.
    #[error("PL says that {0} is to play, but the first move is {other}'s", other = .0.other())]
    WrongColor(Color),
    /// A node holds moves of both colours.
    #[error("both colours move in one node")]
    TwoMoves,
    /// The marked point holds no stone.
    #[error("the marked point {0} holds no stone")]
    NoStone(String),
    /// The stone that the caller asks about is not there.
    #[error("there is no stone at {0}")]
    NoStoneAt(String),
    /// Nothing says which stones it is about, and several groups may be meant.
    #[error("no stone is marked as the target; {}", said(.0))]
    NoTarget(Vec<String>),
    /// A move of the file is not allowed.
    #[error("move {number} ({color} at {at}) is not allowed: {why}")]
    Move { number: usize, color: Color, at: String, why: Illegal },
    /// There are fewer games in the file.
    #[error("the file has {0} games only")]
    NoGame(usize),
}

fn said(candidates: &[String]) -> String {
    if candidates.is_empty() {
        "no group is shut in".to_owned()
    } else {
        format!("it may be {}", candidates.join(" or "))
    }
}

/// A problem as a file tells it.
#[derive(Clone, Debug)]
pub struct Record {
    /// The position and the question.
    pub problem: Problem,
    /// Whether the target was found by looking at the position, not marked.
    pub inferred: bool,
    /// If it was: all stones whose groups may be meant, the likeliest first.
    pub candidates: Vec<Point>,
    /// First moves that the file holds to be right.
    pub solutions: Vec<Move>,
    /// Its name, or what it says.
    pub title: String,
}

/// The text of a file. Its property `CA` says how it is encoded; the standard's default is ISO-8859-1, but files
/// without it that are valid UTF-8 are taken for that.
pub fn decode(mut bytes: Vec<u8>) -> Result<String, SgfError> {
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    let said = encoding(&bytes);
    let name: String = said.iter().flatten().filter(|c| c.is_ascii_alphanumeric()).collect();
    // One byte, one character: ISO-8859-1 is the beginning of Unicode.
    let latin = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect();
    match name.to_ascii_lowercase().as_str() {
        "iso88591" | "latin1" | "l1" | "cp819" => Ok(latin(&bytes)),
        "utf8" => {
            String::from_utf8(bytes).map_err(|error| SgfError::NotUtf8(error.utf8_error().valid_up_to()))
        }
        other => match String::from_utf8(bytes) {
            Ok(text) => Ok(text),
            Err(error) if other.is_empty() => Ok(latin(error.as_bytes())),
            Err(_) => Err(SgfError::Encoding(said.into_iter().flatten().collect())),
        },
    }
}

/// What `CA` in the first node says, as it is written.
fn encoding(bytes: &[u8]) -> Option<Vec<char>> {
    let header = &bytes[..bytes.len().min(HEADER)];
    let (mut inside, mut escaped) = (false, false);
    for (i, &byte) in header.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b']' => inside = false,
            _ if inside => {}
            b'[' => {
                let before = header[..i].trim_ascii_end();
                let named = before.ends_with(b"CA")
                    && !before[..before.len() - 2].last().is_some_and(u8::is_ascii_uppercase);
                if named {
                    let value = header[i + 1..].iter().take_while(|&&c| c != b']');
                    return Some(value.map(|&c| char::from(c)).collect());
                }
                inside = true;
            }
            _ => {}
        }
    }
    None
}

/// Reads the trees of a file.
pub fn read(text: &str) -> Result<Vec<SgfNode<Prop>>, SgfError> {
    measure(text)?;
    go::parse(text).map_err(|error| match error {
        SgfParseError::UnexpectedGameType | SgfParseError::InvalidGameType => SgfError::OtherGame,
        other => SgfError::Syntax(other),
    })
}

/// Measures a text without recursion, word by word as the parser will read it: what is no parenthesis, semicolon, blank or value
/// is part of a name, and a name goes on to the next `[` whatever stands in it. A tree that is too deep and too many points are refused.
pub(crate) fn measure(text: &str) -> Result<(), SgfError> {
    let line = |place: usize| text.as_bytes()[..place].iter().filter(|&&c| c == b'\n').count() + 1;
    let mut points = 0usize;
    // Where each open variation began, and how deep its nodes are.
    let (mut open, mut at) = (Vec::new(), 0usize);
    let (mut value, mut escaped, mut in_name) = (None, false, false);
    for (place, c) in text.bytes().enumerate() {
        if let Some(start) = value {
            match c {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b']' => {
                    points = points.saturating_add(rectangle(&text.as_bytes()[start..place]));
                    value = None;
                    if points > MOST_POINTS {
                        return Err(SgfError::ManyPoints { line: line(place) });
                    }
                }
                _ => {}
            }
            continue;
        }
        match c {
            b'[' => {
                value = Some(place + 1);
                in_name = false;
            }
            _ if in_name => {}
            b'(' => open.push(at),
            b')' => at = open.pop().unwrap_or(0),
            b';' => at += 1,
            blank if blank.is_ascii_whitespace() => {}
            _ => in_name = true,
        }
        if at.max(open.len()) > DEEPEST {
            return Err(SgfError::Deep { line: line(place) });
        }
    }
    Ok(())
}

/// The points of a rectangle such as `aa:cc`.
fn rectangle(value: &[u8]) -> usize {
    let &[left, top, b':', right, bottom] = value else { return 0 };
    let place = |letter: u8| match letter {
        b'a'..=b'z' => usize::from(letter - b'a'),
        _ => usize::from(letter.wrapping_sub(b'A')) + 26,
    };
    (place(left).abs_diff(place(right)) + 1) * (place(top).abs_diff(place(bottom)) + 1)
}

/// The size of a game's board.
pub fn grid(root: &SgfNode<Prop>) -> Result<Grid, SgfError> {
    let (width, height) = match root.get_property("SZ") {
        None => (19, 19),
        Some(Prop::SZ(size)) => *size,
        Some(_) => return Err(SgfError::Property("SZ".to_owned())),
    };
    Grid::new(width.into(), height.into()).ok_or(SgfError::Size(width, height))
}

fn point(grid: Grid, property: &'static str, at: go::Point) -> Result<Point, SgfError> {
    grid.point(at.x.into(), at.y.into()).ok_or(SgfError::Outside {
        property,
        column: at.x + 1,
        row: at.y + 1,
    })
}

fn action(grid: Grid, property: &'static str, action: go::Move) -> Result<Move, SgfError> {
    match action {
        go::Move::Pass => Ok(Move::Pass),
        // On small boards this point outside the board is an old way to write a pass.
        go::Move::Move(at) if at.x == 19 && at.y == 19 && grid.width() <= 19 && grid.height() <= 19 => {
            Ok(Move::Pass)
        }
        go::Move::Move(at) => point(grid, property, at).map(Move::Play),
    }
}

/// The move of a node.
pub fn node_move(grid: Grid, node: &SgfNode<Prop>) -> Result<Option<(Color, Move)>, SgfError> {
    let mut found = None;
    for property in node.properties() {
        let (color, at) = match property {
            Prop::B(at) => (Color::Black, action(grid, "B", *at)?),
            Prop::W(at) => (Color::White, action(grid, "W", *at)?),
            Prop::Invalid(name, _) if name == "B" || name == "W" => {
                return Err(SgfError::Property(name.clone()));
            }
            _ => continue,
        };
        if found.replace((color, at)).is_some() {
            return Err(SgfError::TwoMoves);
        }
    }
    Ok(found)
}

/// The stones that a root sets up.
pub fn set_up(root: &SgfNode<Prop>) -> Result<Board, SgfError> {
    let grid = grid(root)?;
    let mut stones: Vec<(Point, Color)> = Vec::new();
    for property in root.properties() {
        let (name, color, points) = match property {
            Prop::AB(points) => ("AB", Color::Black, points),
            Prop::AW(points) => ("AW", Color::White, points),
            Prop::Invalid(name, _) if ["AB", "AW", "AE", "PL", "MA"].contains(&name.as_str()) => {
                return Err(SgfError::Property(name.clone()));
            }
            _ => continue,
        };
        for &at in points {
            stones.push((point(grid, name, at)?, color));
        }
    }
    stones.sort_unstable();
    stones.dedup();
    if let Some(pair) = stones.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        return Err(SgfError::Overlap(grid.name(pair[0].0)));
    }
    Board::with_stones(grid, &stones).map_err(|choked| SgfError::Choked(grid.name(choked[0])))
}

/// Plays the main line of a game, at most so many moves of it; the position and whose turn it then is, if a move tells.
pub fn replay(
    root: &SgfNode<Prop>,
    moves: Option<usize>,
    suicide: Suicide,
) -> Result<(Board, Option<Color>), SgfError> {
    let mut board = set_up(root)?.under(suicide);
    let grid = board.grid();
    let mut turn = match root.get_property("PL") {
        Some(Prop::PL(color)) => Some(own_color(*color)),
        _ => None,
    };
    let mut played = 0;
    for node in root.main_variation() {
        if moves.is_some_and(|moves| played >= moves) {
            break;
        }
        if let Some((color, action)) = node_move(grid, node)? {
            played += 1;
            if let Move::Play(at) = action {
                board.check(color, at).map_err(|why| SgfError::Move {
                    number: played,
                    color,
                    at: grid.name(at),
                    why,
                })?;
            }
            board.play(color, action);
            turn = Some(color.other());
        }
    }
    Ok((board, turn))
}

fn own_color(color: sgf_parse::Color) -> Color {
    match color {
        sgf_parse::Color::Black => Color::Black,
        sgf_parse::Color::White => Color::White,
    }
}

/// The root position of a game tree, and whose turn it is.
pub fn position(root: &SgfNode<Prop>) -> Result<(Board, Color), SgfError> {
    let board = set_up(root)?;
    if let Some(Prop::PL(color)) = root.get_property("PL") {
        return Ok((board, own_color(*color)));
    }
    for child in root.children() {
        if let Some((color, _)) = node_move(board.grid(), child)? {
            return Ok((board, color));
        }
    }
    Err(SgfError::NoTurn)
}

/// The problem of a game tree: its root position, and the question that its properties ask. Without a mark the target is the
/// only group that is shut in.
pub fn problem(root: &SgfNode<Prop>) -> Result<Record, SgfError> {
    let only = |board: &Board, _| match candidates(board)[..] {
        [only] => Ok(vec![only]),
        ref several => Err(several.to_vec()),
    };
    problem_about(root, &only)
}

/// Stones of the groups that a position without a mark may be about, the likeliest first; an error names some to choose from.
type Infer<'a> = &'a dyn Fn(&Board, Color) -> Result<Vec<Point>, Vec<Point>>;

fn problem_about(root: &SgfNode<Prop>, infer: Infer) -> Result<Record, SgfError> {
    let (board, to_move) = position(root)?;
    let grid = board.grid();
    let mut firsts = Vec::new();
    for child in root.children() {
        if let Some(first) = node_move(grid, child)? {
            firsts.push((first, child));
        }
    }
    if !firsts.is_empty() && firsts.iter().all(|((color, _), _)| *color != to_move) {
        return Err(SgfError::WrongColor(to_move));
    }
    let mut marks = Vec::new();
    for property in root.properties() {
        let (name, points) = match property {
            Prop::MA(points) => ("MA", points),
            Prop::TR(points) => ("TR", points),
            Prop::SQ(points) => ("SQ", points),
            Prop::CR(points) => ("CR", points),
            _ => continue,
        };
        let mut points: Vec<Point> =
            points.iter().map(|&at| point(grid, name, at)).collect::<Result<_, _>>()?;
        points.sort_unstable();
        marks.extend(points);
    }
    let inferred = marks.is_empty();
    let candidates = if inferred {
        infer(&board, to_move)
            .map_err(|several| SgfError::NoTarget(several.iter().map(|&at| grid.name(at)).collect()))?
    } else {
        Vec::new()
    };
    let target = *marks.iter().chain(&candidates).next().ok_or_else(|| SgfError::NoTarget(Vec::new()))?;
    let mut problem =
        Problem::about(board, to_move, target).ok_or_else(|| SgfError::NoStone(grid.name(target)))?;
    // A second marked stone of another string asks whether the two can be joined.
    let asked = text(root).to_lowercase();
    if let Some(&friend) = marks.get(1)
        && problem.board.cell(friend) == problem.board.cell(target)
        && problem.board.head(friend) != problem.board.head(target)
        && asked.contains("connect")
    {
        problem.goal = if problem.goal.is_defence() { Goal::Connect(friend) } else { Goal::Separate(friend) };
    }
    let solutions = firsts
        .iter()
        .filter(|((color, _), node)| {
            *color == to_move
                && (node.get_property("TE").is_some() || text(node).to_lowercase().contains("correct"))
        })
        .map(|((_, action), _)| *action)
        .collect();
    let title = match root.get_property("GN") {
        Some(Prop::GN(name)) => name.text.clone(),
        _ => text(root),
    };
    Ok(Record { problem, inferred, candidates, solutions, title })
}

fn text(node: &SgfNode<Prop>) -> String {
    match node.get_property("C") {
        Some(Prop::C(words)) => words.text.clone(),
        _ => String::new(),
    }
}

/// Reads the problem of a file's game with this number, from 0.
pub fn read_problem(text: &str, game: usize) -> Result<Record, SgfError> {
    let games = read(text)?;
    problem(games.get(game).ok_or(SgfError::NoGame(games.len()))?)
}

/// The same; without a mark the target is looked for by [`target::infer`], and where nothing depends on the first move it is the only
/// group that is shut in.
pub fn read_problem_inferring(
    text: &str,
    game: usize,
    options: &Options,
    budget: &Budget,
) -> Result<Record, SgfError> {
    let games = read(text)?;
    let infer = |board: &Board, turn: Color| {
        let found = target::infer(board, turn, options, budget);
        let stones: Vec<Point> = found.iter().map(|candidate| candidate.stone).collect();
        match (&stones[..], &candidates(board)[..]) {
            ([], [only]) => Ok(vec![*only]),
            ([], several) => Err(several.to_vec()),
            _ => Ok(stones),
        }
    };
    problem_about(games.get(game).ok_or(SgfError::NoGame(games.len()))?, &infer)
}

/// Reads the position of a file's game with this number, from 0, and asks about the group of the stone on a vertex such as `C4`.
pub fn read_problem_about(text: &str, game: usize, vertex: &str) -> Result<Record, SgfError> {
    let games = read(text)?;
    let (board, turn) = position(games.get(game).ok_or(SgfError::NoGame(games.len()))?)?;
    let target = board.grid().parse(vertex);
    let problem = target.and_then(|target| Problem::about(board, turn, target));
    let problem = problem.ok_or_else(|| SgfError::NoStoneAt(vertex.to_owned()))?;
    Ok(Record {
        problem,
        inferred: false,
        candidates: Vec::new(),
        solutions: Vec::new(),
        title: String::new(),
    })
}
