//! Answers of the tour as small drawings in letters.

use counterplay::go::position;
use serde_json::Value;

/// So many turns of a match are drawn.
const TURNS: usize = 60;

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The steps of a plan in a row; long plans go on in the next line.
pub(super) fn steps(answer: &Value) -> Vec<String> {
    let steps: Vec<String> =
        texts(&answer["plan"]).iter().map(|step| step.trim_matches(['(', ')']).to_owned()).collect();
    steps.chunks(5).map(|row| row.join(" → ")).collect()
}

/// The preferences that hold and those that do not.
pub(super) fn preferences(answer: &Value) -> Vec<String> {
    let rows = answer["preferences"].as_array().into_iter().flatten();
    rows.map(|one| {
        let mark = if one["held"] == true { '✓' } else { '✗' };
        format!("{mark} {}", one["name"].as_str().unwrap_or_default())
    })
    .collect()
}

/// A policy, a line for each pair.
pub(super) fn policy(answer: &Value) -> Vec<String> {
    let pairs = answer["policy"].as_array().into_iter().flatten();
    let line = |pair: &Value| {
        format!("{:<26} → {}", texts(&pair["if"]).join(" "), pair["do"].as_str().unwrap_or_default())
    };
    pairs.take(8).map(line).collect()
}

/// The goban after the move of the answer.
pub(super) fn goban(sgf: &str, answer: &Value) -> Vec<String> {
    let moves: Vec<String> = answer["move"].as_str().map(str::to_owned).into_iter().collect();
    let Ok(after) = position(sgf, &moves) else { return Vec::new() };
    let Ok(before) = position(sgf, &[]) else { return Vec::new() };
    let stone = |(now, then): (char, char)| match (now, then) {
        ('X', '.') => "◆",
        ('X', _) => "●",
        ('O', _) => "○",
        _ => "·",
    };
    let row = |(now, then): (&String, &String)| {
        now.chars().zip(then.chars()).map(stone).collect::<Vec<_>>().join(" ")
    };
    after.rows.iter().zip(&before.rows).map(row).collect()
}

/// The positions of the first problem side by side; what only the referee sees is in small letters.
pub(super) fn positions(lines: &str) -> Vec<String> {
    let first: Value =
        lines.lines().next().and_then(|line| serde_json::from_str(line).ok()).unwrap_or_default();
    let boards: Vec<Vec<String>> = texts(&first["belief"]).iter().map(|fen| rows(fen)).collect();
    let height = boards.iter().map(Vec::len).max().unwrap_or(0);
    let line = |at: usize| {
        boards.iter().filter_map(|board| board.get(at).cloned()).collect::<Vec<_>>().join("     ")
    };
    (0..height).map(line).collect()
}

/// The rows of a position in FEN.
fn rows(fen: &str) -> Vec<String> {
    let squares = |row: &str| {
        let letters = row.chars().flat_map(|letter| match letter.to_digit(10) {
            Some(empty) => vec!['·'; empty as usize],
            None => vec![letter],
        });
        letters.map(String::from).collect::<Vec<_>>().join(" ")
    };
    fen.split(' ').next().unwrap_or_default().split('/').map(squares).collect()
}

/// The first turns of a match: a dot for cooperation, a block for defection.
pub(super) fn moves(answer: &Value) -> Vec<String> {
    let names = texts(&answer["strategies"]);
    let rows = names.iter().zip(texts(&answer["moves"]));
    let cells =
        |row: &str| row.chars().take(TURNS).map(|own| if own == 'C' { '·' } else { '█' }).collect::<String>();
    rows.map(|(name, row)| format!("{name:<10} {}…", cells(row))).collect()
}
