//! Smaller variants of a case written in s-expressions.

use crate::Case;

/// Every case that results from removing one parenthesised expression, from removing one word, or from putting one part of an
/// expression in its place. Larger removals come first.
pub fn smaller_expressions(case: &Case) -> Vec<Case> {
    let mut edits: Vec<Edit> = Vec::new();
    for (file, (_, text)) in case.files.iter().enumerate() {
        edits.extend(edits_of(file, text));
    }
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.saved()));
    edits.into_iter().map(|edit| edit.apply(case)).collect()
}

/// One replacement in one file: `keep` takes the place of `from..to`.
struct Edit {
    file: usize,
    from: usize,
    to: usize,
    keep: Option<(usize, usize)>,
}

impl Edit {
    fn saved(&self) -> usize {
        self.to - self.from - self.keep.map_or(0, |(from, to)| to - from)
    }

    fn apply(&self, case: &Case) -> Case {
        let mut smaller = case.clone();
        let text = &case.files[self.file].1;
        let kept = self.keep.map_or("", |(from, to)| &text[from..to]);
        smaller.files[self.file].1 = [&text[..self.from], kept, &text[self.to..]].concat();
        smaller
    }
}

/// The edits of one file. Comments do not occur in generated text, so parentheses and blanks are all that matters.
fn edits_of(file: usize, text: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    // Where each open expression begins, and the spans of its direct parts.
    let mut open: Vec<(usize, Vec<(usize, usize)>)> = Vec::new();
    let mut word: Option<usize> = None;
    for (at, byte) in text.bytes().enumerate().chain([(text.len(), b' ')]) {
        if matches!(byte, b'(' | b')') || byte.is_ascii_whitespace() {
            if let Some(from) = word.take() {
                edits.push(Edit { file, from, to: at, keep: None });
                if let Some((_, parts)) = open.last_mut() {
                    parts.push((from, at));
                }
            }
        } else {
            word.get_or_insert(at);
        }
        if byte == b'(' {
            open.push((at, Vec::new()));
        } else if byte == b')'
            && let Some((from, parts)) = open.pop()
        {
            let to = at + 1;
            edits.push(Edit { file, from, to, keep: None });
            for &(part_from, part_to) in parts.iter().filter(|&&(from, _)| text.as_bytes()[from] == b'(') {
                edits.push(Edit { file, from, to, keep: Some((part_from, part_to)) });
            }
            if let Some((_, parts)) = open.last_mut() {
                parts.push((from, to));
            }
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_removed_and_take_the_place_of_the_whole() {
        let case = Case::new([("a", "(and (p) q)".to_owned())]);
        let texts: Vec<String> =
            smaller_expressions(&case).into_iter().map(|mut case| case.files.remove(0).1).collect();
        for expected in ["", "(p)", "(and  q)", "(and (p) )", "( (p) q)", "(and () q)"] {
            assert!(texts.contains(&expected.to_owned()), "{expected:?} in {texts:?}");
        }
        assert!(texts.iter().all(|text| text.len() < case.files[0].1.len()));
    }
}
