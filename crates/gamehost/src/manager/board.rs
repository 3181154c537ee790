//! A position for people: fluents that look like a board as a board, the others as a list.
//!
//! A fluent such as `(cell 3 2 x)` looks like a board if it has two places and a value, and no place twice. Nothing
//! is known about names: whatever repeats with many places is a board.

/// A fluent taken apart.
struct Fluent<'a> {
    name: &'a str,
    args: Vec<&'a str>,
}

/// Rows or columns beyond this do not fit a terminal.
const WIDEST: usize = 26;

/// The position as lines of text.
pub fn show(fluents: &[String]) -> String {
    show_among(fluents, &[])
}

/// The same, on a board as large as all fluents that may come up make it: an empty board is drawn too, and does not grow
/// with the pieces on it.
pub fn show_among(fluents: &[String], all: &[String]) -> String {
    let parsed: Vec<Fluent<'_>> = fluents.iter().map(|text| parse(text)).collect();
    let possible: Vec<Fluent<'_>> = all.iter().map(|text| parse(text)).collect();
    let mut names: Vec<&str> = Vec::new();
    for fluent in parsed.iter().chain(&possible) {
        if !names.contains(&fluent.name) {
            names.push(fluent.name);
        }
    }
    let mut text = String::new();
    let mut listed = Vec::new();
    for name in names {
        let own: Vec<&Fluent<'_>> = parsed.iter().filter(|fluent| fluent.name == name).collect();
        let places: Vec<&Fluent<'_>> =
            parsed.iter().chain(&possible).filter(|own| own.name == name).collect();
        match grid(&own, &places) {
            Some(lines) => text.push_str(&format!("{name}:\n{lines}")),
            None => listed
                .extend(parsed.iter().zip(fluents).filter(|(own, _)| own.name == name).map(|(_, text)| text)),
        }
    }
    if !listed.is_empty() {
        let words: Vec<&str> = listed.iter().map(|text| text.as_str()).collect();
        text.push_str(&format!("{}\n", words.join(" ")));
    }
    text
}

fn parse(text: &str) -> Fluent<'_> {
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
    let mut items: Vec<&str> = Vec::new();
    let mut depth = 0usize;
    let mut start = 0;
    for (at, letter) in inner.char_indices().chain([(inner.len(), ' ')]) {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 => {
                if at > start {
                    items.push(&inner[start..at]);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    let name = items.first().copied().unwrap_or(text);
    Fluent { name, args: items.into_iter().skip(1).collect() }
}

/// Fluents on a board with all these places.
fn grid(fluents: &[&Fluent<'_>], places: &[&Fluent<'_>]) -> Option<String> {
    if places.len() < 3
        || places
            .iter()
            .any(|fluent| fluent.args.len() != 3 || fluent.args.iter().any(|arg| arg.contains('(')))
    {
        return None;
    }
    let axis = |place: usize| {
        let mut labels: Vec<&str> = places.iter().map(|fluent| fluent.args[place]).collect();
        labels.sort_by_key(|label| (label.parse::<i64>().unwrap_or(i64::MAX), label.to_owned()));
        labels.dedup();
        labels
    };
    let (columns, rows) = (axis(0), axis(1));
    let is_small = |labels: &[&str]| (2..=WIDEST).contains(&labels.len());
    if !is_small(&columns) || !is_small(&rows) {
        return None;
    }
    let mut cells = vec![None; columns.len() * rows.len()];
    for fluent in fluents {
        let column = columns.iter().position(|label| *label == fluent.args[0])?;
        let row = rows.iter().position(|label| *label == fluent.args[1])?;
        let place = &mut cells[row * columns.len() + column];
        if place.replace(fluent.args[2]).is_some() {
            return None;
        }
    }
    // Long values are cut, but stay different from each other as far as three letters allow.
    let width = columns.iter().map(|label| label.len()).max()?.clamp(1, 3);
    let left = rows.iter().map(|label| label.len()).max()?;
    let short = |text: &str| -> String { text.chars().take(width.max(1)).collect() };
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate().rev() {
        text.push_str(&format!("  {row:>left$} "));
        for column in 0..columns.len() {
            let value = cells[number * columns.len() + column];
            let value = value.filter(|value| !matches!(*value, "b" | "blank" | "empty"));
            text.push_str(&format!(" {:width$}", value.map_or(".".to_owned(), short)));
        }
        text.push('\n');
    }
    text.push_str(&format!("  {:left$} ", ""));
    for label in &columns {
        text.push_str(&format!(" {:width$}", short(label)));
    }
    text.push('\n');
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_board_is_drawn_and_the_rest_is_listed() {
        let fluents =
            ["(cell 1 1 x)", "(cell 2 1 b)", "(cell 1 2 o)", "(cell 3 3 x)", "(control o)", "started"];
        let fluents: Vec<String> = fluents.iter().map(|&text| text.to_owned()).collect();
        expect![[r#"
            cell:
              3  . . x
              2  o . .
              1  x . .
                 1 2 3
            (control o) started
        "#]]
        .assert_eq(&show(&fluents));
    }

    #[test]
    fn an_empty_board_is_drawn_in_its_full_size() {
        let all =
            ["(cell 1 1 x)", "(cell 2 1 o)", "(cell 1 2 o)", "(cell 3 2 x)", "(control x)", "(control o)"];
        let all: Vec<String> = all.iter().map(|&text| text.to_owned()).collect();
        expect![[r#"
            cell:
              2  . . .
              1  . . .
                 1 2 3
            (control o)
        "#]]
        .assert_eq(&show_among(&["(control o)".to_owned()], &all));
    }

    #[test]
    fn what_is_no_board_is_listed() {
        let fluents: Vec<String> = ["(heap a 3)", "(at (f 1) 2 3)", "(at 1 2 3)", "(at 1 2 4)"]
            .iter()
            .map(|&text| text.to_owned())
            .collect();
        assert_eq!(show(&fluents), "(heap a 3) (at (f 1) 2 3) (at 1 2 3) (at 1 2 4)\n");
        assert_eq!(show(&[]), "");
    }
}
