//! The name that was probably meant.

/// Names longer than this are not compared: comparing costs their product.
const LONGEST: usize = 64;

/// Of the candidates, the one most like `name`, if it is like it at all: at most a third of the letters
/// differ. The first of several equally good ones.
pub fn similar<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    // The mark of a variable or keyword is no letter that could agree.
    let length = name.trim_start_matches(['?', ':']).chars().count();
    if length > LONGEST {
        return None;
    }
    let allowed = (length / 3).max(1);
    let mut best = None;
    for candidate in candidates {
        if candidate.len() > 4 * LONGEST || candidate.chars().count().abs_diff(name.chars().count()) > allowed
        {
            continue;
        }
        let distance = distance(name, candidate);
        // A one-letter name that shares no letter resembles nothing.
        if distance <= allowed && distance < length && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The number of letters to insert, delete, replace, or swap with their neighbour to turn one word into the
/// other (optimal string alignment), whatever their case.
fn distance(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.to_lowercase().chars().collect();
    let other: Vec<char> = other.to_lowercase().chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let differs = usize::from(one[i - 1] != other[j - 1]);
            let mut least = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + differs);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(before_last[j - 2] + 1);
            }
            row.push(least);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("holding", "holding"), 0);
        assert_eq!(distance("holdng", "holding"), 1);
        assert_eq!(distance("hodling", "holding"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn the_nearest_wins_and_strangers_lose() {
        assert_eq!(similar("holdng", ["on", "handempty", "holding"]), Some("holding"));
        assert_eq!(similar("x", ["y", "z"]), None);
        assert_eq!(similar("?x", ["?y", "?z"]), None);
        assert_eq!(similar(":typin", [":typing"]), Some(":typing"));
        assert_eq!(similar("ab", ["a", "abc"]), Some("a"));
        assert_eq!(similar("fly", ["drive"]), None);
        assert_eq!(similar(&"x".repeat(1_000_000), ["x"]), None);
    }
}
