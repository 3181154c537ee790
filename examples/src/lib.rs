//! The example problems as texts, so that programs can show and solve them without files.
//!
//! ```
//! let rules = counterplay_examples::text("games/tic-tac-toe.kif");
//! assert!(rules.contains("(role x)"));
//! ```

/// Paths within the folder `examples`, sorted, and the texts.
pub static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The text of an example by its path within the folder `examples`.
///
/// Panics if there is no such file; in a constant that is an error of the compiler.
pub const fn text(path: &str) -> &'static str {
    let mut index = 0;
    while index < FILES.len() {
        let (name, text) = FILES[index];
        if is_equal(name.as_bytes(), path.as_bytes()) {
            return text;
        }
        index += 1;
    }
    panic!("no example has this path")
}

/// `==` is not available in constants.
const fn is_equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_found_by_their_paths() {
        assert!(FILES.len() > 50);
        for (path, contents) in FILES {
            assert_eq!(text(path), *contents);
        }
    }
}
